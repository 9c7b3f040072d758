#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the workbook back with openpyxl and with LibreOffice, and hold every
cell of every sheet against what the command prints as JSON.

    check_workbook.py [PROGRAM] [--workbook FILE] [OPTION...]

PROGRAM is build/llmenv unless given; OPTIONs go to it (--card nvidia-rtx-4090
--kv-type q8_0).  Without --workbook one is written first, of formulas whose
cached values are read, or with --values among the OPTIONs of values; without
options too, those of VARIANTS.
Exit status: 0 good, 1 something differs.
Needs python3-openpyxl and libreoffice-calc.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import openpyxl
from openpyxl.utils import range_boundaries

CAPTION, HEADER = 2, 5                 # rows that every table sheet has, from 1
TOLERANCE = 1e-12
GB = {"bytes": 1e-9}
NUMBER = re.compile(r"-?\d+(\.\d+)?$")
OWN_SHEETS = ("charts", "models overview", "cards overview", "both conventions")
# What only the workbook of formulas has.
LIVE_SHEETS = ("Inputs", "What-if", "Own model", "Data models", "Data cards", "Data lists",
               "Calc models", "Calc cards", "Calc tables")
VARIANTS = ([], ["--values"],
            ["--models", "deepseek-v3,llama-3-1-8b,gemma-3-27b,gpt-4-1", "--cards", "nvidia-rtx-4090,nvidia-h20"],
            ["--values", "--models", "qwen3-8b", "--tables", "ridge,dense,gemma4_kv,corrections,models_overview,charts"])


# ---- what the command says ---------------------------------------------------

class Command:
    def __init__(self, program, options):
        self.program, self.options, self.cache = program, options, {}

    def json(self, *arguments, without=()):
        options, skip = [], False
        for word in self.options:
            if skip:
                skip = False
            elif word in without:
                skip = True
            else:
                options.append(word)
        key = (arguments, tuple(options))
        if key not in self.cache:
            run = subprocess.run([self.program, *arguments, *options, "--json"],
                                 capture_output=True, text=True)
            if run.returncode != 0:
                raise SystemExit(f"{' '.join(arguments)}: {run.stderr.strip()}")
            self.cache[key] = json.loads(run.stdout)
        return self.cache[key]

    def option(self, name, default):
        return (self.options[self.options.index(name) + 1]
                if name in self.options else default)

    def list(self, name):
        """Of --models, --cards or --tables; None where it is not given."""
        text = self.option(name, None)
        return text.split(",") if text else None

    def rank(self, quantity, *more, without=()):
        """Values by id."""
        table = self.json("rank", quantity, *more, without=without)
        return {row["id"]: {"reason": row["reason"]} if row["reason"] else row["value"]
                for row in table["rows"]}

    def unit(self, quantity):
        return {row["quantity"]: row["unit"]
                for row in self.json("table", "quantities")["rows"]}[quantity]

    def tables(self):
        """Groups by name."""
        return {row["table"]: row["group"] for row in self.json("table")["rows"]}


def scaled(value, by):
    return value * by if isinstance(value, (int, float)) else value


# ---- the two readers ---------------------------------------------------------

def read_openpyxl(path):
    book = openpyxl.load_workbook(path, data_only=True)
    return book, {sheet.title: {(c.row, c.column): c.value for row in sheet.iter_rows()
                                for c in row if c.value is not None}
                  for sheet in book}


def name_of(tag):
    return tag.rsplit("}", 1)[-1]


def attribute(element, name):
    for key, value in element.attrib.items():
        if name_of(key) == name:
            return value
    return None


def fods_text(element):
    """Its text; a run of blanks is an element of its own."""
    text = " " * int(attribute(element, "c") or 1) if name_of(element.tag) == "s" else ""
    text += element.text or ""
    return text + "".join(fods_text(e) + (e.tail or "") for e in element)


def fods_value(cell):
    kind = attribute(cell, "value-type")
    if kind is None:
        return None
    if kind in ("float", "percentage", "currency"):
        return float(attribute(cell, "value"))
    return "\n".join(fods_text(p) for p in cell if name_of(p.tag) == "p")


def fods_rows(table):
    """Its rows, not those of charts on it."""
    for element in table:
        if name_of(element.tag) == "table-row":
            yield element
        elif name_of(element.tag) in ("table-header-rows", "table-rows", "table-row-group"):
            yield from fods_rows(element)


def fods_cells(table):
    cells, row = {}, 1
    for r in fods_rows(table):
        column = 1
        for c in r:
            if name_of(c.tag) not in ("table-cell", "covered-table-cell"):
                continue
            value = fods_value(c)
            if value is not None:
                for i in range(int(attribute(c, "number-columns-repeated") or 1)):
                    cells[row, column + i] = value
            column += int(attribute(c, "number-columns-repeated") or 1)
        repeated = int(attribute(r, "number-rows-repeated") or 1)
        for at in [at for at in cells if at[0] == row]:
            for i in range(1, repeated):
                cells[row + i, at[1]] = cells[at]
        row += repeated
    return cells


def read_fods(path):
    body = next(e for e in ElementTree.parse(path).getroot().iter() if name_of(e.tag) == "spreadsheet")
    return {attribute(t, "name"): fods_cells(t) for t in body if name_of(t.tag) == "table"}


def read_libreoffice(path, folder):
    subprocess.run(["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless",
                    "--convert-to", "fods", "--outdir", folder, path],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stem = os.path.splitext(os.path.basename(path))[0]
    return read_fods(os.path.join(folder, stem + ".fods"))


# ---- comparing ---------------------------------------------------------------

class Report:
    def __init__(self):
        self.cells = self.differ = self.checks = 0

    def fail(self, text):
        self.differ += 1
        if self.differ <= 40:
            print("differs:", text)

    def check(self, good, text):
        self.checks += 1
        if not good:
            self.fail(text)


def near(a, b):
    return (isinstance(a, (int, float)) and not isinstance(a, bool)
            and abs(a - b) <= TOLERANCE * max(abs(a), abs(b)))


def ways(value, want):
    """How VALUE of a sheet agrees with WANT of the command: as the number, or
    cut to a whole one as the table shows it."""
    if isinstance(want, dict):
        return {"number", "floor", "ceil"} if value == want["reason"] else set()
    if want is None or want == "":
        return {"number", "floor", "ceil"} if value is None else set()
    if isinstance(want, str):
        if NUMBER.match(want):
            want = float(want)
            return {"number", "floor", "ceil"} if near(value, want) else set()
        return {"number", "floor", "ceil"} if value == want else set()
    return {way for way, x in (("number", want), ("floor", math.floor(want)),
                               ("ceil", math.ceil(want))) if near(value, x)}


def compare_column(report, readers, sheet, column, top, wanted, label):
    """Cells below TOP against WANTED: one way of agreeing for all of them."""
    report.cells += len(wanted)
    for reader, cells in readers.items():
        ways_of_all = {"number", "floor", "ceil"}
        for i, want in enumerate(wanted):
            value = cells[sheet].get((top + i, column))
            agrees = ways(value, want) & ways_of_all
            if agrees:
                ways_of_all = agrees
            else:
                report.fail(f"{sheet}, row {top + i}, {label}: {reader} reads {value!r}, want {want!r}")


def compare_header(report, readers, sheet, row, columns):
    for reader, cells in readers.items():
        for i, (name, unit) in enumerate(columns):
            want = f"{name}\n[{unit}]" if unit else name
            report.check(cells[sheet].get((row, i + 1)) == want,
                         f"{sheet}: header {i + 1} is {cells[sheet].get((row, i + 1))!r} by {reader}, want {want!r}")
        report.check((row, len(columns) + 1) not in cells[sheet], f"{sheet}: more columns than the table has")


def compare_rows(report, readers, sheet, row, columns, rows):
    compare_header(report, readers, sheet, row, columns)
    for i, (name, unit) in enumerate(columns):
        compare_column(report, readers, sheet, i + 1, row + 1, [r[name] for r in rows], name)


def compare_end(report, readers, sheet, last):
    for reader, cells in readers.items():
        below = [at for at in cells[sheet] if at[0] > last]
        report.check(not below, f"{sheet}: cells below the table by {reader}: {below[:3]}")


def compare_table(report, readers, sheet, table):
    columns = [(c["name"], c["unit"]) for c in table["columns"]]
    compare_rows(report, readers, sheet, HEADER, columns, table["rows"])
    compare_end(report, readers, sheet, HEADER + len(table["rows"]))
    for reader, cells in readers.items():
        report.check(cells[sheet].get((1, 1)) == table["title"], f"{sheet}: title by {reader}")
        report.check(cells[sheet].get((CAPTION, 1)) == table["caption"], f"{sheet}: caption by {reader}")


def compare_joined(report, readers, sheet, first, ids, columns):
    """COLUMNS: (name, unit, values by id)."""
    rows = [{first: i, **{name: values[i] for name, unit, values in columns}} for i in ids]
    compare_rows(report, readers, sheet, HEADER, [(first, "")] + [(n, u) for n, u, _ in columns], rows)
    compare_end(report, readers, sheet, HEADER + len(rows))


def joined_column(command, quantity, name, *more, without=()):
    unit = command.unit(quantity)
    by = GB.get(unit, 1)
    values = {i: scaled(v, by) for i, v in command.rank(quantity, *more, without=without).items()}
    return name, "GB" if by != 1 else unit, values


def compare_overviews(report, readers, command, model):
    def header(sheet):
        cells = readers["openpyxl"][sheet]
        out = []
        for column in range(2, 60):
            text = cells.get((HEADER, column))
            if text is None:
                return out
            out.append(text.split("\n")[0])
        return out
    models = [r["id"] for r in command.json("table", "models")["rows"]]
    cards = [r["id"] for r in command.json("table", "cards")["rows"]]
    quantities = [r["quantity"] for r in command.json("table", "quantities")["rows"]]
    sheets = readers["openpyxl"]
    if "models overview" in sheets:
        report.check(header("models overview") == [q for q in quantities if q != "ridge"],
                     "models overview: a column for each quantity")
        compare_joined(report, readers, "models overview", "model", models,
                       [joined_column(command, q, q, without=("--model",)) for q in header("models overview")])
    if "cards overview" in sheets:
        compare_joined(report, readers, "cards overview", "card", cards,
                       [joined_column(command, q, q, "--model", model, without=("--model",))
                        for q in header("cards overview")])
    if "both conventions" in sheets:
        compare_joined(report, readers, "both conventions", "model", models,
                       [joined_column(command, h.split(" ")[0], h, "--convention", h.split(" ")[1],
                                      without=("--model", "--convention"))
                        for h in header("both conventions")])


# ---- lists -------------------------------------------------------------------

# Columns that say which model or card a row is about, and those whose figures
# depend on the other rows.
MODEL, CARD, RELATIVE = ("id", "model"), ("id", "card", "part"), ("rank", "times_vs_worst")
DOCUMENTS = ("misprints", "claims_000", "claims_003")


def is_listed(row, models, cards, ids):
    """IDS: all models and all cards."""
    for listed, every, columns in ((models, ids[0], MODEL), (cards, ids[1], CARD)):
        for column in columns:
            if listed is not None and row.get(column) in every and row[column] not in listed:
                return False
    return True


def compare_lists(report, command, model, card):
    """Narrowed tables are the rows of the whole ones that are listed."""
    models, cards = command.list("--models"), command.list("--cards")
    lists = ("--models", "--cards", "--model", "--card")
    ids = [{r["id"] for r in command.json("table", kind, without=lists)["rows"]} for kind in ("models", "cards")]
    for name, group in command.tables().items():
        # Document 000's tables are about the model and card that are named.
        more = () if group == "document 000" else ("--model", model, "--card", card)
        whole = command.json("table", name, *more, without=lists)["rows"]
        part = command.json("table", name)["rows"]
        want = whole if name in DOCUMENTS else [r for r in whole if is_listed(r, models, cards, ids)]
        strip = lambda rows: [{k: v for k, v in r.items() if k not in RELATIVE} for r in rows]
        report.check(strip(part) == strip(want), f"table {name}: its {len(part)} rows are not the {len(want)} listed")
        for i, row in enumerate(part):
            report.check(row.get("rank", i + 1) == i + 1, f"table {name}: rank {row.get('rank')} in row {i + 1}")


# ---- blocks behind charts ----------------------------------------------------

def blocks_of(cells):
    """(title, row of the header, header texts, number of rows)."""
    rows = {r for r, _ in cells}
    row, last, out = HEADER, max(rows), []
    while row <= last:
        title, header, column = cells[row, 1], [], 1
        while (row + 1, column) in cells:
            header.append(cells[row + 1, column])
            column += 1
        n = 0
        while row + 2 + n in rows:
            n += 1
        out.append((title, row + 1, header, n))
        row += n + 3
    return out


def head(text):
    return text.split("\n")[0]


def curve_rows(command, title, header, xs, model, card):
    """Wanted rows of a curve block, or None when TITLE is none."""
    match = re.match(r"(\w+?)( of each sequence)? by (context|batch)$", title)
    if not match:
        return None
    quantity = match[1]
    of_cards = quantity in ("capacity", "throughput")
    more, drop = (("--model", model), ("--model",)) if of_cards else ((), ("--model",))
    by = GB.get(command.unit(quantity), 1)
    rows = []
    for x in xs:
        at = ("--context" if match[3] == "context" else "--batch", repr(x))
        values = command.rank(quantity, *more, *at, without=drop + (at[0],))
        room = command.rank("capacity", *more, without=drop) if match[3] == "batch" else None
        row = {head(header[0]): x}
        for text in header[1:]:
            name = head(text)
            if name == "memory of the card":
                row[name] = next(r["memory_gb"] for r in command.json("table", "cards")["rows"] if r["id"] == card)
            elif name == "ridge of the card":
                row[name] = command.rank("ridge", without=drop)[card]
            elif room is not None and not (isinstance(room[name], (int, float)) and room[name] >= x):
                row[name] = {"reason": "does not fit"}
            else:
                row[name] = scaled(values[name], by / x if match[2] else by)
        rows.append(row)
    return rows


def type_rows(command, title, header, types, model, card):
    match = re.match(r"(\w+) by KV type$", title)
    if not match:
        return None
    rows = []
    for kv in types:
        shown = command.json("show", model, card, "--kv-type", kv,
                             without=("--model", "--card", "--kv-type", "--k-type", "--v-type"))
        value = next({"reason": r["reason"]} if r["reason"] else r["value"]
                     for r in shown["rows"] if r["quantity"] == match[1])
        rows.append({head(header[0]): kv, head(header[1]): value})
    return rows


def ranked_rows(command, title, header, ids, model):
    match = re.match(r"(\w+) by (card|model)$", title)
    if match:
        more = ("--model", model) if match[2] == "card" else ()
        values = command.rank(match[1], *more, without=("--model",))
        order = sorted((v for v in values.values() if isinstance(v, (int, float)) and v > 0),
                       reverse=match[1] != "l_wall")[:15]
        return [{head(header[0]): i, head(header[1]): v} for i, v in zip(ids, order)
                if near(values[i], v)]
    if title != "walls that the convention moves most":
        return None
    both = [command.rank("l_wall", "--convention", c, without=("--model", "--convention"))
            for c in ("published", "layered")]
    return [{head(header[0]): i, head(header[1]): both[0][i], head(header[2]): both[1][i]} for i in ids]


CONTEXTS = {8192: "8k", 32768: "32k", 131072: "128k", 1048576: "1m", 1024: "1k"}


def turned_rows(command, title, header, firsts):
    """Blocks that bring a long table's rows beside each other."""
    match = re.match(r"(\w+) of (\w+)( layered)?$", title)
    if not match:
        return None
    table = command.json("table", match[2], "--convention", "layered" if match[3] else "published",
                         without=("--convention",))["rows"]
    rows = []
    for first in firsts:
        row = {head(header[0]): first}
        for name in map(head, header[1:]):
            if isinstance(first, (int, float)):
                row[name] = next(r[f"{match[1]}_{CONTEXTS[first]}"] for r in table if r["id"] == name)
            else:
                row[name] = next(
                    (r[match[1]] for r in table
                     if first == (r["card"] if r["count"] == 1 else f"{r['count']} x {r['card']}")
                     and name == ", ".join([r["model"], f"{r['weight_bytes'] / 1e9:.2f} GB"]
                                           + ([r["kv_type"]] if "kv_type" in r else []))), None)
        rows.append(row)
    return rows


def compare_blocks(report, readers, command, model, card):
    cells = readers["openpyxl"]["chart data"]
    for title, row, header, n in blocks_of(cells):
        firsts = [cells[row + 1 + i, 1] for i in range(n)]
        wanted = (curve_rows(command, title, header, firsts, model, card)
                  or type_rows(command, title, header, firsts, model, card)
                  or ranked_rows(command, title, header, firsts, model)
                  or turned_rows(command, title, header, firsts))
        report.check(n == 0 or bool(wanted) and len(wanted) == n, f"chart data: block '{title}' is what it says")
        for i, text in enumerate(header if wanted else []):
            compare_column(report, readers, "chart data", i + 1, row + 1, [w[head(text)] for w in wanted],
                           f"{title}: {head(text)}")


# ---- form --------------------------------------------------------------------

def check_sheet(report, sheet, cells, names):
    title = sheet.title
    filled = [at for at in cells if at[0] >= HEADER]
    last_row, last_column = max(r for r, _ in filled), max(c for _, c in filled)
    first_text = 2 if cells[HEADER, 1] == "rank" or cells[HEADER, 2] == "key" else 1
    pane = sheet.freeze_panes
    report.check(pane == f"{'ABC'[first_text]}{HEADER + 1}", f"{title}: panes frozen at {pane}")
    # A live exceed80 has rows to spare, blank until more models qualify.
    left, top, right, bottom = range_boundaries(sheet.auto_filter.ref or "A1:A1")
    report.check((left, top, right) == (1, HEADER, last_column)
                 and (bottom == last_row or title.startswith("exceed80") and bottom > last_row),
                 f"{title}: filter over {sheet.auto_filter.ref}")
    for column in range(1, last_column + 1):
        comment = sheet.cell(HEADER, column).comment
        report.check(comment is not None and len(comment.text.split(": ", 1)[-1]) >= 3,
                     f"{title}: no note on header {column}")
    report.check(sheet.print_title_rows in (f"{HEADER}:{HEADER}", f"${HEADER}:${HEADER}"), f"{title}: repeated rows {sheet.print_title_rows}")
    for (row, column), value in cells.items():
        if row > HEADER:
            check_width(report, sheet, row, column, value)
    # Rows with a unit of their own: bytes are whole.
    columns = {cells[HEADER, c]: c for c in range(1, last_column + 1)}
    for row in range(HEADER + 1, last_row + 1) if "unit" in columns else ():
        for name in ("published", "layered", "value"):
            if cells.get((row, columns["unit"])) == "bytes" and name in columns:
                cell = sheet.cell(row, columns[name])
                report.check("." not in cell.number_format, f"{title}: {cell.coordinate} shows {cell.number_format} bytes")


def shown_length(cell, value):
    if not isinstance(value, (int, float)):
        return 0 if cell.alignment.wrap_text else len(str(value))
    decimals = cell.number_format.partition(".")[2].count("0")
    return len(f"{value:,.{decimals}f}")


def check_width(report, sheet, row, column, value):
    width = sheet.column_dimensions[openpyxl.utils.get_column_letter(column)].width
    cell = sheet.cell(row, column)
    if isinstance(value, (int, float)):
        report.check("#,##0" in cell.number_format or cell.number_format == "0" and 1990 <= value < 2100, f"{sheet.title}: {cell.coordinate} has format {cell.number_format}")
    report.check(shown_length(cell, value) <= width,
                 f"{sheet.title}: {cell.coordinate} does not fit a width of {width}")


def check_all_sheets(report, book):
    names = set(book.sheetnames)
    for sheet in book:
        if sheet.sheet_state != "visible":   # behind the formulas: nobody prints it
            report.check(sheet.title.startswith(("Data ", "Calc ")), f"{sheet.title}: hidden")
            continue
        report.check(sheet.page_setup.orientation == "landscape", f"{sheet.title}: orientation")
        wide = sheet.page_setup.fitToWidth or 1
        report.check(sheet.sheet_properties.pageSetUpPr.fitToPage and sheet.page_setup.fitToHeight == 0
                     and (wide == 1 or wide < 4 and sheet.print_title_cols), f"{sheet.title}: {wide} pages wide")
        report.check(bool(sheet.print_area), f"{sheet.title}: print area")
        report.check("&P" in (sheet.oddFooter.center.text or "") and "&A" in (sheet.oddHeader.left.text or ""),
                     f"{sheet.title}: header and footer")
        report.check(sheet.sheet_properties.tabColor is not None, f"{sheet.title}: colour of the tab")
        targets = [c.hyperlink.location for row in sheet.iter_rows() for c in row if c.hyperlink]
        for target in targets:
            match = re.match(r"'([^']+)'!A1$", target or "")
            report.check(match is not None and match[1] in names, f"{sheet.title}: link to {target}")
        if sheet.title == "Contents":
            linked = {t.split("'")[1] for t in targets}
            hidden = {s.title for s in book if s.sheet_state != "visible"}
            report.check(linked == names - hidden - {"Contents"}, f"Contents: links to all sheets but {names - linked}")
            words = " ".join(str(c.value) for row in sheet.iter_rows() for c in row)
            report.check(all(name in words for name in hidden), "Contents: names no hidden sheet")
        else:
            report.check("'Contents'!A1" in targets, f"{sheet.title}: no link back")


def check_values(report, values):
    for title, cells in values.items():
        for at, value in cells.items():
            if isinstance(value, str):
                report.check(not NUMBER.match(value), f"{title}: {at} is a number stored as text: {value}")
                report.check(not re.match(r"#[A-Z/0]+[!?]?$|Err:\d", value), f"{title}: {at} is {value}")
            else:
                report.check(math.isfinite(value), f"{title}: {at} is {value}")


def check_properties(report, book):
    p = book.properties
    report.check(p.title and p.title.startswith("llmenv"), "properties: title")
    report.check(bool(p.subject) and p.creator == "llmenv", "properties: subject and author")
    report.check(p.created is not None and p.created.year == 2026 and p.created == p.modified, "properties: fixed date")
    if len(book.sheetnames) > 50:
        rules = sum(len(r.rules) for s in book for r in s.conditional_formatting)
        report.check(rules >= 20, f"{rules} conditional formats")


# ---- charts ------------------------------------------------------------------

def referenced(values, formula):
    sheet, _, cells = formula.rpartition("!")
    left, top, right, bottom = range_boundaries(cells.replace("$", ""))
    return [values.get(sheet.strip("'"), {}).get((r, c)) for r in range(top, bottom + 1) for c in range(left, right + 1)]


def check_chart(report, name, root, values, formulas):
    """FORMULAS: whether cells are: a row that follows the Inputs may become a
    word, which the chart does not remember."""
    text = lambda e: "".join(t.text or "" for t in e.iter() if name_of(t.tag) == "t")
    kinds = {name_of(e.tag) for e in root.iter()}
    series = [e for e in root.iter() if name_of(e.tag) == "ser"]
    titles = [text(e) for e in root.iter() if name_of(e.tag) == "title"]
    report.check(titles and len(titles[0]) > 8, f"{name}: title")
    report.check(len(titles) >= (2 if "barChart" in kinds else 3), f"{name} ({titles[:1]}): axis titles {titles[1:]}")
    points = 0
    for s in series:
        for part in s:
            if name_of(part.tag) not in ("val", "yVal", "cat", "xVal"):
                continue
            formula = next(e.text for e in part.iter() if name_of(e.tag) == "f")
            cells = referenced(values, formula)
            cached = [e.text for e in part.iter() if name_of(e.tag) == "v"]
            if formulas and name_of(part.tag) in ("val", "yVal"):
                cells = [c for c in cells if isinstance(c, (int, float))]
            report.check(len(cached) == len(cells), f"{name}: {formula} caches {len(cached)} of {len(cells)}")
            if name_of(part.tag) in ("val", "yVal"):
                points += len(cells)
                report.check(all(isinstance(c, (int, float)) for c in cells), f"{name}: {formula} holds no numbers only")
                for a, b in zip(cached, cells):
                    report.check(near(float(a), b), f"{name}: {formula} caches {a} for {b}")
    bars = "barChart" in kinds
    report.check(0 < len(series) <= 8, f"{name} ({titles[:1]}): {len(series)} series")
    report.check(not bars or points <= 15, f"{name} ({titles[:1]}): {points} bars")
    return "logBase" in kinds


def anchors(archive, sheet_part):
    """First row and column of each chart on the sheet, from 0."""
    rels = sheet_part.replace("worksheets/", "worksheets/_rels/") + ".rels"
    if rels not in archive.namelist():
        return []
    out = []
    for relation in ElementTree.fromstring(archive.read(rels)):
        if not relation.get("Type").endswith("/drawing"):
            continue
        drawing = ElementTree.fromstring(archive.read("xl/" + relation.get("Target").replace("../", "")))
        for start in (e for e in drawing.iter() if name_of(e.tag) == "from"):
            out.append(tuple(int(next(e.text for e in start if name_of(e.tag) == k)) for k in ("row", "col")))
    return out


def check_charts(report, path, book, values, whole, is_live):
    with zipfile.ZipFile(path) as archive:
        charts = [n for n in archive.namelist() if re.match(r"xl/charts/chart\d+\.xml$", n)]
        report.check(len(charts) >= (10 if whole else 1), f"{len(charts)} charts")
        logs = sum(check_chart(report, n, ElementTree.fromstring(archive.read(n)), values, is_live) for n in charts)
        report.check(logs >= 5 or not whole, f"{logs} charts with a logarithmic axis")
        for i, sheet in enumerate(book):
            cells = values[sheet.title]
            body = [at for at in cells if at[0] >= HEADER]
            for row, column in anchors(archive, f"xl/worksheets/sheet{i + 1}.xml"):
                report.check(not body or column >= max(c for _, c in body) or row >= max(r for r, _ in body),
                             f"{sheet.title}: a chart at row {row + 1}, column {column + 1} covers the table")
    return len(charts)


# ---- all ---------------------------------------------------------------------

def ask_ahead(command):
    """Let the command compute the tables while LibreOffice starts."""
    for name in command.list("--tables") or command.tables():
        for convention in ("published", "layered"):
            if name in command.tables():
                command.json("table", name, "--convention", convention, without=("--convention",))


def check(report, command, path, folder, is_live):
    with ThreadPoolExecutor(1) as office:
        second = office.submit(read_libreoffice, path, folder)
        book, first = read_openpyxl(path)
        ask_ahead(command)
        readers = {"openpyxl": first, "LibreOffice": second.result()}
    report.check(list(first) == list(readers["LibreOffice"]), "both readers see the same sheets")
    listed = [command.list(f"--{kind}") for kind in ("models", "cards", "tables")]
    # Where a table names no model or card, the records' ids are what rank takes.
    model = command.json("show", command.option("--model", (listed[0] or ["llama-3-1-8b"])[0]), without=("--model",))["model"]
    card = command.option("--card", (listed[1] or ["nvidia-h100-sxm"])[0])
    own = command.option("--convention", "layered")
    wanted = [name.replace("_overview", " overview").replace("both_", "both ") for name in listed[2] or []]
    seen = {"Contents"} | {name for name in OWN_SHEETS if name in wanted or not wanted}
    if any(name in first for name in OWN_SHEETS) or "chart data" in first:
        seen.add("chart data")
    for name, group in command.tables().items():
        paired = group.startswith("document") and not name.startswith("claims_")
        for sheet, convention in ([(name, "published"), (f"{name} layered", "layered")] if paired else [(name, own)]):
            table = None
            if not wanted or name in wanted:
                table = command.json("table", name, "--convention", convention, without=("--convention",))
            if table and table["rows"]:
                seen.add(sheet)
                report.check(sheet in first, f"no sheet for table {name}")
                if sheet in first:
                    compare_table(report, readers, sheet, table)
            elif table:
                said = [v for v in first["Contents"].values() if str(v).startswith("Left out")]
                report.check(said and re.search(rf"\b{name}\b", said[0]), f"Contents: does not say that {name} is left out")
    live = "Inputs" in first
    seen |= set(LIVE_SHEETS) if live else set()
    report.check(live == is_live, "formulas: " + ("none" if is_live else "some"))
    report.check(seen == set(first), f"sheets: {seen ^ set(first)}")
    if listed[0] or listed[1]:
        compare_lists(report, command, model, card)
    compare_overviews(report, readers, command, model)
    if "chart data" in first:
        compare_blocks(report, readers, command, model, card)
    check_all_sheets(report, book)
    for cells in readers.values():
        check_values(report, cells)
    for sheet in book:
        if sheet.title not in ("Contents", "charts", "chart data", *LIVE_SHEETS):
            check_sheet(report, sheet, first[sheet.title], set(first))
    check_properties(report, book)
    return check_charts(report, path, book, first, not any(listed), is_live), len(first)


def main():
    words = sys.argv[1:]
    program = words.pop(0) if words and not words[0].startswith("-") else "build/llmenv"
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--workbook")
    arguments, options = parser.parse_known_args(words)
    sheets = charts = 0
    report = Report()
    for variant in [options] if options or arguments.workbook else VARIANTS:
        command = Command(os.path.abspath(program), [o for o in variant if o != "--values"])
        with tempfile.TemporaryDirectory() as folder:
            path = arguments.workbook
            if path is None:
                path = os.path.join(folder, "llmenv.xlsx")
                subprocess.run([command.program, "report", path, *variant], check=True)
            more = check(report, command, os.path.abspath(path), folder, "--values" not in variant)
            charts, sheets = charts + more[0], sheets + more[1]
    print(f"{report.cells} cells compared by 2 readers, {report.differ} differ "
          f"({sheets} sheets, {charts} charts, {report.checks} checks of form)")
    return 1 if report.differ or report.cells == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
