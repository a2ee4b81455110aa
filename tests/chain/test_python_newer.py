"""Interpreters of a newer Debian: 3.14, 3.15, their debug builds, PyPy."""
import shutil

import pytest

from debian import newer_root
from test_python_stacks import HERE, compare, programs

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def root():
    return newer_root()


@pytest.fixture
def inside(root):
    """A folder that the program in the root sees as /tmp/made."""
    folder = root / "tmp/made"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    yield folder
    shutil.rmtree(folder)


def have(root, name):
    if not (root / "usr/bin" / name).exists():
        pytest.skip(f"this Debian has no {name}")


@pytest.mark.parametrize("name, count", [("python3.14", 200), ("python3.15", 200), ("python3.14-dbg", 40),
                                         ("python3.15-dbg", 40)])
def test_made_programs(bench, root, inside, name, count):
    have(root, name)
    version = tuple(int(n) for n in name[6:].split("-")[0].split("."))
    for seed in range(count):
        (inside / f"p{seed:04d}.py").write_text(programs.program(seed, version), encoding="utf-8")
    shutil.copy(HERE / "stand.py", inside)
    finished = bench.sigwhy("run", "--", "chroot", root, name, "-B", "/tmp/made/stand.py", "/tmp/made", timeout=600)
    assert finished.returncode == 0, finished.stderr.decode()
    compare(bench, inside, count)


def test_pypy_is_named(bench, root, inside):
    have(root, "pypy3")
    (inside / "p.py").write_text("import os\nos.abort()\n")
    run = bench.run("chroot", root, "pypy3", "/tmp/made/p.py")
    assert not run.case["snapshot"]["interpreters"]
    assert any("PyPy" in gap for gap in run.gaps)


@pytest.mark.parametrize("name", ["python3.14", "python3.15"])
def test_exceptions_with_their_values(bench, root, inside, name):
    have(root, name)
    (inside / "fit.py").write_text("def load(rows, rate=0.5):\n    return rows[7]\n\nload([[1, 2], [3]])\n")
    run = bench.run("chroot", root, name, "/tmp/made/fit.py")
    assert run.status == 1
    [exception] = run.case["snapshot"]["python_exceptions"]
    assert (exception["type"], exception["message"]) == ("IndexError", "list index out of range")
    innermost = exception["traceback"][0]
    assert (innermost["function"], innermost["line"]) == ("load", 2)
    values = {v["name"]: v for v in innermost["values"]}
    assert values["rate"]["text"] == "0.5" and values["rows"]["length"] == 2
