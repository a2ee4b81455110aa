"""Kept cases: show, list, rejudge, open; and that nothing secret is in what others can read."""
import json
import os
import pathlib
import subprocess

import pytest

from conftest import SIGWHY, no_core

SECRET = "hunter2-correct-horse-battery-staple-0123456789abcdef"

NULL_BY_PYTHON = """\
import ctypes
def go(password, user):
    ctypes.memset(None, 1, 5)
go("hunter2", "bob")
"""


def ids(bench):
    return sorted(p.stem for p in pathlib.Path(bench.env["SIGWHY_DIR"]).glob("*.json"))


def test_show_repeats_the_report(bench, null_reader):
    run = bench.run(null_reader)
    [case] = ids(bench)
    shown = bench.sigwhy("show", case).stdout.decode()
    assert shown.strip() == run.err.strip()
    assert case in run.err
    assert bench.sigwhy("show", case[:4]).stdout.decode() == shown
    everything = bench.sigwhy("show", "--full").stdout.decode()
    assert "rax" in everything and "first" in everything


def test_show_json_is_the_case(bench, null_reader):
    run = bench.run(null_reader)
    assert json.loads(bench.sigwhy("show", "--json").stdout) == run.case


def test_bytes_that_are_no_text_make_a_case_that_others_can_read(bench, null_reader):
    folder = os.fsencode(bench.folder) + b"/d\xff"
    os.mkdir(folder)
    os.rename(null_reader, folder + b"/\x80n")
    done = subprocess.run([SIGWHY, b"run", b"--", folder + b"/\x80n", b"\xc3\xb6", b"\xc3"], env=bench.env,
                          stderr=subprocess.PIPE, preexec_fn=no_core)
    case = json.loads(bench.sigwhy("show", "--json").stdout.decode("utf-8"))
    assert case["snapshot"]["process"]["argv"][0].endswith("/d\\xff/\\x80n")
    assert case["snapshot"]["process"]["argv"][1:] == ["\u00f6", "\\xc3"]
    assert bench.sigwhy("show").stdout.strip() == done.stderr.strip()


def test_output_that_cannot_be_written_is_an_error(bench, null_reader):
    bench.run(null_reader)
    for words in (["show"], ["show", "--json"], ["list"], ["schema"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([SIGWHY, *words], env=bench.env, stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 1, words
        assert done.stderr == b"sigwhy: cannot write what was asked for: No space left on device\n"


def test_list_names_every_case(bench, null_reader):
    bench.run(null_reader)
    bench.run(null_reader)
    listed = bench.sigwhy("list").stdout.decode()
    assert "null-pointer" in listed
    assert any(case in listed for case in ids(bench))


def test_rejudge_agrees_with_the_first_time(bench, null_reader):
    bench.run(null_reader)
    before = {p: p.read_text() for p in pathlib.Path(bench.env["SIGWHY_DIR"]).glob("*.json")}
    done = bench.sigwhy("rejudge")
    assert done.returncode == 0
    for path, text in before.items():
        assert json.loads(path.read_text())["diagnosis"] == json.loads(text)["diagnosis"]


SHAPES = '''\
import numpy as np
def step(left, right, password):
    return left @ right
step(np.ones((3, 4)), np.ones((5, 6)), "hunter2")
'''


def test_rejudge_leaves_a_case_whose_values_are_hidden(bench):
    (bench.folder / "step.py").write_text(SHAPES)
    first = bench.run("/usr/bin/python3", "step.py", options=["--no-values"])
    assert first.verdict == "shape-mismatch"
    [case] = ids(bench)
    done = bench.sigwhy("rejudge").stdout.decode()
    assert f"{case}  cannot be judged again: its values are hidden" in done
    kept = json.loads(bench.sigwhy("show", "--json").stdout)
    assert kept["diagnosis"] == first.case["diagnosis"]


def test_no_values_hides_literals_and_nothing_of_ours(bench):
    (bench.folder / "ints.py").write_text(NULL_BY_PYTHON)
    for _ in range(2):
        with open(bench.folder / "app.log", "ab") as log:
            bench.run("/usr/bin/python3", "ints.py", options=["--no-values"], stderr=log)
    said = " ".join((bench.folder / "app.log").read_text().split())
    assert said.count("through a null pointer") == 2 and said.count('go("***", "***")') == 2
    assert "hunter2" not in said and "bob" not in said


@pytest.mark.parametrize("options", [[], ["--values"], ["--no-values"]])
def test_a_value_of_a_secret_name_is_never_shown(bench, options):
    (bench.folder / "ints.py").write_text(NULL_BY_PYTHON.replace('"hunter2"', '"hun" + "ter2"'))
    bench.run("/usr/bin/python3", "ints.py", options=options)
    shown = bench.sigwhy("show", "--full").stdout.decode() + bench.sigwhy("show", "--json").stdout.decode()
    assert "password" in shown and "hunter2" not in shown
    assert ("'bob'" in shown) == (options == ["--values"])


def test_files_are_private(bench, null_reader):
    bench.run(null_reader)
    folder = pathlib.Path(bench.env["SIGWHY_DIR"])
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {p.suffix for p in folder.iterdir()} >= {".json", ".recipe", ".zst"}
    for file in folder.iterdir():
        assert file.stat().st_mode & 0o777 == 0o600, file


def test_open_kept_memory(bench, null_reader):
    bench.run(null_reader)
    [memory] = pathlib.Path(bench.env["SIGWHY_DIR"]).glob("*.mem.zst")
    opened = bench.sigwhy("open", memory).stdout.decode()
    assert "null-pointer" in opened and "first" in opened


def test_open_core(bench, null_reader):
    core = bench.folder / "core.null_reader"
    subprocess.run(["gdb", "-batch", "-nx", "-ex", "run", "-ex", f"generate-core-file {core}", null_reader],
                   check=True, capture_output=True, env=bench.env)
    opened = bench.sigwhy("open", core)
    assert "null-pointer" in opened.stdout.decode(), opened.stderr
    assert "first" in opened.stdout.decode()


@pytest.mark.parametrize("content", [b"", b"hello", b"\x7fELF" + bytes(100), b"\x28\xb5\x2f\xfd" + bytes(50), b"{}"])
def test_open_something_else(bench, content):
    file = bench.folder / "something"
    file.write_bytes(content)
    done = bench.sigwhy("open", file)
    assert done.returncode not in (0, -11, -6)
    assert done.stderr.decode().startswith("sigwhy: ") and done.stderr.count(b"\n") == 1


def test_a_home_that_cannot_be_written_is_passed_over(bench, null_reader):
    """docker --user leaves HOME=/. Root may write anywhere, so it is run without its capabilities."""
    home, other = bench.folder / "home", bench.folder / "other"
    home.mkdir(mode=0o500)
    other.mkdir()
    bench.env.pop("SIGWHY_DIR")
    bench.env.pop("XDG_STATE_HOME", None)
    bench.env.update(HOME=str(home), TMPDIR=str(other))
    powerless = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []

    def sigwhy(*words):
        return subprocess.run([*powerless, SIGWHY, *words], env=bench.env, cwd=bench.folder, capture_output=True, text=True,
                              timeout=60, preexec_fn=no_core)

    report = sigwhy("run", "--", null_reader).stderr
    [case] = [file.stem for file in other.glob("sigwhy-*/*.json")]
    assert report.endswith(f"{case} · more: sigwhy show {case} --full\n")
    assert sigwhy("show", case).stdout == report.lstrip()
    assert case in sigwhy("list").stdout


def test_what_is_not_kept_is_not_promised(bench, null_reader):
    bench.env["SIGWHY_DIR"] = "/dev/null/cases"
    run = bench.run(null_reader)
    assert run.verdict == "null-pointer"
    assert "sigwhy show" not in run.err and run.case["id"] not in run.err
    last = run.err.splitlines()[-1]
    assert last.startswith("sigwhy: the case is not kept: ") and last.endswith(" (set SIGWHY_DIR to a folder you can write to)")
    good = bench.run("true", options=["--always"])
    assert "sigwhy: true exited with 0" in good.err and "sigwhy show" not in good.err


def test_a_named_file_that_cannot_be_written(bench, null_reader):
    run = bench.sigwhy("run", "--json", "/dev/null/case.json", "--", null_reader)
    assert run.stderr.decode().splitlines()[-1] == "sigwhy: cannot write /dev/null/case.json: Not a directory"


def refused(bench, file):
    done = bench.sigwhy("open", file)
    assert done.returncode == 1 and not done.stdout
    line = done.stderr.decode()
    assert line.startswith(f"sigwhy: cannot open {file}: it is ") and line.count("\n") == 1, line
    assert line.endswith(" (name a core file, a case as JSON or the .mem.zst of a case)\n"), line
    return line


def test_open_what_is_no_file(bench):
    pipe = bench.folder / "pipe"
    os.mkfifo(pipe)
    assert "a pipe" in refused(bench, pipe), "nobody writes to it: it must not be waited for"
    assert "a folder" in refused(bench, bench.folder)
    assert "neither a core file nor a case" in refused(bench, "/bin/sh")


def test_no_secret_leaves(bench):
    """Planted in environment, arguments, stack, heap and the text of an abort."""
    program = bench.build("keeper", r"""
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(int argc, char **argv) {
          char on_stack[128], *on_heap = malloc(128);
          snprintf(on_stack, sizeof on_stack, "password=%s", getenv("API_TOKEN"));
          strcpy(on_heap, on_stack);
          fprintf(stderr, "%p %p %s\n", (void *)on_stack, (void *)on_heap, argv[2] ? "" : "");
          return *(volatile int *)(long)(argc > 9);
        }""", "-g")
    env = dict(bench.env, API_TOKEN=SECRET, OMP_SECRET_KEY=SECRET, TF_API_TOKEN=SECRET)
    run = bench.run(program, "--token", SECRET, f"--password={SECRET}", f"https://me:{SECRET}@host/x", env=env,
                    options=["--full"])
    assert run.verdict == "null-pointer"
    folder = pathlib.Path(bench.env["SIGWHY_DIR"])
    texts = {"report": run.err, "json": json.dumps(run.case)}
    for name in ("show", "list", "rejudge"):
        done = bench.sigwhy(name)
        texts[name] = (done.stdout + done.stderr).decode()
    texts["full"] = bench.sigwhy("show", "--full").stdout.decode()
    for file in folder.glob("*.json"):
        texts[file.name] = file.read_text()
    for name, text in texts.items():
        assert SECRET not in text, name
    recipe = next(folder.glob("*.recipe"))
    assert SECRET in recipe.read_text(), "a re-run needs it; the file is private"


@pytest.mark.long
def test_five_thousand_threads_make_a_small_case(bench):
    program = bench.build("many", r"""
        #include <pthread.h>
        #include <unistd.h>
        static void *idle(void *unused) { pause(); return unused; }
        int main(void) {
          pthread_attr_t small;
          pthread_attr_init(&small);
          pthread_attr_setstacksize(&small, 65536);
          for (int i = 0; i < 5000; i++) {
            pthread_t thread;
            pthread_create(&thread, &small, idle, 0);
          }
          return *(volatile int *)0;
        }""", "-pthread")
    run = bench.run(program)
    assert run.verdict == "null-pointer"
    assert (bench.folder / "case.json").stat().st_size < 1 << 20
    assert any("more threads" in gap for gap in run.gaps) and any("more mappings" in gap for gap in run.gaps)
