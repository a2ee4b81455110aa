"""What the runner shows: one line a program, and the score."""


def show(outcomes, bare=False):
    width = max((len(o.program.name) for o in outcomes), default=0)
    for outcome in outcomes:
        for problem in outcome.problems:
            print(f"{outcome.program.name:<{width}}  {problem}")
        if outcome.skipped:
            print(f"skipped {outcome.program.name}: {outcome.skipped}")
    ran = [o for o in outcomes if not o.skipped]
    if bare:
        print(f"{sum(not o.problems for o in ran)} of {len(ran)} end as they say")
    else:
        print(score(ran))


def score(ran):
    found = [o for o in ran if o.mode]
    proven = [o for o in found if o.found.strength == "proven"]
    named = [o for o in found if o.found.named]
    false = sum(o.false_proof for o in ran)
    return (f"{len(found)} of {len(ran)} found, {len(proven)} of them proven, "
            f"the block named in {len(named)}; {false} false proofs")


def numbers(outcomes):
    """{program: what came of it}, as bench/guard_bugs.py has it of others."""
    return {o.program.name: {"finds": bool(o.mode),
                             "proven": bool(o.mode) and o.found.strength == "proven",
                             "names": bool(o.mode) and o.found.named,
                             "alarm": o.false_proof}
            for o in outcomes if not o.skipped}


def markdown(outcomes):
    ran = [o for o in outcomes if not o.skipped]
    rows = ["# Seeded memory bugs", "",
            "Written by `tests/guarded/run.py`. Each bug has a repaired twin "
            "that must stay", "without a proven finding. " + score(ran) + ".", "",
            "| program | bug | block | found | strength | by | block named |",
            "|---|---|---|---|---|---|---|"]
    for outcome in outcomes:
        rows.append(row(outcome))
    return "\n".join(rows) + "\n"


def row(outcome):
    program = outcome.program
    bytes_, place = program.block
    start = (f"| {program.path.name} | {' or '.join(program.expect)} "
             f"| {bytes_:,} bytes, {place} ")
    if outcome.skipped:
        return start + f"| skipped: {outcome.skipped} | | | |"
    if not outcome.mode:
        return start + f"| no: {program.may_miss or outcome.found.strength} | | | |"
    return start + (f"| {outcome.found.cause} | {outcome.found.strength} | {outcome.mode} "
                    f"| {'yes' if outcome.found.named else 'no'} |")
