#!/usr/bin/env python3
"""tools/add_tensor_layout.py PYTHON...   learns the tensor layouts of these
interpreters and adds them to src/python/tensors/layouts.

Where a file there says the same, the release joins it; else a file is written
that is named after the release. Numbers of dtypes and devices are joined: a
later release has more of them, and none that means something else. Build
first (build/sigwhy learns); SIGWHY_BIN names another.
"""
import os
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
FOLDER = TOP / "src/python/tensors/layouts"
SIGWHY = os.environ.get("SIGWHY_BIN", str(TOP / "build/sigwhy"))


class Layout:
    def __init__(self, lines):
        self.framework = next(l for l in lines if l.startswith("framework "))
        self.releases = {l for l in lines if l.startswith("release ")}
        self.names = {}  # "dtype-name 6" -> "float32 4"
        self.places = []
        for line in lines:
            words = line.split(" ", 2)
            if words[0].endswith("-name"):
                self.names[" ".join(words[:2])] = words[2]
            elif words[0] not in ("layout", "framework", "release", "end"):
                self.places.append(line)

    def same_as(self, other):
        shared = self.names.keys() & other.names.keys()
        return (self.framework == other.framework and self.places == other.places
                and all(self.names[n] == other.names[n] for n in shared))

    def join(self, other):
        self.releases |= other.releases
        self.names.update(other.names)

    def text(self):
        names = sorted(self.names, key=lambda n: (n.split()[0], int(n.split()[1])))
        return "\n".join(["layout 1", self.framework] + sorted(self.releases, key=release_number)
                         + self.places + [f"{n} {self.names[n]}" for n in names] + ["end", ""])

    def file_name(self):
        first = min(self.releases, key=release_number).split()[1]
        return self.framework.split()[1] + "_" + "_".join(first.split(".")[:2]) + ".layout"


def release_number(line):
    return [int(part) if part.isdigit() else 0 for part in line.split()[1].split(".")], line


def learned_from(python):
    done = subprocess.run([SIGWHY, "learn", "--print", "--", python], stdout=subprocess.PIPE, text=True)
    lines = done.stdout.splitlines()
    while "end" in lines:
        yield Layout(lines[:lines.index("end") + 1])
        del lines[:lines.index("end") + 1]


def add(new):
    for file in sorted(FOLDER.glob("*.layout")):
        old = Layout(file.read_text().splitlines())
        if old.same_as(new):
            old.join(new)
            file.unlink()
            (FOLDER / old.file_name()).write_text(old.text())
            return old.file_name(), "joined"
    file = FOLDER / new.file_name()
    if file.exists():  # two layouts of one release line: builds for different interpreters
        file = file.with_name(file.stem + "_" + str(len(list(FOLDER.glob(file.stem + "*")))) + ".layout")
    file.write_text(new.text())
    return file.name, "new"


def main():
    for python in sys.argv[1:]:
        for layout in learned_from(python):
            name, how = add(layout)
            print(min(layout.releases), "->", name, f"({how})")


if __name__ == "__main__":
    main()
