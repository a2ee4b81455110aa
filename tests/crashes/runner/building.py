"""Compiling the programs, cached by content.

The base flags undo what some distributions switch on by default, so that a
program dies the same way everywhere and says itself what it wants hardened.
A `NAME.lib.c` beside a program becomes `libNAME.so` beside the built program:
linked to it, or only handed over by path where `run:` mentions `{lib}`. A
`NAME.lib.pyx` is turned into C by Cython first. `{tensorflow}` and the like in
a header's flags stand for what an extension of it is compiled with.
"""

import hashlib
import os
import shutil
import subprocess

from . import extensions

BASE = ("-g", "-O0", "-w", "-pthread", "-fno-stack-protector",
        "-U_FORTIFY_SOURCE", "-fcf-protection=none")


class BuildError(Exception):
    """The compiler refused a program."""


def library_path(program, folder):
    return folder / program.name / f"lib{program.name}.so"


def program_path(program, folder):
    return folder / program.name / program.name


def build(program, folder, python="/usr/bin/python3"):
    """Builds what `program` needs below `folder`; does nothing if it stands."""
    commands = compile_commands(program, folder, python)
    place = folder / program.name
    key_file = place / "key"
    key = content_key(program, commands)
    if key_file.exists() and key_file.read_text() == key:
        return
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise BuildError(f"{' '.join(command)}\n{done.stderr}")
    key_file.write_text(key)


def compile_commands(program, folder, python):
    commands = []
    library = program.library_source
    if library and library.suffix == ".pyx":
        named = folder / program.name / f"{program.name}.pyx"
        commands += [["cp", str(library), str(named)],
                     [extensions.cython(), str(named)]]
        library = named.with_suffix(".c")
    if library:
        commands.append([*compiler(library), *BASE, "-fPIC", "-shared",
                         str(library),
                         *extensions.expanded(program.lib_build, python),
                         "-o", str(library_path(program, folder))])
    if not program.is_python:
        link = []
        if library and "{lib}" not in program.arguments:
            link = [str(library_path(program, folder)), "-Wl,-rpath,$ORIGIN"]
        commands.append([*compiler(program.path), *BASE, str(program.path),
                         *program.build, *link, "-lm",
                         "-o", str(program_path(program, folder))])
    return commands


def compiler(source):
    if source.suffix == ".cpp":
        return [os.environ.get("CXX", "g++"), "-std=gnu++20"]
    return [os.environ.get("CC", "gcc"), "-std=gnu17"]


def content_key(program, commands):
    digest = hashlib.sha256(repr(commands).encode())
    digest.update(program.path.read_bytes())
    if program.library_source:
        digest.update(program.library_source.read_bytes())
    return digest.hexdigest()
