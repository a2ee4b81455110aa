"""Under CPython each record names the Python lines it came from; interpreters and real packages run as ever."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runs import HERE, run, stopped

PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
PYTHONS = ["/usr/bin/python3", *sorted(map(str, PYENV.glob("*/bin/python")))]


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: path.split("/")[-3])
def test_frames(python, tmp_path):
    command = [python, HERE / "programs/allocates.py", tmp_path / "codes"]
    with stopped(command, "all") as found:
        inner, outer, gone = map(int, (tmp_path / "codes").read_text().split())
        blocks = {block.bytes: block for block in found.tables.blocks() if block.bytes in (12345, 54321)}
        assert codes(found, blocks[12345].allocated_context)[:2] == [inner, outer]
        assert codes(found, blocks[54321].allocated_context)[:3] == [inner, outer, gone]
        assert codes(found, blocks[54321].freed_context)[0] == gone


def codes(found, number):
    context = found.tables.context(number)
    return [frame.code for frame in context.python[:context.python_count]]


@pytest.mark.parametrize("mode", ("all", "sampled"))
def test_numpy(mode):
    code = ("import numpy as n; a = n.arange(1e6); b = n.sort(a[::-1]) * 2 + a; print(b.sum(), n.linalg.svd("
            "n.eye(40))[1].sum()); import multiprocessing as m; p = m.Pool(2); print(p.map(abs, range(-9, 0)))")
    done = run(["/usr/bin/python3", "-c", code], mode)
    assert (done.returncode, done.stdout) == (0, "1499998500000.0 40.0\n[9, 8, 7, 6, 5, 4, 3, 2, 1]\n"), done.stderr


@pytest.mark.long
@pytest.mark.parametrize("python", PYTHONS[1:], ids=lambda path: path.split("/")[-3])
def test_the_interpreter_s_own_tests(python):
    modules = "test_list test_dict test_array test_json test_thread test_zlib test_struct test_ctypes test_re".split()
    bare = subprocess.run([python, "-m", "test", *modules], capture_output=True, text=True)
    guarded = run([python, "-m", "test", *modules], "all", timeout_s=900)
    assert guarded.returncode == bare.returncode, guarded.stdout[-2000:]


TRAIN_KERAS = """
import numpy as np, tensorflow as tf
x, y = np.random.rand(512, 28, 28, 1).astype("f4"), np.random.randint(0, 10, 512)
layers = tf.keras.layers
model = tf.keras.Sequential([layers.Conv2D(8, 3, activation="relu"), layers.Flatten(), layers.Dense(10)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, epochs=2, verbose=0)
"""

TRAIN_TORCH = """
import torch
model = torch.nn.Sequential(torch.nn.Conv2d(1, 8, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(5408, 10))
optimizer = torch.optim.Adam(model.parameters())
for _ in range(20):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(torch.rand(32, 1, 28, 28)), torch.randint(0, 10, (32,))).backward()
    optimizer.step()
"""


@pytest.mark.long
@pytest.mark.parametrize("mode", ("all", "before", "sampled", "all,protection"))
@pytest.mark.parametrize("program", (TRAIN_KERAS, TRAIN_TORCH), ids=("keras", "torch"))
def test_training(program, mode):
    """To its end, and nothing is noted on the way: no damage, no pair of calls that does not belong together."""
    python = tensorflow() if program is TRAIN_KERAS else "/usr/bin/python3"
    if python is None or subprocess.run([python, "-c", program.split("\n")[1]], capture_output=True).returncode:
        pytest.skip("no such package here")
    with stopped([python, "-c", program], mode) as found:
        assert (found.signal, found.status, found.tables.stop) == (None, 0, "none")


def tensorflow():
    sys.path.insert(0, str(HERE.parents[1] / "lab"))
    from stage.environments import environment
    return environment("tensorflow", ["tensorflow-cpu"], ["tensorflow"])
