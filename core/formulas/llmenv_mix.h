/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A batch whose sequences differ in length. */
#ifndef LLMENV_MIX_H
#define LLMENV_MIX_H

#include "llmenv_quantity.h"

/* The N lengths L[] (tokens, 0 or more) with WEIGHT[] (0 or more; NULL: all
 * the same), in the place of one context:
 *   K = sum of w K(L) / sum of w, and so T, A and L itself.
 * Each length goes through the sums over layers by itself, so windows, chunks
 * and states count as they do; the sums are compensated.  All quantities that
 * take a context take the result (llmenv_quantity_run).  NaN where N or the
 * sum of weights is 0. */
llmenv_at_context llmenv_context_mix (const llmenv_envelope *e, size_t n,
                                      const double L[], const double weight[]);

/* The same with every length FACTOR times as long. */
llmenv_at_context llmenv_context_mix_scaled (const llmenv_envelope *e, size_t n,
                                             const double L[],
                                             const double weight[],
                                             double factor);

/* Value of Q at B sequences of the mix; B may be infinite (the limit). */
double llmenv_mix_value (llmenv_quantity q, const llmenv_envelope *e, double B,
                         size_t n, const double L[], const double weight[]);

/* Mean length, tokens. */
double llmenv_mix_mean (size_t n, const double L[], const double weight[]);

#endif
