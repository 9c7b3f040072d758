/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of claims: what records hold, and the core's quantities of them.
 *
 *   [quantity, model, {options}]   any quantity of the core; options by their
 *                                  usual names, and Bytes for kv_context
 *   ["slope", quantity, model, {options}]  its derivative in Batch
 *   ["step", member, model, {options}]
 *   ["field", id, field]           a record's number, as the convention has it
 *   ["older", id, field]           what an earlier record said
 *   ["text", id, field]
 *   ["layer", model, kind, size]   size of the first group of that kind
 *   ["layers", model, size, kind]  sum over layers, of all kinds or of one
 *
 * A model is an id, "$", or {"id", field: expression, ...}: that record with
 * other scalars in place of its layers; or, of an unknown id, a record of its
 * own. */
#include "claims_eval.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- records ----------------------------------------------------------- */

static const json_t *
record_json (const claim_scope *scope, const char *id)
{
  const llmenv_model_record *m = llmenv_catalogue_model (scope->catalogue, id);
  const llmenv_card_record *a = llmenv_catalogue_card (scope->catalogue, id);
  return m != NULL ? m->json : a != NULL ? a->json : NULL;
}

static llmenv_status
record_and_name (const claim_scope *scope, const json_t *list,
                 const json_t **record, claim_value *name)
{
  claim_value id;
  LLMENV_TRY (claim_text (scope, json_array_get (list, 1), &id));
  LLMENV_TRY (claim_text (scope, json_array_get (list, 2), name));
  *record = record_json (scope, id.text);
  return *record != NULL ? LLMENV_OK : claim_refuse (scope, "no such record", list);
}

static llmenv_status
field (const claim_scope *scope, const json_t *list, claim_value *value)
{
  const json_t *record;
  claim_value name;
  LLMENV_TRY (record_and_name (scope, list, &record, &name));
  claim_set_number (value, llmenv_record_number (record, name.text, scope->convention));
  return LLMENV_OK;
}

static llmenv_status
older (const claim_scope *scope, const json_t *list, claim_value *value)
{
  const json_t *record;
  claim_value name;
  size_t i;
  json_t *c;
  LLMENV_TRY (record_and_name (scope, list, &record, &name));
  claim_set_number (value, NAN);
  json_array_foreach (json_object_get (record, "corrections"), i, c)
    if (strcmp (llmenv_record_text (c, "field"), name.text) == 0
        && json_is_number (json_object_get (c, "older")))
      claim_set_number (value, json_number_value (json_object_get (c, "older")));
  return LLMENV_OK;
}

static llmenv_status
text_field (const claim_scope *scope, const json_t *list, claim_value *value)
{
  const json_t *record;
  claim_value name;
  LLMENV_TRY (record_and_name (scope, list, &record, &name));
  claim_set_text (value, llmenv_record_text (record, name.text));
  return LLMENV_OK;
}

/* ---- models, changed or not --------------------------------------------- */

/* JSON of MODEL with the given scalars and without what is derived: layers,
 * weights and corrections. */
static llmenv_status
changed_json (const claim_scope *scope, const json_t *model, json_t **json)
{
  static const char *const derived[] = { "layers", "weights", "corrections" };
  const llmenv_model_record *base
    = llmenv_catalogue_model (scope->catalogue, llmenv_record_text (model, "id"));
  const char *key;
  json_t *given;
  *json = base != NULL ? json_copy (base->json) : json_object ();
  for (size_t i = 0; i < N_OF (derived); i++)
    json_object_del (*json, derived[i]);
  json_object_foreach ((json_t *) model, key, given)
    {
      double number = 0;
      if (json_is_string (given))
        {
          json_object_set (*json, key, given);
          continue;
        }
      const llmenv_status st = claim_number (scope, given, &number);
      if (st != LLMENV_OK)
        {
          json_decref (*json);
          return st;
        }
      json_object_set_new (*json, key, json_real (number));
    }
  return LLMENV_OK;
}

/* MODEL as a record; *OWNED is it when the caller must free it. */
static llmenv_status
find_model (const claim_scope *scope, const json_t *model,
            const llmenv_model_record **record, llmenv_model_record **owned)
{
  *owned = NULL;
  if (json_is_object (model))
    {
      json_t *json;
      LLMENV_TRY (changed_json (scope, model, &json));
      LLMENV_TRY (llmenv_model_record_make (json, "claims", owned, scope->error));
      *record = *owned;
      return LLMENV_OK;
    }
  claim_value id;
  LLMENV_TRY (claim_text (scope, model, &id));
  *record = llmenv_catalogue_model (scope->catalogue, id.text);
  return *record != NULL ? LLMENV_OK : claim_refuse (scope, "no such model", model);
}

/* ---- layers ------------------------------------------------------------ */

static double
state_size (const llmenv_layer_group *g)
{
  return g->state_elements == 0 ? 0 : g->state_elements * g->state_bytes_each;
}

static double key_size (const llmenv_layer_group *g) { return g->kv_heads * g->k_dim; }
static double head_size (const llmenv_layer_group *g) { return key_size (g) + g->kv_heads * g->v_dim; }
static double latent_size (const llmenv_layer_group *g) { return g->rank + g->rope_dim; }
static double window_size (const llmenv_layer_group *g) { return g->window; }
static double rotary_size (const llmenv_layer_group *g) { return g->rope_dim; }
static double one (const llmenv_layer_group *g) { (void) g; return 1; }

/* Sizes of one layer. */
static const struct { const char *name; double (*of) (const llmenv_layer_group *); } sizes[] = {
  { "count", one },            /* layers */
  { "keys", key_size },        /* K elements a token adds */
  { "heads", head_size },      /* K and V elements a token adds */
  { "latent", latent_size },   /* latent elements a token adds */
  { "rotary", rotary_size },   /* the rotary ones among them */
  { "window", window_size },   /* tokens */
  { "state", state_size },     /* recurrent matrices, bytes */
};

static llmenv_status
size_at (const claim_scope *scope, const json_t *list, size_t at, size_t *size)
{
  claim_value name;
  LLMENV_TRY (claim_text (scope, json_array_get (list, at), &name));
  for (*size = 0; *size < N_OF (sizes); ++*size)
    if (strcmp (sizes[*size].name, name.text) == 0)
      return LLMENV_OK;
  return claim_refuse (scope, "no such size of a layer", list);
}

/* Kind at AT; -1, all kinds, where the list ends before. */
static llmenv_status
kind_at (const claim_scope *scope, const json_t *list, size_t at, int *kind)
{
  claim_value name;
  *kind = -1;
  if (at >= json_array_size (list))
    return LLMENV_OK;
  LLMENV_TRY (claim_text (scope, json_array_get (list, at), &name));
  for (int k = 0; k < LLMENV_LAYER_KIND_COUNT; k++)
    if (strcmp (llmenv_layer_kind_word ((llmenv_layer_kind) k), name.text) == 0)
      *kind = k;
  return *kind >= 0 ? LLMENV_OK : claim_refuse (scope, "no such kind of layer", list);
}

static llmenv_status
first_layer (const claim_scope *scope, const json_t *list, claim_value *value)
{
  const llmenv_model_record *m;
  llmenv_model_record *owned;
  int kind;
  size_t size;
  LLMENV_TRY (kind_at (scope, list, 2, &kind));
  LLMENV_TRY (size_at (scope, list, 3, &size));
  LLMENV_TRY (find_model (scope, json_array_get (list, 1), &m, &owned));
  claim_set_number (value, NAN);
  for (size_t i = m->model.n_layers; i-- > 0;)
    if ((int) m->model.layers[i].kind == kind)
      claim_set_number (value, sizes[size].of (&m->model.layers[i]));
  llmenv_model_record_free (owned);
  return LLMENV_OK;
}

static llmenv_status
all_layers (const claim_scope *scope, const json_t *list, claim_value *value)
{
  const llmenv_model_record *m;
  llmenv_model_record *owned;
  int kind;
  size_t size;
  LLMENV_TRY (size_at (scope, list, 2, &size));
  LLMENV_TRY (kind_at (scope, list, 3, &kind));
  LLMENV_TRY (find_model (scope, json_array_get (list, 1), &m, &owned));
  double sum = m->model.n_layers > 0 ? 0 : NAN;
  for (size_t i = 0; i < m->model.n_layers; i++)
    if (kind < 0 || (int) m->model.layers[i].kind == kind)
      sum += m->model.layers[i].count * sizes[size].of (&m->model.layers[i]);
  claim_set_number (value, sum);
  llmenv_model_record_free (owned);
  return LLMENV_OK;
}

/* ---- quantities -------------------------------------------------------- */

/* Options, batch and context (or bytes) of one query. */
typedef struct
{
  llmenv_options options;
  double B, L;
} point;

static llmenv_status
set_option (const claim_scope *scope, const char *name, const json_t *given, point *p)
{
  claim_value v;
  LLMENV_TRY (claim_evaluate (scope, given, &v));
  if (v.is_text)
    return llmenv_option_set_text (&p->options, name, v.text, scope->error);
  /* These need not be what a user may give: L = Inf, B = 0. */
  if (strcmp (name, "Batch") == 0)
    p->B = v.number;
  else if (strcmp (name, "Context") == 0 || strcmp (name, "Bytes") == 0)
    p->L = v.number;
  else
    return llmenv_option_set_number (&p->options, name, v.number, scope->error);
  return LLMENV_OK;
}

static llmenv_status
read_point (const claim_scope *scope, const json_t *options, point *p)
{
  const char *name;
  json_t *given;
  p->options = llmenv_options_default ();
  p->options.settings.convention = scope->convention;
  p->B = p->options.batch;
  p->L = p->options.context;
  json_object_foreach ((json_t *) options, name, given)
    LLMENV_TRY (set_option (scope, name, given, p));
  return LLMENV_OK;
}

/* Document 000 has its own peak rate for a card (data/document_000.json). */
static void
set_published_peak (const claim_scope *scope, const point *p, llmenv_card *card)
{
  size_t i;
  json_t *entry;
  if (scope->convention != LLMENV_PUBLISHED)
    return;
  json_array_foreach (json_object_get (scope->document_000, "cards"), i, entry)
    {
      const json_t *rate = json_object_get (entry, "published_tflops");
      if (strcmp (llmenv_record_text (entry, "id"), p->options.card) == 0
          && json_is_number (rate))
        card->peak = 1e12 * json_number_value (rate);
    }
}

static llmenv_status
make_envelope (const claim_scope *scope, const llmenv_model_record *model,
               const point *p, const json_t *list, llmenv_envelope *e)
{
  static const llmenv_model no_model = { .kv_reason = LLMENV_NO_RECORD };
  const llmenv_card_record *card
    = llmenv_catalogue_card (scope->catalogue, p->options.card);
  if (card == NULL)
    return claim_refuse (scope, "no such card", list);
  llmenv_card_numbers n = llmenv_card_numbers_get (card, &p->options);
  set_published_peak (scope, p, &n.card);
  return llmenv_envelope_make (model == NULL ? &no_model : &model->model, &n.card,
                               &p->options.settings, e) == LLMENV_OK
         ? LLMENV_OK : claim_refuse (scope, "options outside their domain", list);
}

/* Model and options of LIST from AT on, reduced to an envelope. */
static llmenv_status
read_query (const claim_scope *scope, const json_t *list, size_t at,
            llmenv_envelope *e, point *p)
{
  const json_t *model = json_array_get (list, at);
  const int has_model = model != NULL && (!json_is_object (model)
                                          || json_object_get (model, "id") != NULL);
  const json_t *options = json_array_get (list, has_model ? at + 1 : at);
  const llmenv_model_record *record = NULL;
  llmenv_model_record *owned = NULL;
  LLMENV_TRY (read_point (scope, options, p));
  if (has_model)
    LLMENV_TRY (find_model (scope, model, &record, &owned));
  const llmenv_status st = make_envelope (scope, record, p, list, e);
  llmenv_model_record_free (owned);
  return st;
}

static llmenv_status
quantity (const claim_scope *scope, const json_t *list, claim_value *value)
{
  const int q = llmenv_quantity_find (json_string_value (json_array_get (list, 0)));
  llmenv_envelope e;
  point p;
  if (q < 0)
    return claim_refuse (scope, "no such quantity", list);
  LLMENV_TRY (read_query (scope, list, 1, &e, &p));
  claim_set_number (value, llmenv_quantity_value ((llmenv_quantity) q, &e, p.B, p.L));
  /* The word for what is no finite number. */
  snprintf (value->text, sizeof value->text, "%s",
            llmenv_reason_word (llmenv_quantity_reason ((llmenv_quantity) q, &e,
                                                        value->number)));
  return LLMENV_OK;
}

/* d quantity / d B at the batch of the options, at 0 the first sequence's. */
static llmenv_status
slope (const claim_scope *scope, const json_t *list, claim_value *value)
{
  claim_value name;
  llmenv_envelope e;
  point p;
  LLMENV_TRY (claim_text (scope, json_array_get (list, 1), &name));
  LLMENV_TRY (read_query (scope, list, 2, &e, &p));
  const int found = llmenv_quantity_find (name.text);
  if (found < 0)
    return claim_refuse (scope, "no such quantity", list);
  const llmenv_quantity q = (llmenv_quantity) found;
  const double h = p.B > 0 ? 1e-4 * p.B : 1e-9;
  const double hi = llmenv_quantity_value (q, &e, p.B + h, p.L);
  const double lo = p.B > 0 ? llmenv_quantity_value (q, &e, p.B - h, p.L) : 0;
  claim_set_number (value, (hi - lo) / (p.B > 0 ? 2 * h : h));
  return LLMENV_OK;
}

static const struct { const char *name; size_t offset; } step_members[] = {
  { "flops", offsetof (llmenv_step, flops) },
  { "bytes", offsetof (llmenv_step, bytes) },
  { "seconds", offsetof (llmenv_step, seconds) },
  { "memory_seconds", offsetof (llmenv_step, memory_seconds) },
  { "compute_seconds", offsetof (llmenv_step, compute_seconds) },
};

static llmenv_status
step_member (const claim_scope *scope, const json_t *list, claim_value *value)
{
  claim_value name;
  llmenv_envelope e;
  point p;
  LLMENV_TRY (claim_text (scope, json_array_get (list, 1), &name));
  LLMENV_TRY (read_query (scope, list, 2, &e, &p));
  const llmenv_step s = llmenv_step_at (&e, p.B, p.L);
  for (size_t i = 0; i < N_OF (step_members); i++)
    if (strcmp (step_members[i].name, name.text) == 0)
      {
        const char *at = (const char *) &s + step_members[i].offset;
        claim_set_number (value, *(const double *) (const void *) at);
        return LLMENV_OK;
      }
  return claim_refuse (scope, "no such member of a step", list);
}

const claim_operation claim_queries[] = {
  { "quantity", quantity, 0, 2 },  /* stands for every quantity's name */
  { "slope", slope, 3, 3 }, { "step", step_member, 2, 3 },
  { "field", field, 2, 2 }, { "older", older, 2, 2 }, { "text", text_field, 2, 2 },
  { "layer", first_layer, 3, 3 }, { "layers", all_layers, 2, 3 },
  { NULL, NULL, 0, 0 },
};
