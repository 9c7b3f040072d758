/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The round figures at which tables ask: context lengths, thresholds and
 * batches.  A request may move each (the workbook's Inputs do), and every table
 * and column that stands at it moves along. */
#ifndef LLMENV_TABLE_POINTS_H
#define LLMENV_TABLE_POINTS_H

#include <stddef.h>

/* X (name, value, unit, what) */
#define LLMENV_TABLE_POINTS(X)                                                \
  X (ctx_1k,   1024,    "tokens", "first context of B*")                      \
  X (ctx_4k,   4096,    "tokens", "shortest context of document 000")         \
  X (ctx_8k,   8192,    "tokens", "short context")                            \
  X (ctx_16k,  16384,   "tokens", "third context of document 000")            \
  X (ctx_32k,  32768,   "tokens", "middle context")                           \
  X (ctx_128k, 131072,  "tokens", "long context")                             \
  X (ctx_1m,   1048576, "tokens", "longest context")                          \
  X (gb_1,     1e9,     "bytes",  "first threshold of one sequence's cache")  \
  X (gb_8,     8e9,     "bytes",  "second threshold")                         \
  X (gb_24,    24e9,    "bytes",  "third threshold")                          \
  X (gb_80,    80e9,    "bytes",  "last threshold, of the worst and the exceeding caches") \
  X (batch_1,  1,       "sequences", "first batch of table scaling")          \
  X (batch_2,  2,       "sequences", "second batch")                          \
  X (batch_3,  4,       "sequences", "third batch")                           \
  X (batch_4,  8,       "sequences", "fourth batch")                          \
  X (batch_5,  16,      "sequences", "fifth batch")                           \
  X (batch_6,  32,      "sequences", "last batch")

typedef enum
{
#define X(name, value, unit, what) LLMENV_AT_##name,
  LLMENV_TABLE_POINTS (X)
#undef X
  LLMENV_TABLE_POINT_COUNT
} llmenv_table_point;

typedef struct
{
  const char *name, *unit, *what;
  double value;                /* where tables stand unless moved */
} llmenv_table_point_info;

/* Facts of point I, or NULL past the last. */
const llmenv_table_point_info *llmenv_table_point_get (size_t i);

/* Point whose own value is X (of the batches, where OF_BATCHES), or -1: a
 * figure that is no point stays where it is. */
int llmenv_table_point_find (double x, int of_batches);

/* Where X has been moved to by MOVED (one value a point; NULL: nowhere). */
double llmenv_table_point_at (const double *moved, double x, int of_batches);

#endif
