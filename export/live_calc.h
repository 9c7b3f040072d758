/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the workbook computes: blocks of rows (a model on a card each, at the
 * Inputs), to which columns are added when a table asks for a quantity.  Each
 * cell is a formula over cells of its own row, the record sheets and the named
 * Inputs, and carries the core's value.
 *
 * In numbers: infinite is LIVE_INFINITE, and "no record" is that text.
 *
 * To add a quantity: its formula in live_quantity.c.  To see how a cell comes
 * about: the row above each block's header prints the formula of its column. */
#ifndef LIVE_CALC_H
#define LIVE_CALC_H

#include "llmenv_catalogue.h"
#include "llmenv_quantity.h"
#include "xl.h"

#define LIVE_INFINITE 1e300
/* End of a piece that has none: products with slopes stay finite. */
#define LIVE_NO_END 1e280
#define LIVE_INFINITE_TEXT "1E+300"
#define LIVE_NO_RECORD "no record"
#define LIVE_NOT_ACCEPTED "not accepted"

enum { LIVE_PIECES = 4, LIVE_KEY = 40, LIVE_FORMULA = 4000, LIVE_COLUMNS = 400 };

/* One row, as the core has it. */
typedef struct
{
  llmenv_envelope envelope[4];  /* by basis: default, active, touched, resident */
  double B, L;
  double longest;              /* context that the model advertises, or NaN */
  size_t model;                /* its place in the data, from 1; 0: none */
} live_row;

/* A column: cells, or a formula that is put in where it is used. */
typedef struct
{
  char key[LIVE_KEY];
  char inlined[LIVE_KEY];      /* not "": no cells, this text */
  int at;                      /* column of the sheet */
  double *value;               /* one a row; owned */
} live_column;

typedef struct
{
  xl_sheet *xl;
  llmenv_convention convention;
  size_t first, n;             /* first row on the sheet, rows */
  live_row *row;               /* owned */
  live_column column[LIVE_COLUMNS + 1]; /* the last: for those that found no room */
  size_t n_columns;
  int next;                    /* free column of the sheet */
  const char *sheet;           /* its name, quoted for formulas */
} live_block;

/* The value of a column in ROW: what its formula must give. */
typedef double (*live_value_fn) (const live_block *block, size_t row, const void *what);
typedef const char *(*live_text_fn) (const live_block *block, size_t row, const void *what);

/* Start a block of N rows at row FIRST of XL; its rows are the caller's to
 * fill.  NULL when memory is out. */
live_block *live_block_new (xl_sheet *xl, const char *sheet, size_t first, size_t n,
                            llmenv_convention convention, const char *title);
void live_block_free (live_block *block);

/* Column KEY, or NULL. */
live_column *live_find (live_block *block, const char *key);

/* A column that is TEXT (a name, a number) wherever it is used. */
void live_inline (live_block *block, const char *key, const char *text,
                  live_value_fn value, const void *what);

/* Column KEY, made at its first use: FORMULA without "=", {KEY} standing for
 * other columns of the row (or, where there is none, itself).  An error of the
 * formula becomes "no record".  Where there is no room the sheet's error is noted,
 * and the column returned is none of the sheet's. */
live_column *live_term (live_block *block, const char *key, const char *formula,
                        live_value_fn value, const void *what);

/* The same, where FORMULA is arithmetic (+ - * / and parentheses over columns
 * and numbers): its value is computed from theirs. */
live_column *live_arithmetic (live_block *block, const char *key, const char *formula);

/* Numbers and texts that are no formulas, one a row; a NaN is "no record". */
live_column *live_constants (live_block *block, const char *key, const char *about,
                             live_value_fn value, const void *what);

/* The same, of texts. */
live_column *live_text_term (live_block *block, const char *key, const char *formula,
                             live_text_fn value, const void *what);

/* The same for one row, whose formula differs from those of other rows; the
 * column must have been opened with live_open. */
live_column *live_open (live_block *block, const char *key, const char *about);
void live_set (live_block *block, live_column *column, size_t row, const char *formula,
               double value);
void live_set_text (live_block *block, live_column *column, size_t row,
                    const char *formula, const char *value);

/* "$F$12" with the sheet before it; and the whole column of the block. */
typedef struct { char text[160]; } live_ref;
live_ref live_cell_ref (const live_block *block, const live_column *column, size_t row);
live_ref live_range_ref (const live_block *block, const live_column *column);

/* Letters of a column of a sheet ("AB"). */
typedef struct { char text[8]; } live_name;
live_name live_letters (int column);

/* A cell of SHEET (quoted), absolute. */
live_ref live_at (const char *sheet, size_t row, size_t column);

/* As snprintf. */
__attribute__ ((format (printf, 3, 4)))
void live_print (char *out, size_t size, const char *format, ...);

/* TEXT as a string in a formula: quoted, its quotes doubled, in parts where it is
 * longer than the 255 characters that Excel takes. */
void live_quote (const char *text, char *quoted, size_t size);

/* X as a number in a formula: every digit. */
live_ref live_number (double x);

#endif
