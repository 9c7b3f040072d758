#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two engines agree: recalculate the live workbook in LibreOffice, and hold
every formula cell against the value that the exporter gave it (the core's).

    check_live.py [PROGRAM] [--settings N] [--keep FOLDER]

PROGRAM is build/llmenv unless given.  The shipped inputs, and N other settings
(20 unless given) written through the exporter with --inputs; then the shipped
file again with its input cells changed by another program, against what the
exporter writes for those inputs.  At last two files that are wrong on purpose
(a cached value, a formula), which must be found.

Exit status: 0 good, 1 something differs.  Needs libreoffice-calc.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

TOLERANCE = 1e-9
NS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""


# ---- reading ------------------------------------------------------------------

def sheets_of(archive):
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    targets = {r.get("Id"): r.get("Target")
               for r in ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))}
    for sheet in book.find(NS + "sheets"):
        target = targets[sheet.get(RELATION)]
        yield sheet.get("name"), "xl/" + target.lstrip("/").removeprefix("xl/")


def strings_of(archive):
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    root = ElementTree.fromstring(archive.read("xl/sharedStrings.xml"))
    return ["".join(t.text or "" for t in item.iter(NS + "t")) for item in root]


def value_of(cell, strings):
    kind, v = cell.get("t"), cell.find(NS + "v")
    if kind == "inlineStr":
        return "".join(t.text or "" for t in cell.iter(NS + "t"))
    if v is None or v.text is None:
        return ""
    if kind == "s":
        return strings[int(v.text)]
    if kind in ("str", "e"):
        return ("#" if kind == "e" else "") + v.text
    return float(v.text)


def read(path):
    """{(sheet, cell): (has a formula, value)}"""
    cells = {}
    with zipfile.ZipFile(path) as archive:
        strings = strings_of(archive)
        for name, part in sheets_of(archive):
            for cell in ElementTree.fromstring(archive.read(part)).iter(NS + "c"):
                cells[name, cell.get("r")] = (cell.find(NS + "f") is not None, value_of(cell, strings))
    return cells


# ---- the two engines ------------------------------------------------------------

def recalculate(path, folder):
    """PATH as LibreOffice writes it after computing every formula anew."""
    profile = os.path.join(folder, "profile")
    os.makedirs(os.path.join(profile, "user"), exist_ok=True)
    with open(os.path.join(profile, "user", "registrymodifications.xcu"), "w") as out:
        out.write(ALWAYS_RECALCULATE)
    target = os.path.join(folder, "recalculated")
    subprocess.run(["soffice", f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to",
                    "xlsx", "--outdir", target, path], check=True, timeout=600,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return read(os.path.join(target, os.path.basename(path)))


def export(program, path, inputs=None, options=()):
    command = [program, "report", path, *options]
    if inputs is not None:
        with open(path + ".json", "w") as out:
            json.dump(inputs, out)
        command += ["--inputs", path + ".json"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {run.stderr.strip()}")
    return path


# ---- comparing -------------------------------------------------------------------

def difference(a, b):
    """Relative, of two numbers; 0 for equal texts; infinite for all else."""
    if isinstance(a, float) and isinstance(b, float):
        return 0.0 if a == b else abs(a - b) / max(abs(a), abs(b))
    return 0.0 if a == b else float("inf")


def compare(wanted, found, only_formulas=True):
    """(formula cells, largest difference within the tolerance, what differs)"""
    count, largest, differing = 0, 0.0, []
    for at, (is_formula, value) in wanted.items():
        if only_formulas and not is_formula:
            continue
        count += is_formula
        other = found.get(at, (False, ""))[1]
        d = difference(value, other)
        if d > TOLERANCE or (isinstance(other, str) and other.startswith("#")):
            differing.append((at, value, other))
        else:
            largest = max(largest, d)
    return count, largest, differing


def show(label, differing, most=12):
    by_sheet = {}
    for (sheet, _), _, _ in differing:
        by_sheet[sheet] = by_sheet.get(sheet, 0) + 1
    print(f"{label}: {len(differing)} cells differ:", ", ".join(f"{s} {n}" for s, n in by_sheet.items()))
    for (sheet, cell), value, other in differing[:most]:
        print(f"  {sheet}!{cell}: written {value!r}, recalculated {other!r}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="build/llmenv")
    parser.add_argument("--keep")
    parser.add_argument("--most", type=int, default=12)
    arguments = parser.parse_args()
    folder = arguments.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    path = export(arguments.program, os.path.join(folder, "shipped.xlsx"))
    count, largest, differing = compare(read(path), recalculate(path, folder))
    print(count, "formula cells, largest difference", largest)
    if differing:
        show("shipped inputs", differing, arguments.most)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
