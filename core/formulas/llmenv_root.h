/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one root finder: GSL's Brent-Dekker behind a function of ours. */
#ifndef LLMENV_ROOT_H
#define LLMENV_ROOT_H

#include "llmenv_status.h"

typedef double (*llmenv_function) (double x, const void *context);

typedef struct
{
  double root;
  double residual;             /* f (root) */
  double lower, upper;         /* last bracket */
  int evaluations;             /* calls of f */
} llmenv_root;

/* Root of f between LO and HI, where f (LO) and f (HI) differ in sign (either
 * may be zero, and is then the root).  The bracket is narrowed until it is
 * within 4 units of double rounding of the root.
 *
 * No allocation, no state: safe in threads, provided that the host has
 * switched GSL's aborting error handler off (gsl_set_error_handler_off).
 *
 * Errors: LLMENV_EBADVALUE (a bound or f at a bound is not finite, or
 * LO > HI), LLMENV_ENOBRACKET (no sign change), LLMENV_ENOTCONVERGED (more
 * than 3000 steps, or the value at the root is no smaller than at both ends of
 * the last bracket, as at a jump).  RESULT is untouched on the first two. */
llmenv_status llmenv_root_find (llmenv_function f, const void *context,
                                double lo, double hi, llmenv_root *result);

#endif
