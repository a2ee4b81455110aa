"""`sigwhy attach`: what a user gets of a living program, Python and native, and of those it cannot look into."""
import ctypes
import json
import os
import pathlib
import re
import signal
import subprocess
import threading

import pytest

PROGRAM = '''\
import select, sys, threading

def wait_for_work(stay):
    stay.wait()

def serve():
    select.epoll().poll(600)

class Model(object):
    def step(self, batch):
        return rest(batch)

def rest(batch):
    sys.stdout.write("ready\\n")
    sys.stdout.flush()
    return sys.stdin.read()

stay = threading.Event()
for target, args in ((wait_for_work, (stay,)), (wait_for_work, (stay,)), (serve, ())):
    thread = threading.Thread(target=target, args=args)
    thread.daemon = True
    thread.start()
Model().step([1, 2, 3])
'''

NATIVE = r"""
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>
static sem_t never, started;
static void *wait_for_jobs(void *unused) { sem_post(&started); sem_wait(&never); return unused; }
__attribute__((noinline)) static char ask(void) { char c = 0; puts("ready"); fflush(stdout); read(0, &c, 1); return c; }
int main(void) {
  for (int i = 0; i < THREADS; i++) { pthread_t t; if (pthread_create(&t, 0, wait_for_jobs, 0)) return 9; }
  for (int i = 0; i < THREADS; i++) sem_wait(&started);
  return ask() == 'x';
}
"""


class Living:
    def __init__(self, bench, *command, run=()):
        self.bench = bench
        self.process = subprocess.Popen([*run, *map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        cwd=bench.folder, env=bench.env, text=True)
        assert self.process.stdout.readline() == "ready\n"
        self.pid = self.process.pid

    def until_asleep(self, threads):
        """Every thread but those that have ended is in a call."""
        def asleep(tid):
            return pathlib.Path(f"/proc/{self.pid}/task/{tid}/syscall").read_text()[0].isdigit()
        while True:
            tids = os.listdir(f"/proc/{self.pid}/task")
            if len(tids) == threads and all(map(asleep, tids)):
                return self

    def look(self, *options):
        done = self.bench.sigwhy("attach", self.pid, *options)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    def case(self, *options):
        file = self.bench.folder / "living.json"
        self.look("--json", file, *options)
        return json.loads(file.read_text())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        assert self.process.wait(20) == 0
        self.process.stdout.close()


def normal(text):
    """Numbers that differ from run to run, as one digit each."""
    text = re.sub(r"\(process\s\d+\)", "(process 1)", text)
    text = re.sub(r"for\s[\d.]+\s(ms|s)", "for 1 s", text)
    text = re.sub(r"Thread \d+", "Thread 1", text)
    # whether the folder is shown depends on the width of the numbers
    return text.replace("sigwhy: /usr/bin/", "sigwhy: ").replace("\u00a0", " ")


def interpreters():
    found = sorted(pathlib.Path.home().glob(".pyenv/versions/*/bin/python"))
    return [str(p) for p in found] + ["/usr/bin/python3"]


def own_frames(thread):
    return [f["function"].split(".")[-1] for f in thread["python"] if f["file"].endswith("work.py")]


@pytest.fixture
def work(bench):
    script = bench.folder / "work.py"
    script.write_text(PROGRAM)
    return script


@pytest.mark.parametrize("python", interpreters(), ids=lambda p: p.split("/")[-3])
def test_every_interpreter(bench, work, python):
    with Living(bench, python, work) as living:
        case = living.until_asleep(4).case()
    snapshot = case["snapshot"]
    assert snapshot["termination"]["kind"] == "running" and case["diagnosis"]["verdict"] == "unknown"
    assert case["diagnosis"]["findings"] == []
    stacks = sorted(own_frames(t) for t in snapshot["threads"])
    assert stacks == [["rest", "step", "<module>"], ["serve"], ["wait_for_work"], ["wait_for_work"]]
    calls = {own_frames(t)[0]: t["system_call"] for t in snapshot["threads"]}
    assert calls["serve"] == "epoll_wait" and calls["rest"] == "read" and not any(t["died"] for t in snapshot["threads"])


PRINTED = """\
sigwhy: python3 work.py (process 1) has been running for 1 s; 4 threads
Main thread, asleep in read
  work.py:16  rest        return sys.stdin.read()
  work.py:11  Model.step  return rest(batch)
  work.py:23  <module>    Model().step([1, 2, 3])
2 threads python3, asleep in futex
  threading.py:324  Condition.wait  waiter.acquire()
  threading.py:622  Event.wait      signaled = self._cond.wait(timeout)
  work.py:4         wait_for_work   stay.wait()
Thread 1 python3, asleep in epoll_wait
  work.py:7  serve  select.epoll().poll(600)
"""


def test_printed(bench, work):
    with Living(bench, "/usr/bin/python3", "work.py") as living:
        printed = normal(living.until_asleep(4).look())
        full = living.look("--full")
    lines = [re.sub(r"(threading.py):\d+", r"\1:1", line) for line in printed.splitlines()]
    wanted = [re.sub(r"(threading.py):\d+", r"\1:1", line) for line in PRINTED.splitlines()]
    assert [" ".join(line.split()) for line in lines[:len(wanted)]] == [" ".join(line.split()) for line in wanted]
    assert "Files with code" in full and "0x" in full


def test_served_by_the_supervisor(bench, work):
    sigwhy = str(pathlib.Path(os.environ.get("SIGWHY_BIN", pathlib.Path(__file__).parents[2] / "build/sigwhy")).resolve())
    with Living(bench, "/usr/bin/python3", work) as bare, \
            Living(bench, "/usr/bin/python3", work, run=(sigwhy, "run", "--")) as traced:
        assert normal(traced.until_asleep(4).look()) == normal(bare.until_asleep(4).look())


def test_native_program_with_a_pool(bench):
    program = bench.build("pool", NATIVE, "-g", "-O1", "-pthread", "-DTHREADS=59")
    with Living(bench, program) as living:
        living.until_asleep(60)
        printed = normal(living.look())
        case = living.case()
    assert "60 threads" in printed.splitlines()[0]
    assert "Main thread, asleep in read" in printed and "ask" in printed and "pool.c:8" in printed
    assert re.search(r"59 threads pool, asleep in futex\n +pool.c:7 +wait_for_jobs", printed), printed
    assert len(case["snapshot"]["threads"]) == 60


def test_a_thousand_threads(bench):
    program = bench.build("pool", NATIVE, "-g", "-O1", "-pthread", "-DTHREADS=1100")
    stats = bench.folder / "stats"
    bench.env["SIGWHY_TEST_STATS"] = str(stats)
    with Living(bench, program) as living:
        printed = living.look()
    assert "Main thread" in printed and "wait_for_jobs" in printed
    assert json.loads(stats.read_text())["stopped_ms"] < 1000


def test_id_of_a_thread_means_its_process(bench, work):
    with Living(bench, "/usr/bin/python3", work) as living:
        tid = max(map(int, os.listdir(f"/proc/{living.pid}/task")))
        done = bench.sigwhy("attach", tid)
    assert done.returncode == 0 and f"{living.pid}" in done.stdout.decode().splitlines()[0]


def refusal(bench, pid, **options):
    done = bench.sigwhy("attach", pid, **options)
    assert done.returncode == 1 and done.stdout == b"" and done.stderr.count(b"\n") == 1, done
    return done.stderr.decode()


def test_no_such_process(bench):
    assert refusal(bench, 2 ** 22 + 1) == f"sigwhy: there is no process {2 ** 22 + 1}\n"
    assert refusal(bench, "me") == 'sigwhy: "me" is no process id\n'


def test_ended_already(bench):
    child = subprocess.Popen(["/bin/true"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert "it has ended" in refusal(bench, child.pid)
    child.wait()


def test_traced_by_somebody_else(bench, work):
    """Says by whom, and leaves both alone."""
    seize, detach_at_exit = 0x4206, threading.Event()
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    with Living(bench, "/usr/bin/python3", work) as living:
        held = threading.Event()

        def trace():
            assert libc.ptrace(seize, living.pid, None, None) == 0
            held.set()
            detach_at_exit.wait()

        tracer = threading.Thread(target=trace)
        tracer.start()
        held.wait()
        said = refusal(bench, living.pid)
        detach_at_exit.set()
        tracer.join()
    assert "traced already" in said and "python3" in said and f"process {os.getpid()}" in said


@pytest.mark.skipif(os.getuid() != 0, reason="needs a second user")
def test_somebody_elses_process(bench, work):
    def as_nobody():
        os.setgid(65534)
        os.setuid(65534)
    binary = pathlib.Path(os.environ.get("SIGWHY_BIN", pathlib.Path(__file__).parents[2] / "build/sigwhy")).resolve()
    copies = pathlib.Path("/tmp") / f"sigwhy-attach-{os.getpid()}"
    copies.mkdir(mode=0o755)
    try:
        for name in ("sigwhy", "sigwhy-develop"):
            (copies / name).write_bytes((binary.parent / name).read_bytes())
            (copies / name).chmod(0o755)
        with Living(bench, "/usr/bin/python3", work) as living:
            done = subprocess.run([copies / "sigwhy", "attach", str(living.pid)], capture_output=True, text=True,
                                  preexec_fn=as_nobody, cwd="/", env=dict(bench.env, HOME="/", SIGWHY_DIR="/nowhere"))
    finally:
        for file in copies.iterdir():
            file.unlink()
        copies.rmdir()
    assert done.returncode == 1 and "it belongs to user 0" in done.stderr and "as root" in done.stderr, done


def test_the_program_may_end_meanwhile(bench, work):
    """A kill at any moment gives a report or one line, never a crash or a hang."""
    for delay in (0, 0.001, 0.003, 0.01):
        living = Living(bench, "/usr/bin/python3", work)
        timer = threading.Timer(delay, living.process.send_signal, [signal.SIGKILL])
        timer.start()
        done = bench.sigwhy("attach", living.pid)
        timer.join()
        living.process.wait()
        assert done.returncode in (0, 1) and (done.stdout or done.stderr.startswith(b"sigwhy: ")), done
