"""sigwhy confirm --sizes --threads: an op's test over combinations under the guarded heap."""
import json
import os
import subprocess

import pytest

from conftest import PROGRAMS, PYTHON, SIGWHY

# Rounds the count up to eight: right for multiples of eight, beyond the block's end for all others.
OP = """
#include <stdlib.h>
int main(int count, char** words) {
  const int n = atoi(words[1]), up = (n + 7) / 8 * 8;
  volatile float* data = malloc(n * sizeof *data);
  for (int i = 0; i < up; ++i) data[i] = 1;
  free((void*)data);
  return 0;
}
"""


@pytest.fixture(scope="module")
def op(tmp_path_factory):
    folder = tmp_path_factory.mktemp("op")
    (folder / "op.c").write_text(OP)
    subprocess.run(["gcc", "-g", "-o", folder / "op", folder / "op.c"], check=True)
    return folder / "op"


def stress(*words, status=0):
    run = subprocess.run([SIGWHY, "confirm", "--json", *words], capture_output=True, text=True, timeout=120,
                         stdin=subprocess.DEVNULL)
    assert run.returncode == status, run.stdout + run.stderr
    return json.loads(run.stdout) if run.stdout else run.stderr


def test_each_combination_that_dies_is_named(op):
    found = stress("--sizes", "1,7,64", "--threads", "1,2", "--", op, "{size}")
    assert {one["value"]: one["died"] for one in found["tried"]} == {
        "size 1, 1 thread": 1, "size 1, 2 threads": 1, "size 7, 1 thread": 1, "size 7, 2 threads": 1,
        "size 64, 1 thread": 0, "size 64, 2 threads": 0}
    assert found["said"] == "4 of 6 combinations die"
    # Far behind the block the access faults; the few bytes up to the page are seen when the block is freed.
    causes = {one["value"]: (one["death"]["cause"], one["death"]["strength"]) for one in found["tried"] if one["died"]}
    assert causes["size 1, 1 thread"] == ("out-of-bounds", "proven")
    assert causes["size 7, 1 thread"] == ("heap-corruption", "proven")


def test_the_libraries_are_told_the_number_of_threads():
    code = "import os, sys; sys.exit(not os.environ['OMP_NUM_THREADS'] == os.environ['MKL_NUM_THREADS'] == '2')"
    found = stress("--threads", "1,2", "--", PYTHON, "-c", code)
    assert [(one["value"], one["died"]) for one in found["tried"]] == [("1 thread", 1), ("2 threads", 0)]


def test_a_sound_op_passes(op):
    assert stress("--sizes", "8,64", "--runs", "2", "--", op, "{size}")["said"] == "none of 2 combinations dies"


def test_it_needs_a_place_for_the_size(op):
    assert "{size}" in stress("--sizes", "8,64", "--", op, "8", status=125)
    assert "command" in stress("--sizes", "8,64", status=125)


def test_without_a_layer_confirm_asks_too(tmp_path):
    made = tmp_path / "made"
    run = subprocess.run([PYTHON, PROGRAMS / "no_namespaces.py", SIGWHY, "confirm", "--", "sh", "-c", f"echo x >> {made}"],
                         capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert run.returncode == 125 and "no throw-away layer here" in run.stderr
    assert not made.exists()


def test_yes_does_not_give_up_a_layer_that_can_be_had(tmp_path):
    made = tmp_path / "made"
    environment = dict(os.environ, SIGWHY_DIR=str(tmp_path / "cases"))
    subprocess.run([SIGWHY, "confirm", "--yes", "--runs", "1", "--time", "20", "--", "sh", "-c", f"echo x >> {made}"],
                   capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, env=environment)
    assert not made.exists()
