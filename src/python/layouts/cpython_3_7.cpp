// Written by tools/py_layout.py from the headers of CPython 3.7.
#include "python/layout.h"

namespace sigwhy::python::layouts {

extern const Layout cpython_3_7;
const Layout cpython_3_7 = {
    .major = 3,
    .minor = 7,
    .runtime =
        {
            .interpreters_head = 24,
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
            .last_instruction = 104,
        },
    .code =
        {
            .filename = 96,
            .name = 104,
            .first_line = 36,
            .line_table = 112,
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
    .lines = LineTable::lnotab,
    .instruction_unit = 1,
};

}  // namespace sigwhy::python::layouts
