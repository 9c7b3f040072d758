/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_mix.h"

#include <math.h>

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

llmenv_at_context
llmenv_context_mix_scaled (const llmenv_envelope *e, size_t n, const double L[],
                           const double weight[], double factor)
{
  total weights = { 0, 0 }, length = { 0, 0 }, held = { 0, 0 };
  total read = { 0, 0 }, flops = { 0, 0 };
  for (size_t i = 0; i < n; i++)
    {
      const double w = weight == NULL ? 1 : weight[i];
      const llmenv_at_context c = llmenv_context_at (e, L[i] * factor);
      add (&weights, w);
      add (&length, w * c.L);
      add (&held, w * c.K);
      add (&read, w * c.T);
      add (&flops, w * c.A);
    }
  return (llmenv_at_context) { mean (&length, &weights), mean (&held, &weights),
                               mean (&read, &weights), mean (&flops, &weights) };
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
  /* Far beyond any number that matters, far below where products overflow. */
  static const double large = 1e140, huge = 1e100;
  const llmenv_at_batch b = llmenv_batch_at (e, isinf (B) ? large : B);
  const llmenv_at_context c = llmenv_context_mix (e, n, L, weight);
  double x;
  llmenv_quantity_run (q, e, 1, &b, 0, &c, 0, &x);
  return !isinf (B) ? x : x > huge ? INFINITY : x < 1 / huge ? 0 : x;
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
