/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of models and cards: JSON objects checked and turned into numbers.
 *
 * Three kinds of value are kept apart.  The field itself holds what document
 * 003's repository records.  A correction (field, published, right, older)
 * says what the documents' tables use, what is right, and what an earlier
 * version of the record said.  `published` reads the first, `layered` the
 * second, the audit the third. */
#ifndef LLMENV_RECORD_H
#define LLMENV_RECORD_H

#include <jansson.h>

#include "llmenv_error.h"
#include "llmenv_model.h"
#include "llmenv_options.h"

/* Fields of document 003's model record, in its order.
 * X (key, kind); kinds: text, number, integer (from 0), size (above 0), count
 * (whole, from 1), boolean. */
#define LLMENV_MODEL_FIELDS(X)                                                \
  X (id, text) X (name, text) X (family, text) X (vendor, text)               \
  X (release_year, integer) X (architecture, text) X (params_b, size)         \
  X (active_params_b, size) X (num_experts, integer)                          \
  X (experts_per_token, integer) X (shared_expert, boolean)                   \
  X (hidden_size, count) X (num_layers, count)                                \
  X (num_attention_heads, count) X (num_kv_heads, count)                      \
  X (head_dim, count) X (gqa_ratio, number)                                   \
  X (max_position_embeddings, count) X (attention_variant, text)              \
  X (kv_cache_bytes_per_token, number) X (flops_per_token_active, number)     \
  X (license, text) X (hf_repo, text)

/* Fields of its accelerator record, `flops` apart. */
#define LLMENV_CARD_FIELDS(X)                                                 \
  X (id, text) X (name, text) X (vendor, text) X (architecture, text)         \
  X (release_year, integer) X (vram_gb, number) X (memory_type, text)         \
  X (memory_bus_bit, integer) X (memory_bandwidth_gbps, number)               \
  X (tdp_w, number) X (unified_memory, boolean) X (consumer, boolean)

typedef struct
{
  json_t *json;                /* owned */
  const char *id, *name;       /* in json */
  llmenv_model model;
  llmenv_layer_group *layers;  /* owned; model.layers */
  llmenv_weight_part *parts;   /* owned; model.parts */
} llmenv_model_record;

typedef struct
{
  json_t *json;                /* owned */
  const char *id, *name;       /* in json */
} llmenv_card_record;

/* Make a record of JSON (its reference is taken over, also on failure).
 * FILE names the source in errors.  Unknown extra fields are kept.
 * Errors: LLMENV_EBADRECORD for a wrong type, a value out of range, or layers
 * that contradict the record's own right values. */
llmenv_status llmenv_model_record_make (json_t *json, const char *file,
                                        llmenv_model_record **record,
                                        llmenv_error *error);
/* The same, but layers may contradict the record's values: for the audit. */
llmenv_status llmenv_model_record_read (json_t *json, const char *file,
                                        llmenv_model_record **record,
                                        llmenv_error *error);
llmenv_status llmenv_card_record_make (json_t *json, const char *file,
                                       llmenv_card_record **record,
                                       llmenv_error *error);
/* Without parts, what experts weigh follows from P, e and E, and a token uses
 * its share e/E of all parameters at least: that number, where the record says
 * fewer, so that no weights can be left for what is always streamed; else NaN.
 * Not an error: what does not depend on the split is still right. */
double llmenv_model_record_least_active (const llmenv_model_record *record);

void llmenv_model_record_free (llmenv_model_record *record);
void llmenv_card_record_free (llmenv_card_record *record);

/* A numeric field as CONVENTION uses it, corrections applied; NaN if silent. */
double llmenv_record_number (const json_t *record, const char *field,
                             llmenv_convention convention);

/* Text of a field, or "" if silent. */
const char *llmenv_record_text (const json_t *record, const char *field);

/* Numbers of a card under OPTIONS (convention, compute type), and what had to
 * be assumed for them. */
typedef struct
{
  llmenv_card card;
  int peak_is_assumed;         /* no bf16 row: the dense fp16 row */
  int memory_is_assumed;       /* GB x 2^30, no driver's figure */
} llmenv_card_numbers;

llmenv_card_numbers llmenv_card_numbers_get (const llmenv_card_record *record,
                                             const llmenv_options *options);

#endif
