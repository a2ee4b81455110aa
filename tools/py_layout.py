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
    (since((3, 11)), "internal/pycore_dict.h"),
    (ONLY_2, "memoryobject.h"),
]

# In the order of src/python/layout.h, as designated initialisers must be.
FIELDS = [
    ("runtime.interpreters_head", since((3, 7)),
     "offsetof(_PyRuntimeState, interpreters.head)"),
    ("runtime.current_thread", ((3, 7), (3, 11)),
     "offsetof(_PyRuntimeState, gilstate.tstate_current)"),
    ("interpreter.next", ALWAYS, "offsetof(PyInterpreterState, next)"),
    ("interpreter.threads_head", until((3, 10)),
     "offsetof(PyInterpreterState, tstate_head)"),
    ("interpreter.threads_head", since((3, 11)),
     "offsetof(PyInterpreterState, threads.head)"),
    ("interpreter.modules", until((3, 11)),
     "offsetof(PyInterpreterState, modules)"),
    ("interpreter.modules", since((3, 12)),
     "offsetof(PyInterpreterState, imports.modules)"),
    ("interpreter.sys", ALWAYS, "offsetof(PyInterpreterState, sysdict)"),
    ("interpreter.recursion_limit", since((3, 9)),
     "offsetof(PyInterpreterState, ceval.recursion_limit)"),
    ("gil.in_interpreter", ((3, 12), (3, 12)),
     "offsetof(PyInterpreterState, ceval.gil)"),
    ("gil.holder", ((3, 12), (3, 12)),
     "offsetof(struct _gil_runtime_state, last_holder)"),
    ("gil.locked", ((3, 12), (3, 12)),
     "offsetof(struct _gil_runtime_state, locked)"),
    ("thread.next", ALWAYS, "offsetof(PyThreadState, next)"),
    ("thread.interpreter", ALWAYS, "offsetof(PyThreadState, interp)"),
    ("thread.frame", until((3, 10)), "offsetof(PyThreadState, frame)"),
    ("thread.cframe", since((3, 11)), "offsetof(PyThreadState, cframe)"),
    ("thread.cframe_frame", since((3, 11)),
     "offsetof(_PyCFrame, current_frame)"),
    ("thread.thread_id", ALWAYS, "offsetof(PyThreadState, thread_id)"),
    ("thread.native_thread_id", since((3, 11)),
     "offsetof(PyThreadState, native_thread_id)"),
    ("thread.exception_type", until((3, 11)),
     "offsetof(PyThreadState, curexc_type)"),
    ("thread.exception", until((3, 11)),
     "offsetof(PyThreadState, curexc_value)"),
    ("thread.exception", since((3, 12)),
     "offsetof(PyThreadState, current_exception)"),
    ("thread.exception_traceback", until((3, 11)),
     "offsetof(PyThreadState, curexc_traceback)"),
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
    ("frame.globals", until((3, 10)), "offsetof(PyFrameObject, f_globals)"),
    ("frame.globals", since((3, 11)),
     "offsetof(_PyInterpreterFrame, f_globals)"),
    ("frame.own_locals", until((3, 10)), "offsetof(PyFrameObject, f_locals)"),
    ("frame.own_locals", since((3, 11)),
     "offsetof(_PyInterpreterFrame, f_locals)"),
    ("frame.locals", until((3, 10)), "offsetof(PyFrameObject, f_localsplus)"),
    ("frame.locals", since((3, 11)),
     "offsetof(_PyInterpreterFrame, localsplus)"),
    ("code.filename", ALWAYS, "offsetof(PyCodeObject, co_filename)"),
    ("code.name", ALWAYS, "offsetof(PyCodeObject, co_name)"),
    ("code.qualified_name", since((3, 11)),
     "offsetof(PyCodeObject, co_qualname)"),
    ("code.first_line", ALWAYS, "offsetof(PyCodeObject, co_firstlineno)"),
    ("code.line_table", until((3, 9)), "offsetof(PyCodeObject, co_lnotab)"),
    ("code.line_table", since((3, 10)),
     "offsetof(PyCodeObject, co_linetable)"),
    ("code.argument_count", ALWAYS, "offsetof(PyCodeObject, co_argcount)"),
    ("code.keyword_only_count", ONLY_3,
     "offsetof(PyCodeObject, co_kwonlyargcount)"),
    ("code.local_names", until((3, 10)),
     "offsetof(PyCodeObject, co_varnames)"),
    ("code.local_names", since((3, 11)),
     "offsetof(PyCodeObject, co_localsplusnames)"),
    ("code.local_kinds", since((3, 11)),
     "offsetof(PyCodeObject, co_localspluskinds)"),
    ("code.cell_names", until((3, 10)),
     "offsetof(PyCodeObject, co_cellvars)"),
    ("code.free_names", until((3, 10)),
     "offsetof(PyCodeObject, co_freevars)"),
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

# In the order of src/python/object_layout.h; of every line, because what 3.13
# and later say about themselves leaves most of these out.
OBJECT_FIELDS = [
    ("type.name", ALWAYS, "offsetof(PyTypeObject, tp_name)"),
    ("type.basic_size", ALWAYS, "offsetof(PyTypeObject, tp_basicsize)"),
    ("type.flags", ALWAYS, "offsetof(PyTypeObject, tp_flags)"),
    ("type.base", ALWAYS, "offsetof(PyTypeObject, tp_base)"),
    ("type.dict_offset", ALWAYS, "offsetof(PyTypeObject, tp_dictoffset)"),
    ("type.cached_keys", ONLY_3,
     "offsetof(PyHeapTypeObject, ht_cached_keys)"),
    ("list.size", ALWAYS, "offsetof(PyVarObject, ob_size)"),
    ("list.items", ALWAYS, "offsetof(PyListObject, ob_item)"),
    ("tuple.size", ALWAYS, "offsetof(PyVarObject, ob_size)"),
    ("tuple.items", ALWAYS, "offsetof(PyTupleObject, ob_item)"),
    ("dict.used", ALWAYS, "offsetof(PyDictObject, ma_used)"),
    ("dict.keys", ONLY_3, "offsetof(PyDictObject, ma_keys)"),
    ("dict.values", ONLY_3, "offsetof(PyDictObject, ma_values)"),
    ("dict.mask", ONLY_2, "offsetof(PyDictObject, ma_mask)"),
    ("dict.table", ONLY_2, "offsetof(PyDictObject, ma_table)"),
    # 3.6 to 3.10 do not install the header: refcount, size, lookup function,
    # usable, entries, then the indices, a word each.
    ("keys.size", ((3, 6), (3, 10)), "8"),
    ("keys.log2_index_bytes", since((3, 11)),
     "offsetof(PyDictKeysObject, dk_log2_index_bytes)"),
    ("keys.kind", since((3, 11)), "offsetof(PyDictKeysObject, dk_kind)"),
    ("keys.entry_count", ((3, 6), (3, 10)), "32"),
    ("keys.entry_count", since((3, 11)),
     "offsetof(PyDictKeysObject, dk_nentries)"),
    ("keys.indices", ((3, 6), (3, 10)), "40"),
    ("keys.indices", since((3, 11)),
     "offsetof(PyDictKeysObject, dk_indices)"),
    ("first_value", since((3, 11)), "offsetof(struct _dictvalues, values)"),
    ("attributes", ((3, 11), (3, 11)), "ManagedAttributes::values_before"),
    ("attributes", ((3, 12), (3, 12)), "ManagedAttributes::tagged"),
    ("attributes", since((3, 13)), "ManagedAttributes::inline_values"),
    ("set.used", ALWAYS, "offsetof(PySetObject, used)"),
    ("set.mask", ALWAYS, "offsetof(PySetObject, mask)"),
    ("set.table", ALWAYS, "offsetof(PySetObject, table)"),
    ("integer.small", ONLY_2, "offsetof(PyIntObject, ob_ival)"),
    ("integer.tag", since((3, 12)), "offsetof(PyLongObject, long_value)"),
    ("integer.size", until((3, 11)), "offsetof(PyVarObject, ob_size)"),
    ("integer.digits", ONLY_2, "sizeof(PyVarObject)"),
    ("integer.digits", ((3, 0), (3, 11)),
     "offsetof(PyLongObject, ob_digit)"),
    ("integer.digits", since((3, 12)),
     "offsetof(PyLongObject, long_value.ob_digit)"),
    ("float_value", ALWAYS, "offsetof(PyFloatObject, ob_fval)"),
    ("exception.args", ALWAYS, "offsetof(PyBaseExceptionObject, args)"),
    ("exception.traceback", ONLY_3,
     "offsetof(PyBaseExceptionObject, traceback)"),
    ("exception.context", ONLY_3,
     "offsetof(PyBaseExceptionObject, context)"),
    ("exception.cause", ONLY_3, "offsetof(PyBaseExceptionObject, cause)"),
    ("exception.suppress_context", ONLY_3,
     "offsetof(PyBaseExceptionObject, suppress_context)"),
    ("exception.exit_code", ALWAYS, "offsetof(PySystemExitObject, code)"),
    ("exception.errno_", ONLY_2,
     "offsetof(PyEnvironmentErrorObject, myerrno)"),
    ("exception.errno_", ONLY_3, "offsetof(PyOSErrorObject, myerrno)"),
    ("exception.filename", ONLY_2,
     "offsetof(PyEnvironmentErrorObject, filename)"),
    ("exception.filename", ONLY_3, "offsetof(PyOSErrorObject, filename)"),
    ("exception.import_name", ONLY_3, "offsetof(PyImportErrorObject, name)"),
    ("exception.import_path", ONLY_3, "offsetof(PyImportErrorObject, path)"),
    # 2.7 keeps the structure to itself; it is the same.
    ("traceback.next", ONLY_2, "16"),
    ("traceback.next", ONLY_3, "offsetof(PyTracebackObject, tb_next)"),
    ("traceback.frame", ONLY_2, "24"),
    ("traceback.frame", ONLY_3, "offsetof(PyTracebackObject, tb_frame)"),
    ("traceback.last_instruction", ONLY_2, "32"),
    ("traceback.last_instruction", ONLY_3,
     "offsetof(PyTracebackObject, tb_lasti)"),
    ("traceback.line", ONLY_2, "36"),
    ("traceback.line", ONLY_3, "offsetof(PyTracebackObject, tb_lineno)"),
    ("frame_object_frame", since((3, 11)),
     "offsetof(struct _frame, f_frame)"),
    ("memoryview.view", ALWAYS, "offsetof(PyMemoryViewObject, view)"),
    ("bytearray_start", ONLY_2, "offsetof(PyByteArrayObject, ob_bytes)"),
    ("bytearray_start", ONLY_3, "offsetof(PyByteArrayObject, ob_start)"),
]

# These 3.13 and later say themselves, in _Py_DebugOffsets.
SELF_DESCRIBED = since((3, 13))
UNSAID = {"interpreter.recursion_limit", "frame.globals", "frame.own_locals", "thread.exception",
          "code.keyword_only_count"}

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


def wanted(version):
    """[(field, C expression)]; objects' fields are named objects.*"""
    fields = [(name, ask) for name, span, ask in FIELDS
              if holds(span, version)
              and (name in UNSAID or not holds(SELF_DESCRIBED, version))]
    return fields + [("objects." + name, ask)
                     for name, span, ask in OBJECT_FIELDS
                     if holds(span, version)]


def measured(version, include):
    """[(field, offset)], by compiling and running."""
    fields = wanted(version)
    asked_of_c = [f for f in fields if "::" not in f[1]]
    lines = ["#define Py_BUILD_CORE 1"]
    lines += ["#include <%s>" % h for s, h in HEADERS if holds(s, version)]
    lines += ["#include <stddef.h>", "#include <stdio.h>", "int main(void) {"]
    lines += ['  printf("%%zu\\n", (size_t)(%s));' % f[1] for f in asked_of_c]
    lines += ["  return 0;", "}", ""]
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "ask.c"), Path(folder, "ask")
        source.write_text("\n".join(lines))
        subprocess.run(
            ["cc", "-w", "-I", include, "-I", include + "/internal",
             "-o", str(program), str(source)], check=True)
        said = iter(subprocess.run([str(program)], check=True,
                                   stdout=subprocess.PIPE).stdout.split())
    return [(name, ask if "::" in ask else str(int(next(said))))
            for name, ask in fields]


def tree_of(fields):
    """Nested dictionaries, in order."""
    tree = {}
    for name, value in fields:
        at = tree
        *groups, last = name.split(".")
        for group in groups:
            at = at.setdefault(group, {})
        at[last] = value
    return tree


def lines_of(tree, indent):
    for name, value in tree.items():
        if isinstance(value, dict):
            yield "%s.%s =" % (indent, name)
            yield indent + "    {"
            yield from lines_of(value, indent + "        ")
            yield indent + "    },"
        else:
            yield "%s.%s = %s," % (indent, name, value)


def written(version, fields):
    """The C++ file."""
    lines = ["// Written by tools/py_layout.py from the headers of CPython "
             "%d.%d." % version,
             '#include "python/layout.h"', "",
             "namespace sigwhy::python::layouts {", "",
             "extern const Layout cpython_%d_%d;" % version,
             "const Layout cpython_%d_%d = {" % version,
             "    .major = %d," % version[0], "    .minor = %d," % version[1]]
    lines += lines_of(tree_of(fields), "    ")
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
    sys.stdout.write(written(version, measured(version, include)))


if __name__ == "__main__":
    main()
