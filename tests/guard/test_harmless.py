"""Right programs behave under the guard as without it."""
import resource
import subprocess
from pathlib import Path

import pytest

from runs import MODES, built, run, stopped

JEMALLOC = Path("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2")
TCMALLOC = Path("/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4")


def same(command, mode, **options):
    bare, guarded = run(command, None, **options), run(command, mode, **options)
    assert (guarded.returncode, guarded.stdout, guarded.stderr) == (bare.returncode, bare.stdout, bare.stderr)
    return guarded


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("program", ("forms.c", "forms.cpp", "forks.c", "replaces.cpp", "wraps.c",
                                     "asks_by_handle.c", "protects.c", "limits_itself.c"))
def test_same_output(program, mode):
    assert same(built(program), mode).returncode in (0, 5)


@pytest.mark.parametrize("mode", ("all", "sampled", "all,protection"))
def test_many_blocks(mode):
    same(built("many.c"), mode)


@pytest.mark.parametrize("mode, most_mib", (("all", 128), ("sampled", 16)))
def test_a_core_file_is_not_full_of_us(tmp_path, mode, most_mib):
    """Two hundred GiB of addresses, though a hole on the disk, take a pipe to a crash handler minutes."""
    if Path("/proc/sys/kernel/core_pattern").read_text().split()[0] != "core":
        pytest.skip("core files go elsewhere")

    def core_bytes(mode):
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        run([built("wrong.c"), "abort"], mode, cwd=tmp_path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, unlimited))
        core, = tmp_path.iterdir()
        size = core.stat().st_size
        core.unlink()
        return size
    assert core_bytes(mode) - core_bytes(None) < most_mib << 20


@pytest.mark.parametrize("mode", ("all", "sampled"))
@pytest.mark.parametrize("other", (JEMALLOC, TCMALLOC), ids=lambda path: path.name)
def test_other_allocators(other, mode):
    """Preloaded too, or linked: it serves every call, and we none."""
    same(built("many.c"), mode, extra={"LD_PRELOAD": str(other)})
    same(built("forms.cpp", "-Wl,--no-as-needed", str(other)), mode)
    with stopped([built("wrong.c", "-Wl,--no-as-needed", str(other)), "abort"], mode) as found:
        assert found.tables.header.limits & 1 and found.tables.header.mode == 0


@pytest.mark.parametrize("mode", ("all", "sampled"))
@pytest.mark.parametrize("limit_mib", (120, 400))
def test_few_addresses(mode, limit_mib):
    limit = limit_mib << 20
    same(built("many.c"), mode, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))


def test_few_mappings():
    """Where mappings run out (the kernel's limit is 65,530) the rest goes unguarded, and the tables say so."""
    with stopped([built("wrong.c"), "many"], "all,protection") as found:
        assert found.tables.header.limits & 2
        assert sum(1 for _ in open(f"/proc/{found.pid}/maps")) < 65530 * 0.65


def test_the_kernel_s_tools():
    """Programs that were not made with us in mind."""
    for command in (["bash", "-c", "for i in 1 2 3; do echo $i | sort | tr 1 2; done"], ["ls", "-d", "/"],
                    ["perl", "-e", "print join ',', sort map { $_ * 2 } 1 .. 2000"]):
        same(command, "all")


def test_links_the_c_library_alone():
    from runs import GUARD
    said = subprocess.run(["objdump", "-T", GUARD], capture_output=True, text=True, check=True).stdout
    versions = {tuple(map(int, word.split("_")[1].rstrip(")").split(".")))
                for line in said.splitlines() for word in line.split() if word.lstrip("(").startswith("GLIBC_")}
    assert max(versions) <= (2, 17)
    needed = subprocess.run(["readelf", "-d", GUARD], capture_output=True, text=True, check=True).stdout
    assert [line.split("[")[1].rstrip("]") for line in needed.splitlines() if "NEEDED" in line] == ["libc.so.6"]
