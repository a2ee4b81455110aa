"""pip puts a working `sigwhy` on the path, whatever the Python.

Every interpreter that pyenv has, and Debian's own. Installed below a prefix of
its own, where pip lays files out as it does in a virtual environment.
"""

import os
import pathlib
import shutil
import subprocess

import pytest

CRASH = "import ctypes; ctypes.string_at(0)"


def interpreters():
    found = []
    if shutil.which("pyenv"):
        root = subprocess.run(["pyenv", "root"], text=True, check=True,
                              capture_output=True).stdout.strip()
        found = sorted(pathlib.Path(root).glob("versions/*/bin/python"))
    return [*found, pathlib.Path("/usr/bin/python3")]


def name_of(python):
    return python.parts[-3] if "versions" in python.parts else "system"


@pytest.mark.parametrize("python", interpreters(), ids=name_of)
def test_installs_and_explains(python, wheel, tmp_path):
    environment = {k: v for k, v in os.environ.items()
                   if not k.startswith(("SIGWHY", "PIP_"))}
    environment.update(SIGWHY_DIR=str(tmp_path / "cases"),
                       PYTHONDONTWRITEBYTECODE="1")
    prefix = tmp_path / "prefix"
    # --ignore-installed: the interpreter may have a sigwhy elsewhere
    installed = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
         "--ignore-installed", "--prefix", prefix, wheel],
        text=True, capture_output=True, env=environment)
    assert installed.returncode == 0, installed.stderr
    sigwhy = next(prefix.rglob("bin/sigwhy"))
    ended = subprocess.run([sigwhy, "run", "--", python, "-c", CRASH],
                           text=True, capture_output=True, env=environment)
    assert ended.returncode == -11, ended.stderr
    assert ended.stdout == ""
    assert "died of SIGSEGV" in ended.stderr
    assert "null-pointer" in ended.stderr
