/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `layers` list and the weight parts of a model record. */
#ifndef LLMENV_LAYERS_H
#define LLMENV_LAYERS_H

#include "llmenv_json.h"
#include "llmenv_record.h"

/* Read `layers` of JSON into RECORD. */
llmenv_status llmenv_layers_read (const json_t *json, const llmenv_place *root,
                                  llmenv_model_record *record,
                                  llmenv_error *error);

/* Check what the layers of RECORD add up to against its own layer count,
 * caching layers, KV bytes a token and state. */
llmenv_status llmenv_layers_agree (const json_t *json, const llmenv_place *root,
                                   const llmenv_model_record *record,
                                   llmenv_error *error);

/* Read `weights` and `weight_format`. */
llmenv_status llmenv_weights_read (const json_t *json, const llmenv_place *root,
                                   llmenv_model_record *record,
                                   llmenv_error *error);

#endif
