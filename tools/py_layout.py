#!/usr/bin/env python3
"""py_layout.py INTERPRETER   prints src/python/layouts/cpython_X_Y.cpp.

CPython before 3.13 does not say where it keeps things, so we ask its headers:
a small C program of offsetof()s is compiled against the headers that belong to
INTERPRETER and run. Needs a C compiler and that interpreter's internal headers
(pyenv installs them; most distributions put them into a -dev package).
The offsets hold for every release of the same X.Y line: within a line CPython
does not move the fields named here.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ANY_OLDER, ANY_NEWER = (0, 0), (9, 9)


def since(version):
    return version, ANY_NEWER


def until(version):
    return ANY_OLDER, version


ALWAYS = ANY_OLDER, ANY_NEWER
ONLY_2 = until((2, 7))
ONLY_3 = since((3, 0))

HEADERS = [
    (ALWAYS, "Python.h"),
    (until((3, 10)), "frameobject.h"),
    (((3, 7), (3, 7)), "internal/pystate.h"),
    (since((3, 8)), "internal/pycore_pystate.h"),
    (since((3, 9)), "internal/pycore_interp.h"),
    (since((3, 9)), "internal/pycore_runtime.h"),
    (since((3, 11)), "internal/pycore_frame.h"),
]

# In the order of src/python/layout.h, as designated initialisers must be.
FIELDS = [
    ("runtime.interpreters_head", since((3, 7)),
     "offsetof(_PyRuntimeState, interpreters.head)"),
    ("interpreter.next", ALWAYS, "offsetof(PyInterpreterState, next)"),
    ("interpreter.threads_head", until((3, 10)),
     "offsetof(PyInterpreterState, tstate_head)"),
    ("interpreter.threads_head", since((3, 11)),
     "offsetof(PyInterpreterState, threads.head)"),
    ("thread.next", ALWAYS, "offsetof(PyThreadState, next)"),
    ("thread.interpreter", ALWAYS, "offsetof(PyThreadState, interp)"),
    ("thread.frame", until((3, 10)), "offsetof(PyThreadState, frame)"),
    ("thread.cframe", since((3, 11)), "offsetof(PyThreadState, cframe)"),
    ("thread.cframe_frame", since((3, 11)),
     "offsetof(_PyCFrame, current_frame)"),
    ("thread.thread_id", ALWAYS, "offsetof(PyThreadState, thread_id)"),
    ("thread.native_thread_id", since((3, 11)),
     "offsetof(PyThreadState, native_thread_id)"),
    ("frame.previous", until((3, 10)), "offsetof(PyFrameObject, f_back)"),
    ("frame.previous", since((3, 11)),
     "offsetof(_PyInterpreterFrame, previous)"),
    ("frame.code", until((3, 10)), "offsetof(PyFrameObject, f_code)"),
    ("frame.code", since((3, 11)), "offsetof(_PyInterpreterFrame, f_code)"),
    ("frame.last_instruction", until((3, 10)),
     "offsetof(PyFrameObject, f_lasti)"),
    ("frame.instruction", since((3, 11)),
     "offsetof(_PyInterpreterFrame, prev_instr)"),
    ("frame.owner", since((3, 11)), "offsetof(_PyInterpreterFrame, owner)"),
    ("frame.is_entry", ((3, 11), (3, 11)),
     "offsetof(_PyInterpreterFrame, is_entry)"),
    ("code.filename", ALWAYS, "offsetof(PyCodeObject, co_filename)"),
    ("code.name", ALWAYS, "offsetof(PyCodeObject, co_name)"),
    ("code.qualified_name", since((3, 11)),
     "offsetof(PyCodeObject, co_qualname)"),
    ("code.first_line", ALWAYS, "offsetof(PyCodeObject, co_firstlineno)"),
    ("code.line_table", until((3, 9)), "offsetof(PyCodeObject, co_lnotab)"),
    ("code.line_table", since((3, 10)),
     "offsetof(PyCodeObject, co_linetable)"),
    ("code.instructions", since((3, 11)),
     "offsetof(PyCodeObject, co_code_adaptive)"),
    ("text.length", ONLY_2, "offsetof(PyStringObject, ob_size)"),
    ("text.length", ONLY_3, "offsetof(PyASCIIObject, length)"),
    ("text.state", ONLY_3, "offsetof(PyASCIIObject, state)"),
    ("text.ascii_data", ONLY_2, "offsetof(PyStringObject, ob_sval)"),
    ("text.ascii_data", ONLY_3, "sizeof(PyASCIIObject)"),
    ("text.compact_data", ONLY_3, "sizeof(PyCompactUnicodeObject)"),
    ("bytes.size", ALWAYS, "offsetof(PyVarObject, ob_size)"),
    ("bytes.data", ONLY_2, "offsetof(PyStringObject, ob_sval)"),
    ("bytes.data", ONLY_3, "offsetof(PyBytesObject, ob_sval)"),
]

LINE_TABLES = [
    (until((3, 5)), "lnotab_unsigned"),
    (((3, 6), (3, 9)), "lnotab"),
    (((3, 10), (3, 10)), "linetable"),
    (since((3, 11)), "locations"),
]


def holds(span, version):
    return span[0] <= version <= span[1]


def asked(interpreter):
    """The interpreter's (major, minor) and the folder of its headers."""
    said = subprocess.run(
        [interpreter, "-c",
         "import sys, sysconfig; print('%d %d' % sys.version_info[:2]);"
         "print(sysconfig.get_paths()['include'])"],
        check=True, stdout=subprocess.PIPE, universal_newlines=True)
    version, include = said.stdout.splitlines()
    return tuple(map(int, version.split())), include


def measured(version, include):
    """{field: offset}, by compiling and running."""
    fields = [f for f in FIELDS if holds(f[1], version)]
    lines = ["#define Py_BUILD_CORE 1"]
    lines += ["#include <%s>" % h for s, h in HEADERS if holds(s, version)]
    lines += ["#include <stddef.h>", "#include <stdio.h>", "int main(void) {"]
    lines += ['  printf("%%zu\\n", (size_t)(%s));' % f[2] for f in fields]
    lines += ["  return 0;", "}", ""]
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "ask.c"), Path(folder, "ask")
        source.write_text("\n".join(lines))
        subprocess.run(
            ["cc", "-w", "-I", include, "-I", include + "/internal",
             "-o", str(program), str(source)], check=True)
        said = subprocess.run([str(program)], check=True,
                              stdout=subprocess.PIPE).stdout.split()
    return {f[0]: int(value) for f, value in zip(fields, said)}


def written(version, offsets):
    """The C++ file."""
    groups = {}
    for name, offset in offsets.items():
        group, field = name.split(".")
        groups.setdefault(group, []).append((field, offset))
    lines = ["// Written by tools/py_layout.py from the headers of CPython "
             "%d.%d." % version,
             '#include "python/layout.h"', "",
             "namespace sigwhy::python::layouts {", "",
             "extern const Layout cpython_%d_%d;" % version,
             "const Layout cpython_%d_%d = {" % version,
             "    .major = %d," % version[0], "    .minor = %d," % version[1]]
    for group, fields in groups.items():
        lines.append("    .%s =" % group)
        lines.append("        {")
        lines += ["            .%s = %d," % field for field in fields]
        lines.append("        },")
    lines += ["    .lines = LineTable::%s," % name
              for span, name in LINE_TABLES if holds(span, version)]
    if version < (3, 6):
        lines.append('    .eval_loop = "PyEval_EvalFrameEx",')
    lines.append("    .instruction_unit = %d,"
                 % (2 if version == (3, 10) else 1))
    lines += ["};", "", "}  // namespace sigwhy::python::layouts", ""]
    return "\n".join(lines)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    version, include = asked(sys.argv[1])
    if version >= (3, 13):
        sys.exit("CPython %d.%d describes itself; it needs no layout"
                 % version)
    sys.stdout.write(written(version, measured(version, include)))


if __name__ == "__main__":
    main()
