#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recompute the claims of documents 000 and 003 in exact arithmetic.

usage: claims.py [--command PATH] [--list]

An independent second writing of every check: each claim has its own lines here, on fractions, from the records in
data/models and data/accelerators. It never reads the checks of data/claims_*.json, only the facts (key, printed
value, unit), and says of each claim whether it holds at the printed digits, by rounding, or not.

With --command, `PATH table claims_000 --csv` and `claims_003 --csv` must give the same `ours` (to 1e-9) and a verdict
of the same class. Without, the facts alone are judged. --list prints every claim that does not hold.
Exit 0 if everything agrees, 1 if something differs, 2 for bad usage or unreadable input.
"""
import csv
import io
import json
import math
import os
import re
import subprocess
import sys
from fractions import Fraction as F

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GIGA = 10 ** 9
MIB = 2 ** 20
H100, H20, L40S, A100 = "nvidia-h100-sxm", "nvidia-h20", "nvidia-l40s", "nvidia-a100-80gb-sxm4"
RTX4090, RTX3090 = "nvidia-rtx-4090", "nvidia-rtx-3090"
CONTEXTS = (8192, 32768, 131072)
INF = math.inf


# --- records: the values that the documents' tables use ---------------------------------------------------------

def load(path):
    with open(os.path.join(ROOT, "data", path), encoding="utf-8") as handle:
        return json.load(handle, parse_float=F, parse_int=F)


def load_folder(kind):
    folder = os.path.join(ROOT, "data", kind)
    records = (load(os.path.join(kind, name)) for name in sorted(os.listdir(folder)) if name.endswith(".json"))
    return {record["id"]: record for record in records}


MODELS = load_folder("models")
CARDS = load_folder("accelerators")
PRINTED = load("printed.json")["tables"]


def table(name):
    return [row if isinstance(row, str) else row["id"] for row in PRINTED[name]["rows"]]


ALL = table("dense") + table("moe") + table("hybrid")


def correction(m, field):
    for fix in MODELS[m].get("corrections", ()):
        if fix["field"] == field and fix.get("applies", True):
            return fix
    return {}


def value(m, field):
    fixed = correction(m, field).get("published")
    return fixed if fixed is not None else MODELS[m].get(field)


def older(m):
    return correction(m, "kv_cache_bytes_per_token").get("older")


def k(m):
    return value(m, "kv_cache_bytes_per_token")


def g(m):
    return value(m, "gqa_ratio")


def active(m):
    return value(m, "active_params_b")


def total(m):
    return value(m, "params_b")


def wall_params(m):
    """Parameters of l_wall and B*: the total where no active size is recorded."""
    return (active(m) if active(m) is not None else total(m)) * GIGA


def longest(m):
    return value(m, "max_position_embeddings")


def naive(m):
    return value(m, "num_layers") * value(m, "num_kv_heads") * value(m, "head_dim") * 4


def layers(m, kind=None):
    return [x for x in MODELS[m].get("layers", ()) if kind in (None, x["kind"])]


def count(m, kind=None):
    return sum(x["count"] for x in layers(m, kind))


def from_heads(m, kind=None):
    return sum(x["count"] * x.get("kv_heads", 0) * (x.get("k_dim", 0) + x.get("v_dim", 0)) * 2 for x in layers(m, kind))


def from_latent(m):
    return sum(x["count"] * (x.get("rank", 0) + x.get("rope_dim", 0)) * 2 for x in layers(m))


def matrices(m):
    """Bytes of the recurrent matrices of one sequence."""
    width = {"bf16": 2, "fp16": 2, "fp32": 4}
    return sum(x["count"] * x["state"]["recurrent"] * width[x["state"]["type"]] for x in layers(m) if x.get("state"))


# --- formulas of the documents ------------------------------------------------------------------------------------

def rate(card, precision):
    return max((x["tflops"] for x in CARDS[card]["flops"] if x["precision"] == precision and x["dense"]), default=None)


def ridge(card=H100):
    peak = rate(card, "bf16")
    return 1000 * (peak if peak is not None else rate(card, "fp16")) / CARDS[card]["memory_bandwidth_gbps"]


R = ridge()


def ceiling(m, length, size=None, ratio=None):
    size = active(m) * GIGA if size is None else size
    return 2 * size / (k(m) * length) + (g(m) if ratio is None else ratio)


def wall(m, r=R, element=2, size=None):
    size = wall_params(m) if size is None else size
    ratio = g(m) * 2 / F(element)
    return 2 * size / ((r - ratio) * k(m) * F(element) / 2)


def b_star(m, length):
    rest = 2 * wall_params(m) - (R - g(m)) * k(m) * length
    return R * 2 * wall_params(m) / rest if rest > 0 else INF


def b_eq(m, size, length=1):
    return 2 * size * GIGA / (k(m) * length)


def known():
    return [m for m in ALL if active(m) is not None]


def reach(length):
    return [m for m in ALL if b_star(m, length) != INF]


def ratios(name):
    return [R / ceiling(m, length) for m in table(name) for length in CONTEXTS]


def rank(rows, of, which):
    better, equal = sum(of(m) > of(which) for m in rows), sum(of(m) == of(which) for m in rows)
    return (better + 1, better + equal)


def leading(name, of):
    want = sorted(of(m) for m in ALL if m in known() or of(m) is not None)
    have = [of(m) for m in table(name)]
    return next((i for i, (a, b) in enumerate(zip(have, want)) if a != b), len(have))


def eq_or_large(m):
    return b_eq(m, active(m)) if active(m) is not None else INF


def smallest(n, of):
    return set(sorted(ALL, key=of)[:n])


# document 000: weight bytes, KV bytes an element, cards

class Pair:
    def __init__(self, m, weights, card, cards=1, element=F(2)):
        self.m, self.w, self.cards = m, F(weights), cards
        self.k, self.g = k(m) * element / 2, g(m) * 2 / element
        self.r = ridge(card)
        self.memory = cards * CARDS[card]["vram_gb"] * GIGA

    def free(self):
        return self.memory - self.w - F("1.5e9")

    def fill(self):
        return self.free() / self.k

    def n_star(self):
        return self.w / (self.r * self.k)

    def b_50(self, length):
        return self.w / (self.k * length)

    def throughput(self, batch, length):
        return batch / (self.w + batch * self.k * length)

    def marginal(self, batch, length):
        """Derivative of batch/(W + batch k n) in the batch, over the same at 0."""
        return self.w ** 2 / (self.w + batch * self.k * length) ** 2


L8, M70, M32 = "llama-3-1-8b", "llama-3-3-70b", "deepseek-r1-distill-qwen-32b"
Q8_0 = F(34, 32)


# exact sums over layers, for the claims whose published formula itself is the error

def streamed(m):
    """Parameters that compute a token, embedding looked up."""
    w = MODELS[m]["weights"]
    share = w["top"] / w["experts"] if "experts" in w else F(1)
    parts = {"shared": F(1), "head": F(1), "routed": share}
    return sum(p["params"] * parts.get(p["role"], 0) for p in w["parts"])


def real_wall(m, card):
    """Ridge context of a model with plain attention in every layer."""
    flops = sum(x["count"] * 2 * x["q_heads"] * (x["k_dim"] + x["v_dim"]) for x in layers(m))
    return 2 * streamed(m) / (ridge(card) * from_heads(m) - flops)


def real_fill(m, weights, card):
    return (CARDS[card]["memory_bytes"] - F(weights) - F("1.5e9")) / from_heads(m)


def claims_000():
    q4, fp = Pair(L8, "4.9e9", RTX4090), Pair(L8, "16.06e9", RTX4090)
    q8 = Pair(L8, "16.06e9", RTX4090, element=Q8_0)
    two, big = Pair(M70, "40.7e9", RTX3090, 2), Pair(M32, "19.9e9", RTX4090)
    same = q4.w / q4.k == q4.r * q4.n_star()
    gap = (fp.memory - fp.w - F("1.5e9")) / fp.w * fp.r
    h100 = Pair(L8, "4.9e9", H100)
    double = q4.throughput(2, 4096) / q4.throughput(1, 4096)
    return {
        "ridge_h100": F(989) / F("3.35"), "ridge_4090": ridge(RTX4090), "ridge_3090": ridge(RTX3090),
        "n_prefill_4090": ridge(RTX4090) * 2 / 2, "n_cross_over_n_star": "R" if same else "not R",
        "n_star_8b_q4_4090": q4.n_star(), "n_star_8b_fp16_4090": fp.n_star(), "n_star_70b_q4_2x3090": two.n_star(),
        "ridge_dead_past_n_star": ceiling(L8, 229),
        "3090_more_forgiving": "yes" if all(
            Pair(m, 1, RTX3090).n_star() > Pair(m, 1, RTX4090).n_star() for m in (L8, M32, M70)) else "no",
        "free_70b_2x3090": two.free() / GIGA, "kv_70b": F(80 * 8 * 128 * 2 * 2, 1024), "fill_70b_2x3090": two.fill(),
        "seqs_4k_70b_2x3090": two.fill() / 4096, "seqs_16k_70b_2x3090": two.fill() / 16384,
        "fill_over_nstar": "((mem-W-res)/W)*R" if fp.fill() / fp.n_star() == gap == q8.fill() / q8.n_star() else "no",
        "fill_8b_fp16_4090": fp.fill(), "fill_8b_fp16_4090_q8kv": q8.fill(), "nstar_8b_fp16_4090_q8kv": q8.n_star(),
        "q8kv_gain": 2 / Q8_0, "ratio_8b_fp16_4090": gap, "ratio_8b_q4_4090": q4.fill() / q4.n_star(),
        "quant_moves_ends_apart": "yes" if q4.n_star() < fp.n_star() and q4.fill() > fp.fill() else "no",
        "b50_8b_q4_4k": q4.b_50(4096), "b50_8b_q4_32k": q4.b_50(32768),
        "marginal_gain_halves_at_b50": q4.marginal(q4.b_50(4096), 4096),
        "capacity_8b_q4_4k": q4.fill() / 4096, "capacity_8b_q4_32k": q4.fill() / 32768,
        "capacity_over_knee_4k": q4.fill() / 4096 / q4.b_50(4096),
        "b50_32b_q4_4k": big.b_50(4096), "capacity_32b_q4_4k": big.fill() / 4096,
        "b50_card_free": "yes" if all(Pair(L8, "4.9e9", c).b_50(4096) == q4.b_50(4096) for c in (RTX3090, H100)) else "no",
        "double_batch_8b_q4_4k": double, "same_on_h100": h100.throughput(2, 4096) / h100.throughput(1, 4096),
        "achieved_bandwidth_4090": None,
    }


def claims_003_text():
    """Sections 0 to 2."""
    phi3, phi35, phi4, olmo, smol = ("phi-3-mini-4k-instruct", "phi-3-5-mini-instruct", "phi-4-mini-instruct",
                                     "olmo-3-7b", "smollm2-1-7b-instruct")
    nemotron, step, gemma, gte = "nemotron-h-8b-base-8k", "step-3-5-flash", "gemma-3-27b", "gte-qwen2-1-5b-instruct"
    ds, tiny, linear = "deepseek-v3", "granite-4-0-h-tiny", "kimi-linear-48b-a3b"
    mamba = value(nemotron, "mamba_layers") or correction(nemotron, "mamba_layers")["published"]
    per_mixer = matrices(nemotron) / count(nemotron, "recurrent")
    ridges = {c: ridge(c) for c in table("ridge")}
    derived = [L8, M70, "qwen3-235b-a22b", "qwen3-30b-a3b", "qwen2-5-72b", "mixtral-8x22b", "glm-4-5", "gpt-oss-120b",
               "qwen3-8b", olmo, smol, tiny, linear]
    window = layers(step, "window")[0]
    sliding = value(step, "num_layers") - count(step, "full")
    latent = layers(ds)[0]["rank"] + layers(ds)[0]["rope_dim"]
    heads, wide, rope = value(ds, "num_kv_heads"), value(ds, "head_dim"), layers(ds)[0]["rope_dim"]
    gqa8 = 32 * 8 * 96 * 2 * 2
    globals_ = {m: correction(m, "full_attention_layers").get("published", count(m, "full")) for m in table("gemma4_kv")}
    pattern = max((value(m, "num_layers") - n) / n for m, n in globals_.items())
    out = {
        "hl_never_reach_ridge": "%d of %d" % (sum(all(ceiling(m, n) < R for n in CONTEXTS) for m in known()), len(known())),
        "hl_ridge": R, "hl_wall_under_100": sum(wall(m) < 100 for m in ALL),
        "hl_wall_100_to_1000": sum(100 <= wall(m) < 1000 for m in ALL),
        "hl_295_is_ceiling": max(b_star(m, 1024) for m in reach(1024)), "R_used": R,
        "l40s_ridge_rank": rank(ridges, ridges.get, L40S), "l40s_ridge": ridge(L40S), "h20_ridge": ridge(H20),
        "beq_smallest": min(b_eq(m, active(m)) for m in known()), "beq_8k_divisor": F(8192),
        "lwall_smollm2": wall(smol), "lwall_dsv3": wall(ds), "ai_when_g_omitted": F(0),
        "kv_contexts_promised": None, "thresholds_promised": None,
        "nonstandard_kv_records": sum(k(m) != naive(m) for m in ALL), "nemotron_kv_kib": k(nemotron) / 1024,
        "nemotron_state_mib": mamba * per_mixer / MIB, "falconh1_kv_kib": k("falcon-h1-7b-base") / 1024,
        "falconh1_state_mib": matrices("falcon-h1-7b-base") / MIB,
        "gqa_recorded": "%d of %d" % (sum(g(m) is not None for m in ALL), len(ALL)),
        "gqa_mismatch": sum(value(m, "attention_head_count") != g(m) * value(m, "num_kv_heads") for m in ALL),
        "dsv3_kv_heads": heads, "records_with_product_error": sum(older(m) is not None for m in MODELS),
        "phi3_kv_recorded": older(phi3), "phi3_kv_correct": F(32 * 32 * 96 * 2 * 2), "phi3_kv_correct_kib": F(384),
        "phi3_head_dim": F(3072, 32), "phi3_error_factor": F(32 * 32 * 96 * 4) / older(phi3), "phi3_gqa8_bytes": F(gqa8),
        "phi3_gqa8_kib": F(gqa8, 1024), "phi3_over_gqa8": k(phi3) / gqa8, "phi35_ctx": longest(phi35),
        "phi35_kv_at_128k_recorded_gb": older(phi35) * 131072 / GIGA, "phi35_kv_at_128k_gb": k(phi35) * 131072 / GIGA,
        "phi35_weights_gb": 2 * total(phi35), "phi35_kv_over_weights": k(phi35) * 131072 / (2 * total(phi35) * GIGA),
        "phi35_24gb_tok_recorded": 24 * GIGA / older(phi35), "phi35_24gb_tok": 24 * GIGA / k(phi35),
        "phi35_params": active(phi35), "phi35_same_kv_as_olmo3": k(olmo) / 1024, "olmo3_params": active(olmo),
        "phi35_over_llama31_8b": k(phi35) / k(L8), "phi35_lwall": wall(phi35),
        "phi35_kv_per_param_rank": rank(table("dense"), lambda m: k(m) / active(m), phi35),
        "gte_recorded": older(gte), "gte_correct": F(28 * 2 * 128 * 2 * 2), "gte_kib": F(28), "gte_head_dim": F(1536, 12),
        "gte_factor": k(gte) / older(gte),
        "step_kv": k(step), "step_pattern": "%d+%d" % (count(step, "full"), sliding), "step_window": window["window"],
        "step_saturation_kb": sliding * 8 * 128 * 2 * 2 * window["window"] / 1000, "step_lwall_called_wrong": wall(step),
        "gemma3_27b_kv": k(gemma), "gemma3_27b_global_share": "%d/%d" % (count(gemma, "full"), count(gemma)),
        "gemma3_27b_overstate": count(gemma) / count(gemma, "full"),
        "dsv3_naive_over_mla": F(61 * 128 * 128 * 4, 61 * 576 * 2),
        "mla_reduction": heads * (wide + rope + wide) / latent, "qwen38next_kv": k("qwen3-8-flash-next"),
        "rederived_count": sum(k(m) == from_heads(m) + from_latent(m) for m in derived),
        "granite4_naive": F(40 * 4 * 128 * 4), "kimilinear_naive": F(27 * 9216),
        "gemma4_bytes_are_bytes": F(round(math.log2(k("gemma-4-31b") / (50 * 16 * 256 + 10 * 4 * 512)))),
        "gemma4_pattern": "%d:1" % pattern, "gemma4_31b_rank": rank(ALL, k, "gemma-4-31b"), "gemma4_26b_cheaper": None,
        "glm53_active_hint": streamed("glm-5-3") / GIGA,
    }
    latents = {"dsv3_kv": ds, "dsv2_kv": "deepseek-v2", "kimik2_kv": "kimi-k2", "glm53_kv": "glm-5-3",
               "glm47flash_kv": "glm-4-7-flash", "kimilinear_kv": linear, "kimik3_kv": "kimi-k3"}
    plain = {"granite4_kv": tiny, "minimaxm1_kv": "minimax-m1", "qwen35_kv": "qwen3-5-35b-a3b",
             "minicpm_kv": "minicpm-v-4-6", "nemotron_kv": nemotron, "llama31_8b_kv": L8, "llama33_70b_kv": M70,
             "qwen3_235b_kv": "qwen3-235b-a22b", "qwen3_30b_kv": "qwen3-30b-a3b", "mixtral8x22b_kv": "mixtral-8x22b",
             "glm45_kv": "glm-4-5", "gptoss120b_kv": "gpt-oss-120b", "qwen3_8b_kv": "qwen3-8b", "olmo3_kv": olmo,
             "smollm2_kv": smol}
    out.update({key: from_latent(m) for key, m in latents.items()})
    out.update({key: from_heads(m) for key, m in plain.items()})
    out.update({"whisper_kv": from_heads("whisper-large-v3", "full"),
                "whisper_turbo_kv": from_heads("whisper-large-v3-turbo", "full")})
    return out


def claims_003_crossover():
    """Sections 3 and 4."""
    smol, gemma, k2, ds = "smollm2-1-7b-instruct", "gemma-3-27b", "kimi-k2", "deepseek-v3"
    glm, flash = "glm-4-5", "glm-4-7-flash"
    oss = "gpt-oss-120b"
    none_1k = len(ALL) - len(reach(1024))
    lowest = min(ALL, key=eq_or_large) == min(ALL, key=wall) == smol
    b1 = {m: b_star(m, 1024) for m in table("bstar") if active(m) is not None}
    risers = sum(active(a) < active(b) and b1[a] < b1[b] for a in b1 for b in b1)
    return {
        "gptoss120b_active_gb": 2 * active(oss), "gptoss120b_total_gb": 2 * total(oss),
        "dense_rows": sum(active(m) == total(m) for m in table("dense")),
        "moe_rows": sum(active(m) != total(m) for m in table("moe")),
        "hybrid_rows": sum(MODELS[m]["architecture"] == "hybrid-attention-ssm" for m in table("hybrid")),
        "beq_at_context": "/ L" if b_eq(L8, active(L8), 2) == b_eq(L8, active(L8)) / 2 else "x L",
        "beq_table_is_prefix": leading("beq_ranked", eq_or_large),
        "first_eleven_same": len(smallest(11, eq_or_large) & smallest(11, wall)),
        "smollm2_both_lowest": wall(smol) if lowest else "two rows", "lwall_table_is_prefix": leading("lwall_ranked", wall),
        "ratio_min": min(ratios("lwall_ranked")), "ratio_max": max(ratios("lwall_ranked")),
        "gemma3_27b_ceiling_128k": ceiling(gemma, 131072), "gemma3_27b_below_ridge": R / ceiling(gemma, 131072),
        "overlap_with_worst10": len(set(table("lwall_ranked")) & set(table("worst10"))),
        "gemma_head_dim": min(value(m, "head_dim") for m in ("gemma-2-2b", "gemma-2-9b", "gemma-3-12b-it", gemma)),
        "kimik2_weights_tb": 2 * total(k2) / 1000, "kimik2_beq_active": b_eq(k2, active(k2)),
        "kimik2_beq_resident": b_eq(k2, total(k2)) / 10 ** 6,
        "glm47_smallest_penalty": min(total(m) / active(m) for m in table("beq_resident")),
        "glm47_hypothetical_kv": k(glm) / 1024, "glm_kv_reduction": k(glm) / k(flash),
        "bstar_rows_1k": "%d of %d" % (len(reach(1024)), len(ALL)), "bstar_others_table": none_1k,
        "bstar_others_text": none_1k, "survive_8k": len(reach(8192)), "survive_32k": len(reach(32768)),
        "glm53_bstar_32k": R / (1 - 32768 / wall("glm-5-3")), "active_recorded": len(known()),
        "dsv3_bstar_1k": R / (1 - 1024 / wall(ds)), "kimik3_bstar_1k": R / (1 - 1024 / wall("kimi-k3")),
        "glm53_bstar_1k": R / (1 - 1024 / wall("glm-5-3")),
        "bstar_near_295": max(b_star(m, 1024) for m in reach(1024)) / R, "widest_listed": 5,
        "wider_is_closer": "not monotone" if risers else "monotone",
        "no_crossover": "%d of %d" % (none_1k, len(ALL)), "no_crossover_again": "%d of %d" % (none_1k, len(ALL)),
        "mpt_aggregate_gain": F(8000, 576), "mpt_user_fall": F(576, 125), "mpt_efficiency_fall": F(640, 139),
        "mpt_beq": None, "mpt_lwall_bound": None, "gemma3_27b_step_within": F(1),
    }


def claims_003_envelope():
    """Sections 5 to 7."""
    gemma, hermes, glm, ds = "gemma-3-27b", "hermes-4-405b", "glm-4-5", "deepseek-v3"
    phi35, olmo, nemotron, oss = "phi-3-5-mini-instruct", "olmo-3-7b", "nemotron-h-8b-base-8k", "gpt-oss-120b"
    full = {m: k(m) * longest(m) for m in ALL if longest(m) is not None}
    ten = table("worst10")
    state = correction(nemotron, "mamba_layers")["published"] * matrices(nemotron) / count(nemotron, "recurrent")
    thinner = wall(ds, size=active(ds) * GIGA * value(ds, "experts_per_token") / value(ds, "num_experts"))
    grows = lambda m: wall(m, element=1) / wall(m)  # noqa: E731
    h20 = ridge(H20)
    return {
        "over80_at_own_max": sum(full[m] > 80 * GIGA for m in ten), "hermes_kv_max": full[hermes] / GIGA,
        "gemma3_27b_kv_max": full[gemma] / GIGA, "headroom": 80 - max(full[hermes], full[gemma]) / GIGA,
        "hermes_weights_gb": 2 * total(hermes),
        "far_below_rows": ",".join(str(i + 1) for i, m in enumerate(ten) if longest(m) < 80 * GIGA / k(m) / 2),
        "moe_in_top10": sum(active(m) < total(m) for m in ten), "glm45_over_dsv3": k(glm) / k(ds),
        "gemma_top10_head_dim": min(value(m, "head_dim") for m in ("gemma-3-12b-it", gemma)),
        "phi35_rank_uncorrected": rank(ALL, lambda m: k(m) if older(m) is None else older(m), phi35),
        "phi35_rank_corrected": rank(ALL, k, phi35), "phi35_equals_olmo3": k(olmo) / 1024,
        "phi35_over_phi4mini": k(phi35) / k("phi-4-mini-instruct"), "rows_with_more_kv": sum(k(m) > k(phi35) for m in ALL),
        "phi4mini_params": active("phi-4-mini-instruct"), "exceed80_total": sum(x > 80 * GIGA for x in full.values()),
        "exceed80_excluded": sum(isinstance(x, dict) and bool(x.get("excluded")) for x in PRINTED["exceed80"]["rows"]),
        "scout_same_max_as_maverick": longest("llama-4-maverick"), "scout_kv": full["llama-4-scout"] / GIGA,
        "minimaxm1_kv_full": full["minimax-m1"] / GIGA,
        "spread_orders": math.log10(max(map(k, ALL)) / min(map(k, ALL))),
        "reference_is_worst": max(ALL, key=k), "kimik3_total": total("kimi-k3") * 1000,
        "kimik3_below_half_dsv3": k("kimi-k3") / k(ds), "qwen3_8b_kib": k("qwen3-8b") / 1024, "mla_vs_gqa": k(glm) / k(ds),
        "gptoss120b_g": R - 2 * active(oss) * GIGA / (k(oss) * math.floor(wall(oss))),
        "olmo3_worst": max(map(k, ALL)) / 1024, "nemotron_state": state / MIB,
        "codestral_state": matrices("mamba-codestral-7b") / MIB, "nemotron_state_100_gb": 100 * state / GIGA,
        "nemotron_state_over_kv": "larger" if 100 * state > 100 * k(nemotron) * 131072 else "smaller",
        "a100_lwall_factor": min(wall(m, ridge(A100)) / wall(m) for m in ALL),
        "l40s_lwall_factor": min(wall(m, ridge(L40S)) / wall(m) for m in ALL), "max_lwall": max(map(wall, ALL)),
        "no_part_is_compute_bound": sum(wall(m, h20) > 8192 for m in ALL),
        "moe_rows_again": sum(active(m) < total(m) for m in known()), "dsv3_ceiling_8k": ceiling(ds, 8192),
        "dsv3_ceiling_moe": ceiling(ds, 8192), "dsv3_lwall_moe": thinner,
        "moe_lwall_direction": "higher" if thinner > wall(ds) else "lower",
        "active_null": sum(active(m) is None for m in ALL),
        "lwall_no_record": "%d and %d" % (wall("glm-5-3"), wall("grok-1")),
        "lwall_growth_g1": grows(ds), "lwall_growth_g16": grows(hermes), "dsv3_lwall_8bit": wall(ds, element=1),
        "smollm2_lwall_8bit": wall("smollm2-1-7b-instruct", element=1),
        "threshold_80gb_8bit": "doubles" if 80 * GIGA / (k(olmo) / 2) > 80 * GIGA / k(olmo) else "halves",
    }


# Claims that the published formula reproduces because it carries the error: what is right.
RIGHT = {
    "n_star_8b_q4_4090": lambda: real_wall(L8, RTX4090), "n_star_70b_q4_2x3090": lambda: real_wall(M70, RTX3090),
    "ratio_8b_q4_4090": lambda: real_fill(L8, "4.9e9", RTX4090) / real_wall(L8, RTX4090),
    "quant_moves_ends_apart": lambda: "no",  # 2P does not depend on how weights are stored
    "nemotron_state_mib": lambda: matrices("nemotron-h-8b-base-8k") / MIB,
    "nemotron_state": lambda: matrices("nemotron-h-8b-base-8k") / MIB,
}
# Claims of which the printed words or number are a bound, or stand for a number.
CLAIMED = {
    "ridge_dead_past_n_star": lambda x: x < ridge(RTX4090), "marginal_gain_halves_at_b50": lambda x: x == F(1, 2),
    "hl_295_is_ceiling": lambda x: x <= 295, "step_lwall_called_wrong": lambda x: not 389 <= x < 390,
    "bstar_near_295": lambda x: x <= 2, "kimik3_below_half_dsv3": lambda x: x < F(1, 2),
    "no_part_is_compute_bound": lambda x: x <= 0,
}
# Figures of these units are cut in the documents, counts and places are never rounded.
CUT = ("tokens", "batch", "sequences")
WHOLE = ("models", "rows", "records", "rank", "ranks")


# --- does a claim hold? -------------------------------------------------------------------------------------------

def printed_number(text):
    """Number and unit of its last digit; two zeros or more at the end of a whole number are no digits."""
    match = re.fullmatch(r"(\d+)(?:\.(\d+))?(k?)", text)
    if not match:
        return None
    whole, decimals, thousands = match.groups()
    scale = 1000 if thousands else 1
    zeros = len(whole) - len(whole.rstrip("0"))
    unit = F(1, 10 ** len(decimals)) if decimals else F(10 ** zeros if 2 <= zeros < len(whole) else 1)
    return F(text.rstrip("k")) * scale, unit * scale


def holds(fact, ours):
    """'reproduced', 'rounding' or 'fails'."""
    key, text, unit = fact["key"], fact["value"], fact["unit"]
    if key in CLAIMED:
        return "reproduced" if CLAIMED[key](ours) else "fails"
    number = printed_number(text)
    if isinstance(ours, str) or number is None:
        return "reproduced" if ours == text else "fails"
    want, step = number
    if isinstance(ours, tuple):
        return "reproduced" if ours[0] <= want <= ours[1] else "fails"
    if abs(ours - want) <= step / 2 or (unit in CUT and want <= ours < want + step):
        return "reproduced"
    return "rounding" if abs(ours - want) < step and unit not in WHOLE else "fails"


def facts(document):
    return load("claims_%s.json" % document)["claims"]


def show(x):
    if isinstance(x, tuple):
        return str(x[0]) if x[0] == x[1] else "%d to %d" % x
    return x if isinstance(x, str) else "%.6g" % float(x)


# --- comparisons ---------------------------------------------------------------------------------------------------

class Log:
    def __init__(self):
        self.checks = self.failures = 0

    def check(self, good, text):
        self.checks += 1
        if not good:
            self.failures += 1
            print("FAIL " + text)


def same(shown, ours):
    """Does the command's cell stand for this value?"""
    if isinstance(ours, str):
        return shown == ours
    if isinstance(ours, tuple) and ours[0] != ours[1]:
        return shown == show(ours)
    ours = float(ours[0] if isinstance(ours, tuple) else ours)
    try:
        return abs(float(shown) - ours) <= 1e-7 * max(1, abs(ours)) if ours != 0 else abs(float(shown)) < 1e-9
    except ValueError:
        return False


def run(command, document):
    done = subprocess.run([command, "table", "claims_" + document, "--csv"], capture_output=True, text=True,
                          timeout=120, check=False)
    if done.returncode:
        raise RuntimeError("exit %d: %s" % (done.returncode, (done.stderr or done.stdout).strip()[-300:]))
    return {row["key"]: row for row in csv.DictReader(io.StringIO(done.stdout))}


def compare(log, key, ours, class_, row):
    if row is None:
        log.check(False, "%s: not in the command's table" % key)
        return
    verdict = row["verdict"]
    if ours is None:
        log.check(verdict == "not computable", "%s: command says %s" % (key, verdict))
        return
    log.check(same(row["ours"], ours), "%s: command %s, here %s" % (key, row["ours"], show(ours)))
    if key in RIGHT:
        log.check(same(row["ours_right"], RIGHT[key]()), "%s: right: command %s, here %s"
                  % (key, row["ours_right"], show(RIGHT[key]())))
    good = verdict == class_ if class_ != "fails" else verdict in ("wrong direction", "contradiction", "miscount",
                                                                   "arithmetic slip")
    log.check(good, "%s: command says %s, here %s" % (key, verdict, class_))


def judge(document, values, log, command, listed):
    rows = run(command, document) if command else {}
    counts = {}
    for fact in facts(document):
        key = fact["key"]
        if key not in values:
            log.check(False, "%s: no recomputation" % key)
            continue
        ours = values[key]
        decisive = RIGHT[key]() if key in RIGHT else ours
        class_ = "not computable" if ours is None else holds(fact, decisive)
        counts[class_] = counts.get(class_, 0) + 1
        if listed and class_ == "fails":
            print("%s %-28s printed %s, ours %s%s" % (document, key, fact["value"], show(ours),
                                                      ", right " + show(decisive) if key in RIGHT else ""))
        if command:
            compare(log, key, ours, class_, rows.get(key))
    log.check(set(values) == {f["key"] for f in facts(document)}, "document %s: keys differ: %s"
              % (document, set(values) ^ {f["key"] for f in facts(document)}))
    return counts


def main(arguments):
    command, listed = None, False
    while arguments:
        word = arguments.pop(0)
        if word == "--command" and arguments:
            command = arguments.pop(0)
        elif word == "--list":
            listed = True
        else:
            print(__doc__.split("\n\n")[1], file=sys.stderr)
            return 2
    log = Log()
    counts = judge("000", claims_000(), log, command, listed)
    late = judge("003", {**claims_003_text(), **claims_003_crossover(), **claims_003_envelope()}, log, command, listed)
    total_counts = {c: counts.get(c, 0) + late.get(c, 0) for c in {**counts, **late}}
    log.check(total_counts.get("fails", 0) >= 50, "fewer than 50 claims fail")
    print("claims oracle: %s; %d checks, %d failed"
          % (", ".join("%d %s" % (n, c) for c, n in sorted(total_counts.items())), log.checks, log.failures))
    return 1 if log.failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (RuntimeError, OSError, ValueError, KeyError) as problem:
        print("claims.py: %s: %s" % (type(problem).__name__, problem), file=sys.stderr)
        sys.exit(2)
