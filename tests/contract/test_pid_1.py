"""sigwhy as PID 1 of a container: a small init.

PID 1 cannot be the program itself here: it gets no default signal actions and
inherits every orphan. sigwhy stays as PID 1 and the program is its child, so
the expectations are those of any init and not of a bare run as PID 1.
"""

import os
import signal

import pytest

import programs
from runs import BARE, UNDER

CONTAINER = ["unshare", "--pid", "--fork", "--mount-proc", *(
    ["--map-root-user"] if os.geteuid() else [])]


@pytest.mark.parametrize("code", [0, 3, 255])
def test_the_exit_code(stage, code):
    bare, below = (stage.run(way, programs.c("die"), "exit", str(code),
                             launcher=CONTAINER) for way in (BARE, UNDER))
    assert below.status == bare.status, below.told()
    assert not below.err


@pytest.mark.parametrize("how, number", [
    ("null", signal.SIGSEGV), ("abort", signal.SIGABRT)])
def test_a_death_by_signal(stage, how, number):
    """As inits say it, 128 + the signal; and the report is printed."""
    below = stage.run(UNDER, programs.c("die"), how, launcher=CONTAINER)
    assert below.code == 128 + number or below.signal == number, below.told()
    assert below.report, below.told()


def test_it_is_not_the_program(stage):
    below = stage.run(UNDER, "sh", "-c", "echo $$ $PPID", launcher=CONTAINER)
    pid, parent = below.out.split()
    assert parent == b"1" and pid != b"1"


def test_orphans_are_reaped(stage):
    """Many of them, all dead before the count; none stays as a zombie."""
    script = ("for i in $(seq 30); do (sh -c 'exit 1' & ) ; done; "
              "for i in $(seq 200); do "
              "n=$(ps -eo stat= | grep -c Z); [ $n = 0 ] && break; "
              "sleep 0.01; done; echo zombies $n; exit 7")
    below = stage.run(UNDER, "sh", "-c", script, launcher=CONTAINER)
    assert (below.code, below.out) == (7, b"zombies 0\n"), below.told()


def init_of(running):
    with open(f"/proc/{running.pid}/task/{running.pid}/children") as file:
        return int(file.read())


@pytest.mark.parametrize("number", [
    signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGUSR1])
def test_signals_are_forwarded(stage, number):
    """unshare passes nothing on, so the signal goes to PID 1 itself, which is
    unshare's only child."""
    running = stage.start(UNDER, programs.c("signals"), "handle",
                          launcher=CONTAINER)
    running.out.wait_for(b"ready\n")
    init = init_of(running)
    os.kill(init, number)
    running.out.wait_for(b"%d code " % number)
    if number != signal.SIGTERM:
        os.kill(init, signal.SIGTERM)
    ending = running.ending()
    assert ending.status == 0, ending.told()
    assert ending.out.count(b"%d code " % number) == 1


def test_a_signal_from_outside_keeps_its_sender(stage):
    """What `docker stop` does: sigwhy only passes it on."""
    running = stage.start(UNDER, "sh", "-c", "echo ready; exec sleep 1000",
                          launcher=CONTAINER)
    running.out.wait_for(b"ready\n")
    os.kill(init_of(running), signal.SIGTERM)
    ending = running.ending()
    assert ending.code == 128 + signal.SIGTERM, ending.told()
    assert "a process outside this container sent it SIGTERM" in " ".join(
        ending.report.split()), ending.told()


def test_the_container_ends_with_the_program(stage):
    """What the program left behind does not keep the container alive."""
    below = stage.run(UNDER, "sh", "-c", "sleep 1000 >/dev/null 2>&1 & exit 4",
                      launcher=CONTAINER)
    assert below.code == 4


def test_command_not_found(stage):
    below = stage.run(UNDER, "no-such-command-anywhere", launcher=CONTAINER)
    assert below.code == 127
    assert len(below.err.splitlines()) == 1, below.told()


def test_stdin_and_the_foreground(stage):
    below = stage.run(UNDER, "cat", launcher=CONTAINER, told=b"through\n")
    assert (below.status, below.out) == (0, b"through\n")
