"""Python environments with real wheels, made once in the user's cache."""
import os
import subprocess
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "sigwhy-tests"


def environment(name, packages, imports, programs=(), python="/usr/bin/python3"):
    """The python of a virtual environment that has the packages, can import what
    it must and has these programs beside it; None where pip cannot get them."""
    made = CACHE / name / "bin/python"
    if works(made, imports, programs):
        return str(made)
    CACHE.mkdir(parents=True, exist_ok=True)
    subprocess.run([python, "-m", "venv", CACHE / name], check=True)
    subprocess.run([made, "-m", "pip", "install", "--quiet", *packages])
    return str(made) if works(made, imports, programs) else None


def works(python, imports, programs):
    code = "import " + ", ".join(imports)
    if not all((python.parent / program).exists() for program in programs):
        return False
    return python.exists() and subprocess.run([python, "-c", code], capture_output=True).returncode == 0
