/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rankings by one quantity. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_builder.h"
#include "llmenv_sweep.h"

/* ---- ranking ----------------------------------------------------------- */

double
llmenv_row_argument (const llmenv_row *row, llmenv_quantity q)
{
  return llmenv_quantity_get (q)->takes & LLMENV_TAKES_BYTES
         ? row->envelope[0].memory : NAN;
}

static llmenv_status
ranked_rows (const llmenv_build *build, llmenv_quantity q, int descending,
             llmenv_rows *rows, llmenv_error *error)
{
  const llmenv_catalogue *c = build->request->catalogue;
  const int takes = llmenv_quantity_get (q)->takes;
  const int over_cards = (takes & LLMENV_NO_MODEL)
                         || ((takes & LLMENV_TAKES_CARD)
                             && build->request->options.given_model);
  llmenv_model_record *model = NULL;
  llmenv_card_record *card = NULL;
  if (!over_cards)
    LLMENV_TRY (llmenv_build_card (build, &card, error));
  else if (!(takes & LLMENV_NO_MODEL))
    LLMENV_TRY (llmenv_build_model (build, &model, error));
  const size_t n = over_cards ? c->n_cards : c->n_models;
  for (size_t i = 0; i < n; i++)
    {
      llmenv_row *row
        = llmenv_row_add (rows, build, over_cards ? model : c->models[i],
                          over_cards ? c->cards[i] : card, error);
      if (row == NULL)
        return LLMENV_ETOOLARGE;
      LLMENV_TRY (llmenv_row_ready (row, error));
      row->reference = llmenv_row_value (row, q, LLMENV_BASIS_DEFAULT,
                                         llmenv_row_argument (row, q));
      row->sort = descending && isfinite (row->reference) ? -row->reference
                                                          : row->reference;
    }
  llmenv_rows_sort (rows);
  return LLMENV_OK;
}

static void
fill_ranking (const llmenv_rows *rows, llmenv_quantity q, llmenv_table *t)
{
  for (size_t r = 0; r < rows->n; r++)
    {
      const llmenv_row *row = &rows->row[r];
      const llmenv_reason reason = llmenv_row_reason (row, q, row->reference);
      const char *id = row->card != NULL && (row->model == NULL
                                             || row->options.given_model)
                       && (llmenv_quantity_get (q)->takes & LLMENV_TAKES_CARD)
                       ? row->card->id : row->model->id;
      *llmenv_table_cell (t, r, 0)
        = llmenv_number_cell ((double) row->rank, LLMENV_HAS_VALUE, 0, LLMENV_NEAREST);
      *llmenv_table_cell (t, r, 1) = llmenv_text_cell (id);
      *llmenv_table_cell (t, r, 2)
        = llmenv_number_cell (row->reference, reason, 2, LLMENV_NEAREST);
      *llmenv_table_cell (t, r, 3) = llmenv_text_cell (llmenv_reason_word (reason));
    }
}

llmenv_status
llmenv_rank_make (const char *quantity, int descending,
                  const llmenv_request *request, llmenv_table **table,
                  llmenv_error *error)
{
  llmenv_quantity q = LLMENV_Q_ridge;
  llmenv_rows rows = { NULL, 0 };
  llmenv_request own = *request;
  const llmenv_build build = { .request = &own };
  LLMENV_TRY (llmenv_quantity_named (quantity, &q, error));
  LLMENV_TRY (llmenv_options_resolve (&own.options, own.catalogue, error));
  llmenv_status st = ranked_rows (&build, q, descending, &rows, error);
  const llmenv_quantity_info *info = llmenv_quantity_get (q);
  llmenv_table *t = st == LLMENV_OK ? llmenv_table_new (info->name, info->title, 4, rows.n)
                                    : NULL;
  if (t != NULL)
    {
      const llmenv_column columns[] = {
        { "rank", "", descending ? "from the largest" : "from the smallest", LLMENV_NUMBER_COLUMN, 0 },
        { "id", "", "model or card", LLMENV_TEXT_COLUMN, -1 },
        { "value", info->unit, info->formula, LLMENV_NUMBER_COLUMN, 2 },
        { "reason", "", "why there is no finite value", LLMENV_TEXT_COLUMN, -1 },
      };
      memcpy (t->columns, columns, sizeof columns);
      fill_ranking (&rows, q, t);
      llmenv_caption_make (&own.options, 0, t->caption, sizeof t->caption);
      llmenv_caption_narrowed (&own, t->caption, sizeof t->caption);
      *table = t;
    }
  else if (st == LLMENV_OK)
    st = llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  free (rows.row);
  return st;
}
