/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live filling of the workbook: which block of formulas stands behind each
 * table, and the formula of each of its cells. */
#ifndef LIVE_BOOK_H
#define LIVE_BOOK_H

#include "live_data.h"
#include "llmenv_inputs.h"
#include "sheet_plan.h"

enum { LIVE_BLOCKS = 64 };

/* Behind one table. */
typedef struct
{
  live_block *block;           /* whose rows its rows are; NULL: not live */
  live_column *order;          /* which row of the block stands K-th; NULL: the K-th */
  size_t n_rows;               /* rows of the table, blank ones at its end included */
  int is_fixed;                /* values of the core, which a change of the Inputs hides */
} live_table;

/* What stands in such a table when the Inputs change, and how it is said above. */
#define LIVE_STALE "other inputs"
#define LIVE_FIXED "Computed by the core for the inputs as written; after a change of the Inputs: llmenv report --inputs."

typedef struct live_book
{
  llmenv_request own;          /* the request, with what it leaves open */
  llmenv_inputs own_inputs;    /* that the request has then */
  const llmenv_request *request; /* that */
  xl_book *book;
  live_data data;
  xl_sheet inputs, lists, models, cards, tables;
  xl_sheet whatif, own_sheet;
  char words[1000];            /* what is assumed, as in cell in_words */
  llmenv_layer_group own_layers[3]; /* of the own model */
  llmenv_weight_part own_parts[3];
  llmenv_model own_model;
  live_block *of_models[2], *of_cards[2]; /* by convention */
  live_block *of_table[LIVE_BLOCKS];
  size_t n_tables;
  size_t next_row;             /* free on sheet Calc tables */
} live_book;

/* Whether formulas can say what REQUEST asks; else WHY not, in words. */
int live_can (const llmenv_request *request, const char **why);

/* Sheets that come first, and last. */
void live_book_open (live_book *live, xl_book *book, const llmenv_request *request);
void live_book_data (live_book *live);

/* Find or make what stands behind the table of S. */
live_table live_table_of (live_book *live, const sheet *s);

/* The formula of a header: its text, and where the figure stands that it names
 * when the Inputs have moved it; TEXT: what it gives now.  0: a plain text. */
int live_header (live_book *live, const live_table *behind, const sheet *s, size_t column,
                 char *out, size_t size, char *text, size_t text_size);

/* The formula of a cell (ROW from 0, COLUMN) in OUT; 0 where it has none. */
int live_cell (live_book *live, const live_table *behind, const sheet *s, size_t row, size_t column,
               char *out, size_t size);

void live_book_free (live_book *live);

/* The order of BLOCK by KEY (arithmetic over its columns, or CHART_BY_MOVE),
 * smallest first, under NAME. */
live_column *live_order_by (live_book *live, live_block *block, const char *name, const char *key);

/* Id of the row that stands at ROW of BEHIND. */
void live_id_formula (live_book *live, const live_table *behind, size_t row, char *out, size_t size);

/* The word of a quantity that is 0, or "". */
const char *live_zero_word (llmenv_quantity q);

/* ---- for those who make blocks ------------------------------------------- */

/* A model by its place in the data (0: none, and MODEL is NULL). */
typedef struct
{
  const llmenv_model *model;
  size_t place;
  double longest;
} live_who;

live_who live_who_is (const live_book *live, const llmenv_model_record *record,
                      llmenv_convention convention);

/* Fill ROW of BLOCK: WHO on CARD under SETTINGS in the block's convention; PEAK:
 * the gang's, where not NaN. */
void live_row_fill (live_block *block, size_t row, const live_who *who, const llmenv_card *card,
                    const llmenv_settings *settings, double peak, double B, double L);

/* Place of a card in the data, from 1. */
size_t live_card_place (const live_book *live, const llmenv_card_record *card);

/* What of a row follows the Inputs: a formula or a name; NULL: the number that
 * the row was filled with. */
typedef struct { const char *m, *c, *kb, *vb, *B, *L; } live_follows;

/* The columns that say what ROW, which has been filled, is about: m and c (its
 * model and its card, which is at place CARD), COUNT cards, bytes per element of
 * SETTINGS, B and L. */
void live_about (live_block *block, size_t row, size_t card, const char *count,
                 const llmenv_settings *settings, const live_follows *follows);

/* "MATCH(in_model, ...)" and "MATCH(in_card, ...)": places of what is chosen. */
live_ref live_match_model (const live_book *live);
live_ref live_match_card (const live_book *live);

/* All that every block needs after that: bytes per weight of the Inputs, the
 * card's numbers, the envelope. */
void live_complete (live_book *live, live_block *block);

/* A number of column KEY, or a name that follows the Inputs where one is given. */
void live_given (live_block *block, const char *key, const char *about, size_t row,
                 const char *name, double value);

/* A new block on sheet Calc tables; NULL with the error noted. */
live_block *live_block_add (live_book *live, size_t n, llmenv_convention convention, const char *title);

/* Column of that name: "K@ctx_8k", "b_eq active@1", "fill". */
live_column *live_named (live_book *live, live_block *block, const char *name);

#endif
