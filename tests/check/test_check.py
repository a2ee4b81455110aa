"""What is said of environments that were made up file by file, and what is not."""
import json
import subprocess

import pytest
from conftest import SIGWHY, check


def test_a_sound_room_is_silent(room):
    room.package("alpha", "1.2", ["beta>=1,<3", "gamma; extra == 'more'", "delta; python_version < '3'"])
    room.package("beta", "2.0rc1")
    found = room.check("import alpha\nimport os, sys, json, xml.etree.ElementTree\nfrom collections import abc\nimport zlib, math, _socket\n")
    assert (found.status, found.concerns) == (0, [])
    assert found.answer["python_version"] == "3.11.2"
    assert [p["name"] for p in found.answer["packages"]] == ["alpha", "beta"]


def test_a_version_that_is_not_accepted(room):
    room.package("alpha", "1.2", ["beta (<2)"])
    room.package("beta", "2.1")
    found = room.check("import alpha\n")
    assert found.status == 1
    assert found.claims == ["alpha 1.2 requires beta<2, but 2.1 is installed"]
    assert found.concerns[0]["severity"] == "may-end"


def test_a_requirement_of_a_requirement_that_is_missing(room):
    room.package("alpha", "1.2", ["Beta_One"])
    room.package("beta-one", "2.1", ["gamma>=1"])
    assert room.check("import alpha\n").claims == ["beta-one 2.1 requires gamma>=1, which is not installed"]


def test_what_is_installed_and_not_imported_is_nobodys_concern(room):
    room.package("alpha", "1.2", ["nonsuch"])
    room.package("other", "1")
    assert room.check("import other\n").concerns == []


def test_extras_count_where_they_are_asked_for(room):
    room.package("alpha", "1.2", ["beta[fast]"])
    room.package("beta", "2.1", ["speed>=2; extra == 'fast'", "slow; extra == 'other'"])
    assert room.check("import alpha\n").claims == ["beta 2.1 requires speed>=2, which is not installed"]


def test_a_requirement_that_nobody_can_read_breaks_nothing(room):
    room.package("alpha", "1.2", ["beta>=banana", "beta<3.*", "beta; nonsense == '1'"])
    room.package("beta", "2.1")
    assert room.check("import alpha\n").concerns == []


def test_a_module_is_found_under_another_name_than_its_package(room):
    room.package("PyYAML", "6", ["nonsuch"], module="yaml")
    room.package("protobuf", "4", ["nothing-here"], module="google/protobuf")
    assert sorted(room.check("import yaml\n").claims) == ["PyYAML 6 requires nonsuch, which is not installed"]
    assert room.check("from google.protobuf import message\n").claims == ["protobuf 4 requires nothing-here, which is not installed"]


def test_an_old_egg(room):
    info = room.site / "oldie-1.0-py3.11.egg-info"
    info.mkdir()
    (info / "PKG-INFO").write_text("Metadata-Version: 1.0\nName: oldie\nVersion: 1.0\n")
    (info / "requires.txt").write_text("beta>1\n\n[extra]\ngamma\n\n[:python_version < '3']\ndelta\n")
    (info / "top_level.txt").write_text("oldie\n")
    (room.site / "oldie.py").write_text("")
    assert room.check("import oldie\n").claims == ["oldie 1.0 requires beta>1, which is not installed"]


MISSING = {
    "import nonsuch\n": True,
    "from nonsuch.deep import thing\n": True,
    "import os; import nonsuch\n": True,
    "def f():\n    import nonsuch\n": False,
    "try:\n    import nonsuch\nexcept ImportError:\n    nonsuch = None\n": False,
    "try: import nonsuch\nexcept: pass\n": False,
    "try:\n    import nonsuch\nexcept ImportError as e:\n    raise SystemExit(e)\n": True,
    "try:\n    import nonsuch\nexcept KeyError:\n    pass\n": True,
    "import contextlib\nwith contextlib.suppress(ImportError):\n    import nonsuch\n": False,
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import nonsuch\n": False,
    "import sys\nif sys.platform == 'win32':\n    import nonsuch\n": False,
    "if __name__ == '__main__':\n    import nonsuch\n": True,
    "import sys\nsys.path.insert(0, 'lib')\nimport nonsuch\n": False,
    "text = '''\nimport nonsuch\n'''\n": False,
    "# import nonsuch\nx = (1,\nimport_nonsuch := 2)\n": False,
    "import own\n": False,
    "import broken_own\n": True,
    "from . import nonsuch\n": False,
    "import six.moves.urllib\nfrom six.moves import nonsuch\n": False,
    "from \\\n    nonsuch import (a,\n  b)\n": True,
}


@pytest.mark.parametrize("source", MISSING)
def test_missing_imports(room, source):
    room.package("six", "1.17")
    room.script("import json\n", "own.py")
    room.script("import json\nimport nonsuch\n", "broken_own.py")
    found = room.check(source)
    assert bool(found.of("missing-import")) == MISSING[source], found.claims
    assert found.status == (1 if MISSING[source] else 0)


def test_the_line_of_a_missing_import_is_named(room):
    found = room.check("import os\n\nimport nonsuch as n\n")
    assert "train.py:3 imports" in found.concerns[0]["claim"]
    assert found.concerns[0]["severity"] == "ends"


def test_a_wheel_for_another_python(room):
    room.package("alpha", "1", tag="cp39-cp39-manylinux_2_17_x86_64")
    room.package("beta", "1", tag="cp38-abi3-manylinux_2_17_x86_64")
    room.package("gamma", "1", tag="cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64")
    found = room.check("import alpha, beta, gamma\n")
    assert found.claims == ["alpha 1 was made for another Python than 3.11.2"]
    assert (found.concerns[0]["cause"], found.concerns[0]["severity"]) == ("abi-mismatch", "ends")


def test_a_package_that_asks_for_a_newer_python(room):
    room.package("alpha", "1", Requires_Python=">=3.12")
    room.package("beta", "1", Requires_Python=">=3.8,<4")
    assert room.check("import alpha, beta\n").claims == ["alpha 1 asks for Python >=3.12, this is 3.11.2"]


def built(room, name, source, *flags):
    file = room.folder / (name + ".c")
    file.write_text(source)
    room.site.joinpath(name).parent.mkdir(exist_ok=True)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", room.site / name, file, *flags], check=True)


def test_a_library_that_is_nowhere(room):
    built(room, "libgone.so.1", "int gone(void) { return 1; }", "-Wl,-soname,libgone.so.1")
    built(room, "direct.so", "int gone(void); int use(void) { return gone(); }", room.site / "libgone.so.1")
    built(room, "found.so", "int gone(void); int use(void) { return gone(); }", room.site / "libgone.so.1", "-Wl,-rpath,$ORIGIN")
    assert room.check("import found\n").concerns == []
    assert room.check("import direct\n", set={"LD_LIBRARY_PATH": str(room.site)}).concerns == []
    # the module that is loaded first brings it in for the other one
    assert room.check("import found\nimport direct\n").concerns == []
    found = room.check("import direct\n")
    assert found.claims == ["the library libgone.so.1 is nowhere to be found"]
    assert found.concerns[0]["severity"] == "ends"
    found = room.check("try:\n    import direct\nexcept ImportError:\n    pass\n")
    assert (found.status, found.concerns[0]["severity"]) == (0, "worth-knowing")


def test_a_symbol_version_that_the_library_does_not_have(room):
    script = room.folder / "map"
    for versions in ("V_1 {};", "V_1 {}; V_2 { later; };"):
        script.write_text(versions)
        built(room, "libver.so.1", "int later(void) { return 1; }", "-Wl,-soname,libver.so.1", f"-Wl,--version-script={script}")
        if "V_2" in versions:
            built(room, "user.so", "int later(void); int use(void) { return later(); }", room.site / "libver.so.1", "-Wl,-rpath,$ORIGIN")
    assert room.check("import user\n").concerns == []
    script.write_text("V_1 { later; };")
    built(room, "libver.so.1", "int later(void) { return 1; }", "-Wl,-soname,libver.so.1", f"-Wl,--version-script={script}")
    assert room.check("import user\n").claims == ["user.so needs a newer libver.so.1: V_2"]


def test_two_openmp_runtimes_of_one_family(room):
    for name in ("libiomp5-1a2b3c.so", "libomp-4d5e6f.so", "libgomp-778899.so"):
        built(room, name, "int omp(void) { return 1; }", f"-Wl,-soname,{name}")
        built(room, "use" + name[3:5] + ".so", "int omp(void); int use(void) { return omp(); }", room.site / name, "-Wl,-rpath,$ORIGIN")
    found = room.check("import useio\nimport useom\nimport usego\n")
    assert [c["cause"] for c in found.concerns] == ["openmp-conflict"]
    assert room.check("import useio\nimport usego\n").concerns == []
    assert room.check("import useio\nimport useom\n", set={"KMP_DUPLICATE_LIB_OK": "TRUE"}).concerns == []


def test_launchers_and_modules(room):
    (room.folder / "env/bin/torchrun").write_text(f"#!{room.python}\nimport sys\n")
    (room.folder / "env/bin/torchrun").chmod(0o755)
    room.script("import nonsuch\n")
    for command in (["env/bin/torchrun", "--nproc_per_node", "2", "train.py"], ["env", "A=1", "nice", room.python, "-u", "train.py"],
                    [room.python, "-m", "cProfile", "train.py"], [room.python, "-m", "train"], [room.python, "-c", "import nonsuch"]):
        found = check(*command, cwd=room.folder)
        assert [c["check"] for c in found.concerns] == ["missing-import"], command


def test_what_cannot_be_started(room):
    assert check("./no-such-program", cwd=room.folder).claims == ["./no-such-program is no program that can be started"]
    assert "does not exist" in check(room.python, "gone.py", cwd=room.folder).claims[0]
    assert check(env={"PATH": "/nowhere"}, cwd=room.folder).claims == ["there is no Python on the PATH"]


def test_limits_are_those_of_the_shell(room):
    room.script("import json\n")
    words = f"ulimit -s 512; ulimit -n 24; exec {SIGWHY} check --json -- {room.python} train.py"
    found = json.loads(subprocess.run(["sh", "-c", words], capture_output=True, cwd=room.folder).stdout)
    assert [c["claim"] for c in found["concerns"]] == ["the stack is limited to 512 KiB", "the number of open files is limited to 24 files"]


def test_nothing_is_run(room):
    room.package("alpha", "1", text="open('/tmp/ran', 'w')\nraise SystemExit(3)\n")
    mark = room.folder / "ran"
    assert room.check(f"open({str(mark)!r}, 'w')\nimport alpha\n").concerns == []
    assert not mark.exists()


def test_imports_under_supervision_name_the_pair(room):
    room.package("first", "1", text="import builtins\nbuiltins.first = 1\n")
    room.package("middle", "1")
    room.package("last", "1", text="import builtins, os\nhasattr(builtins, 'first') and os.abort()\n")
    found = room.check("import first\nimport middle\nimport last\n", "--import", "--yes")
    pair = found.of("import")[0]
    assert pair["claim"] == "first and last break each other: last fails once first is imported"
    assert pair["fix"][0] == "import last before first: in that order both load"
    assert found.status == 1
    assert room.check("import last\nimport middle\nimport first\n", "--import", "--yes").concerns == []


def test_an_import_that_fails_by_itself(room):
    room.package("alone", "1", text="raise RuntimeError('not today')\n")
    found = room.check("import alone\n", "--import", "--yes")
    assert found.claims == ["import alone fails by itself"]
    assert any("not today" in fact for fact in found.concerns[0]["because"])


def test_a_public_bug_of_what_the_script_calls(room):
    room.package("tensorflow", "2.4.0")
    found = room.check("import tensorflow as tf\ntf.raw_ops.QuantizedBatchNormWithGlobalNormalization(t=1)\n")
    assert {c["severity"] for c in found.of("known-bugs")} == {"worth-knowing"}
    assert all("QuantizedBatchNormWithGlobalNormalization" in c["because"][0] for c in found.of("known-bugs")) and found.status == 0
    assert room.check("import tensorflow as tf\ntf.add(1, 2)\n").concerns == []
