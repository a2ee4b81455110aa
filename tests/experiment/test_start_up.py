"""Code in front of the program's own: it runs, it chains the user's, it is not in the way, and where the interpreter
does not take it the trial says so."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import PYTHON, trial

PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
PYTHONS = [PYTHON, *(str(found) for version in ("2.7.18", "3.13*") for found in sorted(PYENV.glob(f"{version}/bin/python"))[:1])]
SHOW = "import builtins, sys; print(builtins.MARK, [p for p in sys.path if 'start_up' in p])"
SHOW_2 = "import sys; b = __import__('builtins' if sys.version_info[0] > 2 else '__builtin__'); print(b.MARK)\nprint([p for p in sys.path if 'start_up' in p])"
CODE = "import sys\nb = __import__('builtins' if sys.version_info[0] > 2 else '__builtin__')\nb.MARK = 'it ran'\n"


@pytest.fixture
def code(tmp_path):
    (tmp_path / "code.py").write_text(CODE)
    return tmp_path / "code.py"


@pytest.mark.parametrize("python", PYTHONS)
def test_runs_first_and_leaves_the_path_alone(code, python):
    seen = trial(python, "-c", SHOW_2, start_up=code)
    assert seen.output.split("\n")[:2] == ["it ran", "[]"]
    assert seen.took_effect == "yes"


@pytest.mark.parametrize("python", PYTHONS)
def test_the_users_own_comes_after(code, tmp_path, python):
    (tmp_path / "sitecustomize.py").write_text("import sys\nb = __import__('builtins' if sys.version_info[0] > 2 else "
                                               "'__builtin__')\nprint('own, after: ' + b.MARK)\n")
    seen = trial(python, "-c", "import sys; print(sys.modules['sitecustomize'].__file__)", start_up=code,
                 env=dict(os.environ, PYTHONPATH=str(tmp_path)))
    first, second = seen.output.split("\n")[:2]
    assert first == "own, after: it ran"
    assert second.startswith(str(tmp_path))


def test_children_get_it(code):
    program = f"import subprocess; print(subprocess.check_output([{PYTHON!r}, '-c', {SHOW!r}]).decode())"
    seen = trial(PYTHON, "-c", program, start_up=code)
    assert "it ran []" in seen.output


@pytest.mark.parametrize("flag", ["-S", "-E", "-I"])
def test_not_taken_is_noticed(code, flag):
    seen = trial(PYTHON, flag, "-c", "print('ran')", start_up=code)
    assert "ran" in seen.output
    assert seen.took_effect.startswith("no Python took")


def test_no_python_is_noticed(code):
    assert trial("true", start_up=code).took_effect.startswith("no Python took")


def test_code_that_fails_is_noticed_and_the_program_goes_on(tmp_path):
    (tmp_path / "code.py").write_text("import no_such_module")
    seen = trial(PYTHON, "-c", "print('ran')", start_up=tmp_path / "code.py")
    assert "ran" in seen.output
    assert "no_such_module" in seen.took_effect


def test_memory_limit_and_peak():
    grow = "import sys; data = bytearray(int(sys.argv[1]) << 20); data[::4096] = b'x' * len(data[::4096])"
    seen = trial(PYTHON, "-c", grow, "60", memory=200 << 20)
    if seen.refused:
        pytest.skip(seen.refused)
    assert seen.status == "exit 0" and 60 << 20 < int(seen.peak_bytes) < 110 << 20
    seen = trial(PYTHON, "-c", grow, "400", memory=200 << 20)
    assert (seen.status, seen.verdict) == ("signal 9", "out-of-memory-killed")


def test_a_limit_that_cannot_be_set_is_an_error():
    seen = trial("true", user=12345, memory=200 << 20)
    assert "memory control group" in seen.refused
