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
            .modules = 944,
            .sys = 352,
            .recursion_limit = 376,
        },
    .gil =
        {
            .in_interpreter = 384,
            .holder = 8,
            .locked = 16,
        },
    .thread =
        {
            .next = 8,
            .interpreter = 16,
            .cframe = 56,
            .cframe_frame = 0,
            .thread_id = 136,
            .native_thread_id = 144,
            .exception = 96,
        },
    .frame =
        {
            .previous = 8,
            .code = 0,
            .instruction = 56,
            .owner = 70,
            .globals = 24,
            .own_locals = 40,
            .locals = 72,
        },
    .code =
        {
            .filename = 112,
            .name = 120,
            .qualified_name = 128,
            .first_line = 68,
            .line_table = 136,
            .argument_count = 52,
            .keyword_only_count = 60,
            .local_names = 96,
            .local_kinds = 104,
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
    .objects =
        {
            .type =
                {
                    .name = 24,
                    .basic_size = 32,
                    .flags = 168,
                    .base = 256,
                    .dict_offset = 288,
                    .cached_keys = 880,
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
                    .log2_index_bytes = 9,
                    .kind = 10,
                    .entry_count = 24,
                    .indices = 32,
                },
            .first_value = 0,
            .attributes = ManagedAttributes::tagged,
            .set =
                {
                    .used = 24,
                    .mask = 32,
                    .table = 40,
                },
            .integer =
                {
                    .tag = 16,
                    .digits = 24,
                },
            .float_value = 16,
            .exception =
                {
                    .args = 24,
                    .traceback = 40,
                    .context = 48,
                    .cause = 56,
                    .suppress_context = 64,
                    .exit_code = 72,
                    .errno_ = 72,
                    .filename = 88,
                    .import_name = 80,
                    .import_path = 88,
                },
            .traceback =
                {
                    .next = 16,
                    .frame = 24,
                    .last_instruction = 32,
                    .line = 36,
                },
            .frame_object_frame = 24,
            .memoryview =
                {
                    .view = 56,
                },
            .bytearray_start = 40,
        },
    .lines = LineTable::locations,
    .instruction_unit = 1,
};

}  // namespace sigwhy::python::layouts
