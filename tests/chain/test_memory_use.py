"""What a killed program's memory was used for: held against what the program itself says of its arrays, and every
resident byte has a label."""
import json
import os
import pathlib
import re
import subprocess
import time

import pytest

from conftest import SIGWHY

DEBIAN = "/usr/bin/python3"
TENSORFLOW = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "sigwhy-tests/tensorflow/bin/python"

# A program prints its own sum, waits until sigwhy has opened what it needs, and is killed.
END = """
print(total, flush=True)
sys.stdin.readline()
"""
NUMPY = """
import sys, numpy as np
class Store:
    def __init__(self):
        self.batches = [np.ones((256, 1024), np.float32) for _ in range(20)]
store = Store()
whole = np.random.rand(1 << 20)
half = whole[: 1 << 19]
copied = whole.copy()
total = sum(b.nbytes for b in store.batches) + whole.nbytes + copied.nbytes
""" + END
TORCH = """
import sys, torch
layers = torch.nn.Sequential(torch.nn.Linear(1024, 1024), torch.nn.Linear(1024, 512))
kept = [torch.ones(512, 512) for _ in range(10)]
views = [k[:7] for k in kept]
loss = layers(kept[0].repeat(1, 2)).sum()
total = sum(p.nelement() * 4 for p in layers.parameters()) + sum(k.nelement() * 4 for k in kept)
""" + END
TENSORS = """
import sys, tensorflow as tf
x = tf.random.normal([256, 1024])
y = tf.random.normal([256, 10])
model = tf.keras.Sequential([tf.keras.layers.Dense(1024), tf.keras.layers.Dense(10)])
model.compile("adam", "mse")
model.fit(x, y, verbose=0)
kept = [tf.ones([512, 512]) for _ in range(10)]
variable = tf.Variable(tf.ones([1024, 1024]))
size = lambda t: int(tf.size(t)) * tf.as_dtype(t.dtype).size
total = sum(map(size, model.weights)) + sum(map(size, model.optimizer.variables)) + \\
    sum(map(size, kept)) + size(variable) + size(x) + size(y)
""" + END


def killed(bench, python, program):
    """What it printed, and the case of its kill."""
    case = bench.folder / "case.json"
    command = [str(python), "-c", program]
    with subprocess.Popen([str(SIGWHY), "run", "--json", str(case), "--", *command], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=bench.env, cwd=bench.folder) as process:
        total = int(process.stdout.readline())
        wait_until_watched(process.pid)
        process.kill()
        process.communicate()
    return total, json.loads(case.read_text())["snapshot"]


def wait_until_watched(pid):
    """The supervisor has opened the process's files: one of its descriptors is the smaps of the process."""
    with open(f"/proc/{pid}/status") as file:
        tracer = int(re.search(r"TracerPid:\t(\d+)", file.read())[1])
    for _ in range(1000):
        links = [os.readlink(f) for f in pathlib.Path(f"/proc/{tracer}/fd").iterdir() if f.is_symlink()]
        if f"/proc/{pid}/smaps" in links:
            return
        time.sleep(0.01)
    raise AssertionError("its files were never opened")


def part(use, kind):
    return sum(p["bytes"] for p in use["parts"] if p["kind"] == kind)


def check(total, snapshot):
    use = snapshot["memory_use"]
    assert sum(p["bytes"] for p in use["parts"]) == use["judged_bytes"]
    assert part(use, "unknown") <= 0.1 * use["judged_bytes"]
    held = sum(h["bytes"] for h in use["holders"])
    assert abs(held - total) <= 0.05 * total, (held, total, [(h["name"], h["bytes"]) for h in use["holders"]])
    return {h["name"]: h for h in use["holders"]}, use


def test_numpy(bench):
    holders, use = check(*killed(bench, DEBIAN, NUMPY))
    batches = holders["store.batches"]
    assert (batches["count"], batches["length"], batches["type"]) == (20, 20, "list")
    assert (batches["elements"][0]["dtype"], batches["elements"][0]["shape"]) == ("float32", [256, 1024])
    assert batches["own_code"]
    assert "half" not in holders
    assert {use["copies"][0]["name"], use["copies"][0]["copy_of"]} == {"whole", "copied"}


def pythons_with_torch():
    named = os.environ.get("SIGWHY_TENSOR_PYTHONS", "").split(":")
    return [p for p in [DEBIAN] + named
            if p and subprocess.run([p, "-c", "import torch"], capture_output=True).returncode == 0]


def test_torch(bench):
    pythons = pythons_with_torch()
    if not pythons:
        pytest.skip("no Python here has torch")
    for python in pythons:
        holders, _ = check(*killed(bench, python, TORCH))
        assert holders["kept"]["count"] == 10
        assert holders["loss"]["keeps_graph"] and holders["loss"]["graph_nodes"] >= 3
        layers = [h for name, h in holders.items() if name.startswith("layers")]
        assert layers and not any(h["keeps_graph"] for h in layers)


@pytest.mark.long
def test_tensorflow(bench):
    if not TENSORFLOW.exists():
        pytest.skip("needs TensorFlow in the cache of test environments")
    holders, _ = check(*killed(bench, TENSORFLOW, TENSORS))
    assert holders["kept"]["count"] == 10
    assert any(name.startswith("model.optimizer") for name in holders)


def test_a_living_program_is_not_stopped_for_it(bench):
    with subprocess.Popen([DEBIAN, "-c", NUMPY], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        told = bench.sigwhy("attach", process.pid, "--memory").stdout.decode()
        process.communicate(b"\n")
    assert process.returncode == 0
    assert "20 float32 arrays (256, 1024) in `store.batches`" in told
    assert "`whole` and `copied`" in told or "`copied` and `whole`" in told
