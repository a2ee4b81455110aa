"""Job control on a real terminal: what a person at a shell sees.

Each story is played twice, bare and below sigwhy, and what bash showed is
compared. The report is off here; test_when_it_speaks.py looks at it.
"""

import os
import signal

import pytest

import programs
from runs import BARE, QUIETLY
from terminal import (CTRL_BACKSLASH, CTRL_C, CTRL_D, CTRL_Z, Shell, Terminal)


def told_twice(stage, story):
    """The story's list of what was shown, bare; the same below sigwhy."""
    def tell(way):
        shell = Shell(way, stage.environment, stage.folder)
        try:
            return story(shell)
        finally:
            shell.close()
    bare = tell(BARE)
    assert tell(QUIETLY) == bare
    return bare


def test_isatty_modes_size_and_groups(stage):
    def story(shell):
        return [shell.command(f"$RUN {programs.c('terminal')} look"),
                shell.command(f"$RUN {programs.c('terminal')} look | cat"),
                shell.command(f"$RUN {programs.c('terminal')} look </dev/null"),
                shell.command("echo $?; stty -a")]
    bare = told_twice(stage, story)
    assert "2 is a terminal: 1" in bare[0] and "24 rows" in bare[0]


def test_a_new_window_size_arrives(stage):
    def story(shell):
        shell.type(f"$RUN {programs.c('terminal')} resize\n".encode())
        shown = [shell.until(b"columns")]
        for rows, columns in ((30, 100), (31, 101), (7, 70)):
            shell.resize(rows, columns)
            shown.append(shell.until(b"columns"))
        return shown + [shell.answer(), shell.command("echo $?")]
    assert "31 rows, 101 columns" in told_twice(stage, story)[2]


@pytest.mark.parametrize("key, number", [
    (CTRL_C, signal.SIGINT), (CTRL_BACKSLASH, signal.SIGQUIT)],
    ids=["ctrl-c", "ctrl-backslash"])
@pytest.mark.parametrize("core", ["0", "unlimited"])
def test_a_key_that_kills(stage, key, number, core):
    def story(shell):
        shell.command(f"ulimit -S -c {core}")
        shell.type(f"$RUN {programs.c('die')} wait\n".encode())
        shell.until(b"ready\r\n")
        shell.type(key)
        return [shell.answer(), shell.command("echo status $?")]
    assert f"status {128 + number}" in told_twice(stage, story)[1]


def test_ctrl_c_reaches_a_whole_pipeline(stage):
    def story(shell):
        shell.type(f"$RUN {programs.c('die')} wait | cat\n".encode())
        shell.until(b"ready\r\n")
        shell.type(CTRL_C)
        return [shell.answer(), shell.command('echo "${PIPESTATUS[@]}"')]
    told_twice(stage, story)


def test_ctrl_z_then_fg(stage):
    def story(shell):
        shell.type(f"$RUN {programs.c('terminal')} talk\n".encode())
        shell.until(b"ready\r\n")
        shown = []
        for word in (b"one", b"two"):
            shell.type(CTRL_Z)
            shown += [shell.answer(), shell.command("echo status $?"),
                      shell.command("jobs")]
            shell.type(b"fg\n")
            shown.append(shell.until(b"continued\r\n"))
            shell.type(word + b"\n")
            shown.append(shell.until(b"heard " + word + b"\r\n"))
        shell.type(CTRL_D)
        return shown + [shell.answer(), shell.command("echo status $?; jobs")]
    assert "Stopped" in told_twice(stage, story)[2]


def test_ctrl_z_then_bg_then_kill(stage):
    def story(shell):
        shell.type(f"$RUN {programs.c('die')} wait\n".encode())
        shell.until(b"ready\r\n")
        shell.type(CTRL_Z)
        shown = [shell.answer(), shell.command("bg"),
                 shell.job_state("Running")]
        return shown + [
            shell.command("kill %1; wait %1 2>&1; echo status $?"),
            shell.command("jobs")]
    assert "status 143" in told_twice(stage, story)[3]


def test_a_background_job_that_reads_the_terminal(stage):
    def story(shell):
        shown = [shell.command(f"$RUN {programs.c('terminal')} talk &"),
                 shell.job_state("Stopped")]
        shell.type(b"fg\n")
        shell.until(b"continued\r\n")
        shell.type(b"hello\n")
        shell.until(b"heard hello\r\n")
        shell.type(CTRL_D)
        return shown[1:] + [shell.answer(), shell.command("echo $?; jobs")]
    assert "tty input" in told_twice(stage, story)[0]


def test_a_background_job_that_writes_with_tostop(stage):
    def story(shell):
        shell.command("stty tostop")
        shell.command("$RUN echo written &")
        shown = [shell.job_state("Stopped")]
        shell.type(b"fg\n")
        return shown + [shell.answer(), shell.command("echo $?; jobs")]
    assert "tty output" in told_twice(stage, story)[0]


def test_a_background_job_by_its_number_and_pid(stage):
    def story(shell):
        shell.command(f"$RUN {programs.c('die')} wait >ready &")
        return [shell.command("until [ -s ready ]; do :; done; rm ready; "
                              "kill -0 $! && echo lives"),
                shell.command("ps -o comm= -p $!"),
                shell.command("kill -TERM $!; wait $! 2>&1; echo status $?")]
    assert "status 143" in told_twice(stage, story)[2]


def test_a_closed_terminal_hangs_it_up(stage):
    """The program leads the session here, so that the kernel's own SIGHUP
    reaches it and we are told of its end."""
    def end(way, *words):
        read, write = os.pipe()
        os.set_inheritable(write, True)
        # The terminal's child keeps what is inheritable; 3 is what it expects.
        terminal = Terminal(
            ["bash", "-c", f'exec "$@" 3>&{write}', "bash", *way.prefix,
             *words],
            stage.environment, stage.folder)
        os.close(write)
        try:
            terminal.until(b"ready\r\n")
            terminal.hang_up()
            said = b"".join(iter(lambda: os.read(read, 100), b""))
            return said, os.waitpid(terminal.pid, 0)[1]
        finally:
            os.close(read)
            terminal.close()
    for words in ((programs.c("terminal"), "hangup"),
                  (programs.c("die"), "wait")):
        assert end(QUIETLY, *words) == end(BARE, *words)


@pytest.mark.parametrize("stop", [
    signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU],
    ids=lambda s: s.name)
def test_the_parent_sees_stops_and_continues(stage, stop):
    def seen(way):
        running = stage.start(way, programs.c("die"), "--threads", "3", "wait",
                              process_group=0)
        running.out.wait_for(b"ready\n")
        statuses = []
        for _ in range(3):
            running.send(stop)
            statuses.append(os.waitpid(running.pid, os.WUNTRACED)[1])
            running.send(signal.SIGCONT)
            statuses.append(os.waitpid(running.pid, os.WCONTINUED)[1])
        running.send(signal.SIGTERM)
        return statuses + [running.status()]
    assert seen(QUIETLY) == seen(BARE)


def test_a_stopped_program_can_be_killed(stage):
    def seen(way):
        running = stage.start(way, programs.c("die"), "wait")
        running.out.wait_for(b"ready\n")
        running.send(signal.SIGSTOP)
        stopped = os.waitpid(running.pid, os.WUNTRACED)[1]
        running.send(signal.SIGTERM)
        none_yet = os.waitpid(running.pid, os.WNOHANG)[0]
        running.send(signal.SIGCONT)
        return stopped, none_yet, running.status()
    assert seen(QUIETLY) == seen(BARE)
