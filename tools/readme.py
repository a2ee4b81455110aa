#!/usr/bin/env python3
"""readme.py [SIGWHY]   runs the commands that README.md and docs/casebook.md
show, and puts what they print in place of what is there:

    <!-- report:begin FOLDER: sigwhy COMMAND... -->
        ...
    <!-- report:end -->

The command runs in a copy of FOLDER (`.`: in the tree itself), with `sigwhy`
and Debian's python3; `FOLDER in 300 MiB` in a control group of that limit.
"""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "lab"))
from stage import memory_limit  # noqa: E402

PAGES = ("README.md", "docs/casebook.md")
BLOCK = re.compile(r"<!-- report:begin (\S+(?: in \d+ MiB)?): sigwhy (.*?) -->\n"
                   r".*?<!-- report:end -->", re.S)


def main():
    sigwhy = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/sigwhy")
    for page in (ROOT / name for name in PAGES):
        text = page.read_text()
        page.write_text(BLOCK.sub(
            lambda block: filled(sigwhy.resolve(), *block.groups()), text))


def filled(sigwhy, folder, command):
    told = "\n".join(f"    {line}".rstrip()
                     for line in output(sigwhy, folder, command).splitlines())
    return (f"<!-- report:begin {folder}: sigwhy {command} -->\n"
            f"{told}\n<!-- report:end -->")


def output(sigwhy, folder, command):
    folder, _, limit = folder.partition(" in ")
    mib = int(limit.split()[0]) if limit else 0
    with tempfile.TemporaryDirectory() as scratch, memory_limit.of(mib) as enter:
        place = ROOT
        if folder != ".":
            place = Path(scratch, "place")
            shutil.copytree(ROOT / folder, place)
        ended = subprocess.run(
            [*enter, sigwhy, *shlex.split(command)], cwd=place, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={"PATH": "/usr/bin:/bin", "SIGWHY_DIR": f"{scratch}/cases",
                 "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"})
    if "sigwhy:" not in ended.stdout:
        sys.exit(f"sigwhy {command} printed no report:\n{ended.stdout}")
    return ended.stdout.strip()


if __name__ == "__main__":
    main()
