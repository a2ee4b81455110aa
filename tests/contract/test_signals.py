"""Signals reach the program once, in order and with what they carry.

A tracer sees each signal first and has to pass it on as it came. Calls that
wait must not end earlier than bare: `waits.c` blocks in each of a list of them
while things happen that should not concern them.
"""

import ctypes
import os
import signal

import pytest

import programs
from runs import BARE, UNDER, assert_same_end

LIBC = ctypes.CDLL(None, use_errno=True)
BY = ["await", "handle"]


class SignalValue(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("pointer", ctypes.c_void_p)]


def queue(pid: int, number: int, value: int) -> None:
    assert LIBC.sigqueue(pid, number, SignalValue(number=value)) == 0, \
        os.strerror(ctypes.get_errno())


def same_story(stage, by, story):
    def end(way):
        running = stage.start(way, programs.c("signals"), by)
        running.out.wait_for(b"ready\n")
        story(running)
        running.send(signal.SIGTERM)
        return running.ending()
    bare, below = end(BARE), end(UNDER)
    assert_same_end(bare, below)
    assert not below.report
    return bare


@pytest.mark.parametrize("by", BY)
def test_each_signal_arrives_once(stage, by):
    numbers = [n for n in range(1, 32) if n not in (
        signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM)]

    def story(running):
        for number in numbers:
            running.send(number)
            running.out.wait_for(b"\n%d code 0" % number)
    bare = same_story(stage, by, story)
    assert bare.out.count(b"code 0 from the parent\n") == len(numbers) + 1


@pytest.mark.parametrize("by", BY)
def test_queued_values_are_kept(stage, by):
    values = [1, -1, 0x7fffffff, 42]

    def story(running):
        for value in values:
            queue(running.pid, signal.SIGUSR1, value)
            running.out.wait_for(b"value %d " % value)
    assert same_story(stage, by, story).out.count(b"code -1") == len(values)


@pytest.mark.parametrize("by", BY)
def test_two_hundred_real_time_signals_in_order(stage, by):
    def story(running):
        for value in range(200):
            queue(running.pid, signal.SIGRTMIN + 1, value)
        running.out.wait_for(b"value 199 ")
    bare = same_story(stage, by, story)
    values = [int(line.split()[4]) for line in bare.out.splitlines()
              if b"value" in line]
    assert values == list(range(200))


@pytest.mark.parametrize("words", [
    ("recover", "300"), ("barrier", "500"), ("overflow",)],
    ids=lambda words: words[0])
def test_a_handled_fault_is_no_death(stage, words):
    bare, below = stage.same(programs.c("signals"), *words)
    assert bare.status == 0 and not below.report


@pytest.mark.long
def test_thousands_of_handled_faults(stage):
    bare, below = stage.same(programs.c("signals"), "recover", "20000")
    assert bare.status == 0 and not below.report


@pytest.mark.parametrize("what", ["ticks", "children"])
def test_timers_and_children(stage, what):
    bare, below = stage.same(programs.c("signals"), what)
    assert bare.status == 0 and not below.report


@pytest.mark.parametrize("disturbance", [
    "none", "threads", "child-exit", "child-crash", "window-change",
    "ignored-signal", "stop-and-continue"])
def test_waiting_calls_are_not_cut_short(stage, disturbance):
    bare, below = stage.both(programs.c("waits"), disturbance)
    assert below.out.decode().splitlines() == bare.out.decode().splitlines()
    assert_same_end(bare, below)


def test_a_group_gets_a_signal_sent_to_it(stage):
    """kill(-group): every process of it once, and no process of ours."""
    def seen(way):
        running = stage.start(
            way, "sh", "-c", f"trap '' USR1; '{programs.c('signals')}' "
            f"handle & '{programs.c('signals')}' handle & wait",
            process_group=0)
        running.out.wait_for(b"ready\nready\n")
        os.killpg(running.pid, signal.SIGUSR1)
        running.out.wait_for(b"10 code 0 from another\n"
                             b"10 code 0 from another\n")
        os.killpg(running.pid, signal.SIGTERM)
        return running.ending()
    bare, below = seen(BARE), seen(UNDER)
    assert (bare.status, bare.out) == (below.status, below.out)
