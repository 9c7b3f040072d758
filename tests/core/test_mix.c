/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mixes of contexts: exact sums over lengths, windows included, in the place of
 * one context; the reader of a file of lengths. */
#include "check.h"

#include "llmenv_lengths.h"
#include "llmenv_mix.h"
#include "llmenv_table.h"

/* ---- sums -------------------------------------------------------------- */

static const char *const models[]
  = { "llama-3-1-8b", "gemma-3-27b", "llama-4-scout", "deepseek-v3", "deepseek-v3-2",
      "nemotron-h-8b-base-8k", "kimi-k3", "gemma-3n-e2b", "whisper-large-v3" };

static const double lengths[] = { 0, 1, 500, 1024, 1025, 8192, 8193, 40000, 1e6 };
static const double weights[] = { 4, 1, 0, 2.5, 1, 3, 0.25, 7, 0.125 };
enum { N = 9 };

/* Weighted mean of K, T, A by hand, in long double. */
static double
by_hand (const llmenv_envelope *e, llmenv_sum sum, const double *w)
{
  long double total = 0, all = 0;
  for (int i = 0; i < N; i++)
    {
      const long double weight = w == NULL ? 1 : w[i];
      total += weight * (long double) llmenv_envelope_sum (e, sum, lengths[i]);
      all += weight;
    }
  return (double) (total / all);
}

static void
a_mix_is_the_weighted_sum_of_its_lengths (void **state)
{
  (void) state;
  for (size_t m = 0; m < N_OF_ARRAY (models); m++)
    {
      const llmenv_envelope e = shipped (models[m], NULL, NULL);
      for (int weighted = 0; weighted < 2; weighted++)
        {
          const double *w = weighted ? weights : NULL;
          const llmenv_at_context c = llmenv_context_mix (&e, N, lengths, w);
          NEAR (c.K, by_hand (&e, LLMENV_HELD, w), 1e-15, models[m]);
          NEAR (c.T, by_hand (&e, LLMENV_READ, w), 1e-15, models[m]);
          NEAR (c.A, by_hand (&e, LLMENV_FLOPS, w), 1e-15, models[m]);
        }
    }
}

/* A mix of windows is not the window of the mean: two of 100 and 3,900 tokens
 * under a window of 1,024 hold 100 + 1,024 of it, not 2 x 1,024. */
static void
windows_are_cut_length_by_length (void **state)
{
  (void) state;
  const llmenv_layer_group layer
    = { .kind = LLMENV_WINDOW, .count = 1, .q_heads = 1, .kv_heads = 1, .k_dim = 1,
        .v_dim = 1, .window = 1024 };
  const llmenv_model model = { .layers = &layer, .n_layers = 1, .format_bytes = 2,
                               .kv_reason = LLMENV_HAS_VALUE };
  const llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  llmenv_envelope e;
  assert_int_equal (llmenv_envelope_make (&model, NULL, &s, &e), LLMENV_OK);
  const double pair[] = { 100, 3900 };
  const llmenv_at_context c = llmenv_context_mix (&e, 2, pair, NULL);
  NEAR (c.K, 4 * (100 + 1024) / 2.0, 0, "held");
  NEAR (c.L, 2000, 0, "mean length");
  NEAR (llmenv_context_at (&e, 2000).K, 4 * 1024, 0, "of the mean length");
}

/* One length, or equal ones, are that context; every quantity takes them. */
static void
one_length_is_that_context (void **state)
{
  (void) state;
  static const double same[] = { 5000, 5000, 5000 };
  for (size_t m = 0; m < N_OF_ARRAY (models); m++)
    {
      const llmenv_envelope e = shipped (models[m], "nvidia-h100-sxm", NULL);
      const llmenv_at_batch b = llmenv_batch_at (&e, 7);
      for (size_t n = 1; n <= 3; n += 2)
        {
          const llmenv_at_context c = llmenv_context_mix (&e, n, same, NULL);
          for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
            {
              double value;
              llmenv_quantity_run ((llmenv_quantity) q, &e, 1, &b, 0, &c, 0, &value);
              NEAR (value, llmenv_quantity_value ((llmenv_quantity) q, &e, 7, 5000),
                    1e-14, llmenv_quantity_get ((llmenv_quantity) q)->name);
            }
        }
    }
}

/* A million lengths: compensated sums lose nothing. */
static void
many_lengths_lose_nothing (void **state)
{
  (void) state;
  enum { MANY = 1000000 };
  const llmenv_envelope e = shipped ("llama-3-1-8b", NULL, NULL);
  double *L = malloc (MANY * sizeof *L);
  double sum = 0;
  uint64_t seed = 11;
  for (int i = 0; i < MANY; i++)
    sum += L[i] = random_whole (&seed, 0, 1000000);
  const llmenv_at_context c = llmenv_context_mix (&e, MANY, L, NULL);
  /* Whole numbers below 2^53: SUM is exact. */
  NEAR (c.L, sum / MANY, 0, "mean length");
  NEAR (c.K, 131072 * (sum / MANY), 2e-16, "bytes");
  free (L);
}

/* An infinite batch: the limit, as of one context. */
static void
an_infinite_batch_is_the_limit (void **state)
{
  (void) state;
  static const double same[] = { 5000, 5000 };
  const llmenv_envelope e = shipped ("deepseek-v3", "nvidia-h100-sxm", NULL);
  for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
    NEAR (llmenv_mix_value ((llmenv_quantity) q, &e, INFINITY, 2, same, NULL),
          llmenv_quantity_value ((llmenv_quantity) q, &e, INFINITY, 5000), 1e-12,
          llmenv_quantity_get ((llmenv_quantity) q)->name);
  NEAR (llmenv_mix_value (LLMENV_Q_intensity, &e, 7, 2, same, NULL),
        value_of ("intensity", &e, 7, 5000), 1e-15, "finite");
}

/* Finite, but so large that products overflow: as of one context. */
static void
a_large_batch_or_context_is_as_of_one (void **state)
{
  (void) state;
  static const double same[] = { 5000, 5000 }, far[] = { 1e308, 1e308 };
  static const double half[] = { 0.5, 0.5 };
  const llmenv_envelope e = shipped ("deepseek-v3", "nvidia-h100-sxm", NULL);
  for (int i = 0; i < LLMENV_QUANTITY_COUNT; i++)
    {
      const llmenv_quantity q = (llmenv_quantity) i;
      const char *name = llmenv_quantity_get (q)->name;
      NEAR (llmenv_mix_value (q, &e, 1e308, 2, same, NULL),
            llmenv_quantity_value (q, &e, 1e308, 5000), 1e-12, name);
      if (llmenv_quantity_get (q)->takes & LLMENV_TAKES_L)
        NEAR (llmenv_mix_value (q, &e, 7, 2, far, half),
              llmenv_quantity_value (q, &e, 7, 1e308), 1e-12, name);
    }
  NEAR (llmenv_mix_value (LLMENV_Q_throughput, &e, 1e308, 2, same, NULL),
        llmenv_mix_value (LLMENV_Q_throughput, &e, INFINITY, 2, same, NULL), 1e-12, "limit");
}

/* ---- engines ------------------------------------------------------------ */

/* Sequences of a mix in ROOM bytes beside the weights. */
static double
in_room (llmenv_envelope e, double room, size_t n, const double *L, const double *w)
{
  e.memory = e.held + e.reserve + room;
  return llmenv_mix_value (LLMENV_Q_capacity, &e, 1, n, L, w);
}

/* B sequences need ROOM bytes to the byte. */
static void
needs (const llmenv_envelope *e, double B, double room, size_t n, const double *L,
       const double *w, const char *what)
{
  NEAR (in_room (*e, room, n, L, w), B, 0, what);
  NEAR (in_room (*e, room - 1, n, L, w), B - 1, 0, what);
}

/* Pools: each sequence takes the blocks of its own length. */
static void
pools_hold_the_mean_of_a_mix (void **state)
{
  (void) state;
  static const double pair[] = { 1, 17 }, wide[] = { 1, 65, 9999 }, w[] = { 1, 1, 0 };
  const double token = 131072;
  /* Blocks of 16: 16 and 32 cells.  The mean length, 9, would take 16. */
  const llmenv_envelope vllm = shipped ("llama-3-1-8b", "nvidia-h100-sxm", "Engine", "vllm", NULL);
  needs (&vllm, 100, 100 * 24 * token, 2, pair, NULL, "vllm");
  NEAR (llmenv_context_mix (&vllm, 2, pair, NULL).K, 24 * token, 0, "vllm K");
  /* Slots are for what a context is shared by, not for capacity. */
  const llmenv_envelope slots = shipped ("llama-3-1-8b", "nvidia-h100-sxm", "Engine", "vllm",
                                         "Slots", "4", NULL);
  needs (&slots, 100, 100 * 24 * token, 2, pair, NULL, "vllm, slots");
  /* Pages of 64: 64 and 128. */
  const llmenv_envelope sglang = shipped ("llama-3-1-8b", "nvidia-h100-sxm", "Engine", "sglang",
                                          "Padding", "64", NULL);
  needs (&sglang, 10, 10 * 96 * token, 3, wide, w, "sglang");
  /* 24 Mamba layers of 48 MiB and 1,474,560 bytes, and one copy to spare. */
  const llmenv_envelope recurrent = shipped ("nemotron-h-8b-base-8k", "nvidia-h100-sxm",
                                             "Engine", "sglang", NULL);
  const double kept = 48 * 1048576.0 + 1474560;
  needs (&recurrent, 10, 10 * (33 * 16384 + kept) + kept, 3, wide, w, "state");
  /* A window of 1,024 of the longer one alone: 52 layers with its cells, 10 with
   * all; pad (1023 + 2048) + 16 cells are enough for the shorter's 1,600 too. */
  static const double windows[] = { 1600, 160000 };
  const llmenv_envelope gemma = shipped ("gemma-3-27b", "nvidia-h100-sxm", "Engine", "vllm", NULL);
  const double layer = 2 * 16 * 128 * 2, cut = 3072 + 16;
  needs (&gemma, 2, layer * (62 * 1600 + 10 * 160000 + 52 * cut), 2, windows, NULL, "windows");
}

/* Slots of llama.cpp are alike, whoever comes: the longest; unified, one stream. */
static void
slots_hold_the_longest_of_a_mix (void **state)
{
  (void) state;
  static const double L[] = { 100, 300, 9000 }, w[] = { 1, 1, 0 };
  const double token = 131072;
  const llmenv_envelope slots = shipped ("llama-3-1-8b", "nvidia-h100-sxm",
                                         "Engine", "llama.cpp", NULL);
  needs (&slots, 10, 10 * 512 * token, 3, L, w, "slots");
  NEAR (llmenv_context_mix (&slots, 3, L, w).K, 512 * token, 0, "slots K");
  NEAR (llmenv_context_mix (&slots, 3, L, w).L, 200, 0, "its mean stays");
  /* 10 x 200 in cells of 256: 2,048; in 1,792 there are 8. */
  const llmenv_envelope unified = shipped ("llama-3-1-8b", "nvidia-h100-sxm",
                                           "Engine", "llama.cpp", "Unified", "yes", NULL);
  NEAR (in_room (unified, 2048 * token, 3, L, w), 10, 0, "unified");
  NEAR (in_room (unified, 2048 * token - 1, 3, L, w), 8, 0, "unified, less");
  NEAR (llmenv_context_mix (&unified, 3, L, w).K, (256 + 512) / 2 * token, 0, "unified K");
}

/* Equal lengths are that context, whatever allocates. */
static void
one_length_is_that_context_in_engines (void **state)
{
  (void) state;
  static const double same[] = { 5000, 5000, 5000 };
  static const char *const engines[][4] = {
    { "llama.cpp", "no", "256", "1" }, { "llama.cpp", "yes", "256", "3" },
    { "vllm", "no", "16", "2" }, { "sglang", "no", "64", "1" }, { "sglang", "no", "1", "5" },
  };
  for (size_t m = 0; m < N_OF_ARRAY (models); m++)
    for (size_t k = 0; k < N_OF_ARRAY (engines); k++)
      {
        const llmenv_envelope e
          = shipped (models[m], "nvidia-b200", "Engine", engines[k][0], "Unified", engines[k][1],
                     "Padding", engines[k][2], "Slots", engines[k][3], "Count", "16", NULL);
        assert_true (llmenv_quantity_value (LLMENV_Q_capacity, &e, 1, 5000) > 1);
        for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
          NEAR (llmenv_mix_value ((llmenv_quantity) q, &e, 7, 3, same, NULL),
                llmenv_quantity_value ((llmenv_quantity) q, &e, 7, 5000), 1e-14, models[m]);
      }
}

static void
nothing_is_no_mix (void **state)
{
  (void) state;
  const llmenv_envelope e = shipped ("llama-3-1-8b", NULL, NULL);
  const double one = 1, none = 0;
  assert_true (isnan (llmenv_context_mix (&e, 0, &one, NULL).K));
  assert_true (isnan (llmenv_context_mix (&e, 1, &one, &none).K));
  assert_true (isnan (llmenv_mix_mean (0, NULL, NULL)));
  const llmenv_envelope slots = shipped ("llama-3-1-8b", NULL, "Engine", "llama.cpp", NULL);
  assert_true (isnan (llmenv_context_mix (&slots, 1, &one, &none).K));
  NEAR (llmenv_context_mix_scaled (&e, 1, &one, NULL, 3).K, 3 * 131072, 0, "stretched");
}

/* ---- file of lengths --------------------------------------------------- */

static const char *
write_file (const char *text, char path[32])
{
  strcpy (path, "/tmp/llmenv-mix-XXXXXX");
  const int fd = mkstemp (path);
  assert_true (fd >= 0);
  assert_int_equal (write (fd, text, strlen (text)), (ssize_t) strlen (text));
  close (fd);
  return path;
}

static void
a_file_gives_lengths_and_weights (void **state)
{
  (void) state;
  char path[32];
  llmenv_lengths l;
  llmenv_error error = { LLMENV_OK, "" };
  write_file ("# lengths of a day\n100\n\n 8k 2.5\n4096,3 # often\n1e3\t0\r\n0", path);
  STATUS (llmenv_lengths_read (path, &l, &error), LLMENV_OK, error, "file");
  static const double length[] = { 100, 8192, 4096, 1000, 0 };
  static const double weight[] = { 1, 2.5, 3, 0, 1 };
  assert_int_equal (l.n, 5);
  for (size_t i = 0; i < 5; i++)
    {
      NEAR (l.length[i], length[i], 0, "length");
      NEAR (l.weight[i], weight[i], 0, "weight");
    }
  llmenv_lengths_free (&l);
  unlink (path);
}

static void
what_is_wrong_with_a_file_is_said_with_its_line (void **state)
{
  (void) state;
  static const struct { const char *text, *says; } files[] = {
    { "1\n2\nabc\n", "line 3: 'abc'" }, { "1 2 3\n", "line 1: '3'" },
    { "-5\n", "line 1: '-5'" }, { "5 -1\n", "line 1: '-1'" },
    { "nan\n", "line 1: 'nan'" }, { "1\ninf\n", "line 2: 'inf'" },
    { "1\n1e999\n", "line 2: '1e999'" },
    { "", "no lengths" }, { "# nothing\n\n", "no lengths" },
    { "5 0\n6 0\n", "do not add up" },
  };
  for (size_t i = 0; i < N_OF_ARRAY (files); i++)
    {
      char path[32];
      llmenv_lengths l;
      llmenv_error error = { LLMENV_OK, "" };
      write_file (files[i].text, path);
      STATUS (llmenv_lengths_read (path, &l, &error), LLMENV_EBADFILE, error, files[i].says);
      HAS_TEXT (error.text, files[i].says, "message");
      HAS_TEXT (error.text, path, "names the file");
      assert_true (is_one_line (error.text));
      unlink (path);
    }
  llmenv_lengths l;
  llmenv_error error = { LLMENV_OK, "" };
  STATUS (llmenv_lengths_read ("/nowhere/at/all", &l, &error), LLMENV_EBADFILE, error, "absent");
  STATUS (llmenv_lengths_read ("/tmp", &l, &error), LLMENV_EBADFILE, error, "folder");
  STATUS (llmenv_lengths_read ("/dev/zero", &l, &error), LLMENV_EBADFILE, error, "device");
}

/* The option Contexts: rankings use the mix, captions say so. */
static void
tables_take_a_mix (void **state)
{
  (void) state;
  char path[32];
  llmenv_lengths l;
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_table *table;
  llmenv_request request = { .catalogue = shipped_catalogue (),
                             .options = llmenv_options_default () };
  write_file ("100\n1000\n100000 2\n", path);
  STATUS (llmenv_option_set_text (&request.options, "contexts", path, &error), LLMENV_OK, error, "option");
  STATUS (llmenv_request_contexts (&request, &l, &error), LLMENV_OK, error, "file");
  NEAR (request.options.context, (100 + 1000 + 200000) / 4.0, 0, "mean");
  STATUS (llmenv_rank_make ("kv_bytes", 0, &request, &table, &error), LLMENV_OK, error, "rank");
  HAS_TEXT (table->caption, "contexts of llmenv-mix-", "caption");
  const llmenv_envelope e = shipped ("gemma-3-27b", "nvidia-h100-sxm", NULL);
  int seen = 0;
  for (size_t r = 0; r < table->n_rows; r++)
    if (strcmp (llmenv_table_cell (table, r, 1)->text, "gemma-3-27b") == 0)
      {
        NEAR (llmenv_table_cell (table, r, 2)->number,
              llmenv_context_mix (&e, l.n, l.length, l.weight).K, 0, "of the mix");
        seen = 1;
      }
  assert_true (seen);
  llmenv_table_free (table);
  llmenv_lengths_free (&l);
  unlink (path);
}

/* What show says of MODEL with an option set; freed by the caller. */
static char *
shown (const char *model, const char *option, const char *value)
{
  char *text = NULL;
  size_t size;
  llmenv_lengths l;
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_request request = { .catalogue = shipped_catalogue (),
                             .options = llmenv_options_default () };
  FILE *out = open_memstream (&text, &size);
  assert_non_null (out);
  STATUS (llmenv_option_set_text (&request.options, "Model", model, &error), LLMENV_OK, error, model);
  STATUS (llmenv_option_set_text (&request.options, option, value, &error), LLMENV_OK, error, option);
  STATUS (llmenv_request_contexts (&request, &l, &error), LLMENV_OK, error, "file");
  STATUS (llmenv_show_text (&request, out, &error), LLMENV_OK, error, "show");
  fclose (out);
  llmenv_lengths_free (&l);
  return text;
}

/* A step and what binds it are the mix's too: 62 layers of Gemma 3 27B add 8,192
 * bytes a token, 52 of them with the last 1,024. */
static void
show_takes_a_mix (void **state)
{
  (void) state;
  char path[32], want[100];
  write_file ("100\n59900\n", path);
  char *text = shown ("gemma-3-27b", "Contexts", path);
  const double read = 8192.0 * (62 * 100 + 10 * 59900 + 52 * 1024) / 2;
  HAS_TEXT (text, "Streams in a step of batch 1 at a mean of 30000 tokens\n", "mean");
  HAS_TEXT (text, "Binds at a mean of 30000 tokens: ", "mean");
  snprintf (want, sizeof want, "KV                     %12.2f GB", read / 1e9);
  HAS_TEXT (text, want, "read");
  /* Left: memory, less 27,009,002,240 weights of 2 bytes and 1.5 GB. */
  snprintf (want, sizeof want, "; memory from batch %.0f\n",
            floor ((81559 * 1048576.0 - 54.02e9 - 1.5e9) / read) + 1);
  HAS_TEXT (text, want, "capacity");
  free (text);
  unlink (path);
}

/* What overflows is no missing record, and no page of digits. */
static void
show_says_large_numbers_short (void **state)
{
  (void) state;
  char *text = shown ("gemma-3-27b", "Context", "1e308");
  HAS_TEXT (text, "context 1e+308, batch 1,", "caption");
  HAS_TEXT (text, "batch 1 at 1e+308 tokens\n", "step");
  HAS_TEXT (text, "KV                              inf GB          inf GiB\n", "bytes");
  HAS_TEXT (text, "Binds at 1e+308 tokens: KV from batch 1", "limits");
  assert_null (strstr (text, "no record"));
  assert_null (strstr (text, "0000000000000000"));
  free (text);
  text = shown ("o3", "Context", "8k");
  HAS_TEXT (text, "weights                   no record\n", "NaN is no record");
  HAS_TEXT (text, "at 8192 tokens\n", "whole numbers as they are");
  free (text);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_mix_is_the_weighted_sum_of_its_lengths),
    cmocka_unit_test (windows_are_cut_length_by_length),
    cmocka_unit_test (one_length_is_that_context),
    cmocka_unit_test (many_lengths_lose_nothing),
    cmocka_unit_test (an_infinite_batch_is_the_limit),
    cmocka_unit_test (a_large_batch_or_context_is_as_of_one),
    cmocka_unit_test (pools_hold_the_mean_of_a_mix),
    cmocka_unit_test (slots_hold_the_longest_of_a_mix),
    cmocka_unit_test (one_length_is_that_context_in_engines),
    cmocka_unit_test (nothing_is_no_mix),
    cmocka_unit_test (a_file_gives_lengths_and_weights),
    cmocka_unit_test (what_is_wrong_with_a_file_is_said_with_its_line),
    cmocka_unit_test (tables_take_a_mix),
    cmocka_unit_test (show_takes_a_mix),
    cmocka_unit_test (show_says_large_numbers_short),
  };
  gsl_set_error_handler_off ();
  return cmocka_run_group_tests (tests, NULL, NULL);
}
