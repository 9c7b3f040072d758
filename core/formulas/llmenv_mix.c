/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_mix.h"

#include <math.h>

#include "llmenv_engine.h"

/* A sum with the rounding errors of its additions kept beside it. */
typedef struct
{
  double sum, lost;
} total;

static void
add (total *t, double x)
{
  const double sum = t->sum + x;
  t->lost += fabs (t->sum) >= fabs (x) ? (t->sum - sum) + x : (x - sum) + t->sum;
  t->sum = sum;
}

static double
mean (const total *t, const total *weights)
{
  return (t->sum + t->lost) / (weights->sum + weights->lost);
}

/* ---- engines ------------------------------------------------------------- */

/* How an engine shares its memory out, see llmenv_mix.h. */
typedef enum { SUMS, POOL, SLOTS, STREAM } sharing;

static sharing
sharing_of (const llmenv_envelope *e)
{
  const llmenv_engine_settings *engine = &e->engine_settings.engine;
  if (e->engine_model == NULL)
    return SUMS;
  if (engine->engine != LLMENV_ENGINE_LLAMA_CPP)
    return POOL;
  return engine->unified ? STREAM : SLOTS;
}

/* Engines count whole tokens, exact in a double up to here, of two slots. */
static const double most_tokens = 0x1p52;

/* Bytes of a pool that one sequence more of L tokens takes: what two slots hold
 * beyond one, so that what is there once is left out. */
static double
bytes_in_pool (const llmenv_envelope *e, double L)
{
  llmenv_engine_bytes bytes[2];
  if (!(L >= 0) || L > most_tokens)
    return llmenv_envelope_sum (e, LLMENV_HELD, L);
  for (int slots = 1; slots <= 2; slots++)
    {
      llmenv_engine_settings own = e->engine_settings.engine;
      own.slots = slots;
      if (llmenv_engine_kv_bytes (e->engine_model, &e->engine_settings, &own, slots * L,
                                  &bytes[slots - 1]) != LLMENV_OK)
        return NAN;
    }
  return bytes[1].total_bytes - bytes[0].total_bytes;
}

/* ---- the mix ------------------------------------------------------------- */

llmenv_at_context
llmenv_context_mix_scaled (const llmenv_envelope *e, size_t n, const double L[],
                           const double weight[], double factor)
{
  const sharing how = sharing_of (e);
  total weights = { 0, 0 }, length = { 0, 0 }, held = { 0, 0 };
  total read = { 0, 0 }, flops = { 0, 0 }, pool = { 0, 0 };
  double longest = NAN;
  for (size_t i = 0; i < n; i++)
    {
      const double w = weight == NULL ? 1 : weight[i];
      const llmenv_at_context c = llmenv_context_at (e, L[i] * factor);
      add (&weights, w);
      add (&length, w * c.L);
      add (&held, w * c.K);
      add (&read, w * c.T);
      add (&flops, w * c.A);
      if (how == POOL)
        add (&pool, w * bytes_in_pool (e, c.L));
      if (w > 0)
        longest = fmax (longest, c.L);
    }
  llmenv_at_context mix = { mean (&length, &weights), mean (&held, &weights),
                            mean (&read, &weights), mean (&flops, &weights),
                            mean (&length, &weights), 0 };
  if (how == POOL)
    mix.each = mean (&pool, &weights);
  if (how == SLOTS)
    {
      mix.slot = longest;
      mix.K = llmenv_context_at (e, longest).K;
    }
  return mix;
}

llmenv_at_context
llmenv_context_mix (const llmenv_envelope *e, size_t n, const double L[],
                    const double weight[])
{
  return llmenv_context_mix_scaled (e, n, L, weight, 1);
}

double
llmenv_mix_value (llmenv_quantity q, const llmenv_envelope *e, double B,
                  size_t n, const double L[], const double weight[])
{
  const llmenv_at_context c = llmenv_context_mix (e, n, L, weight);
  return llmenv_quantity_at (q, e, B, &c);
}

double
llmenv_mix_mean (size_t n, const double L[], const double weight[])
{
  total weights = { 0, 0 }, length = { 0, 0 };
  for (size_t i = 0; i < n; i++)
    {
      const double w = weight == NULL ? 1 : weight[i];
      add (&weights, w);
      add (&length, w * L[i]);
    }
  return mean (&length, &weights);
}
