/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reduction of layers, weights and card: every kind of layer against sums
 * written out by hand (spec section 2), weights by roles, touched experts,
 * settings outside their domain. */
#include "check.h"

/* ---- models made here -------------------------------------------------- */

static llmenv_model
plain_model (void)
{
  return (llmenv_model) {
    .published = { NAN, NAN, NAN, NAN }, .scalars = { NAN, NAN, NAN, NAN },
    .format_bytes = 2, .kv_reason = LLMENV_HAS_VALUE };
}

static llmenv_envelope
envelope_of (const llmenv_model *m, const llmenv_settings *s)
{
  llmenv_envelope e;
  assert_int_equal (llmenv_envelope_make (m, NULL, s, &e), LLMENV_OK);
  return e;
}

static llmenv_envelope
envelope_of_layers (const llmenv_layer_group *layers, size_t n, const llmenv_settings *s)
{
  llmenv_model m = plain_model ();
  m.layers = layers;
  m.n_layers = n;
  return envelope_of (&m, s);
}

/* ---- one kind at a time ------------------------------------------------ */

/* Two layers, 4 query and 2 KV heads, K 3 wide and V 5 wide. With K at 2 bytes
 * and V at 1 a token takes 2 x 2 x (3 x 2 + 5 x 1) = 44 bytes, and costs
 * 2 layers x 2 x 4 heads x (3 + 5) = 128 FLOP. */
#define HEADS(k) { .kind = k, .count = 2, .q_heads = 4, .kv_heads = 2, .k_dim = 3, .v_dim = 5 }
/* Three layers, 4 heads, latent 8 + rotary 2 wide: 3 x 10 x 2 = 60 bytes and
 * 3 x 2 x 4 x (2 x 8 + 2) = 432 FLOP a token. */
#define LATENT(k) { .kind = k, .count = 3, .q_heads = 4, .rank = 8, .rope_dim = 2 }

static const llmenv_layer_group
  full = HEADS (LLMENV_FULL),
  window = { .kind = LLMENV_WINDOW, .count = 2, .q_heads = 4, .kv_heads = 2, .k_dim = 3, .v_dim = 5, .window = 6 },
  chunk = { .kind = LLMENV_CHUNK, .count = 2, .q_heads = 4, .kv_heads = 2, .k_dim = 3, .v_dim = 5, .window = 7 },
  latent = LATENT (LLMENV_LATENT),
  /* 2 index heads, 5 wide: 3 x 5 x 2 = 30 bytes, 3 x 2 x 2 x 5 = 60 FLOP. */
  sparse = { .kind = LLMENV_SPARSE_LATENT, .count = 3, .q_heads = 4, .rank = 8, .rope_dim = 2, .top = 6, .index_heads = 2, .index_dim = 5 },
  shared_full = { .kind = LLMENV_SHARED, .reads = LLMENV_FULL, .count = 2, .q_heads = 4, .kv_heads = 2, .k_dim = 3, .v_dim = 5 },
  shared_window = { .kind = LLMENV_SHARED, .reads = LLMENV_WINDOW, .count = 2, .q_heads = 4, .kv_heads = 2, .k_dim = 3, .v_dim = 5, .window = 6 },
  shared_latent = { .kind = LLMENV_SHARED, .reads = LLMENV_LATENT, .count = 3, .q_heads = 4, .rank = 8, .rope_dim = 2 },
  shared_sparse = { .kind = LLMENV_SHARED, .reads = LLMENV_SPARSE_LATENT, .count = 3, .q_heads = 4, .rank = 8, .rope_dim = 2, .top = 6, .index_heads = 2, .index_dim = 5 },
  cross = { .kind = LLMENV_CROSS, .count = 2, .q_heads = 4, .kv_heads = 2, .k_dim = 3, .v_dim = 5, .length = 10 },
  /* 2 x (7 x 4 + 3 x 2) = 68 bytes of state. */
  recurrent = { .kind = LLMENV_RECURRENT, .count = 2, .state_elements = 7, .conv_elements = 3, .state_bytes_each = 4, .conv_bytes_each = 2 },
  encoder = HEADS (LLMENV_ENCODER),
  none = HEADS (LLMENV_NO_CACHE),
  /* Attention and a state in one layer (Falcon-H1). */
  both = { .kind = LLMENV_FULL, .count = 2, .q_heads = 4, .kv_heads = 2, .k_dim = 3, .v_dim = 5, .state_elements = 7, .conv_elements = 3, .state_bytes_each = 4, .conv_bytes_each = 2 };

enum { BOUND, MEAN };

static const struct
{
  const char *name;
  const llmenv_layer_group *group;
  int chunk;
  double L, held, read, flops;
} kinds[] = {
  { "full at 0", &full, BOUND, 0, 0, 0, 0 },
  { "full at 1", &full, BOUND, 1, 44, 44, 128 },
  { "full at 10", &full, BOUND, 10, 440, 440, 1280 },
  { "full at 2^20", &full, BOUND, 1048576, 46137344, 46137344, 134217728 },
  { "full at 2.5", &full, BOUND, 2.5, 110, 110, 320 },
  { "window below", &window, BOUND, 5, 220, 220, 640 },
  { "window at its end", &window, BOUND, 6, 264, 264, 768 },
  { "window above", &window, BOUND, 7, 264, 264, 768 },
  { "window far above", &window, BOUND, 1e9, 264, 264, 768 },
  { "window, chunks at mean", &window, MEAN, 100, 264, 264, 768 },
  { "chunk below", &chunk, BOUND, 6, 264, 264, 768 },
  { "chunk at its end", &chunk, BOUND, 7, 308, 308, 896 },
  { "chunk above, bound", &chunk, BOUND, 8, 308, 308, 896 },
  { "chunk below, mean", &chunk, MEAN, 6, 264, 264, 768 },
  { "chunk at its end, mean", &chunk, MEAN, 7, 308, 308, 896 },
  /* (7 + 1)/2 = 4 tokens read, 7 held. */
  { "chunk above, mean", &chunk, MEAN, 8, 308, 176, 512 },
  { "chunk far above, mean", &chunk, MEAN, 1e6, 308, 176, 512 },
  { "latent at 10", &latent, BOUND, 10, 600, 600, 4320 },
  { "sparse below its top", &sparse, BOUND, 5, 450, 5 * 60 + 5 * 30, 5 * 432 + 5 * 60 },
  { "sparse at its top", &sparse, BOUND, 6, 540, 6 * 60 + 6 * 30, 6 * 432 + 6 * 60 },
  { "sparse above its top", &sparse, BOUND, 7, 630, 6 * 60 + 7 * 30, 6 * 432 + 7 * 60 },
  { "sparse far above", &sparse, BOUND, 1000, 90000, 6 * 60 + 1000 * 30, 6 * 432 + 1000 * 60 },
  { "shared full", &shared_full, BOUND, 10, 0, 440, 1280 },
  { "shared window above", &shared_window, BOUND, 10, 0, 264, 768 },
  { "shared latent", &shared_latent, BOUND, 10, 0, 600, 4320 },
  { "shared sparse above", &shared_sparse, BOUND, 7, 0, 6 * 60 + 7 * 30, 6 * 432 + 7 * 60 },
  { "cross at 0", &cross, BOUND, 0, 440, 440, 1280 },
  { "cross at 10^6", &cross, BOUND, 1e6, 440, 440, 1280 },
  { "recurrent at 0: once held, twice read", &recurrent, BOUND, 0, 68, 136, 0 },
  { "recurrent at 10^6", &recurrent, BOUND, 1e6, 68, 136, 0 },
  { "attention with a state", &both, BOUND, 10, 440 + 68, 440 + 136, 1280 },
  { "encoder", &encoder, BOUND, 10, 0, 0, 0 },
  { "none", &none, BOUND, 10, 0, 0, 0 },
};

static llmenv_settings
k_2_v_1 (int chunk_mode)
{
  llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  s.k_bytes = 2;
  s.v_bytes = 1;
  s.chunk = chunk_mode == MEAN ? LLMENV_CHUNK_MEAN : LLMENV_CHUNK_BOUND;
  return s;
}

static void
every_kind_is_the_sum_by_hand (void **state)
{
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (kinds); i++)
    {
      const llmenv_settings s = k_2_v_1 (kinds[i].chunk);
      const llmenv_envelope e = envelope_of_layers (kinds[i].group, 1, &s);
      NEAR (llmenv_envelope_sum (&e, LLMENV_HELD, kinds[i].L), kinds[i].held, 0, kinds[i].name);
      NEAR (llmenv_envelope_sum (&e, LLMENV_READ, kinds[i].L), kinds[i].read, 0, kinds[i].name);
      NEAR (llmenv_envelope_sum (&e, LLMENV_FLOPS, kinds[i].L), kinds[i].flops, 0, kinds[i].name);
    }
}

/* All cases of the same chunk mode in one model: the sum of the parts. */
static void
a_model_is_the_sum_of_its_layers (void **state)
{
  static const llmenv_layer_group *const groups[]
    = { &full, &window, &chunk, &latent, &sparse, &shared_full, &shared_window,
        &shared_sparse, &cross, &recurrent, &encoder, &none, &both };
  static const double lengths[] = { 0, 1, 5, 6, 6.5, 7, 8, 100, 1e6 };
  llmenv_layer_group all[N_OF_ARRAY (groups)];
  (void) state;
  for (int mode = BOUND; mode <= MEAN; mode++)
    for (size_t k = 0; k < N_OF_ARRAY (lengths); k++)
      {
        const llmenv_settings s = k_2_v_1 (mode);
        double want[3] = { 0, 0, 0 };
        for (size_t i = 0; i < N_OF_ARRAY (groups); i++)
          {
            all[N_OF_ARRAY (groups) - 1 - i] = *groups[i];  /* any order */
            const llmenv_envelope one = envelope_of_layers (groups[i], 1, &s);
            for (int sum = 0; sum < 3; sum++)
              want[sum] += llmenv_envelope_sum (&one, (llmenv_sum) sum, lengths[k]);
          }
        const llmenv_envelope e = envelope_of_layers (all, N_OF_ARRAY (groups), &s);
        for (int sum = 0; sum < 3; sum++)
          NEAR (llmenv_envelope_sum (&e, (llmenv_sum) sum, lengths[k]), want[sum], 0, "sum");
      }
}

static void
state_type_sets_matrices_and_columns (void **state)
{
  static const struct { double bytes, held; } cases[] = {
    { NAN, 68 }, { 2, 2 * (7 + 3) * 2 }, { 4, 2 * (7 + 3) * 4 }, { 1, 20 } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
      s.state_bytes_each = cases[i].bytes;
      const llmenv_envelope e = envelope_of_layers (&recurrent, 1, &s);
      NEAR (llmenv_envelope_sum (&e, LLMENV_HELD, 3), cases[i].held, 0, "held");
      NEAR (llmenv_envelope_sum (&e, LLMENV_READ, 3), 2 * cases[i].held, 0, "read");
    }
}

/* An absent part of the state has no type; NaN there must not spread. */
static void
an_absent_state_needs_no_type (void **state)
{
  llmenv_layer_group g = full;
  const llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  (void) state;
  g.state_bytes_each = g.conv_bytes_each = NAN;
  const llmenv_envelope e = envelope_of_layers (&g, 1, &s);
  NEAR (llmenv_envelope_sum (&e, LLMENV_HELD, 1), 2 * 2 * (3 * 2 + 5 * 2), 0, "held");
}

/* Shipped models at contexts around their windows, from their geometry. */
static void
shipped_caches_are_their_geometry (void **state)
{
  static const struct { const char *id; double L, bytes; } cases[] = {
    { "llama-3-1-8b", 8192, 32.0 * 8 * 128 * 2 * 2 * 8192 },
    /* 52 layers of 1,024 tokens, 10 of all; 16 heads, 128 wide. */
    { "gemma-3-27b", 1024, 62.0 * 16 * 128 * 4 * 1024 },
    { "gemma-3-27b", 8192, 16.0 * 128 * 4 * (52.0 * 1024 + 10.0 * 8192) },
    { "deepseek-v3", 65536, 61.0 * 576 * 2 * 65536 },
    /* the latent plus 128 indexer elements */
    { "deepseek-v3-2", 8192, 61.0 * (576 + 128) * 2 * 8192 },
    { "nemotron-h-8b-base-8k", 0, 24.0 * (1048576 + 30720) * 2 },
    { "nemotron-h-8b-base-8k", 100, 24.0 * (1048576 + 30720) * 2 + 16384.0 * 100 },
    /* 18 layers of 128 tokens, 18 of all; 8 heads, 64 wide */
    { "gpt-oss-120b", 8192, 8.0 * 64 * 4 * (18.0 * 128 + 18.0 * 8192) },
    /* spec section 4: 12 full layers, 33 of 512 tokens */
    { "step-3-5-flash", 8192, 8.0 * 128 * 4 * (12.0 * 8192 + 33.0 * 512) },
    /* 32 decoder layers and 1,500 encoder positions */
    { "whisper-large-v3", 0, 32.0 * 1500 * 20 * 64 * 4 },
    { "whisper-large-v3", 100, 32.0 * (1500 + 100) * 20 * 64 * 4 },
    { "gemma-4-31b", 1, 901120 }, { "gemma-4-12b", 1, 344064 },
    { "gemma-4-26b-a4b", 1, 225280 },
    { "phi-3-5-mini-instruct", 1, 393216 }, { "gte-qwen2-1-5b-instruct", 1, 28672 },
  };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_envelope e = shipped (cases[i].id, NULL, NULL);
      NEAR (llmenv_envelope_sum (&e, LLMENV_HELD, cases[i].L), cases[i].bytes, 0, cases[i].id);
    }
}

/* ---- bends ------------------------------------------------------------- */

static void
windows_up_to_the_limit_are_kept_apart (void **state)
{
  llmenv_layer_group g[LLMENV_MAX_BENDS + 1];
  const llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  llmenv_model m = plain_model ();
  llmenv_envelope e;
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (g); i++)
    {
      g[i] = window;
      /* Neither rising nor falling order. */
      g[i].window = 10 * (double) ((i * 7) % N_OF_ARRAY (g) + 1);
    }
  m.layers = g;
  m.n_layers = LLMENV_MAX_BENDS;
  assert_int_equal (llmenv_envelope_make (&m, NULL, &s, &e), LLMENV_OK);
  for (double L = 0; L < 400; L += 2.5)
    {
      double want = 0;  /* 2 layers x 2 heads x (3 + 5) x 2 bytes */
      for (size_t i = 0; i < m.n_layers; i++)
        want += 64 * fmin (L, g[i].window);
      NEAR (llmenv_envelope_sum (&e, LLMENV_HELD, L), want, 0, "held");
    }
  memset (&e, 0x5A, sizeof e);
  const llmenv_envelope before = e;
  m.n_layers = LLMENV_MAX_BENDS + 1;
  assert_int_equal (llmenv_envelope_make (&m, NULL, &s, &e), LLMENV_ETOOLARGE);
  assert_memory_equal (&e, &before, sizeof e);
}

static void
infinite_and_nan_contexts_are_answered (void **state)
{
  const llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  const llmenv_envelope w = envelope_of_layers (&window, 1, &s);
  const llmenv_envelope f = envelope_of_layers (&full, 1, &s);
  (void) state;
  NEAR (llmenv_envelope_sum (&w, LLMENV_HELD, INFINITY), 64 * 6, 0, "window");
  NEAR (llmenv_envelope_sum (&f, LLMENV_HELD, INFINITY), INFINITY, 0, "full");
  NEAR (llmenv_envelope_sum (&w, LLMENV_HELD, NAN), NAN, 0, "window");
  NEAR (llmenv_envelope_sum (&f, LLMENV_FLOPS, NAN), NAN, 0, "full");
}

/* ---- published --------------------------------------------------------- */

/* One k and one g: b bytes an element turn k into k b/2 and g into 2 g/b. */
static void
published_is_one_line (void **state)
{
  static const struct { double kb, vb, read; } cases[] = {
    { 2, 2, 1000 }, { 1, 1, 500 }, { 34.0 / 32, 34.0 / 32, 531.25 }, { 2, 1, 750 } };
  llmenv_model m = plain_model ();
  m.published = (llmenv_scalars) { 7e9, 7e9, 1000, 4 };
  m.layers = &window;             /* not looked at */
  m.n_layers = 1;
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      llmenv_settings s = llmenv_settings_default (LLMENV_PUBLISHED);
      s.k_bytes = cases[i].kb;
      s.v_bytes = cases[i].vb;
      const llmenv_envelope e = envelope_of (&m, &s);
      NEAR (llmenv_envelope_sum (&e, LLMENV_HELD, 3), 3 * cases[i].read, 1e-15, "held");
      NEAR (llmenv_envelope_sum (&e, LLMENV_READ, 3), 3 * cases[i].read, 1e-15, "read");
      NEAR (llmenv_envelope_sum (&e, LLMENV_FLOPS, 3), 3 * 4 * 1000, 0, "flops");
    }
}

static void
without_layers_layered_uses_the_right_scalars (void **state)
{
  llmenv_model m = plain_model ();
  const llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  m.published = (llmenv_scalars) { 7e9, 7e9, 1000, 4 };
  m.scalars = (llmenv_scalars) { 8e9, 8e9, 2000, 5 };
  m.format_bytes = 1;
  (void) state;
  const llmenv_envelope e = envelope_of (&m, &s);
  NEAR (llmenv_envelope_sum (&e, LLMENV_READ, 3), 6000, 0, "read");
  NEAR (llmenv_envelope_sum (&e, LLMENV_FLOPS, 3), 30000, 0, "flops");
  NEAR (e.held, 8e9, 0, "held");    /* nothing is subtracted */
  NEAR (llmenv_envelope_weights (&e, 1), 8e9, 0, "weights");
}

static void
silent_records_give_nan_sums (void **state)
{
  static const llmenv_reason reasons[] = { LLMENV_NO_RECORD, LLMENV_NOT_APPLICABLE };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (reasons); i++)
    for (int c = LLMENV_LAYERED; c <= LLMENV_PUBLISHED; c++)
      {
        llmenv_model m = plain_model ();
        const llmenv_settings s = llmenv_settings_default ((llmenv_convention) c);
        m.kv_reason = reasons[i];
        m.published = m.scalars = (llmenv_scalars) { 1e9, 1e9, 0, 1 };
        const llmenv_envelope e = envelope_of (&m, &s);
        for (int sum = 0; sum < 3; sum++)
          NEAR (llmenv_envelope_sum (&e, (llmenv_sum) sum, 10), NAN, 0, "sum");
        NEAR (llmenv_envelope_weights (&e, 1), 2e9, 0, "weights");
        assert_int_equal (e.kv_reason, reasons[i]);
      }
}

/* ---- weights ----------------------------------------------------------- */

/* Parameters 1, 2, 4, ... so that every sum tells its parts. */
static const llmenv_weight_part parts[] = {
  { LLMENV_ROLE_SHARED, 1, 2 }, { LLMENV_ROLE_ROUTED, 2, 0.5 },
  { LLMENV_ROLE_HEAD, 4, 2 }, { LLMENV_ROLE_EMBEDDING, 8, 2 },
  { LLMENV_ROLE_TABLE, 16, 2 }, { LLMENV_ROLE_TOWER, 32, 4 },
  { LLMENV_ROLE_ENCODER, 64, 2 }, { LLMENV_ROLE_MTP, 128, 1 } };

static llmenv_model
model_of_parts (void)
{
  llmenv_model m = plain_model ();
  m.parts = parts;
  m.n_parts = N_OF_ARRAY (parts);
  m.experts = 8;
  m.top = 2;
  return m;
}

/* share = 2/8, so a token streams a quarter of the routed 2 x 0.5 bytes.
 * always = 1 x 2 + 4 x 2 = 10; with lookups streamed + (8 + 16) x 2 = 58. */
static void
roles_decide_what_is_streamed_held_and_computed (void **state)
{
  static const struct
  {
    llmenv_embedding embedding;
    llmenv_basis basis;
    double B, weights, flops;
  } cases[] = {
    { LLMENV_LOOKUP, LLMENV_ACTIVE, 1, 10.25, 2 * (5 + 0.5) },
    { LLMENV_LOOKUP, LLMENV_ACTIVE, 1000, 10.25, 11 },
    { LLMENV_LOOKUP, LLMENV_RESIDENT, 1, 11, 11 },
    { LLMENV_LOOKUP, LLMENV_TOUCHED, 0, 10, 11 },
    { LLMENV_LOOKUP, LLMENV_TOUCHED, 1, 10.25, 11 },
    /* 1 - 0.75^2 = 0.4375, 1 - 0.75^3 = 0.578125 */
    { LLMENV_LOOKUP, LLMENV_TOUCHED, 2, 10.4375, 11 },
    { LLMENV_LOOKUP, LLMENV_TOUCHED, 3, 10.578125, 11 },
    { LLMENV_LOOKUP, LLMENV_TOUCHED, INFINITY, 11, 11 },
    { LLMENV_LOOKUP, LLMENV_BASIS_DEFAULT, 2, 10.4375, 11 },
    { LLMENV_STREAMED, LLMENV_ACTIVE, 1, 58.25, 2 * (29 + 0.5) },
    { LLMENV_STREAMED, LLMENV_RESIDENT, 1, 59, 59 },
  };
  const llmenv_model m = model_of_parts ();
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
      s.embedding = cases[i].embedding;
      s.basis = cases[i].basis;
      const llmenv_envelope e = envelope_of (&m, &s);
      NEAR (llmenv_envelope_weights (&e, cases[i].B), cases[i].weights, 1e-15, "weights");
      NEAR (e.flops, cases[i].flops, 0, "flops");
      /* 2 + 1 + 8 + 16 + 32 + 128 + 128 + 128, whatever is streamed */
      NEAR (e.held, 443, 0, "held");
      /* The FLOPs do not shrink with the storage. */
      s.weight_bytes_each = 0.5;
      const llmenv_envelope half = envelope_of (&m, &s);
      NEAR (half.flops, cases[i].flops, 0, "flops at 4 bits");
      NEAR (half.held, 255 * 0.5, 0, "held at 4 bits");
    }
}

/* Exact bytes are spread over the parts by parameters: 255 of them. */
static void
exact_bytes_are_spread_by_parameters (void **state)
{
  const llmenv_model m = model_of_parts ();
  llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  (void) state;
  s.weight_bytes = 510;
  s.weight_bytes_each = 7;      /* exact bytes win */
  const llmenv_envelope e = envelope_of (&m, &s);
  NEAR (e.held, 510, 1e-15, "held");
  NEAR (llmenv_envelope_weights (&e, 1), 2 * (5 + 0.5), 1e-15, "streamed");
  llmenv_model scalar = plain_model ();
  scalar.published = (llmenv_scalars) { 8e9, 8e9, 1000, 4 };
  s.convention = LLMENV_PUBLISHED;
  s.weight_bytes = 4.9e9;
  const llmenv_envelope p = envelope_of (&scalar, &s);
  NEAR (llmenv_envelope_weights (&p, 1), 4.9e9, 1e-15, "published");
  NEAR (p.flops, 16e9, 0, "flops");
}

/* 16e9 in all, 5.5e9 active, 2 of 8 experts: X = 10.5e9/(1 - 1/4) = 14e9 and
 * S = 2e9; two bytes each. */
static void
scalars_split_into_shared_and_routed (void **state)
{
  llmenv_model m = plain_model ();
  llmenv_settings s = llmenv_settings_default (LLMENV_PUBLISHED);
  m.published = (llmenv_scalars) { 16e9, 5.5e9, 1000, 4 };
  m.experts = 8;
  m.top = 2;
  (void) state;
  s.basis = LLMENV_TOUCHED;
  llmenv_envelope e = envelope_of (&m, &s);
  NEAR (llmenv_envelope_weights (&e, 0), 4e9, 1e-15, "S");
  NEAR (llmenv_envelope_weights (&e, 1), 11e9, 1e-15, "P");
  NEAR (llmenv_envelope_weights (&e, 2), 2 * (2e9 + 14e9 * 0.4375), 1e-15, "B = 2");
  NEAR (llmenv_envelope_weights_limit (&e), 32e9, 1e-15, "P_tot");
  s.basis = LLMENV_ACTIVE;
  e = envelope_of (&m, &s);
  NEAR (llmenv_envelope_weights (&e, 99), 11e9, 0, "active");
  s.basis = LLMENV_RESIDENT;
  e = envelope_of (&m, &s);
  NEAR (llmenv_envelope_weights (&e, 1), 32e9, 0, "resident");
  /* A silent e/E: no split, but active and resident need none. */
  m.experts = m.top = NAN;
  NEAR ((e = envelope_of (&m, &s), llmenv_envelope_weights (&e, 1)), 32e9, 0, "resident");
  s.basis = LLMENV_TOUCHED;
  NEAR ((e = envelope_of (&m, &s), llmenv_envelope_weights (&e, 2)), NAN, 0, "touched");
}

static void
a_dense_model_has_one_weight_on_every_basis (void **state)
{
  static const char *const bases[] = { "active", "touched", "resident" };
  static const double batches[] = { 1, 2, 64, 1e6 };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (bases); i++)
    for (size_t k = 0; k < N_OF_ARRAY (batches); k++)
      {
        llmenv_envelope e = shipped ("llama-3-1-8b", NULL, "Basis", bases[i], NULL);
        /* 8,030,261,248 less the 525,336,576 of the input embedding. */
        NEAR (llmenv_envelope_weights (&e, batches[k]), 2.0 * 7504924672, 0, bases[i]);
        NEAR (e.held, 2.0 * 8030261248, 0, "held");
        e = shipped ("llama-3-1-8b", NULL, "Basis", bases[i], "Convention", "published", NULL);
        NEAR (llmenv_envelope_weights (&e, batches[k]), 16.06e9, 1e-15, bases[i]);
      }
}

/* ---- touched weights against long double ------------------------------- */

static const struct { double experts, top; } routings[] = {
  { 8, 2 }, { 16, 1 }, { 128, 4 }, { 256, 8 }, { 384, 8 }, { 512, 10 },
  { 896, 16 }, { 1e6, 1 } };
static const double batches[] = {
  1e-6, 0.5, 1, 2, 3, 7, 31, 32, 33, 100, 1000, 12345, 1e5, 1e6, 3e6, 1e7, 5e8 };

static llmenv_envelope
routed_only_by (double experts, double top, llmenv_weight_part own[2])
{
  llmenv_model m = plain_model ();
  llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  own[0] = (llmenv_weight_part) { LLMENV_ROLE_SHARED, 3e9, 2 };
  own[1] = (llmenv_weight_part) { LLMENV_ROLE_ROUTED, 97e9, 2 };
  m.parts = own;
  m.n_parts = 2;
  m.experts = experts;
  m.top = top;
  return envelope_of (&m, &s);
}

static void
touched_weights_are_those_of_long_double (void **state)
{
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (routings); i++)
    for (size_t k = 0; k < N_OF_ARRAY (batches); k++)
      {
        llmenv_weight_part own[2];
        const llmenv_envelope e = routed_only_by (routings[i].experts, routings[i].top, own);
        const long double share = (long double) routings[i].top / routings[i].experts;
        const long double B = batches[k];
        const long double by_expm1 = -expm1l (B * log1pl (-share));
        const double want = (double) (6e9L + 194e9L * by_expm1);
        NEAR (llmenv_envelope_weights (&e, batches[k]), want, 1e-15 * 4, "expm1");
        /* The power itself: rounding 1 - e/E to 2^-64 costs B 2^-64. */
        if (B >= 1)
          NEAR (llmenv_envelope_weights (&e, batches[k]),
                (double) (6e9L + 194e9L * (1 - powl (1 - share, B))), 1e-12, "power");
      }
}

static void
touched_is_active_at_one_rising_and_bounded (void **state)
{
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (routings); i++)
    {
      llmenv_weight_part own[2];
      const llmenv_envelope e = routed_only_by (routings[i].experts, routings[i].top, own);
      NEAR (llmenv_envelope_weights (&e, 1),
            6e9 + 194e9 * routings[i].top / routings[i].experts, 1e-15 * 4, "B = 1");
      NEAR (llmenv_envelope_weights (&e, INFINITY), 200e9, 0, "limit");
      NEAR (llmenv_envelope_weights_limit (&e), 200e9, 0, "limit");
      NEAR (llmenv_envelope_weights (&e, 0), 6e9, 0, "B = 0");
      NEAR (llmenv_envelope_weights (&e, NAN), NAN, 0, "NaN");
      double before = 6e9;
      for (size_t k = 0; k < N_OF_ARRAY (batches); k++)
        {
          const double W = llmenv_envelope_weights (&e, batches[k]);
          assert_true (W >= before && W <= 200e9);
          before = W;
        }
    }
}

/* e = E: everything is touched by the first token. */
static void
all_experts_at_once_is_dense (void **state)
{
  llmenv_weight_part own[2];
  const llmenv_envelope e = routed_only_by (4, 4, own);
  (void) state;
  NEAR (llmenv_envelope_weights (&e, 1), 200e9, 0, "B = 1");
  NEAR (llmenv_envelope_weights (&e, 64), 200e9, 0, "B = 64");
  NEAR (e.flops, 200e9, 0, "flops");
}

/* ---- card and settings ------------------------------------------------- */

static void
a_gang_adds_and_efficiencies_multiply (void **state)
{
  const llmenv_card card = { 100e12, 2e12, 80e9 };
  const llmenv_model m = model_of_parts ();
  llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  llmenv_envelope e;
  (void) state;
  s.count = 3;
  s.compute_efficiency = 0.5;
  s.bandwidth_efficiency = 0.8;
  assert_int_equal (llmenv_envelope_make (&m, &card, &s, &e), LLMENV_OK);
  NEAR (e.peak, 150e12, 1e-15, "peak");
  NEAR (e.bandwidth, 4.8e12, 1e-15, "bandwidth");
  NEAR (e.memory, 240e9, 1e-15, "memory");
  NEAR (e.ridge, 50 * 0.5 / 0.8, 1e-15, "R eta_c/eta_b");
  NEAR (e.reserve, 1.5e9, 0, "once per gang");
  s.memory = 10e9;
  assert_int_equal (llmenv_envelope_make (&m, &card, &s, &e), LLMENV_OK);
  NEAR (e.memory, 30e9, 1e-15, "memory given");
  assert_int_equal (llmenv_envelope_make (&m, NULL, &s, &e), LLMENV_OK);
  NEAR (e.ridge, NAN, 0, "no card");
}

static void
defaults_are_those_of_the_specification (void **state)
{
  (void) state;
  for (int c = LLMENV_LAYERED; c <= LLMENV_PUBLISHED; c++)
    {
      const llmenv_settings s = llmenv_settings_default ((llmenv_convention) c);
      const double got[] = { s.k_bytes, s.v_bytes, s.reserve, s.utilization, s.count,
                             s.bandwidth_efficiency, s.compute_efficiency, s.overhead };
      static const double want[] = { 2, 2, 1.5e9, 1, 1, 1, 1, 0 };
      for (size_t i = 0; i < N_OF_ARRAY (want); i++)
        NEAR (got[i], want[i], 0, "default");
      assert_true (isnan (s.weight_bytes) && isnan (s.weight_bytes_each)
                   && isnan (s.state_bytes_each) && isnan (s.memory));
      const llmenv_model m = plain_model ();
      const llmenv_envelope e = envelope_of (&m, &s);
      assert_int_equal (e.basis, c == LLMENV_PUBLISHED ? LLMENV_ACTIVE : LLMENV_TOUCHED);
    }
}

/* Offsets of the numbers of settings, with what each refuses. */
enum { ZERO_BAD = 1, ABOVE_1_BAD = 2, BELOW_1_BAD = 4, NAN_GOOD = 8 };

static const struct
{
  const char *name;
  size_t offset;
  int flags;
} numbers[] = {
#define NUMBER(field, flags) { #field, offsetof (llmenv_settings, field), flags }
  NUMBER (weight_bytes_each, ZERO_BAD | NAN_GOOD),
  NUMBER (weight_bytes, ZERO_BAD | NAN_GOOD),
  NUMBER (k_bytes, ZERO_BAD),
  NUMBER (v_bytes, ZERO_BAD),
  NUMBER (state_bytes_each, ZERO_BAD | NAN_GOOD),
  NUMBER (reserve, 0),
  NUMBER (utilization, ZERO_BAD | ABOVE_1_BAD),
  NUMBER (bandwidth_efficiency, ZERO_BAD | ABOVE_1_BAD),
  NUMBER (compute_efficiency, ZERO_BAD | ABOVE_1_BAD),
  NUMBER (overhead, 0),
  NUMBER (count, ZERO_BAD | BELOW_1_BAD),
  NUMBER (memory, ZERO_BAD | NAN_GOOD),
#undef NUMBER
};

static llmenv_status
with_number (size_t i, double value)
{
  llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  const llmenv_model m = plain_model ();
  llmenv_envelope e;
  memset (&e, 0x5A, sizeof e);
  const llmenv_envelope before = e;
  *(double *) (void *) ((char *) &s + numbers[i].offset) = value;
  const llmenv_status st = llmenv_envelope_make (&m, NULL, &s, &e);
  if (st != LLMENV_OK)
    assert_memory_equal (&e, &before, sizeof e);
  return st;
}

static void
settings_outside_their_domain_are_refused (void **state)
{
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (numbers); i++)
    {
      const int flags = numbers[i].flags;
      const struct { double value; int bad; } tries[] = {
        { -1, 1 }, { -1e-300, 1 }, { INFINITY, 1 }, { -INFINITY, 1 },
        { NAN, !(flags & NAN_GOOD) }, { 0, flags & ZERO_BAD },
        { 0.5, flags & BELOW_1_BAD }, { 1, 0 }, { 1.5, flags & ABOVE_1_BAD } };
      for (size_t k = 0; k < N_OF_ARRAY (tries); k++)
        {
          const llmenv_status st = with_number (i, tries[k].value);
          if ((st == LLMENV_EBADVALUE) != (tries[k].bad != 0))
            print_error ("%s = %g: %s\n", numbers[i].name, tries[k].value,
                         llmenv_status_id (st));
          assert_int_equal (st, tries[k].bad ? LLMENV_EBADVALUE : LLMENV_OK);
        }
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (every_kind_is_the_sum_by_hand),
    cmocka_unit_test (a_model_is_the_sum_of_its_layers),
    cmocka_unit_test (state_type_sets_matrices_and_columns),
    cmocka_unit_test (an_absent_state_needs_no_type),
    cmocka_unit_test (shipped_caches_are_their_geometry),
    cmocka_unit_test (windows_up_to_the_limit_are_kept_apart),
    cmocka_unit_test (infinite_and_nan_contexts_are_answered),
    cmocka_unit_test (published_is_one_line),
    cmocka_unit_test (without_layers_layered_uses_the_right_scalars),
    cmocka_unit_test (silent_records_give_nan_sums),
    cmocka_unit_test (roles_decide_what_is_streamed_held_and_computed),
    cmocka_unit_test (exact_bytes_are_spread_by_parameters),
    cmocka_unit_test (scalars_split_into_shared_and_routed),
    cmocka_unit_test (a_dense_model_has_one_weight_on_every_basis),
    cmocka_unit_test (touched_weights_are_those_of_long_double),
    cmocka_unit_test (touched_is_active_at_one_rising_and_bounded),
    cmocka_unit_test (all_experts_at_once_is_dense),
    cmocka_unit_test (a_gang_adds_and_efficiencies_multiply),
    cmocka_unit_test (defaults_are_those_of_the_specification),
    cmocka_unit_test (settings_outside_their_domain_are_refused),
  };
  use_shipped_data ();
  return cmocka_run_group_tests (tests, NULL, NULL);
}
