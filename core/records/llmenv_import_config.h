/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the configuration importer: what its files share.
 *
 * One pass, in this order: fields (what is written, under which spelling),
 * layers (which kind each one is), attention and state (what each one keeps),
 * weights (what it weighs), format (in which types), record (all as JSON).
 * The first error sticks: getters then answer NaN, and each stage ends with
 * the status of the whole.
 *
 * Another spelling of a field is a word in LLMENV_CONFIG_FIELDS; another family
 * a line in llmenv_import_family.c, needed only for what no field says; another
 * kind of layer a word in llmenv_import_layers.c and a function that sizes it.
 * Names without prefix (F_, T_, STATE_, MLP_, PART_) stay inside the importer. */
#ifndef LLMENV_IMPORT_CONFIG_H
#define LLMENV_IMPORT_CONFIG_H

#include "llmenv_import.h"
#include "llmenv_json.h"
#include "llmenv_model.h"

/* ---- fields ------------------------------------------------------------ */

/* X (meaning, spellings): best spelling first, '|' between them, '.' steps
 * into an object.  Anything that a configuration may call by several names is
 * named here and nowhere else. */
#define LLMENV_CONFIG_FIELDS(X)                                               \
  /* the stack */                                                             \
  X (hidden, "hidden_size|d_model|n_embd|model_dim|embedding_dim|hidden_dim|n_embed") \
  X (layers, "num_hidden_layers|n_layers|n_layer|num_layers|num_transformer_layers|num_blocks|decoder_layers") \
  X (vocab, "vocab_size|padded_vocab_size|n_vocab")                           \
  X (vocab_multiple, "pad_vocab_size_multiple")                               \
  X (positions, "max_position_embeddings|max_seq_len|n_positions|max_sequence_length|seq_length|model_max_length|n_ctx|context_length|max_context_length") \
  X (tied, "tie_word_embeddings|share_input_output_layers|weight_tying|tie_embedding_weights|use_embedding_sharing|tie_embeddings|share_embedding") \
  /* attention */                                                             \
  X (heads, "num_attention_heads|n_heads|n_head|num_heads|num_query_heads|attention_heads|attn_cfg.num_heads|attn.num_heads") \
  X (kv_heads, "num_key_value_heads|num_kv_heads|n_kv_heads|n_head_kv|kv_n_heads|attn_config.kv_n_heads|num_attention_groups|multi_query_group_num|num_query_groups|n_kv_head|num_kv_head|kv_heads|attn_cfg.num_heads_kv|attn.num_kv_heads") \
  X (head_dim, "head_dim|attention_head_dim|kv_channels|d_kv|head_size|d_head|attn_cfg.head_dim") \
  X (v_dim, "v_head_dim|value_head_dim|v_channels")                           \
  X (window_heads, "swa_num_attention_heads|attention_other_setting.num_attention_heads|sliding_num_attention_heads|window_attention_heads") \
  X (window_kv_heads, "swa_num_key_value_heads|attention_other_setting.num_attention_groups|sliding_num_key_value_heads") \
  X (window_head_dim, "swa_head_dim|attention_other_setting.head_dim")        \
  X (window_v_dim, "swa_v_head_dim")                                          \
  X (full_kv_heads, "num_global_key_value_heads|global_num_key_value_heads")  \
  X (full_head_dim, "global_head_dim")                                        \
  X (multi_query, "multi_query|multi_query_attention")                        \
  X (new_decoder, "new_decoder_architecture")                                 \
  X (kv_rank, "kv_lora_rank")                                                 \
  X (use_latent, "use_mla")                                                   \
  X (q_rank, "q_lora_rank")                                                   \
  X (rope_dim, "qk_rope_head_dim")                                            \
  X (nope_dim, "qk_nope_head_dim")                                            \
  X (index_top, "index_topk")                                                 \
  X (index_heads, "index_n_heads")                                            \
  X (index_dim, "index_head_dim")                                             \
  X (k_is_v, "attention_k_eq_v")                                              \
  X (cache_sharers, "num_kv_shared_layers")                                   \
  X (share_caches, "use_cla")                                                 \
  X (share_factor, "cla_share_factor")                                        \
  X (share_groups, "kv_reuse_group")                                          \
  /* windows and chunks */                                                    \
  X (window, "sliding_window|sliding_window_size|attention_window_size|swa_window_size|local_window_size|window_length|window_size|sliding_window_length|local_attention_window|attn.window_size") \
  X (use_window, "use_sliding_window|use_swa")                                \
  X (window_from, "max_window_layers")                                        \
  X (window_period, "sliding_window_pattern|_sliding_window_pattern|layer_switch|global_attn_every_n_layers|full_attention_period") \
  X (chunk, "attention_chunk_size")                                           \
  X (rotary_layers, "no_rope_layers")                                         \
  X (rotary_period, "no_rope_layer_interval")                                 \
  /* which layer is what */                                                   \
  X (kind_words, "layer_types|layers_block_type|block_types|_block_types|mixer_types|layers_types|layer_block_types") \
  X (kind_letters, "hybrid_override_pattern|hybrid_layer_string|layer_pattern") \
  X (softmax_flags, "attn_type_list|attention_type_list")                     \
  X (window_flags, "hybrid_layer_pattern|sliding_window_layer_flags")         \
  X (kind_runs, "attention_types")                                            \
  X (blocks, "block_configs")                                                 \
  X (full_from_1, "linear_attn_config.full_attn_layers")                      \
  X (linear_from_1, "linear_attn_config.kda_layers")                          \
  X (mamba_but, "attn_layer_indices|attn_layer_idx|attention_layer_indices")  \
  X (conv_but, "full_attn_idxs")                                              \
  X (both_at, "hybrid_layer_ids")                                             \
  X (global_at, "global_attn_idx")                                            \
  X (full_at, "full_attention_idx")                                           \
  X (linear_but, "attn.layers|full_attention_layers")                         \
  X (cross_at, "cross_attention_layers")                                      \
  X (full_interval, "full_attention_interval|layer_group_size")               \
  X (full_period, "attn_layer_period")                                        \
  X (full_offset, "attn_layer_offset")                                        \
  X (mamba_step, "mamba_step")                                                \
  /* what recurrent layers keep */                                            \
  X (ssm_heads, "mamba_n_heads|mamba_num_heads|ssm_num_heads|n_mamba_heads|num_heads") \
  X (ssm_head_dim, "mamba_d_head|mamba_head_dim|mamba_headdim|hidden_size_per_head|ssm_cfg.headdim|head_dim") \
  X (ssm_inner, "mamba_d_ssm|mamba_intermediate_size|d_inner|mamba_inner_size|intermediate_size") \
  X (ssm_expand, "mamba_expand|expand|ssm_expand|ssm_cfg.expand")             \
  X (ssm_state, "mamba_d_state|ssm_state_size|state_size|mamba_state_dim|d_state|ssm_cfg.d_state") \
  X (ssm_groups, "mamba_n_groups|n_groups|mamba_ngroups|mamba_num_groups|ssm_cfg.ngroups") \
  X (ssm_kernel, "mamba_d_conv|conv_kernel|mamba_conv_kernel|d_conv|ssm_cfg.d_conv") \
  X (ssm_rank, "mamba_dt_rank|time_step_rank|dt_rank|ssm_cfg.dt_rank")        \
  X (ssm_norm, "mamba_rms_norm|mamba_ssm_norm")                               \
  X (ssm_layer, "ssm_cfg.layer")                                              \
  X (ssm_conv_bias, "mamba_conv_bias|use_conv_bias")                          \
  X (ssm_bias, "mamba_proj_bias|use_bias")                                    \
  X (delta_k_heads, "linear_num_key_heads")                                   \
  X (delta_v_heads, "linear_num_value_heads")                                 \
  X (delta_k_dim, "linear_key_head_dim")                                      \
  X (delta_v_dim, "linear_value_head_dim")                                    \
  X (delta_kernel, "linear_conv_kernel_dim")                                  \
  X (kda_heads, "linear_attn_config.num_heads")                               \
  X (kda_dim, "linear_attn_config.head_dim")                                  \
  X (kda_kernel, "linear_attn_config.short_conv_kernel_size")                 \
  X (kda_full_gate, "linear_attn_config.use_full_rank_gate")                  \
  X (expand_k, "expand_k")                                                    \
  X (expand_v, "expand_v")                                                    \
  X (short_conv, "use_short_conv")                                            \
  X (short_kernel, "conv_size")                                               \
  X (rwkv_inner, "attention_hidden_size|dim_att")                             \
  X (rwkv_head, "head_size|head_dim|head_size_a")                             \
  X (rwkv_size, "intermediate_size|dim_ffn")                                  \
  X (conv_kernel, "conv_L_cache")                                             \
  X (conv_dim, "conv_dim")                                                    \
  X (conv_bias, "conv_bias")                                                  \
  X (lru_width, "lru_width")                                                  \
  X (lru_kernel, "conv1d_width")                                              \
  X (mlstm_qk, "qk_dim_factor")                                               \
  X (mlstm_v, "v_dim_factor")                                                 \
  X (state_type, "mamba_ssm_dtype|mamba_ssm_cache_dtype|state_dtype|ssm_dtype") \
  /* dense MLP */                                                             \
  X (size, "intermediate_size|ffn_hidden_size|n_inner|ffn_dim|d_ff|inner_hidden_size|ffn_config.ffn_hidden_size|mlp_hidden_size|feed_forward_size|block_ff_dim|d_intermediate") \
  X (dense_size, "intermediate_size_mlp|dense_intermediate_size|mlp_intermediate_size") \
  X (size_ratio, "expansion_ratio|mlp_ratio|ffn_multipliers|hidden_ratio")    \
  X (double_wide, "use_double_wide_mlp")                                      \
  X (adjust_size, "block_auto_adjust_ff_dim")                                 \
  X (adjust_factor, "block_ffn_dim_multiplier")                               \
  X (adjust_multiple, "block_multiple_of")                                    \
  /* experts */                                                               \
  X (experts, "num_local_experts|num_experts|n_routed_experts|moe_num_experts|num_routed_experts|ffn_config.moe_num_experts|moe_num_routed_experts|num_moe_experts|n_experts") \
  X (top, "num_experts_per_tok|num_experts_per_token|moe_topk|moe_top_k|top_k_experts|experts_per_token|moe_k|ffn_config.moe_top_k|num_selected_experts|num_experts_per_topk|moe_router_topk|topk") \
  X (expert_size, "moe_intermediate_size|expert_intermediate_size|expert_ffn_hidden_size|moe_ffn_hidden_size|ffn_config.ffn_hidden_size|expert_dim") \
  X (shared_experts, "n_shared_experts|num_shared_experts|num_shared_expert|moe_num_shared_experts") \
  X (shared_expert_size, "moe_shared_expert_intermediate_size")               \
  X (shared_size, "shared_intermediate_size|share_expert_dim|shared_expert_dim") \
  X (gated_shared_size, "shared_expert_intermediate_size")                    \
  X (moe_switch, "enable_moe_block")                                          \
  X (dense_first, "first_k_dense_replace|num_dense_layers|moe_layer_start_index|n_dense_layers") \
  X (moe_end, "moe_layer_end_index")                                          \
  X (moe_at, "moe_layers|moe_layers_enum")                                    \
  X (moe_words, "mlp_layer_types")                                            \
  X (moe_every, "moe_layer_freq|is_moe_layer")                                \
  X (moe_last_of, "decoder_sparse_step|interleave_moe_layer_step|moe_layer_interval") \
  X (moe_period, "expert_layer_period")                                       \
  X (moe_offset, "expert_layer_offset")                                       \
  X (dense_at, "mlp_only_layers")                                             \
  X (expert_width, "routed_expert_hidden_size|moe_latent_size")               \
  X (expert_norm, "latent_moe_use_norm")                                      \
  X (top_method, "topk_method")                                               \
  X (scoring, "scoring_func|score_function|score_func|moe_router_activation_func")       \
  X (router_bias, "use_routing_bias|use_router_bias|use_moe_router_bias|use_expert_bias|moe_router_enable_expert_bias|moe_use_aux_free") \
  /* small weights */                                                         \
  X (qkv_bias, "attention_bias|use_qkv_bias|qkv_bias|add_qkv_bias|attn_qkv_bias|use_bias|bias|add_bias_linear|attention_qkv_bias") \
  X (out_bias, "attention_out_bias|attention_output_bias|use_bias|bias|add_bias_linear") \
  X (mlp_bias, "mlp_bias|use_mlp_bias|use_bias|bias|add_bias_linear")         \
  X (no_bias, "no_bias")                                                      \
  X (head_bias, "lm_head_bias")                                               \
  X (qk_norm, "use_qk_norm|qk_norm|qk_layernorm|use_qk_layernorm|attn_config.qk_ln|normalize_qk_projections") \
  X (query_gate, "attn_output_gate")                                          \
  X (latent_gate, "mla_use_output_gate")                                      \
  X (head_gate, "use_head_wise_attn_gate")                                    \
  X (sinks, "add_full_attention_sink_bias")                                   \
  X (window_sinks, "add_swa_attention_sink_bias")                             \
  X (parallel, "parallel_attn|use_parallel_residual")                         \
  X (parallel_norms, "num_ln_in_parallel_attn")                               \
  X (gated_words, "feed_forward_proj")                                        \
  X (gated, "ffn_with_glu|is_gated_act|mlp_gated")                            \
  X (activation, "mlp_hidden_act|hidden_act|hidden_activation|activation_function|activation") \
  X (learned_positions, "learned_pos_emb")                                    \
  X (alibi, "attn_config.alibi|alibi")                                        \
  X (low_rank_residual, "laurel_rank")                                        \
  X (streams, "altup_num_inputs")                                             \
  X (per_layer_width, "hidden_size_per_layer_input")                          \
  X (per_layer_vocab, "vocab_size_per_layer_input")                           \
  X (token_types, "type_vocab_size")                                          \
  X (embedding_norm, "embedding_norm")                                        \
  X (inner_norms, "mamba_inner_norms")                                        \
  /* layers beside the stack */                                               \
  X (mtp, "num_nextn_predict_layers|mtp_num_hidden_layers|num_mtp_modules|num_mtp_layers|mtp_num_layers") \
  X (encoder_decoder, "is_encoder_decoder")                                   \
  X (encoder_layers, "encoder_layers|num_encoder_layers|num_layers|num_hidden_layers") \
  X (decoder_layers, "decoder_layers|num_decoder_layers|num_layers|num_hidden_layers") \
  X (encoder_heads, "encoder_attention_heads|num_heads|num_attention_heads|attention_heads") \
  X (decoder_heads, "decoder_attention_heads|num_heads|num_attention_heads|attention_heads") \
  X (encoder_size, "encoder_ffn_dim|d_ff|ffn_dim|intermediate_size")          \
  X (decoder_size, "decoder_ffn_dim|d_ff|ffn_dim|intermediate_size")          \
  X (encoder_length, "max_source_positions|n_positions|max_position_embeddings") \
  X (decoder_length, "max_target_positions|n_positions|max_position_embeddings") \
  X (mel_bins, "num_mel_bins")                                                \
  X (position_buckets, "relative_attention_num_buckets")                      \
  X (decoder_only, "is_decoder")                                              \
  /* types */                                                                 \
  X (dtype, "torch_dtype|dtype")                                              \
  X (quantization, "quantization_config|compression_config|quantization")

typedef enum
{
#define X(name, spellings) F_##name,
  LLMENV_CONFIG_FIELDS (X)
#undef X
  F_COUNT
} llmenv_field;

/* ---- families ---------------------------------------------------------- */

/* What no field says: the shape of a family's layer, by model_type. */
enum
{
  T_SHIFTED_NORMS = 1 << 0,    /* norms have a shift beside the scale */
  T_PLAIN_MLP = 1 << 1,        /* up and down only, no gate matrix */
  T_WIDE_QK_NORM = 1 << 2,     /* a weight per head and channel, not per channel */
  T_BARE_QK_NORM = 1 << 3,     /* query and key norms have no weights */
  T_ROUTER_BIAS = 1 << 4,      /* a correction per expert beside the router */
  T_SINKS = 1 << 5,            /* a learned logit per query head */
  T_HEAD_GATE = 1 << 6,        /* an output gate per query head */
  T_LAYER_SCALE = 1 << 7,      /* one scale per layer */
  T_EXPERT_BIAS = 1 << 8,      /* experts have biases */
  T_ALWAYS_SHARED = 1 << 9,    /* one shared expert of the routed size */
  T_MTP_LIKE_LAST = 1 << 10,   /* prediction layers repeat the last layer */
  T_MTP_COPIES = 1 << 11,      /* and carry copies of embedding and head */
  T_SSM = 1 << 12,             /* nothing but state-space layers */
  T_BESIDE = 1 << 13,          /* attention and a mixer side by side */
  T_ONE_EACH = 1 << 14,        /* a layer is a mixer or an MLP, not both */
  T_RWKV = 1 << 15,
  T_RWKV4 = 1 << 16,           /* running values per channel, no matrix */
  T_LINEAR = 1 << 17,          /* nothing but linear attention */
  T_ENCODER = 1 << 18,         /* bidirectional: nothing is cached */
  T_ENCODER_DECODER = 1 << 19,
  T_RELATIVE = 1 << 20,        /* T5: relative positions, norms without shift */
  T_WHISPER = 1 << 21,         /* speech frames, no bias on keys */
  T_NO_WEIGHTS = 1 << 22,      /* weights of this family are not written out */
  T_HALF_SIZE = 1 << 23,       /* intermediate_size counts gate and up */
  T_TWO_A_LAYER = 1 << 24,     /* two attentions under one number */
  T_DENSE_BESIDE = 1 << 25,    /* a dense MLP runs beside the experts */
  T_MLSTM = 1 << 26,
  T_HYBRID = 1 << 27,          /* nothing holds for all layers: a list is needed */
  T_DIFFUSION = 1 << 28,       /* sees the whole text at every step */
  T_MTP_SLIDING = 1 << 29      /* prediction layers slide, with a dense MLP and a head */
};

typedef struct
{
  const char *types;           /* model types, a blank between them */
  int norms;                   /* norms a layer */
  unsigned traits;
  const char *defaults;        /* "key=value ..." of the class; "+key=value":
                                  a fact of the family that no file states */
} llmenv_family;

/* Family of a model type; NULL when it is not known. */
const llmenv_family *llmenv_family_find (const char *model_type);

/* ---- layers ------------------------------------------------------------ */

typedef enum
{
  STATE_NONE,
  STATE_SSM,                   /* Mamba, generation left to the fields */
  STATE_MAMBA1,
  STATE_MAMBA2,
  STATE_LINEAR,                /* linear attention, kind left to the fields */
  STATE_DELTA,                 /* gated delta rule */
  STATE_KDA,                   /* Kimi delta attention */
  STATE_LIGHTNING,             /* a matrix per head, no convolution */
  STATE_RETENTION,             /* flash-linear-attention's common fields */
  STATE_RWKV4,
  STATE_RWKV,
  STATE_CONV,                  /* short convolution */
  STATE_LRU,                   /* gated linear recurrence */
  STATE_MLSTM
} llmenv_state_kind;

typedef enum { MLP_BY_FIELDS, MLP_NONE, MLP_DENSE, MLP_MOE } llmenv_mlp_kind;

/* Parts of the weights, in the order in which records list them. */
#define LLMENV_PARTS(X)                                                       \
  X (ATTENTION, "attention", "shared")                                        \
  X (RECURRENT, "recurrent layers", "shared")                                 \
  X (DENSE, "dense mlp", "shared")                                            \
  X (SHARED_EXPERTS, "shared experts", "shared")                              \
  X (LATENT, "latent projections of the experts", "shared")                   \
  X (SMALL, "norms, routers and other", "shared")                             \
  X (ROUTED, "routed experts", "routed")                                      \
  X (ROUTED_BIAS, "routed expert biases", "routed")                           \
  X (HEAD, "output head", "head")                                             \
  X (EMBEDDING, "input embedding", "embedding")                               \
  X (PER_LAYER, "per-layer embeddings", "table")                              \
  X (POSITIONS, "positions", "table")                                         \
  X (ENCODER, "encoder", "encoder")                                           \
  X (CROSS_KV, "cross-attention key and value projections", "encoder")        \
  X (MTP, "multi-token prediction", "mtp")                                    \
  X (MTP_SMALL, "multi-token prediction norms, routers and joint projection", "mtp") \
  X (MTP_COPIES, "multi-token prediction copies of embedding and head", "mtp")

typedef enum
{
#define X(name, words, role) PART_##name,
  LLMENV_PARTS (X)
#undef X
  PART_COUNT
} llmenv_part;

/* One layer.  All numbers are counts; what a kind does not use is 0. */
typedef struct
{
  llmenv_layer_kind kind, reads;
  double q_heads, kv_heads, k_dim, v_dim, window, rank, rope_dim;
  double top, index_heads, index_dim, length;
  int is_neutral;              /* attention, whether windowed or not is open */
  llmenv_state_kind state;
  double recurrent, conv;      /* elements */
  llmenv_mlp_kind mlp;
  double size, experts, expert_top, shared_size;
} llmenv_shape;

typedef struct
{
  llmenv_shape shape;
  double params[PART_COUNT];
} llmenv_layer;

/* ---- the importer's state ---------------------------------------------- */

typedef struct
{
  const json_t *object, *text; /* the file's object; the text model's */
  llmenv_place at;             /* of text */
  const char *type;            /* model_type, "" when not given */
  const llmenv_family *family; /* NULL: unknown */
  unsigned traits;
  double norms;
  json_t *defaults;            /* owned; class defaults by key */
  json_t *facts;               /* owned; the family's facts by key */
  const json_t *value[F_COUNT]; /* borrowed; valid where known */
  double number[F_COUNT];      /* valid where has_number */
  unsigned char known[F_COUNT], has_number[F_COUNT];
  unsigned char used[F_COUNT]; /* 1 + spelling used; 0: none */
  unsigned char assumed[F_COUNT]; /* a class default was used */
  llmenv_import_notes *notes;
  llmenv_error *error;
  llmenv_status status;        /* the first error */

  double hidden, vocab;
  size_t n;                    /* layers */
  llmenv_layer *layers;        /* owned; n of them */
  int has_blocks;              /* layers are given as objects */
  int is_tied;
  const char *no_weights;      /* why weights are left out; NULL */
  double params[PART_COUNT];   /* outside the layers, then of the whole */
  double active_routed;        /* of the routed ones, those of one token */
  const char *dtype;           /* type of the model, "" when not named */
  const char *main_format, *part_format[PART_COUNT];
  const char *state_type;      /* NULL: not named */
} llmenv_config;

enum { LLMENV_MAX_LAYERS = 100000, LLMENV_MAX_GROUPS = 512 };
#define LLMENV_MAX_WIDTH 1e9
#define LLMENV_EXACT 9007199254740992.0 /* 2^53 */

/* fields: open finds the text model, its family and defaults. */
llmenv_status llmenv_config_open (llmenv_config *c, const json_t *object,
                                  const char *file, llmenv_import_notes *notes,
                                  llmenv_error *error);
void llmenv_config_close (llmenv_config *c);

/* Value of a field, from the text model, else its class; NULL when absent or
 * null.  The outer form looks around the text model too. */
const json_t *llmenv_config_find (llmenv_config *c, llmenv_field f);
const json_t *llmenv_config_find_outer (llmenv_config *c, llmenv_field f);
int llmenv_config_has (llmenv_config *c, llmenv_field f);

/* Whole number from 0 to LLMENV_MAX_WIDTH, NaN when absent; `_or` with a
 * fallback; `_need` where nothing can be computed without it; `_at` that of
 * layer I where a field may be a list; `_real` any number from 0. */
double llmenv_config_number (llmenv_config *c, llmenv_field f);
double llmenv_config_or (llmenv_config *c, llmenv_field f, double fallback);
double llmenv_config_need (llmenv_config *c, llmenv_field f);
double llmenv_config_at (llmenv_config *c, llmenv_field f, size_t i);
double llmenv_config_real (llmenv_config *c, llmenv_field f, double fallback);
int llmenv_config_flag (llmenv_config *c, llmenv_field f, int fallback);
const char *llmenv_config_text (llmenv_config *c, llmenv_field f); /* or "" */

/* Number that JSON at the place of field F holds. */
double llmenv_config_value (llmenv_config *c, llmenv_field f,
                            const json_t *json);

/* Place of a field in messages: the spelling found, or the best one. */
llmenv_place llmenv_config_place (const llmenv_config *c, llmenv_field f);
const char *llmenv_config_spelling (const llmenv_config *c, llmenv_field f,
                                    char *text, size_t size);

/* Set the first error; `_refuse` as "FILE: FIELD: expected ..., found ...". */
llmenv_status llmenv_config_fail (llmenv_config *c, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
void llmenv_config_refuse (llmenv_config *c, llmenv_field f,
                           const char *expected, const json_t *found);

/* Notes on what was used, assumed or not understood. */
void llmenv_config_report (llmenv_config *c);

/* layers: allocate them and say which kind each one is. */
llmenv_status llmenv_config_kinds (llmenv_config *c);

/* attention: heads, widths, windows, latents, shared caches. */
llmenv_status llmenv_config_attention (llmenv_config *c);

/* state: recurrent and convolution elements. */
llmenv_status llmenv_config_state (llmenv_config *c);
const char *llmenv_config_state_type (const llmenv_config *c,
                                      const llmenv_shape *shape);

/* Inner width of a state-space mixer, and the rank of its step projection. */
double llmenv_config_ssm_inner (llmenv_config *c, llmenv_state_kind kind);
double llmenv_config_ssm_rank (llmenv_config *c);

/* mlp: dense or experts, and how wide. */
llmenv_status llmenv_config_mlp (llmenv_config *c);

/* weights: parameters by part. */
llmenv_status llmenv_config_weights (llmenv_config *c);
void llmenv_config_state_weights (llmenv_config *c, llmenv_layer *layer);
int llmenv_config_state_is_weighed (llmenv_state_kind kind);

/* format: released types by part. */
llmenv_status llmenv_config_format (llmenv_config *c);

/* stacks that are no decoder: encoder only, encoder and decoder. */
int llmenv_config_is_stack (llmenv_config *c);
llmenv_status llmenv_config_stack (llmenv_config *c);
void llmenv_config_stack_weights (llmenv_config *c);
const char *llmenv_config_stack_unknown (llmenv_config *c); /* why, or NULL */

/* record: everything above as JSON. */
llmenv_status llmenv_config_record (llmenv_config *c, json_t **record);

#endif
