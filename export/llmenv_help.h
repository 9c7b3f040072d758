/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command says of itself; the one source of --help,
 * the man page and the completion. */
#ifndef LLMENV_HELP_H
#define LLMENV_HELP_H

#include <stdio.h>

void llmenv_help_all (FILE *out);
void llmenv_help_verb (const char *verb, FILE *out);
void llmenv_help_tables (FILE *out);
/* The man page, in roff, and completion for bash. */
void llmenv_help_man (const char *version, FILE *out);
void llmenv_help_completion (FILE *out);
const char *llmenv_help_usage (const char *verb);

#endif
