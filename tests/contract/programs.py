"""Building the small programs that the tests run.

Each is one source file under programs/, compiled once a session into a folder
that every user may read (some tests run as an ordinary user).
"""

from __future__ import annotations

import functools
import os
import pathlib
import shutil
import subprocess
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent / "programs"


@functools.cache
def shelf() -> pathlib.Path:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="contract-programs-"))
    folder.chmod(0o755)
    return folder


def clear_shelf() -> None:
    shutil.rmtree(shelf(), ignore_errors=True)


def _make(command: list, **options) -> None:
    done = subprocess.run([str(word) for word in command], text=True,
                          capture_output=True, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


@functools.cache
def c(name: str, *flags: str) -> str:
    """The path of programs/NAME.c, compiled."""
    product = shelf() / "-".join((name, *(f.strip("-=") for f in flags)))
    _make(["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-g", "-pthread",
           "-Wall", "-Wextra", "-Werror", *flags, "-o", product,
           SOURCES / f"{name}.c"])
    return str(product)


@functools.cache
def go(name: str) -> str:
    product = shelf() / f"{name}-go"
    quiet = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off",
             "GOTOOLCHAIN": "local", "GO111MODULE": "off"}
    _make(["go", "build", "-o", product, SOURCES / f"{name}.go"], env=quiet)
    return str(product)


@functools.cache
def java(name: str) -> list[str]:
    """The words that run programs/NAME.java, compiled."""
    classes = shelf() / f"{name}-java"
    _make(["javac", "-d", classes, SOURCES / f"{name}.java"])
    return ["java", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp",
            str(classes), name]


def have(*commands: str) -> bool:
    return all(shutil.which(command) for command in commands)
