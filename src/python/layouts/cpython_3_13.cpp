// Written by tools/py_layout.py from the headers of CPython 3.13.
#include "python/layout.h"

namespace sigwhy::python::layouts {

extern const Layout cpython_3_13;
const Layout cpython_3_13 = {
    .major = 3,
    .minor = 13,
    .interpreter =
        {
            .recursion_limit = 8,
        },
    .thread =
        {
            .exception = 112,
        },
    .frame =
        {
            .globals = 24,
            .own_locals = 40,
        },
    .code =
        {
            .keyword_only_count = 60,
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
            .first_value = 8,
            .attributes = ManagedAttributes::inline_values,
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
