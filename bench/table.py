#!/usr/bin/env python3
"""table.py FILE   writes the last measurements (build/bench/*.json) as the page
docs/benchmarks.md, bounds beside figures. A part of the page that was not
measured here stays as it is."""

import json
import re
import sys
from pathlib import Path

import check
import guard_table
import setting

PAGE = """\
# What sigwhy costs

Written by `make bench`; the raw numbers lie in `build/bench/`. Ratios and
medians carry over to other machines, seconds do not. The page cache was warm.

Machine: {machine}.

## While the program lives

Supervised over bare wall time, {pairs} interleaved pairs; the interval holds
95 % of bootstrapped medians. Bound: its upper end at most 1.03 for the first
four kinds of work. *Steady* is what a run four times as long adds, start-up left
out; bound: no stops, supervisor's CPU at most 0.1 % of the program's. The last
three kinds are what a tracer is bad at: each thread, process and signal stops.

| work | bare | ratio | 95 % | stops | supervisor's CPU, RSS | steady: stops | CPU |
|---|---|---|---|---|---|---|---|
{works}

Start-up: {start} ms over the bare exec ({start_low} to {start_high}; bound 3).

Memory over time is read in all of these runs. The sampler's share of a core,
its record on disk included:

| program | share | bound |
|---|---|---|
{sampler}

## When it dies

A TensorFlow process of {threads} threads and {mappings} mappings reads through
a null pointer; {runs} deaths.

| | median | most | bound |
|---|---|---|---|
{death}

Others on the same process, all threads, best of three warm runs:

| tool | looks at | time | max RSS |
|---|---|---|---|
{others}

## A look at a living process

`sigwhy attach` on a TensorFlow process of {living_threads} threads whose main
thread does nothing but look at the clock; the longest time it did not come to
that, {looks} looks each ({calm:.1f} ms when nobody looks; bound for sigwhy 50).
sigwhy's own count of the time stopped: median {stopped:.0f} ms, most
{stopped_most:.0f} ms.

| tool | program stood still, median | most | time | max RSS |
|---|---|---|---|---|
{lookers}

## What ate the memory

A program with {memory_mib} MiB of arrays and 100,000 small objects is killed;
{memory_runs} kills. Stopped {memory_stopped:.0f} ms (most {memory_stopped_most:.0f}), from the kill to the
report's last byte {memory_report:.0f} ms (most {memory_report_most:.0f}; bound 500 with 8 GiB). The others
follow every allocation of a run that ends by itself, which takes {memory_bare:.1f} s bare.

| tool | the run takes | to tell takes | names as the largest |
|---|---|---|---|
{memory_rows}
"""


def main():
    file = Path(sys.argv[1])
    old = headed(file.read_text() if file.exists() else "")
    guard = raw("guard") or {}
    own = {"## The guarded heap": guard.get("works") and guard_table.costs(guard["works"]),
           "## Seeded memory bugs": guard.get("bugs") and guard_table.bugs(guard["bugs"]),
           "## Before a run": raw("check") and check.section(raw("check"))}
    front = first_part() or "\n".join(t for h, t in old.items() if h not in own)
    parts = [front, *(text or old.get(heading, "") for heading, text in own.items())]
    file.write_text("\n".join(p.strip() + "\n" for p in parts if p))
    print(file)


def headed(page):
    """{heading: its text, itself included}"""
    found = [p.strip() + "\n" for p in re.split(r"(?m)^(?=##? )", page) if p]
    return {p.split("\n", 1)[0]: p for p in found}


def raw(name):
    file = setting.RAW / f"{name}.json"
    return json.loads(file.read_text()) if file.exists() else None


def first_part():
    run, death, attach, sampler, memory = map(
        raw, ("run", "death", "attach", "sampler", "memory"))
    if not all((run, death, attach, sampler, memory)):
        return ""
    start = run["start_up"]["added_ms"]
    return PAGE.format(
        machine=run["machine"],
        pairs=run["works"][0]["wall_ratio"]["pairs"],
        works="\n".join(map(work_row, run["works"])),
        start=f"{start['median']:.2f}", start_low=f"{start['low']:.2f}",
        start_high=f"{start['high']:.2f}",
        sampler="\n".join(f"| {row['name']} | {row['percent']:.3f} % "
                          f"| {row['bound_percent']} % |" for row in sampler),
        threads=death["threads"], mappings=death["mappings"],
        runs=death["runs"], death=death_rows(death["sigwhy"]),
        others="\n".join(map(other_row, death["others"])),
        living_threads=attach["threads"], looks=attach["looks"],
        calm=attach["calm_ms"], stopped=attach["stopped_ms"]["median"],
        stopped_most=attach["stopped_ms"]["most"],
        lookers="\n".join(map(looker_row, attach["tools"])),
        **memory_figures(memory))


def memory_figures(memory):
    stopped, report = memory["sigwhy"]["stopped_ms"], memory["sigwhy"]["report_ms"]
    rows = [f"| sigwhy | {memory['bare_s']:.1f} s | {report['median'] / 1000:.2f} s "
            f"| {memory['named']} |"]
    for tool in memory["others"]:
        rows.append(f"| {tool['name']} | not installed | | |" if tool.get("missing") else
                    f"| {tool['name']} | {tool['run_s']:.1f} s | {tool['tell_s']:.2f} s "
                    f"| {tool['named']} |")
    return {"memory_mib": memory["mib"], "memory_runs": memory["runs"],
            "memory_bare": memory["bare_s"],
            "memory_stopped": stopped["median"], "memory_stopped_most": stopped["most"],
            "memory_report": report["median"], "memory_report_most": report["most"],
            "memory_rows": "\n".join(rows)}


def work_row(work):
    ratio, steady = work["wall_ratio"], work["steady"]
    row = (f"| {work['name']} | {work['bare_s']:.2f} s "
           f"| {ratio['median']:.3f} "
           f"| {ratio['low']:.3f} to {ratio['high']:.3f} "
           f"| {work['stops']} | {work['supervisor_cpu_ms']:.1f} ms, "
           f"{work['supervisor_max_rss_kb'] / 1024:.1f} MiB ")
    if steady is None:
        return row + "| | |"
    return row + (f"| {steady['stops_a_second']:.1f} a second "
                  f"| {steady['cpu_share'] * 100:.3f} % |")


def death_rows(sigwhy):
    return "\n".join(
        f"| {what} | {sigwhy[key]['median'] / unit:.0f} {name} "
        f"| {sigwhy[key]['most'] / unit:.0f} {name} | {bound} {name} |"
        for what, key, unit, name, bound in (
            ("stopped", "stopped_ms", 1, "ms", 60),
            ("fatal stop to the report's last byte", "report_ms", 1, "ms", 150),
            ("developing process, max RSS", "developer_max_rss_kb", 1024,
             "MiB", 60),
            ("supervisor, max RSS", "max_rss_kb", 1024, "MiB", 8)))


def other_row(tool):
    if tool.get("missing"):
        return f"| {tool['name']} | {tool['what']} | not installed | |"
    return (f"| {tool['name']} | {tool['what']} | {tool['wall_s']:.2f} s "
            f"| {tool['max_rss_kb'] / 1024:.0f} MiB |")


def looker_row(tool):
    if tool.get("missing"):
        return f"| {tool['name']} | not installed | | | |"
    return (f"| {tool['name']} | {tool['still_ms']['median']:.0f} ms "
            f"| {tool['still_ms']['most']:.0f} ms | {tool['wall_s']:.2f} s "
            f"| {tool['max_rss_kb'] / 1024:.0f} MiB |")


if __name__ == "__main__":
    main()
