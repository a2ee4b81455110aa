"""Whoever can be asked what a program died of, one file each.

A witness has NAME, `version()` (which raises Absent where it cannot be had),
`refuses(case)` (why it cannot be used on a case, or nothing), `ask(case, bench)`
(an Answer) and `reads(text)` (what of its own vocabulary is in an answer, beside
the words that ../words.py knows).
"""

from dataclasses import dataclass, field


class Absent(Exception):
    """The witness cannot be had on this machine; the text says why."""


@dataclass(frozen=True)
class Answer:
    words: str  # what the program itself said
    text: str  # all that an engineer would read, the stacks too
    ended: str  # how the program ended
    seconds: float
    verdict: str = ""  # sigwhy alone: cause id, strength, sentence
    strength: str = ""
    claim: str = ""
    native: bool | None = None  # whether it showed a native function


@dataclass(frozen=True)
class Reading:
    claims: frozenset = frozenset()  # causes it names; wrong where not so
    hints: frozenset = frozenset()  # causes its words point to; never wrong
    native: bool = False
