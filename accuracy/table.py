"""docs/accuracy.md from the answers: counted here, worded here, nothing by hand."""

from collections import Counter, defaultdict
from dataclasses import dataclass

import known
import score
from case import SAYING_NOTHING_IS_RIGHT
from witnesses import Reading, alone
from wording import HOW_COUNTED, INTRODUCTION

STRENGTHS = ("proven", "strong", "plausible", "weak")


@dataclass(frozen=True)
class Row:
    case: object
    witness: str
    record: dict
    refused: str = ""
    grade: str = ""
    python_line: bool = False
    native: bool = False


def markdown(cases, kept, witnesses, titles, absent, missing):
    rows = [row for case in cases for witness in witnesses
            if (row := row_of(case, witness, kept))]
    names = [witness.NAME for witness in witnesses]
    ours = [row for row in rows if row.witness == "sigwhy" and not row.refused]
    parts = [INTRODUCTION.format(headline=headline(ours, titles)),
             "## By set\n", by_set(rows, names, titles),
             notes(absent, missing, rows), unfinished(cases, rows, names, titles), HOW_COUNTED,
             "## What an answer shows\n", by_sight(rows, names),
             "## By cause and strength\n", by_cause(ours),
             "## Not right\n", not_right(ours)]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts if part)


def row_of(case, witness, kept):
    record = kept.get((case.collection, case.name, witness.NAME))
    if not record or record["digest"] != case.digest:
        return None
    if record["refused"]:
        return Row(case, witness.NAME, record, refused=record["refused"])
    full = {**record, "accept": case.accept, "neutral": case.neutral,
            "script": case.script}
    scored = score.score(full, witness.reads(record["text"]) or Reading())
    return Row(case, witness.NAME, record, grade=scored.grade,
               python_line=scored.python_line, native=scored.native)


def headline(ours, titles):
    lines = []
    for group, rows in groups(ours, titles):
        count = Counter(row.grade for row in rows)
        lines.append(f"- {group}: {count['right']} of {len(rows)} right"
                     f" ({percent(count['right'], len(rows))}),"
                     f" {count['wrong']} wrong.")
    false = [r for r in ours if r.grade == "wrong" and r.record["strength"] == "proven"]
    lines.append(f"- Said to be proven and wrong: {len(false) or 'none'}.")
    builds = len({row.record["version"] for row in ours})
    if builds > 1:
        lines.append(f"- These answers are of {builds} builds of sigwhy; one run of `make"
                     " accuracy` makes them of one.")
    return "\n".join(lines)


def groups(rows, titles):
    """Real and written apart, the real first."""
    found = defaultdict(list)
    for row in rows:
        found[row.case.provenance, row.case.collection].append(row)
    for (provenance, collection) in sorted(found):
        kind = "from public reports" if provenance == "real" else "written"
        yield f"{titles[collection]}, {kind}", found[provenance, collection]


def by_set(rows, names, titles):
    lines = []
    for group, members in groups(rows, titles):
        cases = {row.case.name: row.case for row in members}
        free = sum(bool(SAYING_NOTHING_IS_RIGHT & set(c.accept)) for c in cases.values())
        lines += [f"### {group}: {len(cases)} cases\n",
                  f"Saying nothing is right for {free} of them.\n" if free else "",
                  "| | asked | right | shallow | unknown | wrong | cannot be used |",
                  "|---|---:|---:|---:|---:|---:|---:|"]
        for name in names:
            own = [row for row in members if row.witness == name]
            if own:
                lines.append(f"| {name} | {cells(own)} |")
        lines.append("")
    return "\n".join(lines).replace("\n\n\n", "\n\n")


def cells(rows):
    grades = Counter(row.grade for row in rows if not row.refused)
    asked = sum(grades.values())
    right = f"{grades['right']} ({percent(grades['right'], asked)})"
    others = [str(grades[grade]) for grade in score.GRADES[1:]]
    return " | ".join([str(asked), right, *others, str(len(rows) - asked)])


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "-"


def by_sight(rows, names):
    """Only programs in Python have a Python line, only signals a native place."""
    lines = ["| | its Python line, of those in Python | a native function, of those"
             " that a signal ended |", "|---|---:|---:|"]
    signalled = {(r.case.collection, r.case.name) for r in rows if r.witness == alone.NAME
                 and not r.refused and r.record["ended"].startswith("SIG")}
    for name in names:
        own = [r for r in rows if r.witness == name and not r.refused]
        python = [r for r in own if r.case.script and "none" not in r.case.accept]
        dead = [r for r in own if (r.case.collection, r.case.name) in signalled]
        if own:
            lines.append(f"| {name} | {share(python, 'python_line')} |"
                         f" {share(dead, 'native')} |")
    return "\n".join(lines) + "\n"


def share(rows, what):
    seen = sum(getattr(row, what) for row in rows)
    return f"{seen} of {len(rows)}"


def by_cause(ours):
    lines = ["| right cause | cases | right | shallow | unknown | wrong |"
             " right, by strength |", "|---|---:|---:|---:|---:|---:|---|"]
    found = defaultdict(list)
    for row in ours:
        found[row.case.best].append(row)
    for cause in sorted(found):
        rows = found[cause]
        grades = Counter(row.grade for row in rows)
        counts = " | ".join(str(grades[grade]) for grade in score.GRADES)
        lines.append(f"| {shown(cause)} | {len(rows)} | {counts} | {strengths(rows)} |")
    return "\n".join(lines) + "\n"


def shown(cause):
    return "nothing to say" if cause == "none" else cause


def strengths(rows):
    """Of the verdicts with a cause; silence and `unknown` have no strength."""
    count = Counter(row.record["strength"] for row in rows
                    if row.grade == "right" and row.record["text"]
                    and row.record["verdict"] not in ("unknown", "clean-exit"))
    return ", ".join(f"{count[s]} {s}" for s in STRENGTHS if count[s])


def not_right(ours):
    rows = [row for row in ours if row.grade != "right"]
    if not rows:
        return "There is none.\n"
    lines = ["| case | accepted | sigwhy said | | why |", "|---|---|---|---|---|"]
    for row in sorted(rows, key=lambda r: (-score.GRADES.index(r.grade), r.case.name)):
        said = " ".join(filter(None, (row.record["verdict"], row.record["strength"])))
        reason = known.REASONS.get((row.case.collection, row.case.name), "not yet looked into")
        lines.append(f"| {row.case.name} | {' or '.join(row.case.accept)} |"
                     f" {said or 'nothing'} | {row.grade} | {reason} |")
    return "\n".join(lines) + "\n"


def unfinished(cases, rows, names, titles):
    """An interrupted run: whom it had not yet asked about all."""
    whole = Counter(case.collection for case in cases)
    asked = Counter((row.witness, row.case.collection) for row in rows)
    lines = [f"- {name}: {asked[name, one]} of the {whole[one]} in {titles[one]}."
             for one in whole for name in names if asked[name, one] < whole[one]]
    if not lines:
        return ""
    return "\n".join(["**Unfinished.** Not everyone was asked about every case yet, so rows with"
                      " different numbers asked cannot be compared:\n", *lines])


def notes(absent, missing, rows):
    versions = {row.witness: row.record["version"] for row in rows
                if row.witness != "sigwhy" and row.record["version"]}
    lines = [f"- {name} {version}." for name, version in versions.items()]
    lines += [f"- {name}: absent, {reason}." for name, reason in absent.items()]
    lines += [f"- The set {title} is left out: {reason}." for title, reason in missing.items()]
    reasons = Counter((row.case.collection, row.refused) for row in rows
                      if row.refused.startswith("not staged") and row.witness == "sigwhy")
    lines += [f"- {count} of {where}: {reason}." for (where, reason), count in reasons.items()]
    return "\n".join(lines) + "\n" if lines else ""
