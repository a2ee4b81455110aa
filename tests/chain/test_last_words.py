"""stderr is the program's own. A regular file is read where it lies; a terminal or pipe only with --tee."""
import os
import pty
import subprocess
import sys

import pytest

from conftest import SIGWHY, TOP

sys.path.insert(0, str(TOP / "lab"))
from stage import task_limit  # noqa: E402

WORDS = "loss is nan at step 17"
GIVES_UP = f"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {{ fprintf(stderr, "{WORDS}\\n"); if (isatty(2)) puts("terminal"); fflush(stdout); abort(); }}
"""


def texts(run):
    return " ".join(text["text"] for text in run.case["snapshot"]["texts"])


def test_regular_file_is_read(bench):
    program = bench.build("gives_up", GIVES_UP)
    with open(bench.folder / "log", "wb") as log:
        run = bench.run(program, stderr=log)
    assert WORDS in texts(run)


def test_pipe_is_left_alone(bench):
    run = bench.run(bench.build("gives_up", GIVES_UP))
    assert WORDS in run.err
    assert WORDS not in texts(run)


def test_tee_keeps_a_pipes_last_words(bench):
    run = bench.run(bench.build("gives_up", GIVES_UP), options=["--tee"])
    assert run.err.index(WORDS) < run.err.index("died of SIGABRT")
    assert WORDS in texts(run)


def test_tee_on_a_terminal_is_a_terminal(bench):
    program = bench.build("gives_up", GIVES_UP)
    ours, theirs = pty.openpty()
    done = subprocess.Popen([str(SIGWHY), "run", "--tee", "--", program], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=theirs, env=bench.env, cwd=bench.folder)
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # EIO: the last writer is gone
            break
        if not part:
            break
        seen += part
    assert done.stdout.read() == b"terminal\n"
    assert done.wait() == -6
    assert WORDS.encode() in seen and b"\r\r\n" not in seen
    assert b"died of SIGABRT" in seen


def test_what_a_log_held_before_is_not_this_runs(bench):
    program = bench.build("gives_up", GIVES_UP)
    (bench.folder / "log").write_text("the words of yesterday\n")
    with open(bench.folder / "log", "ab") as log:
        run = bench.run(program, stderr=log)
    assert WORDS in texts(run)
    assert "yesterday" not in texts(run)


def test_a_log_that_was_emptied_is_read_from_its_start(bench):
    program = bench.build("empties", GIVES_UP.replace("fprintf", "ftruncate(2, 0); fprintf"))
    (bench.folder / "log").write_text("the words of yesterday\n" * 99)
    with open(bench.folder / "log", "ab") as log:
        run = bench.run(program, stderr=log)
    assert texts(run).count(WORDS) >= 1


MANY_THREADS = """
#include <stdio.h>
int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(200) reduction(+ : sum)
  sum++;
  printf("%d\\n", sum);
}
"""


SAYS_THE_SAME = "./work; echo Resource temporarily unavailable >&2; exit 1"


@pytest.mark.skipif(not task_limit.can_be_made(), reason="needs a control group of threads")
@pytest.mark.parametrize("most, script", [(50, "exec ./work"), (1000, SAYS_THE_SAME)], ids=["full", "roomy"])
def test_who_exits_for_want_of_threads(bench, most, script):
    """OpenMP's runtime says so and exits; what the kernel counted says whose limit it was."""
    bench.build("work", MANY_THREADS, "-fopenmp")
    with open(bench.folder / "log", "wb") as log, task_limit.of(most) as enter:
        # A moment later sigwhy has seen which group it is in; no program of threads starts within milliseconds.
        run = bench.run(*enter, "sh", "-c", "sleep 1.5; " + script, stderr=log)
    assert run.status == 1
    full = most == 50
    found = [(f["cause"], f["strength"]) for f in run.case["diagnosis"]["findings"]]
    assert found == ([("resource-limit", "strong")] if full else [])
    assert (f"may have {most} of them (pids.max)" in " ".join((bench.folder / "log").read_text().split())) == full
