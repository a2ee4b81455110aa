#!/usr/bin/env python3
"""What a death of a large process costs, and what other tools take to look at
the same process: wall time and largest resident size of each.

    death.py [--sigwhy build/sigwhy] [--runs 15] -> build/bench/death.json

sigwhy's figures are its own (SIGWHY_TEST_STATS): from the fatal stop to the
last byte of the report, and how long the program stood still. The others look
at a living copy of the process, and at its core file where one is written.
"""

import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import setting

PROGRAM = str(setting.HERE / "programs/tensorflow_death.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sigwhy", default="build/sigwhy")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    python = setting.tensorflow_python()
    if not python:
        sys.exit("no TensorFlow to measure with: set BENCH_TF_PYTHON")
    sigwhy = os.path.abspath(options.sigwhy)
    deaths = [die(sigwhy, python) for _ in range(options.runs + 1)][1:]
    result = {"machine": setting.machine(), "runs": options.runs,
              "threads": deaths[0]["threads"],
              "mappings": deaths[0]["mappings"],
              "sigwhy": summary(deaths), "raw": deaths,
              "others": look_at_living(python) + look_at_core(python)}
    setting.RAW.mkdir(parents=True, exist_ok=True)
    (setting.RAW / "death.json").write_text(json.dumps(result, indent=1))
    print(f"{options.runs} deaths of {result['threads']} threads")


def die(sigwhy, python):
    with tempfile.TemporaryDirectory() as folder:
        stats = Path(folder, "stats")
        ended = subprocess.run(
            [sigwhy, "run", "--", python, PROGRAM, "crash"], text=True,
            stdin=subprocess.DEVNULL, capture_output=True,
            preexec_fn=no_core,
            env={**os.environ, "SIGWHY_TEST_STATS": str(stats),
                 "SIGWHY_DIR": folder})
        if ended.returncode != -11 or "sigwhy:" not in ended.stderr:
            sys.exit(f"no report of {PROGRAM}:\n{ended.stderr[-2000:]}")
        threads, mappings = re.search(r"ready (\d+) (\d+)",
                                      ended.stdout).groups()
        wait_for(stats)
        return {"threads": int(threads), "mappings": int(mappings),
                **json.loads(stats.read_text())}


def no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def wait_for(path, deadline_s=5.0):
    until = time.monotonic() + deadline_s
    while not (path.exists() and path.read_text().endswith("\n")):
        if time.monotonic() > until:
            sys.exit("sigwhy wrote no SIGWHY_TEST_STATS")
        time.sleep(0.002)


def summary(deaths):
    keys = ("stopped_ms", "report_ms", "max_rss_kb", "developer_max_rss_kb")
    return {key: {"median": statistics.median(d[key] for d in deaths),
                  "most": max(d[key] for d in deaths)} for key in keys}


def look_at_living(python):
    waiting = subprocess.Popen([python, PROGRAM, "wait"], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    waiting.stdout.readline()
    pid = str(waiting.pid)
    try:
        return [examined(*tool) for tool in (
            ("gdb, all backtraces", "the process",
             ["gdb", "-batch", "-p", pid, "-ex", "thread apply all bt"]),
            ("eu-stack", "the process", ["eu-stack", "-p", pid]),
            ("pystack", "the process",
             [pystack(python), "remote", "--native-all", pid]))]
    finally:
        waiting.stdin.close()
        waiting.wait()


def look_at_core(python):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, PROGRAM, "crash"], cwd=folder,
                       stdin=subprocess.DEVNULL, capture_output=True,
                       preexec_fn=whole_core)
        cores = list(Path(folder).glob("core*"))
        if not cores:
            return []  # the kernel hands cores to a program here
        core = str(cores[0])
        executable = os.path.realpath(python)
        return [examined(*tool) for tool in (
            ("gdb, all backtraces", "its core",
             ["gdb", "-batch", executable, core, "-ex", "thread apply all bt"]),
            ("eu-stack", "its core",
             ["eu-stack", "--core", core, "-e", executable]),
            ("pystack", "its core",
             [pystack(python), "core", "--native-all", core, executable]))]


def whole_core():
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


def pystack(python):
    return str(Path(python).parent / "pystack")


def examined(name, what, argv, runs=3):
    """Best of a few warm runs, which favours the tool."""
    if not shutil.which(argv[0]):
        return {"name": name, "what": what, "missing": True}
    found = []
    for _ in range(runs):
        begin = time.perf_counter()
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        found.append((time.perf_counter() - begin, usage.ru_maxrss,
                      child.returncode))
    wall_s, max_rss_kb, status = min(found)
    return {"name": name, "what": what, "wall_s": wall_s,
            "max_rss_kb": max_rss_kb, "status": status}


if __name__ == "__main__":
    main()
