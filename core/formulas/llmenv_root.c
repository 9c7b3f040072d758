/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_root.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>

/* A root of higher order at exactly 0 is approached by halving, until there is no
 * smaller number: some 1100 times from 1. */
enum { MAX_STEPS = 3000, STATE_DOUBLES = 32 };

typedef struct
{
  llmenv_function f;
  const void *context;
  int evaluations;
} counted;

static double
call (double x, void *p)
{
  counted *c = p;
  c->evaluations++;
  return c->f (x, c->context);
}

static llmenv_status
finish (const gsl_root_fsolver *s, counted *c, double scale, int converged,
        llmenv_root *result)
{
  result->root = s->root;
  result->residual = call (s->root, c);
  result->lower = s->x_lower;
  result->upper = s->x_upper;
  result->evaluations = c->evaluations;
  /* A continuous f falls to rounding noise of its values at the ends; at a
     jump it does not. */
  return converged && fabs (result->residual) <= 1e-6 * scale
         ? LLMENV_OK : LLMENV_ENOTCONVERGED;
}

llmenv_status
llmenv_root_find (llmenv_function f, const void *context, double lo, double hi,
                  llmenv_root *result)
{
  counted c = { f, context, 0 };
  if (!isfinite (lo) || !isfinite (hi) || lo > hi)
    return LLMENV_EBADVALUE;
  const double f_lo = call (lo, &c), f_hi = call (hi, &c);
  if (!isfinite (f_lo) || !isfinite (f_hi))
    return LLMENV_EBADVALUE;
  if (f_lo == 0 || f_hi == 0)
    {
      const double x = f_lo == 0 ? lo : hi;
      *result = (llmenv_root) { x, 0, x, x, c.evaluations };
      return LLMENV_OK;
    }
  if ((f_lo < 0) == (f_hi < 0))
    return LLMENV_ENOBRACKET;

  /* The solver's fields are public; a caller-side state instead of
     gsl_root_fsolver_alloc keeps the formulas free of allocation. */
  double state[STATE_DOUBLES];
  gsl_root_fsolver solver = { .type = gsl_root_fsolver_brent, .state = state };
  if (solver.type->size > sizeof state)
    return LLMENV_ENOTCONVERGED;
  gsl_function g = { call, &c };
  if (gsl_root_fsolver_set (&solver, &g, lo, hi) != GSL_SUCCESS)
    return LLMENV_EBADVALUE;

  int status = GSL_CONTINUE;
  for (int step = 0; status == GSL_CONTINUE && step < MAX_STEPS; step++)
    {
      if (gsl_root_fsolver_iterate (&solver) != GSL_SUCCESS)
        break;
      status = gsl_root_test_interval (solver.x_lower, solver.x_upper,
                                       DBL_MIN, 4 * DBL_EPSILON);
    }
  return finish (&solver, &c, fmax (fabs (f_lo), fabs (f_hi)),
                 status == GSL_SUCCESS, result);
}
