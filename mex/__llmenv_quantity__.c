/* SPDX-License-Identifier: GPL-3.0-or-later */
/* [VALUE, INFO] = __llmenv_quantity__ (NAME, ARG..., OPTION, VALUE, ...)
 *
 * ARG are what the quantity NAME takes, in this order: model, card, B, L.
 * L may be a mix of contexts: a struct with fields lengths and weights, or the
 * name of a file with a length, or a length and its weight, on each line.
 * VALUE has the broadcast size of B and L (a mix counts as one); a cell of models, then a cell of
 * cards, each takes the first dimension in which that size is 1.
 * INFO: unit, reason (words, same size), and for l_wall crossings, for
 * n_prefill interval. */
#include <math.h>

#include <gsl/gsl_errno.h>

#include "llmenv_call.h"
#include "llmenv_mix.h"

/* What is kept of one model and card for INFO. */
typedef struct
{
  llmenv_envelope envelope;
  llmenv_crossing crossings[LLMENV_MAX_CROSSINGS];
  size_t n_crossings;
} pair;

/* Memory of the computation, Octave's. */
typedef struct
{
  llmenv_quantity q;
  llmenv_at_batch *batch;
  llmenv_at_context *context;
  double *block;               /* n_numeric values of one pair */
  double *out;
  pair *pairs;
} workspace;

/* ---- compute ----------------------------------------------------------- */

/* First dimension of the numeric size that is longer than 1: the inner loop. */
static int
inner_dimension (const llmenv_call *call)
{
  int d = 0;
  while (d < LLMENV_MAX_DIMS - 1 && call->numeric[d] == 1)
    d++;
  return d;
}

/* Values of one envelope over the broadcast B and L. */
static void
run_block (const llmenv_call *call, const llmenv_envelope *e,
           const workspace *w, double *out)
{
  for (size_t i = 0; i < call->n_B; i++)
    w->batch[i] = llmenv_batch_at (e, call->B[i]);
  for (size_t i = 0; i < call->n_L; i++)
    w->context[i] = llmenv_call_context (call, e, i);
  const int inner = inner_dimension (call);
  const size_t n = call->numeric[inner];
  const size_t b_step = llmenv_call_dim (call->B_array, inner) > 1;
  const size_t l_step = llmenv_call_dim (call->L_array, inner) > 1;
  for (size_t done = 0; done < call->n_numeric; done += n)
    {
      size_t b, l;
      llmenv_call_elements (call, done, &b, &l);
      if (!call->has_large)
        llmenv_quantity_run (w->q, e, n, w->batch + b, b_step, w->context + l,
                             l_step, out + done);
      else                     /* limits, one by one */
        for (size_t i = 0; i < n; i++)
          {
            const double B = call->B[b + i * b_step];
            out[done + i]
              = call->n_lengths > 0
                ? llmenv_mix_value (w->q, e, B, call->n_lengths, call->lengths, call->weights)
                : llmenv_quantity_value (w->q, e, B, call->L[l + i * l_step]);
          }
    }
}

static void
visit (const llmenv_call *call, const llmenv_envelope *e, size_t m, size_t c,
       void *context)
{
  workspace *w = context;
  pair *p = &w->pairs[m * call->n_cards + c];
  const int alone = call->n_models == 1 && call->n_cards == 1;
  p->envelope = *e;
  run_block (call, e, w, alone ? w->out : w->block);
  for (size_t i = 0; i < call->n_numeric && !alone; i++)
    w->out[llmenv_call_index (call, i, m, c)] = w->block[i];
  if (w->q == LLMENV_Q_l_wall)
    p->n_crossings = llmenv_wall_crossings (e, p->crossings);
}

/* ---- report ------------------------------------------------------------ */

static mxArray *
crossings_array (const pair *p)
{
  static const char *fields[] = { "at", "direction", "jump" };
  mxArray *s = mxCreateStructMatrix (1, 1, 3, fields);
  mxArray *columns[3];
  for (int f = 0; f < 3; f++)
    {
      columns[f] = mxCreateDoubleMatrix ((mwSize) p->n_crossings,
                                         p->n_crossings > 0, mxREAL);
      mxSetFieldByNumber (s, 0, f, columns[f]);
    }
  for (size_t i = 0; i < p->n_crossings; i++)
    {
      mxGetPr (columns[0])[i] = p->crossings[i].at;
      mxGetPr (columns[1])[i] = p->crossings[i].direction;
      mxGetPr (columns[2])[i] = p->crossings[i].is_jump;
    }
  return s;
}

static mxArray *
interval_array (const llmenv_call *call, const llmenv_envelope *e, size_t i)
{
  size_t b, l;
  mxArray *row = mxCreateDoubleMatrix (1, 2, mxREAL);
  llmenv_call_elements (call, i, &b, &l);
  const llmenv_at_context context = llmenv_call_context (call, e, l);
  llmenv_prefill_interval_at (e, call->B[b], &context, &mxGetPr (row)[0],
                              &mxGetPr (row)[1]);
  return row;
}

/* Why the value of element I is no ordinary number.  A NaN that was given says
 * nothing of the records. */
static llmenv_reason
reason_at (const llmenv_call *call, const workspace *w, const pair *p, size_t i,
           double value)
{
  size_t b, l;
  llmenv_call_elements (call, i, &b, &l);
  return isnan (call->B[b]) || isnan (call->L[l])
         ? LLMENV_HAS_VALUE : llmenv_quantity_reason (w->q, &p->envelope, value);
}

typedef enum { REASONS, CROSSINGS, INTERVALS } extra;

/* A cell of the result's size, filled by what each element is. */
static mxArray *
extra_cells (const llmenv_call *call, const workspace *w, extra what)
{
  mxArray *cells = llmenv_call_cell (call);
  for (size_t m = 0; m < call->n_models; m++)
    for (size_t c = 0; c < call->n_cards; c++)
      for (size_t i = 0; i < call->n_numeric; i++)
        {
          const size_t at = llmenv_call_index (call, i, m, c);
          const pair *p = &w->pairs[m * call->n_cards + c];
          const llmenv_reason reason = reason_at (call, w, p, i, w->out[at]);
          mxSetCell (cells, (mwIndex) at, what == REASONS
                     ? mxCreateString (llmenv_reason_word (reason))
                     : what == CROSSINGS ? crossings_array (p)
                     : interval_array (call, &p->envelope, i));
        }
  /* A single answer needs no cell around it. */
  return mxGetNumberOfElements (cells) == 1 ? mxDuplicateArray (mxGetCell (cells, 0))
                                            : cells;
}

static mxArray *
info_struct (const llmenv_call *call, const workspace *w)
{
  static const char *fields[] = { "unit", "reason" };
  mxArray *s = mxCreateStructMatrix (1, 1, 2, fields);
  mxSetField (s, 0, "unit", mxCreateString (llmenv_quantity_get (w->q)->unit));
  mxSetField (s, 0, "reason", extra_cells (call, w, REASONS));
  if (w->q == LLMENV_Q_l_wall)
    {
      mxAddField (s, "crossings");
      mxSetField (s, 0, "crossings", extra_cells (call, w, CROSSINGS));
    }
  if (w->q == LLMENV_Q_n_prefill)
    {
      mxAddField (s, "interval");
      mxSetField (s, 0, "interval", extra_cells (call, w, INTERVALS));
    }
  return s;
}

/* ---- gateway ----------------------------------------------------------- */

/* n_prefill of a card alone is the published number. */
static int
is_card_alone (llmenv_quantity q, const mxArray *const *args, int n)
{
  return q == LLMENV_Q_n_prefill
         && (n == 1 || (n > 1 && llmenv_mex_is_option (args[1])));
}

static llmenv_call
read_call (llmenv_quantity q, const mxArray *const *args, int n)
{
  llmenv_call call = { .name = llmenv_quantity_get (q)->name,
                       .takes = llmenv_quantity_get (q)->takes,
                       .options = llmenv_options_default () };
  if (is_card_alone (q, args, n))
    {
      call.takes = LLMENV_TAKES_CARD | LLMENV_NO_MODEL;
      call.options.settings.convention = LLMENV_PUBLISHED;
    }
  llmenv_call_read (&call, args, n);
  if (is_card_alone (q, args, n))
    call.options.settings.convention = LLMENV_PUBLISHED;
  return call;
}

void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  if (nrhs < 1 || nlhs > 2)
    llmenv_mex_fail ("badCall", "usage: [value, info] = __llmenv_quantity__ (NAME, ...)");
  const int q = llmenv_quantity_find (llmenv_mex_text (prhs[0], "NAME"));
  if (q < 0)
    llmenv_mex_fail ("badCall", "no quantity of that name");
  const llmenv_call call = read_call ((llmenv_quantity) q, prhs + 1, nrhs - 1);

  plhs[0] = llmenv_call_doubles (&call);
  const size_t n_pairs = call.n_models * call.n_cards;
  workspace w = {
    (llmenv_quantity) q,
    mxMalloc ((call.n_B + 1) * sizeof *w.batch),
    mxMalloc ((call.n_L + 1) * sizeof *w.context),
    n_pairs > 1 ? mxMalloc ((call.n_numeric + 1) * sizeof *w.block) : NULL,
    mxGetPr (plhs[0]),
    mxCalloc (n_pairs + 1, sizeof *w.pairs),
  };
  llmenv_card *cards = mxMalloc ((call.n_cards + 1) * sizeof *cards);

  llmenv_error error;
  if (llmenv_call_run (&call, cards, visit, &w, &error) != LLMENV_OK)
    llmenv_mex_raise (&error);
  if (nlhs > 1)
    {
      gsl_error_handler_t *old = gsl_set_error_handler_off ();
      plhs[1] = info_struct (&call, &w);
      gsl_set_error_handler (old);
    }
}
