"""against_readers.py SIGWHY SAMPLES: damages TFLite, GraphDef and HDF5 samples and
compares `sigwhy verify` with the real readers: what is judged sound must not kill
tf.lite.Interpreter, and what protobuf or h5py refuses must be judged broken."""
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import h5py  # noqa: E402
import tensorflow as tf  # noqa: E402

SIGWHY, SAMPLES = sys.argv[1], Path(sys.argv[2])
LIVES, REFUSES, DIES = "lives", "refuses", "dies"


def in_child(read, path):
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            read(path)
        except BaseException:
            os._exit(1)
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    return DIES if os.WIFSIGNALED(status) else REFUSES if os.WEXITSTATUS(status) else LIVES


def read_tflite(path):
    tf.lite.Interpreter(path)


def read_graph(path):
    tf.compat.v1.GraphDef.FromString(Path(path).read_bytes())


def read_hdf5(path):
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: item[()] if isinstance(item, h5py.Dataset) else None)


def damaged(whole, count):
    chance = random.Random(5)
    for _ in range(count // 3):
        yield whole[:chance.randrange(8, len(whole))]
    for _ in range(count - count // 3):
        copy = bytearray(whole)
        copy[chance.randrange(len(copy))] ^= 1 << chance.randrange(8)
        yield bytes(copy)


def verdicts(paths):
    out = subprocess.run([SIGWHY, "verify", "--json", *paths], capture_output=True, text=True).stdout
    return [file["checked"] for file in json.loads(out)["files"]]


def compare(name, read, count, folder):
    paths = []
    for number, content in enumerate(damaged((SAMPLES / name).read_bytes(), count)):
        paths.append(str(folder / f"{number}-{name}"))
        Path(paths[-1]).write_bytes(content)
    table, missed = {}, []
    for path, checked in zip(paths, verdicts(paths)):
        pair = checked["soundness"], in_child(read, path)
        table[pair] = table.get(pair, 0) + 1
        if pair == ("sound", DIES) or (pair == ("sound", REFUSES) and not name.endswith(".tflite")):
            missed.append((path, pair))
    print(name, table)
    return missed


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        missed = [*compare("dense.tflite", read_tflite, 300, folder), *compare("frozen_graph.pb", read_graph, 300, folder)]
        refused = compare("dense.h5", read_hdf5, 300, folder)
        for path, pair in missed + refused:
            print(Path(path).name, *pair)
    # old HDF5 structures have no checksum: some nonsense in them only a reader's own plausibility checks see
    return 1 if missed or len(refused) > 300 // 20 else 0


if __name__ == "__main__":
    sys.exit(main())
