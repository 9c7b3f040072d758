/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EXTENSION POINT.  Stand-ins for the readers of other formats, overridden by
 * the definitions of llmenv_import_gguf.c and llmenv_import_safetensors.c
 * where those are part of the build. */
#include "llmenv_import.h"

__attribute__ ((weak)) llmenv_status
llmenv_import_gguf (const char *path, json_t **record, llmenv_import_notes *notes,
                    llmenv_error *error)
{
  (void) record;
  (void) notes;
  return llmenv_error_set (error, LLMENV_EBADFILE, "%s: this build reads no GGUF files", path);
}

__attribute__ ((weak)) llmenv_status
llmenv_import_safetensors (const char *path, json_t **record, llmenv_import_notes *notes,
                           llmenv_error *error)
{
  if (*record == NULL)
    return llmenv_error_set (error, LLMENV_EBADFILE, "%s: a config.json beside the tensors is needed", path);
  llmenv_import_note (notes, "tensors beside the configuration are not read");
  return LLMENV_OK;
}
