/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_point.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- inputs ------------------------------------------------------------ */

static const llmenv_input_info infos[] = {
#define X(name, column, unit, least, open, most, help)                        \
  { #name, column, unit, help, least, most, open },
  LLMENV_INPUTS (X)
#undef X
};

const llmenv_input_info *
llmenv_input_get (llmenv_input input)
{
  return (unsigned) input < LLMENV_INPUT_COUNT ? &infos[input] : NULL;
}

int
llmenv_input_find (const char *name)
{
  for (int i = 0; i < LLMENV_INPUT_COUNT; i++)
    if (strcasecmp (infos[i].name, name) == 0)
      return i;
  return -1;
}

static int
is_in_range (llmenv_input input, double value)
{
  const llmenv_input_info *i = &infos[input];
  return isfinite (value) && value <= i->most
         && (i->least_is_out ? value > i->least : value >= i->least);
}

/* ---- experts ----------------------------------------------------------- */

static int
is_published (const llmenv_point *p)
{
  return p->settings.convention == LLMENV_PUBLISHED;
}

static const llmenv_weight_part *
parts_of (const llmenv_point *p, size_t *n)
{
  *n = p->n_own > 0 ? p->n_own : p->model.n_parts;
  return p->n_own > 0 ? p->own : p->model.parts;
}

static double
params_of (const llmenv_point *p)
{
  size_t n;
  const llmenv_weight_part *parts = parts_of (p, &n);
  double params = 0;
  for (size_t i = 0; i < n; i++)
    params += parts[i].params;
  return is_published (p) ? p->model.published.params
         : n > 0 ? params : p->model.scalars.params;
}

/* X of the scalars: X = (P_tot - P)/(1 - e/E). */
static double
routed_of (const llmenv_scalars *s, const llmenv_model *m)
{
  return s->active_params == s->params
         ? 0 : (s->params - s->active_params) / (1 - m->top / m->experts);
}

/* Weights by role, which can be changed: sums of the record's parts, or S and X
 * of its scalars. */
static void
own_parts (llmenv_point *p)
{
  const llmenv_model *m = &p->model;
  if (p->n_own > 0)
    return;
  for (int role = 0; role < LLMENV_WEIGHT_ROLE_COUNT; role++)
    p->own[role] = (llmenv_weight_part) { .role = (llmenv_weight_role) role };
  p->n_own = LLMENV_WEIGHT_ROLE_COUNT;
  for (size_t i = 0; i < m->n_parts; i++)
    {
      p->own[m->parts[i].role].params += m->parts[i].params;
      p->own[m->parts[i].role].bytes_each += m->parts[i].params * m->parts[i].bytes_each;
    }
  for (int role = 0; role < LLMENV_WEIGHT_ROLE_COUNT; role++)
    if (p->own[role].params != 0)
      p->own[role].bytes_each /= p->own[role].params;
  if (m->n_parts > 0)
    return;
  const double routed = routed_of (&m->scalars, m);
  p->own[LLMENV_ROLE_SHARED].params = m->scalars.params - routed;
  p->own[LLMENV_ROLE_ROUTED].params = routed;
  p->own[LLMENV_ROLE_SHARED].bytes_each = m->format_bytes;
  p->own[LLMENV_ROLE_ROUTED].bytes_each = m->format_bytes;
}

/* e/E at fixed E: in `layered` P follows from the parts. */
static void
set_ratio (llmenv_point *p, double ratio)
{
  llmenv_model *m = &p->model;
  llmenv_scalars *s = &m->published;
  if (is_published (p))
    {
      const double routed = routed_of (s, m);
      s->active_params = s->params - routed * (1 - ratio);
    }
  else
    own_parts (p);
  m->top = ratio * m->experts;
}

/* E at fixed e and expert size: X grows with it, P does not. */
static void
set_experts (llmenv_point *p, double experts)
{
  llmenv_model *m = &p->model;
  const double growth = experts / m->experts;
  if (!isnan (p->settings.weight_bytes))
    {
      p->settings.weight_bytes_each = p->settings.weight_bytes / params_of (p);
      p->settings.weight_bytes = NAN;
    }
  if (is_published (p))
    m->published.params += routed_of (&m->published, m) * (growth - 1);
  else
    {
      own_parts (p);
      p->own[LLMENV_ROLE_ROUTED].params *= growth;
    }
  m->experts = experts;
}

/* ---- get and set ------------------------------------------------------- */

static double
mean_weight_bytes (const llmenv_point *p)
{
  llmenv_envelope e;
  return llmenv_point_envelope (p, &e) == LLMENV_OK ? e.weight_bytes_each : NAN;
}

double
llmenv_point_get (const llmenv_point *p, llmenv_input input)
{
  switch (input)
    {
    case LLMENV_IN_kv_bytes:
      return (p->settings.k_bytes + p->settings.v_bytes) / 2;
    case LLMENV_IN_weight_bytes:
      return mean_weight_bytes (p);
    case LLMENV_IN_expert_ratio:
      return p->model.experts == 0 ? 0 : p->model.top / p->model.experts;
    case LLMENV_IN_experts:
      return p->model.experts;
    case LLMENV_IN_context:
      return p->n_lengths == 0 ? p->L
             : p->stretch * llmenv_mix_mean (p->n_lengths, p->lengths, p->weights);
    case LLMENV_IN_batch:
      return p->B;
    case LLMENV_IN_bandwidth:
      return p->card.bandwidth;
    case LLMENV_IN_peak:
      return p->card.peak;
    case LLMENV_IN_memory:
      return isnan (p->settings.memory) ? p->card.memory : p->settings.memory;
    case LLMENV_IN_reserve:
      return p->settings.reserve;
    case LLMENV_IN_utilization:
      return p->settings.utilization;
    default:
      return NAN;
    }
}

llmenv_status
llmenv_point_set (llmenv_point *p, llmenv_input input, double value)
{
  if ((unsigned) input >= LLMENV_INPUT_COUNT || !is_in_range (input, value))
    return LLMENV_EBADVALUE;
  const int is_dense = p->model.experts == 0;
  switch (input)
    {
    case LLMENV_IN_kv_bytes:
      p->settings.k_bytes = p->settings.v_bytes = value;
      break;
    case LLMENV_IN_weight_bytes:
      p->settings.weight_bytes_each = value;
      p->settings.weight_bytes = NAN;
      break;
    case LLMENV_IN_expert_ratio:
      if (!is_dense)
        set_ratio (p, value);
      break;
    case LLMENV_IN_experts:
      if (!is_dense && value < p->model.top)
        return LLMENV_EBADVALUE;
      if (!is_dense)
        set_experts (p, value);
      break;
    case LLMENV_IN_context:
      if (p->n_lengths > 0)
        p->stretch = value / llmenv_mix_mean (p->n_lengths, p->lengths, p->weights);
      else
        p->L = value;
      break;
    case LLMENV_IN_batch:
      p->B = value;
      break;
    case LLMENV_IN_bandwidth:
      p->card.bandwidth = value;
      break;
    case LLMENV_IN_peak:
      p->card.peak = value;
      break;
    case LLMENV_IN_memory:
      p->settings.memory = value;
      break;
    case LLMENV_IN_reserve:
      p->settings.reserve = value;
      break;
    default:
      p->settings.utilization = value;
    }
  return LLMENV_OK;
}

/* All weights FACTOR times as large, whatever says how large they are. */
static void
scale_weights (llmenv_point *p, double factor)
{
  llmenv_settings *s = &p->settings;
  if (!isnan (s->weight_bytes))
    s->weight_bytes *= factor;
  else if (!isnan (s->weight_bytes_each))
    s->weight_bytes_each *= factor;
  else if (is_published (p))
    s->weight_bytes_each = mean_weight_bytes (p) * factor;
  else
    {
      p->model.format_bytes *= factor;
      if (p->model.n_parts > 0)
        own_parts (p);
      for (size_t i = 0; i < p->n_own; i++)
        p->own[i].bytes_each *= factor;
    }
}

llmenv_status
llmenv_point_scale (llmenv_point *p, llmenv_input input, double factor)
{
  if (!(factor > 0) || !isfinite (factor))
    return LLMENV_EBADVALUE;
  if (input == LLMENV_IN_kv_bytes)
    {
      p->settings.k_bytes *= factor;
      p->settings.v_bytes *= factor;
      return LLMENV_OK;
    }
  if (input == LLMENV_IN_weight_bytes)
    {
      scale_weights (p, factor);
      return LLMENV_OK;
    }
  const double value = llmenv_point_get (p, input);
  /* What is not there, or not known, is no larger for being scaled. */
  if (value == 0 || isnan (value))
    return LLMENV_OK;
  return llmenv_point_set (p, input, value * factor);
}

/* ---- values ------------------------------------------------------------ */

llmenv_status
llmenv_point_envelope (const llmenv_point *p, llmenv_envelope *envelope)
{
  llmenv_model model = p->model;
  model.parts = parts_of (p, &model.n_parts);
  return llmenv_envelope_make (&model, &p->card, &p->settings, envelope);
}

llmenv_at_context
llmenv_point_context (const llmenv_point *p, const llmenv_envelope *e)
{
  return p->n_lengths == 0 ? llmenv_context_at (e, p->L)
         : llmenv_context_mix_scaled (e, p->n_lengths, p->lengths, p->weights,
                                      p->stretch);
}

double
llmenv_point_value_in (llmenv_quantity q, const llmenv_point *p,
                       const llmenv_envelope *e)
{
  if (llmenv_quantity_get (q)->takes & LLMENV_TAKES_BYTES)
    return llmenv_quantity_value (q, e, p->B, e->memory);
  if (p->n_lengths == 0)
    return llmenv_quantity_value (q, e, p->B, p->L);
  const llmenv_at_context c = llmenv_point_context (p, e);
  return llmenv_quantity_at (q, e, p->B, &c);
}

llmenv_status
llmenv_point_value (llmenv_quantity q, const llmenv_point *p, double *value)
{
  llmenv_envelope e;
  const llmenv_status st = llmenv_point_envelope (p, &e);
  if (st == LLMENV_OK)
    *value = llmenv_point_value_in (q, p, &e);
  return st;
}

/* ---- elasticities ------------------------------------------------------ */

/* Slopes over steps h, h/2, h/4 ..., extrapolated to h = 0. */
enum { LEVELS = 9 };
static const double first_step = 0.02;

/* ln of the quantity with ln INPUT moved by STEP; NaN where it has none. */
static double
log_at (llmenv_quantity q, llmenv_input input, const llmenv_point *point,
        double step)
{
  llmenv_point p = *point;
  double value;
  if (llmenv_point_scale (&p, input, exp (step)) != LLMENV_OK
      || llmenv_point_value (q, &p, &value) != LLMENV_OK
      || !(value > 0) || isinf (value))
    return NAN;
  return log (value);
}

/* SIDE 0: both sides; +1 and -1: the one that the input's range leaves. */
static double
slope_over (llmenv_quantity q, llmenv_input input, const llmenv_point *p,
            double h, int side)
{
  const double here = side == 0 ? 0 : log_at (q, input, p, 0);
  return side == 0
         ? (log_at (q, input, p, h) - log_at (q, input, p, -h)) / (2 * h)
         : (log_at (q, input, p, side * h) - here) / (side * h);
}

/* Neville's scheme: the errors go with h^2, h^4, ... (one-sided h, h^2, ...);
 * kept is the entry that its neighbours agree with best. */
static double
extrapolate (llmenv_quantity q, llmenv_input input, const llmenv_point *p,
             int side, double *error)
{
  double last[LEVELS], row[LEVELS], best = NAN;
  int n = 0;                   /* entries of `last` */
  *error = INFINITY;
  for (int level = 0; level < LEVELS; level++)
    {
      row[0] = slope_over (q, input, p, ldexp (first_step, -level), side);
      if (isnan (row[0]))
        {
          n = 0;               /* out of range or of values: start anew */
          continue;
        }
      double power = side == 0 ? 4 : 2;
      for (int k = 1; k <= n; k++, power *= side == 0 ? 4 : 2)
        {
          row[k] = row[k - 1] + (row[k - 1] - last[k - 1]) / (power - 1);
          const double e = fmax (fabs (row[k] - row[k - 1]),
                                 fabs (row[k] - last[k - 1]));
          if (e < *error)
            {
              *error = e;
              best = row[k];
            }
        }
      n++;
      memcpy (last, row, sizeof last);
    }
  return best;
}

/* Whether the quantity keeps its value when the input moves by a tenth. */
static int
is_constant (llmenv_quantity q, llmenv_input input, const llmenv_point *p)
{
  static const double steps[] = { 0.1, -0.1, 0.02, -0.02 };
  const double here = log_at (q, input, p, 0);
  int compared = 0;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    {
      const double there = log_at (q, input, p, steps[i]);
      if (isnan (there))
        continue;
      compared++;
      if (fabs (there - here) > 32 * DBL_EPSILON * fmax (1, fabs (here)))
        return 0;
    }
  return compared > 0;
}

/* Experts on which the record is silent cannot be varied.  (A card's silent
 * number does not matter where the quantity has a value.) */
static int
is_unknown (llmenv_quantity q, llmenv_input input, const llmenv_point *p)
{
  return (input == LLMENV_IN_experts || input == LLMENV_IN_expert_ratio)
         && isnan (llmenv_point_get (p, input)) && q != LLMENV_Q_ridge
         && q != LLMENV_Q_kv_bytes && q != LLMENV_Q_kv_context;
}

llmenv_status
llmenv_elasticity (llmenv_quantity q, llmenv_input input,
                   const llmenv_point *p, double *elasticity,
                   llmenv_reason *reason)
{
  llmenv_envelope e;
  if ((unsigned) q >= LLMENV_QUANTITY_COUNT || (unsigned) input >= LLMENV_INPUT_COUNT)
    return LLMENV_EBADVALUE;
  const llmenv_status st = llmenv_point_envelope (p, &e);
  if (st != LLMENV_OK)
    return st;
  const double value = llmenv_point_value_in (q, p, &e);
  *elasticity = NAN;
  *reason = llmenv_quantity_reason (q, &e, value);
  if (*reason == LLMENV_HAS_VALUE && !(value > 0 && isfinite (value)))
    *reason = LLMENV_NOT_APPLICABLE;
  if (*reason != LLMENV_HAS_VALUE)
    return LLMENV_OK;
  if (is_unknown (q, input, p))
    {
      *reason = LLMENV_NO_RECORD;
      return LLMENV_OK;
    }
  if (is_constant (q, input, p))
    {
      *elasticity = 0;
      return LLMENV_OK;
    }
  const double h = ldexp (first_step, 1 - LEVELS);
  const int side = isnan (log_at (q, input, p, h)) ? -1
                   : isnan (log_at (q, input, p, -h)) ? 1 : 0;
  double error;
  const double slope = extrapolate (q, input, p, side, &error);
  if (error <= 1e-3 * fmax (1, fabs (slope)))
    *elasticity = slope;
  else
    *reason = LLMENV_NOT_APPLICABLE;
  return LLMENV_OK;
}
