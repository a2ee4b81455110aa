"""Made programs die in every interpreter that is here, and the stacks we read from outside must be the ones that the
interpreter gave a moment before: every frame of every thread, with file, function and line.

The programs are made by chance from a fixed seed (generated/programs.py).
"""
import json
import pathlib
import sys

import pytest

from test_python_frames import interpreters, version_of

HERE = pathlib.Path(__file__).parent / "generated"
sys.path.insert(0, str(HERE))

import programs  # noqa: E402

# The walk reads so many frames at each end of a stack that is deeper.
INNER, OUTER = 384, 128


def read(frames):
    return [[f["file"], f["function"], f.get("line")] for f in frames]


def shortened(truth):
    return truth if len(truth) <= INNER + OUTER else truth[:INNER] + truth[-OUTER:]


def runs_of(thread):
    return [f["python"] for f in thread["frames"] if f.get("python")]


def check(case, truth):
    """Every stack as it was; returns whether the dying thread's was merged."""
    threads = {str(int(t["registers"]["fs_base"], 16)): t for t in case["snapshot"]["threads"]}
    # On a busy machine a thread may not stop in time; then the case says so.
    late = any(gap["what"] == "some of the other threads" for gap in case["snapshot"]["gaps"])
    for ident, stack in truth["stacks"].items():
        if late and ident not in threads and ident != truth["dying"]:
            continue
        assert read(threads[ident]["python"]) == shortened(stack), (truth["program"], truth["end"])
    extra = [t["python"] for i, t in threads.items() if i not in truth["stacks"] and t["python"]]
    assert not extra
    for ident, name in truth["names"].items():
        assert ident not in threads or threads[ident].get("python_name") == name
    dying = threads[truth["dying"]]
    assert dying["died"]
    for thread in threads.values():
        covered = 0
        for run in runs_of(thread):
            assert run["first"] >= covered
            covered = run["first"] + run["count"]
    runs = runs_of(dying)
    return bool(runs) and runs[0]["first"] == 0


def compare(bench, folder, count):
    """The cases that were kept, against the truths that the dying wrote into `folder`."""
    cases = {}
    for file in (bench.folder / "cases").glob("*.json"):
        case = json.loads(file.read_text())
        cases[case["snapshot"]["process"]["pid"]] = case
    truths = {int(f.stem[6:]): json.loads(f.read_text()) for f in folder.glob("truth-*.json")}
    assert len(truths) == count
    merged = sum(check(cases[pid], truth) for pid, truth in truths.items())
    assert merged >= count * 9 // 10, merged


def die_all(bench, python, seeds):
    version = tuple(map(int, version_of(python).split(".")))
    folder = bench.folder / "programs"
    folder.mkdir()
    for seed in seeds:
        (folder / f"p{seed:04d}.py").write_text(programs.program(seed, version), encoding="utf-8")
    finished = bench.sigwhy("run", "--", python, "-B", HERE / "stand.py", folder, timeout=600)
    assert finished.returncode == 0, finished.stderr.decode()
    compare(bench, folder, len(seeds))


@pytest.mark.parametrize("python", interpreters(), ids=lambda p: p.split("/")[-3])
def test_made_programs(bench, python):
    die_all(bench, python, range(20))


@pytest.mark.long
@pytest.mark.parametrize("python", [p for p in interpreters() if tuple(map(int, version_of(p).split("."))) >= (3, 9)],
                         ids=lambda p: p.split("/")[-3])
def test_many_made_programs(bench, python):
    die_all(bench, python, range(20, 220))
