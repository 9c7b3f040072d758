/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of chart data that are curves: quantities of selected models and
 * cards along contexts, batches and storage types. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_builder.h"
#include "sheet_chart_data.h"

/* ---- which models and cards -------------------------------------------- */

/* Rows of the core: a model on a card each, ready to be asked. */
typedef struct
{
  llmenv_rows rows;
  llmenv_build build;
} selection;

static llmenv_status
select_one (selection *s, llmenv_model_record *model, llmenv_card_record *card,
            llmenv_error *error)
{
  llmenv_row *row = llmenv_row_add (&s->rows, &s->build, model, card, error);
  return row == NULL ? LLMENV_ETOOLARGE : llmenv_row_ready (row, error);
}

static size_t
row_of (const llmenv_table *t, size_t column, const char *id)
{
  size_t r = 0;
  while (r < t->n_rows && strcmp (llmenv_table_cell (t, r, column)->text, id) != 0)
    r++;
  return r;
}

/* Up to as many rows of RANKED as have a line, the request's model among them. */
static llmenv_status
select_ranked (const sheet_plan *plan, const llmenv_table *ranked, selection *s,
               llmenv_error *error)
{
  const llmenv_catalogue *c = plan->request->catalogue;
  size_t picked[CHART_SERIES];
  const size_t n = chart_spread (ranked->n_rows, CHART_SERIES - 1,
                                 row_of (ranked, 0, plan->model->id), picked);
  for (size_t i = 0; i < n; i++)
    LLMENV_TRY (select_one (s, llmenv_catalogue_model (c, llmenv_table_cell (ranked, picked[i], 0)->text),
                            llmenv_catalogue_card (c, plan->card->id), error));
  return LLMENV_OK;
}

/* Models with a cache, from the smallest bytes a token to the largest. */
static llmenv_status
select_models (const sheet_plan *plan, selection *s, llmenv_error *error)
{
  const llmenv_request own = sheet_request (plan->request, LLMENV_LAYERED);
  llmenv_table *ranked;
  LLMENV_TRY (llmenv_table_make ("cheap_end", &own, &ranked, error));
  const llmenv_status st = select_ranked (plan, ranked, s, error);
  llmenv_table_free (ranked);
  return st;
}

/* Cards that hold the request's model at its context, by tokens/s; without
 * those more than ten times as fast as the request's own (on-chip memory). */
static llmenv_status
rank_cards (const sheet_plan *plan, selection *all, llmenv_error *error)
{
  const llmenv_catalogue *c = plan->request->catalogue;
  llmenv_model_record *model = llmenv_catalogue_model (c, plan->model->id);
  double own = INFINITY;
  for (size_t i = 0; i < c->n_cards; i++)
    {
      LLMENV_TRY (select_one (all, model, c->cards[i], error));
      llmenv_row *row = &all->rows.row[all->rows.n - 1];
      row->sort = llmenv_row_value (row, LLMENV_Q_throughput, LLMENV_BASIS_DEFAULT, NAN);
      if (row->card == plan->card && isfinite (row->sort))
        own = row->sort;
      if (!isfinite (row->sort)
          || !(llmenv_row_value (row, LLMENV_Q_capacity, LLMENV_BASIS_DEFAULT, NAN) >= 1))
        all->rows.n--;
    }
  llmenv_rows_sort (&all->rows);
  while (all->rows.n > 0 && all->rows.row[all->rows.n - 1].sort > 10 * own)
    all->rows.n--;
  return LLMENV_OK;
}

static llmenv_status
select_cards (const sheet_plan *plan, selection *s, llmenv_error *error)
{
  selection all = { { NULL, 0 }, s->build };
  llmenv_status st = rank_cards (plan, &all, error);
  size_t picked[CHART_SERIES], must = 0, n = 0;
  if (st == LLMENV_OK)
    {
      while (must < all.rows.n && all.rows.row[must].card != plan->card)
        must++;
      n = chart_spread (all.rows.n, CHART_SERIES - 1, must, picked);
    }
  for (size_t i = 0; i < n && st == LLMENV_OK; i++)
    st = select_one (s, all.rows.row[picked[i]].model, all.rows.row[picked[i]].card, error);
  free (all.rows.row);
  return st;
}

/* ---- curves ------------------------------------------------------------ */

/* A quantity along contexts or batches from FIRST on, through DOUBLINGS, in
 * STEPS each. */
typedef struct
{
  const char *title;
  llmenv_quantity quantity;
  int over_batches, each;      /* each: divided by the batch */
  double first;
  size_t doublings, steps;
  const char *line;            /* a constant beside the curves, or NULL */
} curve;

static double
curve_at (const curve *c, size_t i)
{
  return round (c->first * exp2 ((double) i / (double) c->steps));
}

/* Batches beyond capacity are words: there the curve ends. */
static llmenv_cell
curve_cell (const curve *c, const llmenv_row *row, double x)
{
  const llmenv_quantity_info *info = llmenv_quantity_get (c->quantity);
  const int bytes = strcmp (info->unit, "bytes") == 0;
  llmenv_row at = *row;
  if (c->over_batches)
    at.B = x;
  const double L = c->over_batches ? NAN : x;
  const double value = llmenv_row_value (&at, c->quantity, LLMENV_BASIS_DEFAULT, L);
  if (c->over_batches
      && !(llmenv_row_value (&at, LLMENV_Q_capacity, LLMENV_BASIS_DEFAULT, NAN) >= x))
    return llmenv_word_cell (LLMENV_DOES_NOT_FIT);
  return llmenv_number_cell (value * (bytes ? 1e-9 : c->each ? 1 / x : 1),
                             llmenv_row_reason (row, c->quantity, value),
                             bytes ? 3 : 1, LLMENV_NEAREST);
}

static double
line_value (const curve *c, const llmenv_row *row)
{
  return c->quantity == LLMENV_Q_kv_bytes ? row->envelope[0].memory / 1e9
                                          : row->envelope[0].ridge;
}

static void
name_curves (llmenv_table *t, const curve *c, const selection *s, int of_cards)
{
  const llmenv_quantity_info *info = llmenv_quantity_get (c->quantity);
  for (size_t i = 1; i < t->n_columns; i++)
    {
      const char *name = i > s->rows.n ? c->line
                         : of_cards ? s->rows.row[i - 1].card->id
                         : s->rows.row[i - 1].model->id;
      t->columns[i] = (llmenv_column) {
        name, strcmp (info->unit, "bytes") == 0 ? "GB" : info->unit, info->title,
        LLMENV_NUMBER_COLUMN, 1 };
    }
}

static llmenv_status
add_curves (chart_data *data, const curve *c, const selection *s, int of_cards,
            llmenv_error *error)
{
  const size_t n = c->doublings * c->steps + 1, k = s->rows.n;
  const size_t lines = c->line != NULL && k > 0;
  llmenv_table *t = chart_block_add (data, c->title, c->over_batches ? "batch" : "context",
                               c->over_batches ? "sequences" : "tokens", 0,
                               k + lines, n, error);
  if (t == NULL)
    return LLMENV_ETOOLARGE;
  chart_origin *o = &data->block[data->n - 1].origin;
  *o = (chart_origin) { .kind = CHART_ALONG, .quantity = c->quantity, .over_batches = c->over_batches,
                        .each = c->each, .line = lines ? c->line : NULL, .of_cards = of_cards };
  for (size_t i = 0; i < k && i < CHART_SERIES; i++)
    {
      o->model[i] = s->rows.row[i].model;
      o->card[i] = s->rows.row[i].card;
    }
  name_curves (t, c, s, of_cards);
  for (size_t r = 0; r < n; r++)
    {
      const double x = curve_at (c, r);
      *llmenv_table_cell (t, r, 0) = llmenv_number_cell (x, LLMENV_HAS_VALUE, 0, LLMENV_NEAREST);
      for (size_t i = 0; i < k; i++)
        *llmenv_table_cell (t, r, i + 1) = curve_cell (c, &s->rows.row[i], x);
      if (lines)
        *llmenv_table_cell (t, r, k + 1)
          = llmenv_number_cell (line_value (c, &s->rows.row[0]), LLMENV_HAS_VALUE, 1, LLMENV_NEAREST);
    }
  return LLMENV_OK;
}

static llmenv_status
add_model_curves (const sheet_plan *plan, chart_data *data, llmenv_error *error)
{
  static const curve curves[] = {
    { "kv_bytes by context", LLMENV_Q_kv_bytes, 0, 0, 1000, 10, 1, "memory of the card" },
    { "ceiling by context", LLMENV_Q_ceiling, 0, 0, 100, 13, 1, "ridge of the card" },
    { "b_star by context", LLMENV_Q_b_star, 0, 0, 100, 8, 2, NULL },
  };
  selection s = { { NULL, 0 }, { .request = plan->request } };
  llmenv_status st = select_models (plan, &s, error);
  for (size_t i = 0; i < N_OF (curves) && st == LLMENV_OK; i++)
    st = add_curves (data, &curves[i], &s, 0, error);
  free (s.rows.row);
  return st;
}

static llmenv_status
add_card_curves (const sheet_plan *plan, chart_data *data, llmenv_error *error)
{
  static const curve curves[] = {
    { "throughput by batch", LLMENV_Q_throughput, 1, 0, 1, 10, 1, NULL },
    { "throughput of each sequence by batch", LLMENV_Q_throughput, 1, 1, 1, 10, 1, NULL },
    { "capacity by context", LLMENV_Q_capacity, 0, 0, 1000, 10, 1, NULL },
  };
  selection s = { { NULL, 0 }, { .request = plan->request } };
  llmenv_status st = select_cards (plan, &s, error);
  for (size_t i = 0; i < N_OF (curves) && st == LLMENV_OK; i++)
    st = add_curves (data, &curves[i], &s, 1, error);
  free (s.rows.row);
  return st;
}

/* ---- the cache's storage type ------------------------------------------ */

static llmenv_status
add_type (const sheet_plan *plan, const char *type, llmenv_quantity q,
          llmenv_cell *cell, llmenv_error *error)
{
  const llmenv_catalogue *c = plan->request->catalogue;
  llmenv_request own = *plan->request;
  LLMENV_TRY (llmenv_option_set_text (&own.options, "KVType", type, error));
  selection s = { { NULL, 0 }, { .request = &own } };
  const llmenv_status st
    = select_one (&s, llmenv_catalogue_model (c, plan->model->id),
                  llmenv_catalogue_card (c, plan->card->id), error);
  if (st == LLMENV_OK)
    {
      const double value = llmenv_row_value (s.rows.row, q, LLMENV_BASIS_DEFAULT, NAN);
      *cell = llmenv_number_cell (value, llmenv_row_reason (s.rows.row, q, value),
                                  0, LLMENV_NEAREST);
    }
  free (s.rows.row);
  return st;
}

static llmenv_status
add_types (const sheet_plan *plan, chart_data *data, const char *title,
           llmenv_quantity q, llmenv_error *error)
{
  static const char *const types[] = { "fp32", "bf16", "q8_0", "fp8", "q5_1", "q5_0", "q4_1", "q4_0" };
  const llmenv_quantity_info *info = llmenv_quantity_get (q);
  llmenv_table *t = chart_block_add (data, title, "KV type", "", 1, 1, N_OF (types), error);
  if (t == NULL)
    return LLMENV_ETOOLARGE;
  data->block[data->n - 1].origin = (chart_origin) { .kind = CHART_OVER_TYPES, .quantity = q };
  t->columns[1] = (llmenv_column) { info->name, info->unit, info->title, LLMENV_NUMBER_COLUMN, 0 };
  for (size_t r = 0; r < N_OF (types); r++)
    {
      *llmenv_table_cell (t, r, 0) = llmenv_text_cell (types[r]);
      *llmenv_table_cell (t, r, 1) = llmenv_word_cell (LLMENV_NO_RECORD);
      LLMENV_TRY (add_type (plan, types[r], q, llmenv_table_cell (t, r, 1), error));
    }
  return LLMENV_OK;
}

llmenv_status
chart_curves_add (const sheet_plan *plan, chart_data *data, llmenv_error *error)
{
  LLMENV_TRY (add_model_curves (plan, data, error));
  LLMENV_TRY (add_card_curves (plan, data, error));
  LLMENV_TRY (add_types (plan, data, "fill by KV type", LLMENV_Q_fill, error));
  return add_types (plan, data, "l_wall by KV type", LLMENV_Q_l_wall, error);
}
