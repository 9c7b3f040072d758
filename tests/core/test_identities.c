/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold whatever the numbers: over all shipped models and cards, and
 * over a few thousand models put together at random. */
#include "check.h"

enum { RANDOM_MODELS = 3000, GROUPS = 6, PARTS = 5 };

static int n_checked;

/* One situation: an envelope, and a batch and a context to ask at. */
typedef struct
{
  char name[160];
  llmenv_envelope e;
  double B, L;
} scene;

typedef void (*identity) (const scene *s);

static double
at (const scene *s, const char *quantity, double B, double L)
{
  return value_of (quantity, &s->e, B, L);
}

/* ---- random models ----------------------------------------------------- */

typedef struct
{
  llmenv_layer_group layers[GROUPS];
  llmenv_weight_part parts[PARTS];
  llmenv_model model;
  llmenv_card card;
  llmenv_settings settings;
  double B, L;
} made;

static llmenv_layer_group
random_group (uint64_t *r)
{
  static const llmenv_layer_kind shareable[] = {
    LLMENV_FULL, LLMENV_WINDOW, LLMENV_CHUNK, LLMENV_LATENT, LLMENV_SPARSE_LATENT };
  llmenv_layer_group g = {
    .kind = (llmenv_layer_kind) random_whole (r, 0, LLMENV_LAYER_KIND_COUNT - 1),
    .reads = shareable[(int) random_whole (r, 0, 4)],
    .count = random_whole (r, 1, 60),
    .kv_heads = random_whole (r, 1, 16),
    .k_dim = 32 * random_whole (r, 1, 8), .v_dim = 32 * random_whole (r, 1, 8),
    .window = pow (2, random_whole (r, 4, 14)) - random_whole (r, 0, 1),
    .rank = 64 * random_whole (r, 1, 8), .rope_dim = 32 * random_whole (r, 0, 2),
    .top = random_whole (r, 64, 4096), .index_heads = random_whole (r, 1, 64),
    .index_dim = 32 * random_whole (r, 1, 4), .length = random_whole (r, 1, 3000) };
  g.q_heads = g.kv_heads * random_whole (r, 1, 16);
  if (g.kind == LLMENV_RECURRENT || random_unit (r) < 0.1)
    {
      g.state_elements = random_whole (r, 1, 2000000);
      g.conv_elements = random_whole (r, 0, 50000);
      g.state_bytes_each = random_unit (r) < 0.5 ? 2 : 4;
      g.conv_bytes_each = 2;
    }
  return g;
}

static void
random_weights (uint64_t *r, made *m)
{
  const int is_moe = random_unit (r) < 0.5;
  const llmenv_weight_role roles[PARTS] = {
    LLMENV_ROLE_SHARED, is_moe ? LLMENV_ROLE_ROUTED : LLMENV_ROLE_SHARED,
    LLMENV_ROLE_HEAD, LLMENV_ROLE_EMBEDDING, LLMENV_ROLE_TOWER };
  static const double formats[] = { 2, 1, 0.5, 34.0 / 64, 17.0 / 32 };
  for (int i = 0; i < PARTS; i++)
    m->parts[i] = (llmenv_weight_part) {
      roles[i], floor (pow (10, 7 + 4 * random_unit (r))),
      formats[(int) random_whole (r, 0, 4)] };
  m->model.experts = is_moe ? random_whole (r, 2, 512) : 0;
  m->model.top = is_moe ? random_whole (r, 1, fmin (16, m->model.experts)) : 0;
}

static void
random_settings (uint64_t *r, made *m)
{
  static const double types[] = { 2, 1, 34.0 / 32, 18.0 / 32 };
  llmenv_settings *s = &m->settings;
  *s = llmenv_settings_default (LLMENV_LAYERED);
  s->basis = (llmenv_basis) random_whole (r, 0, 3);
  s->embedding = random_unit (r) < 0.5 ? LLMENV_LOOKUP : LLMENV_STREAMED;
  s->k_bytes = types[(int) random_whole (r, 0, 3)];
  s->v_bytes = types[(int) random_whole (r, 0, 3)];
  s->count = random_whole (r, 1, 8);
  s->utilization = 0.5 + random_unit (r) / 2;
  m->card = (llmenv_card) { 1e12 * random_whole (r, 10, 2500),
                            1e9 * random_whole (r, 100, 8000),
                            1e9 * random_whole (r, 8, 300) };
  m->B = floor (pow (10, 4 * random_unit (r)));
  m->L = floor (pow (10, 6 * random_unit (r)));
}

static void
random_made (uint64_t *r, made *m)
{
  const size_t n = (size_t) random_whole (r, 1, GROUPS);
  memset (m, 0, sizeof *m);
  for (size_t i = 0; i < n; i++)
    m->layers[i] = random_group (r);
  m->model = (llmenv_model) {
    .published = { NAN, NAN, NAN, NAN }, .scalars = { NAN, NAN, NAN, NAN },
    .layers = m->layers, .n_layers = n, .parts = m->parts, .n_parts = PARTS,
    .format_bytes = 2, .kv_reason = LLMENV_HAS_VALUE };
  random_weights (r, m);
  random_settings (r, m);
}

static llmenv_envelope
envelope_of (const made *m, const llmenv_settings *s)
{
  llmenv_envelope e;
  assert_int_equal (llmenv_envelope_make (&m->model, &m->card, s, &e), LLMENV_OK);
  return e;
}

static void
over_random_models (identity check)
{
  uint64_t r = 20240607;
  for (int i = 0; i < RANDOM_MODELS; i++)
    {
      made m;
      scene s;
      random_made (&r, &m);
      snprintf (s.name, sizeof s.name, "random model %d, B %g, L %g, basis %d", i, m.B,
                m.L, (int) m.settings.basis);
      s.e = envelope_of (&m, &m.settings);
      s.B = m.B;
      s.L = m.L;
      check (&s);
      n_checked++;
    }
}

/* ---- shipped models and cards ------------------------------------------ */

static void
over_one_card (const llmenv_model_record *m, const llmenv_card_record *a,
               llmenv_options *o, identity check)
{
  static const double Bs[] = { 1, 37, 4096 }, Ls[] = { 1, 1000, 8192, 1048576 };
  const llmenv_card_numbers n = llmenv_card_numbers_get (a, o);
  scene s;
  snprintf (s.name, sizeof s.name, "%s on %s, convention %d, basis %d", m->id, a->id,
            (int) o->settings.convention, (int) o->settings.basis);
  assert_int_equal (llmenv_envelope_make (&m->model, &n.card, &o->settings, &s.e), LLMENV_OK);
  for (size_t b = 0; b < N_OF_ARRAY (Bs); b++)
    for (size_t l = 0; l < N_OF_ARRAY (Ls); l++)
      {
        s.B = Bs[b];
        s.L = Ls[l];
        check (&s);
        n_checked++;
      }
}

static void
over_shipped (llmenv_convention convention, identity check)
{
  const llmenv_catalogue *c = shipped_catalogue ();
  for (size_t m = 0; m < c->n_models; m++)
    for (size_t a = 0; a < c->n_cards; a++)
      for (int basis = LLMENV_ACTIVE; basis <= LLMENV_RESIDENT; basis++)
        {
          llmenv_options o = llmenv_options_default ();
          o.settings = llmenv_settings_default (convention);
          o.settings.basis = (llmenv_basis) basis;
          over_one_card (c->models[m], c->cards[a], &o, check);
        }
}

static void
everywhere (identity check)
{
  n_checked = 0;
  over_random_models (check);
  over_shipped (LLMENV_LAYERED, check);
  over_shipped (LLMENV_PUBLISHED, check);
  assert_true (n_checked > RANDOM_MODELS);
}

static void
where_published (identity check)
{
  n_checked = 0;
  over_shipped (LLMENV_PUBLISHED, check);
  assert_true (n_checked > 0);
}

/* ---- identities in both conventions ------------------------------------ */

/* B_eq T (L) = W (B_eq). */
static void
balance_is_met (const scene *s)
{
  const double B = at (s, "b_eq", 1, s->L), T = llmenv_envelope_sum (&s->e, LLMENV_READ, s->L);
  const double W = at (s, "weight_bytes", B, s->L);
  /* NaN only where something is silent, Inf only where nothing is read. */
  assert_int_equal (isnan (B), isnan (T) || isnan (at (s, "weight_bytes", 1, 1)));
  assert_int_equal (isinf (B), T == 0 && !isnan (B));
  if (!isfinite (B))
    return;
  NEAR (B * T, W, 1e-12, s->name);
  NEAR (at (s, "b_50", 1, s->L), B, 0, s->name);
}

static void
the_balance (void **state)
{
  (void) state;
  everywhere (balance_is_met);
}

/* A published record without P uses the total at the ridge (Grok-1): there
 * its intensity, which needs P, is no number. */
static void
star_is_at_the_ridge (const scene *s)
{
  const double B = at (s, "b_star", 1, s->L);
  if (!isfinite (B) || isnan (s->e.flops))
    return;
  NEAR (at (s, "intensity", B, s->L), s->e.ridge, 1e-10, s->name);
  /* It rises strictly in B: one more is above, a tenth less below. */
  assert_true (at (s, "intensity", B * 1.01, s->L) > s->e.ridge);
  assert_true (at (s, "intensity", B * 0.99, s->L) < s->e.ridge);
}

static void
the_ridge_batch (void **state)
{
  (void) state;
  everywhere (star_is_at_the_ridge);
}

/* B* is finite exactly where the ceiling is above the ridge. */
static void
star_exists_below_the_ceiling (const scene *s)
{
  const double star = at (s, "b_star", 1, s->L), C = at (s, "ceiling", 1, s->L);
  if (!isnan (C) && !isnan (s->e.ridge) && !isnan (at (s, "weight_bytes", 1, 1)))
    assert_int_equal (isnan (star), 0);
  if (isnan (star) || isnan (C) || is_near (C, s->e.ridge, 1e-9))
    return;
  if (isfinite (star) != (C > s->e.ridge))
    print_error ("%s: b_star %g, ceiling %g, ridge %g\n", s->name, star, C, s->e.ridge);
  assert_int_equal (isfinite (star), C > s->e.ridge);
}

static void
the_ceiling_decides (void **state)
{
  (void) state;
  everywhere (star_exists_below_the_ceiling);
}

static void
wall_is_at_the_ridge (const scene *s)
{
  llmenv_crossing list[LLMENV_MAX_CROSSINGS];
  const double wall = at (s, "l_wall", 1, 1), R = s->e.ridge;
  if (isnan (wall) || isnan (s->e.flops))
    return;
  const size_t n = llmenv_wall_crossings (&s->e, list);
  for (size_t i = 0; i < n; i++)
    {
      if (!list[i].is_jump)
        NEAR (at (s, "ceiling", 1, list[i].at), R, 1e-9, s->name);
      assert_true (i == 0 || (list[i - 1].at <= list[i].at
                              && list[i - 1].direction == -list[i].direction));
    }
  if (wall == 0)
    assert_true (at (s, "ceiling", 1, 0) < R);
  else if (isfinite (wall))
    NEAR (list[0].at, wall, 0, s->name);
  /* Before the wall the ceiling is above the ridge. */
  if (wall > 0)
    assert_true (at (s, "ceiling", 1, (isfinite (wall) ? wall : 1e9) * (1 - 1e-9)) >= R);
}

static void
the_wall (void **state)
{
  (void) state;
  everywhere (wall_is_at_the_ridge);
}

/* Held, read and arithmetic grow with the context, weights with the batch. */
static void
sums_rise (const scene *s)
{
  if (isnan (llmenv_envelope_sum (&s->e, LLMENV_HELD, 0)))
    return;
  for (int sum = 0; sum < 3; sum++)
    {
      double before = llmenv_envelope_sum (&s->e, (llmenv_sum) sum, 0);
      for (double L = 1; L < 3e6; L *= 3)
        {
          const double now = llmenv_envelope_sum (&s->e, (llmenv_sum) sum, L);
          assert_true (now >= before * (1 - 1e-15));
          before = now;
        }
    }
}

static void
batches_rise (const scene *s)
{
  double W = at (s, "weight_bytes", 1, 1), AI = 0;
  if (isnan (W) || isnan (at (s, "intensity", 1, s->L)))
    return;
  const double limit = llmenv_envelope_weights_limit (&s->e);
  for (double B = 1; B < 1e7; B *= 10)
    {
      const double W_now = at (s, "weight_bytes", B, 1), AI_now = at (s, "intensity", B, s->L);
      assert_true (W_now >= W && W_now <= limit * (1 + 1e-15));
      assert_true (AI_now >= AI);
      W = W_now;
      AI = AI_now;
    }
  /* The ceiling is the limit of the intensity. */
  const double C = at (s, "ceiling", 1, s->L);
  assert_true (!(AI > C * (1 + 1e-12)));
  if (isfinite (C))
    NEAR (at (s, "intensity", 1e30, s->L), C, 1e-9, s->name);
}

static void
what_rises (void **state)
{
  (void) state;
  everywhere (sums_rise);
  everywhere (batches_rise);
}

/* kv_context inverts kv_bytes: it holds, and a hair more does not. */
static void
context_inverts_bytes (const scene *s)
{
  const double K = at (s, "kv_bytes", 1, s->L);
  if (isnan (K))
    return;
  const double L = at (s, "kv_context", 1, K);
  assert_true (L >= s->L * (1 - 1e-12));
  if (isfinite (L))
    {
      NEAR (at (s, "kv_bytes", 1, L), K, 1e-12, s->name);
      assert_true (at (s, "kv_bytes", 1, L * (1 + 1e-9)) > K);
    }
  else
    NEAR (at (s, "kv_bytes", 1, 1e15), K, 1e-12, s->name);
}

static void
the_inverse (void **state)
{
  (void) state;
  everywhere (context_inverts_bytes);
}

/* floor (capacity) sequences fit and one more does not; so does fill. */
static void
capacity_fits (const scene *s)
{
  const llmenv_envelope *e = &s->e;
  const double room = e->memory * e->utilization - e->held - e->reserve;
  const double n = at (s, "capacity", 1, s->L), K = at (s, "kv_bytes", 1, s->L);
  if (isnan (n) || isinf (n))
    return;
  if (room <= 0)
    {
      NEAR (n, 0, 0, s->name);
      NEAR (at (s, "fill", 1, 1), 0, 0, s->name);
      return;
    }
  assert_true (floor (n) * K <= room * (1 + 1e-14));
  assert_true ((floor (n) + 1) * K > room * (1 - 1e-14));
  const double fill = at (s, "fill", 1, 1);
  if (fill > 0 && isfinite (fill))
    {
      NEAR (at (s, "kv_bytes", 1, fill), room, 1e-12, s->name);
      NEAR (at (s, "capacity", 1, fill), 1, 1e-12, s->name);
    }
}

static void
what_fits (void **state)
{
  (void) state;
  everywhere (capacity_fits);
}

/* n_cross: one sequence reads what the weights take. */
static void
cross_is_where_reads_are_equal (const scene *s)
{
  const double L = at (s, "n_cross", 1, 1);
  if (isfinite (L) && L > 0)
    NEAR (llmenv_envelope_sum (&s->e, LLMENV_READ, L), at (s, "weight_bytes", 1, 1), 1e-12, s->name);
  if (L == 0)                   /* the state alone is larger */
    assert_true (llmenv_envelope_sum (&s->e, LLMENV_READ, 0) >= at (s, "weight_bytes", 1, 1));
}

static void
the_crossing (void **state)
{
  (void) state;
  everywhere (cross_is_where_reads_are_equal);
}

/* On the memory roof tokens/s is B bw/(W + B T): half of bw/T at b_50. */
static void
half_of_the_asymptote (const scene *s)
{
  const double B = at (s, "b_50", 1, s->L);
  if (!isfinite (B) || isnan (s->e.bandwidth) || B == 0)
    return;
  const llmenv_step step = llmenv_step_at (&s->e, B, s->L);
  const double T = llmenv_envelope_sum (&s->e, LLMENV_READ, s->L);
  NEAR (B / step.memory_seconds, s->e.bandwidth / T / 2, 1e-12, s->name);
}

/* The marginal gain bw W/(W + B T)^2 halves at (sqrt 2 - 1) W/T, W fixed. */
static void
half_of_the_gain (const scene *s)
{
  const double B = at (s, "b_knee", 1, s->L);
  const double W = llmenv_envelope_weights_limit (&s->e);
  const double T = llmenv_envelope_sum (&s->e, LLMENV_READ, s->L);
  if (isfinite (B) && isfinite (W))
    NEAR (W / ((W + B * T) * (W + B * T)), 1 / W / 2, 1e-12, s->name);
}

static void
the_knees (void **state)
{
  (void) state;
  everywhere (half_of_the_asymptote);
  everywhere (half_of_the_gain);
}

/* A step's streams add up, and its time is that of throughput. */
static void
step_adds_up (const scene *s)
{
  const llmenv_step t = llmenv_step_at (&s->e, s->B, s->L);
  if (isnan (t.bytes))
    return;
  NEAR (t.weight_bytes + t.kv_bytes + t.state_bytes, t.bytes, 1e-12, s->name);
  NEAR (t.flops / t.bytes, at (s, "intensity", s->B, s->L), 1e-12, s->name);
  NEAR (s->B / at (s, "throughput", s->B, s->L), t.seconds, 1e-12, s->name);
  assert_true (isnan (t.seconds) || t.seconds >= t.memory_seconds * (1 - 1e-14));
}

static void
the_step (void **state)
{
  (void) state;
  everywhere (step_adds_up);
}

/* h (p) = 0 at n_prefill; 0 when arithmetic binds without any. */
static void
prefill_meets_the_ridge (const scene *s)
{
  const double p = at (s, "n_prefill", s->B, s->L);
  const llmenv_envelope *e = &s->e;
  if (!isfinite (p) || e->convention == LLMENV_PUBLISHED)
    return;
  const double T = llmenv_envelope_sum (e, LLMENV_READ, s->L);
  const double flops = s->B * (e->flops + llmenv_envelope_sum (e, LLMENV_FLOPS, s->L)) + e->flops * p;
  const double bytes = e->ridge * (llmenv_envelope_weights (e, s->B + p) + s->B * T);
  if (p > 0)
    NEAR (flops, bytes, 1e-9, s->name);
  else
    assert_true (flops >= bytes * (1 - 1e-12));
}

static void
the_prefill (void **state)
{
  (void) state;
  everywhere (prefill_meets_the_ridge);
}

/* ---- scaling ----------------------------------------------------------- */

/* Twice the bytes per element of everything cached. */
static void
twice_the_cache (const made *m, const char *name)
{
  llmenv_settings s = m->settings;
  s.state_bytes_each = 2;
  const llmenv_envelope one = envelope_of (m, &s);
  s.k_bytes *= 2;
  s.v_bytes *= 2;
  s.state_bytes_each *= 2;
  const llmenv_envelope two = envelope_of (m, &s);
  NEAR (value_of ("kv_bytes", &two, 1, m->L), 2 * value_of ("kv_bytes", &one, 1, m->L), 1e-14, name);
  NEAR (llmenv_envelope_sum (&two, LLMENV_READ, m->L),
        2 * llmenv_envelope_sum (&one, LLMENV_READ, m->L), 1e-14, name);
  NEAR (llmenv_envelope_sum (&two, LLMENV_FLOPS, m->L),
        llmenv_envelope_sum (&one, LLMENV_FLOPS, m->L), 0, name);
  NEAR (value_of ("ceiling", &two, 1, m->L), value_of ("ceiling", &one, 1, m->L) / 2, 1e-14, name);
}

/* Twice the bytes per weight: W doubles, the FLOPs stay. */
static void
twice_the_weights (const made *m, const char *name)
{
  llmenv_settings s = m->settings;
  s.weight_bytes_each = 1;
  const llmenv_envelope one = envelope_of (m, &s);
  s.weight_bytes_each = 2;
  const llmenv_envelope two = envelope_of (m, &s);
  NEAR (value_of ("weight_bytes", &two, m->B, 1), 2 * value_of ("weight_bytes", &one, m->B, 1), 1e-15, name);
  NEAR (two.held, 2 * one.held, 1e-15, name);
  NEAR (two.flops, one.flops, 0, name);
  NEAR (value_of ("l_wall", &two, 1, 1), value_of ("l_wall", &one, 1, 1), 0, name);
  NEAR (value_of ("b_knee", &two, 1, m->L), 2 * value_of ("b_knee", &one, 1, m->L), 1e-14, name);
}

/* Two cards for one: R stays, time halves, room grows by a card. */
static void
twice_the_cards (const made *m, const char *name)
{
  llmenv_settings s = m->settings;
  s.count = 1;
  const llmenv_envelope one = envelope_of (m, &s);
  s.count = 2;
  const llmenv_envelope two = envelope_of (m, &s);
  NEAR (two.ridge, one.ridge, 1e-15, name);
  NEAR (value_of ("throughput", &two, m->B, m->L), 2 * value_of ("throughput", &one, m->B, m->L), 1e-13, name);
  NEAR (two.memory * two.utilization - two.held - two.reserve,
        one.memory * one.utilization - one.held - one.reserve + one.memory * one.utilization, 1e-9, name);
  NEAR (value_of ("b_star", &two, 1, m->L), value_of ("b_star", &one, 1, m->L), 1e-10, name);
}

/* Twice the layers of each group: every sum doubles. */
static void
twice_the_layers (const made *m, const char *name)
{
  made doubled = *m;
  doubled.model.layers = doubled.layers;
  doubled.model.parts = doubled.parts;
  for (size_t i = 0; i < m->model.n_layers; i++)
    doubled.layers[i].count *= 2;
  const llmenv_envelope one = envelope_of (m, &m->settings), two = envelope_of (&doubled, &m->settings);
  for (int sum = 0; sum < 3; sum++)
    NEAR (llmenv_envelope_sum (&two, (llmenv_sum) sum, m->L),
          2 * llmenv_envelope_sum (&one, (llmenv_sum) sum, m->L), 1e-14, name);
}

/* Sum of the parts: each group alone. */
static void
sum_of_the_groups (const made *m, const char *name)
{
  const llmenv_envelope all = envelope_of (m, &m->settings);
  double want[3] = { 0, 0, 0 };
  for (size_t i = 0; i < m->model.n_layers; i++)
    {
      made one = *m;
      one.model.layers = &m->layers[i];
      one.model.n_layers = 1;
      one.model.parts = one.parts;
      const llmenv_envelope e = envelope_of (&one, &m->settings);
      for (int sum = 0; sum < 3; sum++)
        want[sum] += llmenv_envelope_sum (&e, (llmenv_sum) sum, m->L);
    }
  for (int sum = 0; sum < 3; sum++)
    NEAR (llmenv_envelope_sum (&all, (llmenv_sum) sum, m->L), want[sum], 1e-14, name);
}

/* Held by all parts; streamed at B = inf by those that are streamed. */
static void
sum_of_the_weights (const made *m, const char *name)
{
  double held = 0, streamed = 0;
  for (int i = 0; i < PARTS; i++)
    {
      const double bytes = m->parts[i].params * m->parts[i].bytes_each;
      held += bytes;
      if (m->parts[i].role != LLMENV_ROLE_TOWER
          && (m->parts[i].role != LLMENV_ROLE_EMBEDDING
              || m->settings.embedding == LLMENV_STREAMED))
        streamed += bytes;
    }
  llmenv_settings s = m->settings;
  s.basis = LLMENV_RESIDENT;
  const llmenv_envelope resident = envelope_of (m, &s);
  NEAR (resident.held, held, 1e-14, name);
  NEAR (value_of ("weight_bytes", &resident, 1, 1), streamed, 1e-14, name);
  s.basis = LLMENV_TOUCHED;
  const llmenv_envelope touched = envelope_of (m, &s);
  NEAR (llmenv_envelope_weights_limit (&touched), streamed, 1e-14, name);
  s.basis = LLMENV_ACTIVE;
  const llmenv_envelope active = envelope_of (m, &s);
  NEAR (value_of ("weight_bytes", &active, 9, 1), value_of ("weight_bytes", &touched, 1, 1), 1e-14, name);
}

static void
scaling_and_sums (void **state)
{
  static void (*const checks[]) (const made *, const char *) = {
    twice_the_cache, twice_the_weights, twice_the_cards, twice_the_layers,
    sum_of_the_groups, sum_of_the_weights };
  uint64_t r = 77;
  (void) state;
  for (int i = 0; i < RANDOM_MODELS; i++)
    {
      made m;
      char name[40];
      random_made (&r, &m);
      snprintf (name, sizeof name, "random model %d", i);
      for (size_t k = 0; k < N_OF_ARRAY (checks); k++)
        checks[k] (&m, name);
    }
}

/* ---- published --------------------------------------------------------- */

static void
cross_is_r_times_star (const scene *s)
{
  const double cross = at (s, "n_cross", 1, 1), star = at (s, "n_star", 1, 1);
  /* n_cross is of batch 1, n_star of the basis: equal where W is one number. */
  if (isfinite (cross) && isfinite (star) && s->e.basis == LLMENV_ACTIVE)
    NEAR (cross, s->e.ridge * star, 1e-14, s->name);
}

/* B* = R/(1 - L/L_wall) while W = 2P: k and g only enter by the wall. */
static void
star_follows_from_the_wall (const scene *s)
{
  const double wall = at (s, "l_wall", 1, 1), star = at (s, "b_star", 1, s->L);
  if (isfinite (wall) && isfinite (star) && s->e.basis == LLMENV_ACTIVE)
    NEAR (star, s->e.ridge / (1 - s->L / wall), 1e-9, s->name);
}

static void
identities_of_the_documents (void **state)
{
  (void) state;
  where_published (cross_is_r_times_star);
  where_published (star_follows_from_the_wall);
}

static void
fill_over_n_star_has_no_k (void **state)
{
  static const double types[] = { 2, 1, 34.0 / 32, 18.0 / 32 };
  const llmenv_catalogue *c = shipped_catalogue ();
  int n = 0;
  (void) state;
  for (size_t m = 0; m < c->n_models; m++)
    {
      double first = NAN;
      for (size_t t = 0; t < N_OF_ARRAY (types); t++)
        {
          llmenv_settings s = llmenv_settings_default (LLMENV_PUBLISHED);
          const llmenv_card card = { 165.2e12, 1008e9, 2000e9 };
          llmenv_envelope e;
          s.k_bytes = s.v_bytes = types[t];
          assert_int_equal (llmenv_envelope_make (&c->models[m]->model, &card, &s, &e), LLMENV_OK);
          const double ratio = value_of ("fill", &e, 1, 1) / value_of ("n_star", &e, 1, 1);
          if (!isfinite (ratio) || ratio == 0)
            continue;
          NEAR (ratio, (2000e9 - e.held - 1.5e9) / llmenv_envelope_weights_limit (&e) * e.ridge,
                1e-13, c->models[m]->id);
          if (t > 0)
            NEAR (ratio, first, 1e-13, c->models[m]->id);
          first = ratio;
          n++;
        }
    }
  assert_true (n > 100);
}

/* ---- published = layered ----------------------------------------------- */

/* For a plain model with equal inputs and the embedding streamed. n_prefill
 * agrees at B = 0, L = 0; n_star is defined otherwise; throughput where memory
 * binds, the only roof that `published` has. */
static void
conventions_agree (const llmenv_model *m, const char *name)
{
  static const char *const same[] = {
    "ridge", "weight_bytes", "kv_bytes", "b_eq", "b_star", "l_wall", "ceiling",
    "intensity", "n_cross", "fill", "capacity", "b_50", "b_knee" };
  static const double Bs[] = { 1, 10, 1000 }, Ls[] = { 1, 50, 1000, 131072 };
  const llmenv_card card = { 989.5e12, 3350e9, 80e9 };
  llmenv_settings s = llmenv_settings_default (LLMENV_PUBLISHED);
  llmenv_envelope p, l;
  assert_int_equal (llmenv_envelope_make (m, &card, &s, &p), LLMENV_OK);
  s = llmenv_settings_default (LLMENV_LAYERED);
  s.embedding = LLMENV_STREAMED;
  s.weight_bytes_each = 2;
  assert_int_equal (llmenv_envelope_make (m, &card, &s, &l), LLMENV_OK);
  for (size_t b = 0; b < N_OF_ARRAY (Bs); b++)
    for (size_t c = 0; c < N_OF_ARRAY (Ls); c++)
      {
        for (size_t q = 0; q < N_OF_ARRAY (same); q++)
          NEAR (value_of (same[q], &l, Bs[b], Ls[c]), value_of (same[q], &p, Bs[b], Ls[c]),
                1e-12, name);
        const double bytes = 1e6 * Bs[b] * Ls[c];
        NEAR (value_of ("kv_context", &l, 1, bytes), value_of ("kv_context", &p, 1, bytes), 1e-12, name);
        const llmenv_step t = llmenv_step_at (&l, Bs[b], Ls[c]);
        if (t.memory_seconds >= t.compute_seconds)
          NEAR (t.tokens_per_second, value_of ("throughput", &p, Bs[b], Ls[c]), 1e-12, name);
      }
  NEAR (value_of ("n_prefill", &l, 0, 0), value_of ("n_prefill", &p, 0, 0), 1e-12, name);
}

/* Put what the layers and parts give into the scalars. */
static int
equal_inputs (llmenv_model *m)
{
  double P = 0, k = 0;
  const double g = m->n_layers > 0 ? m->layers[0].q_heads / m->layers[0].kv_heads : NAN;
  for (size_t i = 0; i < m->n_parts; i++)
    {
      P += m->parts[i].params;
      if (m->parts[i].role != LLMENV_ROLE_SHARED && m->parts[i].role != LLMENV_ROLE_HEAD
          && m->parts[i].role != LLMENV_ROLE_EMBEDDING)
        return 0;
    }
  for (size_t i = 0; i < m->n_layers; i++)
    {
      const llmenv_layer_group *l = &m->layers[i];
      if (l->kind != LLMENV_FULL || l->state_elements != 0
          || !is_near (l->q_heads / l->kv_heads, g, 1e-15))
        return 0;
      k += l->count * l->kv_heads * (l->k_dim + l->v_dim) * 2;
    }
  m->published = (llmenv_scalars) { P, P, k, g };
  return P > 0 && k > 0;
}

static void
published_is_layered_for_plain_models (void **state)
{
  const llmenv_catalogue *c = shipped_catalogue ();
  int n = 0;
  (void) state;
  for (size_t i = 0; i < c->n_models; i++)
    {
      llmenv_model m = c->models[i]->model;
      if (!equal_inputs (&m))
        continue;
      conventions_agree (&m, c->models[i]->id);
      n++;
    }
  print_message ("%d shipped models are plain\n", n);
  assert_true (n >= 15);
}

static void
published_is_layered_for_random_plain_models (void **state)
{
  uint64_t r = 4242;
  (void) state;
  for (int i = 0; i < RANDOM_MODELS; i++)
    {
      made m;
      random_made (&r, &m);
      const double g = random_whole (&r, 1, 16);
      for (size_t k = 0; k < m.model.n_layers; k++)
        {
          m.layers[k].kind = LLMENV_FULL;
          m.layers[k].q_heads = g * m.layers[k].kv_heads;
          m.layers[k].v_dim = m.layers[k].k_dim;
          m.layers[k].state_elements = m.layers[k].conv_elements = 0;
        }
      for (int k = 0; k < PARTS; k++)
        m.parts[k].role = k == 0 ? LLMENV_ROLE_EMBEDDING : LLMENV_ROLE_SHARED;
      m.model.experts = m.model.top = 0;
      assert_true (equal_inputs (&m.model));
      conventions_agree (&m.model, "random plain model");
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_balance),
    cmocka_unit_test (the_ridge_batch),
    cmocka_unit_test (the_ceiling_decides),
    cmocka_unit_test (the_wall),
    cmocka_unit_test (what_rises),
    cmocka_unit_test (the_inverse),
    cmocka_unit_test (what_fits),
    cmocka_unit_test (the_crossing),
    cmocka_unit_test (the_knees),
    cmocka_unit_test (the_step),
    cmocka_unit_test (the_prefill),
    cmocka_unit_test (scaling_and_sums),
    cmocka_unit_test (identities_of_the_documents),
    cmocka_unit_test (fill_over_n_star_has_no_k),
    cmocka_unit_test (published_is_layered_for_plain_models),
    cmocka_unit_test (published_is_layered_for_random_plain_models),
  };
  use_shipped_data ();
  return cmocka_run_group_tests (tests, NULL, NULL);
}
