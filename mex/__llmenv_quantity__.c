/* SPDX-License-Identifier: GPL-3.0-or-later */
/* [VALUE, INFO] = __llmenv_quantity__ (NAME, ARG..., OPTION, VALUE, ...)
 *
 * ARG are what the quantity NAME takes, in this order: model, card, B, L.
 * VALUE has the broadcast size of B and L; a cell of models, then a cell of
 * cards, each takes the first dimension in which that size is 1.
 * INFO: reason (words, same size), and for l_wall crossings, for n_prefill
 * interval. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "llmenv_mex.h"
#include "llmenv_quantity.h"

enum { MAX_DIMS = 16 };

/* What the call asks for; all memory here is Octave's. */
typedef struct
{
  llmenv_quantity q;
  const llmenv_quantity_info *info;
  const mxArray *models, *cards; /* NULL when not taken */
  const mxArray *B_array, *L_array;
  const double *B, *L;
  size_t n_B, n_L;
  llmenv_options options;

  size_t dims[MAX_DIMS];       /* of the result */
  int n_dims;
  size_t numeric[MAX_DIMS];    /* of B and L broadcast */
  size_t n_numeric;            /* elements of that */
  int model_dim, card_dim;     /* where the cells went, -1 for none */
  size_t n_models, n_cards;
  int has_infinite;
} request;

/* ---- validate: arguments ----------------------------------------------- */

static const double no_argument = 1;

static void
check_elements (const double *x, size_t n, const char *argument, request *r)
{
  for (size_t i = 0; i < n; i++)
    {
      if (x[i] < 0)
        llmenv_mex_fail ("badValue", "%s: element %zu is %g, expected 0 or more",
                         argument, i + 1, x[i]);
      if (isinf (x[i]))
        r->has_infinite = 1;
    }
}

/* n_prefill of a card alone: the published number. */
static int
is_card_alone (const request *r, const mxArray *const *args, int n)
{
  return r->q == LLMENV_Q_n_prefill
         && (n == 1 || (n > 1 && llmenv_mex_is_option (args[1])));
}

static int
positional_count (int takes)
{
  return !(takes & LLMENV_NO_MODEL) + !!(takes & LLMENV_TAKES_CARD)
         + !!(takes & LLMENV_TAKES_B)
         + !!(takes & (LLMENV_TAKES_L | LLMENV_TAKES_BYTES));
}

static void
fail_usage (const request *r)
{
  const int takes = r->info->takes;
  llmenv_mex_fail ("badCall", "usage: llmenv_%s (%s%s%s%s%s, OPTION, VALUE, ...)",
                   r->info->name, takes & LLMENV_NO_MODEL ? "" : "MODEL",
                   takes & LLMENV_TAKES_CARD
                   ? takes & LLMENV_NO_MODEL ? "CARD" : ", CARD" : "",
                   takes & LLMENV_TAKES_B ? ", B" : "",
                   takes & LLMENV_TAKES_L ? ", L" : "",
                   takes & LLMENV_TAKES_BYTES ? ", BYTES" : "");
}

static void
read_arguments (request *r, const mxArray *const *args, int n)
{
  int takes = r->info->takes, i = 0;
  r->options = llmenv_options_default ();
  if (is_card_alone (r, args, n))
    {
      takes = LLMENV_TAKES_CARD | LLMENV_NO_MODEL;
      r->options.settings.convention = LLMENV_PUBLISHED;
    }
  if (n < positional_count (takes))
    fail_usage (r);
  if (!(takes & LLMENV_NO_MODEL))
    r->models = args[i++];
  if (takes & LLMENV_TAKES_CARD)
    r->cards = args[i++];
  if (takes & LLMENV_TAKES_B)
    r->B_array = args[i++];
  if (takes & (LLMENV_TAKES_L | LLMENV_TAKES_BYTES))
    r->L_array = args[i++];
  r->B = r->B_array == NULL ? &no_argument : llmenv_mex_doubles (r->B_array, "B");
  r->n_B = r->B_array == NULL ? 1 : mxGetNumberOfElements (r->B_array);
  const char *L_name = takes & LLMENV_TAKES_BYTES ? "BYTES" : "L";
  r->L = r->L_array == NULL ? &no_argument : llmenv_mex_doubles (r->L_array, L_name);
  r->n_L = r->L_array == NULL ? 1 : mxGetNumberOfElements (r->L_array);
  check_elements (r->B, r->n_B, "B", r);
  check_elements (r->L, r->n_L, L_name, r);
  llmenv_mex_options (args + i, n - i, &r->options);
}

/* ---- validate: sizes --------------------------------------------------- */

static size_t
dim_of (const mxArray *a, int d)
{
  return a == NULL || d >= mxGetNumberOfDimensions (a)
         ? 1 : (size_t) mxGetDimensions (a)[d];
}

static void
broadcast (request *r)
{
  r->n_dims = 2;
  r->n_numeric = 1;
  for (int d = 0; d < MAX_DIMS; d++)
    {
      const size_t b = dim_of (r->B_array, d), l = dim_of (r->L_array, d);
      if (b != l && b != 1 && l != 1)
        llmenv_mex_fail ("badSize",
                         "B has %zu and L has %zu elements in dimension %d: give equal sizes or 1",
                         b, l, d + 1);
      r->numeric[d] = r->dims[d] = b == 1 ? l : b;
      r->n_numeric *= r->numeric[d];
      if (r->numeric[d] != 1 && d + 1 > r->n_dims)
        r->n_dims = d + 1;
    }
}

/* The first dimension of size 1 that a cell of N records can take. */
static int
add_dimension (request *r, size_t n, int taken)
{
  int d = 0;
  while (d < MAX_DIMS && (r->numeric[d] != 1 || d == taken))
    d++;
  if (d == MAX_DIMS)
    llmenv_mex_fail ("badSize", "at most %d dimensions", MAX_DIMS);
  r->dims[d] = n;
  if (d + 1 > r->n_dims)
    r->n_dims = d + 1;
  return d;
}

static void
size_result (request *r)
{
  broadcast (r);
  r->model_dim = r->card_dim = -1;
  r->n_models = r->n_cards = 1;
  if (r->models != NULL && mxIsCell (r->models))
    {
      r->n_models = mxGetNumberOfElements (r->models);
      r->model_dim = add_dimension (r, r->n_models, -1);
    }
  if (r->cards != NULL && mxIsCell (r->cards))
    {
      r->n_cards = mxGetNumberOfElements (r->cards);
      r->card_dim = add_dimension (r, r->n_cards, r->model_dim);
    }
}

/* ---- compute ----------------------------------------------------------- */

/* Memory for one pair of model and card, allocated before anything is owned. */
typedef struct
{
  llmenv_at_batch *batch;
  llmenv_at_context *context;
  double *block;               /* n_numeric values */
  llmenv_card *cards;          /* n_cards */
} workspace;

/* Values of one envelope over the broadcast B and L. */
static void
run_block (const request *r, const llmenv_envelope *e, const workspace *w,
           double *out)
{
  for (size_t i = 0; i < r->n_B; i++)
    w->batch[i] = llmenv_batch_at (e, r->B[i]);
  for (size_t i = 0; i < r->n_L; i++)
    w->context[i] = llmenv_context_at (e, r->L[i]);
  /* The inner loop runs along the first dimension that is longer than 1. */
  int inner = 0;
  while (inner < MAX_DIMS - 1 && r->numeric[inner] == 1)
    inner++;
  const size_t n = r->numeric[inner];
  const size_t b_step = dim_of (r->B_array, inner) > 1;
  const size_t l_step = dim_of (r->L_array, inner) > 1;
  size_t at[MAX_DIMS] = { 0 };
  for (size_t done = 0; done < r->n_numeric; done += n)
    {
      size_t b = 0, l = 0, b_stride = 1, l_stride = 1;
      for (int d = 0; d < r->n_dims; d++)
        {
          const size_t b_dim = dim_of (r->B_array, d), l_dim = dim_of (r->L_array, d);
          b += b_dim > 1 ? at[d] * b_stride : 0;
          l += l_dim > 1 ? at[d] * l_stride : 0;
          b_stride *= b_dim;
          l_stride *= l_dim;
        }
      if (r->has_infinite)
        for (size_t i = 0; i < n; i++)
          out[done + i] = llmenv_quantity_value (r->q, e, r->B[b + i * b_step],
                                                 r->L[l + i * l_step]);
      else
        llmenv_quantity_run (r->q, e, n, w->batch + b, b_step, w->context + l,
                             l_step, out + done);
      for (int d = inner + 1; d < r->n_dims && ++at[d] == r->numeric[d]; d++)
        at[d] = 0;
    }
}

/* Offset and stride of element (m, c, numeric index) in the result. */
static size_t
result_index (const request *r, size_t numeric, size_t m, size_t c)
{
  size_t index = 0, stride = 1;
  for (int d = 0; d < r->n_dims; d++)
    {
      size_t at = d == r->model_dim ? m : d == r->card_dim ? c : 0;
      if (r->numeric[d] > 1)
        {
          at = numeric % r->numeric[d];
          numeric /= r->numeric[d];
        }
      index += at * stride;
      stride *= r->dims[d];
    }
  return index;
}

static mxArray *
word_array (llmenv_reason reason)
{
  return mxCreateString (llmenv_reason_word (reason));
}

/* Everything of one pair; extras are C data, made into arrays later. */
typedef struct
{
  llmenv_envelope envelope;
  llmenv_crossing crossings[LLMENV_MAX_CROSSINGS];
  size_t n_crossings;
} pair;

/* Numbers of every card, each read once. */
static llmenv_status
load_cards (const request *r, llmenv_card *cards, llmenv_error *error)
{
  for (size_t c = 0; c < r->n_cards; c++)
    {
      llmenv_card_record *record = NULL;
      if (r->cards == NULL)
        cards[c] = (llmenv_card) { NAN, NAN, NAN };
      else
        {
          LLMENV_TRY (llmenv_mex_card (mxIsCell (r->cards) ? mxGetCell (r->cards, c)
                                                           : r->cards, &record, error));
          cards[c] = llmenv_card_numbers_get (record, &r->options).card;
        }
      llmenv_card_record_free (record);
    }
  return LLMENV_OK;
}

/* Values of model M on all cards. */
static llmenv_status
run_model (const request *r, const workspace *w, const llmenv_model *model,
           size_t m, double *out, pair *pairs)
{
  const int alone = r->n_models == 1 && r->n_cards == 1;
  for (size_t c = 0; c < r->n_cards; c++)
    {
      pair *p = &pairs[m * r->n_cards + c];
      LLMENV_TRY (llmenv_envelope_make (model, &w->cards[c], &r->options.settings,
                                        &p->envelope));
      run_block (r, &p->envelope, w, alone ? out : w->block);
      for (size_t i = 0; i < r->n_numeric && !alone; i++)
        out[result_index (r, i, m, c)] = w->block[i];
      if (r->q == LLMENV_Q_l_wall)
        p->n_crossings = llmenv_wall_crossings (&p->envelope, p->crossings);
    }
  return LLMENV_OK;
}

static llmenv_status
load_and_run (const request *r, const workspace *w, size_t m, double *out,
              pair *pairs, llmenv_error *error)
{
  static const llmenv_model no_model = { .kv_reason = LLMENV_NO_RECORD };
  llmenv_model_record *record = NULL;
  if (r->models != NULL)
    LLMENV_TRY (llmenv_mex_model (mxIsCell (r->models) ? mxGetCell (r->models, m)
                                                       : r->models, &record, error));
  const llmenv_status st
    = run_model (r, w, record == NULL ? &no_model : &record->model, m, out, pairs);
  if (st != LLMENV_OK)
    llmenv_error_set (error, st, "%s: %s", record == NULL ? "options" : record->id,
                      llmenv_status_text (st));
  llmenv_model_record_free (record);
  return st;
}

/* The value array; PAIRS keep the envelopes for INFO. */
static llmenv_status
compute (const request *r, const workspace *w, double *out, pair *pairs,
         llmenv_error *error)
{
  gsl_error_handler_t *old = gsl_set_error_handler_off ();
  llmenv_status st = load_cards (r, w->cards, error);
  for (size_t m = 0; m < r->n_models && st == LLMENV_OK; m++)
    st = load_and_run (r, w, m, out, pairs, error);
  gsl_set_error_handler (old);
  return st;
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
      columns[f] = mxCreateDoubleMatrix (p->n_crossings, p->n_crossings > 0, mxREAL);
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
interval_array (const request *r, const llmenv_envelope *e, size_t numeric)
{
  /* B and L of that element of the broadcast. */
  size_t b = 0, l = 0, b_stride = 1, l_stride = 1;
  for (int d = 0; d < r->n_dims; d++)
    {
      const size_t at = r->numeric[d] > 1 ? numeric % r->numeric[d] : 0;
      if (r->numeric[d] > 1)
        numeric /= r->numeric[d];
      b += dim_of (r->B_array, d) > 1 ? at * b_stride : 0;
      l += dim_of (r->L_array, d) > 1 ? at * l_stride : 0;
      b_stride *= dim_of (r->B_array, d);
      l_stride *= dim_of (r->L_array, d);
    }
  mxArray *row = mxCreateDoubleMatrix (1, 2, mxREAL);
  llmenv_prefill_interval (e, r->B[b], r->L[l], &mxGetPr (row)[0], &mxGetPr (row)[1]);
  return row;
}

/* A cell of the result's size, filled by what the element is. */
typedef enum { REASONS, CROSSINGS, INTERVALS } extra;

static mxArray *
extra_cells (const request *r, const double *out, const pair *pairs, extra what)
{
  mwSize dims[MAX_DIMS];
  for (int d = 0; d < r->n_dims; d++)
    dims[d] = (mwSize) r->dims[d];
  mxArray *cells = mxCreateCellArray (r->n_dims, dims);
  for (size_t m = 0; m < r->n_models; m++)
    for (size_t c = 0; c < r->n_cards; c++)
      for (size_t i = 0; i < r->n_numeric; i++)
        {
          const size_t at = result_index (r, i, m, c);
          const pair *p = &pairs[m * r->n_cards + c];
          mxSetCell (cells, at, what == REASONS
                     ? word_array (llmenv_quantity_reason (r->q, &p->envelope, out[at]))
                     : what == CROSSINGS ? crossings_array (p)
                     : interval_array (r, &p->envelope, i));
        }
  /* A single answer needs no cell around it. */
  return mxGetNumberOfElements (cells) == 1 ? mxDuplicateArray (mxGetCell (cells, 0))
                                            : cells;
}

static mxArray *
info_struct (const request *r, const double *out, const pair *pairs)
{
  static const char *fields[] = { "unit", "reason" };
  mxArray *s = mxCreateStructMatrix (1, 1, 2, fields);
  mxSetField (s, 0, "unit", mxCreateString (r->info->unit));
  mxSetField (s, 0, "reason", extra_cells (r, out, pairs, REASONS));
  if (r->q == LLMENV_Q_l_wall)
    {
      mxAddField (s, "crossings");
      mxSetField (s, 0, "crossings", extra_cells (r, out, pairs, CROSSINGS));
    }
  if (r->q == LLMENV_Q_n_prefill)
    {
      mxAddField (s, "interval");
      mxSetField (s, 0, "interval", extra_cells (r, out, pairs, INTERVALS));
    }
  return s;
}

void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  if (nrhs < 1 || nlhs > 2)
    llmenv_mex_fail ("badCall", "usage: [value, info] = __llmenv_quantity__ (NAME, ...)");
  request r = { .models = NULL };
  const int q = llmenv_quantity_find (llmenv_mex_text (prhs[0], "NAME"));
  if (q < 0)
    llmenv_mex_fail ("badCall", "no quantity of that name");
  r.q = (llmenv_quantity) q;
  r.info = llmenv_quantity_get (r.q);
  read_arguments (&r, prhs + 1, nrhs - 1);
  size_result (&r);

  mwSize dims[MAX_DIMS];
  for (int d = 0; d < r.n_dims; d++)
    dims[d] = (mwSize) r.dims[d];
  plhs[0] = mxCreateUninitNumericArray (r.n_dims, dims, mxDOUBLE_CLASS, mxREAL);
  const size_t n_pairs = r.n_models * r.n_cards;
  const workspace w = {
    mxMalloc ((r.n_B + 1) * sizeof *w.batch),
    mxMalloc ((r.n_L + 1) * sizeof *w.context),
    n_pairs > 1 ? mxMalloc ((r.n_numeric + 1) * sizeof *w.block) : NULL,
    mxMalloc ((r.n_cards + 1) * sizeof *w.cards),
  };
  pair *pairs = mxCalloc (n_pairs + 1, sizeof *pairs);

  llmenv_error error;
  const llmenv_status st = compute (&r, &w, mxGetPr (plhs[0]), pairs, &error);
  if (st != LLMENV_OK)
    llmenv_mex_raise (&error);
  if (nlhs > 1)
    {
      gsl_error_handler_t *old = gsl_set_error_handler_off ();
      plhs[1] = info_struct (&r, mxGetPr (plhs[0]), pairs);
      gsl_set_error_handler (old);
    }
  mxFree (w.batch);
  mxFree (w.context);
  mxFree (w.block);
  mxFree (w.cards);
  mxFree (pairs);
}
