/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sheet_shade.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sheet_table.h"

#define SEVERE 0xF4B6B0
#define WARNING 0xFCE8B2
#define OVER 0xCFE2F3
#define DIFFERENT 0xE4DFEC

static void
shade (sheet *s, size_t first, size_t last, lxw_conditional_format *rule, lxw_color_t fill)
{
  const xl_style style = { .fill = fill };
  rule->format = xl_format (s->xl.book, &style);
  if (s->table->n_rows > 0)
    xl_note (&s->xl,
             worksheet_conditional_format_range (s->xl.worksheet, SHEET_FIRST_ROW,
                                                 (lxw_col_t) first,
                                                 (lxw_row_t) (SHEET_HEADER_ROW + s->table->n_rows),
                                                 (lxw_col_t) last, rule),
             SHEET_FIRST_ROW, first);
}

static void
shade_compared (sheet *s, size_t column, int criteria, double value,
                lxw_color_t fill)
{
  lxw_conditional_format rule = { .type = LXW_CONDITIONAL_TYPE_CELL,
                                  .criteria = (uint8_t) criteria, .value = value,
                                  .stop_if_true = 1 };
  shade (s, column, column, &rule, fill);
}

/* Caches over the memory of the card, that of the Inputs where there are any. */
static void
shade_over_memory (sheet *s, size_t column)
{
  char memory[60];
  lxw_conditional_format rule = { .type = LXW_CONDITIONAL_TYPE_CELL,
                                  .criteria = LXW_CONDITIONAL_CRITERIA_GREATER_THAN,
                                  .value = s->memory_gb, .stop_if_true = 1 };
  snprintf (memory, sizeof memory, "=memory_%s/1E9", s->convention == LLMENV_PUBLISHED ? "published" : "layered");
  if (s->xl.book->is_live)
    rule.value_string = memory;
  shade (s, column, column, &rule, OVER);
}

/* A pair of columns, where the values are further apart than a tenth. */
static void
shade_difference (sheet *s, size_t column)
{
  char a[LXW_MAX_CELL_NAME_LENGTH], b[LXW_MAX_CELL_NAME_LENGTH], formula[200];
  lxw_conditional_format rule = { .type = LXW_CONDITIONAL_TYPE_FORMULA,
                                  .value_string = formula };
  lxw_rowcol_to_cell_abs (a, SHEET_FIRST_ROW, (lxw_col_t) column, 0, 1);
  lxw_rowcol_to_cell_abs (b, SHEET_FIRST_ROW, (lxw_col_t) (column + 1), 0, 1);
  snprintf (formula, sizeof formula,
            "=IF(AND(ISNUMBER(%s),ISNUMBER(%s)),ABS(%s-%s)>0.1*MAX(ABS(%s),ABS(%s)),%s<>%s)",
            a, b, a, b, a, b, a, b);
  shade (s, column, column + 1, &rule, DIFFERENT);
}

static int
is_wall (const llmenv_column *c)
{
  return strncmp (c->name, "l_wall", 6) == 0 || strcmp (c->name, "n_star") == 0;
}

static int
is_cache (const llmenv_column *c)
{
  return strncmp (c->name, "kv_gb_", 6) == 0
         || (strncmp (c->name, "kv_bytes", 8) == 0 && strcmp (c->unit, "GB") == 0);
}

static int
is_pair (const llmenv_table *t, size_t column)
{
  const char *name = t->columns[column].name, *tail = strstr (name, "published");
  if (tail == NULL || column + 1 == t->n_columns
      || t->columns[column].kind != LLMENV_NUMBER_COLUMN)
    return 0;
  const char *next = t->columns[column + 1].name;
  const size_t n = (size_t) (tail - name);
  return strncmp (name, next, n) == 0 && strcmp (next + n, "layered") == 0;
}

void
sheet_shade (sheet *s, char *legend, size_t size)
{
  const llmenv_table *t = s->table;
  int walls = 0, caches = 0, pairs = 0;
  for (size_t c = 0; c < t->n_columns; c++)
    if (is_pair (t, c))
      {
        shade_difference (s, c);
        pairs = 1;
      }
    else if (is_wall (&t->columns[c]) && strcmp (t->name, "both conventions") != 0)
      {
        shade_compared (s, c, LXW_CONDITIONAL_CRITERIA_LESS_THAN, 100, SEVERE);
        shade_compared (s, c, LXW_CONDITIONAL_CRITERIA_LESS_THAN, 1000, WARNING);
        walls = 1;
      }
    else if (is_cache (&t->columns[c]) && isfinite (s->memory_gb)
             && strcmp (t->name, "both conventions") != 0)
      {
        shade_over_memory (s, c);
        caches = 1;
      }
  char over[100] = "";
  if (caches && s->xl.book->is_live)
    snprintf (over, sizeof over, "blue: one sequence exceeds the card's memory");
  else if (caches)
    snprintf (over, sizeof over, "blue: one sequence exceeds the card's memory, %.1f GB",
              s->memory_gb);
  snprintf (legend, size, "%s%s%s%s%s", walls || caches || pairs ? "Shading: " : "",
            walls ? "red: under 100 tokens; yellow: under 1,000 tokens" : "",
            walls && caches ? "; " : "", over,
            pairs ? "violet: published and layered differ by more than a tenth, or one of them is a word" : "");
}
