# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading, recalculating, changing and comparing workbooks: what the tests of
the live workbook share.  Needs libreoffice-calc."""
import json
import os
import re
import shutil
import subprocess
import zipfile
from xml.etree import ElementTree
from xml.sax.saxutils import escape

TOLERANCE = 1e-9
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
NS = "{" + MAIN + "}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
ERROR = re.compile(r"#(N/A|VALUE!|REF!|DIV/0!|NUM!|NAME\?|NULL!)|Err:\d+$")
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""


class Failed(Exception):
    """What a test says, in one line."""


# ---- reading ------------------------------------------------------------------

def sheets_of(archive):
    """(name of the sheet, its part), in order."""
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    targets = {r.get("Id"): r.get("Target")
               for r in ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))}
    for sheet in book.find(NS + "sheets"):
        target = targets[sheet.get(RELATION)]
        yield sheet.get("name"), "xl/" + target.lstrip("/").removeprefix("xl/")


def names_of(archive):
    """{defined name: (sheet, cell) or None}, those of the whole book."""
    book, out = ElementTree.fromstring(archive.read("xl/workbook.xml")), {}
    for name in book.iter(NS + "definedName"):
        if name.get("localSheetId") is None:
            match = re.match(r"(?:'([^']+)'|(\w+))!\$([A-Z]+)\$(\d+)$", name.text)
            out[name.get("name")] = match and (match[1] or match[2], match[3] + match[4])
    return out


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
        return v.text
    return float(v.text)


def read(path):
    """{(sheet, cell): (has a formula, value)}; no value is ""."""
    cells = {}
    with zipfile.ZipFile(path) as archive:
        strings = strings_of(archive)
        for name, part in sheets_of(archive):
            for cell in ElementTree.fromstring(archive.read(part)).iter(NS + "c"):
                cells[name, cell.get("r")] = (cell.find(NS + "f") is not None, value_of(cell, strings))
    return cells


# ---- the two engines ------------------------------------------------------------

def export(program, path, inputs=None, options=(), environment=None):
    """Let the exporter write PATH."""
    command = [program, "report", path, *options]
    if inputs is not None:
        with open(path + ".json", "w") as out:
            json.dump(inputs, out)
        command += ["--inputs", path + ".json"]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})
    if run.returncode != 0:
        raise Failed(f"{os.path.basename(path)}: {run.stderr.strip()}")
    return path


def recalculate(paths, folder):
    """Let one LibreOffice, with a profile of its own in FOLDER, compute every
    formula of all PATHS anew; where each lies then, None where it does not."""
    profile, target = os.path.join(folder, "profile"), os.path.join(folder, "recalculated")
    settings = os.path.join(profile, "user", "registrymodifications.xcu")
    if not os.path.exists(settings):
        os.makedirs(os.path.dirname(settings), exist_ok=True)
        with open(settings, "w") as out:
            out.write(ALWAYS_RECALCULATE)
    subprocess.run(["soffice", f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to",
                    "xlsx", "--outdir", target, *paths], timeout=1800,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = [os.path.join(target, os.path.basename(p)) for p in paths]
    return [p if os.path.exists(p) else None for p in found]


# ---- changing -------------------------------------------------------------------

def as_cell(at, style, value):
    style = f' s="{style}"' if style else ""
    if value is None:
        return f'<c r="{at}"{style}/>'
    if isinstance(value, str):
        return f'<c r="{at}"{style} t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{at}"{style}><v>{value!r}</v></c>'


def rewrite(path, target, changes):
    """PATH with CHANGES, {(sheet, cell): function of the old XML}, as TARGET."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        parts = {part: name for name, part in sheets_of(old)}
        for item in old.infolist():
            data = old.read(item)
            here = {at: make for (sheet, at), make in changes.items() if sheet == parts.get(item.filename)}
            if here:
                text = data.decode()
                for at, make in here.items():
                    pattern = re.compile(rf'<c r="{at}"(?: s="(\d+)")?[^>]*?(?:/>|>.*?</c>)')
                    match = pattern.search(text)
                    if match is None:
                        raise Failed(f"{os.path.basename(path)}: no cell {parts[item.filename]}!{at}")
                    text = text[:match.start()] + make(match) + text[match.end():]
                data = text.encode()
            new.writestr(item, data)
    return target


# Cells of Inputs that an option sets, and what a unit there is in the option's.
OPTION_CELLS = {
    "card": ("in_card",), "model": ("in_model",), "count": ("in_count",), "kv-type": ("in_k_type", "in_v_type"),
    "k-type": ("in_k_type",), "v-type": ("in_v_type",), "weight-type": ("in_weight",),
    "weight-bytes": ("in_weight_bytes",), "basis": ("in_basis",), "context": ("in_context",), "batch": ("in_batch",),
    "reserve": ("in_reserve",), "utilization": ("in_utilization",),
    "bandwidth-efficiency": ("in_bandwidth_efficiency",), "compute-efficiency": ("in_compute_efficiency",),
    "overhead": ("in_overhead",), "memory": ("in_memory",), "price": ("in_price",),
}
IN_GB = ("weight-bytes", "reserve", "memory")


def input_cells(path, inputs):
    """{(sheet, cell): value} of what INPUTS, as given to --inputs, set in PATH."""
    with zipfile.ZipFile(path) as archive:
        names = names_of(archive)
    out = {}
    for key, value in inputs.items():
        pick = re.match(r"(model|card)_([1-4])$", key)
        if pick:
            out["What-if", f"{'B' if pick[1] == 'model' else 'C'}{4 + int(pick[2])}"] = value
            continue
        for name in OPTION_CELLS.get(key, (key if key in names else "om_" + key,)):
            if names.get(name) is None:
                raise Failed(f"no cell is named {name}")
            out[names[name]] = value / 1e9 if key in IN_GB else value
    return out


def change_inputs(path, target, inputs):
    """As a program that does not compute would leave PATH with other inputs."""
    cells = input_cells(path, inputs)
    return rewrite(path, target, {place: lambda old, place=place, value=value: as_cell(place[1], old[1], value)
                                  for place, value in cells.items()})


# ---- comparing -------------------------------------------------------------------

def difference(a, b):
    """Relative, of two numbers; 0 for equal texts; infinite for all else."""
    if isinstance(a, float) and isinstance(b, float):
        return 0.0 if a == b else abs(a - b) / max(abs(a), abs(b))
    return 0.0 if a == b else float("inf")


def is_error(value):
    return isinstance(value, str) and ERROR.match(value) is not None


def compare(wanted, found, only_formulas=True, skip=lambda sheet, cell: False):
    """(cells compared, largest difference within the tolerance, what differs).
    An error value differs anywhere, with a formula or without."""
    count, largest, differing = 0, 0.0, []
    nothing = (False, "")
    for at in wanted.keys() | found.keys():
        is_formula, value = wanted.get(at, nothing)
        other = found.get(at, nothing)[1]
        if is_error(value) or is_error(other):
            differing.append((at, value, other))
        elif (is_formula or not only_formulas) and not skip(*at):
            count += 1
            d = difference(value, other)
            if d > TOLERANCE:
                differing.append((at, value, other))
            else:
                largest = max(largest, d)
    return count, largest, sorted(differing, key=lambda x: order_of(x[0]))


def order_of(at):
    column, row = re.match(r"([A-Z]+)(\d+)$", at[1]).groups()
    return at[0], int(row), len(column), column


def show(label, differing, most=12):
    by_sheet = {}
    for (sheet, _), _, _ in differing:
        by_sheet[sheet] = by_sheet.get(sheet, 0) + 1
    print(f"{label}: {len(differing)} cells differ:", ", ".join(f"{s} {n}" for s, n in by_sheet.items()))
    shown = {}
    for (sheet, cell), value, other in differing:
        shown[sheet] = shown.get(sheet, 0) + 1
        if shown[sheet] <= most:
            print(f"  {sheet}!{cell}: written {value!r}, recalculated {other!r}")
