/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live_book.h"
#include "sheet_charts.h"
#include "sheet_contents.h"
#include "sheet_table.h"

/* Free space that writing may take: the file and libxlsxwriter's scratch files,
 * whose own write errors it does not report. */
enum { ROOM = 8 * 1024 * 1024 };

/* 2026-01-01: a fixed date, so that equal inputs give equal bytes. */
#define CREATED 1767225600

static llmenv_status
refuse (const char *path, const char *why, llmenv_error *error)
{
  char shown[400];
  llmenv_printable (path, shown, sizeof shown);
  return llmenv_error_set (error, LLMENV_EBADFILE, "%s: cannot be written: %s", shown, why);
}

/* ---- the file ---------------------------------------------------------- */

/* Where the workbook goes, and the temporary file that becomes it. */
typedef struct
{
  char *target;                /* PATH, links followed */
  char *folder;
  char *temporary;             /* NULL until it exists */
} destination;

static void
destination_free (destination *d)
{
  if (d->temporary != NULL)
    unlink (d->temporary);
  free (d->temporary);
  free (d->folder);
  free (d->target);
}

/* What is at PATH must be nothing or a plain file. */
static llmenv_status
check_target (const char *path, llmenv_error *error)
{
  struct stat st;
  const size_t n = strlen (path);
  if (n == 0)
    return llmenv_error_set (error, LLMENV_EBADFILE, "the workbook's path is empty");
  if (path[n - 1] == '/')
    return refuse (path, strerror (EISDIR), error);
  if (stat (path, &st) != 0)
    return errno == ENOENT ? LLMENV_OK : refuse (path, strerror (errno), error);
  if (S_ISDIR (st.st_mode))
    return refuse (path, strerror (EISDIR), error);
  return S_ISREG (st.st_mode) ? LLMENV_OK
         : refuse (path, "not a plain file", error);
}

/* Split into target and folder. */
static llmenv_status
find_folder (const char *path, destination *d, llmenv_error *error)
{
  char *real = realpath (path, NULL);
  d->target = real != NULL ? real : strdup (path);
  d->folder = d->target != NULL ? strdup (d->target) : NULL;
  if (d->folder == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  char *slash = strrchr (d->folder, '/');
  if (slash == NULL)
    strcpy (d->folder, ".");   /* a name of at least one character */
  else
    slash[slash == d->folder] = '\0';
  return LLMENV_OK;
}

/* Permissions of the older file, else those of any new one. */
static mode_t
wanted_mode (const char *target)
{
  struct stat st;
  if (stat (target, &st) == 0)
    return st.st_mode & 0777;
  const mode_t mask = umask (0);
  umask (mask);
  return 0666 & ~mask;
}

/* Whether ROOM bytes can be written through FD; they are given back. */
static int
reserve_room (int fd)
{
  struct rlimit limit;
  if (getrlimit (RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < ROOM)
    return EFBIG;
  const int failed = posix_fallocate (fd, 0, ROOM);
  if (ftruncate (fd, 0) != 0)
    return errno;
  return failed == EINVAL || failed == EOPNOTSUPP ? 0 : failed;
}

static llmenv_status
open_temporary (const char *path, destination *d, llmenv_error *error)
{
  char *name;
  if (asprintf (&name, "%s/.llmenv-XXXXXX", d->folder) < 0)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  const int fd = mkstemp (name);
  if (fd < 0)
    {
      const int why = errno;
      free (name);
      return refuse (path, strerror (why), error);
    }
  d->temporary = name;
  int failed = reserve_room (fd);
  if (fchmod (fd, wanted_mode (d->target)) != 0 && failed == 0)
    failed = errno;
  if (close (fd) != 0 && failed == 0)
    failed = errno;
  return failed == 0 ? LLMENV_OK : refuse (path, strerror (failed), error);
}

static llmenv_status
destination_open (const char *path, destination *d, llmenv_error *error)
{
  *d = (destination) { NULL, NULL, NULL };
  LLMENV_TRY (check_target (path, error));
  LLMENV_TRY (find_folder (path, d, error));
  return open_temporary (path, d, error);
}

static llmenv_status
destination_commit (const char *path, destination *d, llmenv_error *error)
{
  if (rename (d->temporary, d->target) != 0)
    return refuse (path, strerror (errno), error);
  free (d->temporary);
  d->temporary = NULL;
  return LLMENV_OK;
}

/* ---- the book ---------------------------------------------------------- */

static void
set_properties (xl_book *book)
{
  lxw_doc_properties properties = {
    .title = "llmenv: the memory envelope of LLM inference",
    .subject = "What models hold and stream, and where the binding resource changes",
    .author = "llmenv",
    .keywords = "LLM, inference, KV cache, roofline, memory",
    .comments = "Every figure is computed by llmenv from its records; see sheet assumptions.",
    .created = CREATED,
  };
  const lxw_error e = workbook_set_properties (book->workbook, &properties);
  if (e != LXW_NO_ERROR && book->error == LXW_NO_ERROR)
    book->error = e;
}

static void
write_sheets (sheet_plan *plan, chart_data *data, xl_book *book, live_book *live,
              const char *why_not)
{
  xl_sheet contents = xl_sheet_add (book, SHEET_CONTENTS);
  if (live != NULL)
    live_book_open (live, book, plan->request);
  for (size_t i = 0; i < plan->n && book->error == LXW_NO_ERROR; i++)
    plan->sheets[i].xl = xl_sheet_add (book, plan->sheets[i].name);
  if (live != NULL && book->error == LXW_NO_ERROR)
    live_book_data (live);
  if (book->error != LXW_NO_ERROR)
    return;
  worksheet_set_tab_color (contents.worksheet, 0x1F3A5F);
  for (size_t i = 0; i < plan->n; i++)
    {
      sheet *s = &plan->sheets[i];
      worksheet_set_tab_color (s->xl.worksheet, sheet_group_color (s->group));
      if (s->table != NULL)
        sheet_table_write (plan, s, live);
    }
  chart_data_write (plan, data, live);
  sheet_charts_write (plan, data);
  sheet_contents_write (plan, &contents, live != NULL, why_not);
  worksheet_activate (contents.worksheet);
}

/* Write the book to the file NAME in FOLDER's scratch space; free it. */
static lxw_error
write_book (sheet_plan *plan, chart_data *data, char *name, char *folder,
            xl_book *book)
{
  const char *why_not = NULL;
  live_book *live = !plan->request->values_only && live_can (plan->request, &why_not)
                    ? calloc (1, sizeof *live) : NULL;
  lxw_workbook_options options = { .tmpdir = folder };
  *book = (xl_book) { .workbook = workbook_new_opt (name, &options) };
  if (book->workbook == NULL)
    return LXW_ERROR_MEMORY_MALLOC_FAILED;
  set_properties (book);
  write_sheets (plan, data, book, live, why_not);
  if (live != NULL)
    live_book_free (live);
  free (live);
  if (book->error == LXW_NO_ERROR)
    return workbook_close (book->workbook);
  lxw_workbook_free (book->workbook);
  return book->error;
}

static llmenv_status
make_and_write (const char *path, const llmenv_request *request, destination *d,
                llmenv_error *error)
{
  sheet_plan plan;
  chart_data *data = calloc (1, sizeof *data);
  xl_book *book = calloc (1, sizeof *book);
  llmenv_status st = data == NULL || book == NULL
                     ? llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory")
                     : sheet_plan_make (&plan, request, error);
  if (data != NULL && book != NULL)
    {
      if (st == LLMENV_OK)
        st = chart_data_make (&plan, data, error);
      if (st == LLMENV_OK)
        {
          const lxw_error failed = write_book (&plan, data, d->temporary, d->folder, book);
          char why[200];
          snprintf (why, sizeof why, "%.100s%s%s", lxw_strerror (failed),
                    *book->where != '\0' ? " " : "", book->where);
          if (failed != LXW_NO_ERROR)
            st = refuse (path, why, error);
        }
      chart_data_free (data);
      sheet_plan_free (&plan);
    }
  free (book);
  free (data);
  return st;
}

llmenv_status
llmenv_report_write (const char *path, const llmenv_request *request,
                     llmenv_error *error)
{
  destination d;
  llmenv_status st = destination_open (path, &d, error);
  if (st == LLMENV_OK)
    st = make_and_write (path, request, &d, error);
  if (st == LLMENV_OK)
    st = destination_commit (path, &d, error);
  destination_free (&d);
  return st;
}
