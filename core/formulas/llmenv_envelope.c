/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_envelope.h"

#include <math.h>
#include <string.h>

#include "llmenv_engine.h"

llmenv_settings
llmenv_settings_default (llmenv_convention convention)
{
  return (llmenv_settings) {
    .convention = convention,
    .weight_bytes_each = NAN, .weight_bytes = NAN,
    .k_bytes = 2, .v_bytes = 2, .state_bytes_each = NAN,
    .reserve = 1.5e9, .utilization = 1,
    .bandwidth_efficiency = 1, .compute_efficiency = 1,
    .overhead = 0, .count = 1, .memory = NAN,
    .engine = llmenv_engine_settings_default (LLMENV_ENGINE_IDEAL),
  };
}

static int
settings_are_valid (const llmenv_settings *s)
{
  return s->k_bytes > 0 && isfinite (s->k_bytes)
         && s->v_bytes > 0 && isfinite (s->v_bytes)
         && !(s->weight_bytes_each <= 0) && !isinf (s->weight_bytes_each)
         && !(s->weight_bytes <= 0) && !isinf (s->weight_bytes)
         && !(s->state_bytes_each <= 0) && !isinf (s->state_bytes_each)
         && s->reserve >= 0 && isfinite (s->reserve)
         && s->utilization > 0 && s->utilization <= 1
         && s->bandwidth_efficiency > 0 && s->bandwidth_efficiency <= 1
         && s->compute_efficiency > 0 && s->compute_efficiency <= 1
         && s->overhead >= 0 && isfinite (s->overhead)
         && s->count >= 1 && isfinite (s->count)
         && !(s->memory <= 0) && !isinf (s->memory);
}

/* ---- sums over layers -------------------------------------------------- */

/* One term of a sum: slope[] per token up to END tokens, then the value that
 * END gives (or, for what is read in chunks, the value at AFTER tokens). */
static llmenv_status
add_term (llmenv_envelope *e, const double slope[3], double end,
          double read_after)
{
  int at = e->n_pieces;
  if (isfinite (end))
    {
      /* Split the piece that END falls into, unless a bend is there already. */
      at = 1;
      while (at < e->n_pieces && e->piece[at].end < end)
        at++;
      if (at == e->n_pieces || e->piece[at].end > end)
        {
          if (e->n_pieces > LLMENV_MAX_BENDS)
            return LLMENV_ETOOLARGE;
          memmove (&e->piece[at + 1], &e->piece[at],
                   (size_t) (e->n_pieces - at) * sizeof *e->piece);
          e->piece[at] = e->piece[at - 1];
          e->piece[at].end = end;
          e->n_pieces++;
        }
    }
  for (int p = 0; p < e->n_pieces; p++)
    for (int s = 0; s < 3; s++)
      if (p < at)
        e->piece[p].slope[s] += slope[s];
      else
        e->piece[p].constant[s] += slope[s] * (s == LLMENV_HELD ? end : read_after);
  return LLMENV_OK;
}

static void
add_constant (llmenv_envelope *e, const double value[3])
{
  for (int p = 0; p < e->n_pieces; p++)
    for (int s = 0; s < 3; s++)
      e->piece[p].constant[s] += value[s];
}

/* Terms of COUNT layers that cache K and V per head (full, window, chunk).
 *   H = L n_kv (d_k b_k + d_v b_v),  Q = H,  A = 2 L n_q (d_k + d_v)
 * with min (L, w) for L in windows and chunks; beyond its end a chunk is read
 * at its mean length (w + 1)/2 when the settings ask for it. */
static llmenv_status
add_heads (llmenv_envelope *e, const llmenv_layer_group *g,
           llmenv_layer_kind kind, const llmenv_settings *s, double held)
{
  const double bytes = g->count * g->kv_heads
                       * (g->k_dim * s->k_bytes + g->v_dim * s->v_bytes);
  const double flops = g->count * 2 * g->q_heads * (g->k_dim + g->v_dim);
  const double slope[3] = { held * bytes, bytes, flops };
  const double end = kind == LLMENV_FULL ? INFINITY : g->window;
  const int mean = kind == LLMENV_CHUNK && s->chunk == LLMENV_CHUNK_MEAN;
  return add_term (e, slope, end, mean ? (end + 1) / 2 : end);
}

/* Latent attention, absorbed: one vector of r + d_rope elements per token.
 *   H = L (r + d_rope) b_k,  Q = H,  A = 2 L n_q (2 r + d_rope)
 * Sparse: an indexer of d_i elements is held and read for every token, the
 * latent read only for the top t:
 *   H = L ((r + d_rope) b_k + d_i b_i)
 *   Q = min (L, t) (r + d_rope) b_k + L d_i b_i
 *   A = 2 min (L, t) n_q (2 r + d_rope) + 2 L n_i d_i                        */
static llmenv_status
add_latent (llmenv_envelope *e, const llmenv_layer_group *g,
            llmenv_layer_kind kind, const llmenv_settings *s, double held)
{
  const double bytes = g->count * (g->rank + g->rope_dim) * s->k_bytes;
  const double flops = g->count * 2 * g->q_heads * (2 * g->rank + g->rope_dim);
  if (kind == LLMENV_LATENT)
    return add_term (e, (double[3]) { held * bytes, bytes, flops },
                     INFINITY, INFINITY);
  const double index_bytes = g->count * g->index_dim * s->k_bytes;
  const double index_flops = g->count * 2 * g->index_heads * g->index_dim;
  llmenv_status st
    = add_term (e, (double[3]) { held * (bytes + index_bytes), index_bytes,
                                 index_flops }, INFINITY, INFINITY);
  return st != LLMENV_OK ? st
         : add_term (e, (double[3]) { 0, bytes, flops }, g->top, g->top);
}

/* H = Q = length n_kv (d_k b_k + d_v b_v) and A likewise: fixed at the
 * encoder's length. */
static void
add_cross (llmenv_envelope *e, const llmenv_layer_group *g,
           const llmenv_settings *s)
{
  const double bytes = g->count * g->length * g->kv_heads
                       * (g->k_dim * s->k_bytes + g->v_dim * s->v_bytes);
  const double flops = g->count * 2 * g->length * g->q_heads * (g->k_dim + g->v_dim);
  add_constant (e, (double[3]) { bytes, bytes, flops });
}

/* H = s, Q = 2 s (read and written): once in memory, twice in traffic. */
static void
add_state (llmenv_envelope *e, const llmenv_layer_group *g,
           const llmenv_settings *s)
{
  const int given = !isnan (s->state_bytes_each);
  const double matrices = given ? s->state_bytes_each : g->state_bytes_each;
  const double columns = given ? s->state_bytes_each : g->conv_bytes_each;
  double bytes = 0;            /* an absent part has no type */
  if (g->state_elements != 0)
    bytes += g->state_elements * matrices;
  if (g->conv_elements != 0)
    bytes += g->conv_elements * columns;
  bytes *= g->count;
  add_constant (e, (double[3]) { bytes, 2 * bytes, 0 });
}

static llmenv_status
add_group (llmenv_envelope *e, const llmenv_layer_group *g,
           const llmenv_settings *s)
{
  add_state (e, g, s);
  const int shared = g->kind == LLMENV_SHARED;
  const llmenv_layer_kind kind = shared ? g->reads : g->kind;
  const double held = shared ? 0 : 1;
  switch (kind)
    {
    case LLMENV_FULL: case LLMENV_WINDOW: case LLMENV_CHUNK:
      return add_heads (e, g, kind, s, held);
    case LLMENV_LATENT: case LLMENV_SPARSE_LATENT:
      return add_latent (e, g, kind, s, held);
    case LLMENV_CROSS:
      add_cross (e, g, s);
      return LLMENV_OK;
    default:                   /* recurrent, encoder, none: no cache */
      return LLMENV_OK;
    }
}

/* One k and one g:  K = T = k (b/2) L,  A = g k L  (the arithmetic of attention
 * does not shrink with its bytes, hence k -> k b/2 and g -> 2 g/b). */
static void
add_scalars (llmenv_envelope *e, const llmenv_scalars *m,
             const llmenv_settings *s)
{
  const double b = (s->k_bytes + s->v_bytes) / 2;
  const double k = m->kv_bytes * b / 2;
  /* With k = 0 the ratio g does not matter, even unrecorded. */
  const double flops = k == 0 ? 0 : m->gqa_ratio * m->kv_bytes;
  for (int sum = 0; sum < 3; sum++)
    e->piece[0].slope[sum] = sum == LLMENV_FLOPS ? flops : k;
}

static llmenv_status
make_sums (llmenv_envelope *e, const llmenv_model *m, const llmenv_settings *s)
{
  e->n_pieces = 1;
  memset (e->piece, 0, sizeof e->piece[0]);
  e->kv_reason = m->kv_reason;
  if (m->kv_reason != LLMENV_HAS_VALUE)
    {
      for (int sum = 0; sum < 3; sum++)
        e->piece[0].constant[sum] = NAN;
      return LLMENV_OK;
    }
  if (s->convention == LLMENV_PUBLISHED || m->n_layers == 0)
    {
      add_scalars (e, s->convention == LLMENV_PUBLISHED ? &m->published
                                                        : &m->scalars, s);
      return LLMENV_OK;
    }
  for (size_t i = 0; i < m->n_layers; i++)
    {
      llmenv_status st = add_group (e, &m->layers[i], s);
      if (st != LLMENV_OK)
        return st;
    }
  return LLMENV_OK;
}

/* ---- weights ----------------------------------------------------------- */

/* Parameters and bytes by what a step does with them. */
typedef struct
{
  double always, always_bytes, routed, routed_bytes, held_bytes, held;
} weight_sums;

static weight_sums
sum_parts (const llmenv_model *m, const llmenv_settings *s, double each)
{
  weight_sums w = { 0, 0, 0, 0, 0, 0 };
  for (size_t i = 0; i < m->n_parts; i++)
    {
      const llmenv_weight_part *p = &m->parts[i];
      const double bytes = p->params * (isnan (each) ? p->bytes_each : each);
      w.held += p->params;
      w.held_bytes += bytes;
      const int lookup = p->role == LLMENV_ROLE_EMBEDDING
                         || p->role == LLMENV_ROLE_TABLE;
      if (p->role == LLMENV_ROLE_SHARED || p->role == LLMENV_ROLE_HEAD
          || (lookup && s->embedding == LLMENV_STREAMED))
        {
          w.always += p->params;
          w.always_bytes += bytes;
        }
      else if (p->role == LLMENV_ROLE_ROUTED)
        {
          w.routed += p->params;
          w.routed_bytes += bytes;
        }
    }
  return w;
}

/* From the scalars: X = (P_tot - P)/(1 - e/E), S = P_tot - X.  Without experts
 * X = 0 and S = P: what P leaves out is looked up, not streamed.  A record
 * whose E or e is silent has no S and X, so its touched weights are NaN. */
static weight_sums
sum_scalars (const llmenv_scalars *m, double experts, double share, double each)
{
  const double routed = experts == 0 || m->active_params == m->params
                        ? 0 : (m->params - m->active_params) / (1 - share);
  const double always = experts == 0 ? m->active_params : m->params - routed;
  return (weight_sums) { always, always * each, routed, routed * each,
                         m->params * each, m->params };
}

/* Bytes per weight that SETTINGS impose on all parts, or NaN. */
static double
imposed_bytes (const llmenv_settings *s, double params)
{
  return isnan (s->weight_bytes) ? s->weight_bytes_each : s->weight_bytes / params;
}

static void
make_weights (llmenv_envelope *e, const llmenv_model *m,
              const llmenv_settings *s)
{
  const int published = s->convention == LLMENV_PUBLISHED;
  const llmenv_scalars *scalars = published ? &m->published : &m->scalars;
  e->share = m->experts > 0 ? m->top / m->experts : m->experts == 0 ? 1 : NAN;
  e->wall_flops = e->wall_weights = NAN;

  if (!published && m->n_parts > 0)
    {
      double total = 0;
      for (size_t i = 0; i < m->n_parts; i++)
        total += m->parts[i].params;
      const weight_sums w = sum_parts (m, s, imposed_bytes (s, total));
      if (w.routed == 0)
        e->share = 1;
      e->always = w.always_bytes;
      e->routed = w.routed_bytes;
      e->held = w.held_bytes;
      e->flops = 2 * (w.always + (w.routed == 0 ? 0 : w.routed * e->share));
      e->weight_bytes_each = w.held_bytes / w.held;
      return;
    }

  double each = imposed_bytes (s, scalars->params);
  if (isnan (each))
    each = published ? 2 : m->format_bytes;
  const weight_sums w = sum_scalars (scalars, m->experts, e->share, each);
  e->held = w.held_bytes;
  e->flops = 2 * scalars->active_params;
  e->weight_bytes_each = each;
  if (e->basis == LLMENV_TOUCHED)
    {
      e->always = w.always_bytes;
      e->routed = w.routed_bytes;
    }
  else
    {
      /* These two need no split, so a silent e/E does not matter. */
      e->always = each * (e->basis == LLMENV_RESIDENT ? scalars->params
                                                      : scalars->active_params);
      e->routed = 0;
    }
  if (scalars->active_params == scalars->params)
    e->share = 1;
  if (published && isnan (scalars->active_params))
    {
      e->wall_flops = 2 * scalars->params;
      e->wall_weights = each * scalars->params;
    }
}

/* ---- card -------------------------------------------------------------- */

static void
make_card (llmenv_envelope *e, const llmenv_card *card,
           const llmenv_settings *s)
{
  const llmenv_card none = { NAN, NAN, NAN };
  if (card == NULL)
    card = &none;
  const double memory = isnan (s->memory) ? card->memory : s->memory;
  e->peak = card->peak * s->compute_efficiency * s->count;
  e->bandwidth = card->bandwidth * s->bandwidth_efficiency * s->count;
  e->memory = memory * s->count;
  e->ridge = e->peak / e->bandwidth;
  e->reserve = s->reserve;
  e->utilization = s->utilization;
  e->overhead = s->overhead;
}

llmenv_status
llmenv_envelope_make (const llmenv_model *model, const llmenv_card *card,
                      const llmenv_settings *settings,
                      llmenv_envelope *envelope)
{
  if (!settings_are_valid (settings))
    return LLMENV_EBADVALUE;
  llmenv_envelope e;
  memset (&e, 0, sizeof e);
  e.convention = settings->convention;
  e.basis = settings->basis != LLMENV_BASIS_DEFAULT ? settings->basis
            : e.convention == LLMENV_PUBLISHED ? LLMENV_ACTIVE : LLMENV_TOUCHED;
  llmenv_status st = make_sums (&e, model, settings);
  if (st != LLMENV_OK)
    return st;
  make_weights (&e, model, settings);
  if (isnan (e.wall_flops))
    {
      e.wall_flops = e.flops;  /* and wall_weights stays NaN: the ordinary */
    }
  make_card (&e, card, settings);
  if (settings->engine.engine != LLMENV_ENGINE_IDEAL)
    {
      llmenv_engine_bytes bytes;
      st = llmenv_engine_kv_bytes (model, settings, &settings->engine, 1, &bytes);
      if (st != LLMENV_OK)
        return st;
      e.engine_model = model;
      e.engine_settings = *settings;
    }
  *envelope = e;
  return LLMENV_OK;
}

const char *
llmenv_envelope_why (llmenv_status status, const llmenv_settings *settings)
{
  if (status != LLMENV_EBADVALUE)
    return llmenv_status_text (status);
  return settings_are_valid (settings)
         ? "the engine cannot hold it so: of its KV heads and Ranks neither divides the other, or LatentCache expanded without nope_dim and v_dim in its layers"
         : "a setting is outside its domain";
}

/* ---- evaluation -------------------------------------------------------- */

double
llmenv_envelope_sum (const llmenv_envelope *e, llmenv_sum sum, double L)
{
  const llmenv_piece *p = e->piece;
  for (int i = 1; i < e->n_pieces && L > e->piece[i].end; i++)
    p = &e->piece[i];
  /* A flat piece stays flat at L = Inf, where 0 * Inf would be NaN. */
  return p->slope[sum] == 0 && !isnan (L) ? p->constant[sum]
                                          : p->constant[sum] + p->slope[sum] * L;
}

double
llmenv_envelope_weights (const llmenv_envelope *e, double B)
{
  if (isnan (B))
    return NAN;
  if (e->routed == 0)
    return e->always;
  switch (e->basis)
    {
    case LLMENV_ACTIVE:
      return e->always + e->routed * e->share;
    case LLMENV_RESIDENT:
      return e->always + e->routed;
    default:
      /* 1 - (1 - share)^B without cancellation at small share or B. */
      return B == 0 ? e->always : e->share == 1 ? e->always + e->routed
             : e->always - e->routed * expm1 (B * log1p (-e->share));
    }
}

double
llmenv_envelope_weights_limit (const llmenv_envelope *e)
{
  return llmenv_envelope_weights (e, e->basis == LLMENV_TOUCHED ? INFINITY : 1);
}
