"""One cause: lab/programs/NAME with a broken program, its repaired twin, and what the first comment of broken.py says.

The first comment: `key: value` lines, then a paragraph for people.

    question:  the numbers of the questions that name this cause (see README.md)
    claim:     what is said about it
    really:    what happens
    expect:    CAUSE[|CAUSE...] STRENGTH [unsaid], at least this strong; `unsaid`: the program says it all itself,
               so that the case is kept and no report printed; `none`: sigwhy says nothing
    ends:      SIGNAME or `exit N`; several where it differs from run to run, with |
    says:      a pattern that the report has; may be repeated
    fix:       a pattern that the report's fix has: what the twin does
    confirm:   STRENGTH [tested] [-- OPTIONS]: what `sigwhy confirm` makes of it; `tested`: the fix too
    memory:    MiB of a control group that it runs in
    on:        names of lab/pythons
    shares:    PROGRAM/FILE, a source of another program's folder that this one is built of too
    build:     a command, before either is run; {tensorflow} stands for the flags of its own
    run:       arguments
    options:   of `sigwhy run`, such as --guard
    env:       NAME=VALUE
    tries:     how often it is run until it dies, where it may live on by luck (1)
    seconds:   how long it may take (120)
    quick:     in `make test` on these environments

Where the environment matters a key is given again as KEY@ENVIRONMENT. A line of broken.py that ends in `# here` is the
one that the report must name. The folder is the working directory, copied for each run.
"""
import re
import shlex
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
REPEATED = ("claim", "says", "fix", "env", "shares", "build")
KEYS = {"question", "really", "expect", "ends", "confirm", "memory", "on", "run", "options", "tries", "seconds", "quick", *REPEATED}


class HeaderError(Exception):
    """The first comment does not say what the runner needs."""


@dataclass(frozen=True)
class Confirm:
    strength: str
    tested: bool
    options: tuple


@dataclass(frozen=True)
class Program:
    folder: Path
    keys: dict
    environment: str = ""

    @property
    def name(self):
        return self.folder.name

    @property
    def environments(self):
        return tuple(self.keys["on"][0].split())

    @property
    def quick(self):
        return tuple(self.text("quick").split())

    def put_on(self, environment):
        """The same with the keys of one environment."""
        own = {key.split("@")[0]: value for key, value in self.keys.items() if key.endswith(f"@{environment}")}
        return Program(self.folder, {**self.keys, **own}, environment)

    def text(self, key, otherwise=""):
        return self.keys.get(key, [otherwise])[0]

    def all(self, key):
        return self.keys.get(key, [])

    @property
    def harmless(self):
        return self.text("expect") == "none"

    @property
    def causes(self):
        return () if self.harmless else tuple(self.text("expect").split()[0].split("|"))

    @property
    def at_least(self):
        return self.text("expect").split()[1]

    @property
    def unsaid(self):
        return self.text("expect").split()[2:] == ["unsaid"]

    @property
    def ends(self):
        return tuple(status(self.folder, text.strip()) for text in self.text("ends").split("|"))

    @property
    def confirm(self):
        if not self.text("confirm"):
            return None
        words, _, options = self.text("confirm").partition(" -- ")
        return Confirm(words.split()[0], "tested" in words.split(), tuple(shlex.split(options)))

    @property
    def files(self):
        """What its folder holds, and what it shares with others."""
        return sorted(self.folder.iterdir()) + [self.folder.parent / shared for shared in self.all("shares")]

    def copy_to(self, folder):
        folder.mkdir()
        for path in self.files:
            shutil.copy(path, folder)

    @property
    def line(self):
        """The number of the line that is to be named, or None."""
        for number, line in enumerate((self.folder / "broken.py").read_text().splitlines(), 1):
            if line.rstrip().endswith("# here"):
                return number
        return None


def status(folder, text):
    if match := re.fullmatch(r"exit (\d+)", text):
        return int(match[1])
    if text not in signal.Signals.__members__:
        raise HeaderError(f"{folder.name}: ends wants SIGNAME or `exit N`, not {text!r}")
    return -signal.Signals[text]


def discover():
    return [read(folder) for folder in sorted(PROGRAMS.iterdir()) if (folder / "broken.py").exists()]


def read(folder):
    keys = {}
    for line in (folder / "broken.py").read_text().splitlines():
        match = re.fullmatch(r"#\s?([a-z]+(?:@[\w.-]+)?):\s*(.*)", line)
        if not match:
            break
        key, value = match.groups()
        plain = key.split("@")[0]
        if plain not in KEYS:
            raise HeaderError(f"{folder.name}: no such key: {key}")
        if key in keys and plain not in REPEATED:
            raise HeaderError(f"{folder.name}: {key} is given twice")
        keys.setdefault(key, []).append(value)
    for wanted in ("question", "claim", "really", "expect", "ends", "on"):
        if wanted not in keys:
            raise HeaderError(f"{folder.name}: it does not say {wanted}")
    if not (folder / "repaired.py").exists():
        raise HeaderError(f"{folder.name}: it has no twin")
    for shared in keys.get("shares", []):
        if not (folder.parent / shared).exists():
            raise HeaderError(f"{folder.name}: there is no {shared}")
    return Program(folder, keys)
