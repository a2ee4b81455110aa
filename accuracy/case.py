"""One program with a known right answer, whoever collected it.

`accept` are the cause ids that are right, `neutral` those that are true but too
shallow. Two words beside the ids: `none` in `accept` means that nothing needs
to be said, `unknown` that nobody could know.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

SAYING_NOTHING_IS_RIGHT = frozenset({"none", "unknown", "clean-exit"})


class Unmet(Exception):
    """This machine cannot stage the case; the text says why."""


@dataclass(frozen=True)
class Stage:
    """What to run, and the folder that was made ready for it."""
    command: list[str]
    environment: dict[str, str]
    scratch: Path


@dataclass(frozen=True)
class Case:
    collection: str  # whose it is: the name of a file in sets/
    name: str
    environment: str  # the interpreter and packages it runs with
    provenance: str  # real: from a public report; written: to fill a class
    accept: tuple[str, ...]
    neutral: tuple[str, ...]
    digest: str  # of everything that decides what it does
    prepare: Callable[[Path], Stage] = field(repr=False, compare=False)
    script: str | None = None  # the Python file that is run, if it is Python
    python: tuple[int, int] | None = None
    hangs: bool = False
    memory_mib: int = 0
    tasks: int = 0  # most threads and processes
    limits: dict[str, int] = field(default_factory=dict)
    timeout_s: float = 60.0

    @property
    def best(self):
        return self.accept[0]
