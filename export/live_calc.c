/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_calc.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
live_print (char *out, size_t size, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (out, size, format, arguments);
  va_end (arguments);
}

/* ---- references -------------------------------------------------------- */

live_name
live_letters (int column)
{
  live_name r;
  char reversed[8];
  int n = 0;
  for (int c = column + 1; c > 0; c = (c - 1) / 26)
    reversed[n++] = (char) ('A' + (c - 1) % 26);
  for (int i = 0; i < n; i++)
    r.text[i] = reversed[n - 1 - i];
  r.text[n] = '\0';
  return r;
}

live_ref
live_at (const char *sheet, size_t row, size_t column)
{
  live_ref r;
  snprintf (r.text, sizeof r.text, "%.100s!$%s$%zu", sheet, live_letters ((int) column).text, row + 1);
  return r;
}

live_ref
live_cell_ref (const live_block *b, const live_column *c, size_t row)
{
  live_ref r;
  if (c->inlined[0] != '\0')
    snprintf (r.text, sizeof r.text, "%s", c->inlined);
  else
    r = live_at (b->sheet, b->first + row, (size_t) c->at);
  return r;
}

live_ref
live_range_ref (const live_block *b, const live_column *c)
{
  live_ref r;
  const live_name letters = live_letters (c->at);
  snprintf (r.text, sizeof r.text, "%.60s!$%s$%zu:$%s$%zu", b->sheet, letters.text,
            b->first + 1, letters.text, b->first + b->n);
  return r;
}

void
live_quote (const char *text, char *quoted, size_t size)
{
  enum { MOST = 200 };
  size_t n = 0, part = 0;
  quoted[n++] = '"';
  for (; *text != '\0' && n + 8 < size; text++, part++)
    {
      if (part >= MOST && ((unsigned char) *text & 0xC0) != 0x80)
        {
          memcpy (quoted + n, "\"&\"", 3);
          n += 3;
          part = 0;
        }
      if (*text == '"')
        quoted[n++] = '"';
      quoted[n++] = *text;
    }
  quoted[n++] = '"';
  quoted[n] = '\0';
}

live_ref
live_number (double x)
{
  live_ref r;
  snprintf (r.text, sizeof r.text, "%.17g", x);
  if (strtod (r.text, NULL) == x)
    for (int digits = 1; digits < 17; digits++)
      {
        char shorter[40];
        snprintf (shorter, sizeof shorter, "%.*g", digits, x);
        if (strtod (shorter, NULL) == x)
          {
            snprintf (r.text, sizeof r.text, "%s", shorter);
            break;
          }
      }
  return r;
}

/* ---- blocks ------------------------------------------------------------ */

live_block *
live_block_new (xl_sheet *xl, const char *sheet, size_t first, size_t n,
                llmenv_convention convention, const char *title)
{
  const xl_style bold = { .flags = XL_BOLD };
  live_block *b = calloc (1, sizeof *b);
  if (b == NULL)
    return NULL;
  *b = (live_block) { .xl = xl, .sheet = sheet, .first = first, .n = n, .convention = convention };
  b->row = calloc (n + 1, sizeof *b->row);
  b->column[LIVE_COLUMNS].value = calloc (n + 1, sizeof (double));
  if (b->row == NULL || b->column[LIVE_COLUMNS].value == NULL)
    {
      live_block_free (b);
      return NULL;
    }
  xl_text (xl, first - 3, 0, title, &bold);
  return b;
}

void
live_block_free (live_block *b)
{
  if (b == NULL)
    return;
  for (size_t i = 0; i < b->n_columns; i++)
    free (b->column[i].value);
  free (b->column[LIVE_COLUMNS].value);
  free (b->row);
  free (b);
}

live_column *
live_find (live_block *b, const char *key)
{
  for (size_t i = 0; i < b->n_columns; i++)
    if (strcmp (b->column[i].key, key) == 0)
      return &b->column[i];
  return NULL;
}

/* ---- columns ----------------------------------------------------------- */

static live_column *
new_column (live_block *b, const char *key)
{
  live_column *c = &b->column[b->n_columns];
  if (b->n_columns < LIVE_COLUMNS)
    c->value = calloc (b->n + 1, sizeof *c->value);
  if (b->n_columns == LIVE_COLUMNS || c->value == NULL)
    {
      xl_note (b->xl, LXW_ERROR_MEMORY_MALLOC_FAILED, b->first, 0);
      return &b->column[LIVE_COLUMNS];
    }
  b->n_columns++;
  snprintf (c->key, sizeof c->key, "%s", key);
  return c;
}

void
live_inline (live_block *b, const char *key, const char *text, live_value_fn value,
             const void *what)
{
  live_column *c = new_column (b, key);
  snprintf (c->inlined, sizeof c->inlined, "%s", text);
  for (size_t r = 0; value != NULL && r < b->n; r++)
    c->value[r] = value (b, r, what);
}

live_column *
live_open (live_block *b, const char *key, const char *about)
{
  const xl_style head = { .flags = XL_HEAD }, small = { .color = 0x8C8C8C, .size = 8 };
  live_column *c = new_column (b, key);
  c->at = b->next++;
  xl_text (b->xl, b->first - 2, (size_t) c->at, about, &small);
  xl_text (b->xl, b->first - 1, (size_t) c->at, key, &head);
  return c;
}

static const char *
error_text (const char *formula, char *out, size_t size)
{
  live_print (out, size, "=IFERROR(%s,\"" LIVE_NO_RECORD "\")", formula);
  return out;
}

void
live_set (live_block *b, live_column *c, size_t row, const char *formula, double value)
{
  static const xl_style plain = { .number = "General" };
  char whole[LIVE_FORMULA];
  error_text (formula, whole, sizeof whole);
  c->value[row] = value;
  if (isnan (value))
    xl_formula_text (b->xl, b->first + row, (size_t) c->at, whole, LIVE_NO_RECORD, &plain);
  else
    xl_formula (b->xl, b->first + row, (size_t) c->at, whole,
                isinf (value) ? LIVE_INFINITE : value, &plain);
}

void
live_set_text (live_block *b, live_column *c, size_t row, const char *formula, const char *value)
{
  static const xl_style plain = { .number = "General" };
  char whole[LIVE_FORMULA];
  xl_formula_text (b->xl, b->first + row, (size_t) c->at,
                   error_text (formula, whole, sizeof whole), value, &plain);
}

/* FORMULA for ROW: {KEY} becomes a cell of the row, or the text of the column. */
static void
expand (live_block *b, const char *formula, size_t row, char *out, size_t size)
{
  size_t n = 0;
  while (*formula != '\0' && n + 1 < size)
    {
      const size_t length = *formula == '{' ? strcspn (formula, "}") : 0;
      char key[LIVE_KEY];
      if (length < 2 || length > sizeof key)
        {
          out[n++] = *formula++;
          continue;
        }
      snprintf (key, sizeof key, "%.*s", (int) length - 1, formula + 1);
      const live_column *c = live_find (b, key);
      n += (size_t) (c == NULL ? snprintf (out + n, size - n, "%s", key)
                     : c->inlined[0] != '\0' ? snprintf (out + n, size - n, "%s", c->inlined)
                     : snprintf (out + n, size - n, "$%s%zu", live_letters (c->at).text,
                                 b->first + row + 1));
      formula += length + 1;
      n = n < size ? n : size - 1;
    }
  out[n] = '\0';
}

/* A column of numbers (NUMBER) or of texts (TEXT, where NUMBER is NULL). */
static live_column *
fill_column (live_block *b, const char *key, const char *formula, live_value_fn number,
             live_text_fn text, const void *what)
{
  char expanded[LIVE_FORMULA];
  live_column *c = live_find (b, key);
  if (c != NULL)
    return c;
  c = live_open (b, key, formula);
  for (size_t r = 0; r < b->n; r++)
    {
      expand (b, formula, r, expanded, sizeof expanded);
      if (number != NULL)
        live_set (b, c, r, expanded, number (b, r, what));
      else
        live_set_text (b, c, r, expanded, text (b, r, what));
    }
  return c;
}

live_column *
live_term (live_block *b, const char *key, const char *formula, live_value_fn value,
           const void *what)
{
  return fill_column (b, key, formula, value, NULL, what);
}

live_column *
live_text_term (live_block *b, const char *key, const char *formula, live_text_fn value,
                const void *what)
{
  return fill_column (b, key, formula, NULL, value, what);
}

/* ---- arithmetic -------------------------------------------------------- */

typedef struct { const live_block *b; size_t row; const char *at; } reader;

static double read_sum (reader *r);

static double
read_atom (reader *r)
{
  double x = NAN;
  if (*r->at == '(')
    {
      r->at++;
      x = read_sum (r);
    }
  else if (*r->at == '-')
    {
      r->at++;
      return -read_atom (r);
    }
  else if (*r->at == '{')
    {
      const size_t length = strcspn (r->at, "}");
      for (size_t i = 0; i < r->b->n_columns; i++)
        if (strlen (r->b->column[i].key) == length - 1
            && strncmp (r->b->column[i].key, r->at + 1, length - 1) == 0)
          x = r->b->column[i].value[r->row];
      x = isinf (x) ? copysign (LIVE_INFINITE, x) : x;
      r->at += length;
    }
  else
    {
      char *end;
      x = strtod (r->at, &end);
      r->at = end;
      return x;
    }
  r->at += *r->at != '\0';     /* the closing one */
  return x;
}

static double
read_product (reader *r)
{
  double x = read_atom (r);
  while (*r->at == '*' || *r->at == '/')
    {
      const char sign = *r->at++;
      const double y = read_atom (r);
      x = sign == '*' ? x * y : x / y;
    }
  return x;
}

static double
read_sum (reader *r)
{
  double x = read_product (r);
  while (*r->at == '+' || *r->at == '-')
    {
      const char sign = *r->at++;
      const double y = read_product (r);
      x = sign == '+' ? x + y : x - y;
    }
  return x;
}

static double
arithmetic_value (const live_block *b, size_t row, const void *what)
{
  reader r = { b, row, what };
  const double x = read_sum (&r);
  return isinf (x) ? NAN : x;  /* a division by 0 is an error in a sheet */
}

live_column *
live_arithmetic (live_block *b, const char *key, const char *formula)
{
  return live_term (b, key, formula, arithmetic_value, formula);
}

live_column *
live_constants (live_block *b, const char *key, const char *about, live_value_fn value,
                const void *what)
{
  static const xl_style plain = { .number = "General" };
  live_column *c = live_find (b, key);
  if (c != NULL)
    return c;
  c = live_open (b, key, about);
  for (size_t r = 0; r < b->n; r++)
    {
      c->value[r] = value (b, r, what);
      if (isnan (c->value[r]))
        xl_text (b->xl, b->first + r, (size_t) c->at, LIVE_NO_RECORD, &plain);
      else
        xl_number (b->xl, b->first + r, (size_t) c->at, c->value[r], &plain);
    }
  return c;
}
