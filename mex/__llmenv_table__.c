/* SPDX-License-Identifier: GPL-3.0-or-later */
/* [TABLE, TEXT] = __llmenv_table__ (KIND, NAME, FLAG, OPTION, VALUE, ...)
 *
 * KIND "table": FLAG is true for as printed; "rank": NAME is a quantity and
 * FLAG true for descending; "show": NAME and FLAG are ignored.
 * TABLE: name, title, caption, columns, units, notes and data, a struct with a
 * column vector or cell column per column.  TEXT: as the command prints it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "llmenv_mex.h"
#include "llmenv_render.h"

/* ---- compute ----------------------------------------------------------- */

static llmenv_status
make (const char *kind, const char *name, int flag, llmenv_request *request,
      llmenv_table **table, char **text, llmenv_error *error)
{
  llmenv_catalogue catalogue;
  llmenv_status st = llmenv_catalogue_load (&catalogue, error);
  if (st != LLMENV_OK)
    return st;
  request->catalogue = &catalogue;
  request->as_printed = flag;
  gsl_error_handler_t *old = gsl_set_error_handler_off ();
  st = strcmp (kind, "rank") == 0 ? llmenv_rank_make (name, flag, request, table, error)
       : strcmp (kind, "show") == 0 ? llmenv_show_make (request, table, error)
       : llmenv_table_make (name, request, table, error);
  gsl_set_error_handler (old);
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
  if (nrhs < 3 || nlhs > 2)
    llmenv_mex_fail ("badCall",
                     "usage: [table, text] = __llmenv_table__ (KIND, NAME, FLAG, ...)");
  const char *kind = llmenv_mex_text (prhs[0], "KIND");
  const char *name = llmenv_mex_text (prhs[1], "NAME");
  const int flag = mxGetNumberOfElements (prhs[2]) == 1
                   && *llmenv_mex_doubles (prhs[2], "FLAG") != 0;
  llmenv_request request = { .options = llmenv_options_default () };
  llmenv_mex_options (prhs + 3, nrhs - 3, &request.options);

  llmenv_error error;
  llmenv_table *table;
  char *text = NULL;
  const llmenv_status st = make (kind, name, flag, &request, &table, &text, &error);
  if (st != LLMENV_OK)
    llmenv_mex_raise (&error);
  plhs[0] = table_struct (table);
  if (nlhs > 1)
    plhs[1] = mxCreateString (text == NULL ? "" : text);
  free (text);
  llmenv_table_free (table);
}
