"""Interpreters that are not called python, more than one in a process, and ones that cannot be read."""
import pathlib
import subprocess

import pytest

from test_python_frames import interpreters, version_of

HOST = r'''
#include <Python.h>
int solve(const char *text) { return PyRun_SimpleString(text); }
int main(void) {
  Py_Initialize();
  return solve("import os\n"
               "def inner():\n"
               "    os.kill(os.getpid(), 11)\n"
               "def outer():\n"
               "    return [inner()\n"
               "            for _ in 'a']\n"
               "outer()\n");
}
'''

TWO = '''\
import os
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
def outer():
    return interpreters.run_string(interpreters.create(), """if True:
        import os
        def inner():
            os.kill(os.getpid(), 11)
        inner()
        """)
outer()
'''


def asked(python, code):
    return subprocess.run([python, "-c", "import sysconfig as s; print(%s)" % code], capture_output=True, text=True,
                          check=True).stdout.strip()


def version(python):
    return tuple(map(int, version_of(python).split(".")))


def dying(run):
    return [t for t in run.case["snapshot"]["threads"] if t["died"]][0]


def names(thread):
    return [f["function"].split(".")[-1] for f in thread["python"] if not f["function"].endswith("<listcomp>")]


def check_host(run):
    thread = dying(run)
    assert names(thread) == ["inner", "outer", "<module>"]
    symbols = [f.get("symbol") for f in thread["frames"]]
    runs = [i for i, f in enumerate(thread["frames"]) if f.get("python")]
    assert runs and max(runs) < symbols.index("solve") < symbols.index("main")


def headers(python):
    folder = pathlib.Path(asked(python, "s.get_paths()['include']"))
    if not (folder / "Python.h").exists():
        pytest.skip("its headers are not here")
    return f"-I{folder}"


SHARED = [p for p in interpreters() if list(pathlib.Path(p).parent.parent.glob("lib/libpython*.so"))]


@pytest.mark.parametrize("python", SHARED, ids=lambda p: p.split("/")[-3])
def test_embedded_library(bench, python):
    folder = pathlib.Path(python).parent.parent / "lib"
    library = sorted(folder.glob("libpython?.*.so"))[0]
    bench.env["PYTHONHOME"] = str(folder.parent)
    program = bench.build("solver", HOST, headers(python), str(library), f"-Wl,-rpath,{folder}")
    check_host(bench.run(program))


@pytest.mark.parametrize("python", [p for p in interpreters() if version(p) >= (3, 11)], ids=lambda p: p.split("/")[-3])
def test_embedded_archive(bench, python):
    archive = pathlib.Path(asked(python, "s.get_config_var('LIBPL')"), asked(python, "s.get_config_var('LIBRARY')"))
    if not archive.exists():
        pytest.skip("it has no archive")
    if not python.startswith("/usr"):
        bench.env["PYTHONHOME"] = str(pathlib.Path(python).parent.parent)
    program = bench.build("solver", HOST, headers(python), str(archive), "-no-pie", "-Wl,--export-dynamic", "-lm", "-ldl",
                          "-lpthread", "-lutil", "-lz", "-lexpat")
    check_host(bench.run(program))


@pytest.mark.parametrize("python", [p for p in interpreters() if version(p) >= (3, 8)], ids=lambda p: p.split("/")[-3])
def test_an_interpreter_in_an_interpreter(bench, python):
    (bench.folder / "two.py").write_text(TWO)
    run = bench.run(python, "two.py")
    thread = dying(run)
    assert names(thread) == ["inner", "<module>", "outer", "<module>"]
    covered = [i for f in thread["frames"] if f.get("python")
               for i in range(f["python"]["first"], f["python"]["first"] + f["python"]["count"])]
    assert covered == [0, 1, 2, 3]
