/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps: axes from text, every kind of pair of axes against single values, the
 * tables of the command, the tables about crossovers. */
#include "check.h"

#include "llmenv_sweep.h"

/* ---- axes -------------------------------------------------------------- */

static void
axes_are_read (void **state)
{
  (void) state;
  static const struct { const char *text; llmenv_input in; size_t n; double first, second, last; } good[] = {
    { "context=1k,8k,32k", LLMENV_IN_context, 3, 1024, 8192, 32768 },
    { "context=512", LLMENV_IN_context, 1, 512, NAN, 512 },
    { "kv_bytes=0.28:4:log:50", LLMENV_IN_kv_bytes, 50, 0.28, NAN, 4 },
    { "kv_bytes=0.28:4:50:log", LLMENV_IN_kv_bytes, 50, 0.28, NAN, 4 },
    { "KV_BYTES=q8_0,bf16", LLMENV_IN_kv_bytes, 2, 34.0 / 32, 2, 2 },
    { "weight_bytes=Q4_K_M,mxfp4", LLMENV_IN_weight_bytes, 2, 4.8944 / 8, 17.0 / 32, 17.0 / 32 },
    { "batch=1:9:5", LLMENV_IN_batch, 5, 1, 3, 9 },
    { "batch=1:256:9:log", LLMENV_IN_batch, 9, 1, 2, 256 },
    { "batch=9:1:3:linear", LLMENV_IN_batch, 3, 9, 5, 1 },
    { "batch=3:10:4:log", LLMENV_IN_batch, 4, 3, NAN, 10 }, { "batch=0.3:0.7:3:log", LLMENV_IN_batch, 3, 0.3, NAN, 0.7 },
    { "batch=7:9:1", LLMENV_IN_batch, 1, 7, NAN, 7 },
    { "utilization=0.5:1", LLMENV_IN_utilization, 50, 0.5, NAN, 1 },
  };
  for (size_t i = 0; i < N_OF_ARRAY (good); i++)
    {
      llmenv_axis a;
      llmenv_error error = { LLMENV_OK, "" };
      STATUS (llmenv_axis_parse (good[i].text, &a, &error), LLMENV_OK, error, good[i].text);
      assert_int_equal (a.input, good[i].in);
      assert_int_equal (a.n, good[i].n);
      NEAR (a.value[0], good[i].first, 0, good[i].text);
      NEAR (a.value[a.n - 1], good[i].last, 0, good[i].text);
      if (!isnan (good[i].second))
        NEAR (a.value[1], good[i].second, 1e-15, good[i].text);
      free (a.value);
    }
  static const char *const bad[] = {
    "", "=", "context", "context=", "=1", "context=x", "context=1,x", "context=1:2:0",
    "context=1:2:1.5", "context=1:2:3:4", "context=1:2:log:log:log", "context=0:2:9:log",
    "context=1:x:3", "context=1:2:1e12", "context=inf", "kv_bytes=Q4_K_M", "kontext=1",
    "a-very-long-name-of-an-input-that-is-none=1", "context=1:2:-3", "context=1:",
  };
  for (size_t i = 0; i < N_OF_ARRAY (bad); i++)
    {
      llmenv_axis a;
      llmenv_error error = { LLMENV_OK, "" };
      STATUS (llmenv_axis_parse (bad[i], &a, &error), LLMENV_EBADOPTION, error, bad[i]);
      assert_true (is_one_line (error.text));
    }
}

/* ---- filling ----------------------------------------------------------- */

static llmenv_point
point_of (const char *model, const char *card, const char *context)
{
  llmenv_options options = llmenv_options_default ();
  llmenv_error error = { LLMENV_OK, "" };
  options.batch = 5;
  STATUS (llmenv_option_set_text (&options, "Context", context, &error), LLMENV_OK, error, "context");
  const llmenv_catalogue *c = shipped_catalogue ();
  return llmenv_point_make (&llmenv_catalogue_model (c, model)->model,
                            llmenv_catalogue_card (c, card), &options, NULL);
}

/* Each value of a sweep is that of the point with both inputs set. */
static void
compare (const llmenv_point *p, const llmenv_quantity *q, size_t n_q,
         const llmenv_axis *axes, size_t n_axes, size_t every)
{
  const size_t n0 = axes[0].n, n1 = n_axes == 2 ? axes[1].n : 1;
  double *out = malloc (n0 * n1 * n_q * sizeof *out);
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_progress progress;
  llmenv_progress_start (&progress, (double) (n0 * n1));
  STATUS (llmenv_sweep_fill (p, q, n_q, axes, n_axes, out, &progress, &error), LLMENV_OK, error, "fill");
  llmenv_progress_end (&progress);
  NEAR (progress.done, (double) (n0 * n1), 0, "progress");
  for (size_t i = 0; i < n0 * n1; i += every)
    {
      llmenv_point own = *p;
      if (n_axes == 2 && axes[1].input == LLMENV_IN_experts)
        assert_int_equal (llmenv_point_set (&own, axes[1].input, axes[1].value[i / n0]), LLMENV_OK);
      assert_int_equal (llmenv_point_set (&own, axes[0].input, axes[0].value[i % n0]), LLMENV_OK);
      if (n_axes == 2 && axes[1].input != LLMENV_IN_experts)
        assert_int_equal (llmenv_point_set (&own, axes[1].input, axes[1].value[i / n0]), LLMENV_OK);
      for (size_t k = 0; k < n_q; k++)
        {
          double value;
          assert_int_equal (llmenv_point_value (q[k], &own, &value), LLMENV_OK);
          NEAR (out[i + n0 * n1 * k], value, 0, llmenv_quantity_get (q[k])->name);
        }
    }
  free (out);
}

static double ranges[LLMENV_INPUT_COUNT][3] = {
  { 0.5, 1, 2 }, { 0.5, 1, 4 }, { 0.01, 0.1, 1 }, { 16, 100, 3000 }, { 0, 1000, 1e5 },
  { 1, 10, 1000 }, { 1e12, 2e12, 8e12 }, { 1e14, 1e15, 2e15 }, { 1e11, 2e11, 1e12 },
  { 0, 1e9, 2e9 }, { 0.5, 0.9, 1 } };

static void
every_pair_of_axes_is_filled (void **state)
{
  (void) state;
  static const char *const models[] = { "llama-3-1-8b", "deepseek-v3", "gemma-3-27b", "qwen3-8-flash-next" };
  llmenv_quantity all[LLMENV_QUANTITY_COUNT];
  for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
    all[q] = (llmenv_quantity) q;
  for (size_t m = 0; m < N_OF_ARRAY (models); m++)
    {
      const llmenv_point p = point_of (models[m], "nvidia-h100-sxm", "300");
      for (int i = 0; i < LLMENV_INPUT_COUNT; i++)
        {
          llmenv_axis axes[2] = { { (llmenv_input) i, ranges[i], 3 } };
          compare (&p, all, LLMENV_QUANTITY_COUNT, axes, 1, 1);
          for (int j = 0; j < LLMENV_INPUT_COUNT; j++)
            if (i != j)
              {
                axes[1] = (llmenv_axis) { (llmenv_input) j, ranges[j], 3 };
                compare (&p, all, LLMENV_QUANTITY_COUNT, axes, 2, 1);
              }
        }
    }
}

/* Axes longer than a block, in both orders, and beside an envelope axis. */
static void
long_axes_are_filled_in_blocks (void **state)
{
  (void) state;
  enum { LONG = 1300 };
  static double B[LONG], L[LONG];
  static const llmenv_quantity q[] = { LLMENV_Q_throughput, LLMENV_Q_intensity, LLMENV_Q_kv_context, LLMENV_Q_b_star };
  for (int i = 0; i < LONG; i++)
    {
      B[i] = 1 + i;
      L[i] = 3 * i;
    }
  const llmenv_axis batch = { LLMENV_IN_batch, B, LONG }, context = { LLMENV_IN_context, L, LONG };
  const llmenv_axis bytes = { LLMENV_IN_kv_bytes, ranges[0], 3 };
  const llmenv_point p = point_of ("gpt-oss-20b", "nvidia-h100-sxm", "300");
  compare (&p, q, 4, (llmenv_axis[]) { batch, context }, 2, 97);
  compare (&p, q, 4, (llmenv_axis[]) { context, batch }, 2, 97);
  compare (&p, q, 4, (llmenv_axis[]) { bytes, context }, 2, 13);
  compare (&p, q, 4, (llmenv_axis[]) { context, bytes }, 2, 13);
  compare (&p, q, 4, (llmenv_axis[]) { bytes, batch }, 2, 13);
  /* So long that products overflow. */
  B[LONG - 1] = L[LONG - 1] = 1e308;
  B[3] = L[3] = 1e160;
  compare (&p, q, 4, (llmenv_axis[]) { batch, context }, 2, 97);
  compare (&p, q, 4, (llmenv_axis[]) { context, batch }, 2, 97);
  B[LONG - 1] = L[LONG - 1] = B[3] = L[3] = 7;
  /* A mix, stretched along the axis. */
  static const double lengths[] = { 10, 5000 };
  llmenv_point mixed = p;
  mixed.lengths = lengths;
  mixed.n_lengths = 2;
  compare (&mixed, q, 4, (llmenv_axis[]) { context, batch }, 2, 97);
  compare (&mixed, q, 4, (llmenv_axis[]) { bytes }, 1, 1);
}

static void
what_cannot_be_filled_is_refused (void **state)
{
  (void) state;
  static double values[] = { 1, 2, 0 };
  double out[9];
  llmenv_error error = { LLMENV_OK, "" };
  const llmenv_quantity q = LLMENV_Q_l_wall;
  const llmenv_point p = point_of ("qwen3-30b-a3b", "nvidia-h100-sxm", "300");
  llmenv_axis axes[3] = { { LLMENV_IN_kv_bytes, values, 3 }, { LLMENV_IN_kv_bytes, values, 2 } };
  STATUS (llmenv_sweep_fill (&p, &q, 1, axes, 1, out, NULL, &error), LLMENV_EBADVALUE, error, "0 bytes");
  HAS_TEXT (error.text, "kv_bytes: 0 is not accepted, expected a number above 0", "message");
  axes[0].n = 2;
  STATUS (llmenv_sweep_fill (&p, &q, 1, axes, 2, out, NULL, &error), LLMENV_EBADCALL, error, "twice");
  STATUS (llmenv_sweep_fill (&p, &q, 1, axes, 3, out, NULL, &error), LLMENV_EBADCALL, error, "three");
  axes[0].input = LLMENV_IN_experts;
  STATUS (llmenv_sweep_fill (&p, &q, 1, axes, 1, out, NULL, &error), LLMENV_EBADVALUE, error, "experts");
  HAS_TEXT (error.text, "at least 8", "message");
  axes[0].n = 0;
  STATUS (llmenv_sweep_fill (&p, &q, 1, axes, 1, out, NULL, &error), LLMENV_OK, error, "empty");
}

/* ---- tables ------------------------------------------------------------ */

static llmenv_request
default_request (void)
{
  return (llmenv_request) { .catalogue = shipped_catalogue (), .options = llmenv_options_default () };
}

static void
a_sweep_is_a_table_in_long_form (void **state)
{
  (void) state;
  static const char *const quantities[] = { "l_wall", "kv_bytes" };
  static const char *const vary[] = { "kv_bytes=1,2", "context=1k,8k,32k" };
  const llmenv_request request = default_request ();
  const llmenv_sweep sweep = { quantities, 2, vary, 2, "llama-3-1-8b,deepseek v3", "h100 sxm,nvidia-h20" };
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_table *t;
  STATUS (llmenv_sweep_make (&sweep, &request, &t, &error), LLMENV_OK, error, "sweep");
  static const char *const columns[] = { "model", "card", "kv_bytes_each", "context", "l_wall", "kv_bytes" };
  assert_int_equal (t->n_columns, 6);
  for (size_t c = 0; c < 6; c++)
    assert_string_equal (t->columns[c].name, columns[c]);
  assert_int_equal (t->n_rows, 2 * 2 * 2 * 3);
  for (size_t r = 0; r < t->n_rows; r++)
    {
      const double b = llmenv_table_cell (t, r, 2)->number, L = llmenv_table_cell (t, r, 3)->number;
      const llmenv_envelope e = shipped (llmenv_table_cell (t, r, 0)->text, llmenv_table_cell (t, r, 1)->text, "KVType", b == 1 ? "fp8" : "bf16", NULL);
      NEAR (llmenv_table_cell (t, r, 4)->number, value_of ("l_wall", &e, 1, L), 0, "l_wall");
      NEAR (llmenv_table_cell (t, r, 5)->number, value_of ("kv_bytes", &e, 1, L), 0, "kv_bytes");
    }
  HAS_TEXT (t->caption, "varied: kv_bytes, context", "caption");
  llmenv_table_free (t);

  static const struct { const char *models, *cards, *quantity, *vary; llmenv_status status; } bad[] = {
    { "nope", NULL, "l_wall", "batch=1", LLMENV_EMODEL }, { NULL, "nope", "l_wall", "batch=1", LLMENV_ECARD },
    { ",", NULL, "l_wall", "batch=1", LLMENV_EBADOPTION }, { NULL, NULL, "wall", "batch=1", LLMENV_EBADOPTION },
    { NULL, NULL, "l_wall", "batch", LLMENV_EBADOPTION }, { NULL, NULL, "l_wall", "kv_bytes=0", LLMENV_EBADVALUE },
  };
  for (size_t i = 0; i < N_OF_ARRAY (bad); i++)
    {
      const llmenv_sweep wrong = { &bad[i].quantity, 1, &bad[i].vary, 1, bad[i].models, bad[i].cards };
      STATUS (llmenv_sweep_make (&wrong, &request, &t, &error), bad[i].status, error, bad[i].vary);
    }
  const llmenv_sweep none = { quantities, 2, vary, 0, NULL, NULL };
  STATUS (llmenv_sweep_make (&none, &request, &t, &error), LLMENV_EBADCALL, error, "nothing varied");
  const llmenv_sweep empty = { quantities, 0, vary, 1, NULL, NULL };
  STATUS (llmenv_sweep_make (&empty, &request, &t, &error), LLMENV_EBADCALL, error, "no quantity");
}

static llmenv_table *
solve (const llmenv_question *q)
{
  const llmenv_request request = default_request ();
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_table *t;
  STATUS (llmenv_solve_make (q, &request, &t, &error), LLMENV_OK, error, q->quantity);
  return t;
}

static void
a_solve_is_a_table (void **state)
{
  (void) state;
  llmenv_table *t = solve (&(llmenv_question) { "l_wall", "8k", "kv_bytes", 0.28, 4, NULL, "deepseek-v3,llama-3-1-8b", NULL });
  assert_int_equal (t->n_rows, 2);
  NEAR (llmenv_table_cell (t, 0, 3)->number, 8192, 1e-12, "met");
  assert_string_equal (llmenv_table_cell (t, 0, 4)->text, "root");
  assert_string_equal (llmenv_table_cell (t, 0, 5)->text, "falls");
  assert_string_equal (llmenv_table_cell (t, 1, 4)->text, "no crossover");
  const llmenv_envelope e = shipped ("llama-3-1-8b", "nvidia-h100-sxm", "KVType", "4", NULL);
  NEAR (llmenv_table_cell (t, 1, 7)->number, value_of ("l_wall", &e, 1, 1), 0, "at the upper end");
  llmenv_table_free (t);
  t = solve (&(llmenv_question) { "weight_bytes", NULL, "batch", 1, 1e4, NULL, "qwen3-30b-a3b,llama-3-1-8b", NULL });
  assert_int_equal (t->n_rows, 1);
  HAS_TEXT (llmenv_table_cell (t, 0, 0)->text, "qwen3-30b-a3b = llama-3-1-8b", "both");
  llmenv_table_free (t);
  t = solve (&(llmenv_question) { "capacity", "4", "context", 1, 1e7, "last-at-least", NULL, NULL });
  assert_string_equal (llmenv_table_cell (t, 0, 4)->text, "whole number");
  assert_true (llmenv_table_cell (t, 0, 3)->number >= 4 && llmenv_table_cell (t, 0, 7)->number < 4);
  llmenv_table_free (t);
  /* The neighbour past the range is not the record's silence. */
  t = solve (&(llmenv_question) { "intensity", "1", "batch", 1, 100, "first-at-least", NULL, NULL });
  NEAR (llmenv_table_cell (t, 0, 2)->number, 1, 0, "at the lower end");
  assert_int_equal (llmenv_table_cell (t, 0, 6)->reason, LLMENV_NOT_APPLICABLE);
  llmenv_table_free (t);
  /* Nine tenths of the experts of each: ln 0.1/ln (1 - e/E). */
  t = solve (&(llmenv_question) { "weight_bytes", "90%", "batch", 1, 1e4, NULL, "deepseek-v3,qwen3-30b-a3b", NULL });
  NEAR (llmenv_table_cell (t, 0, 2)->number, log (0.1) / log1p (-8 / 256.0), 1e-12, "DeepSeek-V3");
  NEAR (llmenv_table_cell (t, 1, 2)->number, log (0.1) / log1p (-8 / 128.0), 1e-12, "Qwen3 30B");
  llmenv_table_free (t);
  t = solve (&(llmenv_question) { "ceiling", "ridge", "context", 0, 1e6, NULL, "all", "nvidia-h20" });
  assert_true (t->n_rows >= shipped_catalogue ()->n_models);
  llmenv_table_free (t);

  const llmenv_request request = default_request ();
  static const struct { llmenv_question q; llmenv_status status; const char *says; } bad[] = {
    { { "wall", "1", "batch", 1, 2, NULL, NULL, NULL }, LLMENV_EBADOPTION, "no quantity" },
    { { "l_wall", "1", "bach", 1, 2, NULL, NULL, NULL }, LLMENV_EBADOPTION, "nearest: batch" },
    { { "l_wall", "x", "batch", 1, 2, NULL, NULL, NULL }, LLMENV_EBADOPTION, "no quantity 'x'" },
    { { "l_wall", "1", "batch", 2, 1, NULL, NULL, NULL }, LLMENV_EBADVALUE, "no range" },
    { { "l_wall", "1", "kv_bytes", 0, 1, NULL, NULL, NULL }, LLMENV_EBADVALUE, "kv_bytes: 0 is not accepted" },
    { { "l_wall", "1", "utilization", 0.5, 2, NULL, NULL, NULL }, LLMENV_EBADVALUE, "up to 1" },
    { { "l_wall", "1", "batch", 1, 2, "most", NULL, NULL }, LLMENV_EBADOPTION, "first-at-least" },
    { { "intensity", "1", "batch", 1, 1e300, "first-at-least", NULL, NULL }, LLMENV_EBADVALUE, "from 1 to 1e+300 is not accepted, whole numbers are searched up to 9007199254740992 (2^53)" },
    { { "weight_bytes", "90%", "batch", 1, 100, NULL, "llama-3-1-8b", NULL }, LLMENV_EBADVALUE, "target 90%: weight_bytes has no two ends, finite and different, at batch 0 and infinite" },
    { { "throughput", "50%", "peak", 1, 100, NULL, NULL, NULL }, LLMENV_EBADVALUE, "target 50%: throughput has no two ends" },
    { { "throughput", "x%", "batch", 1, 100, NULL, NULL, NULL }, LLMENV_EBADOPTION, "no quantity 'x%'" },
    { { "throughput", "%", "batch", 1, 100, NULL, NULL, NULL }, LLMENV_EBADOPTION, "no quantity '%'" },
    { { "l_wall", NULL, "batch", 1, 2, NULL, NULL, NULL }, LLMENV_EBADCALL, "two models" },
    { { "l_wall", NULL, "batch", 1, 2, NULL, "all", NULL }, LLMENV_EBADCALL, "two models" },
  };
  for (size_t i = 0; i < N_OF_ARRAY (bad); i++)
    {
      llmenv_error error = { LLMENV_OK, "" };
      STATUS (llmenv_solve_make (&bad[i].q, &request, &t, &error), bad[i].status, error, bad[i].says);
      HAS_TEXT (error.text, bad[i].says, "message");
      assert_true (is_one_line (error.text));
    }
}

static llmenv_table *
table_of (const char *name)
{
  const llmenv_request request = default_request ();
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_table *t;
  STATUS (llmenv_table_make (name, &request, &t, &error), LLMENV_OK, error, name);
  assert_true (t->n_rows > 10);
  return t;
}

static const llmenv_cell *
cell (const llmenv_table *t, size_t row, const char *column)
{
  assert_true (llmenv_table_column (t, column) >= 0);
  return llmenv_table_cell (t, row, (size_t) llmenv_table_column (t, column));
}

/* Every row whose two values differ says why; the largest error comes first. */
static void
published_beside_layered (void **state)
{
  (void) state;
  llmenv_table *t = table_of ("published_vs_layered");
  assert_int_equal (t->n_rows, 5 * shipped_catalogue ()->n_models);
  double last = INFINITY;
  int differ = 0;
  for (size_t r = 0; r < t->n_rows; r++)
    {
      const double a = cell (t, r, "published")->number, b = cell (t, r, "layered")->number;
      const double ratio = cell (t, r, "ratio")->number;
      if (isnan (a) || isnan (b) || isnan (ratio))
        continue;
      /* What differs by rounding alone is equal; places go by nine decimals. */
      NEAR (ratio, a == b || fabs (a / b - 1) < 1e-12 ? 1 : a / b, 0, "ratio");
      const double error = ratio == 0 ? INFINITY : round (1e9 * fabs (log (ratio)));
      assert_true (error <= last);
      last = error;
      differ += fabs (ratio - 1) > 5e-4;
      if ((fabs (ratio - 1) > 5e-4) != (*cell (t, r, "why")->text != '\0'))
        {
          print_error ("%s %s: %g, why '%s'\n", cell (t, r, "model")->text, cell (t, r, "quantity")->text, ratio, cell (t, r, "why")->text);
          fail ();
        }
    }
  assert_true (differ > 150);
  llmenv_table_free (t);
}

static size_t
row_of (const llmenv_table *t, const char *model, const char *column, const char *text)
{
  for (size_t r = 0; r < t->n_rows; r++)
    if (strcmp (cell (t, r, "model")->text, model) == 0
        && strcmp (cell (t, r, column)->text, text) == 0)
      return r;
  fail_msg ("no row %s %s", model, text);
  return 0;
}

static void
kv_types_move_the_walls (void **state)
{
  (void) state;
  llmenv_table *t = table_of ("kv_sensitivity");
  assert_int_equal (t->n_rows, 7 * shipped_catalogue ()->n_models);
  const llmenv_envelope e = shipped ("llama-3-1-8b", "nvidia-h100-sxm", "KVType", "q5_0", NULL);
  const size_t r = row_of (t, "llama-3-1-8b", "kv_type", "q5_0");
  NEAR (cell (t, r, "bytes_each")->number, 22.0 / 32, 0, "bytes");
  NEAR (cell (t, r, "l_wall")->number, value_of ("l_wall", &e, 1, 1), 0, "l_wall");
  NEAR (cell (t, r, "b_star_1k")->number, value_of ("b_star", &e, 1, 1024), 0, "b_star");
  NEAR (cell (t, r, "ceiling_8k")->number, value_of ("ceiling", &e, 1, 8192), 0, "ceiling");
  NEAR (cell (t, r, "capacity_8k")->number, value_of ("capacity", &e, 1, 8192), 0, "capacity");
  NEAR (cell (t, r, "throughput")->number, value_of ("throughput", &e, 1, 8192), 0, "throughput");
  llmenv_table_free (t);
}

static void
experts_move_the_weights (void **state)
{
  (void) state;
  llmenv_table *t = table_of ("expert_sensitivity");
  int own = 0, all = 0;
  for (size_t r = 0; r < t->n_rows; r++)
    {
      const llmenv_envelope e = shipped (cell (t, r, "model")->text, "nvidia-h100-sxm", NULL);
      const double ratio = cell (t, r, "ratio")->number;
      NEAR (cell (t, r, "top")->number, ratio * cell (t, r, "experts")->number, 1e-12, "top");
      if (isnan (cell (t, r, "weights_1_gb")->number))
        continue;
      if (fabs (ratio / e.share - 1) < 1e-12)
        {
          NEAR (cell (t, r, "weights_64_gb")->number, 1e-9 * llmenv_envelope_weights (&e, 64), 1e-9, cell (t, r, "model")->text);
          own++;
        }
      if (ratio == 1 && strcmp (cell (t, r, "vary")->text, "e/E") == 0)
        {
          NEAR (cell (t, r, "weights_1_gb")->number, 1e-9 * llmenv_envelope_weights_limit (&e), 1e-9, "all experts of one token");
          all++;
        }
    }
  assert_true (own > 30 && all > 15);
  llmenv_table_free (t);
}

/* Spec section 2: up to 32 % at batch 1, 57 % in S. */
static void
the_fallback_differs_as_the_spec_says (void **state)
{
  (void) state;
  llmenv_table *t = table_of ("touched_fallback");
  double most_1 = 0, most_S = 0;
  for (size_t r = 0; r < t->n_rows; r++)
    {
      const double d = fabs (cell (t, r, "difference")->number);
      if (isnan (d))
        continue;
      if (strcmp (cell (t, r, "batch")->text, "1") == 0)
        most_1 = fmax (most_1, d);
      if (strncmp (cell (t, r, "batch")->text, "0", 1) == 0)
        most_S = fmax (most_S, d);
    }
  NEAR (round (most_1), 32, 0, "batch 1");
  NEAR (round (most_S), 57, 0, "S");
  llmenv_table_free (t);
}

static void
elasticities_are_a_table (void **state)
{
  (void) state;
  llmenv_table *t = table_of ("elasticities");
  assert_int_equal (t->n_rows, LLMENV_QUANTITY_COUNT);
  assert_int_equal (t->n_columns, 3 + LLMENV_INPUT_COUNT);
  for (size_t r = 0; r < t->n_rows; r++)
    if (strcmp (cell (t, r, "quantity")->text, "capacity") == 0)
      {
        NEAR (cell (t, r, "context")->number, -1, 1e-9, "context");
        NEAR (cell (t, r, "kv_bytes_each")->number, -1, 1e-9, "KV bytes");
        assert_true (cell (t, r, "bandwidth")->number == 0);
      }
    else if (strcmp (cell (t, r, "quantity")->text, "b_star") == 0)
      assert_int_equal (cell (t, r, "peak")->reason, LLMENV_NONE);
  llmenv_table_free (t);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (axes_are_read),
    cmocka_unit_test (every_pair_of_axes_is_filled),
    cmocka_unit_test (long_axes_are_filled_in_blocks),
    cmocka_unit_test (what_cannot_be_filled_is_refused),
    cmocka_unit_test (a_sweep_is_a_table_in_long_form),
    cmocka_unit_test (a_solve_is_a_table),
    cmocka_unit_test (published_beside_layered),
    cmocka_unit_test (kv_types_move_the_walls),
    cmocka_unit_test (experts_move_the_weights),
    cmocka_unit_test (the_fallback_differs_as_the_spec_says),
    cmocka_unit_test (elasticities_are_a_table),
  };
  gsl_set_error_handler_off ();
  return cmocka_run_group_tests (tests, NULL, NULL);
}
