/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One chart: bars or lines over cells of a table, and its place. */
#ifndef SHEET_DRAWING_H
#define SHEET_DRAWING_H

#include "sheet_plan.h"

/* What is said of a chart. */
typedef struct
{
  const char *title, *x, *y;   /* y: with its unit */
  int log_x, log_y;            /* 1: a logarithmic axis */
} chart_look;

/* Cells of a table on a sheet, in a column. */
typedef struct
{
  const sheet *s;
  const llmenv_table *table;
  size_t header_row;
} source;

/* A chart that is being made, and the extent of what is on it. */
typedef struct
{
  lxw_chart *chart;
  lxw_chart_axis *along, *value; /* of the categories or the x; of the values */
  int n_series;
  double x_least, x_most, y_least, y_most;
} drawing;

/* An empty chart of TYPE (bars or lines) for sheet S. */
drawing drawing_start (sheet *s, lxw_chart_type type, const chart_look *look);

/* Append what a cell of RANGE shows (a TEXT, or NULL and a number; NaN: nothing)
 * to what the chart remembers of it: libxlsxwriter knows no value of a formula. */
void drawing_remember (lxw_series_range *range, double number, const char *text);

/* Horizontal bars, the first at the top: N COLUMNS over the texts of column X,
 * rows FIRST to LAST; placed ON its sheet. */
void drawing_bars (sheet *on, const source *from, const chart_look *look, size_t x,
                   const int columns[], size_t n, size_t first, size_t last);

/* Add column Y over column X for the rows FIRST to LAST, as far as it is
 * numbers from its first one on. */
void drawing_line (drawing *d, const source *from, const chart_look *look,
                   const char *name, size_t x, size_t y, size_t first, size_t last);

/* Set the axes of lines and place them ON their sheet. */
void drawing_finish (sheet *on, drawing *d, const chart_look *look);

/* Print set-up of the sheet of charts, when it has them all. */
void drawing_print (sheet *s);

#endif
