/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model, a card and the options, reduced to the few numbers from which every
 * quantity follows.  Both conventions end in this one form: `published` is an
 * envelope with one straight line per sum, `layered` one with a bend at the end
 * of each window.  All formulas (llmenv_quantity.h) read only this. */
#ifndef LLMENV_ENVELOPE_H
#define LLMENV_ENVELOPE_H

#include "llmenv_engine_settings.h"
#include "llmenv_model.h"
#include "llmenv_status.h"

typedef enum { LLMENV_LAYERED, LLMENV_PUBLISHED } llmenv_convention;
typedef enum { LLMENV_BASIS_DEFAULT, LLMENV_ACTIVE, LLMENV_TOUCHED,
               LLMENV_RESIDENT } llmenv_basis;
typedef enum { LLMENV_LOOKUP, LLMENV_STREAMED } llmenv_embedding;
typedef enum { LLMENV_CHUNK_BOUND, LLMENV_CHUNK_MEAN } llmenv_chunk;

/* NaN: not given, the default of spec section 2 holds. */
typedef struct
{
  llmenv_convention convention;
  llmenv_basis basis;
  llmenv_embedding embedding;
  llmenv_chunk chunk;
  double weight_bytes_each;    /* bytes per weight, all parts; NaN: the format */
  double weight_bytes;         /* exact bytes of the whole model; NaN: none */
  double k_bytes, v_bytes;     /* bytes per element of the K and V cache */
  double state_bytes_each;     /* bytes per element of recurrent state; NaN */
  double reserve;              /* bytes kept free, once per gang */
  double utilization;          /* share of memory that may be used */
  double bandwidth_efficiency, compute_efficiency;
  double overhead;             /* seconds added to each step */
  double count;                /* cards ganged */
  double memory;               /* bytes of one card; NaN: the record's */
  llmenv_engine_settings engine; /* what allocates; ideal: the sums as they are */
} llmenv_settings;

/* Settings with the defaults of CONVENTION. */
llmenv_settings llmenv_settings_default (llmenv_convention convention);

enum { LLMENV_MAX_BENDS = 32 };

/* A sum over layers, per sequence: value (L) = constant + slope L, plus at
 * each bend, for L beyond its end, a change of both. */
typedef struct
{
  double end;                  /* tokens at which the piece before it ends */
  double constant[3], slope[3]; /* of the piece after it; index: llmenv_sum */
} llmenv_piece;

typedef enum { LLMENV_HELD, LLMENV_READ, LLMENV_FLOPS } llmenv_sum;

typedef struct
{
  llmenv_convention convention;
  llmenv_basis basis;

  /* Weights, bytes: W (B) = always + routed (1 - (1 - share)^B). */
  double always, routed, share; /* share = e/E */
  double held;                 /* what memory must hold */
  double flops;                /* 2P, FLOP per generated token */
  double weight_bytes_each;    /* w of the published n_prefill */
  /* l_wall and b_star of `published` use the total where P is null. */
  double wall_flops, wall_weights;

  /* Sums over layers; piece 0 starts at L = 0. */
  llmenv_piece piece[LLMENV_MAX_BENDS + 1];
  int n_pieces;

  /* Card, ganged, efficiencies included. */
  double peak, bandwidth, memory, ridge;
  double reserve, utilization, overhead;

  llmenv_reason kv_reason;     /* HAS_VALUE, or why the sums are NaN */

  /* With an engine other than ideal: what its allocation is counted from.  The
   * model must outlive the envelope then. */
  const llmenv_model *engine_model; /* NULL: ideal */
  llmenv_settings engine_settings;
} llmenv_envelope;

/* Reduce MODEL, CARD (NULL: no card, its numbers become NaN) and SETTINGS.
 * Errors: LLMENV_EBADVALUE (a setting outside its domain), LLMENV_ETOOLARGE
 * (more than LLMENV_MAX_BENDS different window lengths). */
llmenv_status llmenv_envelope_make (const llmenv_model *model,
                                    const llmenv_card *card,
                                    const llmenv_settings *settings,
                                    llmenv_envelope *envelope);

/* Why llmenv_envelope_make refused these SETTINGS with STATUS, in words. */
const char *llmenv_envelope_why (llmenv_status status,
                                 const llmenv_settings *settings);

/* Value at L tokens of a sum over layers, per sequence:
 *   LLMENV_HELD   K (L), bytes held in memory
 *   LLMENV_READ   T (L), bytes read by a decode step
 *   LLMENV_FLOPS  A (L), attention FLOP of a generated token */
double llmenv_envelope_sum (const llmenv_envelope *e, llmenv_sum sum, double L);

/* Weight bytes streamed by a batch of B, in the envelope's basis:
 *   active   always + routed share
 *   touched  always + routed (1 - (1 - share)^B)
 *   resident always + routed                                              */
double llmenv_envelope_weights (const llmenv_envelope *e, double B);

/* W (inf): everything that can be streamed (the whole for `active` too, which
 * does not grow with the batch: its own constant). */
double llmenv_envelope_weights_limit (const llmenv_envelope *e);

#endif
