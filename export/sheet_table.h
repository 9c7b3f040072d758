/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table on a sheet: title, caption, links, header, rows, shading. */
#ifndef SHEET_TABLE_H
#define SHEET_TABLE_H

#include "sheet_plan.h"

/* Rows of every sheet that shows a table, and the first of its figures. */
enum { SHEET_TITLE_ROW, SHEET_CAPTION_ROW, SHEET_LEGEND_ROW, SHEET_LINK_ROW,
       SHEET_HEADER_ROW, SHEET_FIRST_ROW };

/* Write the table of S: its values, or with LIVE (not NULL) formulas that carry
 * them; its charts come later. */
struct live_book;
void sheet_table_write (const sheet_plan *plan, sheet *s, struct live_book *live);

/* Title, caption, legend ("": none) and the link back, as on all sheets. */
void sheet_heading_write (sheet *s, const char *caption, const char *legend);

/* Print the table of S on more than one page in width, where PIXELS are too
 * many for one. */
void sheet_print_wide (sheet *s, double pixels);

/* Width of the column, in characters, and of all columns, in pixels. */
double sheet_column_width (const llmenv_table *table, size_t column);
double sheet_table_pixels (const llmenv_table *table);

/* The header row and the rows of TABLE, the header standing at ROW. */
void sheet_rows_write (xl_sheet *xl, const llmenv_table *table, size_t row);

/* 1 where COLUMN shows its numbers cut to whole ones, as its definition says. */
int sheet_column_is_cut (const llmenv_table *table, size_t column);

/* 1 where CELL shows a number, not a word or a text. */
int sheet_cell_is_number (const llmenv_cell *cell);

#endif
