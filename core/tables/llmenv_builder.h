/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How tables are defined: rows (a model, a card or both, with a batch and a
 * context) and columns (a function of the row).  To add a column, add a line
 * to a table's list; to add a table, add a definition to one of the
 * tables_*.c files and its name to llmenv_tables.c. */
#ifndef LLMENV_BUILDER_H
#define LLMENV_BUILDER_H

#include "llmenv_quantity.h"
#include "llmenv_table.h"

/* What one build works with. */
typedef struct
{
  const llmenv_request *request;
  const json_t *selection;     /* as printed: the table's entry, else NULL */
  const json_t *printed;       /* data/printed.json */
  const json_t *document_000;  /* data/document_000.json */
  const json_t *misprints;     /* data/misprints.json: {"misprints": [...]} */
  const json_t *claims;        /* of a table of claims: judged, else NULL */
} llmenv_build;

/* One row: what its columns may depend on. */
typedef struct
{
  const llmenv_build *build;
  llmenv_model_record *model;  /* or NULL */
  llmenv_card_record *card;    /* or NULL */
  llmenv_options options;      /* of the request, changed by the row */
  llmenv_envelope envelope[4]; /* by basis: default, active, touched, resident */
  const json_t *printed;       /* as printed: the row's object, else NULL */
  double B, L;                 /* where the row is for one batch or context */
  double peak;                 /* FLOP/s of the gang, where a document has its own; or NaN */
  double reference;            /* what `times_vs_worst` compares with */
  double sort;                 /* smallest first; NaN last */
  size_t rank;                 /* from 1, after sorting */
  const json_t *note;          /* rows made of a JSON object */
  const char *text[6];         /* rows made of texts (not owned) */
  char own[200];               /* room for one composed text */
} llmenv_row;

typedef struct llmenv_definition llmenv_definition;
typedef struct llmenv_column_def llmenv_column_def;

typedef llmenv_cell (*llmenv_cell_fn) (const llmenv_row *row,
                                       const llmenv_column_def *column);

struct llmenv_column_def
{
  const char *name, *unit, *note;
  llmenv_column_kind kind;
  int decimals;                /* -1: all digits */
  llmenv_rounding rounding;
  llmenv_cell_fn cell;
  /* Parameters of cells that are a quantity: */
  llmenv_quantity quantity;
  llmenv_basis basis;
  double at;                   /* tokens or bytes; NaN: the row's context */
  double scale;                /* shown = value * scale */
  int whole_only;              /* left out as printed */
};

/* Rows of a table, in order; more may be allocated with llmenv_row_add. */
typedef struct
{
  llmenv_row *row;
  size_t n;
} llmenv_rows;

struct llmenv_definition
{
  llmenv_table_info info;
  const llmenv_column_def *columns;
  size_t n_columns;
  /* Fill ROWS; a failure leaves what was added. */
  llmenv_status (*rows) (const llmenv_build *build, llmenv_rows *rows,
                         llmenv_error *error);
};

/* Append a row for MODEL and CARD (either may be NULL) with the options of the
 * request; NULL with ERROR when memory is out. */
llmenv_row *llmenv_row_add (llmenv_rows *rows, const llmenv_build *build,
                            llmenv_model_record *model, llmenv_card_record *card,
                            llmenv_error *error);

/* Make the row's envelopes, after its options are what they should be. */
llmenv_status llmenv_row_ready (llmenv_row *row, llmenv_error *error);

/* The model and the card that the options name, by id. */
llmenv_status llmenv_build_model (const llmenv_build *build,
                                  llmenv_model_record **model, llmenv_error *error);
llmenv_status llmenv_build_card (const llmenv_build *build,
                                 llmenv_card_record **card, llmenv_error *error);

/* Model or card ID that a document names: NULL where the request is narrowed to
 * others.
 * Errors: LLMENV_EMODEL, LLMENV_ECARD (no record). */
llmenv_status llmenv_build_document_model (const llmenv_build *build, const char *id,
                                           llmenv_model_record **model, llmenv_error *error);
llmenv_status llmenv_build_document_card (const llmenv_build *build, const char *id,
                                          llmenv_card_record **card, llmenv_error *error);

/* Sort by `sort` (NaN and Inf last; ties by size, then by id) and number. */
void llmenv_rows_sort (llmenv_rows *rows);

/* Value of Q for the row at context L (NaN: the row's), on BASIS. */
double llmenv_row_value (const llmenv_row *row, llmenv_quantity q,
                         llmenv_basis basis, double L);
llmenv_reason llmenv_row_reason (const llmenv_row *row, llmenv_quantity q,
                                 double value);

/* Where the request has moved the round figure X of a table. */
double llmenv_row_point (const llmenv_row *row, double x);

/* What a table keeps of the row. */
llmenv_table_row llmenv_row_facts (const llmenv_row *row);

/* The quantity's argument in the place of L: for kv_context the bytes of the
 * card's memory, else the row's context. */
double llmenv_row_argument (const llmenv_row *row, llmenv_quantity q);

/* Parameters in all, and active per token. */
double llmenv_row_params (const llmenv_row *row);
double llmenv_row_active (const llmenv_row *row);

/* Convention, basis, card, context, types: what the figures rest on. */
void llmenv_caption_make (const llmenv_options *options, int as_printed,
                          char *text, size_t size);

/* Add how many models and cards a narrowed REQUEST has. */
void llmenv_caption_narrowed (const llmenv_request *request, char *text, size_t size);

/* Cells that several tables share. */
llmenv_cell llmenv_cell_quantity (const llmenv_row *, const llmenv_column_def *);
llmenv_cell llmenv_cell_model_id (const llmenv_row *, const llmenv_column_def *);
llmenv_cell llmenv_cell_card_id (const llmenv_row *, const llmenv_column_def *);
llmenv_cell llmenv_cell_mark (const llmenv_row *, const llmenv_column_def *);
llmenv_cell llmenv_cell_rank (const llmenv_row *, const llmenv_column_def *);
llmenv_cell llmenv_cell_params (const llmenv_row *, const llmenv_column_def *);
llmenv_cell llmenv_cell_active (const llmenv_row *, const llmenv_column_def *);
llmenv_cell llmenv_cell_kv_kib (const llmenv_row *, const llmenv_column_def *);
llmenv_cell llmenv_cell_max_context (const llmenv_row *, const llmenv_column_def *);

/* A number, rounded as the column (and, as printed, the row) says. */
llmenv_cell llmenv_cell_of (const llmenv_row *row, const llmenv_column_def *column,
                            double value, llmenv_reason reason);

/* Column lines.  TEXT (name, note, cell); NUMBER (name, unit, note, decimals,
 * cell); QUANTITY (name, unit, note, decimals, rounding, quantity, basis, at,
 * scale). */
#define TEXT_COLUMN(name, note, fn)                                           \
  { name, "", note, LLMENV_TEXT_COLUMN, -1, LLMENV_NEAREST, fn,               \
    LLMENV_Q_ridge, LLMENV_BASIS_DEFAULT, 0, 1, 0 }
#define NUMBER_COLUMN(name, unit, note, decimals, fn)                         \
  { name, unit, note, LLMENV_NUMBER_COLUMN, decimals, LLMENV_NEAREST, fn,     \
    LLMENV_Q_ridge, LLMENV_BASIS_DEFAULT, 0, 1, 0 }
#define QUANTITY_COLUMN(name, unit, note, decimals, rounding, q, basis, at, scale) \
  { name, unit, note, LLMENV_NUMBER_COLUMN, decimals, rounding,               \
    llmenv_cell_quantity, LLMENV_Q_##q, basis, at, scale, 0 }
#define WHOLE_COLUMN(name, unit, note, decimals, rounding, q, basis, at, scale) \
  { name, unit, note, LLMENV_NUMBER_COLUMN, decimals, rounding,               \
    llmenv_cell_quantity, LLMENV_Q_##q, basis, at, scale, 1 }

#define N_OF(array) (sizeof (array) / sizeof *(array))

#endif
