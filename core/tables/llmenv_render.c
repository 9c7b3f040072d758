/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 1024 };

/* Columns that a text takes on the terminal: its UTF-8 characters. */
static size_t
width_of (const char *text)
{
  size_t n = 0;
  for (; *text != '\0'; text++)
    n += ((unsigned char) *text & 0xC0) != 0x80;
  return n;
}

static void
put_padded (const char *text, size_t width, int to_the_right, FILE *out)
{
  const size_t used = width_of (text);
  const int pad = used < width ? (int) (width - used) : 0;
  if (to_the_right)
    fprintf (out, "%*s%s", pad, "", text);
  else
    fprintf (out, "%s%*s", text, pad, "");
}

static size_t
column_width (const llmenv_table *t, size_t c)
{
  char text[TEXT_SIZE];
  size_t width = width_of (t->columns[c].name);
  if (width_of (t->columns[c].unit) > width)
    width = width_of (t->columns[c].unit);
  for (size_t r = 0; r < t->n_rows; r++)
    {
      llmenv_cell_text (llmenv_table_cell (t, r, c), 0, text, sizeof text);
      if (width_of (text) > width)
        width = width_of (text);
    }
  return width;
}

/* The last column is not padded: no trailing blanks. */
static void
put_line (const llmenv_table *t, const size_t *widths,
          const char *(*text) (const llmenv_table *, size_t row, size_t column,
                               char *buffer), size_t row, FILE *out)
{
  char buffer[TEXT_SIZE];
  for (size_t c = 0; c < t->n_columns; c++)
    {
      const int number = t->columns[c].kind == LLMENV_NUMBER_COLUMN;
      const int last = c + 1 == t->n_columns;
      put_padded (text (t, row, c, buffer), last && !number ? 0 : widths[c],
                  number, out);
      fputs (last ? "\n" : "  ", out);
    }
}

static const char *
name_text (const llmenv_table *t, size_t row, size_t column, char *buffer)
{
  (void) row;
  (void) buffer;
  return t->columns[column].name;
}

static const char *
unit_text (const llmenv_table *t, size_t row, size_t column, char *buffer)
{
  (void) row;
  (void) buffer;
  return t->columns[column].unit;
}

static const char *
cell_text (const llmenv_table *t, size_t row, size_t column, char *buffer)
{
  llmenv_cell_text (llmenv_table_cell (t, row, column), 0, buffer, TEXT_SIZE);
  return buffer;
}

static int
has_units (const llmenv_table *t)
{
  for (size_t c = 0; c < t->n_columns; c++)
    if (*t->columns[c].unit != '\0')
      return 1;
  return 0;
}

void
llmenv_render_text (const llmenv_table *table, FILE *out)
{
  size_t *widths = calloc (table->n_columns + 1, sizeof *widths);
  if (widths == NULL)
    return;
  for (size_t c = 0; c < table->n_columns; c++)
    widths[c] = column_width (table, c);
  fprintf (out, "%s\n%s\n\n", table->title, table->caption);
  put_line (table, widths, name_text, 0, out);
  if (has_units (table))
    put_line (table, widths, unit_text, 0, out);
  for (size_t r = 0; r < table->n_rows; r++)
    put_line (table, widths, cell_text, r, out);
  free (widths);
}

/* ---- CSV --------------------------------------------------------------- */

static void
put_csv (const char *text, FILE *out)
{
  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      fputs (text, out);
      return;
    }
  fputc ('"', out);
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
        fputc ('"', out);
      fputc (*text, out);
    }
  fputc ('"', out);
}

void
llmenv_render_csv (const llmenv_table *table, FILE *out)
{
  char text[TEXT_SIZE];
  for (size_t c = 0; c < table->n_columns; c++)
    {
      fputs (c == 0 ? "" : ",", out);
      put_csv (table->columns[c].name, out);
    }
  fputc ('\n', out);
  for (size_t r = 0; r < table->n_rows; r++)
    for (size_t c = 0; c < table->n_columns; c++)
      {
        llmenv_cell_text (llmenv_table_cell (table, r, c), !table->as_printed,
                          text, sizeof text);
        put_csv (text, out);
        fputc (c + 1 == table->n_columns ? '\n' : ',', out);
      }
}

/* ---- JSON -------------------------------------------------------------- */

/* A table with a column of reasons gives the bare number or null. */
static json_t *
cell_json (const llmenv_cell *cell, int as_printed, int bare)
{
  const double x = as_printed ? cell->shown : cell->number;
  if (cell->text != NULL)
    return json_string (cell->text);
  json_t *value = !isfinite (x) ? json_null ()
                  : x == floor (x) && fabs (x) < 9007199254740992.0
                  ? json_integer ((json_int_t) x) : json_real (x);
  return cell->reason == LLMENV_HAS_VALUE || bare ? value
         : json_pack ("{s:o, s:s}", "value", value, "reason",
                      llmenv_reason_word (cell->reason));
}

llmenv_status
llmenv_render_json (const llmenv_table *table, json_t *head, FILE *out)
{
  json_t *root = head != NULL ? head : json_object ();
  json_t *columns = json_array (), *rows = json_array ();
  const int bare = llmenv_table_column (table, "reason") >= 0;
  for (size_t c = 0; c < table->n_columns; c++)
    json_array_append_new (columns,
                           json_pack ("{s:s, s:s, s:s}",
                                      "name", table->columns[c].name,
                                      "unit", table->columns[c].unit,
                                      "note", table->columns[c].note));
  for (size_t r = 0; r < table->n_rows; r++)
    {
      json_t *row = json_object ();
      for (size_t c = 0; c < table->n_columns; c++)
        json_object_set_new (row, table->columns[c].name,
                             cell_json (llmenv_table_cell (table, r, c),
                                        table->as_printed, bare));
      json_array_append_new (rows, row);
    }
  json_object_set_new (root, "name", json_string (table->name));
  json_object_set_new (root, "title", json_string (table->title));
  json_object_set_new (root, "caption", json_string (table->caption));
  json_object_set_new (root, "columns", columns);
  json_object_set_new (root, "rows", rows);
  const int failed = json_dumpf (root, out, JSON_INDENT (1) | JSON_REAL_PRECISION (17)) != 0;
  fputc ('\n', out);
  json_decref (root);
  return failed ? LLMENV_EBADFILE : LLMENV_OK;
}
