"""sigwhy run, as it is by default; a hang is ended by it after eight seconds."""

import hashlib
import json
import re
from pathlib import Path

import room
from witnesses import Answer, Reading

NAME = "sigwhy"
REPORT = re.compile(r"(?m)^sigwhy: ")


def version(binary=None):
    """Two builds are two witnesses: an answer of the one is none of the other."""
    digest = hashlib.sha256()
    for name in ("sigwhy", "sigwhy-develop"):
        path = Path(binary).with_name(name)
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()[:12]


def refuses(case):
    return ""


def ask(case, bench):
    with room.of(case) as place:
        saved = place.folder / "case.json"
        hang = ["--hang", "8", "--on-hang", "kill"] if case.hangs else []
        command = [str(bench.sigwhy), "run", "--json", str(saved), *hang, "--"]
        ended = place.run([*place.enter, *limited(case), *command, *place.stage.command],
                          extra_s=60, env={"SIGWHY_DIR": str(place.folder / "kept")})
        return answer(ended, saved)


def limited(case):
    """Soft limits outside: sigwhy lifts its own again, the program does not."""
    limits = [f"--{name}={value}:" for name, value in case.limits.items()]
    return ["prlimit", *limits, "--"] if limits else []


def answer(ended, saved):
    start = REPORT.search(ended.text)
    report = ended.text[start.start():] if start else ""
    words = ended.text[:start.start()] if start else ended.text
    if not saved.exists():
        return Answer(words, report, ended.how, ended.seconds)
    case = json.loads(saved.read_text())
    diagnosis = case["diagnosis"]
    first = (diagnosis["findings"] or [{}])[0]
    return Answer(words, report, ended.how, ended.seconds, diagnosis["verdict"],
                  first.get("strength", ""), first.get("claim", ""),
                  shows_native(case["snapshot"], report))


def shows_native(snapshot, report):
    symbols = [frame.get("symbol", "") for thread in snapshot["threads"]
               if thread.get("died") for frame in thread["frames"][:40]]
    return any(len(symbol) > 1 and symbol.split("(")[0] in report for symbol in symbols)


def reads(text):
    return Reading()
