"""What a run leaves on the disk: its case where it died, else nothing.

The record of a run lies in the case folder from its first second on, so these
programs wait until it is there.
"""

import os
import pathlib
import uuid

import pytest

import proc_files
from runs import UNDER
from test_supervisor_killed import keeper_of, kill_and_wait, supervisor_of

PIDS = pathlib.Path("/sys/fs/cgroup/pids")


def records(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(folder.glob("*.run"))


def recorded(stage):
    running = stage.start(UNDER, "/bin/cat")
    proc_files.eventually(lambda: records(stage.cases), what="a record")
    return running


def test_a_good_end_leaves_nothing(stage):
    running = recorded(stage)
    assert running.ending().status == 0
    assert not list(stage.cases.iterdir())


def test_nor_does_it_when_the_keeper_was_killed(stage):
    """It made the record; nobody else would have removed it."""
    running = recorded(stage)
    supervisor = supervisor_of(running)
    kill_and_wait([keeper_of(supervisor)])
    assert running.ending().status == 0
    proc_files.eventually(lambda: not proc_files.exists(supervisor))
    assert not list(stage.cases.iterdir())


def test_a_home_that_is_not_there_is_not_made(stage):
    home, other = stage.folder / "nobody", stage.folder / "other"
    other.mkdir()
    env = stage.with_environment(SIGWHY_DIR=None, HOME=str(home),
                                 XDG_STATE_HOME=None, TMPDIR=str(other))
    running = stage.start(UNDER, "/bin/cat", env=env)
    proc_files.eventually(
        lambda: records(other / f"sigwhy-{os.geteuid()}"), what="a record")
    assert running.ending().status == 0
    assert not home.exists()


@pytest.mark.skipif(not os.access(PIDS / "cgroup.procs", os.W_OK),
                    reason="no control groups of processes to write to")
@pytest.mark.parametrize("inner", [False, True], ids=["own", "outer"])
def test_of_a_handful_of_processes_it_takes_one(stage, inner):
    """The limit of its own group, or of one around it."""
    group = PIDS / f"sigwhy-{uuid.uuid4().hex[:8]}"
    group.mkdir()
    (group / "pids.max").write_text("3")
    place = group / "inner" if inner else group
    place.mkdir(exist_ok=True)
    try:
        stage.same("/bin/sh", "-c", "/bin/true; echo $?",
                   preexec_fn=lambda: (place / "cgroup.procs").write_text(
                       str(os.getpid())))
    finally:
        proc_files.eventually(
            lambda: not (place / "cgroup.procs").read_text())
        for folder in dict.fromkeys([place, group]):
            folder.rmdir()
