/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RECORD = __llmenv_record__ (KIND, WHICH): the record that WHICH (id, name or
 * struct) names, checked, as a struct.  KIND is "model" or "card". */
#include <string.h>

#include "llmenv_mex.h"

void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  if (nrhs != 2 || nlhs > 1)
    llmenv_mex_fail ("badCall", "usage: record = __llmenv_record__ (KIND, WHICH)");
  const int is_model = strcmp (llmenv_mex_text (prhs[0], "KIND"), "model") == 0;
  llmenv_error error;
  llmenv_model_record *model = NULL;
  llmenv_card_record *card = NULL;
  const llmenv_status st = is_model ? llmenv_mex_model (prhs[1], &model, &error)
                                    : llmenv_mex_card (prhs[1], &card, &error);
  if (st != LLMENV_OK)
    llmenv_mex_raise (&error);
  plhs[0] = llmenv_mex_from_json (is_model ? model->json : card->json, "");
  llmenv_model_record_free (model);
  llmenv_card_record_free (card);
}
