"""Memory over time, and the record that outlives sigwhy: what a user gets from both."""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import pytest

from conftest import SIGWHY

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


def kill_all(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


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
