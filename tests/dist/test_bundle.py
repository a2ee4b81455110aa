"""The tarball stands on its own: a kernel, /proc and nothing else will do."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import rooms

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


def needed(path):
    """The libraries an ELF file asks its loader for."""
    told = subprocess.run(["readelf", "-d", path], text=True, check=True,
                          capture_output=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", told)


def test_the_front_is_static(bundle):
    told = subprocess.run(["readelf", "-l", bundle / "bin/sigwhy"], text=True,
                          check=True, capture_output=True).stdout
    assert "INTERP" not in told
    assert needed(bundle / "bin/sigwhy") == []


def test_every_library_lies_beside_the_developer(bundle):
    lib = bundle / "lib/sigwhy"
    files = [f for f in lib.iterdir() if f.is_file()]
    missing = {name for f in files for name in needed(f)
               if not (lib / name).exists()}
    assert not missing


def test_the_guard_needs_the_c_library_alone(bundle):
    """It is preloaded into programs that run on the host's."""
    assert needed(bundle / "lib/sigwhy/libsigwhy_guard.so") == ["libc.so.6"]


def test_programs_and_loader_may_be_executed(bundle):
    for name in ("bin/sigwhy", "lib/sigwhy/sigwhy-develop",
                 "lib/sigwhy/ld-linux-x86-64.so.2"):
        assert (bundle / name).stat().st_mode & 0o111 == 0o111


def test_packing_twice_gives_the_same_bytes(tarball, wheel, tmp_path):
    build = os.environ.get("SIGWHY_BUILD", TOOLS.parent / "build")
    for command in ([TOOLS / "dist.py", build, tmp_path],
                    [TOOLS / "wheel.py", tmp_path / tarball.name, tmp_path]):
        subprocess.run([sys.executable, *command], check=True,
                       capture_output=True)
    assert (tmp_path / tarball.name).read_bytes() == tarball.read_bytes()
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


@pytest.mark.skipif(not rooms.may_enter(), reason="no mount namespaces here")
def test_explains_a_crash_in_a_room_with_nothing_else(bundle, crash, tmp_path):
    rooms.furnish(tmp_path, bundle, crash)
    bare = rooms.run(tmp_path, "/opt/crash")
    ended = rooms.run(tmp_path, "/opt/sigwhy/bin/sigwhy", "run", "--",
                      "/opt/crash")
    assert ended.returncode == bare.returncode, ended.stderr
    assert ended.stdout == ""
    assert "null-pointer" in ended.stderr
    assert "last_value" in ended.stderr
    listed = rooms.run(tmp_path, "/opt/sigwhy/bin/sigwhy", "list")
    assert listed.returncode == 0, listed.stderr
    assert "null-pointer" in listed.stdout


@pytest.mark.skipif(not rooms.may_enter(), reason="no mount namespaces here")
def test_demo_works_in_a_room_with_nothing_else(bundle, crash, tmp_path):
    rooms.furnish(tmp_path, bundle, crash)
    ended = rooms.run(tmp_path, "/opt/sigwhy/bin/sigwhy", "demo")
    assert "sigwhy:" in ended.stderr, ended
    assert "died of" in ended.stderr
    assert "const double miss" in ended.stderr, "its source line"


def test_demo_names_no_folder_of_the_machine_that_built_it(bundle):
    programs = [p for p in (bundle / "lib/sigwhy/demo").iterdir() if os.access(p, os.X_OK)]
    assert programs
    for program in programs:
        assert program.with_suffix(".cpp").is_file()
        assert str(TOOLS.parent).encode() not in program.read_bytes(), program


def test_the_lab_is_in_it(bundle):
    ended = subprocess.run([bundle / "bin/sigwhy", "demo", "--lab", "--list"], text=True, capture_output=True)
    assert ended.returncode == 0, ended.stderr
    assert "wrong_dtype" in ended.stdout
    assert not list((bundle / "lib/sigwhy/lab").rglob("__pycache__"))


def test_the_lab_says_what_it_lacks(bundle, tmp_path):
    ended = subprocess.run([bundle / "bin/sigwhy", "demo", "--lab", "--python", tmp_path / "none"], text=True,
                           capture_output=True)
    assert ended.returncode == 1
    assert "has neither TensorFlow nor torch" in ended.stderr and "--environment tensorflow" in ended.stderr
