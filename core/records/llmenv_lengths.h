/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A distribution of context lengths, as a file gives it. */
#ifndef LLMENV_LENGTHS_H
#define LLMENV_LENGTHS_H

#include "llmenv_error.h"

typedef struct
{
  double *length, *weight;     /* owned; tokens, and how often each counts */
  size_t n;
} llmenv_lengths;

/* Read the file at PATH: a length a line, optionally followed by its weight
 * (blanks, a tab or a comma between); "32k" is 32 x 1024 tokens.  Empty lines
 * and what follows # do not count.
 * Errors: LLMENV_EBADFILE, naming the file and, where there is one, the line:
 * no such file, no number, below 0, no lengths, no weight above 0. */
llmenv_status llmenv_lengths_read (const char *path, llmenv_lengths *lengths,
                                   llmenv_error *error);
void llmenv_lengths_free (llmenv_lengths *lengths);

#endif
