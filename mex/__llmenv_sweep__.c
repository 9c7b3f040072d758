/* SPDX-License-Identifier: GPL-3.0-or-later */
/* [VALUE, INFO] = __llmenv_sweep__ (MODEL, CARD, QUANTITY, VARY, OPTION, VALUE, ...)
 *
 * MODEL, CARD: an id, a name, a struct, a cell of these, or [] for none.
 * QUANTITY: a name or a cell of names.  VARY: {INPUT, NUMBERS} or {INPUT,
 * NUMBERS, INPUT, NUMBERS}.  VALUE: numbers of the first input x of the second
 * x quantities x models x cards, filled in place.
 * INFO: inputs, values, quantities, units, models, cards. */
#include <math.h>

#include <gsl/gsl_errno.h>

#include "llmenv_mex.h"
#include "llmenv_sweep.h"

enum { MOST_RECORDS = 4096, IDS = 128 };

/* All memory is Octave's; records are loaded one at a time. */
typedef struct
{
  const mxArray *models, *cards;
  size_t n_models, n_cards;
  llmenv_quantity q[LLMENV_QUANTITY_COUNT];
  size_t n_q;
  llmenv_axis axes[LLMENV_MAX_AXES];
  size_t n_axes, points;
  llmenv_options options;
  char (*model_ids)[IDS], (*card_ids)[IDS];
} request;

/* ---- validate ---------------------------------------------------------- */

static size_t
count_of (const mxArray *records)
{
  return mxIsCell (records) ? mxGetNumberOfElements (records) : 1;
}

static const mxArray *
element (const mxArray *a, size_t i)
{
  return mxIsCell (a) ? mxGetCell (a, (mwIndex) i) : a;
}

static void
read_quantities (request *r, const mxArray *a)
{
  llmenv_error error;
  r->n_q = count_of (a);
  if (r->n_q < 1 || r->n_q > LLMENV_QUANTITY_COUNT)
    llmenv_mex_fail ("badSize", "QUANTITY must be between 1 and %d names", LLMENV_QUANTITY_COUNT);
  for (size_t i = 0; i < r->n_q; i++)
    if (llmenv_quantity_named (llmenv_mex_text (element (a, i), "QUANTITY"), &r->q[i], &error)
        != LLMENV_OK)
      llmenv_mex_raise (&error);
}

static void
read_axes (request *r, const mxArray *a)
{
  llmenv_error error;
  const size_t n = mxIsCell (a) ? mxGetNumberOfElements (a) : 0;
  if (n != 2 && n != 4)
    llmenv_mex_fail ("badType", "VARY must be {INPUT, NUMBERS} or {INPUT, NUMBERS, INPUT, NUMBERS}");
  r->points = 1;
  for (r->n_axes = 0; 2 * r->n_axes < n; r->n_axes++)
    {
      llmenv_axis *axis = &r->axes[r->n_axes];
      const mxArray *values = mxGetCell (a, (mwIndex) (2 * r->n_axes + 1));
      if (llmenv_input_named (llmenv_mex_text (mxGetCell (a, (mwIndex) (2 * r->n_axes)), "INPUT"),
                              &axis->input, &error) != LLMENV_OK)
        llmenv_mex_raise (&error);
      /* Borrowed, and only read. */
      axis->value = (double *) llmenv_mex_doubles (values, llmenv_input_get (axis->input)->name);
      axis->n = mxGetNumberOfElements (values);
      r->points *= axis->n;
    }
}

/* ---- compute ----------------------------------------------------------- */

static llmenv_status
fill (request *r, const llmenv_lengths *lengths, double *out, llmenv_error *error)
{
  llmenv_progress progress;
  llmenv_progress_start (&progress, (double) (r->points * r->n_models * r->n_cards));
  for (size_t c = 0; c < r->n_cards; c++)
    for (size_t m = 0; m < r->n_models; m++)
      {
        llmenv_model_record *model = NULL;
        llmenv_card_record *card = NULL;
        llmenv_status st = mxIsEmpty (r->models) ? LLMENV_OK
                           : llmenv_mex_model (element (r->models, m), &model, error);
        if (st == LLMENV_OK && !mxIsEmpty (r->cards))
          st = llmenv_mex_card (element (r->cards, c), &card, error);
        if (st == LLMENV_OK)
          {
            const llmenv_point p = llmenv_point_make (model == NULL ? NULL : &model->model,
                                                      card, &r->options, lengths);
            snprintf (r->model_ids[m], IDS, "%s", model == NULL ? "" : model->id);
            snprintf (r->card_ids[c], IDS, "%s", card == NULL ? "" : card->id);
            st = llmenv_sweep_fill (&p, r->q, r->n_q, r->axes, r->n_axes,
                                    out + (c * r->n_models + m) * r->n_q * r->points,
                                    &progress, error);
          }
        llmenv_model_record_free (model);
        llmenv_card_record_free (card);
        if (st != LLMENV_OK)
          return st;
      }
  llmenv_progress_end (&progress);
  return LLMENV_OK;
}

static llmenv_status
compute (request *r, double *out, llmenv_error *error)
{
  llmenv_request tables = { .options = r->options };
  llmenv_lengths lengths;
  gsl_error_handler_t *old = gsl_set_error_handler_off ();
  llmenv_status st = llmenv_request_contexts (&tables, &lengths, error);
  if (st == LLMENV_OK)
    st = fill (r, tables.contexts, out, error);
  llmenv_lengths_free (&lengths);
  gsl_set_error_handler (old);
  return st;
}

/* ---- report ------------------------------------------------------------ */

static mxArray *
ids_array (char (*ids)[IDS], size_t n)
{
  mxArray *a = mxCreateCellMatrix (1, (mwSize) n);
  for (size_t i = 0; i < n; i++)
    mxSetCell (a, (mwIndex) i, mxCreateString (ids[i]));
  return a;
}

static mxArray *
info_struct (const request *r, const mxArray *vary)
{
  static const char *fields[] = { "inputs", "values", "quantities", "units", "models", "cards" };
  mxArray *s = mxCreateStructMatrix (1, 1, 6, fields);
  mxArray *columns[4];
  for (int f = 0; f < 4; f++)
    {
      columns[f] = mxCreateCellMatrix (1, (mwSize) (f < 2 ? r->n_axes : r->n_q));
      mxSetFieldByNumber (s, 0, f, columns[f]);
    }
  for (size_t i = 0; i < r->n_axes; i++)
    {
      mxSetCell (columns[0], (mwIndex) i, mxCreateString (llmenv_input_get (r->axes[i].input)->name));
      mxSetCell (columns[1], (mwIndex) i, mxDuplicateArray (mxGetCell (vary, (mwIndex) (2 * i + 1))));
    }
  for (size_t i = 0; i < r->n_q; i++)
    {
      mxSetCell (columns[2], (mwIndex) i, mxCreateString (llmenv_quantity_get (r->q[i])->name));
      mxSetCell (columns[3], (mwIndex) i, mxCreateString (llmenv_quantity_get (r->q[i])->unit));
    }
  mxSetField (s, 0, "models", ids_array (r->model_ids, r->n_models));
  mxSetField (s, 0, "cards", ids_array (r->card_ids, r->n_cards));
  return s;
}

void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  if (nrhs < 4 || nlhs > 2)
    llmenv_mex_fail ("badCall", "usage: llmenv_sweep (MODEL, CARD, QUANTITY, VARY, OPTION, VALUE, ...)");
  request r = { .models = prhs[0], .cards = prhs[1], .options = llmenv_options_default () };
  r.n_models = count_of (r.models);
  r.n_cards = count_of (r.cards);
  if (r.n_models > MOST_RECORDS || r.n_cards > MOST_RECORDS)
    llmenv_mex_fail ("badSize", "at most %d models and cards", MOST_RECORDS);
  read_quantities (&r, prhs[2]);
  read_axes (&r, prhs[3]);
  llmenv_mex_options (prhs + 4, nrhs - 4, &r.options);

  const mwSize dims[5] = { (mwSize) r.axes[0].n, (mwSize) (r.n_axes == 2 ? r.axes[1].n : 1),
                           (mwSize) r.n_q, (mwSize) r.n_models, (mwSize) r.n_cards };
  r.model_ids = mxCalloc (r.n_models + 1, sizeof *r.model_ids);
  r.card_ids = mxCalloc (r.n_cards + 1, sizeof *r.card_ids);
  plhs[0] = mxCreateUninitNumericArray (5, dims, mxDOUBLE_CLASS, mxREAL);

  llmenv_error error;
  if (compute (&r, mxGetPr (plhs[0]), &error) != LLMENV_OK)
    llmenv_mex_raise (&error);
  if (nlhs > 1)
    plhs[1] = info_struct (&r, prhs[3]);
}
