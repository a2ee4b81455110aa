"""sigwhy bisect from outside: where a real program begins to die."""
import json
import os
import pty
import random
import signal
import socket
import subprocess
import threading

import pytest

from conftest import PROGRAMS, PYTHON, SIGWHY

THRESHOLD = """
#include <stdlib.h>
int main(int count, char** words) {
  volatile int* nowhere = 0;
  return atoi(words[1]) > 384 ? *nowhere : 0;
}
"""


@pytest.fixture(scope="module")
def threshold(tmp_path_factory):
    """Dies above 384."""
    folder = tmp_path_factory.mktemp("threshold")
    (folder / "threshold.c").write_text(THRESHOLD)
    subprocess.run(["gcc", "-g", "-o", folder / "threshold", folder / "threshold.c"], check=True)
    return folder / "threshold"


def bisect(*words, status=0, wrap=(), **more):
    run = subprocess.run([*wrap, SIGWHY, "bisect", "--json", *words], capture_output=True, text=True, timeout=240,
                         stdin=subprocess.DEVNULL, **more)
    assert run.returncode == status, run.stdout + run.stderr
    return json.loads(run.stdout) if run.stdout else run.stderr


def test_the_largest_that_survives(threshold):
    found = bisect("--over", "batch=1..4096", "--", threshold, "{batch}")
    assert (found["survives"], found["dies"], found["answered"]) == ("384", "385", True)
    assert found["death"]["how"] == "killed by SIGSEGV"
    assert (found["death"]["cause"], found["death"]["strength"]) == ("null-pointer", "proven")
    assert found["runs"] <= 20
    assert found["said"] == "batch 384 survives, 385 dies of SIGSEGV"


@pytest.mark.long
def test_the_smallest_that_survives(threshold):
    found = bisect("--smallest", "--over", "n=-1000..-1", "--", "sh", "-c", f"exec {threshold} $((0 - {{n}}))")
    assert (found["survives"], found["dies"]) == ("-384", "-385")


def test_both_ends_are_looked_at(threshold):
    found = bisect("--over", "n=1..300", "--", threshold, "{n}")
    assert (found["survives"], found.get("dies"), found["answered"]) == ("300", None, True)
    found = bisect("--over", "n=400..500", "--", threshold, "{n}")
    assert (found.get("survives"), found["dies"], found["answered"]) == (None, "400", True)
    assert found["runs"] <= 5


def test_a_short_list_is_tried_whole(threshold):
    found = bisect("--over", "v=1,500,2,600", "--votes", "1", "--", threshold, "{v}")
    assert [(one["value"], one["died"] > 0) for one in found["tried"]] == [
        ("1", False), ("500", True), ("2", False), ("600", True)]
    assert any("does not turn once" in note for note in found["notes"])
    found = bisect("--over", "v=100,200,500", "--votes", "2", "--", threshold, "{v}")
    assert (found["survives"], found["dies"]) == ("200", "500")
    assert found["said"] == "100 and 200 survive, 500 dies of SIGSEGV"


GROW = "import sys; data = bytearray(int(sys.argv[1]) << 20); data[::4096] = b'x' * len(data[::4096])"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a memory control group")
def test_memory_is_measured_and_foreseen():
    found = bisect("--over", "n=1..2000", "--memory", "150M", "--votes", "2", "--", PYTHON, "-c", GROW, "{n}")
    assert int(found["dies"]) == int(found["survives"]) + 1
    assert 100 < int(found["survives"]) < 150
    assert found["limit_bytes"] == 150 << 20
    assert (1 << 20) * 0.97 < found["bytes_per_value"] < (1 << 20) * 1.03
    assert found["death"]["cause"] == "out-of-memory-killed"
    # Plain bisection: 2 + 11 + 2. A value right at the edge may show both ends: then three votes at either side.
    blurred = any(0 < one["died"] < one["runs"] for one in found["tried"])
    assert found["runs"] <= (30 if blurred else 12)
    assert "is killed at 150 MiB" in found["said"] and "each" in found["said"]


def test_which_line_kills(tmp_path):
    (tmp_path / "numbers.txt").write_text("".join(f"{n}\n" for n in range(300)))
    code = "import os, sys\nfor line in open(sys.argv[1]):\n if int(line) == 216: os.abort()"
    found = bisect("--over", "line=@numbers.txt", "--votes", "1", "--", PYTHON, "-c", code, "{line}", cwd=tmp_path)
    assert found["lines"] == [217]
    assert found["said"] == "line 217 of numbers.txt kills it; without it the program survives"
    assert found["runs"] <= 20


@pytest.mark.long
def test_no_single_line_kills(tmp_path):
    (tmp_path / "numbers.txt").write_text("".join(f"{n}\n" for n in range(40)))
    code = "import os, sys\nseen = {int(line) for line in open(sys.argv[1])}\nif {7, 31} <= seen: os.abort()"
    found = bisect("--over", "line=@numbers.txt", "--votes", "1", "--", PYTHON, "-c", code, "{line}", cwd=tmp_path)
    assert found["lines"] == [8, 32]
    assert found["said"].startswith("no single line kills it")


def test_lines_that_are_not_the_cause(tmp_path):
    (tmp_path / "numbers.txt").write_text("1\n2\n")
    found = bisect("--over", "line=@numbers.txt", "--votes", "1", "--", "sh", "-c", "kill -ABRT $$", "{line}", cwd=tmp_path)
    assert "without any line too" in found["said"]
    found = bisect("--over", "line=@numbers.txt", "--votes", "1", "--", "cat", "{line}", cwd=tmp_path, status=1)
    assert found["said"] == "with all 2 lines it survives"


ASKING = "import os, socket, sys\ns = socket.create_connection(('127.0.0.1', int(sys.argv[2])))\ns.sendall(sys.argv[1].encode())\nif s.recv(1) == b'd': os.abort()"


def decide(listener, random):
    """Answers each run: above 40 nine of ten die. Which of them is always the same."""
    while True:
        try:
            asking, _ = listener.accept()
        except OSError:
            return
        with asking:
            above = int(asking.recv(100)) > 40
            asking.sendall(b"d" if above and random.random() < 0.9 else b"s")


@pytest.mark.long
def test_a_flaky_crash():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=decide, args=(listener, random.Random(5)), daemon=True).start()
        found = bisect("--network", "--over", "n=1..64", "--", PYTHON, "-c", ASKING, "{n}", str(listener.getsockname()[1]))
        listener.shutdown(socket.SHUT_RDWR)
    assert (found["survives"], found["dies"]) == ("40", "41")
    both = [one["value"] for one in found["tried"] if 0 < one["died"] < one["runs"]]
    assert both and [note.split()[1] for note in found["notes"] if note.startswith("flaky: ")] == both


def test_a_hang_counts_as_a_death():
    found = bisect("--over", "v=1,2", "--votes", "1", "--timeout", "1", "--", "sh", "-c", "[ {v} = 1 ] || sleep 1000")
    assert found["said"] == "1 survives, 2 hangs"


def test_what_it_cannot_do_it_says(threshold):
    assert "{n}" in bisect("--over", "n=1..2", "--", threshold, "5", status=125)
    assert "--over" in bisect("--", threshold, "5", status=125)
    assert "command not found: nonesuch" in bisect("--over", "n=1..2", "--", "nonesuch", "{n}", status=125)
    assert "no command is given" in bisect("--over", "n=1..2", status=125)
    assert "cannot open" in bisect("--over", "n=@nonesuch", "--", threshold, "{n}", status=125)


def test_a_bound_gives_what_is_known(threshold):
    found = bisect("--over", "n=1..4096", "--runs", "4", "--", threshold, "{n}", status=1)
    assert found["runs"] == 4 and not found["answered"]
    assert int(found["survives"]) <= 384 < int(found["dies"])
    assert "stopped after 4 runs" in found["notes"]


READY = "import socket, sys, time\nif sys.argv[1] == '3': socket.create_connection(('127.0.0.1', int(sys.argv[2]))); time.sleep(1000)"


def test_interrupted_it_says_what_is_known():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        run = subprocess.Popen([SIGWHY, "bisect", "--json", "--network", "--over", "n=1,2,3,4", "--", PYTHON, "-c", READY,
                                "{n}", port], stdout=subprocess.PIPE, text=True)
        listener.settimeout(60)
        listener.accept()
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=60)
    found = json.loads(out)
    assert run.returncode == 1 and "stopped by you" in found["notes"]
    assert [one["value"] for one in found["tried"]] == ["1", "2"]


NO_NAMESPACES = [PYTHON, PROGRAMS / "no_namespaces.py"]


def test_without_a_layer_it_asks(threshold, tmp_path):
    made = tmp_path / "made"
    words = ["--over", "v=1,2", "--votes", "1", "--", "sh", "-c", f"echo {{v}} >> {made}"]
    said = bisect(*words, wrap=NO_NAMESPACES, status=125)
    assert "no throw-away layer here" in said and str(made) in said and "--yes" in said
    assert not made.exists()
    found = bisect("--yes", *words, wrap=NO_NAMESPACES)
    assert made.read_text() == "1\n2\n" and found["in_layer"] is False


@pytest.mark.parametrize("answer, runs", [("n", False), ("y", True)])
def test_the_user_is_asked_on_a_terminal(tmp_path, answer, runs):
    made = tmp_path / "made"
    ours, theirs = pty.openpty()
    run = subprocess.Popen([*NO_NAMESPACES, SIGWHY, "bisect", "--over", "v=1,2", "--votes", "1", "--", "sh", "-c",
                            f"echo {{v}} >> {made}"], stdin=theirs, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    seen = b""
    while b"[y/N]" not in seen:
        seen += os.read(ours, 4096)
    os.write(ours, answer.encode() + b"\n")
    run.communicate(timeout=60)
    os.close(ours)
    assert b"stays written" in seen
    assert made.exists() == runs


def test_nothing_is_left(threshold, tmp_path):
    os.chmod(tmp_path, 0o777)
    environment = dict(os.environ, SIGWHY_DIR=str(tmp_path / "cases"))
    bisect("--over", "v=1,500", "--votes", "1", "--", threshold, "{v}", env=environment)
    assert not (tmp_path / "cases/layers").exists()
