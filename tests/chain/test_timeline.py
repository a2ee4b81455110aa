"""Memory over time, and the record that outlives sigwhy: what a user gets from both."""
import contextlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import pytest

from conftest import SIGWHY, TOP

sys.path.append(str(TOP / "lab"))
from stage.environments import environment  # noqa: E402

GROWS = r"""
import os, sys
def fit(last):
    history = []
    for step in range(1_000_000):
        history.append(bytearray(1 << 18))
        if step == last:
            os.kill(os.getpid(), signal_number)
        pause(0.01)
import time
pause = time.sleep
signal_number = int(sys.argv[2])
print("ready", flush=True)
fit(int(sys.argv[1]))
"""


def program(bench):
    file = bench.folder / "grows.py"
    file.write_text(GROWS)
    return [sys.executable, str(file)]


def records(bench):
    return sorted(pathlib.Path(bench.env["SIGWHY_DIR"]).glob("*.run"))


def asked(bench, *words):
    return bench.sigwhy(*words).stdout.decode()


def eventually(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def start(bench, *words):
    running = subprocess.Popen([SIGWHY, "run", "--", *words], env=bench.env, cwd=bench.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout.readline() == b"ready\n"
    return running


def status_field(pid, name):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])


def family(pid):
    """The program, its supervisor and its keeper."""
    eventually(lambda: status_field(pid, "TracerPid"))
    supervisor = status_field(pid, "TracerPid")
    return [pid, supervisor, status_field(supervisor, "PPid")]


@contextlib.contextmanager
def memory_group(limit_bytes):
    group = pathlib.Path(f"/sys/fs/cgroup/memory/sigwhy_timeline_{os.getpid()}")
    try:
        group.mkdir()
        (group / "memory.limit_in_bytes").write_text(str(limit_bytes))
    except OSError:
        pytest.skip("no control group can be made here")
    yield group
    eventually(lambda: not (group / "cgroup.procs").read_text())
    group.rmdir()


def kill_all(pids):
    """At one moment: the supervisor must not see the program end, nor the keeper the supervisor."""
    pids = list(pids)
    for number, pid in [(signal.SIGSTOP, p) for p in pids[::-1]] + [(signal.SIGKILL, p) for p in pids]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def test_the_series_grows_and_its_step_is_known(bench):
    run = bench.run(*program(bench), "300", "9")
    timeline = run.case["snapshot"]["timeline"]
    own = timeline["processes"][0]
    assert len(timeline["at_s"]) >= 8 and timeline["at_s"] == sorted(timeline["at_s"])
    assert own["pid"] == run.case["snapshot"]["process"]["pid"]
    grown = own["anonymous_bytes"][-1] - own["anonymous_bytes"][0]
    assert 30 << 20 < grown < 120 << 20
    step, = [s for s in timeline["steps"] if s["name"] == "step"]
    assert step["function"] == "fit" and 0 <= step["value"][0] < step["value"][-1] <= 300
    assert timeline["last_line"]["file"].endswith("grows.py")
    assert "memory" in run.err and "█" in run.err
    assert not records(bench)


@pytest.mark.parametrize("end", ["normal", "crash", "interrupted"])
def test_a_record_is_there_while_it_runs_and_gone_after_it(bench, end):
    number = {"normal": 0, "crash": signal.SIGSEGV, "interrupted": signal.SIGINT}[end]
    file = bench.folder / "waits.py"
    file.write_text("import os, signal, sys\n"
                    "print('ready', flush=True)\n"
                    "sys.stdin.readline()\n"
                    f"if {int(number)}: os.kill(os.getpid(), {int(number)})\n")
    running = subprocess.Popen([SIGWHY, "run", "--", sys.executable, file], env=bench.env, cwd=bench.folder,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    running.stdout.readline()
    eventually(lambda: len(records(bench)) == 1)
    assert records(bench)[0].stat().st_mode & 0o777 == 0o600
    assert records(bench)[0].stat().st_size <= 256 << 10
    running.communicate(b"\n", timeout=60)
    assert records(bench) == []


def test_a_short_program_makes_no_record(bench):
    bench.sigwhy("run", "--", "/bin/true")
    assert not pathlib.Path(bench.env["SIGWHY_DIR"]).exists()


def killed_together(bench, tries):
    """Each at another moment, also while the record is being written."""
    moments = random.Random(5)
    for _ in range(tries):
        running = start(bench, *program(bench), "1000000", "9")
        pids = family(running.pid)
        eventually(lambda: len(records(bench)) == 1)
        time.sleep(moments.uniform(0.02, 0.4))
        kill_all(pids)
        running.communicate()
        eventually(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in pids))
        record, = records(bench)
        case = json.loads(asked(bench, "show", "--json"))
        assert case["id"] == record.stem and records(bench) == []
        snapshot = case["snapshot"]
        assert snapshot["termination"]["kind"] == "lost"
        assert snapshot["process"]["argv"][1].endswith("grows.py")
        assert len(snapshot["timeline"]["at_s"]) >= 8
        assert snapshot["timeline"]["last_line"]["function"] == "fit"
        assert snapshot["memory_bounds"]["groups"]


def test_program_and_sigwhy_killed_together_leave_a_record(bench):
    killed_together(bench, 3)
    told = asked(bench, "show")
    assert "ended together with sigwhy" in told and "grows.py:" in told


@pytest.mark.long
def test_a_hundred_times(bench):
    killed_together(bench, 100)


def test_a_record_in_use_is_left_alone(bench):
    running = start(bench, *program(bench), "1000000", "9")
    eventually(lambda: len(records(bench)) == 1)
    assert "no cases" in asked(bench, "list")
    assert len(records(bench)) == 1
    kill_all([running.pid])
    running.communicate()
    assert records(bench) == []


def test_a_record_that_makes_no_sense_is_no_case(bench):
    folder = pathlib.Path(bench.env["SIGWHY_DIR"])
    folder.mkdir(mode=0o700)
    noise = random.Random(1)
    for size in (0, 7, 120000, 122880):
        (folder / f"{size:08x}.run").write_bytes(b"SIGWHYR1" + noise.randbytes(max(0, size - 8)))
    assert "no cases" in asked(bench, "list")


def test_without_a_folder_there_is_a_gap_and_nothing_else(bench):
    bench.env["SIGWHY_DIR"] = "/proc/nowhere/cases"
    run = bench.run(*program(bench), "130", "9")
    assert run.status == -9
    assert any("outlive sigwhy" in gap for gap in run.gaps)


def test_the_termination_log_is_current_and_ends_with_the_report(bench):
    log = bench.folder / "termination-log"
    running = subprocess.Popen([SIGWHY, "run", "--termination-log", log, "--", *program(bench), "1000000", "9"],
                               env=bench.env, cwd=bench.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    eventually(lambda: log.exists() and "grows.py" in log.read_text())
    assert "was running" in log.read_text() and "memory" in log.read_text()
    kill_all([running.pid])
    running.communicate(timeout=60)
    assert "was killed by SIGKILL" in log.read_text() and len(log.read_bytes()) <= 4096
    assert list(bench.folder.glob("termination-log?*")) == []


def test_the_termination_log_of_a_good_end_is_empty(bench):
    log = bench.folder / "termination-log"
    log.write_text("of an earlier run\n")
    bench.sigwhy("run", "--termination-log", log, "--", "sleep", "0.5")
    assert log.read_text() == ""


def test_a_mounted_termination_log_is_overwritten(bench):
    """As Kubernetes mounts it: the file itself is a mount, and cannot be replaced."""
    log, behind = bench.folder / "log", bench.folder / "behind"
    behind.write_text("x" * 4096)
    log.touch()
    done = subprocess.run(["unshare", "--mount", "sh", "-c",
                           f"mount --bind {behind} {log} && exec {SIGWHY} run --termination-log {log} -- sh -c 'kill -11 $$'"],
                          env=bench.env, cwd=bench.folder, capture_output=True, text=True)
    if "Operation not permitted" in done.stderr:
        pytest.skip("no mount namespace may be made here")
    assert "was killed by" in behind.read_text() or "died of SIGSEGV" in behind.read_text()
    assert "xxx" not in behind.read_text()


def test_tensorboard_reads_it(bench):
    python = environment("tensorboard", ["tensorboard"], ["tensorboard"])
    if not python:
        pytest.skip("tensorboard cannot be had")
    bench.sigwhy("run", "--tensorboard", "board", "--", *program(bench), "250", "9")
    code = """
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator(sys.argv[1])
events.Reload()
print(json.dumps({tag: [e.value for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}))
"""
    read = subprocess.run([python, "-c", code, bench.folder / "board"], capture_output=True, text=True, check=True)
    scalars = json.loads(read.stdout)
    rss, = [values for tag, values in scalars.items() if tag.startswith("memory/rss/python")]
    assert len(rss) >= 2 and rss[-1] > rss[0] and 5 < rss[-1] < 500
    assert scalars["memory/limit"][0] > rss[-1]
    assert scalars["step"] == sorted(scalars["step"])


def test_a_folder_that_cannot_be_made_is_said_and_the_program_runs(bench):
    done = bench.sigwhy("run", "--tensorboard", "/proc/nowhere/board", "--", "echo", "fine")
    assert done.returncode == 0 and done.stdout == b"fine\n"
    assert b"--tensorboard: cannot write to /proc/nowhere/board" in done.stderr


FORECAST = """
import sys, time
held = []
for step in range(1400):
    if sys.argv[1] == "grows" or step % 200 < 100:
        held.append(bytes([step % 255 + 1]) * (1 << 18))
    else:
        held.pop()
    time.sleep(0.01)
"""


@pytest.mark.long
@pytest.mark.parametrize("how, said", [("grows", True), ("breathes", False)])
def test_the_forecast_speaks_of_growth_alone(bench, how, said):
    file = bench.folder / "train.py"
    file.write_text(FORECAST)
    with memory_group(1 << 30) as group:
        done = bench.sigwhy("run", "--forecast", "--", "sh", "-c",
                            f"echo $$ > {group}/cgroup.procs; exec {sys.executable} {file} {how}")
    assert done.returncode == 0
    assert (b"sigwhy: at this rate 1 GiB is reached in" in done.stderr) == said
    assert (b"near step" in done.stderr) == said
    assert (b"growing: `held` at train.py:" in done.stderr) == said
