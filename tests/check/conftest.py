"""`sigwhy check` seen from outside, on environments that are made up file by file or installed for real.

SIGWHY_BIN names the program under test (default build/sigwhy).
"""
import json
import os
import pathlib
import subprocess
import sys

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
SIGWHY = pathlib.Path(os.environ.get("SIGWHY_BIN", TOP / "build/sigwhy")).resolve()
sys.path.insert(0, str(TOP / "lab"))


class CheckUp:
    def __init__(self, finished):
        self.status = finished.returncode
        self.err = finished.stderr.decode()
        assert finished.stdout, self.err
        self.answer = json.loads(finished.stdout)
        self.concerns = self.answer["concerns"]

    def of(self, check):
        return [c for c in self.concerns if c["check"] == check]

    @property
    def claims(self):
        return [c["claim"] for c in self.concerns]


def check(*command, options=(), **settings):
    env = dict(os.environ, LC_ALL="C.UTF-8", **settings.pop("env", {}))
    for name in ("PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH"):
        if name not in settings.get("keep", ()):
            env.pop(name, None)
    env.update(settings.pop("set", {}))
    settings.pop("keep", None)
    words = [*settings.pop("before", ()), SIGWHY, "check", "--json", *options]
    words += ["--", *map(str, command)] if command else []
    return CheckUp(subprocess.run(words, capture_output=True, env=env, **settings))


class Room:
    """A virtual environment of Debian's Python, made of a few files, and a script."""

    def __init__(self, folder):
        self.folder = folder
        self.site = folder / "env/lib/python3.11/site-packages"
        self.site.mkdir(parents=True)
        (folder / "env/bin").mkdir()
        (folder / "env/bin/python").symlink_to("/usr/bin/python3")
        (folder / "env/pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n")
        self.python = folder / "env/bin/python"

    def package(self, name, version, requires=(), module=None, tag="py3-none-any", text="", **fields):
        module = module or name.replace("-", "_")
        info = self.site / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        lines = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}"]
        lines += [f"{key.replace('_', '-')}: {value}" for key, value in fields.items()]
        lines += [f"Requires-Dist: {r}" for r in requires]
        (info / "METADATA").write_text("\n".join(lines) + "\n\nProse\nRequires-Dist: prose-is-no-field\n")
        (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nTag: {tag}\n")
        (info / "INSTALLER").write_text("pip\n")
        (info / "RECORD").write_text(f"{module}/__init__.py,sha256=x,0\n{info.name}/METADATA,,\n")
        (self.site / module).mkdir(parents=True, exist_ok=True)
        (self.site / module / "__init__.py").write_text(text)
        return self.site / module

    def script(self, text, name="train.py"):
        (self.folder / name).write_text(text)
        return self.folder / name

    def check(self, text, *options, **settings):
        return check(self.python, self.script(text), options=options, cwd=self.folder, **settings)


@pytest.fixture
def room(tmp_path):
    return Room(tmp_path)
