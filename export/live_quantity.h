/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The core's quantities as spreadsheet formulas: the one deliberate second
 * writing of llmenv_quantity.c and llmenv_envelope.c, held to them by a program
 * that recalculates the workbook (tests/export/check_live.py). */
#ifndef LIVE_QUANTITY_H
#define LIVE_QUANTITY_H

#include "live_data.h"

/* Where a quantity is asked: a context (or bytes), in words for the key of the
 * column, as a formula, and as a number (NaN: the row's own). */
typedef struct
{
  char key[24];                /* "8k": the column is "K@8k" */
  char formula[LIVE_KEY];      /* a name, a number or {L} */
  double value;
  int of_row;                  /* 1: the row's L; 2: the longest the model advertises;
                                  3: bytes of the row's card */
} live_at_point;

/* The row's context; the table's figure X (a name where it is a point of the
 * tables, moved by POINTS). */
live_at_point live_at_row (void);
live_at_point live_at_longest (void);
live_at_point live_at_memory (void);
live_at_point live_at_figure (double x, const double *points);

/* Columns that every block needs first, from its columns m (place in the data),
 * kb, vb (bytes per element), each (bytes per weight, or a text: as released),
 * peak, bandwidth, memory (ganged), B and L, which the caller has made. */
void live_envelope_terms (live_block *block, const live_data *data);

/* The column of a quantity.  BASIS: as in the tables. */
live_column *live_quantity (live_block *block, llmenv_quantity q, llmenv_basis basis,
                            const live_at_point *at);

/* Weights that a batch of one streams, bytes. */
live_column *live_single_weights (live_block *block);

/* Memory that weights and reserve leave, bytes. */
live_column *live_free_memory (live_block *block);

/* Tokens/s of a batch of one at the row's context. */
live_column *live_single_throughput (live_block *block);

/* Sums over layers at AT: K, T or A; weights streamed by the row's batch. */
live_column *live_sum (live_block *block, llmenv_sum sum, const live_at_point *at);

/* Value of a quantity in ROW, of the core. */
double live_core_value (const live_block *block, size_t row, llmenv_quantity q,
                        llmenv_basis basis, const live_at_point *at);

/* The formula that shows the number at REF as tables do: its word where it is
 * infinite or no number (WHY: a formula for that), scaled, cut. */
typedef enum { LIVE_AS_IS, LIVE_DOWN, LIVE_UP } live_cut;
void live_shown (char *out, size_t size, const char *ref, const char *inf_word,
                 const char *zero_word, const char *why, double scale, live_cut cut);

#endif
