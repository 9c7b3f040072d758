/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files that people have, turned into records.
 *
 * What comes out is a record of this project (llmenv_record.h): layers in
 * groups, weights by part, and the scalars that follow from them.  What a file
 * does not say is left out or taken from a class default, and said in the
 * notes; where the geometry of the cache cannot be known, the import fails. */
#ifndef LLMENV_IMPORT_H
#define LLMENV_IMPORT_H

#include <jansson.h>

#include "llmenv_error.h"

enum { LLMENV_MAX_NOTES = 16, LLMENV_NOTE_SIZE = 480 };

/* What the reader should know of an import: one line each. */
typedef struct
{
  size_t n;
  char line[LLMENV_MAX_NOTES][LLMENV_NOTE_SIZE];
} llmenv_import_notes;

/* Add a line; repeated lines are dropped, past the last one too.  NOTES may
 * be NULL here and below. */
void llmenv_import_note (llmenv_import_notes *notes, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Record of a Hugging Face configuration (the object of a config.json).
 * FILE is where it comes from: it names errors, and its folder the model.
 * The caller owns *record, which passes llmenv_model_record_make.
 * Errors: LLMENV_EBADRECORD, naming the field that is missing, of a wrong
 * type, absurd, or of an architecture that is not modelled. */
llmenv_status llmenv_import_config (const json_t *config, const char *file,
                                    json_t **record, llmenv_import_notes *notes,
                                    llmenv_error *error);

/* Record of what is at PATH: a configuration file, a folder that holds one, a
 * record in document 003's schema or ours, a GGUF file, a safetensors file or
 * a folder of them.  At most 64 MiB of JSON are read; of a key that occurs
 * twice in a configuration the last one counts, as in Transformers.
 * Errors: LLMENV_EBADFILE, LLMENV_EBADRECORD, LLMENV_ETOOLARGE. */
llmenv_status llmenv_import_path (const char *path, json_t **record,
                                  llmenv_import_notes *notes,
                                  llmenv_error *error);

/* JSON of the configuration file PATH.  Bare Infinity and NaN, which Python
 * writes, are accepted.  HAS_DUPLICATES (may be NULL): a key occurs twice.
 * The caller owns the result; NULL with ERROR on failure. */
json_t *llmenv_import_json (const char *path, int *has_duplicates,
                            llmenv_error *error);

/* The same of N bytes at TEXT, which are changed; FILE names them. */
json_t *llmenv_import_json_text (char *text, size_t n, const char *file,
                                 int *has_duplicates, llmenv_error *error);

/* ---- other formats, each in a file of its own --------------------------- */

/* Record of the GGUF file PATH (any part of a split one). */
llmenv_status llmenv_import_gguf (const char *path, json_t **record,
                                  llmenv_import_notes *notes,
                                  llmenv_error *error);

/* Exact weights of the safetensors file, or folder of them, at PATH.  *record
 * is the record made of the configuration beside it, which is completed in
 * place, or NULL where there is none. */
llmenv_status llmenv_import_safetensors (const char *path, json_t **record,
                                         llmenv_import_notes *notes,
                                         llmenv_error *error);

#endif
