"""What a program's `build:` lines make, kept in the user's cache by content: TensorFlow's headers take a while."""
import hashlib
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import flags
from .environments import CACHE


class BuildError(Exception):
    """A command of a `build:` line failed."""


def put_into(folder, program, python, environment):
    """Copies the program's files and what is built of them to `folder`."""
    program.copy_to(folder)
    lines = [shlex.split(line) for line in program.all("build")]
    if not lines:
        return
    kept = CACHE / "lab" / key_of(program, [flags.expanded(line, lambda name: flags.identity(name, python)) for line in lines])
    if not kept.exists():
        build([flags.expanded(line, lambda name: flags.asked(name, python)) for line in lines], program, kept, environment)
    shutil.copytree(kept, folder, dirs_exist_ok=True)


def key_of(program, lines):
    digest = hashlib.sha256(repr(lines).encode())
    for path in program.files:
        if path.suffix != ".py":
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:20]


def build(commands, program, kept, environment):
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
        place = Path(scratch) / "build"
        program.copy_to(place)
        for command in commands:
            done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)
            if done.returncode:
                raise BuildError(f"{command[0]}: {done.stderr.strip()[:2000]}")
        for path in program.files:
            (place / path.name).unlink()
        try:
            place.rename(kept)
        except OSError:  # another run was faster
            pass
