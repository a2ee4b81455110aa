"""Versions, specifiers and markers against `packaging`, which pip itself uses."""
import itertools
import pathlib
import subprocess

import pytest

packaging = pytest.importorskip("packaging")
from packaging.markers import InvalidMarker, Marker
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

READER = pathlib.Path(__file__).resolve().parents[2] / "build/tests/requirement_reader"

VERSIONS = """1 1.0 1.0.0 1.0.1 1.1 1.10 1.2 2 2.0 2.1.0 10.0 0.9 0 1!1.0 1!0.5 1.0a1 1.0a2 1.0.alpha.1 1.0b3 1.0rc1 1.0c2
1.0-preview-4 1.0.post1 1.0-1 1.0.r7 1.0post 1.0.dev0 1.0.dev3 1.0a1.dev2 1.0rc1.post2 1.0.post2.dev1 1.0+local 1.0+cpu 1.0+cu118
1.0+abc.7 1.0+abc.10 1.0+7 1.0.1+ubuntu-1 1.0a1+x 2.0.dev20240101 2024.10.18 v1.2.3 1.2.3.4.5 1.0.0.post1+g1234abc 3.20.3 4.21.0
4.25.8 5.29.5 5.0.0rc1 6.31.1 1.26.4 2.0.0rc1 2.0.0b1 2.0.0.post1""".split()
NO_VERSIONS = ["", "abc", "1.", "1.0.x", "1.0+", "1..0", "1.0-", "french toast", "1.0+a+b", "1.0a1a2", "!1"]
OPERATORS = ["==", "!=", "<", "<=", ">", ">=", "~=", "==="]
LISTS = [">=3.20.3,<5", "<2,>=1.23.2", ">=1.0,!=1.0.1,<2", "!=4.21.0,!=4.21.1,<6.0dev,>=3.20.3", ">=1.0, <2.0,", "~=1.0,!=1.0.*", "", ">1", "<1.0a1",
         ">1.0.post1", "<1.0.post1", "==1.0.*,>=1.0.dev0", ">=2017b", "<3.*", "=1.0", "1.0", ">= 1.0 , < 2"]
MARKERS = [
    "python_version < '3.8'", "python_version >= '3.8'", "python_version >= '3.10'", 'python_version<"3"', "python_full_version >= '3.11.4'",
    "python_version in '2.7 3.5'", "python_version not in '2.7, 3.11'", "sys_platform == 'win32'", "sys_platform == 'linux' and python_version > '3'",
    "sys_platform != 'darwin' or extra == 'x'", "extra == 'tests'", "extra == 'Tests_All'", "(extra == 'tests') and python_version < '4'",
    "platform_machine == 'x86_64' and platform_system == 'Linux'", "platform_machine != 'arm64'", "os_name == 'nt'", "implementation_name == 'cpython'",
    "platform_python_implementation != 'PyPy'", "python_version ~= '3.9'", "python_version == '3.*'", "'linux' in sys_platform", "'3' == python_version",
    "platform_release >= '5.0'", "python_version < '3' or (python_version > '3.6' and (os_name == 'posix'))", "platform_system == 'Linux' and",
    "nonsense == 'x'", "python_version", "os.name == 'posix'", "python_implementation == 'CPython'",
]
ENVIRONMENT = {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux", "platform_machine": "x86_64", "platform_release": "6.1.0",
               "platform_version": "#1", "python_version": "3.11", "python_full_version": "3.11.7", "implementation_name": "cpython",
               "implementation_version": "3.11.7", "platform_python_implementation": "CPython"}


def ours(questions):
    asked = "".join("\t".join(q) + "\n" for q in questions)
    return subprocess.run([READER], input=asked, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def compare_all(questions, expected):
    wrong = [(q, "packaging: " + theirs, "ours: " + mine) for q, theirs, mine in zip(questions, expected, ours(questions)) if theirs != mine]
    assert not wrong[:20]


def meets(version, specifiers):
    try:
        return "yes" if SpecifierSet(specifiers).contains(Version(version), prereleases=True) else "no"
    except (InvalidSpecifier, InvalidVersion):
        return "unreadable"


def comparable(version, specifiers):
    """Older packagings lose the epoch where only the first parts count; all of them spell a version anew before ===."""
    if "!" in (version + specifiers).replace("!=", "") and ("*" in specifiers or "~" in specifiers):
        return False
    return not specifiers.startswith("===") or version in NO_VERSIONS or version == str(Version(version))


def test_every_version_against_every_specifier():
    # packaging takes "~=1.0c2" for another series than "~=1.0rc2", which is the same version: only normal spellings there
    specifiers = [op + (str(Version(v)) if op == "~=" else v) for op in OPERATORS for v in VERSIONS] + [op + v + ".*" for op in OPERATORS for v in VERSIONS] + LISTS
    questions = [("meets", v, s) for v in VERSIONS + NO_VERSIONS for s in specifiers if comparable(v, s)]
    assert len(questions) > 10_000
    compare_all(questions, [meets(v, s) for _, v, s in questions])


def test_the_order_of_versions():
    questions = [("compare", a, b) for a, b in itertools.product(VERSIONS, repeat=2)]
    compare_all(questions, ["<" if Version(a) < Version(b) else ">" if Version(a) > Version(b) else "=" for _, a, b in questions])


def test_what_is_no_version_is_none():
    assert ours([("compare", text, "1") for text in NO_VERSIONS]) == ["unreadable"] * len(NO_VERSIONS)


def marker(text, extra):
    try:
        return "yes" if Marker(text).evaluate(dict(ENVIRONMENT, extra=extra)) else "no"
    except (InvalidMarker, Exception):
        return "unreadable"


def test_markers():
    questions = [("marker", text, extra) for text in MARKERS for extra in ("", "tests", "tests-all", "x")]
    compare_all(questions, [marker(text, extra) for _, text, extra in questions])
