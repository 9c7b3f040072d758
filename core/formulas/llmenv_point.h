/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model on a card at one batch and context, any one number of which can be
 * set by name: what sweeps, solves and elasticities vary. */
#ifndef LLMENV_POINT_H
#define LLMENV_POINT_H

#include "llmenv_mix.h"

/* X (name, column, unit, least, least itself is out, most, help)
 * column: name of the input where quantities stand beside it. */
#define LLMENV_INPUTS(X)                                                      \
  X (kv_bytes, "kv_bytes_each", "bytes per element", 0, 1, HUGE_VAL,          \
     "storage of a K or V element, both together")                            \
  X (weight_bytes, "weight_bytes_each", "bytes per weight", 0, 1, HUGE_VAL,   \
     "storage of a weight, all parts alike")                                  \
  X (expert_ratio, "expert_ratio", "", 0, 1, 1,                               \
     "e/E at fixed experts: P = S + X e/E moves with it")                     \
  X (experts, "experts", "experts", 0, 1, HUGE_VAL,                           \
     "E at fixed e and size of an expert: X grows with it, P does not")       \
  X (context, "context", "tokens", 0, 0, HUGE_VAL, "tokens of each sequence") \
  X (batch, "batch", "sequences", 0, 0, HUGE_VAL, "sequences in the batch")   \
  X (bandwidth, "bandwidth", "bytes/s", 0, 1, HUGE_VAL,                       \
     "peak bandwidth of one card")                                            \
  X (peak, "peak", "FLOP/s", 0, 1, HUGE_VAL, "peak dense rate of one card")   \
  X (memory, "memory", "bytes", 0, 1, HUGE_VAL, "memory of one card")         \
  X (reserve, "reserve", "bytes", 0, 0, HUGE_VAL,                             \
     "memory kept free, once per gang")                                       \
  X (utilization, "utilization", "", 0, 1, 1,                                 \
     "share of memory that may be used")

typedef enum
{
#define X(name, column, unit, least, open, most, help) LLMENV_IN_##name,
  LLMENV_INPUTS (X)
#undef X
  LLMENV_INPUT_COUNT
} llmenv_input;

typedef struct
{
  const char *name, *column, *unit, *help;
  double least, most;
  int least_is_out;
} llmenv_input_info;

/* Facts of INPUT, or NULL when it is none; and the input of NAME, or -1. */
const llmenv_input_info *llmenv_input_get (llmenv_input input);
int llmenv_input_find (const char *name);

typedef struct
{
  llmenv_model model;          /* layers and parts are borrowed */
  llmenv_card card;
  llmenv_settings settings;
  double B, L;                 /* sequences; tokens */
  /* A mix in the place of L: N_LENGTHS lengths, borrowed, with their weights
     (NULL: equal), each STRETCH times as long.  N_LENGTHS 0: none. */
  const double *lengths, *weights;
  size_t n_lengths;
  double stretch;
  /* Weights by role, in the place of model.parts once an input changed them. */
  llmenv_weight_part own[LLMENV_WEIGHT_ROLE_COUNT];
  size_t n_own;
} llmenv_point;

/* Value of INPUT at POINT.  Of a mix, its mean is the context; of K and V with
 * different storage, the mean is kv_bytes; of parts with different storage,
 * the mean over all weights is weight_bytes; 0 for the experts of a dense
 * model; NaN where the record is silent. */
double llmenv_point_get (const llmenv_point *point, llmenv_input input);

/* Set INPUT to VALUE.  The context of a mix stretches all its lengths alike.
 * With exact bytes of the whole model given, a changed E keeps the bytes per
 * weight.  The experts of a dense model do not matter and are left alone.
 * Errors: LLMENV_EBADVALUE (outside the input's range, not finite, or fewer
 * experts than a token takes). */
llmenv_status llmenv_point_set (llmenv_point *point, llmenv_input input, double value);

/* Multiply INPUT by FACTOR: K and V each, every part of the weights.
 * Errors: as llmenv_point_set. */
llmenv_status llmenv_point_scale (llmenv_point *point, llmenv_input input, double factor);

/* The envelope of POINT, and its context (or mix) in that envelope.
 * Errors: those of llmenv_envelope_make. */
llmenv_status llmenv_point_envelope (const llmenv_point *point, llmenv_envelope *envelope);
llmenv_at_context llmenv_point_context (const llmenv_point *point, const llmenv_envelope *envelope);

/* Value of QUANTITY at POINT; kv_context is taken at the memory of the cards.
 * Errors: those of llmenv_envelope_make. */
llmenv_status llmenv_point_value (llmenv_quantity quantity, const llmenv_point *point,
                                  double *value);

/* The same where the envelope of POINT, but for B and L, is at hand. */
double llmenv_point_value_in (llmenv_quantity quantity, const llmenv_point *point,
                              const llmenv_envelope *envelope);

/* d ln QUANTITY / d ln INPUT at POINT, by central differences in ln INPUT,
 * halved and extrapolated until they agree (one-sided where the range of the
 * input ends).  Exactly 0 where the quantity does not move by more than
 * rounding when the input moves by a tenth.  At a bend: the mean of both sides.
 * REASON: LLMENV_HAS_VALUE; or why it is NaN: the quantity's own reason where
 * that is not finite or 0, LLMENV_NOT_APPLICABLE at a jump.
 * Errors: those of llmenv_point_value. */
llmenv_status llmenv_elasticity (llmenv_quantity quantity, llmenv_input input,
                                 const llmenv_point *point, double *elasticity,
                                 llmenv_reason *reason);

#endif
