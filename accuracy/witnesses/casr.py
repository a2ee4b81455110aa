"""CASR: casr-gdb where a signal ends the program, casr-python on a traceback.

(casr-core would spare a run, but gives up on cores whose vector registers gdb
cannot read: new kernel, older gdb.)

Its classes tell which operand of which kind of instruction met a bad address, to
rank crashes by exploitability. Most describe ("near NULL", "heap error") and say
themselves that it may be otherwise: those point to causes. Stack overflow is a
cause, so it can be wrong.
"""

import re
import shutil
import subprocess

import room
from stage.environments import CACHE  # found by room's path
from witnesses import Absent, Answer, Reading

NAME = "CASR"
VERSION = "2.13.1"
PROGRAMS = ("casr-gdb", "casr-python", "casr-san")
CLASS = re.compile(r'"ShortDescription": "([^"]+)"')
FRAME = re.compile(r'"#\d+ +(?:0x[0-9a-f]+ in )?(?!0x|\?\?)[\w:~<]+')

NAMES = {"StackOverflow": ("stack-overflow",)}
POINTS_TO = {
    "SourceAvNearNull": ("null-pointer",),
    "DestAvNearNull": ("null-pointer",),
    "BranchAvNearNull": ("null-pointer", "bad-jump"),
    "CallAvNearNull": ("null-pointer", "bad-jump"),
    "SegFaultOnPcNearNull": ("null-pointer", "bad-jump"),
    "SegFaultOnPc": ("bad-jump",),
    "BranchAv": ("bad-jump",),
    "CallAv": ("bad-jump",),
    "ReturnAv": ("bad-jump", "stack-smashed"),
    "BranchAvTainted": ("wild-pointer",),
    "CallAvTainted": ("wild-pointer",),
    "DestAvTainted": ("wild-pointer",),
    "StackGuard": ("stack-smashed",),
    "HeapError": ("heap-corruption", "invalid-free"),
    "SafeFunctionCheck": ("failed-check", "out-of-bounds"),
    "BadInstruction": ("unsupported-instruction",),
    "FPE": ("division-by-zero",),
    "TrapSignal": ("deliberate-trap",),
}


def folder():
    """Where its programs lie; built once by cargo into the user's cache."""
    made = CACHE / "casr" / VERSION
    if all((made / "bin" / program).exists() for program in PROGRAMS):
        return made / "bin"
    if not shutil.which("cargo"):
        raise Absent("it is built from source, and there is no cargo")
    wanted = [word for program in PROGRAMS for word in ("--bin", program)]
    done = subprocess.run(["cargo", "install", "casr", "--version", VERSION, *wanted,
                           "--locked", "--quiet", "--root", str(made)])
    if done.returncode:
        raise Absent("cargo cannot build it")
    return made / "bin"


def version():
    folder()
    if not shutil.which("gdb"):
        raise Absent("it works by gdb, which is not installed")
    return VERSION


def refuses(case):
    return "it waits for an end" if case.hangs else ""


def ask(case, bench):
    remains = bench.remains
    said = ""
    words = remains.ended.text
    if remains.ended.how.startswith("SIG"):
        said = spoken("casr-gdb", case)
    elif case.script and "Traceback (most" in words:
        said = spoken("casr-python", case)
    return Answer(words, room.shortened(words + "\n" + said), remains.ended.how,
                  remains.ended.seconds)


def spoken(name, case):
    with room.of(case) as place:
        first, *rest = place.program
        command = [str(folder() / name), "--stdout", "--", shutil.which(first), *rest]
        return place.run(command, extra_s=240).text


def reads(text):
    found = CLASS.search(text)
    kind = found[1] if found else ""
    return Reading(frozenset(NAMES.get(kind, ())), frozenset(POINTS_TO.get(kind, ())),
                   FRAME.search(text) is not None)
