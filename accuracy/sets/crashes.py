"""tests/crashes: the project's own small programs, and their look-alikes."""

import hashlib
import os
import sys

import room
from case import Case, Stage, Unmet
from sets import version_of

from runner import building, needs, trial  # found by room's path
from runner.program import discover

TITLE = "tests/crashes"
FOLDER = room.ROOT / "tests/crashes"
BUILT = room.ROOT / "build/crashes"
PYTHON = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else sys.executable


def absent():
    return ""


def cases():
    setup = trial.Setup(BUILT, None, PYTHON)
    version = version_of(PYTHON)
    return [as_case(program, setup, version) for program in discover(FOLDER)]


def as_case(program, setup, version):
    parts = [program.path.read_bytes()]
    if program.library_source:
        parts.append(program.library_source.read_bytes())
    return Case(
        collection="crashes", name=program.name,
        environment="python" if program.is_python else "native",
        provenance="written", accept=accepted(program.expect), neutral=(),
        digest=hashlib.sha256(b"\0".join(parts)).hexdigest()[:12],
        prepare=lambda folder: stage(program, setup, folder),
        script=program.path.name if program.is_python else None,
        python=version if program.is_python else None,
        memory_mib=program.memory_mib, tasks=program.tasks, limits=program.limits)


def accepted(expect):
    """A header may allow `unknown` beside causes: honest, but not counted right."""
    if expect[0] == "unknown":
        return expect
    return tuple(cause for cause in expect if cause != "unknown")


def stage(program, setup, folder):
    reason = needs.unmet(program, setup)
    if reason:
        raise Unmet(reason)
    building.build(program, setup.build_folder, setup.python)
    scratch = folder / "scratch"
    scratch.mkdir()
    return Stage(trial.program_command(program, setup),
                 trial.environment_of(program, scratch), scratch)
