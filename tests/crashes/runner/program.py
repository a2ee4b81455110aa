"""One crash program and what its first comment promises.

The first comment of a program is its whole test: `key: value` lines up to the
first blank line, then a paragraph for people. The keys:

    expect:      CAUSE[|CAUSE...] STRENGTH   at least this strong; `none` among
                 the causes: sigwhy may stay silent (alone: it must)
    at-most:     STRENGTH   the verdict must not claim more than this
    not:         causes that must not be the verdict
    looks-like:  causes a hasty reader would name; implies `not:`
    ends:        SIGNAME or `exit N`, what the bare run does
    memory:      MiB of a control group that it and sigwhy run in
    tasks:       threads and processes of a control group that both run in
    block:       BYTES PLACE   the block a guarded heap must name, and the
                 function or the Python line that made it (tests/guarded)
    may-miss:    why a guarded heap need not find it
    build: lib-build: run: env: limit: needs: says:   see README.md
"""

import re
import shlex
import signal
from dataclasses import dataclass, replace
from pathlib import Path

from stage.outcome import STRENGTHS


CAUSES = frozenset("""
    null-pointer out-of-bounds use-after-free invalid-free heap-corruption
    stack-overflow stack-smashed wild-pointer write-to-read-only bad-jump
    uninitialised-read mapped-file-truncated shared-memory-full bit-flip
    division-by-zero unsupported-instruction deliberate-trap
    failed-check uncaught-cpp-exception gil-not-held python-fatal-error
    out-of-memory-killed out-of-memory-refused impossible-allocation
    memory-leak gpu-out-of-memory resource-limit disk-full time-limit
    killed-by-process killed-by-user
    protobuf-conflict openmp-conflict abi-mismatch mixed-libraries
    fork-after-threads deadlock data-race
    dtype-mismatch shape-mismatch ragged-batch not-an-array corrupt-input
    file-contention aliased-buffer python-exception
    gpu-illegal-access gpu-assert gpu-lost
    clean-exit unknown""".split())

LIMITS = ("as", "stack", "fsize", "cpu", "nproc", "nofile")

SINGLE = ("expect", "at-most", "ends", "run", "memory", "tasks", "block",
          "may-miss")
REPEATED = ("not", "looks-like", "build", "lib-build", "env", "limit",
            "needs", "says")


class HeaderError(Exception):
    """A program's first comment does not say what the runner needs."""


@dataclass(frozen=True)
class Program:
    path: Path
    expect: tuple[str, ...]
    at_least: str
    at_most: str
    never: frozenset[str]
    looks_like: tuple[str, ...]
    returncode: int
    build: tuple[str, ...]
    lib_build: tuple[str, ...]
    arguments: tuple[str, ...]
    env: dict[str, str]
    limits: dict[str, int]
    needs: tuple[str, ...]
    says: tuple[str, ...]
    memory_mib: int
    tasks: int
    block: tuple[int, str] | None
    may_miss: str

    @property
    def name(self):
        return self.path.stem

    @property
    def is_python(self):
        return self.path.suffix == ".py"

    @property
    def is_look_alike(self):
        """Looks like something it is not, or like something to report."""
        return bool(self.looks_like) or self.expect == ("none",)

    @property
    def library_source(self):
        for suffix in (".lib.c", ".lib.cpp", ".lib.pyx"):
            source = self.path.with_name(self.name + suffix)
            if source.exists():
                return source
        return None

    def repaired(self):
        """Its twin: the same sources without the mistake."""
        return replace(self, build=self.build + ("-DREPAIRED",),
                       lib_build=self.lib_build + ("-DREPAIRED",),
                       arguments=self.arguments + ("repaired",), returncode=0)


def discover(folder):
    """Every program in `folder`; a file without a header is an error."""
    paths = sorted(p for p in Path(folder).iterdir()
                   if p.suffix in (".c", ".cpp", ".py")
                   and ".lib." not in p.name and p.name != "run.py")
    programs = [read_program(p) for p in paths]
    names = [p.name for p in programs]
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        raise HeaderError(f"two programs share a name: {', '.join(twice)}")
    return programs


def read_program(path):
    keys = read_header(path)
    expect, at_least = parse_expect(path, keys.get("expect", ""))
    looks_like = words(keys.get("looks-like", ()))
    never = frozenset(words(keys.get("not", ()))) | frozenset(looks_like)
    check_patterns(path, keys.get("says", ()))
    check_causes(path, set(expect) - {"none"} | never)
    if never & set(expect):
        raise HeaderError(f"{path.name}: {never & set(expect)} both ways")
    return Program(
        path=path, expect=expect, at_least=at_least,
        at_most=one_of(path, keys.get("at-most", "proven"), STRENGTHS),
        never=never, looks_like=looks_like,
        returncode=parse_ends(path, keys.get("ends", "")),
        build=words(keys.get("build", ())),
        lib_build=words(keys.get("lib-build", ())),
        arguments=tuple(shlex.split(keys.get("run", ""))),
        env=dict(pair(path, e) for e in words(keys.get("env", ()))),
        limits=parse_limits(path, words(keys.get("limit", ()))),
        needs=words(keys.get("needs", ())),
        says=tuple(keys.get("says", ())),
        memory_mib=int(keys.get("memory", 0)),
        tasks=int(keys.get("tasks", 0)),
        block=parse_block(path, keys.get("block", "")),
        may_miss=keys.get("may-miss", ""))


def read_header(path):
    """The key lines of the first comment; repeated keys become lists."""
    keys = {}
    for line in first_comment(path.read_text()):
        if not line:
            break
        match = re.fullmatch(r"([a-z-]+):\s*(.*)", line)
        if not match or match[1] not in SINGLE + REPEATED:
            raise HeaderError(f"{path.name}: not a header line: {line!r}")
        if match[1] in REPEATED:
            keys.setdefault(match[1], []).append(match[2])
        elif match[1] in keys:
            raise HeaderError(f"{path.name}: {match[1]} is given twice")
        else:
            keys[match[1]] = match[2]
    return keys


def first_comment(text):
    """The lines of the first comment, without comment marks."""
    if text.startswith("/*"):
        return [line.strip() for line in text[2:text.index("*/")].split("\n")]
    lines = []
    for line in text.split("\n"):
        if not line.startswith("#"):
            break
        lines.append(line[1:].strip())
    return lines


def parse_expect(path, text):
    parts = text.split()
    if parts == ["none"]:
        return ("none",), "weak"
    if len(parts) != 2:
        raise HeaderError(f"{path.name}: expect wants causes and a strength")
    return tuple(parts[0].split("|")), one_of(path, parts[1], STRENGTHS)


def parse_ends(path, text):
    """The status as subprocess gives it: an exit code, or minus a signal."""
    if match := re.fullmatch(r"exit (\d+)", text):
        return int(match[1])
    if text not in signal.Signals.__members__:
        raise HeaderError(f"{path.name}: ends wants SIGNAME or `exit N`")
    return -signal.Signals[text]


def parse_block(path, text):
    if not text:
        return None
    match = re.fullmatch(r"(\d+) (\S+)", text)
    if not match:
        raise HeaderError(f"{path.name}: block wants bytes and a place")
    return int(match[1]), match[2]


def parse_limits(path, entries):
    limits = dict(pair(path, e) for e in entries)
    for name in limits:
        one_of(path, name, LIMITS)
    return {name: int(value) for name, value in limits.items()}


def check_causes(path, causes):
    stray = causes - CAUSES
    if stray:
        raise HeaderError(f"{path.name}: no such cause: {', '.join(stray)}")


def check_patterns(path, patterns):
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise HeaderError(f"{path.name}: says {pattern!r}: {error}")


def one_of(path, value, allowed):
    if value not in allowed:
        raise HeaderError(f"{path.name}: {value!r} is not in {allowed}")
    return value


def pair(path, text):
    if "=" not in text:
        raise HeaderError(f"{path.name}: {text!r} wants NAME=VALUE")
    return tuple(text.split("=", 1))


def words(lines):
    return tuple(word for line in lines for word in line.split())
