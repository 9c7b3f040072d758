/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage types: bytes per element, block scales included. */
#ifndef LLMENV_ELEMENT_H
#define LLMENV_ELEMENT_H

#include <stddef.h>

typedef struct
{
  const char *name;
  double values;               /* values per block */
  double bytes;                /* bytes per block, scales included */
  int is_mix;                  /* 1: a file mix, an average for weights only */
  const char *source;
} llmenv_element;

/* The table, in order of the README; N entries. */
const llmenv_element *llmenv_elements (size_t *n);

/* Entry NAME, or NULL; file mixes only when WITH_MIXES.  Case matters only
 * where it decides: q8_0 is a type, Q8_0 the file mix built on it. */
const llmenv_element *llmenv_element_find (const char *name, int with_mixes);

/* bytes / values of ELEMENT. */
double llmenv_element_bytes (const llmenv_element *element);

#endif
