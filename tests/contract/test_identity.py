"""Who the program is and what it was given: all that exec passes on.

probe.c tells what a program can learn of itself at its first moment. It runs
bare and below sigwhy from callers that differ (see DRESSES), and each thing it
tells is compared by a test of its own. What must differ from run to run (the
pid, times, counters) is not compared; the pid is checked against the caller's.
"""

import ctypes
import json
import os
import resource
import signal
import socket
import threading

import pytest

import programs
from runs import BARE, UNDER, open_stage, under

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_TIMERSLACK = 1, 38, 29
PR_SET_THP_DISABLE, PR_SET_CHILD_SUBREAPER = 41, 36
ADDR_NO_RANDOMIZE = 0x0040000
WAYS = {"under": UNDER, "under --no-ptrace": under("--no-ptrace")}

# Parts of /proc/self/status that tell what was inherited. Not among them:
# TracerPid, which a tracer cannot hide, and sizes and counts of memory.
STATUS = ["Name", "Umask", "Uid", "Gid", "Groups", "Threads", "SigPnd",
          "ShdPnd", "SigBlk", "SigIgn", "SigCgt", "CapInh", "CapPrm",
          "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp",
          "Seccomp_filters", "Speculation_Store_Bypass", "Cpus_allowed",
          "Mems_allowed", "VmLck", "VmPin", "THP_enabled"]
# Fields of /proc/self/stat after the name, counted as proc(5) counts them.
STAT = {"terminal": 7, "foreground": 8, "priority": 18, "nice value": 19,
        "exit signal": 38, "real-time priority": 40, "policy": 41}
CHILDREN_USED = {"children's memory", "children's faults"}
VARYING = {"pid", "/proc/self/stat", "/proc/self/status"}


def plain():
    pass


def ignoring():
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE,
                   signal.SIGCHLD, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(number, signal.SIG_IGN)


def blocking():
    """Everything blocked; two signals wait already. A child that sigwhy had
    and lost would add a third."""
    signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.pthread_kill(threading.get_ident(), signal.SIGRTMIN + 3)


def limited():
    for which, soft in ((resource.RLIMIT_NOFILE, 100),
                        (resource.RLIMIT_STACK, 1 << 20),
                        (resource.RLIMIT_CPU, 500),
                        (resource.RLIMIT_FSIZE, 1 << 24),
                        (resource.RLIMIT_MEMLOCK, 1 << 16),
                        (resource.RLIMIT_AS, 1 << 34),
                        (resource.RLIMIT_SIGPENDING, 50)):
        resource.setrlimit(which, (soft, soft))


def unusual():
    os.umask(0o027)
    os.nice(5)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGUSR2, 0, 0, 0)
    LIBC.prctl(PR_SET_TIMERSLACK, 123456, 0, 0, 0)
    LIBC.prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    LIBC.personality(ADDR_NO_RANDOMIZE)
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")
    with open("/proc/self/coredump_filter", "w") as file:
        file.write("0x3")


def with_timers():
    signal.setitimer(signal.ITIMER_REAL, 1000, 7)
    signal.setitimer(signal.ITIMER_VIRTUAL, 2000, 8)
    signal.setitimer(signal.ITIMER_PROF, 3000, 9)


def in_a_session_of_its_own():
    os.setsid()


def in_a_group_of_its_own():
    os.setpgid(0, 0)


DRESSES = {dress.__name__: dress for dress in (
    plain, ignoring, blocking, limited, unusual, with_timers,
    in_a_session_of_its_own, in_a_group_of_its_own)}


class Descriptors:
    """The same open files for every run, so that they can be compared."""

    def __init__(self, folder):
        path = folder / "open-file"
        path.write_text("x" * 100)
        self.numbers = [os.open(path, os.O_RDWR | os.O_APPEND),
                        *os.pipe(), os.open("/dev/null", os.O_RDONLY),
                        os.memfd_create("memory"), os.eventfd(3)]
        self._sockets = socket.socketpair()
        self.numbers += [s.fileno() for s in self._sockets]
        os.lseek(self.numbers[0], 42, os.SEEK_SET)
        # High and with holes: numbers that nobody would pick.
        for number in (57, 99):
            os.dup2(self.numbers[1], number)
            self.numbers.append(number)

    def close(self):
        for number in set(self.numbers) - {
                s.fileno() for s in self._sockets}:
            os.close(number)
        for one in self._sockets:
            one.close()


def identity(stage, way, dress, descriptors, **popen) -> dict:
    out = stage.folder / "probe.json"
    null = descriptors.numbers[3]
    running = stage.start(
        way, programs.c("probe"), out, stdin=null, stdout=null,
        preexec_fn=dress, pass_fds=descriptors.numbers, **popen)
    ending = running.ending()
    assert (ending.status, ending.err) == (0, b""), ending.told()
    told = json.loads(out.read_text())
    out.unlink()
    told["pid is the caller's"] = told["pid"] == running.pid
    told["parent"] = {os.getpid(): "the caller"}.get(told["parent"], "other")
    for role in ("group", "session"):
        own = {running.pid: "its own"}
        told[role] = own.get(told[role], told[role])
    return with_kernel_files_split(told)


def with_kernel_files_split(told: dict) -> dict:
    def text(name):
        return bytes.fromhex(told[name]).decode()
    for line in text("/proc/self/status").splitlines():
        name, _, value = line.partition(":")
        if name in STATUS:
            told[f"status {name}"] = value.strip()
    fields = text("/proc/self/stat").rpartition(")")[2].split()
    for name, at in STAT.items():
        told[f"stat {name}"] = fields[at - 3]
    # Both are new in each run: the pipe that is stderr, and the number of
    # the scheduler's group of a new session.
    told["descriptors"]["2"].pop("target")
    told["/proc/self/autogroup"] = text("/proc/self/autogroup").partition(
        " ")[2]
    return {name: value for name, value in told.items()
            if name not in VARYING}


@pytest.fixture(scope="module")
def kit():
    """One stage and one set of open files for the whole module."""
    with open_stage() as stage:
        descriptors = Descriptors(stage.folder)
        yield stage, descriptors
        descriptors.close()


def environment(stage) -> dict:
    return stage.with_environment(ODD="a b\n\udcff=", EMPTY="")


def assert_alike(bare: dict, below: dict, names) -> None:
    found = {name: {"bare": bare.get(name), "below": below.get(name)}
             for name in sorted(names) if bare.get(name) != below.get(name)}
    if found:
        pytest.fail(json.dumps(found, indent=1), pytrace=False)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES.keys())
def test_what_it_was_given(kit, dress, way):
    stage, descriptors = kit
    bare, below = (
        identity(stage, each, dress, descriptors, cwd="/usr",
                 env=environment(stage)) for each in (BARE, way))
    assert below["pid is the caller's"] and below["parent"] == "the caller"
    assert_alike(bare, below, bare.keys() - CHILDREN_USED)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_no_child_before_its_first_is_charged_to_it(kit, way):
    """getrusage(RUSAGE_CHILDREN) outlives exec: a helper that was waited for
    before it would show as memory of a child the program never had."""
    stage, descriptors = kit
    bare, below = (identity(stage, each, plain, descriptors)
                   for each in (BARE, way))
    assert_alike(bare, below, CHILDREN_USED)


@pytest.mark.parametrize("missing", [{0}, {2}, {0, 1, 2}],
                         ids=["stdin", "stderr", "all three"])
def test_closed_standard_descriptors_stay_closed(stage, missing):
    out = stage.folder / "probe.json"

    def close():
        for number in missing:
            os.close(number)

    def open_ones(way):
        assert stage.run(way, programs.c("probe"), out,
                         preexec_fn=close).status == 0
        told = json.loads(out.read_text())["descriptors"]
        return {number: (one["flags"], one["mode"])
                for number, one in told.items()}
    bare = open_ones(BARE)
    assert bare.keys().isdisjoint(map(str, missing))
    assert open_ones(UNDER) == bare


def exec_raw(words, variables):
    """execve with words and variables that no shell or Popen would pass."""
    def array(items):
        return (ctypes.c_char_p * (len(items) + 1))(*items, None)

    def replace():
        LIBC.execve(words[0], array(words), array(variables))
        os._exit(127)
    return replace


def test_odd_environment_and_arguments_arrive_byte_for_byte(stage):
    variables = [b"A=1", b"A=2", b"no-equals-sign", b"=nameless", b"",
                 b"BYTES=\xff\xfe\x01", b"LONG=" + b"x" * 100_000,
                 b"PATH=/usr/bin", b"_=/somewhere",
                 f"SIGWHY_DIR={stage.cases}".encode()]
    arguments = [b"", b"a b", b"\n", b"\xff", b"--", b"-x", b"y" * 100_000]
    out = stage.folder / "probe.json"

    def told(way):
        words = [os.fsencode(word) for word in
                 (*way.prefix, programs.c("probe"), out)] + arguments
        ending = stage.run(BARE, "/bin/false",
                           preexec_fn=exec_raw(words, variables))
        assert ending.status == 0, ending.told()
        return json.loads(out.read_text())
    bare, below = told(BARE), told(UNDER)
    assert_alike(bare, below, {
        "arguments", "environment", "started as", "/proc/self/environ",
        "/proc/self/cmdline"})


def test_its_name_when_found_on_the_path(stage):
    """argv[0] is the word that was typed, not the path that was found."""
    where = os.path.dirname(programs.c("probe"))
    out = stage.folder / "probe.json"

    def told(way, *launcher):
        stage.run(way, "probe", out, launcher=launcher,
                  env=stage.with_environment(PATH=f"{where}:/usr/bin"))
        return json.loads(out.read_text())
    assert_alike(told(BARE, "env"), told(UNDER), {
        "arguments", "started as", "/proc/self/exe", "/proc/self/cmdline"})


def test_under_a_seccomp_filter_of_the_callers(stage):
    out = stage.folder / "probe.json"

    def told(way):
        ending = stage.run(way, programs.c("probe"), out,
                           launcher=[programs.c("forbid"), "kexec_load"])
        assert ending.status == 0, ending.told()
        return with_kernel_files_split(json.loads(out.read_text()))
    assert_alike(told(BARE), told(UNDER), {
        "status Seccomp", "status Seccomp_filters", "status NoNewPrivs",
        "seccomp"})


def test_a_parent_death_signal_still_arrives(stage):
    """The caller that asked for it dies; the program gets the signal."""
    caller = stage.folder / "caller.py"
    caller.write_text(
        "import ctypes, os, sys\n"
        "def die_with_me():\n"
        "    ctypes.CDLL(None).prctl(1, 15, 0, 0, 0)\n"
        "import subprocess\n"
        "child = subprocess.Popen(sys.argv[1:], preexec_fn=die_with_me)\n"
        "sys.stdin.read(1)\n")

    def program_ends_with_caller(way):
        running = stage.start(BARE, "/usr/bin/python3", caller, *way.prefix,
                              programs.c("die"), "wait")
        running.out.wait_for(b"ready\n")
        running.send(signal.SIGKILL)
        running.status()
        return running.out.at_end()
    assert program_ends_with_caller(under("--quiet")) == \
        program_ends_with_caller(BARE)
