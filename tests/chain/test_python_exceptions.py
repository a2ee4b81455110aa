"""An exception that ends a Python program is grabbed while its frames live, at a breakpoint on PyErr_PrintEx."""
import json
import os
import signal
import subprocess

import pytest

from conftest import SIGWHY
from test_python_frames import interpreters

RAISES = "raise ValueError('x')"
PRINTS = "import ctypes; ctypes.pythonapi.PyRun_SimpleString(b'raise KeyError(1)')\n"


def where(run):
    """The innermost native frame of the thread that ended it; nothing: the case has no threads."""
    died = [t for t in run.case["snapshot"].get("threads", []) if t["died"]]
    return died[0]["frames"][0].get("symbol") if died else None


@pytest.mark.parametrize("python", interpreters(), ids=lambda p: p.split("/")[-3])
def test_every_interpreter(bench, python):
    run = bench.run(python, "-c", RAISES)
    assert run.status == 1 and where(run) == "PyErr_PrintEx", run.case
    assert run.case["snapshot"]["termination"]["exit_code"] == 1
    assert run.case["snapshot"]["interpreters"]
    assert "sigwhy:" not in run.err


@pytest.mark.parametrize("manner", ["descriptors", "registers"])
def test_both_ways_to_set_a_breakpoint(bench, manner):
    bench.env["SIGWHY_TEST_BREAKPOINTS"] = manner
    assert where(bench.run("/usr/bin/python3", "-c", RAISES)) == "PyErr_PrintEx"


@pytest.mark.parametrize("code, status", [
    ("import sys; sys.exit(3)", 3),
    ("import sys\ntry: 1/0\nexcept ZeroDivisionError: sys.exit(4)", 4),
    ("import sys; sys.excepthook = lambda *a: None; 1/0", 1),
    ("import atexit, os; atexit.register(os._exit, 7); 1/0", 7),
    ("import os\nif os.fork() == 0: 1/0\nos._exit(os.waitstatus_to_exitcode(os.wait()[1]))", 1),
], ids=["exit", "exit in except", "excepthook", "exit from atexit", "status of a child"])
def test_other_ways_to_end(bench, code, status):
    run = bench.run("/usr/bin/python3", "-c", code)
    assert run.status == status and where(run) == "PyErr_PrintEx"


def test_last_words_are_those_after_it(bench):
    """The traceback is printed after the breakpoint, and still is in the case."""
    with open(bench.folder / "words", "wb") as words:
        run = bench.run("/usr/bin/python3", "-c", RAISES, stderr=words, options=["--values"])
    texts = run.case["snapshot"]["texts"]
    assert any("ValueError" in (text.get("text") or "") for text in texts), texts


@pytest.mark.parametrize("code, status", [
    ("pass", 0),
    ("import sys; sys.exit()", 0),
    (PRINTS, 0),
    (PRINTS + "import time, os; time.sleep(2.1); os._exit(9)", 9),
], ids=["nothing", "exit 0", "printed", "printed long ago"])
def test_not_an_end_by_exception(bench, code, status):
    run = bench.run("/usr/bin/python3", "-c", code)
    assert run.status == status and where(run) is None


def test_the_last_exception_counts(bench):
    run = bench.run("/usr/bin/python3", "-c", PRINTS + "raise ValueError('x')")
    first = run.case["snapshot"]["threads"][0]["frames"]
    assert where(run) == "PyErr_PrintEx" and all("ffi" not in (f.get("symbol") or "") for f in first)


RELEASES = """
extern void *PyExc_OSError;
void PyErr_SetString(void *, const char *);
void PyErr_PrintEx(int);
void release(void) { PyErr_SetString(PyExc_OSError, "released too late"); PyErr_PrintEx(0); }
"""
HOLDS = """
import ctypes
class Handle:
    def __del__(self, release=ctypes.PyDLL("./release.so").release): release()
handle = Handle()
"""


@pytest.mark.parametrize("python", interpreters(), ids=lambda p: p.split("/")[-3])
def test_what_a_destructor_prints_at_the_end_does_not(bench, python):
    """Cython's destructors print what they cannot raise, when all is taken apart."""
    bench.build("release.so", RELEASES, "-shared", "-fPIC")
    run = bench.run(python, "-c", HOLDS + "{}['missing']")
    assert run.status == 1 and run.err.rstrip().endswith("OSError: released too late")
    assert run.case["snapshot"]["python_exceptions"][0]["type"] == "KeyError"


def test_a_childs_exception_that_nobody_minded(bench):
    """A script asks a Python for its status, goes on and fails by itself."""
    script = "/usr/bin/python3 -c 'import nothing_of_that_name' 2>/dev/null || true; exit 3"
    run = bench.run("/bin/sh", "-c", script)
    assert run.status == 3 and where(run) is None


def test_a_childs_exception_behind_a_shell(bench):
    run = bench.run("/bin/sh", "-c", f'/usr/bin/python3 -c "{RAISES}"; exit $?')
    assert run.status == 1 and where(run) == "PyErr_PrintEx"


def test_interrupted(bench):
    """CPython ends itself by SIGINT; the case has the exception, and who sent the first one."""
    code = "import os, time; os.write(1, b'ready'); time.sleep(60)"
    process = subprocess.Popen(
        [SIGWHY, "run", "--json", bench.folder / "case.json", "--", "/usr/bin/python3", "-c", code],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=bench.env, cwd=bench.folder)
    assert process.stdout.read(5) == b"ready"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT and b"KeyboardInterrupt" in said
    snapshot = json.loads((bench.folder / "case.json").read_text())["snapshot"]
    assert snapshot["termination"]["sender"]["pid"] == os.getpid()
    assert snapshot["threads"][0]["frames"][0]["symbol"] == "PyErr_PrintEx"


def test_the_interpreter_in_another_program(bench):
    """Linked to a libpython from the start it is seen; loaded later it is a gap."""
    config = [p for p in interpreters() if "3.11" in p and "pyenv" in p]
    if not config:
        pytest.skip("no Python with a shared library")
    home = os.path.dirname(os.path.dirname(config[0]))
    include, library = f"{home}/include/python3.11", f"{home}/lib"
    source = """
#include <Python.h>
int main(void) { Py_Initialize(); int bad = PyRun_SimpleString("raise ValueError('x')"); Py_Finalize(); return bad != 0; }
"""
    flags = f"-I{include}", f"-L{library}", f"-Wl,-rpath,{library}", "-lpython3.11"
    run = bench.run(bench.build("host", source, *flags))
    assert run.status == 1 and where(run) == "PyErr_PrintEx"
    again = source.replace("Py_Initialize();", "Py_Initialize(); Py_Finalize(); Py_Initialize();")
    run = bench.run(bench.build("again", again, *flags))
    assert run.status == 1 and where(run) == "PyErr_PrintEx"
    source = """
#include <dlfcn.h>
int main(int n, char **v) {
  void *python = dlopen(v[1], RTLD_NOW | RTLD_GLOBAL);
  ((void (*)(void))dlsym(python, "Py_Initialize"))();
  return ((int (*)(const char *))dlsym(python, "PyRun_SimpleString"))("raise ValueError('x')") != 0;
}
"""
    run = bench.run(bench.build("late", source), f"{library}/libpython3.11.so.1.0")
    assert run.status == 1 and where(run) is None
    assert any("loaded after the start" in gap for gap in run.gaps)
