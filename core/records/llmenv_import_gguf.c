/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a GGUF file's metadata and tensor table to a record.  Which layer does
 * what is taken from its tensors first, which files carry whatever the
 * metadata leave to the architecture's defaults. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_element.h"
#include "llmenv_gguf.h"
#include "llmenv_import_parts.h"
#include "llmenv_record.h"

#define TRY LLMENV_TRY

enum { MOST_LAYERS = 1024 };   /* the deepest model known has 162 */

/* What the tensors of one block say.  Sizes are 0 where absent. */
typedef struct
{
  int seen, query, key, fused, latent, scan, shift_conv, time_mix, extra, cross;
  double mlp, expert, experts, shared;  /* widths, and routed experts */
} block;

typedef struct
{
  const llmenv_gguf *gguf;
  const char *file;            /* path, for errors */
  const char *arch;
  llmenv_import_notes *notes;
  llmenv_error *error;
  unsigned n_blocks;           /* layers, without those of multi-token prediction */
  unsigned n_encoder;          /* layers of the encoder before them */
  int bidirectional;           /* nothing is cached */
  block blocks[MOST_LAYERS];
} import;

static const char *const recurrent_archs[]
  = { "mamba", "mamba2", "rwkv6", "rwkv6qwen2", "rwkv7", "arwkv7", NULL };
static const char *const diffusion_archs[] = { "dream", "llada", "llada-moe", "rnd1", NULL };
static const char *const encoder_archs[] = { "t5encoder", "gemma-embedding", NULL };

/* ---- metadata ----------------------------------------------------------- */

static const json_t *
find (const import *im, const char *key)
{
  char full[256];
  snprintf (full, sizeof full, "%s.%s", im->arch, key);
  return json_object_get (im->gguf->metadata, full);
}

static llmenv_status
refuse_key (const import *im, const char *key, const char *why)
{
  return llmenv_error_set (im->error, LLMENV_EBADRECORD, "%s: %s.%s: %s", im->file,
                           im->arch, key, why);
}

/* VALUE as a count from 0 to 2^31. */
static llmenv_status
count_of (const import *im, const char *key, const json_t *value, double *count)
{
  const double x = json_is_boolean (value) ? json_is_true (value)
                                           : json_number_value (value);
  if ((json_is_number (value) || json_is_boolean (value))
      && x >= 0 && x <= 0x1p31 && x == floor (x))
    {
      *count = x;
      return LLMENV_OK;
    }
  return refuse_key (im, key, "expected a count");
}

/* KEY of layer I: one number for all, or a list with one a layer; FALLBACK
 * where it is absent. */
static llmenv_status
layer_count (const import *im, const char *key, unsigned i, double fallback,
             double *count)
{
  const json_t *value = find (im, key);
  *count = fallback;
  if (value == NULL || json_is_null (value))
    return LLMENV_OK;
  if (!json_is_array (value))
    return count_of (im, key, value, count);
  if (i >= json_array_size (value))
    return refuse_key (im, key, "the list is shorter than the number of layers");
  return count_of (im, key, json_array_get (value, i), count);
}

static llmenv_status
plain_count (const import *im, const char *key, double fallback, double *count)
{
  return layer_count (im, key, 0, fallback, count);
}

/* KEY must be there and not 0. */
static llmenv_status
need_count (const import *im, const char *key, double *count)
{
  TRY (plain_count (im, key, 0, count));
  return *count > 0 ? LLMENV_OK
                    : refuse_key (im, key, "missing, and the cache or state cannot be known without it");
}

/* The largest value of a list, or the one number. */
static llmenv_status
largest_count (const import *im, const char *key, double *count)
{
  *count = 0;
  for (unsigned i = 0; i < im->n_blocks; i++)
    {
      double x;
      TRY (layer_count (im, key, i, 0, &x));
      *count = fmax (*count, x);
    }
  return LLMENV_OK;
}

static const char *
general_text (const import *im, const char *key)
{
  return json_string_value (json_object_get (im->gguf->metadata, key));
}

/* ---- tensor names ------------------------------------------------------- */

static int
starts (const char *text, const char *start)
{
  return strncmp (text, start, strlen (start)) == 0;
}

static int
holds (const char *text, const char *word)
{
  return strstr (text, word) != NULL;
}

/* The rest of NAME after "blk.N." (or "dec.blk.N."), N in *NUMBER; or NULL. */
static const char *
in_block (const char *name, unsigned *number)
{
  if (starts (name, "dec."))
    name += 4;
  if (!starts (name, "blk.") || !isdigit ((unsigned char) name[4]))
    return NULL;
  char *end;
  const unsigned long n = strtoul (name + 4, &end, 10);
  *number = n > 1000000 ? 1000000 : (unsigned) n;
  return *end == '.' ? end + 1 : NULL;
}

/* ffn_up.3.weight: one expert a tensor, as the first mixture files had it. */
static int
is_single_expert (const char *rest)
{
  const char *dot = strchr (rest, '.');
  return starts (rest, "ffn_") && dot != NULL && isdigit ((unsigned char) dot[1]);
}

static int
is_expert (const char *rest)
{
  return holds (rest, "_exps.") || holds (rest, "_chexps.") || is_single_expert (rest);
}

/* ---- blocks ------------------------------------------------------------- */

static void
see_mlp (block *b, const char *rest, const llmenv_gguf_tensor *t)
{
  const double width = (double) t->dims[0];
  if (starts (rest, "ffn_down_exps.weight"))
    {
      b->expert = width;
      b->experts = (double) t->dims[2];
    }
  else if (is_single_expert (rest) && starts (rest, "ffn_down."))
    {
      b->expert = width;
      b->experts++;
    }
  else if (starts (rest, "ffn_down_shexp.weight"))
    b->shared = width;
  else if (starts (rest, "ffn_down.weight") || starts (rest, "channel_mix_value.weight"))
    b->mlp = width;
}

static void
see_tensor (block *b, const char *rest, const llmenv_gguf_tensor *t)
{
  b->seen = 1;
  b->query |= starts (rest, "attn_q.") || starts (rest, "attn_q_a.")
              || starts (rest, "attn_q_b.");
  b->key |= starts (rest, "attn_k.");
  b->fused |= starts (rest, "attn_qkv.");
  b->latent |= starts (rest, "attn_kv_a_mqa.") || starts (rest, "attn_kv_b.")
               || starts (rest, "attn_k_b.");
  b->scan |= starts (rest, "ssm_");
  b->shift_conv |= starts (rest, "shortconv.");
  b->time_mix |= starts (rest, "time_mix_");
  b->extra |= starts (rest, "nextn.");
  b->cross |= starts (rest, "cross_attn_");
  see_mlp (b, rest, t);
}

static void
see_tensors (import *im)
{
  for (size_t i = 0; i < im->gguf->n_tensors; i++)
    {
      const llmenv_gguf_tensor *t = &im->gguf->tensors[i];
      unsigned n;
      const char *rest = in_block (t->name, &n);
      if (rest != NULL && n < MOST_LAYERS)
        see_tensor (&im->blocks[n], rest, t);
    }
}

static int
is_one_of (const char *word, const char *const *list)
{
  for (; *list != NULL; list++)
    if (strcmp (word, *list) == 0)
      return 1;
  return 0;
}

/* Blocks of multi-token prediction are the last ones, and counted. */
static llmenv_status
count_blocks (import *im)
{
  double blocks, extra, decoder;
  TRY (need_count (im, "block_count", &blocks));
  TRY (plain_count (im, "nextn_predict_layers", 0, &extra));
  TRY (plain_count (im, "decoder_block_count", blocks, &decoder));
  if (blocks > MOST_LAYERS || decoder > MOST_LAYERS)
    return refuse_key (im, "block_count", "more than 1024 layers");
  if (strcmp (im->arch, "t5") == 0)
    {
      im->n_encoder = (unsigned) blocks;
      blocks = decoder;
    }
  im->n_blocks = (unsigned) (extra < blocks ? blocks - extra : blocks);
  while (im->n_blocks > 1 && im->blocks[im->n_blocks - 1].extra)
    im->n_blocks--;
  return LLMENV_OK;
}

/* ---- windows ------------------------------------------------------------ */

/* What llama.cpp's loaders know and files leave out: of every PERIOD layers the
 * last (the first where FULL_FIRST) is full.  Period 0: none is. */
static const struct
{
  const char *arch;
  unsigned period;
  int full_first;
  double window;               /* where the file names none */
} patterns[] = {
  { "afmoe",        4, 0, 0 },    { "cohere2",    4, 0, 0 },
  { "exaone-moe",   4, 0, 0 },    { "exaone4",    4, 0, 0 },
  { "gemma2",       2, 0, 4096 }, { "gemma3",     6, 0, 0 },
  { "gemma3n",      5, 0, 0 },    { "gpt-oss",    2, 0, 0 },
  { "laguna",       4, 1, 0 },    { "llama4",     4, 0, 8192 },
  { "olmo2",        4, 0, 0 },    { "phi3",       0, 0, 0 },
  { "plamo3",       8, 0, 0 },    { "smallthinker", 4, 1, 4096 },
};

static int
pattern_of (const char *arch)
{
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
    if (strcmp (patterns[i].arch, arch) == 0)
      return (int) i;
  return -1;
}

/* Whether layer I of the pattern at P (-1: unknown) is windowed. */
static llmenv_status
is_windowed (const import *im, unsigned i, int p, int *windowed)
{
  const char *key = "attention.sliding_window_pattern";
  const json_t *stated = find (im, key);
  double period = p < 0 ? 0 : patterns[p].period;
  const int full_first = p >= 0 && patterns[p].full_first;
  if (json_is_array (stated))
    {
      TRY (layer_count (im, key, i, 0, &period));
      *windowed = period != 0;
      return LLMENV_OK;
    }
  TRY (plain_count (im, key, period, &period));
  *windowed = period == 0 || fmod (i, period) != (full_first ? 0 : period - 1);
  return LLMENV_OK;
}

/* Window of layer I in tokens; 0 for a full one. */
static llmenv_status
window_of (const import *im, unsigned i, double *window)
{
  const int p = pattern_of (im->arch);
  int windowed;
  TRY (layer_count (im, "attention.sliding_window", i,
                    p < 0 ? 0 : patterns[p].window, window));
  if (*window == 0)
    return LLMENV_OK;
  if (p < 0 && find (im, "attention.sliding_window_pattern") == NULL)
    {
      llmenv_import_note (im->notes, "attention.sliding_window is %.15g, but which layers of %.40s have it is not known: "
                          "all are counted as full, as llama.cpp does",
                          *window, im->arch);
      *window = 0;
      return LLMENV_OK;
    }
  TRY (is_windowed (im, i, p, &windowed));
  if (!windowed)
    *window = 0;
  else if (strcmp (im->arch, "phi3") == 0)
    llmenv_import_note (im->notes, "llama.cpp does not apply this model's window of %.15g tokens", *window);
  return LLMENV_OK;
}

/* ---- layers ------------------------------------------------------------- */

/* One layer: its group, and its MLP. */
typedef struct
{
  llmenv_layer_group group;    /* count 1 */
  double mlp, expert, experts, top, shared;
  int delta;                   /* its state is of a kind kept in fp32 */
} layer;


/* Elements per head of K and V, of a windowed layer or a full one. */
static llmenv_status
head_sizes (const import *im, int windowed, llmenv_layer_group *g)
{
  double heads, width;
  TRY (largest_count (im, "attention.head_count", &heads));
  TRY (plain_count (im, "embedding_length", 0, &width));
  const double plain = heads > 0 ? floor (width / heads) : 0;
  TRY (plain_count (im, "attention.key_length", plain, &g->k_dim));
  TRY (plain_count (im, "attention.value_length", plain, &g->v_dim));
  if (windowed)
    {
      TRY (plain_count (im, "attention.key_length_swa", g->k_dim, &g->k_dim));
      TRY (plain_count (im, "attention.value_length_swa", g->v_dim, &g->v_dim));
    }
  return g->k_dim > 0 && g->v_dim > 0
         ? LLMENV_OK : refuse_key (im, "attention.key_length", "missing, as is embedding_length");
}

/* Latent attention: one row of rank and rotary width for all heads. */
static llmenv_status
latent_sizes (const import *im, double rank, llmenv_layer_group *g)
{
  double key;
  TRY (plain_count (im, "attention.key_length", 0, &key));
  TRY (plain_count (im, "rope.dimension_count", key > rank ? key - rank : 0, &g->rope_dim));
  TRY (plain_count (im, "attention.indexer.top_k", 0, &g->top));
  TRY (plain_count (im, "attention.indexer.head_count", 0, &g->index_heads));
  TRY (plain_count (im, "attention.indexer.key_length", 0, &g->index_dim));
  g->kind = g->top > 0 && g->index_dim > 0 ? LLMENV_SPARSE_LATENT : LLMENV_LATENT;
  if (g->kind == LLMENV_LATENT)
    g->top = g->index_heads = g->index_dim = 0;
  g->rank = rank;
  g->kv_heads = 0;
  return g->rope_dim > 0 ? LLMENV_OK
                         : refuse_key (im, "rope.dimension_count", "missing, the latent's rotary width is not known");
}

/* Layers at the end that read the cache of an earlier one of their kind. */
static llmenv_status
is_sharing (const import *im, unsigned i, int *sharing)
{
  double shared;
  /* gemma3n's first 20 layers cache, in files older than the key. */
  const double fallback = strcmp (im->arch, "gemma3n") == 0 && im->n_blocks > 20
                          ? im->n_blocks - 20 : 0;
  TRY (plain_count (im, "attention.shared_kv_layers", fallback, &shared));
  *sharing = shared < im->n_blocks && i >= im->n_blocks - shared;
  return LLMENV_OK;
}

static llmenv_status
attention_of (const import *im, unsigned i, llmenv_layer_group *g)
{
  double rank, window;
  int sharing;
  TRY (plain_count (im, "attention.kv_lora_rank", 0, &rank));
  if (rank > 0)
    return latent_sizes (im, rank, g);
  TRY (window_of (im, i, &window));
  TRY (head_sizes (im, window > 0, g));
  TRY (is_sharing (im, i, &sharing));
  g->kind = window == 0 ? LLMENV_FULL
            : strcmp (im->arch, "llama4") == 0 ? LLMENV_CHUNK : LLMENV_WINDOW;
  g->window = window;
  if (sharing)
    {
      g->reads = g->kind;
      g->kind = LLMENV_SHARED;
    }
  return LLMENV_OK;
}

/* RWKV: a square matrix a head, and the inputs of one token earlier. */
static llmenv_status
time_mix_state (const import *im, layer *l)
{
  double width, head, shifts;
  TRY (need_count (im, "embedding_length", &width));
  TRY (need_count (im, "wkv.head_size", &head));
  TRY (plain_count (im, "token_shift_count", 2, &shifts));
  l->group.state_elements = width * (head + shifts);
  l->delta = 1;
  return LLMENV_OK;
}

/* Kimi's delta attention: a square matrix a head, Q, K and V convolved. */
static llmenv_status
delta_state (const import *im, double head, layer *l)
{
  double heads, kernel;
  TRY (largest_count (im, "attention.head_count", &heads));
  TRY (need_count (im, "ssm.conv_kernel", &kernel));
  l->group.state_elements = heads * head * head;
  l->group.conv_elements = 3 * (kernel - 1) * heads * head;
  l->delta = 1;
  return LLMENV_OK;
}

/* Mamba 1 and 2 and gated delta networks: llama.cpp names their sizes alike. */
static llmenv_status
scan_state (const import *im, layer *l)
{
  double inner, size, kernel, groups, head;
  TRY (plain_count (im, "kda.head_dim", 0, &head));
  if (head > 0)
    return delta_state (im, head, l);
  TRY (need_count (im, "ssm.inner_size", &inner));
  TRY (need_count (im, "ssm.state_size", &size));
  TRY (need_count (im, "ssm.conv_kernel", &kernel));
  TRY (plain_count (im, "ssm.group_count", 0, &groups));
  l->group.state_elements = inner * size;
  l->group.conv_elements = (kernel - 1) * (inner + 2 * groups * size);
  return LLMENV_OK;
}

static llmenv_status
short_convolution (const import *im, layer *l)
{
  double width, kernel;
  TRY (need_count (im, "embedding_length", &width));
  TRY (need_count (im, "shortconv.l_cache", &kernel));
  l->group.conv_elements = width * (kernel - 1);
  return LLMENV_OK;
}

/* Sizes from the block's tensors; from the metadata where it has none. */
static llmenv_status
mlp_of (const import *im, unsigned i, layer *l)
{
  const block *b = &im->blocks[i];
  double experts;
  TRY (plain_count (im, "expert_count", 0, &experts));
  l->expert = b->expert;
  l->experts = b->experts > 0 ? b->experts : experts;
  l->shared = b->shared;
  l->mlp = b->mlp;
  if (l->expert > 0)
    {
      TRY (layer_count (im, "expert_used_count", i, 0, &l->top));
      if (!(l->top > 0) || l->top > l->experts)
        return refuse_key (im, "expert_used_count", "missing, or not from 1 to the number of experts");
      /* Some run a dense MLP beside the experts: always used, like shared ones. */
      l->shared += l->mlp;
      l->mlp = 0;
    }
  else
    l->experts = 0;
  if (!b->seen)
    TRY (layer_count (im, "feed_forward_length", i, 0, &l->mlp));
  return LLMENV_OK;
}

static int
has_attention (const block *b, double kv_heads)
{
  if (!(kv_heads > 0))
    return 0;
  return !b->seen || b->query || b->key || b->latent || (b->fused && !b->scan);
}

static llmenv_status
state_of (const import *im, const block *b, int attends, layer *l)
{
  const int unseen = !b->seen && !attends && is_one_of (im->arch, recurrent_archs);
  if (b->time_mix || (unseen && holds (im->arch, "rwkv")))
    return time_mix_state (im, l);
  if (b->shift_conv)
    return short_convolution (im, l);
  if (b->scan || unseen)
    return scan_state (im, l);
  return LLMENV_OK;
}

/* Attention without head counts, or with none: its cache cannot be known. */
static llmenv_status
check_heads (const import *im, const block *b, int caching, double q_heads)
{
  const json_t *stated = find (im, "attention.head_count");
  const int attends = caching || b->query || b->key || b->latent || (b->fused && !b->scan)
                      || (!b->seen && !is_one_of (im->arch, recurrent_archs));
  /* A list may say 0 for layers without attention; one number may not. */
  const int none = stated != NULL && q_heads == 0
                   && (caching || b->query || b->key || b->latent || !json_is_array (stated));
  if (attends && none)
    return refuse_key (im, "attention.head_count", "0 heads in a layer with attention");
  return !attends || stated != NULL
         ? LLMENV_OK
         : refuse_key (im, "attention.head_count", "missing, the cache cannot be known without it");
}

/* Products of counts that stay exact in any sum over layers. */
static llmenv_status
check_size (const import *im, const llmenv_layer_group *g)
{
  const double most = fmax (fmax (g->state_elements, g->conv_elements),
                            fmax (g->kv_heads * (g->k_dim + g->v_dim), g->rank + g->rope_dim));
  return most <= 0x1p38 ? LLMENV_OK
         : refuse_key (im, "embedding_length", "a cache or state of more than 2^38 elements a layer");
}

static llmenv_status
layer_of (const import *im, unsigned i, layer *l)
{
  const block *b = &im->blocks[i];
  llmenv_layer_group *g = &l->group;
  memset (l, 0, sizeof *l);    /* padding too: layers are compared as bytes */
  g->count = 1;
  TRY (layer_count (im, "attention.head_count", i, 0, &g->q_heads));
  TRY (layer_count (im, "attention.head_count_kv", i, g->q_heads, &g->kv_heads));
  const int attends = has_attention (b, g->kv_heads);
  TRY (check_heads (im, b, attends, g->q_heads));
  TRY (state_of (im, b, attends, l));
  if (attends)
    TRY (attention_of (im, i, g));
  else
    {
      g->q_heads = g->kv_heads = 0;
      g->kind = g->state_elements + g->conv_elements > 0 ? LLMENV_RECURRENT
                                                         : LLMENV_NO_CACHE;
    }
  TRY (check_size (im, g));
  return mlp_of (im, i, l);
}

/* ---- layers as groups --------------------------------------------------- */

static void
put (json_t *object, const char *key, double x)
{
  json_object_set_new (object, key, json_integer ((json_int_t) x));
}

static json_t *
mlp_json (const layer *l)
{
  json_t *mlp = json_object ();
  json_object_set_new (mlp, "kind", json_string (l->expert > 0 ? "moe" : "dense"));
  put (mlp, "size", l->expert > 0 ? l->expert : l->mlp);
  if (l->expert > 0)
    {
      put (mlp, "experts", l->experts);
      put (mlp, "top", l->top);
      put (mlp, "shared_size", l->shared);
    }
  return mlp;
}

static json_t *
state_json (const layer *l)
{
  json_t *state = json_object ();
  put (state, "recurrent", l->group.state_elements);
  put (state, "conv", l->group.conv_elements);
  json_object_set_new (state, "type", json_string (l->delta ? "fp32" : "bf16"));
  json_object_set_new (state, "conv_type", json_string ("bf16"));
  json_object_set_new (state, "assumed", json_true ());
  return state;
}

static json_t *
group_json (const layer *l)
{
  const llmenv_layer_group *g = &l->group;
  const llmenv_layer_kind kind = g->kind == LLMENV_SHARED ? g->reads : g->kind;
  const int latent = kind == LLMENV_LATENT || kind == LLMENV_SPARSE_LATENT;
  const struct { const char *key; double x; int used; } sizes[] = {
    { "q_heads", g->q_heads, g->q_heads > 0 }, { "kv_heads", g->kv_heads, g->kv_heads > 0 },
    { "k_dim", g->k_dim, g->k_dim > 0 },       { "v_dim", g->v_dim, g->v_dim > 0 },
    { "window", g->window, g->window > 0 },    { "rank", g->rank, latent },
    { "rope_dim", g->rope_dim, latent },       { "top", g->top, g->top > 0 },
    { "index_heads", g->index_heads, g->top > 0 },
    { "index_dim", g->index_dim, g->top > 0 }, { "length", g->length, g->length > 0 } };
  json_t *group = json_object ();
  put (group, "count", g->count);
  json_object_set_new (group, "kind", json_string (llmenv_layer_kind_word (g->kind)));
  if (g->kind == LLMENV_SHARED)
    json_object_set_new (group, "reads", json_string (llmenv_layer_kind_word (g->reads)));
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (sizes[i].used)
      put (group, sizes[i].key, sizes[i].x);
  if (g->state_elements + g->conv_elements > 0)
    json_object_set_new (group, "state", state_json (l));
  if (l->mlp > 0 || l->expert > 0)
    json_object_set_new (group, "mlp", mlp_json (l));
  return group;
}

/* Equal layers, in the order in which they first come. */
typedef struct
{
  layer group[MOST_LAYERS + 2];
  size_t n;
} groups;

static void
add_layer (groups *gs, const layer *l)
{
  for (size_t i = 0; i < gs->n; i++)
    {
      const double count = gs->group[i].group.count;
      gs->group[i].group.count = l->group.count;
      const int same = memcmp (&gs->group[i], l, sizeof *l) == 0;
      gs->group[i].group.count = same ? count + l->group.count : count;
      if (same)
        return;
    }
  gs->group[gs->n++] = *l;
}

/* T5: its encoder, and the cross attention of its decoder. */
static llmenv_status
add_encoder (const import *im, groups *gs)
{
  layer l = gs->group[0];
  double length;
  if (im->n_encoder == 0 || gs->n == 0)
    return LLMENV_OK;
  TRY (plain_count (im, "context_length", 512, &length));
  if (!(length > 0))
    return refuse_key (im, "context_length", "0, the encoder's length is not known");
  /* Its heads are those of the decoder's own attention. */
  if (l.group.kind != LLMENV_FULL)
    return refuse_key (im, "decoder_block_count", "the decoder's first layer has no full attention");
  l.group.kind = LLMENV_CROSS;
  l.group.count = im->n_blocks;
  l.group.length = length;
  l.mlp = 0;
  add_layer (gs, &l);
  l = gs->group[0];
  l.group.kind = LLMENV_ENCODER;
  l.group.count = im->n_encoder;
  add_layer (gs, &l);
  llmenv_import_note (im->notes, "cross attention is counted at an encoder length of %.15g tokens, "
                      "the context length", length);
  return LLMENV_OK;
}

static llmenv_status
collect_layers (const import *im, groups *gs)
{
  layer l;
  gs->n = 0;
  for (unsigned i = 0; i < im->n_blocks; i++)
    {
      TRY (layer_of (im, i, &l));
      add_layer (gs, &l);
    }
  return add_encoder (im, gs);
}

/* ---- weights ------------------------------------------------------------ */

/* Sums by part and by storage type. */
typedef struct
{
  uint64_t params[N_PARTS][LLMENV_GGML_IDS], bytes[N_PARTS][LLMENV_GGML_IDS];
  int tied;
} sums;

static part
part_in_block (const import *im, const block *b, const char *rest)
{
  static const char *const other[] = { "ffn_gate_inp", "exp_probs", "ffn_gate_tid2eid",
                                       "attn_sinks", "rope_", "layer_out" };
  if (is_expert (rest))
    return EXPERT;
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    if (starts (rest, other[i]))
      return OTHER;
  if (starts (rest, "vis_"))
    return TOWER;
  if (starts (rest, "ssm_") || starts (rest, "shortconv.") || starts (rest, "time_mix"))
    return SCAN;
  if (holds (rest, "norm"))
    return OTHER;
  if (holds (rest, "_shexp"))
    return SHEXP;
  if (starts (rest, "ffn_latent_"))
    return PROJECTION;
  if (starts (rest, "ffn_") || starts (rest, "channel_mix"))
    return MLP;
  if (!starts (rest, "attn_") && !starts (rest, "cross_attn_") && !starts (rest, "indexer"))
    return OTHER;
  double kv_heads = 1;
  if (b != NULL)
    (void) layer_count (im, "attention.head_count_kv", (unsigned) (b - im->blocks), 1, &kv_heads);
  return b != NULL && b->scan && !has_attention (b, kv_heads) ? SCAN : ATTENTION;
}

static part
part_of_tensor (const import *im, const char *name)
{
  static const char *const towers[] = { "v.", "a.", "mm.", "resampler.", "vision", "audio" };
  unsigned n;
  const char *rest = in_block (name, &n);
  if (rest != NULL)
    return n >= im->n_blocks ? MTP
           : part_in_block (im, n < MOST_LAYERS ? &im->blocks[n] : NULL, rest);
  for (size_t i = 0; i < sizeof towers / sizeof *towers; i++)
    if (starts (name, towers[i]))
      return TOWER;
  return starts (name, "enc.") ? ENCODER
         : starts (name, "token_embd.") ? EMBEDDING
         : starts (name, "output.") ? HEAD
         : starts (name, "per_layer_token_embd.") ? TABLE
         : starts (name, "position_embd") || starts (name, "token_types") ? POSITION
         : starts (name, "nextn.") || starts (name, "mtp.") ? MTP : OTHER;
}

static void
sum_weights (const import *im, sums *s)
{
  int head = 0;
  memset (s, 0, sizeof *s);
  for (size_t i = 0; i < im->gguf->n_tensors; i++)
    head |= starts (im->gguf->tensors[i].name, "output.weight");
  /* A bidirectional model without a head only looks its embedding up. */
  s->tied = !head && !im->bidirectional;
  for (size_t i = 0; i < im->gguf->n_tensors; i++)
    {
      const llmenv_gguf_tensor *t = &im->gguf->tensors[i];
      part p = part_of_tensor (im, t->name);
      if (p == EMBEDDING && s->tied)
        p = HEAD;
      s->params[p][t->type->id] += t->elements;
      s->bytes[p][t->type->id] += t->bytes;
    }
}

static uint64_t
part_params (const sums *s, part p)
{
  uint64_t n = 0;
  for (int id = 0; id < LLMENV_GGML_IDS; id++)
    n += s->params[p][id];
  return n;
}

static json_t *
part_json (const sums *s, part p, unsigned id)
{
  const llmenv_ggml_type *type = llmenv_ggml_type_find (id);
  char name[80];
  snprintf (name, sizeof name, "%s, %s", part_of[p].name, type->name);
  json_t *json = json_pack ("{s:s, s:s, s:I}", "name", name,
                            "role", llmenv_weight_role_word (part_of[p].role),
                            "params", (json_int_t) s->params[p][id]);
  if (llmenv_element_find (type->element, 0) != NULL)
    json_object_set_new (json, "format", json_string (type->element));
  json_object_set_new (json, "bytes", json_integer ((json_int_t) s->bytes[p][id]));
  if (p == HEAD && s->tied)
    json_object_set_new (json, "tied", json_true ());
  return json;
}

static json_t *
parts_json (const sums *s)
{
  json_t *list = json_array ();
  for (part p = 0; p < N_PARTS; p++)
    for (unsigned id = 0; id < LLMENV_GGML_IDS; id++)
      if (s->params[p][id] > 0)
        json_array_append_new (list, part_json (s, p, id));
  return list;
}

/* The type of most weights, if records can name it. */
static const char *
main_format (const sums *s)
{
  uint64_t most = 0;
  const char *name = NULL;
  for (unsigned id = 0; id < LLMENV_GGML_IDS; id++)
    {
      uint64_t n = 0;
      for (part p = 0; p < N_PARTS; p++)
        n += s->params[p][id];
      if (n > most)
        {
          most = n;
          name = llmenv_ggml_type_find (id)->element;
        }
    }
  return name != NULL && llmenv_element_find (name, 0) != NULL ? name : NULL;
}

/* ---- what the layers add up to ------------------------------------------ */

typedef struct
{
  double layers, caching, per_token, state, experts, top;
  int latent, sliding, recurrent, shared_expert, grouped;
  const llmenv_layer_group *attention;  /* the first attention layer */
} totals;

static void
add_group (totals *t, const layer *l)
{
  const llmenv_layer_group *g = &l->group;
  if (g->kind == LLMENV_CROSS || g->kind == LLMENV_ENCODER)
    return;
  const int latent = g->kind == LLMENV_LATENT || g->kind == LLMENV_SPARSE_LATENT;
  const int heads = g->kind == LLMENV_FULL || g->kind == LLMENV_WINDOW || g->kind == LLMENV_CHUNK;
  t->layers += g->count;
  t->caching += latent || heads ? g->count : 0;
  t->per_token += 2 * g->count * (latent ? g->rank + g->rope_dim
                                  : heads ? g->kv_heads * (g->k_dim + g->v_dim) : 0);
  t->state += g->count * (g->state_elements * (l->delta ? 4 : 2) + 2 * g->conv_elements);
  t->latent |= latent;
  t->sliding |= g->window > 0;
  t->recurrent |= g->state_elements + g->conv_elements > 0;
  t->shared_expert |= l->shared > 0;
  t->grouped |= heads && g->kv_heads != g->q_heads;
  t->experts = fmax (t->experts, l->experts);
  t->top = fmax (t->top, l->top);
  if (t->attention == NULL && (latent || heads))
    t->attention = g;
}

static totals
add_up (const groups *gs)
{
  totals t;
  memset (&t, 0, sizeof t);
  for (size_t i = 0; i < gs->n; i++)
    add_group (&t, &gs->group[i]);
  return t;
}

static const char *
basis_of (const import *im, const totals *t)
{
  return im->bidirectional ? "not-applicable"
         : im->n_encoder > 0 ? "decoder-self-attention"
         : t->caching == 0 ? "none-fixed-state"
         : t->latent ? "mla-latent"
         : t->recurrent && t->caching < t->layers ? "hybrid-subset"
         : t->grouped ? "gqa" : "mha";
}

/* ---- the record --------------------------------------------------------- */

static json_t *
number_or_null (double x)
{
  return !(x > 0) ? json_null () : x == floor (x) ? json_integer ((json_int_t) x)
                                                  : json_real (x);
}

static json_t *
text_or_null (const char *text)
{
  json_t *value = text == NULL || *text == '\0' ? NULL : json_string (text);
  return value == NULL ? json_null () : value;
}

/* Lower-case letters and digits of TEXT, joined by single hyphens. */
static void
make_id (const char *text, char *id, size_t size)
{
  size_t n = 0;
  for (; *text != '\0' && n + 2 < size; text++)
    if (isalnum ((unsigned char) *text))
      id[n++] = (char) tolower ((unsigned char) *text);
    else if (n > 0 && id[n - 1] != '-')
      id[n++] = '-';
  while (n > 0 && id[n - 1] == '-')
    n--;
  id[n] = '\0';
  if (n == 0)
    snprintf (id, size, "gguf");
}

/* The file's name without folder, part number and ending. */
static void
plain_file_name (const char *file, char *name, size_t size)
{
  const char *base = strrchr (file, '/');
  snprintf (name, size, "%s", base == NULL ? file : base + 1);
  size_t n = strlen (name);
  if (n > 5 && strcmp (name + n - 5, ".gguf") == 0)
    name[n -= 5] = '\0';
  if (n > 15 && name[n - 15] == '-' && memcmp (name + n - 9, "-of-", 4) == 0)
    name[n - 15] = '\0';
}

static void
set_names (const import *im, json_t *record)
{
  char base[256], id[128], name[256];
  plain_file_name (im->file, base, sizeof base);
  make_id (base, id, sizeof id);
  const char *stated = general_text (im, "general.name");
  llmenv_printable (stated != NULL && *stated != '\0' ? stated : base, name, sizeof name);
  json_object_set_new (record, "id", json_string (id));
  json_object_set_new (record, "name", json_string (*name == '\0' ? id : name));
  json_object_set_new (record, "family", text_or_null (im->arch));
  json_object_set_new (record, "vendor", text_or_null (general_text (im, "general.organization")));
  json_object_set_new (record, "release_year", json_null ());
}

static const char *
architecture_of (const import *im, const totals *t, double routed)
{
  return is_one_of (im->arch, diffusion_archs) ? "diffusion"
         : t->recurrent && t->caching > 0 ? "hybrid-attention-ssm"
         : t->recurrent ? (starts (im->arch, "mamba") ? "ssm" : "recurrent")
         : routed > 0 ? "moe" : "dense";
}

/* A key that is only shown: null where it is absent or odd. */
static json_t *
shown_count (const import *im, const char *key)
{
  double count;
  return number_or_null (plain_count (im, key, 0, &count) == LLMENV_OK ? count : 0);
}

static void
set_sizes (json_t *record, const import *im, const totals *t, const sums *s)
{
  double all = 0;
  for (part p = 0; p < N_PARTS; p++)
    if (p != MTP && p != TOWER)
      all += (double) part_params (s, p);
  const double routed = (double) part_params (s, EXPERT);
  const double active = all - (t->experts > 0 ? routed * (1 - t->top / t->experts) : 0);
  json_object_set_new (record, "architecture", json_string (architecture_of (im, t, routed)));
  json_object_set_new (record, "params_b", all > 0 ? json_real (all / 1e9) : json_null ());
  json_object_set_new (record, "active_params_b", active > 0 ? json_real (active / 1e9) : json_null ());
  json_object_set_new (record, "num_experts", number_or_null (t->experts));
  json_object_set_new (record, "experts_per_token", number_or_null (t->top));
  json_object_set_new (record, "shared_expert",
                       routed > 0 ? json_boolean (t->shared_expert) : json_null ());
  json_object_set_new (record, "hidden_size", shown_count (im, "embedding_length"));
  json_object_set_new (record, "num_layers", number_or_null (t->layers));
  json_object_set_new (record, "flops_per_token_active", json_real (2 * active));
}

static void
set_attention (json_t *record, const import *im, const totals *t)
{
  static const llmenv_layer_group none;
  const llmenv_layer_group *a = t->attention == NULL ? &none : t->attention;
  const double ratio = t->latent ? 1 : a->kv_heads > 0 ? a->q_heads / a->kv_heads : 0;
  json_object_set_new (record, "num_attention_heads", number_or_null (a->q_heads));
  json_object_set_new (record, "num_kv_heads", number_or_null (a->kv_heads));
  json_object_set_new (record, "head_dim", number_or_null (a->k_dim));
  json_object_set_new (record, "gqa_ratio", number_or_null (ratio));
  json_object_set_new (record, "max_position_embeddings", shown_count (im, "context_length"));
  json_object_set_new (record, "attention_variant",
                       im->bidirectional ? json_string ("bidirectional")
                       : t->attention == NULL ? json_string ("none")
                       : json_sprintf ("%s%s%s", t->latent ? "MLA" : t->grouped ? "GQA" : "MHA",
                                       t->sliding ? " + sliding window" : "",
                                       t->recurrent ? " + recurrent" : ""));
  json_object_set_new (record, "kv_cache_bytes_per_token",
                       im->bidirectional ? json_null ()
                                         : json_integer ((json_int_t) t->per_token));
}

static void
set_extras (json_t *record, const import *im, const totals *t)
{
  json_object_set_new (record, "license", text_or_null (general_text (im, "general.license")));
  json_object_set_new (record, "hf_repo",
                       text_or_null (general_text (im, "general.source.huggingface.repository")));
  json_object_set_new (record, "kv_cache_bytes_per_token_basis", json_string (basis_of (im, t)));
  json_object_set_new (record, "kv_caching_layer_count",
                       json_integer (im->bidirectional ? 0 : (json_int_t) t->caching));
  if (t->state > 0)
    json_object_set_new (record, "state_bytes_per_sequence", json_integer ((json_int_t) t->state));
  if (t->attention != NULL)
    put (record, "attention_head_count", t->attention->q_heads);
  if (im->bidirectional)
    json_object_set_new (record, "unavailable_reason",
                         json_string ("The file says that attention is bidirectional: no cache grows."));
}

static void
set_weights (json_t *record, const totals *t, const sums *s)
{
  const char *format = main_format (s);
  if (format != NULL)
    json_object_set_new (record, "weight_format", json_string (format));
  json_t *weights = json_object ();
  if (part_params (s, EXPERT) > 0)
    {
      put (weights, "experts", t->experts);
      put (weights, "top", t->top);
    }
  json_object_set_new (weights, "parts", parts_json (s));
  json_object_set_new (record, "weights", weights);
}

static void
set_layers (json_t *record, const import *im, const groups *gs)
{
  if (im->bidirectional)
    return;                    /* as the records of encoders have it */
  json_t *list = json_array ();
  for (size_t i = 0; i < gs->n; i++)
    json_array_append_new (list, group_json (&gs->group[i]));
  json_object_set_new (record, "layers", list);
}

/* RECORD (taken over) with the fields of document 003 first, in its order. */
static json_t *
in_order (json_t *record)
{
  static const char *const fields[] = {
#define X(key, kind) #key,
    LLMENV_MODEL_FIELDS (X)
#undef X
  };
  json_t *ordered = json_object ();
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (json_object_get (record, fields[i]) != NULL)
      json_object_set (ordered, fields[i], json_object_get (record, fields[i]));
  json_object_update_missing (ordered, record);
  json_decref (record);
  return ordered;
}

static json_t *
provenance_json (const import *im)
{
  return json_pack ("{s:o, s:s, s:s}", "record fields",
                    json_sprintf ("imported from a GGUF file of version %u, architecture %s",
                                  im->gguf->version, im->arch),
                    "layers", "metadata and tensor names of the file",
                    "weights", "exact parameters and bytes of the file's tensor table");
}

static void
note_file (const import *im)
{
  const llmenv_gguf *g = im->gguf;
  llmenv_import_note (im->notes, "GGUF version %u, %s endian, %u file%s: %zu tensors, %llu bytes, %llu weights",
                      g->version, g->big_endian ? "big" : "little", g->n_files,
                      g->n_files == 1 ? "" : "s", g->n_tensors,
                      (unsigned long long) g->bytes, (unsigned long long) g->elements);
  if (g->missing > 0)
    llmenv_import_note (im->notes, "%llu bytes of tensor data are missing at the end: "
                        "a download that did not finish?",
                        (unsigned long long) g->missing);
}

/* Where an attention layer's K tensor is there, it must agree with the heads. */
static void
note_contradictions (const import *im, const groups *gs)
{
  const llmenv_layer_group *g = gs->n == 0 ? NULL : &gs->group[0].group;
  if (g == NULL || (g->kind != LLMENV_FULL && g->kind != LLMENV_WINDOW))
    return;
  for (size_t i = 0; i < im->gguf->n_tensors; i++)
    {
      const llmenv_gguf_tensor *t = &im->gguf->tensors[i];
      if (strcmp (t->name, "blk.0.attn_k.weight") == 0
          && (double) t->dims[1] != g->kv_heads * g->k_dim)
        llmenv_import_note (im->notes, "blk.0.attn_k.weight has %llu rows, "
                            "the metadata give %.15g heads of %.15g",
                            (unsigned long long) t->dims[1], g->kv_heads, g->k_dim);
    }
}

static llmenv_status
build (import *im, groups *gs, sums *s, json_t **record)
{
  see_tensors (im);
  TRY (count_blocks (im));
  TRY (collect_layers (im, gs));
  sum_weights (im, s);
  const totals t = add_up (gs);
  if (part_params (s, EXPERT) > 0 && !(t.experts > 0))
    return refuse_key (im, "expert_count", "missing or 0, but there are experts' tensors");
  json_t *json = json_object ();
  set_names (im, json);
  set_sizes (json, im, &t, s);
  set_attention (json, im, &t);
  set_extras (json, im, &t);
  set_layers (json, im, gs);
  set_weights (json, &t, s);
  json_object_set_new (json, "provenance", provenance_json (im));
  note_file (im);
  note_contradictions (im, gs);
  *record = in_order (json);
  return LLMENV_OK;
}

/* Refuse what is no language model, or one that is not modelled. */
static llmenv_status
check_kind (import *im)
{
  const char *type = general_text (im, "general.type");
  const json_t *arch = json_object_get (im->gguf->metadata, "general.architecture");
  const char *why = NULL;
  if (json_is_object (arch))   /* a text too long to be kept */
    why = "general.architecture: absurdly long";
  else if (arch != NULL && im->arch == NULL)
    why = "general.architecture: expected a text";
  else if (im->arch == NULL)
    why = "general.architecture: missing, not a model";
  else if (strlen (im->arch) > 100)
    why = "general.architecture: absurdly long";
  else if (type != NULL && strcmp (type, "model") != 0)
    why = "general.type: a projector, adapter or vocabulary, give the language model's file";
  else if (strcmp (im->arch, "clip") == 0)
    why = "general.architecture: clip, a projector; give the language model's file";
  else if (im->gguf->n_tensors == 0)
    why = "no tensors, a vocabulary only";
  else if (strcmp (im->arch, "deepseek4") == 0)
    why = "general.architecture: deepseek4, whose compressed caches are not modelled";
  return why == NULL ? LLMENV_OK
         : llmenv_error_set (im->error, LLMENV_EBADRECORD, "%s: %s", im->file, why);
}

llmenv_status
llmenv_gguf_record (const llmenv_gguf *gguf, const char *file, json_t **record,
                    llmenv_import_notes *notes, llmenv_error *error)
{
  struct { import im; groups gs; sums s; } *work = calloc (1, sizeof *work);
  if (work == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  import *im = &work->im;
  im->gguf = gguf;
  im->file = file;
  im->notes = notes;
  im->error = error;
  im->arch = general_text (im, "general.architecture");
  llmenv_status st = check_kind (im);
  if (st == LLMENV_OK)
    {
      im->bidirectional = is_one_of (im->arch, diffusion_archs)
                          || is_one_of (im->arch, encoder_archs) || holds (im->arch, "bert")
                          || json_is_false (find (im, "attention.causal"));
      st = build (im, &work->gs, &work->s, record);
    }
  free (work);
  return st;
}

llmenv_status
llmenv_import_gguf (const char *path, json_t **record, llmenv_import_notes *notes,
                    llmenv_error *error)
{
  llmenv_gguf gguf;
  TRY (llmenv_gguf_open (path, &gguf, error));
  const llmenv_status st = llmenv_gguf_record (&gguf, path, record, notes, error);
  llmenv_gguf_free (&gguf);
  return st;
}
