"""The user's files are safe: nothing that runs in the throw-away layer changes one, and nothing of it is left."""
import json
import os
import select
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from conftest import ONE_TRIAL, PROGRAMS, PYTHON, SIGWHY, SOMEBODY, as_user, trial


def test_no_file_changes(user):
    run = subprocess.run(["unshare", "-m", PYTHON, PROGRAMS / "safe_places.py", ONE_TRIAL, SIGWHY, str(user)],
                         capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    assert seen["changed"] == []
    done = [line for line in seen["said"].splitlines() if line.startswith("done ")]
    # It is no proof if the program could not do in there what it does outside.
    failed = [line for line in seen["said"].splitlines() if line.startswith("failed ")]
    assert failed == []
    assert len(done) == 13 * len(seen["folders"])


def test_the_end_is_the_programs_own(either):
    assert trial("sh", "-c", "exit 7", user=either).status == "exit 7"
    assert trial("sh", "-c", "kill -USR1 $$", user=either).status == f"signal {signal.SIGUSR1.value}"
    assert trial("sh", "-c", "kill -SEGV $$", user=either).status == f"signal {signal.SIGSEGV.value}"
    assert trial("true", user=either).verdict == "clean-exit"


def test_who_and_where(user, tmp_path):
    os.chmod(tmp_path, 0o777)
    for folder in list(tmp_path.parents)[:3]:
        os.chmod(folder, os.stat(folder).st_mode | 0o055)
    code = "import os,sys; print(os.getuid(), os.getgid(), os.getcwd(), sys.stdin.read() == '', os.isatty(1))"
    seen = trial(PYTHON, "-c", code, user=user, cwd=tmp_path)
    assert seen.output.split() == [str(user), str(user), str(tmp_path), "True", "False"]


def test_both_outputs_are_kept_out_of_the_terminal(either):
    seen = trial("sh", "-c", "echo out; echo err >&2", user=either)
    assert seen.output == "out\nerr\n"


def test_a_flood_of_output_keeps_its_end():
    seen = trial("sh", "-c", "seq 1 200000; echo last")
    assert seen.output.endswith("\nlast\n") and len(seen.output) <= 64 << 10


def processes_with(word):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if word.encode() in open(f"/proc/{pid}/cmdline", "rb").read():
                found.append(pid)
        except OSError:
            pass
    return found


DAEMON = "import os,time\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  print('ready', flush=True); time.sleep(1000)\n os._exit(0)\nos.wait()"


@pytest.mark.parametrize("more", [{}, {"without_layer": 1}], ids=["layer", "no layer"])
def test_daemons_are_gone(either, more):
    mark = f"mark-{os.getpid()}-{either}-{len(more)}"
    seen = trial(PYTHON, "-c", DAEMON, mark, user=either, **more)
    assert seen.status == "exit 0"
    assert processes_with(mark) == []


@pytest.mark.parametrize("more", [{}, {"without_layer": 1}], ids=["layer", "no layer"])
def test_out_of_time(either, more):
    mark = f"mark-time-{os.getpid()}-{either}-{len(more)}"
    seen = trial("sh", "-c", f"echo {mark}; sleep 1000 & sleep 1000", user=either, seconds=1, **more)
    assert (seen.status, seen.timed_out) == ("none", "1")
    assert mark in seen.output
    assert processes_with(mark) == []


def test_a_full_layer_stops_the_program(either):
    many = "i=0; while :; do head -c 4000000 /dev/zero > /var/tmp/full-$i; i=$((i+1)); done"
    seen = trial("sh", "-c", many, user=either, bytes=40 << 20)
    assert (seen.status, seen.layer_full) == ("none", "1")
    assert not [name for name in os.listdir("/var/tmp") if name.startswith("full-")]


def test_one_file_cannot_outgrow_the_layer():
    code = "f=open('/var/tmp/huge','wb')\ntry:\n for i in range(100): f.write(bytes(1<<20)); f.flush()\nexcept OSError as e: print(e)"
    seen = trial(PYTHON, "-c", code, bytes=10 << 20)
    assert "File too large" in seen.output or seen.layer_full == "1"


def test_what_it_wrote_is_counted(either):
    seen = trial("sh", "-c", "head -c 1000000 /dev/zero > /tmp/counted; rm -f /tmp/none; : > /var/tmp/empty", user=either)
    files, _, size, _ = seen.wrote.split()
    assert files == "2" and 1_000_000 <= int(size) < 1_100_000


CONNECT = "import socket,sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5); print('connected')"


def test_the_network_is_off_unless_asked_for(user):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        assert "refused" in trial(PYTHON, "-c", CONNECT, port, user=user).output
        assert "connected" in trial(PYTHON, "-c", CONNECT, port, user=user, network=1).output


def test_the_loopback_works_inside(either):
    code = "import socket; s=socket.create_server(('127.0.0.1',0)); socket.create_connection(s.getsockname()); print('own')"
    assert "own" in trial(PYTHON, "-c", code, user=either).output


def test_sockets_by_name_lead_nowhere(either, tmp_path):
    path = f"/tmp/sigwhy-test-{os.getpid()}-{either}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        try:
            os.chmod(path, 0o777)
            listener.listen()
            code = f"import socket; socket.socket(socket.AF_UNIX).connect({path!r}); print('connected')"
            assert "connected" not in trial(PYTHON, "-c", code, user=either).output
        finally:
            os.unlink(path)


def test_devices_stay_usable(user):
    code = "echo x > /dev/null && head -c 4 /dev/zero | wc -c && head -c 1 /dev/urandom | wc -c"
    assert trial("sh", "-c", code, user=user).output.split() == ["4", "1"]


@pytest.fixture
def layers():
    """A folder for layers that an ordinary user can use too."""
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    folder.chmod(0o777)
    yield folder
    folder.rmdir()  # nothing is left in it


def left_behind(run, layers):
    """Mounts, groups and folders of a layer."""
    mounts = [line for line in open("/proc/self/mountinfo") if "overlay" in line]
    groups = [where for where, _, _ in os.walk("/sys/fs/cgroup/memory") if f"/sigwhy-{run.pid}-" in where]
    return mounts + groups + os.listdir(layers)


READY = "import socket,sys,time; s=socket.create_connection(('127.0.0.1', int(sys.argv[1]))); time.sleep(1000)"


def start_and_wait(user, mark, *options):
    """A trial whose program has begun: it calls us."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        command = [ONE_TRIAL, SIGWHY, "network=1", *options, "--", PYTHON, "-c", READY, port, mark]
        run = subprocess.Popen(as_user(user, command), stdout=subprocess.PIPE, text=True)
        listener.settimeout(60)
        listener.accept()
    return run


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_interrupted_leaves_nothing(user, how, layers):
    mark = f"mark-interrupt-{os.getpid()}-{user}-{how.value}"
    run = start_and_wait(user, mark, f"layers={layers}/own")
    assert left_behind(run, layers) != []
    run.send_signal(how)
    out, _ = run.communicate(timeout=60)
    assert "interrupted: 1" in out
    assert processes_with(mark) == []
    assert left_behind(run, layers) == []


def test_killed_is_swept_by_the_next(user, layers):
    mark = f"mark-killed-{os.getpid()}-{user}"
    run = start_and_wait(user, mark, f"layers={layers}/own")
    first = [pid for pid in processes_with(mark) if int(pid) != run.pid]
    waiting = [os.pidfd_open(int(pid)) for pid in first]
    run.kill()
    run.communicate()
    for fd in waiting:  # readable once the process has ended
        select.select([fd], [], [], 60)
        os.close(fd)
    assert processes_with(mark) == []
    assert trial("true", user=user, layers=f"{layers}/own").status == "exit 0"
    assert left_behind(run, layers) == []


NO_NAMESPACES = [PYTHON, PROGRAMS / "no_namespaces.py"]


def test_refused_is_said(user):
    seen = trial("touch", "/tmp/never-made", user=user, wrap=NO_NAMESPACES)
    assert "no throw-away layer here" in seen.refused
    assert "namespaces" in seen.refused and seen.remedy
    assert not os.path.exists("/tmp/never-made")


def test_without_a_layer_it_is_still_bounded(either):
    seen = trial("sh", "-c", "sleep 1000 & exec sleep 1000", user=either, wrap=NO_NAMESPACES, without_layer=1, seconds=1)
    assert (seen.status, seen.timed_out) == ("none", "1")


def test_a_used_up_number_of_namespaces_is_named():
    room = "echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --ambient-caps=-all --inh-caps=-all \"$@\""
    wrap = as_user(SOMEBODY, ["unshare", "-U", "--map-current-user", "--keep-caps", "sh", "-c", room, "sh"])
    seen = trial("true", wrap=wrap)
    assert "user.max_user_namespaces" in seen.refused


@pytest.mark.parametrize("wrap", [["setpriv", "--bounding-set=-sys_admin"], ["unshare", "-Ur"], ["unshare", "-Urm"]],
                         ids=["no CAP_SYS_ADMIN", "root of a user namespace", "with mounts of its own"])
def test_a_lesser_root_gets_a_layer_too(wrap, tmp_path):
    (tmp_path / "file").write_text("before")
    seen = trial("sh", "-c", "id -u; pwd; echo after > file; cat file", cwd=tmp_path, wrap=wrap)
    assert seen.output.split() == ["0", str(tmp_path), "after"]
    assert (tmp_path / "file").read_text() == "before"


@pytest.mark.parametrize("how", ["pivot", "chroot"])
def test_in_a_container_the_layer_is_in_memory(how):
    wrap = ["unshare", "-m", "sh", PROGRAMS / "container.sh", how]
    seen = trial("sh", "-c", "echo inside > /tmp/made; cat /tmp/made; head -c 60000000 /dev/zero > /tmp/big", wrap=wrap,
                 bytes=40 << 20)
    assert seen.output.startswith("inside\n") and "No space left" in seen.output
    assert seen.layer_full == "1"
    assert trial("sh", "-c", "echo small > /tmp/made", wrap=wrap).layer_full == "0"


def test_a_file_as_input_is_read_again(tmp_path):
    (tmp_path / "words").write_text("one two three\n")
    with open(tmp_path / "words") as words:
        run = subprocess.run([SIGWHY, "bisect", "--votes", "1", "--over", "v=one,four", "--", "grep", "{v}"],
                             stdin=words, capture_output=True, text=True, timeout=60)
    assert run.stdout.startswith("one survives, four fails with exit 1"), run.stdout + run.stderr


def test_the_recipe_of_a_case_knows_the_input(tmp_path):
    (tmp_path / "words").write_text("one\n")
    environment = dict(os.environ, SIGWHY_DIR=str(tmp_path / "cases"))
    with open(tmp_path / "words") as words:
        subprocess.run([SIGWHY, "run", "--quiet", "--", "sh", "-c", "kill -SEGV $$"], stdin=words, env=environment)
    recipe, = (tmp_path / "cases").glob("*.recipe")
    assert json.loads(recipe.read_text())["input"] == str(tmp_path / "words")


@pytest.mark.parametrize("options", [[], ["--no-ptrace"]])
def test_a_program_that_could_not_be_asked_can_be_run_again(tmp_path, options):
    """Killed before its files of /proc were opened, or not traced: sigwhy was told what it started."""
    (tmp_path / "words").write_text("one\n")
    environment = dict(os.environ, SIGWHY_DIR=str(tmp_path / "cases"), MARK="of the user")
    command = ["sh", "-c", "kill -KILL $$"]
    with open(tmp_path / "words") as words:
        subprocess.run([SIGWHY, "run", "--quiet", "--json", tmp_path / "case", *options, "--", *command],
                       stdin=words, env=environment, cwd=tmp_path)
    for _ in range(100):  # without ptrace the case is written after the program is gone
        if found := list((tmp_path / "cases").glob("*.recipe")):
            break
        time.sleep(0.05)
    recipe = json.loads(found[0].read_text())
    assert (recipe["argv"], recipe["directory"], recipe["input"]) == (command, str(tmp_path), str(tmp_path / "words"))
    assert "MARK=of the user" in recipe["environment"]
    assert json.loads((tmp_path / "case").read_text())["snapshot"]["process"]["argv"] == command


def test_where_proc_is_masked_there_is_no_pid_namespace():
    """A fresh /proc would show what a container hides, so the kernel refuses it; the rest of the layer stands."""
    mask = ["unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /proc/acpi -o ro; exec \"$@\"", "sh"]
    mark = f"mark-masked-{os.getpid()}"
    seen = trial("sh", "-c", f"echo $$; echo inside > /tmp/{mark}; cat /tmp/{mark}; sleep 1000 {mark} & kill -SEGV $$",
                 wrap=[*mask, *as_user(SOMEBODY, [])])
    pid, text = seen.output.split()[:2]
    assert int(pid) > 10 and text == "inside"
    assert seen.status == f"signal {signal.SIGSEGV.value}"
    assert processes_with(mark) == [] and not os.path.exists(f"/tmp/{mark}")


def test_what_cannot_be_overlaid_is_read_only_and_named(tmp_path):
    """File systems can be stacked twice: over an overlay over an overlay there is no third."""
    room = """
      mount -t tmpfs tmpfs $1; cd $1
      mkdir u1 w1 u2 w2 first second plain
      mount -t overlay overlay -o lowerdir=plain,upperdir=u1,workdir=w1 first
      mount -t overlay overlay -o lowerdir=first,upperdir=u2,workdir=w2 second
      shift; exec "$@" """
    seen = trial("touch", tmp_path / "second/made", tmp_path / "first/made",
                 wrap=["unshare", "-m", "sh", "-e", "-c", room, "sh", tmp_path])
    assert f"cannot touch '{tmp_path}/second/made': Read-only file system" in seen.output
    assert "first" not in seen.output
    assert seen.read_only == f"{tmp_path}/second"
