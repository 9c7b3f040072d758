/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_engine.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Values in a block of every quantised cache type of llama.cpp. */
#define BLOCK_VALUES 32.0

/* Bytes an element of llama.cpp's recurrent memory: fp32. */
#define STATE_BYTES_EACH 4.0

/* Beyond this, doubles skip whole numbers. */
#define LARGEST_WHOLE 0x1p53

/* ---- words ------------------------------------------------------------- */

static const char *const engine_words[] = {
#define X(symbol, word) word,
  LLMENV_ENGINES (X)
#undef X
};

static const char *const latent_cache_words[] = {
#define X(symbol, word) word,
  LLMENV_LATENT_CACHES (X)
#undef X
};

static int
find_word (const char *const words[], int n, const char *word)
{
  for (int i = 0; i < n; i++)
    if (strcasecmp (words[i], word) == 0)
      return i;
  return -1;
}

const char *
llmenv_engine_word (llmenv_engine engine)
{
  return (unsigned) engine < LLMENV_ENGINE_COUNT ? engine_words[engine] : "";
}

const char *
llmenv_latent_cache_word (llmenv_latent_cache cache)
{
  return (unsigned) cache < LLMENV_LATENT_CACHE_COUNT
         ? latent_cache_words[cache] : "";
}

int
llmenv_engine_find (const char *word)
{
  return find_word (engine_words, LLMENV_ENGINE_COUNT, word);
}

int
llmenv_latent_cache_find (const char *word)
{
  return find_word (latent_cache_words, LLMENV_LATENT_CACHE_COUNT, word);
}

/* ---- settings ---------------------------------------------------------- */

llmenv_engine_settings
llmenv_engine_settings_default (llmenv_engine engine)
{
  return (llmenv_engine_settings) {
    .engine = engine, .slots = 1, .micro_batch = NAN, .unified = 0,
    .ranks = 1, .padding = NAN, .snapshots = 0,
    .latent_cache = LLMENV_LATENT_ONLY,
  };
}

static int
is_whole (double x, double least)
{
  return x >= least && x <= LARGEST_WHOLE && x == floor (x);
}

static int
are_valid (const llmenv_settings *s, const llmenv_engine_settings *e)
{
  return s->k_bytes > 0 && isfinite (s->k_bytes)
         && s->v_bytes > 0 && isfinite (s->v_bytes)
         && !(s->state_bytes_each <= 0) && !isinf (s->state_bytes_each)
         && (unsigned) e->engine < LLMENV_ENGINE_COUNT
         && is_whole (e->slots, 1)
         && !(e->micro_batch <= 0)
         && (e->unified == 0 || e->unified == 1)
         && is_whole (e->ranks, 1)
         && (isnan (e->padding) || is_whole (e->padding, 0))
         && is_whole (e->snapshots, 0)
         && (unsigned) e->latent_cache < LLMENV_LATENT_CACHE_COUNT;
}

/* Does every rank hold a part of each layer? */
static int
splits_layers (const llmenv_engine_settings *e)
{
  return e->engine == LLMENV_ENGINE_VLLM || e->engine == LLMENV_ENGINE_SGLANG;
}

/* The settings with the engine's own defaults filled in, and those it does
 * not know taken out. */
static llmenv_engine_settings
complete (const llmenv_engine_settings *given)
{
  static const double micro_batches[] = { 0, 512, 2048, 0 };
  static const double paddings[] = { 1, 256, 16, 1 };
  llmenv_engine_settings e = *given;
  if (isnan (e.micro_batch))
    e.micro_batch = micro_batches[e.engine];
  if (isnan (e.padding))
    e.padding = paddings[e.engine];
  e.padding = fmax (e.padding, 1);
  if (!splits_layers (&e))
    e.ranks = 1;
  if (e.engine != LLMENV_ENGINE_LLAMA_CPP)
    e.unified = 0;
  if (e.engine == LLMENV_ENGINE_IDEAL)
    {
      e.snapshots = 0;
      e.latent_cache = LLMENV_LATENT_ONLY;
    }
  return e;
}

/* ---- one layer --------------------------------------------------------- */

/* Everything that the parts are computed from. */
typedef struct
{
  const llmenv_layer_group *groups;
  size_t n_groups;
  llmenv_layer_group line;     /* the group of a record without layers */
  const llmenv_settings *settings;
  llmenv_engine_settings engine; /* complete */
  double streams, cells, multiple;
  double page;                 /* bytes of every layer's page; 0: not unified */
  int whole_windows;           /* windows keep the whole context */
} allocation;

/* Bytes that a token takes in one layer of a rank. */
typedef struct
{
  double k, v, index;
} token_bytes;

/* Bytes of a recurrent layer of a rank, for one sequence. */
typedef struct
{
  double columns, matrices;
} layer_state;

static double
pad (double n, double multiple)
{
  return ceil (n / multiple) * multiple;
}

/* N values of B bytes: in llama.cpp whole blocks, where B shows that the type
 * has blocks. */
static double
row_bytes (const allocation *a, double n, double b)
{
  const int blocks = b != floor (b)
                     && a->engine.engine == LLMENV_ENGINE_LLAMA_CPP;
  return (blocks ? pad (n, BLOCK_VALUES) : n) * b;
}

/* Heads of a rank: an equal share, or one that several ranks hold alike; -1
 * where no engine could split them. */
static double
heads_of_rank (double heads, double ranks)
{
  if (ranks == 1)
    return heads;
  if (heads >= ranks)
    return fmod (heads, ranks) == 0 ? heads / ranks : -1;
  return fmod (ranks, heads) == 0 ? 1 : -1;
}

/* Kind of cache that layers of G allocate. */
static llmenv_layer_kind
cache_kind (const llmenv_layer_group *g)
{
  switch (g->kind)
    {
    case LLMENV_FULL: case LLMENV_WINDOW: case LLMENV_CHUNK:
    case LLMENV_LATENT: case LLMENV_SPARSE_LATENT: case LLMENV_CROSS:
      return g->kind;
    default:                   /* shared, recurrent, encoder, none */
      return LLMENV_NO_CACHE;
    }
}

/* K and V of heads, a rank's share of n:
 *   k = n d_k b_k,  v = n d_v b_v
 * n = n_kv; of latents cached per head n = n_q. */
static llmenv_status
head_token (const allocation *a, const llmenv_layer_group *g, double n,
            token_bytes *t)
{
  const double heads = heads_of_rank (n, a->engine.ranks);
  if (heads < 0)
    return LLMENV_EBADVALUE;
  t->k = row_bytes (a, heads * g->k_dim, a->settings->k_bytes);
  t->v = row_bytes (a, heads * g->v_dim, a->settings->v_bytes);
  return LLMENV_OK;
}

/* The latent, the same on every rank:
 *   k = (r + d_rope) b_k,  v = r b_v where it has one,  index = d_i b_k  */
static llmenv_status
latent_token (const allocation *a, const llmenv_layer_group *g, token_bytes *t)
{
  const llmenv_settings *s = a->settings;
  const llmenv_latent_cache cache = a->engine.latent_cache;
  if (g->kind == LLMENV_SPARSE_LATENT)
    t->index = row_bytes (a, g->index_dim, s->k_bytes);
  if (cache == LLMENV_LATENT_HEADS)
    return g->k_dim > 0 && g->v_dim > 0 ? head_token (a, g, g->q_heads, t)
                                        : LLMENV_EBADVALUE;
  t->k = row_bytes (a, g->rank + g->rope_dim, s->k_bytes);
  if (cache == LLMENV_LATENT_WITH_V)
    t->v = row_bytes (a, g->rank, s->v_bytes);
  return LLMENV_OK;
}

static llmenv_status
layer_token (const allocation *a, const llmenv_layer_group *g, token_bytes *t)
{
  *t = (token_bytes) { 0, 0, 0 };
  switch (cache_kind (g))
    {
    case LLMENV_NO_CACHE:
      return LLMENV_OK;
    case LLMENV_LATENT: case LLMENV_SPARSE_LATENT:
      return latent_token (a, g, t);
    default:
      return head_token (a, g, g->kv_heads, t);
    }
}

/* Bytes an element of the state: the setting's, else the engine's, else OWN. */
static double
state_type (const allocation *a, double own)
{
  if (!isnan (a->settings->state_bytes_each))
    return a->settings->state_bytes_each;
  return a->engine.engine == LLMENV_ENGINE_LLAMA_CPP ? STATE_BYTES_EACH : own;
}

static layer_state
state_of_layer (const allocation *a, const llmenv_layer_group *g)
{
  layer_state s = { 0, 0 };    /* an absent part has no type */
  if (g->conv_elements != 0)
    s.columns = g->conv_elements * state_type (a, g->conv_bytes_each)
                / a->engine.ranks;
  if (g->state_elements != 0)
    s.matrices = g->state_elements * state_type (a, g->state_bytes_each)
                 / a->engine.ranks;
  return s;
}

/* ---- how many tokens --------------------------------------------------- */

/* vLLM gives every layer pages of one size.  Where a state is there, a block
 * is the least multiple of the padding whose K and V are as large:
 *   block = pad (state / bytes a token),  page = block x bytes a token */
static llmenv_status
unify_pages (allocation *a)
{
  double least = INFINITY, most = 0, state = 0;
  for (size_t i = 0; i < a->n_groups; i++)
    {
      const llmenv_layer_group *g = &a->groups[i];
      const layer_state s = state_of_layer (a, g);
      token_bytes t;
      llmenv_status st = layer_token (a, g, &t);
      if (st != LLMENV_OK)
        return st;
      state = fmax (state, s.columns + s.matrices);
      if (cache_kind (g) == LLMENV_NO_CACHE || g->kind == LLMENV_CROSS)
        continue;
      least = fmin (least, t.k + t.v + t.index);
      most = fmax (most, t.k + t.v + t.index);
    }
  a->whole_windows = least < most;
  if (state > 0 && most > 0)
    {
      a->multiple = pad (state / most, a->multiple);
      a->page = a->multiple * most;
    }
  return LLMENV_OK;
}

/* Streams, and the cells that a full layer keeps in each. */
static llmenv_status
count_cells (allocation *a, double n)
{
  const llmenv_engine_settings *e = &a->engine;
  llmenv_status st = LLMENV_OK;
  a->streams = e->unified ? 1 : e->slots;
  a->multiple = e->padding;
  switch (e->engine)
    {
    case LLMENV_ENGINE_LLAMA_CPP:
      a->cells = pad (floor (pad (n, e->padding) / a->streams), e->padding);
      break;
    case LLMENV_ENGINE_VLLM:
      st = unify_pages (a);
      a->cells = pad (n / e->slots, a->multiple);
      break;
    case LLMENV_ENGINE_SGLANG:
      a->whole_windows = 1;
      a->cells = pad (n / e->slots, e->padding);
      break;
    default:                   /* ideal */
      a->cells = n / e->slots;
      a->multiple = 0;
    }
  return st;
}

/* Cells that a window of W tokens keeps in each stream. */
static double
window_cells (const allocation *a, double w)
{
  const llmenv_engine_settings *e = &a->engine;
  if (a->whole_windows)
    return a->cells;
  switch (e->engine)
    {
    case LLMENV_ENGINE_LLAMA_CPP:
      return fmin (a->cells, pad (w * (e->unified ? e->slots : 1)
                                  + e->micro_batch, a->multiple));
    case LLMENV_ENGINE_VLLM:
      return fmin (a->cells, pad (w - 1 + e->micro_batch, a->multiple)
                             + a->multiple);
    default:
      return fmin (a->cells, w);
    }
}

/* ---- sums -------------------------------------------------------------- */

/* Copies of a state, each a page where pages are unified; what a page leaves
 * empty counts with the matrices. */
static void
add_state (const allocation *a, const llmenv_layer_group *g,
           llmenv_engine_bytes *out)
{
  const llmenv_engine_settings *e = &a->engine;
  const layer_state s = state_of_layer (a, g);
  const double slots = e->slots + (e->engine == LLMENV_ENGINE_SGLANG ? 1 : 0);
  const double copies = slots * (1 + e->snapshots) * g->count;
  const double bytes = s.columns + s.matrices;
  if (bytes == 0)
    return;
  out->conv_bytes += copies * s.columns;
  out->state_bytes += copies * (fmax (a->page, bytes) - s.columns);
}

static void
add_cache (const allocation *a, const llmenv_layer_group *g,
           const token_bytes *t, llmenv_engine_bytes *out)
{
  const double full = g->count * a->streams * a->cells;
  switch (cache_kind (g))
    {
    case LLMENV_WINDOW: case LLMENV_CHUNK:
      {
        const double cells = window_cells (a, g->window);
        out->window_cells = fmax (out->window_cells, cells);
        out->window_k_bytes += g->count * a->streams * cells * t->k;
        out->window_v_bytes += g->count * a->streams * cells * t->v;
        break;
      }
    case LLMENV_CROSS:
      out->cross_bytes += g->count * a->engine.slots * g->length
                          * (t->k + t->v);
      break;
    default:
      out->k_bytes += full * t->k;
      out->v_bytes += full * t->v;
      out->indexer_bytes += full * t->index;
    }
}

static void
add_up (const allocation *a, llmenv_engine_bytes *out)
{
  out->streams = a->streams;
  out->cells = a->cells;
  out->multiple = a->multiple;
  out->rank_bytes = out->k_bytes + out->v_bytes + out->indexer_bytes
                    + out->window_k_bytes + out->window_v_bytes
                    + out->conv_bytes + out->state_bytes + out->cross_bytes;
  out->total_bytes = out->rank_bytes * a->engine.ranks;
}

/* The layers; of a record without, and in `published`, one whose K and V are
 * half of k each, k counting 2 bytes an element. */
static void
choose_layers (allocation *a, const llmenv_model *m)
{
  a->groups = m->layers;
  a->n_groups = m->n_layers;
  const int published = a->settings->convention == LLMENV_PUBLISHED;
  double elements = 0;
  if (published || m->n_layers == 0)
    {
      elements = (published ? m->published : m->scalars).kv_bytes / 4;
      if (a->engine.ranks > 1)
        elements = NAN;        /* of how many heads, nobody knows */
    }
  else if (m->kv_reason == LLMENV_HAS_VALUE)
    return;
  if (m->kv_reason != LLMENV_HAS_VALUE)
    elements = NAN;
  a->line = (llmenv_layer_group) { .kind = LLMENV_FULL, .count = 1,
    .kv_heads = a->engine.ranks, .k_dim = elements, .v_dim = elements };
  a->groups = &a->line;
  a->n_groups = 1;
}

llmenv_status
llmenv_engine_kv_bytes (const llmenv_model *model,
                        const llmenv_settings *settings,
                        const llmenv_engine_settings *engine,
                        double context_tokens, llmenv_engine_bytes *out)
{
  if (!are_valid (settings, engine)
      || !(context_tokens >= 0) || isinf (context_tokens))
    return LLMENV_EBADVALUE;
  allocation a;
  memset (&a, 0, sizeof a);
  a.settings = settings;
  a.engine = complete (engine);
  choose_layers (&a, model);
  llmenv_status st = count_cells (&a, context_tokens);
  llmenv_engine_bytes sum;
  memset (&sum, 0, sizeof sum);
  for (size_t i = 0; st == LLMENV_OK && i < a.n_groups; i++)
    {
      token_bytes t;
      add_state (&a, &a.groups[i], &sum);
      st = layer_token (&a, &a.groups[i], &t);
      if (st == LLMENV_OK)
        add_cache (&a, &a.groups[i], &t, &sum);
    }
  if (st != LLMENV_OK)
    return st;
  add_up (&a, &sum);
  *out = sum;
  return LLMENV_OK;
}

/* ---- the inverse ------------------------------------------------------- */

/* What grows: tokens of all slots, or sequences of EACH tokens. */
typedef struct
{
  const llmenv_model *model;
  const llmenv_settings *settings;
  llmenv_engine_settings engine;
  int sequences;
  double each;
} growth;

static llmenv_status
bytes_at (growth *q, double n, double *bytes)
{
  llmenv_engine_bytes b;
  double context = n;
  if (q->sequences)
    {
      q->engine.slots = n;
      context = n * q->each;
    }
  llmenv_status st = llmenv_engine_kv_bytes (q->model, q->settings, &q->engine,
                                             context, &b);
  if (st == LLMENV_OK)
    *bytes = b.total_bytes;
  return st;
}

/* Largest whole n whose bytes, which rise with n, are at most BUDGET. */
static llmenv_status
largest (growth *q, double budget, double *out)
{
  double bytes = NAN;
  double lo = 0, hi = LARGEST_WHOLE;
  if (isnan (budget))
    return LLMENV_EBADVALUE;
  llmenv_status st = bytes_at (q, hi, &bytes);
  if (st != LLMENV_OK)
    return st;
  if (isnan (bytes) || bytes <= budget)
    {
      *out = isnan (bytes) ? NAN : INFINITY;
      return LLMENV_OK;
    }
  while (hi - lo > 1)          /* lo fits, or is 0; hi does not */
    {
      /* Answers are small beside 2^53: double first, then halve. */
      const double mid = hi == LARGEST_WHOLE ? fmin (2 * lo + 1, hi - 1)
                                             : floor ((lo + hi) / 2);
      /* What was answered at the far end is answered everywhere. */
      const int fits = bytes_at (q, mid, &bytes) == LLMENV_OK
                       && bytes <= budget;
      *(fits ? &lo : &hi) = mid;
    }
  *out = lo;
  return LLMENV_OK;
}

llmenv_status
llmenv_engine_context (const llmenv_model *model,
                       const llmenv_settings *settings,
                       const llmenv_engine_settings *engine,
                       double budget_bytes, double *tokens)
{
  growth q = { model, settings, *engine, 0, 0 };
  return largest (&q, budget_bytes, tokens);
}

llmenv_status
llmenv_engine_sequences (const llmenv_model *model,
                         const llmenv_settings *settings,
                         const llmenv_engine_settings *engine,
                         double context_tokens, double budget_bytes,
                         double *sequences)
{
  growth q = { model, settings, *engine, 1, context_tokens };
  return largest (&q, budget_bytes, sequences);
}
