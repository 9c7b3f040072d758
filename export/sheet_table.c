/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sheet_table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live_book.h"
#include "llmenv_builder.h"
#include "sheet_shade.h"

enum { WIDEST = 56, NARROWEST = 7, CELL_TEXT = 4096, WIDE = 1000, READABLE = 1800 };
#define CHARACTER 6.2          /* pixels of one in running text, on average */
#define MUTED 0x8C8C8C

/* ---- what a cell shows ------------------------------------------------- */

int
sheet_cell_is_number (const llmenv_cell *cell)
{
  return cell->text == NULL && cell->reason == LLMENV_HAS_VALUE
         && isfinite (cell->number);
}

int
sheet_column_is_cut (const llmenv_table *table, size_t column)
{
  const llmenv_column_def *def = table->defs[column];
  return def != NULL && def->rounding != LLMENV_NEAREST;
}

static double
at_decimals (double x, int decimals)
{
  char text[400];
  snprintf (text, sizeof text, "%.*f", decimals, x);
  return strtod (text, NULL);
}

/* Decimals that X needs, at most MOST. */
static int
needed_decimals (double x, int most)
{
  for (int d = 0; d < most; d++)
    if (fabs (at_decimals (x, d) - x) <= 1e-12 * fabs (x))
      return d;
  return most;
}

/* How a column shows its cells, found once. */
typedef struct
{
  int decimals;                /* where the table leaves them open */
  int is_cut;                  /* numbers cut to whole ones: no format does that */
  int is_wrapped;              /* texts longer than the widest column */
  double width;                /* characters */
} look;

static double
cell_number (const look *l, const llmenv_table *table, const llmenv_cell *cell)
{
  return table->as_printed || l->is_cut ? cell->shown : cell->number;
}

/* Where the decimals are open: in a column with a unit as many as its numbers
 * need, two at most; elsewhere each number its own. */
static int
cell_decimals (const look *l, const llmenv_column *column, const llmenv_cell *cell)
{
  return cell->decimals >= 0 ? cell->decimals
         : *column->unit != '\0' ? l->decimals : needed_decimals (cell->number, 4);
}

/* Decimals of a text that is a plain decimal number, else -1: such a text is
 * better a number in the sheet. */
static int
plain_decimals (const char *text)
{
  const char *c = text + (*text == '-');
  int decimals = -1, digits = 0;
  for (; *c != '\0'; c++)
    if (isdigit ((unsigned char) *c))
      {
        digits++;
        decimals += decimals >= 0;
      }
    else if (*c == '.' && decimals < 0 && digits > 0)
      decimals = 0;
    else
      return -1;
  return digits == 0 || digits > 15 || decimals > 8 ? -1 : decimals < 0 ? 0 : decimals;
}

/* ---- widths ------------------------------------------------------------ */

static size_t
number_length (double x, int decimals)
{
  char text[400];
  const size_t n = (size_t) snprintf (text, sizeof text, "%.*f", decimals, fabs (x));
  const size_t whole = n - (decimals > 0 ? (size_t) decimals + 1 : 0);
  return n + (whole - 1) / 3 + (x < 0);
}

static size_t
cell_length (const look *l, const llmenv_table *table, size_t row, size_t column)
{
  char text[CELL_TEXT];
  const llmenv_cell *cell = llmenv_table_cell (table, row, column);
  if (sheet_cell_is_number (cell))
    return number_length (cell_number (l, table, cell),
                          cell_decimals (l, &table->columns[column], cell));
  llmenv_cell_text (cell, 0, text, sizeof text);
  return xl_length (text);
}

static size_t
longest_word (const char *text)
{
  size_t longest = 0;
  while (*text != '\0')
    {
      const size_t n = strcspn (text, " ");
      longest = n > longest ? n : longest;
      text += n + (text[n] == ' ');
    }
  return longest;
}

/* The widest cell, with some room. */
static double
width_of (const look *l, const llmenv_table *table, size_t column)
{
  const llmenv_column *c = &table->columns[column];
  size_t width = longest_word (c->name);
  if (longest_word (c->unit) + 1 > width)
    width = longest_word (c->unit) + 1;
  width += width / 10 + 4;     /* bold; and room for the filter's button */
  for (size_t r = 0; r < table->n_rows; r++)
    {
      const size_t n = cell_length (l, table, r, column) + 2;
      if (n > width)
        width = n;
    }
  return (double) (width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width);
}

static look
look_at (const llmenv_table *table, size_t column)
{
  look l = { 0, sheet_column_is_cut (table, column), 0, 0 };
  for (size_t r = 0; r < table->n_rows; r++)
    {
      const llmenv_cell *cell = llmenv_table_cell (table, r, column);
      if (cell->text != NULL)
        l.is_wrapped |= xl_length (cell->text) > WIDEST;
      if (!sheet_cell_is_number (cell))
        continue;
      if (cell->decimals < 0 && needed_decimals (cell->number, 2) > l.decimals)
        l.decimals = needed_decimals (cell->number, 2);
      l.is_cut |= cell->decimals >= 0
                  && at_decimals (cell->number, cell->decimals) != cell->shown;
    }
  l.width = width_of (&l, table, column);
  return l;
}

double
sheet_column_width (const llmenv_table *table, size_t column)
{
  return look_at (table, column).width;
}

double
sheet_table_pixels (const llmenv_table *table)
{
  double sum = 0;
  for (size_t c = 0; c < table->n_columns; c++)
    sum += 7 * sheet_column_width (table, c) + 5;
  return sum;
}

/* ---- cells ------------------------------------------------------------- */

/* What fills the cells: values, or formulas that carry them. */
typedef struct
{
  live_book *live;             /* NULL: values */
  live_table behind;
  const sheet *s;
} filling;

static void
write_text (xl_sheet *xl, size_t row, size_t column, const char *text, int wrapped,
            const char *formula)
{
  const int decimals = plain_decimals (text);
  const xl_style plain = { .flags = XL_RULE | (wrapped ? XL_WRAP : 0)
                                    | (column > 0 ? XL_INDENT : 0) };
  const xl_style number = { .number = xl_number_format (decimals),
                            .flags = XL_RULE | XL_LEFT | (column > 0 ? XL_INDENT : 0) };
  if (formula != NULL)
    xl_formula_text (xl, row, column, formula, text, &plain);
  else if (decimals >= 0)
    xl_number (xl, row, column, strtod (text, NULL), &number);
  else
    xl_text (xl, row, column, text, &plain);
}

/* Where each number is of its own kind, as in corrections: a year is not
 * parted by a comma. */
static int
is_year (const llmenv_column *column, const llmenv_cell *cell)
{
  return cell->decimals < 0 && *column->unit == '\0' && cell->number >= 1990
         && cell->number < 2100 && cell->number == floor (cell->number);
}

static void
write_cell (xl_sheet *xl, const look *l, const llmenv_table *table, size_t r,
            size_t c, size_t row, filling *f)
{
  char word[CELL_TEXT], made[LIVE_FORMULA];
  const char *formula = f != NULL && live_cell (f->live, &f->behind, f->s, r, c, made, sizeof made)
                        ? made : NULL;
  const llmenv_cell *cell = llmenv_table_cell (table, r, c);
  const xl_style muted = { .flags = XL_RIGHT | XL_RULE | XL_ITALIC, .color = MUTED };
  if (cell->text != NULL)
    write_text (xl, row, c, cell->text, l->is_wrapped, formula);
  else if (sheet_cell_is_number (cell))
    {
      const int decimals = cell_decimals (l, &table->columns[c], cell);
      const xl_style style = { .number = is_year (&table->columns[c], cell) ? "0"
                                         : xl_number_format (decimals),
                               .flags = XL_RULE };
      if (formula != NULL)
        xl_formula (xl, row, c, formula, cell_number (l, table, cell), &style);
      else
        xl_number (xl, row, c, cell_number (l, table, cell), &style);
    }
  else
    {
      llmenv_cell_text (cell, 0, word, sizeof word);
      if (formula != NULL)
        xl_formula_text (xl, row, c, formula, word, &muted);
      else
        xl_text (xl, row, c, word, &muted);
    }
}

/* ---- header ------------------------------------------------------------ */

/* The quantity behind a column, by the first letters of its name; or NULL. */
static const llmenv_quantity_info *
quantity_of (const char *name)
{
  static const struct { const char *start; llmenv_quantity quantity; } starts[] = {
    { "kv_gb", LLMENV_Q_kv_bytes }, { "kv_gt", LLMENV_Q_kv_context },
    { "bstar", LLMENV_Q_b_star }, { "ai_ceiling", LLMENV_Q_ceiling },
    { "b_eq", LLMENV_Q_b_eq }, { "seqs_", LLMENV_Q_capacity },
    { "tokens_per_second", LLMENV_Q_throughput }, { "ridge", LLMENV_Q_ridge },
    { "active_weights", LLMENV_Q_weight_bytes }, { "total_weights", LLMENV_Q_weight_bytes },
  };
  const llmenv_quantity_info *best = NULL;
  for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
    {
      const llmenv_quantity_info *info = llmenv_quantity_get ((llmenv_quantity) q);
      const size_t n = strlen (info->name);
      if (strncmp (name, info->name, n) == 0 && (name[n] == '\0' || name[n] == '_')
          && (best == NULL || n > strlen (best->name)))
        best = info;
    }
  for (size_t i = 0; i < N_OF (starts) && best == NULL; i++)
    if (strncmp (name, starts[i].start, strlen (starts[i].start)) == 0)
      best = llmenv_quantity_get (starts[i].quantity);
  return strstr (name, "_over_") != NULL ? NULL : best;
}

/* What the column is: its note (with the one that "the same" points to), and
 * the formula of its quantity. */
static void
write_comment (xl_sheet *xl, const llmenv_table *table, size_t row, size_t column,
               const char *said_before)
{
  const llmenv_column *c = &table->columns[column];
  const llmenv_quantity_info *q = c->kind == LLMENV_NUMBER_COLUMN
                                  ? quantity_of (c->name) : NULL;
  char text[1000];
  snprintf (text, sizeof text, "%s%s%s%s: %s%s%s%s%s", c->name,
            *c->unit != '\0' ? " [" : "", c->unit, *c->unit != '\0' ? "]" : "",
            said_before, *said_before != '\0' ? "; here " : "", c->note,
            q != NULL ? "\nFormula: " : "", q != NULL ? q->formula : "");
  xl_comment (xl, row, column, text);
}

/* Lines that TEXT takes in a header: one, or one for each of its words. */
static int
text_lines (const char *text, double width)
{
  int lines = *text != '\0';
  if (1.1 * (double) xl_length (text) + 4 <= width)
    return lines;
  for (; *text != '\0'; text++)
    lines += *text == ' ';
  return lines;
}

static int
header_lines (const llmenv_table *table)
{
  int most = 1;
  for (size_t c = 0; c < table->n_columns; c++)
    {
      const double width = sheet_column_width (table, c);
      const int lines = text_lines (table->columns[c].name, width)
                        + text_lines (table->columns[c].unit, width);
      most = lines > most ? lines : most;
    }
  return most;
}

static void
write_header (xl_sheet *xl, const llmenv_table *table, size_t row, filling *f)
{
  const char *full = "";
  for (size_t c = 0; c < table->n_columns; c++)
    {
      const llmenv_column *column = &table->columns[c];
      const int repeats = strncmp (column->note, "the same", 8) == 0;
      const int number = column->kind == LLMENV_NUMBER_COLUMN;
      const xl_style style = { .flags = XL_HEAD | (number ? XL_RIGHT : 0)
                                        | (number || c > 0 ? XL_INDENT : 0) };
      char text[200];
      snprintf (text, sizeof text, *column->unit != '\0' ? "%s\n[%s]" : "%s",
                column->name, column->unit);
      char formula[600];
      if (f != NULL && live_header (f->live, &f->behind, f->s, c, formula, sizeof formula, text, sizeof text))
        xl_formula_text (xl, row, c, formula, text, &style);
      else
        xl_text (xl, row, c, text, &style);
      write_comment (xl, table, row, c, repeats ? full : "");
      if (!repeats)
        full = column->note;
    }
  xl_height (xl, row, 15.5 * header_lines (table) + 3);
}

/* Lines that ROW's longest text takes in a column of the widest width.  Not
 * all programs find a row's height by themselves. */
static double
row_lines (const llmenv_table *table, size_t row)
{
  size_t longest = 0;
  for (size_t c = 0; c < table->n_columns; c++)
    {
      const char *text = llmenv_table_cell (table, row, c)->text;
      if (text != NULL && xl_length (text) > longest)
        longest = xl_length (text);
    }
  return longest <= WIDEST ? 1 : ceil ((double) longest / (WIDEST + 2));
}

/* Rows that are blank now and filled when more models qualify. */
static void
write_spare_rows (xl_sheet *xl, const look *l, const llmenv_table *table, size_t c,
                  size_t row, filling *f)
{
  char formula[LIVE_FORMULA];
  const xl_style style = { .number = xl_number_format (table->columns[c].decimals < 0 ? l->decimals
                                                       : table->columns[c].decimals),
                           .flags = XL_RULE | (c > 0 ? XL_INDENT : 0) };
  for (size_t r = table->n_rows; r < f->behind.n_rows; r++)
    if (live_cell (f->live, &f->behind, f->s, r, c, formula, sizeof formula))
      xl_formula_text (xl, row + 1 + r, c, formula, "", &style);
}

static void
write_rows (xl_sheet *xl, const llmenv_table *table, size_t row, filling *f)
{
  write_header (xl, table, row, f);
  for (size_t c = 0; c < table->n_columns; c++)
    {
      const look l = look_at (table, c);
      for (size_t r = 0; r < table->n_rows; r++)
        write_cell (xl, &l, table, r, c, row + 1 + r, f);
      if (f != NULL)
        write_spare_rows (xl, &l, table, c, row, f);
    }
  for (size_t r = 0; r < table->n_rows; r++)
    if (row_lines (table, r) > 1)
      xl_height (xl, row + 1 + r, 15 * row_lines (table, r));
}

void
sheet_rows_write (xl_sheet *xl, const llmenv_table *table, size_t row)
{
  write_rows (xl, table, row, NULL);
}

void
sheet_heading_write (sheet *s, const char *caption, const char *legend)
{
  const xl_style title = { .flags = XL_BOLD, .size = 14 };
  const xl_style plain = { .color = 0x404040 }, wrapped = { .flags = XL_WRAP, .color = 0x404040 };
  const xl_style note = { .flags = XL_ITALIC, .color = 0x404040 };
  const double room = s->table == NULL ? WIDE : sheet_table_pixels (s->table) / CHARACTER;
  const double lines = ceil ((double) xl_length (caption) / room);
  xl_text (&s->xl, SHEET_TITLE_ROW, 0, s->title, &title);
  if (lines > 1)
    xl_merged (&s->xl, SHEET_CAPTION_ROW, 0, s->table->n_columns - 1, 15.5 * lines, caption, &wrapped);
  else
    xl_text (&s->xl, SHEET_CAPTION_ROW, 0, caption, &plain);
  if (*legend != '\0')
    xl_text (&s->xl, SHEET_LEGEND_ROW, 0, legend, &note);
  xl_link (&s->xl, SHEET_LINK_ROW, 0, SHEET_CONTENTS, "Back to contents");
}

/* ---- the sheet --------------------------------------------------------- */

/* The last column that says what a row is about. */
static size_t
id_column (const llmenv_table *t)
{
  const int key = llmenv_table_column (t, "key");
  if (key >= 0)
    return (size_t) key;
  for (size_t c = 0; c < t->n_columns; c++)
    if (t->columns[c].kind == LLMENV_TEXT_COLUMN)
      return c;
  return 0;
}

static void
write_other_link (const sheet_plan *plan, sheet *s)
{
  if (s->other < 0)
    return;
  const sheet *other = &plan->sheets[s->other];
  xl_link (&s->xl, SHEET_LINK_ROW, id_column (s->table) + 1, other->name,
           other->convention == LLMENV_LAYERED ? "The layered counterpart"
                                               : "The published counterpart");
}

/* A table that one page in width would make too small to read goes on two or
 * more, with the ids on each. */
void
sheet_print_wide (sheet *s, double pixels)
{
  const uint16_t pages = (uint16_t) ceil (pixels / READABLE);
  if (pages < 2)
    return;
  worksheet_fit_to_pages (s->xl.worksheet, pages, 0);
  xl_note (&s->xl, worksheet_repeat_columns (s->xl.worksheet, 0,
                                             (lxw_col_t) id_column (s->table)), 0, 0);
}

/* The caption as long as it holds; then what the Inputs say. */
static void
write_live_caption (sheet *s)
{
  const int merged = (double) xl_length (s->table->caption) > sheet_table_pixels (s->table) / CHARACTER;
  const xl_style style = { .flags = merged ? XL_WRAP : 0, .color = 0x404040 };
  char quoted[1200], formula[1300];
  live_quote (s->table->caption, quoted, sizeof quoted);
  snprintf (formula, sizeof formula, "=IF(in_changed=0,%s,in_words)", quoted);
  xl_formula_text (&s->xl, SHEET_CAPTION_ROW, 0, formula, s->table->caption, &style);
}

void
sheet_table_write (const sheet_plan *plan, sheet *s, live_book *live)
{
  const llmenv_table *t = s->table;
  filling f = { live, live_table_of (live, s), s };
  lxw_worksheet *w = s->xl.worksheet;
  char legend[400];
  const lxw_row_t last_row = (lxw_row_t) (SHEET_HEADER_ROW + f.behind.n_rows);
  const lxw_col_t last_column = (lxw_col_t) (t->n_columns - 1);
  for (size_t c = 0; c < t->n_columns; c++)
    xl_width (&s->xl, c, sheet_column_width (t, c));
  sheet_shade (s, legend, sizeof legend);
  if (live != NULL && strcmp (t->name, "published_vs_layered") == 0)
    snprintf (legend + strlen (legend), sizeof legend - strlen (legend), "%s%s", *legend == '\0' ? "" : "  ",
              "Column why: for the inputs as written.");
  if (live != NULL && f.behind.is_fixed)
    snprintf (legend + strlen (legend), sizeof legend - strlen (legend), "%s%s", *legend == '\0' ? "" : "  ", LIVE_FIXED);
  sheet_heading_write (s, t->caption, legend);
  if (live != NULL && (f.behind.block != NULL || f.behind.is_fixed))
    write_live_caption (s);
  write_other_link (plan, s);
  write_rows (&s->xl, t, SHEET_HEADER_ROW, live == NULL ? NULL : &f);
  worksheet_freeze_panes (w, SHEET_FIRST_ROW, (lxw_col_t) (id_column (t) + 1));
  xl_note (&s->xl, worksheet_autofilter (w, SHEET_HEADER_ROW, 0, last_row, last_column),
           SHEET_HEADER_ROW, 0);
  worksheet_gridlines (w, LXW_HIDE_ALL_GRIDLINES);
  xl_print_setup (&s->xl, SHEET_HEADER_ROW, last_row, last_column);
  sheet_print_wide (s, sheet_table_pixels (t));
}
