/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the core tests share: comparisons that say what differs, shipped
 * records by id, a repeatable random number, the folder of LLMENV_SHARED. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <gsl/gsl_errno.h>

#include "llmenv_catalogue.h"
#include "llmenv_quantity.h"

#define N_OF_ARRAY(array) (sizeof (array) / sizeof *(array))

/* ---- comparisons ------------------------------------------------------- */

/* Equal: the same NaN, the same infinity, or within REL of the larger. */
static inline int
is_near (double got, double want, double rel)
{
  if (isnan (want) || isnan (got))
    return isnan (want) && isnan (got);
  if (isinf (want) || isinf (got) || rel == 0)
    return got == want;
  return fabs (got - want) <= rel * fmax (fabs (got), fabs (want));
}

/* Fails with WHAT, both numbers and the caller's line. */
static inline void
near_or_fail (double got, double want, double rel, const char *what,
              const char *file, int line)
{
  if (is_near (got, want, rel))
    return;
  print_error ("%s: got %.17g, want %.17g (within %g)\n", what, got, want, rel);
  _fail (file, line);
}
#define NEAR(got, want, rel, what)                                            \
  near_or_fail (got, want, rel, what, __FILE__, __LINE__)

static inline void
text_or_fail (const char *text, const char *part, const char *what,
              const char *file, int line)
{
  if (strstr (text, part) != NULL)
    return;
  print_error ("%s: \"%s\" is not in \"%s\"\n", what, part, text);
  _fail (file, line);
}
#define HAS_TEXT(text, part, what)                                            \
  text_or_fail (text, part, what, __FILE__, __LINE__)

static inline void
status_or_fail (llmenv_status got, llmenv_status want, const char *text,
                const char *what, const char *file, int line)
{
  if (got == want)
    return;
  print_error ("%s: status %s, want %s (%s)\n", what, llmenv_status_id (got),
               llmenv_status_id (want), text);
  _fail (file, line);
}
#define STATUS(got, want, error, what)                                        \
  status_or_fail (got, want, (error).text, what, __FILE__, __LINE__)

/* One line, not empty, without control characters. */
static inline int
is_one_line (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if ((unsigned char) *c < 0x20 || *c == 0x7F)
      return 0;
  return *text != '\0';
}

/* ---- a repeatable random number (xorshift64*) -------------------------- */

static inline double
random_unit (uint64_t *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double) ((*state * 0x2545F4914F6CDD1DULL) >> 11) * 0x1p-53;
}

/* A whole number from LO to HI. */
static inline double
random_whole (uint64_t *state, double lo, double hi)
{
  return lo + floor (random_unit (state) * (hi - lo + 1));
}

/* ---- shipped records --------------------------------------------------- */

/* The test may be built deeper than programs find data/ beside themselves; then
 * it is taken from where the test runs. Called once, first. Returns what must
 * follow a folder in LLMENV_DATA: "" or ":data". */
static inline const char *
use_shipped_data (void)
{
  char path[LLMENV_PATH_SIZE];
  llmenv_error error;
  gsl_set_error_handler_off ();
  unsetenv ("LLMENV_DATA");
  if (llmenv_data_file ("models", path, &error) == LLMENV_OK)
    return "";
  setenv ("LLMENV_DATA", "data", 1);
  return ":data";
}

static inline llmenv_catalogue *
shipped_catalogue (void)
{
  static llmenv_catalogue catalogue;
  llmenv_error error = { LLMENV_OK, "" };
  if (catalogue.models == NULL
      && llmenv_catalogue_load (&catalogue, &error) != LLMENV_OK)
    {
      print_error ("catalogue: %s\n", error.text);
      exit (1);
    }
  return &catalogue;
}

/* Options from name, value, ..., NULL. */
static inline void
set_options (llmenv_options *options, va_list args)
{
  llmenv_error error = { LLMENV_OK, "" };
  const char *name;
  while ((name = va_arg (args, const char *)) != NULL)
    if (llmenv_option_set_text (options, name, va_arg (args, const char *),
                                &error) != LLMENV_OK)
      {
        print_error ("%s\n", error.text);
        _fail (__FILE__, __LINE__);
      }
}

/* Envelope of a shipped MODEL on a shipped CARD (NULL: none) with options as
 * name, value, ..., NULL. */
static inline llmenv_envelope
shipped (const char *model, const char *card, ...)
{
  llmenv_options options = llmenv_options_default ();
  llmenv_envelope e;
  va_list args;
  va_start (args, card);
  set_options (&options, args);
  va_end (args);
  const llmenv_catalogue *c = shipped_catalogue ();
  const llmenv_model_record *m = llmenv_catalogue_model (c, model);
  const llmenv_card_record *a = card == NULL ? NULL : llmenv_catalogue_card (c, card);
  if (m == NULL || (card != NULL && a == NULL))
    {
      print_error ("no record %s or %s\n", model, card == NULL ? "" : card);
      _fail (__FILE__, __LINE__);
    }
  llmenv_card_numbers n = { { NAN, NAN, NAN }, 0, 0 };
  if (a != NULL)
    n = llmenv_card_numbers_get (a, &options);
  assert_int_equal (llmenv_envelope_make (&m->model, a == NULL ? NULL : &n.card,
                                          &options.settings, &e), LLMENV_OK);
  return e;
}

/* Value of quantity NAME. */
static inline double
value_of (const char *name, const llmenv_envelope *e, double B, double L)
{
  const int q = llmenv_quantity_find (name);
  assert_true (q >= 0);
  return llmenv_quantity_value ((llmenv_quantity) q, e, B, L);
}

/* Word of that value's reason. */
static inline const char *
reason_of (const char *name, const llmenv_envelope *e, double value)
{
  const int q = llmenv_quantity_find (name);
  assert_true (q >= 0);
  return llmenv_reason_word (llmenv_quantity_reason ((llmenv_quantity) q, e, value));
}

/* ---- the shared folder ------------------------------------------------- */

/* Path of FILE under LLMENV_SHARED (default ../shared), or NULL, said aloud,
 * where it is absent. */
static inline const char *
shared_file (const char *file, char path[1024])
{
  const char *folder = getenv ("LLMENV_SHARED");
  snprintf (path, 1024, "%s/%s", folder != NULL && *folder != '\0' ? folder
                                                                  : "../shared", file);
  if (access (path, R_OK) == 0)
    return path;
  print_message ("SKIPPED: %s is absent (set LLMENV_SHARED)\n", path);
  return NULL;
}

#endif
