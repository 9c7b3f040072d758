/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The twelve printed tables of document 003, cell by cell, against their
 * transcription in LLMENV_SHARED/reference. A cell may differ only where
 * `misprints` lists it with the printed figure and with ours. */
#include "check.h"

#include "llmenv_table.h"

enum { LINE = 8192, FIELDS = 64 };

static const struct { const char *name; size_t rows, columns; } printed[] = {
  { "ridge", 9, 5 }, { "dense", 34, 14 }, { "moe", 20, 14 }, { "hybrid", 10, 14 },
  { "gemma4_kv", 3, 12 }, { "beq_ranked", 13, 7 }, { "lwall_ranked", 20, 8 },
  { "beq_resident", 11, 5 }, { "bstar", 18, 7 }, { "worst10", 10, 7 },
  { "exceed80", 6, 6 }, { "cheap_end", 11, 9 } };

static int n_compared, n_skipped, n_listed;
static llmenv_table *misprints;

static llmenv_table *
make (const char *name, int as_printed)
{
  const llmenv_request r = { .catalogue = shipped_catalogue (), .options = llmenv_options_default (),
                             .as_printed = as_printed };
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_table *t = NULL;
  STATUS (llmenv_table_make (name, &r, &t, &error), LLMENV_OK, error, name);
  return t;
}

/* ---- the reference ----------------------------------------------------- */

/* Cut LINE at tabs. */
static size_t
split (char *line, char *fields[FIELDS])
{
  size_t n = 0;
  line[strcspn (line, "\r\n")] = '\0';
  for (char *rest = line; rest != NULL && n < FIELDS; n++)
    {
      fields[n] = rest;
      rest = strchr (rest, '\t');
      if (rest != NULL)
        *rest++ = '\0';
    }
  return n;
}

/* The same text, or the same number whatever its zeros and commas. */
static int
is_same (const char *a, const char *b)
{
  char *end_a, *end_b;
  const double x = strtod (a, &end_a), y = strtod (b, &end_b);
  if (strcmp (a, b) == 0)
    return 1;
  return *a != '\0' && *b != '\0' && *end_a == '\0' && *end_b == '\0' && is_near (x, y, 0);
}

static int
is_misprint (const char *table, const char *row, const char *column,
             const char *want, const char *have)
{
  for (size_t i = 0; i < misprints->n_rows; i++)
    if (strcmp (llmenv_table_cell (misprints, i, 0)->text, table) == 0
        && strcmp (llmenv_table_cell (misprints, i, 1)->text, row) == 0
        && strcmp (llmenv_table_cell (misprints, i, 2)->text, column) == 0)
      return is_same (llmenv_table_cell (misprints, i, 3)->text, want)
             && is_same (llmenv_table_cell (misprints, i, 4)->text, have);
  return 0;
}

/* ---- comparison -------------------------------------------------------- */

static int
differs (const llmenv_table *t, size_t row, const char *key, const char *column,
         const char *want)
{
  const int c = llmenv_table_column (t, column);
  char have[400] = "(no column)";
  if (c >= 0)
    llmenv_cell_text (llmenv_table_cell (t, row, (size_t) c), 0, have, sizeof have);
  n_compared++;
  if (is_same (have, want))
    return 0;
  if (is_misprint (t->name, key, column, want, have))
    {
      n_listed++;
      return 0;
    }
  print_error ("%s row %s column %s: reference '%s', ours '%s'\n", t->name, key, column, want, have);
  return 1;
}

static void
compare_table (size_t i, const char *path)
{
  llmenv_table *t = make (printed[i].name, 1);
  FILE *f = fopen (path, "r");
  char head[LINE], line[LINE], *columns[FIELDS], *fields[FIELDS];
  size_t row = 0;
  int bad = 0;
  assert_non_null (f);
  assert_non_null (fgets (head, sizeof head, f));
  const size_t n = split (head, columns);
  assert_int_equal (n, printed[i].columns);
  while (fgets (line, sizeof line, f) != NULL)
    {
      assert_int_equal (split (line, fields), n);
      assert_true (row < t->n_rows);
      for (size_t c = 0; c < n; c++)
        bad += differs (t, row, fields[0], columns[c], fields[c]);
      row++;
    }
  fclose (f);
  assert_int_equal (row, t->n_rows);
  assert_int_equal (row, printed[i].rows);
  assert_int_equal (t->n_columns, n);
  llmenv_table_free (t);
  assert_int_equal (bad, 0);
}

static void
compare (size_t i)
{
  char path[1024], file[64];
  snprintf (file, sizeof file, "reference/%s.tsv", printed[i].name);
  if (shared_file (file, path) != NULL)
    compare_table (i, path);
  else
    n_skipped += (int) (printed[i].rows * printed[i].columns);
}

#define TEST(i, table)                                                        \
  static void table (void **state) { (void) state; compare (i); }
TEST (0, ridge) TEST (1, dense) TEST (2, moe) TEST (3, hybrid) TEST (4, gemma4_kv)
TEST (5, beq_ranked) TEST (6, lwall_ranked) TEST (7, beq_resident) TEST (8, bstar)
TEST (9, worst10) TEST (10, exceed80) TEST (11, cheap_end)

/* Every listed misprint was met: none is listed in vain. */
static void
misprints_are_all_met (void **state)
{
  (void) state;
  if (n_skipped == 0)
    assert_int_equal (n_listed, misprints->n_rows);
  assert_int_equal (n_compared + n_skipped, 1614);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (ridge), cmocka_unit_test (dense), cmocka_unit_test (moe),
    cmocka_unit_test (hybrid), cmocka_unit_test (gemma4_kv), cmocka_unit_test (beq_ranked),
    cmocka_unit_test (lwall_ranked), cmocka_unit_test (beq_resident), cmocka_unit_test (bstar),
    cmocka_unit_test (worst10), cmocka_unit_test (exceed80), cmocka_unit_test (cheap_end),
    cmocka_unit_test (misprints_are_all_met),
  };
  use_shipped_data ();
  misprints = make ("misprints", 0);
  const int failed = cmocka_run_group_tests (tests, NULL, NULL);
  print_message ("compared %d cells (%d listed as misprints), skipped %d\n", n_compared,
                 n_listed, n_skipped);
  llmenv_table_free (misprints);
  llmenv_catalogue_free (shipped_catalogue ());
  return failed;
}
