/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wrappers over libxlsxwriter: what they refuse, cut, share and count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "xl.h"

static xl_book book;
static xl_sheet sheet;

static int
open_book (void **state)
{
  (void) state;
  book = (xl_book) { .workbook = workbook_new ("/nonexistent/never-written.xlsx") };
  sheet = xl_sheet_add (&book, "first");
  return 0;
}

static int
drop_book (void **state)
{
  (void) state;
  lxw_workbook_free (book.workbook);
  return 0;
}

static void
test_numbers_are_finite (void **state)
{
  const xl_style style = { .number = xl_number_format (1) };
  (void) state;
  xl_number (&sheet, 0, 0, 1.5, &style);
  assert_int_equal (book.error, LXW_NO_ERROR);
  xl_number (&sheet, 4, 2, NAN, &style);
  assert_int_equal (book.error, LXW_ERROR_PARAMETER_VALIDATION);
  assert_string_equal (book.where, "sheet first, row 5, column 3");
}

static void
test_first_error_is_kept (void **state)
{
  const xl_style style = { NULL, 0, 0, 0, 0 };
  (void) state;
  xl_text (&sheet, 2000000, 0, "below the last row", &style);
  const lxw_error first = book.error;
  assert_int_not_equal (first, LXW_NO_ERROR);
  xl_number (&sheet, 0, 0, INFINITY, &style);
  assert_int_equal (book.error, first);
  assert_string_equal (book.where, "sheet first, row 2000001, column 1");
}

static void
test_long_text_is_cut_between_characters (void **state)
{
  static char text[2 * XL_TEXT_SIZE];
  const xl_style style = { NULL, 0, 0, 0, 0 };
  (void) state;
  for (size_t i = 0; i + 3 < sizeof text; i += 2)
    memcpy (text + i, "\xC3\xA9", 2);  /* e with an acute accent */
  xl_text (&sheet, 0, 0, text, &style);
  xl_text (&sheet, 1, 0, "=1+1", &style);
  xl_text (&sheet, 2, 0, "", &style);
  assert_int_equal (book.error, LXW_NO_ERROR);
}

static void
test_styles_are_shared (void **state)
{
  (void) state;
  char format[] = "#,##0.0";     /* equal, not the same pointer */
  const xl_style a = { .number = xl_number_format (1), .flags = XL_BOLD };
  const xl_style b = { .number = format, .flags = XL_BOLD };
  const xl_style c = { .number = format, .flags = XL_RULE };
  assert_ptr_equal (xl_format (&book, &a), xl_format (&book, &b));
  assert_ptr_not_equal (xl_format (&book, &a), xl_format (&book, &c));
  assert_int_equal (book.n_styles, 2);
}

static void
test_too_many_styles_are_an_error (void **state)
{
  (void) state;
  for (int i = 1; i <= XL_MAX_STYLES + 1; i++)
    {
      const xl_style style = { .size = i };
      xl_format (&book, &style);
    }
  assert_int_not_equal (book.error, LXW_NO_ERROR);
}

static void
test_figures (void **state)
{
  (void) state;
  assert_string_equal (xl_figure_of (0, 0).text, "0");
  assert_string_equal (xl_figure_of (999, 0).text, "999");
  assert_string_equal (xl_figure_of (1000, 0).text, "1,000");
  assert_string_equal (xl_figure_of (1234567.891, 2).text, "1,234,567.89");
  assert_string_equal (xl_figure_of (-1234.5, 1).text, "-1,234.5");
  assert_string_equal (xl_figure_of (-123, 0).text, "-123");
  assert_string_equal (xl_figure_of (NAN, 0).text, "unknown");
  assert_string_equal (xl_figure_of (INFINITY, 2).text, "unknown");
  assert_int_equal (xl_length ("a\xE2\x80\xA1z"), 3);
}

int
main (void)
{
#define IN_A_BOOK(test) cmocka_unit_test_setup_teardown (test, open_book, drop_book)
  const struct CMUnitTest tests[] = {
    IN_A_BOOK (test_numbers_are_finite),
    IN_A_BOOK (test_first_error_is_kept),
    IN_A_BOOK (test_long_text_is_cut_between_characters),
    IN_A_BOOK (test_styles_are_shared),
    IN_A_BOOK (test_too_many_styles_are_an_error),
    IN_A_BOOK (test_figures),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
