#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recompute the printed tables of document 003 from the records, in exact arithmetic.

usage: published.py [--command PATH] [--no-whole] [--show NAME [--whole]]

An independent second writing: Python standard library, fractions only, nothing shared with the C core.
Reads data/models, data/accelerators, data/printed.json and data/misprints.json of this project and compares

  1. each table in its printed selection with reference/NAME.tsv (under LLMENV_SHARED, default ../shared),
     cell by cell; a differing cell must be one of data/misprints.json, and every one of those must differ;
  2. with --command: `PATH table NAME --convention published --as-printed --csv` cell by cell, the command's
     `table misprints --csv`, and the whole tables (`PATH table NAME --convention published --csv`) row by row.

Where the reference folder is absent, part 1 is skipped and the last line says so.
Rounding as the document does it: counts of tokens and sequences are floors, the rest is rounded to the nearest.
Exit 0 if everything agrees, 1 if a cell differs, 2 for bad usage or unreadable input.
"""
import csv
import io
import json
import math
import os
import subprocess
import sys
from fractions import Fraction as F

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.environ.get("LLMENV_SHARED") or os.path.join(ROOT, "..", "shared")
GIGA = 10 ** 9
TABLES = ("ridge", "dense", "moe", "hybrid", "gemma4_kv", "beq_ranked", "lwall_ranked", "beq_resident",
          "bstar", "worst10", "exceed80", "cheap_end")
CARD = "nvidia-h100-sxm"
LENGTHS = {"1k": 1024, "8k": 8192, "32k": 32768, "128k": 131072, "1m": 1048576}
WORDS = ("none", "never", "unbounded", "no record", "not applicable", "does not fit")


class BadInput(Exception):
    """Records that this program cannot read."""


# --- records ------------------------------------------------------------------------------------------------

def load_json(path):
    """Parse a file with every number as an exact fraction."""
    with open(path, encoding="utf-8") as handle:
        return json.load(handle, parse_float=F, parse_int=F)


def published(record):
    """The record as document 003 uses it: a correction's published value goes before the field's own."""
    out = dict(record)
    for fix in record.get("corrections", ()):
        if fix["field"] in out and fix.get("published") is not None:
            out[fix["field"]] = fix["published"]
    return out


def load_folder(kind):
    folder = os.path.join(ROOT, "data", kind)
    out = {}
    if os.path.isdir(folder):
        for name in sorted(os.listdir(folder)):
            if name.endswith(".json"):
                record = published(load_json(os.path.join(folder, name)))
                out[record["id"]] = record
    return out


# --- formulas (published convention) ------------------------------------------------------------------------

def dense_rate(card, precision="bf16"):
    """Largest dense rate of that precision in TFLOPS, or None."""
    rates = [row["tflops"] for row in card["flops"] if row["precision"] == precision and row["dense"]]
    return max(rates) if rates else None


def ridge(card):
    """FLOP per byte."""
    rate, bandwidth = dense_rate(card), card["memory_bandwidth_gbps"]
    return None if rate is None or bandwidth is None else 1000 * rate / bandwidth


def size(model):
    """Active parameters in 1e9, the total where the record has no active figure."""
    return model["active_params_b"] if model["active_params_b"] is not None else model["params_b"]


def kv(model):
    """Bytes one token adds to the cache; None where nobody has published it."""
    return model["kv_cache_bytes_per_token"]


def silent(model):
    """True where the record lacks what a ratio of arithmetic and traffic needs."""
    return kv(model) is None or size(model) is None or (kv(model) > 0 and model["gqa_ratio"] is None)


def l_wall(model, r):
    k, g = kv(model), model["gqa_ratio"]
    if silent(model):
        return "no record"
    if k == 0 or r <= g:
        return "never"
    return 2 * size(model) * GIGA / ((r - g) * k)


def b_star(model, r, length):
    k, g = kv(model), model["gqa_ratio"]
    if silent(model):
        return "no record"
    work = 2 * size(model) * GIGA
    rest = work - ((r - g) * k * length if k else 0)
    return r * work / rest if rest > 0 else "none"


def ceiling(model, length):
    k, g = kv(model), model["gqa_ratio"]
    # The total stands in for a silent active size in l_wall and B* only.
    if silent(model) or model["active_params_b"] is None:
        return "no record"
    return 2 * size(model) * GIGA / (k * length) + g if k else "unbounded"


def over(amount, k):
    """amount/k as tokens or sequences, with the words for the two cases without a number."""
    if amount is None or k is None:
        return "no record"
    return amount / k if k else "none"


def tokens(limit_gb, model):
    k = kv(model)
    return "no record" if k is None else limit_gb * GIGA / k if k else "unbounded"


# --- the columns: value, and how the document shows it --------------------------------------------------------

FLOOR, ASIS = "floor", "as recorded"


def kv_gb(length):
    return lambda m, x: "no record" if kv(m) is None else kv(m) * length / GIGA


def times2(field):
    return lambda m, x: "no record" if m[field] is None else 2 * m[field]


def group_of(model, kind):
    """Numbers of the layers of one kind: how many, KV heads, width of a head."""
    groups = [g for g in model.get("layers", ()) if g["kind"] == kind]
    if groups:
        return sum(g["count"] for g in groups), groups[0]["kv_heads"], groups[0]["k_dim"]
    return None


COLUMNS = {
    "total_b": (ASIS, lambda m, x: m["params_b"]),
    "active_b": (ASIS, lambda m, x: m["active_params_b"]),
    "active_weights_gb": (2, times2("active_params_b")),
    "total_weights_gb": (2, times2("params_b")),
    "kv_kib_per_tok": (1, lambda m, x: "no record" if kv(m) is None else kv(m) / 1024),
    "kv_gb_8k": (2, kv_gb(8192)),
    "kv_gb_32k": (2, kv_gb(32768)),
    "kv_gb_128k": (1, kv_gb(131072)),
    "kv_gb_1m": (1, kv_gb(1048576)),
    "kv_gt_1gb_tok": (FLOOR, lambda m, x: tokens(1, m)),
    "kv_gt_8gb_tok": (FLOOR, lambda m, x: tokens(8, m)),
    "kv_gt_24gb_tok": (FLOOR, lambda m, x: tokens(24, m)),
    "kv_gt_80gb_tok": (FLOOR, lambda m, x: tokens(80, m)),
    "b_eq_active": (FLOOR, lambda m, x: over(times(m["active_params_b"]), kv(m))),
    "b_eq_total": (FLOOR, lambda m, x: over(times(m["params_b"]), kv(m))),
    "b_eq_resident": (FLOOR, lambda m, x: over(times(m["params_b"]), kv(m))),
    "ratio": (1, lambda m, x: "no record" if None in (m["params_b"], m["active_params_b"])
              else m["params_b"] / m["active_params_b"]),
    "l_wall": (FLOOR, lambda m, x: l_wall(m, x["R"])),
    "g": (ASIS, lambda m, x: m["gqa_ratio"]),
    "ai_ceiling_8k": (1, lambda m, x: ceiling(m, 8192)),
    "ai_ceiling_32k": (1, lambda m, x: ceiling(m, 32768)),
    "ai_ceiling_128k": (1, lambda m, x: ceiling(m, 131072)),
    "ai_ceiling_1m": (1, lambda m, x: ceiling(m, 1048576)),
    "basis": (ASIS, lambda m, x: "active" if m["active_params_b"] is not None else "total"),
    "bstar_1k": (FLOOR, lambda m, x: b_star(m, x["R"], 1024)),
    "bstar_8k": (FLOOR, lambda m, x: b_star(m, x["R"], 8192)),
    "bstar_32k": (FLOOR, lambda m, x: b_star(m, x["R"], 32768)),
    "bstar_128k": (FLOOR, lambda m, x: b_star(m, x["R"], 131072)),
    "bstar_1m": (FLOOR, lambda m, x: b_star(m, x["R"], 1048576)),
    "max_position_embeddings": (ASIS, lambda m, x: m["max_position_embeddings"]),
    "kv_gb_at_max_ctx": (1, lambda m, x: at_max(m)),
    "kv_gb_full_ctx": (1, lambda m, x: at_max(m)),
    "times_vs_worst": (0, lambda m, x: "no record" if kv(m) is None else x["worst"] / kv(m) if kv(m) else "unbounded"),
    "layers": (ASIS, lambda m, x: geometry(m)[0]),
    "global_layers": (ASIS, lambda m, x: geometry(m)[3]),
    "sliding_kv_heads": (ASIS, lambda m, x: geometry(m)[1]),
    "sliding_head_dim": (ASIS, lambda m, x: geometry(m)[2]),
    "sliding_kv_elts_per_layer": (ASIS, lambda m, x: geometry(m)[1] * geometry(m)[2]),
    "global_kv_heads": (ASIS, lambda m, x: geometry(m)[4]),
    "global_head_dim": (ASIS, lambda m, x: geometry(m)[5]),
    "global_kv_elts_per_layer": (ASIS, lambda m, x: geometry(m)[4] * geometry(m)[5]),
    "kv_bytes_per_tok": (ASIS, lambda m, x: kv(m)),
}
RIDGE_COLUMNS = {
    "bf16_dense_tflops": (ASIS, lambda c, x: dense_rate(c)),
    "bandwidth_gb_s": (ASIS, lambda c, x: c["memory_bandwidth_gbps"]),
    "ridge_flop_per_byte": (1, lambda c, x: ridge(c)),
    "vram_gb": (ASIS, lambda c, x: c["vram_gb"]),
}


def times(params_b):
    return None if params_b is None else 2 * params_b * GIGA


def at_max(model):
    if None in (kv(model), model["max_position_embeddings"]):
        return "no record"
    return kv(model) * model["max_position_embeddings"] / GIGA


def geometry(model):
    """Gemma 4: layers in all, sliding heads and width, global layers, heads and width.

    The number of global layers is the one that the published k stands for, which for the 12B is not the one of
    its configuration: k/2 = (layers - n) x sliding elements + n x global elements, solved for n.
    """
    sliding, full = group_of(model, "window"), group_of(model, "full")
    if sliding is None or full is None:
        raise BadInput("%s has no sliding and global layers" % model["id"])
    layers, per_sliding, per_global = sliding[0] + full[0], sliding[1] * sliding[2], full[1] * full[2]
    n_global = (layers * per_sliding - kv(model) / 2) / (per_sliding - per_global)
    return layers, sliding[1], sliding[2], n_global, full[1], full[2]


# --- display ------------------------------------------------------------------------------------------------

def nearest(value, decimals):
    """Round to decimals places; a tie goes to the even digit, as C's printf does for an exact binary value."""
    return F(round(value * 10 ** decimals), 10 ** decimals)


def decimal(value, decimals):
    whole = nearest(value, decimals)
    sign = "-" if whole < 0 else ""
    digits = str(abs(int(whole * 10 ** decimals))).rjust(decimals + 1, "0")
    return sign + (digits[:-decimals] + "." + digits[-decimals:] if decimals else digits)


def recorded(value):
    """A record's own number, every digit of it."""
    if value.denominator == 1:
        return str(value.numerator)
    for decimals in range(1, 19):
        if (value * 10 ** decimals).denominator == 1:
            return decimal(value, decimals)
    return repr(float(value))


def show(value, how):
    if value is None:
        return "no record"
    if isinstance(value, str):
        return value
    if how == FLOOR:
        return str(math.floor(value))
    if how == ASIS:
        return recorded(value)
    return decimal(value, how)


# --- tables -------------------------------------------------------------------------------------------------

class Data:
    def __init__(self):
        self.models, self.cards = load_folder("models"), load_folder("accelerators")
        self.printed = load_json(os.path.join(ROOT, "data", "printed.json"))
        with open(os.path.join(ROOT, "data", "misprints.json"), encoding="utf-8") as handle:
            self.misprints = json.load(handle)["misprints"]
        if not self.models or CARD not in self.cards:
            raise BadInput("no records under %s/data" % ROOT)
        self.context = {"R": ridge(self.cards[CARD])}


def rows_printed(data, name):
    """The editorial rows of a table, each as a dictionary with at least an id."""
    table = data.printed["tables"][name]
    return [row if isinstance(row, dict) else {"id": row} for row in table["rows"]]


def cell(data, name, column, row, position):
    """The text of one cell of a printed table."""
    table = data.printed["tables"][name]
    if column in ("id", "part"):
        return row["id"]
    if column == "rank":
        return str(position + 1)
    if column == "mark":
        usual = data.printed["marks"].get(row["id"], "") if table.get("marks", True) else ""
        return row.get("mark", usual)
    if column in ("label", "named_reference"):
        return row.get(column, "")
    if column == "excluded":
        return "yes" if row.get("excluded") else "no"
    columns, records = (RIDGE_COLUMNS, data.cards) if name == "ridge" else (COLUMNS, data.models)
    how, value = columns[column]
    how = row.get("decimals", {}).get(column, table.get("decimals", {}).get(column, how))
    context = dict(data.context)
    if "reference" in table:
        context["worst"] = kv(data.models[table["reference"]])
    return show(value(records[row["id"]], context), how if isinstance(how, str) else int(how))


def same(a, b):
    a, b = a.strip().replace(",", ""), b.strip().replace(",", "")
    if a == b:
        return True
    try:
        return float(a) == float(b)
    except ValueError:
        return False


def misprint(data, name, key, column):
    for entry in data.misprints:
        if (entry["table"], entry["row"], entry["column"]) == (name, key, column):
            return entry
    return None


def check_reference(data, log):
    """Part 1: ours against the document's own cells."""
    folder = os.path.join(SHARED, "reference")
    if not os.path.isdir(folder):
        log.skip("reference tables: %s is absent" % folder)
        return
    found = set()
    for name in TABLES:
        with open(os.path.join(folder, name + ".tsv"), encoding="utf-8") as handle:
            reference = list(csv.DictReader(handle, delimiter="\t"))
        rows = rows_printed(data, name)
        log.equal("%s: rows" % name, len(rows), len(reference))
        for position, want in enumerate(reference):
            key = next(iter(want.values()))
            for column, text in want.items():
                ours = cell(data, name, column, rows[position], position) if position < len(rows) else "(no row)"
                entry = misprint(data, name, key, column)
                if same(ours, text or ""):
                    log.cells += 1
                    continue
                if entry and same(entry["printed"], text) and len(entry["proof"]) > 15:
                    found.add((name, key, column))
                    log.cells += 1
                    print("misprint: %s %s %s: printed %s, ours %s" % (name, key, column, text, ours))
                    continue
                log.bad("%s row %s column %s: printed %r, ours %r" % (name, key, column, text, ours))
    for entry in data.misprints:
        if (entry["table"], entry["row"], entry["column"]) not in found:
            log.bad("data/misprints.json lists a cell that does not differ: %(table)s %(row)s %(column)s" % entry)


# --- the command --------------------------------------------------------------------------------------------

def run(command, *arguments):
    done = subprocess.run([command, "table", *arguments, "--csv"], capture_output=True, text=True, timeout=120,
                          check=False)
    if done.returncode:
        raise RuntimeError("exit %d: %s" % (done.returncode, (done.stderr or done.stdout).strip()[-300:]))
    return list(csv.DictReader(io.StringIO(done.stdout)))


def check_printed_command(data, command, log):
    for name in TABLES:
        try:
            got = run(command, name, "--convention", "published", "--as-printed")
        except (OSError, RuntimeError) as error:
            log.bad("%s: no table from the command (%s)" % (name, error))
            continue
        rows = rows_printed(data, name)
        log.equal("%s: rows of the command" % name, len(got), len(rows))
        for position, (row, have) in enumerate(zip(rows, got)):
            for column, text in have.items():
                log.equal("%s row %s column %s (command)" % (name, row["id"], column), text,
                          cell(data, name, column, row, position))
    try:
        got = {(r["table"], r["row"], r["column"]): r for r in run(command, "misprints")}
    except (OSError, RuntimeError) as error:
        log.bad("misprints: no table from the command (%s)" % error)
        return
    log.equal("misprints: rows of the command", len(got), len(data.misprints))
    for entry in data.misprints:
        key = (entry["table"], entry["row"], entry["column"])
        have = got.get(key, {})
        first = next((i for i, r in enumerate(rows_printed(data, key[0])) if key[1] in (r["id"], str(i + 1))), None)
        if first is None:
            log.bad("misprints: %s has no row %s" % key[:2])
            continue
        ours = cell(data, key[0], key[2], rows_printed(data, key[0])[first], first)
        log.equal("misprints %s %s %s: printed" % key, have.get("printed", ""), entry["printed"])
        log.equal("misprints %s %s %s: ours" % key, have.get("ours", ""), ours)


def close(text, value, how, caches=True):
    """Does a shown number stand for this value? Any number of decimals is right if it is correctly rounded.

    For a model that caches nothing any of the words of the specification, or a zero, will do.
    """
    if not caches and (text in WORDS or text in ("0", "0.0", "0.00")):
        return True
    if isinstance(value, str) or value is None:
        return text == (value or "no record") or value is None and text == ""
    try:
        shown = F(text.replace(",", ""))
    except ValueError:
        return False
    if how == FLOOR and shown.denominator == 1 and shown == math.floor(value):
        return True
    places = len(text.partition(".")[2]) if "e" not in text else 17
    unit = F(1, 10 ** places)
    return abs(shown - value) <= unit / 2 + abs(value) * F(1, 10 ** 13)


# Which column orders a whole table, and whether the largest comes first.
ORDER = {"dense": ("kv_kib_per_tok", False), "moe": ("kv_kib_per_tok", False), "hybrid": ("kv_kib_per_tok", False),
         "beq_ranked": ("b_eq_active", False), "lwall_ranked": ("l_wall", False), "worst10": ("kv_gt_80gb_tok", False),
         "cheap_end": ("kv_kib_per_tok", False), "exceed80": ("kv_gb_full_ctx", True)}
# Columns that a whole table has after the printed ones: the million-token size and the 8 GB threshold of the text.
AFTER = {"kv_gb_128k": "kv_gb_1m", "kv_gt_1gb_tok": "kv_gt_8gb_tok"}


def expected_ids(data, name):
    """Models (cards) that a whole table must at least have: those for which its question has an answer."""
    have = [m for m in data.models.values() if kv(m)]
    if name == "ridge":
        return {i for i, c in data.cards.items() if ridge(c) is not None}
    if name in ("dense", "moe", "hybrid"):
        family = {"hybrid": "hybrid-attention-ssm"}.get(name, name)
        return {m["id"] for m in have if m["architecture"] == family}
    if name == "gemma4_kv":
        return {r["id"] for r in rows_printed(data, name)}
    if name == "exceed80":
        return {m["id"] for m in have if not isinstance(at_max(m), str) and at_max(m) > 80}
    if name == "bstar":
        return {m["id"] for m in have if not isinstance(b_star(m, data.context["R"], 1024), str)}
    if name == "beq_resident":
        return {m["id"] for m in have if m["active_params_b"] and m["params_b"] != m["active_params_b"]}
    if name in ("worst10", "cheap_end"):
        return {m["id"] for m in sorted(have, key=kv, reverse=name == "worst10")[:10]}
    return {m["id"] for m in have if m["active_params_b"] is not None}


def check_whole_command(data, command, log):
    """The whole tables: every value, the models that must be there, and the order."""
    worst = max((m for m in data.models.values() if kv(m)), key=lambda m: (kv(m), m["id"]))
    context = dict(data.context, worst=kv(worst))
    for name in TABLES:
        try:
            got = run(command, name, "--convention", "published")
        except (OSError, RuntimeError) as error:
            log.bad("%s: no whole table from the command (%s)" % (name, error))
            continue
        columns, records = (RIDGE_COLUMNS, data.cards) if name == "ridge" else (COLUMNS, data.models)
        seen = set()
        for row in got:
            key = row.get("id") or row.get("part") or row.get("rank")
            seen.add(key)
            if key not in records:
                log.bad("%s (whole): no record %r" % (name, key))
                continue
            for column, text in row.items():
                if column not in columns:
                    continue
                how, value = columns[column]
                value = value(records[key], context)
                caches = name == "ridge" or bool(kv(records[key]))
                if name == "ridge" and value is None and text not in ("", "no record"):
                    # A card without a bf16 row: its dense fp16 matrix row stands in, the larger where there are two.
                    rate = dense_rate(records[key], "fp16")
                    value = rate if column == "bf16_dense_tflops" or rate is None else (
                        1000 * rate / records[key]["memory_bandwidth_gbps"])
                log.check(close(text, value, how, caches), "%s (whole) row %s column %s: command %r, ours %s"
                          % (name, key, column, text, show(value, how if how != 0 else 2)))
        if name in ("dense", "moe", "hybrid") and got:
            lacking = [c for c in AFTER.values() if c not in got[0]]
            log.check(not lacking, "%s (whole): no column %s" % (name, ", ".join(lacking)))
        missing = expected_ids(data, name) - seen
        log.check(not missing, "%s (whole): missing %s" % (name, ", ".join(sorted(missing))))
        log.check(len(seen) == len(got), "%s (whole): a row appears twice" % name)
        if name in ORDER:
            column, descending = ORDER[name]
            # Rows whose cell is a word come last and have no place in the order.
            values = [columns[column][1](records[r["id"]], context) for r in got
                      if r.get("id") in records and r.get(column, "").replace(".", "", 1).isdigit()]
            numbers = [v for v in values if isinstance(v, F)]
            log.check(numbers == sorted(numbers, reverse=descending),
                      "%s (whole): not in the order of %s" % (name, column))


# --- main ---------------------------------------------------------------------------------------------------

class Log:
    def __init__(self):
        self.cells = self.failures = self.skipped = 0

    def bad(self, text):
        self.cells += 1
        self.failures += 1
        print("FAIL " + text)

    def check(self, good, text):
        if good:
            self.cells += 1
        else:
            self.bad(text)

    def equal(self, what, got, want):
        self.check(same(str(got), str(want)), "%s: %r, expected %r" % (what, got, want))

    def skip(self, text):
        self.skipped += 1
        print("SKIPPED " + text)


def show_table(data, name, whole):
    """Print a table as this program computes it; the whole one with the models that it must at least have."""
    with open(os.path.join(SHARED, "reference", name + ".tsv"), encoding="utf-8") as handle:
        columns = handle.readline().rstrip("\n").split("\t")
    if not whole:
        rows = rows_printed(data, name)
        texts = [[cell(data, name, column, row, i) for column in columns] for i, row in enumerate(rows)]
    else:
        kinds, records = (RIDGE_COLUMNS, data.cards) if name == "ridge" else (COLUMNS, data.models)
        if name in ("dense", "moe", "hybrid"):
            columns = [c for column in columns for c in (column, AFTER.get(column)) if c]
        columns = [c for c in columns if c in ("id", "part") or c in kinds]
        context = dict(data.context, worst=max(kv(m) for m in data.models.values() if kv(m)))
        order, descending = ORDER.get(name, ("ridge_flop_per_byte" if name == "ridge" else columns[1], name == "ridge"))

        def rank(key):
            value = kinds[order][1](records[key], context)
            return (0, -value if descending else value, key) if isinstance(value, F) else (1, 0, key)

        texts = [[key if c in ("id", "part") else show(kinds[c][1](records[key], context), kinds[c][0])
                  for c in columns]
                 for key in sorted(expected_ids(data, name), key=rank)]
    print(",".join(columns))
    for row in texts:
        print(",".join(row))


def main(arguments):
    command, whole, table, shown_whole = None, True, None, False
    while arguments:
        word = arguments.pop(0)
        if word == "--command" and arguments:
            command = arguments.pop(0)
        elif word == "--no-whole":
            whole = False
        elif word == "--show" and arguments and arguments[0] in TABLES:
            table = arguments.pop(0)
        elif word == "--whole" and table:
            shown_whole = True
        else:
            print(__doc__.split("\n\n")[1], file=sys.stderr)
            return 2
    data, log = Data(), Log()
    if table:
        show_table(data, table, shown_whole)
        return 0
    check_reference(data, log)
    if command:
        check_printed_command(data, command, log)
        if whole:
            check_whole_command(data, command, log)
    print("published oracle: %d checks, %d failed, %d skipped" % (log.cells, log.failures, log.skipped))
    return 1 if log.failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (BadInput, OSError, ValueError) as problem:
        print("published.py: %s" % problem, file=sys.stderr)
        sys.exit(2)
