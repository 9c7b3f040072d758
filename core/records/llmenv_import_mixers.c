/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of recurrent mixers, kind by kind. */
#include "llmenv_import_config.h"

/* Input projection to channel and gate, the state's inputs and step, decay
 * and skip, output projection. */
static void
mamba1 (llmenv_config *c, llmenv_layer *l)
{
  const double h = c->hidden, inner = llmenv_config_ssm_inner (c, STATE_MAMBA1);
  const double dim = llmenv_config_need (c, F_ssm_state), rank = llmenv_config_ssm_rank (c);
  const double kernel = llmenv_config_need (c, F_ssm_kernel);
  l->params[PART_RECURRENT] += 2 * h * inner + inner * (rank + 2 * dim) + rank * inner + inner * h;
  l->params[PART_SMALL] += inner * (kernel + llmenv_config_flag (c, F_ssm_conv_bias, 1))
                           + inner               /* bias of the step */
                           + inner * dim + inner /* decay and skip */
                           + llmenv_config_flag (c, F_ssm_bias, 0) * (2 * inner + h)
                           + llmenv_config_flag (c, F_inner_norms, 0) * (rank + 2 * dim);
}

static void
mamba2 (llmenv_config *c, llmenv_layer *l)
{
  const double h = c->hidden, inner = llmenv_config_ssm_inner (c, STATE_MAMBA2);
  const double dim = llmenv_config_need (c, F_ssm_state), kernel = llmenv_config_need (c, F_ssm_kernel);
  const double stated = llmenv_config_or (c, F_ssm_heads, 0);
  const double heads = stated > 0 ? stated : inner / llmenv_config_need (c, F_ssm_head_dim);
  const double channels = inner + 2 * llmenv_config_or (c, F_ssm_groups, 1) * dim;
  const double projected = inner + channels + heads;
  l->params[PART_RECURRENT] += h * projected + inner * h;
  l->params[PART_SMALL] += channels * (kernel + llmenv_config_flag (c, F_ssm_conv_bias, 1))
                           + 3 * heads           /* bias of the step, decay, skip */
                           + llmenv_config_flag (c, F_ssm_norm, 1) * inner
                           + llmenv_config_flag (c, F_ssm_bias, 0) * (projected + h);
}

/* Queries, keys, values and the output gate; write strength and decay. */
static void
delta (llmenv_config *c, llmenv_layer *l)
{
  const double h = c->hidden, heads = llmenv_config_need (c, F_delta_v_heads);
  const double dim = llmenv_config_need (c, F_delta_v_dim), values = heads * dim;
  const double channels = 2 * llmenv_config_need (c, F_delta_k_heads)
                          * llmenv_config_need (c, F_delta_k_dim) + values;
  l->params[PART_RECURRENT] += h * (channels + values) + 2 * h * heads + values * h;
  l->params[PART_SMALL] += channels * llmenv_config_need (c, F_delta_kernel) + 2 * heads + dim;
}

/* Decay per channel through a bottleneck of one head's width; so the output
 * gate, unless it has full rank. */
static void
kda (llmenv_config *c, llmenv_layer *l)
{
  const double h = c->hidden, heads = llmenv_config_need (c, F_kda_heads);
  const double dim = llmenv_config_need (c, F_kda_dim), width = heads * dim;
  const double bottleneck = h * dim + dim * width;
  const double gate = llmenv_config_flag (c, F_kda_full_gate, 0) ? h * width : bottleneck;
  l->params[PART_RECURRENT] += 3 * h * width + bottleneck + gate + h * heads + width * h;
  l->params[PART_SMALL] += 3 * width * llmenv_config_need (c, F_kda_kernel) + heads + width + dim;
}

/* Query, key, value, gate and output; the norm of the output. */
static void
lightning (llmenv_config *c, llmenv_layer *l)
{
  const double heads = llmenv_config_need (c, F_heads), stated = llmenv_config_or (c, F_head_dim, 0);
  const double width = stated > 0 ? heads * stated : c->hidden;
  l->params[PART_RECURRENT] += 5 * c->hidden * width;
  l->params[PART_SMALL] += width;
}

/* Time mix and channel mix; decay, bonus and the mixing weights. */
static void
rwkv4 (llmenv_config *c, llmenv_layer *l)
{
  const double h = c->hidden, inner = llmenv_config_or (c, F_rwkv_inner, h);
  const double size = llmenv_config_or (c, F_rwkv_size, 4 * h);
  l->params[PART_RECURRENT] += 4 * h * inner + 2 * h * size + h * h;
  l->params[PART_SMALL] += 2 * inner + 5 * h;
}

/* Two gates and the input in one projection, a kernel a channel, the output. */
static void
short_conv (llmenv_config *c, llmenv_layer *l)
{
  const double h = c->hidden, stated = llmenv_config_or (c, F_conv_dim, 0);
  const double width = stated > 0 ? stated : h;
  l->params[PART_RECURRENT] += 3 * h * width + width * h;
  l->params[PART_SMALL] += width * llmenv_config_need (c, F_conv_kernel)
                           + llmenv_config_flag (c, F_conv_bias, 0) * (4 * width + h);
}

static void (*const kinds[STATE_MLSTM + 1]) (llmenv_config *, llmenv_layer *) = {
  [STATE_MAMBA1] = mamba1, [STATE_MAMBA2] = mamba2, [STATE_DELTA] = delta,
  [STATE_KDA] = kda, [STATE_LIGHTNING] = lightning, [STATE_RWKV4] = rwkv4,
  [STATE_CONV] = short_conv,
};

int
llmenv_config_state_is_weighed (llmenv_state_kind kind)
{
  return kinds[kind] != NULL;
}

void
llmenv_config_state_weights (llmenv_config *c, llmenv_layer *layer)
{
  kinds[layer->shape.state] (c, layer);
}
