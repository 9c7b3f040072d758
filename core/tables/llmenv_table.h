/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table: what Octave, command and workbook all render. */
#ifndef LLMENV_TABLE_H
#define LLMENV_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "llmenv_catalogue.h"
#include "llmenv_lengths.h"

typedef enum { LLMENV_TEXT_COLUMN, LLMENV_NUMBER_COLUMN } llmenv_column_kind;

typedef struct
{
  const char *name;            /* as in CSV: "kv_gb_8k" */
  const char *unit;            /* "GB", "tokens", "" */
  const char *note;            /* what the column is, one sentence */
  llmenv_column_kind kind;
  int decimals;                /* shown; -1: as many as the number has */
} llmenv_column;

/* A number (maybe not finite, then with its reason) or a text. */
typedef struct
{
  double number;               /* unrounded */
  double shown;                /* as displayed: rounded, or floor of a count */
  llmenv_reason reason;
  int decimals;                /* of this cell; -1: all */
  char *text;                  /* owned by the table; NULL in number cells */
} llmenv_cell;

/* What a row is about: for those who compute it anew, as the workbook's
 * formulas do.  The records are the catalogue's. */
typedef struct
{
  const llmenv_model_record *model; /* or NULL */
  const llmenv_card_record *card;   /* or NULL */
  llmenv_settings settings;
  double peak;                 /* FLOP/s, ganged, where not the record's; or NaN */
  double B, L;
  char k_type[24], v_type[24];
} llmenv_table_row;

typedef struct
{
  const char *name;            /* not owned, lives as long as the program */
  char title[160];
  char caption[400];           /* convention, basis, card, context, types */
  llmenv_column *columns;
  size_t n_columns;
  llmenv_cell *cells;          /* row by row */
  size_t n_rows;
  llmenv_table_row *rows;      /* n_rows, where it was made of a definition */
  const struct llmenv_column_def **defs; /* what fills each column, likewise; else NULLs */
  int as_printed;              /* cells are given as shown */
} llmenv_table;

/* What tables are made from. */
typedef struct
{
  const llmenv_catalogue *catalogue; /* the records that tables show */
  llmenv_options options;
  int as_printed;              /* the document's selection, order and rounding */
  const llmenv_lengths *contexts; /* a mix in the place of options.context, or NULL */
  int values_only;             /* a workbook without formulas */
  const struct llmenv_inputs *inputs; /* of the workbook; NULL: those it proposes */
  const double *points;        /* where the tables' round figures are; NULL: at their own */
  const llmenv_catalogue *all; /* where that is a part of them, else NULL */
  const char *const *tables;   /* that the workbook is to hold, n_tables names; NULL: all */
  size_t n_tables;
} llmenv_request;

/* Read the file that the options name as Contexts, if any, into LENGTHS, which
 * REQUEST then borrows; its mean becomes the context that captions show.
 * Errors: those of llmenv_lengths_read. */
llmenv_status llmenv_request_contexts (llmenv_request *request,
                                       llmenv_lengths *lengths, llmenv_error *error);

/* Record of CATALOGUE that NAME names: an id, a name or a path, as for
 * llmenv_model_load. */
llmenv_status llmenv_model_named (const llmenv_catalogue *catalogue, const char *name,
                                  llmenv_model_record **model, llmenv_error *error);
llmenv_status llmenv_card_named (const llmenv_catalogue *catalogue, const char *name,
                                 llmenv_card_record **card, llmenv_error *error);

/* Replace the names of model and card in OPTIONS by their ids. */
llmenv_status llmenv_options_resolve (llmenv_options *options,
                                      const llmenv_catalogue *catalogue,
                                      llmenv_error *error);

/* Facts of the tables, in order of the workbook; NULL past the end. */
typedef struct
{
  const char *name, *title, *group;
} llmenv_table_info;

const llmenv_table_info *llmenv_table_get (size_t i);

/* The list of them as a table: table, title, group. */
llmenv_status llmenv_table_list (llmenv_table **table, llmenv_error *error);

/* Make table NAME.  The caller frees it.
 * Errors: LLMENV_EBADOPTION (no such table, or one that is not printed),
 * and what the options or records have wrong. */
llmenv_status llmenv_table_make (const char *name, const llmenv_request *request,
                                 llmenv_table **table, llmenv_error *error);

/* Ranking of all models by QUANTITY (of all cards, when it is of the card
 * alone or when the options give a model).  Columns rank, id, value, reason;
 * smallest first, largest first with DESCENDING, rows without a value last. */
llmenv_status llmenv_rank_make (const char *quantity, int descending,
                                const llmenv_request *request,
                                llmenv_table **table, llmenv_error *error);

/* Every quantity of one model on one card: quantity, value, unit, reason. */
llmenv_status llmenv_show_make (const llmenv_request *request,
                                llmenv_table **table, llmenv_error *error);

/* The same pair in words, a screenful: what it holds and streams, how many
 * sequences fit, what binds, tokens/s ceilings, the next cards that fit. */
llmenv_status llmenv_show_text (const llmenv_request *request, FILE *out,
                                llmenv_error *error);

void llmenv_table_free (llmenv_table *table);

/* Cell at ROW and COLUMN. */
llmenv_cell *llmenv_table_cell (const llmenv_table *table, size_t row, size_t column);

/* Column of that name, or -1. */
int llmenv_table_column (const llmenv_table *table, const char *name);

/* Text of a cell as people read it: rounded, or the word for what is no
 * number.  PLAIN: every digit, for machines. */
void llmenv_cell_text (const llmenv_cell *cell, int plain, char *text, size_t size);

/* ---- for those who build tables ---------------------------------------- */

llmenv_table *llmenv_table_new (const char *name, const char *title,
                                size_t n_columns, size_t n_rows);

llmenv_cell llmenv_text_cell (const char *text);
llmenv_cell llmenv_word_cell (llmenv_reason reason);
typedef enum { LLMENV_NEAREST, LLMENV_FLOOR, LLMENV_CEIL } llmenv_rounding;
llmenv_cell llmenv_number_cell (double number, llmenv_reason reason,
                                int decimals, llmenv_rounding rounding);

#endif
