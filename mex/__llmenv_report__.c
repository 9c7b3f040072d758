/* SPDX-License-Identifier: GPL-3.0-or-later */
/* __llmenv_report__ (FILE, MODELS, CARDS, TABLES, OWN, VALUES, NAME, VALUE, ...):
 * write the workbook.  The lists: text with commas (OWN: one path), a cell of
 * texts, [] for all (OWN: none).  VALUES: whether without formulas.  NAME: an
 * option, or an input of llmenv_inputs.h; [] leaves it as it is. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_errno.h>

#include "llmenv_inputs.h"
#include "llmenv_mex.h"
#include "llmenv_own.h"
#include "llmenv_report.h"
#include "llmenv_select.h"

/* ---- validate ---------------------------------------------------------- */

/* Names of one list, in memory of Octave's. */
typedef struct
{
  const char *option;
  const char *text;            /* with commas, or NULL */
  const char **name;           /* of a cell, or NULL */
  size_t n;
} list;

static list
read_list (const mxArray *a, const char *option)
{
  list l = { option, NULL, NULL, 0 };
  if (mxIsChar (a))
    l.text = llmenv_mex_text (a, option);
  else if (mxIsCell (a))
    {
      l.n = mxGetNumberOfElements (a);
      l.name = mxCalloc (l.n + 1, sizeof *l.name);
      for (size_t i = 0; i < l.n; i++)
        {
          const mxArray *name = mxGetCell (a, (mwIndex) i);
          if (name == NULL || !mxIsChar (name))
            llmenv_mex_fail ("badType", "%s must be text or a cell of texts", option);
          l.name[i] = llmenv_mex_text (name, option);
        }
      if (l.n == 0)
        llmenv_mex_fail ("badOption", "option %s: an empty list", option);
    }
  else if (mxGetNumberOfElements (a) > 0)
    llmenv_mex_fail ("badType", "%s must be text or a cell of texts", option);
  return l;
}

static int
read_flag (const mxArray *a, const char *option)
{
  const int is_flag = mxGetNumberOfElements (a) == 1 && (mxIsLogical (a) || mxIsNumeric (a));
  const double x = is_flag ? *llmenv_mex_doubles (a, option) : -1;
  if (x != 0 && x != 1)
    llmenv_mex_fail ("badOption", "option %s must be true or false", option);
  return x == 1;
}

/* Names and values ARGS[0..N) into INPUTS and OPTIONS. */
static void
read_inputs (const mxArray *const *args, int n, llmenv_inputs *inputs, llmenv_options *options)
{
  llmenv_error error;
  if (n % 2 != 0)
    llmenv_mex_fail ("badCall", "options are pairs of a name and a value");
  for (int i = 0; i < n; i += 2)
    {
      llmenv_status st = LLMENV_OK;
      const char *name = llmenv_mex_text (args[i], "the name of an option");
      const mxArray *value = args[i + 1];
      const int is_number = mxIsNumeric (value) || mxIsLogical (value);
      if (mxIsChar (value))
        st = llmenv_inputs_set_text (inputs, options, name, llmenv_mex_text (value, name), &error);
      else if (is_number && mxGetNumberOfElements (value) == 1)
        st = llmenv_inputs_set_number (inputs, options, name,
                                       *llmenv_mex_doubles (value, name), &error);
      else if (!is_number || mxGetNumberOfElements (value) > 0)
        llmenv_mex_fail ("badOption", "option %s must be text or one number", name);
      if (st != LLMENV_OK)
        llmenv_mex_raise (&error);
    }
}

/* ---- compute ----------------------------------------------------------- */

static llmenv_status
add_list (const list *l, llmenv_names *names, llmenv_error *error)
{
  for (size_t i = 0; i < l->n; i++)
    LLMENV_TRY (llmenv_names_add (names, l->option, l->name[i], error));
  return l->text == NULL ? LLMENV_OK
         : llmenv_names_split (names, l->option, l->text, error);
}

/* A model of one's own joins CATALOGUE, and MODELS where these are listed. */
static llmenv_status
add_own (llmenv_catalogue *catalogue, const char *text, llmenv_names *models,
         llmenv_error *error)
{
  char path[LLMENV_PATH_SIZE];
  if (access (text, F_OK) != 0)
    return llmenv_error_set (error, LLMENV_EBADFILE, "option Own: %.400s: %s", text,
                             strerror (errno));
  /* A name alone is a path here. */
  snprintf (path, sizeof path, "%s%s", llmenv_own_looks_like_path (text) ? "" : "./", text);
  LLMENV_TRY (llmenv_own_add (catalogue, path, NULL, error));
  return models->n == 0 ? LLMENV_OK : llmenv_names_add (models, "Own", path, error);
}

/* Models that are paths join CATALOGUE. */
static llmenv_status
add_paths (llmenv_catalogue *catalogue, llmenv_names *models, const list *own,
           llmenv_options *options, llmenv_error *error)
{
  LLMENV_TRY (llmenv_own_resolve (catalogue, options, NULL, error));
  for (size_t i = 0; i < models->n; i++)
    LLMENV_TRY (llmenv_own_add (catalogue, models->name[i], NULL, error));
  if (own->text != NULL)
    LLMENV_TRY (add_own (catalogue, own->text, models, error));
  for (size_t i = 0; i < own->n; i++)
    LLMENV_TRY (add_own (catalogue, own->name[i], models, error));
  return LLMENV_OK;
}

static llmenv_status
write_report (const char *file, const list lists[4], llmenv_inputs *inputs,
              llmenv_catalogue *catalogue, llmenv_request *request, llmenv_selection *s,
              llmenv_error *error)
{
  LLMENV_TRY (add_list (&lists[0], &s->models, error));
  LLMENV_TRY (add_list (&lists[1], &s->cards, error));
  LLMENV_TRY (add_list (&lists[2], &s->tables, error));
  request->catalogue = catalogue;
  LLMENV_TRY (add_paths (catalogue, &s->models, &lists[3], &request->options, error));
  LLMENV_TRY (llmenv_request_narrow (request, s, error));
  LLMENV_TRY (llmenv_inputs_resolve (inputs, catalogue, error));
  request->inputs = inputs;
  request->points = inputs->points;
  return llmenv_report_write (file, request, error);
}

void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void) plhs;
  if (nrhs < 6 || nlhs > 0)
    llmenv_mex_fail ("badCall", "usage: llmenv_report (FILE, OPTION, VALUE, ...)");
  const char *file = llmenv_mex_text (prhs[0], "FILE");
  const list lists[4] = { read_list (prhs[1], "Models"), read_list (prhs[2], "Cards"),
                          read_list (prhs[3], "Tables"), read_list (prhs[4], "Own") };
  llmenv_inputs inputs = llmenv_inputs_default ();
  llmenv_request request = { .options = llmenv_options_default (),
                             .values_only = read_flag (prhs[5], "Values") };
  read_inputs (prhs + 6, nrhs - 6, &inputs, &request.options);

  llmenv_error error;
  llmenv_catalogue catalogue;
  llmenv_status st = llmenv_catalogue_load (&catalogue, &error);
  if (st == LLMENV_OK)
    {
      gsl_error_handler_t *old = gsl_set_error_handler_off ();
      llmenv_selection selection = { .part = { .n_models = 0 } };
      llmenv_lengths lengths;
      st = llmenv_request_contexts (&request, &lengths, &error);
      if (st == LLMENV_OK)
        st = write_report (file, lists, &inputs, &catalogue, &request, &selection, &error);
      llmenv_lengths_free (&lengths);
      llmenv_selection_free (&selection);
      gsl_set_error_handler (old);
      llmenv_catalogue_free (&catalogue);
    }
  if (st != LLMENV_OK)
    llmenv_mex_raise (&error);
}
