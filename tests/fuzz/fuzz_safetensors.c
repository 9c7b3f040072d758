/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer target: bytes as a safetensors file, merged with no configuration
 * and with one of a small mixture.
 * Seeds: build/tests/core/test_safetensors --write tests/fuzz/corpus/safetensors */
#include "fuzz.h"
#include "llmenv_import.h"
#include "llmenv_safetensors.h"

static const char config[]
  = "{\"id\":\"own\",\"num_layers\":2,\"num_experts\":4,\"experts_per_token\":2,"
    "\"weight_format\":\"bf16\",\"weights\":{\"parts\":["
    "{\"name\":\"all\",\"role\":\"shared\",\"params\":1000000},"
    "{\"name\":\"head\",\"role\":\"head\",\"tied\":true,\"params\":1000}]}}";

static void
merge (const llmenv_safetensors *set, const char *text)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_import_notes notes;
  json_t *json = json_loads (text, 0, NULL);
  notes.n = 0;
  if (llmenv_safetensors_weights (set, "fuzz", json, &notes, &error) == LLMENV_OK)
    check_record (json);
  else
    {
      check_refusal (&error);
      json_decref (json);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  llmenv_source source;
  llmenv_safetensors set;
  llmenv_error error = { LLMENV_OK, "" };
  memset (&set, 0, sizeof set);
  llmenv_source_memory (&source, "fuzz", data, size);
  if (llmenv_safetensors_read (&source, &set, &error) == LLMENV_OK)
    {
      merge (&set, "{\"id\":\"own\"}");
      merge (&set, config);
    }
  else
    check_refusal (&error);
  llmenv_safetensors_free (&set);
  return 0;
}
