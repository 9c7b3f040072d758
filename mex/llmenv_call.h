/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call of models, cards, B and L: its arguments, the size of its result, and
 * the envelopes it runs over.  Shared by the gateways that take these. */
#ifndef LLMENV_CALL_H
#define LLMENV_CALL_H

#include "llmenv_mex.h"
#include "llmenv_quantity.h"

enum { LLMENV_MAX_DIMS = 16 };

/* All memory here is Octave's. */
typedef struct
{
  const char *name;            /* of the public function, for usage lines */
  int takes;                   /* as llmenv_quantity_info.takes */
  const mxArray *models, *cards; /* NULL when not taken */
  const mxArray *B_array, *L_array;
  const double *B, *L;
  size_t n_B, n_L;
  int has_large;               /* an element of B or L is beyond LLMENV_LARGE */
  const double *lengths, *weights; /* a mix in the place of L, its weights (or
                                  NULL) and how many; then L is its mean */
  size_t n_lengths;
  llmenv_options options;

  size_t dims[LLMENV_MAX_DIMS]; /* of the result */
  int n_dims;
  size_t numeric[LLMENV_MAX_DIMS]; /* of B and L broadcast */
  size_t n_numeric;            /* elements of that */
  int model_dim, card_dim;     /* where the cells went, -1 for none */
  size_t n_models, n_cards;
} llmenv_call;

/* Read ARGS (what TAKES says, then options) into CALL and size its result.
 * May raise; OPTIONS are set by the caller to the defaults that hold. */
void llmenv_call_read (llmenv_call *call, const mxArray *const *args, int n);

/* Elements of A in dimension D; 1 for an absent A. */
size_t llmenv_call_dim (const mxArray *a, int d);

/* Index in the result of numeric element I, model M and card C. */
size_t llmenv_call_index (const llmenv_call *call, size_t i, size_t m, size_t c);

/* Indices into B and L of numeric element I. */
void llmenv_call_elements (const llmenv_call *call, size_t i, size_t *b, size_t *l);

/* Element L of the contexts in ENVELOPE, or the mix. */
llmenv_at_context llmenv_call_context (const llmenv_call *call,
                                       const llmenv_envelope *envelope, size_t l);

/* Uninitialised doubles, or a cell, of the result's size.  May raise. */
mxArray *llmenv_call_doubles (const llmenv_call *call);
mxArray *llmenv_call_cell (const llmenv_call *call);

/* VISIT the envelope of every model and card; records are read once each.
 * CARDS has room for n_cards.  Switches GSL's handler off while it runs.
 * Does not raise. */
typedef void (*llmenv_call_visit) (const llmenv_call *call,
                                   const llmenv_envelope *envelope, size_t m,
                                   size_t c, void *context);
llmenv_status llmenv_call_run (const llmenv_call *call, llmenv_card *cards,
                               llmenv_call_visit visit, void *context,
                               llmenv_error *error);

#endif
