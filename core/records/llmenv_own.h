/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models of one's own: which texts are paths, and where records are kept. */
#ifndef LLMENV_OWN_H
#define LLMENV_OWN_H

#include "llmenv_catalogue.h"
#include "llmenv_import.h"

/* Whether the text of a model is a path: it contains '/' or ends in .json,
 * .gguf or .safetensors, and exists.  A repository ("owner/name") need not. */
int llmenv_own_is_path (const char *text);
int llmenv_own_looks_like_path (const char *text);

/* Whether JSON is a record and not a configuration. */
int llmenv_own_is_record (const json_t *json);

/* Folder of the user's records: $XDG_DATA_HOME/llmenv, else
 * ~/.local/share/llmenv.  Returns 0 where neither is set. */
int llmenv_own_folder (char path[LLMENV_PATH_SIZE]);

/* Record of what is at PATH.  NOTES may be NULL; ERROR must not.
 * Errors: those of llmenv_import_path. */
llmenv_status llmenv_own_load (const char *path, llmenv_model_record **record,
                               llmenv_import_notes *notes, llmenv_error *error);

/* Where TEXT is a path, import it and add its record to CATALOGUE, which then
 * knows it by that path too; nothing where it is not, or is known.  An id that
 * the catalogue has gets "-own" appended. */
llmenv_status llmenv_own_add (llmenv_catalogue *catalogue, const char *text,
                              llmenv_import_notes *notes, llmenv_error *error);

/* The same for the model that OPTIONS name, which becomes the record's id. */
llmenv_status llmenv_own_resolve (llmenv_catalogue *catalogue, llmenv_options *options,
                                  llmenv_import_notes *notes, llmenv_error *error);

/* Write the record JSON to models/<id>.json in the first folder of LLMENV_DATA,
 * else in the user's folder, which is made where it is missing: to a temporary
 * name, which then replaces an earlier file.  An id of CATALOGUE from another
 * folder gets "-own" appended, in JSON too.  PATH: the file.
 * Errors: LLMENV_EBADFILE, LLMENV_EBADRECORD (an id that is no file name). */
llmenv_status llmenv_own_save (json_t *json, const llmenv_catalogue *catalogue,
                               char path[LLMENV_PATH_SIZE], llmenv_error *error);

#endif
