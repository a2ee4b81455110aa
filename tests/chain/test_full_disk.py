"""No room left for a file, told by libraries in words of their own: the file and its file system tell it.

The disk is a small one in memory, mounted for sigwhy and the program alone.
"""
import json
import os
import subprocess

import pytest

from conftest import Run, SIGWHY

PYTHON = "/usr/bin/python3"
SIZE = 3 << 20  # of the disk
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")

SAVES = {
    "numpy, while it writes": f"import numpy as np\nopen('disk/fill', 'wb').write(bytes({SIZE} - 500_000))\n"
                              "np.save('disk/model', np.zeros(100_000))\n",
    "numpy, before it writes": "import numpy as np\nnp.save('disk/model.npy', np.zeros(4_000_000))\n",
    "torch": "import torch\nstate = torch.nn.Linear(1500, 1500).state_dict()\ntorch.save(state, 'disk/model.pt')\n",
}
WRITER = """
#include <fstream>
#include <vector>
int main() {
  std::ofstream out("disk/model.bin", std::ios::binary);
  out.exceptions(std::ios::badbit | std::ios::failbit);
  const std::vector<char> block(1 << 20);
  for (int i = 0; i < 8; ++i) out.write(block.data(), block.size());
}
"""
LOGGER = """
#include <fstream>
#include <vector>
#include <map>
__attribute__((noinline)) int lookup(const std::map<int, int>& table, int key) { return table.at(key); }
int main() {
  std::ofstream log("disk/train.log");
  const std::vector<char> block(4 << 20, '.');
  log.write(block.data(), block.size());
  return lookup({{1, 2}}, 3);
}
"""


MOUNTED = ("-m", "sh", "-c", f'mount -t tmpfs -o size={SIZE} small disk && exec "$@"', "-")


def run_on_small_disk(bench, *command):
    (bench.folder / "disk").mkdir()
    finished = bench.sigwhy(*MOUNTED, SIGWHY, "run", "--json", bench.folder / "case.json", "--", *command, binary="unshare")
    return Run(finished, bench.folder)


def written(bench, code):
    (bench.folder / "train.py").write_text(code)
    return "train.py"


@pytest.mark.parametrize("library", SAVES)
def test_a_library_that_loses_the_answer(bench, library):
    name = library.split(",")[0]
    if subprocess.run([PYTHON, "-c", f"import {name}"], capture_output=True).returncode:
        pytest.skip(f"there is no {name}")
    run = run_on_small_disk(bench, PYTHON, written(bench, SAVES[library]))
    assert run.verdict == "disk-full", run.err
    assert "model" in run.case["diagnosis"]["findings"][0]["claim"]
    says_it_itself = "Not enough free space" in run.err
    assert says_it_itself or ("disk-full" in run.unwrapped and "train.py" in run.unwrapped)


def test_a_disk_that_only_the_program_sees(bench):
    """It is mounted for the program alone, and gone with it; where we look there is another file of that name."""
    (bench.folder / "disk").mkdir()
    (bench.folder / "disk/model.npy").write_bytes(b"another")
    code = SAVES["numpy, while it writes"]
    run = bench.run("unshare", *MOUNTED, PYTHON, written(bench, code))
    assert run.verdict == "disk-full", run.err
    assert "disk/model.npy could not be written whole, and 0 bytes of 3.0 MiB are left" in run.unwrapped
    assert (bench.folder / "disk/model.npy").read_bytes() == b"another"


def test_a_database_says_it(bench):
    code = ("import sqlite3\ndb = sqlite3.connect('disk/runs.db')\ndb.execute('create table t (x text)')\n"
            "for i in range(10_000):\n    db.execute('insert into t values (?)', ('y' * 1000,))\n    db.commit()\n")
    run = run_on_small_disk(bench, PYTHON, written(bench, code))
    assert run.verdict == "disk-full", run.err


def test_a_writer_that_throws(bench):
    run = run_on_small_disk(bench, bench.build("writer", WRITER, "-O1", "-g", compiler="g++"))
    assert run.verdict == "disk-full", run.err
    assert "disk/model.bin could not be written whole" in run.unwrapped


def test_another_exception_beside_a_full_log(bench):
    run = run_on_small_disk(bench, bench.build("logger", LOGGER, "-O1", "-g", compiler="g++"))
    assert run.verdict == "uncaught-cpp-exception", run.err


def test_another_error_beside_a_full_log(bench):
    code = f"open('disk/train.log', 'wb').write(bytes({SIZE}))\nraise OSError('the sensor does not answer')\n"
    run = run_on_small_disk(bench, PYTHON, written(bench, code))
    assert run.verdict == "python-exception", run.err


def test_the_same_words_where_there_is_room(bench):
    """A limit on the size of files makes NumPy say just the same."""
    code = ("import resource, signal\nimport numpy as np\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))\nnp.save('disk/model', np.zeros(100_000))\n")
    run = run_on_small_disk(bench, PYTHON, written(bench, code))
    assert "requested and" in json.dumps(run.case["snapshot"]["python_exceptions"])
    assert run.verdict != "disk-full", run.err
