"""Programs that make processes and threads, in every way there is.

Each program tells what it saw of its children in words that do not change
from run to run, and the two runs are compared.
"""

import os
import re
import signal

import pytest

import proc_files
import programs
from runs import BARE, QUIETLY, assert_same_end

PYTHON = "/usr/bin/python3"


@pytest.mark.parametrize("words", [
    ("fork",), ("vfork",), ("spawn",), ("clone",), ("chain", "30"),
    ("thread-exec",), ("wait-order",), ("wait-flags",), ("subreaper",),
    ("parent-death",), ("deep", "40"), ("session",), ("many", "50")],
    ids=lambda words: words[0])
def test_children(stage, words):
    bare, below = stage.same(programs.c("family"), *words)
    assert bare.out and not below.report


@pytest.mark.long
def test_five_hundred_times_fork_exec_wait(stage):
    bare, _ = stage.same(programs.c("family"), "many", "500")
    assert bare.out == b"500 of 500\n"


@pytest.mark.parametrize("end", ["", "exec", "exit", "crash"])
def test_threads(stage, end):
    bare, _ = stage.same(programs.c("threads"), "4", "50", *filter(None, [end]))
    assert bare.out == b"200 threads\n"


@pytest.mark.long
@pytest.mark.parametrize("waves, each", [(20, 250), (1, 5000)],
                         ids=["in waves", "at once"])
def test_five_thousand_threads(stage, waves, each):
    bare, _ = stage.same(programs.c("threads"), str(waves), str(each),
                         timeout_s=60.0)
    # Where the machine's own limits refuse that many, both runs say so.
    assert bare.out == b"5000 threads\n" or bare.code == 4


@pytest.mark.long
@pytest.mark.parametrize("end", ["exit", "crash"])
def test_ending_with_thousands_of_threads_alive(stage, end):
    stage.same(programs.c("threads"), "1", "2000", end, timeout_s=60.0)


def test_a_shell_tree(stage):
    script = ("for i in 1 2 3; do (exit $i) & done; wait; "
              "seq 100 | sort -r | head -n 1; (cd / && pwd); "
              'x=$(echo a | tr a b); echo "$x" | { read y; echo "$y"; }; '
              "trap 'echo trapped; exit 9' TERM; kill $$; sleep 5")
    bare, _ = stage.same("bash", "-c", script)
    assert bare.code == 9


def test_make_with_two_jobs(stage):
    (stage.folder / "Makefile").write_text(
        "all: a b c d\n\n%: %.in\n\tcp $< $@; test -s $@\n"
        ".SILENT:\n")
    for name in "abcd":
        (stage.folder / f"{name}.in").write_text(name)
    clean = "rm -f a b c d; make -j2; ls; ! make fail"
    stage.same("sh", "-c", clean)


def test_processes_live_at_once_are_all_reaped(stage):
    script = ("for i in $(seq 60); do sleep 0.01 & done; wait; "
              "ps -o stat= --ppid $$ | grep -c Z")
    stage.same("sh", "-c", script)


def test_a_detached_grandchild_ends_by_itself(stage):
    """It is let go at the root's end and its own end goes unheard."""
    fifo = stage.folder / "fifo"
    os.mkfifo(fifo)
    for way in (BARE, QUIETLY):
        ending = stage.run(
            way, "sh", "-c", f"setsid sh -c 'read line <{fifo}; "
            f"echo $line >{stage.folder}/answer' >/dev/null 2>&1 & exit 4")
        assert ending.code == 4
        fifo.write_text("later\n")
        answer = stage.folder / "answer"
        proc_files.eventually(
            lambda: answer.exists() and answer.read_text() == "later\n")
        answer.unlink()


GO = ["go"] if programs.have("go") else []
JAVA = ["java"] if programs.have("java", "javac") else []
NODE = ["node"] if programs.have("node") else []


@pytest.mark.long
@pytest.mark.parametrize("words", [[], ["die"]] if GO else [],
                         ids=["recovers", "ends with a panic"])
def test_go(stage, words):
    def end(way):
        return stage.run(way, programs.go("recovers"), *words)
    bare, below = end(BARE), end(QUIETLY)
    assert b"recovered 1000\n" in bare.out
    assert (bare.status, bare.out) == (below.status, below.out), below.told()
    addresses = re.compile(rb"0x[0-9a-f]+|goroutine \d+")
    assert addresses.sub(b"", bare.err) == addresses.sub(b"", below.err)


@pytest.mark.long
@pytest.mark.parametrize("words", [["-Xint"], []] if JAVA else [],
                         ids=["interpreted", "compiled"])
def test_java(stage, words):
    java, *rest = programs.java("Recovers")
    bare, below = stage.same(java, *words, *rest, timeout_s=60.0)
    assert bare.code == 5 and not below.report


@pytest.mark.parametrize("node", NODE)
def test_node(stage, node):
    script = ("const {execFileSync} = require('child_process');"
              "const {Worker} = require('worker_threads');"
              "console.log(execFileSync('echo', ['said']).toString());"
              "new Worker('process.exit(0)', {eval: true})"
              ".on('exit', c => { console.log(c); process.exit(6); })")
    bare, below = stage.same(node, "-e", script)
    assert bare.code == 6 and not below.report


@pytest.mark.long
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_python_workers(stage, method):
    bare, below = stage.same(
        PYTHON, programs.SOURCES / "workers.py", method, timeout_s=60.0)
    assert bare.code == 0 and not below.report


def test_it_is_killed_together_with_its_group(stage):
    def end(way):
        running = stage.start(
            way, "sh", "-c", f"{programs.c('die')} wait & "
            f"{programs.c('die')} wait & wait", process_group=0)
        running.out.wait_for(b"ready\nready\n")
        os.killpg(running.pid, signal.SIGKILL)
        return running.ending()
    assert_same_end(end(BARE), end(QUIETLY))


ENDS_ITS_WORKERS = """
import os, signal, sys, time
workers = []
for _ in range(120):
    workers.append(os.fork())
    if not workers[-1]:
        signal.pause()
time.sleep(.2)
for worker in workers:
    os.kill(worker, int(sys.argv[1]))
for worker in workers:
    os.waitpid(worker, 0)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL],
                         ids=lambda number: number.name)
def test_many_children_are_killed_at_once(stage, number):
    """Not each of them is worth a look, which takes 20 ms and leaves a case."""
    stage.same("/usr/bin/python3", "-c", ENDS_ITS_WORKERS, str(int(number)))
    assert len(list(stage.cases.glob("*.json"))) < 60
