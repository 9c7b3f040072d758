/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps over one or two inputs, and crossovers, of named models and cards. */
#ifndef LLMENV_SWEEP_H
#define LLMENV_SWEEP_H

#include "llmenv_lengths.h"
#include "llmenv_solve.h"
#include "llmenv_table.h"

enum { LLMENV_MAX_AXES = 2 };

/* An input and the values it takes. */
typedef struct
{
  llmenv_input input;
  double *value;
  size_t n;
} llmenv_axis;

/* Axis of a text: "context=1k,8k,32k" (a list), "kv_bytes=0.28:4:50" (50 equal
 * steps) or "kv_bytes=0.28:4:50:log" (equal ratios; the last two in any order).
 * Of kv_bytes and weight_bytes, storage types are values too ("q8_0").
 * The caller frees axis->value.
 * Errors: LLMENV_EBADOPTION, with what is accepted. */
llmenv_status llmenv_axis_parse (const char *text, llmenv_axis *axis, llmenv_error *error);

/* Input of that name.
 * Errors: LLMENV_EBADOPTION, with the nearest names. */
llmenv_status llmenv_input_named (const char *name, llmenv_input *input, llmenv_error *error);
llmenv_status llmenv_quantity_named (const char *name, llmenv_quantity *q, llmenv_error *error);

/* "INPUT: VALUE is not accepted, expected ...", as a bad value at POINT. */
llmenv_status llmenv_input_refuse (llmenv_input input, double value,
                                   const llmenv_point *point, llmenv_error *error);

/* A line "NN %" on standard error, where that is a terminal, once the work
 * takes over a second. */
typedef struct
{
  double started, shown;       /* seconds */
  double done, all;            /* points */
} llmenv_progress;

void llmenv_progress_start (llmenv_progress *progress, double all);
void llmenv_progress_add (llmenv_progress *progress, double points);
void llmenv_progress_end (llmenv_progress *progress);

/* Values of N_Q quantities over the axes (at most two, of different inputs), all
 * else as at POINT:
 *   out[i + n0 (j + n1 q)]   i of axis 0, j of axis 1 (n1 = 1 without one).
 * What depends on one axis alone is done once for it; batch and context run
 * through llmenv_quantity_run in blocks, so that the work space does not grow
 * with the axes.  PROGRESS may be NULL.
 * Errors: LLMENV_EBADVALUE, naming the value that an input does not take, and
 * those of llmenv_envelope_make. */
llmenv_status llmenv_sweep_fill (const llmenv_point *point,
                                 const llmenv_quantity q[], size_t n_q,
                                 const llmenv_axis axes[], size_t n_axes,
                                 double *out, llmenv_progress *progress,
                                 llmenv_error *error);

/* What a sweep of the command covers.  Names of models and cards are separated
 * by commas, "all" is every one, NULL that of the options. */
typedef struct
{
  const char *const *quantities;
  size_t n_quantities;
  const char *const *vary;     /* texts for llmenv_axis_parse */
  size_t n_vary;
  const char *models, *cards;
} llmenv_sweep;

/* In long form: model, card, the inputs, the quantities; a row a combination. */
llmenv_status llmenv_sweep_make (const llmenv_sweep *sweep,
                                 const llmenv_request *request,
                                 llmenv_table **table, llmenv_error *error);

/* What a solve of the command asks. */
typedef struct
{
  const char *quantity;
  const char *target;          /* a number, another quantity, or NULL: two
                                  models or two cards agree */
  const char *input;
  double lo, hi;
  const char *whole;           /* a word of LLMENV_WHOLES, or NULL */
  const char *models, *cards;  /* as in llmenv_sweep */
} llmenv_question;

/* Columns model, card, the input, value, kind (root, jump, whole number or no
 * crossover), direction, before, after, evaluations; a row an answer, and one
 * row with the values at both ends where there is none. */
llmenv_status llmenv_solve_make (const llmenv_question *question,
                                 const llmenv_request *request,
                                 llmenv_table **table, llmenv_error *error);

/* The point of MODEL and CARD (either may be NULL) under OPTIONS and LENGTHS
 * (NULL: the options' context). */
llmenv_point llmenv_point_make (const llmenv_model *model,
                                const llmenv_card_record *card,
                                const llmenv_options *options,
                                const llmenv_lengths *lengths);

#endif
