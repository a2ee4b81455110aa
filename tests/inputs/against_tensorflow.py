"""against_tensorflow.py SIGWHY SAMPLE: cuts and turns bits of a TFRecord file and
compares what TensorFlow reads with what `sigwhy verify` says: the same number of
whole records, and broken where TensorFlow raises. A file that ends inside the 12
bytes before a record's data is whole to TensorFlow (2.21), which says nothing; to
us it is broken."""
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402

sigwhy, sample = sys.argv[1], Path(sys.argv[2]).read_bytes()


def read_by_tensorflow(path):
    records = 0
    try:
        for _ in tf.data.TFRecordDataset(str(path)):
            records += 1
    except tf.errors.DataLossError:
        return records, True
    return records, False


def damaged(count):
    chance = random.Random(5)
    for _ in range(count):
        data = bytearray(sample)
        if chance.random() < 0.5:
            del data[chance.randrange(1, len(data)):]
        else:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        yield bytes(data)


with tempfile.TemporaryDirectory() as folder:
    files = []
    for number, data in enumerate(damaged(200)):
        files.append(Path(folder) / f"{number}.tfrecord")
        files[-1].write_bytes(data)
    run = subprocess.run([sigwhy, "verify", "--json", *files], capture_output=True, text=True)
    wrong = 0
    for path, file in zip(files, json.loads(run.stdout)["files"]):
        records, raised = read_by_tensorflow(path)
        checked = file["checked"]
        ours = (int(checked["flaw"]["where"].split()[1].rstrip(",")), True) if checked["soundness"] == "broken" \
            else (int(checked["holds"].split()[0]), False)
        cut_in_head = ours[1] and checked["flaw"]["offset"] == len(path.read_bytes()) and "length" in checked["flaw"]["where"]
        if ours != (records, raised or cut_in_head):
            wrong += 1
            print(path.name, "TensorFlow:", records, raised, "sigwhy:", checked)
sys.exit(1 if wrong else 0)
