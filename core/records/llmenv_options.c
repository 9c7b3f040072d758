/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_options.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "llmenv_element.h"

llmenv_options
llmenv_options_default (void)
{
  llmenv_options o = {
    .settings = llmenv_settings_default (LLMENV_LAYERED),
    .compute_type = "bf16", .k_type = "bf16", .v_type = "bf16",
    .model = "llama-3-1-8b", .card = "nvidia-h100-sxm",
    .context = 8192, .batch = 1,
  };
  return o;
}

/* ---- kinds of option --------------------------------------------------- */

typedef enum { CHOICE, CACHE_TYPE, WEIGHT_TYPE, STATE_TYPE, COMPUTE_TYPE,
               POSITIVE, POSITIVE_OR_INF, NOT_NEGATIVE, SHARE, WHOLE,
               WHOLE_OR_0, RECORD, FILE_NAME } option_kind;

typedef struct
{
  llmenv_option_info info;
  option_kind kind;
  size_t offset;               /* of the value in llmenv_options */
  const char *choices;         /* words of a CHOICE, in order of its enum */
} option;

#define SETTING(field) offsetof (llmenv_options, settings.field)
#define FIELD(field) offsetof (llmenv_options, field)

static const option options_table[] = {
  { { "Convention", "convention", "layered or published",
      "exact sums over layers (default) or the documents' closed formulas" },
    CHOICE, SETTING (convention), "layered\0published\0" },
  { { "Basis", "basis", "active, touched or resident",
      "weights a step streams; default touched, in published active" },
    CHOICE, SETTING (basis), "default\0active\0touched\0resident\0" },
  { { "Embedding", "embedding", "lookup or streamed",
      "whether an untied input embedding is streamed; default lookup" },
    CHOICE, SETTING (embedding), "lookup\0streamed\0" },
  { { "Chunk", "chunk", "bound or mean",
      "read beyond a chunk: all of it (default) or (w + 1)/2 tokens" },
    CHOICE, SETTING (chunk), "bound\0mean\0" },
  { { "WeightType", "weight-type", "a storage type, a file mix such as Q4_K_M, or bytes per weight",
      "storage of all weights; default the released format, in published bf16" },
    WEIGHT_TYPE, SETTING (weight_bytes_each), NULL },
  { { "WeightBytes", "weight-bytes", "bytes above 0",
      "exact bytes of the whole model, spread over its parts by parameters" },
    POSITIVE, SETTING (weight_bytes), NULL },
  { { "KVType", "kv-type", "a storage type or bytes per element",
      "storage of the K and V cache; default bf16" },
    CACHE_TYPE, SETTING (k_bytes), NULL },
  { { "KType", "k-type", "a storage type or bytes per element",
      "storage of K (and of latent and indexer caches) alone" },
    CACHE_TYPE, SETTING (k_bytes), NULL },
  { { "VType", "v-type", "a storage type or bytes per element",
      "storage of V alone" },
    CACHE_TYPE, SETTING (v_bytes), NULL },
  { { "StateType", "state-type", "a storage type or bytes per element",
      "storage of recurrent state and convolution columns; default the record's" },
    STATE_TYPE, SETTING (state_bytes_each), NULL },
  { { "ComputeType", "compute-type",
      "bf16, fp16, fp8, fp6, fp4, int8, int4, tf32, fp32 or fp64",
      "arithmetic that chooses the card's peak; default bf16" },
    COMPUTE_TYPE, FIELD (compute_type), NULL },
  { { "Reserve", "reserve", "bytes, 0 or more",
      "memory kept free, once per gang; default 1.5e9" },
    NOT_NEGATIVE, SETTING (reserve), NULL },
  { { "Utilization", "utilization", "a number above 0 and up to 1",
      "share of memory that may be used; default 1" },
    SHARE, SETTING (utilization), NULL },
  { { "BandwidthEfficiency", "bandwidth-efficiency", "a number above 0 and up to 1",
      "share of peak bandwidth that is reached; default 1" },
    SHARE, SETTING (bandwidth_efficiency), NULL },
  { { "ComputeEfficiency", "compute-efficiency", "a number above 0 and up to 1",
      "share of peak FLOP/s that is reached; default 1" },
    SHARE, SETTING (compute_efficiency), NULL },
  { { "Overhead", "overhead", "seconds, 0 or more",
      "time added to each decode step; default 0" },
    NOT_NEGATIVE, SETTING (overhead), NULL },
  { { "Count", "count", "a whole number from 1",
      "cards ganged: bandwidth, peak and memory add; default 1" },
    WHOLE, SETTING (count), NULL },
  { { "Memory", "memory", "bytes above 0",
      "memory of one card; default the record's" },
    POSITIVE, SETTING (memory), NULL },
  { { "Engine", "engine", "ideal, llama.cpp, vllm or sglang",
      "whose allocation kv_bytes, kv_context, fill and capacity give; default ideal" },
    CHOICE, SETTING (engine.engine), "ideal\0llama.cpp\0vllm\0sglang\0" },
  { { "Slots", "slots", "a whole number from 1",
      "sequences that share the context an engine is given; default 1" },
    WHOLE, SETTING (engine.slots), NULL },
  { { "MicroBatch", "micro-batch", "tokens above 0, or inf",
      "tokens computed at once, for which a window cache has room; default the engine's" },
    POSITIVE_OR_INF, SETTING (engine.micro_batch), NULL },
  { { "Unified", "unified", "no or yes",
      "llama.cpp: whether the slots share one stream; default no" },
    CHOICE, SETTING (engine.unified), "no\0yes\0" },
  { { "Ranks", "ranks", "a whole number from 1",
      "vLLM, SGLang: tensor-parallel ranks; default 1" },
    WHOLE, SETTING (engine.ranks), NULL },
  { { "Padding", "padding", "a whole number from 0",
      "cells come in multiples of it; default the engine's" },
    WHOLE_OR_0, SETTING (engine.padding), NULL },
  { { "Snapshots", "snapshots", "a whole number from 0",
      "rollback copies of recurrent state; default 0" },
    WHOLE_OR_0, SETTING (engine.snapshots), NULL },
  { { "LatentCache", "latent-cache", "latent, latent+v or expanded",
      "how an engine keeps latent attention; default latent" },
    CHOICE, SETTING (engine.latent_cache), "latent\0latent+v\0expanded\0" },
  { { "Model", "model", "an id, an unambiguous name or the path of a model's files",
      "where a command or table needs one; default llama-3-1-8b" },
    RECORD, FIELD (model), NULL },
  { { "Card", "card", "an id or an unambiguous name",
      "where a command or table needs one; default nvidia-h100-sxm" },
    RECORD, FIELD (card), NULL },
  { { "Context", "context", "tokens, 0 or more (32k is 32768)",
      "where a command or table needs one; default 8192" },
    NOT_NEGATIVE, FIELD (context), NULL },
  { { "Contexts", "contexts", "a file with a length, or a length and its weight, on each line",
      "a mix of contexts in the place of one; default none" },
    FILE_NAME, FIELD (contexts), NULL },
  { { "Batch", "batch", "sequences, 0 or more",
      "where a command or table needs one; default 1" },
    NOT_NEGATIVE, FIELD (batch), NULL },
};

enum { N_OPTIONS = sizeof options_table / sizeof *options_table };

const llmenv_option_info *
llmenv_option_get (size_t i)
{
  return i < N_OPTIONS ? &options_table[i].info : NULL;
}

int
llmenv_option_find (const char *name)
{
  for (int i = 0; i < N_OPTIONS; i++)
    if (strcasecmp (options_table[i].info.name, name) == 0
        || strcasecmp (options_table[i].info.kebab, name) == 0)
      return i;
  return -1;
}

int
llmenv_parse_number (const char *text, double *value)
{
  char *end;
  if (isspace ((unsigned char) *text) || *text == '\0')
    return 0;
  double x = strtod (text, &end);
  if (*end == 'k' || *end == 'K')
    {
      x *= 1024;
      end++;
    }
  else if (*end == 'M')
    {
      x *= 1024 * 1024;
      end++;
    }
  if (*end != '\0')
    return 0;
  *value = x;
  return 1;
}

/* ---- setting ----------------------------------------------------------- */

static llmenv_status
refuse (const option *o, const char *value, llmenv_error *error)
{
  char shown[120];
  llmenv_printable (value, shown, sizeof shown);
  char near[200] = "";
  if (o->kind == CACHE_TYPE || o->kind == WEIGHT_TYPE || o->kind == STATE_TYPE)
    {
      llmenv_nearest nearest;
      size_t n;
      const llmenv_element *e = llmenv_elements (&n);
      llmenv_nearest_start (&nearest, value);
      for (size_t i = 0; i < n; i++)
        if (!e[i].is_mix || o->kind == WEIGHT_TYPE)
          llmenv_nearest_offer (&nearest, e[i].name);
      llmenv_nearest_text (&nearest, near, sizeof near);
    }
  return llmenv_error_set (error, LLMENV_EBADOPTION,
                           "option %s: '%s' is not accepted, expected %s%s",
                           o->info.name, shown, o->info.accepts, near);
}

static const option *
find_or_refuse (const char *name, llmenv_error *error)
{
  const int i = llmenv_option_find (name);
  if (i >= 0)
    return &options_table[i];
  char shown[80], near[200];
  llmenv_nearest nearest;
  llmenv_nearest_start (&nearest, name);
  for (size_t k = 0; k < N_OPTIONS; k++)
    llmenv_nearest_offer (&nearest, options_table[k].info.name);
  llmenv_nearest_text (&nearest, near, sizeof near);
  llmenv_printable (name, shown, sizeof shown);
  llmenv_error_set (error, LLMENV_EBADOPTION, "no option '%s'%s", shown, near);
  return NULL;
}

static double *
number_at (llmenv_options *options, const option *o)
{
  return (double *) (void *) ((char *) options + o->offset);
}

static char *
text_at (llmenv_options *options, const option *o)
{
  return (char *) options + o->offset;
}

/* Bytes per element and the name shown for them, for the four type options. */
static void
set_type (llmenv_options *options, const option *o, double bytes,
          const char *shown)
{
  *number_at (options, o) = bytes;
  const int is_k = o->offset == SETTING (k_bytes);
  const int both = strcmp (o->info.name, "KVType") == 0;
  if (both)
    options->settings.v_bytes = bytes;
  if (both || o->offset == SETTING (v_bytes))
    snprintf (options->v_type, sizeof options->v_type, "%s", shown);
  if (is_k)
    snprintf (options->k_type, sizeof options->k_type, "%s", shown);
  if (o->kind == WEIGHT_TYPE)
    snprintf (options->weight_type, sizeof options->weight_type, "%s", shown);
  if (o->kind == STATE_TYPE)
    snprintf (options->state_type, sizeof options->state_type, "%s", shown);
}

static int
number_is_accepted (const option *o, double value)
{
  switch (o->kind)
    {
    case POSITIVE: case CACHE_TYPE: case WEIGHT_TYPE: case STATE_TYPE:
      return value > 0 && isfinite (value);
    case POSITIVE_OR_INF:
      return value > 0;
    case NOT_NEGATIVE:
      return value >= 0 && isfinite (value);
    case WHOLE_OR_0:
      return value >= 0 && value <= 1e9 && value == floor (value);
    case SHARE:
      return value > 0 && value <= 1;
    case WHOLE:
      return value >= 1 && value <= 1e9 && value == floor (value);
    default:
      return 0;
    }
}

static int
is_type (const option *o)
{
  return o->kind == CACHE_TYPE || o->kind == WEIGHT_TYPE
         || o->kind == STATE_TYPE;
}

static llmenv_status
set_choice (llmenv_options *options, const option *o, const char *text,
            llmenv_error *error)
{
  int index = 0;
  for (const char *word = o->choices; *word != '\0';
       word += strlen (word) + 1, index++)
    if (strcasecmp (word, text) == 0)
      {
        /* All choices are enums of the same size, an int. */
        *(int *) (void *) text_at (options, o) = index;
        return LLMENV_OK;
      }
  return refuse (o, text, error);
}

static llmenv_status
set_number (llmenv_options *options, const option *o, double value,
            const char *shown, llmenv_error *error)
{
  if (o->kind == CHOICE && (value == 0 || value == 1)
      && strcmp (o->choices, "no") == 0)
    return set_choice (options, o, value == 1 ? "yes" : "no", error);
  if (!number_is_accepted (o, value))
    return refuse (o, shown, error);
  if (is_type (o))
    {
      char name[32];
      snprintf (name, sizeof name, "%.6g bytes", value);
      set_type (options, o, value, name);
    }
  else
    *number_at (options, o) = value;
  return LLMENV_OK;
}

llmenv_status
llmenv_option_set_number (llmenv_options *options, const char *name,
                          double value, llmenv_error *error)
{
  const option *o = find_or_refuse (name, error);
  char shown[40];
  snprintf (shown, sizeof shown, "%.17g", value);
  return o == NULL ? LLMENV_EBADOPTION
                   : set_number (options, o, value, shown, error);
}

static llmenv_status
set_compute_type (llmenv_options *options, const option *o, const char *text,
                  llmenv_error *error)
{
  static const char *const types[] = { "bf16", "fp16", "fp8", "fp6", "fp4",
                                       "int8", "int4", "tf32", "fp32", "fp64" };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcasecmp (types[i], text) == 0)
      {
        strcpy (options->compute_type, types[i]);
        return LLMENV_OK;
      }
  return refuse (o, text, error);
}

static llmenv_status
set_record (llmenv_options *options, const option *o, const char *text,
            llmenv_error *error)
{
  const size_t room = o->offset == FIELD (model) ? LLMENV_FILE_SIZE : LLMENV_NAME_SIZE;
  if (*text == '\0' || strlen (text) >= room)
    return refuse (o, text, error);
  strcpy (text_at (options, o), text);
  if (o->offset == FIELD (model))
    options->given_model = 1;
  else
    options->given_card = 1;
  return LLMENV_OK;
}

static llmenv_status
set_file (llmenv_options *options, const option *o, const char *text,
          llmenv_error *error)
{
  if (*text == '\0' || strlen (text) >= LLMENV_FILE_SIZE)
    return refuse (o, text, error);
  strcpy (text_at (options, o), text);
  return LLMENV_OK;
}

llmenv_status
llmenv_option_set_text (llmenv_options *options, const char *name,
                        const char *text, llmenv_error *error)
{
  const option *o = find_or_refuse (name, error);
  if (o == NULL)
    return LLMENV_EBADOPTION;
  switch (o->kind)
    {
    case CHOICE:
      return set_choice (options, o, text, error);
    case COMPUTE_TYPE:
      return set_compute_type (options, o, text, error);
    case RECORD:
      return set_record (options, o, text, error);
    case FILE_NAME:
      return set_file (options, o, text, error);
    default:
      break;
    }
  if (is_type (o))
    {
      const llmenv_element *e
        = llmenv_element_find (text, o->kind == WEIGHT_TYPE);
      if (e != NULL)
        {
          set_type (options, o, llmenv_element_bytes (e), e->name);
          return LLMENV_OK;
        }
    }
  double value;
  const int has_suffix = *text != '\0' && strchr ("kKM", text[strlen (text) - 1]) != NULL;
  /* "32k" counts tokens, sequences or bytes, never a width or a share. */
  if (!llmenv_parse_number (text, &value)
      || (has_suffix && (is_type (o) || o->kind == SHARE)))
    return refuse (o, text, error);
  return set_number (options, o, value, text, error);
}
