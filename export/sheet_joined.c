/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that the workbook puts together from rankings: one row a model or
 * card, one column a quantity. */
#include <stdio.h>
#include <string.h>

#include "llmenv_builder.h"
#include "sheet_plan.h"

/* One column: a ranking, in the convention given. */
typedef struct
{
  llmenv_quantity quantity;
  llmenv_convention convention;
  const char *name;            /* of the column */
} joined_column;

static double
scale_of (const llmenv_quantity_info *info)
{
  return strcmp (info->unit, "bytes") == 0 ? 1e-9 : 1;
}

static int
decimals_of (const llmenv_quantity_info *info)
{
  return strcmp (info->unit, "bytes") == 0 ? 2 : strcmp (info->unit, "tokens") == 0 ? 0 : 1;
}

/* Put the ranking's values where its ids stand in column 0. */
static void
fill_column (llmenv_table *table, size_t column, const llmenv_quantity_info *info,
             const llmenv_table *ranking)
{
  for (size_t r = 0; r < table->n_rows; r++)
    for (size_t k = 0; k < ranking->n_rows; k++)
      {
        const llmenv_cell *value = llmenv_table_cell (ranking, k, 2);
        if (strcmp (llmenv_table_cell (table, r, 0)->text,
                    llmenv_table_cell (ranking, k, 1)->text) == 0)
          *llmenv_table_cell (table, r, column)
            = llmenv_number_cell (value->number * scale_of (info), value->reason,
                                  decimals_of (info), LLMENV_NEAREST);
      }
}

static llmenv_status
join_column (llmenv_table *table, size_t column, const joined_column *what,
             const llmenv_request *request, llmenv_error *error)
{
  const llmenv_request own = sheet_request (request, what->convention);
  const llmenv_quantity_info *info = llmenv_quantity_get (what->quantity);
  llmenv_table *ranking;
  table->columns[column] = (llmenv_column) {
    what->name, scale_of (info) != 1 ? "GB" : info->unit, info->title,
    LLMENV_NUMBER_COLUMN, decimals_of (info) };
  LLMENV_TRY (llmenv_rank_make (info->name, 0, &own, &ranking, error));
  fill_column (table, column, info, ranking);
  llmenv_table_free (ranking);
  return LLMENV_OK;
}

/* A table of ids (of the cards or of the models) with COLUMNS. */
static llmenv_status
join (const char *name, const char *title, int over_cards,
      const joined_column *columns, size_t n, const llmenv_request *request,
      llmenv_table **table, llmenv_error *error)
{
  const llmenv_catalogue *c = request->catalogue;
  const size_t rows = over_cards ? c->n_cards : c->n_models;
  llmenv_table *t = llmenv_table_new (name, title, n + 1, rows);
  if (t == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  *table = t;
  t->columns[0] = (llmenv_column) { over_cards ? "card" : "model", "",
                                    over_cards ? "id of the card" : "id of the model",
                                    LLMENV_TEXT_COLUMN, -1 };
  for (size_t r = 0; r < rows; r++)
    *llmenv_table_cell (t, r, 0)
      = llmenv_text_cell (over_cards ? c->cards[r]->id : c->models[r]->id);
  for (size_t i = 0; i < n; i++)
    LLMENV_TRY (join_column (t, i + 1, &columns[i], request, error));
  llmenv_caption_make (&request->options, 0, t->caption, sizeof t->caption);
  llmenv_caption_narrowed (request, t->caption, sizeof t->caption);
  return LLMENV_OK;
}

/* Say what the request's caption cannot: MORE, after it. */
static void
add_to_caption (llmenv_table *table, const char *more)
{
  const size_t used = strlen (table->caption);
  snprintf (table->caption + used, sizeof table->caption - used, "%s", more);
}

llmenv_status
sheet_models_make (const llmenv_request *request, llmenv_table **table,
                   llmenv_error *error)
{
  joined_column columns[LLMENV_QUANTITY_COUNT];
  llmenv_request own = *request;
  size_t n = 0;
  own.options.given_model = 0;  /* rank models, not cards */
  for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
    {
      const llmenv_quantity_info *info = llmenv_quantity_get ((llmenv_quantity) q);
      if (!(info->takes & LLMENV_NO_MODEL))
        columns[n++] = (joined_column) { (llmenv_quantity) q,
                                         own.options.settings.convention, info->name };
    }
  return join (SHEET_MODELS, "All models by every quantity, on one card", 0,
               columns, n, &own, table, error);
}

llmenv_status
sheet_cards_make (const llmenv_request *request, llmenv_table **table,
                  llmenv_error *error)
{
  joined_column columns[LLMENV_QUANTITY_COUNT];
  llmenv_request own = *request;
  size_t n = 0;
  own.options.given_model = 1;  /* rank cards, not models */
  for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
    {
      const llmenv_quantity_info *info = llmenv_quantity_get ((llmenv_quantity) q);
      if (info->takes & LLMENV_TAKES_CARD)
        columns[n++] = (joined_column) { (llmenv_quantity) q,
                                         own.options.settings.convention, info->name };
    }
  LLMENV_TRY (join (SHEET_CARDS, "All cards by every quantity, for one model", 1,
                    columns, n, &own, table, error));
  char more[LLMENV_NAME_SIZE + 60];
  snprintf (more, sizeof more, "; model %.120s on the card of each row, not that card",
            own.options.model);
  add_to_caption (*table, more);
  return LLMENV_OK;
}

llmenv_status
sheet_both_make (const llmenv_request *request, llmenv_table **table,
                 llmenv_error *error)
{
#define BOTH(q)                                                               \
  { LLMENV_Q_##q, LLMENV_PUBLISHED, #q " published" },                        \
  { LLMENV_Q_##q, LLMENV_LAYERED, #q " layered" }
  static const joined_column columns[] = {
    BOTH (kv_bytes), BOTH (l_wall), BOTH (b_star), BOTH (b_eq), BOTH (fill),
    BOTH (capacity), BOTH (throughput),
  };
#undef BOTH
  llmenv_request own = *request;
  own.options.given_model = 0;
  LLMENV_TRY (join (SHEET_BOTH, "Published and layered values, side by side", 0,
                    columns, N_OF (columns), &own, table, error));
  const llmenv_request published = sheet_request (request, LLMENV_PUBLISHED);
  const llmenv_request layered = sheet_request (request, LLMENV_LAYERED);
  char second[200];
  llmenv_caption_make (&published.options, 0, (*table)->caption, 200);
  llmenv_caption_make (&layered.options, 0, second, sizeof second);
  add_to_caption (*table, "; and ");
  add_to_caption (*table, second);
  llmenv_caption_narrowed (request, (*table)->caption, sizeof (*table)->caption);
  return LLMENV_OK;
}
