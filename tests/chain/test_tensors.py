"""Tensors read from outside, held against what the interpreter says of them, and `sigwhy learn`.

Every interpreter that has torch or TensorFlow will do: Debian's (python3-torch) and those that
SIGWHY_TENSOR_PYTHONS names, separated by colons.
"""
import os
import pathlib
import re
import subprocess

import pytest

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
READER = pathlib.Path(os.environ.get("SIGWHY_BIN", PROGRAMS.parents[2] / "build/sigwhy")).resolve().parent / "tests/tensor_reader"
DEBIAN = "/usr/bin/python3"


def interpreters():
    named = os.environ.get("SIGWHY_TENSOR_PYTHONS", "").split(":")
    return [p for p in [DEBIAN] + named if p]


def has_tensors(python):
    code = "import importlib.util as u, sys; sys.exit(not (u.find_spec('torch') or u.find_spec('tensorflow')))"
    return subprocess.run([python, "-c", code]).returncode == 0


class Tensors:
    """A living process full of tensors, and the truth about them."""

    def __init__(self, python):
        self.process = subprocess.Popen([python, PROGRAMS / "tensors.py"], stdin=subprocess.PIPE, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.truth = []
        for line in self.process.stdout:
            if line == "end\n":
                return
            if line.startswith(("torch ", "tensorflow ")):
                self.truth.append(line.rstrip("\n").split(" ", 3))
        raise AssertionError("the tensors could not be made")

    def read(self, how, **environment):
        asked = "".join(f"{kind} {address}\n" for kind, address, *_ in self.truth)
        done = subprocess.run([READER, str(self.process.pid), how], input=asked, text=True, check=True,
                              stdout=subprocess.PIPE, env=dict(os.environ, **environment))
        return done.stdout.splitlines()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()


def fits(facts, answer):
    pattern = re.escape(facts).replace(r"data\ \?", r"data\ 0x[0-9a-f]+").replace(r"\ \?", ".*")
    return re.fullmatch(pattern, answer.strip()) is not None


def differences(truth, answers):
    return [(facts, answer) for (*_, facts), answer in zip(truth, answers, strict=True) if not fits(facts, answer)]


@pytest.mark.long
@pytest.mark.parametrize("python", interpreters())
def test_as_the_interpreter_says(python, bench):
    if not has_tensors(python):
        pytest.skip("no torch and no tensorflow there")
    cache = str(bench.folder / "cache")
    learned = bench.sigwhy("learn", "--", python, env=dict(bench.env, XDG_CACHE_HOME=cache))
    assert learned.returncode == 0, learned.stderr
    with Tensors(python) as tensors:
        assert len(tensors.truth) > 40
        learned = differences(tensors.truth, tensors.read("learned", XDG_CACHE_HOME=cache))
        # before TensorFlow 2.8 a variable's handle does not lead to its value
        assert all(facts.endswith("variable") and answer.startswith("resource 0") for facts, answer in learned), learned
        assert differences(tensors.truth, tensors.read("known")) == learned
        for (_, _, weight, facts), answer in zip(tensors.truth, tensors.read("guessed")):
            silent = answer == "nothing" or weight == "variable" and answer.startswith("resource 0")
            assert fits(facts, answer) or silent and weight != "firm"


CRASH = """
import ctypes, os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
try:
    import torch as framework
except ImportError:
    import tensorflow as framework
def step(images, parts):
    ctypes.string_at(8, 4)
step(framework.ones((7, 11, 3)), [framework.ones((2, 5)) for _ in range(3)])
"""


@pytest.mark.long
@pytest.mark.parametrize("python", interpreters())
def test_in_a_case(python, bench):
    if not has_tensors(python):
        pytest.skip("no torch and no tensorflow there")
    script = bench.folder / "train.py"
    script.write_text(CRASH)
    run = bench.run(python, script)
    arrays = {a["name"]: a for a in run.case["snapshot"]["arrays"]}
    assert (arrays["images"]["dtype"], arrays["images"]["shape"]) == ("float32", [7, 11, 3])
    assert arrays["images"]["bytes"] == 4 * 7 * 11 * 3 and arrays["images"]["device"] == "cpu"
    assert [arrays[f"parts[{i}]"]["shape"] for i in range(3)] == [[2, 5]] * 3
    assert len({a["data"] for a in arrays.values()}) == 4
    assert not [gap for gap in run.gaps if "tensors" in gap]


def test_nothing_to_learn(bench):
    """NumPy alone is no reason to learn anything."""
    python = bench.folder / "python"
    python.write_text(f"#!/bin/sh\nexec {DEBIAN} -I -S \"$@\"\n")
    python.chmod(0o755)
    run = bench.sigwhy("learn", "--", python, env=dict(bench.env, XDG_CACHE_HOME=str(bench.folder / "cache")))
    assert run.returncode == 1 and b"there is nothing to learn" in run.stderr and b"neither torch nor tensorflow" in run.stderr
    assert not (bench.folder / "cache").exists()


def test_no_interpreter(bench):
    assert b"cannot start /no/python: No such file" in bench.sigwhy("learn", "--", "/no/python").stderr
    assert b"exited with 3" in bench.sigwhy("learn", "--", bench.build("three", "int main(void) { return 3; }")).stderr
    assert b"learn from which interpreter?" in bench.sigwhy("learn").stderr
    silent = bench.sigwhy("learn", "--", "/bin/true")
    assert silent.returncode == 1 and b"did not run the probe" in silent.stderr
