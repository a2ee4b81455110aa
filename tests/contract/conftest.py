"""Fixtures of the do-no-harm contract: a stage for each test.

The program under test is named by SIGWHY_BIN, else build/sigwhy.
"""

import os
import resource

import pytest

import programs
import runs


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "long: takes more than about two seconds")
    # Only the tests of core files want one.
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def pytest_sessionstart(session):
    if not os.access(runs.SIGWHY, os.X_OK):
        pytest.exit(f"there is no program at {runs.SIGWHY}; build it, or name "
                    "it in SIGWHY_BIN", returncode=2)


def pytest_unconfigure(config):
    programs.clear_shelf()


@pytest.fixture
def stage():
    with runs.open_stage() as one:
        yield one
