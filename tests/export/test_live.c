/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pieces that formulas are made of.  Whether they give the core's values is
 * for another program to say: check_live.py. */
#include "../core/check.h"

#include "live_calc.h"

static void
columns_have_letters (void **state)
{
  (void) state;
  const struct { int column; const char *letters; } known[]
    = { { 0, "A" }, { 25, "Z" }, { 26, "AA" }, { 51, "AZ" }, { 52, "BA" }, { 701, "ZZ" }, { 702, "AAA" }, { 16383, "XFD" } };
  for (size_t i = 0; i < N_OF_ARRAY (known); i++)
    assert_string_equal (live_letters (known[i].column).text, known[i].letters);
  assert_string_equal (live_at ("'Calc models'", 4, 27).text, "'Calc models'!$AB$5");
}

static void
numbers_keep_every_digit (void **state)
{
  (void) state;
  const double x[] = { 0, 1, 0.1, 1.0 / 3, 989.5e12, 4.9e-324, 1e300, -2.5, 85520809984.0, 0.1 + 0.2 };
  for (size_t i = 0; i < N_OF_ARRAY (x); i++)
    NEAR (strtod (live_number (x[i]).text, NULL), x[i], 0, live_number (x[i]).text);
  assert_string_equal (live_number (0.1).text, "0.1");
}

static void
texts_are_quoted_in_parts_that_excel_takes (void **state)
{
  (void) state;
  char quoted[2000], text[900];
  live_quote ("=1+\"a\"", quoted, sizeof quoted);
  assert_string_equal (quoted, "\"=1+\"\"a\"\"\"");
  memset (text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  live_quote (text, quoted, sizeof quoted);
  size_t longest = 0, total = 0;
  for (const char *c = quoted + 1; *c != '\0'; c += strcspn (c, "\"") + 3)
    {
      const size_t n = strcspn (c, "\"");
      longest = n > longest ? n : longest;
      total += n;
      if (c[n + 1] == '\0')
        break;
    }
  assert_true (longest <= 255);
  assert_int_equal (total, sizeof text - 1);
  /* A part never ends within a character. */
  for (size_t i = 0; i + 3 < sizeof text; i += 3)
    memcpy (text + i, "\xE2\x82\xAC", 3);
  live_quote (text, quoted, sizeof quoted);
  for (const char *c = strstr (quoted, "\"&\""); c != NULL; c = strstr (c + 1, "\"&\""))
    assert_int_equal ((unsigned char) c[3] & 0xC0, 0xC0);
}

/* ---- a block --------------------------------------------------------------- */

typedef struct { xl_book book; xl_sheet sheet; char path[40]; } scratch;

static int
open_scratch (void **state)
{
  scratch *s = calloc (1, sizeof *s);
  strcpy (s->path, "/tmp/llmenv_live_XXXXXX");
  close (mkstemp (s->path));
  s->book.workbook = workbook_new (s->path);
  s->sheet = xl_sheet_add (&s->book, "Calc");
  *state = s;
  return 0;
}

static int
close_scratch (void **state)
{
  scratch *s = *state;
  workbook_close (s->book.workbook);
  unlink (s->path);
  free (s);
  return 0;
}

static double
from_list (const live_block *b, size_t row, const void *what)
{
  (void) b;
  return ((const double *) what)[row];
}

static void
arithmetic_is_that_of_its_columns (void **state)
{
  scratch *s = *state;
  static const double x[] = { 3, NAN, INFINITY, -4 }, y[] = { 2, 1, 2, 0 };
  live_block *b = live_block_new (&s->sheet, "'Calc'", 5, 4, LLMENV_LAYERED, "test");
  live_constants (b, "x", "", from_list, x);
  live_constants (b, "long name", "", from_list, y);
  const live_column *c = live_arithmetic (b, "c", "-({x}-2*{long name})/4+1");
  NEAR (c->value[0], 1.25, 0, "-(3 - 4)/4 + 1");
  assert_true (isnan (c->value[1]));
  const live_column *d = live_arithmetic (b, "d", "{x}/{long name}");
  NEAR (d->value[0], 1.5, 0, "3/2");
  assert_true (isnan (d->value[3]));           /* a division by 0 is an error in a sheet */
  NEAR (live_arithmetic (b, "e", "{x}+0")->value[2], LIVE_INFINITE, 0, "infinite");
  assert_ptr_equal (live_arithmetic (b, "c", "0"), c); /* a name is made once */
  assert_string_equal (live_cell_ref (b, c, 1).text, "'Calc'!$C$7");
  assert_string_equal (live_range_ref (b, c).text, "'Calc'!$C$6:$C$9");
  live_block_free (b);
}

static void
too_many_columns_are_noted_not_written (void **state)
{
  scratch *s = *state;
  live_block *b = live_block_new (&s->sheet, "'Calc'", 5, 1, LLMENV_LAYERED, "test");
  char key[20];
  for (int i = 0; i <= LIVE_COLUMNS; i++)
    {
      snprintf (key, sizeof key, "c%d", i);
      assert_non_null (live_arithmetic (b, key, "1+1"));
    }
  assert_int_not_equal (s->book.error, LXW_NO_ERROR);
  live_block_free (b);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (columns_have_letters),
    cmocka_unit_test (numbers_keep_every_digit),
    cmocka_unit_test (texts_are_quoted_in_parts_that_excel_takes),
    cmocka_unit_test_setup_teardown (arithmetic_is_that_of_its_columns, open_scratch, close_scratch),
    cmocka_unit_test_setup_teardown (too_many_columns_are_noted_not_written, open_scratch, close_scratch),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
