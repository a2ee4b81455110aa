"""One cause in one environment: the broken program below sigwhy, what `confirm` makes of it, and the twin."""
import json
import os
import re
import shlex
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import building, environments, memory_limit
from .outcome import Outcome, ending, rank

REPORT = re.compile(r"(?m)^sigwhy: ")


@dataclass
class LabOutcome(Outcome):
    confirmed: str = ""
    fix: str = ""
    confirm_report: str = ""
    seconds: float = 0

    def row(self):
        p = self.program
        return {"name": p.name, "environment": p.environment, "provenance": "written", "expected": p.causes or ("none",),
                "verdict": self.verdict, "strength": self.strength, "confirmed": self.confirmed, "fix": self.fix,
                "skipped": self.skipped, "problems": self.problems}


@dataclass(frozen=True)
class Ended:
    status: int | None
    output: str
    report: str
    case: dict | None


class Stage:
    """A copy of the program's folder, with what it builds, and cases of its own."""

    def __init__(self, program, python, sigwhy, folder):
        self.program, self.python, self.sigwhy = program, python, sigwhy
        self.folder, self.cases = folder / "work", folder / "cases"
        home = folder / "home"
        home.mkdir()
        self.environment = {"PATH": f"{Path(python).parent}:{os.environ.get('PATH', '/usr/bin:/bin')}", "LANG": "C.UTF-8",
                            "HOME": str(home), "TMPDIR": str(home), "SIGWHY_DIR": str(self.cases),
                            "TF_CPP_MIN_LOG_LEVEL": "2", **dict(e.split("=", 1) for e in program.all("env"))}

    def build(self):
        building.put_into(self.folder, self.program, self.python, self.environment)

    def run(self, script):
        case = self.folder.parent / f"{script}.json"
        options, arguments = (shlex.split(self.program.text(key)) for key in ("options", "run"))
        command = [str(self.sigwhy), "run", *options, "--json", str(case), "--", Path(self.python).name, script, *arguments]
        with memory_limit.of(int(self.program.text("memory", "0"))) as enter:
            status, out, err = self.started([*enter, *command])
        start = REPORT.search(err)
        found = json.loads(case.read_text()) if case.exists() else None
        return Ended(status, out + (err[:start.start()] if start else err), err[start.start():] if start else "", found)

    def run_until_it_dies(self):
        for _ in range(int(self.program.text("tries", "1"))):
            ended = self.run("broken.py")
            if ended.status != 0:
                break
        return ended

    def shown(self, ended):
        """With the report that was kept, of an end that the program explained by itself."""
        if ended.report or not ended.case:
            return ended
        _, out, _ = self.started([str(self.sigwhy), "show", ended.case["id"]])
        return replace(ended, report=out)

    def confirm(self, case_id, confirm):
        _, out, err = self.started([str(self.sigwhy), "confirm", case_id, "--yes", *confirm.options], seconds=900)
        kept = self.cases / f"{case_id}.json"
        return out + err, json.loads(kept.read_text()) if kept.exists() else None

    def started(self, command, seconds=None):
        child = subprocess.Popen(["prlimit", "--core=0", "--", *command], cwd=self.folder, env=self.environment,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 start_new_session=True)
        try:
            out, err = child.communicate(timeout=seconds or float(self.program.text("seconds", "120")))
            status = child.returncode
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
            status = None
        return status, out.decode(errors="replace"), err.decode(errors="replace")


def examine(program, sigwhy, tell=lambda *_: None, python=None, with_confirm=True):
    """Runs it all; the outcome lists what was not as the program's first comment says."""
    outcome = LabOutcome(program)
    python = python or environments.python_of(program.environment)
    if not python:
        outcome.skipped = f"there is no {program.environment}"
    elif program.text("memory") and not memory_limit.can_be_made():
        outcome.skipped = "it needs a memory control group, which only root may make"
    if outcome.skipped:
        return outcome
    with tempfile.TemporaryDirectory(prefix="lab-") as folder:
        stage = Stage(program, python, sigwhy, Path(folder))
        try:
            stage.build()
        except building.BuildError as error:
            outcome.problems.append(f"does not build: {error}")
            return outcome
        ended = stage.run_until_it_dies()
        tell("broken.py", ended)
        if program.unsaid and ended.report:
            outcome.problems.append("a report was printed, and the program had said it")
        judge(program, stage.shown(ended) if program.unsaid else ended, outcome)
        if program.confirm and with_confirm and ended.case:
            text, case = stage.confirm(ended.case["id"], program.confirm)
            tell("confirm", text)
            outcome.confirm_report = text
            judge_confirm(program, case, outcome)
        twin = stage.run("repaired.py")
        tell("repaired.py", twin)
        judge_twin(twin, outcome)
    return outcome


def judge(program, ended, outcome):
    outcome.report = ended.report
    if ended.status not in program.ends:
        outcome.problems.append(f"broken.py ended with {ending(ended.status)}: {ended.output[-300:]}")
    first = first_finding(ended.case, outcome)
    if program.harmless:
        outcome.verdict = outcome.verdict if ended.report else ""
        if ended.report:
            outcome.problems.append(f"a report was printed ({outcome.verdict})")
        return
    if not ended.report:
        outcome.problems.append("no report was printed")
        return
    if outcome.verdict not in program.causes:
        outcome.problems.append(f"verdict {outcome.verdict} {outcome.strength}")
    elif outcome.verdict != "unknown" and rank(outcome.strength) < rank(program.at_least):
        outcome.problems.append(f"only {outcome.strength}, not {program.at_least}")
    text = " ".join(ended.report.split())
    if program.line and f"broken.py:{program.line}" not in text:
        outcome.problems.append(f"the report does not name broken.py:{program.line}")
    outcome.problems += [f"the report does not say /{p}/" for p in program.all("says") if not re.search(p, text)]
    fix = " ".join(json.dumps(first.get("fix", "")).split()) if first else ""
    outcome.problems += [f"the fix does not say /{p}/: {fix}" for p in program.all("fix") if not re.search(p, fix)]


def judge_confirm(program, case, outcome):
    first = first_finding(case, outcome, kept=True)
    outcome.confirmed = first["strength"] if first else ""
    if not first or first["cause"] not in program.causes or rank(first["strength"]) < rank(program.confirm.strength):
        outcome.problems.append(f"confirm gives {first and (first['cause'], first['strength'])}, not {program.confirm.strength}")
    tests = case.get("fix_tests") or [] if case else []
    if tests:
        before, after = tests[0]["before"], tests[0]["after"]
        outcome.fix = f"{after['died']} of {after['runs']} died, before {before['died']} of {before['runs']}"
    if program.confirm.tested and not (tests and tests[0]["after"]["died"] == 0 and tests[0]["before"]["died"]):
        outcome.problems.append(f"the fix was not tested, or does not help: {outcome.fix}")


def judge_twin(ended, outcome):
    if ended.status != 0:
        outcome.problems.append(f"repaired.py ended with {ending(ended.status)}: {ended.output[-300:]}")
    if ended.report:
        outcome.problems.append(f"a report about repaired.py: {' '.join(ended.report.split())[:300]}")


def first_finding(case, outcome, kept=False):
    if not case:
        return None
    findings = case["diagnosis"]["findings"]
    first = findings[0] if findings and findings[0]["cause"] == case["diagnosis"]["verdict"] else None
    if not kept:
        outcome.verdict, outcome.strength = case["diagnosis"]["verdict"], first["strength"] if first else ""
    return first
