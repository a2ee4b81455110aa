"""What an answer is worth: made-up answers, no program is run."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "accuracy"))

import score  # noqa: E402
import words  # noqa: E402
from witnesses import Reading, casr, gdb, pystack  # noqa: E402

TRACEBACK = """Traceback (most recent call last):
  File "/home/ada/nets/train.py", line 8, in <module>
    batch = np.array(rows, dtype=np.float32)
ValueError: {}
"""


def record(**given):
    usual = {"witness": "gdb", "accept": ("null-pointer",), "neutral": (), "words": "",
             "text": "", "ended": "SIGSEGV", "script": "train.py", "verdict": "",
             "strength": "", "native": None}
    return {**usual, **given}


def verdict(cause, report="sigwhy: died", **given):
    return score.score(record(witness="sigwhy", verdict=cause, text=report, **given),
                       Reading()).grade


@pytest.mark.parametrize("cause, grade", [
    ("null-pointer", "right"), ("wild-pointer", "wrong"), ("unknown", "unknown"),
    ("clean-exit", "unknown"), ("", "unknown")])
def test_a_verdict_is_held_to_the_ids(cause, grade):
    assert verdict(cause) == grade


def test_a_true_but_shallow_verdict():
    assert verdict("null-pointer", accept=("gil-not-held",),
                   neutral=("null-pointer",)) == "shallow"


def test_silence_is_right_where_nothing_is_to_be_said():
    assert verdict("", report="", accept=("none",)) == "right"
    assert verdict("failed-check", accept=("none",)) == "wrong"


def test_silence_is_not_an_answer_elsewhere():
    assert verdict("null-pointer", report="") == "unknown"
    assert verdict("ragged-batch", report="", accept=("ragged-batch",), ended="exit 1",
                   words=TRACEBACK.format("inhomogeneous shape")) == "right"


def test_silence_hides_no_wrong_verdict():
    assert verdict("corrupt-input", report="", accept=("file-contention",)) == "wrong"


def test_that_nobody_could_know_is_right():
    assert verdict("unknown", accept=("unknown",)) == "right"
    assert score.of_text(record(accept=("unknown",)), Reading()) == "right"


def test_a_signal_alone_is_shallow_and_nothing_unknown():
    assert score.of_text(record(), Reading()) == "shallow"
    assert score.of_text(record(ended="exit 1"), Reading()) == "unknown"
    assert score.of_text(record(ended="hang", text="#0  0x1 in read ()"),
                         Reading()) == "shallow"


def test_a_hint_is_never_wrong_and_a_claim_may_be():
    hint = Reading(hints=frozenset({"null-pointer"}))
    claim = Reading(claims=frozenset({"stack-overflow"}))
    assert score.of_text(record(), hint) == "right"
    assert score.of_text(record(accept=("wild-pointer",)), hint) == "shallow"
    assert score.of_text(record(), claim) == "wrong"
    assert score.of_text(record(accept=("none",), ended="exit 0"), claim) == "wrong"
    assert score.of_text(record(neutral=("stack-overflow",)), claim) == "shallow"


@pytest.mark.parametrize("text, ended, cause", [
    ("free(): invalid pointer\n", "SIGABRT", "invalid-free"),
    ("a.cc:3] Check failed: a == b\n", "SIGABRT", "failed-check"),
    ("terminate called after throwing an instance of 'std::bad_alloc'\n", "SIGABRT",
     "impossible-allocation"),
    ("", "SIGFPE", "division-by-zero"),
    (TRACEBACK.format("setting an array element with a sequence."), "exit 1", "ragged-batch"),
    (TRACEBACK.format("no"), "exit 1", "python-exception")])
def test_what_programs_say_themselves(text, ended, cause):
    assert cause in words.pointed_to(text, ended)


def test_a_quoted_line_of_source_is_no_message():
    assert "dtype-mismatch" not in words.pointed_to(TRACEBACK.format("no"), "exit 1")


def test_a_signal_by_faulthandler_is_no_fatal_error_of_python():
    text = "Fatal Python error: Segmentation fault\n"
    assert not words.pointed_to(text, "SIGSEGV")


def test_the_line_counts_only_in_the_program_itself():
    assert score.shows_line(record(text='File "/a/train.py", line 3'))
    assert score.shows_line(record(text="  at  train.py:3  f"))
    assert not score.shows_line(record(text='File "/a/pool.py", line 3'))


def test_how_gdb_and_pystack_are_read():
    text = "Program received signal SIGSEGV\n$1 = (void *) 0x18\n#0  0x1 in f (p=0x0)\n"
    assert gdb.reads(text) == Reading(hints=frozenset({"null-pointer"}), native=True)
    assert not gdb.reads(text.replace("0x18", "0x7f0000000000")).hints
    assert not gdb.reads("#0  0x1 in ?? ()\n").native
    text = "died due a segmentation fault accessing address: 0x18\n"
    assert pystack.reads(text).hints == {"null-pointer"}


def test_how_casr_is_read():
    class_of = '"ShortDescription": "{}"'
    assert casr.reads(class_of.format("StackOverflow")).claims == {"stack-overflow"}
    assert casr.reads(class_of.format("DestAvNearNull")).hints == {"null-pointer"}
    assert casr.reads(class_of.format("AbortSignal")) == Reading()
