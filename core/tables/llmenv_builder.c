/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_json.h"
#include "llmenv_mix.h"
#include "llmenv_own.h"
#include "llmenv_table_points.h"

/* ---- rows -------------------------------------------------------------- */

llmenv_row *
llmenv_row_add (llmenv_rows *rows, const llmenv_build *build,
                llmenv_model_record *model, llmenv_card_record *card,
                llmenv_error *error)
{
  /* Room doubles whenever the count is a power of two. */
  const size_t n = rows->n;
  llmenv_row *grown = (n & (n - 1)) != 0 ? rows->row
                      : realloc (rows->row, (n == 0 ? 1 : 2 * n) * sizeof *grown);
  if (grown == NULL)
    {
      llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
      return NULL;
    }
  rows->row = grown;
  llmenv_row *row = &grown[rows->n++];
  memset (row, 0, sizeof *row);
  row->build = build;
  row->model = model;
  row->card = card;
  row->options = build->request->options;
  row->B = row->options.batch;
  row->L = row->options.context;
  row->sort = NAN;
  row->peak = NAN;
  return row;
}

llmenv_status
llmenv_row_ready (llmenv_row *row, llmenv_error *error)
{
  static const llmenv_model no_model = { .kv_reason = LLMENV_NO_RECORD };
  llmenv_card_numbers card = { { NAN, NAN, NAN }, 0, 0 };
  if (row->card != NULL)
    card = llmenv_card_numbers_get (row->card, &row->options);
  for (int basis = 0; basis < 4; basis++)
    {
      llmenv_settings settings = row->options.settings;
      if (basis != LLMENV_BASIS_DEFAULT)
        settings.basis = basis;
      const llmenv_status st
        = llmenv_envelope_make (row->model == NULL ? &no_model : &row->model->model,
                                &card.card, &settings, &row->envelope[basis]);
      if (st != LLMENV_OK)
        return llmenv_error_set (error, st, "%s: %s",
                                 row->model == NULL ? "options" : row->model->id,
                                 llmenv_envelope_why (st, &settings));
    }
  return LLMENV_OK;
}

llmenv_status
llmenv_model_named (const llmenv_catalogue *catalogue, const char *name,
                    llmenv_model_record **model, llmenv_error *error)
{
  llmenv_model_record *loaded;
  *model = llmenv_catalogue_model (catalogue, name);
  if (*model != NULL)
    return LLMENV_OK;
  /* Its id may be that of another record. */
  if (llmenv_own_is_path (name))
    return llmenv_error_set (error, LLMENV_EMODEL, "%.300s is not in the catalogue", name);
  LLMENV_TRY (llmenv_model_load (name, &loaded, error));
  *model = llmenv_catalogue_model (catalogue, loaded->id);
  llmenv_model_record_free (loaded);
  return *model != NULL ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EMODEL, "no model '%.100s'", name);
}

llmenv_status
llmenv_card_named (const llmenv_catalogue *catalogue, const char *name,
                   llmenv_card_record **card, llmenv_error *error)
{
  llmenv_card_record *loaded;
  *card = llmenv_catalogue_card (catalogue, name);
  if (*card != NULL)
    return LLMENV_OK;
  LLMENV_TRY (llmenv_card_load (name, &loaded, error));
  *card = llmenv_catalogue_card (catalogue, loaded->id);
  llmenv_card_record_free (loaded);
  return *card != NULL ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_ECARD, "no card '%.100s'", name);
}

llmenv_status
llmenv_options_resolve (llmenv_options *options,
                        const llmenv_catalogue *catalogue, llmenv_error *error)
{
  llmenv_model_record *model;
  llmenv_card_record *card;
  LLMENV_TRY (llmenv_model_named (catalogue, options->model, &model, error));
  LLMENV_TRY (llmenv_card_named (catalogue, options->card, &card, error));
  snprintf (options->model, sizeof options->model, "%s", model->id);
  snprintf (options->card, sizeof options->card, "%s", card->id);
  return LLMENV_OK;
}

llmenv_status
llmenv_build_card (const llmenv_build *build, llmenv_card_record **card,
                   llmenv_error *error)
{
  const char *id = build->request->options.card;
  *card = llmenv_catalogue_card (build->request->catalogue, id);
  return *card != NULL ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_ECARD, "no card '%s'", id);
}

llmenv_status
llmenv_build_model (const llmenv_build *build, llmenv_model_record **model,
                    llmenv_error *error)
{
  const char *id = build->request->options.model;
  *model = llmenv_catalogue_model (build->request->catalogue, id);
  return *model != NULL ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EMODEL, "no model '%s'", id);
}

llmenv_status
llmenv_build_document_model (const llmenv_build *build, const char *id,
                             llmenv_model_record **model, llmenv_error *error)
{
  const llmenv_request *r = build->request;
  *model = llmenv_catalogue_model (r->catalogue, id);
  return *model != NULL
         || (r->all != NULL && llmenv_catalogue_model (r->all, id) != NULL) ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EMODEL, "no record of model '%s'", id);
}

llmenv_status
llmenv_build_document_card (const llmenv_build *build, const char *id,
                            llmenv_card_record **card, llmenv_error *error)
{
  const llmenv_request *r = build->request;
  *card = llmenv_catalogue_card (r->catalogue, id);
  return *card != NULL
         || (r->all != NULL && llmenv_catalogue_card (r->all, id) != NULL) ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_ECARD, "no record of card '%s'", id);
}

/* ---- order ------------------------------------------------------------- */

/* Finite numbers, then Inf, then NaN. */
static int
by_number (double a, double b)
{
  if (isnan (a) || isnan (b))
    return isnan (a) - isnan (b);
  return (a > b) - (a < b);
}

static int
by_sort (const void *a, const void *b)
{
  const llmenv_row *x = a, *y = b;
  int order = by_number (x->sort, y->sort);
  if (order == 0 && x->model != NULL && y->model != NULL)
    order = by_number (llmenv_row_params (x), llmenv_row_params (y));
  if (order == 0 && x->model != NULL && y->model != NULL)
    order = strcmp (x->model->id, y->model->id);
  if (order == 0 && x->card != NULL && y->card != NULL)
    order = strcmp (x->card->id, y->card->id);
  return order;
}

void
llmenv_rows_sort (llmenv_rows *rows)
{
  if (rows->n > 0)
    qsort (rows->row, rows->n, sizeof *rows->row, by_sort);
  for (size_t i = 0; i < rows->n; i++)
    rows->row[i].rank = i + 1;
}

/* ---- values ------------------------------------------------------------ */

double
llmenv_row_value (const llmenv_row *row, llmenv_quantity q, llmenv_basis basis,
                  double L)
{
  const llmenv_envelope *e = &row->envelope[basis];
  const llmenv_lengths *mix = row->build->request->contexts;
  /* A row's own context (a table over contexts) goes before the mix. */
  if (mix == NULL || !isnan (L) || row->L != row->build->request->options.context
      || llmenv_quantity_get (q)->takes & LLMENV_TAKES_BYTES)
    return llmenv_quantity_value (q, e, row->B, isnan (L) ? row->L : L);
  return llmenv_mix_value (q, e, row->B, mix->n, mix->length, mix->weight);
}

llmenv_status
llmenv_request_contexts (llmenv_request *request, llmenv_lengths *lengths,
                         llmenv_error *error)
{
  *lengths = (llmenv_lengths) { NULL, NULL, 0 };
  if (*request->options.contexts == '\0')
    return LLMENV_OK;
  LLMENV_TRY (llmenv_lengths_read (request->options.contexts, lengths, error));
  request->contexts = lengths;
  request->options.context = llmenv_mix_mean (lengths->n, lengths->length, lengths->weight);
  return LLMENV_OK;
}

double
llmenv_row_point (const llmenv_row *row, double x)
{
  return llmenv_table_point_at (row->build->request->points, x, 0);
}

llmenv_table_row
llmenv_row_facts (const llmenv_row *row)
{
  llmenv_table_row f = { .model = row->model, .card = row->card,
                         .settings = row->options.settings, .peak = row->peak,
                         .B = row->B, .L = row->L };
  snprintf (f.k_type, sizeof f.k_type, "%s", row->options.k_type);
  snprintf (f.v_type, sizeof f.v_type, "%s", row->options.v_type);
  return f;
}

llmenv_reason
llmenv_row_reason (const llmenv_row *row, llmenv_quantity q, double value)
{
  return llmenv_quantity_reason (q, &row->envelope[0], value);
}

double
llmenv_row_params (const llmenv_row *row)
{
  const llmenv_model *m = &row->model->model;
  if (row->options.settings.convention == LLMENV_PUBLISHED)
    return m->published.params;
  double sum = 0;
  for (size_t i = 0; i < m->n_parts; i++)
    sum += m->parts[i].params;
  return m->n_parts > 0 ? sum : m->scalars.params;
}

double
llmenv_row_active (const llmenv_row *row)
{
  return row->options.settings.convention == LLMENV_PUBLISHED
         ? row->model->model.published.active_params
         : row->envelope[0].flops / 2;
}

/* ---- cells ------------------------------------------------------------- */

llmenv_cell
llmenv_cell_of (const llmenv_row *row, const llmenv_column_def *column,
                double value, llmenv_reason reason)
{
  int decimals = column->decimals;
  const json_t *const editorial[] = { row->build->selection, row->printed };
  for (size_t i = 0; i < N_OF (editorial); i++)
    {
      const json_t *own = json_object_get (json_object_get (editorial[i], "decimals"),
                                           column->name);
      if (json_is_integer (own))
        decimals = (int) json_integer_value (own);
    }
  llmenv_rounding rounding = column->rounding;
  /* The documents cut counts; the batch that reaches the ridge is the next. */
  if (rounding == LLMENV_FLOOR && column->quantity == LLMENV_Q_b_star
      && row->options.settings.convention == LLMENV_LAYERED)
    rounding = LLMENV_CEIL;
  return llmenv_number_cell (value, reason, decimals, rounding);
}

llmenv_cell
llmenv_cell_quantity (const llmenv_row *row, const llmenv_column_def *column)
{
  const double value
    = llmenv_row_value (row, column->quantity, column->basis,
                        llmenv_row_point (row, column->at));
  return llmenv_cell_of (row, column, value * column->scale,
                         llmenv_row_reason (row, column->quantity, value));
}

llmenv_cell
llmenv_cell_model_id (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  return llmenv_text_cell (row->model->id);
}

llmenv_cell
llmenv_cell_card_id (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  return llmenv_text_cell (row->card->id);
}

/* The row's own mark, else the model's. */
llmenv_cell
llmenv_cell_mark (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  const char *own = llmenv_record_text (row->printed, "mark");
  const json_t *marks = json_object_get (row->build->printed, "marks");
  if (json_is_false (json_object_get (row->build->selection, "marks")))
    marks = NULL;
  return llmenv_text_cell (*own != '\0' ? own
                           : llmenv_record_text (marks, row->model->id));
}

llmenv_cell
llmenv_cell_rank (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, (double) row->rank, LLMENV_HAS_VALUE);
}

llmenv_cell
llmenv_cell_params (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, llmenv_row_params (row) / 1e9,
                         LLMENV_HAS_VALUE);
}

llmenv_cell
llmenv_cell_active (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, llmenv_row_active (row) / 1e9,
                         LLMENV_HAS_VALUE);
}

llmenv_cell
llmenv_cell_kv_kib (const llmenv_row *row, const llmenv_column_def *column)
{
  const double bytes
    = llmenv_row_value (row, LLMENV_Q_kv_bytes, LLMENV_BASIS_DEFAULT, 1)
      - llmenv_row_value (row, LLMENV_Q_kv_bytes, LLMENV_BASIS_DEFAULT, 0);
  return llmenv_cell_of (row, column, bytes / 1024,
                         llmenv_row_reason (row, LLMENV_Q_kv_bytes, bytes));
}

llmenv_cell
llmenv_cell_max_context (const llmenv_row *row, const llmenv_column_def *column)
{
  const double L
    = llmenv_record_number (row->model->json, "max_position_embeddings",
                            row->options.settings.convention);
  return llmenv_cell_of (row, column, L, LLMENV_HAS_VALUE);
}
