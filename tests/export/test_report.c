/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workbook as a file: whole or not at all, the same bytes each time, one
 * line where it cannot be written.  What is in it: check_workbook.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "llmenv_report.h"
#include "llmenv_select.h"

static llmenv_catalogue catalogue;
static char folder[64];        /* of one test */
static char path[128];         /* of a workbook in it */

/* ---- help -------------------------------------------------------------- */

static llmenv_request
usual_request (void)
{
  return (llmenv_request) { .catalogue = &catalogue,
                            .options = llmenv_options_default () };
}

static llmenv_status
report_to (const char *where, llmenv_error *error)
{
  const llmenv_request request = usual_request ();
  *error = (llmenv_error) { LLMENV_OK, "" };
  return llmenv_report_write (where, &request, error);
}

static size_t
count_files (void)
{
  size_t n = 0;
  DIR *d = opendir (folder);
  assert_non_null (d);
  for (const struct dirent *e; (e = readdir (d)) != NULL;)
    n += strcmp (e->d_name, ".") != 0 && strcmp (e->d_name, "..") != 0;
  closedir (d);
  return n;
}

static void
write_text (const char *where, const char *text)
{
  FILE *f = fopen (where, "w");
  assert_non_null (f);
  fputs (text, f);
  fclose (f);
}

static char *
read_all (const char *where, size_t *size)
{
  struct stat st;
  assert_int_equal (stat (where, &st), 0);
  char *bytes = malloc ((size_t) st.st_size + 1);
  FILE *f = fopen (where, "rb");
  assert_non_null (f);
  *size = fread (bytes, 1, (size_t) st.st_size, f);
  fclose (f);
  bytes[*size] = '\0';
  return bytes;
}

static void
assert_holds (const char *where, const char *text)
{
  size_t size;
  char *bytes = read_all (where, &size);
  assert_string_equal (bytes, text);
  free (bytes);
}

static void
assert_is_workbook (const char *where)
{
  size_t size;
  char *bytes = read_all (where, &size);
  assert_true (size > 100000 && size < 5000000);
  assert_memory_equal (bytes, "PK\003\004", 4);
  free (bytes);
}

static int
make_folder (void **state)
{
  (void) state;
  strcpy (folder, "/tmp/llmenv-report-XXXXXX");
  if (mkdtemp (folder) == NULL)
    return 1;
  snprintf (path, sizeof path, "%s/book.xlsx", folder);
  return 0;
}

static int
remove_folder (void **state)
{
  char command[128];
  (void) state;
  snprintf (command, sizeof command, "rm -rf '%s'", folder);
  return system (command);
}

/* Writing to WHERE fails with a file error that holds WHY, on one line, with
 * nothing on standard error. */
static void
assert_refused (const char *where, const char *why)
{
  llmenv_error error;
  char said[sizeof folder + 8];
  snprintf (said, sizeof said, "%s.said", folder);
  fflush (stderr);
  const int kept = dup (2), file = open (said, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  assert_true (kept >= 0 && file >= 0);
  dup2 (file, 2);
  const llmenv_status st = report_to (where, &error);
  fflush (stderr);
  dup2 (kept, 2);
  close (kept);
  close (file);
  assert_holds (said, "");
  unlink (said);
  assert_int_equal (st, LLMENV_EBADFILE);
  if (strstr (error.text, why) == NULL || strchr (error.text, '\n') != NULL)
    fail_msg ("'%s' does not say '%s' on one line", error.text, why);
}

/* ---- what is written --------------------------------------------------- */

static void
test_writes_a_workbook_and_nothing_else (void **state)
{
  llmenv_error error;
  struct stat st;
  (void) state;
  const mode_t mask = umask (027);
  assert_int_equal (report_to (path, &error), LLMENV_OK);
  umask (mask);
  assert_is_workbook (path);
  assert_int_equal (count_files (), 1);
  assert_int_equal (stat (path, &st), 0);
  assert_int_equal (st.st_mode & 0777, 0640);
}

static void
test_equal_bytes (void **state)
{
  llmenv_error error;
  size_t n, m;
  (void) state;
  assert_int_equal (report_to (path, &error), LLMENV_OK);
  char *first = read_all (path, &n);
  sleep (1);
  setenv ("TZ", "Asia/Tokyo", 1);
  assert_int_equal (report_to (path, &error), LLMENV_OK);
  unsetenv ("TZ");
  char *second = read_all (path, &m);
  assert_int_equal (n, m);
  assert_memory_equal (first, second, n);
  free (first);
  free (second);
}

static void
test_replaces_an_older_file (void **state)
{
  llmenv_error error;
  struct stat st;
  (void) state;
  write_text (path, "older");
  assert_int_equal (chmod (path, 0600), 0);
  assert_int_equal (report_to (path, &error), LLMENV_OK);
  assert_is_workbook (path);
  assert_int_equal (stat (path, &st), 0);
  assert_int_equal (st.st_mode & 0777, 0600);
  assert_int_equal (count_files (), 1);
}

static void
test_follows_a_link (void **state)
{
  llmenv_error error;
  char other[128];
  struct stat st;
  (void) state;
  snprintf (other, sizeof other, "%s/real.xlsx", folder);
  write_text (other, "older");
  assert_int_equal (symlink (other, path), 0);
  assert_int_equal (report_to (path, &error), LLMENV_OK);
  assert_is_workbook (other);
  assert_int_equal (lstat (path, &st), 0);
  assert_true (S_ISLNK (st.st_mode));
}

static void
test_name_without_a_folder (void **state)
{
  llmenv_error error;
  char here[4096];
  (void) state;
  assert_non_null (getcwd (here, sizeof here));
  assert_non_null (realpath ("data", here));
  setenv ("LLMENV_DATA", here, 1);
  assert_non_null (getcwd (here, sizeof here));
  assert_int_equal (chdir (folder), 0);
  const llmenv_status st = report_to ("plain.xlsx", &error);
  assert_int_equal (chdir (here), 0);
  setenv ("LLMENV_DATA", "data", 1);
  assert_int_equal (st, LLMENV_OK);
  assert_int_equal (count_files (), 1);
}

static void
test_every_choice_writes (void **state)
{
  static const char *const choices[][2] = {
    { "Convention", "published" }, { "Card", "apple-m1-ultra" },
    { "Model", "gpt-4-1" }, { "Model", "mamba-codestral-7b" },
    { "WeightType", "Q4_K_M" }, { "Context", "0" }, { "Batch", "0" },
    { "Count", "8" }, { "Memory", "1e9" },
  };
  llmenv_error error = { LLMENV_OK, "" };
  (void) state;
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    {
      llmenv_request request = usual_request ();
      assert_int_equal (llmenv_option_set_text (&request.options, choices[i][0],
                                                choices[i][1], &error), LLMENV_OK);
      if (llmenv_report_write (path, &request, &error) != LLMENV_OK)
        fail_msg ("%s %s: %s", choices[i][0], choices[i][1], error.text);
      assert_is_workbook (path);
    }
  llmenv_request printed = usual_request ();
  printed.as_printed = 1;
  assert_int_equal (llmenv_report_write (path, &printed, &error), LLMENV_OK);
}

/* Lists of models, cards and tables, and of what no chart shows anything. */
static void
test_every_selection_writes (void **state)
{
  static const char *const choices[][3] = { /* "": not narrowed */
    { "llama-3-1-8b", "nvidia-h100-sxm", "" }, { "llama-3-1-8b,deepseek-v3", "", "" },
    { "gpt-4-1", "", "" }, { "gpt-4-1", "groq-lpu", "charts" }, { "", "", "corrections" },
    { "mamba-codestral-7b", "apple-m1-ultra", "hybrid,models overview" },
    { "gpt-4-1", "", "scaling" }, { "", "nvidia-h20,nvidia-h20", "cards_overview,ridge" },
  };
  (void) state;
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    {
      llmenv_error error = { LLMENV_OK, "" };
      llmenv_request request = usual_request ();
      llmenv_selection s = { .part = { .n_models = 0 } };
      llmenv_names *const lists[] = { &s.models, &s.cards, &s.tables };
      size_t size;
      for (size_t k = 0; k < 3; k++)
        if (*choices[i][k] != '\0')
          assert_int_equal (llmenv_names_split (lists[k], "list", choices[i][k], &error), LLMENV_OK);
      assert_int_equal (llmenv_request_narrow (&request, &s, &error), LLMENV_OK);
      if (llmenv_report_write (path, &request, &error) != LLMENV_OK)
        fail_msg ("%s, %s, %s: %s", choices[i][0], choices[i][1], choices[i][2], error.text);
      char *bytes = read_all (path, &size);
      assert_true (size > 3000);
      assert_memory_equal (bytes, "PK\003\004", 4);
      free (bytes);
      llmenv_selection_free (&s);
    }
}

/* The catalogue that is narrowed stays as it is. */
static void
test_a_selection_is_a_view (void **state)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_request request = usual_request ();
  llmenv_selection s = { .part = { .n_models = 0 } };
  const size_t models = catalogue.n_models, cards = catalogue.n_cards;
  (void) state;
  assert_int_equal (llmenv_names_split (&s.models, "Models", " Qwen3 8B ,llama-3-1-8b,qwen3-8b", &error), LLMENV_OK);
  assert_int_equal (llmenv_request_narrow (&request, &s, &error), LLMENV_OK);
  assert_int_equal (request.catalogue->n_models, 2);
  assert_string_equal (request.catalogue->models[0]->id, "llama-3-1-8b");
  assert_string_equal (request.catalogue->models[1]->id, "qwen3-8b");
  assert_int_equal (request.catalogue->n_cards, cards);
  assert_string_equal (request.options.model, "qwen3-8b");
  assert_ptr_equal (request.all, &catalogue);
  assert_int_equal (catalogue.n_models, models);
  llmenv_selection_free (&s);
}

/* ---- what is refused --------------------------------------------------- */

static void
test_paths_that_are_none (void **state)
{
  char inside[160], device[64];
  struct stat st;
  (void) state;
  assert_refused ("", "empty");
  assert_refused (folder, "Is a directory");
  snprintf (inside, sizeof inside, "%s/", path);
  assert_refused (inside, "Is a directory");
  snprintf (inside, sizeof inside, "%s/missing/book.xlsx", folder);
  assert_refused (inside, "No such file or directory");
  write_text (path, "a file");
  snprintf (inside, sizeof inside, "%s/book.xlsx", path);
  assert_refused (inside, "Not a directory");
  assert_refused ("/proc/book.xlsx", "/proc/book.xlsx: cannot be written");
  strcpy (device, "/dev/full");
  assert_refused (device, "not a plain file");
  assert_int_equal (stat (device, &st), 0);
  assert_true (S_ISCHR (st.st_mode));
  unlink (path);
  assert_int_equal (mkfifo (path, 0600), 0);
  assert_refused (path, "not a plain file");
  assert_int_equal (count_files (), 1);
}

static void
test_long_path (void **state)
{
  static char longest[6000];
  (void) state;
  snprintf (longest, sizeof longest, "%s/", folder);
  memset (longest + strlen (longest), 'x', 300);
  assert_refused (longest, "File name too long");
  memset (longest + strlen (folder) + 1, 'x', sizeof longest - strlen (folder) - 2);
  assert_refused (longest, "File name too long");
}

static void
test_folder_without_permission (void **state)
{
  (void) state;
  write_text (path, "older");
  assert_int_equal (chmod (folder, 0555), 0);
  const pid_t child = fork ();
  if (child == 0)
    {
      /* Root may write anywhere: be nobody. */
      if (geteuid () == 0 && (setgid (65534) != 0 || setuid (65534) != 0))
        _exit (77);
      llmenv_error error;
      _exit (report_to (path, &error) == LLMENV_EBADFILE
             && strstr (error.text, "Permission denied") != NULL ? 0 : 1);
    }
  int status;
  assert_int_equal (waitpid (child, &status, 0), child);
  chmod (folder, 0755);
  assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) == 77)
    print_message ("skipped: cannot become another user\n");
  else
    assert_int_equal (WEXITSTATUS (status), 0);
  assert_holds (path, "older");
  assert_int_equal (count_files (), 1);
}

/* A limit on the size of files, the signal at its default: it would kill. */
static void
test_limit_on_file_size (void **state)
{
  struct rlimit before, small;
  (void) state;
  write_text (path, "older");
  assert_int_equal (getrlimit (RLIMIT_FSIZE, &before), 0);
  for (rlim_t limit = 0; limit < 1000000; limit = 4 * limit + 1000)
    {
      small = before;
      small.rlim_cur = limit;
      assert_int_equal (setrlimit (RLIMIT_FSIZE, &small), 0);
      llmenv_error error;
      const llmenv_status st = report_to (path, &error);
      assert_int_equal (setrlimit (RLIMIT_FSIZE, &before), 0);
      assert_int_equal (st, LLMENV_EBADFILE);
      assert_non_null (strstr (error.text, "File too large"));
    }
  assert_holds (path, "older");
  assert_int_equal (count_files (), 1);
}

/* On a small disk of its own, in a namespace that ends with the child. */
static int
write_to_a_full_disk (const char *size)
{
  char options[32];
  snprintf (options, sizeof options, "size=%s", size);
  if (unshare (CLONE_NEWNS) != 0
      || mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0
      || mount ("tmpfs", folder, "tmpfs", 0, options) != 0)
    return 77;
  llmenv_error error;
  write_text (path, "older");
  if (report_to (path, &error) != LLMENV_EBADFILE)
    return 1;
  if (strstr (error.text, "No space left on device") == NULL)
    return 2;
  assert_holds (path, "older");
  return count_files () == 1 ? 0 : 3;
}

static void
test_full_disk (void **state)
{
  static const char *const sizes[] = { "16k", "300k", "1m", "4m" };
  (void) state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      int status;
      const pid_t child = fork ();
      if (child == 0)
        _exit (write_to_a_full_disk (sizes[i]));
      assert_int_equal (waitpid (child, &status, 0), child);
      assert_true (WIFEXITED (status));
      if (WEXITSTATUS (status) == 77)
        {
          print_message ("skipped: no right to mount a small disk\n");
          return;
        }
      assert_int_equal (WEXITSTATUS (status), 0);
    }
}

static void
test_bad_options_leave_an_older_file (void **state)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_request request = usual_request ();
  (void) state;
  write_text (path, "older");
  strcpy (request.options.card, "no-such-card");
  assert_int_equal (llmenv_report_write (path, &request, &error), LLMENV_ECARD);
  request = usual_request ();
  strcpy (request.options.model, "no-such-model");
  assert_int_equal (llmenv_report_write (path, &request, &error), LLMENV_EMODEL);
  request = usual_request ();
  request.options.settings.utilization = -1;
  assert_int_equal (llmenv_report_write (path, &request, &error), LLMENV_EBADVALUE);
  const char *const tables[] = { "ridge", "desne" };
  request = usual_request ();
  request.tables = tables;
  request.n_tables = 2;
  assert_int_equal (llmenv_report_write (path, &request, &error), LLMENV_EBADOPTION);
  assert_non_null (strstr (error.text, "no table 'desne'; nearest: dense"));
  assert_holds (path, "older");
  assert_int_equal (count_files (), 1);
}

int
main (void)
{
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown (test, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
    IN_A_FOLDER (test_writes_a_workbook_and_nothing_else),
    IN_A_FOLDER (test_equal_bytes),
    IN_A_FOLDER (test_replaces_an_older_file),
    IN_A_FOLDER (test_follows_a_link),
    IN_A_FOLDER (test_name_without_a_folder),
    IN_A_FOLDER (test_every_choice_writes),
    IN_A_FOLDER (test_every_selection_writes),
    cmocka_unit_test (test_a_selection_is_a_view),
    IN_A_FOLDER (test_paths_that_are_none),
    IN_A_FOLDER (test_long_path),
    IN_A_FOLDER (test_folder_without_permission),
    IN_A_FOLDER (test_limit_on_file_size),
    IN_A_FOLDER (test_full_disk),
    IN_A_FOLDER (test_bad_options_leave_an_older_file),
  };
  llmenv_error error = { LLMENV_OK, "" };
  gsl_set_error_handler_off ();
  setenv ("LLMENV_DATA", "data", 1);
  if (llmenv_catalogue_load (&catalogue, &error) != LLMENV_OK)
    {
      fprintf (stderr, "%s\n", error.text);
      return 1;
    }
  const int failed = cmocka_run_group_tests (tests, NULL, NULL);
  llmenv_catalogue_free (&catalogue);
  return failed;
}
