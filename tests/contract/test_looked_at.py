"""`sigwhy attach` on a living program: it does not notice.

The program sleeps in every kind of call that a careless debugger interrupts,
and complains about each that did not end as it should. It is looked at many
times, with and without a supervisor, and the looker is killed at any moment.
"""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import pytest

import proc_files
import programs
from runs import BARE, SIGWHY, UNDER, Way

LOOKS = 25


def look(stage, pid, **popen):
    return subprocess.run([SIGWHY, "attach", str(pid)], env=stage.environment,
                          capture_output=True, text=True, timeout=30, **popen)


@pytest.mark.parametrize("way", [BARE, UNDER], ids=lambda way: way.name)
def test_looked_at_many_times(stage, way):
    running = stage.start(way, programs.c("looked_at"))
    running.out.wait_for(b"ready")
    for _ in range(LOOKS):
        done = look(stage, running.pid)
        assert done.returncode == 0 and done.stdout.startswith("sigwhy: "), \
            done.stderr
        # not in step with the program's own waits
        time.sleep(random.uniform(0, 0.02))
    running.tell(b"x")
    ending = running.ending()
    assert (ending.status, ending.out) == (0, b"ready\nover\n"), ending.told()
    assert ending.err == b""


@pytest.mark.parametrize("way", [BARE, UNDER], ids=lambda way: way.name)
def test_looked_at_by_several_at_once(stage, way):
    """They take turns: nobody is told that it is traced already."""
    running = stage.start(way, programs.c("looked_at"))
    running.out.wait_for(b"ready")
    words = [SIGWHY, "attach", str(running.pid)]
    for _ in range(4):
        lookers = [subprocess.Popen(words, env=stage.environment, text=True,
                                    stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE)
                   for _ in range(4)]
        said = [looker.communicate(timeout=30)[1] for looker in lookers]
        assert [looker.returncode for looker in lookers] == [0] * 4, said
    running.tell(b"x")
    ending = running.ending()
    assert (ending.status, ending.out) == (0, b"ready\nover\n"), ending.told()


def test_the_program_file_of_its_supervisor_was_replaced(stage):
    """As by an update, which leaves "sigwhy (deleted)" behind."""
    folder = stage.folder / "old"
    folder.mkdir()
    for file in pathlib.Path(SIGWHY).parent.glob("sigwhy*"):
        if file.is_file():
            shutil.copy(file, folder)
    running = stage.start(Way("old", (str(folder / "sigwhy"), "run", "--")),
                          programs.c("looked_at"))
    running.out.wait_for(b"ready")
    shutil.rmtree(folder)
    done = look(stage, running.pid)
    assert done.returncode == 0, done.stderr
    running.tell(b"x")
    assert running.ending().status == 0


@pytest.mark.parametrize("way", [BARE, UNDER], ids=lambda way: way.name)
def test_looker_is_killed(stage, way):
    """The program goes on, nobody traces it longer than before."""
    running = stage.start(way, programs.c("looked_at"))
    running.out.wait_for(b"ready")
    tracer = proc_files.tracer(running.pid)
    for _ in range(10):
        looker = subprocess.Popen(
            [SIGWHY, "attach", str(running.pid)], env=stage.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0, 0.03))
        looker.kill()
        looker.wait()
    threads = os.listdir(f"/proc/{running.pid}/task")
    for tid in threads:
        proc_files.eventually(
            lambda: proc_files.state(int(tid)) in "SRD"
            and proc_files.tracer(int(tid)) == tracer,
            what=f"thread {tid} is on its own again")
    running.tell(b"x")
    ending = running.ending()
    assert ending.status == 0 and ending.out.endswith(b"over\n"), \
        ending.told()


@pytest.mark.parametrize("way", [BARE, UNDER], ids=lambda way: way.name)
def test_stopped_job_stays_stopped(stage, way):
    running = stage.start(way, "/bin/cat")
    running.tell(b"begun ")
    running.out.wait_for(b"begun ")
    running.send(signal.SIGSTOP)
    _, status = os.waitpid(running.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    before = proc_files.state(running.pid)
    done = look(stage, running.pid)
    assert done.returncode == 0, done.stderr
    proc_files.eventually(lambda: proc_files.state(running.pid) == before,
                          what="it is stopped as before")
    assert os.waitpid(running.pid, os.WUNTRACED | os.WNOHANG) == (0, 0)
    running.send(signal.SIGCONT)
    running.tell(b"ended")
    ending = running.ending()
    assert (ending.status, ending.out) == (0, b"begun ended"), ending.told()


def test_case_folder_stays_empty(stage):
    running = stage.start(BARE, programs.c("looked_at"))
    running.out.wait_for(b"ready")
    assert look(stage, running.pid).returncode == 0
    assert not stage.cases.exists()
    running.tell(b"x")
    assert running.ending().status == 0


def test_supervised_program_dies_as_before(stage):
    """A look takes nothing from the report of a later death."""
    running = stage.start(UNDER, programs.c("looked_at"))
    running.out.wait_for(b"ready")
    assert look(stage, running.pid).returncode == 0
    running.send(signal.SIGSEGV)
    ending = running.ending()
    assert ending.signal == signal.SIGSEGV
    assert "SIGSEGV" in ending.report and "killed-by-process" in ending.report
