/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_gguf.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRY LLMENV_TRY

/* Far above any real file, and low enough that a hostile one ends in a second
 * and in some megabytes. */
enum
{
  WINDOW = 1 << 16,            /* bytes read ahead */
  MOST_KEYS = 100000,
  MOST_TENSORS = 1 << 18,
  MOST_ELEMENTS = 1 << 24,     /* of arrays in the metadata, all together */
  MOST_KEPT = 1 << 12,         /* numbers of one array, bytes of one text */
  MOST_KEPT_IN_ALL = 1 << 20,  /* of these, all together */
  LONGEST_NAME = 1024,         /* of a key or tensor; the format says 64 */
  DEEPEST = 8                  /* arrays in arrays */
};

static const uint64_t EXACT = UINT64_C (1) << 53;

/* ---- bounded reading ---------------------------------------------------- */

llmenv_status
llmenv_source_refuse (const llmenv_source *source, uint64_t at,
                      llmenv_error *error, const char *why, ...)
{
  char text[400];
  va_list args;
  va_start (args, why);
  vsnprintf (text, sizeof text, why, args);
  va_end (args);
  return llmenv_error_set (error, LLMENV_EBADFILE, "%s: byte %llu: %s",
                           source->name, (unsigned long long) at, text);
}

llmenv_status
llmenv_source_open (llmenv_source *source, const char *path, llmenv_error *error)
{
  struct stat st;
  memset (source, 0, sizeof *source);
  source->name = path;
  source->fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (source->fd < 0)
    return llmenv_error_set (error, LLMENV_EBADFILE, "%s: %s", path, strerror (errno));
  const char *why = NULL;
  if (fstat (source->fd, &st) != 0)
    why = strerror (errno);
  else if (S_ISDIR (st.st_mode))
    why = "a folder, expected a file";
  else if (!S_ISREG (st.st_mode))
    why = "not a regular file";
  else if (st.st_size == 0)
    why = "byte 0: the file is empty";
  else if ((source->window = malloc (WINDOW)) == NULL)
    why = "out of memory";
  if (why == NULL)
    {
      source->bytes = source->window;
      source->size = (uint64_t) st.st_size;
      return LLMENV_OK;
    }
  llmenv_error_set (error, LLMENV_EBADFILE, "%s: %s", path, why);
  llmenv_source_close (source);
  return LLMENV_EBADFILE;
}

void
llmenv_source_memory (llmenv_source *source, const char *name, const void *data,
                      size_t size)
{
  memset (source, 0, sizeof *source);
  source->name = name;
  source->fd = -1;
  source->bytes = data;
  source->size = source->held = size;
}

void
llmenv_source_close (llmenv_source *source)
{
  if (source->fd >= 0)
    close (source->fd);
  free (source->window);
  source->fd = -1;
  source->window = NULL;
}

/* N bytes of the file at its present offset into OUT. */
static llmenv_status
fetch (llmenv_source *source, void *out, size_t n, llmenv_error *error)
{
  for (size_t got = 0; got < n;)
    {
      const ssize_t r = pread (source->fd, (char *) out + got, n - got,
                               (off_t) (source->at + got));
      if (r < 0 && errno == EINTR)
        continue;
      if (r <= 0)
        return llmenv_source_refuse (source, source->at + got, error, "%s",
                                     r == 0 ? "the file became shorter"
                                            : strerror (errno));
      got += (size_t) r;
    }
  return LLMENV_OK;
}

/* Have the byte at the present offset in the window. */
static llmenv_status
fill (llmenv_source *source, llmenv_error *error)
{
  if (source->at >= source->start && source->at - source->start < source->held)
    return LLMENV_OK;
  const uint64_t left = source->size - source->at;
  const size_t n = left < WINDOW ? (size_t) left : WINDOW;
  source->held = 0;
  TRY (fetch (source, source->window, n, error));
  source->start = source->at;
  source->held = n;
  return LLMENV_OK;
}

static llmenv_status
need (const llmenv_source *source, uint64_t n, const char *what,
      llmenv_error *error)
{
  const uint64_t left = source->size - source->at;
  if (n <= left)
    return LLMENV_OK;
  return llmenv_source_refuse (source, source->at, error,
                               "%s needs %llu bytes, %llu are left", what,
                               (unsigned long long) n, (unsigned long long) left);
}

llmenv_status
llmenv_source_read (llmenv_source *source, void *out, uint64_t n,
                    const char *what, llmenv_error *error)
{
  TRY (need (source, n, what, error));
  if (n > WINDOW && source->fd >= 0)
    {
      TRY (fetch (source, out, (size_t) n, error));
      source->at += n;
      return LLMENV_OK;
    }
  for (size_t done = 0; done < n;)
    {
      TRY (fill (source, error));
      const size_t from = (size_t) (source->at - source->start);
      const size_t ready = source->held - from;
      const size_t piece = ready < n - done ? ready : (size_t) n - done;
      memcpy ((char *) out + done, source->bytes + from, piece);
      source->at += piece;
      done += piece;
    }
  return LLMENV_OK;
}

llmenv_status
llmenv_source_skip (llmenv_source *source, uint64_t n, const char *what,
                    llmenv_error *error)
{
  TRY (need (source, n, what, error));
  source->at += n;
  return LLMENV_OK;
}

/* ---- types -------------------------------------------------------------- */

/* Sizes are those of the block structs in ggml-common.h of llama.cpp; 4 and 5
 * are older than the format, 31 to 33 and 36 to 38 were interleavings of
 * q4_0 and iq4_nl, of the same size. */
static const llmenv_ggml_type types[] = {
  { 0,  "f32",     "fp32",    1,   4 },
  { 1,  "f16",     "fp16",    1,   2 },
  { 2,  "q4_0",    "q4_0",    32,  18 },
  { 3,  "q4_1",    "q4_1",    32,  20 },
  { 6,  "q5_0",    "q5_0",    32,  22 },
  { 7,  "q5_1",    "q5_1",    32,  24 },
  { 8,  "q8_0",    "q8_0",    32,  34 },
  { 9,  "q8_1",    "q8_1",    32,  36 },
  { 10, "q2_K",    "q2_K",    256, 84 },
  { 11, "q3_K",    "q3_K",    256, 110 },
  { 12, "q4_K",    "q4_K",    256, 144 },
  { 13, "q5_K",    "q5_K",    256, 176 },
  { 14, "q6_K",    "q6_K",    256, 210 },
  { 15, "q8_K",    "q8_K",    256, 292 },
  { 16, "iq2_xxs", "iq2_xxs", 256, 66 },
  { 17, "iq2_xs",  "iq2_xs",  256, 74 },
  { 18, "iq3_xxs", "iq3_xxs", 256, 98 },
  { 19, "iq1_s",   "iq1_s",   256, 50 },
  { 20, "iq4_nl",  "iq4_nl",  32,  18 },
  { 21, "iq3_s",   "iq3_s",   256, 110 },
  { 22, "iq2_s",   "iq2_s",   256, 82 },
  { 23, "iq4_xs",  "iq4_xs",  256, 136 },
  { 24, "i8",      "int8",    1,   1 },
  { 25, "i16",     "int16",   1,   2 },
  { 26, "i32",     "int32",   1,   4 },
  { 27, "i64",     "int64",   1,   8 },
  { 28, "f64",     "fp64",    1,   8 },
  { 29, "iq1_m",   "iq1_m",   256, 56 },
  { 30, "bf16",    "bf16",    1,   2 },
  { 31, "q4_0_4_4", "q4_0",   32,  18 },
  { 32, "q4_0_4_8", "q4_0",   32,  18 },
  { 33, "q4_0_8_8", "q4_0",   32,  18 },
  { 34, "tq1_0",   "tq1_0",   256, 54 },
  { 35, "tq2_0",   "tq2_0",   256, 66 },
  { 36, "iq4_nl_4_4", "iq4_nl", 32, 18 },
  { 37, "iq4_nl_4_8", "iq4_nl", 32, 18 },
  { 38, "iq4_nl_8_8", "iq4_nl", 32, 18 },
  { 39, "mxfp4",   "mxfp4",   32,  17 },
  { 40, "nvfp4",   "nvfp4",   64,  36 },
  { 41, "q1_0",    "q1_0",    128, 18 },
  { 42, "q2_0",    "q2_0",    64,  18 },
};

const llmenv_ggml_type *
llmenv_ggml_type_find (uint64_t id)
{
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].id == id)
      return &types[i];
  return NULL;
}

/* ---- numbers and texts -------------------------------------------------- */

typedef struct
{
  llmenv_source *source;
  llmenv_error *error;
  int big;                     /* most significant byte first */
  uint64_t elements_left;      /* of arrays */
  uint64_t kept_left;          /* numbers and bytes of text */
} reader;

/* Whether N numbers or bytes may be kept; if so, they are accounted for. */
static int
may_keep (reader *r, uint64_t n)
{
  if (n > MOST_KEPT || n > r->kept_left)
    return 0;
  r->kept_left -= n;
  return 1;
}

static llmenv_status
read_number (reader *r, unsigned width, const char *what, uint64_t *number)
{
  unsigned char b[8];
  TRY (llmenv_source_read (r->source, b, width, what, r->error));
  *number = 0;
  for (unsigned i = 0; i < width; i++)
    *number = *number << 8 | b[r->big ? i : width - 1 - i];
  return LLMENV_OK;
}

/* The name of a key or tensor into OUT (LONGEST_NAME + 1 bytes). */
static llmenv_status
read_name (reader *r, const char *what, char *out)
{
  const uint64_t at = r->source->at;
  uint64_t n;
  TRY (read_number (r, 8, what, &n));
  if (n == 0 || n > LONGEST_NAME)
    return llmenv_source_refuse (r->source, at, r->error,
                                 "%s of %llu bytes, expected 1 to %d", what,
                                 (unsigned long long) n, LONGEST_NAME);
  TRY (llmenv_source_read (r->source, out, n, what, r->error));
  out[n] = '\0';
  for (uint64_t i = 0; i < n; i++)
    if ((unsigned char) out[i] < 0x20 || (unsigned char) out[i] >= 0x7F)
      return llmenv_source_refuse (r->source, at + 8 + i, r->error,
                                   "%s holds a byte that is not printable ASCII", what);
  return LLMENV_OK;
}

/* Text of N bytes; what is not UTF-8 is shown as question marks. */
static json_t *
text_value (char *text, size_t n)
{
  json_t *value = json_stringn (text, n);
  if (value != NULL)
    return value;
  for (size_t i = 0; i < n; i++)
    if ((unsigned char) text[i] >= 0x7F || text[i] == '\0')
      text[i] = '?';
  return json_stringn (text, n);
}

static json_t *
count_value (uint64_t n)
{
  return json_pack ("{s:I}", "count", (json_int_t) n);
}

static llmenv_status
read_text (reader *r, int keep, json_t **value)
{
  uint64_t n;
  TRY (read_number (r, 8, "the length of a text", &n));
  *value = NULL;
  if (!keep || !may_keep (r, n))
    {
      TRY (llmenv_source_skip (r->source, n, "a text", r->error));
      *value = keep ? count_value (n) : NULL;
      return LLMENV_OK;
    }
  char text[MOST_KEPT];
  TRY (llmenv_source_read (r->source, text, n, "a text", r->error));
  *value = text_value (text, n);
  return LLMENV_OK;
}

/* ---- values of the metadata --------------------------------------------- */

enum { U8, I8, U16, I16, U32, I32, F32, BOOL, TEXT, ARRAY, U64, I64, F64, N_VALUE_TYPES };

static const unsigned char widths[N_VALUE_TYPES]
  = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8 };

static json_t *
real_value (double x)
{
  return isfinite (x) ? json_real (x) : json_null ();
}

static json_t *
scalar_value (uint64_t type, uint64_t bits)
{
  const uint32_t low = (uint32_t) bits;
  float f;
  double d;
  switch (type)
    {
    case BOOL:
      return json_boolean (bits != 0);
    case I8:
      return json_integer ((int8_t) bits);
    case I16:
      return json_integer ((int16_t) bits);
    case I32:
      return json_integer ((int32_t) bits);
    case F32:
      memcpy (&f, &low, sizeof f);
      return real_value (f);
    case F64:
      memcpy (&d, &bits, sizeof d);
      return real_value (d);
    case U64:
      return bits > INT64_MAX ? json_real ((double) bits)
                              : json_integer ((json_int_t) bits);
    default:
      return json_integer ((json_int_t) bits);
    }
}

static llmenv_status
read_value_type (reader *r, const char *what, uint64_t *type)
{
  const uint64_t at = r->source->at;
  TRY (read_number (r, 4, what, type));
  if (*type < N_VALUE_TYPES)
    return LLMENV_OK;
  return llmenv_source_refuse (r->source, at, r->error, "%s is %llu, expected 0 to %d",
                               what, (unsigned long long) *type, N_VALUE_TYPES - 1);
}

/* COUNT numbers of TYPE, as a list when they are to be kept. */
static llmenv_status
read_numbers (reader *r, uint64_t type, uint64_t count, int keep, json_t **value)
{
  const unsigned width = widths[type];
  if (!keep || !may_keep (r, count))
    {
      TRY (llmenv_source_skip (r->source, count * width, "an array", r->error));
      *value = keep ? count_value (count) : NULL;
      return LLMENV_OK;
    }
  json_t *list = json_array ();
  for (uint64_t i = 0; i < count; i++)
    {
      uint64_t bits;
      const llmenv_status st = read_number (r, width, "an array", &bits);
      if (st != LLMENV_OK)
        {
          json_decref (list);
          return st;
        }
      json_array_append_new (list, scalar_value (type, bits));
    }
  *value = list;
  return LLMENV_OK;
}

static llmenv_status
read_array (reader *r, int depth, int keep, json_t **value)
{
  const uint64_t at = r->source->at;
  uint64_t type, count;
  TRY (read_value_type (r, "the type of an array's values", &type));
  TRY (read_number (r, 8, "the length of an array", &count));
  if (count > r->elements_left)
    return llmenv_source_refuse (r->source, at, r->error,
                                 "an array of %llu values, all arrays may have %d",
                                 (unsigned long long) count, MOST_ELEMENTS);
  if (depth == DEEPEST)
    return llmenv_source_refuse (r->source, at, r->error,
                                 "arrays nested more than %d deep", DEEPEST);
  r->elements_left -= count;
  if (type != TEXT && type != ARRAY)
    return read_numbers (r, type, count, keep, value);
  json_t *unused;
  for (uint64_t i = 0; i < count; i++)
    TRY (type == TEXT ? read_text (r, 0, &unused)
                      : read_array (r, depth + 1, 0, &unused));
  *value = keep ? count_value (count) : NULL;
  return LLMENV_OK;
}

static llmenv_status
read_value (reader *r, json_t **value)
{
  uint64_t type, bits;
  TRY (read_value_type (r, "the type of a value", &type));
  if (type == TEXT)
    return read_text (r, 1, value);
  if (type == ARRAY)
    return read_array (r, 0, 1, value);
  TRY (read_number (r, widths[type], "a value", &bits));
  *value = scalar_value (type, bits);
  return LLMENV_OK;
}

static llmenv_status
read_metadata (reader *r, uint64_t n, json_t *metadata)
{
  char key[LONGEST_NAME + 1];
  for (uint64_t i = 0; i < n; i++)
    {
      const uint64_t at = r->source->at;
      json_t *value;
      TRY (read_name (r, "a key", key));
      if (json_object_get (metadata, key) != NULL)
        return llmenv_source_refuse (r->source, at, r->error, "key %.80s appears twice", key);
      TRY (read_value (r, &value));
      if (value == NULL || json_object_set_new_nocheck (metadata, key, value) != 0)
        return llmenv_error_set (r->error, LLMENV_ETOOLARGE, "out of memory");
    }
  return LLMENV_OK;
}

/* ---- the tensor table --------------------------------------------------- */

/* Elements and bytes of T, both exact. */
static llmenv_status
size_tensor (const reader *r, uint64_t at, llmenv_gguf_tensor *t)
{
  t->elements = 1;
  for (unsigned i = 0; i < t->n_dims; i++)
    {
      if (t->dims[i] != 0 && t->elements > EXACT / t->dims[i])
        return llmenv_source_refuse (r->source, at, r->error,
                                     "tensor %.80s: %llu x %llu x %llu x %llu is above 2^53",
                                     t->name, (unsigned long long) t->dims[0],
                                     (unsigned long long) t->dims[1],
                                     (unsigned long long) t->dims[2],
                                     (unsigned long long) t->dims[3]);
      t->elements *= t->dims[i];
    }
  if (t->elements == 0)
    return llmenv_source_refuse (r->source, at, r->error,
                                 "tensor %.80s has a dimension of 0", t->name);
  if (t->dims[0] % t->type->values != 0)
    return llmenv_source_refuse (r->source, at, r->error,
                                 "tensor %.80s: rows of %llu are no multiple of the %u of %s",
                                 t->name, (unsigned long long) t->dims[0],
                                 t->type->values, t->type->name);
  t->bytes = t->elements / t->type->values * t->type->bytes;
  return LLMENV_OK;
}

static llmenv_status
read_tensor (reader *r, llmenv_gguf_tensor *t, uint64_t *offset)
{
  const uint64_t at = r->source->at;
  uint64_t n_dims, type;
  TRY (read_number (r, 4, "a tensor's number of dimensions", &n_dims));
  if (n_dims > 4)
    return llmenv_source_refuse (r->source, at, r->error,
                                 "tensor %.80s: %llu dimensions, expected at most 4",
                                 t->name, (unsigned long long) n_dims);
  t->n_dims = (unsigned) n_dims;
  for (unsigned i = 0; i < 4; i++)
    t->dims[i] = 1;
  for (unsigned i = 0; i < n_dims; i++)
    TRY (read_number (r, 8, "a tensor's dimensions", &t->dims[i]));
  TRY (read_number (r, 4, "a tensor's type", &type));
  TRY (read_number (r, 8, "a tensor's offset", offset));
  t->type = llmenv_ggml_type_find (type);
  if (t->type == NULL)
    return llmenv_source_refuse (r->source, at, r->error,
                                 "tensor %.80s: no ggml type has number %llu",
                                 t->name, (unsigned long long) type);
  return size_tensor (r, at, t);
}

/* A new entry named NAME at the end of the table. */
static llmenv_status
add_tensor (llmenv_gguf *g, const char *name, llmenv_gguf_tensor **t,
            llmenv_error *error)
{
  if (g->n_tensors == g->room)
    {
      const size_t room = g->room == 0 ? 256 : 2 * g->room;
      void *more = realloc (g->tensors, room * sizeof *g->tensors);
      if (more == NULL)
        return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
      g->tensors = more;
      g->room = room;
    }
  *t = &g->tensors[g->n_tensors];
  memset (*t, 0, sizeof **t);
  (*t)->name = strdup (name);
  if ((*t)->name == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  g->n_tensors++;
  return LLMENV_OK;
}

/* N entries; *EXTENT is where the data of the last one ends, *SUM their bytes. */
static llmenv_status
read_tensors (reader *r, uint64_t n, llmenv_gguf *g, uint64_t *extent, uint64_t *sum)
{
  char name[LONGEST_NAME + 1];
  *extent = *sum = 0;
  for (uint64_t i = 0; i < n; i++)
    {
      const uint64_t at = r->source->at;
      llmenv_gguf_tensor *t = NULL;
      uint64_t offset = 0;
      TRY (read_name (r, "a tensor's name", name));
      TRY (add_tensor (g, name, &t, r->error));
      TRY (read_tensor (r, t, &offset));
      g->elements += t->elements;
      g->bytes += t->bytes;
      *sum += t->bytes;
      if (offset > EXACT || g->elements > EXACT || g->bytes > EXACT)
        return llmenv_source_refuse (r->source, at, r->error,
                                     "tensor %.80s: offset or total size above 2^53",
                                     t->name);
      if (offset + t->bytes > *extent)
        *extent = offset + t->bytes;
    }
  return LLMENV_OK;
}

/* ---- one file ----------------------------------------------------------- */

/* A version whose low half is empty was written in the other byte order. */
static llmenv_status
read_version (reader *r, unsigned *version)
{
  char magic[4];
  uint64_t v;
  TRY (llmenv_source_read (r->source, magic, 4, "the magic number", r->error));
  if (memcmp (magic, "GGUF", 4) != 0)
    return llmenv_source_refuse (r->source, 0, r->error,
                                 "not a GGUF file, it does not start with \"GGUF\"");
  TRY (read_number (r, 4, "the version", &v));
  r->big = (v & 0xFFFF) == 0;
  if (r->big)
    v = __builtin_bswap32 ((uint32_t) v);
  *version = (unsigned) v;
  if (v == 2 || v == 3)
    return LLMENV_OK;
  return llmenv_source_refuse (r->source, 4, r->error,
                               "GGUF version %llu, versions 2 and 3 are read",
                               (unsigned long long) v);
}

/* A count that the rest of the file could hold, LEAST bytes each. */
static llmenv_status
read_count (reader *r, const char *what, uint64_t most, uint64_t least, uint64_t *n)
{
  const uint64_t at = r->source->at;
  TRY (read_number (r, 8, what, n));
  const uint64_t left = r->source->size - r->source->at;
  if (*n <= most && *n <= left / least)
    return LLMENV_OK;
  return llmenv_source_refuse (r->source, at, r->error,
                               "%s is %llu, at most %llu are read and %llu bytes are left",
                               what, (unsigned long long) *n, (unsigned long long) most,
                               (unsigned long long) left);
}

/* Tensor data start at the next multiple of general.alignment. */
static llmenv_status
data_start (const reader *r, const json_t *metadata, uint64_t *start)
{
  const json_t *stated = json_object_get (metadata, "general.alignment");
  const json_int_t alignment = stated == NULL ? 32 : json_integer_value (stated);
  if (alignment < 1 || alignment > 1 << 30 || (alignment & (alignment - 1)) != 0)
    return llmenv_source_refuse (r->source, r->source->at, r->error,
                                 "general.alignment is no power of two from 1 to 2^30");
  const uint64_t a = (uint64_t) alignment;
  *start = (r->source->at + a - 1) / a * a;
  return LLMENV_OK;
}

static llmenv_status
read_tables (reader *r, json_t *metadata, llmenv_gguf *g)
{
  uint64_t n_tensors, n_keys, extent, sum, start = 0;
  TRY (read_count (r, "the number of tensors", MOST_TENSORS, 24, &n_tensors));
  TRY (read_count (r, "the number of keys", MOST_KEYS, 13, &n_keys));
  TRY (read_metadata (r, n_keys, metadata));
  TRY (read_tensors (r, n_tensors, g, &extent, &sum));
  TRY (data_start (r, metadata, &start));
  if (sum > extent)
    return llmenv_source_refuse (r->source, r->source->at, r->error,
                                 "tensors overlap: %llu bytes in %llu",
                                 (unsigned long long) sum, (unsigned long long) extent);
  if (extent > 0 && start + extent > r->source->size)
    g->missing += start + extent - r->source->size;
  return LLMENV_OK;
}

static int
by_name (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* No two tensors, of one file or of a set, have one name. */
static llmenv_status
check_names (const llmenv_gguf *g, const char *file, llmenv_error *error)
{
  llmenv_status st = LLMENV_OK;
  if (g->n_tensors < 2)
    return st;
  char **names = malloc (g->n_tensors * sizeof *names);
  if (names == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  for (size_t i = 0; i < g->n_tensors; i++)
    names[i] = g->tensors[i].name;
  qsort (names, g->n_tensors, sizeof *names, by_name);
  for (size_t i = 1; i < g->n_tensors && st == LLMENV_OK; i++)
    if (strcmp (names[i - 1], names[i]) == 0)
      st = llmenv_error_set (error, LLMENV_EBADFILE,
                             "%s: tensor %.80s appears twice", file, names[i]);
  free (names);
  return st;
}

/* What METADATA says of the part against the place that its name gives it. */
static llmenv_status
check_part (const json_t *metadata, const char *file, unsigned part,
            unsigned parts, llmenv_error *error)
{
  const json_t *no = json_object_get (metadata, "split.no");
  const json_t *count = json_object_get (metadata, "split.count");
  if ((no == NULL || json_integer_value (no) == (json_int_t) part)
      && (count == NULL || json_integer_value (count) == (json_int_t) parts
          || (parts == 1 && json_integer_value (count) == 0)))
    return LLMENV_OK;
  if (parts == 1)
    return llmenv_error_set (error, LLMENV_EBADFILE,
                             "%s: part %lld of a model in %lld files, whose names must end in "
                             "-00001-of-%05lld.gguf and so on",
                             file, (long long) json_integer_value (no) + 1,
                             (long long) json_integer_value (count),
                             (long long) json_integer_value (count));
  return llmenv_error_set (error, LLMENV_EBADFILE,
                           "%s: its metadata say part %lld of %lld, its name part %u of %u",
                           file, (long long) json_integer_value (no) + 1,
                           (long long) json_integer_value (count), part + 1, parts);
}

/* Part PART (from 0) of PARTS. */
static llmenv_status
read_part (llmenv_source *source, llmenv_gguf *g, unsigned part, unsigned parts,
           llmenv_error *error)
{
  reader r = { source, error, 0, MOST_ELEMENTS, MOST_KEPT_IN_ALL };
  json_t *metadata = json_object ();
  llmenv_status st = read_version (&r, &g->version);
  g->big_endian = r.big;
  if (st == LLMENV_OK)
    st = read_tables (&r, metadata, g);
  if (st == LLMENV_OK)
    st = check_part (metadata, source->name, part, parts, error);
  if (g->metadata == NULL)
    g->metadata = metadata;
  else
    json_decref (metadata);
  g->n_files++;
  return st;
}

llmenv_status
llmenv_gguf_read (llmenv_source *source, llmenv_gguf *gguf, llmenv_error *error)
{
  TRY (read_part (source, gguf, 0, 1, error));
  return check_names (gguf, source->name, error);
}

void
llmenv_gguf_free (llmenv_gguf *gguf)
{
  for (size_t i = 0; i < gguf->n_tensors; i++)
    free (gguf->tensors[i].name);
  free (gguf->tensors);
  json_decref (gguf->metadata);
  memset (gguf, 0, sizeof *gguf);
}

/* ---- split models ------------------------------------------------------- */

/* A set of files PREFIX-00001-of-0000N.gguf; 1 when PATH is one of them. */
typedef struct
{
  char prefix[3800];
  unsigned parts;
} split;

static int
five_digits (const char *text, unsigned *number)
{
  *number = 0;
  for (int i = 0; i < 5; i++)
    {
      if (text[i] < '0' || text[i] > '9')
        return 0;
      *number = 10 * *number + (unsigned) (text[i] - '0');
    }
  return 1;
}

static int
is_split (const char *path, split *s)
{
  static const char tail[] = "-00001-of-00001.gguf";
  const size_t n = strlen (path), m = sizeof tail - 1;
  unsigned part;
  if (n <= m || n - m >= sizeof s->prefix)
    return 0;
  const char *t = path + n - m;
  if (t[0] != '-' || !five_digits (t + 1, &part) || memcmp (t + 6, "-of-", 4) != 0
      || !five_digits (t + 10, &s->parts) || strcmp (t + 15, ".gguf") != 0
      || part < 1 || part > s->parts)
    return 0;
  memcpy (s->prefix, path, n - m);
  s->prefix[n - m] = '\0';
  return 1;
}

static void
part_name (const split *s, unsigned part, char *name, size_t size)
{
  snprintf (name, size, "%s-%05u-of-%05u.gguf", s->prefix, part + 1, s->parts);
}

/* Name the parts that are not there, the first three of them. */
static llmenv_status
check_parts (const char *path, const split *s, llmenv_error *error)
{
  char missing[400] = "", name[4096];
  unsigned n = 0;
  for (unsigned i = 0; i < s->parts; i++)
    {
      part_name (s, i, name, sizeof name);
      if (access (name, F_OK) == 0 || ++n > 3)
        continue;
      const char *base = strrchr (name, '/');
      const size_t used = strlen (missing);
      snprintf (missing + used, sizeof missing - used, "%s%.120s",
                n > 1 ? ", " : "", base == NULL ? name : base + 1);
    }
  if (n == 0)
    return LLMENV_OK;
  return llmenv_error_set (error, LLMENV_EBADFILE,
                           "%s: %u of the %u parts of the model are missing: %s%s",
                           path, n, s->parts, missing, n > 3 ? ", ..." : "");
}

static llmenv_status
open_part (const char *name, llmenv_gguf *g, unsigned part, unsigned parts,
           llmenv_error *error)
{
  llmenv_source source;
  TRY (llmenv_source_open (&source, name, error));
  const llmenv_status st = read_part (&source, g, part, parts, error);
  llmenv_source_close (&source);
  return st;
}

static llmenv_status
open_set (const char *path, const split *s, llmenv_gguf *g, llmenv_error *error)
{
  char name[4096];
  TRY (check_parts (path, s, error));
  for (unsigned i = 0; i < s->parts; i++)
    {
      part_name (s, i, name, sizeof name);
      TRY (open_part (name, g, i, s->parts, error));
    }
  const json_t *n = json_object_get (g->metadata, "split.tensors.count");
  if (n != NULL && json_integer_value (n) != (json_int_t) g->n_tensors)
    return llmenv_error_set (error, LLMENV_EBADFILE,
                             "%s: the %u parts hold %zu tensors, their metadata say %lld",
                             path, s->parts, g->n_tensors,
                             (long long) json_integer_value (n));
  return LLMENV_OK;
}

llmenv_status
llmenv_gguf_open (const char *path, llmenv_gguf *gguf, llmenv_error *error)
{
  split s;
  memset (gguf, 0, sizeof *gguf);
  llmenv_status st = is_split (path, &s) ? open_set (path, &s, gguf, error)
                                         : open_part (path, gguf, 0, 1, error);
  if (st == LLMENV_OK)
    st = check_names (gguf, path, error);
  if (st != LLMENV_OK)
    llmenv_gguf_free (gguf);
  return st;
}
