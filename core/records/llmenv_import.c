/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lies at a path, and which reader it needs. */
#include "llmenv_import.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "llmenv_import_config.h"
#include "llmenv_record.h"

#define TRY LLMENV_TRY

enum { PATH_SIZE = 4096 };

/* ---- configurations -------------------------------------------------------- */

llmenv_status
llmenv_import_config (const json_t *config, const char *file, json_t **record,
                      llmenv_import_notes *notes, llmenv_error *error)
{
  llmenv_config *c = malloc (sizeof *c);
  if (c == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  llmenv_status st = llmenv_config_open (c, config, file, notes, error);
  if (st == LLMENV_OK && llmenv_config_is_stack (c))
    st = llmenv_config_stack (c);
  else if (st == LLMENV_OK)
    {
      static llmenv_status (*const stages[]) (llmenv_config *) = {
        llmenv_config_kinds, llmenv_config_attention, llmenv_config_state, llmenv_config_mlp,
      };
      for (size_t i = 0; i < sizeof stages / sizeof *stages && st == LLMENV_OK; i++)
        st = stages[i] (c);
    }
  if (st == LLMENV_OK)
    st = llmenv_config_weights (c);
  if (st == LLMENV_OK)
    st = llmenv_config_format (c);
  if (st == LLMENV_OK)
    st = llmenv_config_record (c, record);
  if (st == LLMENV_OK)
    llmenv_config_report (c);
  llmenv_config_close (c);
  free (c);
  return st;
}

/* ---- files ------------------------------------------------------------------ */

/* "llama.gguf": the first four bytes say what it is, whatever the name. */
static int
starts_with (const char *path, const char *magic)
{
  char head[8] = "";
  const size_t n = strlen (magic);
  const int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return 0;
  const ssize_t got = read (fd, head, n);
  close (fd);
  return got == (ssize_t) n && memcmp (head, magic, n) == 0;
}

static int
ends_with (const char *path, const char *end)
{
  const size_t n = strlen (path), m = strlen (end);
  return n >= m && strcmp (path + n - m, end) == 0;
}

/* A record says what it is called and how much it caches; a configuration
 * does neither. */
static int
is_record (const json_t *json)
{
  return json_is_string (json_object_get (json, "id"))
         && (json_object_get (json, "params_b") != NULL
             || json_object_get (json, "kv_cache_bytes_per_token") != NULL);
}

static void
note_contradiction (const llmenv_model_record *r, llmenv_import_notes *notes)
{
  const llmenv_model *m = &r->model;
  const double least = llmenv_model_record_least_active (r);
  if (!isnan (least))
    llmenv_import_note (notes, "active_params_b is %.15g, and a share of %.15g in %.15g experts of params_b %.15g is %.15g at least: "
                        "what a batch touches of the weights cannot be told, \"no record\" is said where it is needed",
                        m->scalars.active_params / 1e9, m->top, m->experts,
                        m->scalars.params / 1e9, least / 1e9);
}

static llmenv_status
import_record (json_t *json, const char *path, int has_duplicates, json_t **record,
               llmenv_import_notes *notes, llmenv_error *error)
{
  llmenv_model_record *checked;
  if (has_duplicates)
    return llmenv_error_set (error, LLMENV_EBADRECORD, "%s: a key of the record occurs twice", path);
  TRY (llmenv_model_record_make (json_incref (json), path, &checked, error));
  note_contradiction (checked, notes);
  llmenv_model_record_free (checked);
  *record = json_incref (json);
  return LLMENV_OK;
}

static llmenv_status
import_json (const char *path, json_t **record, llmenv_import_notes *notes, llmenv_error *error)
{
  int has_duplicates;
  json_t *json = llmenv_import_json (path, &has_duplicates, error);
  if (json == NULL)
    return error == NULL ? LLMENV_EBADRECORD : error->status;
  llmenv_status st;
  if (is_record (json))
    st = import_record (json, path, has_duplicates, record, notes, error);
  else
    {
      if (has_duplicates)
        llmenv_import_note (notes, "a key occurs twice: the last one counts, as in Transformers");
      st = llmenv_import_config (json, path, record, notes, error);
    }
  json_decref (json);
  return st;
}

/* ---- folders ----------------------------------------------------------------- */

static int
is_regular (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0 && S_ISREG (st.st_mode);
}

/* Path of the first file of FOLDER, by name, that ends in END. */
static int
first_file (const char *folder, const char *end, char path[PATH_SIZE])
{
  char best[256] = "";
  DIR *dir = opendir (folder);
  if (dir == NULL)
    return 0;
  for (const struct dirent *e; (e = readdir (dir)) != NULL;)
    if (ends_with (e->d_name, end) && (best[0] == '\0' || strcmp (e->d_name, best) < 0))
      snprintf (best, sizeof best, "%s", e->d_name);
  closedir (dir);
  return best[0] != '\0' && snprintf (path, PATH_SIZE, "%s/%s", folder, best) < PATH_SIZE;
}

static llmenv_status
import_folder (const char *folder, json_t **record, llmenv_import_notes *notes,
               llmenv_error *error)
{
  char path[PATH_SIZE], tensors[PATH_SIZE];
  const int has_tensors = first_file (folder, ".safetensors", tensors)
                          || first_file (folder, ".safetensors.index.json", tensors);
  if (snprintf (path, sizeof path, "%s/config.json", folder) >= PATH_SIZE)
    return llmenv_error_set (error, LLMENV_EBADFILE, "%.200s...: path too long", folder);
  if (is_regular (path))
    {
      json_t *made = NULL;
      TRY (import_json (path, &made, notes, error));
      if (has_tensors)
        {
          const llmenv_status st = llmenv_import_safetensors (folder, &made, notes, error);
          if (st != LLMENV_OK)
            {
              json_decref (made);
              return st;
            }
        }
      *record = made;
      return LLMENV_OK;
    }
  if (first_file (folder, ".gguf", path))
    return llmenv_import_gguf (path, record, notes, error);
  if (has_tensors)
    {
      json_t *made = NULL;
      TRY (llmenv_import_safetensors (folder, &made, notes, error));
      *record = made;
      return LLMENV_OK;
    }
  return llmenv_error_set (error, LLMENV_EBADFILE,
                           "%s: holds no config.json, GGUF or safetensors file", folder);
}

/* The tensors of PATH, with the config.json beside them where there is one. */
static llmenv_status
import_tensors (const char *path, json_t **record, llmenv_import_notes *notes,
                llmenv_error *error)
{
  char config[PATH_SIZE];
  const char *slash = strrchr (path, '/');
  const int n = slash == NULL ? 0 : (int) (slash - path) + 1;
  json_t *made = NULL;
  if (snprintf (config, sizeof config, "%.*sconfig.json", n, path) < PATH_SIZE
      && is_regular (config))
    TRY (import_json (config, &made, notes, error));
  const llmenv_status st = llmenv_import_safetensors (path, &made, notes, error);
  if (st == LLMENV_OK)
    *record = made;
  else
    json_decref (made);
  return st;
}

llmenv_status
llmenv_import_path (const char *path, json_t **record, llmenv_import_notes *notes,
                    llmenv_error *error)
{
  struct stat st;
  if (stat (path, &st) != 0)
    return llmenv_error_set (error, LLMENV_EBADFILE, "%s: %s", path, strerror (errno));
  if (S_ISDIR (st.st_mode))
    return import_folder (path, record, notes, error);
  if (!S_ISREG (st.st_mode))
    return llmenv_error_set (error, LLMENV_EBADFILE, "%s: not a regular file", path);
  if (starts_with (path, "GGUF") || starts_with (path, "FUGG"))
    return llmenv_import_gguf (path, record, notes, error);
  if (ends_with (path, ".safetensors") || ends_with (path, ".safetensors.index.json"))
    return import_tensors (path, record, notes, error);
  return import_json (path, record, notes, error);
}
