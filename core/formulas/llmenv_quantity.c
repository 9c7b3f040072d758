/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_quantity.h"

#include <math.h>
#include <strings.h>

#include "llmenv_engine.h"
#include "llmenv_root.h"

llmenv_at_batch
llmenv_batch_at (const llmenv_envelope *e, double B)
{
  return (llmenv_at_batch) { B, llmenv_envelope_weights (e, B) };
}

/* Engines count whole tokens, exact in a double up to here. */
static const double MOST_TOKENS = 9007199254740992.0;

/* K (L), or what the engine allocates for L tokens of all its slots. */
static double
held_at (const llmenv_envelope *e, double L)
{
  llmenv_engine_bytes bytes;
  if (e->engine_model == NULL || !(L >= 0) || L > MOST_TOKENS)
    return llmenv_envelope_sum (e, LLMENV_HELD, L);
  return llmenv_engine_kv_bytes (e->engine_model, &e->engine_settings,
                                 &e->engine_settings.engine, L, &bytes)
         == LLMENV_OK ? bytes.total_bytes : NAN;
}

llmenv_at_context
llmenv_context_at (const llmenv_envelope *e, double L)
{
  return (llmenv_at_context) { L, held_at (e, L),
                               llmenv_envelope_sum (e, LLMENV_READ, L),
                               llmenv_envelope_sum (e, LLMENV_FLOPS, L), L, 0 };
}

/* ---- helpers of the formulas ------------------------------------------- */

/* Largest L at which SUM is at most LIMIT; Inf if it never exceeds it, NaN
 * where either is unknown, and -1 if it is larger already at L = 0. */
static double
inverse_sum (const llmenv_envelope *e, llmenv_sum sum, double limit)
{
  if (isnan (limit) || isnan (e->piece[0].constant[sum])
      || isnan (e->piece[0].slope[sum]))
    return NAN;
  double largest = -1;
  for (int i = 0; i < e->n_pieces; i++)
    {
      const llmenv_piece *p = &e->piece[i];
      const double lo = i == 0 ? 0 : p->end;
      const double hi = i + 1 < e->n_pieces ? p[1].end : INFINITY;
      const double constant = p->constant[sum], slope = p->slope[sum];
      const double L = slope > 0 ? (limit - constant) / slope
                       : constant <= limit ? INFINITY : -1;
      if (L >= lo)
        largest = fmin (L, hi);
    }
  return largest;
}

/* 0 for what is negative; NaN stays NaN, unlike with fmax. */
static double
not_negative (double x)
{
  return x < 0 ? 0 : x;
}

static double
free_memory (const llmenv_envelope *e)
{
  return e->memory * e->utilization - e->held - e->reserve;
}

/* W and 2P for b_star and l_wall: the total where `published` has no P. */
static double
wall_weights (const llmenv_envelope *e, double B)
{
  return isnan (e->wall_weights) ? llmenv_envelope_weights (e, B)
                                 : e->wall_weights;
}

/* Root in B of  B gain = cost W (B), where W grows from `always` to its limit:
 * a closed form where W is constant, else a root between the two extremes. */
typedef struct
{
  const llmenv_envelope *e;
  double gain, cost;
} balance;

static double
balance_at (double B, const void *p)
{
  const balance *b = p;
  return B * b->gain - b->cost * llmenv_envelope_weights (b->e, B);
}

static double
batch_in_balance (const llmenv_envelope *e, double gain, double cost)
{
  const balance b = { e, gain, cost };
  if (isnan (gain) || isnan (cost))
    return NAN;
  if (!(gain > 0))
    return INFINITY;
  if (!isnan (e->wall_weights) || e->basis != LLMENV_TOUCHED || e->routed == 0)
    return cost * wall_weights (e, 1) / gain;
  if (isnan (e->routed) || isnan (e->always) || isnan (e->share))
    return NAN;
  llmenv_root root;
  /* A hair wider than the extremes, so that rounding cannot lose the root. */
  double lo = cost * e->always / gain * (1 - 1e-15);
  const double hi = cost * (e->always + e->routed) / gain * (1 + 1e-15);
  if (e->always == 0)
    {
      /* B = 0 balances, but is the answer only if the gain wins from there on. */
      lo = 1e-12 * hi;
      if (balance_at (lo, &b) >= 0)
        return 0;
    }
  /* A gain too small for the root to be a number: no finite answer. */
  if (!isfinite (hi))
    return INFINITY;
  return llmenv_root_find (balance_at, &b, lo, hi, &root) == LLMENV_OK
         ? root.root : NAN;
}

/* ---- the quantities ----------------------------------------------------
 * One function each, of the envelope and of the two axes. */

#define QUANTITY(name)                                                        \
  static inline double                                                        \
  name (const llmenv_envelope *e, llmenv_at_batch b, llmenv_at_context c)
#define UNUSED (void) e, (void) b, (void) c

QUANTITY (ridge)
{
  UNUSED;
  return e->ridge;
}

QUANTITY (weight_bytes)
{
  UNUSED;
  return b.W;
}

QUANTITY (kv_bytes)
{
  UNUSED;
  return c.K;
}

/* Largest L that BYTES hold: of the sums, or whole, as the engine counts. */
static double
context_in (const llmenv_envelope *e, double bytes)
{
  double tokens;
  if (e->engine_model == NULL || isnan (bytes))
    return not_negative (inverse_sum (e, LLMENV_HELD, bytes));
  return llmenv_engine_context (e->engine_model, &e->engine_settings,
                                &e->engine_settings.engine, bytes, &tokens)
         == LLMENV_OK ? tokens : NAN;
}

QUANTITY (kv_context)          /* c.L holds bytes */
{
  UNUSED;
  return context_in (e, c.L);
}

QUANTITY (b_eq)
{
  UNUSED;
  /* A published record without P has no W, whatever the wall uses. */
  return isnan (e->always) ? NAN : batch_in_balance (e, c.T, 1);
}

QUANTITY (b_star)
{
  UNUSED;
  return batch_in_balance (e, e->wall_flops + c.A - e->ridge * c.T, e->ridge);
}

QUANTITY (l_wall)
{
  UNUSED;
  llmenv_crossing crossings[LLMENV_MAX_CROSSINGS];
  const llmenv_piece *p = e->piece;
  if (isnan (e->wall_flops) || isnan (e->ridge) || isnan (p->constant[LLMENV_READ])
      || isnan (p->slope[LLMENV_READ]) || isnan (p->slope[LLMENV_FLOPS]))
    return NAN;
  if (e->wall_flops + p->constant[LLMENV_FLOPS]
      - e->ridge * p->constant[LLMENV_READ] < 0)
    return 0;
  const size_t n = llmenv_wall_crossings (e, crossings);
  for (size_t i = 0; i < n; i++)
    if (crossings[i].direction < 0)
      return crossings[i].at;
  return INFINITY;
}

QUANTITY (ceiling)
{
  UNUSED;
  const llmenv_piece *last = &e->piece[e->n_pieces - 1];
  if (isinf (c.L) && last->slope[LLMENV_READ] > 0)
    return last->slope[LLMENV_FLOPS] / last->slope[LLMENV_READ];
  return (e->flops + c.A) / c.T;
}

QUANTITY (intensity)
{
  UNUSED;
  /* Divided through by B, so that a grid costs an add and a divide. */
  return (e->flops + c.A) / (b.W / b.B + c.T);
}

QUANTITY (throughput)
{
  UNUSED;
  const double memory = (b.W + b.B * c.T) / e->bandwidth;
  if (e->convention == LLMENV_PUBLISHED)  /* the memory roof alone */
    return b.B / (memory + e->overhead);
  const double compute = b.B * (e->flops + c.A) / e->peak;
  /* A NaN in either must not be hidden by the other, as fmax would. */
  return b.B / ((memory > compute || isnan (memory) ? memory : compute)
                + e->overhead);
}

QUANTITY (n_star)
{
  UNUSED;
  return e->convention == LLMENV_PUBLISHED
         ? llmenv_envelope_weights_limit (e)
           / (e->ridge * e->piece[0].slope[LLMENV_READ])
         : l_wall (e, b, c);
}

QUANTITY (n_cross)
{
  UNUSED;
  return not_negative (inverse_sum (e, LLMENV_READ,
                                    llmenv_envelope_weights (e, 1)));
}

QUANTITY (fill)
{
  UNUSED;
  return context_in (e, free_memory (e));
}

/* Sequences of L tokens that an engine holds in BYTES, whole. */
static double
sequences_in (const llmenv_envelope *e, double L, double bytes)
{
  double sequences;
  return llmenv_engine_sequences (e->engine_model, &e->engine_settings,
                                  &e->engine_settings.engine, L, bytes, &sequences)
         == LLMENV_OK ? sequences : NAN;
}

/* Bytes of an engine's pool that are no sequence's: those of two empty slots grow
 * by one slot's, those of one have the rest (SGLang's spare copy of the state). */
static double
spare_in_pool (const llmenv_envelope *e)
{
  llmenv_engine_bytes bytes[2];
  for (int slots = 1; slots <= 2; slots++)
    {
      llmenv_engine_settings own = e->engine_settings.engine;
      own.slots = slots;
      if (llmenv_engine_kv_bytes (e->engine_model, &e->engine_settings, &own, 0,
                                  &bytes[slots - 1]) != LLMENV_OK)
        return NAN;
    }
  return 2 * bytes[0].total_bytes - bytes[1].total_bytes;
}

/* Largest whole B of which  B each + spare  fits. */
static double
sequences_of (const llmenv_envelope *e, double each, double room)
{
  const double spare = spare_in_pool (e);
  double B = not_negative (floor ((room - spare) / each));
  if (B > 0 && B * each + spare > room)
    B--;
  else if ((B + 1) * each + spare <= room)
    B++;
  return B;
}

QUANTITY (capacity)
{
  UNUSED;
  const double room = free_memory (e);
  if (isnan (room) || isnan (c.K))
    return NAN;
  if (!(room > 0))
    return 0;
  if (e->engine_model == NULL || c.slot > MOST_TOKENS)
    return room / c.K;
  return c.each > 0 ? sequences_of (e, c.each, room) : sequences_in (e, c.slot, room);
}

QUANTITY (b_50)
{
  return b_eq (e, b, c);
}

QUANTITY (b_knee)
{
  UNUSED;
  return (M_SQRT2 - 1) * llmenv_envelope_weights_limit (e) / c.T;
}

/* Prefill of p tokens:  h (p) = B (2P + A) + 2P p - R (W (B + p) + B T)  is
 * convex in p, positive where arithmetic binds. */
typedef struct
{
  const llmenv_envelope *e;
  double B, constant;          /* B (2P + A - R T) */
} prefill;

static double
prefill_at (double p, const void *context)
{
  const prefill *f = context;
  return f->constant + f->e->flops * p
         - f->e->ridge * llmenv_envelope_weights (f->e, f->B + p);
}

/* p at which h is smallest:  2P = R W'(B + p),
 * W'(x) = X (-ln (1 - e/E)) (1 - e/E)^x. */
static double
prefill_lowest (const prefill *f)
{
  const llmenv_envelope *e = f->e;
  if (e->basis != LLMENV_TOUCHED || e->routed == 0 || e->share == 1)
    return 0;
  const double decay = -log1p (-e->share);
  return fmax (0, log (e->ridge * e->routed * decay / e->flops) / decay - f->B);
}

/* Root of h right of LO, where h (LO) <= 0: W is at most its limit, so h is
 * positive at the root for that limit. */
static double
prefill_root (const prefill *f, double lo)
{
  const llmenv_envelope *e = f->e;
  const double hi
    = (e->ridge * llmenv_envelope_weights_limit (e) - f->constant) / e->flops;
  llmenv_root root;
  if (e->routed == 0 || e->basis != LLMENV_TOUCHED)
    return hi;                 /* W constant: the closed form */
  return llmenv_root_find (prefill_at, f, lo, fmax (lo, hi * (1 + 1e-15)), &root)
         == LLMENV_OK ? root.root : NAN;
}

static prefill
prefill_of (const llmenv_envelope *e, double B, const llmenv_at_context *c)
{
  const double constant = B == 0 ? 0 * c->T
                          : B * (e->flops + c->A - e->ridge * c->T);
  return (prefill) { e, B, constant };
}

QUANTITY (n_prefill)
{
  if (e->convention == LLMENV_PUBLISHED)
    return e->ridge * e->weight_bytes_each / 2;
  const prefill f = prefill_of (e, b.B, &c);
  const double h = prefill_at (0, &f);
  return isnan (h) ? NAN : h >= 0 ? 0 : prefill_root (&f, 0);
}

void
llmenv_prefill_interval (const llmenv_envelope *e, double B, double L,
                         double *lo, double *hi)
{
  const llmenv_at_context c = llmenv_context_at (e, L);
  llmenv_prefill_interval_at (e, B, &c, lo, hi);
}

void
llmenv_prefill_interval_at (const llmenv_envelope *e, double B,
                            const llmenv_at_context *c, double *lo, double *hi)
{
  const prefill f = prefill_of (e, B, c);
  *lo = *hi = NAN;
  if (e->convention == LLMENV_PUBLISHED || !(prefill_at (0, &f) >= 0))
    return;
  const double lowest = prefill_lowest (&f);
  if (!(lowest > 0) || !(prefill_at (lowest, &f) < 0))
    return;
  llmenv_root left;
  if (llmenv_root_find (prefill_at, &f, 0, lowest, &left) != LLMENV_OK)
    return;
  *lo = left.root;
  *hi = prefill_root (&f, lowest);
}

/* ---- crossings of the ceiling with the ridge --------------------------- */

static void
add_crossing (llmenv_crossing *list, size_t *n, double at, double before,
              double after, int is_jump)
{
  if ((before >= 0) == (after >= 0) || *n == LLMENV_MAX_CROSSINGS)
    return;
  list[(*n)++] = (llmenv_crossing) { at, after < 0 ? -1 : 1, is_jump };
}

size_t
llmenv_wall_crossings (const llmenv_envelope *e, llmenv_crossing crossings[])
{
  size_t n = 0;
  double before = 0;           /* 2P + A - R T at the end of the last piece */
  for (int i = 0; i < e->n_pieces; i++)
    {
      const llmenv_piece *p = &e->piece[i];
      const double constant = e->wall_flops + p->constant[LLMENV_FLOPS]
                              - e->ridge * p->constant[LLMENV_READ];
      const double slope = p->slope[LLMENV_FLOPS] - e->ridge * p->slope[LLMENV_READ];
      const double lo = i == 0 ? 0 : p->end;
      const double hi = i + 1 < e->n_pieces ? p[1].end : INFINITY;
      const double at_lo = constant + slope * lo;
      const double at_hi = slope == 0 ? constant : constant + slope * hi;
      if (i > 0)
        add_crossing (crossings, &n, lo, before, at_lo, 1);
      add_crossing (crossings, &n, -constant / slope, at_lo, at_hi, 0);
      before = at_hi;
    }
  return n;
}

/* ---- one decode step --------------------------------------------------- */

const char *
llmenv_limit_word (llmenv_limit limit)
{
  static const char *const words[] = {
#define X(symbol, word) word,
    LLMENV_LIMITS (X)
#undef X
  };
  return (unsigned) limit < LLMENV_LIMIT_COUNT ? words[limit] : "unknown";
}

static llmenv_limit
limit_of (const llmenv_step *s)
{
  if (isnan (s->seconds))
    return LLMENV_LIMIT_UNKNOWN;
  if (s->compute_seconds > s->memory_seconds)
    return LLMENV_LIMIT_COMPUTE;
  if (s->weight_bytes >= s->kv_bytes && s->weight_bytes >= s->state_bytes)
    return LLMENV_LIMIT_WEIGHTS;
  return s->kv_bytes >= s->state_bytes ? LLMENV_LIMIT_KV : LLMENV_LIMIT_STATE;
}

llmenv_step
llmenv_step_at (const llmenv_envelope *e, double B, double L)
{
  return llmenv_step_of (e, B, llmenv_context_at (e, L));
}

llmenv_step
llmenv_step_of (const llmenv_envelope *e, double B, llmenv_at_context c)
{
  const llmenv_at_batch b = llmenv_batch_at (e, B);
  const double read = B * c.T, state = e->piece[0].constant[LLMENV_READ];
  llmenv_step s = { .flops = B * (e->flops + c.A) };
  s.weight_bytes = b.W;
  s.state_bytes = B * state;
  s.kv_bytes = isinf (read) ? B * (c.T - state) : read - s.state_bytes;
  s.bytes = b.W + read;
  s.intensity = llmenv_quantity_settle (LLMENV_Q_intensity, e, B, &c, s.flops / s.bytes);
  s.compute_seconds = s.flops / e->peak;
  s.memory_seconds = s.bytes / e->bandwidth;
  s.tokens_per_second
    = llmenv_quantity_settle (LLMENV_Q_throughput, e, B, &c, throughput (e, b, c));
  s.tokens_per_second_each = s.tokens_per_second / B;
  s.seconds = B / s.tokens_per_second;
  s.limit = limit_of (&s);
  return s;
}

/* ---- registry, single values and runs ---------------------------------- */

static const llmenv_quantity_info infos[] = {
#define X(name, takes, unit, inf, title, formula)                             \
  { #name, unit, inf, title, formula, takes },
  LLMENV_QUANTITIES (X)
#undef X
};

const llmenv_quantity_info *
llmenv_quantity_get (llmenv_quantity q)
{
  return (unsigned) q < LLMENV_QUANTITY_COUNT ? &infos[q] : NULL;
}

int
llmenv_quantity_find (const char *name)
{
  for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
    if (strcasecmp (infos[q].name, name) == 0)
      return q;
  return -1;
}

/* Infinite arguments: formulas end in Inf - Inf or Inf/Inf there, while their
 * limits are those of large numbers.  No finite answer is as large as HUGE_ANSWER
 * or as small as its inverse, and products of two LLMENV_LARGE ones stay finite. */
static const double HUGE_ANSWER = 1e100;

static double
limit_at (llmenv_quantity q, const llmenv_envelope *e, double B,
          const llmenv_at_context *c)
{
  const llmenv_at_batch b = llmenv_batch_at (e, B > LLMENV_LARGE ? LLMENV_LARGE : B);
  const llmenv_at_context far = c->L > LLMENV_LARGE ? llmenv_context_at (e, LLMENV_LARGE) : *c;
  double x;
  llmenv_quantity_run (q, e, 1, &b, 0, &far, 0, &x);
  return x > HUGE_ANSWER ? INFINITY : x < 1 / HUGE_ANSWER ? 0 : x;
}

double
llmenv_quantity_value (llmenv_quantity q, const llmenv_envelope *e, double B,
                       double L)
{
  const llmenv_at_context c = llmenv_context_at (e, L);
  return llmenv_quantity_at (q, e, B, &c);
}

double
llmenv_quantity_at (llmenv_quantity q, const llmenv_envelope *e, double B,
                    const llmenv_at_context *c)
{
  if (isinf (B) || isinf (c->L))
    return limit_at (q, e, B, c);
  const llmenv_at_batch b = llmenv_batch_at (e, B);
  double out;
  llmenv_quantity_run (q, e, 1, &b, 0, c, 0, &out);
  return llmenv_quantity_settle (q, e, B, c, out);
}

double
llmenv_quantity_settle (llmenv_quantity q, const llmenv_envelope *e, double B,
                        const llmenv_at_context *c, double value)
{
  return !(B > LLMENV_LARGE || c->L > LLMENV_LARGE) || (isfinite (value) && value != 0)
         ? value : limit_at (q, e, B, c);
}

/* The same formula in the four ways that two axes can advance; with a constant
 * step the compiler hoists what does not change out of the loop. */
#define LOOP(name, bi, li)                                                    \
  for (size_t i = 0; i < n; i++)                                              \
    out[i] = name (e, B[bi], L[li])
#define X(name, takes, unit, inf, title, formula)                             \
  static void                                                                 \
  run_##name (const llmenv_envelope *e, size_t n, const llmenv_at_batch *B,   \
              size_t b_step, const llmenv_at_context *L, size_t l_step,       \
              double *restrict out)                                           \
  {                                                                           \
    if (b_step && l_step)                                                     \
      LOOP (name, i, i);                                                      \
    else if (b_step)                                                          \
      LOOP (name, i, 0);                                                      \
    else if (l_step)                                                          \
      LOOP (name, 0, i);                                                      \
    else                                                                      \
      {                                                                       \
        const double value = n > 0 ? name (e, *B, *L) : 0;                    \
        for (size_t i = 0; i < n; i++)                                        \
          out[i] = value;                                                     \
      }                                                                       \
  }
LLMENV_QUANTITIES (X)
#undef X

void
llmenv_quantity_run (llmenv_quantity q, const llmenv_envelope *e, size_t n,
                     const llmenv_at_batch *B, size_t b_step,
                     const llmenv_at_context *L, size_t l_step, double *out)
{
  static void (*const runs[]) (const llmenv_envelope *, size_t,
                               const llmenv_at_batch *, size_t,
                               const llmenv_at_context *, size_t,
                               double *restrict) = {
#define X(name, takes, unit, inf, title, formula) run_##name,
    LLMENV_QUANTITIES (X)
#undef X
  };
  runs[q] (e, n, B, b_step, L, l_step, out);
}

llmenv_reason
llmenv_quantity_reason (llmenv_quantity q, const llmenv_envelope *e,
                        double value)
{
  const char *word = infos[q].inf_word;
  if (isnan (value))
    return e->kv_reason == LLMENV_NOT_APPLICABLE
           && !(infos[q].takes & LLMENV_NO_MODEL) && q != LLMENV_Q_weight_bytes
           ? LLMENV_NOT_APPLICABLE : LLMENV_NO_RECORD;
  if (isinf (value))
    for (int r = LLMENV_NONE; r < LLMENV_NO_RECORD; r++)
      if (strcasecmp (word, llmenv_reason_word (r)) == 0)
        return r;
  if (value == 0 && (q == LLMENV_Q_fill || q == LLMENV_Q_capacity))
    return LLMENV_DOES_NOT_FIT;
  return LLMENV_HAS_VALUE;
}
