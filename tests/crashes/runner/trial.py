"""One program, run bare or under sigwhy, and what was wrong about it.

Each run gets a scratch folder as working directory, home and TMPDIR, a small
fixed environment, a session of its own and no core files, so that nothing is
left behind and nothing of the caller's leaks in. Standard error is a pipe: what
a dying program said must be found in its memory, not in a file.
"""

import json
import os
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from stage import memory_limit, task_limit
from stage.outcome import Outcome, ending, rank

from . import building, frameworks

REPORT_START = re.compile(r"(?m)^sigwhy: ")
CANNOT_SET_STAGE = 77


@dataclass(frozen=True)
class Setup:
    build_folder: Path
    sigwhy: Path | None
    python: str
    cases: Path | None = None
    timeout_s: float = 60.0
    long: bool = False
    options: tuple = ()  # of `sigwhy run`


@dataclass
class CrashOutcome(Outcome):
    claim: str = ""


def examine(program, setup):
    """Builds and runs `program` once; the outcome lists what was wrong."""
    outcome = CrashOutcome(program)
    try:
        building.build(program, setup.build_folder, setup.python)
    except building.BuildError as error:
        outcome.problems.append(f"does not build: {error}")
        return outcome
    with tempfile.TemporaryDirectory(prefix="crash-") as folder:
        run_in(Path(folder), program, setup, outcome)
    return outcome


def run_in(folder, program, setup, outcome):
    scratch = folder / "scratch"
    scratch.mkdir()
    json_file = folder / "case.json"
    command = command_line(program, setup, json_file)
    returncode, stderr = run(command, program, scratch, folder / "kept", setup)
    if returncode == CANNOT_SET_STAGE and stage_refused(program, setup, folder):
        outcome.skipped = "the machine does not let it set its stage"
        return
    if returncode is None:
        outcome.problems.append(f"still ran after {setup.timeout_s:g} s")
    elif returncode != program.returncode:
        outcome.problems.append(f"ended with {ending(returncode)}, "
                                f"not {ending(program.returncode)}")
    if setup.sigwhy:
        start = REPORT_START.search(stderr)
        outcome.report = stderr[start.start():] if start else ""
        read_case(json_file, outcome)
        keep_case(json_file, program, setup)
        judge(program, outcome)


def stage_refused(program, setup, folder):
    """Is it so in the bare run too, so that sigwhy is innocent?"""
    scratch = folder / "bare"
    scratch.mkdir()
    command = command_line(program, replace(setup, sigwhy=None), None)
    returncode, _ = run(command, program, scratch, folder / "kept", setup)
    return bool(program.needs) and returncode == CANNOT_SET_STAGE


def command_line(program, setup, json_file):
    command = program_command(program, setup)
    if setup.sigwhy:
        command = [str(setup.sigwhy), "run", *setup.options,
                   "--json", str(json_file), "--", *command]
    # Soft limits only: a tool may lift its own again, the program does not.
    limits = [f"--{k}={v}:" for k, v in program.limits.items()]
    return ["prlimit", "--core=0", *limits, "--", *command]


def program_command(program, setup):
    """The program alone, without limits and without sigwhy."""
    library = str(building.library_path(program, setup.build_folder))
    arguments = [library if a == "{lib}" else a for a in program.arguments]
    if program.is_python:
        return [frameworks.python_for(program, setup.python),
                str(program.path), *arguments]
    return [str(building.program_path(program, setup.build_folder)), *arguments]


def environment_of(program, scratch):
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "LANG": "C.UTF-8", "HOME": str(scratch), "TMPDIR": str(scratch),
            **program.env}


def run(command, program, scratch, kept, setup):
    """Wait status and standard error; status None where it had to be ended."""
    env = {**environment_of(program, scratch), "SIGWHY_DIR": str(kept)}
    with memory_limit.of(program.memory_mib) as enter, \
            task_limit.of(program.tasks) as also:
        return run_child(enter + also + command, scratch, env, setup)


def run_child(command, scratch, env, setup):
    # In the background a shell has these ignored, and programs inherit it.
    child = subprocess.Popen(
        ["env", "--default-signal=HUP,INT,QUIT", *command], cwd=scratch, env=env, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        start_new_session=True)
    try:
        _, stderr = child.communicate(timeout=setup.timeout_s)
        return child.returncode, stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        _, stderr = child.communicate()
        return None, stderr.decode(errors="replace")


def read_case(json_file, outcome):
    if not json_file.exists():
        return
    try:
        diagnosis = json.loads(json_file.read_text())["diagnosis"]
        outcome.verdict = diagnosis["verdict"]
        findings = diagnosis["findings"]
    except (ValueError, KeyError) as error:
        outcome.problems.append(f"the JSON file is not a case: {error!r}")
        return
    if findings and findings[0]["cause"] == outcome.verdict:
        outcome.strength = findings[0]["strength"]
        outcome.claim = findings[0]["claim"]
    elif outcome.verdict not in ("unknown", "clean-exit"):
        outcome.problems.append("the first finding is not the verdict")


def keep_case(json_file, program, setup):
    if setup.cases and json_file.exists():
        target = setup.cases / f"{program.name}.json"
        target.write_bytes(json_file.read_bytes())


def judge(program, outcome):
    if not outcome.report:
        if "none" not in program.expect:
            outcome.problems.append("no report was printed")
        # The case is kept all the same, and `sigwhy list` shows its verdict.
        elif outcome.verdict in program.never:
            outcome.problems.append(f"WRONG verdict {outcome.verdict} "
                                    f"{outcome.strength}, in silence")
        return
    if program.expect == ("none",):
        outcome.problems.append(f"a report was printed ({outcome.verdict})")
        return
    judge_verdict(program, outcome)
    unwrapped = " ".join(outcome.report.split())
    for pattern in program.says:
        if not re.search(pattern, unwrapped):
            outcome.problems.append(f"the report does not say /{pattern}/")


def judge_verdict(program, outcome):
    verdict = outcome.verdict or "no JSON"
    if verdict in program.never:
        outcome.problems.append(f"WRONG verdict {verdict} {outcome.strength}")
    elif verdict not in program.expect:
        outcome.problems.append(f"verdict {verdict} {outcome.strength}")
    elif verdict != "unknown":
        strength = rank(outcome.strength)
        if strength < rank(program.at_least):
            outcome.problems.append(f"only {outcome.strength}, "
                                    f"not {program.at_least}")
        if strength > rank(program.at_most):
            outcome.problems.append(f"claims {outcome.strength}, "
                                    f"more than {program.at_most}")
