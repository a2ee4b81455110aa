"""The caller's wait status: every exit code, every fatal signal, the core.

The raw status is compared, so that the core flag counts; a core file is
compared by its name, its threads and whether it is whole.
"""

import os
import pathlib
import resource
import signal
import struct
import subprocess

import pytest

import programs
from runs import BARE, SIGWHY, UNDER, assert_same_end, unlimited_core

STOPS_OR_IGNORED = {
    signal.SIGCHLD, signal.SIGCONT, signal.SIGSTOP, signal.SIGTSTP,
    signal.SIGTTIN, signal.SIGTTOU, signal.SIGURG, signal.SIGWINCH}
FATAL = sorted(
    {s for s in range(1, 32) if s not in STOPS_OR_IGNORED}
    | {signal.SIGRTMIN, signal.SIGRTMIN + 1, signal.SIGRTMAX})


def test_every_exit_code(stage):
    die = programs.c("die")
    wrong = {}
    for code in range(256):
        bare, below = stage.both(die, "exit", str(code))
        if (bare.status, bare.err) != (below.status, below.err):
            wrong[code] = below.told()
    assert not wrong


@pytest.mark.parametrize("number", FATAL)
def test_a_signal_that_it_raises(stage, number):
    bare, _ = stage.same(programs.c("die"), "raise", str(number))
    assert bare.signal == number


@pytest.mark.parametrize("number", FATAL)
def test_a_signal_that_another_sends(stage, number):
    def end(way):
        running = stage.start(way, programs.c("die"), "wait")
        running.out.wait_for(b"ready\n")
        running.send(number)
        return running.ending()
    bare = end(BARE)
    assert_same_end(bare, end(UNDER))
    assert bare.signal == number


@pytest.mark.parametrize("how", [
    "null", "abort", "divide", "illegal", "overflow",
    "thread-null", "thread-abort"])
def test_a_fault(stage, how):
    bare, _ = stage.same(programs.c("die"), "--threads", "3", how)
    assert bare.signal


def thread_count(core: pathlib.Path) -> int:
    """Counts the NT_PRSTATUS notes of a core, after checking it is whole."""
    data = core.read_bytes()
    assert data[:4] == b"\x7fELF"
    assert struct.unpack_from("<H", data, 16) == (4,), "not of type ET_CORE"
    headers_at, = struct.unpack_from("<Q", data, 32)
    entry_bytes, entries = struct.unpack_from("<HH", data, 54)
    threads = 0
    for at in range(headers_at, headers_at + entries * entry_bytes,
                    entry_bytes):
        kind, _, offset, _, _, filled = struct.unpack_from("<IIQQQQ", data, at)
        assert offset + filled <= len(data), "the core is cut short"
        end = offset + filled if kind == 4 else 0
        while kind == 4 and offset < end:
            name, body, note = struct.unpack_from("<III", data, offset)
            threads += note == 1
            offset += 12 + (name + 3) // 4 * 4 + (body + 3) // 4 * 4
    return threads


def die_in(stage, way, how, limit):
    folder = stage.folder / way.name
    folder.mkdir()
    ending = stage.run(way, programs.c("die"), "--threads", "4", *how,
                       cwd=folder, preexec_fn=limit)
    names = {path.name.replace(str(ending.pid), "PID"): path
             for path in folder.iterdir()}
    return ending, names


@pytest.mark.parametrize("how", [
    ("null",), ("thread-null",), ("thread-abort",), ("overflow",),
    ("raise", str(int(signal.SIGQUIT))), ("raise", str(int(signal.SIGXCPU)))])
def test_the_core_file(stage, how):
    bare, bare_files = die_in(stage, BARE, how, unlimited_core)
    below, files = die_in(stage, UNDER, how, unlimited_core)
    assert_same_end(bare, below)
    assert files.keys() == bare_files.keys()
    for name, path in bare_files.items():
        assert thread_count(files[name]) == thread_count(path)


@pytest.mark.parametrize("how", [("null",), ("thread-abort",)])
def test_no_core_file_where_the_limit_is_0(stage, how):
    def none():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    bare, bare_files = die_in(stage, BARE, how, none)
    below, files = die_in(stage, UNDER, how, none)
    assert_same_end(bare, below)
    assert files.keys() == bare_files.keys()


def an_unstartable(folder: pathlib.Path, kind: str) -> str:
    path = folder / "unstartable"
    contents = {"not executable": "#!/bin/sh\nexit 0\n",
                "bad interpreter": "#!/nowhere/interpreter\n"}
    if kind == "directory":
        path.mkdir()
    elif kind in contents:
        path.write_text(contents[kind])
        path.chmod(0o644 if kind == "not executable" else 0o755)
    elif kind == "below a file":
        path.write_text("")
        return str(path / "program")
    elif kind == "not on the path":
        return "no-such-command-anywhere"
    return str(path)


def as_others_say(command: str, stage) -> set[int]:
    """The exit codes that two shells and env(1) give for the same command."""
    starters = (["env", command], ["bash", "-c", 'exec "$0"', command],
                ["dash", "-c", 'exec "$0"', command])
    return {subprocess.run(words, env=stage.environment, cwd=stage.folder,
                           capture_output=True).returncode
            for words in starters}


@pytest.mark.parametrize("kind", [
    "not on the path", "missing", "not executable", "directory",
    "bad interpreter", "below a file"])
def test_what_cannot_be_started(stage, kind):
    command = an_unstartable(stage.folder, kind)
    below = stage.run(UNDER, command)
    assert below.code in as_others_say(command, stage), below.told()
    assert below.code in (126, 127), below.told()
    lines = below.err.decode().splitlines()
    assert len(lines) == 1 and below.out == b"", below.told()
    assert lines[0].startswith("sigwhy: ") and command in lines[0]


@pytest.mark.parametrize("text", ["echo from the script $1\nexit 5\n",
                                  "\x7fELF, but no more of it\n", ""])
def test_a_file_without_an_interpreter_line(stage, text):
    """env(1) hands such a file to sh, as execvp(3) does; so must we."""
    script = stage.folder / "script"
    script.write_text(text)
    script.chmod(0o755)
    bare = stage.run(BARE, "env", script, "word")
    assert_same_end(bare, stage.run(UNDER, script, "word"))


@pytest.mark.parametrize("words", [
    ["run", "--no-such-option", "--", "true"], ["run"], ["run", "--"],
    ["run", "--json"], ["run", "--on-hang", "nonsense", "--", "true"]])
def test_own_errors_exit_125(stage, words):
    ending = stage.run(BARE, SIGWHY, *words)
    assert ending.code == 125, ending.told()
    assert ending.err and not ending.out, ending.told()


def test_an_option_look_alike_belongs_to_the_program(stage):
    stage.same("printf", "%s\n", "--json", "--", "--quiet", "run", "")


def test_the_path_is_searched_as_the_callers_would_be(stage):
    shadowed, found = stage.folder / "first", stage.folder / "second"
    for folder, mode in ((shadowed, 0o644), (found, 0o755)):
        folder.mkdir()
        (folder / "tool").write_text(f"#!/bin/sh\necho {folder.name}\n")
        (folder / "tool").chmod(mode)
    path = os.pathsep.join(map(str, (shadowed, found, "/usr/bin")))
    stage.same("env", "tool", env=stage.with_environment(PATH=path))
    bare = stage.run(BARE, "env", "tool",
                     env=stage.with_environment(PATH=path))
    assert_same_end(bare, stage.run(UNDER, "tool",
                                    env=stage.with_environment(PATH=path)))
