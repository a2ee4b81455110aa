// Written by tools/py_layout.py from the headers of CPython 2.7.
#include "python/layout.h"

namespace sigwhy::python::layouts {

extern const Layout cpython_2_7;
const Layout cpython_2_7 = {
    .major = 2,
    .minor = 7,
    .interpreter =
        {
            .next = 0,
            .threads_head = 8,
        },
    .thread =
        {
            .next = 0,
            .interpreter = 8,
            .frame = 16,
            .thread_id = 144,
        },
    .frame =
        {
            .previous = 24,
            .code = 32,
            .last_instruction = 120,
        },
    .code =
        {
            .filename = 80,
            .name = 88,
            .first_line = 96,
            .line_table = 104,
        },
    .text =
        {
            .length = 16,
            .ascii_data = 36,
        },
    .bytes =
        {
            .size = 16,
            .data = 36,
        },
    .lines = LineTable::lnotab_unsigned,
    .eval_loop = "PyEval_EvalFrameEx",
    .instruction_unit = 1,
};

}  // namespace sigwhy::python::layouts
