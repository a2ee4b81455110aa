"""Right, shallow, unknown or wrong: what an answer is worth. Pure functions.

sigwhy gives a cause id, so it is compared with the ids of the case. The others
give text: it is right where it names or points to a cause of the case, wrong
where it names another, shallow where it gives only the signal or the place.
"""

import re
from dataclasses import dataclass

import words
from case import SAYING_NOTHING_IS_RIGHT

GRADES = ("right", "shallow", "unknown", "wrong")
STACK = re.compile(r'(?m)File ".*", line \d+|^#\d+ ')


@dataclass(frozen=True)
class Scored:
    grade: str
    python_line: bool  # it shows a line of the program's Python file
    native: bool  # it shows a native function


def score(record, reading):
    """A record of the cache; `reading` is what its witness says of the text."""
    if record["witness"] == "sigwhy":
        grade, native = of_verdict(record), bool(record["native"])
    else:
        grade, native = of_text(record, reading), reading.native
    return Scored(grade, shows_line(record), native)


def of_verdict(record):
    verdict, accept = record["verdict"], record["accept"]
    silent = not record["text"]
    if "none" in accept and silent:
        return "right"
    if verdict in accept:
        return "right" if not silent or said_already(record) else "unknown"
    if verdict in record["neutral"]:
        return "shallow"
    # Kept in the case is said: silence hides no wrong verdict.
    return "unknown" if verdict in ("", *SAYING_NOTHING_IS_RIGHT) else "wrong"


def said_already(record):
    """sigwhy repeats nothing that the program said itself: a traceback that names
    the cause is left alone, and the verdict is in the case."""
    named = words.pointed_to(record["words"], record["ended"])
    return record["verdict"] in SAYING_NOTHING_IS_RIGHT | named


def of_text(record, reading):
    accept = set(record["accept"])
    hints = reading.hints | words.pointed_to(record["words"], record["ended"])
    if accept & (reading.claims | hints):
        return "right"
    if reading.claims - set(record["neutral"]):
        return "wrong"
    if accept & SAYING_NOTHING_IS_RIGHT:
        return "right"
    seen = hints or record["ended"].startswith("SIG") or STACK.search(record["text"])
    return "shallow" if seen else "unknown"


def shows_line(record):
    script = record["script"]
    if not script:
        return False
    name = re.escape(script)
    return re.search(rf'{name}", line \d+|{name}:\d+', record["text"]) is not None
