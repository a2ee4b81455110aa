// Written by tools/py_layout.py from the headers of CPython 3.12.
#include "python/layout.h"

namespace sigwhy::python::layouts {

extern const Layout cpython_3_12;
const Layout cpython_3_12 = {
    .major = 3,
    .minor = 12,
    .runtime =
        {
            .interpreters_head = 40,
        },
    .interpreter =
        {
            .next = 0,
            .threads_head = 72,
        },
    .thread =
        {
            .next = 8,
            .interpreter = 16,
            .cframe = 56,
            .cframe_frame = 0,
            .thread_id = 136,
            .native_thread_id = 144,
        },
    .frame =
        {
            .previous = 8,
            .code = 0,
            .instruction = 56,
            .owner = 70,
        },
    .code =
        {
            .filename = 112,
            .name = 120,
            .qualified_name = 128,
            .first_line = 68,
            .line_table = 136,
            .instructions = 192,
        },
    .text =
        {
            .length = 16,
            .state = 32,
            .ascii_data = 40,
            .compact_data = 56,
        },
    .bytes =
        {
            .size = 16,
            .data = 32,
        },
    .lines = LineTable::locations,
    .instruction_unit = 1,
};

}  // namespace sigwhy::python::layouts
