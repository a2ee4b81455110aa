"""Two copies of one library in a process: named only where a call crosses from one into the other. Each program that
must be named has a twin that holds the same copies and is not. The libraries are small models that carry the real
ones' names, sonames and symbols; two of them disagree about an object's layout, as two releases do."""
import json
import os
import pathlib
import signal
import subprocess

import pytest

RUNTIME = r"""
#include <cstddef>
namespace google::protobuf {
class DescriptorPool { public: static void* generated_pool(); };
void* DescriptorPool::generated_pool() { static int pool; return &pool; }
class Message { public: void SetName(const char* text); FIELDS };
void Message::SetName(const char* text) { BODY }
}
"""
OLD = {"FIELDS": "const char** name; long size;", "BODY": "*name = text; size = 1;"}
NEW = {"FIELDS": "long size; const char* name;", "BODY": "size = 1; name = text;"}
USER = r"""
namespace google::protobuf { class Message { public: void SetName(const char* text); FIELDS }; }
extern "C" int fill() { google::protobuf::Message m{}; m.SetName("batch"); return (int)m.size; }
extern "C" int stumble() { volatile int* nothing = nullptr; return *nothing; }
"""
SCRIPT = """\
import ctypes
first = ctypes.CDLL("./libfirst.so", {scope})
second = ctypes.CDLL("./libsecond.so")
print("got", getattr(second, "{call}")())
"""


def filled(source, layout):
    for name, text in layout.items():
        source = source.replace(name, text)
    return source


class Copies:
    """libfirst.so with the old runtime, libsecond.so with the new one."""

    def __init__(self, bench):
        self.bench = bench

    def library(self, file, source, *flags, soname=None):
        self.bench.build(file, source, "-g", "-O0", "-shared", "-fPIC", "-Wl,-rpath,$ORIGIN",
                         *([f"-Wl,-soname,{soname}"] if soname else []), *flags, compiler="g++")

    def protobufs(self):
        self.library("libprotobuf.so.17", filled(RUNTIME, OLD), soname="libprotobuf.so.17")
        self.library("libprotobuf.so.32", filled(RUNTIME, NEW), soname="libprotobuf.so.32")
        folder = f"-L{self.bench.folder}"
        self.library("libfirst.so", filled(USER, OLD), folder, "-l:libprotobuf.so.17")
        self.library("libsecond.so", filled(USER, NEW), folder, "-l:libprotobuf.so.32")
        return self

    def run(self, scope, call):
        script = self.bench.folder / "train.py"
        script.write_text(SCRIPT.format(scope="ctypes." + scope, call=call))
        return self.bench.run("/usr/bin/python3", "train.py", options=("--always",))


@pytest.fixture
def copies(bench):
    return Copies(bench)


def finding(run, cause):
    return next((f for f in run.case["diagnosis"]["findings"] if f["cause"] == cause), None)


def family(case, name):
    return [lib for lib in case["snapshot"]["inventory"]["libraries"] if lib["family"] == name]


def test_a_call_that_crosses_is_the_cause(copies):
    run = copies.protobufs().run("RTLD_GLOBAL", "fill")
    assert run.status == -signal.SIGSEGV
    assert run.verdict == "protobuf-conflict"
    found = finding(run, "protobuf-conflict")
    assert found["strength"] == "strong" and found["rival"]
    assert found["explains"] == "null-pointer"
    assert "google::protobuf::Message::SetName() of libprotobuf.so.17 was called by fill() of libsecond.so, " \
           "which was linked with libprotobuf.so.32" in run.unwrapped
    assert "train.py:2" in run.unwrapped and "train.py:3" in run.unwrapped
    versions = {lib["version"]: lib["imported"]["line"] for lib in family(run.case, "protobuf")}
    assert versions == {"3.6": 2, "3.21": 3}


@pytest.mark.parametrize("scope, call, status, verdict", [
    ("RTLD_LOCAL", "fill", 0, "clean-exit"),  # each keeps to its own copy
    ("RTLD_GLOBAL", "stumble", -signal.SIGSEGV, "null-pointer"),  # no call into the other copy
    ("RTLD_LOCAL", "stumble", -signal.SIGSEGV, "null-pointer"),
])
def test_two_copies_alone_are_no_cause(copies, scope, call, status, verdict):
    run = copies.protobufs().run(scope, call)
    assert run.status == status
    assert run.verdict == verdict
    assert not finding(run, "protobuf-conflict")
    if status:
        assert len(family(run.case, "protobuf")) == 2
        assert "protobuf" not in run.err
        shown = copies.bench.sigwhy("show", "--full").stdout.decode()
        assert "protobuf *" in shown


def test_the_same_crossing_in_another_family(copies):
    runtime = 'extern "C" int H5get_libversion() {{ return 1; }} extern "C" int H5Fclose(long *f) {{ return {}; }}'
    copies.library("libhdf5.so.103", runtime.format("(int)*(long *)*f"), soname="libhdf5.so.103")
    copies.library("libhdf5.so.200", runtime.format("(int)*f"), soname="libhdf5.so.200")
    user = 'extern "C" int H5Fclose(long *); extern "C" int fill() { long file = 7; return H5Fclose(&file); }'
    for name, needed in (("libfirst.so", "103"), ("libsecond.so", "200")):
        copies.library(name, user, f"-L{copies.bench.folder}", f"-l:libhdf5.so.{needed}")
    crossed = copies.run("RTLD_GLOBAL", "fill")
    assert crossed.verdict == "mixed-libraries"
    assert "libhdf5.so.103" in crossed.unwrapped and "libhdf5.so.200" in crossed.unwrapped
    assert copies.run("RTLD_LOCAL", "fill").verdict == "clean-exit"


def test_a_copy_built_into_the_caller_that_is_not_used(copies):
    """The static copy exports its symbols, so that the first one in the global scope takes their place."""
    copies.protobufs()
    both = filled(RUNTIME, NEW) + 'extern "C" int fill() { google::protobuf::Message m{}; m.SetName("x"); return 1; }'
    copies.library("libsecond.so", both)
    run = copies.run("RTLD_GLOBAL", "fill")
    assert run.verdict == "protobuf-conflict"
    assert "which has a copy of its own" in run.unwrapped
    copies.library("libsecond.so", both, "-Wl,-Bsymbolic")
    assert copies.run("RTLD_GLOBAL", "fill").verdict == "clean-exit"


OPENMP = r"""
#include <cstdio>
#include <unistd.h>
extern "C" {
volatile int lock = TAKEN;
void __kmpc_fork_call() {}
void __kmp_acquire_ticket_lock(volatile int* l) { while (*l) continue; }
int omp_get_max_threads() { SAY __kmp_acquire_ticket_lock(&lock); return 2; }
}
"""


def look(bench, scope):
    """At a process that spins in the lock of an OpenMP runtime: the second one's, or whichever it calls."""
    script = bench.folder / "train.py"
    script.write_text("import ctypes\n"
                      f"a = ctypes.CDLL('./libomp.so.5', ctypes.{scope})\n"
                      "b = ctypes.CDLL('./libiomp5.so')\n"
                      "b.omp_get_max_threads()\n")
    program = subprocess.Popen(["/usr/bin/python3", "train.py"], cwd=bench.folder, stdout=subprocess.PIPE)
    try:
        assert program.stdout.readline() == b"ready\n"
        file = bench.folder / "look.json"
        shown = bench.sigwhy("attach", "--json", file, program.pid)
        return json.loads(file.read_text()), " ".join(shown.stdout.decode().split())
    finally:
        program.kill()
        program.wait()


def test_two_openmp_runtimes_that_spin(copies):
    say = 'puts("ready"); fflush(stdout);'
    for name in ("libomp.so.5", "libiomp5.so"):
        copies.library(name, filled(OPENMP, {"TAKEN": "1", "SAY": say}), soname=name)
    case, shown = look(copies.bench, "RTLD_GLOBAL")
    assert case["diagnosis"]["verdict"] == "openmp-conflict"
    assert "STRONG openmp-conflict" in shown and "libiomp5.so runs code of libomp.so.5" in shown
    case, shown = look(copies.bench, "RTLD_LOCAL")
    assert case["diagnosis"]["verdict"] == "unknown" and not case["diagnosis"].get("findings")
    assert len(family(case, "openmp")) == 2 and "openmp" not in shown


def test_two_copies_of_gomp_and_a_fault_elsewhere(bench):
    """As two wheels bring them: the same file under two names, both used."""
    system = pathlib.Path("/usr/lib/x86_64-linux-gnu/libgomp.so.1")
    if not system.exists():
        pytest.skip("needs libgomp")
    names = ["libgomp-a34b3233.so.1.0.0", "libgomp-7c85b1e2.so.1"]
    for name in names:
        (bench.folder / name).write_bytes(system.read_bytes())
    (bench.folder / "train.py").write_text(
        "import ctypes\n" + "".join(f"ctypes.CDLL('./{n}').omp_get_max_threads()\n" for n in names) +
        "ctypes.string_at(0)\n")
    run = bench.run("/usr/bin/python3", "train.py")
    assert run.verdict == "null-pointer" and not finding(run, "openmp-conflict")
    found = family(run.case, "openmp")
    assert [lib["name"] for lib in found] == ["libgomp (GNU)"] * 2
    assert all(lib["came_in"] == "opened" and lib["version"] for lib in found)
    assert {lib["imported"]["line"] for lib in found} == {2, 3}


BLOCKS = r"""
#include <stdlib.h>
#include <string.h>
char *make(long bytes) { char *block = malloc(bytes); memset(block, 1, bytes); return block; }
void take(char *block) { free(block); }
void take_inside(char *block) { free(block + 32); }
"""
HAND_OVER = """\
import ctypes, os
maker = ctypes.CDLL("./libmaker.so", os.RTLD_NOW | {maker})
taker = ctypes.CDLL("./libtaker.so", os.RTLD_NOW | {taker})
for library in (maker, taker):
    library.make.restype, library.make.argtypes = ctypes.c_void_p, [ctypes.c_long]
    library.take.argtypes = library.take_inside.argtypes = [ctypes.c_void_p]
block = {make}.make({bytes})
{then}
taker.{take}(block)
"""
# jemalloc puts large blocks at any cache line of their first page. At the start of a mapping no header can be read.
NOT_AT_THE_START = "while block % 4096 == 0: block = maker.make(3_000_000)"
AT_THE_START = """\
while block % 4096: block = maker.make(3_000_000)
ctypes.CDLL(None).munmap(ctypes.c_void_p(block - 4096), ctypes.c_long(4096))
"""


@pytest.fixture
def hand_over(bench):
    """A library that makes a block and one that frees it, in a program with an allocator of its own."""
    for name in ("libmaker.so", "libtaker.so"):
        bench.build(name, BLOCKS, "-g", "-O1", "-shared", "-fPIC")

    def run(maker="0", taker="0", make="maker", take="take", size=40, then="", allocator="libjemalloc.so.2"):
        script = bench.folder / "train.py"
        script.write_text(HAND_OVER.format(maker=maker, taker=taker, make=make, take=take, bytes=size, then=then))
        return bench.run("/usr/bin/python3", "train.py", options=("--always",), env=dict(bench.env, LD_PRELOAD=allocator))
    return run


def is_strongly_mixed(run, ends):
    assert run.status == -ends
    assert run.verdict == "mixed-libraries"
    found = finding(run, "mixed-libraries")
    assert found["strength"] == "strong" and found["rival"] and found["explains"] == "invalid-free"


@pytest.mark.parametrize("size", [40, 3_000_000])
def test_a_block_of_another_allocator_is_given_to_the_c_library(hand_over, size):
    run = hand_over(taker="os.RTLD_DEEPBIND", size=size, then=NOT_AT_THE_START)
    is_strongly_mixed(run, signal.SIGABRT)
    assert "libtaker.so calls the C library's free(); the rest of the program gets jemalloc's" in run.unwrapped
    assert "jemalloc (libjemalloc.so.2, preloaded)" in run.unwrapped


def test_a_block_of_another_allocator_at_the_start_of_its_mapping(hand_over):
    run = hand_over(taker="os.RTLD_DEEPBIND", size=3_000_000, then=AT_THE_START)
    is_strongly_mixed(run, signal.SIGSEGV)


@pytest.mark.parametrize("size", [40, 3_000_000])
def test_a_block_of_the_c_library_is_given_to_another_allocator(hand_over, size):
    run = hand_over(maker="os.RTLD_DEEPBIND", size=size)
    is_strongly_mixed(run, signal.SIGSEGV)
    assert "take() in libtaker.so freed a block of the C library's heap with the free() of jemalloc" in run.unwrapped


def test_the_same_libraries_with_one_allocator(hand_over):
    assert hand_over().verdict == "clean-exit"


def test_a_block_of_its_own_freed_in_the_middle_is_no_matter_of_two_allocators(hand_over):
    """Made and freed by the library that does not use the program's allocator."""
    run = hand_over(taker="os.RTLD_DEEPBIND", make="taker", take="take_inside", size=400)
    assert run.status == -signal.SIGABRT
    assert run.verdict in ("invalid-free", "heap-corruption")
    assert not finding(run, "mixed-libraries")


def test_a_block_freed_in_the_middle_with_the_programs_allocator(hand_over):
    assert not finding(hand_over(take="take_inside", size=400), "mixed-libraries")
