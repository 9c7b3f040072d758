/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Families of architectures: what no field of a configuration says (norms,
 * biases, gates that are always there), and the defaults that a class supplies
 * where a file is silent.  Nothing here decides what a layer caches unless a
 * family is known to leave that field out. */
#include "llmenv_import_config.h"

#include <string.h>

#define LLAMA "vocab_size=32000 hidden_size=4096 intermediate_size=11008 "      \
              "num_hidden_layers=32 num_attention_heads=32 "
#define QWEN2 "vocab_size=151936 hidden_size=4096 intermediate_size=22016 "     \
              "num_hidden_layers=32 num_attention_heads=32 "                    \
              "use_sliding_window=false +attention_bias=true +attention_out_bias=false "
#define TIED "tie_word_embeddings=true "
#define ALL_BIASES "+attention_bias=true +attention_out_bias=true +mlp_bias=true "
#define MTP (T_MTP_LIKE_LAST | T_MTP_COPIES)

static const llmenv_family families[] = {
  /* the plain decoder: two scaling norms, a gated MLP, no biases */
  { "llama yi vicuna internlm2 internlm3 granite baichuan deepseek_llm minicpm mistral_dense", 2, 0, LLAMA },
  { "mistral", 2, 0, "vocab_size=32000 hidden_size=4096 intermediate_size=14336 "
    "num_hidden_layers=32 num_attention_heads=32 num_key_value_heads=8 sliding_window=4096" },
  { "ministral ministral3", 2, 0, "" },
  { "mixtral", 2, 0, "vocab_size=32000 hidden_size=4096 intermediate_size=14336 "
    "num_hidden_layers=32 num_attention_heads=32 num_key_value_heads=8" },
  { "grok1", 4, 0, "" },
  { "phi3 phi3_v phi4mm", 2, 0, "" },
  { "exaone", 2, 0, "" },
  { "smollm3", 2, 0, TIED "use_sliding_window=false" },
  { "granitemoe granitemoeshared", 2, 0, "" },
  { "internlm", 2, 0, "+attention_bias=true +attention_out_bias=true" },
  { "qwen", 2, T_HALF_SIZE, "+attention_bias=true +attention_out_bias=false" },
  { "qwen2 qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text qwen2_5_omni_text "
    "qwen2_5_omni_thinker qwen2_audio", 2, 0, QWEN2 },
  { "mimo", 2, 0, "use_sliding_window=false +attention_out_bias=false" },
  { "qwen2_moe", 2, 0, "use_sliding_window=false decoder_sparse_step=1 "
    "+attention_bias=true +attention_out_bias=false" },
  { "qwen3 qwen3_vl qwen3_vl_text", 2, 0, "use_sliding_window=false head_dim=128 +use_qk_norm=true" },
  { "qwen3_moe qwen3_vl_moe qwen3_vl_moe_text qwen3_omni_moe_text qwen3_omni_moe_thinker", 2, 0,
    "use_sliding_window=false decoder_sparse_step=1 +use_qk_norm=true" },
  { "qwen3_next", 2, T_MTP_LIKE_LAST, "full_attention_interval=4 use_sliding_window=false "
    "decoder_sparse_step=1 +use_qk_norm=true +attn_output_gate=true" },
  { "qwen3_5 qwen3_5_text qwen3_5_moe qwen3_5_moe_text", 2, T_MTP_LIKE_LAST,
    "full_attention_interval=4 +use_qk_norm=true +attn_output_gate=true" },
  { "olmo", 0, 0, "" },
  { "olmo2", 2, T_WIDE_QK_NORM, "+use_qk_norm=true" },
  { "olmo3", 2, T_WIDE_QK_NORM, "sliding_window=4096 sliding_window_pattern=4 +use_qk_norm=true" },
  { "olmoe flex_olmo", 2, T_WIDE_QK_NORM, "+use_qk_norm=true" },
  { "exaone4", 2, 0, "sliding_window_pattern=4 +use_qk_norm=true" },
  { "seed_oss", 2, 0, "attention_out_bias=false" },
  { "arcee", 2, T_PLAIN_MLP, "" },
  { "apertus", 2, T_PLAIN_MLP, "+use_qk_norm=true" },
  { "hunyuan_v1_dense hunyuan_v1_moe hunyuan", 2, 0, TIED "+use_qk_norm=true" },
  { "ernie4_5 ernie4_5_text", 2, 0, TIED },
  { "ernie4_5_moe ernie4_5_vl_moe_text", 2, T_ROUTER_BIAS, TIED "moe_layer_interval=1" },
  { "glm", 2, 0, "attention_bias=true +attention_out_bias=false" },
  { "glm4 glm4v_text", 4, 0, "+attention_out_bias=false" },
  { "glm4_moe glm4v_moe_text", 2, T_ROUTER_BIAS | MTP, "+attention_out_bias=false use_qk_norm=false" },
  { "chatglm", 2, 0, "+add_qkv_bias=true +attention_out_bias=false +mlp_bias=false "
    "tie_word_embeddings=false" },
  { "dots1", 2, 0, "+use_qk_norm=true" },
  { "bailing_moe bailing_moe_v2", 2, 0, "" },
  { "bailing_moe_linear bailing_hybrid", 2, T_NO_WEIGHTS | T_HYBRID, "" },
  { "gpt_oss", 2, T_SINKS | T_EXPERT_BIAS | T_ROUTER_BIAS,
    "sliding_window=128 sliding_window_pattern=2 attention_bias=true" },
  { "minimax_m1 minimax_text_01 minimax", 2, T_HYBRID, "" },
  { "minimax_m2", 2, T_WIDE_QK_NORM | T_ROUTER_BIAS, "+use_qk_norm=true" },
  { "step3p5 step3p7", 2, T_HEAD_GATE | T_ROUTER_BIAS | T_MTP_SLIDING, "+use_qk_norm=true" },
  { "mimo_v2_flash mimo_v2", 2, 0, "" },
  { "exaone_moe", 2, T_ROUTER_BIAS, "+use_qk_norm=true" },
  { "afmoe", 4, T_ROUTER_BIAS, "+use_qk_norm=true +attn_output_gate=true" },
  /* one norm, or norms with a shift, or MLPs without a gate */
  { "gemma", 2, 0, TIED "head_dim=256 vocab_size=256000" },
  { "gemma2", 4, 0, TIED "head_dim=256 vocab_size=256000 sliding_window=4096 sliding_window_pattern=2" },
  { "gemma3 gemma3_text", 4, 0, TIED "head_dim=256 vocab_size=262208 hidden_size=2304 "
    "intermediate_size=9216 num_hidden_layers=26 num_attention_heads=8 num_key_value_heads=4 "
    "sliding_window=4096 sliding_window_pattern=6 +use_qk_norm=true" },
  { "gemma3n gemma3n_text", 4, 0, TIED "vocab_size=262400 vocab_size_per_layer_input=262144 "
    "hidden_size=2048 hidden_size_per_layer_input=256 intermediate_size=16384 num_hidden_layers=35 "
    "num_attention_heads=8 num_key_value_heads=2 head_dim=256 sliding_window=512 "
    "sliding_window_pattern=5 num_kv_shared_layers=15 laurel_rank=64 altup_num_inputs=4 +use_qk_norm=true" },
  { "gemma4 gemma4_text", 4, T_LAYER_SCALE, TIED "head_dim=256 global_head_dim=512 "
    "vocab_size=262144 sliding_window_pattern=6 +use_qk_norm=true" },
  { "vaultgemma", 2, 0, TIED "head_dim=256 sliding_window_pattern=2" },
  { "cohere", 1, T_WIDE_QK_NORM, TIED },
  { "cohere2", 1, 0, TIED "sliding_window=4096 sliding_window_pattern=4" },
  { "stablelm stablelm_epoch", 2, T_SHIFTED_NORMS, "+attention_out_bias=false" },
  { "phi", 1, T_SHIFTED_NORMS | T_PLAIN_MLP, ALL_BIASES "+lm_head_bias=true" },
  { "phimoe", 2, T_SHIFTED_NORMS, "" },
  { "gpt2", 2, T_SHIFTED_NORMS | T_PLAIN_MLP, TIED ALL_BIASES "+learned_pos_emb=true +expansion_ratio=4 "
    "vocab_size=50257 n_positions=1024 n_embd=768 n_layer=12 n_head=12" },
  { "gpt_bigcode", 2, T_SHIFTED_NORMS | T_PLAIN_MLP, TIED ALL_BIASES "+learned_pos_emb=true "
    "+expansion_ratio=4 multi_query=true" },
  { "gpt_neo", 2, T_SHIFTED_NORMS | T_PLAIN_MLP, TIED "+attention_bias=false +attention_out_bias=true "
    "+mlp_bias=true +learned_pos_emb=true +expansion_ratio=4 window_size=256" },
  { "gpt_neox", 2, T_SHIFTED_NORMS | T_PLAIN_MLP, ALL_BIASES },
  { "gptj codegen", 1, T_SHIFTED_NORMS | T_PLAIN_MLP, "+attention_bias=false +attention_out_bias=false "
    "+mlp_bias=true +lm_head_bias=true +expansion_ratio=4" },
  { "bloom", 2, T_SHIFTED_NORMS | T_PLAIN_MLP, TIED ALL_BIASES "+expansion_ratio=4 +embedding_norm=true" },
  { "opt", 2, T_SHIFTED_NORMS | T_PLAIN_MLP, TIED ALL_BIASES "+learned_pos_emb=true" },
  { "falcon RefinedWeb RefinedWebModel", 2, T_SHIFTED_NORMS | T_PLAIN_MLP, TIED
    "+expansion_ratio=4 multi_query=true new_decoder_architecture=false parallel_attn=true" },
  { "starcoder2", 2, T_SHIFTED_NORMS | T_PLAIN_MLP, TIED "use_bias=true" },
  { "nemotron", 2, T_SHIFTED_NORMS | T_PLAIN_MLP, "" },
  { "mpt", 2, T_PLAIN_MLP, TIED "expansion_ratio=4" },
  { "dbrx", 2, 0, "" },
  { "openelm", 2, 0, TIED },
  { "nemotron-nas deci decilm", 2, 0, "" },
  { "mllama mllama_text_model", 2, T_NO_WEIGHTS, "" },
  { "phi3small", 2, T_NO_WEIGHTS, "" },
  { "arctic", 2, T_NO_WEIGHTS, "" },
  /* latent attention */
  { "deepseek", 2, 0, "" },
  { "deepseek_v2 deepseek_v3 deepseek_v32 kimi_k2 kimi_k25 deepseek_vl_v2", 2, MTP,
    "kv_lora_rank=512 q_lora_rank=1536 qk_rope_head_dim=64 qk_nope_head_dim=128 v_head_dim=128" },
  { "glm4_moe_lite glm_moe_dsa", 2, T_ROUTER_BIAS | MTP, "" },
  { "minicpm3", 2, 0, "" },
  { "longcat_flash longcat", 2, T_TWO_A_LAYER | T_NO_WEIGHTS, "" },
  { "kimi_linear", 2, T_ROUTER_BIAS | T_HYBRID, "" },
  { "llama4 llama4_text", 2, T_BARE_QK_NORM | T_ALWAYS_SHARED,
    "attention_chunk_size=8192 no_rope_layer_interval=4 interleave_moe_layer_step=1 head_dim=128" },
  /* state space and other recurrences */
  { "mamba falcon_mamba", 1, T_SSM, TIED "expand=2 conv_kernel=4 state_size=16 time_step_rank=auto "
    "use_conv_bias=true use_bias=false" },
  { "mamba2", 1, T_SSM, "expand=2 num_heads=128 head_dim=64 state_size=128 n_groups=8 conv_kernel=4 "
    "use_conv_bias=true use_bias=false" },
  { "mamba_ssm1", 1, T_SSM, TIED "expand=2 d_conv=4 d_state=16 dt_rank=auto" },
  { "mamba_ssm2", 1, T_SSM, TIED "expand=2 d_conv=4 d_state=128 mamba_headdim=64 mamba_ngroups=1" },
  { "rwkv", 2, T_RWKV | T_RWKV4 | T_SHIFTED_NORMS, "" },
  { "rwkv5 rwkv6 rwkv7 rwkv6qwen2", 2, T_RWKV | T_SHIFTED_NORMS | T_NO_WEIGHTS, "head_size=64" },
  { "retnet gla delta_net gated_deltanet gated_delta_product", 2, T_LINEAR | T_NO_WEIGHTS, "" },
  { "xlstm", 2, T_MLSTM | T_NO_WEIGHTS, "qk_dim_factor=0.5 v_dim_factor=1" },
  { "recurrent_gemma", 2, T_NO_WEIGHTS | T_HYBRID, TIED "conv1d_width=4 attention_window_size=2048 head_dim=256" },
  { "granitemoehybrid", 2, T_HYBRID, "" },
  { "bamba", 2, T_HYBRID, "mamba_expand=2 mamba_d_conv=4 mamba_n_groups=1 mamba_conv_bias=true" },
  { "falcon_h1", 2, T_BESIDE, "mamba_conv_bias=true" },
  { "hymba", 2, T_BESIDE | T_NO_WEIGHTS, "" },
  { "plamo2", 4, T_NO_WEIGHTS | T_HYBRID, "" },
  { "jamba", 2, 0, "attn_layer_period=8 attn_layer_offset=4 expert_layer_period=2 expert_layer_offset=1 "
    "mamba_d_state=16 mamba_d_conv=4 mamba_expand=2 mamba_conv_bias=true mamba_proj_bias=false "
    "+mamba_inner_norms=true" },
  { "zamba zamba2", 1, T_NO_WEIGHTS | T_HYBRID, TIED },
  { "nemotron_h nemotron_h_v2", 1, T_ONE_EACH | T_HYBRID | T_PLAIN_MLP | T_ROUTER_BIAS, "" },
  { "lfm2", 2, T_HYBRID, TIED "block_auto_adjust_ff_dim=true block_ffn_dim_multiplier=1 block_multiple_of=256 "
    "conv_L_cache=3 +use_qk_norm=true" },
  { "lfm2_moe", 2, T_HYBRID, TIED "conv_L_cache=3 +use_qk_norm=true use_expert_bias=true" },
  /* encoders */
  { "bert roberta xlm-roberta camembert electra distilbert albert deberta deberta-v2 mpnet ernie "
    "modernbert nomic_bert longformer esm xlm-roberta-xl roformer bert-generation data2vec-text "
    "vit clip clip_text_model clip_vision_model siglip siglip_vision_model dinov2 wav2vec2 hubert",
    2, T_ENCODER | T_SHIFTED_NORMS | T_PLAIN_MLP, TIED ALL_BIASES "+learned_pos_emb=true +embedding_norm=true" },
  { "llada dream Dream", 2, T_ENCODER | T_DIFFUSION, "" },
  { "whisper", 2, T_ENCODER_DECODER | T_WHISPER | T_SHIFTED_NORMS | T_PLAIN_MLP, TIED },
  { "t5 mt5 umt5 longt5 switch_transformers", 2, T_ENCODER_DECODER | T_RELATIVE, TIED },
  { "bart mbart m2m_100 marian pegasus blenderbot led plbart nllb-moe speech_to_text", 2,
    T_ENCODER_DECODER | T_SHIFTED_NORMS | T_PLAIN_MLP, TIED },
};

/* WORD is one of the words of LIST. */
static int
is_word_of (const char *list, const char *word)
{
  const size_t n = strlen (word);
  for (const char *s = list; n > 0 && (s = strstr (s, word)) != NULL; s += n)
    if ((s == list || s[-1] == ' ') && (s[n] == ' ' || s[n] == '\0'))
      return 1;
  return 0;
}

const llmenv_family *
llmenv_family_find (const char *model_type)
{
  if (strchr (model_type, ' ') == NULL)
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
      if (is_word_of (families[i].types, model_type))
        return &families[i];
  return NULL;
}
