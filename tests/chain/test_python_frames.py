"""Python lines at a native death, read from outside, for every interpreter that is here."""
import os
import pathlib
import subprocess

import pytest

PROGRAM = '''\
import ctypes, threading

class Model(object):
    def step(self, batch):
        total = sum(
            len(x) for x in batch)
        return crop(batch,
                    total)

def crop(batch, n):
    # the fault happens in C, called from the next line
    return ctypes.string_at(
        8, n)

def idle(ready, stay):
    ready.set()
    stay.wait()

ready, stay = threading.Event(), threading.Event()
other = threading.Thread(target=idle, args=(ready, stay))
other.daemon = True
other.start()
ready.wait()
Model().step([[1, 2, 3]])
'''


def interpreters():
    found = sorted(pathlib.Path.home().glob(".pyenv/versions/*/bin/python"))
    return [str(p) for p in found] + ["/usr/bin/python3"]


def version_of(python):
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def own_frames(thread):
    return [(f["function"].split(".")[-1], f["line"]) for f in thread["python"] if f["file"].endswith("train.py")]


@pytest.mark.parametrize("python", interpreters(), ids=lambda p: p.split("/")[-3])
def test_every_interpreter(bench, python):
    script = bench.folder / "train.py"
    script.write_text(PROGRAM)
    run = bench.run(python, script)
    assert run.status == -11
    snapshot = run.case["snapshot"]
    assert [i["version"] for i in snapshot["interpreters"]] == [version_of(python)]
    dying = [t for t in snapshot["threads"] if t["died"]][0]
    names = own_frames(dying)
    assert [name for name, _ in names] == ["crop", "step", "<module>"]
    # Older versions give a call that spans lines the line of its last or first argument.
    assert names[0][1] in (12, 13) and names[1][1] in (7, 8) and names[2][1] == 24
    waiting = [t for t in snapshot["threads"] if not t["died"] and own_frames(t)]
    assert [own_frames(t)[0] for t in waiting] == [("idle", 17)]
    assert "train.py:" in run.err and "crop" in run.err and "Model().step([[1, 2, 3]])" in run.unwrapped


def test_edited_script_is_not_quoted(bench):
    script = bench.folder / "train.py"
    script.write_text(PROGRAM.replace("import ctypes, threading", "import ctypes, threading, os; os.utime('train.py', (4e9, 4e9))"))
    run = bench.run("/usr/bin/python3", "train.py")
    assert "train.py:24" in run.err and "Model().step" not in run.err


def test_a_program_that_only_calls_itself_python(bench):
    """Nothing to read, nothing claimed."""
    program = bench.build("python3.11", "int main(void) { return *(volatile int *)0; }")
    run = bench.run(program)
    assert run.verdict == "null-pointer"
    assert not run.case["snapshot"].get("interpreters")
    assert os.path.basename(program) in run.err
