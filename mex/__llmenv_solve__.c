/* SPDX-License-Identifier: GPL-3.0-or-later */
/* [X, INFO] = __llmenv_solve__ ("solve", QUANTITY, TARGET, INPUT, RANGE, MODEL,
 *                               CARD, WHOLE, OPTION, VALUE, ...)
 * [E, REASON] = __llmenv_solve__ ("elasticity", QUANTITY, INPUT, MODEL, CARD,
 *                                 OPTION, VALUE, ...)
 *
 * TARGET: a number, a share ("90%"), the name of another quantity, or [] where
 * MODEL or CARD is a cell of two that are to agree.  WHOLE: "" or a word of llmenv_whole_word.
 * X: column of the answers, [] when none.  INFO: value, jump, until, direction,
 * before, after (columns), at_lo, at_hi, reason_lo, reason_hi, evaluations.
 * E: quantities x inputs; REASON: cell of words, of that size. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include <gsl/gsl_errno.h>

#include "llmenv_mex.h"
#include "llmenv_sweep.h"

enum { MOST_ANSWERS = 256 };

/* Both sides: records, which the points borrow.  Owned while computing. */
typedef struct
{
  llmenv_model_record *models[2];
  llmenv_card_record *cards[2];
  llmenv_lengths lengths;
  llmenv_point points[2];
} loaded;

/* ---- shared ------------------------------------------------------------ */

static const mxArray *
element (const mxArray *a, size_t i)
{
  return !mxIsCell (a) ? a
         : mxGetCell (a, (mwIndex) (i < mxGetNumberOfElements (a) ? i : 0));
}

static size_t
count_of (const mxArray *a)
{
  return mxIsCell (a) ? mxGetNumberOfElements (a) : 1;
}

static llmenv_quantity
quantity_of (const mxArray *a, const char *argument)
{
  llmenv_quantity q = LLMENV_Q_ridge;
  llmenv_error error;
  if (llmenv_quantity_named (llmenv_mex_text (a, argument), &q, &error) != LLMENV_OK)
    llmenv_mex_raise (&error);
  return q;
}

static llmenv_input
input_of (const mxArray *a)
{
  llmenv_input input = LLMENV_IN_batch;
  llmenv_error error;
  if (llmenv_input_named (llmenv_mex_text (a, "INPUT"), &input, &error) != LLMENV_OK)
    llmenv_mex_raise (&error);
  return input;
}

static llmenv_status
load (const mxArray *models, const mxArray *cards, const llmenv_options *options,
      loaded *l, llmenv_error *error)
{
  llmenv_request request = { .options = *options };
  LLMENV_TRY (llmenv_request_contexts (&request, &l->lengths, error));
  for (size_t i = 0; i < 2; i++)
    {
      if (!mxIsEmpty (models))
        LLMENV_TRY (llmenv_mex_model (element (models, i), &l->models[i], error));
      if (!mxIsEmpty (cards))
        LLMENV_TRY (llmenv_mex_card (element (cards, i), &l->cards[i], error));
      l->points[i] = llmenv_point_make (l->models[i] == NULL ? NULL : &l->models[i]->model,
                                        l->cards[i], options, request.contexts);
    }
  return LLMENV_OK;
}

static void
unload (loaded *l)
{
  for (size_t i = 0; i < 2; i++)
    {
      llmenv_model_record_free (l->models[i]);
      llmenv_card_record_free (l->cards[i]);
    }
  llmenv_lengths_free (&l->lengths);
}

/* ---- solve ------------------------------------------------------------- */

typedef struct
{
  llmenv_quantity a, b;
  double target;               /* NaN: B, or the second model or card */
  int is_share;                /* the target is one, of the quantity's range */
  llmenv_input input;
  double lo, hi;
  int whole;                   /* -1: none */
  llmenv_options options;
} question;

typedef struct
{
  llmenv_answer answers[MOST_ANSWERS];
  llmenv_solve_report report;
  llmenv_whole_answer whole;
  size_t n;
} solved;

static int
whole_of (const mxArray *a)
{
  const char *word = llmenv_mex_text (a, "Whole");
  if (*word == '\0')
    return -1;
  for (int k = 0; k < LLMENV_WHOLE_COUNT; k++)
    if (strcasecmp (word, llmenv_whole_word ((llmenv_whole) k)) == 0)
      return k;
  llmenv_mex_fail ("badOption", "option Whole: '%.60s' is not accepted, expected first-at-least, first-at-most, last-at-least or last-at-most", word);
}

/* "90%": whether TEXT ends so, and then the share. */
static int
read_share (const char *text, double *share)
{
  char number[40];
  const size_t n = strlen (text);
  if (n < 1 || text[n - 1] != '%')
    return 0;
  snprintf (number, sizeof number, "%.*s", (int) n - 1, text);
  if (n > sizeof number || !llmenv_parse_number (number, share) || !isfinite (*share))
    llmenv_mex_fail ("badValue", "TARGET '%.60s' is not accepted, expected a finite number, a share such as 90%% or a quantity", text);
  *share /= 100;
  return 1;
}

static question
read_question (const mxArray *const *args, int n)
{
  question q = { .target = NAN, .options = llmenv_options_default () };
  const mxArray *target = args[1];
  q.a = q.b = quantity_of (args[0], "QUANTITY");
  q.input = input_of (args[2]);
  const double *range = llmenv_mex_doubles (args[3], "RANGE");
  if (mxGetNumberOfElements (args[3]) != 2)
    llmenv_mex_fail ("badSize", "RANGE has %zu elements, expected [LO, HI]",
                     mxGetNumberOfElements (args[3]));
  q.lo = range[0];
  q.hi = range[1];
  const size_t pair = count_of (args[4]) * count_of (args[5]);
  if (mxIsChar (target))
    {
      q.is_share = read_share (llmenv_mex_text (target, "TARGET"), &q.target);
      if (!q.is_share)
        q.b = quantity_of (target, "TARGET");
    }
  else if (mxGetNumberOfElements (target) == 1)
    {
      q.target = *llmenv_mex_doubles (target, "TARGET");
      if (!isfinite (q.target))
        llmenv_mex_fail ("badValue", "TARGET is %g, expected a finite number", q.target);
    }
  else if (mxGetNumberOfElements (target) != 0)
    llmenv_mex_fail ("badSize", "TARGET must be one number, the name of a quantity, or []");
  else if (pair != 2)
    llmenv_mex_fail ("badSize", "without a TARGET, MODEL or CARD is a cell of the two that are to agree");
  if (pair != 1 && (pair != 2 || mxGetNumberOfElements (target) != 0))
    llmenv_mex_fail ("badSize", "with a TARGET, give one model and one card");
  q.whole = whole_of (args[6]);
  llmenv_mex_options (args + 7, n - 7, &q.options);
  return q;
}

static llmenv_status
refuse (const question *q, const llmenv_point *p, llmenv_error *error)
{
  const llmenv_input_info *i = llmenv_input_get (q->input);
  return llmenv_error_set (error, LLMENV_EBADVALUE,
                           "RANGE: %s from %.15g to %.15g is not accepted, expected LO <= HI, %s%s%s",
                           i->name, q->lo, q->hi, i->least_is_out ? "above 0" : "0 or more",
                           isinf (i->most) ? "" : " and up to 1",
                           q->input == LLMENV_IN_experts && p->model.top > 0
                           ? " and no fewer than a token takes" : "");
}

/* A share becomes a target in the quantity's unit. */
static llmenv_status
set_target (question *q, const llmenv_point *p, llmenv_error *error)
{
  const double share = q->target;
  if (!q->is_share)
    return LLMENV_OK;
  const llmenv_status st = llmenv_solve_share (q->a, share, q->input, p, &q->target);
  return st == LLMENV_EBADVALUE
         ? llmenv_error_set (error, st, "TARGET %.15g%%: %s has no two ends, finite and different, at %s 0 and infinite; give a number",
                             100 * share, llmenv_quantity_get (q->a)->name,
                             llmenv_input_get (q->input)->name)
         : st != LLMENV_OK ? llmenv_error_set (error, st, "%s", llmenv_status_text (st)) : st;
}

static llmenv_status
solve (const question *q, const loaded *l, solved *s, llmenv_error *error)
{
  const llmenv_point *a = &l->points[0], *b = &l->points[1];
  const llmenv_whole whole = (llmenv_whole) q->whole;
  const int alone = !isnan (q->target);
  llmenv_status st;
  s->n = 0;
  if (q->whole >= 0)
    st = alone ? llmenv_solve_integer (q->a, whole, q->target, q->input, q->lo, q->hi, a, &s->whole)
               : llmenv_cross_integer (q->a, a, whole, q->b, b, q->input, q->lo, q->hi, &s->whole);
  else
    st = alone ? llmenv_solve (q->a, q->target, q->input, q->lo, q->hi, a, s->answers, MOST_ANSWERS, &s->report)
               : llmenv_cross (q->a, a, q->b, b, q->input, q->lo, q->hi, s->answers, MOST_ANSWERS, &s->report);
  if (st == LLMENV_OK && q->whole >= 0)
    {
      s->n = s->whole.found != 0;
      s->answers[0] = (llmenv_answer) { s->whole.at, s->whole.at, s->whole.value,
                                        s->whole.value_before, s->whole.value_after,
                                        0, 0, s->whole.evaluations };
      s->report = (llmenv_solve_report) { s->n, NAN, NAN, LLMENV_HAS_VALUE,
                                          LLMENV_HAS_VALUE, s->whole.evaluations };
      if (!s->whole.found)
        {
          s->report.at_lo = s->whole.value_before;
          s->report.at_hi = s->whole.value_after;
        }
    }
  else if (st == LLMENV_OK)
    s->n = s->report.n < MOST_ANSWERS ? s->report.n : MOST_ANSWERS;
  return st == LLMENV_EBADVALUE ? refuse (q, a, error)
         : st != LLMENV_OK ? llmenv_error_set (error, st, "%s", llmenv_status_text (st)) : st;
}

static mxArray *
solve_info (const solved *s)
{
  static const char *fields[] = { "value", "jump", "until", "direction", "before", "after",
                                  "at_lo", "at_hi", "reason_lo", "reason_hi", "evaluations" };
  mxArray *info = mxCreateStructMatrix (1, 1, 11, fields);
  double *columns[6];
  for (int f = 0; f < 6; f++)
    {
      mxArray *a = mxCreateDoubleMatrix ((mwSize) s->n, s->n > 0, mxREAL);
      columns[f] = mxGetPr (a);
      mxSetFieldByNumber (info, 0, f, a);
    }
  for (size_t i = 0; i < s->n; i++)
    {
      const llmenv_answer *a = &s->answers[i];
      const double row[6] = { a->value, a->is_jump, a->until, a->direction, a->before, a->after };
      for (int f = 0; f < 6; f++)
        columns[f][i] = row[f];
    }
  mxSetField (info, 0, "at_lo", mxCreateDoubleScalar (s->report.at_lo));
  mxSetField (info, 0, "at_hi", mxCreateDoubleScalar (s->report.at_hi));
  mxSetField (info, 0, "reason_lo", mxCreateString (llmenv_reason_word (s->report.reason_lo)));
  mxSetField (info, 0, "reason_hi", mxCreateString (llmenv_reason_word (s->report.reason_hi)));
  mxSetField (info, 0, "evaluations", mxCreateDoubleScalar (s->report.evaluations));
  return info;
}

static void
run_solve (int nlhs, mxArray *plhs[], const mxArray *const *args, int n)
{
  if (n < 7)
    llmenv_mex_fail ("badCall", "usage: llmenv_solve (QUANTITY, TARGET, INPUT, [LO, HI], MODEL, CARD, OPTION, VALUE, ...)");
  question q = read_question (args, n);
  solved *s = mxMalloc (sizeof *s);
  loaded l = { .lengths = { NULL, NULL, 0 } };
  llmenv_error error;
  gsl_error_handler_t *old = gsl_set_error_handler_off ();
  llmenv_status st = load (args[4], args[5], &q.options, &l, &error);
  if (st == LLMENV_OK)
    st = set_target (&q, &l.points[0], &error);
  if (st == LLMENV_OK)
    st = solve (&q, &l, s, &error);
  gsl_set_error_handler (old);
  unload (&l);
  if (st != LLMENV_OK)
    llmenv_mex_raise (&error);
  plhs[0] = mxCreateDoubleMatrix ((mwSize) s->n, s->n > 0, mxREAL);
  for (size_t i = 0; i < s->n; i++)
    mxGetPr (plhs[0])[i] = s->answers[i].at;
  if (nlhs > 1)
    plhs[1] = solve_info (s);
}

/* ---- elasticity -------------------------------------------------------- */

typedef struct
{
  llmenv_quantity q[LLMENV_QUANTITY_COUNT];
  llmenv_input in[LLMENV_INPUT_COUNT];
  size_t n_q, n_in;
} names;

static names
read_names (const mxArray *quantities, const mxArray *inputs)
{
  names n = { .n_q = count_of (quantities), .n_in = count_of (inputs) };
  if (n.n_q > LLMENV_QUANTITY_COUNT || n.n_in > LLMENV_INPUT_COUNT)
    llmenv_mex_fail ("badSize", "at most %d quantities and %d inputs",
                     LLMENV_QUANTITY_COUNT, LLMENV_INPUT_COUNT);
  for (size_t i = 0; i < n.n_q; i++)
    n.q[i] = quantity_of (element (quantities, i), "QUANTITY");
  for (size_t i = 0; i < n.n_in; i++)
    n.in[i] = input_of (element (inputs, i));
  return n;
}

static llmenv_status
elasticities (const names *n, const llmenv_point *p, double *out,
              llmenv_reason *reasons, llmenv_error *error)
{
  for (size_t i = 0; i < n->n_q * n->n_in; i++)
    {
      const llmenv_status st = llmenv_elasticity (n->q[i % n->n_q], n->in[i / n->n_q], p,
                                                  &out[i], &reasons[i]);
      if (st != LLMENV_OK)
        return llmenv_error_set (error, st, "%s", llmenv_status_text (st));
    }
  return LLMENV_OK;
}

static void
run_elasticity (int nlhs, mxArray *plhs[], const mxArray *const *args, int n)
{
  if (n < 4)
    llmenv_mex_fail ("badCall", "usage: llmenv_elasticity (QUANTITY, INPUT, MODEL, CARD, OPTION, VALUE, ...)");
  const names who = read_names (args[0], args[1]);
  if (count_of (args[2]) != 1 || count_of (args[3]) != 1)
    llmenv_mex_fail ("badSize", "give one model and one card");
  llmenv_options options = llmenv_options_default ();
  llmenv_mex_options (args + 4, n - 4, &options);
  const size_t cells = who.n_q * who.n_in;
  llmenv_reason *reasons = mxMalloc ((cells + 1) * sizeof *reasons);
  plhs[0] = mxCreateDoubleMatrix ((mwSize) who.n_q, (mwSize) who.n_in, mxREAL);
  loaded l = { .lengths = { NULL, NULL, 0 } };
  llmenv_error error;
  gsl_error_handler_t *old = gsl_set_error_handler_off ();
  llmenv_status st = load (args[2], args[3], &options, &l, &error);
  if (st == LLMENV_OK)
    st = elasticities (&who, &l.points[0], mxGetPr (plhs[0]), reasons, &error);
  gsl_set_error_handler (old);
  unload (&l);
  if (st != LLMENV_OK)
    llmenv_mex_raise (&error);
  if (nlhs < 2)
    return;
  plhs[1] = mxCreateCellMatrix ((mwSize) who.n_q, (mwSize) who.n_in);
  for (size_t i = 0; i < cells; i++)
    mxSetCell (plhs[1], (mwIndex) i, mxCreateString (llmenv_reason_word (reasons[i])));
}

void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  const char *kind = nrhs < 1 ? "" : llmenv_mex_text (prhs[0], "KIND");
  if (nlhs > 2)
    llmenv_mex_fail ("badCall", "at most two outputs");
  if (strcmp (kind, "solve") == 0)
    run_solve (nlhs, plhs, prhs + 1, nrhs - 1);
  else if (strcmp (kind, "elasticity") == 0)
    run_elasticity (nlhs, plhs, prhs + 1, nrhs - 1);
  else
    llmenv_mex_fail ("badCall", "usage: __llmenv_solve__ (\"solve\" or \"elasticity\", ...)");
}
