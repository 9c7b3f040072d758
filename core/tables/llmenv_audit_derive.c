/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_audit_derive.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_layers.h"

int
llmenv_audit_same (double a, double b)
{
  return a == b || fabs (a - b) <= 1e-9 * fabs (b);
}

/* ---- sums -------------------------------------------------------------------- */

static double
kv_of_group (const llmenv_layer_group *g, llmenv_layer_kind kind)
{
  switch (kind)
    {
    case LLMENV_FULL:
    case LLMENV_WINDOW:
    case LLMENV_CHUNK:
      return 2 * g->count * g->kv_heads * (g->k_dim + g->v_dim);
    case LLMENV_LATENT:
    case LLMENV_SPARSE_LATENT:
      return 2 * g->count * (g->rank + g->rope_dim);
    default:
      return 0;
    }
}

/* Latent layers as if every head kept its K and V: of equal width head_dim. */
static double
expanded (const llmenv_audit_sums *s, const llmenv_layer_group *g)
{
  const double heads = llmenv_audit_value (s, "num_kv_heads");
  const double width = llmenv_audit_value (s, "head_dim");
  return g->kind == LLMENV_LATENT || g->kind == LLMENV_SPARSE_LATENT
         ? 4 * g->count * heads * width : kv_of_group (g, g->kind);
}

static void
sum_group (llmenv_audit_sums *s, const llmenv_layer_group *g, const json_t *json)
{
  const double kv = kv_of_group (g, g->kind);
  const int windowed = g->kind == LLMENV_WINDOW || g->kind == LLMENV_CHUNK;
  const int beside = g->kind == LLMENV_CROSS || g->kind == LLMENV_ENCODER;
  s->layers += beside ? 0 : g->count;
  s->caching += kv > 0 ? g->count : 0;
  s->full += kv > 0 && !windowed ? g->count : 0;
  s->window += windowed ? g->count : 0;
  s->kv += kv;
  s->kv_window += windowed ? kv : 0;
  s->kv_heads += expanded (s, g);
  s->recurrent += g->state_elements > 0 || g->conv_elements > 0 ? g->count : 0;
  s->matrices += g->count * g->state_elements * g->state_bytes_each;
  s->columns += g->count * g->conv_elements * g->conv_bytes_each;
  if (g->kind == LLMENV_SHARED)
    {
      s->shared += g->count;
      s->kv_shared += kv_of_group (g, g->reads);
    }
  s->encoder += g->kind == LLMENV_ENCODER ? g->count : 0;
  s->idle += g->kind == LLMENV_NO_CACHE ? g->count : 0;
  if (g->kind == LLMENV_CROSS)
    s->cross_length = g->length;
  if (!(s->g > 0) && kv > 0 && g->kv_heads > 0)
    s->g = g->q_heads / g->kv_heads;
  if (strcmp (llmenv_record_text (json_object_get (json, "mlp"), "kind"), "dense") == 0)
    s->dense_mlp += g->count;
}

static void
sum_part (llmenv_audit_sums *s, const llmenv_weight_part *p, const char *name)
{
  const llmenv_model *m = &s->record->model;
  const double hidden = llmenv_audit_value (s, "hidden_size");
  s->params += p->params;
  s->mtp += p->role == LLMENV_ROLE_MTP ? p->params : 0;
  s->embedding += p->role == LLMENV_ROLE_EMBEDDING ? p->params : 0;
  if (p->role == LLMENV_ROLE_HEAD)
    {
      s->head += p->params;
      s->vocabulary = p->params / hidden;
    }
  if (p->role == LLMENV_ROLE_ROUTED)
    {
      s->routed += p->params;
      s->used += p->params * m->top / m->experts;
    }
  if (strstr (name, "positions") != NULL)
    s->positions = p->params / hidden;
}

llmenv_audit_sums
llmenv_audit_sum (const llmenv_model_record *record, llmenv_convention convention)
{
  const llmenv_model *m = &record->model;
  llmenv_audit_sums s = { .record = record, .json = record->json, .convention = convention,
                          .g = NAN, .cross_length = NAN, .vocabulary = NAN, .positions = NAN };
  const json_t *layers = json_object_get (record->json, "layers");
  const json_t *parts = json_object_get (json_object_get (record->json, "weights"), "parts");
  for (size_t i = 0; i < m->n_layers; i++)
    sum_group (&s, &m->layers[i], json_array_get (layers, i));
  for (size_t i = 0; i < m->n_parts; i++)
    sum_part (&s, &m->parts[i], llmenv_record_text (json_array_get (parts, i), "name"));
  int latent = 0;
  for (size_t i = 0; i < m->n_layers; i++)
    latent = latent || m->layers[i].rank > 0;
  s.kv_heads = latent ? s.kv_heads : NAN;
  return s;
}

/* ---- values ------------------------------------------------------------------ */

/* Number SIDE of the correction of FIELD, or NaN. */
static double
corrected (const json_t *json, const char *field, const char *side)
{
  size_t i;
  json_t *c;
  json_array_foreach (json_object_get (json, "corrections"), i, c)
    if (strcmp (llmenv_record_text (c, "field"), field) == 0
        && json_is_number (json_object_get (c, side)))
      return json_number_value (json_object_get (c, side));
  return NAN;
}

double
llmenv_audit_value (const llmenv_audit_sums *s, const char *field)
{
  if (s->convention == LLMENV_LAYERED)
    return llmenv_record_number (s->json, field, LLMENV_LAYERED);
  const double older = corrected (s->json, field, "older");
  return isnan (older) ? llmenv_record_number (s->json, field, LLMENV_PUBLISHED) : older;
}

/* Causal attention with one head geometry in every layer, by its own words. */
static int
is_plain (const llmenv_audit_sums *s)
{
  const char *words = llmenv_record_text (s->json, "attention_variant");
  const char *architecture = llmenv_record_text (s->json, "architecture");
  const char *basis = llmenv_record_text (s->json, "kv_cache_bytes_per_token_basis");
  if (strcmp (architecture, "dense") != 0 && strcmp (architecture, "moe") != 0)
    return 0;
  if (strcmp (basis, "not-applicable") == 0 || strstr (words, "encoder-only") != NULL
      || strstr (words, "geometr") != NULL)
    return 0;
  return strncmp (words, "GQA", 3) == 0 || strncmp (words, "MHA", 3) == 0
         || strncmp (words, "MQA", 3) == 0 || strcmp (basis, "gqa") == 0
         || strcmp (basis, "mha") == 0;
}

double
llmenv_audit_product (const llmenv_audit_sums *s)
{
  if (!is_plain (s))
    return NAN;
  return llmenv_audit_value (s, "num_layers") * llmenv_audit_value (s, "num_kv_heads")
         * llmenv_audit_value (s, "head_dim") * 2 * 2;
}

/* ---- explanations ------------------------------------------------------------ */

/* FIELD as a whole word of TEXT. */
static int
names_field (const char *text, const char *field)
{
  const size_t n = strlen (field);
  for (const char *at = text; (at = strstr (at, field)) != NULL; at += n)
    if ((at == text || (!isalnum ((unsigned char) at[-1]) && at[-1] != '_'))
        && !isalnum ((unsigned char) at[n]) && at[n] != '_')
      return 1;
  return 0;
}

/* What the record says of the difference: a correction of the field that is
 * only noted, or what it tells of where its layers and weights come from, if
 * that speaks of the field.  No text accounts for half as much again. */
static void
explain (const llmenv_audit_sums *s, llmenv_finding *f)
{
  size_t i;
  const char *key;
  json_t *value;
  json_array_foreach (json_object_get (s->json, "corrections"), i, value)
    if (strcmp (llmenv_record_text (value, "field"), f->field) == 0
        && json_is_false (json_object_get (value, "applies")))
      snprintf (f->explained, sizeof f->explained, "%s", llmenv_record_text (value, "why"));
  const double ratio = f->recorded / f->derived;
  if (!(ratio > 1 / 1.5 && ratio < 1.5))
    return;
  json_object_foreach (json_object_get (s->json, "provenance"), key, value)
    if (strcmp (key, f->field) != 0 && json_is_string (value)
        && names_field (json_string_value (value), f->field))
      snprintf (f->explained, sizeof f->explained, "%s", json_string_value (value));
}

/* ---- findings ---------------------------------------------------------------- */

typedef struct
{
  const llmenv_audit_sums *sums;
  llmenv_findings *findings;
  int out_of_memory;
} audit;

/* A new finding, its cause to be filled in; NULL when memory is out. */
static llmenv_finding *
add (audit *a, const char *field, double recorded, double derived)
{
  llmenv_findings *all = a->findings;
  llmenv_finding *grown = realloc (all->finding, (all->n + 1) * sizeof *grown);
  if (grown == NULL)
    {
      a->out_of_memory = 1;
      return NULL;
    }
  all->finding = grown;
  llmenv_finding *f = &grown[all->n++];
  *f = (llmenv_finding) { .id = a->sums->record->id, .field = field, .recorded = recorded,
                          .derived = derived,
                          .corrected = corrected (a->sums->json, field, "right") };
  explain (a->sums, f);
  return f;
}

typedef void (*cause_fn) (const llmenv_audit_sums *, double, double, char *, size_t);

static void
compare (audit *a, const char *field, double derived, cause_fn cause)
{
  const double recorded = llmenv_audit_value (a->sums, field);
  if (isnan (recorded) || isnan (derived) || llmenv_audit_same (recorded, derived))
    return;
  llmenv_finding *f = add (a, field, recorded, derived);
  if (f != NULL)
    cause (a->sums, recorded, derived, f->cause, sizeof f->cause);
}

static void
compare_count (audit *a, const char *field, double derived)
{
  const double recorded = llmenv_audit_value (a->sums, field);
  if (isnan (recorded) || isnan (derived) || llmenv_audit_same (recorded, derived))
    return;
  llmenv_finding *f = add (a, field, recorded, derived);
  if (f != NULL)
    llmenv_cause_count (a->sums, field, recorded, derived, f->cause, sizeof f->cause);
}

/* ---- parameters -------------------------------------------------------------- */

/* RECORDED (in units of 1e9) is VALUE at the digits it is given with, or within
 * 5 %. */
static int
is_rounded (double recorded, double value)
{
  char text[40];
  value /= 1e9;
  if (fabs (recorded - value) <= 0.05 * fabs (value))
    return 1;
  for (int decimals = 0; decimals <= 9; decimals++)
    {
      snprintf (text, sizeof text, "%.*f", decimals, recorded);
      if (strtod (text, NULL) == recorded)
        return fabs (recorded - value) <= 0.5 * pow (10, -decimals);
    }
  return 0;
}

static void
audit_params (audit *a, const char *field, const double *counts, size_t n)
{
  const llmenv_audit_sums *s = a->sums;
  const double recorded = llmenv_audit_value (s, field);
  if (isnan (recorded) || s->record->model.n_parts == 0)
    return;
  for (size_t i = 0; i < n; i++)
    if (is_rounded (recorded, counts[i]))
      return;
  llmenv_finding *f = add (a, field, recorded, counts[0] / 1e9);
  if (f != NULL)
    llmenv_cause_params (s, 1e9 * recorded, counts[0], f->cause, sizeof f->cause);
}

/* Without parts the weights are split by P, e and E: fewer active parameters than
 * a token's share of all of them leave nothing that is always streamed. */
static void
audit_split (audit *a)
{
  const double least = llmenv_model_record_least_active (a->sums->record) / 1e9;
  const double recorded = llmenv_audit_value (a->sums, "active_params_b");
  if (!(recorded < least))
    return;
  llmenv_finding *f = add (a, "active_params_b", recorded, least);
  if (f != NULL)
    snprintf (f->cause, sizeof f->cause,
              "less than a token's share, %.15g in %.15g experts, of params_b %.15g: nothing is left to stream always",
              a->sums->record->model.top, a->sums->record->model.experts,
              llmenv_audit_value (a->sums, "params_b"));
}

static void
audit_weights (audit *a)
{
  const llmenv_audit_sums *s = a->sums;
  const llmenv_model *m = &s->record->model;
  double streamed = 0;
  for (size_t i = 0; i < m->n_parts; i++)
    if (m->parts[i].role == LLMENV_ROLE_SHARED || m->parts[i].role == LLMENV_ROLE_HEAD)
      streamed += m->parts[i].params;
  streamed += s->used;
  const double total = s->params - s->mtp;
  /* Vendors count active parameters with and without each of these. */
  const double active[] = { streamed, streamed + s->embedding, streamed - s->head,
                            total - s->routed + s->used };
  const double all[] = { total, s->params };
  const double recorded = llmenv_audit_value (s, "params_b");
  audit_params (a, "params_b", all, 2);
  /* The one figure of a dense model is one finding. */
  if (s->routed > 0 || llmenv_audit_value (s, "active_params_b") != recorded)
    audit_params (a, "active_params_b", active, 4);
  if (m->n_parts > 0 && s->routed > 0)
    {
      compare_count (a, "num_experts", m->experts);
      compare_count (a, "experts_per_token", m->top);
    }
  if (s->routed > 0 && m->n_layers > 0)
    compare_count (a, "first_k_dense", s->dense_mlp);
  compare_count (a, "vocab_size", s->vocabulary);
  compare_count (a, "max_position_embeddings", s->positions);
  const double own = llmenv_audit_value (s, "active_params_b");
  const double flops = 2 * (isnan (own) ? m->n_parts > 0 ? streamed : NAN : 1e9 * own);
  const double given = llmenv_audit_value (s, "flops_per_token_active");
  /* Both may be rounded. */
  if (!(fabs (given - flops) <= 0.005 * flops))
    compare (a, "flops_per_token_active", flops, llmenv_cause_flops);
}

/* ---- layers ------------------------------------------------------------------ */

/* One of the groups of heads has RECORDED; DERIVED: what the first has. */
static int
some_group_has (const llmenv_audit_sums *s, size_t offset, double recorded, double *derived)
{
  const llmenv_model *m = &s->record->model;
  *derived = NAN;
  for (size_t i = 0; i < m->n_layers; i++)
    {
      const llmenv_layer_group *g = &m->layers[i];
      if (!(kv_of_group (g, g->kind) > 0) || g->rank > 0)
        continue;
      const double x = *(const double *) (const void *) ((const char *) g + offset);
      if (llmenv_audit_same (recorded, x))
        return 1;
      if (isnan (*derived))
        *derived = x;
    }
  return isnan (*derived);
}

static void
audit_heads (audit *a)
{
  static const struct { const char *field; size_t offset; } sizes[] = {
    { "num_attention_heads", offsetof (llmenv_layer_group, q_heads) },
    { "attention_head_count", offsetof (llmenv_layer_group, q_heads) },
    { "num_kv_heads", offsetof (llmenv_layer_group, kv_heads) },
    { "head_dim", offsetof (llmenv_layer_group, k_dim) },
  };
  double derived;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (!some_group_has (a->sums, sizes[i].offset,
                         llmenv_audit_value (a->sums, sizes[i].field), &derived))
      compare_count (a, sizes[i].field, derived);
}

static void
audit_ratio (audit *a)
{
  const llmenv_audit_sums *s = a->sums;
  const llmenv_model *m = &s->record->model;
  const double recorded = llmenv_audit_value (s, "gqa_ratio");
  double heads = llmenv_audit_value (s, "attention_head_count");
  if (isnan (heads))
    heads = llmenv_audit_value (s, "num_attention_heads");
  const double own = heads / llmenv_audit_value (s, "num_kv_heads");
  if (isnan (recorded) || llmenv_audit_same (recorded, own))
    return;
  for (size_t i = 0; i < m->n_layers; i++)
    if (m->layers[i].kv_heads > 0
        && llmenv_audit_same (recorded, m->layers[i].q_heads / m->layers[i].kv_heads))
      return;
  compare (a, "gqa_ratio", isnan (own) ? s->g : own, llmenv_cause_ratio);
}

static void
audit_layers (audit *a)
{
  const llmenv_audit_sums *s = a->sums;
  if (s->record->model.n_layers == 0)
    {
      compare (a, "kv_cache_bytes_per_token", llmenv_audit_product (s), llmenv_cause_kv);
      return;
    }
  compare_count (a, "num_layers", s->layers);
  compare_count (a, "kv_caching_layer_count", s->caching);
  compare_count (a, "mamba_layers", s->recurrent);
  compare_count (a, "full_attention_layers", s->full);
  compare_count (a, "global_layers", s->full);
  compare_count (a, "local_layers", s->window);
  audit_heads (a);
  compare (a, "kv_cache_bytes_per_token", s->kv, llmenv_cause_kv);
  compare (a, "state_bytes_per_sequence", s->matrices + s->columns, llmenv_cause_state);
}

llmenv_status
llmenv_audit_record (const llmenv_model_record *record, llmenv_convention convention,
                     llmenv_findings *findings, llmenv_error *error)
{
  const llmenv_audit_sums s = llmenv_audit_sum (record, convention);
  audit a = { &s, findings, 0 };
  audit_layers (&a);
  audit_ratio (&a);
  audit_weights (&a);
  audit_split (&a);
  return a.out_of_memory ? llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory") : LLMENV_OK;
}
