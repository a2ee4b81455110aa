"""Crashes from public reports, and some written to fill classes, with the answers.

They are kept beside the checkout, not in it; the file tells of each what a bare
run does and how the right cause is known. Their Python environments are built by
the collection itself, under $CASES_HOME.
"""

import hashlib
import json
import os
import subprocess
import tempfile
from pathlib import Path

import room
from case import Case, Stage, Unmet
from sets import version_of

TITLE = "collected cases"
FOLDER = Path(os.environ.get("SIGWHY_CASES", room.ROOT.parent / "shared/cases"))
HOME = Path(os.environ.get("CASES_HOME", Path(tempfile.gettempdir()) / "sigwhy-cases"))


def absent():
    if not (FOLDER / "cases.jsonl").exists():
        return "the collection is not on this machine"
    return "" if (HOME / "envs").exists() else "its Python environments are not built"


def cases():
    lines = (FOLDER / "cases.jsonl").read_text().splitlines()
    return [as_case(json.loads(line), line) for line in lines if line.strip()]


def as_case(told, line):
    return Case(
        collection="collected", name=told["id"], environment=told["env_id"],
        provenance="written" if told["provenance"] == "written-here" else "real",
        accept=best_first(told), neutral=tuple(told.get("neutral") or ()),
        digest=hashlib.sha256(line.encode()).hexdigest()[:12],
        prepare=lambda folder: stage(told, folder),
        script="case.py", python=version_of(interpreter(told["env_id"])),
        hangs=told["expect"] == "hang", memory_mib=told.get("memory_mb") or 0,
        timeout_s=told["timeout_s"])


def best_first(told):
    best = told.get("best")
    others = [cause for cause in told["accept"] if cause != best]
    return tuple(([best] if best else []) + others)


def interpreter(name):
    return HOME / "envs" / name / "bin/python"


def stage(told, folder):
    python = interpreter(told["env_id"])
    if not python.exists():
        raise Unmet(f"the environment {told['env_id']} is not built")
    scratch = folder / "scratch"
    scratch.mkdir()
    for name, text in {"case.py": told["code"], **(told.get("files") or {})}.items():
        (scratch / name).write_text(text)
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1", "PYTHON": str(python),
                   **(told.get("env") or {})}
    for line in told.get("setup") or []:
        done = subprocess.run(line, shell=True, cwd=scratch, env=environment,
                              capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise Unmet(f"it cannot be set up: {done.stderr[-300:]}")
    return Stage([str(python), "case.py"], environment, scratch)
