/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GGUF files, written here without tensor data, read and imported.
 *
 *   test_gguf                    the tests
 *   test_gguf --write FOLDER     the files of the models below, small
 *   test_gguf --dump FILE        what the reader finds, as JSON (the oracle's) */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "check.h"

#include "llmenv_element.h"
#include "llmenv_gguf.h"
#include "llmenv_import.h"

/* ---- a writer ----------------------------------------------------------- */

typedef struct
{
  unsigned char *data;
  size_t n, room;
} bytes;

typedef struct
{
  bytes keys, tensors;
  uint64_t n_keys, n_tensors, data_bytes;
  unsigned version;
  int big;
  const char *arch;
} writer;

/* Numbers of value types and of ggml types in the format. */
enum { U8, I8, U16, I16, U32, I32, F32, BOOL, TEXT, ARRAY, U64, I64, F64 };
enum { G_F32 = 0, G_F16 = 1, G_Q4_0 = 2, G_Q8_0 = 8, G_Q4_K = 12, G_Q6_K = 14,
       G_BF16 = 30, G_MXFP4 = 39 };

static void
put (bytes *b, const void *data, size_t n)
{
  while (b->n + n > b->room)
    {
      b->room = b->room == 0 ? 4096 : 2 * b->room;
      b->data = realloc (b->data, b->room);
    }
  if (n > 0)
    memcpy (b->data + b->n, data, n);
  b->n += n;
}

static void
put_number (bytes *b, int big, uint64_t x, unsigned width)
{
  unsigned char out[8];
  for (unsigned i = 0; i < width; i++)
    out[big ? width - 1 - i : i] = (unsigned char) (x >> 8 * i);
  put (b, out, width);
}

static void
put_text (bytes *b, int big, const char *text)
{
  put_number (b, big, strlen (text), 8);
  put (b, text, strlen (text));
}

static writer
start (unsigned version, int big, const char *arch)
{
  writer w = { .version = version, .big = big, .arch = arch };
  return w;
}

static void
raw_key (writer *w, const char *key, unsigned type)
{
  put_text (&w->keys, w->big, key);
  put_number (&w->keys, w->big, type, 4);
  w->n_keys++;
}

static void
key (writer *w, const char *name, unsigned type)
{
  char full[200];
  snprintf (full, sizeof full, "%s.%s", w->arch, name);
  raw_key (w, full, type);
}

static void
key_number (writer *w, const char *name, uint64_t x)
{
  key (w, name, U32);
  put_number (&w->keys, w->big, x, 4);
}

/* A list of N: one number a layer. */
static void
key_list (writer *w, const char *name, unsigned type, unsigned n, const int *x)
{
  key (w, name, ARRAY);
  put_number (&w->keys, w->big, type, 4);
  put_number (&w->keys, w->big, n, 8);
  for (unsigned i = 0; i < n; i++)
    put_number (&w->keys, w->big, (uint64_t) (int64_t) x[i], type == BOOL ? 1 : 4);
}

static void
key_text (writer *w, const char *full, const char *text)
{
  raw_key (w, full, TEXT);
  put_text (&w->keys, w->big, text);
}

/* A tensor; dimensions innermost first, up to a 0.  Its offset follows the
 * one before, padded to 32 bytes. */
static void
tensor (writer *w, unsigned type, const char *name, uint64_t d0, uint64_t d1, uint64_t d2)
{
  const llmenv_ggml_type *t = llmenv_ggml_type_find (type);
  const uint64_t dims[] = { d0, d1, d2 };
  const unsigned n = d2 > 0 ? 3 : d1 > 0 ? 2 : 1;
  uint64_t elements = 1;
  put_text (&w->tensors, w->big, name);
  put_number (&w->tensors, w->big, n, 4);
  for (unsigned i = 0; i < n; i++)
    {
      put_number (&w->tensors, w->big, dims[i], 8);
      elements *= dims[i];
    }
  put_number (&w->tensors, w->big, type, 4);
  put_number (&w->tensors, w->big, w->data_bytes, 8);
  w->n_tensors++;
  if (t != NULL)
    w->data_bytes += (elements / t->values * t->bytes + 31) / 32 * 32;
}

static void
block_tensor (writer *w, unsigned type, unsigned layer, const char *rest, uint64_t d0,
              uint64_t d1, uint64_t d2)
{
  char name[100];
  snprintf (name, sizeof name, "%sblk.%u.%s", strcmp (w->arch, "t5") == 0 ? "dec." : "",
            layer, rest);
  tensor (w, type, name, d0, d1, d2);
}

/* The whole header; W is emptied. */
static bytes
finish (writer *w)
{
  bytes b = { NULL, 0, 0 };
  put (&b, "GGUF", 4);
  put_number (&b, w->big, w->version, 4);
  put_number (&b, w->big, w->n_tensors, 8);
  put_number (&b, w->big, w->n_keys, 8);
  put (&b, w->keys.data, w->keys.n);
  put (&b, w->tensors.data, w->tensors.n);
  free (w->keys.data);
  free (w->tensors.data);
  memset (w, 0, sizeof *w);
  return b;
}

/* ---- models ------------------------------------------------------------- */

/* Sizes of a decoder; FF and EXPERTS may be 0. */
typedef struct
{
  unsigned layers, width, ff, heads, kv, head, vocab, type;
  int tied;
} sizes;

static void
geometry (writer *w, const sizes *s)
{
  key_text (w, "general.architecture", w->arch);
  key_number (w, "block_count", s->layers);
  key_number (w, "context_length", 131072);
  key_number (w, "embedding_length", s->width);
  if (s->ff > 0)
    key_number (w, "feed_forward_length", s->ff);
  if (s->heads > 0)
    {
      key_number (w, "attention.head_count", s->heads);
      key_number (w, "attention.head_count_kv", s->kv);
    }
}

static void
outside (writer *w, const sizes *s)
{
  tensor (w, s->type, "token_embd.weight", s->width, s->vocab, 0);
  tensor (w, G_F32, "output_norm.weight", s->width, 0, 0);
  if (!s->tied)
    tensor (w, s->type, "output.weight", s->width, s->vocab, 0);
}

static void
attention (writer *w, const sizes *s, unsigned i, unsigned kv)
{
  block_tensor (w, G_F32, i, "attn_norm.weight", s->width, 0, 0);
  block_tensor (w, s->type, i, "attn_q.weight", s->width, s->heads * s->head, 0);
  block_tensor (w, s->type, i, "attn_k.weight", s->width, kv * s->head, 0);
  block_tensor (w, s->type, i, "attn_v.weight", s->width, kv * s->head, 0);
  block_tensor (w, s->type, i, "attn_output.weight", s->heads * s->head, s->width, 0);
}

static void
mlp (writer *w, const sizes *s, unsigned i)
{
  block_tensor (w, G_F32, i, "ffn_norm.weight", s->width, 0, 0);
  block_tensor (w, s->type, i, "ffn_gate.weight", s->width, s->ff, 0);
  block_tensor (w, s->type, i, "ffn_up.weight", s->width, s->ff, 0);
  block_tensor (w, s->type, i, "ffn_down.weight", s->ff, s->width, 0);
}

static void
experts (writer *w, const sizes *s, unsigned i, unsigned type, unsigned ff, unsigned n)
{
  block_tensor (w, G_F32, i, "ffn_gate_inp.weight", s->width, n, 0);
  block_tensor (w, type, i, "ffn_gate_exps.weight", s->width, ff, n);
  block_tensor (w, type, i, "ffn_up_exps.weight", s->width, ff, n);
  block_tensor (w, type, i, "ffn_down_exps.weight", ff, s->width, n);
}

static void
decoder (writer *w, const sizes *s)
{
  geometry (w, s);
  outside (w, s);
  for (unsigned i = 0; i < s->layers; i++)
    {
      attention (w, s, i, s->kv);
      mlp (w, s, i);
    }
}

static const sizes llama_8b = { 32, 4096, 14336, 32, 8, 128, 128256, G_Q4_0, 0 };
static const sizes small = { 2, 256, 512, 4, 2, 64, 512, G_Q4_K, 1 };

static writer
llama (const sizes *s, unsigned version, int big)
{
  writer w = start (version, big, "llama");
  decoder (&w, s);
  key_number (&w, "rope.dimension_count", s->head);
  return w;
}

/* Mixtral's layers, experts in one tensor each or in one a projection. */
static writer
mixtral (unsigned layers, int single)
{
  writer w = start (3, 0, "llama");
  const sizes s = { layers, 4096, 14336, 32, 8, 128, 32000, G_Q8_0, 0 };
  geometry (&w, &s);
  key_number (&w, "expert_count", 8);
  key_number (&w, "expert_used_count", 2);
  outside (&w, &s);
  for (unsigned i = 0; i < layers; i++)
    {
      attention (&w, &s, i, s.kv);
      if (!single)
        {
          experts (&w, &s, i, G_Q4_K, 14336, 8);
          continue;
        }
      block_tensor (&w, G_F32, i, "ffn_gate_inp.weight", 4096, 8, 0);
      for (int e = 0; e < 8; e++)
        {
          char name[40];
          snprintf (name, sizeof name, "ffn_gate.%d.weight", e);
          block_tensor (&w, G_Q4_K, i, name, 4096, 14336, 0);
          snprintf (name, sizeof name, "ffn_up.%d.weight", e);
          block_tensor (&w, G_Q4_K, i, name, 4096, 14336, 0);
          snprintf (name, sizeof name, "ffn_down.%d.weight", e);
          block_tensor (&w, G_Q4_K, i, name, 14336, 4096, 0);
        }
    }
  return w;
}

static void
latent_attention (writer *w, const sizes *s, unsigned i)
{
  block_tensor (w, G_F32, i, "attn_norm.weight", s->width, 0, 0);
  block_tensor (w, s->type, i, "attn_q_a.weight", s->width, 1536, 0);
  block_tensor (w, s->type, i, "attn_q_b.weight", 1536, 128 * 192, 0);
  block_tensor (w, s->type, i, "attn_kv_a_mqa.weight", s->width, 576, 0);
  block_tensor (w, s->type, i, "attn_k_b.weight", 128, 512, 128);
  block_tensor (w, s->type, i, "attn_v_b.weight", 512, 128, 128);
  block_tensor (w, s->type, i, "attn_output.weight", 128 * 128, s->width, 0);
}

/* DeepSeek-V3: 3 dense layers, then mixtures of 256 experts of 2,048 with one
 * shared; EXTRA layers of multi-token prediction are counted as blocks. */
static writer
deepseek (unsigned layers, unsigned extra, int old_keys, int indexer)
{
  writer w = start (3, 0, indexer ? "deepseek32" : "deepseek2");
  const sizes s = { layers + extra, 7168, 18432, 128, old_keys ? 128 : 1, 128, 129280, G_Q8_0, 0 };
  geometry (&w, &s);
  key_number (&w, "attention.kv_lora_rank", 512);
  key_number (&w, "attention.key_length", old_keys ? 192 : 576);
  key_number (&w, "attention.value_length", old_keys ? 128 : 512);
  if (!old_keys)
    {
      key_number (&w, "attention.key_length_mla", 192);
      key_number (&w, "attention.value_length_mla", 128);
    }
  key_number (&w, "rope.dimension_count", 64);
  key_number (&w, "expert_count", 256);
  key_number (&w, "expert_used_count", 8);
  key_number (&w, "expert_shared_count", 1);
  key_number (&w, "expert_feed_forward_length", 2048);
  key_number (&w, "leading_dense_block_count", 3);
  key_number (&w, "nextn_predict_layers", extra);
  if (indexer)
    {
      key_number (&w, "attention.indexer.head_count", 64);
      key_number (&w, "attention.indexer.key_length", 128);
      key_number (&w, "attention.indexer.top_k", 2048);
    }
  outside (&w, &s);
  for (unsigned i = 0; i < layers + extra; i++)
    {
      latent_attention (&w, &s, i);
      if (i >= layers)
        block_tensor (&w, s.type, i, "nextn.eh_proj.weight", 2 * s.width, s.width, 0);
      if (i < 3)
        {
          mlp (&w, &s, i);
          continue;
        }
      experts (&w, &s, i, G_Q4_K, 2048, 256);
      block_tensor (&w, s.type, i, "ffn_gate_shexp.weight", s.width, 2048, 0);
      block_tensor (&w, s.type, i, "ffn_up_shexp.weight", s.width, 2048, 0);
      block_tensor (&w, s.type, i, "ffn_down_shexp.weight", 2048, s.width, 0);
    }
  return w;
}

/* A windowed decoder: WINDOW tokens, which layers is the architecture's. */
static writer
windowed (const char *arch, const sizes *s, unsigned window, unsigned key_length)
{
  writer w = start (3, 0, arch);
  decoder (&w, s);
  if (window > 0)
    key_number (&w, "attention.sliding_window", window);
  if (key_length > 0)
    {
      key_number (&w, "attention.key_length", key_length);
      key_number (&w, "attention.value_length", key_length);
    }
  return w;
}

static const sizes gemma3_4b = { 34, 2560, 10240, 8, 4, 256, 262144, G_Q8_0, 1 };

static writer
gpt_oss (unsigned layers)
{
  writer w = start (3, 0, "gpt-oss");
  const sizes s = { layers, 2880, 2880, 64, 8, 64, 201088, G_BF16, 0 };
  geometry (&w, &s);
  key_number (&w, "attention.key_length", 64);
  key_number (&w, "attention.value_length", 64);
  key_number (&w, "attention.sliding_window", 128);
  key_number (&w, "expert_count", 32);
  key_number (&w, "expert_used_count", 4);
  key_number (&w, "expert_feed_forward_length", 2880);
  outside (&w, &s);
  for (unsigned i = 0; i < layers; i++)
    {
      attention (&w, &s, i, s.kv);
      block_tensor (&w, G_F32, i, "attn_sinks.weight", 64, 0, 0);
      experts (&w, &s, i, G_MXFP4, 2880, 32);
      block_tensor (&w, G_F32, i, "ffn_up_exps.bias", 2880, 32, 0);
    }
  return w;
}

static void
scan_sizes (writer *w, unsigned kernel, unsigned state, unsigned inner, unsigned rank,
            unsigned group)
{
  key_number (w, "ssm.conv_kernel", kernel);
  key_number (w, "ssm.state_size", state);
  key_number (w, "ssm.inner_size", inner);
  key_number (w, "ssm.time_step_rank", rank);
  if (group > 0)
    key_number (w, "ssm.group_count", group);
}

static void
scan (writer *w, unsigned width, unsigned inner, unsigned i)
{
  block_tensor (w, G_F32, i, "attn_norm.weight", width, 0, 0);
  block_tensor (w, G_Q8_0, i, "ssm_in.weight", width, 2 * inner, 0);
  block_tensor (w, G_F32, i, "ssm_conv1d.weight", 4, inner, 0);
  block_tensor (w, G_F32, i, "ssm_a", 16, inner, 0);
  block_tensor (w, G_Q8_0, i, "ssm_out.weight", inner, width, 0);
}

static writer
mamba (unsigned layers)
{
  writer w = start (3, 0, "mamba");
  const sizes s = { layers, 2560, 0, 0, 0, 0, 50280, G_Q8_0, 1 };
  geometry (&w, &s);
  scan_sizes (&w, 4, 16, 5120, 160, 0);
  outside (&w, &s);
  for (unsigned i = 0; i < layers; i++)
    scan (&w, s.width, 5120, i);
  return w;
}

/* Granite-4-H-Micro: 4 attention layers of 40, told by the list of KV heads. */
static writer
granite_hybrid (void)
{
  writer w = start (3, 0, "granitehybrid");
  const sizes s = { 40, 2048, 8192, 32, 8, 64, 100352, G_Q8_0, 1 };
  int kv[40];
  geometry (&w, &s);
  w.keys.n = 0;                /* again, with a list of KV heads */
  w.n_keys = 0;
  key_text (&w, "general.architecture", w.arch);
  key_number (&w, "block_count", 40);
  key_number (&w, "embedding_length", 2048);
  key_number (&w, "feed_forward_length", 8192);
  key_number (&w, "attention.head_count", 32);
  for (unsigned i = 0; i < 40; i++)
    kv[i] = i % 10 == 5 ? 8 : 0;
  key_list (&w, "attention.head_count_kv", I32, 40, kv);
  scan_sizes (&w, 4, 128, 4096, 64, 1);
  outside (&w, &s);
  for (unsigned i = 0; i < 40; i++)
    {
      if (kv[i] > 0)
        attention (&w, &s, i, 8);
      else
        scan (&w, s.width, 4096, i);
      mlp (&w, &s, i);
    }
  return w;
}

/* Qwen3-Next: every fourth layer attends; the others fuse QKV into a scan. */
static writer
qwen3_next (void)
{
  writer w = start (3, 0, "qwen3next");
  const sizes s = { 48, 2048, 0, 16, 2, 256, 151936, G_Q8_0, 0 };
  geometry (&w, &s);
  key_number (&w, "attention.key_length", 256);
  key_number (&w, "attention.value_length", 256);
  scan_sizes (&w, 4, 128, 4096, 32, 16);
  key_number (&w, "expert_count", 512);
  key_number (&w, "expert_used_count", 10);
  outside (&w, &s);
  for (unsigned i = 0; i < 48; i++)
    {
      if (i % 4 == 3)
        attention (&w, &s, i, 2);
      else
        {
          block_tensor (&w, s.type, i, "attn_qkv.weight", 2048, 8192, 0);
          block_tensor (&w, s.type, i, "attn_gate.weight", 2048, 4096, 0);
          scan (&w, s.width, 4096, i);
        }
      experts (&w, &s, i, G_Q4_K, 512, 512);
      block_tensor (&w, s.type, i, "ffn_down_shexp.weight", 512, 2048, 0);
    }
  return w;
}

static writer
kimi_linear (void)
{
  writer w = start (3, 0, "kimi-linear");
  int kv[27];
  for (unsigned i = 0; i < 27; i++)
    kv[i] = i % 4 == 3 || i == 26;
  key_text (&w, "general.architecture", w.arch);
  key_number (&w, "block_count", 27);
  key_number (&w, "embedding_length", 2304);
  key_number (&w, "attention.head_count", 32);
  key_list (&w, "attention.head_count_kv", I32, 27, kv);
  key_number (&w, "attention.kv_lora_rank", 512);
  key_number (&w, "rope.dimension_count", 64);
  key_number (&w, "kda.head_dim", 128);
  key_number (&w, "ssm.conv_kernel", 4);
  tensor (&w, G_Q8_0, "token_embd.weight", 2304, 163840, 0);
  for (unsigned i = 0; i < 27; i++)
    if (kv[i])
      block_tensor (&w, G_Q8_0, i, "attn_kv_a_mqa.weight", 2304, 576, 0);
    else
      {
        block_tensor (&w, G_Q8_0, i, "attn_q.weight", 2304, 4096, 0);
        block_tensor (&w, G_Q8_0, i, "attn_k.weight", 2304, 4096, 0);
        block_tensor (&w, G_F32, i, "ssm_conv1d_q.weight", 4, 4096, 0);
      }
  return w;
}

static writer
rwkv7 (void)
{
  writer w = start (3, 0, "rwkv7");
  key_text (&w, "general.architecture", w.arch);
  key_number (&w, "block_count", 32);
  key_number (&w, "embedding_length", 2560);
  key_number (&w, "wkv.head_size", 64);
  key_number (&w, "attention.head_count", 0);
  tensor (&w, G_Q8_0, "token_embd.weight", 2560, 65536, 0);
  tensor (&w, G_Q8_0, "output.weight", 2560, 65536, 0);
  for (unsigned i = 0; i < 32; i++)
    {
      block_tensor (&w, G_Q8_0, i, "time_mix_key.weight", 2560, 2560, 0);
      block_tensor (&w, G_Q8_0, i, "channel_mix_value.weight", 10240, 2560, 0);
    }
  return w;
}

/* Gemma 3n E2B: 30 layers, the last 10 read the cache of earlier ones. */
static writer
gemma3n (int with_key)
{
  const sizes s = { 30, 2048, 8192, 8, 2, 256, 262144, G_Q8_0, 1 };
  writer w = windowed ("gemma3n", &s, 512, 256);
  if (with_key)
    key_number (&w, "attention.shared_kv_layers", 10);
  tensor (&w, G_Q8_0, "per_layer_token_embd.weight", 256 * 30, 262144, 0);
  tensor (&w, G_F16, "v.patch_embd.weight", 1024, 100, 0);
  return w;
}

/* Gemma 4: the list says which layers are windowed; these have other heads. */
static writer
gemma4 (void)
{
  writer w = start (3, 0, "gemma4");
  int kv[6] = { 16, 16, 16, 16, 16, 4 }, pattern[6] = { 1, 1, 1, 1, 1, 0 };
  key_text (&w, "general.architecture", w.arch);
  key_number (&w, "block_count", 6);
  key_number (&w, "embedding_length", 5376);
  key_number (&w, "attention.head_count", 32);
  key_list (&w, "attention.head_count_kv", U32, 6, kv);
  key_number (&w, "attention.key_length", 512);
  key_number (&w, "attention.value_length", 512);
  key_number (&w, "attention.key_length_swa", 256);
  key_number (&w, "attention.value_length_swa", 256);
  key_number (&w, "attention.sliding_window", 1024);
  key_list (&w, "attention.sliding_window_pattern", BOOL, 6, pattern);
  tensor (&w, G_Q8_0, "token_embd.weight", 5376, 262144, 0);
  for (unsigned i = 0; i < 6; i++)
    block_tensor (&w, G_Q8_0, i, "attn_q.weight", 5376, 8192, 0);
  return w;
}

static writer
t5 (void)
{
  writer w = start (3, 0, "t5");
  const sizes s = { 6, 512, 1024, 6, 6, 64, 32128, G_F16, 0 };
  geometry (&w, &s);
  key_number (&w, "decoder_block_count", 4);
  key_number (&w, "attention.key_length", 64);
  key_number (&w, "attention.value_length", 64);
  outside (&w, &s);
  for (unsigned i = 0; i < 4; i++)
    {
      attention (&w, &s, i, 6);
      block_tensor (&w, s.type, i, "cross_attn_q.weight", 512, 384, 0);
    }
  for (unsigned i = 0; i < 6; i++)
    {
      char name[40];
      snprintf (name, sizeof name, "enc.blk.%u.attn_q.weight", i);
      tensor (&w, s.type, name, 512, 384, 0);
    }
  return w;
}

/* Every value type, and a tensor of every storage type that is listed. */
static writer
everything (unsigned version, int big)
{
  writer w = llama (&small, version, big);
  static const unsigned scalars[] = { U8, I8, U16, I16, U32, I32, F32, BOOL, U64, I64, F64 };
  static const unsigned widths[] = { 1, 1, 2, 2, 4, 4, 4, 1, 8, 8, 8 };
  static const uint64_t values[]
    = { 200, (uint64_t) -5, 60000, (uint64_t) -300, 4000000000, (uint64_t) -70000,
        0x3FC00000, 1, UINT64_C (1) << 62, (uint64_t) -9, UINT64_C (0x3FF8000000000000) };
  char name[40];
  for (unsigned i = 0; i < N_OF_ARRAY (scalars); i++)
    {
      snprintf (name, sizeof name, "test.scalar.%u", scalars[i]);
      raw_key (&w, name, scalars[i]);
      put_number (&w.keys, big, values[i], widths[i]);
      snprintf (name, sizeof name, "test.list.%u", scalars[i]);
      raw_key (&w, name, ARRAY);
      put_number (&w.keys, big, scalars[i], 4);
      put_number (&w.keys, big, 2, 8);
      put_number (&w.keys, big, values[i], widths[i]);
      put_number (&w.keys, big, 0, widths[i]);
    }
  raw_key (&w, "test.texts", ARRAY);
  put_number (&w.keys, big, TEXT, 4);
  put_number (&w.keys, big, 2, 8);
  put_text (&w.keys, big, "one");
  put_text (&w.keys, big, "");
  raw_key (&w, "test.nested", ARRAY);      /* [[1, 2], [3]] */
  put_number (&w.keys, big, ARRAY, 4);
  put_number (&w.keys, big, 2, 8);
  for (unsigned i = 0; i < 2; i++)
    {
      put_number (&w.keys, big, U16, 4);
      put_number (&w.keys, big, 2 - i, 8);
      for (unsigned j = 0; j < 2 - i; j++)
        put_number (&w.keys, big, 2 * i + j + 1, 2);
    }
  key_text (&w, "general.name", "Every Type");
  for (unsigned id = 0; id < 60; id++)
    if (llmenv_ggml_type_find (id) != NULL && (id < 31 || id > 33) && (id < 36 || id > 38))
      {
        snprintf (name, sizeof name, "blk.1.ffn_up.type%u", id);
        tensor (&w, id, name, 512, 3, 0);
      }
  return w;
}

/* ---- helpers ------------------------------------------------------------ */

static char folder[] = "/tmp/llmenv_gguf_XXXXXX";

static const char *
path_of (const char *name)
{
  static char path[1200];
  snprintf (path, sizeof path, "%s/%s", folder, name);
  return path;
}

static const char *
save (const char *name, const bytes *b)
{
  const char *path = path_of (name);
  FILE *f = fopen (path, "wb");
  assert_non_null (f);
  assert_true (b->n == 0 || fwrite (b->data, 1, b->n, f) == b->n);
  fclose (f);
  return path;
}

static llmenv_status
read_bytes (const void *data, size_t n, llmenv_gguf *g, llmenv_error *error)
{
  llmenv_source source;
  memset (g, 0, sizeof *g);
  llmenv_source_memory (&source, "memory", data, n);
  return llmenv_gguf_read (&source, g, error);
}

/* Record of what W holds; it must be one that the project accepts. */
static llmenv_model_record *
record_of (writer w, llmenv_import_notes *notes)
{
  bytes b = finish (&w);
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_gguf g;
  json_t *json = NULL;
  llmenv_model_record *record = NULL;
  STATUS (read_bytes (b.data, b.n, &g, &error), LLMENV_OK, error, "read");
  STATUS (llmenv_gguf_record (&g, "folder/Some-Model_1.Q4_0.gguf", &json, notes, &error),
          LLMENV_OK, error, "import");
  STATUS (llmenv_model_record_make (json, "memory", &record, &error), LLMENV_OK, error, "record");
  llmenv_gguf_free (&g);
  free (b.data);
  return record;
}

static json_t *
group_at (const llmenv_model_record *r, size_t i)
{
  return json_array_get (json_object_get (r->json, "layers"), i);
}

static double
number_of (const json_t *object, const char *name)
{
  return json_number_value (json_object_get (object, name));
}

/* Group I is COUNT layers of KIND; then key, number, ..., NULL. */
static void
group_is (const llmenv_model_record *r, size_t i, double count, const char *kind, ...)
{
  const json_t *g = group_at (r, i);
  va_list args;
  assert_non_null (g);
  NEAR (number_of (g, "count"), count, 0, kind);
  assert_string_equal (json_string_value (json_object_get (g, "kind")), kind);
  va_start (args, kind);
  for (const char *name; (name = va_arg (args, const char *)) != NULL;)
    NEAR (number_of (g, name), va_arg (args, double), 0, name);
  va_end (args);
}

/* Params and bytes of the parts of ROLE whose name starts with NAME. */
static void
part_is (const llmenv_model_record *r, const char *role, const char *name,
         double params, double in_bytes)
{
  const json_t *parts = json_object_get (json_object_get (r->json, "weights"), "parts");
  double p = 0, b = 0;
  size_t i;
  json_t *part;
  json_array_foreach (parts, i, part)
    if (strcmp (json_string_value (json_object_get (part, "role")), role) == 0
        && strncmp (json_string_value (json_object_get (part, "name")), name, strlen (name)) == 0)
      {
        p += number_of (part, "params");
        b += number_of (part, "bytes");
      }
  NEAR (p, params, 0, name);
  NEAR (b, in_bytes, 0, name);
}

/* MiB of the layers of KIND at CELLS tokens, 2 bytes an element. */
static double
cells_mib (const llmenv_model_record *r, const char *kind, double cells)
{
  double sum = 0;
  for (size_t i = 0; i < json_array_size (json_object_get (r->json, "layers")); i++)
    {
      const json_t *g = group_at (r, i);
      if (strcmp (json_string_value (json_object_get (g, "kind")), kind) == 0)
        sum += number_of (g, "count")
               * (number_of (g, "kv_heads") * (number_of (g, "k_dim") + number_of (g, "v_dim"))
                  + number_of (g, "rank") + number_of (g, "rope_dim"));
    }
  return sum * cells * 2 / 1048576;
}

static double
kv_mib (const llmenv_model_record *r, double tokens, const char *k, const char *v)
{
  llmenv_options options = llmenv_options_default ();
  llmenv_error error;
  llmenv_envelope e;
  assert_int_equal (llmenv_option_set_text (&options, "KType", k, &error), LLMENV_OK);
  assert_int_equal (llmenv_option_set_text (&options, "VType", v, &error), LLMENV_OK);
  assert_int_equal (llmenv_envelope_make (&r->model, NULL, &options.settings, &e), LLMENV_OK);
  return value_of ("kv_bytes", &e, 1, tokens) / 1048576;
}

/* ---- types -------------------------------------------------------------- */

/* Bits of a block by its parts, from the format's description: quants, then
 * the scales and minima of its sub-blocks, then those of the block. */
static void
every_type_has_the_size_of_its_parts (void **state)
{
  static const struct { unsigned id; const char *name; unsigned values; double bits; } t[] = {
    { 0, "f32", 1, 32 }, { 1, "f16", 1, 16 }, { 30, "bf16", 1, 16 }, { 28, "f64", 1, 64 },
    { 24, "i8", 1, 8 }, { 25, "i16", 1, 16 }, { 26, "i32", 1, 32 }, { 27, "i64", 1, 64 },
    { 2, "q4_0", 32, 32 * 4 + 16 }, { 3, "q4_1", 32, 32 * 4 + 32 },
    { 6, "q5_0", 32, 32 * 5 + 16 }, { 7, "q5_1", 32, 32 * 5 + 32 },
    { 8, "q8_0", 32, 32 * 8 + 16 }, { 9, "q8_1", 32, 32 * 8 + 32 },
    { 10, "q2_K", 256, 256 * 2 + 16 * 8 + 32 }, { 11, "q3_K", 256, 256 * 3 + 16 * 6 + 16 },
    { 12, "q4_K", 256, 256 * 4 + 16 * 6 + 32 }, { 13, "q5_K", 256, 256 * 5 + 16 * 6 + 32 },
    { 14, "q6_K", 256, 256 * 6 + 16 * 8 + 16 },
    { 15, "q8_K", 256, 256 * 8 + 16 * 16 + 32 },         /* sums of 16, one fp32 */
    { 16, "iq2_xxs", 256, 32 * 16 + 16 },                /* 8 values in 16 bits */
    { 17, "iq2_xs", 256, 32 * 16 + 8 * 8 + 16 },         /* and 16 scales of 4 */
    { 18, "iq3_xxs", 256, 256 * 3 + 16 },
    { 19, "iq1_s", 256, 32 * 8 + 8 * 16 + 16 },          /* 8 bits and 3 a group of 8 */
    { 20, "iq4_nl", 32, 32 * 4 + 16 },
    { 21, "iq3_s", 256, 64 * 8 + 64 + 256 + 8 * 4 + 16 }, /* index, high bit, signs, scales */
    { 22, "iq2_s", 256, 64 * 8 + 8 * 8 + 8 * 8 + 16 },
    { 23, "iq4_xs", 256, 256 * 4 + 8 * 6 + 16 },
    { 29, "iq1_m", 256, 32 * 8 + 16 * 8 + 8 * 8 },       /* index, high bits, scales */
    { 34, "tq1_0", 256, 48 * 8 + 4 * 8 + 16 },           /* 5 values a byte, 4 a byte */
    { 35, "tq2_0", 256, 256 * 2 + 16 },
    { 39, "mxfp4", 32, 32 * 4 + 8 }, { 40, "nvfp4", 64, 64 * 4 + 4 * 8 },
    { 41, "q1_0", 128, 128 + 16 }, { 42, "q2_0", 64, 64 * 2 + 16 } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (t); i++)
    {
      const llmenv_ggml_type *type = llmenv_ggml_type_find (t[i].id);
      assert_non_null (type);
      assert_string_equal (type->name, t[i].name);
      assert_int_equal (type->values, t[i].values);
      NEAR (type->bytes, t[i].bits / 8, 0, t[i].name);
    }
  for (unsigned id = 31; id <= 38; id++)   /* interleavings of q4_0 and iq4_nl */
    if (id != 34 && id != 35)
      NEAR (llmenv_ggml_type_find (id)->bytes, 18, 0, "interleaved");
  assert_null (llmenv_ggml_type_find (4));
  assert_null (llmenv_ggml_type_find (5));
  for (uint64_t id = LLMENV_GGML_IDS; id < 300; id++)
    assert_null (llmenv_ggml_type_find (id));
}

/* Where records know a type too, both tables agree. */
static void
types_are_those_of_records (void **state)
{
  unsigned known = 0;
  (void) state;
  for (unsigned id = 0; id < LLMENV_GGML_IDS; id++)
    {
      const llmenv_ggml_type *t = llmenv_ggml_type_find (id);
      const llmenv_element *e = t == NULL ? NULL : llmenv_element_find (t->element, 0);
      if (e == NULL)
        continue;
      known++;
      NEAR (llmenv_element_bytes (e), (double) t->bytes / t->values, 0, t->name);
    }
  assert_true (known >= 20);
}

/* ---- reading ------------------------------------------------------------ */

/* Three rows of 512 a type: 1,536 values.  Versions and byte orders agree. */
static void
both_versions_and_byte_orders_say_the_same (void **state)
{
  (void) state;
  for (unsigned version = 2; version <= 3; version++)
    for (int big = 0; big <= 1; big++)
      {
        writer w = everything (version, big);
        bytes b = finish (&w);
        llmenv_error error = { LLMENV_OK, "" };
        llmenv_gguf g;
        STATUS (read_bytes (b.data, b.n, &g, &error), LLMENV_OK, error, "everything");
        assert_int_equal (g.version, version);
        assert_int_equal (g.big_endian, big);
        const json_t *m = g.metadata;
        NEAR (number_of (m, "test.scalar.0"), 200, 0, "u8");
        NEAR (number_of (m, "test.scalar.1"), -5, 0, "i8");
        NEAR (number_of (m, "test.scalar.2"), 60000, 0, "u16");
        NEAR (number_of (m, "test.scalar.3"), -300, 0, "i16");
        NEAR (number_of (m, "test.scalar.4"), 4e9, 0, "u32");
        NEAR (number_of (m, "test.scalar.5"), -70000, 0, "i32");
        NEAR (number_of (m, "test.scalar.6"), 1.5, 0, "f32");
        assert_true (json_is_true (json_object_get (m, "test.scalar.7")));
        NEAR (number_of (m, "test.scalar.10"), 0x1p62, 0, "u64");
        NEAR (number_of (m, "test.scalar.11"), -9, 0, "i64");
        NEAR (number_of (m, "test.scalar.12"), 1.5, 0, "f64");
        NEAR (json_number_value (json_array_get (json_object_get (m, "test.list.3"), 0)), -300, 0, "list");
        NEAR (number_of (json_object_get (m, "test.texts"), "count"), 2, 0, "texts");
        NEAR (number_of (json_object_get (m, "test.nested"), "count"), 2, 0, "nested");
        assert_string_equal (json_string_value (json_object_get (m, "general.name")), "Every Type");
        unsigned seen = 0;
        for (size_t i = 0; i < g.n_tensors; i++)
          {
            const llmenv_gguf_tensor *t = &g.tensors[i];
            unsigned id;
            if (sscanf (t->name, "blk.1.ffn_up.type%u", &id) != 1)
              continue;
            seen++;
            assert_int_equal (t->type->id, id);
            assert_int_equal (t->elements, 1536);
            assert_int_equal (t->bytes, 1536 / t->type->values * t->type->bytes);
          }
        assert_int_equal (seen, 35);
        llmenv_gguf_free (&g);
        free (b.data);
      }
}

/* Cut anywhere, a header is refused in one line that names a byte. */
static void
a_header_cut_at_any_byte_is_refused (void **state)
{
  (void) state;
  for (int big = 0; big <= 1; big++)
    {
      writer w = everything (3, big);
      bytes b = finish (&w);
      for (size_t n = 0; n < b.n; n++)
        {
          llmenv_error error = { LLMENV_OK, "" };
          llmenv_gguf g;
          unsigned char *cut = malloc (n + 1);   /* so that overruns show */
          memcpy (cut, b.data, n);
          assert_int_equal (read_bytes (cut, n, &g, &error), LLMENV_EBADFILE);
          HAS_TEXT (error.text, "byte ", "cut");
          assert_true (is_one_line (error.text));
          llmenv_gguf_free (&g);
          free (cut);
        }
      free (b.data);
    }
}

/* One changed byte anywhere: read or refused, never worse. */
static void
changed_bytes_do_no_harm (void **state)
{
  writer w = everything (3, 0);
  bytes b = finish (&w);
  static const unsigned char values[] = { 0, 0x7F, 0x80, 0xFF };
  (void) state;
  for (size_t i = 0; i < b.n; i++)
    for (size_t v = 0; v < N_OF_ARRAY (values); v++)
      {
        llmenv_error error = { LLMENV_OK, "" };
        llmenv_gguf g;
        json_t *json = NULL;
        const unsigned char was = b.data[i];
        b.data[i] = values[v];
        if (read_bytes (b.data, b.n, &g, &error) == LLMENV_OK
            && llmenv_gguf_record (&g, "x.gguf", &json, NULL, &error) == LLMENV_OK)
          json_decref (json);
        else
          assert_true (is_one_line (error.text));
        llmenv_gguf_free (&g);
        b.data[i] = was;
      }
  free (b.data);
}

/* What stands at an offset of a header, and the refusal. */
static void
absurd_lengths_are_refused (void **state)
{
  static const struct { size_t at; unsigned width; uint64_t value; const char *says; } cases[] = {
    { 0, 4, 0x4C4D4747, "does not start with" },           /* GGML */
    { 4, 4, 1, "version 1" }, { 4, 4, 4, "version 4" },
    { 8, 8, UINT64_C (1) << 63, "the number of tensors is 9223372036854775808" },
    { 8, 8, UINT64_MAX, "the number of tensors" },
    { 16, 8, UINT64_C (1) << 63, "the number of keys" },
    { 16, 8, 100001, "the number of keys" },
    { 24, 8, UINT64_C (1) << 63, "a key of 9223372036854775808 bytes" },
    { 24, 8, 0, "a key of 0 bytes" },
    { 32 + 20, 4, 13, "the type of a value is 13" },       /* after the key's 20 bytes */
    { 36 + 20, 8, UINT64_MAX, "a text needs 18446744073709551615 bytes" } };
  writer w = llama (&small, 3, 0);
  bytes b = finish (&w);
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      llmenv_error error = { LLMENV_OK, "" };
      llmenv_gguf g;
      bytes changed = { NULL, 0, 0 };
      put (&changed, b.data, cases[i].at);
      put_number (&changed, 0, cases[i].value, cases[i].width);
      put (&changed, b.data + changed.n, b.n - changed.n);
      STATUS (read_bytes (changed.data, changed.n, &g, &error), LLMENV_EBADFILE, error, cases[i].says);
      HAS_TEXT (error.text, cases[i].says, "absurd");
      HAS_TEXT (error.text, "memory: byte ", "place");
      llmenv_gguf_free (&g);
      free (changed.data);
    }
  free (b.data);
}

/* W must be refused by the reader with SAYS. */
static void
refused (writer w, const char *says)
{
  bytes b = finish (&w);
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_gguf g;
  STATUS (read_bytes (b.data, b.n, &g, &error), LLMENV_EBADFILE, error, says);
  HAS_TEXT (error.text, says, "refused");
  llmenv_gguf_free (&g);
  free (b.data);
}

static void
absurd_arrays_are_refused (void **state)
{
  static const uint64_t counts[] = { UINT64_C (1) << 63, UINT64_MAX, UINT64_C (1) << 61, 1 << 25 };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (counts); i++)
    for (unsigned type = 0; type <= F64; type++)
      {
        writer w = llama (&small, 3, 0);
        raw_key (&w, "x", ARRAY);
        put_number (&w.keys, 0, type, 4);
        put_number (&w.keys, 0, counts[i], 8);
        refused (w, "an array of");
      }
  writer w = llama (&small, 3, 0);
  raw_key (&w, "x", ARRAY);
  for (int i = 0; i < 1000; i++)
    {
      put_number (&w.keys, 0, ARRAY, 4);
      put_number (&w.keys, 0, 1, 8);
    }
  refused (w, "nested more than");
  w = llama (&small, 3, 0);
  raw_key (&w, "x", ARRAY);
  put_number (&w.keys, 0, U64, 4);
  put_number (&w.keys, 0, 1 << 23, 8);
  refused (w, "an array needs 67108864 bytes");
}

static void
absurd_tensors_are_refused (void **state)
{
  const uint64_t huge = UINT64_C (1) << 63;
  (void) state;
  writer w = llama (&small, 3, 0);
  tensor (&w, G_F32, "x", huge, huge, huge);
  refused (w, "is above 2^53");
  w = llama (&small, 3, 0);
  tensor (&w, G_F32, "x", UINT64_C (1) << 32, UINT64_C (1) << 32, 0);
  refused (w, "is above 2^53");
  w = llama (&small, 3, 0);
  for (int i = 0; i < 3; i++)
    {
      char name[8];
      snprintf (name, sizeof name, "x%d", i);
      tensor (&w, G_F32, name, UINT64_C (1) << 52, 0, 0);
    }
  refused (w, "above 2^53");
  w = llama (&small, 3, 0);
  tensor (&w, G_Q4_K, "x", 100, 2, 0);
  refused (w, "rows of 100 are no multiple of the 256 of q4_K");
  w = llama (&small, 3, 0);
  tensor (&w, G_F32, "x", 0, 5, 0);
  refused (w, "tensor x has a dimension of 0");
  w = llama (&small, 3, 0);
  tensor (&w, 43, "x", 100, 2, 0);
  refused (w, "no ggml type has number 43");
  w = llama (&small, 3, 0);
  tensor (&w, G_F32, "output_norm.weight", 100, 2, 0);
  refused (w, "tensor output_norm.weight appears twice");
  w = llama (&small, 3, 0);
  w.data_bytes = 0;
  tensor (&w, G_F32, "x", 100, 2, 0);
  refused (w, "tensors overlap");
  w = llama (&small, 3, 0);
  put_text (&w.tensors, 0, "x");
  put_number (&w.tensors, 0, 5, 4);
  w.n_tensors++;
  put (&w.tensors, "................................................", 48);
  refused (w, "5 dimensions");
  w = llama (&small, 3, 0);
  tensor (&w, G_F32, "bad\nname", 100, 2, 0);
  refused (w, "not printable ASCII");
}

static void
absurd_keys_are_refused (void **state)
{
  (void) state;
  writer w = llama (&small, 3, 0);
  key_number (&w, "block_count", 7);
  refused (w, "key llama.block_count appears twice");
  w = llama (&small, 3, 0);
  key_text (&w, "caf\xC3\xA9", "x");
  refused (w, "not printable ASCII");
  static const uint64_t alignments[] = { 0, 3, 48, UINT64_C (1) << 31 };
  for (size_t i = 0; i < N_OF_ARRAY (alignments); i++)
    {
      w = llama (&small, 3, 0);
      raw_key (&w, "general.alignment", U32);
      put_number (&w.keys, 0, alignments[i], 4);
      refused (w, "general.alignment");
    }
}

static void
texts_that_are_not_utf8_are_shown_as_such (void **state)
{
  writer w = llama (&small, 3, 0);
  llmenv_import_notes notes = { 0, { "" } };
  (void) state;
  key_text (&w, "general.name", "bad\xFF\xFE\x01name");
  llmenv_model_record *r = record_of (w, &notes);
  assert_string_equal (r->name, "bad???name");
  llmenv_model_record_free (r);
}

/* ---- files -------------------------------------------------------------- */

static void
open_refused (const char *path, const char *says)
{
  llmenv_error error = { LLMENV_OK, "" };
  json_t *json = NULL;
  STATUS (llmenv_import_gguf (path, &json, NULL, &error), LLMENV_EBADFILE, error, path);
  HAS_TEXT (error.text, path, "names the file");
  HAS_TEXT (error.text, says, path);
  assert_true (is_one_line (error.text));
}

static void
what_is_no_file_is_refused (void **state)
{
  const bytes empty = { NULL, 0, 0 };
  (void) state;
  open_refused (save ("empty.gguf", &empty), "byte 0: the file is empty");
  open_refused (folder, "a folder");
  open_refused ("/dev/zero", "not a regular file");
  open_refused ("/nowhere/x.gguf", "No such file");
  const char *pipe_path = path_of ("pipe.gguf");
  assert_int_equal (mkfifo (pipe_path, 0600), 0);
  open_refused (pipe_path, "not a regular file");
  unlink (pipe_path);
}

static double
seconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Data are a hole of 2 GB and more: nothing of them is read. */
static void
sparse_files_take_no_time (void **state)
{
  writer w = llama (&llama_8b, 3, 0);
  const off_t data = (off_t) w.data_bytes;
  bytes b = finish (&w);
  llmenv_import_notes notes = { 0, { "" } };
  llmenv_error error = { LLMENV_OK, "" };
  json_t *json = NULL;
  const char *path = save ("sparse.gguf", &b);
  (void) state;
  assert_int_equal (truncate (path, (off_t) b.n + 32 + data), 0);
  const double t0 = seconds ();
  STATUS (llmenv_import_gguf (path, &json, &notes, &error), LLMENV_OK, error, "sparse");
  assert_true (seconds () - t0 < 1);
  assert_int_equal (notes.n, 1);           /* nothing is missing */
  assert_string_equal (llmenv_record_text (json, "id"), "sparse");
  json_decref (json);
  /* A file of zeros of that size, too. */
  assert_int_equal (truncate (path, 0), 0);
  assert_int_equal (truncate (path, (off_t) 2 << 30), 0);
  open_refused (path, "does not start with");
  free (b.data);
  unlink (path);
}

/* What is missing is the padding to the next 32 bytes, and all of the data. */
static void
unfinished_downloads_are_noted (void **state)
{
  llmenv_import_notes notes = { 0, { "" } };
  char missing[80];
  (void) state;
  writer w = llama (&llama_8b, 3, 0);
  bytes b = finish (&w);
  snprintf (missing, sizeof missing, "%zu bytes of tensor data are missing",
            (size_t) 4517937152 + (32 - b.n % 32) % 32);
  free (b.data);
  llmenv_model_record_free (record_of (llama (&llama_8b, 3, 0), &notes));
  HAS_TEXT (notes.line[0], "GGUF version 3, little endian, 1 file: 291 tensors, 4517937152 bytes", "first note");
  HAS_TEXT (notes.line[1], missing, "second note");
}

/* ---- split models ------------------------------------------------------- */

/* Part PART of 3 of a small llama, one tensor list a part. */
static void
save_part (unsigned part, unsigned says, const char *name)
{
  writer w = start (3, 0, "llama");
  if (part == 0)
    geometry (&w, &small);
  raw_key (&w, "split.no", U16);
  put_number (&w.keys, 0, says, 2);
  raw_key (&w, "split.count", U16);
  put_number (&w.keys, 0, 3, 2);
  raw_key (&w, "split.tensors.count", I32);
  put_number (&w.keys, 0, 3 + 2 * 9 - 1, 4);
  if (part == 0)
    outside (&w, &small);
  else
    {
      attention (&w, &small, part - 1, small.kv);
      mlp (&w, &small, part - 1);
    }
  bytes b = finish (&w);
  save (name, &b);
  free (b.data);
}

static void
split_files_are_one_model (void **state)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_import_notes notes = { 0, { "" } };
  json_t *whole = NULL, *json = NULL;
  char name[60];
  (void) state;
  writer w = llama (&small, 3, 0);
  bytes b = finish (&w);
  STATUS (llmenv_import_gguf (save ("m.gguf", &b), &whole, NULL, &error), LLMENV_OK, error, "whole");
  free (b.data);
  for (unsigned i = 0; i < 3; i++)
    {
      snprintf (name, sizeof name, "m-%05u-of-00003.gguf", i + 1);
      save_part (i, i, name);
    }
  for (unsigned i = 0; i < 3; i++)         /* any of them stands for all */
    {
      snprintf (name, sizeof name, "m-%05u-of-00003.gguf", i + 1);
      notes.n = 0;
      STATUS (llmenv_import_gguf (path_of (name), &json, &notes, &error), LLMENV_OK, error, name);
      HAS_TEXT (notes.line[0], "3 files: 20 tensors", "note");
      assert_true (json_equal (whole, json));
      json_decref (json);
    }
  save_part (1, 2, "m-00002-of-00003.gguf");
  open_refused (path_of ("m-00002-of-00003.gguf"), "its metadata say part 3 of 3, its name part 2 of 3");
  unlink (path_of ("m-00002-of-00003.gguf"));
  unlink (path_of ("m-00003-of-00003.gguf"));
  open_refused (path_of ("m-00001-of-00003.gguf"),
                "2 of the 3 parts of the model are missing: m-00002-of-00003.gguf, m-00003-of-00003.gguf");
  save_part (0, 0, "renamed.gguf");
  open_refused (path_of ("renamed.gguf"), "part 1 of a model in 3 files");
  save_part (0, 0, "q-00001-of-99999.gguf");
  open_refused (path_of ("q-00001-of-99999.gguf"), "99998 of the 99999 parts");
  json_decref (whole);
}

static void
too_few_tensors_in_a_set_are_noticed (void **state)
{
  (void) state;
  save_part (0, 0, "n-00001-of-00003.gguf");
  save_part (1, 1, "n-00002-of-00003.gguf");
  writer w = start (3, 0, "llama");
  bytes b = finish (&w);
  open_refused (save ("n-00003-of-00003.gguf", &b), "the 3 parts hold 11 tensors, their metadata say 20");
  free (b.data);
}

/* ---- models ------------------------------------------------------------- */

/* Llama-3.1-8B, every matrix in q4_0 (18 bytes for 32), norms in f32:
 *   attention 32 x (2 x 4096 x 4096 + 2 x 4096 x 1024)   = 1,342,177,280
 *   MLP       32 x 3 x 4096 x 14336                      = 5,637,144,576
 *   embedding and head, each 4096 x 128256               =   525,336,576
 *   norms     65 x 4096                                  =       266,240
 * in all 8,030,261,248, the published total; and the caches of spec section 6. */
static void
llama_8b_is_exact (void **state)
{
  (void) state;
  for (int big = 0; big <= 1; big++)
    {
      llmenv_model_record *r = record_of (llama (&llama_8b, 3 - (unsigned) big, big), NULL);
      part_is (r, "shared", "attention", 1342177280, 754974720);
      part_is (r, "shared", "dense mlp", 5637144576, 3170893824);
      part_is (r, "shared", "norms", 266240, 1064960);
      part_is (r, "head", "output head, q4_0", 525336576, 295501824);
      part_is (r, "embedding", "input embedding, q4_0", 525336576, 295501824);
      part_is (r, "shared", "", 6979588096, 3926933504);
      NEAR (number_of (r->json, "params_b"), 8.030261248, 0, "params");
      group_is (r, 0, 32, "full", "q_heads", 32.0, "kv_heads", 8.0, "k_dim", 128.0,
                "v_dim", 128.0, NULL);
      NEAR (number_of (json_object_get (group_at (r, 0), "mlp"), "size"), 14336, 0, "mlp");
      NEAR (number_of (r->json, "kv_cache_bytes_per_token"), 131072, 0, "k");
      NEAR (number_of (r->json, "max_position_embeddings"), 131072, 0, "context");
      NEAR (kv_mib (r, 8192, "f16", "f16"), 1024, 0, "f16");
      NEAR (kv_mib (r, 8192, "q8_0", "q8_0"), 544, 0, "q8_0");
      NEAR (kv_mib (r, 8192, "q4_0", "q4_0"), 288, 0, "q4_0");
      NEAR (kv_mib (r, 8192, "q8_0", "f16"), 784, 0, "K q8_0");
      assert_string_equal (r->id, "some-model-1-q4-0");
      assert_string_equal (llmenv_record_text (r->json, "weight_format"), "q4_0");
      assert_string_equal (llmenv_record_text (r->json, "kv_cache_bytes_per_token_basis"), "gqa");
      llmenv_model_record_free (r);
    }
}

/* Mixtral 8x7B: 32 x 8 x 3 x 4096 x 14336 = 45,097,156,608 routed, in q4_K 144
 * bytes for 256, told apart in both ways that files have had. */
static void
experts_are_told_apart (void **state)
{
  (void) state;
  for (int single = 0; single <= 1; single++)
    {
      llmenv_model_record *r = record_of (mixtral (32, single), NULL);
      part_is (r, "routed", "routed experts, q4_K", 45097156608, 25367150592);
      part_is (r, "shared", "dense mlp", 0, 0);
      part_is (r, "shared", "norms", 32 * (4096 + 4096 * 8) + 4096, 4 * (32 * 36864 + 4096));
      const json_t *m = json_object_get (group_at (r, 0), "mlp");
      NEAR (number_of (m, "experts"), 8, 0, "experts");
      NEAR (number_of (m, "top"), 2, 0, "top");
      NEAR (number_of (m, "size"), 14336, 0, "size");
      NEAR (r->model.experts, 8, 0, "E");
      NEAR (r->model.top, 2, 0, "e");
      assert_string_equal (llmenv_record_text (r->json, "architecture"), "moe");
      llmenv_model_record_free (r);
    }
}

/* DeepSeek-V3 with keys of both generations: 61 x 576 x 8192 x 2 = 549 MiB. */
static void
latent_attention_is_read (void **state)
{
  (void) state;
  for (int old = 0; old <= 1; old++)
    {
      llmenv_model_record *r = record_of (deepseek (61, 0, old, 0), NULL);
      group_is (r, 0, 3, "latent", "q_heads", 128.0, "rank", 512.0, "rope_dim", 64.0, NULL);
      group_is (r, 1, 58, "latent", "q_heads", 128.0, "rank", 512.0, "rope_dim", 64.0, NULL);
      NEAR (kv_mib (r, 8192, "f16", "f16"), 549, 0, "V3");
      NEAR (number_of (r->json, "kv_cache_bytes_per_token"), 70272, 0, "k");
      /* 58 x 256 x 3 x 7168 x 2048, and one shared expert a layer. */
      part_is (r, "routed", "routed experts", 653908770816, 653908770816 / 256 * 144);
      part_is (r, "shared", "shared experts", 2554331136, 2554331136.0 / 32 * 34);
      NEAR (number_of (json_object_get (group_at (r, 1), "mlp"), "shared_size"), 2048, 0, "shared");
      llmenv_model_record_free (r);
    }
}

static void
sparse_latent_attention_is_read (void **state)
{
  llmenv_model_record *r = record_of (deepseek (61, 0, 0, 1), NULL);
  (void) state;
  group_is (r, 1, 58, "sparse_latent", "rank", 512.0, "rope_dim", 64.0, "top", 2048.0,
            "index_heads", 64.0, "index_dim", 128.0, NULL);
  llmenv_model_record_free (r);
}

/* The block of multi-token prediction is no layer: its weights are apart. */
static void
prediction_layers_are_apart (void **state)
{
  llmenv_model_record *with = record_of (deepseek (4, 1, 0, 0), NULL);
  llmenv_model_record *without = record_of (deepseek (4, 0, 0, 0), NULL);
  (void) state;
  NEAR (number_of (with->json, "num_layers"), 4, 0, "layers");
  NEAR (number_of (with->json, "params_b"), number_of (without->json, "params_b"), 0, "params");
  /* attention 187,105,280 + experts 256 x 3 x 7168 x 2048 + shared 44,040,192
   * + projection 2 x 7168^2 + router 7168 x 256 + norm 7168. */
  part_is (with, "mtp", "multi-token prediction",
           187105280 + 11274289152 + 44040192 + 102760448 + 1835008 + 7168,
           (187105280.0 + 44040192 + 102760448) / 32 * 34 + 11274289152.0 / 256 * 144
           + 4.0 * (1835008 + 7168));
  llmenv_model_record_free (with);
  llmenv_model_record_free (without);
}

/* The key alone says so, too: files whose last block has lost its projection. */
static void
prediction_layers_are_counted_by_the_key (void **state)
{
  const sizes s = { 5, 256, 512, 4, 2, 64, 512, G_Q4_K, 0 };
  writer w = windowed ("glm4moe", &s, 0, 0);
  (void) state;
  key_number (&w, "nextn_predict_layers", 2);
  llmenv_model_record *r = record_of (w, NULL);
  group_is (r, 0, 3, "full", NULL);
  /* Each: Q and output 2 x 256 x 256, K and V 2 x 256 x 128, MLP 3 x 256 x 512. */
  part_is (r, "mtp", "multi-token prediction, q4_K", 2 * 589824, 2 * 589824 / 256 * 144);
  llmenv_model_record_free (r);
}

/* A dense MLP beside the experts runs for every token, like a shared expert. */
static void
parallel_mlps_are_shared (void **state)
{
  const sizes s = { 1, 256, 512, 4, 2, 64, 512, G_Q4_K, 0 };
  writer w = windowed ("arctic", &s, 0, 0);
  (void) state;
  experts (&w, &s, 0, G_Q4_K, 1024, 8);
  key_number (&w, "expert_used_count", 2);
  llmenv_model_record *r = record_of (w, NULL);
  const json_t *m = json_object_get (group_at (r, 0), "mlp");
  NEAR (number_of (m, "size"), 1024, 0, "size");
  NEAR (number_of (m, "shared_size"), 512, 0, "shared");
  part_is (r, "shared", "dense mlp", 3 * 256 * 512, 3 * 256 * 512 / 256 * 144);
  llmenv_model_record_free (r);
}

/* Gemma-3-4B, 34 layers, 5 of them full; llama.cpp reserves 160 MiB for these at
 * 8,192 tokens, and 203 for the 29 windowed ones at 1,792 cells. */
static void
windows_follow_the_architecture (void **state)
{
  llmenv_model_record *r = record_of (windowed ("gemma3", &gemma3_4b, 1024, 256), NULL);
  (void) state;
  group_is (r, 0, 29, "window", "window", 1024.0, "kv_heads", 4.0, "k_dim", 256.0, NULL);
  group_is (r, 1, 5, "full", "kv_heads", 4.0, "k_dim", 256.0, NULL);
  NEAR (cells_mib (r, "full", 8192), 160, 0, "full");
  NEAR (cells_mib (r, "window", 1792), 203, 1e-15, "window");
  part_is (r, "head", "output head", 2560.0 * 262144, 2560.0 * 262144 / 32 * 34);
  part_is (r, "embedding", "", 0, 0);      /* tied */
  llmenv_model_record_free (r);
}

/* ARCH's windowed layers of 12, with WINDOW in the file. */
static void
window_layers (const char *arch, unsigned window, const char *kind, double windowed_layers,
               double tokens)
{
  const sizes s = { 12, 256, 512, 4, 2, 64, 512, G_Q4_K, 0 };
  llmenv_model_record *r = record_of (windowed (arch, &s, window, 0), NULL);
  double n = 0;
  for (size_t i = 0; i < json_array_size (json_object_get (r->json, "layers")); i++)
    if (strcmp (json_string_value (json_object_get (group_at (r, i), "kind")), kind) == 0)
      {
        n += number_of (group_at (r, i), "count");
        NEAR (number_of (group_at (r, i), "window"), tokens, 0, arch);
      }
  NEAR (n, windowed_layers, 0, arch);
  llmenv_model_record_free (r);
}

static void
every_known_pattern (void **state)
{
  (void) state;
  window_layers ("gemma2", 0, "window", 6, 4096);
  window_layers ("gemma3", 512, "window", 10, 512);
  window_layers ("cohere2", 4096, "window", 9, 4096);
  window_layers ("gpt-oss", 128, "window", 6, 128);
  window_layers ("llama4", 0, "chunk", 9, 8192);
  window_layers ("olmo2", 4096, "window", 9, 4096);
  window_layers ("olmo2", 0, "window", 0, 0);
  window_layers ("exaone4", 4096, "window", 9, 4096);
  window_layers ("phi3", 2047, "window", 12, 2047);
  window_layers ("plamo3", 2048, "window", 11, 2048);
  window_layers ("smallthinker", 4096, "window", 9, 4096);
  window_layers ("llama", 4096, "window", 0, 0);
}

static void
an_unknown_pattern_is_said (void **state)
{
  const sizes s = { 12, 256, 512, 4, 2, 64, 512, G_Q4_K, 0 };
  llmenv_import_notes notes = { 0, { "" } };
  (void) state;
  llmenv_model_record_free (record_of (windowed ("somenew", &s, 4096, 0), &notes));
  size_t found = 0;
  for (size_t i = 0; i < notes.n; i++)
    found += strstr (notes.line[i], "which layers of somenew have it is not known") != NULL;
  assert_int_equal (found, 1);
}

/* The pattern as a number; the layer that is full first in laguna's. */
static void
a_stated_period_counts (void **state)
{
  const sizes s = { 12, 256, 512, 4, 2, 64, 512, G_Q4_K, 0 };
  (void) state;
  writer w = windowed ("somenew", &s, 4096, 0);
  key_number (&w, "attention.sliding_window_pattern", 3);
  llmenv_model_record *r = record_of (w, NULL);
  group_is (r, 0, 8, "window", "window", 4096.0, NULL);
  group_is (r, 1, 4, "full", NULL);
  llmenv_model_record_free (r);
  r = record_of (windowed ("laguna", &s, 512, 0), NULL);
  group_is (r, 0, 3, "full", NULL);
  group_is (r, 1, 9, "window", "window", 512.0, NULL);
  llmenv_model_record_free (r);
}

static void
lists_differ_by_layer (void **state)
{
  llmenv_model_record *r = record_of (gemma4 (), NULL);
  (void) state;
  group_is (r, 0, 5, "window", "kv_heads", 16.0, "k_dim", 256.0, "v_dim", 256.0, "window", 1024.0, NULL);
  group_is (r, 1, 1, "full", "kv_heads", 4.0, "k_dim", 512.0, "v_dim", 512.0, NULL);
  llmenv_model_record_free (r);
}

/* Gemma 3n E2B, as its record: 16 + 4 that cache, 8 + 2 that read. */
static void
shared_caches_are_not_counted (void **state)
{
  (void) state;
  for (int with_key = 0; with_key <= 1; with_key++)
    {
      llmenv_model_record *r = record_of (gemma3n (with_key), NULL);
      group_is (r, 0, 16, "window", "window", 512.0, NULL);
      group_is (r, 1, 4, "full", NULL);
      group_is (r, 2, 8, "shared", "window", 512.0, NULL);
      group_is (r, 3, 2, "shared", NULL);
      NEAR (number_of (r->json, "kv_caching_layer_count"), 20, 0, "caching");
      part_is (r, "table", "per-layer embeddings", 2013265920, 2013265920 / 32 * 34);
      part_is (r, "tower", "towers", 102400, 204800);
      llmenv_model_record_free (r);
    }
}

/* gpt-oss-20b: 24 x 32 x 3 x 2880^2 = 19,110,297,600 in mxfp4, 17 bytes for 32. */
static void
mixed_types_are_parts_of_their_own (void **state)
{
  llmenv_model_record *r = record_of (gpt_oss (24), NULL);
  (void) state;
  part_is (r, "routed", "routed experts, mxfp4", 19110297600, 10152345600);
  part_is (r, "routed", "routed experts, f32", 24 * 2880 * 32, 24 * 2880 * 32 * 4);
  part_is (r, "head", "output head, bf16", 579133440, 1158266880);
  group_is (r, 0, 12, "window", "window", 128.0, "kv_heads", 8.0, "k_dim", 64.0, NULL);
  group_is (r, 1, 12, "full", NULL);
  assert_string_equal (llmenv_record_text (r->json, "weight_format"), "mxfp4");
  llmenv_model_record_free (r);
}

/* State of group I: elements of the matrices and of the convolution. */
static void
state_is (const llmenv_model_record *r, size_t i, double recurrent, double conv, const char *type)
{
  const json_t *s = json_object_get (group_at (r, i), "state");
  NEAR (number_of (s, "recurrent"), recurrent, 0, "recurrent");
  NEAR (number_of (s, "conv"), conv, 0, "conv");
  assert_string_equal (json_string_value (json_object_get (s, "type")), type);
}

/* Expected state bytes are those of reference/config_expected.tsv; what
 * llama.cpp keeps for Granite-4-H-Micro in fp32 is 73.79 MiB, beside 64 MiB. */
static void
states_are_read (void **state)
{
  (void) state;
  llmenv_model_record *r = record_of (mamba (64), NULL);
  group_is (r, 0, 64, "recurrent", NULL);
  state_is (r, 0, 16 * 5120, 3 * 5120, "bf16");
  NEAR (number_of (r->json, "state_bytes_per_sequence"), 10485760 + 1966080, 0, "mamba");
  assert_string_equal (llmenv_record_text (r->json, "kv_cache_bytes_per_token_basis"), "none-fixed-state");
  llmenv_model_record_free (r);

  r = record_of (granite_hybrid (), NULL);
  group_is (r, 0, 36, "recurrent", NULL);
  group_is (r, 1, 4, "full", "kv_heads", 8.0, "k_dim", 64.0, NULL);
  NEAR (number_of (r->json, "state_bytes_per_sequence"), 37748736 + 940032, 0, "granite");
  NEAR (2 * number_of (r->json, "state_bytes_per_sequence") / 1048576, 73.79, 1e-4, "fp32");
  NEAR (cells_mib (r, "full", 8192), 64, 0, "granite's cache");
  llmenv_model_record_free (r);

  r = record_of (qwen3_next (), NULL);
  group_is (r, 0, 36, "recurrent", NULL);
  group_is (r, 1, 12, "full", "kv_heads", 2.0, "k_dim", 256.0, NULL);
  NEAR (number_of (r->json, "state_bytes_per_sequence"), 37748736 + 1769472, 0, "next");
  /* Q, K, V and gate of the recurrent layers are theirs, not attention's. */
  part_is (r, "shared", "attention", 12.0 * (2 * 2048 * 4096 + 2 * 2048 * 512),
           12.0 * (2 * 2048 * 4096 + 2 * 2048 * 512) / 32 * 34);
  llmenv_model_record_free (r);

  r = record_of (kimi_linear (), NULL);
  group_is (r, 0, 20, "recurrent", NULL);
  group_is (r, 1, 7, "latent", "rank", 512.0, "rope_dim", 64.0, NULL);
  state_is (r, 0, 32 * 128 * 128, 3 * 3 * 32 * 128, "fp32");
  NEAR (number_of (r->json, "state_bytes_per_sequence"), 41943040 + 1474560, 0, "kimi");
  llmenv_model_record_free (r);

  r = record_of (rwkv7 (), NULL);          /* 64 a head, and two earlier inputs */
  group_is (r, 0, 32, "recurrent", NULL);
  state_is (r, 0, 2560 * (64 + 2), 0, "fp32");
  NEAR (number_of (json_object_get (group_at (r, 0), "mlp"), "size"), 10240, 0, "mlp");
  llmenv_model_record_free (r);
}

static void
encoders_and_decoders_are_apart (void **state)
{
  llmenv_model_record *r = record_of (t5 (), NULL);
  (void) state;
  group_is (r, 0, 4, "full", "kv_heads", 6.0, "k_dim", 64.0, NULL);
  group_is (r, 1, 4, "cross", "length", 131072.0, NULL);
  group_is (r, 2, 6, "encoder", NULL);
  NEAR (number_of (r->json, "num_layers"), 4, 0, "layers");
  part_is (r, "encoder", "encoder", 6 * 512 * 384, 6 * 512 * 384 * 2);
  llmenv_model_record_free (r);
}

static void
bidirectional_models_cache_nothing (void **state)
{
  writer w = windowed ("nomic-bert", &small, 0, 0);
  (void) state;
  llmenv_model_record *r = record_of (w, NULL);
  assert_int_equal (r->model.kv_reason, LLMENV_NOT_APPLICABLE);
  assert_null (json_object_get (r->json, "layers"));
  part_is (r, "embedding", "input embedding", 256 * 512, 256 * 512 / 256 * 144);
  llmenv_model_record_free (r);
}

/* Parts add up to the tensor table, for every model here. */
static void
parts_add_up (void **state)
{
  writer all[] = { llama (&llama_8b, 3, 0), mixtral (4, 1), deepseek (5, 1, 0, 1), gpt_oss (2),
                   gemma3n (1), gemma4 (), mamba (3), granite_hybrid (), qwen3_next (),
                   kimi_linear (), rwkv7 (), t5 (), everything (3, 0) };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (all); i++)
    {
      bytes b = finish (&all[i]);
      llmenv_error error = { LLMENV_OK, "" };
      llmenv_gguf g;
      json_t *json = NULL, *part;
      double params = 0, in_bytes = 0;
      size_t k;
      STATUS (read_bytes (b.data, b.n, &g, &error), LLMENV_OK, error, "read");
      STATUS (llmenv_gguf_record (&g, "x.gguf", &json, NULL, &error), LLMENV_OK, error, "import");
      json_array_foreach (json_object_get (json_object_get (json, "weights"), "parts"), k, part)
        {
          const char *format = json_string_value (json_object_get (part, "format"));
          params += number_of (part, "params");
          in_bytes += number_of (part, "bytes");
          if (format != NULL)
            NEAR (number_of (part, "params") * llmenv_element_bytes (llmenv_element_find (format, 0)),
                  number_of (part, "bytes"), 0, format);
        }
      NEAR (params, (double) g.elements, 0, "params");
      NEAR (in_bytes, (double) g.bytes, 0, "bytes");
      json_decref (json);
      llmenv_gguf_free (&g);
      free (b.data);
    }
}

/* ---- refused models ----------------------------------------------------- */

static void
import_refused (writer w, const char *says)
{
  bytes b = finish (&w);
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_gguf g;
  json_t *json = NULL;
  STATUS (read_bytes (b.data, b.n, &g, &error), LLMENV_OK, error, says);
  STATUS (llmenv_gguf_record (&g, "x.gguf", &json, NULL, &error), LLMENV_EBADRECORD, error, says);
  HAS_TEXT (error.text, says, "refused");
  HAS_TEXT (error.text, "x.gguf: ", "names the file");
  llmenv_gguf_free (&g);
  free (b.data);
}

static void
what_cannot_be_known_is_named (void **state)
{
  (void) state;
  import_refused (start (3, 0, "llama"), "general.architecture: missing");
  writer w = start (3, 0, "llama");
  char *long_name = calloc (1, 1000001);
  assert_non_null (long_name);
  key_text (&w, "general.architecture", memset (long_name, 'a', 1000000));
  import_refused (w, "general.architecture: absurdly long");
  free (long_name);
  w = start (3, 0, "llama");
  raw_key (&w, "general.architecture", U32);
  put_number (&w.keys, w.big, 7, 4);
  import_refused (w, "general.architecture: expected a text");
  w = start (3, 0, "llama");
  key_text (&w, "general.architecture", "llama");
  import_refused (w, "no tensors");
  w = start (3, 0, "llama");
  key_text (&w, "general.architecture", "llama");
  outside (&w, &small);
  import_refused (w, "llama.block_count: missing");
  w = start (3, 0, "llama");
  key_text (&w, "general.architecture", "llama");
  key_number (&w, "block_count", 2);
  outside (&w, &small);
  import_refused (w, "llama.attention.head_count: missing");
  w = start (3, 0, "llama");
  key_text (&w, "general.architecture", "llama");
  key_number (&w, "block_count", 2);
  key_number (&w, "attention.head_count", 4);
  outside (&w, &small);
  import_refused (w, "llama.attention.key_length: missing");
  w = start (3, 0, "llama");
  key_text (&w, "general.architecture", "llama");
  key_number (&w, "block_count", 2);
  key_number (&w, "attention.head_count", 0);
  key_number (&w, "attention.key_length", 64);
  outside (&w, &small);
  import_refused (w, "llama.attention.head_count: 0 heads in a layer with attention");
  w = start (3, 0, "t5");
  geometry (&w, &small);
  key_number (&w, "decoder_block_count", 2);
  outside (&w, &small);
  block_tensor (&w, G_F16, 0, "cross_attn_q.weight", 256, 256, 0);
  import_refused (w, "t5.decoder_block_count: the decoder's first layer has no full attention");
  static const int heads[] = { 0, 0 }, kv_heads[] = { 2, 2 };
  w = start (3, 0, "llama");
  key_text (&w, "general.architecture", "llama");
  key_number (&w, "block_count", 2);
  key_list (&w, "attention.head_count", I32, 2, heads);
  key_list (&w, "attention.head_count_kv", I32, 2, kv_heads);
  key_number (&w, "attention.key_length", 64);
  outside (&w, &small);
  import_refused (w, "llama.attention.head_count: 0 heads in a layer with attention");
  w = windowed ("llama", &small, 0, 0);
  experts (&w, &small, 0, G_Q4_K, 512, 8);
  import_refused (w, "llama.expert_used_count: missing");
  w = mamba (2);
  w.keys.n -= 4;               /* the last number, a rank, becomes a float */
  w.keys.data[w.keys.n - 4] = F32;
  put (&w.keys, "\0\0\xC0\x7F", 4);
  llmenv_model_record_free (record_of (w, NULL));
  w = start (3, 0, "mamba");
  const sizes s = { 2, 256, 0, 0, 0, 0, 512, G_Q8_0, 1 };
  geometry (&w, &s);
  outside (&w, &s);
  scan (&w, 256, 512, 0);
  import_refused (w, "mamba.ssm.inner_size: missing");
  w = start (3, 0, "clip");
  key_text (&w, "general.architecture", "clip");
  tensor (&w, G_F16, "v.patch_embd.weight", 32, 32, 0);
  import_refused (w, "a projector");
  w = start (3, 0, "deepseek4");
  key_text (&w, "general.architecture", "deepseek4");
  tensor (&w, G_F16, "token_embd.weight", 32, 32, 0);
  import_refused (w, "not modelled");
}

static void
absurd_metadata_is_refused (void **state)
{
  int few[2] = { 2, 2 };
  const sizes deep = { 3, 256, 512, 4, 2, 64, 512, G_Q4_K, 1 };
  (void) state;
  writer w = start (3, 0, "llama");
  key_text (&w, "general.architecture", "llama");
  key_number (&w, "block_count", 4000000000);
  outside (&w, &small);
  import_refused (w, "llama.block_count");
  w = windowed ("llama", &deep, 0, 0);
  key_list (&w, "attention.sliding_window", U32, 2, few);
  import_refused (w, "the list is shorter than the number of layers");
  w = windowed ("llama", &small, 0, 0);
  key_text (&w, "llama.attention.key_length", "sixty-four");
  import_refused (w, "llama.attention.key_length: expected a count");
  w = windowed ("llama", &small, 0, 0);
  key (&w, "attention.key_length", I32);
  put_number (&w.keys, 0, (uint64_t) -64, 4);
  import_refused (w, "llama.attention.key_length: expected a count");
  w = windowed ("llama", &small, 0, 2147483648U);      /* 2 x 2 x 2^31: fits */
  llmenv_model_record_free (record_of (w, NULL));
}

static void
contradictions_are_noted (void **state)
{
  llmenv_import_notes notes = { 0, { "" } };
  (void) state;
  llmenv_model_record_free (record_of (windowed ("llama", &small, 0, 128), &notes));
  size_t found = 0;
  for (size_t i = 0; i < notes.n; i++)
    found += strstr (notes.line[i], "blk.0.attn_k.weight has 128 rows, the metadata give 2 heads of 128") != NULL;
  assert_int_equal (found, 1);
}

/* ---- the other two uses ------------------------------------------------- */

static void
write_file (const char *to, const char *name, writer w)
{
  char path[1200];
  bytes b = finish (&w);
  snprintf (path, sizeof path, "%s/%s.gguf", to, name);
  FILE *f = fopen (path, "wb");
  if (f == NULL || fwrite (b.data, 1, b.n, f) != b.n || fclose (f) != 0)
    {
      fprintf (stderr, "%s cannot be written\n", path);
      exit (1);
    }
  free (b.data);
}

static int
write_files (const char *to)
{
  const sizes s = { 4, 256, 512, 4, 2, 64, 512, G_Q8_0, 1 };
  write_file (to, "llama", llama (&small, 3, 0));
  write_file (to, "llama-v2", llama (&small, 2, 0));
  write_file (to, "llama-big", llama (&small, 3, 1));
  write_file (to, "everything", everything (3, 0));
  write_file (to, "everything-big", everything (3, 1));
  write_file (to, "mixtral", mixtral (1, 0));
  write_file (to, "mixtral-single", mixtral (1, 1));
  write_file (to, "deepseek", deepseek (4, 1, 0, 0));
  write_file (to, "deepseek-sparse", deepseek (4, 0, 0, 1));
  write_file (to, "gemma3", windowed ("gemma3", &s, 512, 64));
  write_file (to, "gemma4", gemma4 ());
  write_file (to, "gpt-oss", gpt_oss (2));
  write_file (to, "mamba", mamba (2));
  write_file (to, "t5", t5 ());
  write_file (to, "kimi-linear", kimi_linear ());
  write_file (to, "rwkv7", rwkv7 ());
  return 0;
}

/* The same and files with the real sizes of models in spec section 6, for the oracle. */
static int
write_models (const char *to)
{
  const sizes qwen = { 28, 1024, 3072, 16, 8, 128, 151936, G_Q8_0, 1 };
  write_file (to, "llama-8b", llama (&llama_8b, 3, 0));
  write_file (to, "gemma3-4b", windowed ("gemma3", &gemma3_4b, 1024, 256));
  write_file (to, "qwen3-0.6b", windowed ("qwen3", &qwen, 0, 128));
  write_file (to, "deepseek-v3", deepseek (61, 0, 0, 0));
  write_file (to, "granite-h", granite_hybrid ());
  write_file (to, "qwen3-next", qwen3_next ());
  write_file (to, "gpt-oss-20b", gpt_oss (24));
  return write_files (to);
}

static int
dump (const char *path)
{
  llmenv_gguf g;
  llmenv_error error = { LLMENV_OK, "" };
  if (llmenv_gguf_open (path, &g, &error) != LLMENV_OK)
    {
      fprintf (stderr, "%s\n", error.text);
      return 2;
    }
  json_t *types = json_object (), *tensors = json_object ();
  for (size_t i = 0; i < g.n_tensors; i++)
    {
      const llmenv_gguf_tensor *t = &g.tensors[i];
      json_t *sum = json_object_get (types, t->type->name);
      json_object_set_new (types, t->type->name,
                           json_integer (json_integer_value (sum) + (json_int_t) t->bytes));
      json_object_set_new (tensors, t->name,
                           json_pack ("[i,I,I]", (int) t->type->id, (json_int_t) t->elements,
                                      (json_int_t) t->bytes));
    }
  json_t *all = json_pack ("{s:i, s:b, s:O, s:o, s:o}", "version", (int) g.version,
                           "big_endian", g.big_endian, "metadata", g.metadata,
                           "types", types, "tensors", tensors);
  json_dumpf (all, stdout, JSON_COMPACT);
  puts ("");
  json_decref (all);
  llmenv_gguf_free (&g);
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "--write") == 0)
    return write_files (argv[2]);
  if (argc == 3 && strcmp (argv[1], "--models") == 0)
    return write_models (argv[2]);
  if (argc == 3 && strcmp (argv[1], "--dump") == 0)
    return dump (argv[2]);
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (every_type_has_the_size_of_its_parts),
    cmocka_unit_test (types_are_those_of_records),
    cmocka_unit_test (both_versions_and_byte_orders_say_the_same),
    cmocka_unit_test (a_header_cut_at_any_byte_is_refused),
    cmocka_unit_test (changed_bytes_do_no_harm),
    cmocka_unit_test (absurd_lengths_are_refused),
    cmocka_unit_test (absurd_arrays_are_refused),
    cmocka_unit_test (absurd_tensors_are_refused),
    cmocka_unit_test (absurd_keys_are_refused),
    cmocka_unit_test (texts_that_are_not_utf8_are_shown_as_such),
    cmocka_unit_test (what_is_no_file_is_refused),
    cmocka_unit_test (sparse_files_take_no_time),
    cmocka_unit_test (unfinished_downloads_are_noted),
    cmocka_unit_test (split_files_are_one_model),
    cmocka_unit_test (too_few_tensors_in_a_set_are_noticed),
    cmocka_unit_test (llama_8b_is_exact),
    cmocka_unit_test (experts_are_told_apart),
    cmocka_unit_test (latent_attention_is_read),
    cmocka_unit_test (sparse_latent_attention_is_read),
    cmocka_unit_test (prediction_layers_are_apart),
    cmocka_unit_test (prediction_layers_are_counted_by_the_key),
    cmocka_unit_test (parallel_mlps_are_shared),
    cmocka_unit_test (windows_follow_the_architecture),
    cmocka_unit_test (every_known_pattern),
    cmocka_unit_test (an_unknown_pattern_is_said),
    cmocka_unit_test (a_stated_period_counts),
    cmocka_unit_test (lists_differ_by_layer),
    cmocka_unit_test (shared_caches_are_not_counted),
    cmocka_unit_test (mixed_types_are_parts_of_their_own),
    cmocka_unit_test (states_are_read),
    cmocka_unit_test (encoders_and_decoders_are_apart),
    cmocka_unit_test (bidirectional_models_cache_nothing),
    cmocka_unit_test (parts_add_up),
    cmocka_unit_test (what_cannot_be_known_is_named),
    cmocka_unit_test (absurd_metadata_is_refused),
    cmocka_unit_test (contradictions_are_noted),
  };
  if (mkdtemp (folder) == NULL)
    return 1;
  const int failed = cmocka_run_group_tests (tests, NULL, NULL);
  char command[100];
  snprintf (command, sizeof command, "rm -rf '%s'", folder);
  return system (command) != 0 || failed;
}
