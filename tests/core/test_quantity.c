/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every quantity in both conventions, against values derived here by hand and
 * against the figures that the documents print. */
#include "check.h"

/* H100 SXM: R = 1000 x 989.5/3350. */
#define R_H100 (989.5 / 3.35)

#define PUBLISHED "Convention", "published"

/* ---- published figures ------------------------------------------------- */

static void
ridges_are_those_printed (void **state)
{
  static const struct { const char *card; double exact; const char *printed; } cases[] = {
    { "nvidia-h100-sxm", 989.5 / 3.350, "295.37" },
    { "nvidia-rtx-4090", 165.2 / 1.008, "163.89" },
    { "nvidia-rtx-3090", 71.2 / 0.936, "76.07" },   /* of its fp16 row */
    { "nvidia-a100-80gb-sxm4", 312 / 2.039, "153.02" },
    { "nvidia-b200", 2500.0 / 8, "312.50" },
    { "nvidia-l40s", 362 / 0.864, "418.98" },
    { "nvidia-h20", 148.0 / 4, "37.00" } };
  char text[32];
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_envelope e = shipped ("llama-3-1-8b", cases[i].card, PUBLISHED, NULL);
      const double R = value_of ("ridge", &e, 1, 1);
      NEAR (R, cases[i].exact, 1e-15, cases[i].card);
      snprintf (text, sizeof text, "%.2f", R);
      assert_string_equal (text, cases[i].printed);
    }
}

/* L_wall = 2P/((R - g) k); document 003 prints its floor, and rounds the two
 * of section 7.6, where fp8 halves k and doubles g. */
static void
walls_are_those_printed (void **state)
{
  static const struct
  {
    const char *id, *kv;
    double P, g, k, printed;
    int rounded;
  } cases[] = {
    { "smollm2-1-7b-instruct", "bf16", 1.711e9, 1, 196608, 59, 0 },
    { "whisper-large-v3", "bf16", 1.543e9, 1, 163840, 63, 0 },
    { "phi-3-5-mini-instruct", "bf16", 3.821e9, 1, 393216, 66, 0 },
    { "deepseek-v3", "bf16", 37e9, 1, 70272, 3577, 0 },
    { "step-3-5-flash", "bf16", 11e9, 8, 196608, 389, 0 },
    { "smollm2-1-7b-instruct", "fp8", 1.711e9, 2, 98304, 119, 1 },
    { "deepseek-v3", "fp8", 37e9, 2, 35136, 7179, 1 },
  };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_envelope e
        = shipped (cases[i].id, "nvidia-h100-sxm", PUBLISHED, "KVType", cases[i].kv, NULL);
      const double wall = value_of ("l_wall", &e, 1, 1);
      NEAR (wall, 2 * cases[i].P / ((R_H100 - cases[i].g) * cases[i].k), 1e-14, cases[i].id);
      NEAR (cases[i].rounded ? round (wall) : floor (wall), cases[i].printed, 0, cases[i].id);
    }
}

/* B* = R W/(2P - (R - g) k L), W = 2P: R/(1 - L/L_wall). */
static void
ridge_batches_are_those_printed (void **state)
{
  static const struct { const char *id; double L, printed; } cases[] = {
    { "deepseek-v3", 1024, 413 }, { "kimi-k3", 1024, 307 },
    { "glm-5-3", 1024, 300 },       /* total weights: P is not recorded */
    { "glm-5-3", 32768, 695 }, { "falcon-h1-7b-base", 1024, 2461 },
    { "mixtral-8x22b", 1024, 2296 }, { "mixtral-8x22b", 8192, INFINITY } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_envelope e = shipped (cases[i].id, "nvidia-h100-sxm", PUBLISHED, NULL);
      const double star = value_of ("b_star", &e, 1, cases[i].L);
      NEAR (floor (star), cases[i].printed, 0, cases[i].id);
      if (isinf (star))
        assert_string_equal (reason_of ("b_star", &e, star), "none");
    }
}

/* B_eq(1) = 2P/k and with all weights 2 P_tot/k. */
static void
balanced_batches_are_those_printed (void **state)
{
  static const struct { const char *id, *basis; double printed; } cases[] = {
    { "smollm2-1-7b-instruct", "active", 17405 }, { "whisper-large-v3", "active", 18835 },
    { "gpt-oss-120b", "active", 138346 }, { "gpt-oss-120b", "resident", 3168402 },
    { "llama-4-maverick", "active", 172932 }, { "llama-4-maverick", "resident", 4085286 } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_envelope e
        = shipped (cases[i].id, NULL, PUBLISHED, "Basis", cases[i].basis, NULL);
      NEAR (floor (value_of ("b_eq", &e, 1, 1)), cases[i].printed, 0, cases[i].id);
      NEAR (value_of ("b_eq", &e, 1, 8192) * 8192, value_of ("b_eq", &e, 1, 1), 1e-15, "1/L");
    }
}

/* Ceiling 2P/(k L) + g. */
static void
ceilings_are_those_printed (void **state)
{
  static const struct { const char *id; double L, printed; } cases[] = {
    { "deepseek-v3", 8192, 129.5 }, { "gemma-3-27b", 131072, 2.8 },
    { "smollm2-1-7b-instruct", 8192, 3.1 }, { "smollm2-1-7b-instruct", 32768, 1.5 },
    { "smollm2-1-7b-instruct", 131072, 1.1 } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_envelope e = shipped (cases[i].id, NULL, PUBLISHED, NULL);
      NEAR (round (10 * value_of ("ceiling", &e, 1, cases[i].L)) / 10, cases[i].printed,
            1e-15, cases[i].id);
    }
}

/* ---- document 000 ------------------------------------------------------ */

/* Each figure to the digits that the document prints. */
static const struct
{
  const char *name, *model, *weights, *card, *count, *kv;
  const char *quantity;
  double B, L, printed, unit;   /* equal after rounding to `unit` */
} document_000[] = {
#define Q4 "llama-3-1-8b", "4.9e9"
#define FP16 "llama-3-1-8b", "16.06e9"
#define B70 "llama-3-3-70b", "40.7e9", "nvidia-rtx-3090", "2"
#define RTX4090 "nvidia-rtx-4090", "1"
  { "n* 8B at 4 bits", Q4, RTX4090, "bf16", "n_star", 1, 1, 228, 1 },
  { "n* 8B at 16 bits", FP16, RTX4090, "bf16", "n_star", 1, 1, 748, 1 },
  { "n* 70B on 2x3090", B70, "bf16", "n_star", 1, 1, 1633, 1 },
  { "fill 70B on 2x3090", B70, "bf16", "fill", 1, 1, 17700, 100 },
  { "70B, sequences at 4k", B70, "bf16", "capacity", 1, 4096, 4.3, 0.1 },
  { "70B, sequences at 16k", B70, "bf16", "capacity", 1, 16384, 1.1, 0.1 },
  { "fill 8B at 16 bits", FP16, RTX4090, "bf16", "fill", 1, 1, 49100, 100 },
  { "n_prefill on a 4090", FP16, RTX4090, "bf16", "n_prefill", 1, 1, 164, 1 },
  { "b_50 at 4k", Q4, RTX4090, "bf16", "b_50", 1, 4096, 9.1, 0.1 },
  { "b_50 at 32k", Q4, RTX4090, "bf16", "b_50", 1, 32768, 1.1, 0.1 },
  { "capacity at 4k", Q4, RTX4090, "bf16", "capacity", 1, 4096, 32.8, 0.1 },
  { "capacity at 32k", Q4, RTX4090, "bf16", "capacity", 1, 32768, 4.1, 0.1 },
  { "32B, b_50 at 4k", "deepseek-r1-distill-qwen-32b", "19.9e9", RTX4090, "bf16", "b_50", 1, 4096, 18.5, 0.1 },
  { "32B, capacity at 4k", "deepseek-r1-distill-qwen-32b", "19.9e9", RTX4090, "bf16", "capacity", 1, 4096, 2.4, 0.1 },
  /* The document's 1,495 and 98,300 double the bf16 figures; its own 34 bytes
   * per 32 values give 747.6 and 49,133 times 64/34. */
  { "n* with a q8_0 cache", FP16, RTX4090, "q8_0", "n_star", 1, 1, 1407, 1 },
  { "fill with a q8_0 cache", FP16, RTX4090, "q8_0", "fill", 1, 1, 92486, 1 },
};

static llmenv_envelope
of_document_000 (size_t i)
{
  return shipped (document_000[i].model, document_000[i].card, PUBLISHED,
                  "WeightBytes", document_000[i].weights, "Count", document_000[i].count,
                  "KVType", document_000[i].kv, NULL);
}

static void
document_000_is_reproduced (void **state)
{
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (document_000); i++)
    {
      const llmenv_envelope e = of_document_000 (i);
      const double got = value_of (document_000[i].quantity, &e, document_000[i].B,
                                   document_000[i].L);
      NEAR (round (got / document_000[i].unit) * document_000[i].unit,
            document_000[i].printed, 1e-12, document_000[i].name);
    }
}

/* fill/n* = (memory - W - reserve)/W x R: 65.7 and 588.7, for every KV type. */
static void
fill_over_n_star_is_free_of_the_cache (void **state)
{
  static const struct { const char *weights, *kv; double printed; } cases[] = {
    { "16.06e9", "bf16", 65.7 }, { "16.06e9", "q8_0", 65.7 },
    { "4.9e9", "bf16", 588.7 }, { "4.9e9", "q4_0", 588.7 } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_envelope e
        = shipped ("llama-3-1-8b", "nvidia-rtx-4090", PUBLISHED, "WeightBytes",
                   cases[i].weights, "KVType", cases[i].kv, NULL);
      NEAR (round (10 * value_of ("fill", &e, 1, 1) / value_of ("n_star", &e, 1, 1)) / 10,
            cases[i].printed, 1e-15, cases[i].weights);
    }
}

/* From batch 1 to 2 at 4k: 2 (W + x)/(W + 2 x) = 1.82, on any card. */
static void
doubling_the_batch_returns_1_82 (void **state)
{
  static const char *const cards[] = { "nvidia-rtx-4090", "nvidia-h100-sxm", "nvidia-h20" };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cards); i++)
    {
      const llmenv_envelope e = shipped ("llama-3-1-8b", cards[i], PUBLISHED,
                                         "WeightBytes", "4.9e9", NULL);
      NEAR (round (100 * value_of ("throughput", &e, 2, 4096)
                   / value_of ("throughput", &e, 1, 4096)) / 100, 1.82, 1e-15, cards[i]);
    }
}

/* Spec section 3: the 228 tokens of an 8B at 4 bits are 748 with 2P, 766 with
 * attention counted, 716 with the embedding as a lookup. */
static void
what_n_star_should_have_been (void **state)
{
  const double R = 165.2 / 1.008, k = 131072, P = 8030261248, embedding = 525336576;
  (void) state;
  llmenv_envelope e = shipped ("llama-3-1-8b", "nvidia-rtx-4090", "WeightBytes", "4.9e9",
                               "Embedding", "streamed", NULL);
  NEAR (value_of ("n_star", &e, 1, 1), 2 * P / ((R - 4) * k), 1e-13, "attention counted");
  NEAR (round (value_of ("n_star", &e, 1, 1)), 766, 0, "766");
  NEAR (round (2 * P / (R * k)), 748, 0, "748");
  e = shipped ("llama-3-1-8b", "nvidia-rtx-4090", "WeightBytes", "4.9e9", NULL);
  NEAR (value_of ("n_star", &e, 1, 1), 2 * (P - embedding) / ((R - 4) * k), 1e-13, "lookup");
  NEAR (round (value_of ("n_star", &e, 1, 1)), 716, 0, "716");
  NEAR (value_of ("l_wall", &e, 1, 1), value_of ("n_star", &e, 1, 1), 0, "= l_wall");
}

/* ---- layered, by hand -------------------------------------------------- */

/* Llama-3.1-8B on one H100, 8k, bf16: 2 x 7,504,924,672 bytes of weights and
 * 8,192 x 131,072 of cache: 16,083,591,168/3.35e12 s. */
static void
one_h100_gives_208_3_tokens_a_second (void **state)
{
  const llmenv_envelope e = shipped ("llama-3-1-8b", "nvidia-h100-sxm", NULL);
  (void) state;
  NEAR (value_of ("throughput", &e, 1, 8192), 3.35e12 / 16083591168.0, 1e-14, "tokens/s");
  NEAR (round (10 * value_of ("throughput", &e, 1, 8192)) / 10, 208.3, 1e-15, "printed");
  NEAR (round (value_of ("weight_bytes", &e, 1, 1) / 1e7) / 100, 15.01, 1e-15, "streams");
  NEAR (round (e.held / 1e7) / 100, 16.06, 1e-15, "holds");
}

/* Every quantity of a dense 8B in `layered`, embedding streamed:
 *   P = 8,030,261,248, W = 2P, k = 131,072, g = 4, A = 4 k L.
 * H100: driver memory 85,520,809,984, so room = that - W - 1.5e9. */
static void
a_dense_model_by_hand (void **state)
{
  const double P = 8030261248, W = 2 * P, k = 131072, R = R_H100, L = 1000, B = 10;
  const double room = 85520809984.0 - W - 1.5e9, x = k * L;
  const struct { const char *q; double want; } cases[] = {
    { "ridge", R },
    { "weight_bytes", W },
    { "kv_bytes", x },
    { "b_eq", W / x },
    { "b_50", W / x },
    { "b_knee", (sqrt (2) - 1) * W / x },
    { "b_star", INFINITY },        /* beyond the wall of 420 tokens */
    { "l_wall", W / ((R - 4) * k) },
    { "n_star", W / ((R - 4) * k) },
    { "ceiling", W / x + 4 },
    { "intensity", (W * B + 4 * x * B) / (W + x * B) },
    { "n_cross", W / k },
    { "fill", room / k },
    { "capacity", room / x },
    { "throughput", B * 3.35e12 / (W + B * x) },
    /* B (2P + 4 x) + 2P p = R (W + B x) */
    { "n_prefill", (R * (W + B * x) - B * (W + 4 * x)) / W },
  };
  const llmenv_envelope e
    = shipped ("llama-3-1-8b", "nvidia-h100-sxm", "Embedding", "streamed", NULL);
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    NEAR (value_of (cases[i].q, &e, B, L), cases[i].want, 1e-13, cases[i].q);
  NEAR (value_of ("kv_context", &e, B, x), L, 1e-15, "kv_context");
  /* At 100 tokens, inside the wall. */
  NEAR (value_of ("b_star", &e, B, 100), R * W / (W - (R - 4) * k * 100), 1e-13, "b_star");
}

/* Compute-bound: at batch 1,000 and no context the time is 2P B/peak. */
static void
throughput_is_limited_by_either_roof (void **state)
{
  llmenv_envelope e = shipped ("llama-3-1-8b", "nvidia-h100-sxm", "Embedding", "streamed", NULL);
  const double W = 2 * 8030261248.0;
  (void) state;
  NEAR (value_of ("throughput", &e, 1000, 0), 989.5e12 / W, 1e-14, "compute");
  NEAR (value_of ("throughput", &e, 100, 0), 100 * 3.35e12 / W, 1e-14, "memory");
  e = shipped ("llama-3-1-8b", "nvidia-h100-sxm", "Embedding", "streamed", "Overhead", "0.001",
               "BandwidthEfficiency", "0.5", "ComputeEfficiency", "0.25", NULL);
  NEAR (value_of ("throughput", &e, 1000, 0), 1000 / (1000 * W / (989.5e12 / 4) + 0.001), 1e-14, "compute");
  NEAR (value_of ("throughput", &e, 10, 0), 10 / (W / 1.675e12 + 0.001), 1e-14, "memory");
  NEAR (value_of ("ridge", &e, 1, 1), R_H100 * 0.25 / 0.5, 1e-14, "R eta_c/eta_b");
  /* published: the memory roof alone */
  e = shipped ("llama-3-1-8b", "nvidia-h100-sxm", PUBLISHED, NULL);
  NEAR (value_of ("throughput", &e, 1000, 0), 1000 * 3.35e12 / 16.06e9, 1e-14, "published");
}

static void
published_by_hand (void **state)
{
  const double W = 16.06e9, k = 131072, R = R_H100, L = 1000, B = 10, x = k * L;
  const struct { const char *q; double want; } cases[] = {
    { "ridge", R }, { "weight_bytes", W }, { "kv_bytes", x }, { "b_eq", W / x },
    { "b_50", W / x }, { "b_knee", (sqrt (2) - 1) * W / x }, { "b_star", INFINITY },
    { "l_wall", W / ((R - 4) * k) }, { "n_star", W / (R * k) }, { "ceiling", W / x + 4 },
    { "intensity", (W * B + 4 * x * B) / (W + x * B) }, { "n_cross", W / k },
    { "fill", (80e9 - W - 1.5e9) / k }, { "capacity", (80e9 - W - 1.5e9) / x },
    { "throughput", B * 3.35e12 / (W + B * x) }, { "n_prefill", R } };
  const llmenv_envelope e = shipped ("llama-3-1-8b", "nvidia-h100-sxm", PUBLISHED, NULL);
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    NEAR (value_of (cases[i].q, &e, B, L), cases[i].want, 1e-13, cases[i].q);
  NEAR (value_of ("kv_context", &e, B, 80e9), 80e9 / k, 1e-15, "kv_context");
  NEAR (value_of ("b_star", &e, B, 100), R * W / (W - (R - 4) * k * 100), 1e-13, "b_star");
}

/* ---- walls that one g cannot tell -------------------------------------- */

/* Kimi-K3, fp8 cache, H100. 69 KDA layers keep 1,572,864 fp32 and 110,592
 * bf16 elements: s = 69 x 6,512,640 = 449,372,160 bytes, moved twice. 24
 * latent layers read 576 bytes and cost 2 x 96 x 1,088 FLOP a token:
 *   C rises as 24 x 208,896 - R x 24 x 576 = 5,013,504 - 13,824 R > 0,
 * from below R at 0, and meets it at (2 s R - 2P)/that. */
static void
kimi_k3_rises_above_the_ridge (void **state)
{
  /* shared parts, head, 16 of 896 experts */
  const double P = 5572657152.0 + 30607048704.0 + 726663168.0 + 12155092992.0
                   + 4726980608.0 + 603712096.0 + 1174405120.0
                   + 2722740830208.0 * 16 / 896;
  const double s = 69 * (1572864.0 * 4 + 110592.0 * 2);
  const double want = (2 * s * R_H100 - 2 * P) / (5013504 - 13824 * R_H100);
  const llmenv_envelope e = shipped ("kimi-k3", "nvidia-h100-sxm", "KVType", "fp8", NULL);
  llmenv_crossing list[LLMENV_MAX_CROSSINGS];
  (void) state;
  assert_int_equal (llmenv_wall_crossings (&e, list), 1);
  assert_int_equal (list[0].direction, 1);
  assert_int_equal (list[0].is_jump, 0);
  NEAR (list[0].at, want, 1e-11, "crossing");
  NEAR (round (want), 61371, 0, "about 61,371 tokens");
  NEAR (value_of ("l_wall", &e, 1, 1), 0, 0, "it starts below");
  NEAR (value_of ("ceiling", &e, 1, list[0].at), R_H100, 1e-12, "C = R");
  assert_true (value_of ("ceiling", &e, 1, list[0].at * 0.99) < R_H100);
  assert_true (value_of ("ceiling", &e, 1, list[0].at * 1.01) > R_H100);
  assert_true (isinf (value_of ("b_star", &e, 1, list[0].at * 0.99)));
  assert_true (isfinite (value_of ("b_star", &e, 1, list[0].at * 1.01)));
}

/* DeepSeek-V3 on an H20: its latent gives 2 x 128 x 1,088/1,152 = 241.8 FLOP a
 * byte, above R = 37 however long the context. */
static void
deepseek_v3_on_h20_never_falls_below (void **state)
{
  const llmenv_envelope e = shipped ("deepseek-v3", "nvidia-h20", NULL);
  llmenv_crossing list[LLMENV_MAX_CROSSINGS];
  (void) state;
  assert_int_equal (llmenv_wall_crossings (&e, list), 0);
  const double wall = value_of ("l_wall", &e, 1, 1);
  NEAR (wall, INFINITY, 0, "l_wall");
  assert_string_equal (reason_of ("l_wall", &e, wall), "never");
  assert_string_equal (reason_of ("n_star", &e, wall), "never");
  NEAR (value_of ("ceiling", &e, 1, INFINITY), 2.0 * 128 * 1088 / 1152, 1e-14, "limit");
}

/* Nemotron-H on an H100: C(0) = 2P/(2 s) = 2 x 7.563e9/(2 x 51,806,208) = 146. */
static void
nemotron_h_starts_below_the_ridge (void **state)
{
  const llmenv_envelope e = shipped ("nemotron-h-8b-base-8k", "nvidia-h100-sxm", NULL);
  const double P = 167772160.0 + 2629828608.0 + 4227858432.0 + 1651712.0 + 536870912.0;
  llmenv_crossing list[LLMENV_MAX_CROSSINGS];
  (void) state;
  NEAR (value_of ("ceiling", &e, 1, 0), P / 51806208.0, 1e-14, "C(0)");
  NEAR (value_of ("l_wall", &e, 1, 1), 0, 0, "l_wall");
  assert_string_equal (reason_of ("l_wall", &e, 0), "");
  assert_int_equal (llmenv_wall_crossings (&e, list), 0);
  NEAR (value_of ("b_star", &e, 1, 0), INFINITY, 0, "b_star");
}

/* A wall behind a window's end: T = w k_w + k_f L there. */
static void
a_wall_beyond_a_window_is_met (void **state)
{
  const llmenv_layer_group g[] = {
    { .kind = LLMENV_WINDOW, .count = 3, .q_heads = 2, .kv_heads = 1, .k_dim = 1, .v_dim = 1, .window = 100 },
    { .kind = LLMENV_FULL, .count = 1, .q_heads = 2, .kv_heads = 1, .k_dim = 1, .v_dim = 1 } };
  const llmenv_weight_part part = { LLMENV_ROLE_SHARED, 10000, 2 };
  const llmenv_model m = { .layers = g, .n_layers = 2, .parts = &part, .n_parts = 1, .format_bytes = 2 };
  const llmenv_card card = { 10, 1, 1e6 };
  const llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  llmenv_crossing list[LLMENV_MAX_CROSSINGS];
  llmenv_envelope e;
  (void) state;
  assert_int_equal (llmenv_envelope_make (&m, &card, &s, &e), LLMENV_OK);
  /* 4 bytes and 8 FLOP a token and layer, so A = 2 T and R = 10:
   * 2P = (R - 2) T  ->  T = 20000/8 = 2500 = 4 (300 + L)  ->  L = 325. */
  assert_int_equal (llmenv_wall_crossings (&e, list), 1);
  NEAR (list[0].at, 325, 1e-14, "L");
  NEAR (value_of ("l_wall", &e, 1, 1), 325, 1e-14, "l_wall");
}

/* Chunks read at their mean: C jumps up over the ridge at the chunk's end. */
static void
a_jump_at_a_chunks_end_is_reported_as_one (void **state)
{
  const llmenv_layer_group g
    = { .kind = LLMENV_CHUNK, .count = 4, .q_heads = 2, .kv_heads = 1, .k_dim = 1, .v_dim = 1, .window = 199 };
  const llmenv_weight_part part = { LLMENV_ROLE_SHARED, 10000, 2 };
  const llmenv_model m = { .layers = &g, .n_layers = 1, .parts = &part, .n_parts = 1, .format_bytes = 2 };
  const llmenv_card card = { 10, 1, 1e6 };
  llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  llmenv_crossing list[LLMENV_MAX_CROSSINGS];
  llmenv_envelope e;
  (void) state;
  s.chunk = LLMENV_CHUNK_MEAN;
  assert_int_equal (llmenv_envelope_make (&m, &card, &s, &e), LLMENV_OK);
  /* T = 16 L = 2500 at L = 156.25; beyond 199 it is 16 x 100 = 1600. */
  assert_int_equal (llmenv_wall_crossings (&e, list), 2);
  NEAR (list[0].at, 156.25, 1e-14, "down");
  assert_true (list[0].direction == -1 && !list[0].is_jump);
  NEAR (list[1].at, 199, 0, "up");
  assert_true (list[1].direction == 1 && list[1].is_jump);
  NEAR (value_of ("l_wall", &e, 1, 1), 156.25, 1e-14, "l_wall");
}

/* ---- prefill ----------------------------------------------------------- */

/* Latent layers whose attention outweighs the ridge make a step of one
 * sequence compute-bound, until the prompt touches all experts. */
static llmenv_envelope
prefill_model (llmenv_weight_part own[2], llmenv_layer_group *g)
{
  const llmenv_card card = { 100e12, 1e12, 1e12 };  /* R = 100 */
  const llmenv_settings s = llmenv_settings_default (LLMENV_LAYERED);
  llmenv_envelope e;
  own[0] = (llmenv_weight_part) { LLMENV_ROLE_SHARED, 1e9, 2 };
  own[1] = (llmenv_weight_part) { LLMENV_ROLE_ROUTED, 100e9, 2 };
  *g = (llmenv_layer_group) { .kind = LLMENV_LATENT, .count = 60, .q_heads = 128, .rank = 512, .rope_dim = 64 };
  const llmenv_model m = { .layers = g, .n_layers = 1, .parts = own, .n_parts = 2,
                           .experts = 256, .top = 8, .format_bytes = 2 };
  assert_int_equal (llmenv_envelope_make (&m, &card, &s, &e), LLMENV_OK);
  return e;
}

/* h (p) = B (2P + A - R T) + 2P p - R W (B + p), written out once more. */
static long double
surplus (long double B, long double L, long double p)
{
  const long double P = 1e9L + 100e9L / 32, R = 100;
  const long double A = L * 60 * 2 * 128 * 1088, T = L * 60 * 576 * 2;
  const long double W = 2e9L - 200e9L * expm1l ((B + p) * log1pl (-1 / 32.0L));
  return B * (2 * P + A - R * T) + 2 * P * p - R * W;
}

/* Root of `surplus` between LO and HI, by halving. */
static double
halved (long double B, long double L, long double lo, long double hi)
{
  const int rising = surplus (B, L, hi) > 0;
  for (int i = 0; i < 200; i++)
    {
      const long double mid = (lo + hi) / 2;
      if ((surplus (B, L, mid) > 0) == rising)
        hi = mid;
      else
        lo = mid;
    }
  return (double) lo;
}

static void
prefill_of_experts_is_the_root (void **state)
{
  static const struct { double B, L; } cases[] = {
    { 0, 0 }, { 1, 0 }, { 8, 4096 }, { 64, 100 }, { 1, 60000 } };
  llmenv_weight_part own[2];
  llmenv_layer_group g;
  const llmenv_envelope e = prefill_model (own, &g);
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      assert_true (surplus (cases[i].B, cases[i].L, 0) < 0);
      NEAR (value_of ("n_prefill", &e, cases[i].B, cases[i].L),
            halved (cases[i].B, cases[i].L, 0, 1e6L), 1e-11, "n_prefill");
    }
}

static void
a_memory_bound_interval_is_found (void **state)
{
  /* h (0) = 8.25e9 + L (16,711,680 - 6,912,000) - 825e9 >= 0 from 83,351 on. */
  static const double contexts[] = { 83400, 90000, 200000 };
  llmenv_weight_part own[2];
  llmenv_layer_group g;
  const llmenv_envelope e = prefill_model (own, &g);
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (contexts); i++)
    {
      const long double L = contexts[i];
      double lo, hi;
      assert_true (surplus (1, L, 0) >= 0 && surplus (1, L, 50) < 0);
      NEAR (value_of ("n_prefill", &e, 1, contexts[i]), 0, 0, "already compute-bound");
      llmenv_prefill_interval (&e, 1, contexts[i], &lo, &hi);
      NEAR (lo, halved (1, L, 0, 50), 1e-10, "from");
      NEAR (hi, halved (1, L, 50, 1e6L), 1e-11, "to");
      assert_true (0 <= lo && lo < hi);
    }
}

static void
no_interval_where_there_is_none (void **state)
{
  llmenv_weight_part own[2];
  llmenv_layer_group g;
  const llmenv_envelope e = prefill_model (own, &g);
  const llmenv_envelope dense = shipped ("llama-3-1-8b", "nvidia-h100-sxm", NULL);
  const llmenv_envelope published = shipped ("deepseek-v3", "nvidia-h100-sxm", PUBLISHED, NULL);
  const llmenv_envelope silent = shipped ("gpt-4-1", "nvidia-h100-sxm", NULL);
  const struct { const llmenv_envelope *e; double B, L; } cases[] = {
    { &e, 1, 1000 },            /* memory-bound from p = 0 on */
    { &e, 1, 1e7 },             /* compute-bound throughout */
    { &dense, 1000, 0 }, { &dense, 1, 0 }, { &published, 1, 0 }, { &silent, 1, 0 } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      double lo = 1, hi = 1;
      llmenv_prefill_interval (cases[i].e, cases[i].B, cases[i].L, &lo, &hi);
      assert_true (isnan (lo) && isnan (hi));
    }
}

/* B = 0, L = 0, active: the published number R w/2. */
static void
prefill_of_nothing_is_the_published_number (void **state)
{
  static const char *const models[] = { "llama-3-1-8b", "mixtral-8x7b", "qwen3-30b-a3b" };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (models); i++)
    {
      const llmenv_envelope p = shipped (models[i], "nvidia-rtx-4090", PUBLISHED, NULL);
      const llmenv_envelope l = shipped (models[i], "nvidia-rtx-4090", "Basis", "active",
                                         "WeightType", "bf16", NULL);
      NEAR (value_of ("n_prefill", &p, 0, 0), 165.2 / 1.008, 1e-14, models[i]);
      NEAR (value_of ("n_prefill", &l, 0, 0), 165.2 / 1.008, 1e-13, models[i]);
    }
  const llmenv_envelope q = shipped ("llama-3-1-8b", "nvidia-rtx-4090", PUBLISHED,
                                     "WeightType", "int4", NULL);
  NEAR (value_of ("n_prefill", &q, 0, 0), 165.2 / 1.008 / 4, 1e-14, "R w/2");
}

/* ---- touched roots ----------------------------------------------------- */

/* B T = W (B), by halving in long double. */
static void
touched_balance_is_the_root (void **state)
{
  static const double contexts[] = { 1, 100, 8192, 131072, 1048576, 1e8 };
  llmenv_weight_part own[2];
  llmenv_layer_group g;
  const llmenv_envelope e = prefill_model (own, &g);
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (contexts); i++)
    {
      const long double T = (long double) contexts[i] * 60 * 576 * 2;
      long double lo = 0, hi = 202e9L / T;
      for (int n = 0; n < 200; n++)
        {
          const long double B = (lo + hi) / 2;
          const long double W = 2e9L - 200e9L * expm1l (B * log1pl (-1 / 32.0L));
          if (B * T > W)
            hi = B;
          else
            lo = B;
        }
      NEAR (value_of ("b_eq", &e, 1, contexts[i]), (double) lo, 1e-13, "b_eq");
      NEAR (value_of ("b_50", &e, 1, contexts[i]), (double) lo, 1e-13, "b_50");
    }
}

/* ---- words, zeros, infinities ------------------------------------------ */

static const struct
{
  const char *name, *model, *card, *quantity;
  double B, L, value;
  const char *layered, *published;  /* words; NULL: not asked */
} words[] = {
  /* k = 0: the ratio g does not matter. */
  { "Mamba in published", "mamba-codestral-7b", "nvidia-h100-sxm", "b_eq", 1, 8192, INFINITY, NULL, "none" },
  { "Mamba in published", "mamba-codestral-7b", "nvidia-h100-sxm", "n_cross", 1, 1, INFINITY, NULL, "unbounded" },
  { "Mamba in published", "mamba-codestral-7b", "nvidia-h100-sxm", "ceiling", 1, 8192, INFINITY, NULL, "unbounded" },
  { "Mamba in published", "mamba-codestral-7b", "nvidia-h100-sxm", "l_wall", 1, 1, INFINITY, NULL, "never" },
  { "Mamba in published", "mamba-codestral-7b", "nvidia-h100-sxm", "n_star", 1, 1, INFINITY, NULL, "never" },
  { "Mamba in published", "mamba-codestral-7b", "nvidia-h100-sxm", "b_star", 1, 8192, R_H100, NULL, "" },
  { "Mamba fills with any context", "mamba-codestral-7b", "nvidia-h100-sxm", "fill", 1, 1, INFINITY, "unbounded", "unbounded" },
  { "its bytes do not grow", "mamba-codestral-7b", NULL, "kv_context", 1, 80e9, INFINITY, "unbounded", "unbounded" },
  { "closed model", "gpt-4-1", "nvidia-h100-sxm", "kv_bytes", 1, 1, NAN, "no record", "no record" },
  { "closed model", "claude-opus-5-5", "nvidia-h100-sxm", "b_star", 1, 1, NAN, "no record", "no record" },
  { "closed model", "o3", "nvidia-h100-sxm", "weight_bytes", 1, 1, NAN, "no record", "no record" },
  { "compressed cache", "deepseek-v4-pro", "nvidia-h100-sxm", "l_wall", 1, 1, NAN, "no record", "no record" },
  { "encoder only", "canary-1b-flash", "nvidia-h100-sxm", "kv_bytes", 1, 1, NAN, "not applicable", "not applicable" },
  { "encoder only", "parakeet-ctc-1-1b", "nvidia-h100-sxm", "l_wall", 1, 1, NAN, "not applicable", "not applicable" },
  { "diffusion", "llada-8b-instruct", "nvidia-h100-sxm", "b_eq", 1, 1, NAN, "not applicable", "not applicable" },
  { "diffusion", "llada-8b-instruct", "nvidia-h100-sxm", "intensity", 1, 1, NAN, "not applicable", "not applicable" },
  { "405B on one card", "hermes-4-405b", "nvidia-h100-sxm", "fill", 1, 1, 0, "does not fit", "does not fit" },
  { "405B on one card", "hermes-4-405b", "nvidia-h100-sxm", "capacity", 1, 8192, 0, "does not fit", "does not fit" },
  { "Grok's active size is silent", "grok-1", "nvidia-h100-sxm", "b_eq", 1, 1, NAN, NULL, "no record" },
  { "a card without a peak", "llama-3-1-8b", "apple-m3-max", "ridge", 1, 1, NAN, "no record", "no record" },
  { "a card without a peak", "llama-3-1-8b", "apple-m3-max", "b_star", 1, 1, NAN, "no record", "no record" },
  { "a card without a peak", "llama-3-1-8b", "apple-m3-max", "l_wall", 1, 1, NAN, "no record", "no record" },
  { "no card", "llama-3-1-8b", NULL, "capacity", 1, 1, NAN, "no record", "no record" },
  { "empty cache: any number fits", "llama-3-1-8b", "nvidia-h100-sxm", "capacity", 1, 0, INFINITY, "unbounded", "unbounded" },
  { "empty cache", "llama-3-1-8b", "nvidia-h100-sxm", "b_eq", 1, 0, INFINITY, "none", "none" },
  { "empty cache", "llama-3-1-8b", "nvidia-h100-sxm", "ceiling", 1, 0, INFINITY, "unbounded", "unbounded" },
  { "no sequence, no arithmetic", "llama-3-1-8b", "nvidia-h100-sxm", "intensity", 0, 8192, 0, "", "" },
  { "no sequence, no tokens", "llama-3-1-8b", "nvidia-h100-sxm", "throughput", 0, 8192, 0, "", "" },
  { "no bytes, no context", "llama-3-1-8b", "nvidia-h100-sxm", "kv_context", 1, 0, 0, "", "" },
  { "NaN context", "llama-3-1-8b", "nvidia-h100-sxm", "b_eq", 1, NAN, NAN, NULL, NULL },
  { "NaN context", "llama-3-1-8b", "nvidia-h100-sxm", "b_star", 1, NAN, NAN, NULL, NULL },
  { "NaN context", "gpt-oss-120b", "nvidia-h100-sxm", "b_star", 1, NAN, NAN, NULL, NULL },
  { "NaN context", "llama-3-1-8b", "nvidia-h100-sxm", "capacity", 1, NAN, NAN, NULL, NULL },
  { "NaN context", "llama-3-1-8b", "nvidia-h100-sxm", "throughput", 1, NAN, NAN, NULL, NULL },
  { "NaN batch", "gpt-oss-120b", "nvidia-h100-sxm", "weight_bytes", NAN, 1, NAN, NULL, NULL },
  { "NaN batch", "llama-3-1-8b", "nvidia-h100-sxm", "weight_bytes", NAN, 1, NAN, NULL, NULL },
  { "NaN batch", "llama-3-1-8b", "nvidia-h100-sxm", "intensity", NAN, 1, NAN, NULL, NULL },
  { "NaN bytes", "llama-3-1-8b", "nvidia-h100-sxm", "kv_context", 1, NAN, NAN, NULL, NULL },
  { "Inf bytes", "llama-3-1-8b", "nvidia-h100-sxm", "kv_context", 1, INFINITY, INFINITY, "unbounded", "unbounded" },
  { "Inf context", "llama-3-1-8b", "nvidia-h100-sxm", "kv_bytes", 1, INFINITY, INFINITY, NULL, NULL },
  { "Inf context", "llama-3-1-8b", "nvidia-h100-sxm", "capacity", 1, INFINITY, 0, NULL, NULL },
  { "Inf context: g is left", "llama-3-1-8b", "nvidia-h100-sxm", "ceiling", 1, INFINITY, 4, "", "" },
  { "Inf context", "llama-3-1-8b", "nvidia-h100-sxm", "b_eq", 1, INFINITY, 0, "", "" },
  { "Inf context", "llama-3-1-8b", "nvidia-h100-sxm", "throughput", 1, INFINITY, 0, "", "" },
  /* Finite, but products overflow: as at infinity.  bandwidth/T = 3.35e12/2^30. */
  { "1e308 tokens", "llama-3-1-8b", "nvidia-h100-sxm", "b_star", 1, 1e308, INFINITY, "none", "none" },
  { "1e308 tokens", "llama-3-1-8b", "nvidia-h100-sxm", "ceiling", 1, 1e308, 4, "", "" },
  { "1e308 tokens", "llama-3-1-8b", "nvidia-h100-sxm", "intensity", 1, 1e308, 4, "", "" },
  { "1e308 tokens", "qwen3-30b-a3b", "nvidia-h100-sxm", "b_eq", 1, 1e308, 0, "", "" },
  { "1e308 sequences", "llama-3-1-8b", "nvidia-h100-sxm", "throughput", 1e308, 8192, 3.35e12 / 1073741824, "", "" },
  { "1e308 sequences", "llama-3-1-8b", "nvidia-h100-sxm", "n_prefill", 1e308, 8192, INFINITY, "unbounded", NULL },
  { "as much of both", "qwen3-30b-a3b", "nvidia-h100-sxm", "intensity", 1e308, 1e308, 8, "", "" },
  { "large and no more", "llama-3-1-8b", "nvidia-h100-sxm", "kv_bytes", 1, 1e150, 1.31072e155, "", "" },
};

static void
check_word (size_t i, const char *convention, const char *word)
{
  const llmenv_envelope e
    = shipped (words[i].model, words[i].card, "Convention", convention, NULL);
  const double got = value_of (words[i].quantity, &e, words[i].B, words[i].L);
  char what[120];
  snprintf (what, sizeof what, "%s: %s of %s, %s", words[i].name, words[i].quantity,
            words[i].model, convention);
  NEAR (got, words[i].value, 1e-13, what);
  if (strcmp (reason_of (words[i].quantity, &e, got), word) != 0)
    print_error ("%s: word '%s'\n", what, reason_of (words[i].quantity, &e, got));
  assert_string_equal (reason_of (words[i].quantity, &e, got), word);
}

static void
what_is_no_number_has_its_word (void **state)
{
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (words); i++)
    {
      if (words[i].layered != NULL)
        check_word (i, "layered", words[i].layered);
      if (words[i].published != NULL)
        check_word (i, "published", words[i].published);
    }
}

/* NaN in, NaN out, and never a hidden NaN. */
static void
nan_in_is_nan_out (void **state)
{
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (words); i++)
    if (isnan (words[i].B) || isnan (words[i].L))
      {
        const llmenv_envelope l = shipped (words[i].model, words[i].card, NULL);
        const llmenv_envelope p = shipped (words[i].model, words[i].card, PUBLISHED, NULL);
        NEAR (value_of (words[i].quantity, &l, words[i].B, words[i].L), NAN, 0, words[i].quantity);
        NEAR (value_of (words[i].quantity, &p, words[i].B, words[i].L), NAN, 0, words[i].quantity);
      }
}

/* A model of nothing but weights: k = 0 with g unrecorded. */
static void
a_model_without_a_cache_by_hand (void **state)
{
  const llmenv_model m = {
    .published = { 7e9, 7e9, 0, NAN }, .scalars = { 7e9, 7e9, 0, NAN }, .format_bytes = 2 };
  const llmenv_card card = { 200e12, 1e12, 24e9 };
  (void) state;
  for (int c = LLMENV_LAYERED; c <= LLMENV_PUBLISHED; c++)
    {
      const llmenv_settings s = llmenv_settings_default ((llmenv_convention) c);
      llmenv_envelope e;
      assert_int_equal (llmenv_envelope_make (&m, &card, &s, &e), LLMENV_OK);
      NEAR (value_of ("b_eq", &e, 1, 100), INFINITY, 0, "b_eq");
      NEAR (value_of ("n_cross", &e, 1, 100), INFINITY, 0, "n_cross");
      NEAR (value_of ("ceiling", &e, 1, 100), INFINITY, 0, "ceiling");
      NEAR (value_of ("l_wall", &e, 1, 100), INFINITY, 0, "l_wall");
      NEAR (value_of ("b_star", &e, 1, 100), 200, 1e-15, "R W/(2P)");
      NEAR (value_of ("intensity", &e, 8, 100), 8, 1e-15, "AI = B");
      NEAR (value_of ("fill", &e, 1, 1), INFINITY, 0, "fill");
      NEAR (value_of ("capacity", &e, 1, 1), INFINITY, 0, "capacity");
      NEAR (value_of ("kv_bytes", &e, 1, 1e9), 0, 0, "kv_bytes");
    }
}

/* ---- runs -------------------------------------------------------------- */

static void
runs_are_their_single_values (void **state)
{
  static const char *const models[] = { "gpt-oss-120b", "kimi-k3", "llama-3-1-8b", "gpt-4-1" };
  static const double Bs[] = { 0, 1, 7, 64, 4096, 1e9, NAN };
  static const double Ls[] = { 0, 1, 127, 128, 129, 1e6, NAN };
  enum { N = 7 };
  (void) state;
  for (size_t m = 0; m < N_OF_ARRAY (models); m++)
    for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
      for (int mode = 0; mode < 4; mode++)
        {
          const llmenv_envelope e = shipped (models[m], "nvidia-h100-sxm", NULL);
          llmenv_at_batch B[N];
          llmenv_at_context L[N];
          double out[N];
          for (int i = 0; i < N; i++)
            {
              B[i] = llmenv_batch_at (&e, Bs[i]);
              L[i] = llmenv_context_at (&e, Ls[i]);
            }
          llmenv_quantity_run ((llmenv_quantity) q, &e, N, B, (size_t) mode / 2, L,
                               (size_t) mode % 2, out);
          for (int i = 0; i < N; i++)
            NEAR (out[i], llmenv_quantity_value ((llmenv_quantity) q, &e,
                                                 Bs[mode / 2 ? i : 0], Ls[mode % 2 ? i : 0]),
                  0, llmenv_quantity_get ((llmenv_quantity) q)->name);
          llmenv_quantity_run ((llmenv_quantity) q, &e, 0, B, 1, L, 1, out);
        }
}

static void
the_registry_is_complete (void **state)
{
  (void) state;
  for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
    {
      const llmenv_quantity_info *i = llmenv_quantity_get ((llmenv_quantity) q);
      assert_int_equal (llmenv_quantity_find (i->name), q);
      assert_true (is_one_line (i->title) && is_one_line (i->formula) && is_one_line (i->unit));
    }
  assert_null (llmenv_quantity_get (LLMENV_QUANTITY_COUNT));
  assert_int_equal (llmenv_quantity_find ("no such"), -1);
  assert_int_equal (llmenv_quantity_find (""), -1);
}

/* ---- the step ---------------------------------------------------------- */

static void
a_step_is_the_sum_of_its_streams (void **state)
{
  const llmenv_envelope e = shipped ("nemotron-h-8b-base-8k", "nvidia-h100-sxm", NULL);
  const double P = 167772160.0 + 2629828608.0 + 4227858432.0 + 1651712.0 + 536870912.0;
  const llmenv_step s = llmenv_step_at (&e, 8, 1000);
  (void) state;
  NEAR (s.weight_bytes, 2 * P, 1e-15, "weights");
  NEAR (s.state_bytes, 8 * 2 * 51806208.0, 0, "state, read and written");
  NEAR (s.kv_bytes, 8 * 16384.0 * 1000, 1e-13, "KV");
  NEAR (s.bytes, 2 * P + 8 * (103612416.0 + 16384000.0), 1e-15, "bytes");
  /* 4 layers, 2 x 32 heads x 256 wide */
  NEAR (s.flops, 8 * (2 * P + 1000 * 4 * 2 * 32 * 256.0), 1e-15, "FLOP");
  NEAR (s.intensity, s.flops / s.bytes, 1e-15, "intensity");
  NEAR (s.memory_seconds, s.bytes / 3.35e12, 1e-15, "memory");
  NEAR (s.compute_seconds, s.flops / 989.5e12, 1e-15, "compute");
  NEAR (s.seconds, fmax (s.memory_seconds, s.compute_seconds), 1e-14, "seconds");
  NEAR (s.tokens_per_second, 8 / s.seconds, 1e-14, "tokens/s");
  NEAR (s.tokens_per_second_each, 1 / s.seconds, 1e-14, "of one");
}

/* Of 1e308 sequences the bytes are beyond a double; what they are divided by is
 * not the record's silence. */
static void
a_step_beyond_all_numbers_has_its_limits (void **state)
{
  const llmenv_envelope e = shipped ("nemotron-h-8b-base-8k", "nvidia-h100-sxm", NULL);
  const llmenv_step s = llmenv_step_at (&e, 1e308, 1000);
  (void) state;
  NEAR (s.kv_bytes, INFINITY, 0, "KV");
  NEAR (s.bytes, INFINITY, 0, "bytes");
  NEAR (s.tokens_per_second, 3.35e12 / (103612416.0 + 16384000.0), 1e-13, "tokens/s");
  NEAR (s.intensity, value_of ("ceiling", &e, 1, 1000), 1e-13, "intensity");
  assert_true (s.limit != LLMENV_LIMIT_UNKNOWN);
}

static void
the_limit_is_the_largest_stream (void **state)
{
  static const struct { const char *model; double B, L; const char *word; } cases[] = {
    { "llama-3-1-8b", 1, 8192, "weights" }, { "llama-3-1-8b", 64, 8192, "KV" },
    { "llama-3-1-8b", 1000, 1, "compute" }, { "nemotron-h-8b-base-8k", 1000, 10, "state" },
    { "gpt-4-1", 1, 1, "no record" } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_envelope e = shipped (cases[i].model, "nvidia-h100-sxm", NULL);
      const llmenv_step s = llmenv_step_at (&e, cases[i].B, cases[i].L);
      assert_string_equal (llmenv_limit_word (s.limit), cases[i].word);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (ridges_are_those_printed),
    cmocka_unit_test (walls_are_those_printed),
    cmocka_unit_test (ridge_batches_are_those_printed),
    cmocka_unit_test (balanced_batches_are_those_printed),
    cmocka_unit_test (ceilings_are_those_printed),
    cmocka_unit_test (document_000_is_reproduced),
    cmocka_unit_test (fill_over_n_star_is_free_of_the_cache),
    cmocka_unit_test (doubling_the_batch_returns_1_82),
    cmocka_unit_test (what_n_star_should_have_been),
    cmocka_unit_test (one_h100_gives_208_3_tokens_a_second),
    cmocka_unit_test (a_dense_model_by_hand),
    cmocka_unit_test (throughput_is_limited_by_either_roof),
    cmocka_unit_test (published_by_hand),
    cmocka_unit_test (kimi_k3_rises_above_the_ridge),
    cmocka_unit_test (deepseek_v3_on_h20_never_falls_below),
    cmocka_unit_test (nemotron_h_starts_below_the_ridge),
    cmocka_unit_test (a_wall_beyond_a_window_is_met),
    cmocka_unit_test (a_jump_at_a_chunks_end_is_reported_as_one),
    cmocka_unit_test (prefill_of_experts_is_the_root),
    cmocka_unit_test (a_memory_bound_interval_is_found),
    cmocka_unit_test (no_interval_where_there_is_none),
    cmocka_unit_test (prefill_of_nothing_is_the_published_number),
    cmocka_unit_test (touched_balance_is_the_root),
    cmocka_unit_test (what_is_no_number_has_its_word),
    cmocka_unit_test (nan_in_is_nan_out),
    cmocka_unit_test (a_model_without_a_cache_by_hand),
    cmocka_unit_test (runs_are_their_single_values),
    cmocka_unit_test (the_registry_is_complete),
    cmocka_unit_test (a_step_is_the_sum_of_its_streams),
    cmocka_unit_test (a_step_beyond_all_numbers_has_its_limits),
    cmocka_unit_test (the_limit_is_the_largest_stream),
  };
  use_shipped_data ();
  return cmocka_run_group_tests (tests, NULL, NULL);
}
