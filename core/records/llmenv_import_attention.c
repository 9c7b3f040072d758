/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an attention layer caches: heads and widths of keys and values, the
 * latent of MLA, windows and chunks, layers that read an earlier cache. */
#include "llmenv_import_config.h"

#include <math.h>
#include <stdio.h>

/* First of two values that is there and not 0. */
static double
either (double a, double b)
{
  return isnan (a) || a == 0 ? b : a;
}

/* Heads of keys and values where one field does not say: multi-query models
 * have one whatever the number beside it, and without any field there is one
 * for each query head. */
static double
kv_heads_of (llmenv_config *c, size_t i, double q_heads)
{
  const int multi = llmenv_config_flag (c, F_multi_query, 0);
  const double stated = llmenv_config_at (c, F_kv_heads, i);
  if (stated == 0)
    llmenv_config_refuse (c, F_kv_heads, "at least one head in a layer with attention",
                          llmenv_config_find (c, F_kv_heads));
  if (llmenv_config_has (c, F_new_decoder))
    {
      if (llmenv_config_flag (c, F_new_decoder, 0))
        return either (stated, q_heads);
      return multi ? 1 : q_heads;
    }
  if (llmenv_config_has (c, F_multi_query))
    return multi ? either (stated, 1) : q_heads;
  return either (stated, q_heads);
}

/* Channels of a head: the field, else what the model's width leaves to each. */
static double
head_dim_of (llmenv_config *c, double heads)
{
  double dim = llmenv_config_number (c, F_head_dim);
  if (!isnan (dim) && dim > 0)
    return dim;
  const double rope = llmenv_config_or (c, F_rope_dim, 0);
  const double nope = llmenv_config_or (c, F_nope_dim, 0);
  if (nope > 0)
    return nope + rope;
  dim = llmenv_config_need (c, F_hidden) / heads;
  if (c->status == LLMENV_OK && dim != floor (dim))
    llmenv_config_fail (c, "head_dim is missing, and hidden_size %.0f is no multiple of"
                        " %.0f heads", llmenv_config_need (c, F_hidden), heads);
  return dim;
}

static void
set_window (llmenv_config *c, llmenv_shape *s)
{
  const llmenv_field f = s->kind == LLMENV_CHUNK ? F_chunk : F_window;
  if (s->kind == LLMENV_WINDOW && !llmenv_config_flag (c, F_use_window, 1))
    {
      s->kind = LLMENV_FULL;   /* switched off, whatever the list says */
      return;
    }
  if (s->window == 0)
    s->window = llmenv_config_need (c, f);
}

/* k_dim and v_dim are those of expanded heads, without rotation. */
static void
set_latent (llmenv_config *c, llmenv_shape *s)
{
  s->kind = LLMENV_LATENT;
  s->q_heads = s->kv_heads = llmenv_config_need (c, F_heads);
  s->k_dim = llmenv_config_or (c, F_nope_dim, 0);
  s->v_dim = llmenv_config_or (c, F_v_dim, 0);
  s->rank = llmenv_config_need (c, F_kv_rank);
  s->rope_dim = llmenv_config_or (c, F_rope_dim, 0);
  if (llmenv_config_or (c, F_index_top, 0) == 0)
    return;
  s->kind = LLMENV_SPARSE_LATENT;
  s->top = llmenv_config_need (c, F_index_top);
  s->index_heads = llmenv_config_need (c, F_index_heads);
  s->index_dim = llmenv_config_need (c, F_index_dim);
}

static void
set_heads (llmenv_config *c, size_t i, llmenv_shape *s)
{
  const int slides = s->kind == LLMENV_WINDOW;
  const double block_heads = s->kv_heads;
  double own_dim = NAN, own_v = NAN, own_kv = NAN;
  s->q_heads = llmenv_config_at (c, F_heads, i);
  if (isnan (s->q_heads) || s->q_heads == 0)
    s->q_heads = llmenv_config_need (c, F_heads);
  const double common_dim = head_dim_of (c, s->q_heads);
  s->kv_heads = kv_heads_of (c, i, s->q_heads);
  if (slides)
    {
      s->q_heads = either (llmenv_config_number (c, F_window_heads), s->q_heads);
      own_kv = llmenv_config_number (c, F_window_kv_heads);
      own_dim = llmenv_config_number (c, F_window_head_dim);
      own_v = llmenv_config_number (c, F_window_v_dim);
    }
  else if (s->kind == LLMENV_FULL)
    {
      own_kv = llmenv_config_number (c, F_full_kv_heads);
      own_dim = llmenv_config_number (c, F_full_head_dim);
    }
  s->kv_heads = either (block_heads, either (own_kv, s->kv_heads));
  s->k_dim = either (own_dim, common_dim);
  s->v_dim = either (own_v, s->k_dim == common_dim
                            ? either (llmenv_config_number (c, F_v_dim), s->k_dim) : s->k_dim);
}

static void
share (llmenv_shape *s)
{
  if (s->kind == LLMENV_FULL || s->kind == LLMENV_WINDOW || s->kind == LLMENV_CHUNK
      || s->kind == LLMENV_LATENT || s->kind == LLMENV_SPARSE_LATENT)
    {
      s->reads = s->kind;
      s->kind = LLMENV_SHARED;
    }
}

/* Groups of layers of which the first fills the cache. */
static void
share_in_groups (llmenv_config *c)
{
  const json_t *groups = llmenv_config_find (c, F_share_groups), *group, *item;
  for (size_t g = 0; (group = json_array_get (groups, g)) != NULL; g++)
    for (size_t k = 0; (item = json_array_get (group, k)) != NULL; k++)
      {
        const double i = json_is_number (item) ? json_number_value (item) : -1;
        if (!(i >= 0 && i < (double) c->n))
          llmenv_config_refuse (c, F_share_groups, "groups of layer indices", item);
        else if (k > 0)
          share (&c->layers[(size_t) i].shape);
      }
}

/* The last layers may read the cache of an earlier layer of their kind; or
 * every so many layers share one. */
static void
share_caches (llmenv_config *c)
{
  const double last = llmenv_config_or (c, F_cache_sharers, 0);
  const double factor = llmenv_config_flag (c, F_share_caches, 0)
                        ? llmenv_config_need (c, F_share_factor) : 1;
  if (last >= (double) c->n)
    llmenv_config_refuse (c, F_cache_sharers, "fewer than all layers",
                          llmenv_config_find (c, F_cache_sharers));
  for (size_t i = 0; i < c->n && c->status == LLMENV_OK; i++)
    if ((double) i >= (double) c->n - last || fmod ((double) i, factor) != 0)
      share (&c->layers[i].shape);
  share_in_groups (c);
}

/* Image tokens that cross attention inside a decoder reads: patches and one
 * class token, of every tile that one image may take. */
static double
image_tokens (llmenv_config *c)
{
  const json_t *vision = json_object_get (c->object, "vision_config");
  const double image = json_number_value (json_object_get (vision, "image_size"));
  const double patch = json_number_value (json_object_get (vision, "patch_size"));
  const double tiles = json_number_value (json_object_get (vision, "max_num_tiles"));
  const double side = floor (image / patch);
  if (side >= 1 && side <= 1e4 && tiles >= 1 && tiles <= 1e4)
    {
      llmenv_import_note (c->notes, "cross attention reads one image of %.0f tiles", tiles);
      return floor (tiles) * (side * side + 1);
    }
  llmenv_config_fail (c, "vision_config.image_size, patch_size or max_num_tiles is missing:"
                      " what cross-attention layers read is not known");
  return NAN;
}

llmenv_status
llmenv_config_attention (llmenv_config *c)
{
  const int latent = llmenv_config_or (c, F_kv_rank, 0) > 0 && llmenv_config_flag (c, F_use_latent, 1);
  for (size_t i = 0; i < c->n && c->status == LLMENV_OK; i++)
    {
      llmenv_shape *s = &c->layers[i].shape;
      if (s->kind == LLMENV_RECURRENT || s->kind == LLMENV_NO_CACHE)
        continue;
      if (s->kind == LLMENV_CROSS)
        s->length = image_tokens (c);
      if (s->kind == LLMENV_WINDOW || s->kind == LLMENV_CHUNK)
        set_window (c, s);
      if (latent && s->kind == LLMENV_FULL)
        set_latent (c, s);
      else
        set_heads (c, i, s);
    }
  share_caches (c);
  return c->status;
}
