"""What the runner shows: the failures, the committed table, the coverage."""

import textwrap
from collections import Counter

from .program import CAUSES

# Families whose every cause wants two programs that must be named so and one
# look-alike that must not.
COVERED = """
    null-pointer out-of-bounds use-after-free invalid-free heap-corruption
    stack-overflow stack-smashed wild-pointer write-to-read-only bad-jump
    uninitialised-read mapped-file-truncated shared-memory-full bit-flip
    division-by-zero unsupported-instruction deliberate-trap
    failed-check uncaught-cpp-exception gil-not-held python-fatal-error
    killed-by-process killed-by-user resource-limit disk-full time-limit
    unknown""".split()


def print_failures(outcomes):
    failed = [o for o in outcomes if o.problems]
    width = max((len(o.program.name) for o in failed), default=0)
    for outcome in failed:
        for problem in outcome.problems:
            print(f"{outcome.program.name:<{width}}  {problem}")
        if outcome.report:
            print(textwrap.indent(outcome.report.strip(), "    "))
    for outcome in outcomes:
        if outcome.skipped:
            print(f"skipped {outcome.program.name}: {outcome.skipped}")
    ran = sum(not o.skipped for o in outcomes)
    print(f"{ran - len(failed)} of {ran} right, "
          f"{len(outcomes) - ran} skipped")


def markdown(outcomes):
    rows = ["| program | cause expected | verdict | strength | right? |",
            "|---|---|---|---|---|"]
    for outcome in outcomes:
        rows.append(f"| {outcome.program.path.name} "
                    f"| {' or '.join(outcome.program.expect)} "
                    f"| {shown_verdict(outcome)} | {outcome.strength} "
                    f"| {shown_mark(outcome)} |")
    return "\n".join(rows) + "\n"


def shown_verdict(outcome):
    if outcome.skipped:
        return f"skipped: {outcome.skipped}"
    return outcome.verdict if outcome.report else "(silent)"


def shown_mark(outcome):
    if outcome.skipped:
        return ""
    return "no" if outcome.problems else "yes"


def print_coverage(programs):
    """Programs and look-alikes per cause; false where a cause has too few."""
    named = Counter(c for p in programs for c in p.expect)
    only = Counter(p.expect[0] for p in programs if len(p.expect) == 1)
    alike = Counter(c for p in programs for c in p.looks_like)
    print(f"{'cause':<26}{'named':>6}{'no other':>10}{'look-alikes':>13}")
    for cause in sorted(CAUSES | {"none"}):
        if named[cause] or alike[cause]:
            print(f"{cause:<26}{named[cause]:>6}{only[cause]:>10}"
                  f"{alike[cause]:>13}")
    look_alikes = sum(p.is_look_alike for p in programs)
    print(f"{len(programs)} programs, {look_alikes} of them look-alikes")
    thin = [c for c in COVERED if named[c] < 2
            or (alike[c] < 1 and c != "unknown")]
    if thin:
        print(f"too few programs for: {', '.join(thin)}")
    return not thin and 3 * look_alikes > len(programs)
