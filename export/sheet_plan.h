/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which sheets the workbook has, in which order, and what each shows. */
#ifndef SHEET_PLAN_H
#define SHEET_PLAN_H

#include "llmenv_table.h"
#include "xl.h"

/* Groups in the order of the sheets: X (symbol, heading, colour of the tab). */
#define SHEET_GROUPS(X)                                                       \
  X (SHEET_OVERVIEW,  "Overview and rankings", 0x1F3A5F)                      \
  X (SHEET_CONSUMER,  "Consumer cards (document 000)", 0xE69F00)              \
  X (SHEET_PUBLISHED, "Published tables (document 003)", 0x0072B2)            \
  X (SHEET_LAYERED,   "Layered counterparts of the published tables", 0x009E73) \
  X (SHEET_FURTHER,   "Conventions compared, sensitivities", 0x56B4E9)        \
  X (SHEET_CLAIMS,    "Claims of both documents, recomputed", 0xF0E442)       \
  X (SHEET_RECORDS,   "Cards and models", 0xCC79A7)                           \
  X (SHEET_CORRECTED, "Corrections, gaps, misprints", 0xD55E00)               \
  X (SHEET_SOURCES,   "Assumptions, quantities, options, types", 0x7F7F7F)    \
  X (SHEET_DATA,      "Data behind charts", 0xBFBFBF)

typedef enum
{
#define X(symbol, heading, color) symbol,
  SHEET_GROUPS (X)
#undef X
  SHEET_GROUP_COUNT
} sheet_group;

const char *sheet_group_heading (sheet_group group);
lxw_color_t sheet_group_color (sheet_group group);

typedef struct
{
  char name[32];               /* of the sheet */
  const char *title;
  sheet_group group;
  llmenv_table *table;         /* owned; NULL: charts and their data */
  llmenv_convention convention; /* of the table's figures */
  int other;                   /* sheet of the other convention, or -1 */
  double memory_gb;            /* of the request's card (or gang), 1e9 bytes */
  int n_charts;                /* placed on it so far */
  xl_sheet xl;                 /* once the workbook has it */
} sheet;

/* Names of sheets that show no table. */
#define SHEET_CONTENTS "Contents"
#define SHEET_CHARTS "charts"
#define SHEET_CHART_DATA "chart data"

/* And of those that the workbook puts together from rankings. */
#define SHEET_MODELS "models overview"
#define SHEET_CARDS "cards overview"
#define SHEET_BOTH "both conventions"

typedef struct
{
  const llmenv_request *request; /* OWN */
  llmenv_request own;          /* the caller's, its model and card as ids */
  const llmenv_model_record *model; /* that the request names */
  const llmenv_card_record *card;
  char caption[400];           /* what the figures rest on */
  sheet *sheets;               /* owned */
  size_t n;
} sheet_plan;

/* Make the tables under REQUEST that it asks for and that have rows.  Besides
 * those of llmenv_table_get it may ask for the sheets of overviews and charts.
 * PLAN must stay where it is; free it whatever the outcome.
 * Errors: those of llmenv_table_make; LLMENV_EBADOPTION (no such table). */
llmenv_status sheet_plan_make (sheet_plan *plan, const llmenv_request *request,
                               llmenv_error *error);
void sheet_plan_free (sheet_plan *plan);

/* Sheet of that name, or NULL; its table, or NULL. */
sheet *sheet_plan_find (const sheet_plan *plan, const char *name);
const llmenv_table *sheet_plan_table (const sheet_plan *plan, const char *name);

/* Whether the request asks for the table or sheet of that name. */
int sheet_plan_wants (const sheet_plan *plan, const char *name);

/* Take the last sheet out again, before the workbook has it. */
void sheet_plan_drop_last (sheet_plan *plan);

/* The request with CONVENTION in the place of its own. */
llmenv_request sheet_request (const llmenv_request *request,
                              llmenv_convention convention);

/* ---- tables that the workbook puts together from rankings ---------------- */

/* All models by every quantity, on the request's card. */
llmenv_status sheet_models_make (const llmenv_request *request,
                                 llmenv_table **table, llmenv_error *error);

/* All cards by every quantity that depends on them, for the request's model. */
llmenv_status sheet_cards_make (const llmenv_request *request,
                                llmenv_table **table, llmenv_error *error);

/* All models, published and layered value in neighbouring columns. */
llmenv_status sheet_both_make (const llmenv_request *request,
                               llmenv_table **table, llmenv_error *error);

#endif
