/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables: which there are, their rows, order, columns, words, rounding and
 * renderings; rankings and shows; every option, accepted and refused. */
#include "check.h"

#include "llmenv_element.h"
#include "llmenv_render.h"

static llmenv_request
request_of (llmenv_convention convention)
{
  llmenv_request r = { .catalogue = shipped_catalogue (), .options = llmenv_options_default () };
  r.options.settings.convention = convention;
  return r;
}

static llmenv_table *
make (const char *name, const llmenv_request *request)
{
  llmenv_table *t = NULL;
  llmenv_error error = { LLMENV_OK, "" };
  STATUS (llmenv_table_make (name, request, &t, &error), LLMENV_OK, error, name);
  return t;
}

static llmenv_cell *
cell (const llmenv_table *t, size_t row, const char *column)
{
  const int c = llmenv_table_column (t, column);
  if (c < 0)
    print_error ("%s has no column %s\n", t->name, column);
  assert_true (c >= 0 && row < t->n_rows);
  return llmenv_table_cell (t, row, (size_t) c);
}

static const char *
shown (const llmenv_table *t, size_t row, const char *column)
{
  static char text[4096];
  llmenv_cell_text (cell (t, row, column), 0, text, sizeof text);
  return text;
}

/* ---- all of them ------------------------------------------------------- */

static const char *const required[] = {
  "ridge", "dense", "moe", "hybrid", "gemma4_kv", "beq_ranked", "lwall_ranked",
  "beq_resident", "bstar", "worst10", "exceed80", "cheap_end", "context_lengths",
  "nstar_by_card", "fill", "knee", "scaling", "corrections", "no_record", "misprints",
  "assumptions", "models", "cards", "quantities", "options", "types" };

static void
the_tables_of_the_specification_are_there (void **state)
{
  const llmenv_table_info *info;
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (required); i++)
    {
      int found = 0;
      for (size_t k = 0; (info = llmenv_table_get (k)) != NULL; k++)
        found += strcmp (info->name, required[i]) == 0;
      if (found != 1)
        print_error ("%s: %d\n", required[i], found);
      assert_int_equal (found, 1);
    }
}

/* A number is a number, a word or a finite figure; a text is a text. */
static void
check_cell (const llmenv_table *t, size_t r, size_t c)
{
  const llmenv_cell *x = llmenv_table_cell (t, r, c);
  char text[4096];
  if (x->text != NULL)
    return;
  llmenv_cell_text (x, 0, text, sizeof text);
  assert_int_equal (t->columns[c].kind, LLMENV_NUMBER_COLUMN);
  const int is_word = x->reason != LLMENV_HAS_VALUE;
  if (!is_word && !isfinite (x->number))
    print_error ("%s row %zu, %s: %g without a word\n", t->name, r, t->columns[c].name, x->number);
  assert_true (is_word || isfinite (x->number));
  assert_true (*text != '\0');
  if (is_word)
    assert_string_equal (text, llmenv_reason_word (x->reason));
  else
    assert_true (strspn (text, "0123456789.-e+") == strlen (text));
}

static void
check_table (const llmenv_table *t)
{
  assert_true (t->n_rows > 0 && t->n_columns > 0);
  assert_true (is_one_line (t->title) && is_one_line (t->caption));
  assert_true (strlen (t->caption) < sizeof t->caption - 1);
  for (size_t c = 0; c < t->n_columns; c++)
    {
      assert_true (is_one_line (t->columns[c].name) && is_one_line (t->columns[c].note));
      assert_non_null (t->columns[c].unit);
      assert_int_equal (llmenv_table_column (t, t->columns[c].name), (int) c);
      for (size_t r = 0; r < t->n_rows; r++)
        check_cell (t, r, c);
    }
}

static void check_json (const llmenv_table *t);

static void
every_table_is_made_in_both_conventions (void **state)
{
  const llmenv_table_info *info;
  int n = 0;
  (void) state;
  for (int c = LLMENV_LAYERED; c <= LLMENV_PUBLISHED; c++)
    for (size_t i = 0; (info = llmenv_table_get (i)) != NULL; i++)
      {
        const llmenv_request r = request_of ((llmenv_convention) c);
        llmenv_table *t = make (info->name, &r);
        check_table (t);
        check_json (t);
        assert_string_equal (t->name, info->name);
        llmenv_table_free (t);
        n++;
      }
  assert_true (n >= 2 * (int) N_OF_ARRAY (required));
}

static void
captions_say_what_the_figures_rest_on (void **state)
{
  llmenv_request r = request_of (LLMENV_PUBLISHED);
  (void) state;
  llmenv_table *t = make ("dense", &r);
  HAS_TEXT (t->caption, "published", "convention");
  HAS_TEXT (t->caption, "nvidia-h100-sxm", "card");
  HAS_TEXT (t->caption, "8192", "context");
  HAS_TEXT (t->caption, "KV bf16", "types");
  HAS_TEXT (t->caption, "active", "basis");
  llmenv_table_free (t);
  r = request_of (LLMENV_LAYERED);
  llmenv_error error;
  llmenv_option_set_text (&r.options, "KType", "q8_0", &error);
  llmenv_option_set_text (&r.options, "Card", "nvidia-h20", &error);
  t = make ("dense", &r);
  HAS_TEXT (t->caption, "layered", "convention");
  HAS_TEXT (t->caption, "touched", "basis");
  HAS_TEXT (t->caption, "q8_0/bf16", "types");
  HAS_TEXT (t->caption, "nvidia-h20", "card");
  llmenv_table_free (t);
}

/* ---- whole tables: rows ------------------------------------------------ */

static int
is_architecture (const llmenv_model_record *m, const char *words)
{
  const char *a = llmenv_record_text (m->json, "architecture");
  return *a != '\0' && strstr (words, a) != NULL;
}

static int is_dense (const llmenv_model_record *m) { return is_architecture (m, "|dense|"); }
static int is_moe (const llmenv_model_record *m) { return is_architecture (m, "|moe|"); }
static int
is_hybrid (const llmenv_model_record *m)
{
  return is_architecture (m, "|hybrid-attention-ssm|ssm|recurrent|");
}
static int is_any (const llmenv_model_record *m) { (void) m; return 1; }
static int is_gemma_4 (const llmenv_model_record *m) { return strncmp (m->id, "gemma-4-", 8) == 0; }

static double
field (const llmenv_model_record *m, const char *key)
{
  return llmenv_record_number (m->json, key, LLMENV_PUBLISHED);
}

static int
has_cache (const llmenv_model_record *m)
{
  return field (m, "kv_cache_bytes_per_token") > 0;
}
static int
exceeds_80_gb (const llmenv_model_record *m)
{
  return field (m, "kv_cache_bytes_per_token") * field (m, "max_position_embeddings") > 80e9;
}
static int
rests (const llmenv_model_record *m)
{
  return field (m, "params_b") > field (m, "active_params_b") && has_cache (m);
}

static size_t
count_models (int (*qualifies) (const llmenv_model_record *))
{
  const llmenv_catalogue *c = shipped_catalogue ();
  size_t n = 0;
  for (size_t i = 0; i < c->n_models; i++)
    n += qualifies (c->models[i]) != 0;
  return n;
}

static void
whole_tables_hold_every_model (void **state)
{
  static const struct { const char *name; int (*qualifies) (const llmenv_model_record *); } cases[] = {
    { "dense", is_dense }, { "moe", is_moe }, { "hybrid", is_hybrid },
    { "gemma4_kv", is_gemma_4 }, { "beq_ranked", is_any }, { "lwall_ranked", is_any },
    { "bstar", is_any }, { "worst10", is_any }, { "models", is_any },
    { "cheap_end", has_cache }, { "exceed80", exceeds_80_gb }, { "beq_resident", rests } };
  const llmenv_request r = request_of (LLMENV_PUBLISHED);
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      llmenv_table *t = make (cases[i].name, &r);
      if (t->n_rows != count_models (cases[i].qualifies))
        print_error ("%s\n", cases[i].name);
      assert_int_equal (t->n_rows, count_models (cases[i].qualifies));
      llmenv_table_free (t);
    }
}

static void
the_other_tables_hold_their_rows (void **state)
{
  size_t elements, corrections = 0, options = 0;
  const llmenv_catalogue *c = shipped_catalogue ();
  (void) state;
  llmenv_elements (&elements);
  while (llmenv_option_get (options) != NULL)
    options++;
  for (size_t i = 0; i < c->n_models; i++)
    corrections += json_array_size (json_object_get (c->models[i]->json, "corrections"));
  for (size_t i = 0; i < c->n_cards; i++)
    corrections += json_array_size (json_object_get (c->cards[i]->json, "corrections"));
  /* Document 000: 4 models, 4 cards, 2 KV types, 4 contexts, 6 batches. */
  const struct { const char *name; size_t rows; } cases[] = {
    { "ridge", 64 }, { "cards", 64 }, { "misprints", 6 }, { "corrections", corrections },
    { "context_lengths", 4 * 4 }, { "nstar_by_card", 4 * 4 }, { "fill", 4 * 4 * 2 },
    { "knee", 4 * 4 * 4 }, { "scaling", 4 * 4 * 4 * 6 },
    { "quantities", LLMENV_QUANTITY_COUNT }, { "options", options }, { "types", elements } };
  for (int k = LLMENV_LAYERED; k <= LLMENV_PUBLISHED; k++)
    for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
      {
        const llmenv_request r = request_of ((llmenv_convention) k);
        llmenv_table *t = make (cases[i].name, &r);
        assert_int_equal (t->n_rows, cases[i].rows);
        llmenv_table_free (t);
      }
}

/* ---- order ------------------------------------------------------------- */

/* DIRECTION +1: never falls; -1: never rises; words come last. */
static void
check_order (const char *name, const char *column, int direction, llmenv_convention convention)
{
  const llmenv_request r = request_of (convention);
  llmenv_table *t = make (name, &r);
  int words = 0;
  double before = -INFINITY;
  for (size_t i = 0; i < t->n_rows; i++)
    {
      const llmenv_cell *x = cell (t, i, column);
      const double value = direction * x->number;
      if (isnan (value))
        words = 1;
      else
        {
          if (words || value < before)
            print_error ("%s row %zu by %s\n", name, i, column);
          assert_true (!words && value >= before);
          before = value;
        }
    }
  llmenv_table_free (t);
}

static void
rows_are_in_true_order (void **state)
{
  static const struct { const char *name, *column; int direction; } cases[] = {
    { "ridge", "ridge_flop_per_byte", -1 }, { "dense", "kv_kib_per_tok", 1 },
    { "moe", "kv_kib_per_tok", 1 }, { "hybrid", "kv_kib_per_tok", 1 },
    { "beq_ranked", "b_eq_active", 1 }, { "lwall_ranked", "l_wall", 1 },
    { "beq_resident", "ratio", -1 }, { "bstar", "bstar_1k", 1 },
    { "worst10", "kv_gt_80gb_tok", 1 }, { "exceed80", "kv_gb_full_ctx", -1 },
    { "cheap_end", "kv_kib_per_tok", 1 } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    for (int c = LLMENV_LAYERED; c <= LLMENV_PUBLISHED; c++)
      /* The layered bstar is sorted by the active basis and shows touched. */
      if (strcmp (cases[i].name, "bstar") != 0 || c == LLMENV_PUBLISHED)
        check_order (cases[i].name, cases[i].column, cases[i].direction, (llmenv_convention) c);
}

/* ---- columns ----------------------------------------------------------- */

static void
whole_families_have_1m_and_8_gb (void **state)
{
  static const char *const families[] = { "dense", "moe", "hybrid" };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (families); i++)
    {
      llmenv_request r = request_of (LLMENV_PUBLISHED);
      llmenv_table *t = make (families[i], &r);
      for (size_t row = 0; row < t->n_rows; row++)
        {
          const llmenv_model_record *m
            = llmenv_catalogue_model (r.catalogue, cell (t, row, "id")->text);
          const double k = field (m, "kv_cache_bytes_per_token");
          if (!(k > 0))
            continue;
          NEAR (cell (t, row, "kv_gb_1m")->number, k * 1048576 / 1e9, 1e-14, m->id);
          NEAR (cell (t, row, "kv_gt_8gb_tok")->number, 8e9 / k, 1e-14, m->id);
          NEAR (cell (t, row, "kv_gt_8gb_tok")->shown, floor (8e9 / k), 0, m->id);
        }
      llmenv_table_free (t);
      r.as_printed = 1;
      t = make (families[i], &r);
      assert_int_equal (llmenv_table_column (t, "kv_gb_1m"), -1);
      assert_int_equal (llmenv_table_column (t, "kv_gt_8gb_tok"), -1);
      assert_true (llmenv_table_column (t, "kv_gt_24gb_tok") >= 0);
      llmenv_table_free (t);
    }
}

static const struct { const char *name; size_t rows; } printed[] = {
  { "ridge", 9 }, { "dense", 34 }, { "moe", 20 }, { "hybrid", 10 }, { "gemma4_kv", 3 },
  { "beq_ranked", 13 }, { "lwall_ranked", 20 }, { "beq_resident", 11 }, { "bstar", 18 },
  { "worst10", 10 }, { "exceed80", 6 }, { "cheap_end", 11 } };

static void
as_printed_is_only_for_what_is_printed (void **state)
{
  const llmenv_table_info *info;
  llmenv_error error = { LLMENV_OK, "" };
  size_t n = 0;
  (void) state;
  for (size_t i = 0; (info = llmenv_table_get (i)) != NULL; i++)
    {
      llmenv_request r = request_of (LLMENV_LAYERED);  /* implied: published */
      llmenv_table *t;
      size_t k = 0;
      r.as_printed = 1;
      while (k < N_OF_ARRAY (printed) && strcmp (printed[k].name, info->name) != 0)
        k++;
      if (k == N_OF_ARRAY (printed))
        {
          STATUS (llmenv_table_make (info->name, &r, &t, &error), LLMENV_EBADOPTION, error, info->name);
          HAS_TEXT (error.text, info->name, "which table");
          continue;
        }
      t = make (info->name, &r);
      assert_int_equal (t->n_rows, printed[k].rows);
      HAS_TEXT (t->caption, "published", "convention");
      llmenv_table_free (t);
      n++;
    }
  assert_int_equal (n, N_OF_ARRAY (printed));
}

static void
unknown_tables_are_refused_with_the_nearest (void **state)
{
  static const struct { const char *name, *says; } cases[] = {
    { "rigde", "nearest: ridge" }, { "bstarr", "nearest: bstar" }, { "Dense", "nearest: dense" },
    { "", "no table ''" }, { "\n\x01", "no table '?\?'" }, { "zzzzzzzzzzzz", "no table 'zzzzzzzzzzzz'" },
    { "%s%n", "no table '%s%n'" } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_request r = request_of (LLMENV_LAYERED);
      llmenv_error error = { LLMENV_OK, "" };
      llmenv_table *t = NULL;
      STATUS (llmenv_table_make (cases[i].name, &r, &t, &error), LLMENV_EBADOPTION, error, cases[i].name);
      HAS_TEXT (error.text, cases[i].says, cases[i].name);
      assert_true (is_one_line (error.text) && t == NULL);
    }
}

static void
unknown_models_and_cards_are_refused (void **state)
{
  static const struct { const char *option, *value; llmenv_status status; } cases[] = {
    { "Model", "no-such-model", LLMENV_EMODEL }, { "Card", "no-such-card", LLMENV_ECARD } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      llmenv_request r = request_of (LLMENV_LAYERED);
      llmenv_error error = { LLMENV_OK, "" };
      llmenv_table *t = NULL;
      llmenv_option_set_text (&r.options, cases[i].option, cases[i].value, &error);
      STATUS (llmenv_table_make ("fill", &r, &t, &error), cases[i].status, error, cases[i].value);
      STATUS (llmenv_show_make (&r, &t, &error), cases[i].status, error, cases[i].value);
      HAS_TEXT (error.text, cases[i].value, "which");
    }
}

/* ---- misprints --------------------------------------------------------- */

/* k x L in GB to the digits of its column; and B* of Grok-1 at 8k:
 * R 2 P_tot/(2 P_tot - (R - 6) k L) = floor (28,208.09). */
static void
misprints_are_computed_and_proven (void **state)
{
  static const struct { const char *table, *row, *column, *printed, *ours; } want[] = {
    { "dense", "llama-3-3-70b", "kv_gb_128k", "43.0", "42.9" },
    { "dense", "deepseek-r1-distill-llama-70b", "kv_gb_128k", "43.0", "42.9" },
    { "dense", "qwen2-5-72b", "kv_gb_128k", "43.0", "42.9" },
    { "moe", "deepseek-v2", "kv_gb_32k", "2.27", "2.26" },
    { "hybrid", "ling-3-0-flash", "kv_gb_32k", "0.76", "0.75" },
    { "bstar", "grok-1", "bstar_8k", "28178", "28208" } };
  const llmenv_request r = request_of (LLMENV_LAYERED);
  llmenv_table *t = make ("misprints", &r);
  (void) state;
  assert_int_equal (t->n_rows, N_OF_ARRAY (want));
  for (size_t i = 0; i < t->n_rows; i++)
    {
      assert_string_equal (shown (t, i, "table"), want[i].table);
      assert_string_equal (shown (t, i, "row"), want[i].row);
      assert_string_equal (shown (t, i, "column"), want[i].column);
      assert_string_equal (shown (t, i, "printed"), want[i].printed);
      assert_string_equal (shown (t, i, "ours"), want[i].ours);
      assert_true (strlen (shown (t, i, "proof")) > 15);
    }
  llmenv_table_free (t);
  const double R = 989.5 / 3.35, P = 314e9;
  NEAR (floor (R * 2 * P / (2 * P - (R - 6) * 262144 * 8192)), 28208, 0, "grok-1");
}

/* Options change what they should, not the documents' misprints. */
static void
misprints_do_not_depend_on_options (void **state)
{
  llmenv_request r = request_of (LLMENV_LAYERED);
  llmenv_error error;
  (void) state;
  llmenv_option_set_text (&r.options, "KVType", "q4_0", &error);
  llmenv_option_set_text (&r.options, "Card", "nvidia-h20", &error);
  llmenv_table *t = make ("misprints", &r);
  assert_string_equal (shown (t, 0, "ours"), "42.9");
  llmenv_table_free (t);
}

/* ---- document 000 ------------------------------------------------------ */

static void
document_000_by_card (void **state)
{
  static const struct { const char *model; double weights; const char *card; double count, printed; } cases[] = {
    { "llama-3-1-8b", 4.9e9, "nvidia-rtx-4090", 1, 228 },
    { "llama-3-1-8b", 16.06e9, "nvidia-rtx-4090", 1, 748 },
    { "llama-3-3-70b", 40.7e9, "nvidia-rtx-3090", 2, 1633 },
    /* W/(R k) with this document's 989 TFLOP/s */
    { "llama-3-1-8b", 16.06e9, "nvidia-h100-sxm", 1, 415 } };
  const llmenv_request r = request_of (LLMENV_PUBLISHED);
  llmenv_table *t = make ("nstar_by_card", &r);
  (void) state;
  NEAR (round (16.06e9 / (989 / 3.35 * 131072)), 415, 0, "by hand");
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      int found = 0;
      for (size_t k = 0; k < t->n_rows; k++)
        if (strcmp (cell (t, k, "model")->text, cases[i].model) == 0
            && strcmp (cell (t, k, "card")->text, cases[i].card) == 0
            && is_near (cell (t, k, "weight_bytes")->number, cases[i].weights, 1e-12)
            && is_near (cell (t, k, "count")->number, cases[i].count, 0))
          {
            NEAR (cell (t, k, "n_star")->shown, cases[i].printed, 0, cases[i].card);
            found++;
          }
      assert_int_equal (found, 1);
    }
  llmenv_table_free (t);
}

/* fill_over_nstar of the two KV types is the same in `published`. */
static void
fill_table_shows_the_identity (void **state)
{
  const llmenv_request r = request_of (LLMENV_PUBLISHED);
  llmenv_table *t = make ("fill", &r);
  (void) state;
  for (size_t i = 0; i < t->n_rows; i += 2)
    {
      assert_string_equal (cell (t, i, "card")->text, cell (t, i + 1, "card")->text);
      assert_string_not_equal (cell (t, i, "kv_type")->text, cell (t, i + 1, "kv_type")->text);
      if (cell (t, i, "fill")->number > 0)
        NEAR (cell (t, i, "fill_over_nstar")->number, cell (t, i + 1, "fill_over_nstar")->number,
              1e-13, cell (t, i, "model")->text);
    }
  llmenv_table_free (t);
}

/* ---- words and rounding ------------------------------------------------ */

static void
cells_show_numbers_and_words (void **state)
{
  static const struct
  {
    double x;
    llmenv_reason reason;
    int decimals;
    llmenv_rounding rounding;
    const char *shown, *plain;
  } cases[] = {
    { 42.94967, LLMENV_HAS_VALUE, 1, LLMENV_NEAREST, "42.9", "42.94967" },
    { 42.951, LLMENV_HAS_VALUE, 1, LLMENV_NEAREST, "43.0", "42.951" },
    { 59.99, LLMENV_HAS_VALUE, 0, LLMENV_FLOOR, "59", "59.99" },
    { 59, LLMENV_HAS_VALUE, 0, LLMENV_FLOOR, "59", "59" },
    { 59.01, LLMENV_HAS_VALUE, 0, LLMENV_CEIL, "60", "59.01" },
    { 60, LLMENV_HAS_VALUE, 0, LLMENV_CEIL, "60", "60" },
    { 0.4999, LLMENV_HAS_VALUE, 0, LLMENV_NEAREST, "0", "0.4999" },
    { 0.5001, LLMENV_HAS_VALUE, 0, LLMENV_NEAREST, "1", "0.5001" },
    { 7.615616512, LLMENV_HAS_VALUE, -1, LLMENV_NEAREST, "7.615616512", "7.615616512" },
    { 85520809984, LLMENV_HAS_VALUE, 0, LLMENV_NEAREST, "85520809984", "85520809984" },
    { 1e300, LLMENV_HAS_VALUE, -1, LLMENV_NEAREST, "1e+300", "1e+300" },
    { INFINITY, LLMENV_NEVER, 0, LLMENV_FLOOR, "never", "never" },
    { INFINITY, LLMENV_NONE, 0, LLMENV_CEIL, "none", "none" },
    { INFINITY, LLMENV_UNBOUNDED, 1, LLMENV_NEAREST, "unbounded", "unbounded" },
    { NAN, LLMENV_HAS_VALUE, 1, LLMENV_NEAREST, "no record", "no record" },
    { NAN, LLMENV_NOT_APPLICABLE, 1, LLMENV_FLOOR, "not applicable", "not applicable" },
    { 0, LLMENV_DOES_NOT_FIT, 1, LLMENV_NEAREST, "does not fit", "does not fit" } };
  char text[400];
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_cell c = llmenv_number_cell (cases[i].x, cases[i].reason, cases[i].decimals,
                                                cases[i].rounding);
      llmenv_cell_text (&c, 0, text, sizeof text);
      assert_string_equal (text, cases[i].shown);
      llmenv_cell_text (&c, 1, text, sizeof text);
      assert_string_equal (text, cases[i].plain);
    }
}

static void
plain_numbers_are_read_back_as_themselves (void **state)
{
  uint64_t r = 5;
  char text[400];
  (void) state;
  for (int i = 0; i < 20000; i++)
    {
      const double x = (random_unit (&r) - 0.5) * pow (10, 600 * random_unit (&r) - 300);
      const llmenv_cell c = llmenv_number_cell (x, LLMENV_HAS_VALUE, 2, LLMENV_NEAREST);
      llmenv_cell_text (&c, 1, text, sizeof text);
      NEAR (strtod (text, NULL), x, 0, text);
    }
}

/* Every word that a table can show stands in one. */
static void
words_stand_in_tables (void **state)
{
  static const struct { const char *table, *id, *column, *published, *layered; } cases[] = {
    { "lwall_ranked", "gpt-4-1", "l_wall", "no record", "no record" },
    { "lwall_ranked", "llada-8b-instruct", "l_wall", "not applicable", "not applicable" },
    { "lwall_ranked", "mamba-codestral-7b", "l_wall", "never", NULL },
    { "bstar", "smollm2-1-7b-instruct", "bstar_128k", "none", "none" },
    { "worst10", "mamba-codestral-7b", "kv_gt_80gb_tok", "unbounded", "unbounded" },
    { "dense", "parakeet-ctc-1-1b", "l_wall", "not applicable", "not applicable" } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    for (int c = LLMENV_LAYERED; c <= LLMENV_PUBLISHED; c++)
      {
        const llmenv_request r = request_of ((llmenv_convention) c);
        llmenv_table *t = make (cases[i].table, &r);
        const char *want = c == LLMENV_PUBLISHED ? cases[i].published : cases[i].layered;
        int found = 0;
        for (size_t k = 0; k < t->n_rows; k++)
          if (strcmp (cell (t, k, "id")->text, cases[i].id) == 0)
            {
              found++;
              if (want != NULL)
                assert_string_equal (shown (t, k, cases[i].column), want);
            }
        assert_int_equal (found, 1);
        llmenv_table_free (t);
      }
}

/* ---- renderings -------------------------------------------------------- */

typedef void (*render) (const llmenv_table *, FILE *);

static void
render_json (const llmenv_table *t, FILE *f)
{
  assert_int_equal (llmenv_render_json (t, NULL, f), LLMENV_OK);
}

/* Through a file: memory streams are very slow under the sanitizers. */
static char *
rendered (const llmenv_table *t, render fn)
{
  FILE *f = tmpfile ();
  assert_non_null (f);
  fn (t, f);
  const long n = ftell (f);
  assert_true (n > 0);
  char *text = calloc ((size_t) n + 1, 1);
  assert_non_null (text);
  rewind (f);
  assert_int_equal (fread (text, 1, (size_t) n, f), n);
  fclose (f);
  assert_int_equal (strlen (text), n);
  return text;
}

static void
csv_is_quoted_by_rfc_4180 (void **state)
{
  llmenv_table *t = llmenv_table_new ("t", "T", 2, 3);
  (void) state;
  t->columns[0] = (llmenv_column) { "a,b", "", "note", LLMENV_TEXT_COLUMN, -1 };
  t->columns[1] = (llmenv_column) { "n", "GB", "note", LLMENV_NUMBER_COLUMN, 1 };
  *llmenv_table_cell (t, 0, 0) = llmenv_text_cell ("say \"x\", y");
  *llmenv_table_cell (t, 0, 1) = llmenv_number_cell (1.25, LLMENV_HAS_VALUE, 1, LLMENV_NEAREST);
  *llmenv_table_cell (t, 1, 0) = llmenv_text_cell ("two\nlines");
  *llmenv_table_cell (t, 1, 1) = llmenv_word_cell (LLMENV_NO_RECORD);
  *llmenv_table_cell (t, 2, 0) = llmenv_text_cell (NULL);
  *llmenv_table_cell (t, 2, 1) = llmenv_number_cell (INFINITY, LLMENV_NEVER, 1, LLMENV_NEAREST);
  char *text = rendered (t, llmenv_render_csv);
  assert_string_equal (text, "\"a,b\",n\n\"say \"\"x\"\", y\",1.25\n\"two\nlines\",no record\n,never\n");
  free (text);
  llmenv_table_free (t);
}

/* What is read back holds every cell, words as {"value", "reason"}. */
static void
check_json (const llmenv_table *t)
{
  char *text = rendered (t, render_json);
  json_error_t where;
  json_t *root = json_loads (text, JSON_REJECT_DUPLICATES, &where);
  if (root == NULL)
    print_error ("%s: %d:%d %s\n", t->name, where.line, where.column, where.text);
  assert_non_null (root);
  static const char *const members[] = { "name", "title", "caption" };
  for (size_t i = 0; i < N_OF_ARRAY (members); i++)
    assert_true (*llmenv_record_text (root, members[i]) != '\0');
  const json_t *columns = json_object_get (root, "columns"), *rows = json_object_get (root, "rows");
  assert_int_equal (json_array_size (columns), t->n_columns);
  assert_int_equal (json_array_size (rows), t->n_rows);
  for (size_t c = 0; c < t->n_columns; c++)
    assert_true (json_is_string (json_object_get (json_array_get (columns, c), "unit")));
  for (size_t r = 0; r < t->n_rows; r++)
    for (size_t c = 0; c < t->n_columns; c++)
      {
        const llmenv_cell *x = llmenv_table_cell (t, r, c);
        const json_t *v = json_object_get (json_array_get (rows, r), t->columns[c].name);
        assert_non_null (v);
        if (x->text == NULL && x->reason != LLMENV_HAS_VALUE)
          {
            assert_string_equal (llmenv_record_text (v, "reason"), llmenv_reason_word (x->reason));
            v = json_object_get (v, "value");
            assert_true (isfinite (x->number) ? json_is_number (v) : json_is_null (v));
          }
        if (x->text == NULL && isfinite (x->number) && !t->as_printed)
          NEAR (json_number_value (v), x->number, 0, t->columns[c].name);
      }
  json_decref (root);
  free (text);
}

/* Title, caption, blank, header, units, rows; no blanks at the ends. */
static void
text_is_aligned (void **state)
{
  const llmenv_request r = request_of (LLMENV_PUBLISHED);
  llmenv_table *t = make ("ridge", &r);
  char *text = rendered (t, llmenv_render_text);
  size_t lines = 0;
  (void) state;
  for (char *line = text; *line != '\0'; lines++)
    {
      char *end = strchr (line, '\n');
      assert_non_null (end);
      assert_true (end == line || end[-1] != ' ');
      line = end + 1;
    }
  assert_int_equal (lines, 5 + t->n_rows);
  free (text);
  llmenv_table_free (t);
}

/* ---- rankings and shows ------------------------------------------------ */

static void
rankings_are_in_order_with_words_last (void **state)
{
  (void) state;
  for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
    for (int falling = 0; falling < 2; falling++)
      {
        const llmenv_request r = request_of (LLMENV_LAYERED);
        const llmenv_quantity_info *info = llmenv_quantity_get ((llmenv_quantity) q);
        llmenv_error error = { LLMENV_OK, "" };
        llmenv_table *t = NULL;
        STATUS (llmenv_rank_make (info->name, falling, &r, &t, &error), LLMENV_OK, error, info->name);
        assert_int_equal (t->n_rows, info->takes & LLMENV_NO_MODEL ? 64 : 81);
        static const char *const columns[] = { "rank", "id", "value", "reason" };
        for (size_t c = 0; c < N_OF_ARRAY (columns); c++)
          assert_string_equal (t->columns[c].name, columns[c]);
        for (size_t i = 0; i < t->n_rows; i++)
          {
            NEAR (cell (t, i, "rank")->number, (double) i + 1, 0, "rank");
            const double now = cell (t, i, "value")->number;
            const double before = i == 0 ? now : cell (t, i - 1, "value")->number;
            assert_true (!isfinite (now) || (isfinite (before)
                                             && (falling ? now <= before : now >= before)));
            assert_string_equal (cell (t, i, "reason")->text,
                                 llmenv_reason_word (cell (t, i, "value")->reason));
            assert_true (isfinite (now) || *cell (t, i, "reason")->text != '\0');
          }
        llmenv_table_free (t);
      }
}

static void
rankings_of_cards_and_of_nothing (void **state)
{
  llmenv_request r = request_of (LLMENV_LAYERED);
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_table *t = NULL;
  (void) state;
  llmenv_option_set_text (&r.options, "Model", "llama-3-1-8b", &error);
  STATUS (llmenv_rank_make ("throughput", 1, &r, &t, &error), LLMENV_OK, error, "throughput");
  assert_int_equal (t->n_rows, 64);
  assert_non_null (llmenv_catalogue_card (r.catalogue, cell (t, 0, "id")->text));
  llmenv_table_free (t);
  STATUS (llmenv_rank_make ("capacty", 0, &r, &t, &error), LLMENV_EBADOPTION, error, "misspelt");
  HAS_TEXT (error.text, "nearest: capacity", "nearest");
  STATUS (llmenv_rank_make ("", 0, &r, &t, &error), LLMENV_EBADOPTION, error, "empty");
}

static void
a_show_has_every_quantity (void **state)
{
  const llmenv_catalogue *c = shipped_catalogue ();
  (void) state;
  for (size_t m = 0; m < c->n_models; m++)
    for (size_t a = 0; a < c->n_cards; a += 7)
      {
        llmenv_request r = request_of (LLMENV_LAYERED);
        llmenv_error error = { LLMENV_OK, "" };
        llmenv_table *t = NULL;
        llmenv_option_set_text (&r.options, "Model", c->models[m]->id, &error);
        llmenv_option_set_text (&r.options, "Card", c->cards[a]->id, &error);
        STATUS (llmenv_show_make (&r, &t, &error), LLMENV_OK, error, c->models[m]->id);
        assert_int_equal (t->n_rows, LLMENV_QUANTITY_COUNT);
        for (size_t i = 0; i < t->n_rows; i++)
          assert_string_equal (cell (t, i, "quantity")->text,
                               llmenv_quantity_get ((llmenv_quantity) i)->name);
        check_table (t);
        llmenv_table_free (t);
      }
}

/* ---- options ----------------------------------------------------------- */

/* For each option: what it takes, what it refuses, what the refusal says. */
static const struct
{
  const char *name;
  const char *good[8], *bad[12];
  const char *says;
} options[] = {
#define NUMBERS_BAD "", " ", "x", "1x", "1 ", " 1", "nan", "inf", "-1"
  { "Convention", { "layered", "published", "Published" }, { "", "publish", "layered ", "1" }, "layered or published" },
  { "Basis", { "active", "touched", "resident", "TOUCHED" }, { "", "all", "0" }, "active, touched or resident" },
  { "Embedding", { "lookup", "streamed" }, { "", "stream" }, "lookup or streamed" },
  { "Chunk", { "bound", "mean" }, { "", "median" }, "bound or mean" },
  { "WeightType", { "bf16", "q4_K", "Q4_K_M", "mxfp4", "0.55", "2" }, { NUMBERS_BAD, "0", "Q4_K_MM" }, "a storage type" },
  { "WeightBytes", { "16.06e9", "1", "4.9e9" }, { NUMBERS_BAD, "0", "q8_0" }, "bytes above 0" },
  { "KVType", { "bf16", "q8_0", "fp8", "q4_0", "1.0625" }, { NUMBERS_BAD, "0", "Q4_K_M" }, "a storage type" },
  { "KType", { "bf16", "q8_0", "1" }, { NUMBERS_BAD, "0" }, "a storage type" },
  { "VType", { "bf16", "q4_0", "0.5" }, { NUMBERS_BAD, "0" }, "a storage type" },
  { "StateType", { "fp32", "bf16", "4" }, { NUMBERS_BAD, "0" }, "a storage type" },
  { "ComputeType", { "bf16", "FP8", "int8", "fp64" }, { "", "bf17", "2", "q8_0" }, "bf16" },
  { "Reserve", { "0", "1.5e9", "2e9" }, { NUMBERS_BAD }, "0 or more" },
  { "Utilization", { "1", "0.9", "1e-3" }, { NUMBERS_BAD, "0", "1.01" }, "up to 1" },
  { "BandwidthEfficiency", { "1", "0.9" }, { NUMBERS_BAD, "0", "2" }, "up to 1" },
  { "ComputeEfficiency", { "1", "0.4" }, { NUMBERS_BAD, "0", "1.5" }, "up to 1" },
  { "Overhead", { "0", "1e-3" }, { NUMBERS_BAD }, "0 or more" },
  { "Count", { "1", "8", "72" }, { NUMBERS_BAD, "0", "1.5", "1e300" }, "a whole number from 1" },
  { "Memory", { "80e9", "1" }, { NUMBERS_BAD, "0" }, "bytes above 0" },
  { "Model", { "llama-3-1-8b", "any name: looked up later" }, { "" }, "an id" },
  { "Card", { "nvidia-h20" }, { "" }, "an id" },
  { "Context", { "0", "8192", "32k", "32K", "1M", "1.5k" }, { NUMBERS_BAD, "32kk", "1m" }, "tokens" },
  { "Contexts", { "lengths.txt", "/no/such: read later" }, { "" }, "a file" },
  { "Engine", { "ideal", "llama.cpp", "vllm", "SGLang" }, { "", "llama", "ollama" }, "llama.cpp" },
  { "Slots", { "1", "8" }, { NUMBERS_BAD, "0", "1.5" }, "a whole number from 1" },
  { "MicroBatch", { "1", "512", "inf" }, { "", " ", "x", "1x", "nan", "-1", "0" }, "tokens above 0" },
  { "Unified", { "no", "yes" }, { "", "maybe" }, "no or yes" },
  { "Ranks", { "1", "8" }, { NUMBERS_BAD, "0", "1.5" }, "a whole number from 1" },
  { "Padding", { "0", "256" }, { NUMBERS_BAD, "1.5" }, "a whole number from 0" },
  { "Snapshots", { "0", "3" }, { NUMBERS_BAD, "1.5" }, "a whole number from 0" },
  { "LatentCache", { "latent", "latent+v", "expanded" }, { "", "v" }, "latent, latent+v or expanded" },
  { "Batch", { "0", "1", "64", "1k" }, { NUMBERS_BAD }, "sequences" },
};

static void
every_option_accepts_and_refuses (void **state)
{
  llmenv_error error;
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (options); i++)
    {
      const llmenv_option_info *info
        = llmenv_option_get ((size_t) llmenv_option_find (options[i].name));
      assert_non_null (info);
      for (size_t k = 0; k < 8 && options[i].good[k] != NULL; k++)
        {
          llmenv_options o = llmenv_options_default ();
          STATUS (llmenv_option_set_text (&o, info->name, options[i].good[k], &error), LLMENV_OK, error, options[i].name);
          STATUS (llmenv_option_set_text (&o, info->kebab, options[i].good[k], &error), LLMENV_OK, error, info->kebab);
        }
      for (size_t k = 0; k < 12 && options[i].bad[k] != NULL; k++)
        {
          llmenv_options o = llmenv_options_default ();
          const llmenv_options before = o;
          STATUS (llmenv_option_set_text (&o, info->name, options[i].bad[k], &error), LLMENV_EBADOPTION, error, options[i].name);
          HAS_TEXT (error.text, options[i].says, options[i].name);
          HAS_TEXT (error.text, info->name, "the option");
          assert_true (is_one_line (error.text));
          assert_memory_equal (&o, &before, sizeof o);
        }
    }
}

static void
no_option_is_left_out_here (void **state)
{
  size_t n = 0;
  (void) state;
  for (; llmenv_option_get (n) != NULL; n++)
    {
      size_t i = 0;
      while (i < N_OF_ARRAY (options) && strcmp (options[i].name, llmenv_option_get (n)->name) != 0)
        i++;
      if (i == N_OF_ARRAY (options))
        print_error ("option %s is not tested\n", llmenv_option_get (n)->name);
      assert_true (i < N_OF_ARRAY (options));
      assert_int_equal (llmenv_option_find (llmenv_option_get (n)->kebab), (int) n);
    }
  assert_int_equal (n, N_OF_ARRAY (options));
}

static void
unknown_options_are_refused_with_the_nearest (void **state)
{
  static const struct { const char *name, *says; } cases[] = {
    { "KVTyp", "nearest: KVType" }, { "contxt", "nearest: Context" }, { "card", "" },
    { "weight-typ", "nearest: WeightType" }, { "", "no option ''" }, { "zzzz", "no option 'zzzz'" },
    { "\n", "no option '?'" } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      llmenv_options o = llmenv_options_default ();
      llmenv_error error = { LLMENV_OK, "" };
      if (*cases[i].says == '\0')   /* spelt in another case: known */
        {
          STATUS (llmenv_option_set_text (&o, cases[i].name, "x", &error), LLMENV_OK, error, cases[i].name);
          continue;
        }
      STATUS (llmenv_option_set_text (&o, cases[i].name, "x", &error), LLMENV_EBADOPTION, error, cases[i].name);
      HAS_TEXT (error.text, cases[i].says, cases[i].name);
      STATUS (llmenv_option_set_number (&o, cases[i].name, 1, &error), LLMENV_EBADOPTION, error, cases[i].name);
    }
}

static void
options_set_what_they_name (void **state)
{
  llmenv_options o = llmenv_options_default ();
  llmenv_error error;
  (void) state;
  llmenv_option_set_text (&o, "kv-type", "q8_0", &error);
  NEAR (o.settings.k_bytes, 34.0 / 32, 0, "K");
  NEAR (o.settings.v_bytes, 34.0 / 32, 0, "V");
  llmenv_option_set_text (&o, "VType", "q4_0", &error);
  NEAR (o.settings.k_bytes, 34.0 / 32, 0, "K stays");
  NEAR (o.settings.v_bytes, 18.0 / 32, 0, "V");
  assert_string_equal (o.k_type, "q8_0");
  assert_string_equal (o.v_type, "q4_0");
  llmenv_option_set_text (&o, "context", "32k", &error);
  NEAR (o.context, 32768, 0, "32k");
  llmenv_option_set_text (&o, "context", "1M", &error);
  NEAR (o.context, 1048576, 0, "1M");
  assert_false (o.given_model || o.given_card);
  llmenv_option_set_text (&o, "CARD", "nvidia-h20", &error);
  assert_true (o.given_card && !o.given_model);
  assert_int_equal (llmenv_option_set_number (&o, "Batch", 64, &error), LLMENV_OK);
  NEAR (o.batch, 64, 0, "batch");
  assert_int_equal (llmenv_option_set_number (&o, "Batch", NAN, &error), LLMENV_EBADOPTION);
  assert_int_equal (llmenv_option_set_number (&o, "Model", 7, &error), LLMENV_EBADOPTION);
  assert_int_equal (llmenv_option_set_number (&o, "Convention", 0, &error), LLMENV_EBADOPTION);
  NEAR (o.batch, 64, 0, "batch stays");
}

static void
long_names_are_refused_not_cut (void **state)
{
  llmenv_options o = llmenv_options_default ();
  llmenv_error error;
  char name[5000];
  (void) state;
  memset (name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  assert_int_equal (llmenv_option_set_text (&o, "Model", name, &error), LLMENV_EBADOPTION);
  assert_int_equal (llmenv_option_set_text (&o, name, "1", &error), LLMENV_EBADOPTION);
  assert_string_equal (o.model, "llama-3-1-8b");
  name[LLMENV_NAME_SIZE - 1] = '\0';
  assert_int_equal (llmenv_option_set_text (&o, "Model", name, &error), LLMENV_OK);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_tables_of_the_specification_are_there),
    cmocka_unit_test (every_table_is_made_in_both_conventions),
    cmocka_unit_test (captions_say_what_the_figures_rest_on),
    cmocka_unit_test (whole_tables_hold_every_model),
    cmocka_unit_test (the_other_tables_hold_their_rows),
    cmocka_unit_test (rows_are_in_true_order),
    cmocka_unit_test (whole_families_have_1m_and_8_gb),
    cmocka_unit_test (as_printed_is_only_for_what_is_printed),
    cmocka_unit_test (unknown_tables_are_refused_with_the_nearest),
    cmocka_unit_test (unknown_models_and_cards_are_refused),
    cmocka_unit_test (misprints_are_computed_and_proven),
    cmocka_unit_test (misprints_do_not_depend_on_options),
    cmocka_unit_test (document_000_by_card),
    cmocka_unit_test (fill_table_shows_the_identity),
    cmocka_unit_test (cells_show_numbers_and_words),
    cmocka_unit_test (plain_numbers_are_read_back_as_themselves),
    cmocka_unit_test (words_stand_in_tables),
    cmocka_unit_test (csv_is_quoted_by_rfc_4180),
    cmocka_unit_test (text_is_aligned),
    cmocka_unit_test (rankings_are_in_order_with_words_last),
    cmocka_unit_test (rankings_of_cards_and_of_nothing),
    cmocka_unit_test (a_show_has_every_quantity),
    cmocka_unit_test (every_option_accepts_and_refuses),
    cmocka_unit_test (no_option_is_left_out_here),
    cmocka_unit_test (unknown_options_are_refused_with_the_nearest),
    cmocka_unit_test (options_set_what_they_name),
    cmocka_unit_test (long_names_are_refused_not_cut),
  };
  use_shipped_data ();
  const int failed = cmocka_run_group_tests (tests, NULL, NULL);
  llmenv_catalogue_free (shipped_catalogue ());
  return failed;
}
