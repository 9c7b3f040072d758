/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_solve.h"

#include <float.h>
#include <math.h>

#include "llmenv_root.h"

enum { STEPS = 256, MAX_ENDS = 4 * (LLMENV_MAX_BENDS + 1), MAX_CROSSINGS = 512 };

/* ---- the two sides of an equation -------------------------------------- */

typedef struct
{
  llmenv_quantity q;
  const llmenv_point *point;   /* NULL: the constant */
  double constant;
  llmenv_envelope envelope;    /* of the point: stands while B or L moves */
} side;

typedef struct
{
  side a, b;
  llmenv_input input;
  int *evaluations;
} equation;

static double
side_at (const side *s, llmenv_input input, double x)
{
  if (s->point == NULL)
    return s->constant;
  llmenv_point p = *s->point;
  double value;
  if (llmenv_point_set (&p, input, x) != LLMENV_OK)
    return NAN;
  if (input == LLMENV_IN_batch || input == LLMENV_IN_context)
    return llmenv_point_value_in (s->q, &p, &s->envelope);
  return llmenv_point_value (s->q, &p, &value) == LLMENV_OK ? value : NAN;
}

/* A less B; NaN where both are infinite alike, or either has no value. */
static double
gap_at (double x, const void *context)
{
  const equation *q = context;
  (*q->evaluations)++;
  return side_at (&q->a, q->input, x) - side_at (&q->b, q->input, x);
}

static llmenv_status
make_side (side *s, llmenv_quantity q, const llmenv_point *point, double constant)
{
  s->q = q;
  s->point = point;
  s->constant = constant;
  return point == NULL ? LLMENV_OK : llmenv_point_envelope (point, &s->envelope);
}

/* Whether both ends of the bracket may be set. */
static llmenv_status
check_bracket (const equation *q, double lo, double hi)
{
  const side *const sides[] = { &q->a, &q->b };
  if (!isfinite (lo) || !isfinite (hi) || lo > hi)
    return LLMENV_EBADVALUE;
  for (int i = 0; i < 2; i++)
    {
      if (sides[i]->point == NULL)
        continue;
      llmenv_point p = *sides[i]->point;
      llmenv_point r = p;
      if (llmenv_point_set (&p, q->input, lo) != LLMENV_OK
          || llmenv_point_set (&r, q->input, hi) != LLMENV_OK)
        return LLMENV_EBADVALUE;
    }
  return LLMENV_OK;
}

/* ---- where to look ----------------------------------------------------- */

typedef struct
{
  double lo, hi;
  int is_geometric;
  double end[MAX_ENDS];        /* both sides of each bend, rising */
  int n_ends, next_end, step;
} scan;

static void
add_end (scan *s, double x)
{
  if (!(x > s->lo && x < s->hi) || s->n_ends == MAX_ENDS)
    return;
  int at = s->n_ends++;
  for (; at > 0 && s->end[at - 1] > x; at--)
    s->end[at] = s->end[at - 1];
  s->end[at] = x;
}

static void
start_scan (scan *s, const equation *q, double lo, double hi)
{
  *s = (scan) { .lo = lo, .hi = hi, .is_geometric = lo > 0 && hi > 8 * lo };
  const side *const sides[] = { &q->a, &q->b };
  for (int i = 0; i < 2 && q->input == LLMENV_IN_context; i++)
    for (int k = 1; sides[i]->point != NULL && sides[i]->point->n_lengths == 0
                    && k < sides[i]->envelope.n_pieces; k++)
      {
        const double end = sides[i]->envelope.piece[k].end;
        add_end (s, end);
        add_end (s, nextafter (end, INFINITY));
      }
}

static double
step_at (const scan *s, int step)
{
  const double share = (double) step / STEPS;
  return step == 0 ? s->lo : step == STEPS ? s->hi
         : s->is_geometric ? s->lo * pow (s->hi / s->lo, share)
         : s->lo + (s->hi - s->lo) * share;
}

/* The next place; 0 past the last. */
static int
next_place (scan *s, double *x)
{
  if (s->step > STEPS)
    return 0;
  const double step = step_at (s, s->step);
  if (s->next_end < s->n_ends && s->end[s->next_end] <= step)
    {
      *x = s->end[s->next_end++];
      if (*x == step)
        s->step++;
      return 1;
    }
  *x = step;
  s->step++;
  return 1;
}

/* ---- one change of sign ------------------------------------------------ */

typedef struct
{
  double x, f;
} place;

static int
are_neighbours (double x0, double x1)
{
  return nextafter (x0, x1) == x1 || x0 == x1;
}

static double
between (double x0, double x1)
{
  /* Geometric far apart: as many steps for each power of two. */
  const double middle = x0 > 0 && x1 > 4 * x0 ? sqrt (x0) * sqrt (x1)
                                              : x0 + (x1 - x0) / 2;
  return middle > x0 && middle < x1 ? middle : x0;
}

/* Halve [a, b] until both values are finite, or, with TO_THE_END, until there is
 * no number between them.  1 when the target is met in between, which is a. */
static int
halve (const equation *q, place *a, place *b, int to_the_end)
{
  while ((to_the_end || isinf (a->f) || isinf (b->f)) && !are_neighbours (a->x, b->x))
    {
      place m = { between (a->x, b->x), 0 };
      if (m.x == a->x)
        break;
      m.f = gap_at (m.x, q);
      if (m.f == 0)
        {
          *a = *b = m;
          return 1;
        }
      if (isnan (m.f))
        break;
      if ((m.f < 0) == (a->f < 0))
        *a = m;
      else
        *b = m;
    }
  return 0;
}

static void
put_jump (const equation *q, place a, place b, llmenv_answer *answer)
{
  if (halve (q, &a, &b, 1))
    answer->at = a.x;
  else
    {
      answer->is_jump = 1;
      answer->at = a.x;
    }
  const double other = side_at (&q->b, q->input, a.x);
  const double offset = q->b.point == NULL ? other : 0;
  answer->value = side_at (&q->a, q->input, a.x);
  answer->before = a.f + offset;
  answer->after = b.f + offset;
}

static void
put_root (const equation *q, double x, llmenv_answer *answer)
{
  answer->at = x;
  answer->value = side_at (&q->a, q->input, x);
  answer->before = answer->after
    = q->b.point == NULL ? answer->value : gap_at (x, q);
}

static llmenv_answer
refine (const equation *q, place a, place b)
{
  const int start = *q->evaluations;
  llmenv_answer answer = { .direction = b.f > a.f ? 1 : -1 };
  llmenv_root root;
  if (halve (q, &a, &b, 0))
    put_root (q, a.x, &answer);
  else if (isinf (a.f) || isinf (b.f))
    put_jump (q, a, b, &answer);
  else if (llmenv_root_find (gap_at, q, a.x, b.x, &root) == LLMENV_OK)
    put_root (q, root.root, &answer);
  else
    put_jump (q, a, b, &answer);
  answer.until = answer.at;
  answer.evaluations = *q->evaluations - start;
  return answer;
}

/* ---- the whole bracket ------------------------------------------------- */

typedef struct
{
  const equation *q;
  llmenv_answer *answers;
  size_t max, n;
} collector;

static void
collect (collector *c, llmenv_answer answer)
{
  if (c->n < c->max)
    c->answers[c->n] = answer;
  c->n++;
}

/* A place that meets the target: a new answer, or more of the last one. */
static void
collect_met (collector *c, place before, place here)
{
  if (before.f == 0)
    {
      if (c->n <= c->max && c->n > 0)
        c->answers[c->n - 1].until = here.x;
      return;
    }
  llmenv_answer answer = { .until = here.x };
  put_root (c->q, here.x, &answer);
  answer.direction = isnan (before.f) ? 0 : before.f < 0 ? 1 : -1;
  collect (c, answer);
}

static void
scan_bracket (const equation *q, double lo, double hi, collector *c)
{
  scan s;
  place last = { lo, NAN }, here;
  start_scan (&s, q, lo, hi);
  while (next_place (&s, &here.x))
    {
      here.f = gap_at (here.x, q);
      if (here.f == 0)
        collect_met (c, last, here);
      else if ((last.f < 0 && here.f > 0) || (last.f > 0 && here.f < 0))
        collect (c, refine (q, last, here));
      last = here;
    }
}

static llmenv_reason
reason_at (const equation *q, double x)
{
  llmenv_point p = *q->a.point;
  llmenv_envelope e;
  if (llmenv_point_set (&p, q->input, x) != LLMENV_OK
      || llmenv_point_envelope (&p, &e) != LLMENV_OK)
    return LLMENV_NO_RECORD;
  return llmenv_quantity_reason (q->a.q, &e, llmenv_point_value_in (q->a.q, &p, &e));
}

static llmenv_status
solve_equation (const equation *q, double lo, double hi, llmenv_answer answers[],
                size_t max, llmenv_solve_report *report)
{
  const int start = *q->evaluations;
  const llmenv_status st = check_bracket (q, lo, hi);
  if (st != LLMENV_OK)
    return st;
  collector c = { q, answers, max, 0 };
  scan_bracket (q, lo, hi, &c);
  const int alone = q->b.point == NULL;
  report->at_lo = alone ? side_at (&q->a, q->input, lo) : gap_at (lo, q);
  report->at_hi = alone ? side_at (&q->a, q->input, hi) : gap_at (hi, q);
  report->reason_lo = reason_at (q, lo);
  report->reason_hi = reason_at (q, hi);
  report->n = c.n;
  report->evaluations = *q->evaluations - start;
  return LLMENV_OK;
}

/* ---- equations --------------------------------------------------------- */

static llmenv_status
against_target (equation *q, llmenv_quantity quantity, double target,
                llmenv_input input, const llmenv_point *point)
{
  if (!isfinite (target) || (unsigned) quantity >= LLMENV_QUANTITY_COUNT
      || (unsigned) input >= LLMENV_INPUT_COUNT)
    return LLMENV_EBADVALUE;
  q->input = input;
  make_side (&q->b, quantity, NULL, target);
  return make_side (&q->a, quantity, point, NAN);
}

static llmenv_status
against_other (equation *q, llmenv_quantity quantity_a, const llmenv_point *point_a,
               llmenv_quantity quantity_b, const llmenv_point *point_b,
               llmenv_input input)
{
  if ((unsigned) quantity_a >= LLMENV_QUANTITY_COUNT
      || (unsigned) quantity_b >= LLMENV_QUANTITY_COUNT
      || (unsigned) input >= LLMENV_INPUT_COUNT)
    return LLMENV_EBADVALUE;
  q->input = input;
  const llmenv_status st = make_side (&q->a, quantity_a, point_a, NAN);
  return st != LLMENV_OK ? st : make_side (&q->b, quantity_b, point_b, NAN);
}

llmenv_status
llmenv_solve (llmenv_quantity quantity, double target, llmenv_input input,
              double lo, double hi, const llmenv_point *point,
              llmenv_answer answers[], size_t max, llmenv_solve_report *report)
{
  int evaluations = 0;
  equation q = { .evaluations = &evaluations };
  const llmenv_status st = against_target (&q, quantity, target, input, point);
  return st != LLMENV_OK ? st : solve_equation (&q, lo, hi, answers, max, report);
}

llmenv_status
llmenv_solve_share (llmenv_quantity quantity, double share, llmenv_input input,
                    const llmenv_point *point, double *target)
{
  llmenv_point p = *point;
  llmenv_envelope e;
  double end[2];
  if (!isfinite (share) || (unsigned) quantity >= LLMENV_QUANTITY_COUNT
      || (input != LLMENV_IN_batch && (input != LLMENV_IN_context || p.n_lengths > 0)))
    return LLMENV_EBADVALUE;
  const llmenv_status st = llmenv_point_envelope (point, &e);
  if (st != LLMENV_OK)
    return st;
  for (int i = 0; i < 2; i++)
    {
      *(input == LLMENV_IN_batch ? &p.B : &p.L) = i == 0 ? 0 : INFINITY;
      end[i] = llmenv_point_value_in (quantity, &p, &e);
    }
  if (!isfinite (end[0]) || !isfinite (end[1]) || end[0] == end[1])
    return LLMENV_EBADVALUE;
  *target = end[0] + share * (end[1] - end[0]);
  return LLMENV_OK;
}

llmenv_status
llmenv_cross (llmenv_quantity quantity_a, const llmenv_point *point_a,
              llmenv_quantity quantity_b, const llmenv_point *point_b,
              llmenv_input input, double lo, double hi,
              llmenv_answer answers[], size_t max, llmenv_solve_report *report)
{
  int evaluations = 0;
  equation q = { .evaluations = &evaluations };
  const llmenv_status st
    = against_other (&q, quantity_a, point_a, quantity_b, point_b, input);
  return st != LLMENV_OK ? st : solve_equation (&q, lo, hi, answers, max, report);
}

/* ---- whole numbers ----------------------------------------------------- */

const char *
llmenv_whole_word (llmenv_whole question)
{
  static const char *const words[] = {
#define X(symbol, word) word,
    LLMENV_WHOLES (X)
#undef X
  };
  return (unsigned) question < LLMENV_WHOLE_COUNT ? words[question] : "unknown";
}

typedef struct
{
  const equation *q;
  int at_least, step;          /* the question; the way to look: +1 or -1 */
  double lo, hi;               /* whole */
} search;

static int
satisfies (const search *s, double x)
{
  const double gap = gap_at (x, s->q);
  return s->at_least ? gap >= 0 : gap <= 0;
}

/* Whether x is an answer: it satisfies, and the one that was passed before it
 * does not (or there is none). */
static int
is_first (const search *s, double x)
{
  const double passed = x - s->step;
  return x >= s->lo && x <= s->hi && satisfies (s, x)
         && (passed < s->lo || passed > s->hi || !satisfies (s, passed));
}

/* Around a crossing at [at, until], in the way of the search. */
static int
near_crossing (const search *s, const llmenv_answer *crossing, double *found)
{
  const double from = s->step > 0 ? floor (crossing->at) - 1 : ceil (crossing->until) + 1;
  for (int i = 0; i <= 3; i++)
    if (is_first (s, from + i * s->step))
      {
        *found = from + i * s->step;
        return 1;
      }
  /* A crossing that lasts is left as it was met. */
  const double to = s->step > 0 ? floor (crossing->until) : ceil (crossing->at);
  *found = to;
  return crossing->until > crossing->at && is_first (s, to);
}

static llmenv_status
search_whole (search *s, llmenv_whole_answer *answer)
{
  llmenv_answer crossings[MAX_CROSSINGS];
  llmenv_solve_report report;
  const llmenv_status st
    = solve_equation (s->q, s->lo, s->hi, crossings, MAX_CROSSINGS, &report);
  if (st != LLMENV_OK)
    return st;
  const double start = s->step > 0 ? s->lo : s->hi;
  const size_t n = report.n < MAX_CROSSINGS ? report.n : MAX_CROSSINGS;
  double found = start;
  int is_found = satisfies (s, start);
  for (size_t i = 0; i < n && !is_found; i++)
    is_found = near_crossing (s, &crossings[s->step > 0 ? i : n - 1 - i], &found);
  const double offset = s->q->b.point == NULL ? s->q->b.constant : 0;
  *answer = (llmenv_whole_answer) { is_found, NAN, NAN, report.at_lo, report.at_hi, 0 };
  if (is_found)
    {
      answer->at = found;
      answer->value = gap_at (found, s->q) + offset;
      answer->value_before = found > s->lo ? gap_at (found - 1, s->q) + offset : NAN;
      answer->value_after = found < s->hi ? gap_at (found + 1, s->q) + offset : NAN;
    }
  answer->evaluations = *s->q->evaluations;
  return LLMENV_OK;
}

static llmenv_status
start_search (const equation *q, llmenv_whole question, double lo, double hi,
              llmenv_whole_answer *answer)
{
  if (!(fabs (lo) <= 0x1p53) || !(fabs (hi) <= 0x1p53) || lo > hi
      || (unsigned) question >= LLMENV_WHOLE_COUNT)
    return LLMENV_EBADVALUE;
  search s = {
    .q = q,
    .at_least = question == LLMENV_FIRST_AT_LEAST || question == LLMENV_LAST_AT_LEAST,
    .step = question == LLMENV_FIRST_AT_LEAST || question == LLMENV_FIRST_AT_MOST ? 1 : -1,
    .lo = ceil (lo), .hi = floor (hi),
  };
  if (s.lo <= s.hi)
    return search_whole (&s, answer);
  const llmenv_status st = check_bracket (q, lo, hi);
  if (st != LLMENV_OK)
    return st;
  /* No whole number between: as where none will do, the values at both ends. */
  const double offset = q->b.point == NULL ? q->b.constant : 0;
  *answer = (llmenv_whole_answer) { 0, NAN, NAN, gap_at (lo, q) + offset,
                                    gap_at (hi, q) + offset, *q->evaluations };
  return LLMENV_OK;
}

llmenv_status
llmenv_solve_integer (llmenv_quantity quantity, llmenv_whole question,
                      double target, llmenv_input input, double lo, double hi,
                      const llmenv_point *point, llmenv_whole_answer *answer)
{
  int evaluations = 0;
  equation q = { .evaluations = &evaluations };
  const llmenv_status st = against_target (&q, quantity, target, input, point);
  return st != LLMENV_OK ? st : start_search (&q, question, lo, hi, answer);
}

llmenv_status
llmenv_cross_integer (llmenv_quantity quantity_a, const llmenv_point *point_a,
                      llmenv_whole question, llmenv_quantity quantity_b,
                      const llmenv_point *point_b, llmenv_input input,
                      double lo, double hi, llmenv_whole_answer *answer)
{
  int evaluations = 0;
  equation q = { .evaluations = &evaluations };
  const llmenv_status st
    = against_other (&q, quantity_a, point_a, quantity_b, point_b, input);
  return st != LLMENV_OK ? st : start_search (&q, question, lo, hi, answer);
}
