#!/usr/bin/env python3
"""What a look at a living process costs that process, by sigwhy and others.

    attach.py [--sigwhy build/sigwhy] [--looks 15] -> build/bench/attach.json

The process itself measures how long it did not come to look at the clock;
sigwhy also tells how long it held the threads (SIGWHY_TEST_STATS).
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import setting

PROGRAM = str(setting.HERE / "programs/tensorflow_clock.py")


class Clock:
    """The living process."""

    def __init__(self, python):
        self.process = subprocess.Popen(
            [python, "-u", PROGRAM], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.threads = int(self.process.stdout.readline().split()[1])
        self.pid = str(self.process.pid)

    def longest_pause_ms(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sigwhy", default="build/sigwhy")
    parser.add_argument("--looks", type=int, default=15)
    options = parser.parse_args()
    python = setting.tensorflow_python()
    if not python:
        sys.exit("no TensorFlow to measure with: set BENCH_TF_PYTHON")
    clock = Clock(python)
    try:
        result = measure(clock, python, os.path.abspath(options.sigwhy),
                         options.looks)
    finally:
        clock.end()
    setting.RAW.mkdir(parents=True, exist_ok=True)
    (setting.RAW / "attach.json").write_text(json.dumps(result, indent=1))
    print(f"{options.looks} looks at {clock.threads} threads")


def measure(clock, python, sigwhy, looks):
    clock.longest_pause_ms()
    time.sleep(1)
    calm_ms = clock.longest_pause_ms()
    beside = Path(python).parent
    with tempfile.TemporaryDirectory() as folder:
        stats = Path(folder, "stats")
        environment = {**os.environ, "SIGWHY_TEST_STATS": str(stats),
                       "SIGWHY_DIR": folder}
        stopped = []
        tools = [looked(clock, "sigwhy attach", [sigwhy, "attach", clock.pid],
                        looks, environment, lambda: stopped.append(
                            json.loads(stats.read_text())["stopped_ms"]))]
    tools += [looked(clock, *tool, looks) for tool in (
        ("pystack remote", [str(beside / "pystack"), "remote", clock.pid]),
        ("pystack remote --native-all",
         [str(beside / "pystack"), "remote", "--native-all", clock.pid]),
        ("py-spy dump", [str(beside / "py-spy"), "dump", "--pid", clock.pid]),
        ("py-spy dump --native",
         [str(beside / "py-spy"), "dump", "--native", "--pid", clock.pid]),
        ("eu-stack", ["eu-stack", "-p", clock.pid]))]
    return {"machine": setting.machine(), "looks": looks, "calm_ms": calm_ms,
            "threads": clock.threads, "tools": tools,
            "stopped_ms": {"median": statistics.median(stopped),
                           "most": max(stopped)}}


def looked(clock, name, argv, looks, environment=None, after=lambda: None):
    if not shutil.which(argv[0]):
        return {"name": name, "missing": True}
    pauses, walls, largest_kb = [], [], 0
    for _ in range(looks):
        clock.longest_pause_ms()
        begin = time.perf_counter()
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, env=environment)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            return {"name": name, "missing": True}
        walls.append(time.perf_counter() - begin)
        pauses.append(clock.longest_pause_ms())
        largest_kb = max(largest_kb, usage.ru_maxrss)
        after()
    return {"name": name, "wall_s": statistics.median(walls),
            "max_rss_kb": largest_kb,
            "still_ms": {"median": statistics.median(pauses),
                         "most": max(pauses)}}


if __name__ == "__main__":
    main()
