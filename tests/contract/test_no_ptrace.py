"""Where tracing, memory, processes or places are refused, the run goes on.

Containers refuse ptrace by a seccomp filter; ordinary users have tight limits;
service managers close descriptors. The program must end as bare all the same,
and the case says as a Gap what was refused and what would help.
"""

import itertools
import json
import os
import resource
import shutil
import signal

import pytest

import proc_files
import programs
from runs import BARE, SIGWHY, UNDER, assert_same_end, under

ENDS = [("exit", "0"), ("exit", "3"), ("null",), ("thread-abort",)]
NO_PTRACE = under("--no-ptrace")


def gaps(document) -> list[dict]:
    """Every object of a case that has the shape of a Gap."""
    if isinstance(document, dict):
        own = [document] if {"what", "why", "remedy"} <= document.keys() else []
        return own + gaps(list(document.values()))
    if isinstance(document, list):
        return [gap for item in document for gap in gaps(item)]
    return []


def forbidding(*calls: str) -> list[str]:
    return [programs.c("forbid"), ",".join(calls)]


# An ordinary user, whoever runs the tests.
AS_USER = [] if os.geteuid() else [
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


@pytest.mark.parametrize("words", ENDS, ids=" ".join)
def test_asked_not_to(stage, words):
    bare, below = stage.same(programs.c("die"), *words, other=NO_PTRACE)
    assert bool(below.report) == bool(bare.signal)


def test_asked_not_to_nobody_traces_it(stage):
    running = stage.start(NO_PTRACE, programs.c("die"), "wait")
    running.out.wait_for(b"ready\n")
    assert proc_files.tracer(running.pid) == 0
    running.send(signal.SIGTERM)
    running.ending()


REFUSED = {
    "ptrace": ("ptrace",), "process_vm_readv": ("process_vm_readv",),
    "both": ("ptrace", "process_vm_readv"), "memfd": ("memfd_create",),
    "pidfd": ("pidfd_open",), "mlock": ("mlock", "mlock2"),
    "prctl": ("prctl",)}


@pytest.mark.parametrize("words", ENDS, ids=" ".join)
@pytest.mark.parametrize("calls", REFUSED.values(), ids=REFUSED.keys())
def test_calls_refused_by_a_filter(stage, calls, words):
    bare, below = stage.same(programs.c("die"), *words,
                             launcher=forbidding(*calls))
    assert bool(below.report) == bool(bare.signal)


@pytest.mark.parametrize("way, launcher", [
    ("--no-ptrace", []), (None, ["ptrace"])], ids=["asked", "refused"])
def test_the_case_names_the_remedy(stage, way, launcher):
    case = stage.folder / "case.json"
    options = ["--json", str(case), *([way] if way else [])]
    ending = stage.run(under(*options), programs.c("die"), "null",
                       launcher=forbidding(*launcher) if launcher else [])
    assert ending.signal == signal.SIGSEGV
    found = gaps(json.loads(case.read_text()))
    ours = [gap for gap in found if gap["remedy"]
            and "ptrace" in " ".join(map(str, gap.values()))]
    assert ours, found


def test_switched_off_by_the_environment(stage):
    """SIGWHY=0: exec and nothing else. No report, nobody else, no case."""
    env = stage.with_environment(SIGWHY="0")
    _, below = stage.same(programs.c("die"), "null", env=env)
    assert not below.report and not stage.cases.exists()
    running = stage.start(UNDER, programs.c("die"), "wait", env=env)
    running.out.wait_for(b"ready\n")
    assert stage.alive() == [running.pid]
    running.send(signal.SIGTERM)
    running.ending()


def limit(which: int, value: int):
    return lambda: resource.setrlimit(which, (value, value))


@pytest.mark.parametrize("words", ENDS, ids=" ".join)
def test_as_an_ordinary_user(stage, words):
    stage.folder.chmod(0o777)
    bare, below = stage.same(programs.c("die"), *words, launcher=AS_USER)
    assert bool(below.report) == bool(bare.signal)


@pytest.mark.parametrize("words", ENDS, ids=" ".join)
@pytest.mark.parametrize("which, value", [
    (resource.RLIMIT_MEMLOCK, 65536), (resource.RLIMIT_MEMLOCK, 0),
    (resource.RLIMIT_NOFILE, 8),
    (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_AS, 64 << 20),
    (resource.RLIMIT_STACK, 256 << 10)],
    ids=["64 KiB locked", "none locked", "eight files", "no file bytes",
         "64 MiB of addresses", "256 KiB of stack"])
def test_tight_limits(stage, which, value, words):
    stage.folder.chmod(0o777)
    stage.same(programs.c("die"), *words, launcher=AS_USER,
               preexec_fn=limit(which, value))


NEW_USERS = itertools.count(60_000)


@pytest.mark.parametrize("words", ENDS, ids=" ".join)
@pytest.mark.parametrize("processes", [1, 2, 3])
def test_a_tight_limit_of_processes(stage, processes, words):
    """The limit counts all that a user runs, unreaped zombies too, and not
    for root: so each run is that of a user who has nothing else."""
    def end(way):
        user = next(NEW_USERS)
        return stage.run(way, programs.c("die"), *words, launcher=[
            "setpriv", f"--reuid={user}", "--regid=65534", "--clear-groups"],
            preexec_fn=limit(resource.RLIMIT_NPROC, processes))
    stage.folder.chmod(0o777)
    assert_same_end(end(BARE), end(UNDER))


def test_an_execute_only_program_of_another_user(stage):
    """Nobody but its owner may read it, so nobody may look into it."""
    program = stage.folder / "closed"
    shutil.copy(programs.c("die"), program)
    program.chmod(0o711)
    stage.folder.chmod(0o777)
    for words in (("exit", "3"), ("null",)):
        bare, below = stage.both(program, *words, launcher=AS_USER)
        assert bare.status == below.status, below.told()


@pytest.mark.parametrize("closed", [(0,), (2,), (0, 1, 2)],
                         ids=["stdin", "stderr", "all three"])
@pytest.mark.parametrize("words", ENDS, ids=" ".join)
def test_closed_descriptors(stage, closed, words):
    def close():
        for number in closed:
            os.close(number)
    stage.same(programs.c("die"), *words, preexec_fn=close)


@pytest.mark.parametrize("words", ENDS, ids=" ".join)
def test_a_full_or_read_only_stderr(stage, words):
    for path, mode in (("/dev/full", "wb"), ("/dev/null", "rb")):
        with open(path, mode) as stream:
            stage.same(programs.c("die"), *words, stderr=stream)


def test_a_stderr_that_nobody_reads_any_more(stage):
    """The reader is gone: writing the report must not be our death."""
    def end(way):
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "wb") as stream:
            return stage.run(way, programs.c("die"), "null", stderr=stream)
    assert_same_end(end(BARE), end(UNDER))


@pytest.mark.parametrize("words", ENDS, ids=" ".join)
def test_a_folder_that_was_deleted(stage, words):
    def go_nowhere():
        path = stage.folder / "gone"
        path.mkdir()
        os.chdir(path)
        path.rmdir()
    bare, below = stage.same(programs.c("die"), *words,
                             preexec_fn=go_nowhere)
    assert bool(below.report) == bool(bare.signal)


HOMES = {
    "nothing set": dict(HOME=None, SIGWHY_DIR=None, XDG_CONFIG_HOME=None),
    "nowhere": dict(HOME="/nowhere", SIGWHY_DIR=None,
                    XDG_CONFIG_HOME="/nowhere"),
    "empty": dict(HOME="", SIGWHY_DIR="", XDG_CONFIG_HOME=""),
    "not a folder": dict(HOME="/dev/null", SIGWHY_DIR="/dev/null"),
    "not writable": dict(HOME="/proc", SIGWHY_DIR="/proc/cases"),
    "relative": dict(HOME="home", SIGWHY_DIR="cases"),
}


@pytest.mark.parametrize("home", HOMES.values(), ids=HOMES.keys())
def test_no_place_for_cases(stage, home):
    """As an ordinary user: root could write almost everywhere."""
    stage.folder.chmod(0o777)
    for words in ENDS:
        bare, below = stage.same(
            programs.c("die"), *words, launcher=AS_USER,
            env=stage.with_environment(**home))
        assert bool(below.report) == bool(bare.signal), below.told()


def test_a_read_only_file_system(stage):
    stage.cases.mkdir()
    script = ('mount --bind "$SIGWHY_DIR" "$SIGWHY_DIR" && '
              'mount -o remount,ro,bind "$SIGWHY_DIR" && exec "$@"')
    launcher = ["unshare", "--mount", *(
        ["--map-root-user"] if os.geteuid() else []),
        "sh", "-c", script, "sh"]
    for words in ENDS:
        bare, below = stage.same(programs.c("die"), *words, launcher=launcher)
        assert bool(below.report) == bool(bare.signal), below.told()
    assert not list(stage.cases.iterdir())


def test_release_lets_go(stage):
    """The program runs on, untraced, and ends as bare."""
    bare = stage.run(BARE, programs.c("worker"), "idle", told=b"n")
    running = stage.start(UNDER, programs.c("worker"), "idle")
    running.out.wait_for(b"ready\n")
    assert proc_files.tracer(running.pid)
    released = stage.run(BARE, SIGWHY, "release", str(running.pid))
    assert released.code == 0, released.told()
    proc_files.eventually(lambda: proc_files.tracer(running.pid) == 0, 2.0)
    assert proc_files.exists(running.pid)
    running.tell(b"n")
    ending = running.ending()
    assert (ending.status, ending.out) == (bare.status, bare.out)


def test_release_of_a_stopped_program_leaves_it_stopped(stage):
    running = stage.start(UNDER, programs.c("worker"), "threads")
    running.out.wait_for(b"ready\n")
    running.send(signal.SIGSTOP)
    os.waitpid(running.pid, os.WUNTRACED)
    assert stage.run(BARE, SIGWHY, "release", str(running.pid)).code == 0
    proc_files.eventually(lambda: proc_files.tracer(running.pid) == 0, 2.0)
    # For a moment it runs inside the kernel, from one kind of stop to the other.
    proc_files.eventually(lambda: proc_files.state(running.pid) == "T",
                          what="it is stopped as before")
    running.send(signal.SIGCONT)
    running.tell(b"e")
    assert running.ending().code == 42


def test_release_of_what_is_not_supervised(stage):
    running = stage.start(BARE, programs.c("worker"), "idle")
    running.out.wait_for(b"ready\n")
    refused = stage.run(BARE, SIGWHY, "release", str(running.pid))
    assert refused.code, refused.told()
    assert len(refused.err.splitlines()) == 1, refused.told()
    running.tell(b"e")
    assert running.ending().code == 42
