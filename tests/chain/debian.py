"""A root of a newer Debian, for interpreters that this one does not have.

Made once by debootstrap and kept in the user's cache. A program in it is run
by `chroot`, so that sigwhy itself stays outside.
"""
import os
import pathlib
import shutil
import subprocess

import pytest

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "sigwhy-tests"
PACKAGES = ("python3.14", "python3.15", "python3.14-dbg", "python3.15-dbg", "pypy3")


def newer_root():
    """Its path; skips the test where it cannot be made."""
    if os.geteuid() != 0:
        pytest.skip("debootstrap wants root")
    if not shutil.which("debootstrap"):
        pytest.skip("there is no debootstrap")
    root = CACHE / "sid"
    if not (root / "etc/debian_version").exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        making = CACHE / "sid.new"
        shutil.rmtree(making, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", "sid", making], check=True, capture_output=True)
        making.rename(root)
    for package in PACKAGES:
        # One that this suite no longer has is no reason to fail; what it holds is asked for by each test.
        if not (root / "var/lib/dpkg/info" / f"{package}.list").exists():
            subprocess.run(["chroot", root, "apt-get", "install", "-y", "--no-install-recommends", package],
                           capture_output=True, env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"))
    return root
