"""The guarded heap's part of docs/benchmarks.md."""

import guard_bugs

SECTION = """
## The guarded heap

Wall time over the bare run of the same round, and peak memory over its, the
median of up to {rounds} rounds. Bounds for `--guard`: 1.05 for training, 1.25
for NumPy temporaries, memory 1.15; what `all` and `before` cost is measured,
not promised. AddressSanitizer has the C++ program compiled anew; below Python
it is preloaded, and only the extension would be instrumented.

| way | {heads} |
|{rules}
{rows}
"""

BUGS = """
## Seeded memory bugs

Of {count} seeded memory bugs (tests/guarded), each with a repaired twin: how
many a tool finds, in how many it names the block by its size and the place
that made it, and about how many twins it complains, or cannot run them. What it
says of the twin as well is not counted as found. *Timed out*: nothing was found
within {limit} s of CPU time.

| tool | of | finds | names the block | complains about a twin | timed out |
|---|---|---|---|---|---|
{rows}
"""


def costs(works):
    names = list(dict.fromkeys(way for found in works.values() for way in found))
    rounds = max(found["bare"]["wall"]["pairs"] for found in works.values())
    rows = [f"| {name} | " + " | ".join(cell(found.get(name)) for found in works.values()) + " |"
            for name in names if name != "bare"]
    return SECTION.format(rounds=rounds, heads=" | ".join(works),
                          rules="---|" * (len(works) + 1), rows="\n".join(rows))


def bugs(found):
    return BUGS.format(count=max(map(len, found.values())), limit=guard_bugs.CPU_LIMIT_S,
                       rows="\n".join(bug_row(*one) for one in found.items()))


def bug_row(tool, programs):
    def count(what):
        return sum(bool(row.get(what)) for row in programs.values())
    proven = f", {count('proven')} proven" if count("proven") else ""
    return (f"| {tool} | {len(programs)} | {count('finds')}{proven} | {count('names')} "
            f"| {count('alarm')} | {count('late')} |")


def cell(figures):
    if not figures:
        return ""
    if "failed" in figures:
        return figures["failed"]
    return f"{figures['wall']['median']:.2f}, memory {figures['rss']:.2f}"
