/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sheet_charts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "llmenv_builder.h"
#include "sheet_drawing.h"
#include "sheet_table.h"

/* ---- charts of a table or a block --------------------------------------- */

/* Rows of bars: all series have a positive number there, as a word would be
 * drawn as 0. */
static int
is_barred (const llmenv_table *t, size_t row, const int columns[], size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      const llmenv_cell *cell = llmenv_table_cell (t, row, (size_t) columns[i]);
      if (!sheet_cell_is_number (cell) || !(cell->number > 0))
        return 0;
    }
  return 1;
}

/* The longest run of such rows, cut to MOST; returns how many rows it has. */
static size_t
find_bars (const llmenv_table *t, const int columns[], size_t n, size_t most,
           size_t *first)
{
  size_t longest = 0;
  for (size_t start = 0, end; start < t->n_rows; start = end + 1)
    {
      for (end = start; end < t->n_rows && is_barred (t, end, columns, n); end++)
        ;
      if (end - start > longest)
        {
          longest = end - start;
          *first = start;
        }
    }
  return longest < most ? longest : most;
}

/* Bars over the first rows of the table of S that have any. */
static void
add_first_bars (sheet *s, const char *x, const char *const names[], size_t n,
                const chart_look *look)
{
  const llmenv_table *t = s->table;
  const source from = { s, t, SHEET_HEADER_ROW };
  const int at = llmenv_table_column (t, x);
  int columns[2] = { -1, -1 };
  size_t first = 0;
  for (size_t i = 0; i < n; i++)
    if ((columns[i] = llmenv_table_column (t, names[i])) < 0 || at < 0)
      return;
  const size_t rows = find_bars (t, columns, n, CHART_BARS / n, &first);
  if (rows > 0)
    drawing_bars (s, &from, look, (size_t) at, columns, n, first, first + rows - 1);
}

/* All series of a block. */
static void
add_block_lines (sheet_plan *plan, const chart_data *data, sheet *on,
                 const char *title, const chart_look *look)
{
  const chart_block *block = chart_data_find (data, title);
  if (on == NULL || block == NULL || block->table->n_columns < 2)
    return;
  const source from = { sheet_plan_find (plan, SHEET_CHART_DATA), block->table, block->header_row };
  drawing d = drawing_start (on, LXW_CHART_SCATTER_STRAIGHT, look);
  for (size_t c = 1; c < block->table->n_columns; c++)
    {
      char name[100];
      /* Where other models may come to stand there, the name is their cell's. */
      if (on->xl.book->is_live && block->origin.kind == CHART_COPIED && block->origin.name[c] >= 0)
        snprintf (name, sizeof name, "='" SHEET_CHART_DATA "'!$%c$%zu", (char) ('A' + c), block->header_row + 1);
      else
        snprintf (name, sizeof name, "%s", block->table->columns[c].name);
      drawing_line (&d, &from, look, name, 0, c, 0, block->table->n_rows - 1);
    }
  drawing_finish (on, &d, look);
}

/* The series of a block that have any bar. */
static void
add_block_bars (sheet_plan *plan, const chart_data *data, sheet *on,
                const char *title, const chart_look *look)
{
  const chart_block *block = chart_data_find (data, title);
  int columns[CHART_SERIES];
  size_t n = 0, first = 0;
  if (on == NULL || block == NULL)
    return;
  const llmenv_table *t = block->table;
  for (int c = 1; c < (int) t->n_columns && n < CHART_SERIES; c++)
    if (find_bars (t, &c, 1, CHART_BARS, &first) > 0)
      columns[n++] = c;
  const source from = { sheet_plan_find (plan, SHEET_CHART_DATA), t, block->header_row };
  const size_t rows = n > 0 ? find_bars (t, columns, n, CHART_BARS / n, &first) : 0;
  if (rows > 0)
    drawing_bars (on, &from, look, 0, columns, n, first, first + rows - 1);
}

/* ---- document 000: rows that belong together ---------------------------- */

/* Rows FIRST to LAST that differ only in the columns from KEY on. */
static size_t
end_of_run (const llmenv_table *t, size_t first, size_t n_keys)
{
  size_t last = first;
  for (; last + 1 < t->n_rows; last++)
    for (size_t c = 0; c < n_keys; c++)
      {
        const llmenv_cell *a = llmenv_table_cell (t, first, c), *b = llmenv_table_cell (t, last + 1, c);
        if (a->text != NULL ? strcmp (a->text, b->text) != 0 : a->number != b->number)
          return last;
      }
  return last;
}

static double
number_at (const llmenv_table *t, size_t row, const char *column)
{
  const int c = llmenv_table_column (t, column);
  return c < 0 ? NAN : llmenv_table_cell (t, row, (size_t) c)->number;
}

static const char *
text_at (const llmenv_table *t, size_t row, const char *column)
{
  const int c = llmenv_table_column (t, column);
  const char *text = c < 0 ? NULL : llmenv_table_cell (t, row, (size_t) c)->text;
  return text == NULL ? "" : text;
}

static void
run_name (const llmenv_table *t, size_t row, char *name, size_t size)
{
  char count[24] = "";
  if (number_at (t, row, "count") != 1)
    snprintf (count, sizeof count, "%.0f x ", number_at (t, row, "count"));
  snprintf (name, size, "%s, %.2f GB, %s%s", text_at (t, row, "model"),
            number_at (t, row, "weight_bytes") / 1e9, count, text_at (t, row, "card"));
}

/* Tokens/s against the batch, as far as it fits, at the contexts nearest to
 * the request's. */
static void
add_scaling (const sheet_plan *plan, sheet *s)
{
  const llmenv_table *t = s->table;
  const source from = { s, t, SHEET_HEADER_ROW };
  const int x = llmenv_table_column (t, "batch"), y = llmenv_table_column (t, "tokens_per_second");
  const double context = plan->request->options.context;
  const chart_look look = { "Tokens/s of the whole batch, as far as it fits", "batch, sequences", "tokens/s", 1, 1 };
  if (x < 0 || y < 0)
    return;
  drawing d = drawing_start (s, LXW_CHART_SCATTER_STRAIGHT_WITH_MARKERS, &look);
  for (size_t first = 0, last; first < t->n_rows; first = last + 1)
    {
      char name[200];
      size_t fits = first;
      last = end_of_run (t, first, 5);
      if (number_at (t, first, "context") != context)
        continue;
      while (fits < last && number_at (t, fits + 1, "batch") <= number_at (t, fits + 1, "capacity"))
        fits++;
      run_name (t, first, name, sizeof name);
      drawing_line (&d, &from, &look, name, (size_t) x, (size_t) y, first, fits);
    }
  drawing_finish (s, &d, &look);
}

/* The three batches against the context, for the first pair that fits. */
static void
add_knee (sheet *s)
{
  static const char *const names[] = { "b_50", "b_knee", "capacity" };
  const llmenv_table *t = s->table;
  const source from = { s, t, SHEET_HEADER_ROW };
  const int x = llmenv_table_column (t, "context");
  size_t first = 0;
  char title[300], name[200];
  while (first < t->n_rows && !(number_at (t, first, "capacity") > 0))
    first++;
  if (first == t->n_rows || x < 0)
    return;
  run_name (t, first, name, sizeof name);
  snprintf (title, sizeof title, "b_50, b_knee and capacity: %s", name);
  const chart_look look = { title, "context, tokens", "sequences", 1, 1 };
  drawing d = drawing_start (s, LXW_CHART_SCATTER_STRAIGHT_WITH_MARKERS, &look);
  for (size_t i = 0; i < N_OF (names); i++)
    if (llmenv_table_column (t, names[i]) >= 0)
      drawing_line (&d, &from, &look, names[i], (size_t) x,
                (size_t) llmenv_table_column (t, names[i]), first, end_of_run (t, first, 4));
  drawing_finish (s, &d, &look);
}

/* ---- which charts there are -------------------------------------------- */

/* Bars over the first rows of a document 003 table, in both conventions. */
static void
add_table_bars (const sheet_plan *plan)
{
  static const struct
  {
    const char *sheet, *id, *column[2];
    chart_look look;
  } bars[] = {
    { "ridge", "part", { "ridge_flop_per_byte", NULL },
      { "Cards with the highest ridge", NULL, "ridge, FLOP/byte", 0, 1 } },
    { "lwall_ranked", "id", { "l_wall", NULL },
      { "Shortest walls above 0", NULL, "L_wall, tokens", 0, 1 } },
    { "beq_ranked", "id", { "b_eq_active", "b_eq_total" },
      { "Batch at which KV bytes overtake weights: the lowest", NULL, "B_eq at one token, sequences", 0, 1 } },
    { "beq_resident", "id", { "ratio", NULL },
      { "B_eq with all weights over B_eq with active ones: the largest", NULL, "ratio", 0, 0 } },
    { "worst10", "id", { "kv_kib_per_tok", NULL },
      { "Cache bytes a token adds: models that fill 80 GB first", NULL, "KV cache, KiB per token", 0, 0 } },
    { "cheap_end", "id", { "kv_kib_per_tok", NULL },
      { "Cache bytes a token adds: the smallest", NULL, "KV cache, KiB per token", 0, 0 } },
    { "exceed80", "id", { "kv_gb_full_ctx", NULL },
      { "Cache of one sequence at the longest context", NULL, "KV cache, GB", 0, 1 } },
  };
  char name[40];
  for (size_t i = 0; i < N_OF (bars); i++)
    for (int layered = 0; layered < 2; layered++)
      {
        snprintf (name, sizeof name, "%s%s", bars[i].sheet, layered ? " layered" : "");
        sheet *s = sheet_plan_find (plan, name);
        if (s != NULL)
          add_first_bars (s, bars[i].id, bars[i].column, bars[i].column[1] != NULL ? 2 : 1,
                          &bars[i].look);
      }
}

/* Blocks that stand beside the table they come from. */
static void
add_table_blocks (sheet_plan *plan, const chart_data *data)
{
  static const struct { const char *column, *sheet; int lines; chart_look look; } blocks[] = {
    { "n_star", "nstar_by_card", 0,
      { "Context past which batching cannot reach the ridge", NULL, "n*, tokens", 0, 1 } },
    { "n_prefill", "context_lengths", 0,
      { "Prefill tokens that cost what a step's bytes cost", NULL, "n_prefill, tokens", 0, 0 } },
    { "fill", "fill", 0,
      { "Largest context of one sequence", NULL, "fill, tokens", 0, 1 } },
    { "kv_gb", "dense", 1,
      { "Cache of one sequence, dense models", "context, tokens", "KV cache, GB", 1, 1 } },
    { "kv_gb", "moe", 1,
      { "Cache of one sequence, mixtures of experts", "context, tokens", "KV cache, GB", 1, 1 } },
    { "kv_gb", "hybrid", 1,
      { "Cache and state of one sequence, hybrid and recurrent models", "context, tokens", "KV cache, GB", 1, 1 } },
    { "bstar", "bstar", 1,
      { "Batch at which a step reaches the ridge", "context, tokens", "B*, sequences", 1, 1 } },
  };
  char title[80], name[40];
  for (size_t i = 0; i < N_OF (blocks); i++)
    for (int layered = 0; layered < 2; layered++)
      {
        snprintf (name, sizeof name, "%s%s", blocks[i].sheet, layered ? " layered" : "");
        snprintf (title, sizeof title, "%s of %s", blocks[i].column, name);
        sheet *s = sheet_plan_find (plan, name);
        if (s != NULL && blocks[i].lines)
          add_block_lines (plan, data, s, title, &blocks[i].look);
        else if (s != NULL)
          add_block_bars (plan, data, s, title, &blocks[i].look);
      }
}

/* TITLE with {model}, {card}, {context} and {batch} of the request put in. */
static void
title_of (const sheet_plan *plan, int is_live, const char *title, char *out, size_t size)
{
  const xl_figure context = xl_figure_of (plan->request->options.context, 0);
  const xl_figure batch = xl_figure_of (plan->request->options.batch, 0);
  char tokens[60], sequences[60];
  snprintf (tokens, sizeof tokens, "%s tokens", context.text);
  snprintf (sequences, sizeof sequences, "batch %s", batch.text);
  /* What the Inputs may change has no place in a title, which is no formula. */
  const struct { const char *mark, *value; } marks[] = {
    { "{model}", is_live ? "the model of Inputs" : plan->model->id },
    { "{card}", is_live ? "the card of Inputs" : plan->card->id },
    { "{context} tokens", is_live ? "their context" : tokens },
    { "batch {batch}", is_live ? "their batch" : sequences },
  };
  size_t n = 0;
  while (*title != '\0' && n + 1 < size)
    {
      size_t i = 0;
      while (i < N_OF (marks) && strncmp (title, marks[i].mark, strlen (marks[i].mark)) != 0)
        i++;
      if (i == N_OF (marks))
        out[n++] = *title++;
      else
        {
          n += (size_t) snprintf (out + n, size - n, "%s", marks[i].value);
          title += strlen (marks[i].mark);
        }
      n = n < size ? n : size - 1;
    }
  out[n] = '\0';
  if (is_live)
    out[0] = (char) toupper ((unsigned char) out[0]);
}

static void
add_overview_charts (sheet_plan *plan, const chart_data *data)
{
  const struct { const char *sheet, *block, *title; int lines; chart_look look; } charts[] = {
    { SHEET_CHARTS, "kv_bytes by context", "Cache and state of one sequence; memory of {card}", 1,
      { NULL, "context, tokens", "KV cache, GB", 1, 1 } },
    { SHEET_CHARTS, "ceiling by context", "Intensity at infinite batch; ridge of {card}", 1,
      { NULL, "context, tokens", "FLOP/byte", 1, 1 } },
    { SHEET_CHARTS, "b_star by context", "Batch at which a step reaches the ridge of {card}", 1,
      { NULL, "context, tokens", "B*, sequences", 1, 1 } },
    { SHEET_CHARTS, "capacity by context", "Sequences of {model} that fit, by card", 1,
      { NULL, "context, tokens", "sequences", 1, 1 } },
    { SHEET_CHARTS, "throughput by batch", "{model}, {context} tokens: tokens/s of the batch, up to capacity", 1,
      { NULL, "batch, sequences", "tokens/s", 1, 1 } },
    { SHEET_CHARTS, "throughput of each sequence by batch", "{model}, {context} tokens: tokens/s of each sequence", 1,
      { NULL, "batch, sequences", "tokens/s per sequence", 1, 1 } },
    { SHEET_CHARTS, "fill by KV type", "{model} on {card}: largest context by KV type", 0,
      { NULL, NULL, "fill, tokens", 0, 0 } },
    { SHEET_CHARTS, "l_wall by KV type", "{model} on {card}: wall by KV type", 0,
      { NULL, NULL, "L_wall, tokens", 0, 0 } },
    { SHEET_CHARTS, "throughput by model", "Fastest models on {card}, batch {batch}, {context} tokens", 0,
      { NULL, NULL, "tokens/s", 0, 0 } },
    { SHEET_CHARTS, "capacity by model", "Most sequences of {context} tokens on {card}", 0,
      { NULL, NULL, "sequences", 0, 1 } },
    { SHEET_CHARTS, "walls that the convention moves most", "Walls on {card} that the convention moves most", 0,
      { NULL, NULL, "L_wall, tokens", 0, 1 } },
    { SHEET_CARDS, "throughput by card", "{model}, batch {batch}, {context} tokens: the fastest cards", 0,
      { NULL, NULL, "tokens/s", 0, 1 } },
    { SHEET_CARDS, "l_wall by card", "{model}: cards with the shortest walls", 0,
      { NULL, NULL, "L_wall, tokens", 0, 0 } },
  };
  for (size_t i = 0; i < N_OF (charts); i++)
    {
      char title[300];
      chart_look look = charts[i].look;
      sheet *on = sheet_plan_find (plan, charts[i].sheet);
      title_of (plan, on != NULL && on->xl.book->is_live, charts[i].title, title, sizeof title);
      look.title = title;
      if (charts[i].lines)
        add_block_lines (plan, data, on, charts[i].block, &look);
      else
        add_block_bars (plan, data, on, charts[i].block, &look);
    }
}

void
sheet_charts_write (sheet_plan *plan, const chart_data *data)
{
  static const char *const both[] = { "knee", "knee layered", "scaling", "scaling layered" };
  sheet *charts = sheet_plan_find (plan, SHEET_CHARTS);
  add_overview_charts (plan, data);
  if (charts != NULL)
    {
      sheet_heading_write (charts, plan->caption, charts->n_charts == 0
                           ? "No chart has anything to show for these models and cards."
                           : "Sheet chart data holds the figures; each chart shows a selection, the tables have the rest.");
      worksheet_gridlines (charts->xl.worksheet, LXW_HIDE_ALL_GRIDLINES);
      drawing_print (charts);
    }
  add_table_bars (plan);
  add_table_blocks (plan, data);
  for (size_t i = 0; i < N_OF (both); i++)
    {
      sheet *s = sheet_plan_find (plan, both[i]);
      if (s != NULL && i < 2)
        add_knee (s);
      else if (s != NULL)
        add_scaling (plan, s);
    }
}
