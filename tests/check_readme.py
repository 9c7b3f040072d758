#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The README's examples: the Octave block prints what the README says it does,
every command line works, every path and function that it names exists.

usage: check_readme.py [path of the llmenv command]"""
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OCTAVE = ["octave-cli", "--quiet", "--no-init-file", "--no-history", "--eval"]


def blocks(text):
    return re.findall(r"```(\w*)\n(.*?)```", text, re.S)


def octave_block(found):
    """Problems of the Octave block and the output block that follows it."""
    for (kind, code), (_, printed) in zip(found, found[1:]):
        if kind == "octave":
            run = subprocess.run(OCTAVE + [code], cwd=ROOT, capture_output=True, text=True, timeout=120)
            if run.stdout.strip() != printed.strip():
                return ["octave example prints\n%s%s" % (run.stdout, run.stderr)]
            return []
    return ["no octave example"]


def shell_lines(found):
    problems, count = [], 0
    for kind, code in found:
        for line in code.splitlines() if kind == "sh" else []:
            line = line.split("  #")[0].strip()
            if not line.startswith("build/llmenv"):
                continue
            count += 1
            run = subprocess.run(shlex.split(line), cwd=ROOT, capture_output=True, text=True, timeout=120)
            if run.returncode != 0 or not run.stdout:
                problems.append("%s: exit %d %s" % (line, run.returncode, run.stderr))
    return problems, count


def names(text):
    """Functions and paths that do not exist."""
    problems, count = [], 0
    for name in sorted(set(re.findall(r"\bllmenv_\w+(?= \()", text))):
        count += 1
        if not os.path.exists(os.path.join(ROOT, "octave", name + ".m")):
            problems.append("no function " + name)
    for path in sorted(set(re.findall(r"`((?:core|mex|octave|export|data|tests)/[\w/.-]*)`", text))):
        count += 1
        if not os.path.exists(os.path.join(ROOT, path)):
            problems.append("no file " + path)
    return problems, count


def main():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as handle:
        text = handle.read()
    found = blocks(text)
    problems = octave_block(found)
    shell, lines = shell_lines(found)
    named, count = names(text)
    problems += shell + named
    for problem in problems:
        print(problem)
    print("README: 1 Octave example, %d commands, %d names, %d wrong" % (lines, count, len(problems)))
    return 1 if problems or lines == 0 or count == 0 else 0


sys.exit(main())
