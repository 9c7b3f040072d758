/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every reader of foreign files owes: a record, or a refusal in one line. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_envelope.h"
#include "llmenv_record.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static inline void
check_refusal (const llmenv_error *error)
{
  const char *c = error->text;
  while (*c != '\0' && (unsigned char) *c >= 0x20)
    c++;
  if (*c != '\0' || c == error->text || error->status == LLMENV_OK)
    {
      fprintf (stderr, "not a refusal in one line: %d %s\n", (int) error->status, error->text);
      abort ();
    }
}

/* Takes RECORD over.  As in llmenv_import, what the reader of records refuses is
 * a refusal of the file; with LLMENV_FUZZ_STRICT it is a find, since the importer
 * could have said it in the file's own terms. */
static inline void
check_record (json_t *record)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_model_record *made;
  llmenv_envelope envelope;
  const llmenv_settings settings = llmenv_settings_default (LLMENV_LAYERED);
  if (llmenv_model_record_make (record, "fuzz", &made, &error) == LLMENV_OK)
    {
      llmenv_envelope_make (&made->model, NULL, &settings, &envelope);
      llmenv_model_record_free (made);
      return;
    }
  check_refusal (&error);
  if (getenv ("LLMENV_FUZZ_STRICT") != NULL)
    {
      fprintf (stderr, "a record that its own reader refuses: %s\n", error.text);
      abort ();
    }
}

#endif
