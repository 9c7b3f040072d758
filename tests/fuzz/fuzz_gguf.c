/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer target: bytes as a GGUF file, up to the record made of it.
 * Seeds: build/tests/core/test_gguf --write tests/fuzz/corpus/gguf */
#include "fuzz.h"
#include "llmenv_gguf.h"
#include "llmenv_import.h"

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
    check_record (json);
  else
    check_refusal (&error);
  llmenv_gguf_free (&gguf);
  return 0;
}
