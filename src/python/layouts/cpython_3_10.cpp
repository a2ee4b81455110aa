// Written by tools/py_layout.py from the headers of CPython 3.10.
#include "python/layout.h"

namespace sigwhy::python::layouts {

extern const Layout cpython_3_10;
const Layout cpython_3_10 = {
    .major = 3,
    .minor = 10,
    .runtime =
        {
            .interpreters_head = 32,
        },
    .interpreter =
        {
            .next = 0,
            .threads_head = 8,
        },
    .thread =
        {
            .next = 8,
            .interpreter = 16,
            .frame = 24,
            .thread_id = 176,
        },
    .frame =
        {
            .previous = 24,
            .code = 32,
            .last_instruction = 96,
        },
    .code =
        {
            .filename = 104,
            .name = 112,
            .first_line = 40,
            .line_table = 120,
        },
    .text =
        {
            .length = 16,
            .state = 32,
            .ascii_data = 48,
            .compact_data = 72,
        },
    .bytes =
        {
            .size = 16,
            .data = 32,
        },
    .lines = LineTable::linetable,
    .instruction_unit = 2,
};

}  // namespace sigwhy::python::layouts
