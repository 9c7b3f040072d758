/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table as text: aligned for people, CSV and JSON for machines. */
#ifndef LLMENV_RENDER_H
#define LLMENV_RENDER_H

#include "llmenv_table.h"

/* Title, caption, aligned columns with units, words for what is no number. */
void llmenv_render_text (const llmenv_table *table, FILE *out);

/* RFC 4180; numbers with all their digits, as shown when as printed. */
void llmenv_render_csv (const llmenv_table *table, FILE *out);

/* {"name", "title", "caption", "columns": [{"name", "unit", "note"}],
 *  "rows": [{column: value or {"value", "reason"}}]}.  HEAD, members of its own
 * (or NULL), comes first. */
llmenv_status llmenv_render_json (const llmenv_table *table, json_t *head,
                                  FILE *out);

#endif
