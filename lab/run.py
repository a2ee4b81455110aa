#!/usr/bin/env python3
"""The lab: every cause that people name for a dying TensorFlow program, as a program that really does it.

    run.py                          each cause that can be shown with the TensorFlow or torch of `python3`
    run.py wrong_dtype 'op_*'       these causes
    run.py --list                   name them
    run.py --environment tensorflow     in an environment of its own, made in the user's cache at the first use
    run.py --all --brief --jobs 2   in every environment, two at a time, one line each, and what was not as expected

Each broken program is run under sigwhy, `sigwhy confirm` settles its case where that is possible, and the repaired twin
must end well without a word. `sigwhy demo --lab` starts this.
"""
import argparse
import fnmatch
import json
import shutil
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from stage import environments, guarded, trial  # noqa: E402
from stage.program import HeaderError, discover  # noqa: E402


def main():
    options = parse_options()
    try:
        programs = chosen(discover(), options)
    except HeaderError as error:
        sys.exit(str(error))
    if options.list:
        sys.stdout.write("".join(f"{program.name:24} {program.text('claim')}\n" for program in programs))
        return 0
    outcomes = all_examined([(program.put_on(name), python) for program in programs for name, python in places(program, options)],
                            options)
    if not outcomes:
        sys.exit(f"{options.python} has neither TensorFlow nor torch for these: --python BIN names another interpreter, "
                 "--environment tensorflow makes one (1.5 GB in the user's cache)")
    right = sum(not o.problems and not o.skipped for o in outcomes)
    skipped = sum(bool(o.skipped) for o in outcomes)
    print(f"{right} of {len(outcomes) - skipped} as expected, {skipped} skipped")
    return 0 if right + skipped == len(outcomes) else 1


def parse_options():
    parser = argparse.ArgumentParser(prog="sigwhy demo --lab", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="causes, or patterns such as 'op_*'")
    parser.add_argument("--list", action="store_true", help="name the causes and what is said about each")
    parser.add_argument("--brief", action="store_true", help="one line each instead of what a user sees")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many at a time, with --brief (1)")
    parser.add_argument("--quick", action="store_true", help="only what `make test` runs")
    parser.add_argument("--no-confirm", action="store_true", help="without the re-runs that prove a cause")
    parser.add_argument("--guarded", action="store_true", help="only what is healthy, with every block guarded")
    parser.add_argument("--environment", action="append", metavar="NAME",
                        help="in this one (pip gets it at the first use) of: " + ", ".join(environments.names()))
    parser.add_argument("--all", action="store_true", help="in every environment")
    parser.add_argument("--python", metavar="BIN", default="python3", help="otherwise: the interpreter to use (python3)")
    parser.add_argument("--sigwhy", default="sigwhy", metavar="BIN")
    parser.add_argument("--results", metavar="FILE", help="add one line of JSON for each")
    parser.add_argument("--keep", metavar="DIR", help="keep the reports there")
    options = parser.parse_args()
    if options.jobs > 1 and not options.brief:
        parser.error("--jobs needs --brief: what a user sees of two would be mixed")
    return options


def chosen(programs, options):
    names = options.names or ["*"]
    found = [p for p in programs if any(fnmatch.fnmatchcase(p.name, n) for n in names) and (not options.quick or p.quick)]
    if not found:
        sys.exit(f"no cause is called {' '.join(names)}; there are: {', '.join(p.name for p in programs)}")
    return found


def places(program, options):
    """Where to run it: names of environments, each with the interpreter if it is not that environment's own."""
    if options.quick:
        return [(name, None) for name in program.quick]
    if options.all or options.environment:
        return [(name, None) for name in program.environments if options.all or name in options.environment]
    return [(name, python) for name, python in environments.like(options.python).items() if name in program.environments]


def all_examined(work, options):
    for name in {program.environment for program, python in work if not python}:
        environments.python_of(name)  # before anything runs: none is made twice, none beside a program
    with ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(lambda one: examined(*one, options), work))


def examined(program, python, options):
    begun = time.monotonic()
    tell = (lambda *_: None) if options.brief else show
    if not options.brief:
        print(f"\n=== {program.name} in {python or program.environment}: {program.text('claim')}\n", flush=True)
    sigwhy = Path(shutil.which(options.sigwhy) or options.sigwhy).absolute()
    outcome = (guarded.examine(program, sigwhy, python) if options.guarded
               else trial.examine(program, sigwhy, tell, python, not options.no_confirm))
    outcome.seconds = time.monotonic() - begun
    print("\n    ".join([line_of(outcome), *outcome.problems]) + "\n", end="", flush=True)
    keep(outcome, options)
    return outcome


def show(what, seen):
    """What a user of the program would see."""
    if what == "confirm":
        print(f"$ sigwhy confirm\n{seen}", flush=True)
        return
    print(f"$ sigwhy run -- python {what}\n{seen.output}{seen.report}({trial.ending(seen.status)})\n", flush=True)


def line_of(o):
    if o.skipped:
        return f"-     {o.program.name:26} {o.program.environment:20} skipped: {o.skipped}"
    word = "WRONG" if o.problems else "ok   "
    said = f"{o.verdict} {o.strength}" if o.verdict and o.report else "nothing to say"
    proof = f", after confirm {o.confirmed}" if o.confirmed else ""
    fix = f", fix: {o.fix}" if o.fix else ""
    return f"{word} {o.program.name:26} {o.program.environment:20} {said}{proof}{fix} ({o.seconds:.0f} s)"


def keep(outcome, options):
    if options.results:
        with open(options.results, "a") as out:
            out.write(json.dumps(outcome.row()) + "\n")
    if options.keep and not outcome.skipped:
        folder = Path(options.keep) / outcome.program.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{outcome.program.environment}.txt").write_text(outcome.report)
        if outcome.confirm_report:
            (folder / f"{outcome.program.environment}.confirm.txt").write_text(outcome.confirm_report)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `--list | head` is no error
    sys.exit(main())
