/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sheet_drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sheet_chart_data.h"
#include "sheet_table.h"

enum { CHART_WIDTH = 620, CHART_HEIGHT = 366, ROW_PIXELS = 20, NARROW = 1150,
       CHART_ROWS = CHART_HEIGHT / ROW_PIXELS + 1, CHART_COLUMNS = 10 };

/* Okabe and Ito: told apart by the colour-blind; and how lines are drawn, for
 * prints in grey. */
static const lxw_color_t colors[CHART_SERIES] = {
  0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x7F7F7F, 0x1A1A1A
};
static const uint8_t dashes[CHART_SERIES] = {
  LXW_CHART_LINE_DASH_SOLID, LXW_CHART_LINE_DASH_DASH, LXW_CHART_LINE_DASH_LONG_DASH,
  LXW_CHART_LINE_DASH_DASH_DOT, LXW_CHART_LINE_DASH_SOLID, LXW_CHART_LINE_DASH_DASH,
  LXW_CHART_LINE_DASH_LONG_DASH, LXW_CHART_LINE_DASH_ROUND_DOT
};

/* ---- parts ------------------------------------------------------------- */

drawing
drawing_start (sheet *s, lxw_chart_type type, const chart_look *look)
{
  lxw_chart_font title = { .size = 11, .bold = 1 }, axis = { .size = 10 }, small = { .size = 9 };
  drawing d = { workbook_add_chart (s->xl.book->workbook, (uint8_t) type), NULL, NULL, 0,
                INFINITY, -INFINITY, INFINITY, -INFINITY };
  if (d.chart == NULL)
    {
      xl_note (&s->xl, LXW_ERROR_MEMORY_MALLOC_FAILED, 0, 0);
      return d;
    }
  /* The library calls the horizontal axis x, bars or not. */
  d.along = type == LXW_CHART_BAR ? d.chart->y_axis : d.chart->x_axis;
  d.value = type == LXW_CHART_BAR ? d.chart->x_axis : d.chart->y_axis;
  chart_title_set_name (d.chart, look->title);
  chart_title_set_name_font (d.chart, &title);
  if (look->x != NULL)
    chart_axis_set_name (d.along, look->x);
  chart_axis_set_name (d.value, look->y);
  chart_axis_set_name_font (d.along, &axis);
  chart_axis_set_name_font (d.value, &axis);
  chart_axis_set_num_font (d.along, &small);
  chart_axis_set_num_font (d.value, &small);
  lxw_chart_line grid = { .color = 0xD9D9D9, .width = 0.75 };
  chart_axis_major_gridlines_set_visible (d.value, LXW_TRUE);
  chart_axis_major_gridlines_set_line (d.value, &grid);
  if (type != LXW_CHART_BAR)
    {
      chart_axis_major_gridlines_set_visible (d.along, LXW_TRUE);
      chart_axis_major_gridlines_set_line (d.along, &grid);
    }
  chart_legend_set_position (d.chart, LXW_CHART_LEGEND_BOTTOM);
  chart_legend_set_font (d.chart, &small);
  return d;
}

static void
widen (double *least, double *most, const llmenv_table *t, size_t column,
       size_t first, size_t last)
{
  for (size_t r = first; r <= last; r++)
    {
      const double x = llmenv_table_cell (t, r, column)->number;
      *least = fmin (*least, x);
      *most = fmax (*most, x);
    }
}

void
drawing_remember (lxw_series_range *range, double number, const char *text)
{
  lxw_series_data_point *point = range == NULL || range->data_cache == NULL ? NULL : calloc (1, sizeof *point);
  if (point == NULL)
    return;
  range->ignore_cache = LXW_TRUE;
  if (text != NULL)
    {
      point->is_string = LXW_TRUE;
      point->string = strdup (text);
      range->has_string_cache = LXW_TRUE;
    }
  else if (isfinite (number))
    point->number = number;
  else
    point->no_data = LXW_TRUE;
  STAILQ_INSERT_TAIL (range->data_cache, point, list_pointers);
  range->num_data_points++;
}

static void
remember (lxw_series_range *range, const llmenv_table *t, size_t column, size_t first, size_t last)
{
  for (size_t r = first; r <= last; r++)
    {
      const llmenv_cell *cell = llmenv_table_cell (t, r, column);
      drawing_remember (range, !sheet_cell_is_number (cell) ? NAN
                        : sheet_column_is_cut (t, column) ? cell->shown : cell->number, cell->text);
    }
}

/* Rows FIRST to LAST of columns X and Y as a series. */
static lxw_chart_series *
add_series (drawing *d, const source *from, const char *name, size_t x, size_t y,
            size_t first, size_t last)
{
  if (d->chart == NULL || d->n_series == CHART_SERIES)
    return NULL;
  const lxw_row_t a = (lxw_row_t) (from->header_row + 1 + first);
  const lxw_row_t b = (lxw_row_t) (from->header_row + 1 + last);
  lxw_chart_series *s = chart_add_series (d->chart, NULL, NULL);
  if (s == NULL)
    return NULL;
  chart_series_set_categories (s, from->s->name, a, (lxw_col_t) x, b, (lxw_col_t) x);
  chart_series_set_values (s, from->s->name, a, (lxw_col_t) y, b, (lxw_col_t) y);
  chart_series_set_name (s, name);
  if (from->s->xl.book->is_live)
    {
      remember (s->categories, from->table, x, first, last);
      remember (s->values, from->table, y, first, last);
      if (*name == '=')
        drawing_remember (s->title.range, NAN, from->table->columns[y].name);
    }
  widen (&d->y_least, &d->y_most, from->table, y, first, last);
  if (from->table->columns[x].kind == LLMENV_NUMBER_COLUMN)
    widen (&d->x_least, &d->x_most, from->table, x, first, last);
  d->n_series++;
  return s;
}

/* A logarithmic axis from a power of ten to MOST, or to a power of ten too. */
static void
set_log (lxw_chart_axis *axis, double least, double most, int to_power, int is_live)
{
  /* A live chart's values may come to lie elsewhere. */
  if (!(least > 0) || !isfinite (most))
    least = most = 1;
  const double low = pow (10, floor (log10 (least) + 1e-9));
  double high = to_power ? pow (10, ceil (log10 (most) - 1e-9)) : most;
  if (high < 10 * low)
    high = low * 10;
  chart_axis_set_log_base (axis, 10);
  if (!is_live)
    {
      chart_axis_set_min (axis, low);
      chart_axis_set_max (axis, high);
    }
  chart_axis_set_num_format (axis, low < 1 ? "General" : "#,##0");
}

static void
place (sheet *s, drawing *d, size_t row, size_t column)
{
  lxw_chart_options options = { .x_offset = 6, .y_offset = 6,
                                .x_scale = CHART_WIDTH / 480.0,
                                .y_scale = CHART_HEIGHT / 288.0,
                                .object_position = LXW_OBJECT_MOVE_DONT_SIZE };
  if (d->chart == NULL)
    return;
  xl_note (&s->xl, worksheet_insert_chart_opt (s->xl.worksheet, (lxw_row_t) row,
                                               (lxw_col_t) column, d->chart, &options),
           row, column);
  s->n_charts++;
}

/* On the sheet of charts: two in a row, four on a page. */
static void
place_on_charts (sheet *s, drawing *d)
{
  const size_t i = (size_t) s->n_charts;
  place (s, d, SHEET_HEADER_ROW + i / 2 * CHART_ROWS, i % 2 * CHART_COLUMNS);
}

void
drawing_print (sheet *s)
{
  enum { TOP = SHEET_HEADER_ROW, ROWS = 2 * CHART_ROWS };
  lxw_row_t breaks[] = { TOP + ROWS, TOP + 2 * ROWS, TOP + 3 * ROWS, TOP + 4 * ROWS, 0 };
  const size_t rows = ((size_t) s->n_charts + 1) / 2 * CHART_ROWS;
  xl_print_setup (&s->xl, -1, TOP + rows, 2 * CHART_COLUMNS);
  xl_print_breaks (&s->xl, breaks);
}

/* Beside a narrow table, the next one below; under a wide one, on a page of
 * its own. */
static void
place_next (sheet *s, drawing *d)
{
  const llmenv_table *t = s->table;
  if (d->n_series == 0)
    return;
  if (t == NULL)
    {
      place_on_charts (s, d);
      return;
    }
  const double pixels = sheet_table_pixels (t);
  const size_t above = SHEET_FIRST_ROW + t->n_rows;
  if (pixels <= NARROW)
    {
      const size_t row = SHEET_FIRST_ROW + (size_t) s->n_charts * CHART_ROWS;
      place (s, d, row, t->n_columns + 1);
      xl_print_setup (&s->xl, SHEET_HEADER_ROW,
                      above > row + CHART_ROWS ? above - 1 : row + CHART_ROWS,
                      t->n_columns + CHART_COLUMNS + 1);
    }
  else
    {
      lxw_row_t breaks[] = { (lxw_row_t) above + 1, 0 };
      if (s->n_charts == 0)
        xl_print_breaks (&s->xl, breaks);
      place (s, d, above + 1 + (size_t) s->n_charts * CHART_ROWS, 0);
      xl_print_setup (&s->xl, SHEET_HEADER_ROW, above + (size_t) s->n_charts * CHART_ROWS + 1,
                      t->n_columns - 1);
      sheet_print_wide (s, pixels);
    }
}

/* ---- bars -------------------------------------------------------------- */

/* Horizontal bars, the first at the top: COLUMNS over the texts of column X. */
void
drawing_bars (sheet *on, const source *from, const chart_look *look, size_t x,
          const int columns[], size_t n, size_t first, size_t last)
{
  drawing d = drawing_start (on, LXW_CHART_BAR, look);
  if (d.chart == NULL)
    return;
  for (size_t i = 0; i < n; i++)
    {
      const llmenv_column *c = &from->table->columns[columns[i]];
      lxw_chart_fill fill = { .color = colors[i] };
      lxw_chart_font small = { .size = 8 };
      lxw_chart_series *s = add_series (&d, from, c->name, x, (size_t) columns[i], first, last);
      if (s == NULL)
        continue;
      chart_series_set_fill (s, &fill);
      chart_series_set_labels (s);
      chart_series_set_labels_num_format (s, c->decimals > 0 && d.y_most < 1000 ? "#,##0.0" : "#,##0");
      chart_series_set_labels_font (s, &small);
    }
  chart_axis_set_interval_unit (d.along, 1);  /* every name */
  chart_axis_set_reverse (d.along);
  chart_axis_set_crossing_max (d.along);
  chart_axis_set_num_format (d.value, "#,##0");
  if (look->log_y)
    set_log (d.value, d.y_least, d.y_most, 1, on->xl.book->is_live);
  if (n == 1)
    chart_legend_set_position (d.chart, LXW_CHART_LEGEND_NONE);
  chart_set_series_gap (d.chart, n == 1 ? 50 : 60);
  place_next (on, &d);
}

/* ---- curves ------------------------------------------------------------ */

static int
is_drawn (const llmenv_table *t, size_t row, size_t column, const chart_look *look)
{
  const llmenv_cell *cell = llmenv_table_cell (t, row, column);
  return sheet_cell_is_number (cell) && (look->log_y == 0 || cell->number > 0);
}

/* Column Y over column X for the rows FIRST to LAST, as far as it is numbers
 * from its first one on. */
void
drawing_line (drawing *d, const source *from, const chart_look *look, const char *name,
          size_t x, size_t y, size_t first, size_t last)
{
  size_t a = first, b;
  while (a <= last && !is_drawn (from->table, a, y, look))
    a++;
  for (b = a; b <= last && is_drawn (from->table, b, y, look); b++)
    ;
  if (b < a + 2)
    return;
  lxw_chart_line line = { .color = colors[d->n_series % CHART_SERIES], .width = 2,
                          .dash_type = dashes[d->n_series % CHART_SERIES] };
  lxw_chart_series *s = add_series (d, from, name, x, y, a, b - 1);
  if (s != NULL)
    chart_series_set_line (s, &line);
}

void
drawing_finish (sheet *on, drawing *d, const chart_look *look)
{
  if (d->chart == NULL)
    return;
  if (look->log_x)
    set_log (d->along, d->x_least, d->x_most, 0, 0);
  if (look->log_y)
    set_log (d->value, d->y_least, d->y_most, 1, on->xl.book->is_live);
  else
    chart_axis_set_num_format (d->value, "#,##0");
  chart_axis_set_crossing_min (d->along);
  chart_axis_set_crossing_min (d->value);
  place_next (on, d);
}
