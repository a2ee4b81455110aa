"""`sigwhy verify` from outside: what it says, how it ends, and that it stands
by what real libraries read (those under `long`)."""
import gzip
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))
from stage.environments import environment  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
SIGWHY = Path(os.environ.get("SIGWHY_BIN", ROOT / "build/sigwhy"))
SAMPLES = Path(__file__).resolve().parent / "samples"
SOUND, BROKEN, NOT_CHECKED = 0, 1, 3
APPENDS_FOREVER = """
import sys
with open(sys.argv[1], "ab", buffering=0) as file:
    print("ready", flush=True)
    while True:
        file.write(b"x")
"""


def verify(*words, timeout=60):
    return subprocess.run([SIGWHY, "verify", *words], capture_output=True, text=True, timeout=timeout)


def found(path):
    run = verify("--json", path)
    return run.returncode, json.loads(run.stdout)["files"][0]["checked"]


def test_the_answer_comes_first(tmp_path):
    whole = (SAMPLES / "digits.tfrecord").read_bytes()
    broken = bytearray(whole)
    broken[len(whole) // 20 * 17 + 30] ^= 8
    path = tmp_path / "train.tfrecord"
    path.write_bytes(broken)
    run = verify(path)
    assert run.returncode == BROKEN
    offset = f"{len(whole) // 20 * 17 + 12:,}"
    text = " ".join(run.stdout.split())
    assert text.startswith(f"{path}: broken at byte {offset} (record 17, data): "), run.stdout
    path.write_bytes(whole)
    assert " ".join(verify(path).stdout.split()) == f"{path}: sound, 20 records"


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n"
PAGE = "\n<!DOCTYPE HTML>\n<html><head><title>Sign in</title></head></html>\n"


@pytest.mark.parametrize("name", ["m.safetensors", "m.pt", "m.h5", "m.keras", "m.tflite", "saved_model.pb",
                                  "frozen_graph.pb", "x.npy", "x.npz", "x.tfrecord", "x.gz", "x.zip", "model.ckpt-1.index"])
def test_what_lies_in_the_place_of_a_file(tmp_path, name):
    path = tmp_path / name
    for text, said in [(POINTER, "Git LFS pointer"), (PAGE, "HTML page"), ("<html lang=en>", "HTML page")]:
        path.write_text(text)
        status, checked = found(path)
        assert (status, checked["soundness"]) == (BROKEN, "broken"), checked
        assert checked["flaw"]["offset"] == 0 and said in checked["flaw"]["what"] and checked["format"]
    path.write_text(POINTER)
    assert "`git lfs pull` fetches that" in " ".join(verify(path).stdout.split())


@pytest.mark.parametrize("name", ["model.pth", "pytorch_model.bin", "cat.JPG", "m.onnx", "t.parquet", "t.csv"])
def test_nor_is_it_data_of_a_format_that_is_not_walked(tmp_path, name):
    path = tmp_path / name
    for text, said in [(POINTER, "Git LFS pointer"), (PAGE, "HTML page")]:
        path.write_text(text)
        status, checked = found(path)
        assert (status, checked["soundness"]) == (BROKEN, "broken") and said in checked["flaw"]["what"]
    path.write_text("")
    assert found(path)[0] == (NOT_CHECKED if name.endswith(("bin", "csv")) else BROKEN)
    path.write_text("a,b\n1,2\n")
    assert found(path)[1]["soundness"] == "unknown-format"


def test_a_page_may_be_what_is_wanted(tmp_path):
    """The name promises nothing: nothing is broken, a pointer is remarked on."""
    page, pointer = tmp_path / "index.html", tmp_path / "pytorch_model"
    page.write_text(PAGE)
    pointer.write_text(POINTER)
    assert found(page) == (NOT_CHECKED, {"format": "", "soundness": "unknown-format", "holds": "", "why": "", "remarks": []})
    status, checked = found(pointer)
    assert status == NOT_CHECKED and "`git lfs pull`" in checked["remarks"][0]


@pytest.mark.parametrize("packing", ["ZIP_BZIP2", "ZIP_LZMA"])
def test_a_packing_that_is_not_unpacked_is_no_flaw(tmp_path, packing):
    """zipfile and np.load read these; only their structure is checked here."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", getattr(zipfile, packing)) as archive:
        archive.writestr("a.txt", "hello" * 100)
        archive.writestr("b.txt", "plain", zipfile.ZIP_STORED)
    status, checked = found(path)
    assert (status, checked["soundness"]) == (NOT_CHECKED, "not-checked")
    assert checked["why"].startswith("1 of its 2 members are packed by ")
    damaged = bytearray(path.read_bytes())
    damaged[damaged.index(b"plain")] ^= 1
    path.write_bytes(damaged)
    assert found(path)[0] == BROKEN


def test_an_archive_behind_a_program(tmp_path):
    """What unpacks itself: zipfile reads it, np.load does not."""
    sample = (SAMPLES / "stored.npz").read_bytes()
    prefix = b"#!/usr/bin/env python3\n"
    path, array = tmp_path / "tool.zip", tmp_path / "a.npz"
    path.write_bytes(prefix + sample)
    array.write_bytes(prefix + sample)
    status, checked = found(path)
    assert (status, checked["soundness"]) == (SOUND, "sound"), checked
    assert checked["remarks"] == [f"{len(prefix)} bytes stand before the archive"]
    assert zipfile.ZipFile(path).testzip() is None
    assert found(array)[0] == BROKEN
    path.write_bytes(prefix + sample[:-300])
    assert found(path)[0] == BROKEN


def test_a_file_of_no_records(tmp_path):
    """TFRecordDataset reads none from it, and does not complain."""
    path = tmp_path / "none.tfrecord"
    path.write_bytes(b"")
    assert " ".join(verify(path).stdout.split()) == f"{path}: sound, 0 records"


def test_exit_status(tmp_path):
    (tmp_path / "notes").write_text("hello")
    (tmp_path / "cut.npz").write_bytes((SAMPLES / "stored.npz").read_bytes()[:500])
    sound, unknown, cut = SAMPLES / "stored.npz", tmp_path / "notes", tmp_path / "cut.npz"
    assert verify(sound, SAMPLES / "floats.npy").returncode == SOUND
    assert verify(sound, unknown).returncode == NOT_CHECKED
    assert verify(tmp_path / "absent").returncode == NOT_CHECKED
    assert verify(unknown, cut, sound).returncode == BROKEN
    assert verify().returncode != SOUND
    assert verify(unknown, cut, sound).stdout.endswith("3 files: 1 sound, 1 broken, 1 unknown format\n")


def test_what_cannot_be_read_is_said(tmp_path):
    os.mkfifo(tmp_path / "pipe.npy")
    assert verify(tmp_path / "pipe.npy").returncode == NOT_CHECKED
    assert verify("/dev/zero").returncode == NOT_CHECKED
    status, checked = found(tmp_path / "absent.npy")
    assert (status, checked["soundness"]) == (NOT_CHECKED, "not-checked")


def test_names_do_not_steer_the_terminal(tmp_path):
    path = tmp_path / "a\x1b[31m\nb.npy"
    path.write_bytes(b"\x93NUMPY")
    run = verify(path)
    assert run.returncode == BROKEN
    assert "\x1b" not in run.stdout and "\\x1b[31m\\x0ab.npy" in run.stdout.replace("\n    ", "")
    assert verify("--json", os.fsencode(tmp_path) + b"/\xff.npy").returncode == NOT_CHECKED


def test_limit_says_how_far_it_came(tmp_path):
    """Two GiB of zeros, gzipped a thousandfold over: they take longer than a second."""
    packed = gzip.compress(bytes(64 << 20), 9)
    path = tmp_path / "zeros.gz"
    path.write_bytes(packed * 512)
    run = verify("--limit", "1", path)
    assert run.returncode == NOT_CHECKED
    assert "did not end within 1 s and was stopped at byte" in " ".join(run.stdout.split())


def test_file_that_changes_meanwhile(tmp_path):
    """A writer appends for as long as the file is read."""
    path = tmp_path / "growing.gz"
    path.write_bytes(gzip.compress(bytes(64 << 20), 9) * 4)
    writer = subprocess.Popen([sys.executable, "-c", APPENDS_FOREVER, path], stdout=subprocess.PIPE)
    try:
        writer.stdout.readline()
        status, checked = found(path)
    finally:
        writer.kill()
        writer.communicate()
    assert status == NOT_CHECKED
    assert "changed while it was read" in checked["why"]


@pytest.mark.long
def test_as_tensorflow_reads():
    """Where TensorFlow cannot read the records, we say broken; else sound."""
    python = environment("tensorflow", ["tensorflow"], ["tensorflow"])
    if not python:
        pytest.skip("no TensorFlow")
    run = subprocess.run([python, Path(__file__).parent / "against_tensorflow.py", SIGWHY, SAMPLES / "digits.tfrecord"],
                         capture_output=True, text=True, timeout=900)
    assert run.returncode == 0, run.stdout + run.stderr[-2000:]
