"""Python environments with real wheels, made once in the user's cache.

lab/pythons/NAME.txt says what the environment NAME is made of:

    python:    3.13, or a program such as /usr/bin/python3
    packages:  what pip installs; none: the interpreter is used as it is
    imports:   what must then be importable
"""
import functools
import glob
import os
import shutil
import subprocess
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "sigwhy-tests"
PYTHONS = Path(__file__).resolve().parents[1] / "pythons"


def names():
    return sorted(path.stem for path in PYTHONS.glob("*.txt"))


@functools.lru_cache(maxsize=None)
def python_of(name):
    """The interpreter of a named environment, made if need be; None where it cannot be had."""
    wanted = dict(line.split(":", 1) for line in (PYTHONS / f"{name}.txt").read_text().splitlines() if ":" in line)
    packages, imports = wanted.get("packages", "").split(), wanted["imports"].split()
    python = interpreter(wanted["python"].strip())
    if not python:
        return None
    if packages:
        return environment(name, packages, imports, python=python)
    return python if works(Path(python), imports, ()) else None


@functools.lru_cache(maxsize=None)
def like(python):
    """Names of environments that this interpreter can stand for, by the versions it has."""
    found = {}
    python = shutil.which(python)
    if not python:
        return found
    if version := version_of("tensorflow", python):
        major, minor = (int(word) for word in version.split(".")[:2])
        old = "tensorflow-1.15-py27" if major < 2 else "tensorflow-2.11-py39" if minor < 16 else ""  # 2.16: Keras 3
        found[old or "tensorflow"] = python
    if version_of("torch", python):
        found["torch"] = python
    return found


def version_of(package, python):
    asked = subprocess.run([python, "-c", f"import {package}; print({package}.__version__)"], capture_output=True, text=True)
    return asked.stdout.strip() if asked.returncode == 0 else ""


def interpreter(version):
    """python3.13 of the system, or of pyenv."""
    if version.startswith("/"):
        return version if Path(version).exists() else None
    builds = glob.glob(os.path.expanduser(f"~/.pyenv/versions/{version}.*/bin/python{version}"))
    for python in [f"/usr/bin/python{version}", *builds, shutil.which(f"python{version}")]:
        if python and works(Path(python), ["ctypes"], ()):
            return python
    return None


def environment(name, packages, imports, programs=(), python="/usr/bin/python3"):
    """The python of a virtual environment that has the packages, can import what
    it must and has these programs beside it; None where pip cannot get them."""
    made = CACHE / name / "bin/python"
    if works(made, imports, programs):
        return str(made)
    CACHE.mkdir(parents=True, exist_ok=True)
    make(CACHE / name, python)
    subprocess.run([made, "-m", "pip", "install", "--quiet", *packages])
    return str(made) if works(made, imports, programs) else None


def make(folder, python):
    """venv came with Python 3; for 2.7 there is virtualenv, up to 20.21."""
    if works(Path(python), ["venv"], ()):
        subprocess.run([python, "-m", "venv", folder], check=True)
        return
    tool = environment("virtualenv", ["virtualenv<20.22"], ["virtualenv"])
    subprocess.run([tool, "-m", "virtualenv", "--quiet", "--python", python, folder], check=True)


def works(python, imports, programs):
    code = "import " + ", ".join(imports)
    if not all((python.parent / program).exists() for program in programs):
        return False
    return python.exists() and subprocess.run([python, "-c", code], capture_output=True).returncode == 0
