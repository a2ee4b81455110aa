"""Source lines: from the file itself, from /usr/lib/debug by build-id, from a debuginfod only where one is named."""
import contextlib
import os
import pathlib
import socket
import subprocess
import time
import urllib.request

import pytest
from conftest import NULL_READER


def lines(run):
    return [frame.get("source", {}).get("line") for frame in run.case["snapshot"]["threads"][0]["frames"]]


def quoted(run):
    frames = run.case["snapshot"]["threads"][0]["frames"]
    return [f["source"]["text"] for f in frames if f.get("source", {}).get("text")]


def split_off(bench, program):
    """The debug information goes to a file of its own, found by build-id alone; returns that file and the id."""
    debug = bench.folder / "apart.debug"
    subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
    subprocess.run(["objcopy", "--strip-all", program], check=True)
    notes = subprocess.run(["readelf", "-n", program], check=True, capture_output=True, text=True).stdout
    return debug, notes.split("Build ID: ")[1].split()[0]


@pytest.fixture
def split(bench):
    program = bench.build("split", NULL_READER, "-O1", "-g", "-Wl,--build-id")
    return program, *split_off(bench, program)


def test_in_the_file(bench, null_reader):
    run = bench.run(null_reader)
    assert lines(run)[:2] == [3, 4]
    assert "null_reader.c:3" in run.err
    assert "double first(struct" in run.unwrapped, "the line itself"
    assert run.case["snapshot"]["threads"][0]["frames"][0]["source"]["text"].endswith("return t->data[0]; }")


def test_edited_source_is_not_shown(bench, null_reader):
    source = bench.folder / "null_reader.c"
    source.write_text("\n// another line\n" + source.read_text())
    os.utime(source, (time.time() + 10, time.time() + 10))
    run = bench.run(null_reader)
    assert "null_reader.c:3" in run.err
    assert "another line" not in run.err and "struct tensor" not in run.err


def packed(bench):
    """A program whose debug information names its source by no folder, unpacked with it somewhere else."""
    bench.build("packed", NULL_READER, "-O1", "-g", f"-ffile-prefix-map={bench.folder}/=",
                f"-ffile-prefix-map={os.getcwd()}=.")
    place = bench.folder / "unpacked/lib"
    place.mkdir(parents=True)
    for name in ("packed", "packed.c"):
        (bench.folder / name).rename(place / name)
    return place


def test_source_beside_the_program(bench):
    run = bench.run(packed(bench) / "packed")
    assert "packed.c:" in run.err and quoted(run)[0].endswith("return t->data[0]; }")


def test_source_beside_the_program_that_was_edited(bench):
    place = packed(bench)
    later = (place / "packed").stat().st_mtime + 3600
    os.utime(place / "packed.c", (later, later))
    run = bench.run(place / "packed")
    assert "packed.c:" in run.err and not quoted(run)


def test_nowhere(bench, split):
    run = bench.run(split[0])
    assert lines(run)[0] is None
    assert run.verdict == "null-pointer"


def test_by_build_id(bench, split):
    program, debug, build_id = split
    place = pathlib.Path("/usr/lib/debug/.build-id") / build_id[:2] / (build_id[2:] + ".debug")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(debug.read_bytes())
    try:
        assert lines(bench.run(program))[:2] == [3, 4]
    finally:
        place.unlink()
        with contextlib.suppress(OSError):
            place.parent.rmdir()


@contextlib.contextmanager
def debuginfod(folder, database):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(["debuginfod", "-F", folder, "-p", str(port), "-d", database, "-t", "0", "-g", "0"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def wait_for(url, build_id):
    for _ in range(200):
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(f"{url}/buildid/{build_id}/debuginfo", timeout=5).read()
        time.sleep(0.1)
    pytest.fail("debuginfod did not index the file")


def test_from_a_debuginfod(bench, split):
    program, debug, build_id = split
    served = bench.folder / "served"
    served.mkdir()
    debug.rename(served / debug.name)
    with debuginfod(served, bench.folder / "db.sqlite") as url:
        wait_for(url, build_id)
        cache = bench.folder / "cache"
        assert lines(bench.run(program))[0] is None, "asked nobody: none was named"
        env = dict(bench.env, DEBUGINFOD_URLS=url, DEBUGINFOD_CACHE_PATH=str(cache))
        assert lines(bench.run(program, env=env))[:2] == [3, 4]
