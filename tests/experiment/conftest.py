"""The throw-away layer and what runs in it. The programs are named by SIGWHY_BIN and lie beside it."""
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SIGWHY = Path(os.environ.get("SIGWHY_BIN", ROOT / "build/sigwhy"))
ONE_TRIAL = SIGWHY.parent / "tests/one_trial"
PROGRAMS = Path(__file__).resolve().parent / "programs"
PYTHON = "/usr/bin/python3"
SOMEBODY = 12345  # a user of no name


def as_user(user, command):
    if user == 0:
        return command
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *command]


class Trial:
    """What one_trial said."""

    def __init__(self, text):
        head, _, self.output = text.partition("output:\n")
        self.fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)

    def __getattr__(self, name):
        return self.fields.get(name)


def trial(*command, user=0, cwd="/", wrap=(), env=None, **options):
    words = [f"{name}={value}" for name, value in options.items()]
    words = [*wrap, *as_user(user, [ONE_TRIAL, SIGWHY, *words, "--", *command])]
    run = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert "status: " in run.stdout or "refused: " in run.stdout, run.stdout + run.stderr
    return Trial(run.stdout)


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes more than about two seconds")


def possible(user):
    if os.geteuid() != 0:
        pytest.skip("needs root to become somebody else")
    return user


@pytest.fixture(params=[0, SOMEBODY], ids=["root", "user"])
def user(request):
    return possible(request.param)


@pytest.fixture(params=[0, pytest.param(SOMEBODY, marks=pytest.mark.long)], ids=["root", "user"])
def either(request):
    """Where the two hardly differ, the ordinary user only in the long tests."""
    return possible(request.param)
