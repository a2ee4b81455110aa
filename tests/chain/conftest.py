"""The whole chain, seen from outside: a program is built, dies under the real sigwhy, and what a user gets is read.

SIGWHY_BIN names the program under test (default build/sigwhy). Core files are switched off unless a test wants one.
"""
import json
import os
import pathlib
import resource
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
SIGWHY = pathlib.Path(os.environ.get("SIGWHY_BIN", TOP / "build/sigwhy")).resolve()


def no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


class Run:
    def __init__(self, finished, folder):
        self.status = finished.returncode
        self.out = finished.stdout.decode(errors="replace")
        self.err = finished.stderr.decode(errors="replace")
        file = folder / "case.json"
        self.case = json.loads(file.read_text()) if file.exists() else None

    @property
    def unwrapped(self):
        """The report as if lines had no end: where it wraps depends on the length of the temporary folder."""
        return " ".join(self.err.split())

    @property
    def verdict(self):
        return self.case["diagnosis"]["verdict"]

    @property
    def gaps(self):
        return [" ".join(gap.values()) for gap in self.case["snapshot"].get("gaps", [])]


class Bench:
    """A folder of one's own, a compiler, and sigwhy."""

    def __init__(self, folder):
        self.folder = folder
        self.env = dict(os.environ, SIGWHY_DIR=str(folder / "cases"), LC_ALL="C.UTF-8")
        self.env.pop("DEBUGINFOD_URLS", None)

    def build(self, name, source, *flags, compiler="gcc"):
        suffix = {"gcc": ".c", "g++": ".cpp"}[compiler]
        file = self.folder / (name + suffix)
        file.write_text(source)
        subprocess.run([compiler, "-o", self.folder / name, file, *flags], check=True)
        return str(self.folder / name)

    def sigwhy(self, *words, binary=SIGWHY, **options):
        options.setdefault("env", self.env)
        options.setdefault("stderr", subprocess.PIPE)
        options.setdefault("timeout", 60)
        finished = subprocess.run([str(binary), *map(str, words)], cwd=self.folder, stdout=subprocess.PIPE,
                                  stdin=subprocess.DEVNULL,
                                  preexec_fn=no_core,
                                  **options)
        finished.stderr = finished.stderr or b""
        return finished

    def run(self, *command, options=(), **more):
        (self.folder / "case.json").unlink(missing_ok=True)
        finished = self.sigwhy("run", "--json", self.folder / "case.json", *options, "--", *command, **more)
        return Run(finished, self.folder)


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


NULL_READER = """
struct tensor { long size; double *data; };
__attribute__((noinline)) double first(struct tensor *t) { return t->data[0]; }
int main(void) { struct tensor empty = {0, 0}; return (int)first(&empty); }
"""


@pytest.fixture
def null_reader(bench):
    return bench.build("null_reader", NULL_READER, "-O1", "-g")
