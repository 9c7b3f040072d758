/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading JSON with errors that name file, line and column or field path. */
#ifndef LLMENV_JSON_H
#define LLMENV_JSON_H

#include <jansson.h>

#include "llmenv_error.h"

/* Where a value stands: the file (or "struct") and the path to it. */
typedef struct
{
  const char *file;
  char path[160];
} llmenv_place;

llmenv_place llmenv_place_root (const char *file);
llmenv_place llmenv_place_field (const llmenv_place *parent, const char *key);
llmenv_place llmenv_place_item (const llmenv_place *parent, size_t index);

/* All bytes of the regular file at PATH, N of them, at most 64 MiB.  The caller
 * frees them; NULL with ERROR on failure. */
char *llmenv_file_read (const char *path, size_t *n, llmenv_error *error);

/* Parse the regular file at PATH, which must hold one JSON object.  At most
 * 64 MiB are read.  The caller owns the result; NULL with ERROR on failure. */
json_t *llmenv_json_read (const char *path, llmenv_error *error);

/* Value of KEY in OBJECT: NaN or NULL when absent or null.
 * Errors: LLMENV_EBADRECORD when it has another type, or is below MINIMUM. */
llmenv_status llmenv_json_number (const json_t *object, const char *key,
                                  const llmenv_place *place, double minimum,
                                  double *value, llmenv_error *error);
llmenv_status llmenv_json_text (const json_t *object, const char *key,
                                const llmenv_place *place, const char **value,
                                llmenv_error *error);

/* The same, but an absent or null value is an error too. */
llmenv_status llmenv_json_need_number (const json_t *object, const char *key,
                                       const llmenv_place *place,
                                       double minimum, double *value,
                                       llmenv_error *error);
llmenv_status llmenv_json_need_text (const json_t *object, const char *key,
                                     const llmenv_place *place,
                                     const char **value, llmenv_error *error);

/* Whether TEXT holds a control character, be it of ASCII or of Latin 1, to
 * which a terminal would listen; and all texts in VALUE without them: question
 * marks in their place. */
int llmenv_json_has_controls (const char *text);
void llmenv_json_clean (json_t *value);

/* "FILE: PATH: EXPECTED, found VALUE" as a bad record. */
llmenv_status llmenv_json_refuse (const llmenv_place *place,
                                  const char *expected, const json_t *found,
                                  llmenv_error *error);

#endif
