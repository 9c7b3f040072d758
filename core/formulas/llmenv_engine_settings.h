/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which engine allocates, and how it was started: the options of spec section
 * 6.  What follows from them is in llmenv_engine.h. */
#ifndef LLMENV_ENGINE_SETTINGS_H
#define LLMENV_ENGINE_SETTINGS_H

#define LLMENV_ENGINES(X)                                                     \
  X (LLMENV_ENGINE_IDEAL,     "ideal")                                        \
  X (LLMENV_ENGINE_LLAMA_CPP, "llama.cpp")                                    \
  X (LLMENV_ENGINE_VLLM,      "vllm")                                         \
  X (LLMENV_ENGINE_SGLANG,    "sglang")

typedef enum
{
#define X(symbol, word) symbol,
  LLMENV_ENGINES (X)
#undef X
  LLMENV_ENGINE_COUNT
} llmenv_engine;

/* How latent attention (MLA) is cached: the latent alone; with a V of its own
 * (llama.cpp of early 2025 without flash attention); or K and V per head. */
#define LLMENV_LATENT_CACHES(X)                                               \
  X (LLMENV_LATENT_ONLY,   "latent")                                          \
  X (LLMENV_LATENT_WITH_V, "latent+v")                                        \
  X (LLMENV_LATENT_HEADS,  "expanded")

typedef enum
{
#define X(symbol, word) symbol,
  LLMENV_LATENT_CACHES (X)
#undef X
  LLMENV_LATENT_CACHE_COUNT
} llmenv_latent_cache;

/* A setting that an engine does not know is ignored; ideal reads only SLOTS. */
typedef struct
{
  llmenv_engine engine;
  double slots;                /* sequences, whole, >= 1 */
  double micro_batch;          /* tokens computed at once, > 0; a window cache
                                  has room for them.  NaN: 512 for llama.cpp,
                                  2048 for vLLM.  Inf: windows keep the whole
                                  context (llama.cpp --swa-full) */
  int unified;                 /* llama.cpp: 1 = the slots share one stream */
  double ranks;                /* tensor-parallel (vLLM, SGLang), whole, >= 1 */
  double padding;              /* cells come in multiples of it, whole;
                                  0 or 1: of one.  NaN: 256 for llama.cpp, a
                                  block of 16 for vLLM, 1 for SGLang */
  double snapshots;            /* rollback copies of the state, whole, >= 0 */
  llmenv_latent_cache latent_cache;
} llmenv_engine_settings;

/* ENGINE with one slot, one rank, no snapshots, the latent alone, and NaN
 * where the engine has a default of its own. */
llmenv_engine_settings llmenv_engine_settings_default (llmenv_engine engine);

#endif
