#!/usr/bin/env python3
"""Runs the crash programs and compares what happens with their first comments.

    run.py --bare                     do they die as they say, without sigwhy?
    run.py --sigwhy build/sigwhy      does sigwhy name the cause?
    run.py -k 'null_*' --cases DIR    some of them, keeping the JSON cases

From a test framework: `discover(HERE)` gives the programs, and
`trial.examine(program, setup).problems` is empty where all was right.
"""

import argparse
import fnmatch
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from runner import needs, tables, trial  # noqa: E402
from runner.program import HeaderError, discover  # noqa: E402


def main():
    options = parse_options()
    try:
        programs = [p for p in discover(Path(options.programs).resolve())
                    if fnmatch.fnmatchcase(p.name, options.k)]
    except HeaderError as error:
        sys.exit(str(error))
    if options.coverage:
        return 0 if tables.print_coverage(programs) else 1
    if not programs:
        sys.exit(f"no program is called {options.k}")
    setup = make_setup(options)
    good = True
    for _ in range(options.repeat):
        outcomes = examine_all(programs, setup, options.jobs)
        tables.print_failures(outcomes)
        good = good and not any(o.problems for o in outcomes)
    if options.update_table:
        Path(options.update_table).write_text(tables.markdown(outcomes))
    return 0 if good else 1


def parse_options():
    parser = argparse.ArgumentParser(
        description="run the crash programs and judge what sigwhy says")
    parser.add_argument("-k", metavar="GLOB", default="*",
                        help="only programs with such names")
    parser.add_argument("--programs", metavar="DIR", default=HERE,
                        help="where they are: tests/crashes, tests/memory")
    parser.add_argument("--long", action="store_true",
                        help="also those that need `long`")
    parser.add_argument("--sigwhy", metavar="BIN", default="build/sigwhy")
    parser.add_argument("--bare", action="store_true",
                        help="without sigwhy: check only how they end")
    parser.add_argument("--build", metavar="DIR",
                        default=os.path.join(tempfile.gettempdir(),
                                             "crash-programs"),
                        help="where the built programs lie")
    parser.add_argument("--cases", metavar="DIR",
                        help="keep each program's JSON case here")
    parser.add_argument("--update-table", metavar="FILE",
                        help="write the results as a markdown table")
    parser.add_argument("--coverage", action="store_true",
                        help="run nothing; count programs per cause")
    parser.add_argument("--repeat", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--python", default=default_python(), metavar="BIN",
                        help="interpreter of the Python programs")
    return parser.parse_args()


def default_python():
    """The system's interpreter: NumPy is packaged for that one."""
    system = "/usr/bin/python3"
    return system if os.access(system, os.X_OK) else sys.executable


def make_setup(options):
    cases = Path(options.cases).resolve() if options.cases else None
    if cases:
        cases.mkdir(parents=True, exist_ok=True)
    sigwhy = None if options.bare else Path(options.sigwhy).resolve()
    if sigwhy and not os.access(sigwhy, os.X_OK):
        sys.exit(f"{options.sigwhy} is not there; build it, or use --bare")
    return trial.Setup(Path(options.build).resolve(), sigwhy,
                       options.python, cases, long=options.long)


def examine_all(programs, setup, jobs):
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda p: examine_one(p, setup), programs))


def examine_one(program, setup):
    reason = needs.unmet(program, setup)
    if reason:
        return trial.CrashOutcome(program, skipped=reason)
    return trial.examine(program, setup)


if __name__ == "__main__":
    sys.exit(main())
