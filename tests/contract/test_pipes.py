"""Pipes end when the program ends them, and nothing stays behind.

A reader waits for the last holder of a pipe, so a supervisor that keeps a
descriptor of the program's makes `| tee` and $(...) wait for it. It may speak
to stderr at the end, but it may not keep what the program has let go.
"""

import fcntl
import os
import pathlib
import select
import signal

import pytest

import proc_files
import programs
from runs import BARE, QUIETLY, UNDER, assert_same_end


def in_shell(stage, script: str, way, **kw):
    """The script with $RUN standing for nothing or for `sigwhy run --`."""
    env = stage.with_environment(RUN=" ".join(way.prefix))
    return stage.run(BARE, "bash", "-c", script, env=env, **kw)


def same_in_shell(stage, script: str, **kw):
    bare, below = (in_shell(stage, script, way, **kw)
                   for way in (BARE, QUIETLY))
    assert_same_end(bare, below)
    return bare


def test_tee_ends_with_the_program(stage):
    script = ("$RUN sh -c 'echo one; echo two >&2; exit 3' 2>&1 | tee copy; "
              'echo "${PIPESTATUS[@]}"; cat copy')
    assert b"3 0" in same_in_shell(stage, script).out


def test_tee_ends_with_a_program_that_dies(stage):
    same_in_shell(stage, f"$RUN {programs.c('die')} --say oops null 2>&1 "
                  '| tee copy; echo "${PIPESTATUS[@]}"')


def test_a_substitution_ends_when_the_output_is_closed(stage):
    """The child in the background gave its output away; the substitution
    ends with the shell and the child lives on."""
    script = ("x=$($RUN sh -c 'sleep 1000 >/dev/null 2>&1 & "
              "echo hi; echo $! >child'); echo \"got $x\"; "
              "kill $(cat child) && echo it lived")
    assert b"got hi\nit lived" in same_in_shell(stage, script).out


def test_a_substitution_waits_for_a_child_that_keeps_the_output(stage):
    script = ("x=$($RUN sh -c 'echo early; (read line <go; echo late) &'); "
              'echo "got $x"')
    ends = []
    for way in (BARE, QUIETLY):
        os.mkfifo(stage.folder / "go")
        env = stage.with_environment(RUN=" ".join(way.prefix))
        running = stage.start(BARE, "bash", "-c", script, env=env)
        with open(stage.folder / "go", "w") as go:
            go.write("on\n")
        ends.append(running.ending())
        (stage.folder / "go").unlink()
    assert_same_end(*ends)
    assert ends[0].out == b"got early\nlate\n"


@pytest.mark.parametrize("lines", [0, 1, 100_000])
def test_the_bytes_are_the_same(stage, lines):
    bare, _ = stage.same(programs.c("holder"), "stream", str(lines))
    assert bare.out.count(b"\n") == lines


def test_stdin_passes_through(stage):
    stage.same("sha256sum", told=os.urandom(1 << 20))


def test_the_order_of_the_two_outputs_in_one_file(stage):
    script = ("$RUN bash -c 'for i in 1 2 3 4 5; do echo out $i; "
              "echo err $i >&2; done' >both 2>&1; cat both")
    same_in_shell(stage, script)


def test_a_reader_that_goes_away(stage):
    script = '$RUN yes | head -n 3; echo "${PIPESTATUS[@]}"'
    assert b"141 0" in same_in_shell(stage, script).out


def start_with_pipe(stage, way, at_least: int):
    """`holder close N` with a pipe of ours as its descriptor N; above the
    standard ones N is the first free number."""
    ours, its = os.pipe()
    names = {1: "stdout", 2: "stderr"}
    given, number = {names.get(at_least): its}, at_least
    if at_least not in names:
        number = fcntl.fcntl(its, fcntl.F_DUPFD, at_least)
        given = {"pass_fds": (number,)}
    running = stage.start(way, programs.c("holder"), "close", str(number),
                          **given)
    for mine in {its, number} - {1, 2}:
        os.close(mine)
    speaker = running.err if number == 1 else running.out
    speaker.wait_for(b"closed\n")
    return running, os.fdopen(ours, "rb")


@pytest.mark.parametrize("number", [1, 2, 7, 200])
def test_a_descriptor_that_it_closes_is_closed(stage, number):
    """The program lives on, but its reader sees the end of file."""
    def end_is_seen(way):
        running, ours = start_with_pipe(stage, way, number)
        seen = bool(select.select([ours], [], [], 2.0)[0])
        assert not seen or ours.read(1) == b""
        alive = proc_files.exists(running.pid)
        running.send(signal.SIGTERM)
        running.status()
        ours.close()
        return seen, alive
    assert end_is_seen(BARE) == (True, True)
    assert end_is_seen(UNDER) == (True, True)


def test_a_writer_learns_that_it_closed_its_stdin(stage):
    def writer_is_told(way):
        running = stage.start(way, programs.c("holder"), "close", "0")
        running.out.wait_for(b"closed\n")
        try:
            os.write(running.stdin.fileno(), b"x")
            return False
        except BrokenPipeError:
            return True
        finally:
            running.send(signal.SIGTERM)
            running.status()
    assert writer_is_told(BARE)
    assert writer_is_told(QUIETLY)


def test_a_folder_that_it_left_can_be_unmounted(stage):
    """Nobody of ours sits in the directory the run was started from."""
    mount_point = stage.folder / "mounted"
    mount_point.mkdir()
    script = (f"mount -t tmpfs none '{mount_point}' && cd '{mount_point}' && "
              f"exec 3<>'{stage.folder}/pipe' && "
              f"{{ $RUN {programs.c('holder')} chdir >&3 3>&- & }} && "
              f"read line <&3 && cd / && umount '{mount_point}'; "
              "echo status $?; kill $!; wait $! 2>/dev/null")
    os.mkfifo(stage.folder / "pipe")

    def said(way):
        env = stage.with_environment(RUN=" ".join(way.prefix))
        return stage.run(BARE, "bash", "-c", script, env=env, launcher=[
            "unshare", "--mount", "--map-root-user"
            if os.geteuid() else "--mount"]).out
    assert said(BARE) == b"status 0\n"
    assert said(QUIETLY) == b"status 0\n"


def daemon_of(stage, way) -> tuple[int, int]:
    pid_file = stage.folder / f"pid-{way.name}"
    ending = stage.run(way, programs.c("holder"), "detach", pid_file)
    return ending.code, int(pid_file.read_text())


def test_a_daemon_lives_on_and_nobody_traces_it(stage):
    bare_code, bare_daemon = daemon_of(stage, BARE)
    code, daemon = daemon_of(stage, UNDER)
    try:
        assert code == bare_code
        assert proc_files.exists(daemon)
        proc_files.eventually(lambda: proc_files.tracer(daemon) == 0, 2.0,
                              "the daemon is let go")
        assert proc_files.state(daemon) == proc_files.state(bare_daemon)
        proc_files.eventually(
            lambda: not any(map(proc_files.is_sigwhy, stage.alive())), 2.0,
            "the supervisor is gone")
    finally:
        for pid in (bare_daemon, daemon):
            os.kill(pid, signal.SIGTERM)


@pytest.mark.parametrize("words", [
    ("exit", "0"), ("exit", "3"), ("null",), ("raise", "9")],
    ids=" ".join)
def test_the_supervisor_is_gone_after_the_end(stage, words):
    stage.run(QUIETLY, programs.c("die"), *words)
    proc_files.eventually(lambda: not stage.alive(), 2.0,
                          "all processes of the run are gone")


def test_a_child_left_behind_is_let_go_stopped_or_not(stage):
    """A stopped orphan stays stopped: letting go must not wake it."""
    pid_file = stage.folder / "pid"
    script = (f"setsid sh -c 'echo $$ >{pid_file}.new; "
              f"mv {pid_file}.new {pid_file}; kill -STOP $$; "
              "read line </dev/null; exec sleep 1000' "
              "</dev/null >/dev/null 2>&1 & "
              f"until [ -e {pid_file} ]; do :; done; "
              f"until grep -q 'State:.[Tt]' /proc/$(cat {pid_file})/status; "
              "do :; done; exit 0")
    for way in (BARE, QUIETLY):
        assert stage.run(way, "sh", "-c", script).status == 0
        left = int(pid_file.read_text())
        proc_files.eventually(lambda: proc_files.tracer(left) == 0, 2.0)
        # On its way back into the stop it must be given a CPU first.
        proc_files.eventually(lambda: proc_files.state(left) == "T", 2.0)
        os.kill(left, signal.SIGCONT)
        proc_files.eventually(
            lambda: proc_files.text(left, "comm") == "sleep\n")
        os.kill(left, signal.SIGKILL)
        pid_file.unlink()


def test_nothing_is_written_beside_the_case_folder(stage):
    room = stage.folder / "room"
    room.mkdir()
    env = stage.with_environment(TMPDIR=str(room), HOME=str(room))
    stage.run(UNDER, programs.c("die"), "null", cwd=room, env=env)
    assert not list(pathlib.Path(room).iterdir())
