/* SPDX-License-Identifier: GPL-3.0-or-later */
/* [RECORD, NOTES] = __llmenv_import__ (PATH): the record of the model files at
 * PATH as a struct, and what the reader should know of it, a cell column. */
#include "llmenv_import.h"
#include "llmenv_mex.h"

/* Static: a few KiB, and Octave calls one gateway at a time. */
static llmenv_import_notes notes;

void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  if (nrhs != 1 || nlhs > 2)
    llmenv_mex_fail ("badCall", "usage: [record, notes] = llmenv_import (PATH)");
  const char *path = llmenv_mex_text (prhs[0], "PATH");
  llmenv_error error;
  json_t *json;
  notes.n = 0;
  if (llmenv_import_path (path, &json, &notes, &error) != LLMENV_OK)
    llmenv_mex_raise (&error);
  plhs[0] = llmenv_mex_from_json (json, "");
  json_decref (json);
  if (nlhs > 1)
    {
      plhs[1] = mxCreateCellMatrix (notes.n, 1);
      for (size_t i = 0; i < notes.n; i++)
        mxSetCell (plhs[1], i, mxCreateString (notes.line[i]));
    }
}
