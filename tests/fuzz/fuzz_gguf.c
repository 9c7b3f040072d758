/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer target: bytes as a GGUF file, up to the record made of it.
 * Seeds: build/tests/core/test_gguf --write tests/fuzz/corpus/gguf */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_gguf.h"
#include "llmenv_import.h"
#include "llmenv_record.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  llmenv_source source;
  llmenv_gguf gguf;
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_import_notes notes;
  json_t *json = NULL;
  memset (&gguf, 0, sizeof gguf);
  notes.n = 0;
  llmenv_source_memory (&source, "fuzz", data, size);
  if (llmenv_gguf_read (&source, &gguf, &error) == LLMENV_OK
      && llmenv_gguf_record (&gguf, "fuzz.gguf", &json, &notes, &error) == LLMENV_OK)
    {
      /* What the importer makes, the project must accept. */
      llmenv_model_record *record = NULL;
      if (llmenv_model_record_make (json, "fuzz", &record, &error) != LLMENV_OK)
        abort ();
      llmenv_model_record_free (record);
    }
  else if (error.text[0] == '\0' || error.status == LLMENV_OK)
    abort ();
  llmenv_gguf_free (&gguf);
  return 0;
}
