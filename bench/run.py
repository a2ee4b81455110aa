#!/usr/bin/env python3
"""What it costs to live below sigwhy: bare and supervised runs in pairs.

    run.py [--sigwhy build/sigwhy] [--pairs 15] [-k WORD] -> build/bench/run.json

Wall time is taken from spawn to wait, as a shell would see it. The supervisor
writes its own counts (stops, CPU, memory) to the file SIGWHY_TEST_STATS names.
"""

import argparse
import json
import os
import sys
import time
from dataclasses import dataclass

import ratios
import setting

START_UP_PAIRS = 60
STATS_DEADLINE_S = 5.0


@dataclass(frozen=True)
class Work:
    name: str
    argv: tuple  # a number is added: how much of it to do
    steady: bool = True  # more of it should cost no more stops


def works():
    found = [
        Work("CPU-bound C", (setting.compiled("cpu"),)),
        Work("syscall-bound C", (setting.compiled("syscalls"),)),
        Work("NumPy", ("/usr/bin/python3",
                       f"{setting.HERE}/programs/numpy_work.py")),
    ]
    python = setting.tensorflow_python()
    if python:
        found.append(Work("Keras (TensorFlow)", (
            python, f"{setting.HERE}/programs/keras_work.py")))
    return found + [
        Work("thread creation", (setting.compiled("threads"),), False),
        Work("fork and exec", (setting.compiled("fork_exec"),), False),
        Work("handled signals", (setting.compiled("signals"),), False),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sigwhy", default="build/sigwhy")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("-k", default="", help="only workloads so named")
    options = parser.parse_args()
    runner = Runner(os.path.abspath(options.sigwhy))
    result = {"machine": setting.machine(), "works": []}
    for work in works():
        if options.k in work.name:
            result["works"].append(measure(runner, work, options.pairs))
    result["start_up"] = start_up(runner)
    setting.RAW.mkdir(parents=True, exist_ok=True)
    (setting.RAW / "run.json").write_text(json.dumps(result, indent=1))
    print(f"{len(result['works'])} workloads, {options.pairs} pairs each")


@dataclass(frozen=True)
class Run:
    wall_s: float
    cpu_s: float
    stats: dict  # the supervisor's; empty for a bare run


class Runner:
    def __init__(self, sigwhy):
        self.sigwhy = sigwhy
        self.stats_file = str(setting.RAW / "stats.json")
        self.environment = {k: v for k, v in os.environ.items()
                            if not k.startswith("SIGWHY")}
        self.environment["SIGWHY_DIR"] = str(setting.RAW / "cases")

    def bare(self, argv):
        return self._run(argv, self.environment)

    def supervised(self, argv):
        if os.path.exists(self.stats_file):
            os.unlink(self.stats_file)
        return self._run([self.sigwhy, "run", "--", *argv],
                         {**self.environment,
                          "SIGWHY_TEST_STATS": self.stats_file},
                         self._stats)

    def _run(self, argv, environment, stats=dict):
        null = os.open(os.devnull, os.O_RDWR)
        actions = [(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)]
        begin = time.perf_counter()
        pid = os.posix_spawn(argv[0], argv, environment, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        wall_s = time.perf_counter() - begin
        os.close(null)
        if status:
            sys.exit(f"{argv} ended with wait status {status:#x}")
        return Run(wall_s, usage.ru_utime + usage.ru_stime, stats())

    def _stats(self):
        """The supervisor's last words come a moment after the program's."""
        deadline = time.monotonic() + STATS_DEADLINE_S
        while time.monotonic() < deadline:
            try:
                with open(self.stats_file) as file:
                    line = file.readline()
                if line.endswith("\n"):
                    return json.loads(line)
            except FileNotFoundError:
                pass
            time.sleep(0.001)
        sys.exit(f"{self.sigwhy} wrote no SIGWHY_TEST_STATS")


def pairs(runner, argv, count):
    """(bare, supervised) runs; which goes first alternates."""
    runner.bare(argv), runner.supervised(argv)  # warm the cache
    found = []
    for index in range(count):
        if index % 2:
            below = runner.supervised(argv)
            found.append((runner.bare(argv), below))
        else:
            found.append((runner.bare(argv), runner.supervised(argv)))
    return found


def measure(runner, work, count):
    found = pairs(runner, [*work.argv, "1"], count)
    below = [supervised for _, supervised in found]
    middle = count // 2
    return {
        "name": work.name,
        "bare_s": sorted(bare.wall_s for bare, _ in found)[middle],
        "wall_ratio": ratios.median_interval(
            [under.wall_s / bare.wall_s for bare, under in found]),
        "stops": sorted(run.stats["stops"] for run in below)[middle],
        "supervisor_cpu_ms":
            sorted(run.stats["cpu_ms"] for run in below)[middle],
        "supervisor_max_rss_kb": max(r.stats["max_rss_kb"] for r in below),
        "steady": steady(runner, work) if work.steady else None,
        "raw": [[bare.wall_s, under.wall_s] for bare, under in found],
    }


def steady(runner, work):
    """What a longer run of the same adds, start-up and end left out."""
    short = runner.supervised([*work.argv, "1"])
    longer = runner.supervised([*work.argv, "4"])
    program_cpu_s = max(longer.cpu_s - short.cpu_s, 0.1)
    supervisor_cpu_ms = longer.stats["cpu_ms"] - short.stats["cpu_ms"]
    return {"stops_a_second": (longer.stats["stops"] - short.stats["stops"])
            / max(longer.wall_s - short.wall_s, 0.1),
            "cpu_share": max(supervisor_cpu_ms, 0) / 1000 / program_cpu_s}


def start_up(runner):
    found = pairs(runner, [setting.compiled("nothing")], START_UP_PAIRS)
    return {"added_ms": ratios.median_interval(
                [(under.wall_s - bare.wall_s) * 1000 for bare, under in found]),
            "bare_ms": ratios.median_interval(
                [bare.wall_s * 1000 for bare, _ in found])}


if __name__ == "__main__":
    main()
