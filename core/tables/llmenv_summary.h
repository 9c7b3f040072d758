/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record in a screenful: what an import found. */
#ifndef LLMENV_SUMMARY_H
#define LLMENV_SUMMARY_H

#include <stdio.h>

#include "llmenv_record.h"

/* Name, layout, KV bytes a token and at two contexts, state, parameters and
 * bytes by part, formats. */
void llmenv_summary_text (const llmenv_model_record *record, FILE *out);

#endif
