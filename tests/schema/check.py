#!/usr/bin/env python3
"""check.py SCHEMA FOLDER...   holds every case (*.json) below the folders
against the JSON Schema, and its size against the promise of 1 MiB."""

import json
import sys
from pathlib import Path

import jsonschema

MAX_CASE_BYTES = 1 << 20


def main():
    schema_path, *folders = sys.argv[1:]
    schema = json.loads(Path(schema_path).read_text())
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    validator = kind(schema)
    cases = [p for f in folders for p in sorted(Path(f).rglob("*.json"))]
    wrong = [w for path in cases for w in objections(path, validator)]
    for sentence in wrong:
        print(sentence)
    print(f"{len(cases)} cases, {len(wrong)} objections")
    return 1 if wrong or not cases else 0


def objections(path, validator):
    size = path.stat().st_size
    if size > MAX_CASE_BYTES:
        yield f"{path}: {size} bytes, {MAX_CASE_BYTES} at most"
    try:
        case = json.loads(path.read_text())
    except ValueError as error:
        yield f"{path}: not JSON: {error}"
        return
    for error in validator.iter_errors(case):
        where = "/".join(str(part) for part in error.absolute_path)
        yield f"{path}: {where}: {error.message[:200]}"


if __name__ == "__main__":
    sys.exit(main())
