"""pystack on the core file, with native frames and locals; on the living process
where it hangs. It prints the signal and the fault address itself.
"""

import re
import subprocess
from pathlib import Path

import room
from stage.environments import environment  # found by room's path
from witnesses import Absent, Answer, Reading

NAME = "pystack"
C_FRAME = re.compile(r"\(C\) File .* in (?!\?\?\?)\S+")
ADDRESS = re.compile(r"accessing address: \(?(0x[0-9a-fA-F]+)")
NEVER_MAPPED = 0x10000


def program():
    python = environment("pystack", ["pystack"], ["pystack"], ["pystack"])
    if not python:
        raise Absent("pip cannot get it")
    return str(Path(python).with_name("pystack"))


def version():
    said = subprocess.run([program(), "--version"], capture_output=True, text=True)
    return said.stdout.strip()


def refuses(case):
    if not case.script:
        return "not Python"
    return "" if case.python >= (3, 7) else "it knows Python 3.7 and later"


def ask(case, bench):
    if case.hangs:
        return remote(case)
    remains = bench.remains
    said = ""
    for core in remains.cores[:1]:
        said = spoken(["core", str(core), "--native-all", "--locals"])
    words = remains.ended.text
    return Answer(words, room.shortened(words + "\n" + said), remains.ended.how,
                  remains.ended.seconds)


def remote(case):
    seen = []

    def look(session):
        for pid in room.interpreters(session):
            seen.append(spoken(["remote", str(pid), "--native-all", "--locals"]))

    with room.of(case) as place:
        ended = place.run(place.program, on_hang=look)
    return Answer(ended.text, room.shortened(ended.text + "\n" + "".join(seen)),
                  ended.how, ended.seconds)


def spoken(arguments):
    try:
        done = subprocess.run([program(), *arguments, "--no-color"], timeout=300,
                              capture_output=True, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return "pystack did not end within 300 s"
    return done.stdout + done.stderr


def reads(text):
    address = ADDRESS.search(text)
    near = address and int(address[1], 16) < NEVER_MAPPED
    return Reading(hints=frozenset({"null-pointer"} if near else ()),
                   native=C_FRAME.search(text) is not None)
