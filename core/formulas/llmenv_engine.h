/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an inference engine really allocates for KV cache and state: the ideal
 * K (L) of the envelope, rounded, copied and split as the engine does it.
 *
 * Source: spec section 6; measured log lines in reference/kv_lines.tsv. */
#ifndef LLMENV_ENGINE_H
#define LLMENV_ENGINE_H

#include "llmenv_envelope.h"

/* Bytes that one rank holds, by part, and what they were counted from.
 * llama.cpp prints k_bytes + v_bytes ("KV self size" of its non-SWA cache),
 * window_k_bytes + window_v_bytes (the SWA cache) and conv_bytes + state_bytes
 * (R and S of the recurrent memory) on a line each, all in MiB; vLLM prints
 * rank_bytes ("Available KV cache memory") in GiB; SGLang k_bytes and v_bytes,
 * or their sum for a latent cache, as "GB" of 2^30. */
typedef struct
{
  double streams;              /* equal parts of the cache: slots, or 1 */
  double cells;                /* tokens a full layer keeps in each stream */
  double window_cells;         /* tokens the longest window keeps, or 0 */
  double multiple;             /* cells come in multiples of it; 0: ideal */
  double k_bytes, v_bytes;     /* full-context layers */
  double indexer_bytes;        /* of sparse attention */
  double window_k_bytes, window_v_bytes; /* window and chunk layers */
  double conv_bytes, state_bytes; /* convolution columns; recurrent matrices */
  double cross_bytes;          /* encoder's K and V */
  double rank_bytes;           /* sum of the above, on one rank */
  double total_bytes;          /* on all ranks */
} llmenv_engine_bytes;

/* Allocation for CONTEXT_TOKENS of context, the sum over all slots, as
 * llama.cpp's -c and the token pools of the others count it.
 *
 *   bytes = sum over layers: tokens kept x bytes a token
 *           + copies x state + slots x encoder cache
 * With n = context_tokens, s = slots, p = padding, w = a window, u = the
 * micro-batch, pad (x) = ceil (x / p) p, per stream:
 *   ideal      full  n / s
 *              window  min (full, w)
 *   llama.cpp  full  pad (floor (pad (n) / s)); unified, one stream, pad (n)
 *              window  min (full, pad (w (unified ? s : 1) + u))
 *   vLLM       full  pad (n / s)
 *              window  min (full, pad (w - 1 + u) + p)
 *   SGLang     full and window  pad (n / s)
 * ideal is slots x K (n / slots) of the envelope, to rounding.
 * State copies: s (1 + snapshots); SGLang's pool has one slot more.
 * llama.cpp: rows of quantised types (a broken number of bytes an element)
 *   come in blocks of 32 values; state and columns in fp32, unless StateType.
 * vLLM, SGLang: a rank has kv_heads / ranks heads, or 1 where ranks exceed the
 *   heads; latents and indexer whole; 1 / ranks of the state, in its own type.
 * vLLM, attention and state in one model: every layer's page is as large as
 *   the largest state: a block is the multiple of p whose K and V hold it.
 *   Windows keep the whole context where layers differ in bytes a token.
 * SGLang's separate window pool, a tuned share of the tokens, is not predicted.
 * LLMENV_LATENT_HEADS: K q_heads x k_dim, V q_heads x v_dim, the group's k_dim
 *   (nope + rope) and v_dim, which latent groups use for nothing else.
 * Without layers, or in `published`, the record's one k stands for K and V;
 * split over ranks it is NaN, like a record without KV: all bytes NaN.
 *
 * Errors: LLMENV_EBADVALUE (a setting or context_tokens outside its domain,
 * heads and ranks of which neither divides the other, expanded latents of a
 * record without k_dim and v_dim).  OUT is untouched then. */
llmenv_status llmenv_engine_kv_bytes (const llmenv_model *model,
                                      const llmenv_settings *settings,
                                      const llmenv_engine_settings *engine,
                                      double context_tokens,
                                      llmenv_engine_bytes *out);

/* Largest whole context, of all slots together, whose total_bytes are at most
 * BUDGET_BYTES: n fits and n + 1 does not.  0: not even one token fits; Inf:
 * every context does; NaN: the record is silent.
 * Errors: as llmenv_engine_kv_bytes; budget_bytes is NaN. */
llmenv_status llmenv_engine_context (const llmenv_model *model,
                                     const llmenv_settings *settings,
                                     const llmenv_engine_settings *engine,
                                     double budget_bytes, double *tokens);

/* Largest number of sequences of CONTEXT_TOKENS each (not together) whose
 * total_bytes are at most BUDGET_BYTES; engine->slots is ignored.  0, Inf, NaN
 * and errors as above. */
llmenv_status llmenv_engine_sequences (const llmenv_model *model,
                                       const llmenv_settings *settings,
                                       const llmenv_engine_settings *engine,
                                       double context_tokens,
                                       double budget_bytes, double *sequences);

const char *llmenv_engine_word (llmenv_engine engine);
const char *llmenv_latent_cache_word (llmenv_latent_cache cache);

/* Engine or cache of that word in any case, or -1. */
int llmenv_engine_find (const char *word);
int llmenv_latent_cache_find (const char *word);

#endif
