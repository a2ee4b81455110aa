#!/usr/bin/env python3
"""What reading memory over time costs: the keeper's share of a core.

    sampler.py [--sigwhy build/sigwhy] [--seconds 20] -> build/bench/sampler.json

For one Python process that counts, one that sleeps in C, and 32 processes that
allocate. The kernel's own account of the keeper's time (schedstat), after the
first seconds, in which files are opened and the interpreter is looked for.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import setting

COUNTS = """
import time
def fit():
    for step in range(10 ** 9):
        time.sleep(0.001)
print(flush=True)
fit()
"""
MANY = """
import os, time
for _ in range(31):
    if os.fork() == 0: break
kept = bytes(1 << 20)
print(flush=True)
while True:
    time.sleep(0.1)
"""
WARM_UP_S = 5
BOUNDS = {"one Python process": 0.1, "one C process": 0.1, "32 Python processes": 1.0}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sigwhy", default="build/sigwhy")
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    programs = {"one Python process": [sys.executable, "-c", COUNTS],
                "one C process": ["sh", "-c", "echo; exec sleep 1000"],
                "32 Python processes": [sys.executable, "-c", MANY]}
    result = [{"name": name, "bound_percent": BOUNDS[name],
               "percent": share_percent(os.path.abspath(options.sigwhy), argv, options.seconds)}
              for name, argv in programs.items()]
    setting.RAW.mkdir(parents=True, exist_ok=True)
    (setting.RAW / "sampler.json").write_text(json.dumps(result, indent=1))
    for row in result:
        print(f"{row['name']}: {row['percent']:.3f} % of a core (bound {row['bound_percent']} %)")
    return any(row["percent"] > row["bound_percent"] for row in result)


def share_percent(sigwhy, argv, seconds):
    environment = dict(os.environ, SIGWHY_DIR=str(setting.RAW / "cases"))
    program = subprocess.Popen([sigwhy, "run", "--quiet", "--", *argv], env=environment,
                               stdout=subprocess.PIPE, start_new_session=True)
    try:
        program.stdout.readline()
        keeper = number(number(program.pid, "TracerPid"), "PPid")
        time.sleep(WARM_UP_S)
        before, begin = cpu_ns(keeper), time.monotonic()
        time.sleep(seconds)
        return (cpu_ns(keeper) - before) / 1e7 / (time.monotonic() - begin)
    finally:
        os.killpg(program.pid, 15)
        program.wait()


def number(pid, field):
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.split(f"\n{field}:")[1].split()[0])


def cpu_ns(pid):
    return sum(int(task.read_text().split()[0]) for task in Path(f"/proc/{pid}/task").glob("*/schedstat"))


if __name__ == "__main__":
    sys.exit(main())
