"""python -X faulthandler: CPython's own handler of fatal signals.

A hang is ended by SIGABRT, upon which it prints where every thread is.
"""

import contextlib
import os
import re
import signal
import time

import room
from witnesses import Answer, Reading

NAME = "faulthandler"
C_FRAME = re.compile(r"(?m)^  Binary file .*, at \w+\+0x")


def version():
    return ""


def refuses(case):
    if not case.script:
        return "not Python"
    return "" if case.python >= (3, 3) else "Python 2 has none"


def ask(case, bench):
    with room.of(case) as place:
        ended = place.run(place.program, on_hang=stir,
                          env={"PYTHONFAULTHANDLER": "1"})
    return Answer(ended.text, ended.text, ended.how, ended.seconds)


def stir(session):
    for pid in room.interpreters(session):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGABRT)
    time.sleep(1)


def reads(text):
    return Reading(native=C_FRAME.search(text) is not None)
