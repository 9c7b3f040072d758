/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of a configuration: found under any of their spellings, in the text
 * model's object, else among its class defaults. */
#include "llmenv_import_config.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const spellings[F_COUNT] = {
#define X(name, words) words,
  LLMENV_CONFIG_FIELDS (X)
#undef X
};

enum { KEY_SIZE = 96 };

/* ---- errors and notes -------------------------------------------------- */

llmenv_status
llmenv_config_fail (llmenv_config *c, const char *format, ...)
{
  if (c->status != LLMENV_OK)
    return c->status;
  char text[600];
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  return c->status = llmenv_error_set (c->error, LLMENV_EBADRECORD, "%s: %s",
                                       c->at.file, text);
}

void
llmenv_config_refuse (llmenv_config *c, llmenv_field f, const char *expected,
                      const json_t *found)
{
  if (c->status != LLMENV_OK)
    return;
  const llmenv_place at = llmenv_config_place (c, f);
  c->status = llmenv_json_refuse (&at, expected, found, c->error);
}

void
llmenv_import_note (llmenv_import_notes *notes, const char *format, ...)
{
  if (notes == NULL || notes->n == LLMENV_MAX_NOTES)
    return;
  char raw[LLMENV_NOTE_SIZE], *line = notes->line[notes->n];
  va_list args;
  va_start (args, format);
  vsnprintf (raw, sizeof raw, format, args);
  va_end (args);
  llmenv_printable (raw, line, LLMENV_NOTE_SIZE);
  for (size_t i = 0; i < notes->n; i++)
    if (strcmp (notes->line[i], line) == 0)
      return;
  notes->n++;
}

/* ---- spellings --------------------------------------------------------- */

/* Spelling I of a field into KEY; 0 past the last one. */
static int
spelling (llmenv_field f, int i, char key[KEY_SIZE])
{
  const char *s = spellings[f];
  for (; i > 0; i--)
    {
      s = strchr (s, '|');
      if (s == NULL)
        return 0;
      s++;
    }
  const size_t n = strcspn (s, "|");
  snprintf (key, KEY_SIZE, "%.*s", (int) n, s);
  return 1;
}

const char *
llmenv_config_spelling (const llmenv_config *c, llmenv_field f, char *text,
                        size_t size)
{
  char key[KEY_SIZE];
  spelling (f, c->used[f] > 0 ? c->used[f] - 1 : 0, key);
  snprintf (text, size, "%s", key);
  return text;
}

llmenv_place
llmenv_config_place (const llmenv_config *c, llmenv_field f)
{
  char key[KEY_SIZE];
  return llmenv_place_field (&c->at, llmenv_config_spelling (c, f, key, sizeof key));
}

/* Value at a key with dots; NULL when a step is missing or no object. */
static const json_t *
walk (const json_t *object, const char *key)
{
  char step[KEY_SIZE];
  while (object != NULL)
    {
      const size_t n = strcspn (key, ".");
      snprintf (step, sizeof step, "%.*s", (int) n, key);
      object = json_object_get (object, step);
      if (key[n] == '\0')
        return object;
      key += n + 1;
    }
  return NULL;
}

/* The first spelling in OBJECT that is not null; *present when any is there.
 * A value of null says "none" and keeps the class default away. */
static const json_t *
find_in (llmenv_config *c, const json_t *object, llmenv_field f, int *present)
{
  char key[KEY_SIZE];
  for (int i = 0; spelling (f, i, key); i++)
    {
      const json_t *value = walk (object, key);
      *present |= value != NULL;
      if (value == NULL || json_is_null (value))
        continue;
      c->used[f] = (unsigned char) (i + 1);
      return value;
    }
  return NULL;
}

static const json_t *
find (llmenv_config *c, llmenv_field f)
{
  int present = 0;
  const json_t *value = find_in (c, c->text, f, &present);
  if (value != NULL || present)
    return value;
  value = find_in (c, c->facts, f, &present);
  if (value == NULL)
    {
      value = find_in (c, c->defaults, f, &present);
      c->assumed[f] |= value != NULL;
    }
  return value;
}

/* Looked up once: every layer asks again. */
const json_t *
llmenv_config_find (llmenv_config *c, llmenv_field f)
{
  if (!c->known[f])
    c->value[f] = find (c, f);
  c->known[f] = 1;
  return c->value[f];
}

const json_t *
llmenv_config_find_outer (llmenv_config *c, llmenv_field f)
{
  int present = 0;
  const json_t *value = find_in (c, c->text, f, &present);
  if (value == NULL && c->object != c->text)
    value = find_in (c, c->object, f, &present);
  return value != NULL ? value : llmenv_config_find (c, f);
}

int
llmenv_config_has (llmenv_config *c, llmenv_field f)
{
  return llmenv_config_find (c, f) != NULL;
}

/* ---- values ------------------------------------------------------------ */

double
llmenv_config_value (llmenv_config *c, llmenv_field f, const json_t *json)
{
  const double x = json_number_value (json);
  if (json_is_number (json) && x >= 0 && x <= LLMENV_MAX_WIDTH && x == floor (x))
    return x;
  llmenv_config_refuse (c, f, "a whole number from 0 to 1e9", json);
  return NAN;
}

/* What is of the whole stack, and never a layer's. */
static int
is_of_stack (llmenv_field f)
{
  return f == F_hidden || f == F_layers || f == F_vocab;
}

/* One number, also where a list repeats it for every layer. */
static double
read_number (llmenv_config *c, llmenv_field f)
{
  const json_t *value = llmenv_config_find (c, f);
  if (value == NULL)
    return NAN;
  if (!json_is_array (value))
    return llmenv_config_value (c, f, value);
  if (is_of_stack (f) || (json_array_size (value) == 1
                          && llmenv_config_number (c, F_layers) != 1))
    {
      llmenv_config_refuse (c, f, "one number, not a list", value);
      return NAN;
    }
  const json_t *first = json_array_get (value, 0);
  for (size_t i = 1; i < json_array_size (value); i++)
    if (!json_equal (first, json_array_get (value, i)))
      {
        llmenv_config_refuse (c, f, "the same number for every layer", value);
        return NAN;
      }
  return llmenv_config_value (c, f, first);
}

/* Read once, like the value: a list may be as long as the file. */
double
llmenv_config_number (llmenv_config *c, llmenv_field f)
{
  if (!c->has_number[f])
    c->number[f] = read_number (c, f);
  c->has_number[f] = 1;
  return c->number[f];
}

double
llmenv_config_or (llmenv_config *c, llmenv_field f, double fallback)
{
  const double x = llmenv_config_number (c, f);
  return isnan (x) ? fallback : x;
}

double
llmenv_config_need (llmenv_config *c, llmenv_field f)
{
  const double x = llmenv_config_number (c, f);
  if (isnan (x) || x == 0)
    {
      char key[KEY_SIZE];
      spelling (f, c->used[f] > 0 ? c->used[f] - 1 : 0, key);
      llmenv_config_fail (c, "%s%s%s: expected a whole number from 1, found %s",
                          c->at.path, c->at.path[0] != '\0' ? "." : "", key,
                          x == 0 ? "0" : "nothing");
    }
  return x;
}

double
llmenv_config_at (llmenv_config *c, llmenv_field f, size_t i)
{
  const json_t *value = llmenv_config_find (c, f);
  if (value == NULL)
    return NAN;
  if (!json_is_array (value))
    return llmenv_config_value (c, f, value);
  if (i < json_array_size (value))
    {
      const json_t *item = json_array_get (value, i);
      return json_is_null (item) ? NAN : llmenv_config_value (c, f, item);
    }
  llmenv_config_refuse (c, f, "a number, or a list with one for every layer", value);
  return NAN;
}

double
llmenv_config_real (llmenv_config *c, llmenv_field f, double fallback)
{
  const json_t *value = llmenv_config_find (c, f);
  if (value == NULL)
    return fallback;
  const double x = json_number_value (value);
  if (json_is_number (value) && x >= 0 && x <= LLMENV_MAX_WIDTH)
    return x;
  llmenv_config_refuse (c, f, "a number from 0 to 1e9", value);
  return NAN;
}

int
llmenv_config_flag (llmenv_config *c, llmenv_field f, int fallback)
{
  const json_t *value = llmenv_config_find (c, f);
  if (value == NULL)
    return fallback;
  if (json_is_boolean (value))
    return json_is_true (value);
  if (json_is_number (value))
    return json_number_value (value) != 0;
  llmenv_config_refuse (c, f, "true or false", value);
  return fallback;
}

const char *
llmenv_config_text (llmenv_config *c, llmenv_field f)
{
  const json_t *value = llmenv_config_find (c, f);
  if (value == NULL)
    return "";
  if (json_is_string (value))
    return json_string_value (value);
  llmenv_config_refuse (c, f, "text", value);
  return "";
}

/* ---- the text model ---------------------------------------------------- */

/* Where composite configurations keep their language model. */
static const char *const nested[] = {
  "text_config", "llm_config", "language_config", "thinker_config",
  "lm_config", "language_model_config", "text_model_config", "llm_cfg",
  "text_cfg", "decoder_config", "decoder",
};

static int
has_stack (const json_t *object)
{
  char key[KEY_SIZE];
  for (int i = 0; spelling (F_layers, i, key); i++)
    if (walk (object, key) != NULL)
      return 1;
  return 0;
}

/* One step towards the language model; NULL when OBJECT is it. */
static const json_t *
inner_model (const json_t *object, const char **key)
{
  for (size_t i = 0; i < sizeof nested / sizeof *nested; i++)
    {
      const json_t *inner = json_object_get (object, nested[i]);
      if (!json_is_object (inner)
          || (has_stack (object) && !has_stack (inner)
              && json_object_get (inner, "model_type") == NULL))
        continue;
      *key = nested[i];
      return inner;
    }
  return NULL;
}

/* "key=value ..." into class defaults, "+key=value" into facts. */
static void
parse_defaults (llmenv_config *c, const char *text)
{
  char key[KEY_SIZE], word[KEY_SIZE];
  int n;
  for (; sscanf (text, " %95[^= ]=%95[^ ]%n", key, word, &n) == 2; text += n)
    {
      char *end;
      const double x = strtod (word, &end);
      json_t *value = *end == '\0' ? json_integer ((json_int_t) x)
                      : strcmp (word, "true") == 0 ? json_true ()
                      : strcmp (word, "false") == 0 ? json_false ()
                      : json_string (word);
      if (key[0] == '+')
        json_object_set_new (c->facts, key + 1, value);
      else
        json_object_set_new (c->defaults, key, value);
    }
}

/* A few files borrow another model's type; what they run says whose they are. */
static const char *
type_of (const json_t *object, const char *fallback)
{
  const json_t *type = json_object_get (object, "model_type");
  const char *class = json_string_value (json_array_get (
    json_object_get (object, "architectures"), 0));
  if (class != NULL && strcmp (class, "Grok1ModelForCausalLM") == 0)
    return "grok1";
  /* Files of the mamba_ssm package name no type. */
  const json_t *ssm = json_object_get (object, "ssm_cfg");
  if (type == NULL && json_is_object (ssm))
    {
      const char *layer = json_string_value (json_object_get (ssm, "layer"));
      return layer != NULL && strcmp (layer, "Mamba2") == 0 ? "mamba_ssm2" : "mamba_ssm1";
    }
  return json_is_string (type) ? json_string_value (type) : fallback;
}

static void
set_family (llmenv_config *c)
{
  c->family = llmenv_family_find (c->type);
  c->norms = 2;
  if (c->family == NULL)
    {
      /* What fills in masked words sees both sides and caches nothing. */
      const char *class = json_string_value (json_array_get (
        json_object_get (c->text, "architectures"), 0));
      if (class != NULL && strstr (class, "ForMaskedLM") != NULL)
        c->traits = T_ENCODER;
      return;
    }
  c->norms = c->family->norms;
  c->traits = c->family->traits;
  parse_defaults (c, c->family->defaults);
}

llmenv_status
llmenv_config_open (llmenv_config *c, const json_t *object, const char *file,
                    llmenv_import_notes *notes, llmenv_error *error)
{
  *c = (llmenv_config) { .object = object, .text = object,
                         .at = llmenv_place_root (file), .notes = notes,
                         .error = error, .type = "", .dtype = "" };
  if (!json_is_object (object))
    return llmenv_config_fail (c, "expected one JSON object");
  c->defaults = json_object ();
  c->facts = json_object ();
  if (c->defaults == NULL || c->facts == NULL)
    return c->status = llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  const json_t *inner;
  const char *key;
  c->type = type_of (object, "");
  for (int depth = 0; depth < 4 && (inner = inner_model (c->text, &key)) != NULL; depth++)
    {
      c->text = inner;
      c->at = llmenv_place_field (&c->at, key);
      c->type = type_of (inner, c->type);
      if (strcmp (key, "decoder") == 0)
        llmenv_import_note (notes, "read as the decoder of a composite model: what its encoder adds is not counted");
    }
  set_family (c);
  return c->status;
}

void
llmenv_config_close (llmenv_config *c)
{
  json_decref (c->defaults);
  json_decref (c->facts);
  free (c->layers);
}

/* ---- what was used, assumed, not understood ----------------------------- */

/* "a, b, c" of the fields that MARKS selects. */
static void
list_fields (const llmenv_config *c, const unsigned char *marks, int with_values,
             char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (int f = 0; f < F_COUNT && used < size; f++)
    {
      char key[KEY_SIZE], value[KEY_SIZE] = "";
      if (!marks[f])
        continue;
      llmenv_config_spelling (c, (llmenv_field) f, key, sizeof key);
      const json_t *json = json_object_get (c->defaults, key);
      if (with_values && json_is_number (json))
        snprintf (value, sizeof value, "=%g", json_number_value (json));
      else if (with_values && json_is_boolean (json))
        snprintf (value, sizeof value, "=%s", json_is_true (json) ? "true" : "false");
      used += (size_t) snprintf (text + used, size - used, "%s%s%s",
                                 used > 0 ? ", " : "", key, value);
    }
}

/* Parts of a name that speak of what a layer keeps. */
static const char *const telling[] = {
  "window", "kv_", "cache_", "chunk", "mamba", "ssm", "conv", "linear_attn",
  "compress", "latent", "lora_rank", "layer_types", "shared_layers", "cross_attn",
  "attn_layer", "attention_layer", "recurrent", "retention", "index_", "sparse",
};

/* Names that hold such a part and change neither cache nor weights. */
static const char *const harmless[] = {
  "cache_implementation", "use_cache", "use_kv_cache", "kv_cache_dtype", "kv_cache_scheme",
  "chunk_size", "chunk_size_feed_forward", "mamba_chunk_size", "mamba_hidden_act",
  "use_mamba_kernels", "mamba_dt_min", "mamba_dt_max", "mamba_dt_init_floor", "mamba_enabled",
  "mamba_norm_before_gate", "ssm_multipliers", "ssm_in_multiplier", "ssm_out_multiplier",
  "compress_rope_theta", "indexer_rope_interleave", "activation_sparsity_pattern",
  "layernorm_linear_attention_alpha", "layernorm_linear_attention_beta", "linear_attn_alpha_factor",
  "linear_attn_beta_factor", "mtp_layers_block_type", "attention_layers", "for_llm_compressor",
};

static int
is_listed (const char *name, const char *const *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp (list[i], name) == 0)
      return 1;
  return 0;
}

/* NAME, or the object that it opens, is in the table of spellings. */
static int
is_spelling (const char *name)
{
  const size_t n = strlen (name);
  for (int f = 0; f < F_COUNT; f++)
    for (const char *s = spellings[f]; s != NULL; s = strchr (s, '|'))
      {
        s += *s == '|';
        if (strncmp (s, name, n) == 0 && strchr ("|.", s[n]) != NULL)
          return 1;
      }
  return 0;
}

static int
is_telling (const char *name)
{
  for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
    if (strstr (name, telling[i]) != NULL)
      return 1;
  return 0;
}

/* A field that speaks of the cache, is set, and was not understood. */
static void
note_strangers (llmenv_config *c)
{
  char text[300] = "";
  size_t used = 0;
  const char *key;
  json_t *value;
  json_object_foreach ((json_t *) c->text, key, value)
    {
      if (json_is_null (value) || json_is_false (value) || !is_telling (key)
          || is_spelling (key)
          || is_listed (key, harmless, sizeof harmless / sizeof *harmless))
        continue;
      char shown[60];
      llmenv_printable (key, shown, sizeof shown);
      if (used < sizeof text)
        used += (size_t) snprintf (text + used, sizeof text - used, "%s%s",
                                   used > 0 ? ", " : "", shown);
    }
  if (used > 0)
    llmenv_import_note (c->notes, "not understood and left aside: %s", text);
}

void
llmenv_config_report (llmenv_config *c)
{
  char text[400];
  if (c->family == NULL)
    {
      list_fields (c, c->used, 0, text, sizeof text);
      llmenv_import_note (c->notes, "model_type \"%.40s\" is not known; read by its fields %s",
                          c->type, text);
    }
  list_fields (c, c->assumed, 1, text, sizeof text);
  if (text[0] != '\0')
    llmenv_import_note (c->notes, "defaults of the class %.40s assumed: %s", c->type, text);
  note_strangers (c);
}
