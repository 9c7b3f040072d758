#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two engines agree: recalculate the live workbook in LibreOffice, and hold
every formula cell against the value that the exporter gave it (the core's).

    check_live.py [PROGRAM] [--only WORD] [--whole] [--keep FOLDER] [--most N]

PROGRAM is build/llmenv unless given.  The shipped inputs, and the SETTINGS
below written through the exporter with --inputs; then the shipped file again
with its input cells changed by another program, against what the exporter
writes for those inputs (CHANGED).  At last two files that are wrong on purpose
(a cached value, a formula), which must be found.  --whole takes every setting
over the whole catalogue, --only those whose label holds WORD.

Exit status: 0 good, 1 something differs.  Needs libreoffice-calc.
"""
import argparse
import json
import os
import re
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor

import live

PROCESSES = 2

# One of each kind: dense, windowed, latent, mixture, chunked, recurrent, indexed,
# without a cache on record; cards with and without a peak, a memory, a record of both.
MODELS = ("llama-3-1-8b,gemma-3-27b,deepseek-v3,gpt-oss-20b,llama-4-scout,qwen3-8-flash-next,mamba-codestral-7b,"
          "kimi-k3,gpt-4-1")
CARDS = "nvidia-h100-sxm,nvidia-rtx-4090,nvidia-h20,apple-m1-ultra,nvidia-h800-80gb,cerebras-wse-3"
NARROW = ("--models", MODELS, "--cards", CARDS)

OWN_CARD = {"own_peak": 71.2, "own_bandwidth": 936, "own_memory": 24}
WINDOWED = {"layers": 8, "window_layers": 40, "window": 1024, "q_heads": 32, "kv_heads": 16, "params": 27.4,
            "lookup_params": 1.4, "longest": 131072}
LATENT = {"layers": 61, "q_heads": 128, "kv_heads": 1, "k_dim": 192, "rank": 512, "rope_dim": 64, "params": 671,
          "lookup_params": 0.93, "expert_params": 653, "experts": 256, "top": 8, "longest": 163840}
RECURRENT = {"layers": 0, "recurrent_layers": 64, "state_elements": 1048576, "state_bytes": 4, "params": 7.3,
             "lookup_params": 0.13, "longest": 262144}
MIXTURE = {"layers": 12, "window_layers": 12, "window": 128, "q_heads": 64, "kv_heads": 8, "k_dim": 64, "v_dim": 64,
           "params": 20.9, "lookup_params": 0.58, "expert_params": 19.1, "experts": 32, "top": 4, "recurrent_layers": 6,
           "state_elements": 65536}
POINTS = {"ctx_1k": 512, "ctx_4k": 3000, "ctx_8k": 10000, "ctx_16k": 20000, "ctx_32k": 50000, "ctx_128k": 200000,
          "ctx_1m": 500000, "gb_1": 0.5, "gb_8": 6, "gb_24": 32, "gb_80": 141, "batch_1": 3, "batch_2": 5, "batch_3": 9,
          "batch_4": 17, "batch_5": 64, "batch_6": 256}

# (label, inputs, options; None: the whole catalogue)
SETTINGS = (
    ("consumer card at 32k", {"card": "nvidia-rtx-4090", "context": 32768}, None),
    ("8 cards, layered all over", {"card": "nvidia-h100-sxm", "count": 8, "kv-type": "fp8", "weight-type": "fp8",
                                   "basis": "resident", "batch": 64, **LATENT}, NARROW),
    ("own card at 32k", {**OWN_CARD, "context": 32768, "card_1": "own-card", "kv-type": "q8_0"}, NARROW),
    ("own card, nothing else known", {"model_1": "own-model", "card_1": "own-card"}, NARROW),
    ("2 cards, q8_0", {"card": "nvidia-rtx-4090", "count": 2, "kv-type": "q8_0", "weight-type": "Q4_K_M"}, NARROW),
    ("q4_0 of K, fp8 of V", {"k-type": "q4_0", "v-type": "fp8", "card": "nvidia-h20", "batch": 17}, NARROW),
    ("nvfp4, bf16 weights", {"kv-type": "nvfp4", "weight-type": "bf16", "card": "nvidia-h20"}, NARROW),
    ("types as numbers", {"kv-type": 1.5, "weight-type": 0.75, "basis": "active"}, NARROW),
    ("exact weight bytes", {"weight-bytes": 4920739232, "context": 4096, "batch": 1024}, NARROW),
    ("basis active, published", {"basis": "active", "convention": "published", "kv-type": "int8"}, NARROW),
    ("basis touched, published", {"basis": "touched", "convention": "published", "batch": 33}, NARROW),
    ("basis resident, published", {"basis": "resident", "convention": "published", "card": "nvidia-rtx-4090"}, NARROW),
    ("efficiencies and overhead", {"utilization": 0.9, "bandwidth-efficiency": 0.8, "compute-efficiency": 0.6,
                                   "overhead": 0.002, "reserve": 0, "batch": 32}, NARROW),
    ("context 0, batch 0", {"context": 0, "batch": 0}, NARROW),
    ("context 1", {"context": 1, "batch": 17, "reserve": 0}, NARROW),
    ("a million tokens", {"context": 1000000, "batch": 1024, "count": 8, "card": "nvidia-h20"}, NARROW),
    ("other points", POINTS, NARROW),
    ("memory and price", {"memory": 48e9, "price": 1.25, "card": "nvidia-h100-sxm"}, NARROW),
    ("no peak on record", {"card": "apple-m1-ultra", "price": 0}, NARROW),
    ("no memory on record", {"card": "nvidia-h800-80gb", "kv-type": "fp8"}, NARROW),
    ("a wafer", {"card": "cerebras-wse-3", "batch": 1024}, NARROW),
    ("own model, windowed", {**WINDOWED, "model": "gemma-3-27b", "context": 32768}, NARROW),
    ("own model, latent", {**LATENT, "model": "deepseek-v3", "count": 8, "model_2": "own-model"}, NARROW),
    ("own model, recurrent", {**RECURRENT, "model": "mamba-codestral-7b", "batch": 16}, NARROW),
    ("own model, a mixture of all", {**MIXTURE, "model": "gpt-oss-20b", "batch": 7, "kv-type": "fp8"}, NARROW),
    ("what-if picks", {"model_1": "own-model", "model_2": "gpt-oss-20b", "model_3": "kimi-k3", "model_4": "gpt-4-1",
                       "card_1": "nvidia-rtx-4090", "card_2": "own-card", "card_3": "nvidia-h800-80gb",
                       "card_4": "apple-m1-ultra", **OWN_CARD}, NARROW),
    ("embedding, chunk, state", {"embedding": "streamed", "chunk": "mean", "state-type": "fp8", "batch": 9}, NARROW),
    ("fp8 arithmetic", {"compute-type": "fp8", "weight-type": "fp8", "card": "nvidia-h100-sxm"}, NARROW),
    ("one model, one card", {"card": "nvidia-rtx-4090"}, ("--models", "qwen3-8b", "--cards", "nvidia-rtx-4090")),
    ("two tables", {"kv-type": "fp8"}, ("--models", MODELS, "--tables", "moe,lwall_ranked,models_overview,charts")),
    ("a model of one's own", {"kv-type": "q8_0", "card": "nvidia-rtx-4090"}, ("--own", "OWN", *NARROW)),
)

# Inputs that another program sets in the shipped file.
CHANGED = (
    ("a consumer card at 32k", {"card": "nvidia-rtx-4090", "context": 32768, "weight-type": "Q4_K_M"}),
    ("fp8, two cards", {"kv-type": "fp8", "count": 2, "card": "nvidia-h20", "batch": 17, "basis": "resident",
                        "model_1": "own-model", "card_3": "own-card", "reserve": 0, **WINDOWED,
                        "own_peak": 500, "own_bandwidth": 2000, "own_memory": 64}),
    ("other points", {**POINTS, "utilization": 0.9, "bandwidth-efficiency": 0.8, "compute-efficiency": 0.7,
                      "overhead": 0.001, "memory": 96e9, "price": 3}),
)

OWN_MODEL = {"model_type": "llama", "hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8,
             "num_key_value_heads": 2, "intermediate_size": 1024, "vocab_size": 1000, "max_position_embeddings": 4096,
             "tie_word_embeddings": False, "torch_dtype": "bfloat16"}


# ---- what does not follow --------------------------------------------------------

# Sheets that say so when an input is another: only the core computes them.
OF_THE_CORE = ("expert_sensitivity", "touched_fallback", "elasticities")
OTHER_INPUTS = "other inputs"

# Contents says what was found when the workbook was written; and which cards and
# models the charts compare is picked then ("chart data").  The Calc sheets of
# models and tables lay their columns out as the tables come to need them.
AS_WRITTEN = ("Contents", "chart data", "Calc models", "Calc tables")

# Tables of document 000 have a row for each of its models and cards, or for the
# one that was named when the workbook was written: those are held against a
# workbook that names none.  Table fill runs over KV types of its own where none
# was given, so that another type gives it other rows.
OF_DOCUMENT_000 = ("context_lengths", "nstar_by_card", "fill", "knee", "scaling")
OF_KV_TYPES = ("fill",)


def with_layered(names):
    return {name + more for name in names for more in ("", " layered")}


def leaves(inputs, of_document_000):
    """Which cells need not be what the exporter writes for INPUTS."""
    rows_of_its_own = with_layered(OF_KV_TYPES) if any(f"{k}-type" in inputs for k in ("kv", "k", "v")) else set()

    def skip(sheet, cell):
        if sheet in rows_of_its_own or (sheet in with_layered(OF_DOCUMENT_000)) != of_document_000:
            return True
        if sheet == "Inputs":  # what was written, and whether it is another now
            return cell == "A3" or cell[0] in "GH"
        # The caption says what is assumed in other words once it changes; what
        # shading says is said when the workbook is written.
        if sheet == "published_vs_layered" and cell[0] == "H":  # why, as of what was written
            return True
        return sheet in (*AS_WRITTEN, *OF_THE_CORE) or cell in ("A2", "A3")
    return skip


def is_about_the_card(sheet):
    """Tables about the card of Inputs, by its layered figures."""
    return (sheet.endswith(" layered") and sheet.split()[0] not in (*OF_DOCUMENT_000, "ridge")
            or sheet == "models overview")


def say_otherwise(cells):
    """What of CELLS, recalculated under other inputs, does not say so."""
    out = []
    words = cells["Inputs", "A2"][1]
    for (sheet, cell), (is_formula, value) in cells.items():
        if is_formula and cell == "A2" and value != words:
            out.append(((sheet, cell), words, value))
        elif is_formula and sheet in OF_THE_CORE and cell != "A2" and value != OTHER_INPUTS:
            out.append(((sheet, cell), OTHER_INPUTS, value))
    if not cells["Inputs", "A3"][1].endswith("changed since the workbook was written."):
        out.append((("Inputs", "A3"), "how many inputs changed", cells["Inputs", "A3"][1]))
    return out


# ---- jobs ------------------------------------------------------------------------

class Job:
    """A file to recalculate, and what to hold it against: itself as written, or
    for each of AGAINST (path, which cells to skip) that one; MUST_DIFFER: the
    cells that must be found to be wrong."""

    def __init__(self, label, path, against=(), must_differ=None, alias=None):
        self.label, self.path, self.against, self.must_differ, self.alias = label, path, against, must_differ, alias


def compare(job, found):
    if not job.against:
        return live.compare(live.read(job.path), found)
    count, largest, differing = 0, 0.0, say_otherwise(found)
    for path, *how in job.against:
        skip = leaves(*how) if how else lambda sheet, cell: not is_about_the_card(sheet) or cell in ("A2", "A3")
        wanted = {at: (f, job.alias[1] if job.alias and value == job.alias[0] else value)
                  for at, (f, value) in live.read(path).items()}
        more = live.compare(wanted, found, False, skip)
        count, largest, differing = count + more[0], max(largest, more[1]), differing + more[2]
    return count, largest, differing


def work(part):
    """Recalculate and compare the jobs of PART, in a process of its own."""
    folder, jobs = part
    nothing = (0, 0.0, [(("", "A0"), "a workbook", "nothing: LibreOffice did not write it")])
    return [(job, *(nothing if found is None else compare(job, live.read(found))))
            for job, found in zip(jobs, live.recalculate([j.path for j in jobs], folder))]


def shared_out(jobs, folder):
    """About as many bytes for each process."""
    parts = [(os.path.join(folder, str(i)), []) for i in range(PROCESSES)]
    sizes = [0] * PROCESSES
    for job in sorted(jobs, key=lambda j: -os.path.getsize(j.path)):
        i = sizes.index(min(sizes))
        parts[i][1].append(job)
        sizes[i] += os.path.getsize(job.path) + 200000
    return [p for p in parts if p[1]]


def make_settings(program, folder, whole, own):
    jobs = []
    for i, (label, inputs, options) in enumerate((("shipped inputs", None, None), *SETTINGS)):
        options = [own if o == "OWN" else o for o in (() if options is None or whole and options == NARROW else options)]
        jobs.append(Job(label, live.export(program, os.path.join(folder, f"setting-{i}.xlsx"), inputs, options)))
    return jobs


def proposed(shipped):
    """What the shipped file compares, and its own card: another workbook may
    propose others, which follow the card that it is written for."""
    cells = live.read(shipped)
    keys = [f"{kind}_{i}" for kind in ("model", "card") for i in range(1, 5)]
    keys += ["own_peak", "own_bandwidth", "own_memory"]
    return {key: cells[next(iter(live.input_cells(shipped, {key: None})))][1] for key in keys}


def make_changed(program, folder, shipped):
    jobs = []
    for i, (label, inputs) in enumerate(CHANGED):
        path = live.change_inputs(shipped, os.path.join(folder, f"changed-{i}.xlsx"), inputs)
        wanted = {**proposed(shipped), **inputs}
        every = live.export(program, os.path.join(folder, f"wanted-{i}.xlsx"), wanted)
        unnamed = live.export(program, os.path.join(folder, f"unnamed-{i}.xlsx"),
                              {k: v for k, v in wanted.items() if k not in ("model", "card")},
                              ("--tables", ",".join(OF_DOCUMENT_000)))
        jobs.append(Job("changed: " + label, path, ((every, inputs, False), (unnamed, inputs, True))))
    return [*jobs, make_own_card(program, folder)]


def make_own_card(program, folder):
    """A card by its figures, against the card that has them; published has others
    for it."""
    card, figures = "nvidia-rtx-4090", {"own_peak": 165.2, "own_bandwidth": 1008, "own_memory": 25.757220864}
    path = live.export(program, os.path.join(folder, "shipped-few.xlsx"), {}, NARROW)
    changed = live.change_inputs(path, os.path.join(folder, "own-card.xlsx"), {"card": "own-card", **figures})
    wanted = live.export(program, os.path.join(folder, "wanted-card.xlsx"), {"card": card}, NARROW)
    return Job("changed: own card", changed, ((wanted,),), alias=(card, "own-card"))


def make_wrong(program, folder):
    """Cached values, a number and a text, and a formula that are none of the
    core's."""
    path = live.export(program, os.path.join(folder, "right.xlsx"), None,
                       ("--models", "llama-3-1-8b,gpt-4-1", "--tables", "dense,lwall_ranked,models_overview"))
    cells = live.read(path)
    number = next(at for at, (f, v) in cells.items() if f and at[0] == "dense" and isinstance(v, float))
    text = next(at for at, (f, v) in cells.items() if f and at[0] == "models overview" and v == "no record")
    behind = next(at for at, (f, v) in cells.items() if f and at[0] == "Calc models" and isinstance(v, float) and v > 1)
    def nearly(old):
        value = float(re.search("<v>(.*)</v>", old[0])[1])
        return re.sub("<v>.*</v>", f"<v>{value * (1 + 3e-9)!r}</v>", old[0])
    wrong = {
        "value": {number: nearly},
        "text": {text: lambda old: old[0].replace("<v>no record<", "<v>none<")},
        "formula": {behind: lambda old: re.sub("<f>(.*?)</f>", r"<f>(\1)*1.00000001</f>", old[0])},
    }
    return [Job("wrong: " + kind, live.rewrite(path, os.path.join(folder, f"wrong-{kind}.xlsx"), changes),
                must_differ=set(changes)) for kind, changes in wrong.items()]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program", nargs="?", default="build/llmenv")
    parser.add_argument("--only", default="")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--most", type=int, default=4)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or scratch
        os.makedirs(folder, exist_ok=True)
        return check(arguments, folder)


def check(arguments, folder):
    own = os.path.join(folder, "config.json")
    with open(own, "w") as out:
        json.dump(OWN_MODEL, out)
    begun = time.monotonic()
    settings = make_settings(arguments.program, folder, arguments.whole, own)
    jobs = [*settings, *make_changed(arguments.program, folder, settings[0].path), *make_wrong(arguments.program, folder)]
    jobs = [j for j in jobs if arguments.only in j.label]
    print(f"{len(jobs)} files written in {time.monotonic() - begun:.0f} s")
    bad, cells, n_settings, largest, n_changed, n_wrong = 0, 0, 0, 0.0, 0, 0
    with ProcessPoolExecutor(PROCESSES) as pool:
        for job, count, most, differing in (r for part in pool.map(work, shared_out(jobs, folder)) for r in part):
            places = {at for at, _, _ in differing}
            if job.must_differ is not None:
                n_wrong += 1
                if not job.must_differ <= places:
                    bad += 1
                    print(f"{job.label}: {job.must_differ - places} is not found")
                continue
            if differing:
                bad += 1
                live.show(job.label, differing, arguments.most)
            elif count == 0:
                bad += 1
                print(f"{job.label}: no formula")
            largest = max(largest, most)
            if not job.against:
                cells, n_settings = cells + count, n_settings + 1
            else:
                n_changed += count
    print(f"{time.monotonic() - begun:.0f} s, {n_changed} cells of changed files, {n_wrong} wrong files")
    print(f"{cells} formula cells, {n_settings} settings, max difference {largest:.2g}")
    return 1 if bad else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except live.Failed as failed:
        sys.exit(f"check_live.py: {failed}")
