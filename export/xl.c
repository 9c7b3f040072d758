/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "xl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { A4 = 9, MAX_DECIMALS = 8 };
#define RULE_COLOR 0xD9D9D9
#define HEAD_FILL 0x1F3A5F
#define LINK_COLOR 0x0563C1

void
xl_note (xl_sheet *sheet, lxw_error error, size_t row, size_t column)
{
  xl_book *book = sheet->book;
  if (error == LXW_NO_ERROR || book->error != LXW_NO_ERROR)
    return;
  book->error = error;
  snprintf (book->where, sizeof book->where, "sheet %s, row %zu, column %zu",
            sheet->name, row + 1, column + 1);
}

xl_sheet
xl_sheet_add (xl_book *book, const char *name)
{
  xl_sheet sheet = { .book = book };
  snprintf (sheet.name, sizeof sheet.name, "%s", name);
  sheet.worksheet = workbook_add_worksheet (book->workbook, sheet.name);
  if (sheet.worksheet == NULL)
    xl_note (&sheet, LXW_ERROR_MEMORY_MALLOC_FAILED, 0, 0);
  return sheet;
}

/* ---- styles ------------------------------------------------------------ */

static int
same_text (const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp (a, b) == 0);
}

static int
same_style (const xl_style *a, const xl_style *b)
{
  return a->flags == b->flags && a->color == b->color && a->fill == b->fill
         && a->size == b->size && same_text (a->number, b->number);
}

static void
set_format (lxw_format *f, const xl_style *s)
{
  const int head = (s->flags & XL_HEAD) != 0;
  if (s->number != NULL)
    format_set_num_format (f, s->number);
  if (head || (s->flags & XL_BOLD))
    format_set_bold (f);
  if (s->flags & XL_ITALIC)
    format_set_italic (f);
  if (s->flags & XL_LINK)
    format_set_underline (f, LXW_UNDERLINE_SINGLE);
  if (s->flags & XL_RULE)
    {
      format_set_bottom (f, LXW_BORDER_THIN);
      format_set_bottom_color (f, RULE_COLOR);
    }
  if (head || (s->flags & XL_WRAP))
    format_set_text_wrap (f);
  if (s->flags & XL_RIGHT)
    format_set_align (f, LXW_ALIGN_RIGHT);
  if (s->flags & XL_LEFT)
    format_set_align (f, LXW_ALIGN_LEFT);
  /* At the right of a header: room for the filter's button. */
  if (s->flags & XL_INDENT)
    format_set_indent (f, head ? 2 : 1);
  format_set_align (f, head ? LXW_ALIGN_VERTICAL_CENTER
                    : s->flags & XL_BOTTOM ? LXW_ALIGN_VERTICAL_BOTTOM : LXW_ALIGN_VERTICAL_TOP);
  if (head || s->fill != 0)
    {
      format_set_pattern (f, LXW_PATTERN_SOLID);
      format_set_bg_color (f, head ? HEAD_FILL : s->fill);
    }
  if (head || (s->flags & XL_LINK) || s->color != 0)
    format_set_font_color (f, head ? 0xFFFFFF
                           : s->flags & XL_LINK ? LINK_COLOR : s->color);
  if (s->size != 0)
    format_set_font_size (f, s->size);
}

lxw_format *
xl_format (xl_book *book, const xl_style *style)
{
  for (int i = 0; i < book->n_styles; i++)
    if (same_style (&book->styles[i].style, style))
      return book->styles[i].format;
  lxw_format *format = book->n_styles < XL_MAX_STYLES
                       ? workbook_add_format (book->workbook) : NULL;
  if (format == NULL)
    {
      if (book->error == LXW_NO_ERROR)
        book->error = LXW_ERROR_MEMORY_MALLOC_FAILED;
      return NULL;
    }
  set_format (format, style);
  book->styles[book->n_styles].style = *style;
  book->styles[book->n_styles++].format = format;
  return format;
}

const char *
xl_number_format (int decimals)
{
  static const char *const formats[MAX_DECIMALS + 1] = {
    "#,##0", "#,##0.0", "#,##0.00", "#,##0.000", "#,##0.0000", "#,##0.00000",
    "#,##0.000000", "#,##0.0000000", "#,##0.00000000"
  };
  return formats[decimals < 0 ? 0 : decimals > MAX_DECIMALS ? MAX_DECIMALS : decimals];
}

/* ---- cells ------------------------------------------------------------- */

void
xl_number (xl_sheet *sheet, size_t row, size_t column, double x, const xl_style *style)
{
  xl_note (sheet, isfinite (x)
           ? worksheet_write_number (sheet->worksheet, (lxw_row_t) row,
                                     (lxw_col_t) column, x, xl_format (sheet->book, style))
           : LXW_ERROR_PARAMETER_VALIDATION, row, column);
}

void
xl_formula (xl_sheet *sheet, size_t row, size_t column, const char *formula,
            double value, const xl_style *style)
{
  xl_note (sheet, isfinite (value)
           ? worksheet_write_formula_num (sheet->worksheet, (lxw_row_t) row,
                                          (lxw_col_t) column, formula,
                                          xl_format (sheet->book, style), value)
           : LXW_ERROR_PARAMETER_VALIDATION, row, column);
}

void
xl_formula_text (xl_sheet *sheet, size_t row, size_t column, const char *formula,
                 const char *value, const xl_style *style)
{
  xl_note (sheet, worksheet_write_formula_str (sheet->worksheet, (lxw_row_t) row,
                                               (lxw_col_t) column, formula,
                                               xl_format (sheet->book, style), value),
           row, column);
}

size_t
xl_length (const char *text)
{
  size_t n = 0;
  for (; *text != '\0'; text++)
    n += ((unsigned char) *text & 0xC0) != 0x80;
  return n;
}

xl_figure
xl_figure_of (double x, int decimals)
{
  xl_figure f = { "unknown" };
  char plain[40];
  if (!isfinite (x) || fabs (x) >= 1e30)
    return f;
  const int n = snprintf (plain, sizeof plain, "%.*f", decimals, x);
  const int sign = x < 0, whole = n - (decimals > 0 ? decimals + 1 : 0) - sign;
  char *out = f.text;
  for (int i = 0; i < n; i++)
    {
      const int left = whole + sign - i;
      if (i > sign && left > 0 && left % 3 == 0)
        *out++ = ',';
      *out++ = plain[i];
    }
  *out = '\0';
  return f;
}

/* Cut where a cell's capacity ends, never within a character. */
static const char *
cut (const char *text, char *room, size_t size)
{
  size_t n = strlen (text);
  if (n < size)
    return text;
  for (n = size - 1; n > 0 && ((unsigned char) text[n] & 0xC0) == 0x80; n--)
    ;
  memcpy (room, text, n);
  room[n] = '\0';
  return room;
}

void
xl_text (xl_sheet *sheet, size_t row, size_t column, const char *text, const xl_style *style)
{
  char room[XL_TEXT_SIZE];
  if (*text == '\0')
    xl_blank (sheet, row, column, style);
  else
    xl_note (sheet,
             worksheet_write_string (sheet->worksheet, (lxw_row_t) row,
                                     (lxw_col_t) column, cut (text, room, sizeof room),
                                     xl_format (sheet->book, style)), row, column);
}

void
xl_blank (xl_sheet *sheet, size_t row, size_t column, const xl_style *style)
{
  xl_note (sheet, worksheet_write_blank (sheet->worksheet, (lxw_row_t) row,
                                         (lxw_col_t) column,
                                         xl_format (sheet->book, style)), row, column);
}

void
xl_link (xl_sheet *sheet, size_t row, size_t column, const char *to, const char *text)
{
  char url[80];
  const xl_style style = { .flags = XL_LINK };
  snprintf (url, sizeof url, "internal:'%s'!A1", to);
  xl_note (sheet, worksheet_write_url_opt (sheet->worksheet, (lxw_row_t) row,
                                           (lxw_col_t) column, url,
                                           xl_format (sheet->book, &style), text, NULL),
           row, column);
}

void
xl_comment (xl_sheet *sheet, size_t row, size_t column, const char *text)
{
  const double lines = 2 + (double) xl_length (text) / 38;
  lxw_comment_options options = { .width = 240, .height = (uint16_t) (15 * lines),
                                  .font_size = 9 };
  xl_note (sheet, worksheet_write_comment_opt (sheet->worksheet, (lxw_row_t) row,
                                               (lxw_col_t) column, text, &options),
           row, column);
}

/* ---- sheet ------------------------------------------------------------- */

void
xl_width (xl_sheet *sheet, size_t column, double characters)
{
  const lxw_col_t c = (lxw_col_t) column;
  xl_note (sheet, worksheet_set_column (sheet->worksheet, c, c, characters, NULL), 0, column);
}

void
xl_height (xl_sheet *sheet, size_t row, double points)
{
  xl_note (sheet, worksheet_set_row (sheet->worksheet, (lxw_row_t) row, points, NULL), row, 0);
}

void
xl_print_setup (xl_sheet *sheet, int header, size_t last_row, size_t last_column)
{
  lxw_worksheet *w = sheet->worksheet;
  worksheet_set_landscape (w);
  worksheet_set_paper (w, A4);
  worksheet_fit_to_pages (w, 1, 0);
  worksheet_set_margins (w, 0.4, 0.4, 0.6, 0.6);
  if (header >= 0)
    xl_note (sheet, worksheet_repeat_rows (w, (lxw_row_t) header, (lxw_row_t) header),
             (size_t) header, 0);
  xl_note (sheet, worksheet_print_area (w, 0, 0, (lxw_row_t) last_row,
                                        (lxw_col_t) last_column), last_row, last_column);
  xl_note (sheet, worksheet_set_header (w, "&L&9&A&R&9llmenv"), 0, 0);
  xl_note (sheet, worksheet_set_footer (w, "&C&9Page &P of &N"), 0, 0);
}

void
xl_print_breaks (xl_sheet *sheet, lxw_row_t breaks[])
{
  xl_note (sheet, worksheet_set_h_pagebreaks (sheet->worksheet, breaks), 0, 0);
}

void
xl_merged (xl_sheet *sheet, size_t row, size_t first, size_t last, double height,
           const char *text, const xl_style *style)
{
  xl_note (sheet, worksheet_merge_range (sheet->worksheet, (lxw_row_t) row, (lxw_col_t) first,
                                         (lxw_row_t) row, (lxw_col_t) last, text,
                                         xl_format (sheet->book, style)), row, first);
  xl_height (sheet, row, height);
}
