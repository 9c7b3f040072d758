/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within the live workbook: opening blocks, columns by name, rankings. */
#ifndef LIVE_ROWS_H
#define LIVE_ROWS_H

#include "live_book.h"

/* First row of the first block of a calculation sheet; rows between blocks. */
enum { LIVE_FIRST = 6, LIVE_GAP = 5 };

/* Every model on the card of the Inputs, and every card with its model, from
 * row FIRST of their sheets on. */
void live_open_models (live_book *live, llmenv_convention convention, size_t first);
void live_open_cards (live_book *live, llmenv_convention convention, size_t first);

/* The block of a table whose rows are its own; NULL where it is none of those. */
live_block *live_open_table (live_book *live, const sheet *s);

/* Column KEY as arithmetic over others, which are made where they are not yet. */
live_column *live_computed (live_book *live, live_block *block, const char *key, const char *formula);

/* What stands behind a ranking; nothing where the table is none. */
live_table live_ranked_table (live_book *live, const sheet *s);

/* The table of errors, published over layered: rows of models and quantities,
 * from the blocks of both conventions, in the order of the error. */
live_table live_compared_table (live_book *live, const sheet *s);
int live_compared_cell (const live_table *behind, const sheet *s, size_t row, size_t column,
                        char *out, size_t size);

#endif
