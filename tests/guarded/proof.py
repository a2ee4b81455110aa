"""Does a case prove what a program's first comment says, about the right block?

A bug counts as found where the first finding has the cause and is proven; below
one run of the guard it may be strong, since `confirm` proves it by seeing the
same access again where the heap lies otherwise. The block is
named where a record of the guarded heap that has a part in this death has the
size, and the place among the frames or Python lines that allocated it, and
where a sentence of the finding speaks of that place.
"""

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Proof:
    cause: str = ""
    strength: str = ""
    claim: str = ""
    named: bool = False
    missing: str = ""  # of the block's name
    anything: tuple = ()  # all causes that the case calls proven

    def settles(self, program, way):
        enough = ("proven",) if way == "confirm" else ("strong", "proven")
        return self.cause in program.expect and self.strength in enough


def read(json_file, program):
    """What the case says; an empty proof where there is no case."""
    if not is_there(json_file):
        return Proof()
    case = json.loads(json_file.read_text())
    findings = case["diagnosis"]["findings"]
    anything = proven(json_file)
    if not findings or findings[0]["cause"] != case["diagnosis"]["verdict"]:
        return Proof(case["diagnosis"]["verdict"], anything=anything)
    first = findings[0]
    missing = what_is_missing(case, first, program)
    return Proof(first["cause"], first["strength"], first["claim"],
                 not missing, missing, anything)


def is_there(json_file):
    """A command that had to be ended leaves the file it should print to empty."""
    return json_file.exists() and json_file.stat().st_size > 0


def proven(json_file):
    """The causes that a case calls proven, a normal end aside."""
    if not is_there(json_file):
        return ()
    findings = json.loads(json_file.read_text())["diagnosis"]["findings"]
    return tuple(f["cause"] for f in findings
                 if f["strength"] == "proven" and f["cause"] != "clean-exit")


def what_is_missing(case, finding, program):
    bytes_, place = program.block
    # what an experiment saw lies beside what the first run saw
    seen = [s.get("guarded_heap") for s in (case["snapshot"], case.get("proof")) if s]
    sized = [b for heap in seen if heap for number, b in enumerate(heap["blocks"])
             if b["bytes"] == bytes_ and (b.get("roles") or number == heap.get("stop_block"))]
    if not sized:
        return f"no block of {bytes_} bytes has a part in it"
    if not any(made_at(block["allocated"], place) for block in sized):
        return f"the block is not said to be made at {place}"
    words = finding["claim"] + json.dumps(finding.get("for", ()))
    return "" if place in words else f"no sentence speaks of {place}"


def made_at(event, place):
    """A place is a function, or FILE.py:LINE."""
    words = json.dumps(event.get("frames", ()))
    if ".py:" not in place:
        return place in words
    file, line = place.rsplit(":", 1)
    return any(frame.get("file", "").endswith(file)
               and frame.get("line") == int(line)
               for frame in event.get("python", ()))
