"""What a program leaves when it dies with nobody watching: its words and a core.

One bare run serves every witness who looks at the dead. Cores are written where
kernel.core_pattern is a plain name; where a service takes them there are none.
"""

import functools
from dataclasses import dataclass
from pathlib import Path

import room

PATTERN = Path("/proc/sys/kernel/core_pattern")


def cores_can_be_had():
    pattern = PATTERN.read_text().strip()
    return bool(pattern) and "/" not in pattern and "|" not in pattern


@dataclass(frozen=True)
class Remains:
    ended: object
    cores: list  # the first to die first


class Bench:
    """One case on the table: the bare run is made when somebody asks for it."""

    def __init__(self, case, sigwhy):
        self.case = case
        self.sigwhy = sigwhy
        self.place = None

    def __enter__(self):
        return self

    def __exit__(self, *what):
        if self.place:
            self.place.__exit__(None, None, None)

    @functools.cached_property
    def remains(self):
        self.place = room.of(self.case)
        place = self.place.__enter__()
        ended = place.run(place.program, core=True)
        cores = sorted((p for p in place.stage.scratch.rglob("core*") if is_core(p)),
                       key=lambda p: p.stat().st_mtime_ns)
        return Remains(ended, cores)


def is_core(path):
    """An ELF file whose type is ET_CORE."""
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        head = file.read(18)
    return head[:4] == b"\x7fELF" and head[16:18] == b"\x04\x00"
