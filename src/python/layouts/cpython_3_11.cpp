// Written by tools/py_layout.py from the headers of CPython 3.11.
#include "python/layout.h"

namespace sigwhy::python::layouts {

extern const Layout cpython_3_11;
const Layout cpython_3_11 = {
    .major = 3,
    .minor = 11,
    .runtime =
        {
            .interpreters_head = 40,
        },
    .interpreter =
        {
            .next = 0,
            .threads_head = 16,
        },
    .thread =
        {
            .next = 8,
            .interpreter = 16,
            .cframe = 56,
            .cframe_frame = 8,
            .thread_id = 152,
            .native_thread_id = 160,
        },
    .frame =
        {
            .previous = 48,
            .code = 32,
            .instruction = 56,
            .owner = 69,
            .is_entry = 68,
        },
    .code =
        {
            .filename = 112,
            .name = 120,
            .qualified_name = 128,
            .first_line = 72,
            .line_table = 136,
            .instructions = 184,
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
    .lines = LineTable::locations,
    .instruction_unit = 1,
};

}  // namespace sigwhy::python::layouts
