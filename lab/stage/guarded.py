"""The healthy programs of the lab with every block guarded: they end as ever, and nothing is proven about their memory."""
import tempfile
from dataclasses import replace
from pathlib import Path

from . import building, environments
from .outcome import ending
from .trial import LabOutcome, Stage

SLOWER = 10  # than without


def examine(program, sigwhy, python=None):
    outcome = LabOutcome(program)
    python = python or environments.python_of(program.environment)
    if not python:
        outcome.skipped = f"there is no {program.environment}"
        return outcome
    with tempfile.TemporaryDirectory(prefix="lab-") as folder:
        stage = Stage(unlimited(program), python, sigwhy, Path(folder))
        try:
            stage.build()
        except building.BuildError as error:
            outcome.problems.append(f"does not build: {error}")
            return outcome
        for script in ("broken.py", "repaired.py") if program.harmless else ("repaired.py",):
            ended = stage.run(script)
            if ended.status not in (program.ends if script == "broken.py" else (0,)):
                outcome.problems.append(f"{script} ended with {ending(ended.status)}: {ended.output[-300:]}")
            findings = ended.case["diagnosis"]["findings"] if ended.case else []
            proven = [f["cause"] for f in findings if f["strength"] == "proven" and f["cause"] != "python-exception"]
            outcome.problems += [f"{script}: FALSE proof of {cause}" for cause in proven]
    return outcome


def unlimited(program):
    """The guard needs more memory and time than the program."""
    keys = dict(program.keys)
    keys.pop("memory", None)
    keys["options"] = ["--guard=all --always"]
    keys["seconds"] = [str(SLOWER * float(program.text("seconds", "120")))]
    return replace(program, keys=keys)
