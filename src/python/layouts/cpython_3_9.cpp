// Written by tools/py_layout.py from the headers of CPython 3.9.
#include "python/layout.h"

namespace sigwhy::python::layouts {

extern const Layout cpython_3_9;
const Layout cpython_3_9 = {
    .major = 3,
    .minor = 9,
    .runtime =
        {
            .interpreters_head = 32,
            .current_thread = 568,
        },
    .interpreter =
        {
            .next = 0,
            .threads_head = 8,
            .modules = 856,
            .sys = 872,
            .recursion_limit = 64,
        },
    .thread =
        {
            .next = 8,
            .interpreter = 16,
            .frame = 24,
            .thread_id = 176,
            .exception_type = 88,
            .exception = 96,
            .exception_traceback = 104,
        },
    .frame =
        {
            .previous = 24,
            .code = 32,
            .last_instruction = 104,
            .globals = 48,
            .own_locals = 56,
            .locals = 360,
        },
    .code =
        {
            .filename = 104,
            .name = 112,
            .first_line = 40,
            .line_table = 120,
            .argument_count = 16,
            .keyword_only_count = 24,
            .local_names = 72,
            .cell_names = 88,
            .free_names = 80,
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
    .objects =
        {
            .type =
                {
                    .name = 24,
                    .basic_size = 32,
                    .flags = 168,
                    .base = 256,
                    .dict_offset = 288,
                    .cached_keys = 864,
                },
            .list =
                {
                    .size = 16,
                    .items = 24,
                },
            .tuple =
                {
                    .size = 16,
                    .items = 24,
                },
            .dict =
                {
                    .used = 16,
                    .keys = 32,
                    .values = 40,
                },
            .keys =
                {
                    .size = 8,
                    .entry_count = 32,
                    .indices = 40,
                },
            .set =
                {
                    .used = 24,
                    .mask = 32,
                    .table = 40,
                },
            .integer =
                {
                    .size = 16,
                    .digits = 24,
                },
            .float_value = 16,
            .exception =
                {
                    .args = 24,
                    .traceback = 32,
                    .context = 40,
                    .cause = 48,
                    .suppress_context = 56,
                    .exit_code = 64,
                    .errno_ = 64,
                    .filename = 80,
                    .import_name = 72,
                    .import_path = 80,
                },
            .traceback =
                {
                    .next = 16,
                    .frame = 24,
                    .last_instruction = 32,
                    .line = 36,
                },
            .memoryview =
                {
                    .view = 56,
                },
            .bytearray_start = 40,
        },
    .lines = LineTable::lnotab,
    .instruction_unit = 1,
};

}  // namespace sigwhy::python::layouts
