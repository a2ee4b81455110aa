"""lab: the causes that people name for a dying training run, as programs.

Each in the first of its environments; `make lab` runs them in all.
"""

import hashlib
import shlex

import room  # noqa: F401
from case import Case, Stage, Unmet
from sets import version_of
from stage import building, environments, trial  # found by room's path
from stage.program import discover

TITLE = "lab"


def absent():
    return ""


def cases():
    return [as_case(program.put_on(program.environments[0])) for program in discover()]


def as_case(program):
    digest = hashlib.sha256(program.environment.encode())
    for path in program.files:
        digest.update(path.name.encode() + path.read_bytes())
    return Case(
        collection="lab", name=program.name, environment=program.environment,
        provenance="written", accept=program.causes or ("none",), neutral=(),
        digest=digest.hexdigest()[:12], prepare=lambda folder: stage(program, folder),
        script="broken.py", python=python_version(program.environment),
        hangs="--hang" in program.text("options"), memory_mib=int(program.text("memory", "0")),
        timeout_s=float(program.text("seconds", "120")))


def python_version(name):
    """By what the environment is made of: to ask would be to build it."""
    wanted = (environments.PYTHONS / f"{name}.txt").read_text()
    python = wanted.partition("python:")[2].split()[0]
    if python.startswith("/"):
        return version_of(python)
    return tuple(map(int, python.split(".")))


def stage(program, folder):
    python = environments.python_of(program.environment)
    if not python:
        raise Unmet(f"there is no {program.environment}")
    made = trial.Stage(program, python, None, folder)
    try:
        made.build()
    except building.BuildError as error:
        raise Unmet(f"it does not build: {error}")
    return Stage([python, "broken.py", *shlex.split(program.text("run"))],
                 made.environment, made.folder)
