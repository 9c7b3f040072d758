/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_layers.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_element.h"

#define TRY LLMENV_TRY

/* ---- layers ------------------------------------------------------------ */

/* Sizes of a group: the JSON key, where it goes, and the kinds that need it. */
#define KIND(k) (1u << (k))
#define HEADS (KIND (LLMENV_FULL) | KIND (LLMENV_WINDOW) | KIND (LLMENV_CHUNK) \
               | KIND (LLMENV_CROSS))
#define LATENTS (KIND (LLMENV_LATENT) | KIND (LLMENV_SPARSE_LATENT))

static const struct
{
  const char *key;
  size_t offset;
  unsigned kinds;
} sizes[] = {
#define SIZE(name, kinds) { #name, offsetof (llmenv_layer_group, name), kinds }
  SIZE (q_heads, HEADS | LATENTS),
  SIZE (kv_heads, HEADS),
  SIZE (k_dim, HEADS),
  SIZE (v_dim, HEADS),
  SIZE (window, KIND (LLMENV_WINDOW) | KIND (LLMENV_CHUNK)),
  SIZE (rank, LATENTS),
  SIZE (rope_dim, LATENTS),
  SIZE (top, KIND (LLMENV_SPARSE_LATENT)),
  SIZE (index_heads, KIND (LLMENV_SPARSE_LATENT)),
  SIZE (index_dim, KIND (LLMENV_SPARSE_LATENT)),
  SIZE (length, KIND (LLMENV_CROSS)),
#undef SIZE
};

static llmenv_status
read_kind (const json_t *json, const char *key, const llmenv_place *at,
           llmenv_layer_kind *kind, llmenv_error *error)
{
  const char *word;
  TRY (llmenv_json_need_text (json, key, at, &word, error));
  for (int k = 0; k < LLMENV_LAYER_KIND_COUNT; k++)
    if (strcmp (word, llmenv_layer_kind_word (k)) == 0)
      {
        *kind = k;
        return LLMENV_OK;
      }
  char expected[200] = "one of";
  for (int k = 0; k < LLMENV_LAYER_KIND_COUNT; k++)
    {
      strcat (expected, " ");
      strcat (expected, llmenv_layer_kind_word (k));
    }
  const llmenv_place field = llmenv_place_field (at, key);
  return llmenv_json_refuse (&field, expected, json_object_get (json, key), error);
}

/* Bytes per element of the type named at KEY; NaN when absent. */
static llmenv_status
read_type (const json_t *json, const char *key, const llmenv_place *at,
           double *bytes, llmenv_error *error)
{
  const char *name;
  *bytes = NAN;
  TRY (llmenv_json_text (json, key, at, &name, error));
  if (name == NULL)
    return LLMENV_OK;
  const llmenv_element *e = llmenv_element_find (name, 0);
  if (e == NULL)
    {
      const llmenv_place field = llmenv_place_field (at, key);
      return llmenv_json_refuse (&field, "a storage type such as bf16 or mxfp4",
                                 json_object_get (json, key), error);
    }
  *bytes = llmenv_element_bytes (e);
  return LLMENV_OK;
}

static llmenv_status
read_state (const json_t *group, const llmenv_place *at, llmenv_layer_group *g,
            llmenv_error *error)
{
  const json_t *state = json_object_get (group, "state");
  if (state == NULL || json_is_null (state))
    return LLMENV_OK;
  const llmenv_place place = llmenv_place_field (at, "state");
  if (!json_is_object (state))
    return llmenv_json_refuse (&place, "an object", state, error);
  TRY (llmenv_json_number (state, "recurrent", &place, 0, &g->state_elements, error));
  TRY (llmenv_json_number (state, "conv", &place, 0, &g->conv_elements, error));
  TRY (read_type (state, "type", &place, &g->state_bytes_each, error));
  TRY (read_type (state, "conv_type", &place, &g->conv_bytes_each, error));
  if (isnan (g->state_elements))
    g->state_elements = 0;
  if (isnan (g->conv_elements))
    g->conv_elements = 0;
  if (isnan (g->state_bytes_each))
    g->state_bytes_each = 2;
  if (isnan (g->conv_bytes_each))
    g->conv_bytes_each = 2;
  return LLMENV_OK;
}

/* Widths of a latent group's heads when K and V are expanded: K is nope_dim +
 * rope_dim, V is v_dim.  Optional: only engines that expand them ask. */
static llmenv_status
read_expanded (const json_t *json, const llmenv_place *at, llmenv_layer_group *g,
               llmenv_error *error)
{
  double nope, v;
  TRY (llmenv_json_number (json, "nope_dim", at, 0, &nope, error));
  TRY (llmenv_json_number (json, "v_dim", at, 0, &v, error));
  g->k_dim = isnan (nope) ? 0 : nope + g->rope_dim;
  g->v_dim = isnan (v) ? 0 : v;
  return LLMENV_OK;
}

/* The formulas take the MLP from the weights; what else reads it may rely on
 * numbers. */
static llmenv_status
check_mlp (const json_t *group, const llmenv_place *at, llmenv_error *error)
{
  const json_t *mlp = json_object_get (group, "mlp");
  const llmenv_place place = llmenv_place_field (at, "mlp");
  const llmenv_place kind = llmenv_place_field (&place, "kind");
  const char *word;
  double unused;
  if (mlp == NULL || json_is_null (mlp))
    return LLMENV_OK;
  if (!json_is_object (mlp))
    return llmenv_json_refuse (&place, "an object", mlp, error);
  TRY (llmenv_json_need_text (mlp, "kind", &place, &word, error));
  if (strcmp (word, "dense") != 0 && strcmp (word, "moe") != 0)
    return llmenv_json_refuse (&kind, "dense or moe", json_object_get (mlp, "kind"), error);
  TRY (llmenv_json_need_number (mlp, "size", &place, 1, &unused, error));
  if (strcmp (word, "dense") == 0)
    return LLMENV_OK;
  TRY (llmenv_json_need_number (mlp, "experts", &place, 1, &unused, error));
  TRY (llmenv_json_need_number (mlp, "top", &place, 1, &unused, error));
  return llmenv_json_need_number (mlp, "shared_size", &place, 0, &unused, error);
}

static llmenv_status
read_group (const json_t *json, const llmenv_place *at, llmenv_layer_group *g,
            llmenv_error *error)
{
  if (!json_is_object (json))
    return llmenv_json_refuse (at, "an object", json, error);
  TRY (llmenv_json_need_number (json, "count", at, 1, &g->count, error));
  TRY (read_kind (json, "kind", at, &g->kind, error));
  if (g->kind == LLMENV_SHARED)
    TRY (read_kind (json, "reads", at, &g->reads, error));
  const llmenv_layer_kind kind = g->kind == LLMENV_SHARED ? g->reads : g->kind;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (sizes[i].kinds & KIND (kind))
      TRY (llmenv_json_need_number (json, sizes[i].key, at, 0,
                                    (double *) (void *) ((char *) g + sizes[i].offset),
                                    error));
  if (LATENTS & KIND (kind))
    TRY (read_expanded (json, at, g, error));
  TRY (read_state (json, at, g, error));
  TRY (check_mlp (json, at, error));
  if (g->kind == LLMENV_RECURRENT && json_object_get (json, "state") == NULL)
    {
      const llmenv_place field = llmenv_place_field (at, "state");
      return llmenv_json_refuse (&field, "an object", NULL, error);
    }
  return LLMENV_OK;
}

/* A list of objects at KEY: NULL when absent. */
static llmenv_status
get_list (const json_t *json, const char *key, const llmenv_place *place,
          const json_t **list, llmenv_error *error)
{
  *list = json_object_get (json, key);
  if (*list == NULL || json_is_null (*list))
    {
      *list = NULL;
      return LLMENV_OK;
    }
  if (json_is_array (*list) && json_array_size (*list) <= 100000)
    return LLMENV_OK;
  const llmenv_place at = llmenv_place_field (place, key);
  return llmenv_json_refuse (&at, "a list", *list, error);
}

/* ---- contradictions ---------------------------------------------------- */

/* What the layers add up to, against the record's own right value. */
static llmenv_status
agree (const json_t *json, const char *key, const llmenv_place *root,
       double derived, llmenv_error *error)
{
  const double stated = llmenv_record_number (json, key, LLMENV_LAYERED);
  if (isnan (stated) || fabs (stated - derived) <= 1e-9 * fabs (derived))
    return LLMENV_OK;
  return llmenv_error_set (error, LLMENV_EBADRECORD,
                           "%s: %s: the layers give %.15g, the record says %.15g",
                           root->file, key, derived, stated);
}

static int
caches (llmenv_layer_kind kind)
{
  return (HEADS | LATENTS) & KIND (kind) & ~KIND (LLMENV_CROSS);
}

llmenv_status
llmenv_layers_agree (const json_t *json, const llmenv_place *root,
                     const llmenv_model_record *r, llmenv_error *error)
{
  if (r->model.n_layers == 0)
    return LLMENV_OK;
  double layers = 0, caching = 0, per_token = 0, state = 0;
  for (size_t i = 0; i < r->model.n_layers; i++)
    {
      const llmenv_layer_group *g = &r->layers[i];
      if (g->kind != LLMENV_CROSS && g->kind != LLMENV_ENCODER)
        layers += g->count;
      if (caches (g->kind))
        caching += g->count;
      /* The indexer is kept apart: document 003's figure leaves it out. */
      if (g->kind == LLMENV_LATENT || g->kind == LLMENV_SPARSE_LATENT)
        per_token += 2 * g->count * (g->rank + g->rope_dim);
      else if (caches (g->kind))
        per_token += 2 * g->count * g->kv_heads * (g->k_dim + g->v_dim);
      state += g->count * (g->state_elements * g->state_bytes_each
                           + g->conv_elements * g->conv_bytes_each);
    }
  TRY (agree (json, "num_layers", root, layers, error));
  TRY (agree (json, "kv_caching_layer_count", root, caching, error));
  TRY (agree (json, "kv_cache_bytes_per_token", root, per_token, error));
  return agree (json, "state_bytes_per_sequence", root, state, error);
}

llmenv_status
llmenv_layers_read (const json_t *json, const llmenv_place *root,
                    llmenv_model_record *record, llmenv_error *error)
{
  const json_t *list;
  TRY (get_list (json, "layers", root, &list, error));
  const size_t n = json_array_size (list);
  if (n == 0)
    return LLMENV_OK;
  record->layers = calloc (n, sizeof *record->layers);
  if (record->layers == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  const llmenv_place at = llmenv_place_field (root, "layers");
  for (size_t i = 0; i < n; i++)
    {
      const llmenv_place item = llmenv_place_item (&at, i);
      TRY (read_group (json_array_get (list, i), &item, &record->layers[i], error));
    }
  record->model.layers = record->layers;
  record->model.n_layers = n;
  return LLMENV_OK;
}

/* ---- weights ----------------------------------------------------------- */

static llmenv_status
read_part (const json_t *json, const llmenv_place *at, double format_bytes,
           llmenv_weight_part *part, llmenv_error *error)
{
  const char *word;
  if (!json_is_object (json))
    return llmenv_json_refuse (at, "an object", json, error);
  TRY (llmenv_json_need_number (json, "params", at, 0, &part->params, error));
  TRY (llmenv_json_need_text (json, "role", at, &word, error));
  TRY (read_type (json, "format", at, &part->bytes_each, error));
  /* Exact bytes, scales included, go before the width of a format. */
  double bytes;
  TRY (llmenv_json_number (json, "bytes", at, 0, &bytes, error));
  if (!isnan (bytes) && part->params > 0)
    part->bytes_each = bytes / part->params;
  else if (isnan (part->bytes_each))
    part->bytes_each = format_bytes;
  for (int k = 0; k < LLMENV_WEIGHT_ROLE_COUNT; k++)
    if (strcmp (word, llmenv_weight_role_word (k)) == 0)
      {
        part->role = k;
        return LLMENV_OK;
      }
  char expected[200] = "one of";
  for (int k = 0; k < LLMENV_WEIGHT_ROLE_COUNT; k++)
    {
      strcat (expected, " ");
      strcat (expected, llmenv_weight_role_word (k));
    }
  const llmenv_place field = llmenv_place_field (at, "role");
  return llmenv_json_refuse (&field, expected, json_object_get (json, "role"), error);
}

static llmenv_status
read_experts (const json_t *weights, const llmenv_place *at,
              llmenv_model *model, llmenv_error *error)
{
  double routed = 0;
  TRY (llmenv_json_number (weights, "experts", at, 1, &model->experts, error));
  TRY (llmenv_json_number (weights, "top", at, 0, &model->top, error));
  for (size_t i = 0; i < model->n_parts; i++)
    if (model->parts[i].role == LLMENV_ROLE_ROUTED)
      routed += model->parts[i].params;
  if (isnan (model->experts) && routed == 0)
    model->experts = model->top = 0;
  else if (isnan (model->experts) || isnan (model->top)
           || model->top > model->experts)
    return llmenv_error_set (error, LLMENV_EBADRECORD,
                             "%s: %s: routed weights need experts and top, top at most experts",
                             at->file, at->path);
  return LLMENV_OK;
}

llmenv_status
llmenv_weights_read (const json_t *json, const llmenv_place *root,
                     llmenv_model_record *record, llmenv_error *error)
{
  llmenv_model *model = &record->model;
  TRY (read_type (json, "weight_format", root, &model->format_bytes, error));
  if (isnan (model->format_bytes))
    model->format_bytes = 2;
  const json_t *weights = json_object_get (json, "weights"), *list;
  if (weights == NULL || json_is_null (weights))
    return LLMENV_OK;
  const llmenv_place at = llmenv_place_field (root, "weights");
  if (!json_is_object (weights))
    return llmenv_json_refuse (&at, "an object", weights, error);
  TRY (get_list (weights, "parts", &at, &list, error));
  const size_t n = json_array_size (list);
  if (n == 0)
    return LLMENV_OK;
  record->parts = calloc (n, sizeof *record->parts);
  if (record->parts == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  const llmenv_place parts = llmenv_place_field (&at, "parts");
  for (size_t i = 0; i < n; i++)
    {
      const llmenv_place item = llmenv_place_item (&parts, i);
      TRY (read_part (json_array_get (list, i), &item, model->format_bytes,
                      &record->parts[i], error));
    }
  model->parts = record->parts;
  model->n_parts = n;
  return read_experts (weights, &at, model, error);
}
