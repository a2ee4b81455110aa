"""Program and sigwhy killed together near a limit of memory: what `sigwhy show` tells from the record alone."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from conftest import SIGWHY
from test_timeline import eventually, family, kill_all, memory_group, records

LIMIT = 96 << 20

# Grows by a step of 256 KiB until it holds so many MiB, then says so and stays, or goes on for ever.
GROWS = """
import sys, time

def train(most_mib):
    history = []
    for step in range(1_000_000):
        if len(history) < 4 * most_mib:
            history.append(bytearray(1 << 18))
        elif len(history) == 4 * most_mib:
            history.append(None)
            print("there", flush=True)
        time.sleep(0.004)

print("ready", flush=True)
sys.stdin.readline()
train(int(sys.argv[1]))
"""


class Run:
    def __init__(self, bench, group, most_mib, before=()):
        file = bench.folder / "train.py"
        file.write_text(GROWS)
        self.bench, self.group = bench, group
        self.popen = subprocess.Popen(
            [SIGWHY, "run", "--", *before, sys.executable, file, str(most_mib)], env=bench.env, cwd=bench.folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: (group / "cgroup.procs").write_text(str(os.getpid())))
        assert self.popen.stdout.readline() == b"ready\n"
        self.pids = family(self.popen.pid)
        eventually(lambda: len(records(bench)) == 1)

    def go(self):
        self.popen.stdin.write(b"\n")
        self.popen.stdin.flush()

    def kills(self):
        words = (self.group / "memory.oom_control").read_text().split()
        return int(words[words.index("oom_kill") + 1])

    def end(self):
        kill_all(self.pids)
        self.popen.communicate()
        eventually(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in self.pids))


def shown(bench):
    case = json.loads(bench.sigwhy("show", "--json").stdout)
    assert case["snapshot"]["termination"]["kind"] == "lost"
    return case


def names_what_grows(case):
    use = case["snapshot"]["memory_use"]
    assert use["before_the_end"] and 0 < use["at_s"] <= case["snapshot"]["termination"]["after_seconds"]
    assert use["holders"][0]["name"] == "history" and use["holders"][0]["function"] == "train"
    assert use["parts"][0]["kind"] == "arrays" and sum(p["bytes"] for p in use["parts"]) == use["judged_bytes"]
    assert any(line["text"].startswith("history.append(") for line in use["added"])
    assert case["snapshot"]["timeline"]["last_line"]["file"].endswith("train.py")
    print(f"the look took {use['took_s'] * 1e3:.1f} ms")


@pytest.mark.parametrize("log, strength", [(True, "proven"), (False, "strong")])
def test_killed_for_memory_and_sigwhy_with_it(bench, log, strength):
    """The supervisor stands still while the kernel kills the program, so that all of them go unseen."""
    if log and not os.access("/dev/kmsg", os.R_OK):
        pytest.skip("the kernel's log may not be read here")
    with memory_group(LIMIT) as group:
        run = Run(bench, group, 1000)
        os.kill(run.pids[1], signal.SIGSTOP)
        run.go()
        eventually(run.kills)
        run.end()
        if not log:
            bench.env["SIGWHY_TEST_WITHOUT"] = "log"
        case = shown(bench)
    findings = {f["cause"]: f for f in case["diagnosis"]["findings"]}
    assert findings["out-of-memory-killed"]["strength"] == strength
    assert bool(findings["out-of-memory-killed"].get("rival")) == (strength == "strong")
    leak = findings["memory-leak"]
    assert leak["strength"] == "strong" and leak["explains"] == "out-of-memory-killed" and "`history`" in leak["claim"]
    names_what_grows(case)


def test_killed_by_hand_near_the_limit(bench):
    """At any moment: the kernel may be faster, and then it is counted."""
    with memory_group(LIMIT) as group:
        run = Run(bench, group, 1000)
        os.kill(run.pids[1], signal.SIGSTOP)
        run.go()
        used = group / "memory.usage_in_bytes"
        eventually(lambda: run.kills() or int(used.read_text()) > 0.96 * LIMIT)
        time.sleep(random.Random().uniform(0, 0.1))
        run.end()
        counted = run.kills()
        case = shown(bench)
        told = bench.sigwhy("show").stdout.decode()
    verdict, certain = case["diagnosis"]["verdict"], " ".join(case["diagnosis"]["certain"])
    assert (verdict != "unknown") == bool(counted)
    assert "ended at once" in certain and ("killed nobody of its group for memory" in certain) == (not counted)
    names_what_grows(case)
    assert "train.py:" in told


def test_far_from_the_limit_nobody_looks(bench):
    with memory_group(LIMIT) as group:
        run = Run(bench, group, 24)
        run.go()
        assert run.popen.stdout.readline() == b"there\n"
        run.end()
        record, = records(bench)
        kept = shutil.copy(record, bench.folder / "kept")
        case = shown(bench)
    assert case["diagnosis"]["verdict"] == "unknown" and case["diagnosis"]["findings"] == []
    assert not case["snapshot"].get("memory_use") and case["snapshot"]["gaps"][-1]["what"].startswith("the end itself")
    # and once more, when the group is gone
    shutil.move(kept, record.with_name("0badcafe.run"))
    bench.sigwhy("list")
    case = json.loads(bench.sigwhy("show", "0badcafe", "--json").stdout)
    assert any("control group" in gap["what"] and "no longer exists" in gap["why"] for gap in case["snapshot"]["gaps"])
    assert case["diagnosis"]["verdict"] == "unknown"


def test_a_program_that_outlives_sigwhy_did_not_end_with_it(bench):
    file = bench.folder / "waits.py"
    file.write_text("import sys\nprint('ready', flush=True)\nsys.stdin.readline()\nsys.exit(3)\n")
    running = subprocess.Popen([SIGWHY, "run", "--", sys.executable, file], env=bench.env, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    running.stdout.readline()
    _, supervisor, keeper = family(running.pid)
    eventually(lambda: len(records(bench)) == 1)
    os.kill(supervisor, signal.SIGKILL)
    eventually(lambda: not pathlib.Path(f"/proc/{supervisor}").exists())
    running.communicate(b"\n")
    assert running.returncode == 3
    eventually(lambda: not pathlib.Path(f"/proc/{keeper}").exists())
    told = bench.sigwhy("show").stdout.decode()
    assert "together" not in told and "sigwhy was killed" in " ".join(told.split())


@pytest.mark.long
def test_very_many_records_are_not_all_kept(bench):
    with memory_group(LIMIT) as group:
        run = Run(bench, group, 1)
        run.end()
    record, = records(bench)
    for number in range(60):
        shutil.copy(record, record.with_name(f"{number:08x}.run"))
    bench.sigwhy("list")
    assert records(bench) == []
    assert len(list(record.parent.glob("*.json"))) == 50
