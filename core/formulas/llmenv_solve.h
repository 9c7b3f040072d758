/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crossovers: the value of one input at which a quantity meets a target, or two
 * quantities, models or cards agree. */
#ifndef LLMENV_SOLVE_H
#define LLMENV_SOLVE_H

#include "llmenv_point.h"

typedef struct
{
  double at;                   /* of the input: the root, or the last value on
                                  the near side of a jump */
  double until;                /* where the target is met all the way from `at`
                                  to there; else = at */
  double value;                /* of the quantity (of A) at `at` */
  double before, after;        /* of the quantity (of A less B) on both sides:
                                  apart at a jump, equal at a root */
  int direction;               /* +1: rises through the target; -1: falls; 0:
                                  meets it at an end of the bracket */
  int is_jump;                 /* passed over, not met */
  int evaluations;             /* of this answer, beyond the scan */
} llmenv_answer;

typedef struct
{
  size_t n;                    /* crossings found, also those beyond MAX */
  double at_lo, at_hi;         /* the quantity (A less B) at the ends */
  llmenv_reason reason_lo, reason_hi; /* of A, where these are not finite */
  int evaluations;             /* in all */
} llmenv_solve_report;

/* All values of INPUT in [LO, HI] at which QUANTITY at POINT meets TARGET, in
 * order, at most MAX of them in ANSWERS.
 *
 * The bracket is scanned at 256 steps (geometric where LO > 0 and HI > 8 LO,
 * else equal) and, in the context, at both sides of every end of a window or
 * chunk, between which all sums over layers are straight lines; every change of
 * sign, Inf being one, is refined by llmenv_root_find.  No answer is an answer:
 * report->n = 0, with the values at the ends.
 *
 * No allocation, no state; as llmenv_root_find, it needs GSL's error handler
 * switched off.
 * Errors: LLMENV_EBADVALUE (TARGET or a bound not finite, LO > HI, outside the
 * range of INPUT), and those of llmenv_envelope_make. */
llmenv_status llmenv_solve (llmenv_quantity quantity, double target,
                            llmenv_input input, double lo, double hi,
                            const llmenv_point *point, llmenv_answer answers[],
                            size_t max, llmenv_solve_report *report);

/* The same for  QUANTITY_A at POINT_A = QUANTITY_B at POINT_B : two models, two
 * cards, or two quantities of one point. */
llmenv_status llmenv_cross (llmenv_quantity quantity_a, const llmenv_point *point_a,
                            llmenv_quantity quantity_b, const llmenv_point *point_b,
                            llmenv_input input, double lo, double hi,
                            llmenv_answer answers[], size_t max,
                            llmenv_solve_report *report);

/* The value that lies SHARE of the way from that of QUANTITY where INPUT, the
 * batch or the context, is 0 to its limit where INPUT is infinite: 0.9 of
 * weight_bytes over the batch is where 90 % of the experts are streamed.
 * Errors: LLMENV_EBADVALUE (another input, the context of a mix; SHARE not finite; an end without a
 * finite value, or both alike), and those of llmenv_envelope_make. */
llmenv_status llmenv_solve_share (llmenv_quantity quantity, double share,
                                  llmenv_input input, const llmenv_point *point,
                                  double *target);

/* Questions answered by whole numbers: X (symbol, word). */
#define LLMENV_WHOLES(X)                                                      \
  X (LLMENV_FIRST_AT_LEAST, "first-at-least")                                 \
  X (LLMENV_FIRST_AT_MOST,  "first-at-most")                                  \
  X (LLMENV_LAST_AT_LEAST,  "last-at-least")                                  \
  X (LLMENV_LAST_AT_MOST,   "last-at-most")

typedef enum
{
#define X(symbol, word) symbol,
  LLMENV_WHOLES (X)
#undef X
  LLMENV_WHOLE_COUNT
} llmenv_whole;

const char *llmenv_whole_word (llmenv_whole question);

typedef struct
{
  int found;                   /* 0: no whole number in [lo, hi] will do */
  double at;                   /* the whole number; NaN when none */
  double value;                /* of the quantity there (of A less B) */
  double value_before, value_after; /* at `at` - 1 and + 1 (NaN out of range);
                                  when none, at both ends */
  int evaluations;
} llmenv_whole_answer;

/* First (smallest) or last (largest) whole number in [LO, HI] at which QUANTITY
 * is at least, or at most, TARGET: the crossings of llmenv_solve, and both
 * neighbours of the answer evaluated: it satisfies the question, the one before
 * it (behind it for the last) does not.
 * Errors: as llmenv_solve; LLMENV_EBADVALUE beyond 2^53. */
llmenv_status llmenv_solve_integer (llmenv_quantity quantity, llmenv_whole question,
                                    double target, llmenv_input input, double lo,
                                    double hi, const llmenv_point *point,
                                    llmenv_whole_answer *answer);

/* The same for QUANTITY_A at POINT_A against QUANTITY_B at POINT_B. */
llmenv_status llmenv_cross_integer (llmenv_quantity quantity_a, const llmenv_point *point_a,
                                    llmenv_whole question,
                                    llmenv_quantity quantity_b, const llmenv_point *point_b,
                                    llmenv_input input, double lo, double hi,
                                    llmenv_whole_answer *answer);

#endif
