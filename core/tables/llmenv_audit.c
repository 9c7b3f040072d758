/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_audit.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "llmenv_audit_derive.h"
#include "llmenv_gguf.h"
#include "llmenv_own.h"

#define TRY LLMENV_TRY

/* ---- what is audited --------------------------------------------------------- */

static llmenv_status
append (llmenv_audit *audit, llmenv_model_record *record, llmenv_error *error)
{
  llmenv_model_record **grown = realloc (audit->record, (audit->n + 1) * sizeof *grown);
  if (grown == NULL)
    {
      llmenv_model_record_free (record);
      return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
    }
  audit->record = grown;
  audit->record[audit->n++] = record;
  return LLMENV_OK;
}

llmenv_status
llmenv_audit_add_all (llmenv_audit *audit, const llmenv_catalogue *catalogue,
                      llmenv_error *error)
{
  audit->record = malloc ((catalogue->n_models + 1) * sizeof *audit->record);
  if (audit->record == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  for (size_t i = 0; i < catalogue->n_models; i++)
    audit->record[i] = catalogue->models[i];
  audit->n = audit->n_borrowed = catalogue->n_models;
  return LLMENV_OK;
}

llmenv_status
llmenv_audit_add_json (llmenv_audit *audit, json_t *json, const char *file,
                       llmenv_error *error)
{
  llmenv_model_record *record;
  TRY (llmenv_model_record_read (json, file, &record, error));
  return append (audit, record, error);
}

static int
ends_with (const char *text, const char *end)
{
  const size_t n = strlen (text), m = strlen (end);
  return n >= m && strcmp (text + n - m, end) == 0;
}

/* A record at PATH, read though its layers may contradict it; *JSON is NULL
 * where PATH holds something else. */
static llmenv_status
read_record (const char *path, json_t **json, llmenv_error *error)
{
  int has_duplicates;
  *json = NULL;
  if (!ends_with (path, ".json") || ends_with (path, ".index.json"))
    return LLMENV_OK;
  json_t *read = llmenv_import_json (path, &has_duplicates, error);
  if (read == NULL)
    return error->status;
  if (!llmenv_own_is_record (read))
    json_decref (read);
  else if (has_duplicates)
    {
      json_decref (read);
      return llmenv_error_set (error, LLMENV_EBADRECORD,
                               "%s: a key of the record occurs twice", path);
    }
  else
    *json = read;
  return LLMENV_OK;
}

/* The parameter count that a GGUF file states of itself takes the place of the
 * one counted from its tensors, which it is then compared with. */
static void
take_stated_count (const char *path, json_t *record)
{
  llmenv_gguf gguf;
  memset (&gguf, 0, sizeof gguf);
  if (ends_with (path, ".gguf") && llmenv_gguf_open (path, &gguf, NULL) == LLMENV_OK)
    {
      const json_t *stated = json_object_get (gguf.metadata, "general.parameter_count");
      if (json_is_number (stated) && json_number_value (stated) > 0)
        json_object_set_new (record, "params_b", json_real (json_number_value (stated) / 1e9));
    }
  llmenv_gguf_free (&gguf);
}

static llmenv_status
add_file (llmenv_audit *audit, const char *path, llmenv_import_notes *notes,
          llmenv_error *error)
{
  json_t *json;
  TRY (read_record (path, &json, error));
  if (json == NULL)
    {
      TRY (llmenv_import_path (path, &json, notes, error));
      take_stated_count (path, json);
    }
  return llmenv_audit_add_json (audit, json, path, error);
}

/* ---- folders of records -------------------------------------------------------- */

static int
is_record_file (const struct dirent *entry)
{
  return entry->d_name[0] != '.' && ends_with (entry->d_name, ".json")
         && strcmp (entry->d_name, "config.json") != 0;
}

static int
is_model_file (const struct dirent *entry)
{
  return strcmp (entry->d_name, "config.json") == 0 || ends_with (entry->d_name, ".gguf")
         || ends_with (entry->d_name, ".safetensors")
         || ends_with (entry->d_name, ".safetensors.index.json");
}

static void
free_entries (struct dirent **entries, int n)
{
  for (int i = 0; i < n; i++)
    free (entries[i]);
  free (entries);
}

/* 1 for a folder without a model of its own, whose JSON files are records. */
static int
holds_records (const char *path)
{
  struct stat st;
  struct dirent **entries;
  if (stat (path, &st) != 0 || !S_ISDIR (st.st_mode))
    return 0;
  const int models = scandir (path, &entries, is_model_file, NULL);
  if (models > 0)
    free_entries (entries, models);
  else
    free (models == 0 ? entries : NULL);
  if (models != 0)
    return 0;
  const int n = scandir (path, &entries, is_record_file, NULL);
  if (n > 0)
    free_entries (entries, n);
  else
    free (n == 0 ? entries : NULL);
  return n > 0;
}

static llmenv_status
add_folder (llmenv_audit *audit, const char *path, llmenv_import_notes *notes,
            llmenv_error *error)
{
  char file[LLMENV_PATH_SIZE];
  struct dirent **entries;
  const int n = scandir (path, &entries, is_record_file, alphasort);
  if (n < 0)
    return llmenv_error_set (error, LLMENV_EBADFILE, "%.300s: %s", path, strerror (errno));
  llmenv_status st = LLMENV_OK;
  for (int i = 0; i < n && st == LLMENV_OK; i++)
    if (snprintf (file, sizeof file, "%s/%s", path, entries[i]->d_name) < (int) sizeof file)
      st = add_file (audit, file, notes, error);
    else
      st = llmenv_error_set (error, LLMENV_EBADFILE, "%.200s...: path too long", path);
  free_entries (entries, n);
  return st;
}

llmenv_status
llmenv_audit_add (llmenv_audit *audit, const char *which, llmenv_import_notes *notes,
                  llmenv_error *error)
{
  llmenv_model_record *record;
  if (!llmenv_own_is_path (which))
    {
      TRY (llmenv_model_load (which, &record, error));
      return append (audit, record, error);
    }
  return holds_records (which) ? add_folder (audit, which, notes, error)
                               : add_file (audit, which, notes, error);
}

void
llmenv_audit_free (llmenv_audit *audit)
{
  for (size_t i = audit->n_borrowed; i < audit->n; i++)
    llmenv_model_record_free (audit->record[i]);
  free (audit->record);
  *audit = (llmenv_audit) { NULL, 0, 0 };
}

/* ---- the table ------------------------------------------------------------------ */

static llmenv_cell
number (double x, int decimals)
{
  return llmenv_number_cell (x, isnan (x) ? LLMENV_NONE : isinf (x) ? LLMENV_UNBOUNDED
                             : LLMENV_HAS_VALUE, decimals, LLMENV_NEAREST);
}

static void
fill_row (llmenv_table *t, size_t row, const llmenv_finding *f)
{
  const llmenv_cell cells[] = {
    llmenv_text_cell (f->id), llmenv_text_cell (f->field),
    number (f->recorded, -1), number (f->derived, -1), number (f->recorded / f->derived, 4),
    llmenv_text_cell (f->cause), llmenv_text_cell (f->explained), number (f->corrected, -1),
  };
  for (size_t c = 0; c < t->n_columns; c++)
    *llmenv_table_cell (t, row, c) = cells[c];
}

static llmenv_table *
make_table (const llmenv_findings *all)
{
  static const llmenv_column columns[] = {
    { "id", "", "id of the model", LLMENV_TEXT_COLUMN, -1 },
    { "field", "", "field of its record", LLMENV_TEXT_COLUMN, -1 },
    { "recorded", "", "what the record holds", LLMENV_NUMBER_COLUMN, -1 },
    { "derived", "", "what its layers, weights and counts give", LLMENV_NUMBER_COLUMN, -1 },
    { "ratio", "", "recorded over derived", LLMENV_NUMBER_COLUMN, 4 },
    { "cause", "", "a mistake that gives the recorded value", LLMENV_TEXT_COLUMN, -1 },
    { "explained", "", "how the record itself accounts for the difference", LLMENV_TEXT_COLUMN, -1 },
    { "corrected", "", "right value that a correction of the record holds", LLMENV_NUMBER_COLUMN, -1 },
  };
  const size_t n = sizeof columns / sizeof *columns;
  llmenv_table *t = llmenv_table_new ("audit", "Derived fields that do not match", n, all->n);
  if (t == NULL)
    return NULL;
  memcpy (t->columns, columns, sizeof columns);
  for (size_t i = 0; i < all->n; i++)
    fill_row (t, i, &all->finding[i]);
  return t;
}

llmenv_status
llmenv_audit_make (const llmenv_audit *audit, const llmenv_request *request,
                   llmenv_table **table, size_t *unexplained, llmenv_error *error)
{
  const llmenv_convention convention = request->options.settings.convention;
  llmenv_findings all = { NULL, 0 };
  llmenv_status st = LLMENV_OK;
  for (size_t i = 0; i < audit->n && st == LLMENV_OK; i++)
    st = llmenv_audit_record (audit->record[i], convention, &all, error);
  llmenv_table *t = st == LLMENV_OK ? make_table (&all) : NULL;
  size_t open = 0;
  for (size_t i = 0; i < all.n; i++)
    open += *all.finding[i].explained == '\0';
  if (t != NULL)
    {
      snprintf (t->caption, sizeof t->caption, "%s: %zu record%s, %zu finding%s, %zu not explained",
                convention == LLMENV_PUBLISHED ? "values of the documents and of earlier records"
                                               : "right values",
                audit->n, audit->n == 1 ? "" : "s", all.n, all.n == 1 ? "" : "s", open);
      *unexplained = open;
      *table = t;
    }
  else if (st == LLMENV_OK)
    st = llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  free (all.finding);
  return st;
}
