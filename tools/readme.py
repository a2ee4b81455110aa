#!/usr/bin/env python3
"""readme.py [SIGWHY]   puts the report of a real `sigwhy demo` into README.md,
between its two markers."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- report:begin -->", "<!-- report:end -->"


def main():
    sigwhy = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/sigwhy"
    readme = ROOT / "README.md"
    block = f"{BEGIN}\n{indented(report(sigwhy))}\n{END}"
    text = re.sub(f"{BEGIN}.*?{END}", lambda _: block, readme.read_text(),
                  flags=re.S)
    readme.write_text(text)


def report(sigwhy):
    with tempfile.TemporaryDirectory() as cases:
        told = subprocess.run(
            [sigwhy, "demo"], capture_output=True, text=True,
            env={"PATH": os.environ["PATH"], "SIGWHY_DIR": cases,
                 "LC_ALL": "C.UTF-8", "COLUMNS": "80"}).stderr
    at = told.find("sigwhy:")
    if at < 0:
        sys.exit(f"the demonstration printed no report:\n{told}")
    return told[at:].strip()


def indented(text):
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


if __name__ == "__main__":
    main()
