"""The guard's contract: programs behave under it as without it, and wrong accesses are caught where they happen.

The library under test is named by SIGWHY_GUARD_LIBRARY, else build/libsigwhy_guard.so.
"""
import resource

import pytest

import runs


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes seconds; runs in make test-all")
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def pytest_sessionstart(session):
    if not runs.GUARD.exists():
        pytest.exit(f"there is no library at {runs.GUARD}; build it, or name it in SIGWHY_GUARD_LIBRARY", returncode=2)


def pytest_unconfigure(config):
    runs.clear_shelf()
