/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GGUF files, versions 2 and 3, both byte orders, split or whole: metadata and
 * tensor table.  Tensor data are never read, so that a file's size costs
 * nothing; every length is checked against what is left before it is used. */
#ifndef LLMENV_GGUF_H
#define LLMENV_GGUF_H

#include <stdint.h>

#include <jansson.h>

#include "llmenv_error.h"
#include "llmenv_import.h"

/* ---- bounded reading ---------------------------------------------------- */

/* A regular file or a piece of memory, and where reading stands in it. */
typedef struct
{
  const char *name;            /* in errors; outlives the source */
  uint64_t size, at;           /* bytes */
  int fd;                      /* -1: memory */
  const unsigned char *bytes;  /* memory, or the window of the file */
  uint64_t start;              /* offset of bytes[0] */
  size_t held;                 /* bytes in it */
  unsigned char *window;       /* owned */
} llmenv_source;

/* Open the regular file PATH; a folder, device or pipe is refused, and nothing
 * waits for a writer.  Errors: LLMENV_EBADFILE, LLMENV_ETOOLARGE. */
llmenv_status llmenv_source_open (llmenv_source *source, const char *path,
                                  llmenv_error *error);
void llmenv_source_memory (llmenv_source *source, const char *name,
                           const void *data, size_t size);
void llmenv_source_close (llmenv_source *source);

/* The next N bytes, read into OUT or passed over; WHAT they are, for the error
 * "FILE: byte AT: WHAT needs N bytes, M are left" (LLMENV_EBADFILE). */
llmenv_status llmenv_source_read (llmenv_source *source, void *out, uint64_t n,
                                  const char *what, llmenv_error *error);
llmenv_status llmenv_source_skip (llmenv_source *source, uint64_t n,
                                  const char *what, llmenv_error *error);

/* "FILE: byte AT: WHY" as a bad file. */
llmenv_status llmenv_source_refuse (const llmenv_source *source, uint64_t at,
                                    llmenv_error *error, const char *why, ...)
  __attribute__ ((format (printf, 4, 5)));

/* ---- types -------------------------------------------------------------- */

/* A storage type of ggml: its number in files, and its blocks. */
typedef struct
{
  unsigned id;
  const char *name;            /* ggml's own */
  const char *element;         /* the same in llmenv_element.h, if it is there */
  unsigned values, bytes;      /* per block, scales included */
} llmenv_ggml_type;

enum { LLMENV_GGML_IDS = 43 }; /* numbers in use are below */

/* Type of number ID; NULL when its blocks are not known. */
const llmenv_ggml_type *llmenv_ggml_type_find (uint64_t id);

/* ---- files -------------------------------------------------------------- */

typedef struct
{
  char *name;                  /* owned */
  const llmenv_ggml_type *type;
  unsigned n_dims;             /* at most 4 */
  uint64_t dims[4];            /* innermost first; 1 beyond n_dims */
  uint64_t elements, bytes;    /* exact, at most 2^53 */
} llmenv_gguf_tensor;

typedef struct
{
  json_t *metadata;            /* owned: key -> number, boolean, text, list of
                                  numbers; {"count": n} for what is not kept */
  llmenv_gguf_tensor *tensors; /* owned, n_tensors */
  size_t n_tensors, room;
  unsigned version;            /* 2 or 3 */
  int big_endian;
  unsigned n_files;            /* 1, or the parts of a split model */
  uint64_t elements, bytes;    /* of all tensors, at most 2^53 */
  uint64_t missing;            /* bytes of tensor data beyond the files' ends */
} llmenv_gguf;

/* Add the header at SOURCE to GGUF, which starts as zeros.  Of several files
 * the first gives the metadata. */
llmenv_status llmenv_gguf_read (llmenv_source *source, llmenv_gguf *gguf,
                                llmenv_error *error);

/* Read the file at PATH, and where its name says -00001-of-00003.gguf, or any
 * other of that set, all parts of the set. */
llmenv_status llmenv_gguf_open (const char *path, llmenv_gguf *gguf,
                                llmenv_error *error);

void llmenv_gguf_free (llmenv_gguf *gguf);

/* Record of GGUF, read from FILE (which names the record).  The weights' parts
 * carry exact "params" and "bytes" by role and storage type.
 * Errors: LLMENV_EBADRECORD, naming the key that is missing or absurd. */
llmenv_status llmenv_gguf_record (const llmenv_gguf *gguf, const char *file,
                                  json_t **record, llmenv_import_notes *notes,
                                  llmenv_error *error);

#endif
