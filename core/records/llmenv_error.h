/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line for the user: what, where, what is accepted, the nearest name. */
#ifndef LLMENV_ERROR_H
#define LLMENV_ERROR_H

#include <stddef.h>

#include "llmenv_status.h"

typedef struct
{
  llmenv_status status;
  char text[800];
} llmenv_error;

/* Fill ERROR (may be NULL) and return STATUS. */
llmenv_status llmenv_error_set (llmenv_error *error, llmenv_status status,
                                const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Return from the caller with the status of CALL unless it is good. */
#define LLMENV_TRY(call)                                                      \
  do                                                                          \
    {                                                                         \
      const llmenv_status status_ = (call);                                   \
      if (status_ != LLMENV_OK)                                               \
        return status_;                                                       \
    }                                                                         \
  while (0)

/* Collects the names nearest to a misspelt one. */
typedef struct
{
  const char *wanted;
  struct { char name[96]; size_t distance; } best[3];
  size_t n;
} llmenv_nearest;

void llmenv_nearest_start (llmenv_nearest *nearest, const char *wanted);
void llmenv_nearest_offer (llmenv_nearest *nearest, const char *name);

/* "; nearest: a, b" into TEXT, or "" when nothing is near. */
void llmenv_nearest_text (const llmenv_nearest *nearest, char *text, size_t size);

/* Lower-case letters and digits of NAME: how names are compared. */
void llmenv_plain_name (const char *name, char *plain, size_t size);

/* TEXT for a message: printable, at most SIZE - 1 bytes. */
void llmenv_printable (const char *text, char *out, size_t size);

#endif
