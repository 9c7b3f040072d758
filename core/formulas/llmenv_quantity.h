/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every quantity of spec section 3, each defined once.
 *
 * Symbols: B sequences, L tokens of context each, W (B) weight bytes streamed,
 * K (L) bytes held, T (L) bytes read and A (L) attention FLOP per sequence,
 * P parameters active per token, R the ridge of the card, FLOP/byte.
 * Source of the formulas: documents 000 and 003; spec sections 2 and 3. */
#ifndef LLMENV_QUANTITY_H
#define LLMENV_QUANTITY_H

#include <stddef.h>

#include "llmenv_envelope.h"

/* What a quantity depends on, besides the model. */
enum
{
  LLMENV_TAKES_NOTHING = 0,
  LLMENV_TAKES_B = 1,          /* batch, sequences */
  LLMENV_TAKES_L = 2,          /* context, tokens */
  LLMENV_TAKES_CARD = 4,
  LLMENV_TAKES_BYTES = 8,      /* bytes, in the place of L */
  LLMENV_NO_MODEL = 16         /* of the card alone */
};

/* X (name, takes, unit, word for Inf, title, formula)
 * To add a quantity: a line here and a function of that name in
 * llmenv_quantity.c; Octave, command, tables and workbook follow. */
#define LLMENV_QUANTITIES(X)                                                   \
  X (ridge, LLMENV_TAKES_CARD | LLMENV_NO_MODEL, "FLOP/byte", "",              \
     "ridge point", "R = peak FLOP/s / peak bytes/s")                          \
  X (weight_bytes, LLMENV_TAKES_B, "bytes", "",                                \
     "weight bytes a step streams", "W(B) = w (S + X (1 - (1 - e/E)^B))")      \
  X (kv_bytes, LLMENV_TAKES_L, "bytes", "",                                    \
     "KV cache and state of one sequence", "K(L) = sum of H(L) over layers")   \
  X (kv_context, LLMENV_TAKES_BYTES, "tokens", "unbounded",                    \
     "context that a number of bytes holds", "largest L with K(L) <= bytes")   \
  X (b_eq, LLMENV_TAKES_L, "sequences", "none",                                \
     "batch at which KV bytes equal weight bytes", "B with B T(L) = W(B)")     \
  X (b_star, LLMENV_TAKES_L | LLMENV_TAKES_CARD, "sequences", "none",          \
     "batch at which the step reaches the ridge",                              \
     "B with B (2P + A(L) - R T(L)) = R W(B)")                                 \
  X (l_wall, LLMENV_TAKES_CARD, "tokens", "never",                             \
     "context past which no batch reaches the ridge",                          \
     "first L where C(L) falls through R")                                     \
  X (ceiling, LLMENV_TAKES_L, "FLOP/byte", "unbounded",                        \
     "arithmetic intensity at infinite batch", "C(L) = (2P + A(L))/T(L)")      \
  X (intensity, LLMENV_TAKES_B | LLMENV_TAKES_L, "FLOP/byte", "unbounded",     \
     "arithmetic intensity of a decode step",                                  \
     "AI = B (2P + A(L))/(W(B) + B T(L))")                                     \
  X (n_prefill, LLMENV_TAKES_B | LLMENV_TAKES_L | LLMENV_TAKES_CARD, "tokens", \
     "unbounded", "prefill tokens a step can take before arithmetic binds",    \
     "p with B (2P + A(L)) + 2P p = R (W(B + p) + B T(L))")                    \
  X (n_star, LLMENV_TAKES_CARD, "tokens", "never",                             \
     "context at which the ridge batch goes to infinity",                      \
     "published W/(R k); layered l_wall")                                      \
  X (n_cross, LLMENV_TAKES_NOTHING, "tokens", "unbounded",                     \
     "context at which one sequence's read equals the weights",                \
     "L with T(L) = W(1)")                                                     \
  X (fill, LLMENV_TAKES_CARD, "tokens", "unbounded",                           \
     "largest context of one sequence",                                        \
     "L with K(L) = memory u - W_held - reserve")                              \
  X (capacity, LLMENV_TAKES_L | LLMENV_TAKES_CARD, "sequences", "unbounded",   \
     "sequences that fit", "(memory u - W_held - reserve)/K(L)")               \
  X (b_50, LLMENV_TAKES_L, "sequences", "none",                                \
     "batch at half the asymptote of memory-bound tokens/s", "b_eq(L)")        \
  X (b_knee, LLMENV_TAKES_L, "sequences", "none",                              \
     "batch at which the marginal gain halves",                                \
     "(sqrt 2 - 1) W(inf)/T(L)")                                               \
  X (throughput, LLMENV_TAKES_B | LLMENV_TAKES_L | LLMENV_TAKES_CARD,          \
     "tokens/s", "unbounded", "tokens per second of the whole batch, at most", \
     "B / max(FLOPs/peak, bytes/bandwidth)")

typedef enum
{
#define X(name, takes, unit, inf, title, formula) LLMENV_Q_##name,
  LLMENV_QUANTITIES (X)
#undef X
  LLMENV_QUANTITY_COUNT
} llmenv_quantity;

typedef struct
{
  const char *name, *unit, *inf_word, *title, *formula;
  int takes;
} llmenv_quantity_info;

/* Facts of Q, or NULL when Q is none; and the quantity of NAME, or -1. */
const llmenv_quantity_info *llmenv_quantity_get (llmenv_quantity q);
int llmenv_quantity_find (const char *name);

/* A batch and a context with all that the formulas need of them. */
typedef struct
{
  double B, W;                 /* sequences; W (B), bytes */
} llmenv_at_batch;

typedef struct
{
  double L, K, T, A;           /* tokens (or bytes); the three sums */
  /* What an engine's capacity is counted from, see llmenv_mix.h. */
  double slot;                 /* tokens that a sequence is given: L, or of a mix
                                  in equal slots its longest */
  double each;                 /* of a mix in a pool: mean bytes of a sequence;
                                  0: as the engine counts SLOT */
} llmenv_at_context;

llmenv_at_batch llmenv_batch_at (const llmenv_envelope *e, double B);
llmenv_at_context llmenv_context_at (const llmenv_envelope *e, double L);

/* An argument beyond this is as good as infinite where a formula overflows. */
#define LLMENV_LARGE 1e140

/* One value.  B and L that Q does not take are ignored; infinite ones give the
 * limit, and so do finite ones whose products overflow. */
double llmenv_quantity_value (llmenv_quantity q, const llmenv_envelope *e,
                              double B, double L);

/* The same for a context, or a mix of contexts, that has been summed. */
double llmenv_quantity_at (llmenv_quantity q, const llmenv_envelope *e, double B,
                           const llmenv_at_context *c);

/* N values: element i takes B[i b_step] and L[l_step i]; a step is 0 (the same
 * for all) or 1.  The inner loop of grids: an add and a divide an element for
 * the intensity, everything else has been done on the axes.  B and L are finite
 * or NaN: limits at infinity are llmenv_quantity_value's, and where some are
 * beyond LLMENV_LARGE, llmenv_quantity_settle is to see their values.
 * out must not overlap the inputs. */
void llmenv_quantity_run (llmenv_quantity q, const llmenv_envelope *e, size_t n,
                          const llmenv_at_batch *B, size_t b_step,
                          const llmenv_at_context *L, size_t l_step,
                          double *out);

/* VALUE of llmenv_quantity_run at B and C; the limit, where B or the tokens of C
 * are beyond LLMENV_LARGE and products have left 0, Inf or NaN in its place. */
double llmenv_quantity_settle (llmenv_quantity q, const llmenv_envelope *e,
                               double B, const llmenv_at_context *c, double value);

/* Why VALUE of Q is not an ordinary number: the word for Inf, the reason of a
 * NaN, or "does not fit" of a fill or capacity of 0. */
llmenv_reason llmenv_quantity_reason (llmenv_quantity q,
                                      const llmenv_envelope *e, double value);

/* ---- more than a number ------------------------------------------------ */

enum { LLMENV_MAX_CROSSINGS = 2 * (LLMENV_MAX_BENDS + 1) };

typedef struct
{
  double at;                   /* tokens */
  int direction;               /* -1: C falls below R; +1: rises above it */
  int is_jump;                 /* 1: passed over at a chunk's end, not met */
} llmenv_crossing;

/* All crossings of the ceiling C (L) with the ridge, in order of L: the second
 * answer of l_wall.  Between the ends of windows 2P + A - R T is a straight
 * line, so each root is a closed form.  Returns how many (at most
 * LLMENV_MAX_CROSSINGS). */
size_t llmenv_wall_crossings (const llmenv_envelope *e,
                              llmenv_crossing crossings[]);

/* Interval [lo, hi] of prefill tokens in which a step that is compute-bound
 * without prefill is memory-bound (experts that the prompt touches); both NaN
 * when there is none: the second answer of n_prefill. */
void llmenv_prefill_interval (const llmenv_envelope *e, double B, double L,
                              double *lo, double *hi);

/* The same for a context, or a mix of contexts, that has been summed. */
void llmenv_prefill_interval_at (const llmenv_envelope *e, double B,
                                 const llmenv_at_context *c, double *lo, double *hi);

/* What limits a decode step. */
#define LLMENV_LIMITS(X)                                                      \
  X (LLMENV_LIMIT_WEIGHTS, "weights") X (LLMENV_LIMIT_KV, "KV")               \
  X (LLMENV_LIMIT_STATE, "state") X (LLMENV_LIMIT_COMPUTE, "compute")         \
  X (LLMENV_LIMIT_UNKNOWN, "no record")

typedef enum
{
#define X(symbol, word) symbol,
  LLMENV_LIMITS (X)
#undef X
  LLMENV_LIMIT_COUNT
} llmenv_limit;

const char *llmenv_limit_word (llmenv_limit limit);

/* One decode step of B sequences at L tokens. */
typedef struct
{
  double flops;                /* B (2P + A (L)), FLOP */
  double weight_bytes;         /* W (B) */
  double kv_bytes;             /* B (T (L) - T (0)) */
  double state_bytes;          /* B T (0): state and encoder caches */
  double bytes;                /* sum of the three */
  double intensity;            /* FLOP/byte */
  double compute_seconds, memory_seconds, seconds;
  double tokens_per_second;    /* of the batch */
  double tokens_per_second_each; /* of one sequence */
  llmenv_limit limit;          /* compute, or the largest of the byte streams */
} llmenv_step;

llmenv_step llmenv_step_at (const llmenv_envelope *e, double B, double L);

/* The same for a context, or a mix of contexts, that has been summed. */
llmenv_step llmenv_step_of (const llmenv_envelope *e, double B, llmenv_at_context c);

#endif
