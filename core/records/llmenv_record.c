/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_json.h"
#include "llmenv_layers.h"

const char *
llmenv_record_text (const json_t *record, const char *field)
{
  const char *text = json_string_value (json_object_get (record, field));
  return text == NULL ? "" : text;
}

static double
number_or_nan (const json_t *value)
{
  return json_is_number (value) ? json_number_value (value) : NAN;
}

/* A correction whose evidence does not suffice carries "applies": false and is
 * only noted. */
double
llmenv_record_number (const json_t *record, const char *field,
                      llmenv_convention convention)
{
  const char *side = convention == LLMENV_PUBLISHED ? "published" : "right";
  size_t i;
  json_t *correction;
  json_array_foreach (json_object_get (record, "corrections"), i, correction)
    {
      const json_t *value = json_object_get (correction, side);
      if (strcmp (llmenv_record_text (correction, "field"), field) == 0
          && !json_is_false (json_object_get (correction, "applies"))
          && json_is_number (value))
        return json_number_value (value);
    }
  return number_or_nan (json_object_get (record, field));
}

/* ---- checks shared by both kinds --------------------------------------- */

/* A size is a number above 0, a count a whole one from 1; null where a model
 * has none. */
typedef enum { kind_text, kind_number, kind_integer, kind_size, kind_count, kind_boolean } field_kind;

typedef struct
{
  const char *key;
  field_kind kind;
} field;

static llmenv_status
check_field (const json_t *json, const field *f, const llmenv_place *root,
             llmenv_error *error)
{
  const llmenv_place at = llmenv_place_field (root, f->key);
  const json_t *value = json_object_get (json, f->key);
  const char *text;
  double x;
  if (f->kind == kind_text)
    return llmenv_json_text (json, f->key, root, &text, error);
  if (f->kind == kind_boolean)
    return value == NULL || json_is_null (value) || json_is_boolean (value)
           ? LLMENV_OK : llmenv_json_refuse (&at, "true, false or null", value, error);
  LLMENV_TRY (llmenv_json_number (json, f->key, root, 0, &x, error));
  if (f->kind == kind_size && x == 0)
    return llmenv_json_refuse (&at, "a number above 0, or null", value, error);
  if (f->kind == kind_count && (x == 0 || x != floor (x)) && !isnan (x))
    return llmenv_json_refuse (&at, "a whole number from 1, or null", value, error);
  return f->kind == kind_integer && !isnan (x) && x != floor (x)
         ? llmenv_json_refuse (&at, "a whole number", value, error) : LLMENV_OK;
}

static llmenv_status
check_correction (const json_t *c, const llmenv_place *at, llmenv_error *error)
{
  const char *text;
  if (!json_is_object (c))
    return llmenv_json_refuse (at, "an object", c, error);
  return llmenv_json_need_text (c, "field", at, &text, error);
}

static llmenv_status
check_corrections (const json_t *json, const llmenv_place *root,
                   llmenv_error *error)
{
  const json_t *list = json_object_get (json, "corrections");
  const llmenv_place at = llmenv_place_field (root, "corrections");
  size_t i;
  json_t *c;
  if (list != NULL && !json_is_null (list) && !json_is_array (list))
    return llmenv_json_refuse (&at, "a list", list, error);
  json_array_foreach (list, i, c)
    {
      const llmenv_place item = llmenv_place_item (&at, i);
      llmenv_status st = check_correction (c, &item, error);
      if (st != LLMENV_OK)
        return st;
    }
  return LLMENV_OK;
}

/* Ids are printed as they are and are names of files. */
static llmenv_status
check_id (const json_t *json, const llmenv_place *root, llmenv_error *error)
{
  const llmenv_place at = llmenv_place_field (root, "id");
  const char *id;
  LLMENV_TRY (llmenv_json_need_text (json, "id", root, &id, error));
  /* The workbook's names for what an analyst describes. */
  if (strcmp (id, "own-model") == 0 || strcmp (id, "own-card") == 0)
    return llmenv_json_refuse (&at, "another id, this one is the workbook's", json_object_get (json, "id"), error);
  return !llmenv_json_has_controls (id) ? LLMENV_OK
         : llmenv_json_refuse (&at, "text without control characters",
                               json_object_get (json, "id"), error);
}

static llmenv_status
check_common (json_t *json, const field *fields, size_t n,
              const llmenv_place *root, llmenv_error *error)
{
  llmenv_status st = check_id (json, root, error);
  llmenv_json_clean (json);
  for (size_t i = 0; i < n && st == LLMENV_OK; i++)
    st = check_field (json, &fields[i], root, error);
  return st != LLMENV_OK ? st : check_corrections (json, root, error);
}

/* ---- models ------------------------------------------------------------ */

static const field model_fields[] = {
#define X(key, kind) { #key, kind_##kind },
  LLMENV_MODEL_FIELDS (X)
#undef X
};

static llmenv_scalars
scalars_of (const json_t *json, llmenv_convention convention)
{
  return (llmenv_scalars) {
    .params = 1e9 * llmenv_record_number (json, "params_b", convention),
    .active_params
      = 1e9 * llmenv_record_number (json, "active_params_b", convention),
    .kv_bytes
      = llmenv_record_number (json, "kv_cache_bytes_per_token", convention),
    .gqa_ratio = llmenv_record_number (json, "gqa_ratio", convention),
  };
}

static llmenv_reason
kv_reason_of (const json_t *json, const llmenv_model *model)
{
  const char *basis
    = llmenv_record_text (json, "kv_cache_bytes_per_token_basis");
  if (strcmp (basis, "not-applicable") == 0)
    return LLMENV_NOT_APPLICABLE;
  return isnan (model->scalars.kv_bytes) && model->n_layers == 0
         ? LLMENV_NO_RECORD : LLMENV_HAS_VALUE;
}

/* E and e: 0 where the record says dense, NaN where it is silent. */
static void
set_experts (const json_t *json, llmenv_model *model)
{
  if (!isnan (model->experts))
    return;                    /* the weights gave them */
  model->experts = llmenv_record_number (json, "num_experts", LLMENV_LAYERED);
  model->top = llmenv_record_number (json, "experts_per_token", LLMENV_LAYERED);
  const char *architecture = llmenv_record_text (json, "architecture");
  if (isnan (model->experts) && (strcmp (architecture, "dense") == 0
                                 || model->scalars.params == model->scalars.active_params))
    model->experts = model->top = 0;
}

static llmenv_status
check_experts (const llmenv_place *root, const llmenv_model *m, llmenv_error *error)
{
  return m->n_parts > 0 || m->experts == 0 || !(m->top > m->experts)
         ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EBADRECORD,
                             "%s: experts_per_token: %.15g of %.15g experts, expected at most num_experts",
                             root->file, m->top, m->experts);
}

double
llmenv_model_record_least_active (const llmenv_model_record *r)
{
  const llmenv_model *m = &r->model;
  const double least = m->scalars.params * m->top / m->experts;
  return m->n_parts == 0 && m->experts > 0 && m->scalars.active_params < least * (1 - 1e-9)
         ? least : NAN;
}

static llmenv_status
fill_model (const json_t *json, const llmenv_place *root,
            llmenv_model_record *r, llmenv_error *error)
{
  r->model.published = scalars_of (json, LLMENV_PUBLISHED);
  r->model.scalars = scalars_of (json, LLMENV_LAYERED);
  r->model.experts = r->model.top = NAN;
  llmenv_status st = llmenv_weights_read (json, root, r, error);
  if (st == LLMENV_OK)
    st = llmenv_layers_read (json, root, r, error);
  if (st != LLMENV_OK)
    return st;
  set_experts (json, &r->model);
  r->model.kv_reason = kv_reason_of (json, &r->model);
  return check_experts (root, &r->model, error);
}

static llmenv_status
read_model (json_t *json, const char *file, int must_agree,
            llmenv_model_record **record, llmenv_error *error)
{
  const llmenv_place root = llmenv_place_root (file);
  llmenv_model_record *r = calloc (1, sizeof *r);
  if (r == NULL)
    {
      json_decref (json);
      return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
    }
  r->json = json;
  llmenv_status st
    = check_common (json, model_fields, sizeof model_fields / sizeof *model_fields,
                    &root, error);
  if (st == LLMENV_OK)
    st = fill_model (json, &root, r, error);
  if (st == LLMENV_OK && must_agree)
    st = llmenv_layers_agree (json, &root, r, error);
  if (st != LLMENV_OK)
    {
      llmenv_model_record_free (r);
      return st;
    }
  r->id = llmenv_record_text (json, "id");
  r->name = *llmenv_record_text (json, "name") != '\0'
            ? llmenv_record_text (json, "name") : r->id;
  *record = r;
  return LLMENV_OK;
}

llmenv_status
llmenv_model_record_make (json_t *json, const char *file,
                          llmenv_model_record **record, llmenv_error *error)
{
  return read_model (json, file, 1, record, error);
}

llmenv_status
llmenv_model_record_read (json_t *json, const char *file,
                          llmenv_model_record **record, llmenv_error *error)
{
  return read_model (json, file, 0, record, error);
}

void
llmenv_model_record_free (llmenv_model_record *record)
{
  if (record == NULL)
    return;
  json_decref (record->json);
  free (record->layers);
  free (record->parts);
  free (record);
}

/* ---- cards ------------------------------------------------------------- */

static const field card_fields[] = {
#define X(key, kind) { #key, kind_##kind },
  LLMENV_CARD_FIELDS (X)
#undef X
};

static llmenv_status
check_flops (const json_t *json, const llmenv_place *root, llmenv_error *error)
{
  const json_t *list = json_object_get (json, "flops");
  const llmenv_place at = llmenv_place_field (root, "flops");
  if (list != NULL && !json_is_null (list) && !json_is_array (list))
    return llmenv_json_refuse (&at, "a list", list, error);
  size_t i;
  json_t *row;
  json_array_foreach (list, i, row)
    {
      const llmenv_place item = llmenv_place_item (&at, i);
      const llmenv_place dense = llmenv_place_field (&item, "dense");
      const char *precision;
      double tflops;
      if (!json_is_object (row))
        return llmenv_json_refuse (&item, "an object", row, error);
      llmenv_status st
        = llmenv_json_need_text (row, "precision", &item, &precision, error);
      if (st == LLMENV_OK)
        st = llmenv_json_need_number (row, "tflops", &item, 0, &tflops, error);
      if (st == LLMENV_OK && !json_is_boolean (json_object_get (row, "dense")))
        st = llmenv_json_refuse (&dense, "true or false",
                                 json_object_get (row, "dense"), error);
      if (st != LLMENV_OK)
        return st;
    }
  return LLMENV_OK;
}

llmenv_status
llmenv_card_record_make (json_t *json, const char *file,
                         llmenv_card_record **record, llmenv_error *error)
{
  const llmenv_place root = llmenv_place_root (file);
  double memory;
  llmenv_status st
    = check_common (json, card_fields, sizeof card_fields / sizeof *card_fields,
                    &root, error);
  if (st == LLMENV_OK)
    st = check_flops (json, &root, error);
  if (st == LLMENV_OK)
    st = llmenv_json_number (json, "memory_bytes", &root, 1, &memory, error);
  if (st == LLMENV_OK)           /* a card that moves nothing has no ridge */
    st = llmenv_json_number (json, "memory_bandwidth_gbps", &root, 1e-9, &memory, error);
  llmenv_card_record *r = st == LLMENV_OK ? calloc (1, sizeof *r) : NULL;
  if (r == NULL)
    {
      json_decref (json);
      return st != LLMENV_OK ? st
             : llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
    }
  r->json = json;
  r->id = llmenv_record_text (json, "id");
  r->name = *llmenv_record_text (json, "name") != '\0'
            ? llmenv_record_text (json, "name") : r->id;
  *record = r;
  return LLMENV_OK;
}

void
llmenv_card_record_free (llmenv_card_record *record)
{
  if (record == NULL)
    return;
  json_decref (record->json);
  free (record);
}

/* Dense rate of PRECISION, FLOP/s: the largest row (matrix units, where a
 * vector row of the same precision is recorded too), corrections applied. */
static double
dense_rate (const json_t *json, const char *precision, llmenv_convention convention)
{
  char name[32] = "flops.";
  strncat (name, precision, sizeof name - 7);
  const double corrected = llmenv_record_number (json, name, convention);
  if (!isnan (corrected))
    return 1e12 * corrected;
  double best = NAN;
  size_t i;
  json_t *row;
  json_array_foreach (json_object_get (json, "flops"), i, row)
    if (strcmp (llmenv_record_text (row, "precision"), precision) == 0
        && json_is_true (json_object_get (row, "dense")))
      best = fmax (best, number_or_nan (json_object_get (row, "tflops")));
  return 1e12 * best;
}

llmenv_card_numbers
llmenv_card_numbers_get (const llmenv_card_record *record,
                         const llmenv_options *options)
{
  const llmenv_convention convention = options->settings.convention;
  const json_t *json = record->json;
  llmenv_card_numbers n = { { NAN, NAN, NAN }, 0, 0 };
  n.card.peak = dense_rate (json, options->compute_type, convention);
  if (isnan (n.card.peak) && strcmp (options->compute_type, "bf16") == 0)
    {
      n.card.peak = dense_rate (json, "fp16", convention);
      n.peak_is_assumed = !isnan (n.card.peak);
    }
  n.card.bandwidth
    = 1e9 * llmenv_record_number (json, "memory_bandwidth_gbps", convention);
  const double gb = llmenv_record_number (json, "vram_gb", convention);
  const double driver = number_or_nan (json_object_get (json, "memory_bytes"));
  if (convention == LLMENV_PUBLISHED)
    n.card.memory = gb * 1e9;
  else
    {
      n.memory_is_assumed = isnan (driver) && !isnan (gb);
      n.card.memory = isnan (driver) ? gb * 1073741824.0 : driver;
    }
  return n;
}
