/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_safetensors.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "llmenv_json.h"

#define TRY LLMENV_TRY

enum
{
  MOST_HEADER = 100000000,     /* bytes; the format's own limit */
  MOST_VALUES = 1 << 22,       /* of its JSON, about 100 bytes of memory each */
  MOST_TENSORS = 1 << 18,
  MOST_SHARDS = 10000
};

static const uint64_t EXACT = UINT64_C (1) << 53;

/* ---- dtypes ------------------------------------------------------------- */

static const llmenv_dtype dtypes[] = {
  { "BOOL", 8 },        { "U8", 8 },          { "I8", 8 },
  { "F8_E4M3", 8 },     { "F8_E5M2", 8 },     { "F8_E8M0", 8 },
  { "F8_E4M3FNUZ", 8 }, { "F8_E5M2FNUZ", 8 },
  { "F4", 4 },          { "F6_E2M3", 6 },     { "F6_E3M2", 6 },
  { "I16", 16 },        { "U16", 16 },        { "F16", 16 },    { "BF16", 16 },
  { "I32", 32 },        { "U32", 32 },        { "F32", 32 },
  { "I64", 64 },        { "U64", 64 },        { "F64", 64 },    { "C64", 64 },
};

const llmenv_dtype *
llmenv_dtype_find (const char *name)
{
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
    if (strcmp (dtypes[i].name, name) == 0)
      return &dtypes[i];
  return NULL;
}

/* ---- one tensor --------------------------------------------------------- */

/* A header being read: where its JSON and its data are. */
typedef struct
{
  const char *file;
  uint64_t data;               /* bytes of tensor data in the file */
  uint64_t extent, sum;        /* where the data end; bytes of all tensors */
  llmenv_error *error;
} header;

static llmenv_status
refuse_tensor (const header *h, const char *name, const char *why)
{
  char shown[90];
  llmenv_printable (name, shown, sizeof shown);
  return llmenv_error_set (h->error, LLMENV_EBADFILE, "%s: tensor %s: %s", h->file,
                           shown, why);
}

static int
is_count (const json_t *value)
{
  return json_is_integer (value) && json_integer_value (value) >= 0;
}

static llmenv_status
read_shape (const header *h, const char *name, const json_t *shape,
            llmenv_safetensor *t)
{
  size_t i;
  const json_t *dim;
  if (!json_is_array (shape) || json_array_size (shape) > LLMENV_TENSOR_DIMS)
    return refuse_tensor (h, name, "shape: expected a list of at most 8 dimensions");
  t->elements = 1;
  json_array_foreach ((json_t *) shape, i, dim)
    {
      if (!is_count (dim))
        return refuse_tensor (h, name, "shape: expected whole numbers from 0");
      const uint64_t d = (uint64_t) json_integer_value (dim);
      if (d != 0 && t->elements > EXACT / d)
        return refuse_tensor (h, name, "shape: above 2^53 elements");
      t->elements *= d;
      t->dims[t->n_dims++] = d;
    }
  return LLMENV_OK;
}

/* data_offsets must span what dtype and shape need. */
static llmenv_status
read_offsets (header *h, const char *name, const json_t *offsets,
              const llmenv_safetensor *t)
{
  const json_t *first = json_array_get (offsets, 0), *last = json_array_get (offsets, 1);
  if (!json_is_array (offsets) || json_array_size (offsets) != 2 || !is_count (first)
      || !is_count (last))
    return refuse_tensor (h, name, "data_offsets: expected two whole numbers from 0");
  const uint64_t begin = (uint64_t) json_integer_value (first);
  const uint64_t end = (uint64_t) json_integer_value (last);
  if (begin > end || end - begin != t->bytes)
    {
      char why[160];
      snprintf (why, sizeof why, "data_offsets %llu to %llu, but %s and shape need %llu bytes",
                (unsigned long long) begin, (unsigned long long) end, t->dtype->name,
                (unsigned long long) t->bytes);
      return refuse_tensor (h, name, why);
    }
  if (end > EXACT)
    return refuse_tensor (h, name, "data_offsets: above 2^53");
  if (end > h->extent)
    h->extent = end;
  return LLMENV_OK;
}

static llmenv_status
read_tensor (header *h, const char *name, const json_t *json, llmenv_safetensor *t)
{
  memset (t, 0, sizeof *t);
  const char *dtype = json_string_value (json_object_get (json, "dtype"));
  if (!json_is_object (json) || dtype == NULL)
    return refuse_tensor (h, name, "expected an object with dtype, shape and data_offsets");
  t->dtype = llmenv_dtype_find (dtype);
  if (t->dtype == NULL)
    {
      char why[80], shown[40];
      llmenv_printable (dtype, shown, sizeof shown);
      snprintf (why, sizeof why, "no dtype is called %s", shown);
      return refuse_tensor (h, name, why);
    }
  TRY (read_shape (h, name, json_object_get (json, "shape"), t));
  if (t->elements % 8 != 0 && t->elements * t->dtype->bits % 8 != 0)
    return refuse_tensor (h, name, "no whole number of bytes");
  /* At most 2^53 x 64 bits: divided first, so that it cannot overflow. */
  t->bytes = t->elements / 8 * t->dtype->bits + t->elements % 8 * t->dtype->bits / 8;
  return read_offsets (h, name, json_object_get (json, "data_offsets"), t);
}

/* ---- one header --------------------------------------------------------- */

/* T, named NAME, at the end of SET. */
static llmenv_status
add_tensor (header *h, llmenv_safetensors *set, const char *name,
            const llmenv_safetensor *t)
{
  if (set->n == MOST_TENSORS)
    return refuse_tensor (h, name, "more tensors than are read");
  if (json_object_get (set->names, name) != NULL)
    return refuse_tensor (h, name, "appears twice");
  if (set->n == set->room)
    {
      const size_t room = set->room == 0 ? 256 : 2 * set->room;
      void *more = realloc (set->tensors, room * sizeof *set->tensors);
      if (more == NULL)
        return llmenv_error_set (h->error, LLMENV_ETOOLARGE, "out of memory");
      set->tensors = more;
      set->room = room;
    }
  char *copy = strdup (name);
  if (copy == NULL
      || json_object_set_new (set->names, name, json_integer ((json_int_t) set->n)) != 0)
    {
      free (copy);
      return llmenv_error_set (h->error, LLMENV_ETOOLARGE, "out of memory");
    }
  set->tensors[set->n] = *t;
  set->tensors[set->n++].name = copy;
  h->sum += t->bytes;
  set->bytes += t->bytes;
  return set->bytes <= EXACT ? LLMENV_OK : refuse_tensor (h, name, "more than 2^53 bytes in all");
}

static llmenv_status
read_tensors (header *h, json_t *root, llmenv_safetensors *set)
{
  const char *name;
  json_t *json;
  llmenv_safetensor t;
  json_object_foreach (root, name, json)
    {
      if (strcmp (name, "__metadata__") == 0)
        continue;
      TRY (read_tensor (h, name, json, &t));
      TRY (add_tensor (h, set, name, &t));
    }
  if (h->sum > h->extent)
    return llmenv_error_set (h->error, LLMENV_EBADFILE,
                             "%s: tensors overlap: %llu bytes in %llu", h->file,
                             (unsigned long long) h->sum, (unsigned long long) h->extent);
  if (h->extent > h->data)
    set->missing += h->extent - h->data;
  return LLMENV_OK;
}

/* Values that the JSON text could hold: bounds the memory of its parser. */
static size_t
count_values (const char *text, size_t n)
{
  size_t values = 0;
  for (size_t i = 0; i < n; i++)
    values += text[i] == ',' || text[i] == '[' || text[i] == '{' || text[i] == ':';
  return values;
}

static llmenv_status
parse_header (header *h, const char *text, size_t n, llmenv_safetensors *set)
{
  json_error_t where;
  if (count_values (text, n) > MOST_VALUES)
    return llmenv_error_set (h->error, LLMENV_EBADFILE,
                             "%s: byte 8: a header of more than %d values", h->file, MOST_VALUES);
  json_t *root = json_loadb (text, n, JSON_REJECT_DUPLICATES, &where);
  if (root == NULL)
    return llmenv_error_set (h->error, LLMENV_EBADFILE, "%s: byte %lld: header: %s",
                             h->file, 8LL + where.position, where.text);
  const llmenv_status st = json_is_object (root) ? read_tensors (h, root, set)
    : llmenv_error_set (h->error, LLMENV_EBADFILE, "%s: byte 8: header: expected an object", h->file);
  json_decref (root);
  return st;
}

static llmenv_status
read_length (llmenv_source *source, uint64_t *n, llmenv_error *error)
{
  unsigned char b[8];
  TRY (llmenv_source_read (source, b, 8, "the header's length", error));
  *n = 0;
  for (int i = 7; i >= 0; i--)
    *n = *n << 8 | b[i];
  if (*n >= 2 && *n <= MOST_HEADER)
    return LLMENV_OK;
  return llmenv_source_refuse (source, 0, error,
                               "a header of %llu bytes, expected 2 to %d: not a safetensors file",
                               (unsigned long long) *n, MOST_HEADER);
}

llmenv_status
llmenv_safetensors_read (llmenv_source *source, llmenv_safetensors *set,
                         llmenv_error *error)
{
  uint64_t n;
  TRY (read_length (source, &n, error));
  if (n > source->size - source->at)
    return llmenv_source_skip (source, n, "the header", error);   /* says what is left */
  if (set->names == NULL)
    {
      set->names = json_object ();
      set->total_size = set->total_parameters = NAN;
    }
  char *text = malloc ((size_t) n);
  if (text == NULL || set->names == NULL)
    {
      free (text);
      return llmenv_error_set (error, LLMENV_ETOOLARGE, "%s: out of memory", source->name);
    }
  llmenv_status st = llmenv_source_read (source, text, n, "the header", error);
  header h = { source->name, source->size - source->at, 0, 0, error };
  if (st == LLMENV_OK)
    st = parse_header (&h, text, (size_t) n, set);
  free (text);
  set->n_files++;
  return st;
}

void
llmenv_safetensors_free (llmenv_safetensors *set)
{
  for (size_t i = 0; i < set->n; i++)
    free (set->tensors[i].name);
  free (set->tensors);
  json_decref (set->names);
  memset (set, 0, sizeof *set);
}

/* ---- folders and sets --------------------------------------------------- */

static int
ends (const char *text, const char *end)
{
  const size_t n = strlen (text), m = strlen (end);
  return n >= m && strcmp (text + n - m, end) == 0;
}

static llmenv_status
open_file (const char *path, llmenv_safetensors *set, llmenv_error *error)
{
  llmenv_source source;
  TRY (llmenv_source_open (&source, path, error));
  const llmenv_status st = llmenv_safetensors_read (&source, set, error);
  llmenv_source_close (&source);
  return st;
}

/* NAME in the folder of the file PATH. */
static void
beside (const char *path, const char *name, char *out, size_t size)
{
  const char *slash = strrchr (path, '/');
  const int n = slash == NULL ? 0 : (int) (slash - path + 1);
  snprintf (out, size, "%.*s%s", n, path, name);
}

/* The files that WEIGHT_MAP names, once each; none may lead out of the folder. */
static llmenv_status
collect_shards (const char *path, json_t *weight_map, json_t *shards, llmenv_error *error)
{
  const char *tensor;
  json_t *value;
  json_object_foreach (weight_map, tensor, value)
    {
      const char *name = json_string_value (value);
      if (name == NULL || strchr (name, '/') != NULL || !ends (name, ".safetensors"))
        return llmenv_error_set (error, LLMENV_EBADFILE,
                                 "%s: weight_map: expected the names of safetensors files beside it", path);
      json_object_set_new (shards, name, json_true ());
    }
  if (json_object_size (shards) >= 1 && json_object_size (shards) <= MOST_SHARDS)
    return LLMENV_OK;
  return llmenv_error_set (error, LLMENV_EBADFILE,
                           "%s: weight_map: names %zu files, expected 1 to %d", path,
                           json_object_size (shards), MOST_SHARDS);
}

static void
count_absent (const char *path, json_t *shards, llmenv_safetensors *set)
{
  const char *name;
  char file[4096];
  json_t *unused;
  json_object_foreach (shards, name, unused)
    {
      beside (path, name, file, sizeof file);
      set->n_shards++;
      if (access (file, F_OK) == 0)
        continue;
      if (set->n_absent++ == 0)
        llmenv_printable (name, set->absent, sizeof set->absent);
    }
}

/* Every tensor that the index lists must be in the shards. */
static llmenv_status
check_index (const char *path, json_t *weight_map, const llmenv_safetensors *set,
             llmenv_error *error)
{
  const char *name;
  json_t *unused;
  char shown[90];
  json_object_foreach (weight_map, name, unused)
    if (json_object_get (set->names, name) == NULL)
      {
        llmenv_printable (name, shown, sizeof shown);
        return llmenv_error_set (error, LLMENV_EBADFILE,
                                 "%s: tensor %s is in none of the files", path, shown);
      }
  return LLMENV_OK;
}

/* A count that the index's metadata give; NaN without one. */
static double
total_of (const json_t *index, const char *key)
{
  const json_t *total = json_object_get (json_object_get (index, "metadata"), key);
  const double x = json_number_value (total);
  return json_is_number (total) && x >= 0 && x <= 0x1p53 ? x : NAN;
}

static llmenv_status
open_shards (const char *path, json_t *index, json_t *shards, llmenv_safetensors *set,
             llmenv_error *error)
{
  json_t *weight_map = json_object_get (index, "weight_map"), *unused;
  const char *name;
  char file[4096];
  if (!json_is_object (weight_map))
    return llmenv_error_set (error, LLMENV_EBADFILE, "%s: weight_map: missing or no object", path);
  set->total_size = total_of (index, "total_size");
  set->total_parameters = total_of (index, "total_parameters");
  TRY (collect_shards (path, weight_map, shards, error));
  count_absent (path, shards, set);
  if (set->n_absent > 0)
    return LLMENV_OK;
  json_object_foreach (shards, name, unused)
    {
      beside (path, name, file, sizeof file);
      TRY (open_file (file, set, error));
    }
  return check_index (path, weight_map, set, error);
}

static llmenv_status
open_index (const char *path, llmenv_safetensors *set, llmenv_error *error)
{
  json_t *index = llmenv_json_read (path, error);
  if (index == NULL)
    return error == NULL ? LLMENV_EBADFILE : error->status;
  json_t *shards = json_object ();
  set->names = json_object ();
  const llmenv_status st = open_shards (path, index, shards, set, error);
  json_decref (shards);
  json_decref (index);
  return st;
}

/* Parts of a name like model-00002-of-00003.safetensors; 0 for other names. */
static unsigned
parts_of (const char *path, size_t *prefix)
{
  unsigned part, parts;
  int used = 0;
  const size_t n = strlen (path), m = strlen ("-00001-of-00001.safetensors");
  if (n <= m || sscanf (path + n - m, "-%5u-of-%5u.safetensors%n", &part, &parts, &used) != 2
      || (size_t) used != m || part < 1 || part > parts || parts > MOST_SHARDS)
    return 0;
  *prefix = n - m;
  return parts;
}

/* All parts that PATH's name speaks of; they must all be there. */
static llmenv_status
open_parts (const char *path, size_t prefix, unsigned parts, llmenv_safetensors *set,
            llmenv_error *error)
{
  char file[4096];
  for (unsigned i = 1; i <= parts; i++)
    {
      snprintf (file, sizeof file, "%.*s-%05u-of-%05u.safetensors", (int) prefix, path, i, parts);
      TRY (open_file (file, set, error));
    }
  return LLMENV_OK;
}

static llmenv_status
open_named (const char *path, llmenv_safetensors *set, llmenv_error *error)
{
  size_t prefix = 0;
  char index[4096];
  if (ends (path, ".json"))
    return open_index (path, set, error);
  const unsigned parts = parts_of (path, &prefix);
  if (parts == 0 || prefix > 3900)
    return open_file (path, set, error);
  snprintf (index, sizeof index, "%.*s.safetensors.index.json", (int) prefix, path);
  return access (index, F_OK) == 0 ? open_index (index, set, error)
                                   : open_parts (path, prefix, parts, set, error);
}

/* How good a file NAME of a folder is as its model; 0: none. */
static int
merit (const char *name)
{
  size_t prefix;
  return strcmp (name, "model.safetensors.index.json") == 0 ? 5
         : strcmp (name, "model.safetensors") == 0 ? 4
         : ends (name, ".safetensors.index.json") ? 3
         : !ends (name, ".safetensors") ? 0
         : parts_of (name, &prefix) > 0 ? 2 : 1;
}

static llmenv_status
open_folder (const char *path, llmenv_safetensors *set, llmenv_error *error)
{
  char best[256] = "", file[4096];
  int of_best = 0, plain = 0;
  DIR *dir = opendir (path);
  if (dir == NULL)
    return llmenv_error_set (error, LLMENV_EBADFILE, "%s: the folder cannot be read", path);
  for (struct dirent *e; (e = readdir (dir)) != NULL;)
    {
      const int m = merit (e->d_name);
      plain += m == 1;
      if (m > of_best || (m > 0 && m == of_best && strcmp (e->d_name, best) < 0))
        snprintf (best, sizeof best, "%s", e->d_name);
      of_best = m > of_best ? m : of_best;
    }
  closedir (dir);
  if (of_best == 0)
    return llmenv_error_set (error, LLMENV_EBADFILE,
                             "%s: neither model.safetensors nor model.safetensors.index.json "
                             "in this folder", path);
  if (of_best == 1 && plain > 1)
    return llmenv_error_set (error, LLMENV_EBADFILE,
                             "%s: %d safetensors files and no index, name the one that is meant", path, plain);
  snprintf (file, sizeof file, "%s/%s", path, best);
  return open_named (file, set, error);
}

llmenv_status
llmenv_safetensors_open (const char *path, llmenv_safetensors *set, llmenv_error *error)
{
  struct stat st;
  memset (set, 0, sizeof *set);
  set->total_size = set->total_parameters = NAN;
  const llmenv_status status
    = stat (path, &st) == 0 && S_ISDIR (st.st_mode) ? open_folder (path, set, error)
                                                    : open_named (path, set, error);
  if (status != LLMENV_OK)
    llmenv_safetensors_free (set);
  return status;
}
