#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Derives layers and weights of models from their Hugging Face configurations.

This is the independent oracle for data/models and for the importers: it writes
every matrix, bias, norm and gate of an architecture out as a product of the
configuration's own fields, and never looks at an expected result to get there.

    derive_records.py            same as --check
    derive_records.py --check    derivations against reference/config_expected.tsv
                                 and hf_configs/MISSING.tsv, data/models against
                                 the derivations
    derive_records.py --write    writes the derived fields into data/models
    derive_records.py --show ID  prints one derivation (a record id or a repository)

The facts are read from the folder that LLMENV_SHARED names (default ../shared
beside the project). Units: parameters and elements are counts; bytes say so.
"""

import argparse
import csv
import json
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("LLMENV_SHARED", PROJECT.parent / "shared"))
MODELS = PROJECT / "data" / "models"

BYTES = {"bf16": 2, "fp16": 2, "fp32": 4}
DTYPES = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}

# Names of the weight parts. The first group is streamed at every step.
ATTENTION = "attention"
RECURRENT = "recurrent layers"
DENSE = "dense mlp"
SHARED_EXPERTS = "shared experts"
LATENT = "latent projections of the experts"
SMALL = "norms, routers and other"
ROUTED = "routed experts"
ROUTED_BIAS = "routed expert biases"
HEAD = "output head"
EMBEDDING = "input embedding"
PER_LAYER = "per-layer embeddings"
POSITIONS = "decoder positions"
ENCODER = "encoder"
CROSS_KV = "cross-attention key and value projections"
TOWER = "towers and projectors"
MTP = "multi-token prediction"
MTP_SMALL = "multi-token prediction norms, routers and joint projection"
MTP_COPIES = "multi-token prediction copies of embedding and head"

ROLES = {
    ATTENTION: "shared", RECURRENT: "shared", DENSE: "shared",
    SHARED_EXPERTS: "shared", LATENT: "shared", SMALL: "shared",
    ROUTED: "routed", ROUTED_BIAS: "routed", HEAD: "head",
    EMBEDDING: "embedding", PER_LAYER: "table", POSITIONS: "table",
    ENCODER: "encoder", CROSS_KV: "encoder", TOWER: "tower",
    MTP: "mtp", MTP_SMALL: "mtp", MTP_COPIES: "mtp",
}


# ---------------------------------------------------------------- structures

@dataclass
class Layer:
    """One layer of a stack: what it caches, what it computes, what it weighs."""
    spec: dict                               # kind and its fields
    mlp: dict = None                         # None where there is no MLP
    state: dict = None                       # fixed state, element counts
    params: Counter = field(default_factory=Counter)


@dataclass
class Model:
    """A derived text model."""
    layers: list
    vocab: int
    hidden: int
    tied: bool
    other: Counter = field(default_factory=Counter)   # parts outside the layers
    mtp: Counter = field(default_factory=Counter)
    expert: int = 0                                   # one routed expert
    query_heads: int = 0
    complete: bool = True                             # False: no weights, layers only
    formats: dict = field(default_factory=dict)       # part name -> type
    format: str = "bf16"


class Config:
    """Fields of the text model, with class defaults for absent ones."""

    def __init__(self, raw):
        self.raw = raw
        self.text = raw.get("text_config") or raw
        self.type = self.text["model_type"]
        self.family = FAMILY_OF.get(self.type, self.type)
        if "Grok1ModelForCausalLM" in raw.get("architectures", []):
            self.family = "grok"               # its files borrow another model type
        self.defaults = CLASS_DEFAULTS.get(self.family, {})

    def get(self, key, default=None):
        """Value of a field: the text model's, else the class default."""
        value = self.text.get(key)
        if value is None:
            value = self.defaults.get(key, default)
        return value

    def outer(self, key):
        """A field that may stand at the text model or around it."""
        value = self.text.get(key)
        return self.raw.get(key) if value is None else value

    def need(self, *keys):
        for key in keys:
            value = self.get(key)
            if value is not None:
                return value
        raise KeyError(f"{self.type}: none of {', '.join(keys)}")

    @property
    def hidden(self):
        return self.need("hidden_size", "d_model")

    @property
    def count(self):
        return self.need("num_hidden_layers", "n_layers")

    @property
    def heads(self):
        return self.need("num_attention_heads", "n_heads")

    @property
    def kv_heads(self):
        return self.get("num_key_value_heads") or self.heads

    @property
    def head_dim(self):
        return (self.get("head_dim") or self.get("attention_head_dim")
                or self.hidden // self.heads)

    @property
    def dtype(self):
        name = self.outer("torch_dtype") or self.outer("dtype")
        return DTYPES.get(name, "bf16")

    @property
    def tied(self):
        value = self.outer("tie_word_embeddings")
        return self.defaults.get("tied", False) if value is None else value


# Spellings of one architecture under several model types.
FAMILY_OF = {
    "gemma3_text": "gemma3", "gemma4_text": "gemma4", "llama4_text": "llama4",
    "qwen3_vl_text": "qwen3", "qwen3_vl_moe_text": "qwen3_moe",
    "qwen3_5_text": "qwen3_next", "qwen3_5_moe_text": "qwen3_next",
    "ministral3": "mistral", "mimo": "qwen2", "minimax": "minimax_m1",
    "deepseek_v2": "deepseek", "deepseek_v3": "deepseek",
    "deepseek_v32": "deepseek", "kimi_k2": "deepseek",
    "glm4_moe_lite": "deepseek", "glm_moe_dsa": "deepseek",
}

# Values that the Transformers configuration classes supply when a file is silent.
CLASS_DEFAULTS = {
    "gemma": {"tied": True},
    "gemma2": {"tied": True},
    "gemma3": {"tied": True, "vocab_size": 262208, "sliding_window_pattern": 6,
               "sliding_window": 4096},
    "gemma4": {"tied": True},
    "gemma3n": {"tied": True, "laurel_rank": 64, "altup_num_inputs": 4},
    "cohere": {"tied": True}, "cohere2": {"tied": True},
    "mpt": {"tied": True}, "mamba": {"tied": True},
    "mistral": {"num_attention_heads": 32, "num_key_value_heads": 8},
    "qwen2": {"attention_bias": True}, "gpt_oss": {"attention_bias": True},
    "mamba2": {"expand": 2, "num_heads": 128, "head_dim": 64, "state_size": 128,
               "n_groups": 8, "conv_kernel": 4},
    "whisper": {"tied": True},
}

# Where a family departs from the plain layer: two norms, no normalised queries
# and keys, and biases, where attention_bias asks for them, on all four projections.
TRAITS = {
    "seed_oss": {"bias": "qkv"},
    "qwen2": {"bias": "qkv"},
    "qwen3": {"qk_norm": "head"},
    "qwen3_moe": {"qk_norm": "head"},
    "olmo2": {"qk_norm": "full"},
    "olmo3": {"qk_norm": "full"},
    "gemma2": {"norms": 4},
    "gemma3": {"norms": 4, "qk_norm": "head"},
    "cohere": {"norms": 1},
    "cohere2": {"norms": 1},
    "glm4": {"norms": 4, "bias": "qkv"},
    "glm4_moe": {"bias": "qkv", "qk_norm": "head", "router_bias": True},
    "gpt_oss": {"sinks": True},
    "minimax_m2": {"qk_norm": "full", "router_bias": True},
    "hunyuan_v1_moe": {"qk_norm": "head"},
    "step3p7": {"qk_norm": "head", "router_bias": True, "head_gate": True},
    "grok": {"norms": 4},
}


# ------------------------------------------------------------------ attention

def attention_spec(c, kind, head_dim=None, kv_heads=None, heads=None, window=None):
    """The group fields of one ordinary attention layer."""
    dim = head_dim or c.head_dim
    spec = {"kind": kind, "q_heads": heads or c.heads,
            "kv_heads": kv_heads or c.kv_heads, "k_dim": dim, "v_dim": dim}
    if kind in ("window", "chunk"):
        spec["window"] = window
    return spec


def projections(hidden, spec, value=True, gate=False):
    """Matrices of queries, keys, values and output.

    value=False: keys double as values, so there is no value matrix;
    gate=True: the query matrix also produces an output gate of its own size.
    """
    q = hidden * spec["q_heads"] * spec["k_dim"] * (2 if gate else 1)
    k = hidden * spec["kv_heads"] * spec["k_dim"]
    v = hidden * spec["kv_heads"] * spec["v_dim"] if value else 0
    out = spec["q_heads"] * spec["v_dim"] * hidden
    return q + k + v + out


def attention_small(c, spec, traits):
    """Biases, query and key norms and sinks of one attention layer."""
    q = spec["q_heads"] * spec["k_dim"]
    k = spec["kv_heads"] * spec["k_dim"]
    v = spec["kv_heads"] * spec["v_dim"]
    total = 0
    if c.get("attention_bias"):
        total += q + k + v
        if traits.get("bias") != "qkv":
            total += c.hidden
    if traits.get("qk_norm") == "head":        # one weight vector for all heads
        total += 2 * spec["k_dim"]
    if traits.get("qk_norm") == "full":        # one weight per head and channel
        total += q + k
    if traits.get("sinks"):                    # a learned logit per query head
        total += spec["q_heads"]
    return total


def latent_attention(c):
    """Spec and parameters of multi-head latent attention, indexer included.

    The cache holds the compressed latent and one rotary key for all heads;
    num_key_value_heads says nothing about its width.
    """
    h, n = c.hidden, c.heads
    nope, rope, v = (c.need("qk_nope_head_dim"), c.need("qk_rope_head_dim"),
                     c.need("v_head_dim"))
    rank, q_rank = c.need("kv_lora_rank"), c.get("q_lora_rank")
    # the widths of an expanded cache, for engines that keep K and V of each head
    spec = {"kind": "latent", "q_heads": n, "rank": rank, "rope_dim": rope,
            "nope_dim": nope, "v_dim": v}
    params = Counter()
    if q_rank:                                 # queries pass a bottleneck as well
        params[ATTENTION] += h * q_rank + q_rank * n * (nope + rope)
        params[SMALL] += q_rank
    else:
        params[ATTENTION] += h * n * (nope + rope)
    params[ATTENTION] += h * (rank + rope) + rank * n * (nope + v) + n * v * h
    params[SMALL] += rank
    if c.get("mla_use_output_gate"):
        params[ATTENTION] += h * n * v
    if c.get("index_topk"):
        heads, dim = c.need("index_n_heads"), c.need("index_head_dim")
        spec.update(kind="sparse_latent", top=c.need("index_topk"),
                    index_heads=heads, index_dim=dim)
        params[ATTENTION] += q_rank * heads * dim + h * dim
        # the per-head weights stay unquantised; the key norm has scale and shift
        params[SMALL] += h * heads + 2 * dim
    return spec, params


# ----------------------------------------------------------------- MLP and MoE

def dense_mlp(hidden, size, matrices=3):
    """A dense MLP: gate, up and down (3), or up and down only (2)."""
    return ({"kind": "dense", "size": size},
            Counter({DENSE: matrices * hidden * size}))


def moe(hidden, size, experts, top, shared_size=0, matrices=3, router_bias=False,
        expert_bias=0, expert_hidden=None):
    """Routed experts with their router, and the experts that are always on.

    expert_bias counts the bias values of one routed expert; expert_hidden is
    the width that the experts work in where it is not the model's.
    """
    spec = {"kind": "moe", "size": size, "experts": experts, "top": top,
            "shared_size": shared_size}
    params = Counter({
        ROUTED: experts * matrices * (expert_hidden or hidden) * size,
        SMALL: experts * hidden + (experts if router_bias else 0),
    })
    if expert_bias:
        params[ROUTED_BIAS] = experts * expert_bias
    if shared_size:
        params[SHARED_EXPERTS] = matrices * hidden * shared_size
    return spec, params


def scalar(value):
    """The common value of a per-layer list, or the value itself."""
    if isinstance(value, list):
        if len(set(value)) != 1:
            raise ValueError("values differ from layer to layer")
        return value[0]
    return value


def mlp_of(c, index, traits):
    """MLP of an ordinary layer: dense, or the mixture that the fields describe."""
    h = c.hidden
    experts = c.get("num_local_experts") or c.get("num_experts") or c.get("n_routed_experts")
    if not experts or index < c.get("first_k_dense_replace", 0):
        return dense_mlp(h, c.need("intermediate_size"))
    size = scalar(c.get("moe_intermediate_size") or c.need("intermediate_size"))
    top = scalar(c.need("num_experts_per_tok", "num_experts_per_token", "moe_topk"))
    shared = c.get("n_shared_experts") or scalar(c.get("num_shared_expert", 0))
    bias = (traits.get("router_bias") or c.get("topk_method") == "noaux_tc"
            or c.get("scoring_func") == "sigmoid")
    return moe(h, size, experts, top, shared * size, router_bias=bias)


# ------------------------------------------------------------ layer patterns

def window_pattern(c):
    """For every layer: its window in tokens, or None for full attention."""
    n, window = c.count, c.get("sliding_window")
    types = c.get("layer_types")
    if types:
        return [window if "sliding" in t else None for t in types[:n]]
    if not window or c.get("use_sliding_window") is False:
        return [None] * n
    if c.family == "gemma2":                   # even layers slide
        return [window if i % 2 == 0 else None for i in range(n)]
    period = c.get("sliding_window_pattern")
    if period:                                 # the last of each period is full
        return [None if (i + 1) % period == 0 else window for i in range(n)]
    return [window] * n


# ----------------------------------------------------------- ordinary families

def plain_transformer(c):
    """Decoders whose layers are attention plus MLP with a few variations."""
    traits = TRAITS.get(c.family, {})
    other_heads = c.get("window_attention_heads")
    layers = []
    for i, window in enumerate(window_pattern(c)):
        heads = other_heads if window and other_heads else c.heads
        spec = attention_spec(c, "window" if window else "full", heads=heads,
                              window=window)
        mlp, params = mlp_of(c, i, traits)
        params[ATTENTION] += projections(c.hidden, spec)
        if traits.get("head_gate"):            # one output gate per query head
            params[ATTENTION] += c.hidden * spec["q_heads"]
        params[SMALL] += (attention_small(c, spec, traits)
                          + traits.get("norms", 2) * c.hidden)
        layers.append(Layer(spec, mlp, None, params))
    model = finish(c, layers)
    if other_heads:
        model.mtp = window_mtp(c, other_heads, traits)
    return model


def window_mtp(c, heads, traits):
    """Step's prediction layers: sliding attention, dense MLP, each a head of its own."""
    h = c.hidden
    spec = attention_spec(c, "window", heads=heads, window=c.get("sliding_window"))
    one = dense_mlp(h, c.need("intermediate_size"))[1]
    one[ATTENTION] = projections(h, spec) + h * heads
    one[SMALL] = attention_small(c, spec, traits) + 5 * h
    one[MTP_SMALL] = 2 * h * h
    one[MTP_COPIES] = c.need("vocab_size") * h
    count = c.need("num_nextn_predict_layers")
    return Counter({part: n * count for part, n in one.items()})


def gpt_oss(c):
    """Biases everywhere: attention, router and every expert."""
    traits, layers = TRAITS["gpt_oss"], []
    h, size = c.hidden, c.need("intermediate_size")
    for window in window_pattern(c):
        spec = attention_spec(c, "window" if window else "full", window=window)
        mlp, params = moe(h, size, c.need("num_local_experts"),
                          c.need("num_experts_per_tok"), router_bias=True,
                          expert_bias=2 * size + h)
        params[ATTENTION] += projections(h, spec)
        params[SMALL] += attention_small(c, spec, traits) + 2 * h
        layers.append(Layer(spec, mlp, None, params))
    return finish(c, layers)


def llama4(c):
    """Chunked attention on rotary layers, full attention on the others.

    A mixture sits in every layer or in every second one, always beside one
    shared expert of the same size; the other layers have a wider dense MLP.
    """
    h, n = c.hidden, c.count
    rotary = c.get("no_rope_layers") or [0 if (i + 1) % 4 == 0 else 1 for i in range(n)]
    step = c.get("interleave_moe_layer_step", 1)
    mixed = c.get("moe_layers") or list(range(step - 1, n, step))
    layers = []
    for i in range(n):
        spec = attention_spec(c, "chunk" if rotary[i] else "full",
                              window=c.need("attention_chunk_size"))
        if i in mixed:
            size = c.need("intermediate_size")
            mlp, params = moe(h, size, c.need("num_local_experts"),
                              c.need("num_experts_per_tok"), size)
        else:
            mlp, params = dense_mlp(h, c.need("intermediate_size_mlp"))
        params[ATTENTION] += projections(h, spec)
        params[SMALL] += 2 * h                 # its query and key norms have no weights
        layers.append(Layer(spec, mlp, None, params))
    return finish(c, layers)


def deepseek(c):
    """Latent attention with a mixture after the first dense layers."""
    layers = []
    for i in range(c.count):
        spec, params = latent_attention(c)
        mlp, more = mlp_of(c, i, {"router_bias": c.type.startswith("glm")})
        params += more
        params[SMALL] += 2 * c.hidden
        layers.append(Layer(spec, mlp, None, params))
    return finish(c, layers)


def mpt(c):
    """No biases; keys and values for every head; an MLP without a gate."""
    h, layers = c.hidden, []
    for _ in range(c.count):
        spec = attention_spec(c, "full")
        mlp, params = dense_mlp(h, c.get("expansion_ratio", 4) * h, matrices=2)
        params[ATTENTION] += projections(h, spec)
        params[SMALL] += 2 * h
        layers.append(Layer(spec, mlp, None, params))
    return finish(c, layers)


# -------------------------------------------------------------- Gemma 3n and 4

def cache_sharing(c, specs):
    """Marks the last layers as readers of an earlier layer's cache."""
    first = c.count - c.get("num_kv_shared_layers", 0)
    return [spec if i < first else
            {"kind": "shared", "reads": spec["kind"],
             **{k: v for k, v in spec.items() if k != "kind"}}
            for i, spec in enumerate(specs)]


def per_layer_inputs(c, model):
    """The per-layer embedding table and what folds it into every layer."""
    h, width, n = c.hidden, c.get("hidden_size_per_layer_input", 0), c.count
    if not width:
        return
    for layer in model.layers:
        layer.params[ATTENTION] += 2 * h * width   # gate and projection back
        layer.params[SMALL] += h                   # norm after it
    model.other[PER_LAYER] = c.need("vocab_size_per_layer_input") * n * width
    model.other[ATTENTION] += h * n * width        # projection of the model's embedding
    model.other[SMALL] += width


def gemma4(c):
    """Two head geometries; keys serve as values in full layers where told so."""
    h, layers = c.hidden, []
    specs = []
    for window in window_pattern(c):
        if window:
            specs.append(attention_spec(c, "window", window=window))
        else:
            specs.append(attention_spec(
                c, "full", head_dim=c.get("global_head_dim"),
                kv_heads=c.get("num_global_key_value_heads")))
    for spec in cache_sharing(c, specs):
        shared = spec["kind"] == "shared"
        merged = bool(c.get("attention_k_eq_v")) and spec["kind"] == "full"
        params = Counter()
        params[ATTENTION] = projections(h, spec, value=not merged)
        params[SMALL] = 2 * spec["k_dim"] + 4 * h + 1      # the 1 scales the layer
        if shared:                             # no key and value matrices, no key norm
            params[ATTENTION] -= 2 * h * spec["kv_heads"] * spec["k_dim"]
            params[SMALL] -= spec["k_dim"]
        wide = 2 if shared and c.get("use_double_wide_mlp") else 1
        size = wide * c.need("intermediate_size")
        mlp, more = dense_mlp(h, size)
        if c.get("enable_moe_block"):          # the dense MLP runs beside the experts
            mlp, more = moe(h, c.need("moe_intermediate_size"), c.need("num_experts"),
                            c.need("top_k_experts"), size)
            # three further norms, the router's input scale, a scale per expert
            more[SMALL] += 4 * h + c.need("num_experts")
        params += more
        layers.append(Layer(spec, mlp, None, params))
    model = finish(c, layers)
    per_layer_inputs(c, model)
    return model


def gemma3n(c):
    """Alternating updates (AltUp), low-rank residuals (LAuReL), per-layer inputs."""
    h, layers = c.hidden, []
    streams, rank = c.need("altup_num_inputs"), c.need("laurel_rank")
    specs = [attention_spec(c, "window" if w else "full", window=w)
             for w in window_pattern(c)]
    for spec in cache_sharing(c, specs):
        mlp, params = dense_mlp(h, c.need("intermediate_size"))
        params[ATTENTION] += projections(h, spec) + 2 * h * rank
        params[SMALL] += (2 * spec["k_dim"] + 4 * h   # query, key and layer norms
                          + h                         # norm of the low-rank residual
                          + streams * streams         # correction coefficients
                          + streams ** 3              # prediction coefficients
                          + h * streams + 2 * h)      # router, its norm, output scale
        layers.append(Layer(spec, mlp, None, params))
    model = finish(c, layers)
    model.other[ATTENTION] += 2 * (streams - 1) * h * h   # stream projections in and out
    per_layer_inputs(c, model)
    return model


# ------------------------------------------------ state space and linear layers

def state(recurrent, conv, recurrent_type, conv_type, assumed):
    """Fixed state of one layer, in elements, with the types they are kept in."""
    return {"recurrent": recurrent, "conv": conv, "type": recurrent_type,
            "conv_type": conv_type, "assumed": assumed}


def state_type(c, fallback):
    """The type that the configuration names for recurrent matrices, else assumed."""
    named = c.get("mamba_ssm_dtype") or c.get("mamba_ssm_cache_dtype") or c.get("state_dtype")
    return (DTYPES.get(named, named), False) if named else (fallback, True)


def mamba2(c, inner, heads, groups, dim, kernel, norm=True):
    """State and parameters of a Mamba-2 mixer.

    dim is the state size; the convolution runs over the inner channels and
    both groups of state inputs, and keeps kernel - 1 columns.
    """
    h, channels = c.hidden, inner + 2 * groups * dim
    kept, assumed = state_type(c, "bf16")
    params = Counter()
    params[RECURRENT] = h * (inner + channels + heads) + inner * h
    params[SMALL] = (channels * (kernel + 1)   # convolution and its bias
                     + 3 * heads               # step bias, decay, skip
                     + (inner if norm else 0))
    return state(inner * dim, channels * (kernel - 1), kept, conv_type(c), assumed), params


def conv_type(c):
    """Convolution columns are kept in the model's type, 16 bits where it computes so."""
    return c.dtype if c.dtype != "fp32" else "bf16"


def granite_hybrid(c):
    """Mamba-2 or attention, then a shared MLP and sometimes routed experts."""
    h, layers = c.hidden, []
    experts, shared = c.get("num_local_experts", 0), c.need("shared_intermediate_size")
    for kind in c.need("layer_types"):
        if experts:
            mlp, params = moe(h, c.need("intermediate_size"), experts,
                              c.need("num_experts_per_tok"), shared)
        else:
            mlp, params = dense_mlp(h, shared)
        kept = None
        if kind == "mamba":
            spec = {"kind": "recurrent"}
            heads, dim = c.need("mamba_n_heads"), c.need("mamba_d_head")
            kept, more = mamba2(c, heads * dim, heads, c.need("mamba_n_groups"),
                                c.need("mamba_d_state"), c.need("mamba_d_conv"))
            params += more
        else:
            spec = attention_spec(c, "full")
            params[ATTENTION] += projections(h, spec)
        params[SMALL] += 2 * h
        layers.append(Layer(spec, mlp, kept, params))
    return finish(c, layers)


def falcon_h1(c):
    """Attention and a Mamba-2 mixer side by side in every layer."""
    h, layers = c.hidden, []
    for _ in range(c.count):
        spec = attention_spec(c, "full")
        mlp, params = dense_mlp(h, c.need("intermediate_size"))
        kept, more = mamba2(c, c.need("mamba_d_ssm"), c.need("mamba_n_heads"),
                            c.need("mamba_n_groups"), c.need("mamba_d_state"),
                            c.need("mamba_d_conv"))
        params += more
        params[ATTENTION] += projections(h, spec)
        params[SMALL] += 2 * h
        layers.append(Layer(spec, mlp, kept, params))
    return finish(c, layers)


NEMOTRON_LETTERS = {"M": "mamba", "*": "attention", "-": "mlp", "E": "moe"}


def nemotron_h(c):
    """One thing a layer: a mixer, attention, an MLP or a mixture; one norm each."""
    h, layers = c.hidden, []
    kinds = c.get("layers_block_type") or [NEMOTRON_LETTERS[x]
                                           for x in c.need("hybrid_override_pattern")]
    for kind in kinds:
        spec, mlp, kept, params = {"kind": "none"}, None, None, Counter()
        if kind == "mamba":
            spec = {"kind": "recurrent"}
            heads, dim = c.need("mamba_num_heads"), c.need("mamba_head_dim")
            kept, params = mamba2(c, heads * dim, heads, c.need("n_groups"),
                                  c.need("ssm_state_size"), c.need("conv_kernel"))
        elif kind == "attention":
            spec = attention_spec(c, "full")
            params[ATTENTION] += projections(h, spec)
        elif kind == "mlp":                    # squared ReLU: no gate matrix
            mlp, params = dense_mlp(h, c.need("intermediate_size"), matrices=2)
        else:
            mlp, params = moe(h, c.need("moe_intermediate_size"),
                              c.need("n_routed_experts"), c.need("num_experts_per_tok"),
                              c.need("n_shared_experts")
                              * c.need("moe_shared_expert_intermediate_size"),
                              matrices=2, router_bias=True)
        params[SMALL] += h
        layers.append(Layer(spec, mlp, kept, params))
    return finish(c, layers)


def mamba2_only(c):
    """Nothing but Mamba-2 mixers."""
    layers = []
    inner = c.need("expand") * c.hidden
    for _ in range(c.count):
        kept, params = mamba2(c, inner, c.need("num_heads"), c.need("n_groups"),
                              c.need("state_size"), c.need("conv_kernel"))
        params[SMALL] += c.hidden
        layers.append(Layer({"kind": "recurrent"}, None, kept, params))
    return finish(c, layers)


def mamba1(c):
    """First-generation mixers: a state of their own for every inner channel."""
    h, inner, dim = c.hidden, c.need("intermediate_size"), c.need("state_size")
    rank, kernel = c.need("time_step_rank"), c.need("conv_kernel")
    kept, assumed = state_type(c, "bf16")
    layers = []
    for _ in range(c.count):
        params = Counter()
        params[RECURRENT] = (h * 2 * inner + inner * (rank + 2 * dim)
                             + rank * inner + inner * h)
        params[SMALL] = (inner * (kernel + 1)      # convolution with bias
                         + inner                   # step bias
                         + inner * dim + inner     # decay and skip
                         + h)
        layers.append(Layer({"kind": "recurrent"}, None,
                            state(inner * dim, inner * (kernel - 1), kept,
                                  conv_type(c), assumed), params))
    return finish(c, layers)


def rwkv4(c):
    """Three running values and two shifted inputs per channel; no convolution."""
    h, inner, size = c.hidden, c.need("attention_hidden_size"), c.need("intermediate_size")
    kept, assumed = state_type(c, "fp32")
    layers = []
    for _ in range(c.count):
        params = Counter()
        params[RECURRENT] = 4 * h * inner + 2 * h * size + h * h
        params[SMALL] = 2 * inner + 3 * h + 2 * h + 4 * h   # decay, bonus, mixes, norms
        layers.append(Layer({"kind": "recurrent"}, None,
                            state(5 * h, 0, kept, conv_type(c), assumed), params))
    model = finish(c, layers)
    model.other[SMALL] += 3 * h                # norm before the stack; shifts of both norms
    return model


def gated_delta(c):
    """Qwen3-Next and Qwen3.5: gated delta rule in three of four layers."""
    h, layers = c.hidden, []
    every = c.get("full_attention_interval", 4)
    types = c.get("layer_types") or ["full_attention" if (i + 1) % every == 0
                                     else "linear_attention" for i in range(c.count)]
    for i, kind in enumerate(types):
        spec, kept, params = qwen_attention(c) if kind == "full_attention" \
            else delta_mixer(c)
        mlp, more = qwen_mlp(c)
        params += more
        params[SMALL] += 2 * h
        layers.append(Layer(spec, mlp, kept, params))
    model = finish(c, layers)
    if c.get("mtp_num_hidden_layers"):
        model.mtp = qwen_mtp(c)
    return model


def qwen_attention(c):
    spec = attention_spec(c, "full")
    return spec, None, Counter({ATTENTION: projections(c.hidden, spec, gate=True),
                                SMALL: 2 * spec["k_dim"]})


def delta_mixer(c):
    """A matrix of key by value dimension per value head is the state."""
    h = c.hidden
    keys = c.need("linear_num_key_heads") * c.need("linear_key_head_dim")
    heads, dim = c.need("linear_num_value_heads"), c.need("linear_value_head_dim")
    channels, kernel = 2 * keys + heads * dim, c.need("linear_conv_kernel_dim")
    kept, assumed = state_type(c, "bf16")
    params = Counter()
    params[RECURRENT] = (h * (channels + heads * dim)   # query, key, value; output gate
                         + 2 * h * heads                # write strength, decay
                         + heads * dim * h)
    params[SMALL] = channels * kernel + 2 * heads + dim
    return ({"kind": "recurrent"},
            state(heads * c.need("linear_key_head_dim") * dim, channels * (kernel - 1),
                  kept, conv_type(c), assumed), params)


def qwen_mlp(c):
    if not c.get("num_experts"):
        return dense_mlp(c.hidden, c.need("intermediate_size"))
    spec, params = moe(c.hidden, c.need("moe_intermediate_size"), c.need("num_experts"),
                       c.need("num_experts_per_tok"),
                       c.need("shared_expert_intermediate_size"))
    params[SMALL] += c.hidden                  # the shared expert has a gate of its own
    return spec, params


def qwen_mtp(c):
    """One full-attention layer, the joint projection and three norms."""
    h = c.hidden
    _, _, params = qwen_attention(c)
    params += qwen_mlp(c)[1]
    params[SMALL] += 2 * h + 3 * h
    params[MTP_SMALL] += 2 * h * h
    return params


def minimax_m1(c):
    """Lightning attention (a matrix state per head) with a full layer in eight."""
    h, layers = c.hidden, []
    types = c.get("layer_types") or ["full" if t else "linear"
                                     for t in c.need("attn_type_list")]
    width = c.heads * c.head_dim
    kept, assumed = state_type(c, "fp32")
    for kind in types:
        mlp, params = moe(h, c.need("intermediate_size"), c.need("num_local_experts"),
                          c.need("num_experts_per_tok"))
        held = None
        if kind.startswith("full"):
            spec = attention_spec(c, "full")
            params[ATTENTION] += projections(h, spec)
        else:
            spec = {"kind": "recurrent"}
            held = state(c.heads * c.head_dim ** 2, 0, kept, conv_type(c), assumed)
            params[RECURRENT] += 5 * h * width     # query, key, value, gate, output
            params[SMALL] += width                 # norm of the output
        params[SMALL] += 2 * h
        layers.append(Layer(spec, mlp, held, params))
    return finish(c, layers)


def kimi_delta(c):
    """A Kimi delta attention mixer: per-channel decay, short convolutions on q, k, v."""
    linear = c.need("linear_attn_config")
    h, heads, dim = c.hidden, linear["num_heads"], linear["head_dim"]
    width, kernel = heads * dim, linear["short_conv_kernel_size"]
    kept, assumed = state_type(c, "fp32")
    gate = h * width if linear.get("use_full_rank_gate") else h * dim + dim * width
    params = Counter()
    params[RECURRENT] = (3 * h * width             # query, key, value
                         + h * dim + dim * width   # low-rank decay
                         + gate + h * heads        # output gate, write strength
                         + width * h)
    params[SMALL] = 3 * width * kernel + heads + width + dim
    return ({"kind": "recurrent"},
            state(width * dim, 3 * width * (kernel - 1), kept, conv_type(c), assumed),
            params)


def kimi_linear(c):
    """Delta attention with latent attention in the layers that a 1-based list names."""
    h, layers = c.hidden, []
    full = set(c.need("linear_attn_config")["full_attn_layers"])
    inner = c.get("routed_expert_hidden_size")
    for i in range(c.count):
        held = None
        if i + 1 in full:
            spec, params = latent_attention(c)
        else:
            spec, held, params = kimi_delta(c)
        if i < c.need("first_k_dense_replace"):
            mlp, more = dense_mlp(h, c.need("intermediate_size"))
        else:
            size = c.need("moe_intermediate_size")
            mlp, more = moe(h, size, c.need("num_experts"), c.need("num_experts_per_token"),
                            c.need("num_shared_experts") * size, router_bias=True,
                            expert_hidden=inner)
            if inner:                          # down to the experts' width and back up
                more[LATENT] += 2 * h * inner
                more[SMALL] += inner if c.get("latent_moe_use_norm") else 0
        params += more
        params[SMALL] += 2 * h
        layers.append(Layer(spec, mlp, held, params))
    return finish(c, layers)


# -------------------------------------------------------------------- Whisper

def whisper_attention(h):
    """Four square matrices; every projection but the key's has a bias."""
    return Counter({ATTENTION: 4 * h * h, SMALL: 3 * h})


def whisper_mlp(h, size):
    mlp, params = dense_mlp(h, size, matrices=2)
    params[SMALL] += size + h
    return mlp, params


def whisper(c):
    """Encoder and decoder; only the decoder caches, its cross keys at fixed length."""
    h, heads, size = c.hidden, c.heads, c.need("ffn_dim")
    frames = c.need("max_source_positions")
    norm = 2 * h                               # scale and shift
    mlp, more = whisper_mlp(h, size)
    one = whisper_attention(h) + more + Counter({SMALL: 2 * norm})
    encoder = c.need("encoder_layers") * sum(one.values()) + norm + frames * h
    encoder += h * 3 * (c.need("num_mel_bins") + h) + 2 * h    # two convolutions
    layers = [Layer({"kind": "encoder"}, dict(mlp))
              for _ in range(c.need("encoder_layers"))]
    decoder = c.need("decoder_layers")
    for _ in range(decoder):
        spec = attention_spec(c, "full", head_dim=h // heads, kv_heads=heads)
        params = whisper_attention(h) + more + Counter({SMALL: 3 * norm})
        # of cross attention only queries and output run at each step
        params += Counter({ATTENTION: 2 * h * h, SMALL: 2 * h})
        layers.append(Layer(spec, dict(mlp), None, params))
    for _ in range(decoder):
        spec = attention_spec(c, "cross", head_dim=h // heads, kv_heads=heads)
        spec["length"] = frames
        layers.append(Layer(spec, None, None, Counter({CROSS_KV: 2 * h * h + h})))
    model = finish(c, layers)
    model.other[SMALL] += h                    # shift of the final norm
    model.other[POSITIONS] = c.need("max_target_positions") * h
    model.other[ENCODER] = encoder
    return model


# ------------------------------------------------------------- whole models

def next_token_module(c, model):
    """Extra prediction layers in the manner of DeepSeek-V3.

    Each is a layer like the last one, two norms before and one after it, and
    a projection that joins hidden state and embedding; the checkpoints store
    copies of the embedding and the head with it.
    """
    count = c.get("num_nextn_predict_layers", 0)
    if not count or c.family not in ("deepseek", "glm4_moe"):
        return Counter()
    h = c.hidden
    one = Counter(model.layers[-1].params)
    one[SMALL] += 3 * h
    one[MTP_SMALL] += 2 * h * h
    one[MTP_COPIES] += 2 * model.vocab * h
    return Counter({part: n * count for part, n in one.items()})


def finish(c, layers):
    """The model around its layers: final norm, embedding, head, prediction layers."""
    model = Model(layers, c.get("vocab_size") or 0, c.hidden, c.tied)
    model.other[SMALL] = c.hidden
    model.query_heads = next((l.spec["q_heads"] for l in layers
                              if "q_heads" in l.spec), 0)
    model.mtp = next_token_module(c, model)
    model.format, model.formats = weight_formats(c)
    return model


ARCHITECTURES = {
    "gpt_oss": gpt_oss, "llama4": llama4, "deepseek": deepseek, "mpt": mpt,
    "gemma4": gemma4, "gemma3n": gemma3n, "granitemoehybrid": granite_hybrid,
    "falcon_h1": falcon_h1, "nemotron_h": nemotron_h, "mamba2": mamba2_only,
    "mamba": mamba1, "rwkv": rwkv4, "qwen3_next": gated_delta,
    "minimax_m1": minimax_m1, "kimi_linear": kimi_linear, "whisper": whisper,
}
PLAIN = {
    "llama", "mistral", "mixtral", "phi3", "granite", "seed_oss", "qwen2", "qwen3",
    "qwen3_moe", "olmo2", "olmo3", "gemma", "gemma2", "gemma3", "cohere", "cohere2",
    "glm4", "glm4_moe", "minimax_m2", "hunyuan_v1_moe", "step3p7", "grok",
}


def derive(raw):
    """The Model of a configuration, or None for architectures not written out here."""
    if "model_type" not in (raw.get("text_config") or raw):
        return None
    c = Config(raw)
    if c.family in PLAIN:
        return plain_transformer(c)
    build = ARCHITECTURES.get(c.family)
    return build(c) if build else None


# --------------------------------------------------------------- weight types

LINEAR_PARTS = (ATTENTION, RECURRENT, DENSE, SHARED_EXPERTS, ROUTED, MTP)


def weight_formats(c):
    """The checkpoint's main type, and the parts that are stored in another one."""
    quant = c.outer("quantization_config")
    if not quant:
        return c.dtype, {}
    method = quant.get("quant_method")
    if method == "fp8":                        # every linear layer but head and router
        name = "fp8_block" if quant.get("weight_block_size") else "fp8"
        linear = LINEAR_PARTS
    elif method == "mxfp4" or quant.get("format") == "mxfp4-pack-quantized":
        name, linear = "mxfp4", (ROUTED,)
    else:
        return c.dtype, {}
    return name, {part: c.dtype for part in ROLES if part not in linear}


# ------------------------------------------------------------------- figures

def element_bytes(spec):
    """Bytes that one token adds to one layer's cache, at 2 bytes an element."""
    if spec["kind"] in ("latent", "sparse_latent"):
        return 2 * (spec["rank"] + spec["rope_dim"])
    if spec["kind"] in ("full", "window", "chunk"):
        return 2 * spec["kv_heads"] * (spec["k_dim"] + spec["v_dim"])
    return 0


def layer_groups(model):
    """The record's layer list: equal layers in one group, in order of appearance."""
    groups = []
    for layer in model.layers:
        entry = dict(layer.spec)
        if layer.state:
            entry["state"] = layer.state
        if layer.mlp:
            entry["mlp"] = layer.mlp
        for group in groups:
            if {k: v for k, v in group.items() if k != "count"} == entry:
                group["count"] += 1
                break
        else:
            groups.append({"count": 1, **entry})
    return groups


def group_state_bytes(groups):
    """Fixed state of one sequence in the types that the groups name; None without any."""
    states = [(g["count"], g["state"]) for g in groups if "state" in g]
    if not states:
        return None
    return sum(n * (s["recurrent"] * BYTES[s["type"]] + s["conv"] * BYTES[s["conv_type"]])
               for n, s in states)


def group_cache_count(groups):
    return sum(g["count"] for g in groups if element_bytes(g))


def group_kv_bytes(groups, tokens=1):
    return sum(g["count"] * element_bytes(g) * min(tokens, g.get("window", tokens))
               for g in groups)


def cross_bytes(groups):
    """Fixed cross-attention cache of one sequence at 2 bytes an element."""
    return sum(2 * g["count"] * g["kv_heads"] * (g["k_dim"] + g["v_dim"]) * g["length"]
               for g in groups if g["kind"] == "cross")


def figures(model):
    """The quantities of config_expected.tsv."""
    groups = layer_groups(model)
    total = Counter(model.other)
    for layer in model.layers:
        total += layer.params
    mixtures = [l for l in model.layers if l.mlp and l.mlp["kind"] == "moe"]
    routed = total[ROUTED] + total[ROUTED_BIAS]
    experts = mixtures[0].mlp["experts"] if mixtures else 0
    top = mixtures[0].mlp["top"] if mixtures else 0
    one = routed // (len(mixtures) * experts) if mixtures else 0
    table = model.vocab * model.hidden
    params = sum(total.values()) + table * (1 if model.tied else 2)
    active = params - routed + len(mixtures) * top * one
    states = [l.state for l in model.layers if l.state]
    return {
        "kv_bytes_per_token": group_kv_bytes(groups, 1),
        "kv_bytes_at_8192": group_kv_bytes(groups, 8192),
        "kv_bytes_at_131072": group_kv_bytes(groups, 131072),
        "indexer_bytes_per_token": sum(2 * g["count"] * g.get("index_dim", 0)
                                       for g in groups),
        "recurrent_state_bytes": sum(s["recurrent"] * BYTES[s["type"]] for s in states),
        "conv_state_bytes": sum(s["conv"] * BYTES[s["conv_type"]] for s in states),
        "total_params": params,
        "active_params": active,
        "active_less_input_embed": active if model.tied else active - table,
        "embed_in": table,
        "lm_head": 0 if model.tied else table,
        "per_layer_embed": total[PER_LAYER],
        "routed_total": routed,
        "one_expert_params": one,
        "moe_layers": len(mixtures),
        "experts": experts,
        "top_k": top,
        "mtp_params": sum(model.mtp.values()),
    }


# ------------------------------------------------- where configurations come from

def read_tsv(path):
    """Rows of a tab-separated file as dicts; quotes are ordinary characters."""
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def config_file(repo):
    return read_json(SHARED / "hf_configs" / repo.replace("/", "--") / "config.json")


def missing_fields(repo):
    """The fields that MISSING.tsv quotes for a repository without a file here."""
    for row in read_tsv(SHARED / "hf_configs" / "MISSING.tsv"):
        if row["hf_repo"] == repo:
            return json.loads(row["fields_found"])
    raise KeyError(repo)


def repeated(text):
    """Expands 'mamba*5,attn,mamba*9' to a list of layer types."""
    out = []
    for item in text.split(","):
        name, _, times = item.partition("*")
        out += ["attention" if name == "attn" else name] * int(times or 1)
    return out


def gemma_3n_fields(repo):
    """E2B overrides what its larger sibling and the class defaults say."""
    fields = {**missing_fields("google/gemma-3n-E4B-it"), **missing_fields(repo)}
    fields.update(model_type="gemma3n", layer_types=[
        "full_attention" if (i + 1) % 5 == 0 else "sliding_attention"
        for i in range(fields["num_hidden_layers"])])
    return fields


def granite_tiny_fields(repo):
    fields = missing_fields(repo)
    return {**fields, "layer_types": repeated(fields["layer_types"])}


def falcon_h1_fields(repo):
    """The record is the base model, the first of the two vocabularies quoted."""
    fields = missing_fields(repo)
    return {**fields, "vocab_size": int(fields["vocab_size"].split()[0])}


def hunyuan_fields(repo):
    """Per-layer lists are quoted as '[3072]*32'."""
    fields = missing_fields(repo)
    for key in ("moe_intermediate_size", "moe_topk", "num_shared_expert"):
        value, times = fields[key].strip("[").split("]*")
        fields[key] = [int(value)] * int(times)
    return fields


def whisper_fields(repo):
    fields = missing_fields(repo)
    return {**fields, "model_type": "whisper", "hidden_size": fields["d_model"],
            "num_attention_heads": fields["attention_heads"],
            "num_hidden_layers": fields["decoder_layers"]}


def codestral_fields(repo):
    """Two dimensions of its own, the rest are defaults of the class."""
    return {**missing_fields(repo), "model_type": "mamba2"}


def olmo_3_fields(repo):
    fields = missing_fields(repo)
    kinds = {"S": "sliding_attention", "F": "full_attention"}
    pattern, _, times = fields["layer_types"].partition(" x ")
    fields["layer_types"] = [kinds[x] for x in pattern.split(",")] * int(times)
    return fields


def phi_3_fields(repo):
    return {**missing_fields(repo), "model_type": "phi3"}


def step_fields(_):
    """3.7 has the same stack; its copy lost that sliding layers have 96 heads."""
    return {**config_file("stepfun-ai/Step-3.7-Flash"), "window_attention_heads": 96}


def grok_fields(_):
    return config_file("sglang-doc/grok-1-dummy")


FIELD_SETS = {
    "gemma-3n-e2b": gemma_3n_fields, "granite-4-0-h-tiny": granite_tiny_fields,
    "falcon-h1-7b-base": falcon_h1_fields, "hunyuan-a13b": hunyuan_fields,
    "seed-oss-36b": missing_fields, "whisper-large-v3": whisper_fields,
    "mamba-codestral-7b": codestral_fields, "olmo-3-7b": olmo_3_fields,
    "phi-3-mini-4k-instruct": phi_3_fields, "step-3-5-flash": step_fields,
    "grok-1": grok_fields,
}


def record_fields(record, model_type, **more):
    """A configuration made of a record's own fields, for families known above."""
    facts = record["facts"]
    out = {"model_type": model_type, "num_hidden_layers": record["num_layers"],
           "num_attention_heads": record["num_attention_heads"],
           "num_key_value_heads": record["num_kv_heads"]}
    for key in ("hidden_size", "head_dim", "max_position_embeddings"):
        out[key] = record[key]
    for key in ("intermediate_size", "vocab_size", "tie_word_embeddings", "torch_dtype"):
        if key in facts:
            out[key] = facts[key]
    return {**out, **more}


def olmo_2_record(record):
    return record_fields(record, "olmo2")


def gemma_3_record(record):
    return record_fields(record, "gemma3", sliding_window=record["facts"]["sliding_window"])


def qwen2_audio_record(record):
    """Its text model is Qwen2's; the window is longer than its positions and unused."""
    return record_fields(record, "qwen2", use_sliding_window=False)


def whisper_turbo_record(record):
    facts = record["facts"]
    more = {key: facts[key] for key in ("encoder_layers", "decoder_layers",
                                        "max_source_positions", "max_target_positions",
                                        "num_mel_bins")}
    # the vocabulary is the one of large-v3, whose tokens it keeps
    vocab = missing_fields("openai/whisper-large-v3")["vocab_size"]
    return record_fields(record, "whisper", ffn_dim=facts["decoder_ffn_dim"],
                         vocab_size=vocab, **more)


RECORD_SETS = {
    "olmo-2-1b": olmo_2_record, "gemma-3-12b-it": gemma_3_record,
    "qwen2-audio-7b-instruct": qwen2_audio_record,
    "whisper-large-v3-turbo": whisper_turbo_record,
}


def document_records():
    """Records as transcribed, in their order."""
    with open(SHARED / "records" / "models.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def configuration(record, entry):
    """The configuration that describes a record, or None."""
    if record["id"] in RECORD_SETS:
        return RECORD_SETS[record["id"]](record)
    if entry["relation"] == "fields":
        return FIELD_SETS[record["id"]](entry["config"])
    if entry["relation"] in ("exact", "sibling"):
        return config_file(entry["config"])
    return None


# ---------------------------------------------------------------- record blocks

NO_CACHE = ("cross", "encoder")


def part_totals(model, towers=0):
    """Parameters of every part of the weights, in the order of the roles above."""
    total = Counter(model.other)
    for layer in model.layers:
        total += layer.params
    table = model.vocab * model.hidden
    total[HEAD] = table
    total[EMBEDDING] = 0 if model.tied else table
    total[TOWER] = towers
    for part, params in model.mtp.items():
        if part in (MTP_SMALL, MTP_COPIES):
            total[part] += params
        else:                                  # norms and routers apart: another type
            total[MTP_SMALL if part == SMALL else MTP] += params
    return {part: total[part] for part in ROLES if total[part]}


def weight_block(model, towers, main, formats):
    """The record's weights: experts, top and parts with role, count and type."""
    mixture = next((l.mlp for l in model.layers if l.mlp and l.mlp["kind"] == "moe"), None)
    out = {}
    if mixture:
        out = {"experts": mixture["experts"], "top": mixture["top"]}
    out["parts"] = []
    for part, params in part_totals(model, towers).items():
        entry = {"name": part, "role": ROLES[part], "params": params}
        if part == HEAD and model.tied:
            entry["tied"] = True
        if formats.get(part, main) != main:
            entry["format"] = formats[part]
        out["parts"].append(entry)
    return out


# Types that no configuration names but the record's own facts do: the main type
# and the parts that have it. xAI released quantised matrices; its embedding,
# norms and router are taken to be in 16 bits.
STATED_FORMATS = {"grok-1": ("int8", (ATTENTION, ROUTED))}


def formats_of(record, raw, model):
    """Main type (None where nothing states one) and types of the other parts."""
    if record["id"] in STATED_FORMATS:
        main, parts = STATED_FORMATS[record["id"]]
        return main, {part: "bf16" for part in ROLES if part not in parts}
    facts, c = record["facts"], Config(raw)
    if c.outer("torch_dtype") or c.outer("dtype") or c.outer("quantization_config"):
        return model.format, model.formats
    stated = facts.get("src_weight_format") or facts.get("torch_dtype")
    return DTYPES.get(stated, stated), {}


def derived_block(record, raw):
    """Every field of a record that follows from its configuration."""
    model = derive(raw)
    groups = layer_groups(model)
    main, formats = formats_of(record, raw, model)
    inside = sum(part_totals(model).values())
    towers = record["facts"].get("safetensors_params", inside) - inside
    out = {"kv_caching_layer_count": group_cache_count(groups)}
    if group_state_bytes(groups) is not None:
        out["state_bytes_per_sequence"] = group_state_bytes(groups)
    if model.query_heads:
        out["attention_head_count"] = model.query_heads
    if main:
        out["weight_format"] = main
    out["layers"] = groups
    out["weights"] = weight_block(model, towers, main or "bf16", formats)
    return out


EXTRA_KEYS = ("kv_cache_bytes_per_token_basis", "kv_caching_layer_count",
              "state_bytes_per_sequence", "attention_head_count", "unavailable_reason",
              "weight_format", "layers", "weights", "provenance", "corrections")
DERIVED_KEYS = ("kv_caching_layer_count", "state_bytes_per_sequence",
                "attention_head_count", "weight_format", "layers", "weights")


def sources():
    """Record, map entry and configuration (or None) of every record."""
    entries = {row["id"]: row for row in read_tsv(SHARED / "records" / "config_map.tsv")}
    for record in document_records():
        entry = entries[record["id"]]
        raw = configuration(record, entry)
        yield record, entry, raw if raw and derive(raw) else None


def record_path(record):
    return MODELS / f"{record['id']}.json"


def write_record(path, record):
    text = json.dumps(record, indent=2, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def write_all():
    """Rewrites transcribed and derived fields; keeps what people wrote by hand."""
    MODELS.mkdir(parents=True, exist_ok=True)
    count = 0
    for record, _, raw in sources():
        path = record_path(record)
        old = read_json(path) if path.exists() else {}
        extras = {key: old[key] for key in EXTRA_KEYS if key in old}
        if raw:
            for key in DERIVED_KEYS:
                extras.pop(key, None)
            extras.update(derived_block(record, raw))
        out = {key: value for key, value in record.items() if key != "facts"}
        out.update((key, extras[key]) for key in EXTRA_KEYS if key in extras)
        write_record(path, out)
        count += 1
    print(f"{count} records written")
    return 0


# ------------------------------------------------------------------- checking

class Tally:
    """Counts comparisons and prints one line for each that fails."""

    def __init__(self):
        self.records = self.values = self.differ = 0

    def same(self, where, name, expected, got):
        self.values += 1
        if expected != got:
            self.differ += 1
            print(f"{where}: {name}: expected {expected}, got {got}")

    def tree(self, where, name, expected, got):
        """Compares nested objects leaf by leaf."""
        if isinstance(expected, dict) and isinstance(got, dict):
            for key in {**expected, **got}:
                self.tree(where, f"{name}.{key}", expected.get(key), got.get(key))
        elif isinstance(expected, list) and isinstance(got, list) \
                and len(expected) == len(got):
            for i, (a, b) in enumerate(zip(expected, got)):
                self.tree(where, f"{name}[{i}]", a, b)
        else:
            self.same(where, name, expected, got)


def check_expected(tally, repos):
    """Derivations against the independent table; mapped repositories come first."""
    rows = read_tsv(SHARED / "reference" / "config_expected.tsv")
    for row in sorted(rows, key=lambda r: r["hf_repo"] not in repos):
        model = derive(config_file(row["hf_repo"]))
        if model is None:
            if row["total_params"] or row["kv_bytes_per_token"]:
                tally.same(row["hf_repo"], "derivation", "one", "none")
            continue
        tally.records += 1
        for name, value in figures(model).items():
            if row[name]:
                tally.same(row["hf_repo"], name, int(row[name]), value)


def product(text):
    out = 1
    for factor in text.split("*"):
        out *= int(factor)
    return out


def number(text):
    return int(text.replace(",", ""))


def check_fields(tally, record, entry, raw):
    """One field set against what the last column of its row states."""
    rows = {r["hf_repo"]: r for r in read_tsv(SHARED / "hf_configs" / "MISSING.tsv")}
    text = rows[entry["config"]]["derived_from_those_fields"]
    model, where = derive(raw), entry["config"]
    groups, got = layer_groups(model), figures(model)
    tally.records += 1
    for pattern, name, value in (
            (r"([\d,]+) B/token", "KV bytes a token", got["kv_bytes_per_token"]),
            (r"params from these fields = ([\d,]*\d)", "parameters", got["total_params"]),
            (r"cross KV fixed ([\d,]+) B", "cross KV bytes", cross_bytes(groups)),
            (r"over (\d+) caching layers", "caching layers", group_cache_count(groups))):
        found = re.search(pattern, text)
        if found:
            tally.same(where, name, number(found.group(1)), value)
    found = re.search(r"state (\d+) x \(?([\d*]+)(?: \+ conv ([\d*]+))?", text)
    if found:
        states = [(g["count"], g["state"]) for g in groups if "state" in g]
        layers, recurrent, conv = found.groups()
        tally.same(where, "layers with state", int(layers), sum(n for n, _ in states))
        tally.same(where, "state elements", product(recurrent), states[0][1]["recurrent"])
        if conv:
            tally.same(where, "convolution elements", product(conv), states[0][1]["conv"])


def right_value(data, name):
    """A field's value after the record's own corrections."""
    for entry in data.get("corrections", []):
        if entry["field"] == name:
            return entry["right"]
    return data.get(name)


def check_record(tally, record, raw):
    """One file of data/models against its transcription and its derivation."""
    where, path = f"data/models/{record['id']}.json", record_path(record)
    if not path.exists():
        tally.same(where, "file", "present", "missing")
        return
    tally.records += 1
    data = read_json(path)
    for key, value in record.items():
        if key != "facts":
            tally.same(where, key, value, data.get(key))
    if raw:
        block = derived_block(record, raw)
        for key in DERIVED_KEYS:
            if key in block or key in data:
                tally.tree(where, key, block.get(key), data.get(key))
    check_layers(tally, where, record, data)
    check_weights(tally, where, record, data)


def check_layers(tally, where, record, data):
    """The layer list against the record's own figures, corrected where needed."""
    groups = data.get("layers")
    if groups is None:
        return
    facts = record["facts"]
    depth = sum(g["count"] for g in groups if g["kind"] not in NO_CACHE)
    tally.same(where, "num_layers", right_value(data, "num_layers"), depth)
    tally.same(where, "KV bytes a token", right_value(data, "kv_cache_bytes_per_token"),
               group_kv_bytes(groups))
    tally.same(where, "kv_caching_layer_count", data.get("kv_caching_layer_count"),
               group_cache_count(groups))
    tally.same(where, "state_bytes_per_sequence", data.get("state_bytes_per_sequence"),
               group_state_bytes(groups))
    if "cross_attention_kv_bytes_per_request" in facts:
        tally.same(where, "cross KV bytes", facts["cross_attention_kv_bytes_per_request"],
                   cross_bytes(groups))


def check_weights(tally, where, record, data):
    """The parts against the exact checkpoint total, where the facts state one."""
    total = record["facts"].get("safetensors_params")
    if total and "weights" in data:
        tally.same(where, "checkpoint total", total,
                   sum(part["params"] for part in data["weights"]["parts"]))


def check_all():
    everything = list(sources())
    tally = Tally()
    check_expected(tally, {entry["config"] for _, entry, _ in everything})
    for record, entry, raw in everything:
        if raw and entry["relation"] == "fields":
            check_fields(tally, record, entry, raw)
    for record, _, raw in everything:
        check_record(tally, record, raw)
    strays = {p.stem for p in MODELS.glob("*.json")} - {r["id"] for r, _, _ in everything}
    for stray in sorted(strays):
        tally.same(f"data/models/{stray}.json", "record", "known", "unknown")
    print(f"{tally.records} records, {tally.values} values compared, {tally.differ} differ")
    return 1 if tally.differ else 0


def show(name):
    """Prints the derivation of a record or of a repository in hf_configs."""
    for record, _, raw in sources():
        if record["id"] == name and raw:
            print(json.dumps(derived_block(record, raw), indent=2))
            return 0
    try:
        model = derive(config_file(name))
    except FileNotFoundError:
        model = None
    if model is None:
        print(f"{name}: no configuration, or an architecture that is not derived")
        return 1
    print(json.dumps({**figures(model), "layers": layer_groups(model)}, indent=2))
    return 0


def main():
    parser = argparse.ArgumentParser(description="Derives layers and weights of records.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="compare (the default)")
    mode.add_argument("--write", action="store_true", help="write data/models")
    mode.add_argument("--show", metavar="ID", help="print one derivation")
    args = parser.parse_args()
    if not SHARED.is_dir():
        count = len(list(MODELS.glob("*.json")))
        print(f"skipped: {count} records, no reference at {SHARED}")
        return 0
    if args.show:
        return show(args.show)
    return write_all() if args.write else check_all()


if __name__ == "__main__":
    sys.exit(main())
