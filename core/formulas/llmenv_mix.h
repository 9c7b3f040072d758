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
 * sum of weights is 0.
 *
 * With an engine, K is what it allocates, and capacity the largest whole B of
 * which the allocation fits.  Assumed, by how each shares its memory out:
 *   vLLM, SGLang  a pool of blocks or tokens, from which a sequence takes what its
 *                 own length needs: K is the mean over the mix, B sequences take
 *                 B times it (and SGLang's spare copy of the state).  SGLang's
 *                 tokens are alike in every layer, so that of a mix only the mean
 *                 matters, but for its padding.
 *   llama.cpp     equal slots, cut when it starts: any sequence may come to any
 *                 slot, so each is as long as the longest length of a weight
 *                 above 0, for K and for capacity
 *   llama.cpp, unified  one stream, which the sequences share: K is the mean; B
 *                 sequences fill B times the mean length */
llmenv_at_context llmenv_context_mix (const llmenv_envelope *e, size_t n,
                                      const double L[], const double weight[]);

/* The same with every length FACTOR times as long. */
llmenv_at_context llmenv_context_mix_scaled (const llmenv_envelope *e, size_t n,
                                             const double L[],
                                             const double weight[],
                                             double factor);

/* Value of Q at B sequences of the mix; B may be infinite (the limit), or so
 * large that products overflow. */
double llmenv_mix_value (llmenv_quantity q, const llmenv_envelope *e, double B,
                         size_t n, const double L[], const double weight[]);

/* Mean length, tokens. */
double llmenv_mix_mean (size_t n, const double L[], const double weight[]);

#endif
