/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

llmenv_table *
llmenv_table_new (const char *name, const char *title, size_t n_columns,
                  size_t n_rows)
{
  llmenv_table *t = calloc (1, sizeof *t);
  if (t == NULL)
    return NULL;
  t->name = name;
  snprintf (t->title, sizeof t->title, "%s", title);
  t->n_columns = n_columns;
  t->n_rows = n_rows;
  t->columns = calloc (n_columns + 1, sizeof *t->columns);
  t->cells = calloc (n_columns * n_rows + 1, sizeof *t->cells);
  t->rows = calloc (n_rows + 1, sizeof *t->rows);
  t->defs = calloc (n_columns + 1, sizeof *t->defs);
  if (t->columns == NULL || t->cells == NULL || t->rows == NULL || t->defs == NULL)
    {
      llmenv_table_free (t);
      return NULL;
    }
  return t;
}

void
llmenv_table_free (llmenv_table *table)
{
  if (table == NULL)
    return;
  for (size_t i = 0; table->cells != NULL
                     && i < table->n_columns * table->n_rows; i++)
    free (table->cells[i].text);
  free (table->cells);
  free (table->columns);
  free (table->rows);
  free (table->defs);
  free (table);
}

llmenv_cell *
llmenv_table_cell (const llmenv_table *table, size_t row, size_t column)
{
  return &table->cells[row * table->n_columns + column];
}

int
llmenv_table_column (const llmenv_table *table, const char *name)
{
  for (size_t c = 0; c < table->n_columns; c++)
    if (strcmp (table->columns[c].name, name) == 0)
      return (int) c;
  return -1;
}

llmenv_cell
llmenv_text_cell (const char *text)
{
  return (llmenv_cell) { NAN, NAN, LLMENV_HAS_VALUE, -1,
                         strdup (text == NULL ? "" : text) };
}

llmenv_cell
llmenv_word_cell (llmenv_reason reason)
{
  return (llmenv_cell) { NAN, NAN, reason, -1, NULL };
}

/* Nearest at DECIMALS, as printf rounds: by the exact binary value, a tie of it
 * to the even digit. */
static double
rounded (double x, int decimals, llmenv_rounding rounding)
{
  if (rounding == LLMENV_FLOOR)
    return floor (x);
  if (rounding == LLMENV_CEIL)
    return ceil (x);
  if (decimals < 0 || !isfinite (x))
    return x;
  char text[400];
  snprintf (text, sizeof text, "%.*f", decimals, x);
  return strtod (text, NULL);
}

llmenv_cell
llmenv_number_cell (double number, llmenv_reason reason, int decimals,
                    llmenv_rounding rounding)
{
  if (isnan (number) && reason == LLMENV_HAS_VALUE)
    reason = LLMENV_NO_RECORD;
  return (llmenv_cell) { number, rounded (number, decimals, rounding), reason,
                         decimals, NULL };
}

static void
plain_number (double x, char *text, size_t size)
{
  /* The shortest of these that is read back as the same number. */
  for (int digits = 15; digits <= 17; digits++)
    {
      snprintf (text, size, "%.*g", digits, x);
      if (strtod (text, NULL) == x)
        return;
    }
}

void
llmenv_cell_text (const llmenv_cell *cell, int plain, char *text, size_t size)
{
  if (cell->text != NULL)
    snprintf (text, size, "%s", cell->text);
  else if (cell->reason != LLMENV_HAS_VALUE)
    snprintf (text, size, "%s", llmenv_reason_word (cell->reason));
  else if (plain || cell->decimals < 0)
    plain_number (plain ? cell->number : cell->shown, text, size);
  else if (fabs (cell->shown) < 1e17)
    snprintf (text, size, "%.*f", cell->decimals, cell->shown);
  else                         /* rather than a page of digits */
    snprintf (text, size, "%.6g", cell->shown);
}
