/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an analyst sets in the workbook's Inputs, beyond the options: where the
 * tables' round figures stand, a price, a card and a model of their own, what to
 * compare.  Read from a file ("report --inputs FILE") or set one by one. */
#ifndef LLMENV_INPUTS_H
#define LLMENV_INPUTS_H

#include "llmenv_table.h"
#include "llmenv_table_points.h"

/* A model by its dimensions.  X (name, value, unit, what) */
#define LLMENV_OWN_MODEL_FIELDS(X)                                            \
  X (layers, 32, "layers", "attention layers that see the whole context")     \
  X (window_layers, 0, "layers", "attention layers that see a window")        \
  X (window, 4096, "tokens", "length of that window")                         \
  X (q_heads, 32, "heads", "query heads of a layer")                          \
  X (kv_heads, 8, "heads", "KV heads of a layer")                             \
  X (k_dim, 128, "elements", "width of a K head")                             \
  X (v_dim, 128, "elements", "width of a V head")                             \
  X (rank, 0, "elements", "latent rank of the layers that see everything; 0: heads") \
  X (rope_dim, 0, "elements", "rotary width beside the latent")               \
  X (recurrent_layers, 0, "layers", "layers with a fixed state")              \
  X (state_elements, 0, "elements", "elements of the state of such a layer")  \
  X (state_bytes, 2, "bytes", "bytes per element of the state")               \
  X (params, 8.030261248, "1e9 parameters", "all parameters")                 \
  X (lookup_params, 0.525336576, "1e9 parameters", "of them an input embedding that is looked up, not streamed") \
  X (expert_params, 0, "1e9 parameters", "of them routed experts")            \
  X (experts, 0, "experts", "routed experts of a layer; 0: none")             \
  X (top, 0, "experts", "experts of a token")                                 \
  X (longest, 131072, "tokens", "longest context that it advertises")

typedef struct
{
#define X(name, value, unit, what) double name;
  LLMENV_OWN_MODEL_FIELDS (X)
#undef X
} llmenv_own_fields;

typedef struct
{
  const char *name, *unit, *what;
  double value;
} llmenv_own_field_info;

/* Facts of field I, or NULL past the last; its value in FIELDS. */
const llmenv_own_field_info *llmenv_own_field_get (size_t i);
double *llmenv_own_field_at (llmenv_own_fields *fields, size_t i);

/* The model that FIELDS describe; LAYERS and PARTS (room for 3 each) hold what it
 * points to. */
llmenv_model llmenv_own_model_make (const llmenv_own_fields *fields,
                                    llmenv_layer_group layers[3],
                                    llmenv_weight_part parts[3]);

enum { LLMENV_PICKS = 4 };

/* NaN and "": as the workbook proposes. */
typedef struct llmenv_inputs
{
  double points[LLMENV_TABLE_POINT_COUNT];
  double price;                /* of one card, per hour */
  double own_peak, own_bandwidth, own_memory; /* of own-card: TFLOP/s, GB/s, GB */
  llmenv_own_fields own_model;
  char models[LLMENV_PICKS][LLMENV_NAME_SIZE], cards[LLMENV_PICKS][LLMENV_NAME_SIZE];
} llmenv_inputs;

llmenv_inputs llmenv_inputs_default (void);

/* Set KEY, a name of the sheet Inputs or Own model ("price", "ctx_8k", "own_peak",
 * "q_heads"; in their units), "model_1" to "card_4" of What-if, or an option of
 * OPTIONS in either spelling.  The text of a number is a number.
 * Errors: LLMENV_EBADOPTION, naming the nearest key or what is accepted. */
llmenv_status llmenv_inputs_set_number (llmenv_inputs *inputs, llmenv_options *options,
                                        const char *key, double value, llmenv_error *error);
llmenv_status llmenv_inputs_set_text (llmenv_inputs *inputs, llmenv_options *options,
                                      const char *key, const char *value, llmenv_error *error);

/* Set what the JSON object at PATH holds: one key a line, as above.
 * Errors: LLMENV_EBADFILE, LLMENV_EBADOPTION, with PATH named. */
llmenv_status llmenv_inputs_read (const char *path, llmenv_inputs *inputs,
                                  llmenv_options *options, llmenv_error *error);

/* Replace the names of what is to be compared by ids of CATALOGUE; own-model and
 * own-card stay.  Errors: LLMENV_EMODEL, LLMENV_ECARD with the nearest ids;
 * LLMENV_EBADOPTION, an own model whose dimensions contradict each other. */
llmenv_status llmenv_inputs_resolve (llmenv_inputs *inputs, const llmenv_catalogue *catalogue,
                                     llmenv_error *error);

#define LLMENV_OWN_MODEL "own-model"
#define LLMENV_OWN_CARD "own-card"

#endif
