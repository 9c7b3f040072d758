/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statuses, words of enums and error texts: complete, distinct, one line. */
#include "check.h"

#include "llmenv_error.h"

static void
every_status_has_an_id_and_a_text (void **state)
{
  (void) state;
  for (int s = 0; s < LLMENV_STATUS_COUNT; s++)
    {
      const char *id = llmenv_status_id ((llmenv_status) s);
      assert_true (is_one_line (id) && strcmp (id, "unknown") != 0);
      assert_true (strspn (id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
                   == strlen (id));
      assert_true (is_one_line (llmenv_status_text ((llmenv_status) s)));
      for (int t = 0; t < s; t++)
        assert_string_not_equal (id, llmenv_status_id ((llmenv_status) t));
    }
  assert_int_equal (LLMENV_OK, 0);
  assert_string_equal (llmenv_status_id (LLMENV_OK), "ok");
}

/* The identifiers that spec section 5 fixes. */
static void
ids_are_those_of_the_specification (void **state)
{
  static const char *const wanted[] = {
    "badCall", "badType", "badSize", "badValue", "badOption", "unknownModel",
    "unknownCard", "badRecord", "badFile", "noBracket", "tooLarge" };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (wanted); i++)
    {
      int found = 0;
      for (int s = 0; s < LLMENV_STATUS_COUNT; s++)
        found += strcmp (wanted[i], llmenv_status_id ((llmenv_status) s)) == 0;
      assert_int_equal (found, 1);
    }
}

static void
what_is_no_status_is_unknown (void **state)
{
  static const int none[] = { -1, LLMENV_STATUS_COUNT, LLMENV_STATUS_COUNT + 1,
                              1000000, -2147483647 };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (none); i++)
    {
      const llmenv_status s = (llmenv_status) none[i];
      assert_string_equal (llmenv_status_id (s), "unknown");
      HAS_TEXT (llmenv_status_text (s), "unknown", "text");
    }
}

typedef const char *(*word_fn) (int);

static const char *kind_word (int i) { return llmenv_layer_kind_word ((llmenv_layer_kind) i); }
static const char *role_word (int i) { return llmenv_weight_role_word ((llmenv_weight_role) i); }
static const char *role_meaning (int i) { return llmenv_weight_role_meaning ((llmenv_weight_role) i); }
static const char *reason_word (int i) { return llmenv_reason_word ((llmenv_reason) i); }
static const char *limit_word (int i) { return llmenv_limit_word ((llmenv_limit) i); }

static void
every_enum_has_distinct_words (void **state)
{
  static const struct { word_fn word; int n, first; } lists[] = {
    { kind_word, LLMENV_LAYER_KIND_COUNT, 0 },
    { role_word, LLMENV_WEIGHT_ROLE_COUNT, 0 },
    { role_meaning, LLMENV_WEIGHT_ROLE_COUNT, 0 },
    { reason_word, LLMENV_REASON_COUNT, 1 },  /* HAS_VALUE has no word */
    { limit_word, LLMENV_LIMIT_COUNT, 0 },
  };
  (void) state;
  for (size_t k = 0; k < N_OF_ARRAY (lists); k++)
    {
      for (int i = lists[k].first; i < lists[k].n; i++)
        {
          assert_true (is_one_line (lists[k].word (i)));
          for (int j = lists[k].first; j < i; j++)
            assert_string_not_equal (lists[k].word (i), lists[k].word (j));
        }
      assert_string_equal (lists[k].word (lists[k].n), "unknown");
      assert_string_equal (lists[k].word (-1), "unknown");
    }
  assert_string_equal (llmenv_reason_word (LLMENV_HAS_VALUE), "");
}

/* The words of spec section 3. */
static void
reasons_are_those_of_the_specification (void **state)
{
  (void) state;
  assert_string_equal (llmenv_reason_word (LLMENV_NONE), "none");
  assert_string_equal (llmenv_reason_word (LLMENV_NEVER), "never");
  assert_string_equal (llmenv_reason_word (LLMENV_UNBOUNDED), "unbounded");
  assert_string_equal (llmenv_reason_word (LLMENV_NO_RECORD), "no record");
  assert_string_equal (llmenv_reason_word (LLMENV_NOT_APPLICABLE), "not applicable");
  assert_string_equal (llmenv_reason_word (LLMENV_DOES_NOT_FIT), "does not fit");
}

/* ---- error texts ------------------------------------------------------- */

static void
errors_are_one_line_whatever_they_quote (void **state)
{
  char long_text[3000];
  llmenv_error e;
  (void) state;
  assert_int_equal (llmenv_error_set (&e, LLMENV_EBADFILE, "%s", "a\nb\tc\x1b[31m\r"),
                    LLMENV_EBADFILE);
  assert_int_equal (e.status, LLMENV_EBADFILE);
  assert_true (is_one_line (e.text));
  memset (long_text, 'x', sizeof long_text - 1);
  long_text[sizeof long_text - 1] = '\0';
  llmenv_error_set (&e, LLMENV_EBADFILE, "%s", long_text);
  assert_int_equal (strlen (e.text), sizeof e.text - 1);
  assert_int_equal (llmenv_error_set (NULL, LLMENV_EMODEL, "%d", 1), LLMENV_EMODEL);
}

static void
printable_text_fits_and_is_printable (void **state)
{
  static const char *const texts[] = { "", "abc", "a\nb", "\xff\xfe\x01", "12345678901234567890" };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (texts); i++)
    for (size_t size = 5; size < 24; size++)
      {
        char out[24];
        memset (out, 'Z', sizeof out);
        llmenv_printable (texts[i], out, size);
        assert_true (strlen (out) < size);
        for (const char *c = out; *c != '\0'; c++)
          assert_true (*c >= 0x20 && *c < 0x7F);
      }
}

static void
plain_names_are_letters_and_digits (void **state)
{
  static const struct { const char *name, *plain; } cases[] = {
    { "Llama 3.1 8B", "llama318b" }, { "meta-llama/Llama-3.1", "metallamallama31" },
    { "", "" }, { "---", "" }, { "\xc3\xa9", "" } };
  char out[100];
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      llmenv_plain_name (cases[i].name, out, sizeof out);
      assert_string_equal (out, cases[i].plain);
    }
  llmenv_plain_name ("abcdef", out, 4);
  assert_string_equal (out, "abc");
}

static void
nearest_names_come_nearest_first (void **state)
{
  llmenv_nearest n;
  char text[200];
  (void) state;
  llmenv_nearest_start (&n, "capacty");
  llmenv_nearest_offer (&n, "throughput");   /* far: not named */
  llmenv_nearest_offer (&n, "capacities");   /* 3 edits: y -> i and more */
  llmenv_nearest_offer (&n, "capacity");     /* 1 edit */
  llmenv_nearest_text (&n, text, sizeof text);
  assert_string_equal (text, "; nearest: capacity, capacities");
  llmenv_nearest_start (&n, "zzzzzz");
  llmenv_nearest_offer (&n, "capacity");
  llmenv_nearest_text (&n, text, sizeof text);
  assert_string_equal (text, "");
  llmenv_nearest_start (&n, "\n\xff");
  llmenv_nearest_offer (&n, "capacity");
  llmenv_nearest_text (&n, text, sizeof text);
  assert_string_equal (text, "");
}

static void
at_most_three_are_named (void **state)
{
  llmenv_nearest n;
  char text[40], names[10][32];
  (void) state;
  llmenv_nearest_start (&n, "aaaaaaaa");
  for (int i = 0; i < 10; i++)
    {
      snprintf (names[i], sizeof names[i], "aaaaaaa%d", i);
      llmenv_nearest_offer (&n, names[i]);
    }
  assert_int_equal (n.n, 3);
  llmenv_nearest_text (&n, text, sizeof text);  /* cut, never over its end */
  assert_true (strlen (text) < sizeof text);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (every_status_has_an_id_and_a_text),
    cmocka_unit_test (ids_are_those_of_the_specification),
    cmocka_unit_test (what_is_no_status_is_unknown),
    cmocka_unit_test (every_enum_has_distinct_words),
    cmocka_unit_test (reasons_are_those_of_the_specification),
    cmocka_unit_test (errors_are_one_line_whatever_they_quote),
    cmocka_unit_test (printable_text_fits_and_is_printable),
    cmocka_unit_test (plain_names_are_letters_and_digits),
    cmocka_unit_test (nearest_names_come_nearest_first),
    cmocka_unit_test (at_most_three_are_named),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
