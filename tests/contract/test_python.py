"""A Python program's breakpoints: nobody can tell that they were there.

They stand in the first thread of each process that runs Python, at the
functions that it passes on its way to the end. There are two ways to set
them (SIGWHY_TEST_BREAKPOINTS chooses): by a descriptor, which undoes them
whoever is killed, and by ptrace ("registers"), which the keeper must undo.
"""

import json
import os
import pathlib
import resource
import signal
import subprocess
import sys

import pytest

import proc_files
import programs
from runs import BARE, SIGWHY, UNDER, assert_same_end, under
from test_supervisor_killed import (VICTIMS, keeper_of, kill_and_wait,
                                    supervisor_of)

RAISES = str(programs.SOURCES / "raises.py")
MANNERS = ["descriptors", "registers"]
ENDS = ["raise", "end", "exit-0", "exit-none", "exit-3", "exit-text",
        "exit-in-except", "os-exit", "interrupt", "callback", "callbacks",
        "thread", "fork", "child", "child-counts", "pool", "pool-raises"]
PAIRS = [("hook", "raise"), ("atexit", "raise"), ("atexit", "exit-3"),
         ("callback", "exit-3"), ("callback", "raise"), ("callback", "os-exit")]


def interpreters() -> list[str]:
    """The system's own, and some that have their libpython beside them."""
    versions = pathlib.Path.home() / ".pyenv/versions"
    others = [path for start in ("2.7", "3.8", "3.13")
              for path in sorted(versions.glob(start + ".*/bin/python"))[:1]]
    return ["/usr/bin/python3", *map(str, others)]


def short(python: str) -> str:
    return python.split("/")[-3]


EVERY_PYTHON = pytest.mark.parametrize("python", interpreters(), ids=short)
EVERY_MANNER = pytest.mark.parametrize("manner", MANNERS)


def armed_by(stage, manner: str) -> dict[str, str]:
    return stage.with_environment(SIGWHY_TEST_BREAKPOINTS=manner)


@EVERY_PYTHON
@pytest.mark.parametrize("words", [(end,) for end in ENDS] + PAIRS,
                         ids=" ".join)
def test_it_ends_as_bare(stage, python, words):
    stage.same(python, RAISES, *words)


@pytest.mark.parametrize("words", [("raise",), ("exit-in-except",),
                                   ("interrupt",), ("fork",), ("callbacks",),
                                   ("callback", "exit-3")], ids=" ".join)
def test_it_ends_as_bare_with_registers(stage, words):
    stage.same(sys.executable, RAISES, *words, env=armed_by(stage, "registers"))


def waiting(stage, way, python, *words, manner=""):
    running = stage.start(way, python, RAISES, *words, "wait",
                          env=armed_by(stage, manner))
    running.out.wait_for(b"ready\n")
    return running


def told(running, word: str):
    running.tell(word.encode())
    return running.ending()


def let_go(running) -> None:
    proc_files.eventually(lambda: proc_files.tracer(running.pid) == 0)


def sleeps(pid: int) -> int:
    """How often it has gone to sleep."""
    return int(proc_files.status(pid).get("voluntary_ctxt_switches", "0"))


def asleep_again(pid: int, since: int) -> bool:
    return sleeps(pid) >= since and proc_files.state(pid) == "S"


AFTER = ["raise", "callback", "end", "exit-3", "fork", "interrupt"]


@EVERY_PYTHON
@EVERY_MANNER
@pytest.mark.parametrize("word", AFTER)
def test_the_supervisor_is_killed(stage, python, manner, word):
    bare = told(waiting(stage, BARE, python), word)
    running = waiting(stage, UNDER, python, manner=manner)
    keeper = keeper_of(supervisor_of(running))
    kill_and_wait([supervisor_of(running)])
    proc_files.eventually(lambda: not proc_files.exists(keeper))
    let_go(running)
    assert_same_end(bare, told(running, word))


@pytest.mark.parametrize("victims", VICTIMS.values(), ids=VICTIMS.keys())
@pytest.mark.parametrize("word", AFTER)
def test_whoever_is_killed(stage, victims, word):
    bare = told(waiting(stage, BARE, sys.executable), word)
    running = waiting(stage, UNDER, sys.executable, manner="descriptors")
    kill_and_wait(victims(running))
    assert_same_end(bare, told(running, word))


@EVERY_MANNER
@pytest.mark.parametrize("word", ["raise", "callback", "exit-3"])
def test_the_supervisor_is_killed_at_the_breakpoint(stage, manner, word):
    """It stops itself there, so that it can be killed there."""
    bare = told(waiting(stage, BARE, sys.executable), word)
    env = stage.with_environment(SIGWHY_TEST_BREAKPOINTS=manner,
                                 SIGWHY_TEST_PAUSE="exception")
    running = stage.start(UNDER, sys.executable, RAISES, "wait", env=env)
    running.out.wait_for(b"ready\n")
    supervisor = supervisor_of(running)
    running.tell(word.encode())
    proc_files.eventually(lambda: proc_files.state(supervisor) == "T")
    kill_and_wait([supervisor])
    assert_same_end(bare, running.ending())


@pytest.mark.parametrize("word", ["raise", "callback", "exit-3"])
def test_the_supervisor_never_saw_the_breakpoint(stage, word):
    """The program stands at it, and he who should look is killed first. (Not
    so with registers: there is no harmless signal then.)"""
    bare = told(waiting(stage, BARE, sys.executable), word)
    running = waiting(stage, UNDER, sys.executable, manner="descriptors")
    supervisor = supervisor_of(running)
    os.kill(supervisor, signal.SIGSTOP)
    running.tell(word.encode())
    proc_files.eventually(lambda: proc_files.state(running.pid) == "t")
    kill_and_wait([supervisor])
    assert_same_end(bare, running.ending())


def test_a_program_that_has_the_signal_blocked(stage):
    """Then the breakpoint is passed unseen, and nothing else happens."""
    code = ("import signal, time\n"
            "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGURG})\n"
            "import ctypes\n"
            "ctypes.pythonapi.PyRun_SimpleString(b'raise KeyError(1)')\n"
            "signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGURG})\n"
            "print('on'); raise ValueError(2)\n")
    stage.same(sys.executable, "-c", code)


def test_a_program_that_handles_the_signal(stage):
    code = ("import os, signal\n"
            "signal.signal(signal.SIGURG, lambda *a: print('urgent'))\n"
            "os.kill(os.getpid(), signal.SIGURG)\n"
            "raise ValueError(2)\n")
    stage.same(sys.executable, "-c", code)


@EVERY_MANNER
def test_the_keeper_is_killed_and_then_the_supervisor(stage, manner):
    """With nobody left to undo registers, the supervisor clears them."""
    bare = told(waiting(stage, BARE, sys.executable), "raise")
    running = waiting(stage, UNDER, sys.executable, manner=manner)
    supervisor = supervisor_of(running)
    proc_files.eventually(lambda: asleep_again(running.pid, 0))
    before = sleeps(running.pid)
    kill_and_wait([keeper_of(supervisor)])
    if manner == "registers":  # it was stopped, and reads on
        proc_files.eventually(lambda: asleep_again(running.pid, before + 2))
    kill_and_wait([supervisor])
    let_go(running)
    assert_same_end(bare, told(running, "raise"))


@EVERY_MANNER
@pytest.mark.parametrize("word", AFTER)
def test_released(stage, manner, word):
    bare = told(waiting(stage, BARE, sys.executable), word)
    running = waiting(stage, UNDER, sys.executable, manner=manner)
    supervisor = supervisor_of(running)
    done = subprocess.run([SIGWHY, "release", str(running.pid)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    proc_files.eventually(lambda: not proc_files.exists(supervisor))
    let_go(running)
    assert_same_end(bare, told(running, word))


@EVERY_MANNER
def test_tee_does_not_keep_the_keeper_from_it(stage, manner):
    bare = told(waiting(stage, BARE, sys.executable), "raise")
    running = waiting(stage, under("--tee"), sys.executable, manner=manner)
    supervisor = supervisor_of(running)
    keeper = keeper_of(supervisor)
    proc_files.eventually(lambda: asleep_again(keeper, 0))
    before = sleeps(keeper)
    kill_and_wait([supervisor])
    proc_files.eventually(lambda: asleep_again(keeper, before + 1)
                          and proc_files.tracer(running.pid) == 0)
    assert_same_end(bare, told(running, "raise"))


@EVERY_MANNER
def test_what_outlives_the_root_is_disarmed(stage, manner):
    """The root ends; its child runs on without us and raises then."""
    code = ("import os, sys, time\n"
            "r, w = os.pipe()\n"
            "if os.fork() == 0:\n"
            "    os.close(w); os.read(r, 1)\n"
            "    while open('/proc/self/status').read().find("
            "'TracerPid:\\t0') < 0: time.sleep(0.001)\n"
            "    raise ValueError('after all')\n"
            "os._exit(0)\n")
    running = stage.start(UNDER, sys.executable, "-c", code,
                          env=armed_by(stage, manner))
    assert os.waitstatus_to_exitcode(running.status()) == 0
    assert b"ValueError: after all" in running.err.at_end()


def stops(stage, *words, **changes) -> int:
    file = stage.folder / "stats.json"
    file.unlink(missing_ok=True)
    env = stage.with_environment(SIGWHY_TEST_STATS=str(file), **changes)
    stage.run(UNDER, *words, env=env)
    proc_files.eventually(lambda: file.exists() and file.read_text())
    return json.loads(file.read_text())["stops"]


def test_a_program_without_python_is_not_stopped_for_it(stage):
    """The exec and the exit."""
    assert stops(stage, programs.c("die"), "exit", "0") == 2


@EVERY_PYTHON
def test_few_stops_in_a_python_program(stage, python):
    loop = "x = 0\nfor i in range(300000): x += i"
    without = stops(stage, python, "-c", loop, SIGWHY_TEST_BREAKPOINTS="none")
    assert stops(stage, python, "-c", loop) <= without + 2


FLOOD = ("import ctypes, sys\n"
         "write = ctypes.pythonapi.PyRun_SimpleStringFlags\n"
         "sys.excepthook = lambda *seen: None\n"
         "for i in range(3000): write(b'raise ValueError', None)\n")


@EVERY_MANNER
@pytest.mark.parametrize("end", ["pass", "raise ValueError('the last')"])
def test_a_program_that_prints_thousands_is_left_alone(stage, manner, end):
    """Each stop costs as much as hundreds of such exceptions."""
    words = ("/usr/bin/python3", "-c", FLOOD + end)
    stage.same(*words, env=armed_by(stage, manner))
    assert stops(stage, *words, SIGWHY_TEST_BREAKPOINTS=manner) < 700


MANY = ("import ctypes, os, sys, time\n"
        "held, hold = os.pipe()\n"
        "for i in range(60):\n"
        "    if not os.fork():\n"
        "        os.close(hold)\n"
        "        os.read(held, 1)\n"
        "        os._exit(0)\n"
        "time.sleep(.1)\n"
        "ctypes.string_at(8)\n")


def test_many_interpreters_leave_descriptors_for_the_report(stage):
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
    below = stage.run(UNDER, "/usr/bin/python3", "-c", MANY, preexec_fn=few)
    assert below.signal == signal.SIGSEGV
    assert "null-pointer" in below.report, below.report


def memory_kb(pid: int) -> int:
    status = proc_files.status(pid)
    return sum(int(status[key].split()[0]) for key in ("RssAnon", "RssShmem"))


def test_an_exception_takes_no_memory(stage):
    """In a container that is nearly full it would have the program killed."""
    twice = ("import sys, ctypes\n"
             "run = ctypes.pythonapi.PyRun_SimpleStringFlags\n"
             "for word in 'ready', 'raised':\n"
             "    print(word, flush=True)\n"
             "    sys.stdin.readline()\n"
             "    run(b'raise ValueError', None)\n")
    fifo = stage.folder / "ready"
    os.mkfifo(fifo)
    running = stage.start(UNDER, "/usr/bin/python3", "-c", twice,
                          env=stage.with_environment(SIGWHY_TEST_READY=fifo))
    running.out.wait_for(b"ready\n")
    supervisor = supervisor_of(running)
    with open(fifo, "rb") as said:
        assert said.read(6) == b"ready\n"
    before = memory_kb(supervisor)
    running.tell(b"\n")
    running.out.wait_for(b"raised\n")
    assert memory_kb(supervisor) < before + 200
    running.tell(b"\n")
    assert running.ending().status == 0


def case_of(stage, *words, **changes) -> dict:
    path = stage.folder / "case.json"
    path.unlink(missing_ok=True)
    stage.run(under("--json", str(path)), *words,
              env=stage.with_environment(**changes))
    return json.loads(path.read_text())["snapshot"]


def test_where_there_are_none_it_says_so(stage):
    snapshot = case_of(stage, sys.executable, RAISES, "raise",
                       SIGWHY_TEST_BREAKPOINTS="none")
    assert any(gap["what"].startswith("Python exceptions")
               for gap in snapshot["gaps"])


def test_nothing_is_kept_of_a_good_end(stage):
    """A callback's exception was printed, and the program went on."""
    below = stage.run(UNDER, sys.executable, RAISES, "callback", "exit-0")
    assert below.code == 0 and not below.report
    assert not stage.cases.exists()
