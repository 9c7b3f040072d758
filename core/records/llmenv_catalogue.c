/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_catalogue.h"

#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "llmenv_json.h"
#include "llmenv_own.h"

/* ---- folders ----------------------------------------------------------- */

enum { MAX_FOLDERS = 64, MOST_NAMED = MAX_FOLDERS - 2 };

typedef struct
{
  char path[MAX_FOLDERS][LLMENV_PATH_SIZE];
  size_t n;
} folders;

static int
is_folder (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0 && S_ISDIR (st.st_mode);
}

static void
add_folder (folders *f, const char *path)
{
  if (f->n < MAX_FOLDERS && *path != '\0' && is_folder (path))
    snprintf (f->path[f->n++], LLMENV_PATH_SIZE, "%s", path);
}

/* Folder of the program or shared object that holds this code. */
static int
own_folder (char folder[LLMENV_PATH_SIZE])
{
  Dl_info info;
  char resolved[PATH_MAX];
  if (dladdr ((void *) (size_t) &llmenv_data_file, &info) == 0
      || info.dli_fname == NULL)
    return 0;
  /* A program is named as it was called, perhaps by a search of PATH. */
  const char *file = strchr (info.dli_fname, '/') != NULL
                     && realpath (info.dli_fname, resolved) != NULL
                     ? resolved : realpath ("/proc/self/exe", resolved);
  if (file == NULL)
    return 0;
  snprintf (folder, LLMENV_PATH_SIZE, "%s", file);
  *strrchr (folder, '/') = '\0';
  return 1;
}

static void
add_shipped (folders *f)
{
  static const char *const places[]
    = { "data", "../data", "../../data", "../../../data",
        "../../../../data", "../share/llmenv/data" };
  char own[LLMENV_PATH_SIZE], path[LLMENV_PATH_SIZE];
  if (!own_folder (own))
    return;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    {
      if ((size_t) snprintf (path, sizeof path, "%s/%s/models", own, places[i])
          >= sizeof path || !is_folder (path))
        continue;
      *strrchr (path, '/') = '\0';
      add_folder (f, path);
      return;
    }
}

/* The folders of LLMENV_DATA; empty ones count for nothing. */
static llmenv_status
add_named (folders *f, llmenv_error *error)
{
  const char *extra = getenv ("LLMENV_DATA");
  char path[LLMENV_PATH_SIZE];
  for (size_t n; extra != NULL && *extra != '\0'; extra += n + (extra[n] == ':'))
    {
      n = strcspn (extra, ":");
      if (n >= sizeof path)
        return llmenv_error_set (error, LLMENV_EBADFILE, "LLMENV_DATA: %.60s...: path too long", extra);
      memcpy (path, extra, n);
      path[n] = '\0';
      if (n > 0 && !is_folder (path))
        return llmenv_error_set (error, LLMENV_EBADFILE, "LLMENV_DATA: %s: no such folder", path);
      if (n > 0 && f->n == MOST_NAMED)
        return llmenv_error_set (error, LLMENV_EBADFILE, "LLMENV_DATA: more than %d folders", MOST_NAMED);
      add_folder (f, path);
    }
  return LLMENV_OK;
}

static llmenv_status
find_folders (folders **found, llmenv_error *error)
{
  char path[LLMENV_PATH_SIZE];
  folders *f = calloc (1, sizeof *f);
  if (f == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  const llmenv_status st = add_named (f, error);
  if (st != LLMENV_OK)
    {
      free (f);
      return st;
    }
  if (llmenv_own_folder (path))
    add_folder (f, path);
  add_shipped (f);
  *found = f;
  return LLMENV_OK;
}

static llmenv_status
no_file (const char *name, llmenv_error *error)
{
  char own[LLMENV_PATH_SIZE];
  const char *extra = getenv ("LLMENV_DATA");
  return llmenv_error_set (error, LLMENV_EBADFILE,
                           "no data file %s in LLMENV_DATA (%.200s) or beside %.300s",
                           name, extra == NULL ? "not set" : extra,
                           own_folder (own) ? own : "the program");
}

llmenv_status
llmenv_data_file (const char *name, char path[LLMENV_PATH_SIZE],
                  llmenv_error *error)
{
  folders *f;
  LLMENV_TRY (find_folders (&f, error));
  llmenv_status st = LLMENV_EBADFILE;
  for (size_t i = 0; i < f->n && st != LLMENV_OK; i++)
    if ((size_t) snprintf (path, LLMENV_PATH_SIZE, "%s/%s", f->path[i], name)
        < LLMENV_PATH_SIZE && access (path, R_OK) == 0)
      st = LLMENV_OK;
  free (f);
  return st == LLMENV_OK ? st : no_file (name, error);
}

/* ---- ids --------------------------------------------------------------- */

/* A name that may be part of a path: letters, digits, '-', '_', '.'. */
int
llmenv_record_id_is_file (const char *name)
{
  for (const char *c = name; *c != '\0'; c++)
    if (!isalnum ((unsigned char) *c) && strchr ("-_.", *c) == NULL)
      return 0;
  return *name != '\0' && *name != '.' && strlen (name) < 200;
}

typedef struct
{
  char **id;
  size_t n;
} ids;

static void
free_ids (ids *list)
{
  for (size_t i = 0; i < list->n; i++)
    free (list->id[i]);
  free (list->id);
}

static int
add_id (ids *list, const char *file)
{
  const size_t n = strlen (file);
  char **grown = realloc (list->id, (list->n + 1) * sizeof *grown);
  if (grown == NULL)
    return 0;
  list->id = grown;
  list->id[list->n] = strndup (file, n - strlen (".json"));
  return list->id[list->n++] != NULL;
}

static int
by_text (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static int
is_record_file (const char *name)
{
  const size_t n = strlen (name);
  return n > 5 && strcmp (name + n - 5, ".json") == 0 && llmenv_record_id_is_file (name);
}

/* Ids in all folders, sorted, each once. */
static llmenv_status
list_ids (const folders *f, const char *kind, ids *list, llmenv_error *error)
{
  char path[LLMENV_PATH_SIZE + 16];
  int good = 1;
  *list = (ids) { NULL, 0 };
  for (size_t i = 0; i < f->n; i++)
    {
      snprintf (path, sizeof path, "%s/%s", f->path[i], kind);
      DIR *dir = opendir (path);
      for (struct dirent *e; dir != NULL && (e = readdir (dir)) != NULL;)
        if (is_record_file (e->d_name))
          good = add_id (list, e->d_name) && good;
      if (dir != NULL)
        closedir (dir);
    }
  if (!good)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  if (list->n == 0)
    return no_file (kind, error);
  qsort (list->id, list->n, sizeof *list->id, by_text);
  size_t kept = 1;
  for (size_t i = 1; i < list->n; i++)
    if (strcmp (list->id[i], list->id[kept - 1]) == 0)
      free (list->id[i]);
    else
      list->id[kept++] = list->id[i];
  list->n = kept;
  return LLMENV_OK;
}

/* JSON of record ID, from the first folder that has it; NULL without an error
 * when none has. */
static json_t *
read_record (const folders *f, const char *kind, const char *id,
             char path[LLMENV_PATH_SIZE], llmenv_error *error)
{
  for (size_t i = 0; i < f->n; i++)
    if ((size_t) snprintf (path, LLMENV_PATH_SIZE, "%s/%s/%s.json", f->path[i],
                           kind, id) < LLMENV_PATH_SIZE
        && access (path, F_OK) == 0)
      return llmenv_json_read (path, error);
  return NULL;
}

/* The same, checked: its id is the name of its file.  NULL with ERROR set. */
static json_t *
read_checked (const folders *f, const char *kind, const char *id,
              char path[LLMENV_PATH_SIZE], llmenv_error *error)
{
  json_t *json = read_record (f, kind, id, path, error);
  if (json == NULL || strcmp (llmenv_record_text (json, "id"), id) == 0)
    return json;
  llmenv_error_set (error, LLMENV_EBADRECORD,
                    "%s: id: expected \"%s\", the name of the file", path, id);
  json_decref (json);
  return NULL;
}

/* ---- by name ----------------------------------------------------------- */

typedef struct
{
  const char *folder, *noun;
  llmenv_status unknown;
} record_kind;

static const record_kind model_kind = { "models", "model", LLMENV_EMODEL };
static const record_kind card_kind = { "accelerators", "card", LLMENV_ECARD };

/* NAME in lower case as " word word ", split where it is neither letter nor
 * digit. */
static void
words_of (const char *name, char *words, size_t size)
{
  size_t n = 0;
  words[n++] = ' ';
  for (; *name != '\0' && n + 2 < size; name++)
    if (isalnum ((unsigned char) *name))
      words[n++] = (char) tolower ((unsigned char) *name);
    else if (words[n - 1] != ' ')
      words[n++] = ' ';
  if (words[n - 1] != ' ')
    words[n++] = ' ';
  words[n] = '\0';
}

/* How well NAME names the record: 2 the same in letters and digits, 1 whole
 * words of its id or name, 0 not. */
static int
match (const json_t *json, const char *name)
{
  static const char *const keys[] = { "id", "name", "hf_repo" };
  char plain[200], words[200], other[200];
  int best = 0;
  llmenv_plain_name (name, plain, sizeof plain);
  words_of (name, words, sizeof words);
  for (size_t i = 0; i < sizeof keys / sizeof *keys && *plain != '\0'; i++)
    {
      const char *text = llmenv_record_text (json, keys[i]);
      llmenv_plain_name (text, other, sizeof other);
      if (strcmp (other, plain) == 0)
        return 2;
      words_of (text, other, sizeof other);
      if (i < 2 && strstr (other, words) != NULL)
        best = 1;
    }
  return best;
}

typedef struct
{
  char id[200];
  int level;                   /* of match */
  size_t n;                    /* records at that level */
  llmenv_nearest nearest;
} search;

static void
consider (search *s, const json_t *json, const char *id, const char *name)
{
  const int level = match (json, name);
  llmenv_nearest_offer (&s->nearest, id);
  if (level == 0 || level < s->level)
    return;
  if (level > s->level)
    s->n = 0;
  s->level = level;
  s->n++;
  snprintf (s->id, sizeof s->id, "%s", id);
}

static llmenv_status
refuse_name (const record_kind *kind, const search *s, const char *name,
             llmenv_error *error)
{
  char shown[100], near[400];
  llmenv_printable (name, shown, sizeof shown);
  llmenv_nearest_text (&s->nearest, near, sizeof near);
  if (s->n > 1)
    return llmenv_error_set (error, kind->unknown,
                             "'%s' names %zu %ss; give an id%s", shown, s->n,
                             kind->noun, near);
  return llmenv_error_set (error, kind->unknown, "no %s '%s'%s%s", kind->noun, shown,
                           kind == &model_kind && llmenv_own_looks_like_path (name)
                           ? ", and no such file" : "", near);
}

/* Id of the record that NAME names. */
static llmenv_status
find_by_name (const folders *f, const record_kind *kind, const char *name,
              search *s, llmenv_error *error)
{
  ids list;
  char path[LLMENV_PATH_SIZE];
  llmenv_nearest_start (&s->nearest, name);
  LLMENV_TRY (list_ids (f, kind->folder, &list, error));
  for (size_t i = 0; i < list.n; i++)
    {
      /* A broken record must not hide the others. */
      json_t *json = read_record (f, kind->folder, list.id[i], path, NULL);
      consider (s, json, list.id[i], name);
      json_decref (json);
    }
  free_ids (&list);
  return s->level > 0 && s->n == 1
         ? LLMENV_OK : refuse_name (kind, s, name, error);
}

static llmenv_status
load_from (const folders *f, const record_kind *kind, const char *name,
           json_t **json, char path[LLMENV_PATH_SIZE], llmenv_error *error)
{
  error->status = LLMENV_OK;
  *json = llmenv_record_id_is_file (name) ? read_checked (f, kind->folder, name, path, error) : NULL;
  if (*json == NULL && error->status == LLMENV_OK)
    {
      search s = { .level = 0 };
      LLMENV_TRY (find_by_name (f, kind, name, &s, error));
      *json = read_checked (f, kind->folder, s.id, path, error);
    }
  return *json != NULL ? LLMENV_OK : error->status;
}

static llmenv_status
load_json (const record_kind *kind, const char *name, json_t **json,
           char path[LLMENV_PATH_SIZE], llmenv_error *error)
{
  folders *f;
  LLMENV_TRY (find_folders (&f, error));
  llmenv_status st = load_from (f, kind, name, json, path, error);
  free (f);
  return st;
}

llmenv_status
llmenv_model_load (const char *name, llmenv_model_record **record,
                   llmenv_error *error)
{
  json_t *json;
  char path[LLMENV_PATH_SIZE];
  if (llmenv_own_is_path (name))
    return llmenv_own_load (name, record, NULL, error);
  LLMENV_TRY (load_json (&model_kind, name, &json, path, error));
  return llmenv_model_record_make (json, path, record, error);
}

llmenv_status
llmenv_card_load (const char *name, llmenv_card_record **record,
                  llmenv_error *error)
{
  json_t *json;
  char path[LLMENV_PATH_SIZE];
  LLMENV_TRY (load_json (&card_kind, name, &json, path, error));
  return llmenv_card_record_make (json, path, record, error);
}

/* ---- all --------------------------------------------------------------- */

static llmenv_status
load_models (const folders *f, const ids *list, llmenv_catalogue *c,
             llmenv_error *error)
{
  char path[LLMENV_PATH_SIZE];
  c->models = calloc (list->n, sizeof *c->models);
  if (c->models == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  for (size_t i = 0; i < list->n; i++)
    {
      json_t *json = read_checked (f, model_kind.folder, list->id[i], path, error);
      if (json == NULL)
        return error->status;
      LLMENV_TRY (llmenv_model_record_make (json, path, &c->models[i], error));
      c->n_models++;
    }
  return LLMENV_OK;
}

static llmenv_status
load_cards (const folders *f, const ids *list, llmenv_catalogue *c,
            llmenv_error *error)
{
  char path[LLMENV_PATH_SIZE];
  c->cards = calloc (list->n, sizeof *c->cards);
  if (c->cards == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  for (size_t i = 0; i < list->n; i++)
    {
      json_t *json = read_checked (f, card_kind.folder, list->id[i], path, error);
      if (json == NULL)
        return error->status;
      LLMENV_TRY (llmenv_card_record_make (json, path, &c->cards[i], error));
      c->n_cards++;
    }
  return LLMENV_OK;
}

llmenv_status
llmenv_catalogue_load (llmenv_catalogue *catalogue, llmenv_error *error)
{
  ids models = { NULL, 0 }, cards = { NULL, 0 };
  memset (catalogue, 0, sizeof *catalogue);
  folders *f;
  LLMENV_TRY (find_folders (&f, error));
  llmenv_status st = list_ids (f, model_kind.folder, &models, error);
  if (st == LLMENV_OK)
    st = list_ids (f, card_kind.folder, &cards, error);
  if (st == LLMENV_OK)
    st = load_models (f, &models, catalogue, error);
  if (st == LLMENV_OK)
    st = load_cards (f, &cards, catalogue, error);
  free_ids (&models);
  free_ids (&cards);
  free (f);
  if (st != LLMENV_OK)
    llmenv_catalogue_free (catalogue);
  return st;
}

void
llmenv_catalogue_free (llmenv_catalogue *catalogue)
{
  for (size_t i = 0; i < catalogue->n_models; i++)
    llmenv_model_record_free (catalogue->models[i]);
  for (size_t i = 0; i < catalogue->n_cards; i++)
    llmenv_card_record_free (catalogue->cards[i]);
  for (size_t i = 0; i < catalogue->n_own; i++)
    free (catalogue->own[i].path);
  free (catalogue->own);
  free (catalogue->models);
  free (catalogue->cards);
  memset (catalogue, 0, sizeof *catalogue);
}

llmenv_model_record *
llmenv_catalogue_model (const llmenv_catalogue *c, const char *id)
{
  for (size_t i = 0; i < c->n_models; i++)
    if (strcmp (c->models[i]->id, id) == 0)
      return c->models[i];
  for (size_t i = 0; i < c->n_own; i++)
    if (strcmp (c->own[i].path, id) == 0)
      return c->own[i].record;
  return NULL;
}

llmenv_status
llmenv_catalogue_add (llmenv_catalogue *c, llmenv_model_record *record,
                      const char *path, llmenv_error *error)
{
  char *copy = strdup (path);
  void *models = realloc (c->models, (c->n_models + 1) * sizeof *c->models);
  if (models != NULL)
    c->models = models;
  void *own = realloc (c->own, (c->n_own + 1) * sizeof *c->own);
  if (own != NULL)
    c->own = own;
  if (copy == NULL || models == NULL || own == NULL)
    {
      free (copy);
      llmenv_model_record_free (record);
      return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
    }
  size_t at = c->n_models++;
  for (; at > 0 && strcmp (c->models[at - 1]->id, record->id) > 0; at--)
    c->models[at] = c->models[at - 1];
  c->models[at] = record;
  c->own[c->n_own].path = copy;
  c->own[c->n_own++].record = record;
  return LLMENV_OK;
}

llmenv_card_record *
llmenv_catalogue_card (const llmenv_catalogue *c, const char *id)
{
  for (size_t i = 0; i < c->n_cards; i++)
    if (strcmp (c->cards[i]->id, id) == 0)
      return c->cards[i];
  return NULL;
}
