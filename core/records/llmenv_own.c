/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_own.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRY LLMENV_TRY

/* ---- paths --------------------------------------------------------------------- */

static int
has_model_end (const char *text)
{
  static const char *const ends[] = { ".json", ".gguf", ".safetensors" };
  const size_t n = strlen (text);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (n >= strlen (ends[i]) && strcmp (text + n - strlen (ends[i]), ends[i]) == 0)
      return 1;
  return 0;
}

int
llmenv_own_looks_like_path (const char *text)
{
  return strchr (text, '/') != NULL || has_model_end (text);
}

int
llmenv_own_is_path (const char *text)
{
  return llmenv_own_looks_like_path (text) && access (text, F_OK) == 0;
}

int
llmenv_own_is_record (const json_t *json)
{
  return json_is_string (json_object_get (json, "id"))
         && (json_object_get (json, "params_b") != NULL
             || json_object_get (json, "kv_cache_bytes_per_token") != NULL);
}

int
llmenv_own_folder (char path[LLMENV_PATH_SIZE])
{
  const char *data = getenv ("XDG_DATA_HOME"), *home = getenv ("HOME");
  /* The standard: a path that is not absolute counts as not set. */
  if (data != NULL && *data == '/')
    return snprintf (path, LLMENV_PATH_SIZE, "%s/llmenv", data) < LLMENV_PATH_SIZE;
  return home != NULL && *home == '/'
         && snprintf (path, LLMENV_PATH_SIZE, "%s/.local/share/llmenv", home) < LLMENV_PATH_SIZE;
}

/* ---- importing ----------------------------------------------------------------- */

llmenv_status
llmenv_own_load (const char *path, llmenv_model_record **record,
                 llmenv_import_notes *notes, llmenv_error *error)
{
  json_t *json;
  TRY (llmenv_import_path (path, &json, notes, error));
  return llmenv_model_record_make (json, path, record, error);
}

/* Give JSON an id that CATALOGUE does not have. */
static llmenv_status
make_unique (json_t *json, const llmenv_catalogue *catalogue, llmenv_error *error)
{
  char id[300], free_id[340];
  snprintf (id, sizeof id, "%s", llmenv_record_text (json, "id"));
  snprintf (free_id, sizeof free_id, "%s", id);
  for (int i = 1; llmenv_catalogue_model (catalogue, free_id) != NULL; i++)
    if (i == 1)
      snprintf (free_id, sizeof free_id, "%s-own", id);
    else
      snprintf (free_id, sizeof free_id, "%s-own-%d", id, i);
  if (strcmp (free_id, llmenv_record_text (json, "id")) == 0)
    return LLMENV_OK;
  return json_object_set_new (json, "id", json_string (free_id)) == 0 ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
}

llmenv_status
llmenv_own_add (llmenv_catalogue *catalogue, const char *text,
                llmenv_import_notes *notes, llmenv_error *error)
{
  json_t *json;
  llmenv_model_record *record;
  if (!llmenv_own_is_path (text) || llmenv_catalogue_model (catalogue, text) != NULL)
    return LLMENV_OK;
  TRY (llmenv_import_path (text, &json, notes, error));
  const llmenv_status st = make_unique (json, catalogue, error);
  if (st != LLMENV_OK)
    {
      json_decref (json);
      return st;
    }
  TRY (llmenv_model_record_make (json, text, &record, error));
  return llmenv_catalogue_add (catalogue, record, text, error);
}

llmenv_status
llmenv_own_resolve (llmenv_catalogue *catalogue, llmenv_options *options,
                    llmenv_import_notes *notes, llmenv_error *error)
{
  TRY (llmenv_own_add (catalogue, options->model, notes, error));
  const llmenv_model_record *known = llmenv_catalogue_model (catalogue, options->model);
  if (known != NULL)
    snprintf (options->model, sizeof options->model, "%s", known->id);
  return LLMENV_OK;
}

/* ---- saving -------------------------------------------------------------------- */

static llmenv_status
refuse (const char *path, llmenv_error *error)
{
  return llmenv_error_set (error, LLMENV_EBADFILE, "%.400s: cannot be written: %s", path,
                           strerror (errno));
}

/* First folder of LLMENV_DATA, else the user's. */
static llmenv_status
target_folder (char path[LLMENV_PATH_SIZE], llmenv_error *error)
{
  const char *data = getenv ("LLMENV_DATA");
  if (data != NULL)
    data += strspn (data, ":");
  const size_t n = data == NULL ? 0 : strcspn (data, ":");
  if (n >= LLMENV_PATH_SIZE)
    return llmenv_error_set (error, LLMENV_EBADFILE, "LLMENV_DATA: %.60s...: path too long", data);
  if (n > 0)
    {
      memcpy (path, data, n);
      path[n] = '\0';
      return LLMENV_OK;
    }
  return llmenv_own_folder (path) ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EBADFILE,
                             "no folder for records: LLMENV_DATA, XDG_DATA_HOME and HOME are not set");
}

/* Make the folder PATH and those above it. */
static llmenv_status
make_folders (char *path, llmenv_error *error)
{
  for (char *slash = path + 1; slash != NULL; slash = slash + 1)
    {
      slash = strchr (slash, '/');
      if (slash != NULL)
        *slash = '\0';
      const int failed = mkdir (path, 0777) != 0 && errno != EEXIST;
      if (failed)
        return refuse (path, error);
      if (slash == NULL)
        return LLMENV_OK;
      *slash = '/';
    }
  return LLMENV_OK;
}

/* JSON into the open file FD, which is closed. */
static int
write_and_close (const json_t *json, int fd)
{
  const mode_t mask = umask (0);
  umask (mask);
  FILE *out = fchmod (fd, 0666 & ~mask) == 0 ? fdopen (fd, "w") : NULL;
  if (out == NULL)
    {
      close (fd);
      return 0;
    }
  int good = json_dumpf (json, out, JSON_INDENT (2) | JSON_REAL_PRECISION (17)) == 0;
  good = fputc ('\n', out) != EOF && good;
  return fclose (out) == 0 && good;
}

static llmenv_status
write_record (const json_t *json, const char *path, llmenv_error *error)
{
  char temporary[LLMENV_PATH_SIZE + 16];
  snprintf (temporary, sizeof temporary, "%s", path);
  snprintf (strrchr (temporary, '/'), 24, "/.llmenv-XXXXXX");
  const int fd = mkstemp (temporary);
  if (fd < 0)
    return refuse (path, error);
  if (write_and_close (json, fd) && rename (temporary, path) == 0)
    return LLMENV_OK;
  const llmenv_status st = refuse (path, error);
  unlink (temporary);
  return st;
}

static llmenv_status
file_of (const char *folder, const json_t *json, char path[LLMENV_PATH_SIZE],
         llmenv_error *error)
{
  const char *id = llmenv_record_text (json, "id");
  if (!llmenv_record_id_is_file (id))
    {
      char shown[100];
      llmenv_printable (id, shown, sizeof shown);
      return llmenv_error_set (error, LLMENV_EBADRECORD,
                               "id '%s' is no name of a file: letters, digits, '-', '_' and '.'", shown);
    }
  return snprintf (path, LLMENV_PATH_SIZE, "%s/%s.json", folder, id) < LLMENV_PATH_SIZE ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EBADFILE, "%.100s...: path too long", folder);
}

llmenv_status
llmenv_own_save (json_t *json, const llmenv_catalogue *catalogue,
                 char path[LLMENV_PATH_SIZE], llmenv_error *error)
{
  char folder[LLMENV_PATH_SIZE];
  TRY (target_folder (folder, error));
  if (strlen (folder) + sizeof "/models" > sizeof folder)
    return llmenv_error_set (error, LLMENV_EBADFILE, "%.100s...: path too long", folder);
  strcat (folder, "/models");
  TRY (file_of (folder, json, path, error));
  if (access (path, F_OK) != 0)
    {
      TRY (make_unique (json, catalogue, error));
      TRY (file_of (folder, json, path, error));
    }
  TRY (make_folders (folder, error));
  return write_record (json, path, error);
}
