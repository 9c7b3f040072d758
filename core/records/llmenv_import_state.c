/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed state of a recurrent layer: elements of its matrices, and of the
 * columns (kernel - 1 of each channel) that its convolution keeps. */
#include "llmenv_import_config.h"

#include <math.h>
#include <string.h>

/* ---- sizes of mixers, shared with the weights --------------------------- */

double
llmenv_config_ssm_inner (llmenv_config *c, llmenv_state_kind kind)
{
  const int pure = c->layers[0].shape.mlp == MLP_NONE && (c->traits & T_SSM || c->family == NULL);
  const json_t *stated = llmenv_config_find (c, F_ssm_inner);
  char name[96];
  llmenv_config_spelling (c, F_ssm_inner, name, sizeof name);
  if (kind == STATE_MAMBA2 && llmenv_config_has (c, F_ssm_heads)
      && llmenv_config_has (c, F_ssm_head_dim) && !(c->traits & T_SSM))
    return llmenv_config_need (c, F_ssm_heads) * llmenv_config_need (c, F_ssm_head_dim);
  /* Beside attention, intermediate_size is the width of the MLP. */
  if (stated != NULL && (pure || strcmp (name, "intermediate_size") != 0))
    return llmenv_config_need (c, F_ssm_inner);
  const double expand = llmenv_config_real (c, F_ssm_expand, NAN);
  if (isnan (expand))
    llmenv_config_need (c, F_ssm_inner);
  return floor (expand * llmenv_config_need (c, F_hidden));
}

/* Rank of the step projection: "auto" is a sixteenth of the model's width. */
double
llmenv_config_ssm_rank (llmenv_config *c)
{
  const json_t *rank = llmenv_config_find (c, F_ssm_rank);
  if (rank == NULL || (json_is_string (rank) && strcmp (json_string_value (rank), "auto") == 0))
    return ceil (llmenv_config_need (c, F_hidden) / 16);
  return llmenv_config_number (c, F_ssm_rank);
}

/* The second generation has heads and groups; the first has a step rank. */
static llmenv_state_kind
generation (llmenv_config *c)
{
  char name[96];
  if (strcmp (llmenv_config_text (c, F_ssm_layer), "Mamba2") == 0
      || strcmp (c->type, "mamba2") == 0 || strcmp (c->type, "mamba_ssm2") == 0)
    return STATE_MAMBA2;
  if (llmenv_config_has (c, F_ssm_rank) && !llmenv_config_has (c, F_ssm_groups))
    return STATE_MAMBA1;
  llmenv_config_spelling (c, F_ssm_heads, name, sizeof name);
  if (llmenv_config_has (c, F_ssm_groups)
      || (llmenv_config_has (c, F_ssm_heads) && strcmp (name, "num_heads") != 0))
    return STATE_MAMBA2;
  return STATE_MAMBA1;
}

/* Linear attention: its own fields tell which kind. */
static llmenv_state_kind
linear_kind (llmenv_config *c)
{
  return llmenv_config_has (c, F_delta_v_heads) ? STATE_DELTA
         : llmenv_config_has (c, F_kda_heads) ? STATE_KDA
         : llmenv_config_has (c, F_expand_v) ? STATE_RETENTION
         : llmenv_config_has (c, F_conv_kernel) ? STATE_CONV : STATE_LIGHTNING;
}

/* ---- one function a kind ------------------------------------------------ */

static void
set_mamba1 (llmenv_config *c, llmenv_shape *s)
{
  const double inner = llmenv_config_ssm_inner (c, STATE_MAMBA1);
  s->recurrent = inner * llmenv_config_need (c, F_ssm_state);
  s->conv = inner * (llmenv_config_need (c, F_ssm_kernel) - 1);
}

/* The convolution runs over the inner channels and both groups of inputs. */
static void
set_mamba2 (llmenv_config *c, llmenv_shape *s)
{
  const double inner = llmenv_config_ssm_inner (c, STATE_MAMBA2);
  const double state = llmenv_config_need (c, F_ssm_state);
  const double groups = llmenv_config_or (c, F_ssm_groups, 1);
  s->recurrent = inner * state;
  s->conv = (inner + 2 * groups * state) * (llmenv_config_need (c, F_ssm_kernel) - 1);
}

/* A matrix of key by value width for each value head. */
static void
set_delta (llmenv_config *c, llmenv_shape *s)
{
  const double k = llmenv_config_need (c, F_delta_k_dim), v = llmenv_config_need (c, F_delta_v_dim);
  const double heads = llmenv_config_need (c, F_delta_v_heads);
  const double channels = 2 * llmenv_config_need (c, F_delta_k_heads) * k + heads * v;
  s->recurrent = heads * k * v;
  s->conv = channels * (llmenv_config_need (c, F_delta_kernel) - 1);
}

/* Queries, keys and values are convolved each. */
static void
set_kda (llmenv_config *c, llmenv_shape *s)
{
  const double heads = llmenv_config_need (c, F_kda_heads), dim = llmenv_config_need (c, F_kda_dim);
  s->recurrent = heads * dim * dim;
  s->conv = 3 * heads * dim * (llmenv_config_need (c, F_kda_kernel) - 1);
}

static void
set_lightning (llmenv_config *c, llmenv_shape *s)
{
  const double heads = llmenv_config_need (c, F_heads);
  const double stated = llmenv_config_or (c, F_head_dim, 0);
  const double dim = stated > 0 ? stated : llmenv_config_need (c, F_hidden) / heads;
  s->recurrent = heads * dim * dim;
}

/* Keys and values of their own expansion; the convolution is optional. */
static void
set_retention (llmenv_config *c, llmenv_shape *s)
{
  const double h = llmenv_config_need (c, F_hidden), heads = llmenv_config_need (c, F_heads);
  const double head = llmenv_config_or (c, F_head_dim, 0);
  const double k = head > 0 ? head * heads : floor (h * llmenv_config_real (c, F_expand_k, 1));
  const double v = head > 0 ? floor (head * llmenv_config_real (c, F_expand_v, 1)) * heads
                            : floor (h * llmenv_config_real (c, F_expand_v, 1));
  s->recurrent = k * v / heads;
  if (s->recurrent != floor (s->recurrent))
    llmenv_config_fail (c, "expand_k and expand_v leave no whole width for each of %.0f heads", heads);
  if (llmenv_config_flag (c, F_short_conv, 0))
    s->conv = (2 * k + v) * (llmenv_config_or (c, F_short_kernel, 4) - 1);
}

/* Three running values and two shifted inputs per channel. */
static void
set_rwkv4 (llmenv_config *c, llmenv_shape *s)
{
  s->recurrent = 5 * llmenv_config_need (c, F_hidden);
}

/* A square matrix per head, and two shifted inputs per channel. */
static void
set_rwkv (llmenv_config *c, llmenv_shape *s)
{
  const double h = llmenv_config_need (c, F_hidden);
  s->recurrent = llmenv_config_or (c, F_rwkv_inner, h) * llmenv_config_need (c, F_rwkv_head) + 2 * h;
}

static void
set_conv (llmenv_config *c, llmenv_shape *s)
{
  const double stated = llmenv_config_or (c, F_conv_dim, 0);
  const double width = stated > 0 ? stated : llmenv_config_need (c, F_hidden);
  s->conv = width * (llmenv_config_need (c, F_conv_kernel) - 1);
}

static void
set_lru (llmenv_config *c, llmenv_shape *s)
{
  const double stated = llmenv_config_or (c, F_lru_width, 0);
  s->recurrent = stated > 0 ? stated : llmenv_config_need (c, F_hidden);
  s->conv = s->recurrent * (llmenv_config_need (c, F_lru_kernel) - 1);
}

/* A matrix, a normaliser and a running maximum for each head. */
static void
set_mlstm (llmenv_config *c, llmenv_shape *s)
{
  const double h = llmenv_config_need (c, F_hidden), heads = llmenv_config_need (c, F_heads);
  const double k = floor (h * llmenv_config_real (c, F_mlstm_qk, NAN) / heads);
  const double v = floor (h * llmenv_config_real (c, F_mlstm_v, NAN) / heads);
  s->recurrent = heads * (k * v + k + 1);
}

/* What each kind keeps, and in which type when no field names one. */
static const struct
{
  void (*set) (llmenv_config *c, llmenv_shape *s);
  const char *type;
} kinds[] = {
  [STATE_MAMBA1] = { set_mamba1, "bf16" },
  [STATE_MAMBA2] = { set_mamba2, "bf16" },
  [STATE_DELTA] = { set_delta, "bf16" },
  [STATE_KDA] = { set_kda, "fp32" },
  [STATE_LIGHTNING] = { set_lightning, "fp32" },
  [STATE_RETENTION] = { set_retention, "fp32" },
  [STATE_RWKV4] = { set_rwkv4, "fp32" },
  [STATE_RWKV] = { set_rwkv, "fp32" },
  [STATE_CONV] = { set_conv, "bf16" },
  [STATE_LRU] = { set_lru, "fp32" },
  [STATE_MLSTM] = { set_mlstm, "fp32" },
};

const char *
llmenv_config_state_type (const llmenv_config *c, const llmenv_shape *shape)
{
  return c->state_type != NULL ? c->state_type : kinds[shape->state].type;
}

llmenv_status
llmenv_config_state (llmenv_config *c)
{
  llmenv_shape last = { .state = STATE_NONE };
  for (size_t i = 0; i < c->n && c->status == LLMENV_OK; i++)
    {
      llmenv_shape *s = &c->layers[i].shape;
      if (s->state == STATE_SSM)
        s->state = generation (c);
      if (s->state == STATE_LINEAR)
        s->state = linear_kind (c);
      if (s->state == STATE_NONE)
        continue;
      if (s->state != last.state)
        kinds[s->state].set (c, s);
      else
        {
          s->recurrent = last.recurrent;
          s->conv = last.conv;
        }
      last = *s;
      const double elements = s->recurrent + s->conv;
      /* A kernel of 0 would leave -1 columns, which a large state hides in a sum. */
      if (!(s->recurrent >= 0 && s->conv >= 0 && elements <= LLMENV_EXACT && elements == floor (elements)))
        llmenv_config_fail (c, "layer %zu: its state is no whole number of elements below 2^53:"
                            " a width is missing, or no multiple of its heads", i);
    }
  return c->status;
}
