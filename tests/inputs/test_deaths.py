"""A program that dies while it reads a file, with the real readers: the file that was at fault is named with the offset,
a sound one is not, and where another process is at the file, that process is named."""
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))
from stage.environments import environment  # noqa: E402

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parent.parent.parent
SIGWHY = Path(os.environ.get("SIGWHY_BIN", ROOT / "build/sigwhy")).resolve()
SAMPLES = Path(__file__).resolve().parent / "samples"

TFLITE = """\
import sys, tensorflow as tf
reader = tf.lite.Interpreter(sys.argv[1])
reader.allocate_tensors()
reader.invoke()
"""
TFRECORD = """\
import sys, tensorflow as tf
count = sum(1 for record in tf.data.TFRecordDataset(sys.argv[1]))
"""
HDF5 = """\
import sys, h5py
with h5py.File(sys.argv[1], "r") as file:
    file.visititems(lambda name, item: item[()] if isinstance(item, h5py.Dataset) else None)
"""
STUMBLE = "import ctypes\nctypes.string_at(0)\n"


@pytest.fixture(scope="module")
def python():
    found = environment("tensorflow", ["tensorflow-cpu"], ["tensorflow", "h5py"])
    if not found:
        pytest.skip("TensorFlow cannot be installed here")
    return found


class Death:
    def __init__(self, python, folder, program, file):
        script, case = folder / "train.py", folder / "case.json"
        script.write_text(program)
        done = subprocess.run([SIGWHY, "run", "--always", "--json", case, "--", python, script, file], cwd=folder, capture_output=True,
                              env=dict(os.environ, SIGWHY_DIR=str(folder / "cases"), TF_CPP_MIN_LOG_LEVEL="3"), timeout=600)
        self.status = done.returncode
        self.text = " ".join(done.stderr.decode(errors="replace").split())
        self.case = json.loads(case.read_text())
        self.verdict = self.case["diagnosis"]["verdict"]
        self.findings = {finding["cause"]: finding for finding in self.case["diagnosis"]["findings"]}
        self.inputs = {Path(seen["path"]).name: seen for seen in self.case["snapshot"].get("inputs", [])}


def verified(path):
    done = subprocess.run([SIGWHY, "verify", "--json", path], capture_output=True)
    return json.loads(done.stdout)["files"][0]["checked"]


def cut(name, share, folder):
    whole = (SAMPLES / name).read_bytes()
    path = folder / name
    path.write_bytes(whole[:int(len(whole) * share)])
    return path


def flipped(name, at, folder):
    broken = bytearray((SAMPLES / name).read_bytes())
    broken[at] ^= 8
    path = folder / name
    path.write_bytes(broken)
    return path


def is_named_with_its_offset(death, path):
    """The same place that `verify` names, in the finding and in what the user reads."""
    flaw = verified(path)["flaw"]
    assert death.inputs[path.name]["checked"]["flaw"]["offset"] == flaw["offset"]
    assert path.name in death.text and f"{flaw['offset']:,}" in death.text
    assert death.findings["corrupt-input"]["strength"] in ("strong", "proven")


def test_tflite_that_kills_its_reader(python, tmp_path):
    """An offset that leads far out of the file."""
    broken = bytearray((SAMPLES / "dense.tflite").read_bytes())
    broken[88:92] = (0x10000000).to_bytes(4, "little")
    path = tmp_path / "dense.tflite"
    path.write_bytes(broken)
    death = Death(python, tmp_path, TFLITE, path)
    assert death.status == -signal.SIGSEGV
    assert death.verdict == "corrupt-input"
    is_named_with_its_offset(death, path)


def test_tfrecord_with_a_flipped_bit(python, tmp_path):
    path = flipped("digits.tfrecord", 1000, tmp_path)
    death = Death(python, tmp_path, TFRECORD, path)
    assert death.status == 1
    assert death.verdict == "corrupt-input"
    is_named_with_its_offset(death, path)


def test_hdf5_that_is_cut_short(python, tmp_path):
    path = cut("dense.h5", 0.6, tmp_path)
    death = Death(python, tmp_path, HDF5, path)
    assert death.status == 1
    assert death.verdict == "corrupt-input"
    is_named_with_its_offset(death, path)


@pytest.mark.parametrize("program, name", [(TFLITE, "dense.tflite"), (TFRECORD, "digits.tfrecord"), (HDF5, "dense.h5")],
                         ids=["tflite", "tfrecord", "hdf5"])
def test_a_sound_file_is_not_blamed(python, tmp_path, program, name):
    """It is read, and still known to the program when that dies of something else."""
    path = cut(name, 1, tmp_path)
    death = Death(python, tmp_path, program + STUMBLE, path)
    assert death.status == -signal.SIGSEGV
    assert death.verdict == "null-pointer"
    assert "corrupt-input" not in death.findings and "file-contention" not in death.findings


# ---- another process at the file

HOLDS_HDF5 = """\
import sys, h5py
file = h5py.File(sys.argv[1], sys.argv[2])
file.attrs if sys.argv[2] == "r" else file.create_dataset("more", data=[1, 2, 3])
print("ready", flush=True)
sys.stdin.read()
"""
# When the reader has started: what lay there before is no contention for certain.
WRITES_RECORDS = """\
import sys
print("ready", flush=True)
open("go").read()
part = open(sys.argv[2], "rb").read()
with open(sys.argv[1], "wb", buffering=0) as file:
    file.write(part[:len(part) * 2 // 3])
    open("done", "w").close()
    sys.stdin.read()
"""
READS_RECORDS = TFRECORD.replace("count", 'open("go", "w").close()\nopen("done").read()\ncount')


class Other:
    """A process that has the file in its hands until the end of the block."""

    def __init__(self, folder, python, program, *words):
        self.process = subprocess.Popen([python, "-c", program, *map(str, words)], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        assert self.process.stdout.readline() == b"ready\n"
        return self.process

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def test_hdf5_that_another_process_writes(python, tmp_path):
    path = cut("dense.h5", 1, tmp_path)
    with Other(tmp_path, python, HOLDS_HDF5, path, "a") as writer:
        death = Death(python, tmp_path, HDF5, path)
        assert death.status == 1
        assert death.verdict == "file-contention"
        assert str(writer.pid) in death.text


def test_hdf5_that_another_process_reads(python, tmp_path):
    """Readers share the lock."""
    path = cut("dense.h5", 1, tmp_path)
    with Other(tmp_path, python, HOLDS_HDF5, path, "r"):
        assert Death(python, tmp_path, HDF5, path).verdict == "clean-exit"


def test_broken_hdf5_while_another_is_written(python, tmp_path):
    """The writer is at another file than the one that failed."""
    path, other = cut("dense.h5", 0.6, tmp_path), tmp_path / "other.h5"
    other.write_bytes((SAMPLES / "chunked.h5").read_bytes())
    with Other(tmp_path, python, HOLDS_HDF5, other, "a"):
        death = Death(python, tmp_path, HDF5, path)
    assert death.verdict == "corrupt-input"
    assert "file-contention" not in death.findings


def test_tfrecord_that_another_process_still_writes(python, tmp_path):
    path = tmp_path / "digits.tfrecord"
    for name in ("go", "done"):
        os.mkfifo(tmp_path / name)
    with Other(tmp_path, python, WRITES_RECORDS, path, SAMPLES / "digits.tfrecord") as writer:
        death = Death(python, tmp_path, READS_RECORDS, path)
        assert death.status == 1
        assert death.verdict == "file-contention"
        assert str(writer.pid) in death.text
