/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of an imported configuration, as JSON. */
#include "llmenv_import_config.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_element.h"

/* ---- names ---------------------------------------------------------------- */

/* Last component of PATH that names a model: not the file, not a snapshot of
 * a cache ("models--owner--name/snapshots/hash"). */
static void
folder_name (const char *path, char *name, size_t size)
{
  char copy[1024];
  snprintf (copy, sizeof copy, "%s", path);
  name[0] = '\0';
  char *snapshots = strstr (copy, "/snapshots/");
  if (snapshots != NULL)
    *snapshots = '\0';
  for (int step = 0; step < 2; step++)
    {
      size_t n = strlen (copy);
      while (n > 1 && copy[n - 1] == '/')
        copy[--n] = '\0';
      char *slash = strrchr (copy, '/');
      const char *last = slash == NULL ? copy : slash + 1;
      const size_t length = strlen (last);
      const int is_file = length > 5 && strcmp (last + length - 5, ".json") == 0;
      if (is_file && strcmp (last, "config.json") != 0)
        copy[n - 5] = '\0';    /* deepseek-v3.json names a model itself */
      if (!is_file || strcmp (last, "config.json") != 0)
        {
          snprintf (name, size, "%s", last);
          return;
        }
      if (slash == NULL)
        return;
      *slash = '\0';
    }
}

/* Name of the model: its folder, the repository it was saved from, its type. */
static void
model_name (const llmenv_config *c, char *name, size_t size)
{
  const char *origin = json_string_value (json_object_get (c->object, "_name_or_path"));
  char raw[256];
  folder_name (c->at.file, raw, sizeof raw);
  if (raw[0] == '\0' || raw[0] == '.')
    snprintf (raw, sizeof raw, "%s", origin != NULL ? origin : "");
  for (size_t n = strlen (raw); n > 0 && raw[n - 1] == '/'; n--)
    raw[n - 1] = '\0';
  const char *last = strrchr (raw, '/');
  last = last == NULL ? raw : last + 1;
  for (const char *s; (s = strstr (last, "--")) != NULL && s[2] != '\0';)
    last = s + 2;              /* owner--name */
  if (last[strspn (last, "-. ")] == '\0')
    last = c->type[0] != '\0' ? c->type : "model";
  llmenv_printable (last, name, size);
}

/* Lower-case letters, digits and single dashes. */
static void
id_of_name (const char *name, char *id, size_t size)
{
  size_t n = 0;
  for (; *name != '\0' && n + 1 < size; name++)
    if (isalnum ((unsigned char) *name) && (unsigned char) *name < 128)
      id[n++] = (char) tolower ((unsigned char) *name);
    else if (n > 0 && id[n - 1] != '-')
      id[n++] = '-';
  while (n > 0 && id[n - 1] == '-')
    n--;
  id[n] = '\0';
  if (n == 0)
    snprintf (id, size, "model");
}

/* ---- values ---------------------------------------------------------------- */

static json_t *
whole (double x)
{
  return json_integer ((json_int_t) x);
}

static void
set_whole (json_t *object, const char *key, double x)
{
  json_object_set_new (object, key, whole (x));
}

static void
set_text (json_t *object, const char *key, const char *text)
{
  json_object_set_new (object, key, json_string (text));
}

/* A number, or null where it is not known; and where it is 0, too. */
static void
set_number (json_t *object, const char *key, double x)
{
  json_object_set_new (object, key, isnan (x) ? json_null ()
                       : x == floor (x) && fabs (x) <= LLMENV_EXACT ? whole (x)
                       : json_real (x));
}

static void
set_size (json_t *object, const char *key, double x)
{
  set_number (object, key, x > 0 ? x : NAN);
}

/* ---- layers ----------------------------------------------------------------- */

static llmenv_layer_kind
geometry_of (const llmenv_shape *s)
{
  return s->kind == LLMENV_SHARED ? s->reads : s->kind;
}

static void
set_geometry (json_t *group, const llmenv_shape *s)
{
  switch (geometry_of (s))
    {
    case LLMENV_LATENT:
    case LLMENV_SPARSE_LATENT:
      set_whole (group, "q_heads", s->q_heads);
      set_whole (group, "rank", s->rank);
      set_whole (group, "rope_dim", s->rope_dim);
      if (s->k_dim > 0)
        set_whole (group, "nope_dim", s->k_dim);
      if (s->v_dim > 0)
        set_whole (group, "v_dim", s->v_dim);
      break;
    case LLMENV_FULL:
    case LLMENV_WINDOW:
    case LLMENV_CHUNK:
    case LLMENV_CROSS:
      set_whole (group, "q_heads", s->q_heads);
      set_whole (group, "kv_heads", s->kv_heads);
      set_whole (group, "k_dim", s->k_dim);
      set_whole (group, "v_dim", s->v_dim);
      break;
    default:
      return;
    }
  if (s->window > 0)
    set_whole (group, "window", s->window);
  if (s->length > 0)
    set_whole (group, "length", s->length);
  if (s->index_heads > 0)
    {
      set_whole (group, "top", s->top);
      set_whole (group, "index_heads", s->index_heads);
      set_whole (group, "index_dim", s->index_dim);
    }
}

/* Convolution columns are kept in the model's type, 16 bits where that is 32. */
static const char *
conv_type (const llmenv_config *c)
{
  return strstr (c->dtype, "float16") != NULL && strstr (c->dtype, "bfloat16") == NULL ? "fp16" : "bf16";
}

static void
set_state (const llmenv_config *c, json_t *group, const llmenv_shape *s)
{
  json_t *state = json_object ();
  set_whole (state, "recurrent", s->recurrent);
  set_whole (state, "conv", s->conv);
  set_text (state, "type", llmenv_config_state_type (c, s));
  set_text (state, "conv_type", conv_type (c));
  json_object_set_new (state, "assumed", json_boolean (c->state_type == NULL));
  json_object_set_new (group, "state", state);
}

static void
set_mlp (json_t *group, const llmenv_shape *s)
{
  if (s->mlp == MLP_NONE || s->size == 0)
    return;
  json_t *mlp = json_object ();
  set_text (mlp, "kind", s->mlp == MLP_MOE ? "moe" : "dense");
  set_whole (mlp, "size", s->size);
  if (s->mlp == MLP_MOE)
    {
      set_whole (mlp, "experts", s->experts);
      set_whole (mlp, "top", s->expert_top);
      set_whole (mlp, "shared_size", s->shared_size);
    }
  json_object_set_new (group, "mlp", mlp);
}

static json_t *
group_json (const llmenv_config *c, const llmenv_shape *s, double count)
{
  json_t *group = json_object ();
  set_whole (group, "count", count);
  set_text (group, "kind", llmenv_layer_kind_word (s->kind));
  if (s->kind == LLMENV_SHARED)
    set_text (group, "reads", llmenv_layer_kind_word (s->reads));
  set_geometry (group, s);
  if (s->state != STATE_NONE)
    set_state (c, group, s);
  set_mlp (group, s);
  return group;
}

typedef struct
{
  llmenv_shape shape[LLMENV_MAX_GROUPS];
  double count[LLMENV_MAX_GROUPS];
  size_t n;
} groups;

static int
same_shape (const llmenv_shape *a, const llmenv_shape *b)
{
  return a->kind == b->kind && a->reads == b->reads && a->q_heads == b->q_heads
         && a->kv_heads == b->kv_heads && a->k_dim == b->k_dim && a->v_dim == b->v_dim
         && a->window == b->window && a->rank == b->rank && a->rope_dim == b->rope_dim
         && a->top == b->top && a->index_heads == b->index_heads && a->index_dim == b->index_dim
         && a->length == b->length && a->state == b->state && a->recurrent == b->recurrent
         && a->conv == b->conv && a->mlp == b->mlp && a->size == b->size
         && a->experts == b->experts && a->expert_top == b->expert_top
         && a->shared_size == b->shared_size;
}

/* Equal layers together, in order of first appearance. */
static llmenv_status
make_groups (llmenv_config *c, groups *g)
{
  g->n = 0;
  for (size_t i = 0; i < c->n; i++)
    {
      size_t k = 0;
      while (k < g->n && !same_shape (&g->shape[k], &c->layers[i].shape))
        k++;
      if (k == LLMENV_MAX_GROUPS)
        return llmenv_config_fail (c, "more than %d different layers", LLMENV_MAX_GROUPS);
      if (k == g->n)
        {
          g->shape[g->n] = c->layers[i].shape;
          g->count[g->n++] = 0;
        }
      g->count[k]++;
    }
  return c->status;
}

/* ---- what the groups add up to ----------------------------------------------- */

typedef struct
{
  double layers, caching, per_token, state, attending, keeping, mixed;
  const llmenv_shape *first;   /* the first layer that caches; NULL */
  const llmenv_shape *moe;     /* the first with experts; NULL */
} totals;

static int
caches (llmenv_layer_kind kind)
{
  return kind == LLMENV_FULL || kind == LLMENV_WINDOW || kind == LLMENV_CHUNK
         || kind == LLMENV_LATENT || kind == LLMENV_SPARSE_LATENT;
}

static double
bytes_of (const char *type)
{
  return llmenv_element_bytes (llmenv_element_find (type, 0));
}

static totals
total_of (const llmenv_config *c, const groups *g)
{
  totals t = { 0 };
  for (size_t k = 0; k < g->n; k++)
    {
      const llmenv_shape *s = &g->shape[k];
      const double n = g->count[k];
      t.layers += s->kind == LLMENV_CROSS || s->kind == LLMENV_ENCODER ? 0 : n;
      t.attending += caches (s->kind) || s->kind == LLMENV_SHARED ? n : 0;
      if (s->mlp == MLP_MOE && t.moe == NULL)
        t.moe = s;
      if (s->state != STATE_NONE)
        {
          t.keeping += n;
          t.state += n * (s->recurrent * bytes_of (llmenv_config_state_type (c, s))
                          + s->conv * bytes_of (conv_type (c)));
        }
      if (!caches (s->kind))
        continue;
      t.caching += n;
      t.per_token += 2 * n * (s->rank > 0 ? s->rank + s->rope_dim
                                          : s->kv_heads * (s->k_dim + s->v_dim));
      if (t.first == NULL)
        t.first = s;
    }
  return t;
}

static const char *
basis_of (const llmenv_config *c, const totals *t)
{
  if (t->caching == 0)
    return t->keeping > 0 ? "none-fixed-state" : "not-applicable";
  for (size_t i = 0; i < c->n; i++)
    if (c->layers[i].shape.kind == LLMENV_ENCODER)
      return "decoder-self-attention";
  if (t->caching < t->layers && t->keeping > 0)
    return "hybrid-subset";
  return t->first->rank > 0 ? "mla-latent"
         : t->first->kv_heads == t->first->q_heads ? "mha" : "gqa";
}

static const char *
architecture_of (const llmenv_config *c, const totals *t)
{
  const llmenv_state_kind state = c->layers[0].shape.state;
  if (c->traits & T_DIFFUSION)
    return "diffusion";
  if (t->keeping > 0 && t->attending > 0)
    return "hybrid-attention-ssm";
  if (t->keeping > 0)
    return state == STATE_MAMBA1 || state == STATE_MAMBA2 ? "ssm" : "recurrent";
  return t->moe != NULL ? "moe" : "dense";
}

/* ---- the record ---------------------------------------------------------------- */

static double
total_params (const llmenv_config *c)
{
  double sum = 0;
  for (int k = 0; k < PART_MTP; k++)
    sum += c->params[k];
  return sum;
}

static double
active_params (const llmenv_config *c)
{
  return total_params (c) - c->params[PART_ROUTED] - c->params[PART_ROUTED_BIAS]
         + c->active_routed;
}

/* Longest context.  Tokenisers write 1e30 for "no limit": not a number here,
 * and nothing else depends on it. */
static double
positions_of (llmenv_config *c)
{
  const json_t *value = llmenv_config_find (c, F_positions);
  const double x = json_number_value (value);
  return json_is_number (value) && x >= 1 && x <= LLMENV_MAX_WIDTH && x == floor (x) ? x : NAN;
}

/* Scalars in the order of document 003's record. */
static void
set_scalars (llmenv_config *c, json_t *r, const totals *t)
{
  const int weighed = c->no_weights == NULL;
  const double active = weighed ? active_params (c) : NAN;
  const llmenv_shape *s = t->first;
  const int latent = s != NULL && s->rank > 0;
  set_text (r, "architecture", architecture_of (c, t));
  set_size (r, "params_b", weighed ? total_params (c) / 1e9 : NAN);
  set_size (r, "active_params_b", active / 1e9);
  set_number (r, "num_experts", t->moe != NULL ? t->moe->experts : NAN);
  set_number (r, "experts_per_token", t->moe != NULL ? t->moe->expert_top : NAN);
  json_object_set_new (r, "shared_expert", t->moe == NULL ? json_null ()
                       : json_boolean (t->moe->shared_size > 0));
  set_size (r, "hidden_size", llmenv_config_number (c, F_hidden));
  set_size (r, "num_layers", t->layers);
  set_size (r, "num_attention_heads", s != NULL ? s->q_heads : NAN);
  set_size (r, "num_kv_heads", s == NULL ? NAN : s->kv_heads);
  set_size (r, "head_dim", s == NULL ? NAN : s->k_dim);
  set_number (r, "gqa_ratio", s == NULL ? NAN : latent ? 1 : s->q_heads / s->kv_heads);
  set_size (r, "max_position_embeddings", positions_of (c));
  set_number (r, "kv_cache_bytes_per_token", t->layers > 0 ? t->per_token : NAN);
  set_number (r, "flops_per_token_active", 2 * active);
}

static json_t *
parts_json (const llmenv_config *c)
{
  static const struct { const char *name, *role; } words[] = {
#define X(part, name, role) { name, role },
    LLMENV_PARTS (X)
#undef X
  };
  json_t *parts = json_array ();
  for (int k = 0; k < PART_COUNT; k++)
    {
      if (c->params[k] == 0)
        continue;
      json_t *part = json_object ();
      set_text (part, "name", words[k].name);
      set_text (part, "role", words[k].role);
      set_whole (part, "params", c->params[k]);
      if (k == PART_HEAD && c->is_tied)
        json_object_set_new (part, "tied", json_true ());
      if (c->part_format[k] != NULL && strcmp (c->part_format[k], c->main_format) != 0)
        set_text (part, "format", c->part_format[k]);
      json_array_append_new (parts, part);
    }
  return parts;
}

static void
set_weights (const llmenv_config *c, json_t *r, const totals *t)
{
  if (c->no_weights != NULL)
    return;
  json_t *weights = json_object ();
  if (t->moe != NULL)
    {
      set_whole (weights, "experts", t->moe->experts);
      set_whole (weights, "top", t->moe->expert_top);
    }
  json_object_set_new (weights, "parts", parts_json (c));
  json_object_set_new (r, "weights", weights);
}

static void
set_provenance (const llmenv_config *c, json_t *r, const totals *t)
{
  char name[200], type[60], text[400];
  json_t *p = json_object ();
  llmenv_printable (c->at.file, name, sizeof name);
  llmenv_printable (c->type[0] != '\0' ? c->type : "not named", type, sizeof type);
  snprintf (text, sizeof text, "derived from the configuration %s (model type %s)", name, type);
  set_text (p, "layers", text);
  if (t->keeping > 0)
    set_text (p, "state_bytes_per_sequence", c->state_type == NULL
              ? "summed over layers; the type of the recurrent matrices is assumed"
              : "summed over layers, in the type that the configuration names");
  if (c->no_weights == NULL)
    set_text (p, "weights", c->family != NULL ? "derived like layers"
              : "derived like layers, as a plain decoder's: estimated");
  if (c->main_format != NULL)
    set_text (p, "weight_format", "dtype and quantization of the configuration");
  json_object_set_new (r, "provenance", p);
}

static void
set_layers (llmenv_config *c, json_t *r, const groups *g, const totals *t)
{
  json_t *layers = json_array ();
  set_text (r, "kv_cache_bytes_per_token_basis", basis_of (c, t));
  set_whole (r, "kv_caching_layer_count", t->caching);
  if (t->keeping > 0)
    set_number (r, "state_bytes_per_sequence", t->state);
  if (t->first != NULL)
    set_whole (r, "attention_head_count", t->first->q_heads);
  if (t->layers == 0)
    set_text (r, "unavailable_reason", c->traits & T_DIFFUSION
              ? "A diffusion model sees the whole text at every step and keeps no cache."
              : "A bidirectional encoder keeps no cache from token to token.");
  if (c->main_format != NULL)
    set_text (r, "weight_format", c->main_format);
  for (size_t k = 0; k < g->n; k++)
    json_array_append_new (layers, group_json (c, &g->shape[k], g->count[k]));
  json_object_set_new (r, "layers", layers);
}

/* Products of admitted widths may still be beyond whole numbers. */
static llmenv_status
check_totals (llmenv_config *c, const totals *t)
{
  if (!(t->per_token <= LLMENV_EXACT) || !(t->state <= LLMENV_EXACT))
    return llmenv_config_fail (c, "the dimensions give a cache of %.3g bytes a token and a"
                               " state of %.3g: more than 2^53 are not exact", t->per_token, t->state);
  if (t->keeping > 0 && c->state_type == NULL)
    llmenv_import_note (c->notes, "no type is named for the recurrent state: %s is assumed",
                        strcmp (architecture_of (c, t), "recurrent") == 0 ? "fp32" : "its kind's");
  return c->status;
}

llmenv_status
llmenv_config_record (llmenv_config *c, json_t **record)
{
  char name[200], id[96];
  groups *g = malloc (sizeof *g);
  if (g == NULL)
    return c->status = llmenv_error_set (c->error, LLMENV_ETOOLARGE, "out of memory");
  const totals t = make_groups (c, g) == LLMENV_OK ? total_of (c, g) : (totals) { 0 };
  if (c->status == LLMENV_OK && check_totals (c, &t) == LLMENV_OK)
    {
      json_t *r = json_object ();
      model_name (c, name, sizeof name);
      id_of_name (name, id, sizeof id);
      set_text (r, "id", id);
      set_text (r, "name", name);
      if (c->type[0] != '\0' && strlen (c->type) < 60)
        set_text (r, "family", c->type);
      set_scalars (c, r, &t);
      set_layers (c, r, g, &t);
      set_weights (c, r, &t);
      set_provenance (c, r, &t);
      if (c->status == LLMENV_OK)
        *record = r;
      else
        json_decref (r);
    }
  free (g);
  return c->status;
}
