"""Real packages: healthy environments are silent, broken ones are named."""
import os
import pathlib
import subprocess

import pytest
from conftest import SIGWHY, check
from stage.environments import environment

pytestmark = pytest.mark.long

SECONDS, KIBIBYTES = 3, 100 << 10


def tensorflow():
    python = environment("tensorflow", ["tensorflow-cpu"], ["tensorflow"])
    if not python:
        pytest.skip("no TensorFlow to be had")
    return python


def environment_numpy_2():
    python = environment("numpy-2", ["numpy>=2"], ["numpy"])
    if not python:
        pytest.skip("no NumPy to be had")
    return python


def installed_into(folder, *packages, python="/usr/bin/python3"):
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, *packages], capture_output=True)
    if done.returncode:
        pytest.skip("pip cannot get " + " ".join(packages))


def script(folder, text):
    file = folder / "train.py"
    file.write_text(text)
    return file


def test_healthy_tensorflow_is_silent(tmp_path):
    found = check(tensorflow(), script(tmp_path, "import numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\nimport h5py\n"), cwd=tmp_path)
    assert (found.status, found.concerns, found.answer["gaps"]) == (0, [], [])
    assert len(found.answer["packages"]) > 20


def test_healthy_numpy_is_silent(tmp_path):
    found = check(environment_numpy_2(), script(tmp_path, "import numpy\nimport numpy.linalg\n"), cwd=tmp_path)
    assert (found.status, found.concerns) == (0, [])


def pythons():
    return sorted(map(str, pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")).glob("versions/*/bin/python"))) + ["/usr/bin/python3"]


@pytest.mark.parametrize("python", pythons())
def test_bare_interpreters_are_silent(python, tmp_path):
    names = "os, sys, json, math, zlib, ctypes, multiprocessing, unittest, xml.etree.ElementTree, itertools, datetime, logging.handlers"
    found = check(python, script(tmp_path, f"import {names}\n"), cwd=tmp_path)
    assert (found.status, found.concerns) == (0, [])
    said = subprocess.run([python, "-c", "import sys; print('.'.join(map(str, sys.version_info[:3])))"], capture_output=True, text=True).stdout
    assert found.answer["python_version"] == said.strip()


def test_it_keeps_to_its_bounds(tmp_path):
    """Not timed: the processor time and the memory that it took."""
    file = script(tmp_path, "import tensorflow\n")
    with subprocess.Popen([SIGWHY, "check", "--", tensorflow(), file], stdout=subprocess.DEVNULL, cwd=tmp_path) as process:
        _, status, use = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert use.ru_utime + use.ru_stime < SECONDS
    assert use.ru_maxrss < KIBIBYTES


def test_a_wrong_protobuf_for_tensorflow(tmp_path):
    installed_into(tmp_path / "lib", "protobuf==3.20.3")
    found = check(tensorflow(), script(tmp_path, "import tensorflow as tf\n"), cwd=tmp_path, keep=("PYTHONPATH",), set={"PYTHONPATH": str(tmp_path / "lib")})
    broken = found.of("requirements")
    assert found.status == 1
    assert [c["cause"] for c in broken] == ["protobuf-conflict"]
    assert "requires protobuf" in broken[0]["claim"] and "3.20.3 is installed" in broken[0]["claim"]


def test_a_wheel_for_numpy_1_beside_numpy_2(tmp_path):
    python = environment_numpy_2()
    installed_into(tmp_path / "lib", "pandas==2.1.4", python=python)
    found = check(python, script(tmp_path, "import numpy\nimport pandas\n"), cwd=tmp_path, keep=("PYTHONPATH",), set={"PYTHONPATH": str(tmp_path / "lib")})
    assert found.of("numpy-abi") and found.of("numpy-abi")[0]["cause"] == "abi-mismatch"
    assert any("requires numpy<2" in claim for claim in found.claims)


def test_a_newer_build_of_the_same_package_is_silent(tmp_path):
    python = environment_numpy_2()
    installed_into(tmp_path / "lib", "pandas==2.2.3", "python-dateutil", "pytz", "tzdata", "six", python=python)
    found = check(python, script(tmp_path, "import numpy\nimport pandas\n"), cwd=tmp_path, keep=("PYTHONPATH",), set={"PYTHONPATH": str(tmp_path / "lib")})
    assert found.concerns == []


def test_imports_of_a_healthy_tensorflow(tmp_path):
    found = check(tensorflow(), script(tmp_path, "import numpy\nimport tensorflow\nimport h5py\n"), options=["--import", "--yes"], cwd=tmp_path)
    assert (found.status, found.concerns) == (0, [])
