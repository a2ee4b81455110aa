"""gdb in batch: run, the fault address, every thread's stack, py-bt where it is.

gdb names no cause. Of a fault address in the first 64 KiB, where nothing is ever
mapped, it is taken that the engineer reads "null pointer".
"""

import re
import shutil
import subprocess

import room
from witnesses import Absent, Answer, Reading

NAME = "gdb"
LOOK = ["-ex", "thread apply all bt 25", "-ex", "py-bt"]
ADDRESS = re.compile(r"\$1 = \(void \*\) (0x[0-9a-f]+)")
FRAME = re.compile(r"(?m)^#\d+ +(?:0x[0-9a-f]+ in )?(?!0x|\?\?)[\w:~<]+.* \(")
FAULTS = re.compile(r"(?m)received signal SIG(SEGV|BUS)")
NEVER_MAPPED = 0x10000


def version():
    if not shutil.which("gdb"):
        raise Absent("gdb is not installed")
    said = subprocess.run(["gdb", "--version"], capture_output=True, text=True)
    return said.stdout.split("\n")[0].split()[-1]


def refuses(case):
    return ""


def base():
    return ["gdb", "-nx", "-q", "-batch", "-ex", "set debuginfod enabled off",
            "-ex", "set pagination off", "-ex", "set startup-with-shell off"]


def ask(case, bench):
    with room.of(case) as place:
        if case.hangs:
            return attached(place)
        address = ["-ex", "print $_siginfo._sifields._sigfault.si_addr"]
        ended = place.run([*base(), "-ex", "run", *address, *LOOK,
                           "--args", *place.program], extra_s=240)
    return Answer(bench.remains.ended.text, ended.text, bench.remains.ended.how, ended.seconds)


def attached(place):
    seen = []

    def look(session):
        for pid in room.interpreters(session):
            done = subprocess.run([*base(), "-p", str(pid), *LOOK],
                                  capture_output=True, text=True, errors="replace",
                                  timeout=240)
            seen.append(done.stdout + done.stderr)

    ended = place.run(place.program, on_hang=look)
    return Answer(ended.text, room.shortened(ended.text + "".join(seen)), ended.how,
                  ended.seconds)


def reads(text):
    address = ADDRESS.search(text)
    near = FAULTS.search(text) and address and int(address[1], 16) < NEVER_MAPPED
    return Reading(hints=frozenset({"null-pointer"} if near else ()),
                   native=FRAME.search(text) is not None)
