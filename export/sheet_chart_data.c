/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sheet_chart_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live_chart.h"
#include "llmenv_builder.h"
#include "llmenv_table_points.h"
#include "sheet_table.h"

/* ---- blocks and labels ------------------------------------------------- */

const chart_block *
chart_data_find (const chart_data *data, const char *title)
{
  for (size_t i = 0; i < data->n; i++)
    if (strcmp (data->block[i].title, title) == 0)
      return &data->block[i];
  return NULL;
}

void
chart_data_free (chart_data *data)
{
  for (size_t i = 0; i < data->n; i++)
    llmenv_table_free (data->block[i].table);
}

/* A copy of TEXT that lives as long as DATA. */
static const char *
keep (chart_data *data, const char *text)
{
  for (size_t i = 0; i < data->n_labels; i++)
    if (strcmp (data->label[i], text) == 0)
      return data->label[i];
  if (data->n_labels == CHART_LABELS)
    return "";
  char *label = data->label[data->n_labels++];
  snprintf (label, sizeof data->label[0], "%s", text);
  return label;
}

llmenv_table *
chart_block_add (chart_data *data, const char *title, const char *x,
                 const char *unit, int x_is_text, size_t n_series, size_t n_rows,
                 llmenv_error *error)
{
  llmenv_table *t = data->n < CHART_BLOCKS
                    ? llmenv_table_new ("", "", n_series + 1, n_rows) : NULL;
  if (t == NULL)
    {
      llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
      return NULL;
    }
  chart_block *b = &data->block[data->n++];
  snprintf (b->title, sizeof b->title, "%s", title);
  memset (b->origin.row, -1, sizeof b->origin.row);
  memset (b->origin.name, -1, sizeof b->origin.name);
  for (size_t i = 0; i < CHART_COPY_ROWS; i++)
    b->origin.x[i] = NAN;
  b->table = t;
  t->columns[0] = (llmenv_column) { x, unit, "horizontal axis of the chart",
                                    x_is_text ? LLMENV_TEXT_COLUMN : LLMENV_NUMBER_COLUMN,
                                    x_is_text ? -1 : 0 };
  return t;
}

size_t
chart_spread (size_t n, size_t most, size_t must, size_t picked[])
{
  const size_t k = n < most ? n : most;
  size_t nearest = 0;
  for (size_t i = 0; i < k; i++)
    {
      picked[i] = k == 1 ? 0 : (size_t) lround ((double) i * (double) (n - 1) / (double) (k - 1));
      if (must < n && fabs ((double) picked[i] - (double) must)
                      < fabs ((double) picked[nearest] - (double) must))
        nearest = i;
    }
  if (must < n && k > 0)
    picked[nearest] = must;
  return k;
}

/* ---- rankings ---------------------------------------------------------- */

/* The rows of the largest keys, the largest first. */
typedef struct
{
  size_t row[CHART_BARS + 1];
  double key[CHART_BARS + 1];
  size_t n, most;
} topmost;

static void
offer (topmost *top, size_t row, double key)
{
  size_t at = top->n < top->most ? top->n++ : top->most;
  for (; at > 0 && top->key[at - 1] < key; at--)
    {
      top->key[at] = top->key[at - 1];
      top->row[at] = top->row[at - 1];
    }
  top->key[at] = key;
  top->row[at] = row;
}

/* Its rows of FROM, the columns at AT, as a block. */
static llmenv_status
add_topmost (chart_data *data, const char *title, const char *name, const char *key,
             const llmenv_table *from, const topmost *top, const int at[], size_t n,
             llmenv_error *error)
{
  llmenv_table *t = chart_block_add (data, title, "id", "", 1, n, top->n, error);
  if (t == NULL)
    return LLMENV_ETOOLARGE;
  chart_origin *o = &data->block[data->n - 1].origin;
  o->kind = CHART_RANKED;
  o->sheet = name;
  o->key = key;
  for (size_t i = 0; i < n; i++)
    o->ranked[i] = from->columns[at[i]].name;
  for (size_t i = 0; i < n; i++)
    t->columns[i + 1] = from->columns[at[i]];
  for (size_t r = 0; r < top->n; r++)
    {
      const char *id = llmenv_table_cell (from, top->row[r], 0)->text;
      *llmenv_table_cell (t, r, 0) = llmenv_text_cell (id);
      for (size_t i = 0; i < n; i++)
        *llmenv_table_cell (t, r, i + 1) = *llmenv_table_cell (from, top->row[r], (size_t) at[i]);
    }
  return LLMENV_OK;
}

static int
is_positive (const llmenv_cell *cell)
{
  return sheet_cell_is_number (cell) && cell->number > 0;
}

/* Positive values of COLUMN of sheet NAME, smallest first, or largest first
 * where FALLING. */
static llmenv_status
add_ranking (const sheet_plan *plan, chart_data *data, const char *title,
             const char *name, const char *column, const char *key, int falling,
             llmenv_error *error)
{
  const llmenv_table *from = sheet_plan_table (plan, name);
  const int c = from == NULL ? -1 : llmenv_table_column (from, column);
  if (c < 0)
    return LLMENV_OK;
  topmost top = { .most = CHART_BARS };
  for (size_t r = 0; r < from->n_rows; r++)
    {
      const llmenv_cell *cell = llmenv_table_cell (from, r, (size_t) c);
      if (is_positive (cell))
        offer (&top, r, falling ? cell->number : -cell->number);
    }
  return add_topmost (data, title, name, key, from, &top, &c, 1, error);
}

/* Walls that the choice of convention moves most: published beside layered. */
static llmenv_status
add_moved_walls (const sheet_plan *plan, chart_data *data, llmenv_error *error)
{
  const llmenv_table *from = sheet_plan_table (plan, SHEET_BOTH);
  if (from == NULL)
    return LLMENV_OK;
  const int at[] = { llmenv_table_column (from, "l_wall published"),
                     llmenv_table_column (from, "l_wall layered") };
  topmost top = { .most = CHART_BARS / 2 };
  for (size_t r = 0; r < from->n_rows; r++)
    {
      const llmenv_cell *x = llmenv_table_cell (from, r, (size_t) at[0]);
      const llmenv_cell *y = llmenv_table_cell (from, r, (size_t) at[1]);
      if (is_positive (x) && is_positive (y))
        offer (&top, r, 1e-9 * round (1e9 * fabs (log (x->number / y->number))));
    }
  return add_topmost (data, "walls that the convention moves most", SHEET_BOTH, CHART_BY_MOVE, from,
                      &top, at, 2, error);
}

/* ---- document 000: long tables turned ---------------------------------- */

/* "2 x nvidia-rtx-3090". */
static const char *
card_label (chart_data *data, const llmenv_table *t, size_t row)
{
  char text[96];
  const double count = llmenv_table_cell (t, row, (size_t) llmenv_table_column (t, "count"))->number;
  const char *card = llmenv_table_cell (t, row, (size_t) llmenv_table_column (t, "card"))->text;
  if (count == 1)
    return keep (data, card);
  snprintf (text, sizeof text, "%.0f x %.80s", count, card);
  return keep (data, text);
}

/* "llama-3-1-8b, 4.90 GB", with the KV type where the table has one. */
static const char *
model_label (chart_data *data, const llmenv_table *t, size_t row)
{
  char text[96];
  const int type = llmenv_table_column (t, "kv_type");
  const double bytes = llmenv_table_cell (t, row, (size_t) llmenv_table_column (t, "weight_bytes"))->number;
  snprintf (text, sizeof text, "%.50s, %.2f GB%s%.20s",
            llmenv_table_cell (t, row, 0)->text, bytes / 1e9, type < 0 ? "" : ", ",
            type < 0 ? "" : llmenv_table_cell (t, row, (size_t) type)->text);
  return keep (data, text);
}

/* Position of LABEL among the N of LIST, appended where there is room; or N. */
static size_t
position (const char *list[], size_t *n, size_t room, const char *label)
{
  size_t i = 0;
  while (i < *n && list[i] != label)
    i++;
  if (i == *n && *n < room)
    list[(*n)++] = label;
  return i;
}

/* Cards down, models (and KV types) across, as many as make CHART_BARS bars. */
static llmenv_status
add_turned (const sheet_plan *plan, chart_data *data, const char *name,
            const char *column, llmenv_error *error)
{
  const llmenv_table *from = sheet_plan_table (plan, name);
  const int c = from == NULL ? -1 : llmenv_table_column (from, column);
  if (c < 0)
    return LLMENV_OK;
  const char *cards[CHART_BARS], *models[CHART_BARS];
  size_t n_cards = 0, n_models = 0;
  char title[80];
  for (size_t r = 0; r < from->n_rows; r++)
    position (cards, &n_cards, 6, card_label (data, from, r));
  for (size_t r = 0; r < from->n_rows; r++)
    position (models, &n_models, CHART_BARS / (n_cards > 0 ? n_cards : 1),
              model_label (data, from, r));
  snprintf (title, sizeof title, "%.30s of %.40s", column, name);
  llmenv_table *t = chart_block_add (data, title, "card", "", 1, n_models, n_cards, error);
  if (t == NULL)
    return LLMENV_ETOOLARGE;
  chart_origin *o = &data->block[data->n - 1].origin;
  o->sheet = name;
  for (size_t i = 0; i < n_models; i++)
    {
      t->columns[i + 1] = (llmenv_column) { models[i], from->columns[c].unit, from->columns[c].note,
                                            LLMENV_NUMBER_COLUMN, from->columns[c].decimals };
      t->defs[i + 1] = from->defs[c];
    }
  for (size_t r = 0; r < n_cards; r++)
    {
      *llmenv_table_cell (t, r, 0) = llmenv_text_cell (cards[r]);
      for (size_t i = 0; i < n_models; i++)
        *llmenv_table_cell (t, r, i + 1) = llmenv_word_cell (LLMENV_NO_RECORD);
    }
  for (size_t r = 0; r < from->n_rows; r++)
    {
      const size_t i = position (cards, &n_cards, 0, card_label (data, from, r));
      const size_t k = position (models, &n_models, 0, model_label (data, from, r));
      if (i >= n_cards || k >= n_models)
        continue;
      *llmenv_table_cell (t, i, k + 1) = *llmenv_table_cell (from, r, (size_t) c);
      o->row[k + 1][i] = (int) r;
      o->column[k + 1][i] = c;
    }
  return LLMENV_OK;
}

/* ---- document 003: columns that are contexts --------------------------- */

/* Models whose COLUMNS (at contexts AT) are numbers, as curves over them. */
static llmenv_status
add_across (const sheet_plan *plan, chart_data *data, const char *name,
            const char *prefix, const char *const tails[], const double at[],
            size_t n, llmenv_error *error)
{
  const llmenv_table *from = sheet_plan_table (plan, name);
  int columns[4] = { -1, -1, -1, -1 };
  size_t kept[400], n_kept = 0, picked[CHART_SERIES];
  char text[80];
  if (from == NULL)
    return LLMENV_OK;
  for (size_t i = 0; i < n; i++)
    {
      snprintf (text, sizeof text, "%s_%s", prefix, tails[i]);
      columns[i] = llmenv_table_column (from, text);
    }
  for (size_t r = 0; r < from->n_rows && n_kept < N_OF (kept); r++)
    if (columns[0] >= 0 && columns[1] >= 0
        && is_positive (llmenv_table_cell (from, r, (size_t) columns[0]))
        && is_positive (llmenv_table_cell (from, r, (size_t) columns[1])))
      kept[n_kept++] = r;
  const size_t k = chart_spread (n_kept, CHART_SERIES, n_kept, picked);
  snprintf (text, sizeof text, "%s of %s", prefix, name);
  llmenv_table *t = chart_block_add (data, text, "context", "tokens", 0, k, n, error);
  if (t == NULL)
    return LLMENV_ETOOLARGE;
  chart_origin *o = &data->block[data->n - 1].origin;
  o->sheet = name;
  for (size_t r = 0; r < n; r++)
    {
      const double x = llmenv_table_point_at (plan->request->points, at[r], 0);
      *llmenv_table_cell (t, r, 0) = llmenv_number_cell (x, LLMENV_HAS_VALUE, 0, LLMENV_NEAREST);
      o->x[r] = at[r];
    }
  for (size_t i = 0; i < k; i++)
    {
      const size_t row = kept[picked[i]];
      t->columns[i + 1] = from->columns[columns[0]];
      t->columns[i + 1].name = keep (data, llmenv_table_cell (from, row, 0)->text);
      t->defs[i + 1] = from->defs[columns[0]];
      o->name[i + 1] = (int) row;
      for (size_t r = 0; r < n; r++)
        {
          o->row[i + 1][r] = columns[r] < 0 ? -1 : (int) row;
          o->column[i + 1][r] = columns[r];
        }
      for (size_t r = 0; r < n; r++)
        *llmenv_table_cell (t, r, i + 1)
          = columns[r] < 0 ? llmenv_word_cell (LLMENV_NO_RECORD)
                           : *llmenv_table_cell (from, row, (size_t) columns[r]);
    }
  return LLMENV_OK;
}

static llmenv_status
add_all_across (const sheet_plan *plan, chart_data *data, llmenv_error *error)
{
  static const char *const caches[] = { "8k", "32k", "128k", "1m" };
  static const char *const stars[] = { "1k", "8k", "32k", "128k" };
  static const double cache_at[] = { 8192, 32768, 131072, 1048576 };
  static const double star_at[] = { 1024, 8192, 32768, 131072 };
  static const char *const names[] = { "dense", "dense layered", "moe", "moe layered",
                                       "hybrid", "hybrid layered" };
  for (size_t i = 0; i < N_OF (names); i++)
    LLMENV_TRY (add_across (plan, data, names[i], "kv_gb", caches, cache_at, 4, error));
  LLMENV_TRY (add_across (plan, data, "bstar", "bstar", stars, star_at, 4, error));
  return add_across (plan, data, "bstar layered", "bstar", stars, star_at, 4, error);
}

/* ---- all of them ------------------------------------------------------- */

/* What the sheet of charts shows, from itself and from overviews. */
static llmenv_status
add_for_charts (const sheet_plan *plan, chart_data *data, llmenv_error *error)
{
  if (sheet_plan_find (plan, SHEET_CHARTS) == NULL)
    return LLMENV_OK;
  LLMENV_TRY (chart_curves_add (plan, data, error));
  LLMENV_TRY (add_ranking (plan, data, "throughput by model", SHEET_MODELS, "throughput", "-{throughput@L}", 1, error));
  LLMENV_TRY (add_ranking (plan, data, "capacity by model", SHEET_MODELS, "capacity", "-{capacity@L}", 1, error));
  return add_moved_walls (plan, data, error);
}

/* Blocks that hold nothing. */
static void
drop_empty (chart_data *data)
{
  size_t kept = 0;
  for (size_t i = 0; i < data->n; i++)
    if (data->block[i].table->n_rows == 0 || data->block[i].table->n_columns < 2)
      llmenv_table_free (data->block[i].table);
    else
      data->block[kept++] = data->block[i];
  data->n = kept;
}

llmenv_status
chart_data_make (sheet_plan *plan, chart_data *data, llmenv_error *error)
{
  static const struct { const char *sheet, *column; } turned[] = {
    { "nstar_by_card", "n_star" }, { "nstar_by_card layered", "n_star" },
    { "context_lengths", "n_prefill" }, { "context_lengths layered", "n_prefill" },
    { "fill", "fill" }, { "fill layered", "fill" },
  };
  memset (data, 0, sizeof *data);
  LLMENV_TRY (add_for_charts (plan, data, error));
  LLMENV_TRY (add_ranking (plan, data, "throughput by card", SHEET_CARDS, "throughput", "-{throughput@L}", 1, error));
  LLMENV_TRY (add_ranking (plan, data, "l_wall by card", SHEET_CARDS, "l_wall", "{l_wall}", 0, error));
  for (size_t i = 0; i < N_OF (turned); i++)
    LLMENV_TRY (add_turned (plan, data, turned[i].sheet, turned[i].column, error));
  LLMENV_TRY (add_all_across (plan, data, error));
  drop_empty (data);
  if (data->n == 0)
    sheet_plan_drop_last (plan);
  return LLMENV_OK;
}

void
chart_data_write (const sheet_plan *plan, chart_data *data, struct live_book *live)
{
  sheet *s = sheet_plan_find (plan, SHEET_CHART_DATA);
  const xl_style bold = { .flags = XL_BOLD };
  double widths[CHART_BARS + 2] = { 0 };
  size_t row = SHEET_HEADER_ROW, last = 0;
  if (s == NULL)
    return;
  sheet_heading_write (s, plan->caption, "");
  for (size_t i = 0; i < data->n; i++)
    {
      const llmenv_table *t = data->block[i].table;
      xl_text (&s->xl, row, 0, data->block[i].title, &bold);
      data->block[i].header_row = row + 1;
      sheet_rows_write (&s->xl, t, row + 1);
      if (live != NULL)
        live_chart_write (live, plan, s, &data->block[i]);
      row += t->n_rows + 3;
      last = t->n_columns > last ? t->n_columns : last;
      for (size_t c = 0; c < t->n_columns && c < N_OF (widths); c++)
        widths[c] = fmax (widths[c], sheet_column_width (t, c));
    }
  for (size_t c = 0; c < last && c < N_OF (widths); c++)
    xl_width (&s->xl, c, widths[c]);
  worksheet_freeze_panes (s->xl.worksheet, SHEET_HEADER_ROW, 1);
  xl_print_setup (&s->xl, -1, row, last - 1);
}
