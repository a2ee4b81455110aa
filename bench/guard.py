#!/usr/bin/env python3
"""What the guarded heap costs, beside the other tools that find memory bugs.

    guard.py [--sigwhy build/sigwhy] [--pairs 5] [--only WORD] [--no-rivals]
        -> build/bench/guard.json, part by part

In each round every way of running a program comes once, in an order that
rotates; a ratio is to the bare run of the same round. Who is slow is asked
less often: rivals in every fourth round, and nobody again who needed longer
than 20 times the bare run. `--only bugs` asks which of the seeded bugs each one
finds; with `--tool WORD` and `-k GLOB` only that tool and those programs again.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import guard_bugs
import ratios
import rivals
import setting

SLOWEST = 20.0  # times the bare run
RESULT = setting.RAW / "guard.json"
OURS = {"sigwhy run --guard": ("--mode", "sampled"),
        "sigwhy run --guard=all": ("--mode", "all"),
        "sigwhy confirm": ("--confirm",)}


@dataclass(frozen=True)
class Work:
    name: str
    argv: tuple
    is_python: bool = True
    sanitized: str = ""  # the same, compiled with AddressSanitizer


@dataclass(frozen=True)
class Way:
    name: str
    prefix: tuple = ()
    env: dict = None
    every: int = 1  # how many rounds to one run


def works():
    here = setting.HERE / "programs"
    found = []
    tensorflow = setting.tensorflow_python()
    if tensorflow:
        found.append(Work("Keras training", (tensorflow, f"{here}/keras_work.py", "1")))
    torch = setting.torch_python()
    if torch:
        found.append(Work("torch training", (torch, f"{here}/torch_work.py", "6")))
    for kib in (64, 256, 1024, 8192):
        found.append(Work(f"NumPy temporaries of {kib} KiB", (
            "/usr/bin/python3", f"{here}/numpy_temporaries.py", str(kib))))
    found.append(Work("C++ allocations", (setting.compiled("allocations"), "1"),
                      False, setting.compiled("allocations", "-fsanitize=address")))
    return found


def ways(work, sigwhy, with_rivals):
    run = (sigwhy, "run")
    found = [Way("bare"),
             Way("--guard", (*run, "--guard", "--")),
             Way("--guard=all", (*run, "--guard=all", "--"), every=2),
             Way("--guard=before", (*run, "--guard=before", "--"), every=4)]
    for rival in rivals.available() if with_rivals else ():
        if rival.name == "the same, every block":
            continue  # a way to find, not to live with
        # as one would live with it, not as one searches
        prefix = tuple(p for p in rival.prefix if p != "--track-origins=yes")
        env = {k: v for k, v in rival.environment(work).items() if k != "EF_PROTECT_FREE"}
        found.append(Way(rival.name, prefix, env, every=4))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sigwhy", default="build/sigwhy")
    parser.add_argument("--pairs", type=int, default=5, help="rounds")
    parser.add_argument("--only", default="", metavar="WORD",
                        help="only workloads so named; bugs: only the bugs")
    parser.add_argument("--no-rivals", action="store_true")
    parser.add_argument("--tool", default="", metavar="WORD")
    parser.add_argument("-k", default="*", metavar="GLOB")
    options = parser.parse_args()
    sigwhy = os.path.abspath(options.sigwhy)
    setting.RAW.mkdir(parents=True, exist_ok=True)
    if options.only == "bugs":
        bugs(options, sigwhy)
    else:
        for work in works():
            if options.only in work.name:
                found = ways(work, sigwhy, not options.no_rivals)
                keep("works", work.name, measure(work, found, options.pairs))
    print(RESULT)


def keep(part, name, found):
    """Into the result file; what it holds of other tools and programs stays,
    also where another run of this program wrote it meanwhile."""
    result = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    result.setdefault(part, {}).setdefault(name, {}).update(found)
    RESULT.write_text(json.dumps(result, indent=1))


def measure(work, found, rounds):
    """{way: {wall, rss, over}} against the bare run of the same round."""
    runs = {way.name: [] for way in found}
    too_slow = set()
    once(work, found[0], None)  # warms the cache
    for number in range(rounds):
        order = found[1:]
        order = order[number % len(order):] + order[:number % len(order)]
        bare = once(work, found[0], None)
        runs["bare"].append((1.0, 1.0, bare[0], bare[1]))
        for way in order:
            if number % way.every or way.name in too_slow:
                continue
            done = once(work, way, bare[0] * SLOWEST)
            if isinstance(done, str):
                too_slow.add(way.name)
                runs[way.name] = done
            else:
                runs[way.name].append((done[0] / bare[0], done[1] / bare[1], *done))
    return {name: figures(value) for name, value in runs.items()}


def figures(found):
    if isinstance(found, str):
        return {"failed": found}
    return {"wall": ratios.median_interval([f[0] for f in found]),
            "rss": sorted(f[1] for f in found)[len(found) // 2],
            "wall_s": sorted(f[2] for f in found)[len(found) // 2],
            "rss_mib": sorted(f[3] for f in found)[len(found) // 2] / 1024}


def once(work, way, limit_s):
    """(wall seconds, peak RSS in KiB), or in words why there are none."""
    argv = [*way.prefix, *work.argv]
    if way.name == "AddressSanitizer" and work.sanitized:
        argv[len(way.prefix)] = work.sanitized
    kept = {k: v for k, v in os.environ.items() if not k.startswith("SIGWHY")}
    env = {**kept, "SIGWHY_DIR": str(setting.RAW / "cases"), **(way.env or {})}
    begin = time.perf_counter()
    child = subprocess.Popen(argv, env=env, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             start_new_session=True)
    status, usage = waited(child, limit_s and begin + limit_s)
    wall_s = time.perf_counter() - begin
    if status is None:
        return f"more than {SLOWEST:.0f}x"
    if status:
        if way.name == "bare":
            sys.exit(f"{argv} ended with wait status {status:#x}")
        return f"fails ({ending(status)})"
    return wall_s, usage.ru_maxrss


def waited(child, deadline):
    """Wait status and resource use; status None where it had to be ended."""
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG if deadline else 0)
        if pid:
            child.returncode = status
            return status, usage
        if time.perf_counter() > deadline:
            os.killpg(child.pid, signal.SIGKILL)
            _, _, usage = os.wait4(child.pid, 0)
            child.returncode = -9
            return None, usage
        time.sleep(0.002)


def ending(status):
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"exit {os.WEXITSTATUS(status)}"


def bugs(options, sigwhy):
    for name, way in OURS.items():
        if options.tool in name:
            keep("bugs", name, guard_bugs.ours(sigwhy, way, options.k))
    for rival in rivals.available():
        if options.tool in rival.name:
            for program in guard_bugs.programs(options.k):
                keep("bugs", rival.name, {program.name: guard_bugs.look(rival, program)})


if __name__ == "__main__":
    main()
