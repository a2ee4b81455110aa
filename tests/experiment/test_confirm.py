"""Every variation has a program that it confirms and one that it refutes. The
programs die for good; each is run once for its case, then `sigwhy confirm
--only VARIATION` settles it.

The first comment of a program is its test:

    confirm: VARIATION SETTLED [CAUSE STRENGTH]   what must come out
    says: WORDS         in a sentence of the first finding
    fix: tested         the report says that a fix was tested, and no death is left
    build: FLAGS        for the compiler
    arguments, options  of the program; of `sigwhy confirm`
    memory: N           the first run is in a memory group of N MiB
    from: command       it does not die: `confirm -- COMMAND`
    libraries: NAMES    NAME.lib.c beside it becomes lib.so; `own/x other/x` are two of one name
    library path: NAME  that folder is in LD_LIBRARY_PATH
    modules: NAMES      Python modules that load the library of their name
    packages: A-1 A-2   wheels; the first is the one in use
    needs: FEATURE      of the CPU
    python: NAME        an interpreter that has this framework; such tests are long
    long: WHY           only in `make test-all`
"""
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from conftest import PYTHON, ROOT, SIGWHY

sys.path.insert(0, str(ROOT / "tests/contract"))
sys.path.insert(0, str(ROOT / "tests"))
import memory_group  # noqa: E402
from crashes.runner import frameworks  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "confirm"
PROGRAMS = sorted(p for p in FOLDER.iterdir() if p.suffix in (".c", ".py") and p.name.count(".") == 1)


def keys_of(path):
    keys = {}
    for line in path.read_text().splitlines():
        if not line.startswith(("//", "#")) or line.startswith("#include"):
            break
        name, colon, value = line.lstrip("/# ").partition(": ")
        if colon:
            keys[name] = value
    return keys


def marked(path):
    slow = {"python", "long"} & keys_of(path).keys()
    return pytest.param(path, id=path.stem, marks=[pytest.mark.long] if slow else [])


class Stage:
    """A folder with the built program, and how it is run."""

    def __init__(self, path, folder):
        self.path, self.folder, self.keys = path, folder, keys_of(path)
        self.environment = {**os.environ, "SIGWHY_DIR": str(folder / "cases")}
        self.libraries = [self.library(name) for name in self.keys.get("libraries", "").split()]
        for name in self.keys.get("modules", "").split():
            (folder / f"{name}.py").write_text(
                f"import ctypes\nlibrary = ctypes.CDLL({str(folder / f'lib{name}.so')!r}, ctypes.RTLD_GLOBAL)\n")
        if "library path" in self.keys:
            self.environment["LD_LIBRARY_PATH"] = str(folder / self.keys["library path"])
        self.packages(self.keys.get("packages", "").split())
        self.command = [*self.program(), *self.keys.get("arguments", "").split()]

    def library(self, name):
        to = self.folder / Path(name).parent / f"lib{Path(name).name}.so"
        to.parent.mkdir(exist_ok=True)
        source = FOLDER / f"{self.path.stem}.{name.replace('/', '.')}.c"
        subprocess.run(["gcc", "-g", "-shared", "-fPIC", "-o", to, source], check=True)
        return to

    def program(self):
        if self.path.suffix == ".py":
            script = self.folder / self.path.name
            script.write_text(self.path.read_text())
            return [interpreter(self.keys.get("python")), str(script)]
        built = self.folder / self.path.stem
        links = [f"-L{self.libraries[0].parent}", "-lshape", f"-Wl,-rpath,{self.libraries[0].parent}"] if self.libraries else []
        subprocess.run(["gcc", "-g", "-O1", "-o", built, self.path, *self.keys.get("build", "").split(), *links], check=True)
        return [str(built)]

    def packages(self, names):
        """Wheels for pip, without any index; the first version lies on PYTHONPATH."""
        for name in names:
            package, version = name.split("-")
            body = "def go():\n" + ("    return 1\n" if version == "2" else "    import ctypes\n    ctypes.string_at(0x123456000)\n")
            wheel = self.folder / f"{package}-{version}-py3-none-any.whl"
            with zipfile.ZipFile(wheel, "w") as archive:
                archive.writestr(f"{package}.py", body)
                info = f"{package}-{version}.dist-info"
                archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
                archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
                archive.writestr(f"{info}/RECORD", "")
        if names:
            (self.folder / "in_use").mkdir()
            with zipfile.ZipFile(self.folder / f"{names[0]}-py3-none-any.whl") as archive:
                archive.extractall(self.folder / "in_use")
            self.environment |= {"PYTHONPATH": str(self.folder / "in_use"), "PIP_NO_INDEX": "1",
                                 "PIP_FIND_LINKS": str(self.folder)}

    def run(self, *words, **options):
        return subprocess.run([SIGWHY, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=600, **options)

    def make_case(self):
        if "memory" in self.keys:
            with memory_group.memory_group() as group:
                self.run("run", "--quiet", "--", *self.command, preexec_fn=group.limit(int(self.keys["memory"])).enter)
        else:
            self.run("run", "--quiet", "--", *self.command)

    def confirm(self, variation):
        words = ["confirm", "--only", variation, "--json", *self.keys.get("options", "").split()]
        if self.keys.get("from") == "command":
            words += ["--", *self.command]
        else:
            self.make_case()
        ended = self.run(*words)
        assert ended.returncode in (0, 1), ended.stderr
        return json.loads(ended.stdout)


def interpreter(name):
    if not name:
        return PYTHON
    return frameworks.python_with(name) or pytest.skip(f"there is no {name}")


def has_cpu_feature(name):
    return name in Path("/proc/cpuinfo").read_text().split()


@pytest.mark.parametrize("path", [marked(p) for p in PROGRAMS])
def test_settles(path, tmp_path):
    keys = keys_of(path)
    if "needs" in keys and not has_cpu_feature(keys["needs"]):
        pytest.skip(f"this CPU has no {keys['needs']}")
    variation, settled, *finding = keys["confirm"].split()
    case = Stage(path, tmp_path).confirm(variation)
    outcomes = {o["variation"]: o for o in case["outcomes"]}
    assert variation in outcomes, (outcomes, case["diagnosis"])
    assert outcomes[variation]["settled"] == settled, outcomes[variation]
    if finding:
        strengths = {f["cause"]: f["strength"] for f in case["diagnosis"]["findings"]}
        assert strengths.get(finding[0]) == finding[1], case["diagnosis"]["findings"]
    if "says" in keys:
        assert keys["says"] in json.dumps(case["diagnosis"]["findings"][0])
    if "fix" in keys:
        assert case["fix_tests"][0]["after"]["died"] == 0
        assert case["fix_tests"][0]["before"]["died"] > 0
    else:
        assert not case["fix_tests"]


def test_every_variation_has_both():
    names = {p.stem for p in (ROOT / "src/experiment/variations").glob("*.cpp")}
    told = {}
    for path in PROGRAMS:
        variation, settled, *_ = keys_of(path)["confirm"].split()
        told.setdefault(variation.replace("-", "_"), set()).add(settled)
    assert {n: told.get(n) for n in names} == {n: {"confirmed", "refuted"} for n in names}


def test_what_was_proven_is_not_taken_back(tmp_path):
    """A second session that does not look at the mechanism leaves the case as it was."""
    stage = Stage(FOLDER / "guarded_heap_write.c", tmp_path)
    proven = stage.confirm("guarded-heap")["diagnosis"]
    ended = stage.run("confirm", "--only", "same-again", "--json")
    assert json.loads(ended.stdout)["diagnosis"] == proven and "stays as it was" in ended.stderr
    assert json.loads(stage.run("show", "--json").stdout)["diagnosis"] == proven
