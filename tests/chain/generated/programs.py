"""Programs made by chance, each of which ends in `end()` under a known stack.

`end` comes from stand.py, which runs in the interpreter under test. The same
seed and version give the same program.
"""

import random

from ways import WAYS

# Threads that stand still: each shows that it has come to its last line, and
# stays in it, in C. Gate and rest are on one line, so it does not matter how
# far the thread has come.
RESTS = ("gate.release(); rest.acquire()", "gate.release(); time.sleep(1000)",
         "gate.release(); os.read(never, 1)",
         "gate.release(); select.select([never], [], [])")

MAIN = "\nf0(1)\n"
THREAD = """
def last(): gate.acquire(); f0(2)
dying = threading.Thread(target=last, name='the one that dies')
dying.start()
gate.release(); rest.acquire()
"""


def chain_of(chance, version, prefix, last, length):
    """Functions prefix0 to prefixN, each calling the next, the last `last`."""
    known = [make for since, make in WAYS if since <= version]
    text = []
    for i in reversed(range(length)):
        inner = last if i == length - 1 else f"{prefix}{i + 1}"
        text.append(chance.choice(known)(f"{prefix}{i}", inner, chance))
    return "".join(text)


def parked_thread(chance, version, number):
    name = f"parked_{number}"
    return (f"\ndef {name}(x):\n    {chance.choice(RESTS)}\n"
            + chain_of(chance, version, f"t{number}_", name,
                       chance.randrange(1, 4))
            + f"threading.Thread(target=t{number}_0, args=(0,),\n"
              f"    name='parked {number}').start()\ngate.acquire()\n")


def program(seed, version):
    chance = random.Random(f"{seed} {version}")
    text = ["import os, select, sys, threading, time\n"
            "from stand import end, gate, rest, never\n"
            "sys.setrecursionlimit(20000)\n"]
    for number in range(chance.choice((0, 0, 1, 2, 3))):
        text.append(parked_thread(chance, version, number))
    text.append(chain_of(chance, version, "f", "end", chance.randrange(2, 9)))
    text.append(chance.choice((MAIN, MAIN, THREAD)))
    return "".join(text)
