"""The packed program under test, and one crashing program that needs nothing."""

import os
import pathlib
import subprocess
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIST = pathlib.Path(os.environ.get("SIGWHY_DIST", ROOT / "dist"))


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "long: fetches packages, or takes minutes")


def newest(pattern):
    found = sorted(DIST.glob(pattern), key=lambda path: path.stat().st_mtime)
    if not found:
        pytest.exit(f"no {DIST}/{pattern}: run make dist wheel", returncode=2)
    return found[-1]


@pytest.fixture(scope="session")
def tarball():
    return newest("sigwhy-*-linux-x86_64.tar.gz")


@pytest.fixture(scope="session")
def wheel():
    return newest("sigwhy-*.whl")


@pytest.fixture(scope="session")
def bundle(tarball, tmp_path_factory):
    """The tarball, unpacked."""
    folder = tmp_path_factory.mktemp("bundle")
    with tarfile.open(tarball) as tar:
        tar.extractall(folder)
    return next(folder.iterdir())


@pytest.fixture(scope="session")
def crash(tmp_path_factory):
    """A static program that reads through a null pointer."""
    program = tmp_path_factory.mktemp("crash") / "crash"
    source = pathlib.Path(__file__).with_name("crash.c")
    subprocess.run(["gcc", "-static", "-g", "-O0", source, "-o", program],
                   check=True)
    return program
