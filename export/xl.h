/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thin checked wrappers over libxlsxwriter: a book that remembers its first
 * error, styles made once, cells that are never NaN, Inf or cut in silence. */
#ifndef XL_H
#define XL_H

#include <stddef.h>

#include <xlsxwriter.h>

enum
{
  XL_BOLD = 1, XL_RIGHT = 2, XL_WRAP = 4, XL_RULE = 8, XL_LINK = 16,
  XL_HEAD = 32, XL_ITALIC = 64, XL_INDENT = 128, XL_BOTTOM = 256, XL_LEFT = 512
};

/* How a cell looks.  Zeros: the default of the program that shows it. */
typedef struct
{
  const char *number;          /* number format, or NULL */
  int flags;
  lxw_color_t color, fill;     /* 0xRRGGBB; 0: none */
  int size;                    /* points */
} xl_style;

enum { XL_MAX_STYLES = 128, XL_TEXT_SIZE = 32767 };

typedef struct
{
  lxw_workbook *workbook;
  struct { xl_style style; lxw_format *format; } styles[XL_MAX_STYLES];
  int n_styles;
  int is_live;                 /* its cells are formulas: axes must find their own ends */
  lxw_error error;             /* the first; LXW_NO_ERROR while all is well */
  char where[80];              /* sheet and cell of it */
} xl_book;

typedef struct
{
  xl_book *book;
  lxw_worksheet *worksheet;
  char name[32];
} xl_sheet;

/* Remember ERROR, if it is one and the first, as of ROW and COLUMN. */
void xl_note (xl_sheet *sheet, lxw_error error, size_t row, size_t column);

/* Add a sheet to BOOK.  Its name: at most 31 characters, of no other sheet. */
xl_sheet xl_sheet_add (xl_book *book, const char *name);

/* The format of STYLE, made at its first use; NULL with the error noted. */
lxw_format *xl_format (xl_book *book, const xl_style *style);

/* Number format with DECIMALS (0 to 8) and separated thousands. */
const char *xl_number_format (int decimals);

/* A finite number; text, also where it begins like a formula; nothing; a link
 * to another sheet of the book. */
void xl_number (xl_sheet *sheet, size_t row, size_t column, double x, const xl_style *style);
void xl_text (xl_sheet *sheet, size_t row, size_t column, const char *text, const xl_style *style);
/* A formula ("=..."), with the value it has now: a finite number, or a text. */
void xl_formula (xl_sheet *sheet, size_t row, size_t column, const char *formula,
                 double value, const xl_style *style);
void xl_formula_text (xl_sheet *sheet, size_t row, size_t column, const char *formula,
                      const char *value, const xl_style *style);
void xl_blank (xl_sheet *sheet, size_t row, size_t column, const xl_style *style);
void xl_link (xl_sheet *sheet, size_t row, size_t column, const char *to, const char *text);

/* A note that pops up over a cell. */
void xl_comment (xl_sheet *sheet, size_t row, size_t column, const char *text);

void xl_width (xl_sheet *sheet, size_t column, double characters);
void xl_height (xl_sheet *sheet, size_t row, double points);

/* Landscape A4, one page wide, HEADER repeated on each page (-1: none), rows
 * and columns up to the last ones. */
void xl_print_setup (xl_sheet *sheet, int header, size_t last_row, size_t last_column);

/* New pages at BREAKS (rows, ended by 0).  Once a sheet: libxlsxwriter 1.1.4
 * loses the memory of earlier ones. */
void xl_print_breaks (xl_sheet *sheet, lxw_row_t breaks[]);

/* Text over the columns FIRST to LAST of a row that is HEIGHT points high. */
void xl_merged (xl_sheet *sheet, size_t row, size_t first, size_t last,
                double height, const char *text, const xl_style *style);

/* X in digits, thousands separated; "unknown" where it is not finite. */
typedef struct { char text[48]; } xl_figure;
xl_figure xl_figure_of (double x, int decimals);

/* Characters of a UTF-8 text. */
size_t xl_length (const char *text);

#endif
