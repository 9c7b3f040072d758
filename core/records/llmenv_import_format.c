/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which types the released weights are: the model's own, and what a
 * quantisation leaves in it. */
#include "llmenv_import_config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------- */

static const char *
element_of (const char *dtype)
{
  static const struct { const char *word, *name; } types[] = {
    { "bfloat16", "bf16" }, { "bf16", "bf16" }, { "float16", "fp16" }, { "half", "fp16" },
    { "fp16", "fp16" }, { "float32", "fp32" }, { "float", "fp32" }, { "fp32", "fp32" },
    { "float8_e4m3fn", "fp8" }, { "float8_e5m2", "fp8" }, { "fp8", "fp8" }, { "int8", "int8" },
  };
  if (strncmp (dtype, "torch.", 6) == 0)
    dtype += 6;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp (types[i].word, dtype) == 0)
      return types[i].name;
  return NULL;
}

static const char *
text_at (const json_t *object, const char *key)
{
  const char *text = json_string_value (json_object_get (object, key));
  return text == NULL ? "" : text;
}

static double
bits_at (const json_t *object, const char *key)
{
  const json_t *value = json_object_get (object, key);
  return json_is_number (value) ? json_number_value (value) : 0;
}

static int
has_word (const char *text, const char *word)
{
  return strcasestr (text, word) != NULL;
}

/* Type of compressed-tensors and ModelOpt groups: bits, and float or not. */
static const char *
type_of_group (const json_t *quantization)
{
  const json_t *groups = json_object_get (quantization, "config_groups");
  const json_t *group = json_object_iter_value (json_object_iter ((json_t *) groups));
  const json_t *weights = json_object_get (group, "weights");
  const int is_float = has_word (text_at (weights, "type"), "float");
  const double bits = bits_at (weights, "num_bits"), size = bits_at (weights, "group_size");
  if (bits == 8)
    return is_float ? "fp8" : "int8";
  if (bits == 4)
    return !is_float ? "int4" : size == 32 ? "mxfp4" : "nvfp4";
  return NULL;
}

/* Type of the quantised weights; NULL where it is not understood. */
static const char *
type_of_quantization (const json_t *q)
{
  const char *method = text_at (q, "quant_method"), *algorithm = text_at (q, "quant_algo");
  const char *format = text_at (q, "format");
  if (has_word (method, "mxfp4") || has_word (format, "mxfp4"))
    return "mxfp4";
  if (has_word (algorithm, "nvfp4") || has_word (format, "nvfp4") || has_word (method, "nvfp4"))
    return "nvfp4";
  if (json_object_get (q, "config_groups") != NULL)
    return type_of_group (q);
  if (has_word (method, "fp8") || has_word (algorithm, "fp8"))
    return json_is_array (json_object_get (q, "weight_block_size")) ? "fp8_block" : "fp8";
  if (json_is_true (json_object_get (q, "load_in_4bit")))
    return "int4";
  if (json_is_true (json_object_get (q, "load_in_8bit")))
    return "int8";
  const double bits = bits_at (q, "bits") > 0 ? bits_at (q, "bits") : bits_at (q, "w_bit");
  return bits == 4 ? "int4" : bits == 8 ? "int8" : NULL;
}

/* ---- what is left alone ----------------------------------------------------- */

/* Modules by which lists of exceptions name a part as a whole. */
static const struct
{
  llmenv_part part;
  const char *module[4];
} modules[] = {
  { PART_ATTENTION, { "self_attn", "attention", "attn" } },
  { PART_RECURRENT, { "linear_attn", "mamba", "mixer", "self_attn" } },
  { PART_SHARED_EXPERTS, { "shared_experts", "shared_expert", "shared_mlp" } },
  { PART_DENSE, { "mlp" } },
};

/* ENTRY names MODULE itself, all of it: "layers.3.self_attn", "...self_attn*",
 * "re:.*self_attn.*", and of an MLP its projections. */
static int
names_module (const char *entry, const char *module)
{
  const size_t n = strlen (module);
  const char *s = strstr (entry, module);
  if (s == NULL || (s > entry && strchr ("._*", s[-1]) == NULL))
    return 0;
  s += n;
  return *s == '\0' || *s == '*' || strcmp (s, ".*") == 0 || strncmp (s, "\\.(", 3) == 0;
}

/* Number of the layer that ENTRY names; -1 where it names all. */
static long
layer_of (const char *entry)
{
  const char *s = strstr (entry, "layers.");
  char *end;
  if (s == NULL)
    return -1;
  const long n = strtol (s + 7, &end, 10);
  return end == s + 7 ? -1 : n;
}

/* The exceptions name MODULE of most layers that have the part. */
static int
is_left_alone (const json_t *list, const char *module, double layers)
{
  double named = 0;
  size_t i;
  json_t *item;
  json_array_foreach (list, i, item)
    {
      const char *entry = json_string_value (item);
      if (entry == NULL || !names_module (entry, module))
        continue;
      if (layer_of (entry) < 0)
        return 1;
      named++;
    }
  return named > 0 && 2 * named >= layers;
}

static double
layers_with (const llmenv_config *c, llmenv_part part)
{
  double n = 0;
  for (size_t i = 0; i < c->n; i++)
    n += c->layers[i].params[part] > 0;
  return n;
}

static int
is_exception (const llmenv_config *c, const json_t *q, llmenv_part part)
{
  const json_t *list = json_object_get (q, "ignore");
  if (!json_is_array (list))
    list = json_object_get (q, "modules_to_not_convert");
  if (!json_is_array (list))
    list = json_object_get (q, "exclude_modules");
  for (size_t k = 0; k < sizeof modules / sizeof *modules; k++)
    for (int m = 0; modules[k].part == part && m < 4 && modules[k].module[m] != NULL; m++)
      if (is_left_alone (list, modules[k].module[m], layers_with (c, part)))
        return 1;
  return 0;
}

/* Parts made of the matrices that quantisation is for. */
static int
is_linear (llmenv_part part)
{
  return part == PART_ATTENTION || part == PART_RECURRENT || part == PART_DENSE
         || part == PART_SHARED_EXPERTS || part == PART_ROUTED || part == PART_MTP;
}

static void
quantise (llmenv_config *c, const json_t *q, const char *type)
{
  /* Four-bit floats of one scale for 32 are used for experts alone. */
  const int experts_only = strcmp (type, "mxfp4") == 0 && c->params[PART_ROUTED] > 0;
  const char *own = c->main_format == NULL ? "bf16" : c->main_format;
  c->main_format = type;
  for (int part = 0; part < PART_COUNT; part++)
    if (!is_linear ((llmenv_part) part) || (experts_only && part != PART_ROUTED)
        || is_exception (c, q, (llmenv_part) part))
      c->part_format[part] = own;
}

llmenv_status
llmenv_config_format (llmenv_config *c)
{
  const json_t *dtype = llmenv_config_find_outer (c, F_dtype);
  const json_t *q = llmenv_config_find_outer (c, F_quantization);
  const char *state = llmenv_config_text (c, F_state_type);
  c->state_type = element_of (state);
  c->dtype = json_is_string (dtype) ? json_string_value (dtype) : "";
  c->main_format = element_of (c->dtype);
  if (c->main_format == NULL)
    llmenv_import_note (c->notes, c->dtype[0] == '\0' ? "no dtype is named: 2 bytes a weight are assumed"
                        : "dtype \"%.40s\" is not known: 2 bytes a weight are assumed", c->dtype);
  if (state[0] != '\0' && c->state_type == NULL && strcmp (state, "auto") != 0)
    llmenv_import_note (c->notes, "state type \"%.40s\" is not known and left aside", state);
  if (!json_is_object (q))
    return c->status;
  const char *type = type_of_quantization (q);
  if (type != NULL)
    quantise (c, q, type);
  else
    llmenv_import_note (c->notes, "quantization \"%.40s\" is not understood: the model's own type is used",
                        text_at (q, "quant_method"));
  return c->status;
}
