"""When sigwhy speaks: after a death by signal, and otherwise not.

Nothing while the program lives, nothing at a plain exit; the report comes on
a fresh line, before the caller learns of the end. Settings are flags, then
SIGWHY_OPTIONS, then sigwhy.toml.
"""

import json
import os
import re
import signal

import pytest

import proc_files
import programs
from runs import BARE, QUIETLY, UNDER, under
from terminal import Shell, Terminal, on_screen

HEADLINE = re.compile(r"^sigwhy: .*", re.M)


def headlines(ending) -> list[str]:
    return HEADLINE.findall(ending.report)


def cases_kept(stage) -> list:
    return [path for path in stage.cases.rglob("*.json")]


def test_nothing_while_it_lives(stage):
    running = stage.start(UNDER, programs.c("worker"), "threads")
    running.out.wait_for(b"ready\n")
    assert proc_files.tracer(running.pid)
    running.tell(b"e")
    ending = running.ending()
    assert (ending.out, ending.err) == (b"ready\ngoing on\n", b"")


@pytest.mark.parametrize("code", [0, 1, 2, 3, 77, 134, 139, 255])
def test_nothing_at_a_plain_exit(stage, code):
    _, below = stage.same(programs.c("die"), "exit", str(code))
    assert below.err == b""


@pytest.mark.parametrize("words, name", [
    (("null",), "SIGSEGV"), (("abort",), "SIGABRT"), (("divide",), "SIGFPE"),
    (("illegal",), "SIGILL"), (("raise", "7"), "SIGBUS"),
    (("raise", "9"), "SIGKILL"), (("raise", "15"), "SIGTERM"),
    (("raise", "2"), "SIGINT")], ids=lambda value: value[0])
def test_a_report_after_a_death_by_signal(stage, words, name):
    bare, below = stage.same(programs.c("die"), *words)
    assert len(headlines(below)) == 1, below.told()
    assert name in headlines(below)[0]
    assert f"(exit {128 + bare.signal})" in headlines(below)[0]
    assert re.search(r"^  (PROVEN|STRONG|PLAUSIBLE|WEAK|UNKNOWN)  ",
                     below.report, re.M), below.told()


def test_the_report_ends_with_the_id_of_a_kept_case(stage):
    below = stage.run(UNDER, programs.c("die"), "null")
    last = below.report.rstrip("\n").splitlines()[-1]
    case = re.match(r"([0-9a-f]{8}) ", last)
    assert case, below.told()
    assert [path for path in cases_kept(stage) if case[1] in str(path)]


SAID = ["", "step 3 of 10", "done\n", "\r 42 %"]


def dying_after(said: str) -> list[str]:
    return [programs.c("die"), *(["--say", said] if said else []), "null"]


def open_line(said: str) -> bool:
    return bool(said) and not said.endswith("\n")


@pytest.mark.parametrize("said", SAID)
def test_on_a_fresh_line_of_a_file(stage, said):
    path = stage.folder / "stderr"
    with open(path, "wb") as stream:
        stage.run(UNDER, *dying_after(said), stderr=stream)
    expected = said + ("\n" if open_line(said) else "") + "sigwhy: "
    assert path.read_bytes().decode().startswith(expected), path.read_bytes()


@pytest.mark.parametrize("said", SAID)
def test_on_a_fresh_line_of_a_pipe(stage, said):
    """What went through it cannot be known, so an empty line may come."""
    err = stage.run(UNDER, *dying_after(said)).err.decode()
    line_end = "\n" if open_line(said) else "\n?"
    assert re.match(re.escape(said) + line_end + "sigwhy: ", err), err


@pytest.mark.parametrize("said", SAID)
def test_on_a_fresh_line_of_a_terminal(stage, said):
    terminal = Terminal([*UNDER.prefix, *dying_after(said)],
                        stage.environment, stage.folder)
    lines = on_screen(terminal.until(b"sigwhy: "), columns=80)
    os.waitpid(terminal.pid, 0)
    terminal.hang_up()
    own = said.strip("\r\n")
    assert [line.rstrip() for line in lines] == \
        ([own] if own else []) + ["sigwhy:"]


def test_the_report_comes_before_the_prompt(stage):
    """Twenty times: on a race it would lose now and then."""
    shell = Shell(UNDER, stage.environment, stage.folder)
    try:
        for _ in range(20):
            shown = shell.command(f"$RUN {programs.c('die')} null")
            assert shown.count("sigwhy: ") == 1, shown
            assert "Segmentation fault" in shown, shown
            assert shell.command("true") == ""
    finally:
        shell.close()


def test_the_caller_is_told_only_after_the_report(stage):
    running = stage.start(UNDER, programs.c("die"), "null")
    running.status()
    assert running.err.bytes().startswith(b"sigwhy: ") or \
        running.err.wait_for(b"sigwhy: ", 0.2)
    running.ending()


@pytest.mark.parametrize("words", [
    ("exit", "0"), ("exit", "3"), ("null",), ("raise", "9")], ids=" ".join)
def test_quiet_says_nothing(stage, words):
    bare, below = stage.both(programs.c("die"), *words, other=QUIETLY)
    assert (bare.status, bare.out, bare.err) == (
        below.status, below.out, below.err)


def test_quiet_keeps_the_case(stage):
    stage.run(QUIETLY, programs.c("die"), "null")
    assert cases_kept(stage)


@pytest.mark.parametrize("words", [
    ("exit", "0"), ("exit", "3"), ("null",), ("raise", "9")], ids=" ".join)
def test_always_reports_every_end(stage, words):
    bare, below = stage.both(programs.c("die"), *words,
                             other=under("--always"))
    assert bare.status == below.status
    assert len(headlines(below)) == 1, below.told()


@pytest.mark.parametrize("shell", ["bash", "dash"])
def test_a_shell_that_passes_a_childs_death_on(stage, shell):
    """The root exits with 139; the cause is the child that died."""
    script = f"{programs.c('die')} null; exit $?"
    bare, below = stage.both(shell, "-c", script)
    assert bare.code == below.code == 128 + signal.SIGSEGV
    assert len(headlines(below)) == 1, below.told()
    assert "SIGSEGV" in below.report


def test_a_number_that_several_pass_on(stage):
    """A signal that is no fault, through two shells: each ends with the number of the one below."""
    script = f"{programs.c('die')} raise {int(signal.SIGVTALRM)}; exit $?"
    bare, below = stage.both("bash", "-c", f"bash -c {script!r}; exit $?")
    assert bare.code == below.code == 128 + signal.SIGVTALRM
    assert "SIGVTALRM" in below.report, below.told()


def test_one_case_a_death(stage):
    """Kept when it happened and shown when it travelled up: the same case."""
    stage.run(UNDER, "bash", "-c", f"{programs.c('die')} null; exit $?")
    pids = [json.loads(path.read_text())["snapshot"]["process"]["pid"]
            for path in cases_kept(stage)]
    assert len(pids) == len(set(pids)), pids


@pytest.mark.parametrize("script", ["{die} null; exit 0", "{die} abort; true",
                                    "{die} null & wait; exit 0",
                                    "{die} null | cat; exit 0"])
def test_a_death_that_did_not_travel_up_is_kept_in_silence(stage, script):
    script = script.format(die=programs.c("die"))
    bare, below = stage.both("bash", "-c", script)
    assert (bare.status, bare.out) == (below.status, below.out)
    assert not below.report, below.told()
    proc_files.eventually(lambda: cases_kept(stage), 5.0, "a case is kept")


@pytest.mark.parametrize("script", ["{die} null; {die} exit 3", "{die} null; {die} exit 1; exit $?",
                                    "{die} null || {die} exit 3 || exit 3"])
def test_a_shell_that_went_on_after_a_childs_death(stage, script):
    """Its status is that of what it started next."""
    bare, below = stage.both("bash", "-c", script.format(die=programs.c("die")))
    assert bare.code == below.code and bare.code in (1, 3)
    assert not below.report, below.told()


@pytest.mark.parametrize("first", ["null", "abort"])
def test_the_last_childs_death_is_the_one_that_travelled(stage, first):
    script = f"{programs.c('die')} {first} || true; {programs.c('die')} divide; {programs.c('die')} null; exit $?"
    bare, below = stage.both("bash", "-c", script)
    assert bare.code == below.code == 139
    assert len(headlines(below)) == 1, below.told()
    shown = re.search(r"pid (\d+)", headlines(below)[0] + below.report)
    kept = {c["snapshot"]["process"]["pid"]: c for c in map(json.loads, (p.read_text() for p in cases_kept(stage)))}
    assert shown and int(shown[1]) == max(kept), below.told()


HANDLED = """
import subprocess, sys
done = subprocess.run([sys.argv[1], "null"])
print("ended with", done.returncode, file=sys.stderr)
"""


@pytest.mark.parametrize("then, cause", [
    ("int('twelve')", "python-exception"),
    ("raise RuntimeError('no result')", "python-exception"),
    ("raise ValueError('num_workers is 3 of 2; the signal is short')", "python-exception"),
    ("raise RuntimeError('the worker failed')", "null-pointer"),
    ("raise RuntimeError(f'it ended with {done.returncode}')", "null-pointer"),
    ("assert done.returncode == 0", "null-pointer"),
    ("done.check_returncode()", "null-pointer"),
    ("sys.exit(1)", "null-pointer"),
    ("sys.exit(done.returncode + 150)", "null-pointer")])
def test_an_exception_after_a_childs_death(stage, then, cause):
    """It answers for itself, unless it tells of that death."""
    script = stage.folder / "parent.py"
    script.write_text(HANDLED + then + "\n")
    bare, below = stage.both("/usr/bin/python3", str(script), programs.c("die"))
    assert bare.code == below.code == (1 if "150" not in then else 139)
    assert len(headlines(below)) == 1, below.told()
    assert re.search(f"^  [A-Z]+  {cause} ", below.report, re.M), below.told()


def test_it_answers_for_itself_once(stage):
    script = stage.folder / "parent.py"
    script.write_text(HANDLED + "int('twelve')\n")
    below = stage.run(under("--always"), "/usr/bin/python3", str(script), programs.c("die"))
    assert len(headlines(below)) == 1, below.told()


@pytest.mark.parametrize("how", ["TERM", "KILL", "HUP"])
@pytest.mark.parametrize("code", [1, 3])
def test_a_child_that_it_ended_itself_is_no_cause(stage, how, code):
    """Cleaning up before a failure of one's own: nothing to say."""
    script = (f"sleep 1000 & kill -{how} $!; wait $! 2>/dev/null; "
              f"exit {code}")
    _, below = stage.both("dash", "-c", script)
    assert below.code == code and not below.report, below.told()


def test_children_that_end_with_it_are_no_cause(stage):
    """Theirs is the consequence of its end: they asked to die with it."""
    for _ in range(10):
        below = stage.run(UNDER, programs.c("worker"), "tree", told=b"e")
        assert below.code == 42 and not below.report, below.told()


def test_the_json_file_is_a_whole_case(stage):
    path = stage.folder / "case.json"
    stage.run(under("--json", str(path)), programs.c("die"), "null")
    case = json.loads(path.read_text())
    assert case["diagnosis"]["verdict"]
    assert case["diagnosis"]["findings"]
    assert not list(stage.folder.glob("case.json?*"))


def write_settings(stage, text: str) -> None:
    folder = stage.folder / "config"
    folder.mkdir(exist_ok=True)
    (folder / "sigwhy.toml").write_text(text)


def reported(stage, way, words, **changes) -> bool:
    ending = stage.run(way, programs.c("die"), *words,
                       env=stage.with_environment(**changes))
    return bool(ending.report)


def test_options_from_the_environment(stage):
    crash, exits = ("null",), ("exit", "0")
    assert not reported(stage, UNDER, crash, SIGWHY_OPTIONS="--quiet")
    assert reported(stage, UNDER, exits, SIGWHY_OPTIONS="--always")
    assert reported(stage, UNDER, crash, SIGWHY_OPTIONS="")


def test_options_from_the_file(stage):
    write_settings(stage, "quiet = true\n")
    assert not reported(stage, UNDER, ("null",))
    write_settings(stage, "always = true\n")
    assert reported(stage, UNDER, ("exit", "0"))


def test_the_nearer_setting_wins(stage):
    write_settings(stage, "quiet = true\n")
    exits = ("exit", "0")
    assert reported(stage, UNDER, exits, SIGWHY_OPTIONS="--always")
    assert reported(stage, under("--always"), exits)
    write_settings(stage, "always = true\n")
    assert not reported(stage, UNDER, exits, SIGWHY_OPTIONS="--quiet")
    assert not reported(stage, QUIETLY, exits)
    assert not reported(stage, QUIETLY, exits, SIGWHY_OPTIONS="--always")


@pytest.mark.parametrize("text", [
    "quiet = maybe\n", "this is not toml [", "no-such-setting = 1\n"])
def test_a_mistake_in_the_file_does_not_stop_the_program(stage, text):
    write_settings(stage, text)
    below = stage.run(UNDER, programs.c("die"), "exit", "3")
    assert below.code == 3, below.told()


def test_a_mistake_in_the_variable_does_not_stop_the_program(stage):
    env = stage.with_environment(SIGWHY_OPTIONS="--no-such-option")
    assert stage.run(UNDER, programs.c("die"), "exit", "3", env=env).code == 3


def test_the_case_folder_is_the_one_that_was_named(stage):
    other = stage.folder / "other"
    stage.run(UNDER, programs.c("die"), "null",
              env=stage.with_environment(SIGWHY_DIR=str(other)))
    assert list(other.rglob("*.json")) and not stage.cases.exists()
    for path in other.rglob("*"):
        assert path.is_dir() or path.stat().st_mode & 0o077 == 0, path


def test_bare_runs_are_bare(stage):
    """The comparison itself: a bare run has neither report nor case."""
    assert stage.run(BARE, programs.c("die"), "null").err == b""
    assert not stage.cases.exists()
