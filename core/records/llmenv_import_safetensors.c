/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact weights of a checkpoint, told apart by the names of its tensors.
 *
 * A quantised matrix is several tensors: packed values, scales, zero points.
 * Its parameters are those of the values; its bytes are those of all, counted
 * in the part and storage class of the values. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_element.h"
#include "llmenv_import_parts.h"
#include "llmenv_safetensors.h"

#define TRY LLMENV_TRY

enum { LONGEST_NAME = 400 };   /* of a tensor; longer ones have no siblings */

/* Storage classes: how values are kept, by the names of llmenv_element.h. */
#define CLASSES(X)                                                            \
  X (C_FP32, "fp32") X (C_FP16, "fp16") X (C_BF16, "bf16") X (C_FP64, "fp64") \
  X (C_FP8, "fp8") X (C_FP8_BLOCK, "fp8_block") X (C_INT8, "int8")            \
  X (C_INT4, "int4") X (C_MXFP4, "mxfp4") X (C_NVFP4, "nvfp4")                \
  X (C_FP6, "fp6") X (C_INT16, "int16") X (C_INT32, "int32") X (C_INT64, "int64")

typedef enum
{
#define X(symbol, name) symbol,
  CLASSES (X)
#undef X
  N_CLASSES
} class;

static const char *const class_names[] = {
#define X(symbol, name) name,
  CLASSES (X)
#undef X
};

typedef struct
{
  double params[N_PARTS][N_CLASSES], bytes[N_PARTS][N_CLASSES];
} sums;

typedef struct
{
  const llmenv_safetensors *set;
  const char *file;
  double layers;               /* of the language model; NaN if not known */
  int has_encoder;             /* encoder and decoder are told apart by name */
  int tied;                    /* the embedding is the head as well */
  int repeats;                 /* the file has a head, though it is tied */
  int is_moe;
  unsigned word_bits, mlx_group; /* what shapes alone do not tell */
  int guessed;                 /* one of these was needed */
  unsigned char *parts;        /* owned: part of each tensor, an embedding as such */
  sums sums;
} import;

/* ---- names -------------------------------------------------------------- */

static int
holds (const char *name, const char *piece)
{
  return strstr (name, piece) != NULL;
}

static int
starts (const char *name, const char *start)
{
  return strncmp (name, start, strlen (start)) == 0;
}

static int
ends (const char *name, const char *end)
{
  const size_t n = strlen (name), m = strlen (end);
  return n >= m && strcmp (name + n - m, end) == 0;
}

static int
holds_any (const char *name, const char *const *list)
{
  for (; *list != NULL; list++)
    if (holds (name, *list))
      return 1;
  return 0;
}

/* The number after ".layers.", ".h." or ".blocks."; -1 without one. */
static double
layer_of (const char *name)
{
  static const char *const words[] = { "layers.", "h.", "blocks.", "layer.", NULL };
  for (const char *const *w = words; *w != NULL; w++)
    for (const char *at = name; (at = strstr (at, *w)) != NULL; at++)
      {
        const char *number = at + strlen (*w);
        if ((at == name || at[-1] == '.') && isdigit ((unsigned char) *number))
          return strtod (number, NULL);
      }
  return -1;
}

static const llmenv_safetensor *
find (const import *im, const char *name)
{
  const json_t *place = json_object_get (im->set->names, name);
  return place == NULL ? NULL : &im->set->tensors[json_integer_value (place)];
}

/* The tensor named by the first N bytes of NAME and then END. */
static const llmenv_safetensor *
sibling (const import *im, const char *name, size_t n, const char *end)
{
  char full[LONGEST_NAME + 40];
  if (n > LONGEST_NAME || strlen (end) > 39)
    return NULL;
  snprintf (full, sizeof full, "%.*s%s", (int) n, name, end);
  return find (im, full);
}

/* ---- parts -------------------------------------------------------------- */

static const char *const tower_words[] = {
  "vision_tower", "vision_model", "visual.", "vision_encoder", "vision_embed",
  "vision_proj", "vision_adapter", "vision_language_adapter", "vision_transformer",
  "audio_tower", "audio_encoder", "audio_model", "audio_embed", "embed_vision", "embed_audio",
  "multi_modal_projector", "mm_projector", "mm_input_projection", "multimodal_projector", "image_newline",
  "image_encoder", "img_projection", "patch_merger", "pre_mm_projector_norm", "resampler.",
  "vpm.", "apm.", "tts.", "connector.", "aligner.", "view_seperator", "perceiver", NULL };
static const char *const table_words[] = { "per_layer", "ngram", "n_gram", "engram", NULL };
static const char *const position_words[] = { "wpe.", "embed_positions", "position_embeddings",
                                              "token_type_embeddings", NULL };
static const char *const embedding_words[] = { "embed_tokens", "wte.", "word_embeddings.",
                                               "tok_embeddings", "embed_in.", "token_embedding",
                                               "word_embed", NULL };
static const char *const head_words[] = { "lm_head", "embed_out.", "output_layer.", NULL };
static const char *const other_words[] = {
  "router", "mlp.gate.", "moe.gate.", "ffn.gate.", "gate.wg", "gate.e_score",
  "shared_expert_gate", "block_sparse_moe.gate", "e_score_correction", "expert_bias", "sinks",
  "rotary", "inv_freq", "layer_scalar", "hc_", NULL };
static const char *const scan_words[] = { "mamba", "linear_attn", "ssm", "A_log", "conv1d",
                                          ".conv.", "dt_proj", "x_proj", "time_mix", "dt_bias",
                                          NULL };
static const char *const attention_words[] = { "attn", "ttention", "q_proj", "k_proj", "v_proj",
                                               "o_proj", "qkv", "query_key_value", "c_attn",
                                               "indexer", NULL };
static const char *const mlp_words[] = { "mlp", "feed_forward", "ffn", ".fc1", ".fc2", "dense_h_to_4h",
                                         "dense_4h_to_h", "up_proj", "gate_proj", "down_proj",
                                         ".w1.", ".w2.", ".w3.", "intermediate.", "DenseReluDense",
                                         NULL };

/* The last two components of NAME: a module and what it holds. */
static const char *
tail_of (const char *name)
{
  int dots = 0;
  for (const char *at = name + strlen (name); at > name; at--)
    if (at[-1] == '.' && ++dots == 2)
      return at;
  return name;
}

static int
is_norm (const char *name)
{
  const char *tail = tail_of (name);
  return holds (tail, "norm") || holds (tail, "ln_");
}

static int
is_expert (const import *im, const char *name)
{
  const llmenv_safetensor *t = find (im, name);
  if (holds (name, "shared_expert"))
    return 0;
  /* Granite keeps all experts of a projection in one tensor of three dimensions. */
  if ((holds (name, "moe.input_linear") || holds (name, "moe.output_linear"))
      && t != NULL && t->n_dims == 3)
    return 1;
  return holds (name, ".experts.") || starts (name, "experts.");
}

/* A layer with a decay of its own is recurrent: its projections, too. */
static int
is_scan_layer (const import *im, const char *name)
{
  const char *at = strstr (name, ".self_attn.");
  if (at == NULL)
    return 0;
  const size_t n = (size_t) (at - name);
  return sibling (im, name, n, ".self_attn.A_log") != NULL
         || sibling (im, name, n, ".self_attn.dt_bias") != NULL;
}

/* "mixer" stands for attention, MLP and recurrence alike. */
static part
part_of_mixer (const char *name)
{
  static const char *const mlp[] = { "up_proj", "down_proj", "gate_proj", NULL };
  static const char *const attention[] = { "q_proj", "k_proj", "v_proj", "o_proj", NULL };
  return holds (name, "mixer.gate") ? OTHER
         : holds (name, "fc1_latent_proj") || holds (name, "fc2_latent_proj") ? PROJECTION
         : holds_any (name, mlp) ? MLP : holds_any (name, attention) ? ATTENTION : SCAN;
}

static part
part_in_layer (const import *im, const char *name)
{
  if (is_expert (im, name))
    return EXPERT;
  if (holds (name, "mixer.norm") || holds (name, "linear_attn.norm") || holds (name, "mamba.norm"))
    return SCAN;
  if (is_norm (name) || holds_any (name, other_words))
    return OTHER;
  if (holds (name, "shared_expert") || (im->is_moe && holds (name, "shared_mlp")))
    return SHEXP;
  if (holds (name, ".mixer."))
    return part_of_mixer (name);
  if (holds_any (name, scan_words) || is_scan_layer (im, name))
    return SCAN;
  /* RWKV calls its halves attention and feed_forward. */
  if (starts (name, "rwkv.") && holds (name, ".attention."))
    return SCAN;
  return holds_any (name, attention_words) ? ATTENTION
         : holds_any (name, mlp_words) ? MLP : OTHER;
}

static int
is_mtp (const import *im, const char *name)
{
  return starts (name, "mtp.") || holds (name, ".mtp.") || holds (name, "mtp_")
         || holds (name, "nextn") || layer_of (name) >= im->layers;
}

static int
is_embedding (const char *name)
{
  return holds_any (name, embedding_words) || ends (name, "backbone.embeddings.weight")
         || ends (name, "backbone.embedding.weight") || strcmp (name, "shared.weight") == 0
         || ends (name, ".emb.weight") || strcmp (name, "embed.weight") == 0
         || ends (name, "rwkv.embeddings.weight") || strcmp (name, "model.embeddings.weight") == 0;
}

static part
part_of_tensor (const import *im, const char *name)
{
  if (holds_any (name, tower_words))
    return TOWER;
  /* Keys and values of cross attention are computed once, with the encoder. */
  if (im->has_encoder && (starts (name, "encoder.") || holds (name, ".encoder.")
                          || holds (name, "encoder_attn.k_proj") || holds (name, "encoder_attn.v_proj")))
    return ENCODER;
  if (is_mtp (im, name))
    return MTP;
  if (holds (name, "embed") && holds_any (name, table_words) && !holds (name, "norm")
      && !holds (name, "projection"))
    return TABLE;
  if (holds_any (name, position_words))
    return POSITION;
  if (layer_of (name) >= 0)
    return part_in_layer (im, name);
  if (is_norm (name))
    return OTHER;
  if (is_embedding (name))
    return EMBEDDING;
  return holds_any (name, head_words) || starts (name, "output.") || starts (name, "head.")
         ? HEAD : part_in_layer (im, name);
}

/* ---- storage ------------------------------------------------------------ */

static class
class_of_dtype (const llmenv_safetensor *t)
{
  static const struct { const char *dtype; class c; } names[] = {
    { "F32", C_FP32 }, { "F16", C_FP16 }, { "BF16", C_BF16 }, { "F64", C_FP64 },
    { "C64", C_FP64 }, { "I16", C_INT16 }, { "U16", C_INT16 }, { "I32", C_INT32 },
    { "U32", C_INT32 }, { "I64", C_INT64 }, { "U64", C_INT64 }, { "F4", C_NVFP4 } };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (names[i].dtype, t->dtype->name) == 0)
      return names[i].c;
  return starts (t->dtype->name, "F8") ? C_FP8
         : starts (t->dtype->name, "F6") ? C_FP6 : C_INT8;
}

static int
has_dtype (const llmenv_safetensor *t, const char *start)
{
  return t != NULL && starts (t->dtype->name, start);
}

/* Ends of names that hold scales, zero points and the like. */
static const char *const scale_ends[] = {
  ".weight_scale_inv", "_weight_scale_inv", "_scale_inv", ".weight_scale_2", "_weight_scale_2",
  ".weight_scale", "_weight_scale", ".input_scale", "_input_scale", ".input_scale_ub",
  ".activation_scale", ".scales", "_scales", ".qzeros", ".g_idx", ".weight_shape",
  ".weight_zero_point", ".weight_g_idx", ".zero_point", ".weight_global_scale",
  ".input_global_scale", ".k_scale", ".v_scale", ".q_scale", ".absmax", ".quant_map",
  ".nested_absmax", ".nested_quant_map", ".SCB", ".weight_format", ".output_scale",
  ".kv_cache_scale", NULL };
/* The same, unless they stand alone: some norms are called so. */
static const char *const vague_ends[] = { ".scale", "_scale", NULL };

static const llmenv_safetensor *owner_of (const import *im, const char *name, size_t n);

/* Length of NAME without such an end; 0 when it has none. */
static size_t
scaled_length (const import *im, const char *name)
{
  const char *state = strstr (name, ".quant_state.");
  if (state != NULL)
    return (size_t) (state - name);
  for (const char *const *end = scale_ends; *end != NULL; end++)
    if (ends (name, *end))
      return strlen (name) - strlen (*end);
  const size_t n = strlen (name);
  for (const char *const *end = vague_ends; *end != NULL; end++)
    if (ends (name, *end) && owner_of (im, name, n - strlen (*end)) != NULL)
      return n - strlen (*end);
  /* MLX: the biases of a quantised matrix have scales beside them. */
  return ends (name, ".biases") && sibling (im, name, n - 7, ".scales") != NULL ? n - 7 : 0;
}

/* The values that the scale NAME, N bytes without its end, belongs to. */
static const llmenv_safetensor *
owner_of (const import *im, const char *name, size_t n)
{
  static const char *const ends_of_values[] = { ".weight", ".qweight", ".weight_packed",
                                                "_blocks", "", NULL };
  for (const char *const *end = ends_of_values; *end != NULL; end++)
    {
      const llmenv_safetensor *t = sibling (im, name, n, *end);
      if (t != NULL && strcmp (t->name, name) != 0 && scaled_length (im, t->name) == 0)
        return t;
    }
  return NULL;
}

/* Any of the scales that a tensor of NAME without end may have. */
static const llmenv_safetensor *
scale_of (const import *im, const char *name, size_t n)
{
  static const char *const names[] = { ".weight_scale", "_scale", "_weight_scale", "_scales", NULL };
  for (const char *const *end = names; *end != NULL; end++)
    {
      const llmenv_safetensor *t = sibling (im, name, n, *end);
      if (t != NULL)
        return t;
    }
  return NULL;
}

/* GPTQ packs inputs, AWQ outputs, in words of 32 bits: zero points, packed like
 * AWQ's values, and scales, of the same columns, tell how many. */
static double
qweight_params (import *im, const llmenv_safetensor *t, size_t n, double *bits)
{
  const llmenv_safetensor *zeros = sibling (im, t->name, n, ".qzeros");
  const llmenv_safetensor *scales = sibling (im, t->name, n, ".scales");
  const llmenv_safetensor *order = sibling (im, t->name, n, ".g_idx");
  *bits = 4;
  if (scales != NULL && scales->n_dims == 2 && scales->dims[1] > 0 && t->n_dims == 2)
    {
      const double columns = (double) scales->dims[1];
      if (zeros != NULL && zeros->n_dims == 2)
        *bits = 32 * (double) zeros->dims[1] / columns;
      else if (t->dims[1] < scales->dims[1])
        *bits = 32 * (double) t->dims[1] / columns;
      else if (order != NULL && order->elements > 0)
        *bits = 32 * (double) t->dims[0] / (double) order->elements;
    }
  else
    im->guessed = 1;
  if (!(*bits >= 1 && *bits <= 32))
    *bits = 4;
  return round ((double) t->elements * t->dtype->bits / *bits);
}

/* Columns of words and of scales give bits times group, not each. */
static double
mlx_params (import *im, const llmenv_safetensor *t, const llmenv_safetensor *scales,
            double *bits)
{
  const double product = scales->elements == 0 ? 0
                         : 32 * (double) t->elements / (double) scales->elements;
  im->guessed = 1;
  *bits = product / im->mlx_group;
  if (!(*bits >= 1 && *bits <= 32))
    *bits = 4;
  return round ((double) t->elements * 32 / *bits);
}

/* A byte that holds two values, by the type of its scales. */
static int
is_pair (const import *im, const llmenv_safetensor *t, size_t n, class *c)
{
  const llmenv_safetensor *scale = scale_of (im, t->name, n);
  if (sibling (im, t->name, strlen (t->name), ".absmax") != NULL)
    *c = C_INT4;
  else if (has_dtype (scale, "F8_E4M3"))
    *c = C_NVFP4;
  else if (has_dtype (scale, "U8") || has_dtype (scale, "F8_E8M0"))
    *c = C_MXFP4;
  else
    return 0;
  return 1;
}

/* Parameters of T, whose name without its end has N bytes, and their class. */
static double
values_of (import *im, const llmenv_safetensor *t, class *c)
{
  const char *name = t->name, *dot = strrchr (name, '.');
  const size_t n = ends (name, "_blocks") ? strlen (name) - 7
                   : dot == NULL || (!ends (name, ".weight") && !ends (name, ".qweight")
                                     && !ends (name, ".weight_packed"))
                     ? strlen (name) : (size_t) (dot - name);
  const double elements = (double) t->elements;
  const llmenv_safetensor *scales = sibling (im, name, n, ".scales");
  double bits = 0;
  *c = class_of_dtype (t);
  if (ends (name, ".qweight"))
    {
      const double params = qweight_params (im, t, n, &bits);
      *c = bits <= 4 ? C_INT4 : C_INT8;
      return params;
    }
  if (*c == C_INT32 && ends (name, ".weight_packed"))
    {
      im->guessed = 1;
      *c = im->word_bits <= 4 ? C_INT4 : C_INT8;
      return round (elements * 32 / im->word_bits);
    }
  if (has_dtype (t, "U32") && scales != NULL)
    {
      const double params = mlx_params (im, t, scales, &bits);
      *c = bits <= 4 ? C_INT4 : C_INT8;
      return params;
    }
  if (has_dtype (t, "U8") && is_pair (im, t, n, c))
    return 2 * elements;
  if (has_dtype (t, "F4") && !has_dtype (scale_of (im, name, n), "F8_E4M3"))
    *c = C_MXFP4;
  if (*c == C_FP8 && (sibling (im, name, n, ".weight_scale_inv") != NULL
                      || sibling (im, name, n, "_scale_inv") != NULL
                      || sibling (im, name, n, ".scale") != NULL))
    *c = C_FP8_BLOCK;
  return elements;
}

/* Whether NAME is a buffer that is no parameter. */
static int
is_buffer (const llmenv_safetensor *t)
{
  return starts (t->dtype->name, "I64") || starts (t->dtype->name, "BOOL")
         || ends (t->name, "inv_freq") || ends (t->name, "position_ids");
}

static void
add_tensor (import *im, const llmenv_safetensor *t, part named)
{
  const size_t n = scaled_length (im, t->name);
  const llmenv_safetensor *owner = n == 0 ? NULL : owner_of (im, t->name, n);
  const part p = named == EMBEDDING && im->tied ? HEAD : named;
  class c;
  double params = values_of (im, owner == NULL ? t : owner, &c);
  if (owner != NULL || n > 0 || is_buffer (t))
    params = 0;
  if (im->repeats && named == HEAD)
    return;
  im->sums.params[p][c] += params;
  im->sums.bytes[p][c] += (double) t->bytes;
}

/* ---- sums --------------------------------------------------------------- */

/* The class of P that has most parameters; -1 when it has none. */
static int
largest_class (const sums *s, part p)
{
  int best = -1;
  for (int c = 0; c < N_CLASSES; c++)
    if (s->params[p][c] > 0 && (best < 0 || s->params[p][c] > s->params[p][best]))
      best = c;
  return best;
}

/* Bytes of scales and buffers without values of their class go to the largest
 * class of their part, or else of the first part that has values. */
static void
settle_part (sums *s, part p)
{
  int to = p, best = largest_class (s, p);
  for (int q = 0; best < 0 && q < N_PARTS; q++)
    best = largest_class (s, (part) (to = q));
  for (int c = 0; best >= 0 && c < N_CLASSES; c++)
    if (s->params[p][c] == 0 && s->bytes[p][c] > 0)
      {
        s->bytes[to][best] += s->bytes[p][c];
        s->bytes[p][c] = 0;
      }
}

static double
part_params (const sums *s, part p)
{
  double n = 0;
  for (class c = 0; c < N_CLASSES; c++)
    n += s->params[p][c];
  return n;
}

/* Parameters of the language model, without towers and prediction layers. */
static double
text_params (const sums *s)
{
  double n = 0;
  for (part p = 0; p < N_PARTS; p++)
    if (p != TOWER && p != MTP)
      n += part_params (s, p);
  return n;
}

static void
sum_up (import *im)
{
  memset (&im->sums, 0, sizeof im->sums);
  for (size_t i = 0; i < im->set->n; i++)
    add_tensor (im, &im->set->tensors[i], (part) im->parts[i]);
}

/* Try what shapes do not tell until the parameters are those that the
 * configuration gives; without one, the commonest: 4 bits, groups of 64. */
static void
sum_up_as_expected (import *im, double expected, llmenv_import_notes *notes)
{
  static const struct { unsigned bits, group; } tries[]
    = { { 4, 64 }, { 8, 32 }, { 2, 128 }, { 3, 64 }, { 5, 64 }, { 6, 64 } };
  size_t best = 0;
  double least = INFINITY;
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
    {
      im->guessed = 0;
      im->word_bits = tries[i].bits;
      im->mlx_group = tries[i].group;
      sum_up (im);
      if (!im->guessed || !(expected > 0))
        break;
      const double miss = fabs (text_params (&im->sums) - expected);
      if (miss < least)
        {
          least = miss;
          best = i;
        }
    }
  if (!im->guessed)
    return;
  if (expected > 0)
    {
      im->word_bits = tries[best].bits;
      im->mlx_group = tries[best].group;
      sum_up (im);
    }
  else
    llmenv_import_note (notes, "packed values: 4 bits each, in groups of 64, are assumed, "
                        "because shapes do not tell; bytes are exact");
}

/* ---- the record --------------------------------------------------------- */

static json_t *
part_json (const import *im, part p, class c)
{
  char name[80];
  snprintf (name, sizeof name, "%s, %s", part_of[p].name, class_names[c]);
  json_t *json = json_pack ("{s:s, s:s, s:I}", "name", name,
                            "role", llmenv_weight_role_word (part_of[p].role),
                            "params", (json_int_t) im->sums.params[p][c]);
  if (llmenv_element_find (class_names[c], 0) != NULL)
    json_object_set_new (json, "format", json_string (class_names[c]));
  json_object_set_new (json, "bytes", json_integer ((json_int_t) im->sums.bytes[p][c]));
  if (p == HEAD && im->tied)
    json_object_set_new (json, "tied", json_true ());
  return json;
}

static json_t *
parts_json (const import *im)
{
  json_t *list = json_array ();
  for (part p = 0; p < N_PARTS; p++)
    for (class c = 0; c < N_CLASSES; c++)
      if (im->sums.params[p][c] >= 1)
        json_array_append_new (list, part_json (im, p, c));
  return list;
}

/* The class of most parameters. */
static const char *
main_format (const sums *s)
{
  class best = 0;
  double most = 0;
  for (class c = 0; c < N_CLASSES; c++)
    {
      double n = 0;
      for (part p = 0; p < N_PARTS; p++)
        n += s->params[p][c];
      if (n > most)
        {
          most = n;
          best = c;
        }
    }
  return llmenv_element_find (class_names[best], 0) == NULL ? NULL : class_names[best];
}

/* Of the record's own parts: parameters of the text model and in all, bytes, and
 * whether there is an input embedding, a tied head, an encoder. */
typedef struct
{
  double text, all, bytes;
  int embedding, tied, encoder, any;
} derived;

static derived
derived_parts (const json_t *record)
{
  const json_t *parts = json_object_get (json_object_get (record, "weights"), "parts");
  const char *format = json_string_value (json_object_get (record, "weight_format"));
  derived d = { 0, 0, 0, 0, 0, 0, 0 };
  size_t i;
  json_t *entry;
  json_array_foreach ((json_t *) parts, i, entry)
    {
      const char *role = json_string_value (json_object_get (entry, "role"));
      const char *own = json_string_value (json_object_get (entry, "format"));
      const llmenv_element *e = own == NULL && format == NULL ? NULL
                                : llmenv_element_find (own != NULL ? own : format, 0);
      const double params = json_number_value (json_object_get (entry, "params"));
      if (role == NULL)
        continue;
      d.any = 1;
      d.embedding |= strcmp (role, "embedding") == 0;
      d.encoder |= strcmp (role, "encoder") == 0;
      d.tied |= json_is_true (json_object_get (entry, "tied"));
      d.all += params;
      d.bytes += params * (e == NULL ? 2 : llmenv_element_bytes (e));
      if (strcmp (role, "tower") != 0 && strcmp (role, "mtp") != 0)
        d.text += params;
    }
  return d;
}

/* Experts and how many a token uses, from the record. */
static llmenv_status
set_experts (const import *im, json_t *record, json_t *weights, llmenv_error *error)
{
  const json_t *old = json_object_get (record, "weights");
  json_t *experts = json_object_get (old, "experts"), *top = json_object_get (old, "top");
  if (!json_is_number (experts) || !json_is_number (top))
    {
      experts = json_object_get (record, "num_experts");
      top = json_object_get (record, "experts_per_token");
    }
  if (part_params (&im->sums, EXPERT) == 0)
    return LLMENV_OK;
  if (!json_is_number (experts) || !json_is_number (top))
    return llmenv_error_set (error, LLMENV_EBADRECORD,
                             "%s: there are routed experts, but no configuration says how many "
                             "of them a token uses",
                             im->file);
  json_object_set (weights, "experts", experts);
  json_object_set (weights, "top", top);
  return LLMENV_OK;
}

static void
note_difference (const import *im, const derived *d, llmenv_import_notes *notes)
{
  const double text = text_params (&im->sums);
  if (d->any && text != d->text)
    llmenv_import_note (notes, "the tensors hold %.15g parameters of the text model, "
                        "the configuration gives %.15g (%+.3g %%)",
                        text, d->text, 100 * (text / d->text - 1));
  if (im->repeats)
    llmenv_import_note (notes, "the head repeats the tied embedding and is left out");
}

/* The index counts parameters of the whole model: all parts, scales aside. */
static void
note_parameters (const import *im, llmenv_import_notes *notes)
{
  const double said = im->set->total_parameters;
  double all = 0;
  for (part p = 0; p < N_PARTS; p++)
    all += part_params (&im->sums, p);
  if (!isnan (said) && said != all)
    llmenv_import_note (notes, "the index says %.15g parameters, the tensors have %.15g (%+.3g %%)",
                        said, all, 100 * (all / said - 1));
}

static void
note_files (const llmenv_safetensors *set, llmenv_import_notes *notes)
{
  llmenv_import_note (notes, "safetensors, %u file%s: %zu tensors, %llu bytes", set->n_files,
                      set->n_files == 1 ? "" : "s", set->n, (unsigned long long) set->bytes);
  if (set->missing > 0)
    llmenv_import_note (notes, "%llu bytes of tensor data are missing at the end: "
                        "a download that did not finish?",
                        (unsigned long long) set->missing);
  if (!isnan (set->total_size) && set->total_size != (double) set->bytes)
    llmenv_import_note (notes, "the index says %.15g bytes, the tensors have %llu",
                        set->total_size, (unsigned long long) set->bytes);
}

/* The part of each tensor, once, and which are embedding and head. */
static void
find_parts (import *im, const derived *d, int bidirectional)
{
  int embedding = 0, head = 0;
  for (size_t i = 0; i < im->set->n; i++)
    im->is_moe |= is_expert (im, im->set->tensors[i].name);
  for (size_t i = 0; i < im->set->n; i++)
    {
      const part p = part_of_tensor (im, im->set->tensors[i].name);
      im->parts[i] = (unsigned char) p;
      embedding |= p == EMBEDDING;
      head |= p == HEAD;
    }
  im->repeats = embedding && head && d->tied;
  im->tied = embedding && !bidirectional && (!head || d->tied);
}

/* The parts of a checkpoint whose headers are all here. */
static llmenv_status
exact_weights (import *im, json_t *record, const derived *d, llmenv_import_notes *notes,
               llmenv_error *error)
{
  const char *basis = json_string_value (json_object_get (record, "kv_cache_bytes_per_token_basis"));
  im->parts = malloc (im->set->n);
  if (im->parts == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  find_parts (im, d, basis != NULL && strcmp (basis, "not-applicable") == 0);
  sum_up_as_expected (im, d->text, notes);
  for (part p = 0; p < N_PARTS; p++)
    settle_part (&im->sums, p);
  json_t *weights = json_object ();
  const llmenv_status st = set_experts (im, record, weights, error);
  if (st != LLMENV_OK)
    {
      json_decref (weights);
      return st;
    }
  json_object_set_new (weights, "parts", parts_json (im));
  json_object_set_new (record, "weights", weights);
  const char *format = main_format (&im->sums);
  if (format != NULL)
    json_object_set_new (record, "weight_format", json_string (format));
  note_files (im->set, notes);
  note_parameters (im, notes);
  note_difference (im, d, notes);
  return LLMENV_OK;
}

/* Only an index: the bytes in all, and the parts that the configuration gives. */
static llmenv_status
total_weights (const import *im, json_t *record, const derived *d,
               llmenv_import_notes *notes, llmenv_error *error)
{
  const llmenv_safetensors *set = im->set;
  if (isnan (set->total_size))
    return llmenv_error_set (error, LLMENV_EBADFILE,
                             "%s: %u of the %u files are missing (%s ...), and the index has no "
                             "metadata.total_size",
                             im->file, set->n_absent, set->n_shards, set->absent);
  json_t *weights = json_object_get (record, "weights");
  if (!json_is_object (weights))
    {
      weights = json_object ();
      json_object_set_new (record, "weights", weights);
    }
  json_object_set_new (weights, "checkpoint_bytes", json_integer ((json_int_t) set->total_size));
  llmenv_import_note (notes, "%u of the %u files are missing (%.80s%s): "
                      "the checkpoint has the %.15g bytes that its index says",
                      set->n_absent, set->n_shards, set->absent, set->n_absent > 1 ? ", ..." : "",
                      set->total_size);
  if (d->any && set->total_size > 0)
    llmenv_import_note (notes, "parts are the configuration's: %.15g bytes (%+.3g %%)", d->bytes,
                        100 * (d->bytes / set->total_size - 1));
  if (d->any && !isnan (set->total_parameters) && set->total_parameters != d->all)
    llmenv_import_note (notes, "the index says %.15g parameters, the configuration gives %.15g (%+.3g %%)",
                        set->total_parameters, d->all, 100 * (d->all / set->total_parameters - 1));
  return LLMENV_OK;
}

llmenv_status
llmenv_safetensors_weights (const llmenv_safetensors *set, const char *file,
                            json_t *record, llmenv_import_notes *notes,
                            llmenv_error *error)
{
  const derived d = derived_parts (record);
  const json_t *layers = json_object_get (record, "num_layers");
  import *im = calloc (1, sizeof *im);
  if (im == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  im->set = set;
  im->file = file;
  im->layers = json_is_number (layers) && json_number_value (layers) > 0
               ? json_number_value (layers) : INFINITY;
  im->has_encoder = d.encoder;
  im->word_bits = 4;
  im->mlx_group = 64;
  llmenv_status st;
  if (set->n_absent > 0)
    st = total_weights (im, record, &d, notes, error);
  else if (set->n == 0)
    st = llmenv_error_set (error, LLMENV_EBADFILE, "%s: no tensors", file);
  else
    st = exact_weights (im, record, &d, notes, error);
  free (im->parts);
  free (im);
  return st;
}

/* ---- without a configuration -------------------------------------------- */

/* Lower-case letters and digits of the last part of PATH, joined by hyphens. */
static void
make_id (const char *path, char *id, size_t size)
{
  size_t n = strlen (path), used = 0;
  while (n > 0 && path[n - 1] == '/')
    n--;
  size_t from = n;
  while (from > 0 && path[from - 1] != '/')
    from--;
  for (size_t i = from; i < n && used + 2 < size; i++)
    if (isalnum ((unsigned char) path[i]))
      id[used++] = (char) tolower ((unsigned char) path[i]);
    else if (used > 0 && id[used - 1] != '-')
      id[used++] = '-';
  while (used > 0 && id[used - 1] == '-')
    used--;
  id[used] = '\0';
  if (used == 0)
    snprintf (id, size, "checkpoint");
}

static json_t *
bare_record (const char *path)
{
  char id[100];
  make_id (path, id, sizeof id);
  return json_pack ("{s:s, s:s, s:s, s:s}", "id", id, "name", id,
                    "kv_cache_bytes_per_token_basis", "undisclosed", "unavailable_reason",
                    "A checkpoint without its configuration: only the weights are known.");
}

/* Scalars of a record that had none. */
static void
set_scalars (json_t *record)
{
  double params = 0;
  size_t i;
  json_t *entry;
  json_array_foreach (json_object_get (json_object_get (record, "weights"), "parts"), i, entry)
    params += json_number_value (json_object_get (entry, "params"));
  if (params > 0)
    {
      json_object_set_new (record, "params_b", json_real (params / 1e9));
      json_object_set_new (record, "active_params_b", json_real (params / 1e9));
    }
}

static void
set_provenance (json_t *record)
{
  json_t *provenance = json_object_get (record, "provenance");
  if (!json_is_object (provenance))
    {
      provenance = json_object ();
      json_object_set_new (record, "provenance", provenance);
    }
  json_object_set_new (provenance, "weights",
                       json_string ("exact parameters and bytes of the checkpoint's safetensors headers, "
                                    "parts by the tensors' names"));
}

llmenv_status
llmenv_import_safetensors (const char *path, json_t **record,
                           llmenv_import_notes *notes, llmenv_error *error)
{
  llmenv_safetensors set;
  TRY (llmenv_safetensors_open (path, &set, error));
  json_t *own = *record == NULL ? bare_record (path) : NULL;
  json_t *target = own == NULL ? *record : own;
  const llmenv_status st = llmenv_safetensors_weights (&set, path, target, notes, error);
  if (st == LLMENV_OK && set.n_absent == 0)
    set_provenance (target);
  llmenv_safetensors_free (&set);
  if (own != NULL && st == LLMENV_OK)
    {
      llmenv_import_note (notes, "no config.json beside it: only the weights are known");
      set_scalars (own);
      *record = own;
    }
  else
    json_decref (own);
  return st;
}
