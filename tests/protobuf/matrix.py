#!/usr/bin/env python3
"""What fails where in protobuf, on real versions: generated code of five
protocs against six runtimes, the python, cpp and upb back ends, clashing
descriptors, cut, deep and large messages. Each runs below sigwhy.

    matrix.py --sigwhy FILE [-k WORD] [--update docs/protobuf.md]

Exit 1 where a verdict is not the one this table states: an import that fails
is a protobuf-conflict with both sides named, one that works raises no finding.
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
sys.path.insert(0, str(HERE.parents[1] / "lab"))
from stage.environments import CACHE  # noqa: E402

RUNTIMES = ("3.19.6", "3.20.3", "4.25.8", "5.29.5", "6.33.0", "7.36.2")
# grpcio-tools carries a protoc; which one is in the second column.
COMPILERS = {"1.43.0": "3.19", "1.62.3": "4.25.1", "1.71.2": "5.29.0",
             "1.76.0": "6.31.1", "1.85.1": "7.35.1"}
OLD_PYTHON = "3.9"  # the last one for which wheels of the cpp back end and of protoc 3.19 exist
CONFLICT, CORRUPT, OTHER, CLEAN = "protobuf-conflict", "corrupt-input", "python-exception", "clean-exit"


@dataclass(frozen=True)
class Run:
    program: str
    protoc: str  # of COMPILERS
    runtime: str
    backend: str  # python, cpp, upb
    expect: str

    @property
    def name(self):
        return f"{self.program} {self.protoc} {self.runtime} {self.backend}"


def back_ends(runtime):
    return ("python", "cpp") if runtime < "4" else ("python", "upb")


def number(version):
    return tuple(int(part) for part in version.split("."))


def expected_import(protoc, runtime, backend):
    """Code of 3.19 needs the python back end from 4 on; code of 4.25 needs the
    builder of 3.20; newer code states the oldest runtime itself."""
    code, there = number(protoc), number(runtime)
    if code < (3, 20):
        return CLEAN if there < (4,) or backend == "python" else CONFLICT
    if code < (5,):
        return CLEAN if there >= (3, 20) else CONFLICT
    return CLEAN if there >= code else CONFLICT


def all_runs():
    for protoc in COMPILERS.values():
        for runtime in RUNTIMES:
            for backend in back_ends(runtime):
                yield Run("use", protoc, runtime, backend, expected_import(protoc, runtime, backend))
    for runtime, backend in (("3.20.3", "cpp"), ("4.25.8", "upb"), ("7.36.2", "upb"), ("7.36.2", "python")):
        crashes = "stack-overflow" if backend != "python" else OTHER
        large = {"3.20.3": OTHER, "4.25.8": CLEAN}.get(runtime, CLEAN if backend == "python" else OTHER)
        yield Run("clash", "4.25.1", runtime, backend, CONFLICT)
        yield Run("cut", "4.25.1", runtime, backend, CORRUPT)
        yield Run("deep_written", "4.25.1", runtime, backend, crashes)
        yield Run("deep_read", "4.25.1", runtime, backend, CORRUPT)
        yield Run("large_written", "4.25.1", runtime, backend, large)
        yield Run("large_read", "4.25.1", runtime, backend, CLEAN if backend == "python" else OTHER)


def python_for(run_or_backend):
    return old_python() if run_or_backend == "cpp" else "/usr/bin/python3"


def old_python():
    done = subprocess.run(["pyenv", "prefix", OLD_PYTHON], capture_output=True, text=True)
    return done.stdout.strip() + "/bin/python" if done.returncode == 0 else None


def installed(python, *packages):
    """A folder that holds the packages alone."""
    version = "39" if python != "/usr/bin/python3" else "3"
    folder = CACHE / "protobuf" / "-".join((version, *packages)).replace("==", "-") / "site-packages"
    if not folder.exists():
        made = folder.with_suffix(".part")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--root-user-action=ignore",
                        "--target", made, *packages], check=True)
        made.rename(folder)
    return folder


def generated(protoc):
    """The modules that this protoc makes of our two files."""
    tools = next(version for version, carried in COMPILERS.items() if carried == protoc)
    folder = CACHE / "protobuf" / f"generated-{protoc}"
    if (folder / "other_pb2.py").exists():
        return folder
    python = old_python() if number(protoc) < (3, 20) else "/usr/bin/python3"
    folder.mkdir(parents=True, exist_ok=True)
    path = installed(python, f"grpcio-tools=={tools}", f"grpcio=={tools}")
    for name in ("train.proto", "other.proto"):
        code = ("import sys; from grpc_tools import _protoc_compiler as c; "
                "sys.exit(c.run_main([word.encode() for word in sys.argv]))")
        subprocess.run([python, "-c", code, f"-I{PROGRAMS}", f"--python_out={folder}", name],
                       env={**os.environ, "PYTHONPATH": str(path)}, check=True)
    return folder


def outcome(sigwhy, run):
    """What the user sees of the bare program, and what sigwhy says of it."""
    python = python_for(run.backend)
    runtime = installed(python, f"protobuf=={run.runtime}")
    env = {**os.environ, "PYTHONPATH": f"{generated(run.protoc)}:{runtime}",
           "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": run.backend}
    with tempfile.TemporaryDirectory(prefix="protobuf-") as scratch:
        file = Path(scratch) / "case.json"
        done = subprocess.run([sigwhy, "run", "--json", file, "--always", "--", python, PROGRAMS / f"{run.program}.py"],
                              env={**env, "SIGWHY_DIR": scratch}, capture_output=True, text=True, timeout=300)
        diagnosis = json.loads(file.read_text())["diagnosis"]
    first = (diagnosis["findings"] or [{}])[0]
    return seen(done), diagnosis["verdict"], first.get("strength", ""), first.get("claim", "")


def seen(done):
    if done.returncode < 0:
        return signal.Signals(-done.returncode).name
    said = [line for line in done.stderr.splitlines() if "Error" in line.split(":")[0] and not line.startswith(" ")]
    return said[0].split(":")[0].rpartition(".")[2] if done.returncode and said else f"exit {done.returncode}"


def table(rows):
    lines = ["| program | protoc | runtime | back end | what happens | sigwhy says | |", "|---|---|---|---|---|---|---|"]
    for run, (ends, verdict, strength, claim) in rows:
        lines.append(f"| {run.program} | {run.protoc} | {run.runtime} | {run.backend} | {ends} | "
                     f"{verdict if verdict != CLEAN else 'nothing'} | {strength} |")
    return lines


def update(path, rows):
    text = path.read_text()
    start, end = "<!-- table: tests/protobuf/matrix.py -->\n", "<!-- end -->"
    head, rest = text.split(start)
    path.write_text(head + start + "\n" + "\n".join(table(rows)) + "\n\n" + end + rest.split(end)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sigwhy", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("-k", default="", metavar="WORD", help="only runs whose name has it")
    parser.add_argument("--update", type=Path, metavar="FILE", help="write the table into it")
    options = parser.parse_args()
    if not old_python():
        print("skipped: no Python 3.9, which the cpp back end and protoc 3.19 need")
        return 0
    rows = [(run, outcome(options.sigwhy, run)) for run in all_runs() if options.k in run.name]
    wrong = [(run, got) for run, got in rows if got[1] != run.expect]
    for run, got in wrong:
        print(f"WRONG {run.name}: expected {run.expect}, got {got}")
    if options.update:
        update(options.update, rows)
    print(f"{len(rows) - len(wrong)} of {len(rows)} as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
