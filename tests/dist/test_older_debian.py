"""In an older Debian, with a glibc older than the one we were built with.

The root file system is made once by debootstrap and kept in the user's cache.
"""

import os
import pathlib
import shutil
import subprocess

import pytest

import rooms

CACHE = pathlib.Path(os.environ.get(
    "XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "sigwhy-tests"
SUITES = ("bullseye",)
# Debian's perl is dynamic and crashes by itself: text at address 1.
PERL_CRASH = 'unpack "p", pack "Q", 1'


@pytest.fixture(scope="module", params=SUITES)
def older(request, bundle, crash, tmp_path_factory):
    if os.geteuid() != 0:
        pytest.skip("debootstrap wants root")
    kept = CACHE / request.param
    if not (kept / "etc/debian_version").exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        making = CACHE / f"{request.param}.new"
        shutil.rmtree(making, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", request.param,
                        making], check=True, capture_output=True)
        making.rename(kept)
    rooms.furnish(kept, bundle, crash)
    yield kept
    shutil.rmtree(kept / "opt")
    shutil.rmtree(kept / "tmp/cases", ignore_errors=True)


@pytest.mark.long
@pytest.mark.parametrize("command, words", [
    (("/opt/crash",), ("SIGSEGV", "null-pointer", "last_value")),
    (("/usr/bin/perl", "-e", PERL_CRASH), ("SIGSEGV", "libc")),
], ids=("static", "its own perl"))
def test_explains_a_crash(older, command, words):
    bare = rooms.run(older, *command)
    ended = rooms.run(older, "/opt/sigwhy/bin/sigwhy", "run", "--", *command)
    assert ended.returncode == bare.returncode, ended.stderr
    for word in words:
        assert word in ended.stderr
