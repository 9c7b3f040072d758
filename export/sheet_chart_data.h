/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures that only charts show: curves over contexts and batches, and columns
 * of other sheets brought beside each other.  All numbers are the core's. */
#ifndef SHEET_CHART_DATA_H
#define SHEET_CHART_DATA_H

#include "llmenv_quantity.h"
#include "sheet_plan.h"

enum { CHART_SERIES = 8, CHART_BARS = 15, CHART_BLOCKS = 40, CHART_LABELS = 160 };

/* Where a block's figures come from, for formulas that follow them. */
typedef enum
{
  CHART_COPIED,                /* cells of a table of the workbook */
  CHART_RANKED,                /* its first rows by a quantity */
  CHART_ALONG,                 /* a quantity along contexts or batches */
  CHART_OVER_TYPES             /* a quantity over storage types of the cache */
} chart_kind;

enum { CHART_COPY_ROWS = 8 };

typedef struct
{
  chart_kind kind;
  const char *sheet;           /* copied, ranked: its name */
  /* Copied: row and column in its table, by series and row; -1: none.  Row 0 of
   * `name` is the row whose id names the series, or -1. */
  int row[CHART_BARS + 1][CHART_COPY_ROWS], column[CHART_BARS + 1][CHART_COPY_ROWS];
  int name[CHART_BARS + 1];
  double x[CHART_COPY_ROWS];   /* copied: contexts along, or NaN */
  const char *key;             /* ranked: by which column of calculation, smallest first */
  const char *ranked[2];       /* ranked: names of the columns shown */
  llmenv_quantity quantity;    /* along, over types */
  int over_batches, each;
  const char *line;            /* along: the last series is this constant */
  const llmenv_model_record *model[CHART_SERIES]; /* along: of each series */
  const llmenv_card_record *card[CHART_SERIES];
  int of_cards;                /* along: series are cards of the model of the Inputs */
} chart_origin;

/* One block of the sheet: a table whose first column is what is charted along
 * the horizontal axis, and each further one a series. */
typedef struct
{
  char title[80];
  llmenv_table *table;         /* owned */
  size_t header_row;           /* on the sheet, once written */
  chart_origin origin;
} chart_block;

typedef struct
{
  chart_block block[CHART_BLOCKS];
  size_t n;
  char label[CHART_LABELS][96]; /* room for composed names of series */
  size_t n_labels;
} chart_data;

/* Key of rankings by how much the convention moves the wall. */
#define CHART_BY_MOVE "moved"

/* Compute the blocks that charts of PLAN need; where there is none, PLAN loses
 * the sheet for them, its last.  Free DATA whatever the outcome. */
llmenv_status chart_data_make (sheet_plan *plan, chart_data *data,
                               llmenv_error *error);
void chart_data_free (chart_data *data);

/* Write them on the sheet of that name. */
struct live_book;
void chart_data_write (const sheet_plan *plan, chart_data *data, struct live_book *live);

/* Block of that title, or NULL. */
const chart_block *chart_data_find (const chart_data *data, const char *title);

/* ---- for those who compute blocks --------------------------------------- */

/* Append an empty block; its first column holds X (texts where X_IS_TEXT).
 * NULL with ERROR when memory or blocks are out. */
llmenv_table *chart_block_add (chart_data *data, const char *title, const char *x,
                               const char *unit, int x_is_text, size_t n_series,
                               size_t n_rows, llmenv_error *error);

/* Up to MOST of the row numbers 0 to N - 1, evenly spread; MUST among them
 * where it is one of them.  Returns how many. */
size_t chart_spread (size_t n, size_t most, size_t must, size_t picked[]);

/* The blocks of curves (sheet_curves.c). */
llmenv_status chart_curves_add (const sheet_plan *plan, chart_data *data,
                                llmenv_error *error);

#endif
