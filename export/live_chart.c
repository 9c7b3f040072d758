/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "live_quantity.h"
#include "llmenv_builder.h"
#include "llmenv_element.h"
#include "llmenv_table_points.h"
#include "sheet_table.h"

/* The block and the sheet that it is written on. */
typedef struct
{
  live_book *live;
  const sheet_plan *plan;
  sheet *s;
  const chart_block *block;
} writing;

/* A cell of the block as FORMULA, with the value that it has. */
static void
put (const writing *w, size_t row, size_t column, const char *formula)
{
  const int as_shown = sheet_column_is_cut (w->block->table, column);
  const llmenv_cell *cell = llmenv_table_cell (w->block->table, row, column);
  const size_t at = w->block->header_row + 1 + row;
  const xl_style style = { .flags = XL_RULE | (cell->text == NULL ? XL_RIGHT : 0),
                           .number = xl_number_format (cell->decimals < 0 ? 1 : cell->decimals) };
  char word[LLMENV_NAME_SIZE];
  if (sheet_cell_is_number (cell))
    xl_formula (&w->s->xl, at, column, formula, as_shown ? cell->shown : cell->number, &style);
  else
    {
      llmenv_cell_text (cell, 0, word, sizeof word);
      xl_formula_text (&w->s->xl, at, column, formula, word, &style);
    }
}

/* "'sheet'!$G$7" of a cell of the table on sheet NAME. */
static live_ref
table_cell (const char *name, size_t row, size_t column)
{
  char quoted[40];
  live_print (quoted, sizeof quoted, "'%.31s'", name);
  return live_at (quoted, SHEET_FIRST_ROW + row, column);
}

/* ---- copies of tables ------------------------------------------------------ */

static void
write_copied (const writing *w)
{
  const chart_origin *o = &w->block->origin;
  const llmenv_table *t = w->block->table;
  char formula[200];
  for (size_t r = 0; r < t->n_rows && r < CHART_COPY_ROWS; r++)
    {
      const int point = isnan (o->x[r]) ? -1 : llmenv_table_point_find (o->x[r], 0);
      if (point >= 0)
        {
          live_print (formula, sizeof formula, "=%s", llmenv_table_point_get ((size_t) point)->name);
          put (w, r, 0, formula);
        }
      for (size_t c = 1; c < t->n_columns; c++)
        if (o->row[c][r] >= 0)
          {
            live_print (formula, sizeof formula, "=%s",
                        table_cell (o->sheet, (size_t) o->row[c][r], (size_t) o->column[c][r]).text);
            put (w, r, c, formula);
          }
    }
}

/* Names of series that are ids of ranked rows. */
static void
write_names (const writing *w)
{
  const xl_style head = { .flags = XL_HEAD | XL_RIGHT | XL_INDENT };
  const chart_origin *o = &w->block->origin;
  char formula[200];
  for (size_t c = 1; c < w->block->table->n_columns && c <= CHART_BARS; c++)
    if (o->kind == CHART_COPIED && o->name[c] >= 0)
      {
        live_print (formula, sizeof formula, "=%s", table_cell (o->sheet, (size_t) o->name[c], 0).text);
        xl_formula_text (&w->s->xl, w->block->header_row, c, formula, w->block->table->columns[c].name, &head);
      }
    else if (o->kind == CHART_ALONG)
      xl_text (&w->s->xl, w->block->header_row, c, w->block->table->columns[c].name, &head);
}

/* ---- rankings ---------------------------------------------------------------- */

static void
write_ranked (const writing *w)
{
  const chart_origin *o = &w->block->origin;
  const llmenv_table *t = w->block->table;
  const sheet *from = sheet_plan_find (w->plan, o->sheet);
  live_table behind = live_table_of (w->live, from);
  char formula[LIVE_FORMULA];
  if (behind.block == NULL)
    return;
  behind.order = live_order_by (w->live, behind.block, w->block->title, o->key);
  for (size_t r = 0; r < t->n_rows; r++)
    {
      live_id_formula (w->live, &behind, r, formula, sizeof formula);
      put (w, r, 0, formula);
      for (size_t c = 1; c < t->n_columns; c++)
        {
          const int column = llmenv_table_column (from->table, o->ranked[c - 1]);
          if (live_cell (w->live, &behind, from, r, (size_t) column, formula, sizeof formula))
            put (w, r, c, formula);
        }
    }
}

/* ---- curves -------------------------------------------------------------------- */

/* Rows of a block of calculation: series by series, the points of each. */
static live_block *
open_curves (const writing *w)
{
  live_book *live = w->live;
  const chart_origin *o = &w->block->origin;
  const llmenv_options *options = &live->request->options;
  const llmenv_table *t = w->block->table;
  const size_t k = t->n_columns - 1 - (o->line != NULL);
  live_block *b = live_block_add (live, k * t->n_rows, options->settings.convention, w->block->title);
  const live_ref model = live_match_model (live), card = live_match_card (live);
  for (size_t r = 0; b != NULL && r < b->n; r++)
    {
      const size_t i = r / t->n_rows;
      const double x = llmenv_table_cell (t, r % t->n_rows, 0)->number;
      const double B = o->over_batches ? x : options->batch, L = o->over_batches ? options->context : x;
      const live_who who = live_who_is (live, o->model[i], b->convention);
      const llmenv_card one = live_card_of (&live->data, o->card[i], b->convention);
      live_row_fill (b, r, &who, &one, &options->settings, NAN, B, L);
      const live_follows f = { o->of_cards ? model.text : NULL, o->of_cards ? NULL : card.text, "in_k_bytes", "in_v_bytes",
                               o->over_batches ? NULL : "in_batch", o->over_batches ? "in_context" : NULL };
      live_about (b, r, live_card_place (live, o->card[i]), "in_count", &options->settings, &f);
    }
  if (b != NULL)
    live_complete (live, b);
  return b;
}

static void
write_point (const writing *w, live_block *b, size_t row, size_t series, live_column *value, live_column *capacity)
{
  const chart_origin *o = &w->block->origin;
  const llmenv_quantity_info *info = llmenv_quantity_get (o->quantity);
  const int bytes = strcmp (info->unit, "bytes") == 0;
  const size_t at = series * w->block->table->n_rows + row;
  const live_ref x = live_cell_ref (b, value, at), why = live_cell_ref (b, live_find (b, "why"), at);
  char ref[200], shown[LIVE_FORMULA], formula[LIVE_FORMULA];
  live_print (ref, sizeof ref, "%s", x.text);
  live_shown (shown, sizeof shown, ref, info->inf_word, live_zero_word (o->quantity), why.text, bytes ? 1e-9 : 1, LIVE_AS_IS);
  if (o->over_batches)
    {
      const live_ref fits = live_cell_ref (b, capacity, at), B = live_cell_ref (b, live_find (b, "B"), at);
      live_print (formula, sizeof formula, "=IF(IF(ISNUMBER(%s),%s>=%s,FALSE),IF(ISNUMBER(%s),%s%s%s,%s),\"%s\")", fits.text,
                  fits.text, B.text, x.text, x.text, o->each ? "/" : "", o->each ? B.text : "", why.text,
                  llmenv_reason_word (LLMENV_DOES_NOT_FIT));
    }
  else
    live_print (formula, sizeof formula, "%s", shown);
  put (w, row, series + 1, formula);
}

static void
write_curves (const writing *w)
{
  const chart_origin *o = &w->block->origin;
  const llmenv_table *t = w->block->table;
  const size_t k = t->n_columns - 1 - (o->line != NULL);
  const llmenv_convention c = w->live->request->options.settings.convention;
  const char *word = c == LLMENV_LAYERED ? "layered" : "published";
  const live_at_point at = live_at_row ();
  live_block *b = open_curves (w);
  char formula[200];
  if (b == NULL)
    return;
  live_column *value = live_quantity (b, o->quantity, LLMENV_BASIS_DEFAULT, &at);
  live_column *capacity = o->over_batches ? live_quantity (b, LLMENV_Q_capacity, LLMENV_BASIS_DEFAULT, &at) : NULL;
  for (size_t i = 0; i < k; i++)
    for (size_t r = 0; r < t->n_rows; r++)
      write_point (w, b, r, i, value, capacity);
  for (size_t r = 0; o->line != NULL && r < t->n_rows; r++)
    {
      if (o->quantity == LLMENV_Q_kv_bytes)
        live_print (formula, sizeof formula, "=IF(ISNUMBER(memory_%s),memory_%s/1E9,memory_%s)", word, word, word);
      else
        live_print (formula, sizeof formula, "=IFERROR(peak_%s/bandwidth_%s,\"" LIVE_NO_RECORD "\")", word, word);
      put (w, r, k + 1, formula);
    }
}

/* ---- storage types of the cache -------------------------------------------------- */

static void
write_types (const writing *w)
{
  live_book *live = w->live;
  const chart_origin *o = &w->block->origin;
  const llmenv_options *options = &live->request->options;
  const llmenv_table *t = w->block->table;
  const llmenv_quantity_info *info = llmenv_quantity_get (o->quantity);
  const live_who who = live_who_is (live, w->plan->model, options->settings.convention);
  const llmenv_card one = live_card_of (&live->data, w->plan->card, options->settings.convention);
  live_block *b = live_block_add (live, t->n_rows, options->settings.convention, w->block->title);
  const live_ref model = live_match_model (live), card = live_match_card (live);
  const live_follows f = { model.text, card.text, NULL, NULL, "in_batch", "in_context" };
  char formula[LIVE_FORMULA];
  for (size_t r = 0; b != NULL && r < t->n_rows; r++)
    {
      llmenv_settings s = options->settings;
      s.k_bytes = s.v_bytes = llmenv_element_bytes (llmenv_element_find (llmenv_table_cell (t, r, 0)->text, 0));
      live_row_fill (b, r, &who, &one, &s, NAN, options->batch, options->context);
      live_about (b, r, live_card_place (live, w->plan->card), "in_count", &s, &f);
    }
  if (b == NULL)
    return;
  live_complete (live, b);
  const live_at_point at = live_at_row ();
  const live_column *value = live_quantity (b, o->quantity, LLMENV_BASIS_DEFAULT, &at);
  for (size_t r = 0; r < t->n_rows; r++)
    {
      live_shown (formula, sizeof formula, live_cell_ref (b, value, r).text, info->inf_word,
                  live_zero_word (o->quantity), live_cell_ref (b, live_find (b, "why"), r).text, 1, LIVE_AS_IS);
      put (w, r, 1, formula);
    }
}

void
live_chart_write (live_book *live, const sheet_plan *plan, sheet *s, const chart_block *block)
{
  const writing w = { live, plan, s, block };
  write_names (&w);
  switch (block->origin.kind)
    {
    case CHART_COPIED: write_copied (&w); return;
    case CHART_RANKED: write_ranked (&w); return;
    case CHART_ALONG: write_curves (&w); return;
    default: write_types (&w); return;
    }
}
