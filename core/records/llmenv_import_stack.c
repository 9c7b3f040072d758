/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks that are no plain decoder: encoder and decoder, of which only the
 * decoder caches and its cross attention keeps a fixed length; and encoders
 * alone, which cache nothing. */
#include "llmenv_import_config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int
is_encoder_decoder (llmenv_config *c)
{
  return c->traits & T_ENCODER_DECODER
         || (c->family == NULL && llmenv_config_flag (c, F_encoder_decoder, 0));
}

/* A BERT that was turned into a decoder says so. */
static int
is_encoder (llmenv_config *c)
{
  return c->traits & T_ENCODER && !llmenv_config_flag (c, F_decoder_only, 0);
}

int
llmenv_config_is_stack (llmenv_config *c)
{
  return is_encoder_decoder (c) || is_encoder (c);
}

static void
fill (llmenv_layer *layers, size_t n, llmenv_shape shape)
{
  for (size_t i = 0; i < n; i++)
    layers[i].shape = shape;
}

static double
count_of (llmenv_config *c, llmenv_field f)
{
  const double n = llmenv_config_need (c, f);
  if (c->status == LLMENV_OK && !(n >= 1 && n <= LLMENV_MAX_LAYERS))
    llmenv_config_refuse (c, f, "a whole number from 1 to 100000", llmenv_config_find (c, f));
  return n;
}

static double
head_width (llmenv_config *c, double heads)
{
  const double stated = llmenv_config_or (c, F_head_dim, 0);
  const double width = stated > 0 ? stated : llmenv_config_need (c, F_hidden) / heads;
  if (c->status == LLMENV_OK && width != floor (width))
    llmenv_config_fail (c, "head_dim is missing, and the model's width is no multiple of %.0f heads", heads);
  return width;
}

/* Tokens that cross attention reads.  Relative positions have no limit. */
static double
encoder_length (llmenv_config *c)
{
  const double length = llmenv_config_or (c, F_encoder_length, 0);
  if (length > 0)
    return length;
  llmenv_import_note (c->notes, "no longest input is given: cross attention is taken to read 512 tokens");
  return 512;
}

static llmenv_status
set_encoder_decoder (llmenv_config *c)
{
  const double encoders = count_of (c, F_encoder_layers), decoders = count_of (c, F_decoder_layers);
  const double heads = llmenv_config_need (c, F_decoder_heads), width = head_width (c, heads);
  const llmenv_shape encoder = { .kind = LLMENV_ENCODER, .mlp = MLP_DENSE,
                                 .size = llmenv_config_or (c, F_encoder_size, 0) };
  const double groups = llmenv_config_or (c, F_kv_heads, 0);
  llmenv_shape decoder = { .kind = LLMENV_FULL, .mlp = MLP_DENSE, .q_heads = heads,
                           .kv_heads = groups > 0 ? groups : heads, .k_dim = width, .v_dim = width,
                           .size = llmenv_config_or (c, F_decoder_size, 0) };
  if (c->status != LLMENV_OK)
    return c->status;
  c->n = (size_t) (encoders + 2 * decoders);
  c->layers = calloc (c->n, sizeof *c->layers);
  if (c->layers == NULL)
    return c->status = llmenv_error_set (c->error, LLMENV_ETOOLARGE, "out of memory");
  fill (c->layers, (size_t) encoders, encoder);
  fill (c->layers + (size_t) encoders, (size_t) decoders, decoder);
  decoder.kind = LLMENV_CROSS;
  decoder.mlp = MLP_NONE;
  decoder.size = 0;
  decoder.length = encoder_length (c);
  fill (c->layers + (size_t) (encoders + decoders), (size_t) decoders, decoder);
  return c->status;
}

llmenv_status
llmenv_config_stack (llmenv_config *c)
{
  if (is_encoder_decoder (c))
    return set_encoder_decoder (c);
  const double n = count_of (c, F_layers);
  const llmenv_shape encoder = { .kind = LLMENV_ENCODER, .mlp = MLP_DENSE,
                                 .size = llmenv_config_or (c, F_size, 0) };
  if (c->status != LLMENV_OK)
    return c->status;
  c->n = (size_t) n;
  c->layers = calloc (c->n, sizeof *c->layers);
  if (c->layers == NULL)
    return c->status = llmenv_error_set (c->error, LLMENV_ETOOLARGE, "out of memory");
  fill (c->layers, c->n, encoder);
  return c->status;
}

/* ---- weights -------------------------------------------------------------- */

typedef struct
{
  double h, inner;             /* model's width; heads times their width */
  double norm;                 /* weights of one norm */
  double matrices;             /* of an MLP */
  int biases, key_bias;
} stack;

static double
biases_of (const stack *s)
{
  return s->biases ? (2 + s->key_bias) * s->inner + s->h : 0;
}

static double
mlp_matrices (const stack *s, double size)
{
  return s->matrices * s->h * size;
}

static double
mlp_biases (const stack *s, double size)
{
  return s->biases ? (s->matrices - 1) * size + s->h : 0;
}

static double
encoder_layer (const stack *s, double size)
{
  return 4 * s->h * s->inner + biases_of (s) + mlp_matrices (s, size) + mlp_biases (s, size)
         + 2 * s->norm;
}

/* Of cross attention only queries and output run at each step; its keys and
 * values are computed once a sequence, with the encoder. */
static void
decoder_weights (llmenv_config *c, const stack *s, double decoders, double size)
{
  double *p = c->params;
  p[PART_ATTENTION] += decoders * 6 * s->h * s->inner;
  p[PART_DENSE] += decoders * mlp_matrices (s, size);
  p[PART_SMALL] += decoders * (biases_of (s) + (s->biases ? s->inner + s->h : 0)
                               + mlp_biases (s, size) + 3 * s->norm);
  p[PART_CROSS_KV] += decoders * (2 * s->h * s->inner
                                  + (s->biases ? (1 + s->key_bias) * s->inner : 0));
}

/* What stands around the two stacks, family by family. */
static void
surroundings (llmenv_config *c, const stack *s)
{
  const double h = s->h;
  double *p = c->params;
  p[PART_HEAD] += c->vocab * h;
  p[PART_EMBEDDING] += c->is_tied ? 0 : c->vocab * h;
  if (c->traits & T_WHISPER)
    {
      const double frames = llmenv_config_need (c, F_encoder_length);
      p[PART_SMALL] += s->norm;
      p[PART_POSITIONS] += llmenv_config_need (c, F_decoder_length) * h;
      p[PART_ENCODER] += s->norm + frames * h
                         + h * 3 * (llmenv_config_need (c, F_mel_bins) + h) + 2 * h;
    }
  else if (c->traits & T_RELATIVE)
    {
      const double buckets = llmenv_config_or (c, F_position_buckets, 32)
                             * llmenv_config_need (c, F_decoder_heads);
      p[PART_SMALL] += s->norm + buckets;
      p[PART_ENCODER] += s->norm + buckets;
    }
  else                         /* learned positions with an offset of two */
    {
      const int final_norm = strcmp (c->type, "mbart") == 0;
      const double positions = (llmenv_config_need (c, F_positions) + 2) * h;
      p[PART_SMALL] += (1 + final_norm) * s->norm;
      p[PART_POSITIONS] += positions;
      p[PART_ENCODER] += (1 + final_norm) * s->norm + positions;
    }
}

static double
layers_of (const llmenv_config *c, llmenv_layer_kind kind, double *size)
{
  double n = 0;
  for (size_t i = 0; i < c->n; i++)
    if (c->layers[i].shape.kind == kind)
      {
        n++;
        *size = c->layers[i].shape.size;
      }
  return n;
}

static void
encoder_decoder_weights (llmenv_config *c)
{
  const double heads = llmenv_config_need (c, F_decoder_heads);
  const char *words = llmenv_config_text (c, F_gated_words);
  const int relative = (c->traits & T_RELATIVE) != 0;
  double encoder_size = 0, decoder_size = 0;
  const double encoders = layers_of (c, LLMENV_ENCODER, &encoder_size);
  const double decoders = layers_of (c, LLMENV_FULL, &decoder_size);
  const stack s = { .h = c->hidden, .inner = heads * head_width (c, heads),
                    .norm = relative ? c->hidden : 2 * c->hidden,
                    .matrices = strncmp (words, "gated", 5) == 0 ? 3 : 2,
                    .biases = !relative, .key_bias = !(c->traits & T_WHISPER) };
  c->params[PART_ENCODER] += encoders * encoder_layer (&s, encoder_size);
  decoder_weights (c, &s, decoders, decoder_size);
  surroundings (c, &s);
}

/* BERT and its kin: biases and shifts everywhere, embeddings of tokens,
 * positions and token types under one norm, a pooler. */
static void
encoder_weights (llmenv_config *c)
{
  double size = 0;
  const double h = c->hidden, n = layers_of (c, LLMENV_ENCODER, &size);
  const stack s = { .h = h, .inner = h, .norm = 2 * h, .matrices = 2, .biases = 1, .key_bias = 1 };
  c->params[PART_ENCODER] += n * encoder_layer (&s, size) + s.norm + h * h + h;
  c->params[PART_EMBEDDING] += h * (c->vocab + llmenv_config_need (c, F_positions)
                                    + llmenv_config_or (c, F_token_types, 2));
}

static int
is_one_of (const char *word, const char *const *list)
{
  for (; *list != NULL; list++)
    if (strcmp (word, *list) == 0)
      return 1;
  return 0;
}

const char *
llmenv_config_stack_unknown (llmenv_config *c)
{
  static const char *const known[] = { "bert", "roberta", "xlm-roberta", "camembert", "bart",
                                       "mbart", "plbart", "t5", "mt5", "umt5", "whisper", NULL };
  return is_one_of (c->type, known) ? NULL
         : "the parts of this architecture are not written out here";
}

void
llmenv_config_stack_weights (llmenv_config *c)
{
  if (is_encoder_decoder (c))
    encoder_decoder_weights (c);
  else
    encoder_weights (c);
}
