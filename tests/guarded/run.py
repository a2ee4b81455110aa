#!/usr/bin/env python3
"""Seeded memory bugs and their repaired twins: is each bug proven and its block
named, and is nothing proven about the twin?

    run.py --bare                 do they end as they say, without sigwhy?
    run.py --sigwhy build/sigwhy  under `run --guard=all`, else `--guard=before`
    run.py --confirm              `sigwhy confirm` has to find it by itself
    run.py --long -k 'ext_*'      also those with TensorFlow and PyTorch
    run.py --judge DIR            run nothing: judge the cases kept by --cases

A program is built twice; its twin with -DREPAIRED, and with "repaired" as its
last argument. The keys of the first comment are those of tests/crashes.
"""

import argparse
import fnmatch
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "crashes"))
sys.path.insert(0, str(HERE))

import proof  # noqa: E402
import table  # noqa: E402
from runner import building, needs, trial  # noqa: E402
from runner.program import HeaderError, discover  # noqa: E402

MODES = ("all", "before")
TIMEOUT_S = 180.0
CONFIRM_TIMEOUT_S = 1800.0  # it begins no new run after half of this
TWIN_TIME_S = 420  # there nothing is found, and it would use all the time it has


@dataclass
class Outcome:
    program: object
    skipped: str = ""
    mode: str = ""  # in which it was proven
    found: proof.Proof = proof.Proof()
    problems: list = field(default_factory=list)
    false_proof: bool = False


def main():
    options = parse_options()
    try:
        programs = [p for p in discover(HERE / "programs")
                    if fnmatch.fnmatchcase(p.name, options.k)]
    except HeaderError as error:
        sys.exit(str(error))
    setup = make_setup(options)
    with ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(
            lambda p: examine(p, setup, options), programs))
    table.show(outcomes, options.bare)
    if options.update_table:
        Path(options.update_table).write_text(table.markdown(outcomes))
    if options.score:
        Path(options.score).write_text(json.dumps(table.numbers(outcomes)))
    return 1 if any(o.problems for o in outcomes) else 0


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-k", metavar="GLOB", default="*")
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--confirm", action="store_true")
    parser.add_argument("--long", action="store_true",
                        help="also those that need `long`")
    parser.add_argument("--sigwhy", metavar="BIN", default="build/sigwhy")
    parser.add_argument("--build", metavar="DIR", default="build/guarded")
    parser.add_argument("--cases", metavar="DIR",
                        help="keep each program's JSON case here")
    parser.add_argument("--update-table", metavar="FILE")
    parser.add_argument("--score", metavar="FILE", help="what came of each, as JSON")
    parser.add_argument("--judge", metavar="DIR")
    parser.add_argument("--no-twins", action="store_true")
    parser.add_argument("--mode", help="only this mode of the guard")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--python", default="/usr/bin/python3")
    return parser.parse_args()


def make_setup(options):
    cases = Path(options.cases).resolve() if options.cases else None
    if cases:
        cases.mkdir(parents=True, exist_ok=True)
    sigwhy = None if options.bare or options.judge else Path(options.sigwhy).resolve()
    if sigwhy and not os.access(sigwhy, os.X_OK):
        sys.exit(f"{options.sigwhy} is not there; build it, or use --bare")
    return trial.Setup(Path(options.build).resolve(), sigwhy, options.python,
                       cases, timeout_s=TIMEOUT_S, long=options.long)


def examine(program, setup, options):
    if options.judge:
        return judge_kept(program, Path(options.judge), options)
    reason = needs.unmet(program, setup)
    if reason:
        return Outcome(program, skipped=reason)
    twin = program.repaired()
    twin_setup = replace(setup, build_folder=setup.build_folder / "repaired")
    outcome = Outcome(program)
    try:
        building.build(program, setup.build_folder, setup.python)
        building.build(twin, twin_setup.build_folder, setup.python)
    except building.BuildError as error:
        outcome.problems.append(f"does not build: {error}")
        return outcome
    if options.bare:
        for one, where in ((program, setup), (twin, twin_setup)):
            check_bare(one, where, outcome)
        return outcome
    used = settle(outcome, options, lambda way: run(program, setup, way, outcome))
    judge(outcome)
    for way in () if options.no_twins else used:
        check_twin(twin, twin_setup, way, outcome)
    return outcome


def settle(outcome, options, look):
    """One way after the other until one of them finds it; returns those that were gone."""
    gone = []
    for way in ways(options):
        gone.append(way)
        found = look(way)
        settled = found.settles(outcome.program, way)
        if settled or not outcome.found.cause:
            outcome.found = found
        if settled:
            outcome.mode = way
            break
    return gone


def ways(options):
    if options.confirm:
        return ("confirm",)
    return (options.mode,) if options.mode else MODES


def judge_kept(program, folder, options):
    outcome = Outcome(program)
    settle(outcome, options, lambda way: proof.read(folder / f"{program.name}.{way}.json", program))
    judge(outcome)
    return outcome


def check_bare(program, setup, outcome):
    with tempfile.TemporaryDirectory(prefix="guarded-") as folder:
        returncode, _ = launch(program, setup, Path(folder), None)
    who = "the twin" if program is not outcome.program else "it"
    if returncode != program.returncode:
        shown = "a time-out" if returncode is None else trial.ending(returncode)
        outcome.problems.append(f"{who} ended with {shown}, "
                                f"not {trial.ending(program.returncode)}")


def run(program, setup, way, outcome):
    with tempfile.TemporaryDirectory(prefix="guarded-") as folder:
        case = Path(folder) / "case.json"
        returncode, _ = launch(program, setup, Path(folder), way)
        if returncode is None:
            outcome.problems.append(f"still ran under {way}")
        if setup.cases and case.exists():
            kept = setup.cases / f"{program.name}.{way}.json"
            kept.write_bytes(case.read_bytes())
        return proof.read(case, program)


def launch(program, setup, folder, way):
    """One run in a scratch folder, `way` being a guard's mode or confirm."""
    scratch = folder / "scratch"
    scratch.mkdir()
    setup = replace(setup, options=(f"--guard={way}", "--always"))
    command = trial.command_line(program, setup, folder / "case.json")
    if way == "confirm":
        # sigwhy run OPTIONS --json FILE -- ... becomes confirm, which prints
        at = command.index("run")
        bounds = ["--time", str(TWIN_TIME_S)] if program.arguments[-1:] == ("repaired",) else []
        command[at:command.index("--", at)] = ["confirm", "--json", *bounds]
        command = ["sh", "-c", 'exec "$@" >"$0"', str(folder / "case.json"), *command]
        setup = replace(setup, timeout_s=CONFIRM_TIMEOUT_S)
    return trial.run(command, program, scratch, folder / "kept", setup)


def judge(outcome):
    program, found = outcome.program, outcome.found
    wrong = [c for c in found.anything if c not in program.expect]
    if outcome.mode:
        if not found.named:
            outcome.problems.append(f"{found.strength}, but {found.missing}")
    elif wrong:
        outcome.false_proof = True
        outcome.problems.append(f"WRONG proof: {', '.join(wrong)}")
    elif not program.may_miss:
        seen = f"{found.cause} {found.strength}".strip() or "nothing"
        outcome.problems.append(f"not found: {seen}")


def check_twin(twin, setup, way, outcome):
    with tempfile.TemporaryDirectory(prefix="guarded-") as folder:
        returncode, stderr = launch(twin, setup, Path(folder), way)
        found = proof.read(Path(folder) / "case.json", twin)
    if found.anything:
        outcome.false_proof = True
        outcome.problems.append(f"FALSE proof on the twin ({way}): "
                                f"{', '.join(found.anything)}")
    if returncode is None or (way != "confirm" and returncode != 0):
        shown = "a time-out" if returncode is None else trial.ending(returncode)
        outcome.problems.append(f"the twin ended with {shown} ({way})")


if __name__ == "__main__":
    sys.exit(main())
