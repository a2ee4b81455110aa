"""What came of one program, and the words for it; the crash programs of the tests use it too."""
import signal
from dataclasses import dataclass, field

STRENGTHS = ("weak", "plausible", "strong", "proven")


@dataclass
class Outcome:
    program: object
    problems: list = field(default_factory=list)
    skipped: str = ""
    verdict: str = ""
    strength: str = ""
    report: str = ""


def rank(strength):
    return STRENGTHS.index(strength) if strength in STRENGTHS else -1


def ending(status):
    """Of a wait status as subprocess gives it."""
    if status is None:
        return "no end: it had to be killed"
    return signal.Signals(-status).name if status < 0 else f"exit {status}"
