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
            .current_thread = 576,
        },
    .interpreter =
        {
            .next = 0,
            .threads_head = 16,
            .modules = 888,
            .sys = 904,
            .recursion_limit = 96,
        },
    .thread =
        {
            .next = 8,
            .interpreter = 16,
            .cframe = 56,
            .cframe_frame = 8,
            .thread_id = 152,
            .native_thread_id = 160,
            .exception_type = 96,
            .exception = 104,
            .exception_traceback = 112,
        },
    .frame =
        {
            .previous = 48,
            .code = 32,
            .instruction = 56,
            .owner = 69,
            .is_entry = 68,
            .globals = 8,
            .own_locals = 24,
            .locals = 72,
        },
    .code =
        {
            .filename = 112,
            .name = 120,
            .qualified_name = 128,
            .first_line = 72,
            .line_table = 136,
            .argument_count = 56,
            .keyword_only_count = 64,
            .local_names = 96,
            .local_kinds = 104,
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
    .objects =
        {
            .type =
                {
                    .name = 24,
                    .basic_size = 32,
                    .flags = 168,
                    .base = 256,
                    .dict_offset = 288,
                    .cached_keys = 872,
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
            .attributes = ManagedAttributes::values_before,
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
