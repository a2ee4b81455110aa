#!/usr/bin/env python3
"""What it takes to tell what ate the memory of a killed program, and what the
profilers that are run in its place take and name.

    memory.py [--sigwhy build/sigwhy] [--mib 8192] [--runs 5]
        -> build/bench/memory.json

The program holds 100,000 small objects and arrays. sigwhy looks once, at the
kill; memray and fil follow every allocation of a run that ends by itself (of a
run that is killed fil tells nothing, memray what its file has got).
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import setting

PROGRAM = str(setting.HERE / "programs/numpy_growth.py")
QUIET_S = 1.5  # sigwhy opens what it will need when nothing has happened so long


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sigwhy", default="build/sigwhy")
    parser.add_argument("--mib", type=int, default=8192)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    python = setting.environment("memory-peers", ["numpy", "memray", "filprofiler"],
                                 ["numpy"])
    if not python:
        sys.exit("no NumPy to measure with")
    sigwhy = os.path.abspath(options.sigwhy)
    kills = [kill(sigwhy, python, options.mib) for _ in range(options.runs)]
    bare = timed([python, PROGRAM, str(options.mib), "end"])[0]
    result = {"machine": setting.machine(), "mib": options.mib,
              "runs": options.runs, "bare_s": bare, "raw": kills,
              "sigwhy": {key: {"median": statistics.median(k[key] for k in kills),
                               "most": max(k[key] for k in kills)}
                         for key in ("stopped_ms", "report_ms")},
              "named": kills[0]["named"],
              "others": [memray(python, options.mib), fil(python, options.mib)]}
    setting.RAW.mkdir(parents=True, exist_ok=True)
    (setting.RAW / "memory.json").write_text(json.dumps(result, indent=1))
    print(json.dumps({k: result[k] for k in ("sigwhy", "named", "others", "bare_s")}, indent=1))


def kill(sigwhy, python, mib):
    with tempfile.TemporaryDirectory() as folder:
        stats, case = Path(folder, "stats"), Path(folder, "case.json")
        with subprocess.Popen(
                [sigwhy, "run", "--json", str(case), "--", python, PROGRAM, str(mib)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True,
                env={**os.environ, "SIGWHY_TEST_STATS": str(stats),
                     "SIGWHY_DIR": folder}) as process:
            process.stdout.readline()
            time.sleep(QUIET_S)
            process.communicate("\n")
        while not stats.exists() or not stats.read_text().endswith("\n"):
            time.sleep(0.01)
        use = json.loads(case.read_text())["snapshot"]["memory_use"]
        largest = use["holders"][0]
        named = (f"`{largest['name']}`, {largest['count']} arrays, "
                 f"{largest['bytes'] >> 20} MiB, {largest['function']}")
        return {**json.loads(stats.read_text()), "named": named}


def timed(command, **options):
    began = time.monotonic()
    ended = subprocess.run(command, input="\n", text=True, capture_output=True,
                           **options)
    return time.monotonic() - began, ended


def memray(python, mib):
    program = Path(python).parent / "memray"
    if not program.exists():
        return {"name": "memray", "missing": True}
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "out.bin"))
        seconds, _ = timed([str(program), "run", "-q", "-o", file, PROGRAM, str(mib), "end"])
        told, ended = timed([str(program), "summary", "--max-rows", "6", file])
        lines = [re.sub(r"\s+", " ", line) for line in ended.stdout.splitlines()
                 if "grow at" in line or "ones at" in line]
        return {"name": "memray", "run_s": seconds, "tell_s": told,
                "named": lines[0].split("at")[0].strip(" \u2502") + "()" if lines else ""}


def fil(python, mib):
    program = Path(python).parent / "fil-profile"
    if not program.exists():
        return {"name": "fil", "missing": True}
    with tempfile.TemporaryDirectory() as folder:
        seconds, ended = timed([str(program), "--no-browser", "-o", folder, "run",
                                PROGRAM, str(mib), "end"])
        told = [f for f in Path(folder).rglob("*.prof")]
        named = ""
        for file in told:
            best = max(file.read_text(errors="replace").splitlines(), default="",
                       key=lambda line: int(line.rpartition(" ")[2] or 0))
            named = best.split(";")[-1].split("/")[-1][:90]
        return {"name": "fil", "run_s": seconds, "tell_s": 0,
                "named": named or ended.stderr[-200:]}


if __name__ == "__main__":
    main()
