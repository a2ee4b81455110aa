#!/usr/bin/env python3
"""Programs without a memory bug, below the whole guard: they must end as they
do without it, and nothing about memory may be proven.

    healthy.py [--sigwhy build/sigwhy] [--long] [-k GLOB] [--mode all|before]

They are the crash programs and those of tests/memory that end by themselves,
and the workloads of bench; `--long` adds those with TensorFlow and PyTorch.
"""

import argparse
import fnmatch
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "crashes"))
sys.path.insert(0, str(HERE))

import proof  # noqa: E402
from runner import building, needs, trial  # noqa: E402
from runner.program import discover, read_program  # noqa: E402

ABOUT_MEMORY = {"out-of-bounds", "use-after-free", "invalid-free",
                "heap-corruption", "uninitialised-read", "memory-leak"}
WORK = {"keras_work.py": "tensorflow", "torch_work.py": "torch",
        "numpy_work.py": "numpy"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-k", metavar="GLOB", default="*")
    parser.add_argument("--sigwhy", metavar="BIN", default="build/sigwhy")
    parser.add_argument("--build", metavar="DIR", default="build/crashes")
    parser.add_argument("--mode", default="all")
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    setup = trial.Setup(Path(options.build).resolve(),
                        Path(options.sigwhy).resolve(), "/usr/bin/python3",
                        timeout_s=900, long=options.long,
                        options=(f"--guard={options.mode}", "--always"))
    ran = wrong = 0
    for program in healthy():
        if not fnmatch.fnmatchcase(program.name, options.k) \
                or needs.unmet(program, setup):
            continue
        ran += 1
        for problem in problems(program, setup):
            wrong += 1
            print(f"{program.name}: {problem}", flush=True)
    print(f"{ran} healthy programs, {wrong} wrong things about them")
    return 1 if wrong else 0


def healthy():
    """What ends by itself, and by its own account has no memory bug."""
    found = [replace(p, memory_mib=0)  # the guard needs more than the limit
             for name in ("crashes", "memory")
             for p in discover(HERE.parent / name)
             if p.returncode >= 0 and not ABOUT_MEMORY & set(p.expect)
             and not (p.memory_mib and p.returncode)]  # the limit ends those
    like = read_program(HERE.parent / "crashes/exit_python_error.py")
    for name, need in WORK.items():
        wanted = (need,) if need == "numpy" else (need, "long")
        found.append(replace(like, path=ROOT / "bench/programs" / name,
                             arguments=("1",), needs=wanted, returncode=0))
    return found


def problems(program, setup):
    building.build(program, setup.build_folder, setup.python)
    with tempfile.TemporaryDirectory(prefix="healthy-") as folder:
        scratch, case = Path(folder) / "scratch", Path(folder) / "case.json"
        scratch.mkdir()
        command = trial.command_line(program, setup, case)
        returncode, _ = trial.run(command, program, scratch,
                                  Path(folder) / "kept", setup)
        proven = proof.proven(case)
    if returncode != program.returncode:
        shown = "a time-out" if returncode is None else trial.ending(returncode)
        yield f"ended with {shown}, not {trial.ending(program.returncode)}"
    for cause in ABOUT_MEMORY & set(proven):
        yield f"FALSE proof: {cause}"


if __name__ == "__main__":
    sys.exit(main())
