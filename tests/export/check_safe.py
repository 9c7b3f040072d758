#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The workbook's XML is what spreadsheet programs take without a word, and no
text of a record is more than a text.

    check_safe.py [PROGRAM]

PROGRAM is build/llmenv unless given.  The shipped workbook, and one with records
that look like formulas.  Exit status: 0 good, 1 a check failed.
Needs python3-openpyxl and libreoffice-calc.
"""
import json
import math
import os
import re
import resource
import sys
import tempfile
import zipfile
from xml.etree import ElementTree

import openpyxl
from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token

import live

MOST_BYTES, MOST_SECONDS = 5_000_000, 2.0
LONGEST_FORMULA, MOST_NESTED, MOST_ARGUMENTS = 8192, 64, 255

# In Excel 2010 and in LibreOffice 7.4.  Where a function takes ranges: at any
# place (-1) or at the first so many; elsewhere a range is cut to one cell, or
# makes an array formula of it.
RANGES = {
    "SUM": -1, "SUMPRODUCT": -1, "MAX": -1, "MIN": -1, "COUNT": -1, "COUNTA": -1, "AVERAGE": -1, "AND": -1, "OR": -1,
    "COUNTIF": 1, "LARGE": 1, "SMALL": 1, "INDEX": 1, "ROWS": 1, "COLUMNS": 1,
}
RANGE_SECOND = {"MATCH", "RANK"}
ALLOWED = set(RANGES) | RANGE_SECOND | {
    "ABS", "CEILING", "CHAR", "CHOOSE", "COLUMN", "EXACT", "EXP", "FIND", "FIXED", "FLOOR", "HYPERLINK", "IF", "IFERROR",
    "INT", "ISBLANK", "ISERROR", "ISNUMBER", "ISTEXT", "LEFT", "LEN", "LN", "LOG", "LOG10", "LOWER", "MID", "MOD", "N",
    "NA", "NOT", "POWER", "RIGHT", "ROUND", "ROUNDDOWN", "ROUNDUP", "ROW", "SIGN", "SQRT", "SUBSTITUTE", "T", "TEXT",
    "TRIM", "TRUE", "FALSE", "TRUNC", "UPPER", "VALUE",
}
# Arguments that spread a range over a sum: all of SUMPRODUCT's.
SPREADING = {"SUMPRODUCT"}
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*$")
LIKE_A_CELL = re.compile(r"\$?[A-Za-z]{1,3}\$?[0-9]+$|[Rr][0-9]*([Cc][0-9]*)?$|[Cc][0-9]*$")
AREA = re.compile(r"\$?[A-Z]{1,3}\$?\d+:\$?[A-Z]{1,3}\$?\d+$|\$?[A-Z]+:\$?[A-Z]+$|\$?\d+:\$?\d+$")

HOSTILE = ['=1+1', '+SUM(A1:A9)', '-2+3', '@SUM(1)', '=HYPERLINK("http://x","y")', 'quote"and\'s', 'a & b <c> </v></c>',
           '=cmd|\'/C calc\'!A0', '#REFERENCE', '1e999', '{=1}', '=NA()', "'=1", ' =1', '\u202e=1', "in_card", "A1", "two\nlines", "x" * 120]
# A record in a data folder is named as its file, in letters and digits; one of
# --own as it pleases.
IDS = [f"h{i}" for i in range(len(HOSTILE))]
OWN_IDS = ["=1+1", "+SUM(A1:A9)", "-2+3", "@SUM(1)", 'a"&NA()&"', "a & <b>", "{=1}", "#REFERENCE"]



class Report:
    def __init__(self):
        self.checks = self.bad = 0
        self.functions = {}

    def check(self, good, text):
        self.checks += 1
        if not good:
            self.bad += 1
            if self.bad <= 40:
                print("fails:", text)


# ---- formulas --------------------------------------------------------------------

def is_area(token):
    return (token.type == Token.OPERAND and token.subtype == Token.RANGE
            and AREA.match(token.value.rpartition("!")[2]) is not None)


def takes_range(stack):
    """Whether a range may stand there: inside SUMPRODUCT, or as the argument of a
    function that takes one."""
    if any(name in SPREADING for name, _ in stack):
        return True
    while stack and stack[-1][0] == "":   # parentheses
        stack = stack[:-1]
    if not stack:
        return False
    name, argument = stack[-1]
    most = RANGES.get(name, 0)
    return most < 0 or argument < most or name in RANGE_SECOND and argument == 1


def check_formula(report, where, text, names, sheets):
    """Functions that both programs have, and a range only where it is taken."""
    report.check(0 < len(text) <= LONGEST_FORMULA, f"{where}: a formula of {len(text)} characters")
    try:
        tokens = Tokenizer("=" + text).items
    except Exception as error:
        report.check(False, f"{where}: {error}: {text[:80]}")
        return
    stack = []
    for t in tokens:
        if t.type == Token.FUNC and t.subtype == Token.OPEN:
            name = t.value[:-1].upper()
            report.functions[name] = report.functions.get(name, 0) + 1
            report.check(name in ALLOWED, f"{where}: function {name}")
            stack.append([name, 0])
        elif t.type == Token.PAREN and t.subtype == Token.OPEN:
            stack.append(["", 0])
        elif t.subtype == Token.CLOSE:
            report.check(bool(stack), f"{where}: a parenthesis too many")
            stack = stack[:-1]
        elif t.type == Token.SEP and t.subtype == Token.ARG and stack:
            stack[-1][1] += 1
            report.check(stack[-1][1] < MOST_ARGUMENTS, f"{where}: more than {MOST_ARGUMENTS} arguments")
        elif t.type == Token.ARRAY:
            report.check(False, f"{where}: an array {t.value}")
        elif t.type == Token.OPERAND and t.subtype == Token.ERROR:
            report.check(False, f"{where}: an error value {t.value}")
        elif t.type == Token.OPERAND and t.subtype == Token.RANGE:
            check_reference(report, where, t, names, sheets)
            if is_area(t):
                report.check(takes_range(stack), f"{where}: {t.value} where one cell is wanted: {text[:120]}")
        report.check(len(stack) <= MOST_NESTED, f"{where}: {len(stack)} levels")
    report.check(not stack, f"{where}: a parenthesis is not closed: {text[:80]}")


def check_reference(report, where, token, names, sheets):
    sheet, _, cell = token.value.rpartition("!")
    if sheet:
        report.check(sheet.strip("'").replace("''", "'") in sheets, f"{where}: no sheet {sheet}")
    elif ":" not in cell and not LIKE_A_CELL.match(cell):
        report.check(cell in names, f"{where}: no name {cell}")


# ---- one workbook ----------------------------------------------------------------

def check_names(report, archive, sheets):
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    seen, out = set(), set()
    for name in book.iter(live.NS + "definedName"):
        text, scope = name.get("name"), name.get("localSheetId")
        report.check((scope, text.lower()) not in seen, f"name {text} is defined twice")
        seen.add((scope, text.lower()))
        if not text.startswith("_xlnm."):
            out.add(text)
            report.check(NAME.match(text) is not None and len(text) < 256 and not LIKE_A_CELL.match(text),
                         f"name {text} is none that Excel takes")
        for sheet in re.findall(r"'((?:[^']|'')+)'!", name.text):
            report.check(sheet.replace("''", "'") in sheets, f"name {text}: no sheet {sheet}")
        report.check("#REF!" not in name.text, f"name {text}: {name.text}")
    for sheet in sheets:
        report.check(0 < len(sheet) <= 31 and not re.search(r"[\[\]:*?/\\]", sheet)
                     and not sheet.startswith("'") and not sheet.endswith("'"), f"sheet {sheet!r}")
    report.check(len({s.lower() for s in sheets}) == len(sheets), "two sheets have the same name")
    return out


def check_cell(report, where, cell, strings, names, sheets):
    """True where it holds a formula."""
    formula, value, kind = cell.find(live.NS + "f"), cell.find(live.NS + "v"), cell.get("t")
    report.check(kind in (None, "n", "s", "str", "b"), f"{where}: type {kind}")
    if kind in (None, "n") and value is not None:
        x = float(value.text)
        report.check(math.isfinite(x) and abs(x) < 9.99e307, f"{where}: {value.text}")
    elif kind in ("s", "str"):
        text = live.value_of(cell, strings)
        report.check(not live.is_error(text) and len(text) <= 32767, f"{where}: {text[:40]!r}")
        report.check(kind != "str" or formula is not None, f"{where}: a text of no formula stands alone")
    if formula is None:
        return False
    report.check(formula.get("t") is None and formula.get("ref") is None, f"{where}: an array or shared formula")
    report.check(value is not None, f"{where}: a formula without its value")
    check_formula(report, where, formula.text or "", names, sheets)
    return True


def check_parts(report, path):
    """Returns {(sheet, cell): formula}."""
    formulas = {}
    with zipfile.ZipFile(path) as archive:
        report.check(archive.testzip() is None, "a damaged part")
        for part in archive.namelist():
            if part.endswith((".xml", ".rels", ".vml")):
                ElementTree.fromstring(archive.read(part))
        sheets = dict(live.sheets_of(archive))
        names, strings = check_names(report, archive, sheets), live.strings_of(archive)
        for name, part in sheets.items():
            root = ElementTree.fromstring(archive.read(part))
            for cell in root.iter(live.NS + "c"):
                at = name, cell.get("r")
                if check_cell(report, f"{name}!{at[1]}", cell, strings, names, sheets):
                    formulas[at] = cell.find(live.NS + "f").text
            for kind in ("dataValidation", "cfRule"):
                for rule in root.iter(live.NS + kind):
                    for f in rule:
                        if f.tag.rpartition("}")[2] in ("formula1", "formula2", "formula") and f.text and rule.get("type") != "list":
                            check_formula(report, f"{name}, {kind}", f.text, names, sheets)
            for rule in root.iter(live.NS + "dataValidation"):
                for key, most in (("promptTitle", 32), ("errorTitle", 32), ("prompt", 255), ("error", 255)):
                    report.check(len(rule.get(key, "")) <= most, f"{name}, {rule.get('sqref')}: {key} is too long")
    return formulas


# ---- round trips -----------------------------------------------------------------

def without_marks(text):
    return re.sub(r"\s+", "", text or "")


def check_openpyxl(report, path, formulas, folder):
    """Loaded and saved it holds the same formulas."""
    book = openpyxl.load_workbook(path)
    target = os.path.join(folder, "saved.xlsx")
    seen = 0
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                is_formula = cell.data_type == "f"
                seen += is_formula
                if is_formula != ((sheet.title, cell.coordinate) in formulas):
                    report.check(False, f"openpyxl: {sheet.title}!{cell.coordinate} is {cell.value!r}")
    report.check(seen == len(formulas), f"openpyxl: {seen} formulas of {len(formulas)}")
    book.save(target)
    return target


def check_libreoffice(report, label, path, cells, folder, written):
    """What LibreOffice makes of it is what was written."""
    found = live.recalculate([path], os.path.join(folder, "office"))[0]
    report.check(found is not None, f"{label}: LibreOffice did not write it")
    if found is None:
        return 0
    again = live.read(found)
    count, _, differing = live.compare(cells, again, only_formulas=False)
    report.check(not differing, f"{label}: {len(differing)} cells differ")
    if differing:
        live.show(label, differing, 4)
    formulas = {at for at, (f, _) in again.items() if f}
    report.check(formulas == set(written), f"{label}: formulas {sorted(formulas ^ set(written))[:4]}")
    return count


# ---- records that look like formulas -----------------------------------------------

def write_hostile(shipped, folder):
    """Models and cards whose names, ids and words are those of HOSTILE; the
    models of OWN_IDS, as options."""
    data, options = os.path.join(folder, "data"), []
    for kind, source in (("models", "llama-3-1-8b"), ("accelerators", "nvidia-rtx-4090")):
        os.makedirs(os.path.join(data, kind))
        with open(os.path.join(shipped, kind, source + ".json")) as file:
            record = json.load(file)
        for text, own in zip(HOSTILE, IDS):
            words = {key: text for key in ("name", "vendor", "family", "license", "hf_repo", "memory_type")}
            with open(os.path.join(data, kind, own + ".json"), "w") as out:
                json.dump({**record, **{k: v for k, v in words.items() if k in record}, "id": own}, out)
    with open(os.path.join(shipped, "models", "deepseek-v3.json")) as file:
        record = json.load(file)
    for i, own in enumerate(OWN_IDS):
        with open(os.path.join(folder, f"own-{i}.json"), "w") as out:
            json.dump({**record, "id": own, "name": own}, out)
        options += ["--own", os.path.join(folder, f"own-{i}.json")]
    return data, options


def check_hostile(report, program, folder):
    data, options = write_hostile(os.path.join(os.path.dirname(os.path.abspath(program)), "..", "data"), folder)
    path = os.path.join(folder, "hostile.xlsx")
    live.export(program, path, {"model": IDS[5], "card": IDS[5], "model_1": OWN_IDS[0],
                                "model_2": OWN_IDS[4], "card_2": IDS[0]},
                (*options, "--models", ",".join(IDS), "--cards", ",".join(IDS)), {"LLMENV_DATA": data})
    formulas = check_parts(report, path)
    cells = live.read(path)
    held = {}
    for at, (_, value) in cells.items():
        held.setdefault(value, []).append(at)
    for texts, least in ((HOSTILE, 2), (IDS, 20), (OWN_IDS, 20)):
        for text in (t.replace("\n", "?") for t in texts):   # no control character is shown
            report.check(len(held.get(text, ())) >= least, f"hostile: {text!r} stands in {held.get(text, ())} only")
    # Of what a formula says nothing is a record's: it points at the cell.
    words = [t for t in HOSTILE + OWN_IDS if t not in ("in_card", "A1", "=NA()")]
    words += [t.replace('"', '""') for t in words if '"' in t]
    for at, formula in formulas.items():
        inside = [t for t in words if t in formula]
        report.check(not inside, f"hostile: {at} is {formula[:80]}, with {inside}")
    return path, formulas, cells


def used():
    """Seconds of processor time of what was run: other work does not count."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/llmenv"
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        path, best = os.path.join(folder, "llmenv.xlsx"), math.inf
        for _ in range(3):
            begun = used()
            live.export(program, path)
            best = min(best, used() - begun)
        size = os.path.getsize(path)
        report.check(size < MOST_BYTES, f"{size} bytes")
        report.check(best < MOST_SECONDS, f"written in {best:.1f} s")
        formulas = check_parts(report, path)
        cells = live.read(path)
        saved = check_openpyxl(report, path, formulas, folder)
        cut = check_libreoffice(report, "saved by openpyxl, then by LibreOffice", saved, cells, folder, formulas)
        hostile = check_hostile(report, program, folder)
        cut += check_libreoffice(report, "hostile records", hostile[0], hostile[2], folder, hostile[1])
    print("functions:", ", ".join(sorted(report.functions)))
    print(f"{len(formulas)} + {len(hostile[1])} formulas, {len(report.functions)} functions, {cut} cells after round trips, "
          f"{size / 1e6:.1f} MB in {best:.1f} s, {report.checks} checks, {report.bad} bad")
    return 1 if report.bad or not formulas or not hostile[1] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except live.Failed as failed:
        sys.exit(f"check_safe.py: {failed}")
