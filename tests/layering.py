#!/usr/bin/env python3
"""Holds who may include whom, and reads every #include of src/ against it.

A folder includes itself and the folders to its left. Three firewalls are
stricter: a rule cannot read a process, a renderer cannot diagnose, the store
cannot render. A third-party library appears in the one place named here, so
that it can be replaced there.
"""

import fnmatch
import re
import sys
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent / "src"

ORDER = """base evidence guard target native python inputs inventory capture
           diagnose experiment report store serve cli""".split()

FIREWALLS = {
    "diagnose": {"base", "evidence"},
    "report": {"base", "evidence"},
    "store": {"base", "evidence"},
}

# header pattern -> the files (below src/) that may include it
LIBRARIES = {
    "elfutils/*": ["native/*"],
    "libelf.h": ["native/*"],
    "gelf.h": ["native/*"],
    "dwarf.h": ["native/*"],
    "Zydis/*": ["native/*"],
    "Zycore/*": ["native/*"],
    "rapidjson/*": ["evidence/*", "inputs/*"],
    "CLI/*": ["cli/parse.cpp"],
    "toml++/*": ["cli/*"],
    "protozero/*": ["capture/tensorboard.cpp"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def main():
    files = sorted(p for p in SRC.rglob("*") if p.suffix in (".h", ".cpp"))
    wrong = [w for path in files for w in wrong_includes(path)]
    for sentence in wrong:
        print(sentence)
    print(f"{len(files)} files, {len(wrong)} wrong includes")
    return 1 if wrong else 0


def wrong_includes(path):
    name = path.relative_to(SRC).as_posix()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            objection = objection_to(name, *match.groups())
            if objection:
                yield f"src/{name}:{number}: {objection}"


def objection_to(name, bracket, header):
    """Why `name` may not include `header`; None if it may."""
    if bracket == "<":
        return library_objection(name, header)
    ours, theirs = name.split("/")[0], header.split("/")[0]
    if ours not in ORDER:
        return f"the folder {ours}/ is not in the table"
    if theirs not in ORDER:
        return f'"{header}" is not written from src/'
    if theirs == ours:
        return None
    allowed = FIREWALLS.get(ours, set(ORDER[:ORDER.index(ours)]))
    if theirs not in allowed:
        return f"{ours} may not include {theirs} ({header})"
    return None


def library_objection(name, header):
    for pattern, users in LIBRARIES.items():
        if fnmatch.fnmatchcase(header, pattern) and not any(
                fnmatch.fnmatchcase(name, user) for user in users):
            return f"<{header}> belongs to {', '.join(users)} alone"
    return None


if __name__ == "__main__":
    sys.exit(main())
