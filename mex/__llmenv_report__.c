/* SPDX-License-Identifier: GPL-3.0-or-later */
/* __llmenv_report__ (FILE, OPTION, VALUE, ...): write the workbook. */
#include <gsl/gsl_errno.h>

#include "llmenv_mex.h"
#include "llmenv_own.h"
#include "llmenv_report.h"

void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void) plhs;
  if (nrhs < 1 || nlhs > 0)
    llmenv_mex_fail ("badCall", "usage: __llmenv_report__ (FILE, OPTION, VALUE, ...)");
  const char *file = llmenv_mex_text (prhs[0], "FILE");
  llmenv_request request = { .options = llmenv_options_default () };
  llmenv_mex_options (prhs + 1, nrhs - 1, &request.options);

  llmenv_error error;
  llmenv_catalogue catalogue;
  llmenv_status st = llmenv_catalogue_load (&catalogue, &error);
  if (st == LLMENV_OK)
    {
      gsl_error_handler_t *old = gsl_set_error_handler_off ();
      request.catalogue = &catalogue;
      st = llmenv_own_resolve (&catalogue, &request.options, NULL, &error);
      if (st == LLMENV_OK)
        st = llmenv_report_write (file, &request, &error);
      gsl_set_error_handler (old);
      llmenv_catalogue_free (&catalogue);
    }
  if (st != LLMENV_OK)
    llmenv_mex_raise (&error);
}
