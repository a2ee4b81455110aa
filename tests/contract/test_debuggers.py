"""Debuggers, tracers and sanitizers below sigwhy work as they do bare.

A process has one tracer, so sigwhy has to let go of what traces or wants to be
traced. sigwhy inside sigwhy is one of these: the inner one only execs.
"""

import functools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import pytest

import proc_files
import programs
from runs import (BARE, QUIETLY, REPOSITORY, SIGWHY, UNDER, Way,
                  assert_same_end, under)

PYTHON = "/usr/bin/python3"
INSIDE_ITSELF = Way("inside itself", UNDER.prefix * 2)


def without_numbers(text: bytes) -> bytes:
    """Pids and addresses differ from run to run."""
    text = re.sub(rb"0x[0-9a-f]+", b"ADDRESS", text)
    return re.sub(rb"\b\d{2,}\b", b"N", text)


def same_but_for_numbers(bare, below):
    assert bare.status == below.status, f"{bare.told()}\n{below.told()}"
    assert without_numbers(below.out) == without_numbers(bare.out)
    assert without_numbers(below.own_err) == \
        without_numbers(bare.err).rstrip(b"\n" if below.report else b"")


@pytest.mark.parametrize("how", ["null", "exit", "thread-abort"])
def test_gdb_runs_a_program(stage, how):
    words = ["gdb", "-nx", "-batch", "-ex", "set debuginfod enabled off",
             "-ex", "run", "-ex", "bt", "--args", programs.c("die"), how, "3"]
    bare, below = stage.both(*words, timeout_s=60.0)
    same_but_for_numbers(bare, below)
    assert (b"received signal" in bare.out) == (how != "exit")


def test_gdb_stops_at_a_breakpoint(stage):
    words = ["gdb", "-nx", "-batch", "-ex", "set debuginfod enabled off",
             "-ex", "break main", "-ex", "run", "-ex", "info locals",
             "-ex", "next", "-ex", "continue", "--args",
             programs.c("die"), "exit", "3"]
    bare, below = stage.both(*words, timeout_s=60.0)
    same_but_for_numbers(bare, below)
    assert b"Breakpoint 1, main" in bare.out


def traced_calls(trace: pathlib.Path) -> list[str]:
    """The calls' names by strace's own account, without the pids."""
    words = (line.split(None, 1)[1] for line in
             trace.read_text().splitlines())
    return sorted(re.match(r"\w+|\+\+\+.*|--- SIG\w+", word).group()
                  for word in words if "resumed" not in word)


@pytest.mark.parametrize("words", [("fork",), ("vfork",), ("many", "5")],
                         ids=lambda words: words[0])
def test_strace_follows_a_tree(stage, words):
    trace = stage.folder / "trace"

    def end(way):
        ending = stage.run(way, "strace", "-f", "-o", trace,
                           "-e", "trace=execve,exit_group,wait4",
                           programs.c("family"), *words, timeout_s=60.0)
        return ending, traced_calls(trace)
    (bare, bare_calls), (below, calls) = end(BARE), end(UNDER)
    assert_same_end(bare, below)
    assert calls == bare_calls
    assert any("exit_group" in call for call in calls)


def test_strace_of_a_program_that_dies(stage):
    words = ["strace", "-f", "-o", "/dev/null", programs.c("die"), "null"]
    bare, below = stage.same(*words)
    assert bare.signal == signal.SIGSEGV


@functools.cache
def py_spy() -> str | None:
    """From the path, else installed once beside the build; None, with the
    reason printed, where it is not to be had."""
    found = shutil.which("py-spy")
    folder = REPOSITORY / "build" / "contract-py-spy"
    program = folder / "bin" / "py-spy"
    if found or program.exists():
        return found or str(program)
    try:
        done = subprocess.run(
            [PYTHON, "-m", "pip", "install", "--quiet", "--target",
             str(folder), "py-spy"], capture_output=True, text=True,
            timeout=60)
        reason = done.stderr.strip()
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = str(error)
    if program.exists():
        return str(program)
    print(f"contract tests: left out py-spy: {reason}", file=sys.stderr)
    return None


PY_SPY = [py_spy()] if py_spy() else []


@pytest.mark.parametrize("spy", PY_SPY, ids=["py-spy"] * len(PY_SPY))
def test_py_spy_below_sigwhy_looks_at_another(stage, spy):
    spied = stage.start(BARE, PYTHON, programs.SOURCES / "spins.py")
    spied.out.wait_for(b"ready\n")
    bare, below = stage.both(spy, "dump", "--pid", str(spied.pid))
    assert_same_end(bare, below)
    assert b"waiting_place" in bare.out
    assert spied.ending().status == 0


@pytest.mark.long
@pytest.mark.parametrize("spy", PY_SPY, ids=["py-spy"] * len(PY_SPY))
def test_py_spy_below_sigwhy_records_its_child(stage, spy):
    for way in (BARE, QUIETLY):
        output = stage.folder / way.name
        ending = stage.run(way, spy, "record", "--format", "raw", "--output",
                           output, "--duration", "1", "--", PYTHON,
                           programs.SOURCES / "spins.py", "30")
        assert ending.status == 0, ending.told()
        assert "busy_place" in output.read_text()


@pytest.mark.parametrize("spy", PY_SPY, ids=["py-spy"] * len(PY_SPY))
def test_py_spy_without_stopping_looks_below_sigwhy(stage, spy):
    for way in (BARE, QUIETLY):
        spied = stage.start(way, PYTHON, programs.SOURCES / "spins.py")
        spied.out.wait_for(b"ready\n")
        # Unstopped, it may be seen a moment before it waits.
        proc_files.eventually(lambda: b"waiting_place" in stage.run(
            BARE, spy, "dump", "--nonblocking", "--pid", str(spied.pid)).out)
        assert spied.ending().status == 0


@pytest.mark.parametrize("what, code", [("clean", 0), ("leak", 23),
                                        ("overrun", 23)])
def test_sanitizers(stage, what, code):
    program = programs.c("leaks", "-fsanitize=address")
    env = stage.with_environment(
        ASAN_OPTIONS="exitcode=23:detect_leaks=1", LSAN_OPTIONS="exitcode=23")
    bare, below = stage.both(program, what, env=env)
    assert bare.code == code, bare.told()
    same_but_for_numbers(bare, below)


def test_a_leaking_child_of_a_shell(stage):
    program = programs.c("leaks", "-fsanitize=address")
    env = stage.with_environment(ASAN_OPTIONS="exitcode=23:detect_leaks=1",
                                 LSAN_OPTIONS="exitcode=23")
    script = f"{program} clean; echo $?; {program} leak 2>/dev/null; echo $?"
    bare, below = stage.both("sh", "-c", script, env=env)
    assert bare.out.endswith(b"0\n23\n"), bare.told()
    same_but_for_numbers(bare, below)


@pytest.mark.long
@pytest.mark.parametrize("words", [("exit", "0"), ("null",)],
                         ids=lambda words: words[0])
def test_valgrind(stage, words):
    bare, below = stage.both("valgrind", "-q", "--error-exitcode=9",
                             programs.c("die"), *words, timeout_s=60.0)
    same_but_for_numbers(bare, below)


def reports(ending) -> int:
    return len(re.findall(r"^sigwhy: ", ending.report, flags=re.M))


@pytest.mark.parametrize("how", ["null", "thread-abort", "exit"])
def test_sigwhy_inside_sigwhy(stage, how):
    bare, below = stage.same(programs.c("die"), how, "5", other=INSIDE_ITSELF)
    assert reports(below) == (1 if bare.signal else 0), below.told()


def test_sigwhy_in_a_script_inside_sigwhy(stage):
    script = f"{SIGWHY} run -- {programs.c('die')} null; exit $?"
    below = stage.run(UNDER, "sh", "-c", script)
    assert below.code == 128 + signal.SIGSEGV
    assert reports(below) == 1, below.told()


def test_one_supervisor_for_sigwhy_inside_sigwhy(stage):
    """As many processes of ours as for a plain run."""
    def ours(way):
        running = stage.start(way, programs.c("die"), "wait")
        running.out.wait_for(b"ready\n")
        count = sum(map(proc_files.is_sigwhy, stage.alive()))
        assert proc_files.is_sigwhy(proc_files.tracer(running.pid))
        running.send(signal.SIGTERM)
        running.ending()
        proc_files.eventually(lambda: not stage.alive(), 2.0)
        return count
    assert ours(INSIDE_ITSELF) == ours(UNDER)


def test_a_program_that_asks_to_be_traced(stage):
    """It imports ptrace, so it is let go at its exec."""
    stage.same(programs.c("family"), "traceme")


def test_a_program_that_reads_its_tracer(stage):
    """A tracer cannot be hidden: TracerPid names a sigwhy, said in the
    manual; --no-ptrace is the way out."""
    script = "sed -n 's/^TracerPid:.//p' /proc/self/status"
    below = stage.run(UNDER, "sh", "-c", f"{script}; true")
    assert below.status == 0 and below.out.strip().isdigit(), below.told()
    stage.same("sh", "-c", script, other=under("--no-ptrace"))


def test_gdb_attaches_when_there_is_no_ptrace(stage):
    running = stage.start(under("--no-ptrace"), programs.c("die"), "wait")
    running.out.wait_for(b"ready\n")
    seen = stage.run(BARE, "gdb", "-nx", "-batch", "-ex", "bt", "-p",
                     str(running.pid), timeout_s=60.0)
    assert b"pause" in seen.out, seen.told()
    assert os.waitstatus_to_exitcode(seen.status) == 0
    running.send(signal.SIGKILL)
    running.ending()
