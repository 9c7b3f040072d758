#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random models against the command, by a step model written a second time.

usage: random_models.py --command PATH [--draws N] [--seed N]

Draws N models (default 1,000) over all layer kinds, parts of weights, numbers of experts, with and without layers
and parts, and random options; writes them as records into a temporary folder, runs `PATH sweep ...` over them and
compares K, W, b_eq, b_star, l_wall, ceiling, capacity, n_prefill, b_knee (which is T) and intensity (which with T and
W is A) with spec sections 1 to 3, written here in exact fractions and bisection, nothing shared with the C core.

Both conventions. Tolerance 1e-9 relative; words for what is no number must be the same too.
Exit 0 if everything agrees, 1 if a value differs, 2 for bad usage.
"""
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction as F

TYPES = {"fp32": F(4), "bf16": F(2), "fp8": F(1), "q8_0": F(34, 32), "q5_0": F(22, 32), "q4_0": F(18, 32),
         "nvfp4": F(9, 16), "mxfp4": F(17, 32), "int4": F(1, 2), "fp8_block": F(16388, 16384)}
PLAIN = ["fp32", "bf16", "fp8", "mxfp4", "fp8_block"]
QUANTITIES = ["kv_bytes", "weight_bytes", "b_eq", "b_star", "l_wall", "ceiling", "capacity", "n_prefill", "b_knee",
              "intensity", "throughput", "n_cross", "fill", "ridge"]
INF = math.inf
NAN = math.nan


# --- records ------------------------------------------------------------------------------------------------

def heads(rng):
    return {"q_heads": rng.choice([4, 8, 16, 32]), "kv_heads": rng.choice([1, 2, 4, 8]),
            "k_dim": rng.choice([64, 96, 128, 192]), "v_dim": rng.choice([64, 128, 256])}


def latent(rng):
    return {"q_heads": rng.choice([16, 64, 128]), "rank": rng.choice([256, 512]), "rope_dim": rng.choice([32, 64])}


def sizes_of(kind, rng):
    if kind in ("full", "window", "chunk", "cross"):
        out = heads(rng)
        if kind in ("window", "chunk"):
            out["window"] = rng.choice([128, 511, 1024, 4096, 8192])
        if kind == "cross":
            out["length"] = rng.choice([100, 1500])
        return out
    if kind in ("latent", "sparse_latent"):
        out = latent(rng)
        if kind == "sparse_latent":
            out.update(top=rng.choice([256, 2048]), index_heads=rng.choice([4, 64]), index_dim=rng.choice([64, 128]))
        return out
    return {}


def state_of(rng):
    return {"recurrent": rng.choice([0, 1000, 1048576]), "conv": rng.choice([0, 30720]),
            "type": rng.choice(["fp32", "bf16"]), "conv_type": rng.choice(["fp32", "bf16"])}


KINDS = ["full", "window", "chunk", "latent", "sparse_latent", "shared", "recurrent", "cross", "encoder", "none"]


def draw_group(rng):
    kind = rng.choice(KINDS)
    group = {"kind": kind, "count": rng.randint(1, 40)}
    if kind == "shared":
        group["reads"] = rng.choice(["full", "window", "chunk", "latent", "sparse_latent"])
    group.update(sizes_of(group.get("reads", kind), rng))
    if kind == "recurrent" or (kind == "full" and rng.random() < 0.2):
        group["state"] = state_of(rng)
    return group


def draw_parts(rng, routed):
    parts = [{"role": "shared", "params": rng.randint(10 ** 8, 10 ** 10), "format": rng.choice(PLAIN)}]
    for role in ("shared", "head", "embedding", "table", "tower", "encoder", "mtp"):
        if rng.random() < 0.4:
            parts.append({"role": role, "params": rng.randint(10 ** 6, 10 ** 9), "format": rng.choice(PLAIN)})
    if routed:
        parts.append({"role": "routed", "params": rng.randint(10 ** 9, 10 ** 12), "format": rng.choice(PLAIN)})
    return parts


def per_token(layers):
    """KV bytes a token adds at 2 bytes an element, the indexer apart: what a record states."""
    total = 0
    for g in layers:
        if g["kind"] in ("latent", "sparse_latent"):
            total += 2 * g["count"] * (g["rank"] + g["rope_dim"])
        elif g["kind"] in ("full", "window", "chunk"):
            total += 2 * g["count"] * g["kv_heads"] * (g["k_dim"] + g["v_dim"])
    return total


def draw_model(rng, number):
    experts = rng.choice([0, 0, 8, 64, 256, 896])
    top = rng.randint(1, min(experts, 16)) if experts else 0
    if experts == 8 and rng.random() < 0.1:
        top = 8
    total = rng.randint(10 ** 3, 10 ** 6) * F(1, 1000)
    # What is always streamed is some of it: P is more than the experts of a token.
    share = F(top, experts) if experts else F(1)
    active = share + (1 - share) * F(rng.randint(2, 90), 100)
    model = {"id": "random-%d" % number, "name": "Random %d" % number, "params_b": float(total),
             "active_params_b": float(total if not experts or top == experts or rng.random() < 0.05
                                      else total * active),
             "gqa_ratio": rng.choice([1, 4, 6.5, 16, 128]), "architecture": "moe" if experts else "dense",
             "weight_format": rng.choice(PLAIN)}
    if experts and rng.random() < 0.95:
        model.update(num_experts=experts, experts_per_token=top)
    if rng.random() < 0.85:
        model["layers"] = [draw_group(rng) for _ in range(rng.randint(1, 7))]
        model["kv_cache_bytes_per_token"] = per_token(model["layers"])
    else:
        model["kv_cache_bytes_per_token"] = rng.choice([0, 512, 131072, 1000000])
    if rng.random() < 0.7:
        routed = experts > 0
        model["weights"] = {"parts": draw_parts(rng, routed)}
        if routed:
            model["weights"].update(experts=experts, top=top)
    return model


def draw_card(rng, number):
    return {"id": "card-%d" % number, "name": "Card %d" % number, "vram_gb": rng.choice([24, 80, 288]),
            "memory_bytes": rng.choice([24, 80, 288]) * 10 ** 9 + rng.randint(0, 10 ** 8),
            "memory_bandwidth_gbps": rng.choice([300, 1008, 3350, 8000]),
            "flops": [{"precision": "bf16", "tflops": rng.choice([50, 148, 989.5, 2500]), "dense": True},
                      {"precision": "fp8", "tflops": 4000, "dense": True}]}


# --- options ------------------------------------------------------------------------------------------------

def draw_options(rng, convention):
    o = {"convention": convention, "k": rng.choice(list(TYPES)), "basis": rng.choice([None, "active", "touched", "resident"]),
         "embedding": rng.choice(["lookup", "streamed"]), "chunk": rng.choice(["bound", "mean"]),
         "weight_type": rng.choice([None, None, "bf16", "mxfp4"]), "weight_bytes": rng.choice([None, None, 10 ** 11]),
         "state_type": rng.choice([None, "fp32"]), "reserve": rng.choice([0, 1500000000]),
         "utilization": rng.choice([F(1), F(9, 10)]), "be": rng.choice([F(1), F(4, 5)]), "ce": rng.choice([F(1), F(1, 2)]),
         "overhead": rng.choice([F(0), F(1, 1024)]), "count": rng.choice([1, 16, 128])}
    o["v"] = rng.choice([o["k"], rng.choice(list(TYPES))])
    return o


def arguments(o):
    out = ["--convention", o["convention"], "--k-type", o["k"], "--v-type", o["v"], "--embedding", o["embedding"],
           "--chunk", o["chunk"], "--reserve", str(o["reserve"]), "--utilization", repr(float(o["utilization"])),
           "--bandwidth-efficiency", repr(float(o["be"])), "--compute-efficiency", repr(float(o["ce"])),
           "--overhead", repr(float(o["overhead"])), "--count", str(o["count"])]
    for name in ("basis", "state_type", "weight_bytes", "weight_type"):
        if o[name] is not None:
            out += ["--" + name.replace("_", "-"), str(o[name])]
    return out


# --- the step model, layer by layer ---------------------------------------------------------------------------

def layer_sums(g, L, o):
    """H, Q and A of one layer at L tokens (spec section 2)."""
    kind = g["kind"]
    shared = kind == "shared"
    reads = g.get("reads", kind)
    bk, bv = TYPES[o["k"]], TYPES[o["v"]]
    H = Q = A = F(0)
    if reads in ("full", "window", "chunk", "cross"):
        each = g["kv_heads"] * (g["k_dim"] * bk + g["v_dim"] * bv)
        work = 2 * g["q_heads"] * (g["k_dim"] + g["v_dim"])
        held = read = L
        if reads in ("window", "chunk"):
            held = read = min(L, g["window"])
            if reads == "chunk" and o["chunk"] == "mean" and L > g["window"]:
                read = F(g["window"] + 1, 2)
        if reads == "cross":
            held = read = g["length"]
        H, Q, A = held * each, read * each, read * work
    elif reads == "latent":
        H = Q = L * (g["rank"] + g["rope_dim"]) * bk
        A = 2 * L * g["q_heads"] * (2 * g["rank"] + g["rope_dim"])
    elif reads == "sparse_latent":
        near = min(L, g["top"])
        H = L * ((g["rank"] + g["rope_dim"]) * bk + g["index_dim"] * bk)
        Q = near * (g["rank"] + g["rope_dim"]) * bk + L * g["index_dim"] * bk
        A = 2 * near * g["q_heads"] * (2 * g["rank"] + g["rope_dim"]) + 2 * L * g["index_heads"] * g["index_dim"]
    if shared:
        H = F(0)
    if "state" in g:
        s = g["state"]
        matrix = TYPES[o["state_type"] or s["type"]]
        column = TYPES[o["state_type"] or s["conv_type"]]
        bytes_ = s["recurrent"] * matrix + s["conv"] * column
        H, Q = H + bytes_, Q + 2 * bytes_
    return g["count"] * H, g["count"] * Q, g["count"] * A


def sums(m, L, o):
    """K, T and A of one sequence."""
    L = F(L)
    if o["convention"] == "published" or "layers" not in m:
        k = F(m["kv_cache_bytes_per_token"])
        b = (TYPES[o["k"]] + TYPES[o["v"]]) / 2
        return L * k * b / 2, L * k * b / 2, L * k * F(m["gqa_ratio"])
    total = [F(0)] * 3
    for g in m["layers"]:
        for i, x in enumerate(layer_sums(g, L, o)):
            total[i] += x
    return tuple(total)


def weights(m, o):
    """S and X in bytes, e/E, 2P, W held, mean bytes per weight; None where the record is silent."""
    E, e = m.get("num_experts"), m.get("experts_per_token")
    if m["architecture"] == "dense":
        E = e = 0
    w = m.get("weights")
    if w and "experts" in w:
        E, e = w["experts"], w["top"]
    if o["convention"] == "layered" and w:
        parts = w["parts"]
        total = sum(p["params"] for p in parts)
        routed = sum(p["params"] for p in parts if p["role"] == "routed")
        share = F(w["top"], w["experts"]) if routed else F(1)

        def each(p):
            if o["weight_bytes"] is not None:
                return F(o["weight_bytes"], total)
            return TYPES[o["weight_type"] or p["format"]]
        streamed = ("shared", "head") + (("embedding", "table") if o["embedding"] == "streamed" else ())
        S = sum(p["params"] * each(p) for p in parts if p["role"] in streamed)
        X = sum(p["params"] * each(p) for p in parts if p["role"] == "routed")
        active = sum(p["params"] for p in parts if p["role"] in streamed) + routed * share
        held = sum(p["params"] * each(p) for p in parts)
        return S, X, share, 2 * active, held, held / total
    # The core reads 1e9 x params_b as a double.
    total, active = F(1e9 * m["params_b"]), F(1e9 * m["active_params_b"])
    each = TYPES["bf16" if o["convention"] == "published" else m["weight_format"]]
    if o["weight_type"]:
        each = TYPES[o["weight_type"]]
    if o["weight_bytes"] is not None:
        each = F(o["weight_bytes"]) / total
    basis = o["basis"] or ("active" if o["convention"] == "published" else "touched")
    held, twice_p = total * each, 2 * active
    if basis == "active":
        return active * each, F(0), F(1), twice_p, held, each
    if basis == "resident":
        return total * each, F(0), F(1), twice_p, held, each
    if E == 0 or active == total:
        return active * each, F(0), F(1), twice_p, held, each
    if E is None:
        return None, None, None, twice_p, held, each
    X = (total - active) / (1 - F(e, E))
    return (total - X) * each, X * each, F(e, E), twice_p, held, each


class Model:
    def __init__(self, m, card, o):
        self.m, self.o, self.known = m, o, {}
        self.S, self.X, self.share, self.flops, self.held, self.each = weights(m, o)
        self.silent = self.S is None
        self.published = o["convention"] == "published"
        self.basis = o["basis"] or ("active" if self.published else "touched")
        self.peak = F(max(f["tflops"] for f in card["flops"] if f["precision"] == "bf16")) * 10 ** 12 * o["ce"] * o["count"]
        self.bandwidth = F(card["memory_bandwidth_gbps"]) * 10 ** 9 * o["be"] * o["count"]
        self.R = self.peak / self.bandwidth
        memory = card["vram_gb"] * 10 ** 9 if self.published else card["memory_bytes"]
        self.room = memory * o["count"] * o["utilization"] - self.held - o["reserve"]

    def W(self, B):
        """Weight bytes a batch of B streams, as a float."""
        if self.silent:
            return NAN
        if self.X == 0:
            return float(self.S)
        if self.basis == "active":
            return float(self.S + self.X * self.share)
        if self.basis == "resident":
            return float(self.S + self.X)
        if self.share == 1:
            return float(self.S + (self.X if B > 0 else 0))
        return float(self.S) + float(self.X) * -math.expm1(B * math.log1p(-float(self.share)))

    def W_all(self):
        return NAN if self.silent else self.W(1) if self.basis == "active" else float(self.S + self.X)

    def balance(self, gain, cost):
        """B with B gain = cost W(B): unique, as W grows more slowly than in proportion."""
        if gain <= 0:
            return INF         # whatever W is
        if self.silent:
            return NAN
        gain, cost = float(gain), float(cost)
        return bisect(lambda B: B * gain - cost * self.W(B), 0, cost * self.W_all() / gain * 1.001)

    def ends(self):
        """Lengths at which a piece ends."""
        if self.published or "layers" not in self.m:
            return []
        out = set()
        for g in self.m["layers"]:
            reads = g.get("reads", g["kind"])
            if reads in ("window", "chunk"):
                out.add(g["window"])
            if reads == "sparse_latent":
                out.add(g["top"])
        return sorted(out)

    def excess(self, L):
        """2P + A - R T: at least 0 while the ceiling is at or above the ridge."""
        K, T, A = self.sums(L)
        return self.flops + A - self.R * T

    def l_wall(self):
        if self.excess(0) < 0:
            return 0.0
        edges = [F(0)] + [F(x) for x in self.ends()]
        before = self.excess(0)
        for i, lo in enumerate(edges):
            hi = edges[i + 1] if i + 1 < len(edges) else None
            # The straight line of the piece, from two places inside it.
            a = lo + ((hi - lo) / 3 if hi else 1)
            b = lo + ((hi - lo) * 2 / 3 if hi else 2)
            fa, fb = self.excess(a), self.excess(b)
            slope = (fb - fa) / (b - a)
            after = fa + slope * (lo - a)
            if before >= 0 > after:
                return float(lo)
            end = fa + slope * (hi - a) if hi else (slope if slope else after)
            if after >= 0 > end:
                return float(a - fa / slope)
            before = end
        return INF

    def inverse(self, which, limit):
        """Largest L with the sum at most LIMIT (a float)."""
        if math.isnan(limit):
            return NAN
        def f(L):
            return float(sums(self.m, F(L), self.o)[which])
        edges = [0.0] + [float(x) for x in self.ends()]
        best = -1.0
        for i, lo in enumerate(edges):
            hi = edges[i + 1] if i + 1 < len(edges) else None
            a, b = (lo + (hi - lo) / 3, lo + 2 * (hi - lo) / 3) if hi else (lo + 1.0, lo + 2.0)
            slope = (f(b) - f(a)) / (b - a)
            start = f(a) - slope * (a - lo)
            if slope > start * 1e-13:
                L = lo + (limit - start) / slope
            else:
                L = INF if start <= limit else -1
            if L >= lo:
                best = L if hi is None else min(L, hi)
        return max(best, 0.0)

    def once(self, key, compute):
        if key not in self.known:
            self.known[key] = compute()
        return self.known[key]

    def sums(self, L):
        return self.once(("sums", L), lambda: sums(self.m, L, self.o))

    def values(self, B, L):
        K, T, A = self.sums(L)
        W, flops, R = self.W(B), float(self.flops), float(self.R)
        out = {"kv_bytes": float(K), "weight_bytes": W, "ridge": R}
        out["b_eq"] = NAN if self.silent else self.once(("b_eq", L), lambda: self.balance(T, 1))
        out["b_star"] = self.once(("b_star", L), lambda: self.balance(self.flops + A - self.R * T, self.R))
        out["l_wall"] = self.once("l_wall", self.l_wall)
        out["ceiling"] = float((self.flops + A) / T) if T else INF
        out["intensity"] = B * float(self.flops + A) / (W + B * float(T))
        out["capacity"] = 0.0 if self.room <= 0 else float(self.room / K) if K else INF
        out["b_knee"] = (math.sqrt(2) - 1) * self.W_all() / float(T) if T else (NAN if self.silent else INF)
        out["fill"] = self.once("fill", lambda: self.inverse(0, float(self.room))) if self.room >= 0 else 0.0
        out["n_cross"] = self.once("n_cross", lambda: self.inverse(1, self.W(1)))
        memory = (W + B * float(T)) / float(self.bandwidth)
        compute = 0.0 if self.published else float(B * (self.flops + A) / self.peak)
        out["throughput"] = B / (max(memory, compute) + float(self.o["overhead"])) if not math.isnan(memory) else NAN
        if self.published:
            out["n_prefill"] = R * float(self.each) / 2
        else:
            constant = B * float(self.flops + A - self.R * T)
            def h(p):
                return constant + flops * p - R * self.W(B + p)
            out["n_prefill"] = (NAN if self.silent else 0.0 if h(0) >= 0
                                else bisect(h, 0, (R * self.W_all() - constant) / flops * 1.001))
        return out


def bisect(f, lo, hi):
    """Root of f, below 0 at lo and above at hi; by halving, near lo by powers of two."""
    for _ in range(2000):
        middle = (lo + hi) / 2 if lo > 0 and hi < 4 * lo else math.sqrt(lo) * math.sqrt(hi) if lo > 0 else hi / 1024
        if not lo < middle < hi:
            break
        if f(middle) < 0:
            lo = middle
        else:
            hi = middle
    return hi


# --- comparison -----------------------------------------------------------------------------------------------

WORDS = {"none": INF, "never": INF, "unbounded": INF, "no record": NAN, "does not fit": 0.0}


def number(text):
    return WORDS[text] if text in WORDS else float(text)


def agree(got, want, tolerance):
    if math.isnan(want) or math.isnan(got):
        return math.isnan(want) and math.isnan(got)
    if math.isinf(want) or math.isinf(got):
        return want == got
    return abs(got - want) <= tolerance * max(abs(got), abs(want))


def ill_conditioned(model, name, B, L):
    """Where the answer hangs on the last digits of a difference, doubles cannot keep 1e-9."""
    K, T, A = model.sums(L)
    if name == "b_star":
        total = model.flops + A
        return abs(total - model.R * T) < total * F(1, 10 ** 6)
    if name == "n_prefill":
        h = B * float(model.flops + A - model.R * T) - float(model.R) * model.W(B)
        return abs(h) < 1e-6 * float(model.R) * model.W(B)
    if name in ("capacity", "fill"):
        return abs(model.room) < model.held * F(1, 10 ** 6)
    if name == "l_wall":
        return model.once("flat", lambda: any(abs(model.excess(x)) < model.flops * F(1, 10 ** 9)
                                              for x in [0] + model.ends()))
    return False


def run(command, folder, models, card, o, batches, contexts):
    call = ([command, "sweep"] + QUANTITIES
            + ["--vary", "batch=" + ",".join(map(repr, batches)), "--vary", "context=" + ",".join(map(repr, contexts)),
               "--models", ",".join(m["id"] for m in models), "--cards", card["id"], "--csv"] + arguments(o))
    done = subprocess.run(call, capture_output=True, text=True, env=dict(os.environ, LLMENV_DATA=folder))
    if done.returncode != 0:
        sys.exit("%s\nfailed: %s" % (" ".join(call), done.stderr))
    return list(csv.DictReader(io.StringIO(done.stdout)))


def compare(rows, models, card, o, counts):
    ready = {m["id"]: Model(m, card, o) for m in models}
    for row in rows:
        model, B, L = ready[row["model"]], float(row["batch"]), float(row["context"])
        want = model.values(B, L)
        for name in QUANTITIES:
            got = number(row[name])
            if ill_conditioned(model, name, B, L):
                counts["skipped"] += 1
                continue
            counts["compared"] += 1
            counts[name] = counts.get(name, 0) + (math.isfinite(got) and got != 0)
            if not agree(got, want[name], 1e-9):
                counts["wrong"] += 1
                if counts["wrong"] <= 10:
                    print("%s %s at B = %g, L = %g: command %s, here %.17g; %s"
                          % (row["model"], name, B, L, row[name], want[name], " ".join(arguments(o))))


def main(argv):
    if "--command" not in argv:
        print(__doc__)
        return 2
    command = os.path.abspath(argv[argv.index("--command") + 1])
    draws = int(argv[argv.index("--draws") + 1]) if "--draws" in argv else 1000
    rng = random.Random(int(argv[argv.index("--seed") + 1]) if "--seed" in argv else 20)
    models = [draw_model(rng, i) for i in range(draws)]
    cards = [draw_card(rng, i) for i in range(8)]
    counts = {"compared": 0, "wrong": 0, "skipped": 0}
    kinds = {g["kind"] for m in models for g in m.get("layers", [])}
    with tempfile.TemporaryDirectory() as folder:
        for name, records in (("models", models), ("accelerators", cards)):
            os.mkdir(os.path.join(folder, name))
            for record in records:
                with open(os.path.join(folder, name, record["id"] + ".json"), "w", encoding="utf-8") as handle:
                    json.dump(record, handle)
        for i in range(0, draws, 50):
            some, card = models[i:i + 50], rng.choice(cards)
            contexts = [0.0, 1.0] + rng.sample([100.0, 128.0, 129.0, 511.0, 1024.0, 1025.0, 2048.0, 8192.0, 8193.0], 2) + [rng.uniform(1e4, 2e6)]
            batches = [1.0, float(rng.randint(2, 300)), rng.choice([0.5, 1e4, 5e6])]
            for convention in ("layered", "published"):
                o = draw_options(rng, convention)
                compare(run(command, folder, some, card, o, batches, contexts), some, card, o, counts)
    finite = min(counts.get(name, 0) for name in QUANTITIES)
    if kinds != set(KINDS) and draws >= 1000 or finite == 0:
        print("the draws leave something out: kinds %s, fewest finite values %d" % (sorted(kinds), finite))
        return 1
    print("%d models, %d values compared, %d differ (1e-9), %d left out where a difference cancels; at least %d finite of each quantity"
          % (draws, counts["compared"], counts["wrong"], counts["skipped"], finite))
    return counts["wrong"] > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
