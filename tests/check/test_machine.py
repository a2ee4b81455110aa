"""What is said of the machine, the container and the shell that a run would find: each limit once where it would end a
run, and once a little wider, where nothing may be said. They are real ones, set for `sigwhy check` alone: a file system
of a few MiB in a mount namespace of its own, a control group, a limit of the shell; the kernel's words on CPU and
memory are replaced there."""
import contextlib
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import uuid

import pytest
from conftest import TOP, Room

sys.path.insert(0, str(TOP / "lab"))
from stage import memory_limit  # noqa: E402

NAMESPACE = ["unshare", "--mount", *(["--map-root-user"] if os.geteuid() else [])]
PIDS = [pathlib.Path("/sys/fs/cgroup/pids"), pathlib.Path("/sys/fs/cgroup")]
WHEEL = "cp311-cp311-manylinux_2_17_x86_64"


def after(commands):
    """Words that carry out shell commands in a mount namespace and then what follows."""
    if subprocess.run([*NAMESPACE, "true"], capture_output=True).returncode:
        pytest.skip("no mount namespaces here")
    return [*NAMESPACE, "sh", "-c", commands + ' && exec "$@"', "sh"]


def mounted(where, options):
    return after(f"mount -t tmpfs -o {options} tmpfs {where}")


# ---- CPU


def on_cpu(room, without):
    """As on this machine, less some features."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().split("\n\n")[0].split("\n")
    gone = set(without.split())
    said = "\n".join(" ".join(w for w in line.split(" ") if w not in gone) if line.startswith("flags") else line for line in lines)
    file = room.folder / "cpuinfo"
    file.write_text(said + "\n\n")
    return after(f"mount --bind {file} /proc/cpuinfo")


def has(feature):
    return feature in pathlib.Path("/proc/cpuinfo").read_text().split()


def test_tensorflow_from_the_index_on_a_cpu_without_avx(room):
    room.package("tensorflow", "2.16.1", tag=WHEEL)
    found = room.check("import tensorflow\n", before=on_cpu(room, "avx avx2"))
    concern, = found.of("cpu")
    assert concern["claim"] == "tensorflow 2.16.1 needs a CPU with AVX, which this one has not"
    assert (concern["cause"], concern["severity"], found.status) == ("unsupported-instruction", "ends", 1)


@pytest.mark.skipif(not has("avx"), reason="this CPU has no AVX")
def test_a_cpu_that_has_it_is_not_spoken_of(room):
    room.package("tensorflow", "2.16.1", tag=WHEEL)
    assert not room.check("import tensorflow\n", before=on_cpu(room, "avx512f")).of("cpu")


def test_a_tensorflow_that_was_compiled_here(room):
    """For which CPU, nobody knows."""
    room.package("tensorflow", "2.16.1", tag="cp311-cp311-linux_x86_64")
    assert not room.check("import tensorflow\n", before=on_cpu(room, "avx avx2")).of("cpu")


def test_a_library_that_states_its_level(room):
    source = room.folder / "level.c"
    source.write_text("int level(void) { return 3; }")
    built = subprocess.run(["gcc", "-shared", "-fPIC", "-o", room.site / "level.so", source, "-Wl,-z,x86-64-v3"], capture_output=True)
    if built.returncode:
        pytest.skip("the linker cannot state a level")
    found = room.check("import level\n", before=on_cpu(room, "fma"))
    assert [c["claim"] for c in found.of("cpu")] == ["level.so needs a CPU with x86-64-v3, which this one has not"]
    if has("fma") and has("avx2"):
        assert not room.check("import level\n", before=on_cpu(room, "avx512f")).of("cpu")


# ---- memory


@pytest.mark.parametrize("mib, said", [(110, True), (600, False)])
def test_memory_of_the_control_group(room, mib, said):
    """TensorFlow takes 120 MiB before the first tensor."""
    if not memory_limit.can_be_made():
        pytest.skip("no memory control group may be made here")
    room.package("tensorflow", "2.16.1")
    with memory_limit.of(mib) as inside:
        found = room.check("import tensorflow\n", before=inside)
        assert bool(found.of("memory")) == said, found.claims
        assert found.status == (1 if said else 0)
        if said:
            concern, = found.of("memory")
            assert "importing tensorflow alone takes more" in concern["claim"]
            assert f"has a limit of {mib} MiB" in concern["because"][0]
        else:
            # far less than a framework takes, enough for anything else
            assert not room.check("import json\n", before=inside).of("memory")


@pytest.mark.parametrize("mib, said", [(20, True), (4000, False)])
def test_memory_of_the_machine(room, mib, said):
    file = room.folder / "meminfo"
    file.write_text(f"MemTotal:  8388608 kB\nMemFree:  1 kB\nMemAvailable:  {mib << 10} kB\nSwapFree:  0 kB\n")
    found = room.check("import json\n", before=after(f"mount --bind {file} /proc/meminfo"))
    assert [c["claim"] for c in found.of("memory")] == ([f"{mib} MiB of memory are left, Python alone takes more"] if said else [])


# ---- room for files


@pytest.mark.parametrize("options, claim", [
    ("size=8m", "the folder for temporary files has 8 MiB left for files"),
    ("size=200m,nr_inodes=10", "the folder for temporary files can take 9 more files"),
    ("size=200m", None),
])
def test_room_for_temporary_files(room, options, claim):
    place = room.folder / "scratch"
    place.mkdir()
    found = room.check("import json\n", before=mounted(place, options), set={"TMPDIR": str(place)})
    assert [c["claim"] for c in found.of("disk")] == ([claim] if claim else [])
    assert all((c["cause"], c["severity"]) == ("disk-full", "may-end") for c in found.of("disk"))


@pytest.mark.parametrize("size, claims", [("4m", ["the working folder has 4 MiB left for files"]), ("200m", [])])
def test_room_in_the_working_folder(room, size, claims):
    place = room.folder / "run"
    place.mkdir()
    into = after(f"mount -t tmpfs -o size={size} tmpfs {place} && cd {place}")
    found = room.check("import json\n", before=into)
    assert [c["claim"] for c in found.of("disk")] == claims


@pytest.mark.parametrize("size, code, said", [
    ("64m", "loader = dict(num_workers=4)\n", True),
    ("64m", "from multiprocessing import shared_memory\n", True),
    ("64m", "loader = dict(num_workers=0)\n", False),  # nothing goes through it
    ("64m", "import json\n", False),
    ("512m", "loader = dict(num_workers=4)\n", False),
])
def test_shared_memory(room, size, code, said):
    found = room.check(code, before=mounted("/dev/shm", f"size={size}"))
    concerns = found.of("shared-memory")
    assert [c["cause"] for c in concerns] == (["shared-memory-full"] if said else [])
    if said:
        assert concerns[0]["claim"].startswith("/dev/shm has 64 MiB left")


# ---- limits


def limited(**limits):
    def apply():
        for name, most in limits.items():
            number = getattr(resource, "RLIMIT_" + name)
            resource.setrlimit(number, (most, resource.getrlimit(number)[1]))
    return apply


LIMITS = [
    (dict(STACK=512 << 10), "json", "the stack is limited to 512 KiB"),
    (dict(STACK=8 << 20), "json", None),
    (dict(NOFILE=24), "json", "the number of open files is limited to 24 files"),
    (dict(NOFILE=128), "json", None),
    (dict(NOFILE=128), "torch", "the number of open files is limited to 128 files"),
    (dict(NOFILE=1024), "torch", None),
    (dict(AS=2 << 30), "json", None),
    (dict(AS=2 << 30), "torch", "the address space is limited to 2048 MiB"),
    (dict(AS=64 << 30), "torch", None),
]


@pytest.mark.parametrize("limits, module, claim", LIMITS)
def test_limits_of_the_shell(room, limits, module, claim):
    room.package("torch", "2.6.0")
    found = room.check(f"import {module}\n", preexec_fn=limited(**limits))
    assert [c["claim"] for c in found.of("limits")] == ([claim] if claim else [])
    assert found.status == (1 if claim else 0)


@contextlib.contextmanager
def for_all_to_read():
    """A room that another user can enter: pytest's own folders are closed."""
    with tempfile.TemporaryDirectory(prefix="sigwhy-check-") as folder:
        os.chmod(folder, 0o755)
        yield Room(pathlib.Path(folder))


@pytest.mark.parametrize("most, said", [(20, True), (4096, False)])
def test_processes_of_a_user(most, said):
    before = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    with for_all_to_read() as room:
        found = room.check("import json\n", before=before, preexec_fn=limited(NPROC=most))
    claims = [c["claim"] for c in found.of("limits")]
    assert claims == ([f"this user may have {most} processes and threads in all"] if said else [])


def pids_group(most):
    parent = next((p for p in PIDS if os.access(p / "cgroup.procs", os.W_OK)), None)
    if not parent:
        pytest.skip("no control groups of processes to write to")
    folder = parent / f"sigwhy-check-{uuid.uuid4().hex[:8]}"
    folder.mkdir()
    try:
        (folder / "pids.max").write_text(str(most))
    except OSError:
        folder.rmdir()
        pytest.skip("no control groups of processes to write to")
    return folder


@pytest.mark.parametrize("inner", [False, True], ids=["own", "outer"])
@pytest.mark.parametrize("most, said", [(12, True), (2000, False)])
def test_processes_of_a_container(room, most, said, inner):
    """The limit of its own group, or of one around it."""
    folder = pids_group(most)
    place = folder / "inner" if inner else folder
    place.mkdir(exist_ok=True)
    try:
        found = room.check("import json\n", before=["sh", "-c", f'echo $$ > {place}/cgroup.procs; exec "$@"', "sh"])
    finally:
        for each in dict.fromkeys([place, folder]):
            memory_limit.remove(each)
    claims = [c["claim"] for c in found.of("limits")]
    assert len(claims) == said, claims
    if said:
        assert claims[0].startswith("this container may start ") and f"is {most}, in use are" in found.of("limits")[0]["because"][0]
