/* SPDX-License-Identifier: GPL-3.0-or-later */
/* [TABLE, TEXT, N] = __llmenv_table__ (KIND, NAME, FLAG, OPTION, VALUE, ...)
 *
 * KIND "table": FLAG is true for as printed; "rank": NAME is a quantity and
 * FLAG true for descending; "show": NAME and FLAG are ignored; "audit": NAME is
 * a model (id, name, path or struct), a cell of these, or "" for all, and N the
 * number of findings that are not explained.
 * TABLE: name, title, caption, columns, units, notes and data, a struct with a
 * column vector or cell column per column.  TEXT: as the command prints it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "llmenv_audit.h"
#include "llmenv_mex.h"
#include "llmenv_own.h"
#include "llmenv_render.h"

/* ---- compute ----------------------------------------------------------- */

/* One model of the audit.  A struct may contradict itself. */
static llmenv_status
add_model (llmenv_audit *audit, const mxArray *a, llmenv_error *error)
{
  char *text = mxIsChar (a) && mxGetM (a) == 1 ? mxArrayToString (a) : NULL;
  if (text != NULL)
    {
      const llmenv_status st = llmenv_audit_add (audit, text, NULL, error);
      mxFree (text);
      return st;
    }
  if (!mxIsStruct (a) || mxGetNumberOfElements (a) != 1)
    return llmenv_error_set (error, LLMENV_EBADTYPE,
                             "MODEL must be an id, a name, a path, a struct or a cell of these");
  json_t *json = llmenv_mex_to_json (a);
  return json == NULL ? llmenv_error_set (error, LLMENV_EBADRECORD,
                                          "MODEL: a field holds a value that a record cannot")
         : llmenv_audit_add_json (audit, json, "MODEL", error);
}

static llmenv_status
make_audit (const mxArray *models, const llmenv_request *request,
            llmenv_table **table, size_t *n, llmenv_error *error)
{
  llmenv_audit audit = { NULL, 0, 0 };
  llmenv_status st = LLMENV_OK;
  if (mxIsChar (models) && mxGetNumberOfElements (models) == 0)
    st = llmenv_audit_add_all (&audit, request->catalogue, error);
  else if (!mxIsCell (models))
    st = add_model (&audit, models, error);
  else
    for (size_t i = 0; i < mxGetNumberOfElements (models) && st == LLMENV_OK; i++)
      st = add_model (&audit, mxGetCell (models, i), error);
  if (st == LLMENV_OK)
    st = llmenv_audit_make (&audit, request, table, n, error);
  llmenv_audit_free (&audit);
  return st;
}

static llmenv_status
make (const char *kind, const char *name, const mxArray *models, int flag,
      llmenv_request *request, llmenv_table **table, char **text, size_t *n,
      llmenv_error *error)
{
  llmenv_catalogue catalogue;
  llmenv_status st = llmenv_catalogue_load (&catalogue, error);
  if (st != LLMENV_OK)
    return st;
  request->catalogue = &catalogue;
  request->as_printed = flag;
  gsl_error_handler_t *old = gsl_set_error_handler_off ();
  llmenv_lengths lengths;
  st = llmenv_request_contexts (request, &lengths, error);
  if (st == LLMENV_OK)
    st = llmenv_own_resolve (&catalogue, &request->options, NULL, error);
  if (st == LLMENV_OK)
    st = strcmp (kind, "audit") == 0 ? make_audit (models, request, table, n, error)
         : strcmp (kind, "rank") == 0 ? llmenv_rank_make (name, flag, request, table, error)
         : strcmp (kind, "show") == 0 ? llmenv_show_make (request, table, error)
         : strcmp (kind, "tables") == 0 ? llmenv_table_list (table, error)
         : llmenv_table_make (name, request, table, error);
  gsl_set_error_handler (old);
  llmenv_lengths_free (&lengths);
  llmenv_catalogue_free (&catalogue);
  if (st != LLMENV_OK)
    return st;
  size_t size;
  FILE *out = open_memstream (text, &size);
  if (out != NULL)
    {
      llmenv_render_text (*table, out);
      fclose (out);
    }
  return LLMENV_OK;
}

/* ---- report ------------------------------------------------------------ */

/* A number column is a vector unless a cell of it holds text. */
static int
is_vector (const llmenv_table *t, size_t c)
{
  for (size_t r = 0; r < t->n_rows; r++)
    if (llmenv_table_cell (t, r, c)->text != NULL)
      return 0;
  return t->columns[c].kind == LLMENV_NUMBER_COLUMN;
}

static double
value_of (const llmenv_table *t, const llmenv_cell *cell)
{
  return t->as_printed ? cell->shown : cell->number;
}

static mxArray *
column_array (const llmenv_table *t, size_t c)
{
  if (is_vector (t, c))
    {
      mxArray *a = mxCreateDoubleMatrix (t->n_rows, 1, mxREAL);
      for (size_t r = 0; r < t->n_rows; r++)
        mxGetPr (a)[r] = value_of (t, llmenv_table_cell (t, r, c));
      return a;
    }
  mxArray *a = mxCreateCellMatrix (t->n_rows, 1);
  for (size_t r = 0; r < t->n_rows; r++)
    {
      const llmenv_cell *cell = llmenv_table_cell (t, r, c);
      mxSetCell (a, r, cell->text != NULL ? mxCreateString (cell->text)
                       : mxCreateDoubleScalar (value_of (t, cell)));
    }
  return a;
}

static mxArray *
text_row (const llmenv_table *t, int what)
{
  mxArray *a = mxCreateCellMatrix (1, t->n_columns);
  for (size_t c = 0; c < t->n_columns; c++)
    mxSetCell (a, c, mxCreateString (what == 0 ? t->columns[c].name
                                     : what == 1 ? t->columns[c].unit
                                     : t->columns[c].note));
  return a;
}

static mxArray *
table_struct (const llmenv_table *t)
{
  static const char *fields[] = { "name", "title", "caption", "columns", "units",
                                  "notes", "data" };
  mxArray *s = mxCreateStructMatrix (1, 1, 7, fields);
  mxArray *data = mxCreateStructMatrix (1, 1, 0, NULL);
  for (size_t c = 0; c < t->n_columns; c++)
    {
      mxAddField (data, t->columns[c].name);
      mxSetField (data, 0, t->columns[c].name, column_array (t, c));
    }
  mxSetField (s, 0, "name", mxCreateString (t->name));
  mxSetField (s, 0, "title", mxCreateString (t->title));
  mxSetField (s, 0, "caption", mxCreateString (t->caption));
  mxSetField (s, 0, "columns", text_row (t, 0));
  mxSetField (s, 0, "units", text_row (t, 1));
  mxSetField (s, 0, "notes", text_row (t, 2));
  mxSetField (s, 0, "data", data);
  return s;
}

void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  if (nrhs < 3 || nlhs > 3)
    llmenv_mex_fail ("badCall",
                     "usage: [table, text, n] = __llmenv_table__ (KIND, NAME, FLAG, ...)");
  const char *kind = llmenv_mex_text (prhs[0], "KIND");
  const char *name = strcmp (kind, "audit") == 0 ? "" : llmenv_mex_text (prhs[1], "NAME");
  const int flag = mxGetNumberOfElements (prhs[2]) == 1
                   && *llmenv_mex_doubles (prhs[2], "FLAG") != 0;
  llmenv_request request = { .options = llmenv_options_default () };
  llmenv_mex_options (prhs + 3, nrhs - 3, &request.options);

  llmenv_error error;
  llmenv_table *table;
  char *text = NULL;
  size_t n = 0;
  const llmenv_status st = make (kind, name, prhs[1], flag, &request, &table, &text, &n, &error);
  if (st != LLMENV_OK)
    llmenv_mex_raise (&error);
  plhs[0] = table_struct (table);
  if (nlhs > 1)
    plhs[1] = mxCreateString (text == NULL ? "" : text);
  if (nlhs > 2)
    plhs[2] = mxCreateDoubleScalar ((double) n);
  free (text);
  llmenv_table_free (table);
}
