#!/usr/bin/env python3
"""How long `sigwhy check` takes and how much memory, on healthy environments.

    check.py [--sigwhy build/sigwhy] [--runs 7] -> build/bench/check.json
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import setting


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sigwhy", default="build/sigwhy")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    places = [("TensorFlow", setting.tensorflow_python(), "tensorflow"),
              ("PyTorch", setting.torch_python(), "torch"),
              ("Debian's Python, bare", "/usr/bin/python3", "json")]
    result = [measured(os.path.abspath(options.sigwhy), name, python, module, options.runs)
              for name, python, module in places if python]
    setting.RAW.mkdir(parents=True, exist_ok=True)
    (setting.RAW / "check.json").write_text(json.dumps(result, indent=1))
    for row in result:
        print(table_row(row))


def measured(sigwhy, name, python, module, runs):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "train.py").write_text(f"import {module}\n")
        looks = [one_look([sigwhy, "check", "--", python, "train.py"], folder) for _ in range(runs + 1)]
    warm = looks[1:]
    return {"name": name, "first_s": looks[0][0], "median_s": statistics.median(s for s, _, _ in warm),
            "most_s": max(s for s, _, _ in warm), "rss_mib": max(mib for _, mib, _ in warm), "status": warm[-1][2]}


def one_look(command, folder):
    started = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, use = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - started, use.ru_maxrss / 1024, process.returncode


def table_row(row):
    found = "nothing found" if row["status"] == 0 else f"exit {row['status']}"
    return f"| {row['name']} | {found} | {row['median_s']:.2f} s | {row['most_s']:.2f} s | {row['rss_mib']:.0f} MiB |"


def section(result):
    """For bench/table.py."""
    rows = "\n".join(map(table_row, result))
    return f"""
## Before a run

`sigwhy check` of a script that imports the framework; bounds 3 s and 100 MiB.

| environment | says | median | most | max RSS |
|---|---|---|---|---|
{rows}
"""


if __name__ == "__main__":
    sys.exit(main())
