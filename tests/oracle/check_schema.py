#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Validates the records in data/models and data/accelerators against their schemas.

Needs the Debian package python3-jsonschema; without it the files are skipped and
counted. Prints one line for every fault, then "N files, M invalid".
"""

import json
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "data"
FOLDERS = {"models": "model.schema.json", "accelerators": "accelerator.schema.json"}


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def faults(validator, path):
    """Messages for one file: unreadable, against the schema, or misnamed."""
    try:
        record = load(path)
    except ValueError as error:
        return [str(error)]
    out = [f"{'/'.join(map(str, e.absolute_path)) or '(record)'}: {e.message}"
           for e in validator.iter_errors(record)]
    if isinstance(record, dict) and record.get("id") != path.stem:
        out.append(f"id: {record.get('id')!r} is not the file's name")
    return out


def main():
    files = {folder: sorted((DATA / folder).glob("*.json")) for folder in FOLDERS}
    count = sum(map(len, files.values()))
    try:
        from jsonschema import Draft7Validator
    except ImportError:
        print(f"skipped: {count} files, python3-jsonschema is not installed")
        return 0
    invalid = 0
    for folder, paths in files.items():
        if not paths:
            continue
        schema_path = DATA / "schema" / FOLDERS[folder]
        if not schema_path.exists():
            print(f"{folder}: no schema at {schema_path}")
            invalid += len(paths)
            continue
        schema = load(schema_path)
        Draft7Validator.check_schema(schema)
        validator = Draft7Validator(schema)
        for path in paths:
            messages = faults(validator, path)
            invalid += bool(messages)
            for message in messages:
                print(f"{folder}/{path.name}: {message}")
    print(f"{count} files, {invalid} invalid")
    return 1 if invalid else 0


if __name__ == "__main__":
    sys.exit(main())
