#!/usr/bin/env python3
"""Kills in control groups of version 2, on a machine that has them: needs root,
Python 3 with NumPy for the program, and the two programs of the bundle.

    v2_kill.py SIGWHY [FOLDER]

SIGWHY is bin/sigwhy of the unpacked bundle, FOLDER a control group in which
groups may be made (else the first that works is taken). Prints one JSON object:
what was done, and the verdict that came of it. Exit status 0: all as expected.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import uuid

LIMIT_MIB = 200
DEADLINE_S = 60
HOG = """
import numpy, sys
print('ready', flush=True)
sys.stdin.readline()
batches = []
def load():
    while True:
        batches.append(numpy.ones((512, 1024)))
load()
"""
QUIET = "print('ready', flush=True); input()"
STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, lambda *_: print('asked', flush=True))
print('ready', flush=True)
while True: time.sleep(60)
"""


def mounts():
    for line in open("/proc/self/mountinfo"):
        fields = line.split()
        if "cgroup2" in fields[fields.index("-") + 1:]:
            yield pathlib.Path(fields[4])


def own_group(mount):
    for line in open("/proc/self/cgroup"):
        if line.startswith("0::"):
            return mount / line.strip()[3:].lstrip("/").rstrip("/")
    return mount


def can_limit(parent):
    """Makes sure that groups below `parent` have a memory limit."""
    try:
        if "memory" not in (parent / "cgroup.subtree_control").read_text():
            (parent / "cgroup.subtree_control").write_text("+memory")
        probe = parent / f"sigwhy-probe-{uuid.uuid4().hex[:8]}"
        probe.mkdir()
        try:
            return (probe / "memory.max").exists()
        finally:
            probe.rmdir()
    except OSError:
        return False


def place_for_groups():
    if len(sys.argv) > 2:
        folder = pathlib.Path(sys.argv[2])
        return folder if can_limit(folder) else None
    for mount in mounts():
        for folder in (mount, own_group(mount), own_group(mount).parent):
            if folder.exists() and can_limit(folder):
                return folder
        # A group with processes has no children with controllers: they move.
        own = own_group(mount)
        try:
            leaf = own / "sigwhy-leaf"
            leaf.mkdir(exist_ok=True)
            for pid in (own / "cgroup.procs").read_text().split():
                (leaf / "cgroup.procs").write_text(pid)
        except OSError:
            continue
        if can_limit(own):
            return own
    return None


class Group:
    def __init__(self, parent, limit=True, as_one=False):
        self.folder = parent / f"sigwhy-{uuid.uuid4().hex[:8]}"
        self.folder.mkdir()
        if limit:
            self.set("memory.max", LIMIT_MIB << 20)
            if (self.folder / "memory.swap.max").exists():
                self.set("memory.swap.max", 0)
        if as_one:
            self.set("memory.oom.group", 1)

    def set(self, name, value):
        (self.folder / name).write_text(str(value))

    def enter(self):
        self.set("cgroup.procs", os.getpid())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for _ in range(500):
            try:
                return self.folder.rmdir()
            except OSError:
                time.sleep(0.01)


def run(program, group, act, without="", inside=True):
    """Starts the program, waits until it and sigwhy are ready, acts on it."""
    with tempfile.TemporaryDirectory() as folder:
        case = pathlib.Path(folder, "case.json")
        fifo = pathlib.Path(folder, "ready")
        os.mkfifo(fifo)
        ready = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        words = [sys.executable, "-c", program]
        if group and not inside:
            words = ["/bin/sh", "-c",
                     f"echo $$ > {group.folder}/cgroup.procs; exec \"$@\"",
                     "sh", *words]
        settings = dict(os.environ, SIGWHY_DIR=f"{folder}/cases",
                        SIGWHY_TEST_READY=str(fifo))
        if without:
            settings["SIGWHY_TEST_WITHOUT"] = without
        child = subprocess.Popen(
            [sys.argv[1], "run", "--json", str(case), "--", *words],
            env=settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=group.enter if group and inside else None)
        child.stdout.readline()
        deadline = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline:
            try:
                if os.read(ready, 64):
                    break
            except BlockingIOError:
                pass
            time.sleep(0.005)
        act(child)
        out, err = child.communicate(timeout=DEADLINE_S)
        os.close(ready)
        got = {"status": child.returncode, "report": err.decode()[-3000:]}
        if case.exists():
            text = case.read_text()
            whole = json.loads(text)
            got["verdict"] = whole["diagnosis"]["verdict"]
            got["findings"] = [
                {"cause": f["cause"], "strength": f["strength"],
                 "claim": f["claim"], "facts": [x["sentence"] for x in f["for"]]}
                for f in whole["diagnosis"]["findings"]]
            got["termination"] = whole["snapshot"]["termination"]
            got["memory_bounds"] = whole["snapshot"].get("memory_bounds")
        return got


def go(child):
    child.stdin.write(b"go\n")
    child.stdin.flush()


def kill(child):
    child.send_signal(signal.SIGKILL)


def ask_then_kill(child):
    child.send_signal(signal.SIGTERM)
    child.stdout.readline()
    time.sleep(0.4)  # the time it is given to end by itself
    kill(child)


def recorded(folder):
    """The group's files, as a recorded tree for the unit tests."""
    return {p.name: p.read_text() for p in sorted(folder.glob("memory.*"))
            if os.access(p, os.R_OK) and p.name not in
            ("memory.reclaim", "memory.numa_stat")}


def main():
    parent = place_for_groups()
    if parent is None:
        sys.exit("v2_kill: no group with a memory limit can be made here")
    results, wrong = {}, []

    def expect(name, verdict, got):
        results[name] = got
        firm = [f["cause"] for f in got.get("findings", ())
                if f["strength"] in ("proven", "strong")]
        if verdict and verdict not in firm:
            wrong.append(name)

    with Group(parent) as group:
        expect("oom, sigwhy inside", "out-of-memory-killed",
               run(HOG, group, go))
        results["files after a kill"] = recorded(group.folder)
    with Group(parent) as group:
        expect("oom, counters alone", "out-of-memory-killed",
               run(HOG, group, go, without="log tracepoint"))
    with Group(parent) as group:
        expect("oom, sigwhy outside", "out-of-memory-killed",
               run(HOG, group, go, inside=False))
    with Group(parent) as outer:
        outer.set("cgroup.subtree_control", "+memory")
        with Group(outer.folder, limit=False) as inner:
            expect("oom, the parent's limit", "out-of-memory-killed",
                   run(HOG, inner, go))
    # All of it dies, sigwhy too: no report is expected from this run itself.
    with Group(parent, as_one=True) as group:
        expect("oom as one, sigwhy inside", None, run(HOG, group, go))
    with Group(parent, as_one=True) as group:
        expect("oom as one, sigwhy outside", "out-of-memory-killed",
               run(HOG, group, go, inside=False))
    expect("kill -9", "killed-by-process", run(QUIET, None, kill))
    with Group(parent) as group:
        expect("kill -9 in a group, counters alone", "killed-by-process",
               run(QUIET, group, kill, without="log tracepoint"))
    expect("TERM then KILL", "time-limit",
           run(STUBBORN, None, ask_then_kill))
    print(json.dumps({"wrong": wrong, "results": results}, indent=1))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
