/* SPDX-License-Identifier: GPL-3.0-or-later */
/* __llmenv_report__ (FILE, MODELS, CARDS, TABLES, OPTION, VALUE, ...): write
 * the workbook.  The lists: text with commas, a cell of texts, [] for all. */
#include <gsl/gsl_errno.h>

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

/* ---- compute ----------------------------------------------------------- */

static llmenv_status
add_list (const list *l, llmenv_names *names, llmenv_error *error)
{
  for (size_t i = 0; i < l->n; i++)
    LLMENV_TRY (llmenv_names_add (names, l->option, l->name[i], error));
  return l->text == NULL ? LLMENV_OK
         : llmenv_names_split (names, l->option, l->text, error);
}

/* Models that are paths join CATALOGUE. */
static llmenv_status
add_paths (llmenv_catalogue *catalogue, const llmenv_names *models,
           llmenv_options *options, llmenv_error *error)
{
  for (size_t i = 0; i < models->n; i++)
    LLMENV_TRY (llmenv_own_add (catalogue, models->name[i], NULL, error));
  return llmenv_own_resolve (catalogue, options, NULL, error);
}

static llmenv_status
write_report (const char *file, const list lists[3], llmenv_catalogue *catalogue,
              llmenv_request *request, llmenv_selection *s, llmenv_error *error)
{
  LLMENV_TRY (add_list (&lists[0], &s->models, error));
  LLMENV_TRY (add_list (&lists[1], &s->cards, error));
  LLMENV_TRY (add_list (&lists[2], &s->tables, error));
  request->catalogue = catalogue;
  LLMENV_TRY (add_paths (catalogue, &s->models, &request->options, error));
  LLMENV_TRY (llmenv_request_narrow (request, s, error));
  return llmenv_report_write (file, request, error);
}

void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void) plhs;
  if (nrhs < 4 || nlhs > 0)
    llmenv_mex_fail ("badCall", "usage: llmenv_report (FILE, OPTION, VALUE, ...)");
  const char *file = llmenv_mex_text (prhs[0], "FILE");
  const list lists[3] = { read_list (prhs[1], "Models"), read_list (prhs[2], "Cards"),
                          read_list (prhs[3], "Tables") };
  llmenv_request request = { .options = llmenv_options_default () };
  llmenv_mex_options (prhs + 4, nrhs - 4, &request.options);

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
        st = write_report (file, lists, &catalogue, &request, &selection, &error);
      llmenv_lengths_free (&lengths);
      llmenv_selection_free (&selection);
      gsl_set_error_handler (old);
      llmenv_catalogue_free (&catalogue);
    }
  if (st != LLMENV_OK)
    llmenv_mex_raise (&error);
}
