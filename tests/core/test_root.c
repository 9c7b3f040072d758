/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The root finder: roots known in closed form, ends, refusals, jumps, cost,
 * threads. */
#include "check.h"

#include <pthread.h>

#include "llmenv_root.h"

typedef struct
{
  double a, b;
} two;

static double square (double x, const void *c) { return x * x - *(const double *) c; }
static double minus_square (double x, const void *c) { return *(const double *) c - x * x; }
static double line (double x, const void *c) { return x - *(const double *) c; }
static double cube (double x, const void *c) { return x * x * x - *(const double *) c; }
static double logarithm (double x, const void *c) { return log (x) - *(const double *) c; }
static double exponential (double x, const void *c) { return exp (x) - *(const double *) c; }
static double sine (double x, const void *c) { (void) c; return sin (x); }
static double sine_and_square (double x, const void *c) { (void) c; return sin (x) + x * x; }
static double steep (double x, const void *c) { return 1e300 * (x - *(const double *) c); }
static double flat (double x, const void *c) { return 1e-300 * (x - *(const double *) c); }
static double step (double x, const void *c) { return x < *(const double *) c ? -1 : 1; }
static double hyperbola (double x, const void *c) { return 1 / (x - *(const double *) c); }
static double infinite (double x, const void *c) { (void) c; return x > 0.5 ? INFINITY : -1; }
static double not_a_number (double x, const void *c) { (void) c; (void) x; return NAN; }
static double inside_nan (double x, const void *c) { (void) c; return x == 0 ? -1 : x == 1 ? 1 : NAN; }

/* The balance of touched experts:  B T = S + X (1 - (1 - e/E)^B). */
static double
touched (double B, const void *c)
{
  const two *p = c;
  return B - p->a + p->b * expm1 (B * log1p (-1 / 32.0));
}

/* ---- roots ------------------------------------------------------------- */

static const struct
{
  const char *name;
  llmenv_function f;
  double c, lo, hi, root;
} closed[] = {
  { "sqrt 2", square, 2, 0, 2, 1.4142135623730950488 },
  { "sqrt 2, falling", minus_square, 2, 0, 2, 1.4142135623730950488 },
  { "sqrt 1e10", square, 1e10, 0, 1e12, 1e5 },
  { "sqrt 1e-10", square, 1e-10, 0, 1, 1e-5 },
  { "negative root", square, 2, -9, 0, -1.4142135623730950488 },
  { "line", line, 3.5, -1e9, 1e9, 3.5 },
  { "line to 1e15", line, 1e15, 0, 4e15, 1e15 },
  { "cube root of 27", cube, 27, 0, 100, 3 },
  { "e", logarithm, 1, 1e-3, 1e6, 2.7182818284590452354 },
  { "ln 10", exponential, 10, -50, 50, 2.3025850929940456840 },
  { "pi", sine, 0, 3, 4, 3.1415926535897932385 },
  { "very steep", steep, 0.25, 0, 1, 0.25 },
  { "very flat", flat, 0.25, 0, 1, 0.25 },
  { "root at the lower end", line, 1, 1, 2, 1 },
  { "root at the upper end", line, 2, 1, 2, 2 },
  { "root at both ends", line, 2, 2, 2, 2 },
  { "root at exactly 0, lower end", line, 0, 0, 1, 0 },
  { "root at exactly 0, upper end", line, 0, -1, 0, 0 },
};

static void
roots_are_those_of_the_closed_form (void **state)
{
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (closed); i++)
    {
      llmenv_root r;
      assert_int_equal (llmenv_root_find (closed[i].f, &closed[i].c, closed[i].lo,
                                          closed[i].hi, &r), LLMENV_OK);
      NEAR (r.root, closed[i].root, 1e-12, closed[i].name);
      assert_true (r.lower <= r.root && r.root <= r.upper);
      NEAR (r.residual, closed[i].f (r.root, &closed[i].c), 0, closed[i].name);
      if (r.evaluations < 2 || r.evaluations > 90)
        print_error ("%s: %d evaluations\n", closed[i].name, r.evaluations);
      assert_in_range (r.evaluations, 2, 90);
    }
}

/* 0 is inside the bracket and not at an end: an interval test that is only
 * relative would never pass. */
static void
a_root_at_zero_inside_the_bracket_is_found (void **state)
{
  static const two brackets[] = { { -1, 1 }, { -1, 2 }, { -1e-3, 5 }, { -1e9, 1 } };
  const double zero = 0;
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (brackets); i++)
    {
      llmenv_root r;
      assert_int_equal (llmenv_root_find (line, &zero, brackets[i].a, brackets[i].b, &r),
                        LLMENV_OK);
      assert_true (fabs (r.root) < 1e-12);
      assert_int_equal (llmenv_root_find (sine_and_square, NULL, fmax (brackets[i].a, -0.4),
                                          fmin (brackets[i].b, 2), &r), LLMENV_OK);
      assert_true (fabs (r.root) < 1e-12);
    }
}

/* There it is approached by halving alone, which takes until there is no
 * smaller number. */
static void
a_root_of_order_three_at_zero_is_found (void **state)
{
  static const two brackets[] = { { -1, 2 }, { -1e-3, 5 }, { -1e9, 1 }, { -0.3, 1e6 } };
  const double zero = 0;
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (brackets); i++)
    {
      llmenv_root r;
      assert_int_equal (llmenv_root_find (cube, &zero, brackets[i].a, brackets[i].b, &r), LLMENV_OK);
      assert_true (fabs (r.root) < 1e-100);
    }
}

static void
few_evaluations_are_needed (void **state)
{
  llmenv_root r;
  const double c = 2;
  const two p = { 10, 300 };
  (void) state;
  /* Style study 3d: 9 evaluations for sqrt 2 at a looser end; allow twice. */
  assert_int_equal (llmenv_root_find (square, &c, 0, 2, &r), LLMENV_OK);
  assert_in_range (r.evaluations, 4, 20);
  assert_int_equal (llmenv_root_find (touched, &p, 0, 310, &r), LLMENV_OK);
  assert_in_range (r.evaluations, 4, 30);
  NEAR (r.root, 10 - 300 * (double) expm1l (r.root * log1pl (-1 / 32.0L)), 1e-12, "touched");
}

/* ---- refusals ---------------------------------------------------------- */

static void
what_is_no_bracket_is_refused_and_nothing_written (void **state)
{
  static const struct
  {
    const char *name;
    llmenv_function f;
    double c, lo, hi;
    llmenv_status status;
  } cases[] = {
    { "reversed", line, 1, 2, 0, LLMENV_EBADVALUE },
    { "NaN below", line, 1, NAN, 2, LLMENV_EBADVALUE },
    { "NaN above", line, 1, 0, NAN, LLMENV_EBADVALUE },
    { "Inf below", line, 1, -INFINITY, 2, LLMENV_EBADVALUE },
    { "Inf above", line, 1, 0, INFINITY, LLMENV_EBADVALUE },
    { "f is NaN", not_a_number, 1, 0, 2, LLMENV_EBADVALUE },
    { "f is Inf at an end", infinite, 1, 0, 2, LLMENV_EBADVALUE },
    { "f is Inf at the lower end", logarithm, 1, 0, 5, LLMENV_EBADVALUE },
    { "both negative", line, 5, 0, 2, LLMENV_ENOBRACKET },
    { "both positive", square, -1, -1, 1, LLMENV_ENOBRACKET },
    { "one point, no root", line, 5, 2, 2, LLMENV_ENOBRACKET },
  };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      llmenv_root r = { 1, 2, 3, 4, 5 };
      const llmenv_root before = r;
      const llmenv_status st = llmenv_root_find (cases[i].f, &cases[i].c,
                                                 cases[i].lo, cases[i].hi, &r);
      if (st != cases[i].status)
        print_error ("%s: %s\n", cases[i].name, llmenv_status_id (st));
      assert_int_equal (st, cases[i].status);
      assert_memory_equal (&r, &before, sizeof r);
    }
}

/* No root there, only a change of sign. */
static void
a_jump_is_not_a_root (void **state)
{
  static const llmenv_function jumps[] = { step, hyperbola };
  static const double at[] = { 0.3, 1.0 / 3, 0.7, 1e-6 };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (jumps); i++)
    for (size_t k = 0; k < N_OF_ARRAY (at); k++)
      {
        llmenv_root r;
        assert_int_equal (llmenv_root_find (jumps[i], &at[k], 0, 1, &r),
                          LLMENV_ENOTCONVERGED);
        /* It says where: the last bracket holds the jump. */
        assert_true (r.lower <= at[k] * (1 + 1e-9) && at[k] * (1 - 1e-9) <= r.upper);
        assert_in_range (r.evaluations, 2, 250);
      }
}

static void
nan_inside_the_bracket_does_not_converge (void **state)
{
  llmenv_root r;
  (void) state;
  assert_int_equal (llmenv_root_find (inside_nan, NULL, 0, 1, &r), LLMENV_ENOTCONVERGED);
}

/* ---- threads ----------------------------------------------------------- */

enum { THREADS = 8, ROUNDS = 2000 };

static void *
solve_many (void *failures)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const size_t k = (size_t) i % N_OF_ARRAY (closed);
      llmenv_root r;
      if (llmenv_root_find (closed[k].f, &closed[k].c, closed[k].lo, closed[k].hi, &r)
          != LLMENV_OK || !is_near (r.root, closed[k].root, 1e-12))
        ++*(int *) failures;
    }
  return NULL;
}

static void
threads_do_not_disturb_each_other (void **state)
{
  pthread_t thread[THREADS];
  int failures[THREADS] = { 0 };
  (void) state;
  for (int i = 0; i < THREADS; i++)
    assert_int_equal (pthread_create (&thread[i], NULL, solve_many, &failures[i]), 0);
  for (int i = 0; i < THREADS; i++)
    {
      assert_int_equal (pthread_join (thread[i], NULL), 0);
      assert_int_equal (failures[i], 0);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (roots_are_those_of_the_closed_form),
    cmocka_unit_test (a_root_at_zero_inside_the_bracket_is_found),
    cmocka_unit_test (a_root_of_order_three_at_zero_is_found),
    cmocka_unit_test (few_evaluations_are_needed),
    cmocka_unit_test (what_is_no_bracket_is_refused_and_nothing_written),
    cmocka_unit_test (a_jump_is_not_a_root),
    cmocka_unit_test (nan_inside_the_bracket_does_not_converge),
    cmocka_unit_test (threads_do_not_disturb_each_other),
  };
  use_shipped_data ();
  return cmocka_run_group_tests (tests, NULL, NULL);
}
