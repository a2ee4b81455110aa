"""What each tool makes of the seeded memory bugs (tests/guarded): does it find
the bug, does it name the block, and does it say anything about the twin?

A rival has its time-out in seconds of CPU time, so that a busy machine does not
count against it: valgrind takes minutes to import a framework.
"""

import fnmatch
import json
import signal
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import setting

sys.path.insert(0, str(setting.ROOT / "tests/crashes"))
from runner import building, needs, trial  # noqa: E402
from runner.program import discover  # noqa: E402

PROGRAMS = setting.ROOT / "tests/guarded/programs"
CPU_LIMIT_S = 300
WALL_LIMIT_S = 12 * CPU_LIMIT_S


def programs(glob="*"):
    setup = setup_of(1)
    return [p for p in discover(PROGRAMS)
            if fnmatch.fnmatchcase(p.name, glob) and not needs.unmet(p, setup)]


def setup_of(timeout_s):
    return trial.Setup(setting.ROOT / "build/guarded", None,
                       "/usr/bin/python3", timeout_s=timeout_s, long=True)


def look(rival, program):
    """{finds, names, alarm, late, twin_late, said}: what a rival made of a
    program and of its twin. What it says of the twin too is not the bug: a
    framework's own errors, below a tool that goes on after each."""
    code, words = launch(rival, program, "")
    late = out_of_time(code)
    if late and not rival.finds(code, words):
        twin_code, twin_words = None, ""  # takes as long and settles nothing
    else:
        twin_code, twin_words = launch(rival, program.repaired(), "repaired")
    twin_late = out_of_time(twin_code)
    alarm = rival.finds(twin_code, twin_words) or (twin_code != 0 and not twin_late)
    finds = rival.finds(code, words) and not alarm
    if rival.errors:
        finds = bool(rival.errors(words) - rival.errors(twin_words))
    names = finds and rival.names(words, program)
    # a twin that did not come to its end might have been complained about
    finds = finds and (names or not twin_late)
    return {"finds": bool(finds), "names": bool(names), "alarm": bool(alarm),
            "late": late and not finds, "twin_late": twin_late,
            "said": next((line for line in words.splitlines()
                          if "ERROR" in line or "Invalid" in line
                          or "Buffer" in line or "After" in line), "")[:160]}


def out_of_time(code):
    return code is None or code == -signal.SIGXCPU


def launch(rival, program, folder):
    """Wait status and standard error of one run below the rival."""
    built = rival.built(program)
    built = replace(built, limits={**built.limits, "cpu": CPU_LIMIT_S})
    setup = setup_of(WALL_LIMIT_S)
    place = setup.build_folder / (rival.flags and "asan" or "") / folder
    setup = replace(setup, build_folder=place)
    building.build(built, place, setup.python)
    with tempfile.TemporaryDirectory(prefix="guarded-") as scratch:
        command = trial.command_line(built, setup, None)
        at = command.index("--") + 1
        command[at:at] = rival.prefix
        if rival.environment(program):
            # set for the program alone: prlimit is nobody's test
            at = command.index("--") + 1
            command[at:at] = ["env", *(f"{k}={v}" for k, v in
                                       rival.environment(program).items())]
        return trial.run(command, built, Path(scratch), Path(scratch), setup)


def ours(sigwhy, options, glob):
    """{program: the same} for sigwhy, by the runner of tests/guarded."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([sys.executable, setting.ROOT / "tests/guarded/run.py",
                        "--long", "--sigwhy", sigwhy, "--score", file.name,
                        "-k", glob, *options], stdout=subprocess.DEVNULL)
        return json.load(open(file.name))
