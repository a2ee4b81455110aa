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
            .modules = 16,
            .sys = 24,
        },
    .thread =
        {
            .next = 0,
            .interpreter = 8,
            .frame = 16,
            .thread_id = 144,
            .exception_type = 72,
            .exception = 80,
            .exception_traceback = 88,
        },
    .frame =
        {
            .previous = 24,
            .code = 32,
            .last_instruction = 120,
            .globals = 48,
            .own_locals = 56,
            .locals = 376,
        },
    .code =
        {
            .filename = 80,
            .name = 88,
            .first_line = 96,
            .line_table = 104,
            .argument_count = 16,
            .local_names = 56,
            .cell_names = 72,
            .free_names = 64,
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
    .objects =
        {
            .type =
                {
                    .name = 24,
                    .basic_size = 32,
                    .flags = 168,
                    .base = 256,
                    .dict_offset = 288,
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
                    .used = 24,
                    .mask = 32,
                    .table = 40,
                },
            .set =
                {
                    .used = 24,
                    .mask = 32,
                    .table = 40,
                },
            .integer =
                {
                    .small = 16,
                    .size = 16,
                    .digits = 24,
                },
            .float_value = 16,
            .exception =
                {
                    .args = 24,
                    .exit_code = 40,
                    .errno_ = 40,
                    .filename = 56,
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
                    .view = 24,
                },
            .bytearray_start = 40,
        },
    .lines = LineTable::lnotab_unsigned,
    .eval_loop = "PyEval_EvalFrameEx",
    .instruction_unit = 1,
};

}  // namespace sigwhy::python::layouts
