/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_call.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_errno.h>

#include "llmenv_lengths.h"
#include "llmenv_mix.h"

/* ---- arguments --------------------------------------------------------- */

static const double no_argument = 1;

static void
check_elements (llmenv_call *call, const double *x, size_t n, const char *argument)
{
  for (size_t i = 0; i < n; i++)
    {
      if (x[i] < 0)
        llmenv_mex_fail ("badValue", "%s: element %zu is %g, expected 0 or more",
                         argument, i + 1, x[i]);
      if (x[i] > LLMENV_LARGE)
        call->has_large = 1;
    }
}

static int
positional_count (int takes)
{
  return !(takes & LLMENV_NO_MODEL) + !!(takes & LLMENV_TAKES_CARD)
         + !!(takes & LLMENV_TAKES_B)
         + !!(takes & (LLMENV_TAKES_L | LLMENV_TAKES_BYTES));
}

static void
fail_usage (const llmenv_call *call)
{
  const int takes = call->takes;
  llmenv_mex_fail ("badCall", "usage: llmenv_%s (%s%s%s%s%s, OPTION, VALUE, ...)",
                   call->name, takes & LLMENV_NO_MODEL ? "" : "MODEL",
                   takes & LLMENV_TAKES_CARD
                   ? takes & LLMENV_NO_MODEL ? "CARD" : ", CARD" : "",
                   takes & LLMENV_TAKES_B ? ", B" : "",
                   takes & LLMENV_TAKES_L ? ", L" : "",
                   takes & LLMENV_TAKES_BYTES ? ", BYTES" : "");
}

/* ---- a mix in the place of L -------------------------------------------- */

/* Copy of N doubles, Octave's memory. */
static double *
keep (const double *x, size_t n)
{
  double *copy = mxMalloc ((n + 1) * sizeof *copy);
  memcpy (copy, x, n * sizeof *copy);
  return copy;
}

static void
read_file (llmenv_call *call, const char *path)
{
  llmenv_lengths lengths;
  llmenv_error error;
  if (llmenv_lengths_read (path, &lengths, &error) != LLMENV_OK)
    llmenv_mex_raise (&error);
  call->lengths = keep (lengths.length, lengths.n);
  call->weights = keep (lengths.weight, lengths.n);
  call->n_lengths = lengths.n;
  llmenv_lengths_free (&lengths);
}

static void
read_struct (llmenv_call *call, const mxArray *a)
{
  const mxArray *lengths = mxGetNumberOfElements (a) == 1 ? mxGetField (a, 0, "lengths") : NULL;
  const mxArray *weights = lengths == NULL ? NULL : mxGetField (a, 0, "weights");
  if (lengths == NULL)
    llmenv_mex_fail ("badType", "L: a mix is one struct with fields lengths and weights");
  call->lengths = llmenv_mex_doubles (lengths, "L.lengths");
  call->n_lengths = mxGetNumberOfElements (lengths);
  if (weights == NULL || mxGetNumberOfElements (weights) == 0)
    return;
  call->weights = llmenv_mex_doubles (weights, "L.weights");
  if (mxGetNumberOfElements (weights) != call->n_lengths)
    llmenv_mex_fail ("badSize", "L has %zu lengths and %zu weights: give as many",
                     call->n_lengths, mxGetNumberOfElements (weights));
}

static void
check_mix (const double *x, size_t n, const char *argument)
{
  for (size_t i = 0; i < n; i++)
    if (!(x[i] >= 0) || isinf (x[i]))
      llmenv_mex_fail ("badValue", "%s: element %zu is %g, expected a number of 0 or more",
                       argument, i + 1, x[i]);
}

/* Text names a file of lengths; text that names none is no context. */
static void
read_mix (llmenv_call *call)
{
  const mxArray *a = call->L_array;
  if (mxIsStruct (a))
    read_struct (call, a);
  else
    {
      const char *path = llmenv_mex_text (a, "L");
      if (access (path, F_OK) != 0)
        llmenv_mex_fail ("badType", "L must be real, full numbers, a struct of lengths and weights, or a file with lengths; there is no file '%.200s'", path);
      read_file (call, path);
    }
  check_mix (call->lengths, call->n_lengths, "L.lengths");
  if (call->weights != NULL)
    check_mix (call->weights, call->n_lengths, "L.weights");
  const double mean = llmenv_mix_mean (call->n_lengths, call->lengths, call->weights);
  if (!isfinite (mean))
    llmenv_mex_fail ("badValue", "L: a mix needs lengths, and weights that add up to a number above 0");
  call->has_large = call->has_large || mean > LLMENV_LARGE;
  call->L = keep (&mean, 1);
  call->n_L = 1;
  call->L_array = NULL;        /* one element, whatever there was */
}

llmenv_at_context
llmenv_call_context (const llmenv_call *call, const llmenv_envelope *e, size_t l)
{
  return call->n_lengths > 0
         ? llmenv_context_mix (e, call->n_lengths, call->lengths, call->weights)
         : llmenv_context_at (e, call->L[l]);
}

static void
read_numbers (llmenv_call *call, const mxArray *a, const char *argument,
              const double **x, size_t *n)
{
  *x = a == NULL ? &no_argument : llmenv_mex_doubles (a, argument);
  *n = a == NULL ? 1 : mxGetNumberOfElements (a);
  check_elements (call, *x, *n, argument);
}

static void
read_arguments (llmenv_call *call, const mxArray *const *args, int n)
{
  const int takes = call->takes;
  int i = 0;
  if (n < positional_count (takes))
    fail_usage (call);
  if (!(takes & LLMENV_NO_MODEL))
    call->models = args[i++];
  if (takes & LLMENV_TAKES_CARD)
    call->cards = args[i++];
  if (takes & LLMENV_TAKES_B)
    call->B_array = args[i++];
  if (takes & (LLMENV_TAKES_L | LLMENV_TAKES_BYTES))
    call->L_array = args[i++];
  read_numbers (call, call->B_array, "B", &call->B, &call->n_B);
  if (takes & LLMENV_TAKES_L
      && (mxIsStruct (call->L_array) || mxIsChar (call->L_array)))
    read_mix (call);
  else
    read_numbers (call, call->L_array, takes & LLMENV_TAKES_BYTES ? "BYTES" : "L",
                  &call->L, &call->n_L);
  llmenv_mex_options (args + i, n - i, &call->options);
  /* An option that is not needed changes nothing, but this one would have. */
  if (takes & LLMENV_TAKES_L && *call->options.contexts != '\0')
    llmenv_mex_fail ("badOption", "option Contexts: '%.200s': L is an argument here, give the mix in its place",
                     call->options.contexts);
}

/* ---- sizes ------------------------------------------------------------- */

size_t
llmenv_call_dim (const mxArray *a, int d)
{
  return a == NULL || d >= mxGetNumberOfDimensions (a)
         ? 1 : (size_t) mxGetDimensions (a)[d];
}

static void
broadcast (llmenv_call *call)
{
  const mxArray *const arrays[] = { call->B_array, call->L_array };
  for (size_t i = 0; i < 2; i++)
    if (arrays[i] != NULL && mxGetNumberOfDimensions (arrays[i]) > LLMENV_MAX_DIMS)
      llmenv_mex_fail ("badSize", "at most %d dimensions", LLMENV_MAX_DIMS);
  call->n_dims = 2;
  call->n_numeric = 1;
  for (int d = 0; d < LLMENV_MAX_DIMS; d++)
    {
      const size_t b = llmenv_call_dim (call->B_array, d);
      const size_t l = llmenv_call_dim (call->L_array, d);
      if (b != l && b != 1 && l != 1)
        llmenv_mex_fail ("badSize",
                         "B has %zu and L has %zu elements in dimension %d: give equal sizes or 1",
                         b, l, d + 1);
      call->numeric[d] = call->dims[d] = b == 1 ? l : b;
      call->n_numeric *= call->numeric[d];
      if (call->numeric[d] != 1 && d + 1 > call->n_dims)
        call->n_dims = d + 1;
    }
}

/* The first dimension of size 1 that a cell of N records can take. */
static int
add_dimension (llmenv_call *call, size_t n, int taken)
{
  int d = 0;
  while (d < LLMENV_MAX_DIMS && (call->numeric[d] != 1 || d == taken))
    d++;
  if (d == LLMENV_MAX_DIMS)
    llmenv_mex_fail ("badSize", "at most %d dimensions", LLMENV_MAX_DIMS);
  call->dims[d] = n;
  if (d + 1 > call->n_dims)
    call->n_dims = d + 1;
  return d;
}

/* A result that memory cannot hold twice (Octave copies what a gateway
 * returns) must be an error, not the end of the process. */
static void
check_size (const llmenv_call *call)
{
  double bytes = 2 * sizeof (double);
  for (int d = 0; d < call->n_dims; d++)
    bytes *= (double) call->dims[d];
  const double memory = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);
  if (bytes > 0.8 * memory)
    llmenv_mex_fail ("tooLarge", "a result of %.3g elements needs %.3g GB, the machine has %.3g GB",
                     bytes / (2 * sizeof (double)), bytes / 1e9, memory / 1e9);
}

void
llmenv_call_read (llmenv_call *call, const mxArray *const *args, int n)
{
  read_arguments (call, args, n);
  broadcast (call);
  call->model_dim = call->card_dim = -1;
  call->n_models = call->n_cards = 1;
  if (call->models != NULL && mxIsCell (call->models))
    {
      call->n_models = mxGetNumberOfElements (call->models);
      call->model_dim = add_dimension (call, call->n_models, -1);
    }
  if (call->cards != NULL && mxIsCell (call->cards))
    {
      call->n_cards = mxGetNumberOfElements (call->cards);
      call->card_dim = add_dimension (call, call->n_cards, call->model_dim);
    }
  check_size (call);
}

static void
size_dims (const llmenv_call *call, mwSize dims[LLMENV_MAX_DIMS])
{
  for (int d = 0; d < call->n_dims; d++)
    dims[d] = (mwSize) call->dims[d];
}

mxArray *
llmenv_call_doubles (const llmenv_call *call)
{
  mwSize dims[LLMENV_MAX_DIMS];
  size_dims (call, dims);
  return mxCreateUninitNumericArray (call->n_dims, dims, mxDOUBLE_CLASS, mxREAL);
}

mxArray *
llmenv_call_cell (const llmenv_call *call)
{
  mwSize dims[LLMENV_MAX_DIMS];
  size_dims (call, dims);
  return mxCreateCellArray (call->n_dims, dims);
}

/* ---- indices ----------------------------------------------------------- */

size_t
llmenv_call_index (const llmenv_call *call, size_t i, size_t m, size_t c)
{
  size_t index = 0, stride = 1;
  for (int d = 0; d < call->n_dims; d++)
    {
      size_t at = d == call->model_dim ? m : d == call->card_dim ? c : 0;
      if (call->numeric[d] > 1)
        {
          at = i % call->numeric[d];
          i /= call->numeric[d];
        }
      index += at * stride;
      stride *= call->dims[d];
    }
  return index;
}

void
llmenv_call_elements (const llmenv_call *call, size_t i, size_t *b, size_t *l)
{
  size_t b_stride = 1, l_stride = 1;
  *b = *l = 0;
  for (int d = 0; d < call->n_dims; d++)
    {
      const size_t b_dim = llmenv_call_dim (call->B_array, d);
      const size_t l_dim = llmenv_call_dim (call->L_array, d);
      const size_t at = call->numeric[d] > 1 ? i % call->numeric[d] : 0;
      if (call->numeric[d] > 1)
        i /= call->numeric[d];
      *b += b_dim > 1 ? at * b_stride : 0;
      *l += l_dim > 1 ? at * l_stride : 0;
      b_stride *= b_dim;
      l_stride *= l_dim;
    }
}

/* ---- run --------------------------------------------------------------- */

/* Element I of a cell of records, or the one record. */
static const mxArray *
record_at (const mxArray *records, size_t i)
{
  return mxIsCell (records) ? mxGetCell (records, (mwIndex) i) : records;
}

/* Numbers of every card, each read once. */
static llmenv_status
load_cards (const llmenv_call *call, llmenv_card *cards, llmenv_error *error)
{
  for (size_t c = 0; c < call->n_cards; c++)
    {
      llmenv_card_record *record = NULL;
      cards[c] = (llmenv_card) { NAN, NAN, NAN };
      if (call->cards != NULL)
        {
          LLMENV_TRY (llmenv_mex_card (record_at (call->cards, c), &record, error));
          cards[c] = llmenv_card_numbers_get (record, &call->options).card;
        }
      llmenv_card_record_free (record);
    }
  return LLMENV_OK;
}

static llmenv_status
run_model (const llmenv_call *call, const llmenv_card *cards,
           const llmenv_model *model, size_t m, llmenv_call_visit visit,
           void *context)
{
  for (size_t c = 0; c < call->n_cards; c++)
    {
      llmenv_envelope e;
      LLMENV_TRY (llmenv_envelope_make (model, &cards[c], &call->options.settings, &e));
      visit (call, &e, m, c, context);
    }
  return LLMENV_OK;
}

static llmenv_status
load_and_run (const llmenv_call *call, const llmenv_card *cards, size_t m,
              llmenv_call_visit visit, void *context, llmenv_error *error)
{
  static const llmenv_model no_model = { .kv_reason = LLMENV_NO_RECORD };
  llmenv_model_record *record = NULL;
  if (call->models != NULL)
    LLMENV_TRY (llmenv_mex_model (record_at (call->models, m), &record, error));
  const llmenv_status st = run_model (call, cards, record == NULL ? &no_model
                                                                  : &record->model,
                                      m, visit, context);
  if (st != LLMENV_OK)
    llmenv_error_set (error, st, "%s: %s", record == NULL ? "options" : record->id,
                      llmenv_envelope_why (st, &call->options.settings));
  llmenv_model_record_free (record);
  return st;
}

llmenv_status
llmenv_call_run (const llmenv_call *call, llmenv_card *cards,
                 llmenv_call_visit visit, void *context, llmenv_error *error)
{
  gsl_error_handler_t *old = gsl_set_error_handler_off ();
  llmenv_status st = load_cards (call, cards, error);
  for (size_t m = 0; m < call->n_models && st == LLMENV_OK; m++)
    st = load_and_run (call, cards, m, visit, context, error);
  gsl_set_error_handler (old);
  return st;
}
