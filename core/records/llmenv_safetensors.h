/* SPDX-License-Identifier: GPL-3.0-or-later */
/* safetensors: the header of one file, or the headers of a sharded folder.
 * Tensor data are never read. */
#ifndef LLMENV_SAFETENSORS_H
#define LLMENV_SAFETENSORS_H

#include <stdint.h>

#include <jansson.h>

#include "llmenv_error.h"
#include "llmenv_gguf.h"       /* llmenv_source */
#include "llmenv_import.h"

/* A dtype of the format. */
typedef struct
{
  const char *name;
  unsigned bits;
} llmenv_dtype;

/* NULL when the format has no such dtype. */
const llmenv_dtype *llmenv_dtype_find (const char *name);

enum { LLMENV_TENSOR_DIMS = 8 };

typedef struct
{
  char *name;                  /* owned */
  const llmenv_dtype *dtype;
  unsigned n_dims;
  uint64_t dims[LLMENV_TENSOR_DIMS];
  uint64_t elements, bytes;    /* exact, at most 2^53 */
} llmenv_safetensor;

typedef struct
{
  llmenv_safetensor *tensors;  /* owned, n */
  size_t n, room;
  json_t *names;               /* owned: name -> place in tensors */
  uint64_t bytes;              /* of all tensors */
  uint64_t missing;            /* bytes of data beyond the files' ends */
  unsigned n_files;            /* files whose header was read */
  double total_size;           /* what the index says, bytes; NaN without one */
  double total_parameters;     /* likewise, elements */
  unsigned n_shards, n_absent; /* files the index names, and those not there */
  char absent[200];            /* the first of these */
} llmenv_safetensors;

/* Add the header at SOURCE to SET, which starts as zeros.
 * Errors: LLMENV_EBADFILE with the byte or the tensor, LLMENV_ETOOLARGE. */
llmenv_status llmenv_safetensors_read (llmenv_source *source, llmenv_safetensors *set,
                                       llmenv_error *error);

/* Read what PATH stands for: a file, any shard of several, an index, or the
 * folder of these.  Where shards that the index names are absent, no header is
 * read, and n_absent says so. */
llmenv_status llmenv_safetensors_open (const char *path, llmenv_safetensors *set,
                                       llmenv_error *error);

void llmenv_safetensors_free (llmenv_safetensors *set);

/* Give RECORD, made from the model's configuration, the weights of SET. */
llmenv_status llmenv_safetensors_weights (const llmenv_safetensors *set, const char *file,
                                          json_t *record, llmenv_import_notes *notes,
                                          llmenv_error *error);

#endif
