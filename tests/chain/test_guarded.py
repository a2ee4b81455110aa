"""The guarded heap from the option to the sentence: what is proven, whose block it was, and what stays as it was."""
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "lab"))
from stage import memory_limit  # noqa: E402

NATIVE = r"""
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; int value[10]; };
static int *load(int n) { int *p = malloc(n * sizeof *p); for (int i = 0; i < n; i++) p[i] = i; return p; }
__attribute__((noinline)) static long crop(const int *p, int n) { long s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
__attribute__((noinline)) static void drop(void *p) { free(p); }
__attribute__((noinline)) static int use(const struct node *n) { return n->value[3]; }
__attribute__((noinline)) static void put(char *p, int n) { memset(p, 'x', n); }
__attribute__((noinline)) static int pick(const int *a, const int *i) { return a[*i]; }
int main(int argc, char **argv) {
  const char *what = argv[1];
  int *p = load(1000);
  if (!strcmp(what, "read")) return crop(p, 1010) == 1;
  if (!strcmp(what, "used")) { struct node *n = calloc(1, sizeof *n); drop(n); return use(n); }
  if (!strcmp(what, "twice")) { drop(p); drop(p); }
  if (!strcmp(what, "slack")) { char *c = malloc(100); put(c, 104); drop(c); }
  if (!strcmp(what, "kept")) { char *c = malloc(100); put(c, 104); return 0; }
  if (!strcmp(what, "unset")) return pick(p, malloc(64));
  if (!strcmp(what, "null")) return crop(0, 10) == 1;
  if (!strcmp(what, "wild")) return crop((int *)0x123456789000, 10) == 1;
  if (!strcmp(what, "abort")) abort();
  return crop(p, 1000) == 1;
}
"""

PYTHON = '''\
import ctypes
import sys
import numpy as np

lib = ctypes.CDLL(sys.argv[1])


def make(n):
    return np.arange(n, dtype=np.int64)


def step(labels, n):
    lib.crop(ctypes.c_void_p(labels.ctypes.data), ctypes.c_long(n))


labels = make(60000)
if sys.argv[2] == "freed":
    address = labels.ctypes.data
    del labels
    lib.crop(ctypes.c_void_p(address), ctypes.c_long(10))
step(labels, 60001 if sys.argv[2] == "read" else 60000)
'''

MANY = """
#include <stdlib.h>
__attribute__((noinline)) void put(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
int main(void) {
  int *first = malloc(40);
  for (int i = 0; i < 200000; i++) first[i % 10] = malloc(40) != 0;
  put(first, 40);
  return 0;
}
"""

LIBRARY = "long crop(const long *p, long n) { long s = 0; for (long i = 0; i < n; i++) s += p[i]; return s; }\n"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("native")
    (folder / "app.c").write_text(NATIVE)
    subprocess.run(["gcc", "-g", "-O1", "-w", "-o", folder / "app", folder / "app.c"], check=True)
    return str(folder / "app")


def guarded(bench, *command, mode="all"):
    return bench.run(*command, options=(f"--guard={mode}",))


@pytest.mark.parametrize("what, status, verdict, words", [
    ("read", -11, "out-of-bounds", "crop() in app read 4 bytes right behind the end of a block of 4,000 bytes"),
    ("used", -11, "use-after-free", "use() in app read 4 bytes of a block of 48 bytes that was freed by drop() app.c"),
    ("twice", -6, "invalid-free", "drop() in app freed a block of 4,000 bytes that was freed before by drop() app.c"),
    ("slack", -6, "heap-corruption", "4 bytes right behind the end of a block of 100 bytes were overwritten"),
    ("kept", 0, "heap-corruption", "4 bytes right behind the end of a block of 100 bytes were overwritten"),
    ("unset", -11, "uninitialised-read", "read from a block of 64 bytes, where it was never set"),
])
def test_proven(bench, program, what, status, verdict, words):
    run = guarded(bench, program, what)
    assert run.status == status
    finding = run.case["diagnosis"]["findings"][0]
    assert (finding["cause"], finding["strength"]) == (verdict, "proven"), finding
    assert words in finding["claim"]
    assert f"PROVEN {verdict}" in run.unwrapped


@pytest.mark.parametrize("what, status, verdict", [
    ("null", -11, "null-pointer"), ("wild", -11, "wild-pointer"), ("abort", -6, None), ("none", 0, "clean-exit"),
])
def test_what_is_nobodys_block_stays_what_it_was(bench, program, what, status, verdict):
    bare, run = bench.run(program, what), guarded(bench, program, what)
    assert run.status == bare.status == status
    assert run.verdict == bare.verdict
    assert verdict in (None, run.verdict)
    if status == 0:
        assert run.err == ""


def test_the_array_is_named_with_the_line_that_made_it(bench, tmp_path):
    library = bench.build("libcrop.so", LIBRARY, "-g", "-O1", "-shared", "-fPIC")
    script = tmp_path / "train.py"
    script.write_text(PYTHON)
    run = guarded(bench, "/usr/bin/python3", str(script), library, "read")
    assert run.case["diagnosis"]["findings"][0]["claim"] == (
        "crop() in libcrop.so read element 60,000 of `labels`; it has 60,000 elements, the last is 59,999")
    assert "labels NumPy int64 (60000,), made at train.py:9" in run.unwrapped
    run = guarded(bench, "/usr/bin/python3", str(script), library, "freed")
    assert run.verdict == "use-after-free"
    assert "freed at train.py:19" in run.unwrapped
    run = guarded(bench, "/usr/bin/python3", str(script), library, "healthy")
    assert (run.status, run.err, run.verdict) == (0, "", "clean-exit")


def test_where_it_cannot_be_preloaded_it_says_so_and_runs(bench):
    program = bench.build("still", "int main(void) { __builtin_trap(); }\n", "-static")
    run = guarded(bench, program)
    assert run.status == -4
    assert "sigwhy: --guard: it runs without: it is linked statically" in run.err
    assert any("the guarded heap it is linked statically" in gap for gap in run.gaps)
    program = bench.build("checked", "int main(void) { return 3; }\n", "-fsanitize=address")
    run = guarded(bench, program)
    assert run.status == 3
    assert "sanitizer" in run.err


def test_it_goes_behind_what_is_preloaded_already(bench):
    other = bench.build("libother.so", "int other;\n", "-shared", "-fPIC")
    show = "import os; print(os.environ['LD_PRELOAD'], os.environ['SIGWHY_GUARD'])"
    run = bench.run("/usr/bin/python3", "-c", show, options=("--guard",), env=dict(bench.env, LD_PRELOAD=other))
    preloads, mode = run.out.split()
    assert preloads.split(":")[0] == other
    assert preloads.endswith("/libsigwhy_guard.so") and mode == "sampled"


def test_the_recipe_is_the_users_own(bench, program):
    guarded(bench, program, "read")
    recipe, = (bench.folder / "cases").glob("*.recipe")
    environment = json.loads(recipe.read_text())["environment"]
    assert not any(e.startswith(("SIGWHY_GUARD=", "LD_PRELOAD=")) for e in environment)


# A table of two hundred thousand blocks is searched while the program stands still.
def test_many_blocks(bench):
    program = bench.build("many", MANY, "-g", "-O1", "-w")
    run = guarded(bench, program)
    assert run.verdict == "out-of-bounds"
    assert run.case["diagnosis"]["findings"][0]["strength"] == "proven"


LEAKING = """
#include <stdlib.h>
#include <string.h>
void decode(int bytes, int rounds) {
  volatile char *pixels = malloc(bytes);
  for (int n = 0; n < rounds; n++) memset((char *)pixels, n, bytes);
}
"""

LOOP = """\
import ctypes, hashlib, sys
decode = ctypes.CDLL(sys.argv[1]).decode
state = b"seed"
for step in range(10**9):
    decode({})
"""

WORK = "    for _ in range(12): state = hashlib.sha512(state * 3000).digest()\n"


# A loop that does nothing else may be filling a table that is meant to be that large.
@pytest.mark.long
@pytest.mark.parametrize("script, strength", [(LOOP.format("1 << 18, 1") + WORK, "strong"), (LOOP.format("1 << 14, 1000"), "plausible")], ids=["beside work", "alone"])
def test_native_memory_that_is_never_given_back(bench, script, strength):
    if not memory_limit.can_be_made():
        pytest.skip("needs a memory control group")
    library = bench.build("libdecode.so", LEAKING, "-g", "-shared", "-fPIC")
    (bench.folder / "loop.py").write_text(script)
    with memory_limit.of(200) as enter:
        run = guarded(bench, *enter, "/usr/bin/python3", bench.folder / "loop.py", library, mode="sampled")
    found = {f["cause"]: f for f in run.case["diagnosis"]["findings"]}
    assert found["out-of-memory-killed"]["strength"] == "proven"
    leak = found["memory-leak"]
    assert leak["strength"] == strength and "decode()" in leak["claim"], leak
    assert "--guard" not in "".join(leak["fix"])
