/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crossovers against closed forms and against the documents' own statements;
 * jumps, ends, infinities, whole numbers, two models, elasticities, threads. */
#include "check.h"

#include <pthread.h>

#include "llmenv_solve.h"
#include "llmenv_sweep.h"

#define Q(name) LLMENV_Q_##name
#define IN(name) LLMENV_IN_##name
#define H100 "nvidia-h100-sxm"
static const double R = 1000 * 989.5 / 3350; /* of document 003 */

/* ---- points ------------------------------------------------------------ */

/* Of shipped records, with options as name, value, ..., NULL. */
static llmenv_point
point_of (const char *model, const char *card, ...)
{
  llmenv_options options = llmenv_options_default ();
  va_list args;
  va_start (args, card);
  set_options (&options, args);
  va_end (args);
  const llmenv_catalogue *c = shipped_catalogue ();
  const llmenv_model_record *m = llmenv_catalogue_model (c, model);
  assert_non_null (m);
  return llmenv_point_make (&m->model, card == NULL ? NULL : llmenv_catalogue_card (c, card),
                            &options, NULL);
}

static double
point_value (llmenv_quantity q, const llmenv_point *p)
{
  double value;
  assert_int_equal (llmenv_point_value (q, p, &value), LLMENV_OK);
  return value;
}

static double
value_with (llmenv_quantity q, llmenv_point p, llmenv_input in, double x)
{
  assert_int_equal (llmenv_point_set (&p, in, x), LLMENV_OK);
  return point_value (q, &p);
}

static int most_evaluations, roots_found;
static long all_evaluations;

/* The one root; fails unless there is exactly one. */
static double
only_root (llmenv_quantity q, double target, llmenv_input in, double lo, double hi,
           const llmenv_point *p)
{
  llmenv_answer a[8];
  llmenv_solve_report r;
  assert_int_equal (llmenv_solve (q, target, in, lo, hi, p, a, 8, &r), LLMENV_OK);
  if (r.n != 1 || a[0].is_jump)
    {
      print_error ("%s: %zu crossings, jump %d\n", llmenv_quantity_get (q)->name, r.n, a[0].is_jump);
      fail ();
    }
  if (a[0].evaluations > most_evaluations)
    most_evaluations = a[0].evaluations;
  all_evaluations += a[0].evaluations;
  roots_found++;
  return a[0].at;
}

/* ---- inputs ------------------------------------------------------------ */

/* Setting an input to what it is changes nothing, in both conventions, with
 * parts and with scalars only. */
static void
what_is_set_is_read_back (void **state)
{
  (void) state;
  static const char *const models[] = { "llama-3-1-8b", "deepseek-v3", "gpt-oss-20b",
                                        "kimi-k3", "qwen3-8-flash-next", "deepseek-v4-pro" };
  static const char *const conventions[] = { "layered", "published" };
  for (size_t m = 0; m < N_OF_ARRAY (models); m++)
    for (int c = 0; c < 2; c++)
      for (int i = 0; i < LLMENV_INPUT_COUNT; i++)
        {
          const llmenv_input in = (llmenv_input) i;
          const llmenv_point p = point_of (models[m], H100, "Convention", conventions[c], "WeightType", "1.5", NULL);
          llmenv_point same = p;
          const double x = llmenv_point_get (&p, in);
          if (x == 0 || isnan (x))
            continue;
          assert_int_equal (llmenv_point_set (&same, in, x), LLMENV_OK);
          NEAR (llmenv_point_get (&same, in), x, 1e-15, llmenv_input_get (in)->name);
          for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
            NEAR (point_value ((llmenv_quantity) q, &same), point_value ((llmenv_quantity) q, &p),
                  2e-14, llmenv_quantity_get ((llmenv_quantity) q)->name);
        }
}

/* W (B), P and what is held when e/E or E moves, against S and X by hand. */
static void
experts_move_as_the_spec_says (void **state)
{
  (void) state;
  static const char *const models[] = { "qwen3-30b-a3b", "deepseek-v3", "gpt-oss-120b" };
  static const char *const conventions[] = { "layered", "published" };
  for (size_t m = 0; m < N_OF_ARRAY (models); m++)
    for (int c = 0; c < 2; c++)
      {
        const llmenv_point p = point_of (models[m], H100, "Convention", conventions[c],
                                         "Basis", "touched", "WeightType", "bf16", NULL);
        llmenv_envelope base, e;
        assert_int_equal (llmenv_point_envelope (&p, &base), LLMENV_OK);
        const double E = p.model.experts, top = p.model.top;
        static const double ratios[] = { 0.001, 0.03, 0.5, 0.999, 1 };
        for (size_t i = 0; i < N_OF_ARRAY (ratios); i++)
          {
            llmenv_point moved = p;
            assert_int_equal (llmenv_point_set (&moved, IN (expert_ratio), ratios[i]), LLMENV_OK);
            assert_int_equal (llmenv_point_envelope (&moved, &e), LLMENV_OK);
            NEAR (e.flops, base.always + base.routed * ratios[i], 1e-12, "2P = w P at 2 bytes");
            NEAR (e.held, base.held, 1e-14, "held");
            NEAR (llmenv_envelope_weights (&e, 5), base.always + base.routed * (1 - pow (1 - ratios[i], 5)), 1e-10, "W (5)");
          }
        static const double growths[] = { 0.5, 1, 3, 1000 };
        for (size_t i = 0; i < N_OF_ARRAY (growths); i++)
          {
            llmenv_point moved = p;
            const double share = top / (E * growths[i]);
            assert_int_equal (llmenv_point_set (&moved, IN (experts), E * growths[i]), LLMENV_OK);
            assert_int_equal (llmenv_point_envelope (&moved, &e), LLMENV_OK);
            NEAR (e.flops, base.flops, 1e-13, "2P stays");
            NEAR (e.held, base.held + base.routed * (growths[i] - 1), 1e-12, "held");
            NEAR (llmenv_envelope_weights (&e, 1), llmenv_envelope_weights (&base, 1), 1e-12, "W (1) stays");
            NEAR (llmenv_envelope_weights (&e, 9), base.always - base.routed * growths[i] * expm1 (9 * log1p (-share)), 1e-12, "W (9)");
          }
        llmenv_point few = p;
        assert_int_equal (llmenv_point_set (&few, IN (experts), top - 1), LLMENV_EBADVALUE);
      }
}

/* From the scalars: X = (P_tot - P)/(1 - e/E). */
static void
experts_of_scalars_only (void **state)
{
  (void) state;
  const llmenv_model model = {
    .published = { 100e9, 10e9, 1000, 4 }, .scalars = { 100e9, 10e9, 1000, 4 },
    .experts = 64, .top = 2, .format_bytes = 1, .kv_reason = LLMENV_HAS_VALUE };
  const llmenv_point p = { .model = model, .card = { 1e15, 1e12, 1e12 }, .B = 1, .L = 100,
                           .settings = llmenv_settings_default (LLMENV_LAYERED), .stretch = 1 };
  const double X = 90e9 / (1 - 2.0 / 64), S = 100e9 - X;
  NEAR (value_with (Q (weight_bytes), p, IN (expert_ratio), 0.25), S + X / 4, 1e-14, "e/E");
  NEAR (value_with (Q (weight_bytes), p, IN (experts), 128), 10e9, 1e-14, "E");
  NEAR (value_with (Q (fill), p, IN (experts), 128), (1e12 - 1.5e9 - (100e9 + X)) / 1000, 1e-14, "held grows");
  llmenv_point q = p;
  q.settings.weight_bytes = 50e9;
  NEAR (value_with (Q (fill), q, IN (experts), 128), (1e12 - 1.5e9 - (100e9 + X) / 2) / 1000, 1e-14, "bytes per weight stay");
  /* Where E is not recorded, so is the answer. */
  q.model.experts = q.model.top = NAN;
  assert_true (isnan (value_with (Q (weight_bytes), q, IN (expert_ratio), 0.25)));
}

static void
values_out_of_range_are_refused (void **state)
{
  (void) state;
  static const struct { llmenv_input in; double x; } bad[] = {
    { IN (kv_bytes), 0 }, { IN (kv_bytes), -1 }, { IN (kv_bytes), NAN }, { IN (kv_bytes), INFINITY },
    { IN (weight_bytes), 0 }, { IN (expert_ratio), 0 }, { IN (expert_ratio), 1.01 },
    { IN (experts), 0 }, { IN (context), -1 }, { IN (batch), -1 }, { IN (bandwidth), 0 },
    { IN (peak), 0 }, { IN (memory), 0 }, { IN (reserve), -1 }, { IN (utilization), 0 },
    { IN (utilization), 1.5 }, { LLMENV_INPUT_COUNT, 1 },
  };
  llmenv_point p = point_of ("qwen3-30b-a3b", H100, NULL);
  llmenv_answer a;
  llmenv_solve_report r;
  llmenv_whole_answer w;
  for (size_t i = 0; i < N_OF_ARRAY (bad); i++)
    {
      assert_int_equal (llmenv_point_set (&p, bad[i].in, bad[i].x), LLMENV_EBADVALUE);
      assert_int_equal (llmenv_solve (Q (l_wall), 1, bad[i].in, bad[i].x, bad[i].x, &p, &a, 1, &r), LLMENV_EBADVALUE);
    }
  assert_int_equal (llmenv_solve (Q (l_wall), 1, IN (batch), 2, 1, &p, &a, 1, &r), LLMENV_EBADVALUE);
  assert_int_equal (llmenv_solve (Q (l_wall), INFINITY, IN (batch), 1, 2, &p, &a, 1, &r), LLMENV_EBADVALUE);
  assert_int_equal (llmenv_solve (LLMENV_QUANTITY_COUNT, 1, IN (batch), 1, 2, &p, &a, 1, &r), LLMENV_EBADVALUE);
  assert_int_equal (llmenv_cross (Q (l_wall), &p, LLMENV_QUANTITY_COUNT, &p, IN (batch), 1, 2, &a, 1, &r), LLMENV_EBADVALUE);
  assert_int_equal (llmenv_solve_integer (Q (l_wall), LLMENV_WHOLE_COUNT, 1, IN (batch), 1, 2, &p, &w), LLMENV_EBADVALUE);
  assert_int_equal (llmenv_solve_integer (Q (l_wall), LLMENV_FIRST_AT_LEAST, 1, IN (batch), 0, 1e300, &p, &w), LLMENV_EBADVALUE);
  assert_int_equal (llmenv_input_find ("KV_bytes"), IN (kv_bytes));
  assert_int_equal (llmenv_input_find ("kv"), -1);
  assert_null (llmenv_input_get (LLMENV_INPUT_COUNT));
  p.settings.utilization = 2;  /* what the envelope refuses */
  assert_int_equal (llmenv_solve (Q (fill), 1, IN (batch), 1, 2, &p, &a, 1, &r), LLMENV_EBADVALUE);
  double e;
  llmenv_reason why;
  assert_int_equal (llmenv_elasticity (Q (fill), IN (batch), &p, &e, &why), LLMENV_EBADVALUE);
}

/* ---- closed forms ------------------------------------------------------ */

/* 2P/((R - 2g/b) k b/2) = L  at  b = 2 (2P/(k L) + g)/R, for every model of the
 * published convention and every input that the wall has. */
static void
walls_meet_their_closed_form (void **state)
{
  (void) state;
  const llmenv_catalogue *c = shipped_catalogue ();
  int compared = 0;
  for (size_t i = 0; i < c->n_models; i++)
    {
      const llmenv_scalars *s = &c->models[i]->model.published;
      const double twice_p = 2 * (isnan (s->active_params) ? s->params : s->active_params);
      const llmenv_point p = point_of (c->models[i]->id, H100, "Convention", "published", NULL);
      if (!(s->kv_bytes > 0) || isnan (twice_p) || isnan (s->gqa_ratio))
        continue;
      for (double b = 0.3; b < 4; b *= 1.7)
        {
          const double L = twice_p / (s->kv_bytes * (R * b / 2 - s->gqa_ratio));
          if (!(L > 0))
            continue;
          NEAR (only_root (Q (l_wall), L, IN (kv_bytes), 0.28, 4, &p), b, 1e-12, c->models[i]->id);
          compared++;
        }
    }
  assert_true (compared > 200);
}

/* W (B) = S + 0.9 X  at  B = ln 0.1/ln (1 - e/E);  K (L) = bytes;  b_eq (L) = B
 * at L = W/(k B);  capacity = n at a memory; throughput = t at a bandwidth. */
static void
other_closed_forms (void **state)
{
  (void) state;
  static const char *const experts[] = { "qwen3-30b-a3b", "deepseek-v3", "mixtral-8x7b", "kimi-k3", "gpt-oss-20b" };
  for (size_t i = 0; i < N_OF_ARRAY (experts); i++)
    {
      const llmenv_point p = point_of (experts[i], H100, NULL);
      llmenv_envelope e;
      assert_int_equal (llmenv_point_envelope (&p, &e), LLMENV_OK);
      NEAR (only_root (Q (weight_bytes), e.always + 0.9 * e.routed, IN (batch), 1, 1e6, &p),
            log (0.1) / log1p (-e.share), 1e-12, experts[i]);
      NEAR (only_root (Q (weight_bytes), e.always + 0.5 * e.routed, IN (expert_ratio), 1e-4, 1, &p),
            0.5, 1e-12, "half the experts of one token");
    }
  const llmenv_point p = point_of ("llama-3-1-8b", H100, NULL);
  llmenv_envelope e;
  assert_int_equal (llmenv_point_envelope (&p, &e), LLMENV_OK);
  NEAR (only_root (Q (kv_bytes), 1e9, IN (context), 0, 1e6, &p), 1e9 / 131072, 1e-12, "context");
  NEAR (only_root (Q (b_eq), 5, IN (context), 1, 1e6, &p), e.always / (131072 * 5), 1e-12, "b_eq");
  NEAR (only_root (Q (b_eq), 5, IN (weight_bytes), 0.1, 4, &p), 2 * 5 * 131072 * 8192.0 / e.always, 1e-12, "weight bytes");
  NEAR (only_root (Q (capacity), 100, IN (memory), 1e10, 1e12, &p), 100 * 1073741824.0 + e.held + 1.5e9, 1e-12, "memory");
  NEAR (only_root (Q (capacity), 50, IN (utilization), 0.1, 1, &p), (50 * 1073741824.0 + e.held + 1.5e9) / e.memory, 1e-12, "utilization");
  NEAR (only_root (Q (capacity), 50, IN (reserve), 0, 8e10, &p), e.memory - e.held - 50 * 1073741824.0, 1e-12, "reserve");
  NEAR (only_root (Q (throughput), 100, IN (bandwidth), 1e11, 1e13, &p), 100 * (e.always + 1073741824.0), 1e-12, "bandwidth");
  NEAR (only_root (Q (ridge), 100, IN (peak), 1e12, 1e16, &p), 100 * 3350e9, 1e-12, "peak");
}

/* At the roots the answer is right whatever the input: the quantity, set there,
 * is the target; each costs tens of evaluations. */
static void
roots_of_every_input_satisfy (void **state)
{
  (void) state;
  static const char *const models[] = { "llama-3-1-8b", "gemma-3-27b", "deepseek-v3", "kimi-linear-48b-a3b", "qwen3-30b-a3b" };
  static const double lo[] = { 0.28, 0.3, 0.005, 8, 1, 1, 1e11, 1e13, 1e10, 0, 0.2 };
  static const double hi[] = { 4, 4, 1, 1e5, 1e6, 1e5, 1e14, 1e17, 1e13, 5e10, 1 };
  int checked = 0;
  for (size_t m = 0; m < N_OF_ARRAY (models); m++)
    for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
      for (int i = 0; i < LLMENV_INPUT_COUNT; i++)
        {
          const llmenv_point p = point_of (models[m], H100, "Context", "300", "Batch", "8", NULL);
          const llmenv_input in = (llmenv_input) i;
          const double a = value_with ((llmenv_quantity) q, p, in, lo[i] + 0.3 * (hi[i] - lo[i]));
          llmenv_answer found[16];
          llmenv_solve_report r;
          if (!isfinite (a))
            continue;
          assert_int_equal (llmenv_solve ((llmenv_quantity) q, a, in, lo[i], hi[i], &p, found, 16, &r), LLMENV_OK);
          assert_true (r.n >= 1);
          for (size_t k = 0; k < r.n && k < 16; k++)
            {
              if (found[k].is_jump)
                continue;
              NEAR (value_with ((llmenv_quantity) q, p, in, found[k].at), a, 1e-10, llmenv_quantity_get ((llmenv_quantity) q)->name);
              assert_true (found[k].evaluations < 100);
              checked++;
            }
        }
  assert_true (checked > 500);
}

/* ---- the documents' statements ----------------------------------------- */

/* Halved KV bytes: the wall grows by 2 (R - g)/(R - 2 g). */
static void
halved_kv_bytes_as_the_document_says (void **state)
{
  (void) state;
  static const struct { const char *id; double before, after; } cases[] = {
    { "deepseek-v3", 3577, 7179 }, { "smollm2-1-7b-instruct", 59, 119 } };
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_point p = point_of (cases[i].id, H100, "Convention", "published", NULL);
      const double g = p.model.published.gqa_ratio;
      const double before = point_value (Q (l_wall), &p);
      const double after = value_with (Q (l_wall), p, IN (kv_bytes), 1);
      assert_true (floor (before) == cases[i].before || round (before) == cases[i].before);
      NEAR (round (after), cases[i].after, 0, cases[i].id);
      NEAR (after / before, 2 * (R - g) / (R - 2 * g), 1e-13, "growth");
      NEAR (only_root (Q (l_wall), after, IN (kv_bytes), 0.5, 2, &p), 1, 1e-12, "and back");
    }
}

/* The expert GEMM alone, whose weights a share k/E of the batch meets: it
 * reaches the ridge at R E/k = 32 x 295.37 = 9,452 sequences for 1/32. */
static void
expert_gemm_alone (void **state)
{
  (void) state;
  const llmenv_weight_part part = { LLMENV_ROLE_ROUTED, 1e9, 2 };
  llmenv_point p = point_of ("llama-3-1-8b", H100, NULL);
  p.model = (llmenv_model) { .parts = &part, .n_parts = 1, .experts = 32, .top = 1,
                             .format_bytes = 2, .kv_reason = LLMENV_HAS_VALUE,
                             .published = { NAN, NAN, NAN, NAN },
                             .scalars = { 1e9, NAN, 0, NAN } };
  const double B = only_root (Q (intensity), R, IN (batch), 1, 1e6, &p);
  NEAR (floor (B), 9451, 0, "9,451.9");
  NEAR (round (B), 9452, 0, "as the document rounds");
  /* All experts are touched by then, to 1e-130. */
  NEAR (B, 32 * R, 1e-12, "R E/k");
  NEAR (point_value (Q (b_star), &p), 32 * R, 1e-12, "b_star");
}

static llmenv_point
with_card (const char *model, const char *card)
{
  return point_of (model, card, NULL);
}

/* All crossings of the ceiling with the ridge. */
static size_t
crossings_of (const llmenv_point *p, llmenv_answer a[8], llmenv_solve_report *r)
{
  assert_int_equal (llmenv_cross (Q (ceiling), p, Q (ridge), p, IN (context), 0, 1 << 20, a, 8, r), LLMENV_OK);
  return r->n;
}

static void
ceilings_that_rise_never_fall_or_start_below (void **state)
{
  (void) state;
  llmenv_answer a[8];
  llmenv_solve_report r;
  const llmenv_point kimi = point_of ("kimi-k3", H100, "KVType", "fp8", NULL);
  assert_int_equal (crossings_of (&kimi, a, &r), 1);
  assert_int_equal (a[0].direction, 1);
  NEAR (round (a[0].at), 61371, 0, "Kimi-K3, fp8 KV, H100");

  const llmenv_point deepseek = with_card ("deepseek-v3", "nvidia-h20");
  assert_int_equal (crossings_of (&deepseek, a, &r), 0);
  assert_true (r.at_lo > 0 && r.at_hi > 0);
  assert_int_equal (r.reason_lo, LLMENV_UNBOUNDED);
  assert_true (isinf (point_value (Q (l_wall), &deepseek)));

  const llmenv_point nemotron = with_card ("nemotron-h-8b-base-8k", H100);
  assert_int_equal (crossings_of (&nemotron, a, &r), 0);
  assert_true (r.at_lo < 0 && r.at_hi < 0);
  NEAR (point_value (Q (l_wall), &nemotron), 0, 0, "starts below");
}

/* The same crossings as the closed forms of each piece, for all records and
 * cards: nothing between samples is lost. */
static void
no_crossing_is_lost (void **state)
{
  (void) state;
  const llmenv_catalogue *c = shipped_catalogue ();
  static const char *const chunks[] = { "bound", "mean" };
  size_t compared = 0, jumps = 0;
  for (size_t m = 0; m < c->n_models; m++)
    for (size_t k = 0; k < c->n_cards; k++)
      for (int chunk = 0; chunk < 2; chunk++)
        {
          const double hi = 4e6;
          const llmenv_point p = point_of (c->models[m]->id, c->cards[k]->id, "Chunk", chunks[chunk], NULL);
          llmenv_envelope e;
          llmenv_crossing want[LLMENV_MAX_CROSSINGS];
          llmenv_answer a[64];
          llmenv_solve_report r;
          assert_int_equal (llmenv_point_envelope (&p, &e), LLMENV_OK);
          size_t n = llmenv_wall_crossings (&e, want);
          while (n > 0 && want[n - 1].at > hi)
            n--;
          assert_int_equal (llmenv_cross (Q (ceiling), &p, Q (ridge), &p, IN (context), 0, hi, a, 64, &r), LLMENV_OK);
          if (r.n != n)
            {
              print_error ("%s on %s: %zu crossings, want %zu\n", c->models[m]->id, c->cards[k]->id, r.n, n);
              fail ();
            }
          for (size_t i = 0; i < n; i++)
            {
              NEAR (a[i].at, want[i].at, 1e-9, c->models[m]->id);
              assert_int_equal (a[i].direction, want[i].direction);
              assert_int_equal (a[i].is_jump, want[i].is_jump);
              compared++;
              jumps += (size_t) want[i].is_jump;
            }
        }
  print_message ("compared %zu crossings, %zu of them jumps\n", compared, jumps);
  assert_true (compared > 2000);
}

static void
named_questions_have_answers (void **state)
{
  (void) state;
  /* The KV bytes at which the wall reaches 8k. */
  const llmenv_point v3 = with_card ("deepseek-v3", H100);
  const double b = only_root (Q (l_wall), 8192, IN (kv_bytes), 0.28, 4, &v3);
  NEAR (value_with (Q (l_wall), v3, IN (kv_bytes), b), 8192, 1e-12, "wall at 8k");

  /* The e/E at which b_star equals the capacity. */
  const llmenv_point qwen = point_of ("qwen3-30b-a3b", H100, "Context", "512", NULL);
  llmenv_answer a[4];
  llmenv_solve_report r;
  assert_int_equal (llmenv_cross (Q (b_star), &qwen, Q (capacity), &qwen, IN (expert_ratio), 1.0 / 128, 1, a, 4, &r), LLMENV_OK);
  assert_int_equal (r.n, 1);
  NEAR (value_with (Q (b_star), qwen, IN (expert_ratio), a[0].at),
        value_with (Q (capacity), qwen, IN (expert_ratio), a[0].at), 1e-10, "b_star = capacity");

  /* Two models in weights, two cards in throughput. */
  const llmenv_point llama = with_card ("llama-3-1-8b", H100);
  const llmenv_point moe = with_card ("qwen3-30b-a3b", H100);
  assert_int_equal (llmenv_cross (Q (weight_bytes), &moe, Q (weight_bytes), &llama, IN (batch), 1, 1e4, a, 4, &r), LLMENV_OK);
  assert_int_equal (r.n, 1);
  NEAR (value_with (Q (weight_bytes), moe, IN (batch), a[0].at), point_value (Q (weight_bytes), &llama), 1e-12, "two models");
  const llmenv_point h20 = point_of ("llama-3-1-8b", "nvidia-h20", "Context", "1024", NULL);
  const llmenv_point h100 = point_of ("llama-3-1-8b", H100, "Context", "1024", NULL);
  assert_int_equal (llmenv_cross (Q (throughput), &h20, Q (throughput), &h100, IN (batch), 1, 1e4, a, 4, &r), LLMENV_OK);
  assert_int_equal (r.n, 1);
  NEAR (value_with (Q (throughput), h20, IN (batch), a[0].at), value_with (Q (throughput), h100, IN (batch), a[0].at), 1e-12, "two cards");
}

/* ---- jumps, ends, infinities ------------------------------------------- */

/* One chunked layer read at its mean: beyond 8,192 tokens 4,096.5 are read. */
static llmenv_point
chunked (llmenv_layer_group *layer)
{
  *layer = (llmenv_layer_group) { .kind = LLMENV_CHUNK, .count = 1, .q_heads = 1, .kv_heads = 1,
                                  .k_dim = 1, .v_dim = 1, .window = 8192 };
  llmenv_point p = { .model = { .layers = layer, .n_layers = 1, .format_bytes = 2,
                                .kv_reason = LLMENV_HAS_VALUE, .scalars = { 1e6, 1e6, NAN, NAN } },
                     .card = { 1e15, 1e12, 1e12 }, .B = 1, .L = 1, .stretch = 1,
                     .settings = llmenv_settings_default (LLMENV_LAYERED) };
  p.settings.chunk = LLMENV_CHUNK_MEAN;
  return p;
}

static void
a_jump_is_no_root (void **state)
{
  (void) state;
  llmenv_layer_group layer;
  const llmenv_point p = chunked (&layer);
  llmenv_answer a[4];
  llmenv_solve_report r;
  /* b_eq = W/T: 2e6/(4 x 5000) = 100 on the way up, passed again by the jump. */
  assert_int_equal (llmenv_solve (Q (b_eq), 100, IN (context), 1, 20000, &p, a, 4, &r), LLMENV_OK);
  assert_int_equal (r.n, 2);
  assert_false (a[0].is_jump);
  NEAR (a[0].at, 5000, 1e-13, "root");
  assert_true (a[1].is_jump);
  NEAR (a[1].at, 8192, 0, "the last place before");
  NEAR (a[1].before, 2e6 / (4 * 8192.0), 1e-15, "before");
  NEAR (a[1].after, 2e6 / (4 * 4096.5), 1e-15, "after");
  assert_int_equal (a[0].direction, -1);
  assert_int_equal (a[1].direction, 1);
  /* Right beyond what the near side reaches. */
  assert_int_equal (llmenv_solve (Q (b_eq), 2e6 / (4 * 8192.0) * 1.001, IN (context), 8192, 8193, &p, a, 4, &r), LLMENV_OK);
  assert_int_equal (r.n, 1);
  assert_true (a[0].is_jump);
  NEAR (a[0].at, 8192, 0, "at an end of the bracket");
  /* The same of a mix, whose ends are not known beforehand: a bracket over
     many orders is scanned in equal ratios. */
  static const double length = 1;
  llmenv_point mixed = p;
  mixed.lengths = &length;
  mixed.n_lengths = 1;
  assert_int_equal (llmenv_solve (Q (b_eq), 100, IN (context), 1, 1e8, &mixed, a, 4, &r), LLMENV_OK);
  assert_int_equal (r.n, 2);
  NEAR (a[0].at, 5000, 1e-13, "root");
  assert_true (!a[0].is_jump && a[1].is_jump);
  NEAR (a[1].at, 8192, 1e-15, "jump");
}

/* Flat beyond a window: met from there on. */
static void
a_level_is_met_all_along (void **state)
{
  (void) state;
  llmenv_layer_group layer;
  llmenv_point p = chunked (&layer);
  p.settings.chunk = LLMENV_CHUNK_BOUND;
  llmenv_answer a[4];
  llmenv_solve_report r;
  assert_int_equal (llmenv_solve (Q (kv_bytes), 4 * 8192, IN (context), 0, 20000, &p, a, 4, &r), LLMENV_OK);
  assert_int_equal (r.n, 1);
  NEAR (a[0].at, 8192, 0, "from");
  NEAR (a[0].until, 20000, 0, "until");
}

static void
infinity_counts_as_a_sign (void **state)
{
  (void) state;
  const llmenv_point p = with_card ("llama-3-1-8b", H100);
  const double wall = point_value (Q (l_wall), &p);
  llmenv_answer a[4];
  llmenv_solve_report r;
  /* b_star grows without bound towards the wall: any number is met before. */
  static const double targets[] = { 300, 1e4, 1e7, 1e10 };
  for (size_t i = 0; i < N_OF_ARRAY (targets); i++)
    {
      assert_int_equal (llmenv_solve (Q (b_star), targets[i], IN (context), 1, 1e6, &p, a, 4, &r), LLMENV_OK);
      assert_int_equal (r.n, 1);
      assert_false (a[0].is_jump);
      assert_true (a[0].at < wall);
      assert_true (a[0].evaluations < 150);
      NEAR (value_with (Q (b_star), p, IN (context), a[0].at), targets[i], 1e-5, "b_star");
      assert_int_equal (r.reason_hi, LLMENV_NONE);
    }
  /* The wall leaps from never to a number where R passes g of a card. */
  const llmenv_point latent = with_card ("deepseek-v3", "nvidia-h20");
  assert_int_equal (llmenv_solve (Q (l_wall), 1, IN (bandwidth), 1e11, 1e14, &latent, a, 4, &r), LLMENV_OK);
  assert_int_equal (r.n, 0);
  assert_true (r.at_lo > 1 && isinf (r.at_hi));
}

/* A step from finite to infinite without anything between is a jump. */
static void
a_leap_to_infinity_is_a_jump (void **state)
{
  (void) state;
  /* kv_context: a window's K saturates; above it all contexts fit. */
  llmenv_layer_group layer;
  llmenv_point p = chunked (&layer);
  p.settings.reserve = 0;
  llmenv_answer a[4];
  llmenv_solve_report r;
  assert_int_equal (llmenv_solve (Q (kv_context), 1e6, IN (memory), 1000, 1e6, &p, a, 4, &r), LLMENV_OK);
  assert_int_equal (r.n, 1);
  assert_true (a[0].is_jump);
  NEAR (a[0].at, 4 * 8192, 1e-15, "K at the end of the window");
  assert_true (a[0].before <= 8192 && isinf (a[0].after));
}

static void
no_crossover_is_an_answer (void **state)
{
  (void) state;
  const llmenv_point p = with_card ("llama-3-1-8b", H100);
  llmenv_answer a = { .at = -7 };
  llmenv_solve_report r;
  assert_int_equal (llmenv_solve (Q (l_wall), 8192, IN (kv_bytes), 0.28, 4, &p, &a, 1, &r), LLMENV_OK);
  assert_int_equal (r.n, 0);
  NEAR (a.at, -7, 0, "untouched");
  NEAR (r.at_lo, value_with (Q (l_wall), p, IN (kv_bytes), 0.28), 0, "at lo");
  NEAR (r.at_hi, value_with (Q (l_wall), p, IN (kv_bytes), 4), 0, "at hi");
  assert_int_equal (r.evaluations, 257);
  /* More crossings than there is room for are counted. */
  llmenv_layer_group layer;
  const llmenv_point chunk = chunked (&layer);
  assert_int_equal (llmenv_solve (Q (b_eq), 100, IN (context), 1, 20000, &chunk, &a, 1, &r), LLMENV_OK);
  assert_int_equal (r.n, 2);
  NEAR (a.at, 5000, 1e-13, "the first");
  /* Ends that meet the target are answers. */
  assert_int_equal (llmenv_solve (Q (kv_bytes), 131072, IN (context), 1, 10, &p, &a, 1, &r), LLMENV_OK);
  assert_int_equal (r.n, 1);
  NEAR (a.at, 1, 0, "lower end");
  assert_int_equal (llmenv_solve (Q (kv_bytes), 131072, IN (context), 1, 1, &p, &a, 1, &r), LLMENV_OK);
  assert_int_equal (r.n, 1);
  /* A record without a value: nothing, and why. */
  const llmenv_point silent = with_card ("o3", H100);
  assert_int_equal (llmenv_solve (Q (l_wall), 1, IN (kv_bytes), 1, 2, &silent, &a, 1, &r), LLMENV_OK);
  assert_int_equal (r.n, 0);
  assert_true (isnan (r.at_lo));
  assert_int_equal (r.reason_lo, LLMENV_NO_RECORD);
}

/* Where B T (L) leaves the doubles, tokens/s still has its limit: no jump to 0. */
static void
overflow_is_no_jump (void **state)
{
  (void) state;
  const llmenv_point p = with_card ("llama-3-1-8b", H100);
  llmenv_answer a[4];
  llmenv_solve_report r;
  assert_int_equal (llmenv_solve (Q (throughput), 100, IN (batch), 1, 1e300, &p, a, 4, &r), LLMENV_OK);
  assert_int_equal (r.n, 0);
  NEAR (r.at_hi, 3.35e12 / 1073741824, 1e-13, "bandwidth/T");
  assert_int_equal (llmenv_solve (Q (throughput), 3000, IN (batch), 1, 1e308, &p, a, 4, &r), LLMENV_OK);
  assert_true (r.n == 1 && !a[0].is_jump);
  assert_int_equal (llmenv_solve (Q (kv_bytes), 1e150, IN (context), 1, 1e300, &p, a, 4, &r), LLMENV_OK);
  assert_true (r.n == 1 && !a[0].is_jump);
  NEAR (a[0].at, 1e150 / 131072, 1e-14, "K = 131072 L");
}

/* From 0 to the limit: half of tokens/s is met at b_50, nine tenths of the
 * experts at ln 0.1/ln (1 - e/E). */
static void
shares_lie_between_zero_and_the_limit (void **state)
{
  (void) state;
  double target;
  const llmenv_point moe = point_of ("qwen3-30b-a3b", H100, NULL);
  assert_int_equal (llmenv_solve_share (Q (weight_bytes), 0.9, IN (batch), &moe, &target), LLMENV_OK);
  NEAR (only_root (Q (weight_bytes), target, IN (batch), 1, 1e4, &moe), log (0.1) / log1p (-8 / 128.0), 1e-12, "experts");
  const llmenv_point dense = with_card ("llama-3-1-8b", H100);
  assert_int_equal (llmenv_solve_share (Q (throughput), 0.5, IN (batch), &dense, &target), LLMENV_OK);
  NEAR (only_root (Q (throughput), target, IN (batch), 1, 1e4, &dense), point_value (Q (b_50), &dense), 1e-12, "b_50");
  assert_int_equal (llmenv_solve_share (Q (weight_bytes), 0.9, IN (batch), &dense, &target), LLMENV_EBADVALUE);
  assert_int_equal (llmenv_solve_share (Q (kv_bytes), 0.9, IN (context), &dense, &target), LLMENV_EBADVALUE);
  assert_int_equal (llmenv_solve_share (Q (throughput), 0.9, IN (peak), &dense, &target), LLMENV_EBADVALUE);
  assert_int_equal (llmenv_solve_share (Q (throughput), NAN, IN (batch), &dense, &target), LLMENV_EBADVALUE);
}

/* ---- whole numbers ----------------------------------------------------- */

static void
whole_numbers_have_both_neighbours (void **state)
{
  (void) state;
  uint64_t seed = 5;
  llmenv_whole_answer w;
  for (int i = 0; i < 200; i++)
    {
      char context[32];
      snprintf (context, sizeof context, "%.0f", random_whole (&seed, 1, 390));
      const llmenv_point p = point_of ("llama-3-1-8b", H100, "Context", context, NULL);
      assert_int_equal (llmenv_cross_integer (Q (intensity), &p, LLMENV_FIRST_AT_LEAST, Q (ridge), &p, IN (batch), 1, 1e6, &w), LLMENV_OK);
      assert_true (w.found && w.value >= 0 && w.value_before < 0 && w.value_after > w.value);
      NEAR (w.at, ceil (point_value (Q (b_star), &p)), 0, "b_star's ceiling");
      const double n = random_whole (&seed, 1, 2000);
      assert_int_equal (llmenv_solve_integer (Q (capacity), LLMENV_LAST_AT_LEAST, n, IN (context), 1, 1e9, &p, &w), LLMENV_OK);
      assert_true (w.found && w.value >= n && w.value_after < n && w.value_before >= n);
      llmenv_envelope e;
      assert_int_equal (llmenv_point_envelope (&p, &e), LLMENV_OK);
      NEAR (w.at, floor ((e.memory - e.held - 1.5e9) / 131072 / n), 0, "by hand");
      assert_int_equal (llmenv_solve_integer (Q (capacity), LLMENV_FIRST_AT_MOST, n, IN (context), 1, 1e9, &p, &w), LLMENV_OK);
      assert_true (w.found && w.value <= n && (w.value_before > n));
      assert_int_equal (llmenv_solve_integer (Q (kv_bytes), LLMENV_LAST_AT_MOST, 131072 * n, IN (context), 0, 1e9, &p, &w), LLMENV_OK);
      NEAR (w.at, n, 0, "exactly met");
    }
}

static void
whole_numbers_at_the_ends_and_none (void **state)
{
  (void) state;
  const llmenv_point p = with_card ("llama-3-1-8b", H100);
  llmenv_whole_answer w;
  assert_int_equal (llmenv_solve_integer (Q (kv_bytes), LLMENV_FIRST_AT_LEAST, 1, IN (context), 2.5, 9.5, &p, &w), LLMENV_OK);
  assert_true (w.found && w.at == 3 && isnan (w.value_before));
  assert_int_equal (llmenv_solve_integer (Q (kv_bytes), LLMENV_LAST_AT_LEAST, 1, IN (context), 2.5, 9.5, &p, &w), LLMENV_OK);
  assert_true (w.found && w.at == 9 && isnan (w.value_after));
  assert_int_equal (llmenv_solve_integer (Q (kv_bytes), LLMENV_FIRST_AT_MOST, 1, IN (context), 2.5, 9.5, &p, &w), LLMENV_OK);
  assert_true (!w.found && isnan (w.at));
  NEAR (w.value_before, 3 * 131072, 0, "at the lower end");
  assert_int_equal (llmenv_solve_integer (Q (kv_bytes), LLMENV_FIRST_AT_LEAST, 1, IN (context), 2.2, 2.8, &p, &w), LLMENV_OK);
  assert_false (w.found);
  NEAR (w.value_before, 2.2 * 131072, 1e-15, "no whole number between: at the lower end");
  NEAR (w.value_after, 2.8 * 131072, 1e-15, "and at the upper");
  /* Jumps: the last length whose read is at most that of 5,000. */
  llmenv_layer_group layer;
  const llmenv_point chunk = chunked (&layer);
  assert_int_equal (llmenv_solve_integer (Q (b_eq), LLMENV_FIRST_AT_MOST, 100, IN (context), 1, 20000, &chunk, &w), LLMENV_OK);
  assert_true (w.found && w.at == 5000);
  assert_int_equal (llmenv_solve_integer (Q (b_eq), LLMENV_LAST_AT_MOST, 100, IN (context), 1, 20000, &chunk, &w), LLMENV_OK);
  assert_true (w.found && w.at == 8192);
  for (int k = 0; k < LLMENV_WHOLE_COUNT; k++)
    assert_true (strlen (llmenv_whole_word ((llmenv_whole) k)) > 10);
  assert_string_equal (llmenv_whole_word (LLMENV_WHOLE_COUNT), "unknown");
}

/* ---- touched weights --------------------------------------------------- */

/* W (B) = S + X (1 - (1 - e/E)^B) against long double, B up to 1e9. */
static void
touched_weights_do_not_cancel (void **state)
{
  (void) state;
  static const double shares[] = { 1e-6, 1.0 / 896, 1.0 / 512, 16.0 / 896, 8.0 / 256, 0.25, 0.5, 0.999, 1 };
  static const double batches[] = { 0, 1e-6, 0.5, 1, 2, 8, 1000, 1e6, 5e6, 1e9 };
  const llmenv_catalogue *c = shipped_catalogue ();
  int compared = 0;
  for (size_t m = 0; m < c->n_models; m++)
    for (size_t i = 0; i < N_OF_ARRAY (shares); i++)
      for (size_t k = 0; k < N_OF_ARRAY (batches); k++)
        {
          llmenv_point p = point_of (c->models[m]->id, NULL, NULL);
          llmenv_envelope e;
          if (!(p.model.experts > 0) || p.model.n_parts == 0)
            continue;
          assert_int_equal (llmenv_point_set (&p, IN (expert_ratio), shares[i]), LLMENV_OK);
          assert_int_equal (llmenv_point_envelope (&p, &e), LLMENV_OK);
          const long double touched = e.share == 1 ? batches[k] > 0
            : -expm1l ((long double) batches[k] * log1pl (-(long double) e.share));
          NEAR (llmenv_envelope_weights (&e, batches[k]),
                (double) ((long double) e.always + (long double) e.routed * touched), 4e-16, c->models[m]->id);
          /* Only what the experts add, where it is small. */
          if (batches[k] > 0)
            NEAR (e.routed * (double) touched,
                  (double) ((long double) e.routed * touched), 4e-16, "added");
          compared++;
        }
  assert_true (compared > 1000);
}

/* ---- elasticities ------------------------------------------------------ */

static double
elasticity (llmenv_quantity q, llmenv_input in, const llmenv_point *p)
{
  double e;
  llmenv_reason reason;
  assert_int_equal (llmenv_elasticity (q, in, p, &e, &reason), LLMENV_OK);
  assert_int_equal (reason, LLMENV_HAS_VALUE);
  return e;
}

static void
elasticities_are_the_derivatives (void **state)
{
  (void) state;
  const llmenv_point p = point_of ("llama-3-1-8b", H100, "Convention", "published", "Context", "100", NULL);
  const double g = 4;
  NEAR (elasticity (Q (l_wall), IN (bandwidth), &p), R / (R - g), 1e-9, "wall in bandwidth");
  NEAR (elasticity (Q (l_wall), IN (kv_bytes), &p), -R / (R - g), 1e-9, "wall in KV bytes");
  NEAR (elasticity (Q (b_eq), IN (context), &p), -1, 1e-9, "b_eq in context");
  NEAR (elasticity (Q (capacity), IN (memory), &p), 80e9 / (80e9 - 2 * p.model.published.params - 1.5e9), 1e-9, "capacity in memory");
  NEAR (elasticity (Q (capacity), IN (reserve), &p), -1.5e9 / (80e9 - 2 * p.model.published.params - 1.5e9), 1e-9, "in reserve");
  /* One-sided at the end of the range. */
  NEAR (elasticity (Q (capacity), IN (utilization), &p), 80e9 / (80e9 - 2 * p.model.published.params - 1.5e9), 1e-8, "in utilization");
  const llmenv_point moe = point_of ("qwen3-30b-a3b", H100, "Batch", "16", "Context", "64", NULL);
  llmenv_envelope e;
  assert_int_equal (llmenv_point_envelope (&moe, &e), LLMENV_OK);
  const double W = llmenv_envelope_weights (&e, 16), s = e.share;
  NEAR (elasticity (Q (weight_bytes), IN (expert_ratio), &moe), e.routed * 16 * s * pow (1 - s, 15) / W, 1e-8, "W in e/E");
  NEAR (elasticity (Q (weight_bytes), IN (batch), &moe), -e.routed * 16 * log1p (-s) * pow (1 - s, 16) / W, 1e-8, "W in B");
  NEAR (elasticity (Q (weight_bytes), IN (weight_bytes), &moe), 1, 1e-10, "W in bytes, part by part");
  NEAR (elasticity (Q (b_star), IN (experts), &moe), (log (value_with (Q (b_star), moe, IN (experts), 128 * 1.001)) - log (value_with (Q (b_star), moe, IN (experts), 128 / 1.001))) / (2 * log (1.001)), 1e-5, "b_star in E");
}

static void
what_does_not_matter_is_exactly_zero (void **state)
{
  (void) state;
  static const struct { const char *model; llmenv_quantity q; llmenv_input in; } zeros[] = {
    { "llama-3-1-8b", Q (l_wall), IN (weight_bytes) }, { "llama-3-1-8b", Q (l_wall), IN (batch) },
    { "llama-3-1-8b", Q (ridge), IN (kv_bytes) }, { "llama-3-1-8b", Q (weight_bytes), IN (batch) },
    { "llama-3-1-8b", Q (throughput), IN (peak) }, { "llama-3-1-8b", Q (capacity), IN (expert_ratio) },
    { "deepseek-v3", Q (ceiling), IN (experts) }, { "deepseek-v3", Q (l_wall), IN (experts) },
    { "deepseek-v3", Q (kv_bytes), IN (expert_ratio) }, { "deepseek-v3", Q (fill), IN (expert_ratio) },
    { "gemma-3-27b", Q (ceiling), IN (memory) },
  };
  for (size_t i = 0; i < N_OF_ARRAY (zeros); i++)
    {
      const llmenv_point p = point_of (zeros[i].model, H100, "Count", "16", NULL);
      const double e = elasticity (zeros[i].q, zeros[i].in, &p);
      if (e != 0)
        print_error ("%s in %s: %g\n", llmenv_quantity_get (zeros[i].q)->name, llmenv_input_get (zeros[i].in)->name, e);
      assert_true (e == 0);
    }
}

/* E at fixed e and size: neither P nor one token's W depends on it. */
static void
arithmetic_does_not_depend_on_the_number_of_experts (void **state)
{
  (void) state;
  const llmenv_catalogue *c = shipped_catalogue ();
  int checked = 0;
  for (size_t i = 0; i < c->n_models; i++)
    {
      const llmenv_point p = with_card (c->models[i]->id, H100);
      double e;
      llmenv_reason why;
      if (!(p.model.experts > 0))
        continue;
      static const llmenv_quantity q[] = { Q (ceiling), Q (l_wall), Q (weight_bytes), Q (n_cross), Q (throughput) };
      for (size_t k = 0; k < N_OF_ARRAY (q); k++)
        {
          assert_int_equal (llmenv_elasticity (q[k], IN (experts), &p, &e, &why), LLMENV_OK);
          if (why != LLMENV_HAS_VALUE)
            continue;
          if (e != 0)
            print_error ("%s, %s: %g\n", c->models[i]->id, llmenv_quantity_get (q[k])->name, e);
          assert_true (e == 0);
          checked++;
        }
    }
  assert_true (checked > 50);
  /* Where the value is near 1, its logarithm shows every rounding. */
  for (int e = 1; e < 40; e++)
    {
      const llmenv_weight_part parts[] = { { LLMENV_ROLE_SHARED, 0.3, 1 }, { LLMENV_ROLE_ROUTED, 0.7 * 64 / e, 1 } };
      llmenv_point p = with_card ("llama-3-1-8b", H100);
      p.model.parts = parts;
      p.model.n_parts = 2;
      p.model.experts = 64;
      p.model.top = e;
      NEAR (point_value (Q (weight_bytes), &p), 1, 1e-14, "near 1");
      assert_true (elasticity (Q (weight_bytes), IN (experts), &p) == 0);
    }
}

static void
no_elasticity_has_a_reason (void **state)
{
  (void) state;
  static const struct { const char *model; llmenv_quantity q; llmenv_input in; llmenv_reason why; } cases[] = {
    { "llama-3-1-8b", Q (b_star), IN (context), LLMENV_NONE },
    { "llama-3-3-70b", Q (capacity), IN (memory), LLMENV_DOES_NOT_FIT },
    { "o3", Q (l_wall), IN (peak), LLMENV_NO_RECORD },
    { "parakeet-ctc-1-1b", Q (l_wall), IN (peak), LLMENV_NOT_APPLICABLE },
    { "jamba-1-5-large", Q (weight_bytes), IN (experts), LLMENV_NO_RECORD },
  };
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_point p = with_card (cases[i].model, H100);
      double e;
      llmenv_reason why;
      assert_int_equal (llmenv_elasticity (cases[i].q, cases[i].in, &p, &e, &why), LLMENV_OK);
      assert_true (isnan (e));
      assert_int_equal (why, cases[i].why);
    }
  double e;
  llmenv_reason why;
  const llmenv_point p = with_card ("llama-3-1-8b", H100);
  assert_int_equal (llmenv_elasticity (LLMENV_QUANTITY_COUNT, IN (peak), &p, &e, &why), LLMENV_EBADVALUE);
  llmenv_layer_group layer;
  llmenv_point chunk = chunked (&layer);
  chunk.L = 8192;              /* a jump */
  assert_int_equal (llmenv_elasticity (Q (b_eq), IN (context), &chunk, &e, &why), LLMENV_OK);
  assert_true (isnan (e));
  assert_int_equal (why, LLMENV_NOT_APPLICABLE);
}

/* A mix: its context stretches all lengths, and every quantity follows. */
static void
points_take_a_mix (void **state)
{
  (void) state;
  static const double lengths[] = { 100, 1000, 100000 }, weights[] = { 1, 1, 2 };
  llmenv_point p = with_card ("gemma-3-27b", H100);
  p.lengths = lengths;
  p.weights = weights;
  p.n_lengths = 3;
  llmenv_envelope e;
  assert_int_equal (llmenv_point_envelope (&p, &e), LLMENV_OK);
  NEAR (llmenv_point_get (&p, IN (context)), 201100 / 4.0, 1e-15, "mean");
  NEAR (point_value (Q (kv_bytes), &p), llmenv_context_mix (&e, 3, lengths, weights).K, 0, "of the mix");
  NEAR (value_with (Q (kv_bytes), p, IN (context), 201100 / 2.0), llmenv_context_mix_scaled (&e, 3, lengths, weights, 2).K, 1e-15, "stretched");
  const double B = only_root (Q (intensity), 3, IN (batch), 1, 1000, &p);
  NEAR (value_with (Q (intensity), p, IN (batch), B), 3, 1e-12, "batch");
  const double L = only_root (Q (ceiling), 50, IN (context), 10, 1e6, &p);
  NEAR (value_with (Q (ceiling), p, IN (context), L), 50, 1e-12, "mean context");
}

/* ---- threads ----------------------------------------------------------- */

typedef struct
{
  const llmenv_point *p;
  double target, first;
  int differ;
} work;

static void *
solve_many (void *argument)
{
  work *w = argument;
  for (int i = 0; i < 50; i++)
    {
      llmenv_answer a;
      llmenv_solve_report r;
      if (llmenv_solve (Q (l_wall), w->target, IN (kv_bytes), 0.28, 4, w->p, &a, 1, &r) != LLMENV_OK
          || r.n != 1)
        w->differ++;
      else if (i == 0)
        w->first = a.at;
      else
        w->differ += a.at != w->first;
    }
  return NULL;
}

static void
threads_do_not_disturb_each_other (void **state)
{
  (void) state;
  const llmenv_point p = with_card ("llama-3-1-8b", H100);
  pthread_t threads[8];
  work w[8];
  for (int i = 0; i < 8; i++)
    {
      w[i] = (work) { &p, 250 + 50 * i, NAN, 0 };
      assert_int_equal (pthread_create (&threads[i], NULL, solve_many, &w[i]), 0);
    }
  for (int i = 0; i < 8; i++)
    {
      pthread_join (threads[i], NULL);
      assert_int_equal (w[i].differ, 0);
      NEAR (w[i].first, only_root (Q (l_wall), w[i].target, IN (kv_bytes), 0.28, 4, &p), 0, "alone");
    }
}

static void
a_root_costs_tens_of_evaluations (void **state)
{
  (void) state;
  print_message ("compared %d roots: %.1f evaluations each beyond the scan, %d at most\n",
                 roots_found, (double) all_evaluations / roots_found, most_evaluations);
  assert_true (roots_found > 200);
  assert_true (all_evaluations < 20L * roots_found);
  assert_true (most_evaluations < 100);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (what_is_set_is_read_back),
    cmocka_unit_test (experts_move_as_the_spec_says),
    cmocka_unit_test (experts_of_scalars_only),
    cmocka_unit_test (values_out_of_range_are_refused),
    cmocka_unit_test (walls_meet_their_closed_form),
    cmocka_unit_test (other_closed_forms),
    cmocka_unit_test (roots_of_every_input_satisfy),
    cmocka_unit_test (halved_kv_bytes_as_the_document_says),
    cmocka_unit_test (expert_gemm_alone),
    cmocka_unit_test (ceilings_that_rise_never_fall_or_start_below),
    cmocka_unit_test (no_crossing_is_lost),
    cmocka_unit_test (named_questions_have_answers),
    cmocka_unit_test (a_jump_is_no_root),
    cmocka_unit_test (a_level_is_met_all_along),
    cmocka_unit_test (infinity_counts_as_a_sign),
    cmocka_unit_test (a_leap_to_infinity_is_a_jump),
    cmocka_unit_test (no_crossover_is_an_answer),
    cmocka_unit_test (overflow_is_no_jump),
    cmocka_unit_test (shares_lie_between_zero_and_the_limit),
    cmocka_unit_test (whole_numbers_have_both_neighbours),
    cmocka_unit_test (whole_numbers_at_the_ends_and_none),
    cmocka_unit_test (touched_weights_do_not_cancel),
    cmocka_unit_test (elasticities_are_the_derivatives),
    cmocka_unit_test (what_does_not_matter_is_exactly_zero),
    cmocka_unit_test (arithmetic_does_not_depend_on_the_number_of_experts),
    cmocka_unit_test (no_elasticity_has_a_reason),
    cmocka_unit_test (points_take_a_mix),
    cmocka_unit_test (threads_do_not_disturb_each_other),
    cmocka_unit_test (a_root_costs_tens_of_evaluations),
  };
  gsl_set_error_handler_off ();
  return cmocka_run_group_tests (tests, NULL, NULL);
}
