"""The other tools that look for memory bugs, and what each says about one.

A rival is started by a prefix or a preload; AddressSanitizer also wants the
program or its extension compiled anew. It *finds* a bug where its own words
tell of a memory error (Electric Fence has none: it must have stopped the
program), and *names* the block where they give its size and the function that
allocated it; no rival knows a Python line.
"""

import glob
import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from typing import Callable


@dataclass(frozen=True)
class Rival:
    name: str
    prefix: tuple = ()
    env: dict = None
    python_env: dict = None  # where the program is Python: it is not compiled
    flags: tuple = ()  # what to compile it with
    finds: Callable = None  # (returncode, its words) -> bool
    errors: Callable = None  # its words -> a set, where it goes on after an error
    size: str = ""  # how its words give a block's size

    def built(self, program):
        return replace(program, build=program.build + self.flags,
                       lib_build=program.lib_build + self.flags)

    def environment(self, program):
        return {**(self.env or {}),
                **((self.python_env or {}) if program.is_python else {})}

    def names(self, words, program):
        size, place = program.block
        given = self.size.format(plain=size, grouped=f"{size:,}")
        return bool(self.size) and re.search(given, words) is not None \
            and place in words


def available():
    """Every rival that is installed here."""
    found = []
    asan, stdcpp = library("libasan.so"), library("libstdc++.so")
    if asan:
        quiet = {"ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=99"}
        found.append(Rival(
            "AddressSanitizer", env=quiet, flags=("-fsanitize=address",),
            python_env={"LD_PRELOAD": f"{asan} {stdcpp}"},
            finds=asan_finds, size=r"\b{plain}-byte region"))
    if shutil.which("valgrind"):
        found.append(Rival(
            "valgrind memcheck",
            prefix=("valgrind", "--error-exitcode=99", "--track-origins=yes"),
            python_env={"PYTHONMALLOC": "malloc"},
            finds=valgrind_finds, errors=valgrind_errors, size=r"block of size {grouped}\b"))
    fence = library("libefence.so.0") or library("libefence.so")
    if fence:
        found.append(Rival(
            "Electric Fence",
            env={"LD_PRELOAD": fence, "EF_ALIGNMENT": "16",
                 "EF_ALLOW_MALLOC_0": "1", "EF_PROTECT_FREE": "1", "EF_DISABLE_BANNER": "1"},
            finds=lambda code, words: code in (-11, -7, -4)))
    for scudo in sorted(glob.glob("/usr/lib/llvm-*/lib/clang/*/lib/linux/"
                                  "libclang_rt.scudo_standalone-x86_64.so"))[-1:]:
        for name, options in (
                ("scudo + GWP-ASan", ""),
                ("the same, every block",
                 ":GWP_ASAN_SampleRate=1"
                 ":GWP_ASAN_MaxSimultaneousAllocations=20000")):
            found.append(Rival(
                name, env={"LD_PRELOAD": scudo, "SCUDO_OPTIONS":
                           "dealloc_type_mismatch=1" + options},
                finds=scudo_finds, size=r"\b{plain}-byte allocation"))
    return found


def library(name):
    done = subprocess.run(["gcc", f"-print-file-name={name}"],
                          capture_output=True, text=True)
    path = done.stdout.strip()
    return path if "/" in path else ""


def asan_finds(_, words):
    """A bare SEGV is the death alone, without a cause."""
    found = re.search(r"ERROR: AddressSanitizer: ([\w-]+)", words)
    return bool(found) and found[1] != "SEGV"


def valgrind_finds(_, words):
    return bool(valgrind_errors(words))


def valgrind_errors(words):
    """Each kind of error with the function it is in, addresses left out."""
    return set(re.findall(
        r"==\d+== ((?:Invalid (?:read|write) of|Invalid free|Mismatched free"
        r"|Use of uninitialised|Conditional jump or move depends on uninit)"
        r".*)\n==\d+==    at 0x\w+: (.*)", words))


def scudo_finds(_, words):
    if "cannot provide any more information" in words:
        return False
    return "GWP-ASan detected" in words or "Scudo ERROR" in words
