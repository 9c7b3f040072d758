/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_inputs.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "llmenv_json.h"

/* ---- the own model ------------------------------------------------------- */

static const llmenv_own_field_info own_fields[] = {
#define X(name, value, unit, what) { #name, unit, what, value },
  LLMENV_OWN_MODEL_FIELDS (X)
#undef X
};
enum { N_OWN_FIELDS = sizeof own_fields / sizeof *own_fields };

const llmenv_own_field_info *
llmenv_own_field_get (size_t i)
{
  return i < N_OWN_FIELDS ? &own_fields[i] : NULL;
}

double *
llmenv_own_field_at (llmenv_own_fields *f, size_t i)
{
  double *const at[] = {
#define X(name, value, unit, what) &f->name,
    LLMENV_OWN_MODEL_FIELDS (X)
#undef X
  };
  return at[i];
}

/* One P, one k and one g: what `published` knows. */
static llmenv_scalars
own_scalars (const llmenv_own_fields *f)
{
  const double heads = f->kv_heads * (f->k_dim + f->v_dim);
  const double elements = f->layers * (f->rank > 0 ? f->rank + f->rope_dim : heads)
                          + f->window_layers * heads;
  const double share = f->expert_params > 0 ? f->top / f->experts : 1;
  return (llmenv_scalars) {
    .params = f->params * 1e9,
    .active_params = (f->params - f->expert_params * (1 - share)) * 1e9,
    .kv_bytes = 2 * elements,
    .gqa_ratio = f->rank > 0 ? 1 : f->q_heads / f->kv_heads,
  };
}

llmenv_model
llmenv_own_model_make (const llmenv_own_fields *f, llmenv_layer_group layers[3],
                       llmenv_weight_part parts[3])
{
  const llmenv_layer_group full = {
    .kind = f->rank > 0 ? LLMENV_LATENT : LLMENV_FULL, .count = f->layers, .q_heads = f->q_heads,
    .kv_heads = f->kv_heads, .k_dim = f->k_dim, .v_dim = f->v_dim, .rank = f->rank, .rope_dim = f->rope_dim };
  const llmenv_layer_group windowed = {
    .kind = LLMENV_WINDOW, .count = f->window_layers, .q_heads = f->q_heads, .kv_heads = f->kv_heads,
    .k_dim = f->k_dim, .v_dim = f->v_dim, .window = f->window };
  const llmenv_layer_group recurrent = {
    .kind = LLMENV_RECURRENT, .count = f->recurrent_layers, .state_elements = f->state_elements,
    .state_bytes_each = f->state_bytes, .conv_bytes_each = 2 };
  llmenv_model m = { .published = own_scalars (f), .scalars = own_scalars (f), .layers = layers,
                     .parts = parts, .n_parts = 3, .experts = f->experts, .top = f->top, .format_bytes = 2 };
  if (f->layers > 0)
    layers[m.n_layers++] = full;
  if (f->window_layers > 0)
    layers[m.n_layers++] = windowed;
  if (f->recurrent_layers > 0 || m.n_layers == 0)
    layers[m.n_layers++] = recurrent;
  parts[0] = (llmenv_weight_part) { LLMENV_ROLE_SHARED, (f->params - f->lookup_params - f->expert_params) * 1e9, 2 };
  parts[1] = (llmenv_weight_part) { LLMENV_ROLE_ROUTED, f->expert_params * 1e9, 2 };
  parts[2] = (llmenv_weight_part) { LLMENV_ROLE_EMBEDDING, f->lookup_params * 1e9, 2 };
  return m;
}

/* ---- names --------------------------------------------------------------- */

llmenv_inputs
llmenv_inputs_default (void)
{
  llmenv_inputs in = { .price = NAN, .own_peak = NAN, .own_bandwidth = NAN, .own_memory = NAN };
  for (size_t i = 0; i < LLMENV_TABLE_POINT_COUNT; i++)
    in.points[i] = llmenv_table_point_get (i)->value;
  for (size_t i = 0; i < N_OWN_FIELDS; i++)
    *llmenv_own_field_at (&in.own_model, i) = own_fields[i].value;
  return in;
}

/* What a number must be: above 0, or 0 and more. */
static llmenv_status
check_number (const char *key, double value, int may_be_0, llmenv_error *error)
{
  return isfinite (value) && (value > 0 || (may_be_0 && value == 0)) ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EBADOPTION, "%s: expected a number%s, found %g", key,
                             may_be_0 ? ", 0 or more" : " above 0", value);
}

/* Where a number of that name goes, or NULL. */
static double *
number_named (llmenv_inputs *in, const char *key, double *scale, int *may_be_0)
{
  const struct { const char *name; double *at; } figures[] = {
    { "price", &in->price }, { "own_peak", &in->own_peak },
    { "own_bandwidth", &in->own_bandwidth }, { "own_memory", &in->own_memory },
  };
  *scale = 1;
  *may_be_0 = 0;
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    if (strcasecmp (key, figures[i].name) == 0)
      {
        *may_be_0 = i == 0;
        return figures[i].at;
      }
  for (size_t i = 0; i < LLMENV_TABLE_POINT_COUNT; i++)
    if (strcasecmp (key, llmenv_table_point_get (i)->name) == 0)
      {
        *scale = strcmp (llmenv_table_point_get (i)->unit, "bytes") == 0 ? 1e9 : 1;
        return &in->points[i];
      }
  *may_be_0 = 1;
  for (size_t i = 0; i < N_OWN_FIELDS; i++)
    if (strcasecmp (key, own_fields[i].name) == 0)
      return llmenv_own_field_at (&in->own_model, i);
  return NULL;
}

/* "model_1" to "card_4": where the pick goes, or NULL. */
static char *
pick_named (llmenv_inputs *in, const char *key)
{
  for (int i = 0; i < LLMENV_PICKS; i++)
    {
      const char digit = (char) ('1' + i);
      if (strncasecmp (key, "model_", 6) == 0 && key[6] == digit && key[7] == '\0')
        return in->models[i];
      if (strncasecmp (key, "card_", 5) == 0 && key[5] == digit && key[6] == '\0')
        return in->cards[i];
    }
  return NULL;
}

static llmenv_status
no_key (const char *key, llmenv_error *error)
{
  llmenv_nearest nearest;
  char shown[80], near[300];
  llmenv_nearest_start (&nearest, key);
  for (size_t i = 0; llmenv_option_get (i) != NULL; i++)
    llmenv_nearest_offer (&nearest, llmenv_option_get (i)->name);
  for (size_t i = 0; i < LLMENV_TABLE_POINT_COUNT; i++)
    llmenv_nearest_offer (&nearest, llmenv_table_point_get (i)->name);
  for (size_t i = 0; i < N_OWN_FIELDS; i++)
    llmenv_nearest_offer (&nearest, own_fields[i].name);
  static const char *const others[] = { "price", "own_peak", "own_bandwidth", "own_memory", "model_1", "card_1" };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    llmenv_nearest_offer (&nearest, others[i]);
  llmenv_printable (key, shown, sizeof shown);
  llmenv_nearest_text (&nearest, near, sizeof near);
  return llmenv_error_set (error, LLMENV_EBADOPTION, "no input '%s'%s", shown, near);
}

llmenv_status
llmenv_inputs_set_number (llmenv_inputs *in, llmenv_options *options, const char *key,
                          double value, llmenv_error *error)
{
  double scale;
  int may_be_0;
  double *at = number_named (in, key, &scale, &may_be_0);
  if (pick_named (in, key) != NULL)
    return llmenv_error_set (error, LLMENV_EBADOPTION, "%.80s: expected a name, found %g", key, value);
  if (at == NULL)
    return llmenv_option_find (key) >= 0 ? llmenv_option_set_number (options, key, value, error)
                                         : no_key (key, error);
  LLMENV_TRY (check_number (key, value, may_be_0, error));
  *at = value * scale;
  return LLMENV_OK;
}

llmenv_status
llmenv_inputs_set_text (llmenv_inputs *in, llmenv_options *options, const char *key,
                        const char *value, llmenv_error *error)
{
  double x, scale;
  int may_be_0;
  char *pick = pick_named (in, key);
  if (pick != NULL)
    {
      snprintf (pick, LLMENV_NAME_SIZE, "%s", value);
      return LLMENV_OK;
    }
  if (number_named (in, key, &scale, &may_be_0) != NULL)
    return llmenv_parse_number (value, &x) ? llmenv_inputs_set_number (in, options, key, x, error)
           : llmenv_error_set (error, LLMENV_EBADOPTION, "%s: expected a number, found '%.80s'", key, value);
  if (strcasecmp (key, "card") == 0 && strcmp (value, LLMENV_OWN_CARD) == 0)
    return llmenv_error_set (error, LLMENV_EBADOPTION, "card: " LLMENV_OWN_CARD " has figures in the workbook alone: "
                             "choose it in its sheet Inputs (or as card_1 to card_4 of What-if)");
  return llmenv_option_find (key) >= 0 ? llmenv_option_set_text (options, key, value, error)
                                       : no_key (key, error);
}

/* ---- the file ------------------------------------------------------------ */

static llmenv_status
set_member (llmenv_inputs *in, llmenv_options *options, const char *key, const json_t *value,
            llmenv_error *error)
{
  if (json_is_number (value))
    return llmenv_inputs_set_number (in, options, key, json_number_value (value), error);
  if (json_is_string (value))
    return llmenv_inputs_set_text (in, options, key, json_string_value (value), error);
  double scale;
  int may_be_0;
  if (number_named (in, key, &scale, &may_be_0) == NULL && pick_named (in, key) == NULL
      && llmenv_option_find (key) < 0)
    return no_key (key, error);
  return json_is_null (value) ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EBADOPTION, "%.80s: expected a number or a text", key);
}

llmenv_status
llmenv_inputs_read (const char *path, llmenv_inputs *in, llmenv_options *options,
                    llmenv_error *error)
{
  const char *key;
  json_t *value;
  char shown[400], why[400];
  json_t *json = llmenv_json_read (path, error);
  llmenv_status st = json == NULL ? error->status : LLMENV_OK;
  llmenv_printable (path, shown, sizeof shown);
  json_object_foreach (st == LLMENV_OK ? json : NULL, key, value)
    {
      if ((st = set_member (in, options, key, value, error)) == LLMENV_OK)
        continue;
      snprintf (why, sizeof why, "%.390s", error->text);
      st = llmenv_error_set (error, st, "%s: %s", shown, why);
      break;
    }
  json_decref (json);
  return st;
}

static llmenv_status
check_own_model (const llmenv_own_fields *f, llmenv_error *error)
{
  if (f->params < f->lookup_params + f->expert_params)
    return llmenv_error_set (error, LLMENV_EBADOPTION,
                             "params: %g is less than lookup_params and expert_params together, %g",
                             f->params, f->lookup_params + f->expert_params);
  return f->top <= f->experts ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EBADOPTION, "top: %g experts a token, of %g (experts)",
                             f->top, f->experts);
}

llmenv_status
llmenv_inputs_resolve (llmenv_inputs *in, const llmenv_catalogue *catalogue, llmenv_error *error)
{
  LLMENV_TRY (check_own_model (&in->own_model, error));
  for (int i = 0; i < LLMENV_PICKS; i++)
    {
      llmenv_model_record *model;
      llmenv_card_record *card;
      if (*in->models[i] != '\0' && strcmp (in->models[i], LLMENV_OWN_MODEL) != 0)
        {
          LLMENV_TRY (llmenv_model_named (catalogue, in->models[i], &model, error));
          snprintf (in->models[i], LLMENV_NAME_SIZE, "%s", model->id);
        }
      if (*in->cards[i] != '\0' && strcmp (in->cards[i], LLMENV_OWN_CARD) != 0)
        {
          LLMENV_TRY (llmenv_card_named (catalogue, in->cards[i], &card, error));
          snprintf (in->cards[i], LLMENV_NAME_SIZE, "%s", card->id);
        }
    }
  return LLMENV_OK;
}
