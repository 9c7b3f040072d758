/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters by part: every matrix, bias, norm and gate of the text model as
 * a product of the configuration's own fields. */
#include "llmenv_import_config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- attention ---------------------------------------------------------- */

/* MLPs and attention of a model that says so have biases everywhere. */
static int
has_biases (llmenv_config *c)
{
  return llmenv_config_has (c, F_no_bias) && !llmenv_config_flag (c, F_no_bias, 0);
}

static double
norm_width (llmenv_config *c)
{
  return c->traits & T_SHIFTED_NORMS || has_biases (c) ? 2 : 1;
}

/* Queries and keys from latents, values from the same one; the indexer's key
 * norm has scale and shift, and its head weights stay in the model's type. */
static void
latent_weights (llmenv_config *c, llmenv_layer *l)
{
  const llmenv_shape *s = &l->shape;
  const double h = c->hidden, n = s->q_heads, nope = llmenv_config_need (c, F_nope_dim);
  const double v = llmenv_config_need (c, F_v_dim), q_rank = llmenv_config_or (c, F_q_rank, 0);
  const double q = n * (nope + s->rope_dim);
  double *p = l->params;
  p[PART_ATTENTION] += q_rank > 0 ? h * q_rank + q_rank * q : h * q;
  p[PART_ATTENTION] += h * (s->rank + s->rope_dim) + s->rank * n * (nope + v) + n * v * h;
  p[PART_SMALL] += q_rank + s->rank;
  if (llmenv_config_flag (c, F_latent_gate, 0))
    p[PART_ATTENTION] += h * n * v;
  if (s->index_heads > 0)
    {
      p[PART_ATTENTION] += q_rank * s->index_heads * s->index_dim + h * s->index_dim;
      p[PART_SMALL] += h * s->index_heads + 2 * s->index_dim;
    }
}

static double
qk_norm (llmenv_config *c, const llmenv_shape *s, int has_keys)
{
  if (!llmenv_config_flag (c, F_qk_norm, 0) || c->traits & T_BARE_QK_NORM)
    return 0;
  return c->traits & T_WIDE_QK_NORM
         ? s->q_heads * s->k_dim + has_keys * s->kv_heads * s->k_dim
         : (1 + has_keys) * s->k_dim;
}

static double
attention_biases (llmenv_config *c, const llmenv_shape *s, int has_keys)
{
  const int qkv = has_biases (c) || llmenv_config_flag (c, F_qkv_bias, 0);
  const int out = has_biases (c) || llmenv_config_flag (c, F_out_bias, qkv);
  return qkv * (s->q_heads * s->k_dim + has_keys * s->kv_heads * (s->k_dim + s->v_dim))
         + out * c->hidden;
}

/* Layers that read another's cache have no keys and values of their own, but
 * for the family that stores them unused (it mixes several streams). */
static void
head_weights (llmenv_config *c, llmenv_layer *l)
{
  const llmenv_shape *s = &l->shape;
  const double h = c->hidden, q = s->q_heads * s->k_dim;
  const int has_keys = s->kind != LLMENV_SHARED || llmenv_config_has (c, F_streams);
  const int has_values = has_keys && !(s->kind == LLMENV_FULL && llmenv_config_flag (c, F_k_is_v, 0));
  const int sinks = c->traits & T_SINKS
                    || (s->kind == LLMENV_FULL && llmenv_config_flag (c, F_sinks, 0))
                    || (s->kind == LLMENV_WINDOW && llmenv_config_flag (c, F_window_sinks, 0));
  double *p = l->params;
  p[PART_ATTENTION] += h * q * (1 + llmenv_config_flag (c, F_query_gate, 0))
                       + has_keys * h * s->kv_heads * s->k_dim
                       + has_values * h * s->kv_heads * s->v_dim
                       + s->q_heads * s->v_dim * h;
  if (llmenv_config_flag (c, F_head_gate, (c->traits & T_HEAD_GATE) != 0))
    p[PART_ATTENTION] += h * s->q_heads;
  p[PART_SMALL] += attention_biases (c, s, has_keys) + qk_norm (c, s, has_keys)
                   + sinks * s->q_heads;
}

static void
attention_weights (llmenv_config *c, llmenv_layer *l)
{
  const llmenv_shape *s = &l->shape;
  if (s->kind == LLMENV_RECURRENT || s->kind == LLMENV_NO_CACHE || s->kind == LLMENV_CROSS)
    return;
  if (s->rank > 0)
    latent_weights (c, l);
  else
    head_weights (c, l);
}

/* ---- MLP ----------------------------------------------------------------- */

static int
matrices (llmenv_config *c)
{
  if (llmenv_config_has (c, F_gated))
    return llmenv_config_flag (c, F_gated, 1) ? 3 : 2;
  if (c->family == NULL && strcmp (llmenv_config_text (c, F_activation), "relu2") == 0)
    return 2;                  /* squared ReLU is used without a gate */
  return c->traits & T_PLAIN_MLP ? 2 : 3;
}

static void
dense_weights (llmenv_config *c, llmenv_layer *l)
{
  const double size = l->shape.size, m = matrices (c);
  l->params[PART_DENSE] += m * c->hidden * size;
  if (has_biases (c) || llmenv_config_flag (c, F_mlp_bias, 0))
    l->params[PART_SMALL] += (m - 1) * size + c->hidden;
}

/* A correction for each expert, that balances the router's choice. */
static int
has_router_bias (llmenv_config *c)
{
  if (llmenv_config_has (c, F_router_bias))
    return llmenv_config_flag (c, F_router_bias, 0);
  return c->traits & T_ROUTER_BIAS
         || strcmp (llmenv_config_text (c, F_top_method), "noaux_tc") == 0
         || strcmp (llmenv_config_text (c, F_scoring), "sigmoid") == 0;
}

static void
expert_weights (llmenv_config *c, llmenv_layer *l)
{
  const llmenv_shape *s = &l->shape;
  const double h = c->hidden, m = matrices (c), stated = llmenv_config_or (c, F_expert_width, 0);
  const double width = stated > 0 ? stated : h;
  double *p = l->params;
  p[PART_ROUTED] += s->experts * m * width * s->size;
  p[PART_SMALL] += s->experts * h + (has_router_bias (c) ? s->experts : 0);
  p[PART_SHARED_EXPERTS] += m * h * s->shared_size;
  if (c->traits & T_EXPERT_BIAS)
    p[PART_ROUTED_BIAS] += s->experts * ((m - 1) * s->size + h);
  if (llmenv_config_or (c, F_gated_shared_size, 0) > 0)
    p[PART_SMALL] += h;        /* the gate of the shared expert */
  if (stated > 0)              /* down to the experts' width and back up */
    {
      p[PART_LATENT] += 2 * h * width;
      p[PART_SMALL] += llmenv_config_flag (c, F_expert_norm, 0) ? width : 0;
    }
  if (llmenv_config_has (c, F_moe_switch)) /* three norms, an input scale, a scale per expert */
    p[PART_SMALL] += 4 * h + s->experts;
  c->active_routed += (p[PART_ROUTED] + p[PART_ROUTED_BIAS]) * s->expert_top / s->experts;
}

/* ---- a layer, and what stands around the stack --------------------------- */

/* Norms of a layer: parallel attention and MLP share one, and a layer of an
 * unknown family that is a mixer or an MLP alone needs one. */
static double
norms (llmenv_config *c, const llmenv_shape *s)
{
  if (c->family == NULL && (s->mlp == MLP_NONE || s->kind == LLMENV_NO_CACHE))
    return 1;
  if (llmenv_config_has (c, F_new_decoder) && llmenv_config_flag (c, F_parallel, 1))
    return llmenv_config_or (c, F_parallel_norms, llmenv_config_flag (c, F_new_decoder, 0) ? 2 : 1);
  if (strncmp (c->type, "stablelm", 8) == 0 && llmenv_config_flag (c, F_parallel, 0))
    return 1;
  return c->norms;
}

/* Low-rank residuals and alternating streams: the norm of the residual,
 * coefficients that correct and predict, a router with its norm and scale. */
static void
stream_weights (llmenv_config *c, llmenv_layer *l)
{
  const double h = c->hidden, n = llmenv_config_or (c, F_streams, 0);
  const double rank = llmenv_config_or (c, F_low_rank_residual, 0);
  if (n == 0)
    return;
  l->params[PART_ATTENTION] += 2 * h * rank;
  l->params[PART_SMALL] += h + n * n + n * n * n + h * n + 2 * h;
}

static void
layer_weights (llmenv_config *c, llmenv_layer *l)
{
  const double per_layer = llmenv_config_or (c, F_per_layer_width, 0);
  attention_weights (c, l);
  if (l->shape.state != STATE_NONE)
    llmenv_config_state_weights (c, l);
  if (l->shape.mlp == MLP_DENSE)
    dense_weights (c, l);
  else if (l->shape.mlp == MLP_MOE)
    expert_weights (c, l);
  l->params[PART_SMALL] += norms (c, &l->shape) * norm_width (c) * c->hidden;
  l->params[PART_SMALL] += (c->traits & T_LAYER_SCALE) != 0;
  if (per_layer > 0)           /* gate, projection back, and the norm after it */
    {
      l->params[PART_ATTENTION] += 2 * c->hidden * per_layer;
      l->params[PART_SMALL] += c->hidden;
    }
  stream_weights (c, l);
}

static void
outer_weights (llmenv_config *c)
{
  const double h = c->hidden, per_layer = llmenv_config_or (c, F_per_layer_width, 0);
  const double streams = llmenv_config_or (c, F_streams, 0);
  double *p = c->params;
  p[PART_HEAD] += c->vocab * h;
  p[PART_EMBEDDING] += c->is_tied ? 0 : c->vocab * h;
  p[PART_SMALL] += c->norms > 0 ? norm_width (c) * h : 0;
  if (llmenv_config_flag (c, F_embedding_norm, 0) || c->traits & T_RWKV4)
    p[PART_SMALL] += norm_width (c) * h;
  if (llmenv_config_flag (c, F_head_bias, 0))
    p[PART_SMALL] += c->vocab;
  if (llmenv_config_flag (c, F_learned_positions, 0) && !llmenv_config_flag (c, F_alibi, 0))
    p[PART_POSITIONS] += h * (llmenv_config_need (c, F_positions)
                              + (strcmp (c->type, "opt") == 0 ? 2 : 0));
  if (per_layer > 0)
    {
      p[PART_PER_LAYER] += llmenv_config_or (c, F_per_layer_vocab, c->vocab) * (double) c->n * per_layer;
      p[PART_ATTENTION] += h * (double) c->n * per_layer;
      p[PART_SMALL] += per_layer;
    }
  if (streams > 0)             /* projections of the further streams, in and out */
    p[PART_ATTENTION] += 2 * (streams - 1) * h * h;
}

/* What a prediction layer repeats: the last layer; or, where the file says how
 * those look, the last that slides, with a dense MLP.  NULL when not known. */
static const double *
prediction_layer (llmenv_config *c, llmenv_layer *own)
{
  if (c->traits & T_MTP_LIKE_LAST)
    return c->layers[c->n - 1].params;
  if (!(c->traits & T_MTP_SLIDING) || !llmenv_config_has (c, F_window_heads))
    return NULL;
  for (size_t i = 0; i < c->n; i++)
    if (c->layers[i].shape.kind == LLMENV_WINDOW)
      own->shape = c->layers[i].shape;
  own->shape.mlp = MLP_DENSE;
  own->shape.size = llmenv_config_or (c, F_size, 0);
  layer_weights (c, own);
  return own->params;
}

/* Prediction layers: norms of both inputs and of the output, the projection
 * that joins them, and for some families copies of embedding and head. */
static void
prediction_weights (llmenv_config *c)
{
  const double n = llmenv_config_or (c, F_mtp, 0), h = c->hidden;
  llmenv_layer own = { .shape = { .kind = LLMENV_NO_CACHE } };
  const double *layer = n == 0 ? NULL : prediction_layer (c, &own);
  if (n > 0 && layer == NULL)
    llmenv_import_note (c->notes, "weights of %.0f multi-token-prediction layers are not counted", n);
  if (layer == NULL)
    return;
  for (int k = 0; k < PART_COUNT; k++)
    c->params[k == PART_SMALL ? PART_MTP_SMALL : PART_MTP] += n * layer[k];
  c->params[PART_MTP_SMALL] += n * (3 * h + 2 * h * h);
  if (c->traits & (T_MTP_COPIES | T_MTP_SLIDING))
    c->params[PART_MTP_COPIES] += n * (c->traits & T_MTP_COPIES ? 2 : 1) * c->vocab * h;
}

/* ---- whether they can be known ------------------------------------------- */

static const char *
why_unknown (llmenv_config *c)
{
  if (c->no_weights != NULL)
    return c->no_weights;
  if (c->traits & T_NO_WEIGHTS)
    return "the parts of this architecture are not written out here";
  if (isnan (c->vocab) || c->vocab == 0)
    return "vocab_size is missing";
  if (llmenv_config_is_stack (c) && llmenv_config_stack_unknown (c) != NULL)
    return llmenv_config_stack_unknown (c);
  for (size_t i = 0; i < c->n; i++)
    {
      const llmenv_shape *s = &c->layers[i].shape;
      if (s->state != STATE_NONE && !llmenv_config_state_is_weighed (s->state))
        return "the parts of its recurrent layers are not written out here";
      if (s->mlp != MLP_NONE && s->size == 0)
        return "the width of the MLP is missing";
      if (s->rank > 0 && (!llmenv_config_has (c, F_nope_dim) || !llmenv_config_has (c, F_v_dim)))
        return "qk_nope_head_dim or v_head_dim is missing";
    }
  return NULL;
}

static void
check_exact (llmenv_config *c)
{
  double sum = 0;
  for (int k = 0; k < PART_COUNT; k++)
    {
      if (!(c->params[k] >= 0))
        llmenv_config_fail (c, "the dimensions give no number of parameters");
      sum += c->params[k];
    }
  if (!(sum <= LLMENV_EXACT))
    llmenv_config_fail (c, "the dimensions give %.3g parameters, more than 2^53 are not exact", sum);
}

static void
read_tied (llmenv_config *c)
{
  const json_t *tied = llmenv_config_find_outer (c, F_tied);
  if (tied != NULL && !json_is_boolean (tied))
    llmenv_config_refuse (c, F_tied, "true or false", tied);
  c->is_tied = json_is_true (tied);
  if (tied == NULL && c->family == NULL)
    llmenv_import_note (c->notes, "tie_word_embeddings is missing: an untied head is assumed");
}

static void
decoder_weights (llmenv_config *c)
{
  for (size_t i = 0; i < c->n && c->status == LLMENV_OK; i++)
    {
      layer_weights (c, &c->layers[i]);
      for (int k = 0; k < PART_COUNT; k++)
        c->params[k] += c->layers[i].params[k];
    }
  outer_weights (c);
  if (c->status == LLMENV_OK)
    prediction_weights (c);
}

llmenv_status
llmenv_config_weights (llmenv_config *c)
{
  read_tied (c);
  c->vocab = llmenv_config_number (c, F_vocab);
  const double multiple = llmenv_config_or (c, F_vocab_multiple, 0);
  if (multiple > 0)
    c->vocab = multiple * ceil (c->vocab / multiple);
  if (c->status == LLMENV_OK)
    c->no_weights = why_unknown (c);
  if (c->no_weights != NULL)
    {
      llmenv_import_note (c->notes, "weights are left out: %s", c->no_weights);
      return c->status;
    }
  c->hidden = llmenv_config_need (c, F_hidden);
  if (llmenv_config_is_stack (c))
    llmenv_config_stack_weights (c);
  else
    decoder_weights (c);
  if (c->status == LLMENV_OK)
    check_exact (c);
  if (c->family == NULL)
    llmenv_import_note (c->notes, "weights are counted as a plain decoder's: two norms a layer,"
                        " no biases or gates but those that fields name");
  return c->status;
}
