#!/usr/bin/env python3
"""How often sigwhy is right, beside faulthandler, gdb, pystack and CASR.

    run.py                                   everything, then docs/accuracy.md
    run.py --sets crashes -k 'null_*'        some programs
    run.py --witnesses sigwhy,gdb            some witnesses
    run.py --environments 'py39-*'           some Python environments
    run.py --table                           only the table, of what was kept

What was answered is kept under build/accuracy and not asked again.
"""

import argparse
import fnmatch
import signal
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import records  # noqa: E402
import remains  # noqa: E402
import room  # noqa: E402
import table  # noqa: E402
from case import Unmet  # noqa: E402
from sets import collected, crashes, lab  # noqa: E402
from witnesses import Absent, alone, casr, faulthandler, gdb, pystack, sigwhy  # noqa: E402

SETS = {"crashes": crashes, "lab": lab, "collected": collected}
WITNESSES = {"sigwhy": sigwhy, "alone": alone, "faulthandler": faulthandler,
             "gdb": gdb, "pystack": pystack, "casr": casr}


def main():
    options = parse_options()
    kept = records.Records()
    sets = {name: SETS[name] for name in options.sets.split(",")}
    cases = [case for one in sets.values() if not one.absent() for case in one.cases()]
    if not options.table:
        chosen = [case for case in cases if fnmatch.fnmatchcase(case.name, options.k)
                  and fnmatch.fnmatchcase(case.environment, options.environments)]
        witnesses, _ = present(options)
        for number, case in enumerate(chosen, 1):
            print(f"{number} of {len(chosen)}: {case.collection} {case.name}", flush=True)
            due = [(w, v) for w, v in witnesses
                   if options.again or not kept.has(case, w.NAME, v)]
            ask_all(case, due, kept, options.sigwhy)
    if options.output:
        write(options, kept, cases, sets)


def parse_options():
    parser = argparse.ArgumentParser(description="how often sigwhy and others are right")
    parser.add_argument("--sets", default=",".join(SETS), metavar="SET,...")
    parser.add_argument("--witnesses", default=",".join(WITNESSES), metavar="NAME,...")
    parser.add_argument("--environments", default="*", metavar="GLOB")
    parser.add_argument("-k", default="*", metavar="GLOB", help="only such cases")
    parser.add_argument("--sigwhy", default=room.ROOT / "build/sigwhy", type=Path,
                        metavar="BIN")
    parser.add_argument("--again", action="store_true", help="ask though it was answered")
    parser.add_argument("--table", action="store_true", help="ask nobody")
    parser.add_argument("--output", metavar="FILE", type=Path,
                        help="write the table there")
    return parser.parse_args()


def present(options):
    """The witnesses that can be had, with their versions; why the others cannot."""
    found, absent = [], {}
    for name in options.witnesses.split(","):
        witness = WITNESSES[name]
        try:
            version = (sigwhy.version(options.sigwhy) if witness is sigwhy
                       else witness.version())
            found.append((witness, version))
        except Absent as reason:
            absent[witness.NAME] = str(reason)
    return found, absent


def ask_all(case, due, kept, binary):
    with remains.Bench(case, binary.resolve()) as bench:
        for witness, version in due:
            kept.add(asked(witness, version, case, bench))


def asked(witness, version, case, bench):
    try:
        reason = witness.refuses(case)
        if not reason:
            return records.record_of(case, witness.NAME, version, witness.ask(case, bench))
    except Unmet as unmet:
        reason = f"not staged: {unmet}"
    return records.refusal_of(case, witness.NAME, version, reason)


def write(options, kept, cases, sets):
    _, absent = present(options)
    if not remains.cores_can_be_had():
        absent["core files"] = "kernel.core_pattern hands them to a service"
    missing = {one.TITLE: one.absent() for one in sets.values() if one.absent()}
    witnesses = [WITNESSES[name] for name in options.witnesses.split(",")]
    titles = {name: one.TITLE for name, one in sets.items()}
    options.output.write_text(table.markdown(cases, kept.kept, witnesses, titles,
                                             absent, missing))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # clears up behind itself
    sys.exit(main())
