/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of spec section 5, by name: one table serves Octave
 * ("KVType", "q8_0"), the command (--kv-type q8_0) and their help. */
#ifndef LLMENV_OPTIONS_H
#define LLMENV_OPTIONS_H

#include "llmenv_envelope.h"
#include "llmenv_error.h"

enum { LLMENV_NAME_SIZE = 128, LLMENV_FILE_SIZE = 1024 };

typedef struct
{
  llmenv_settings settings;
  /* Names behind the numbers of settings, for captions; "" = the default. */
  char weight_type[24], k_type[24], v_type[24], state_type[24];
  char compute_type[24];
  char model[LLMENV_FILE_SIZE]; /* a path too */
  char card[LLMENV_NAME_SIZE];
  double context, batch;       /* where a table or command needs one */
  int given_model, given_card;
  char contexts[LLMENV_FILE_SIZE]; /* file of lengths in the place of context */
} llmenv_options;

/* Defaults of spec section 2 (the layered convention). */
llmenv_options llmenv_options_default (void);

typedef struct
{
  const char *name;            /* as in Octave: "KVType" */
  const char *kebab;           /* as in the command: "kv-type" */
  const char *accepts;         /* what it takes, in words */
  const char *help;            /* what it does, with its default */
} llmenv_option_info;

/* Entry I of the table, NULL past its end. */
const llmenv_option_info *llmenv_option_get (size_t i);

/* Index in the table of NAME (either spelling, case-insensitive), or -1. */
int llmenv_option_find (const char *name);

/* Set option NAME from text or from a number.
 * Errors: LLMENV_EBADOPTION, with what is accepted in ERROR. */
llmenv_status llmenv_option_set_text (llmenv_options *options, const char *name,
                                      const char *text, llmenv_error *error);
llmenv_status llmenv_option_set_number (llmenv_options *options,
                                        const char *name, double value,
                                        llmenv_error *error);

/* Number at TEXT, all of it; "32k" is 32 x 1024 and "1M" 1024 x 1024 tokens.
 * Returns 0 when TEXT is no number. */
int llmenv_parse_number (const char *text, double *value);

#endif
