// Where CPython keeps what we read. One Layout per release line that cannot describe itself (layouts/*.cpp, written
// by tools/py_layout.py from that interpreter's own headers); 3.13 and later publish their offsets in memory and
// need none (self_described.cpp). A field that a version does not have is absent: walking code asks for the field,
// never for the version.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "python/object_layout.h"

namespace sigwhy::python {

// How a code object maps instructions to lines.
enum class LineTable {
  lnotab,         // 2.7 to 3.9: pairs of (byte step, line step); line steps unsigned up to 3.5, signed since 3.6
  lnotab_unsigned,
  linetable,      // 3.10: (byte step, signed line step), -128 is "no line"
  locations,      // 3.11 on: variable-length entries with columns
};

struct Layout {
  int major = 0;
  int minor = 0;

  struct {
    MaybeOffset interpreters_head;  // in _PyRuntime
    MaybeOffset current_thread;     // up to 3.11: -> the thread state that holds the GIL, or null
  } runtime;
  struct {
    Offset next = 0;
    Offset threads_head = 0;
    Offset modules = 0;  // dictionary of the imported modules
    Offset sys = 0;      // dictionary of the module sys
    MaybeOffset recursion_limit;
  } interpreter;
  struct {
    MaybeOffset in_interpreter;  // since 3.12: -> the GIL, its own or one it shares
    Offset holder = 0;           // -> the thread state that held it last
    Offset locked = 0;           // int: 1 while somebody holds it
  } gil;
  struct {
    Offset next = 0;
    Offset interpreter = 0;
    MaybeOffset frame;          // -> the innermost frame
    MaybeOffset cframe;         // 3.11, 3.12: -> _PyCFrame, which holds the frame
    MaybeOffset cframe_frame;   // offset of current_frame in _PyCFrame
    Offset thread_id = 0;       // pthread_self(), i.e. the thread's fs base
    MaybeOffset native_thread_id;
    bool base_shim = false;     // the outermost frame is a shim of the thread itself (3.15)
    MaybeOffset exception_type;       // up to 3.11 an exception in flight is three words
    Offset exception = 0;
    MaybeOffset exception_traceback;
  } thread;
  struct {
    Offset previous = 0;
    Offset code = 0;
    MaybeOffset last_instruction;   // f_lasti: an index (int), -1 before the first
    MaybeOffset instruction;        // prev_instr / instr_ptr: an address
    MaybeOffset owner;              // char; see shim_owner
    MaybeOffset is_entry;           // bool (3.11): called from C
    Offset globals = 0;
    Offset own_locals = 0;          // a dictionary, where names are looked up by name (a module's frame)
    Offset locals = 0;              // the first fast local
    std::uint32_t tag_mask = 0;     // low bits of `code` to be cleared (3.14)
    std::uint8_t shim_owner = 3;    // marks a shim that the loop puts before what C calls; higher ones other shims
  } frame;
  struct {
    Offset filename = 0;
    Offset name = 0;
    MaybeOffset qualified_name;
    Offset first_line = 0;
    Offset line_table = 0;
    Offset argument_count = 0;
    Offset keyword_only_count = 0;
    Offset local_names = 0;         // tuple; since 3.11 of all fast locals, before of the plain ones
    MaybeOffset local_kinds;        // bytes: which of them are cells
    MaybeOffset cell_names;         // up to 3.10: cells follow the plain ones
    MaybeOffset free_names;
    MaybeOffset instructions;  // where the bytecode starts inside the code object (3.11 on)
  } code;
  struct {
    Offset length = 0;
    MaybeOffset state;         // absent: 2.7's plain byte strings; see texts.cpp
    Offset ascii_data = 0;
    Offset compact_data = 0;
  } text;
  struct {
    Offset size = 0;
    Offset data = 0;
  } bytes;

  ObjectLayout objects;
  // False: frames can be read, values cannot.
  bool knows_objects() const { return objects.type.flags != 0; }

  LineTable lines = LineTable::lnotab;
  std::string_view eval_loop = "_PyEval_EvalFrameDefault";  // the function that runs bytecode
  int instruction_unit = 1;  // bytes one step of last_instruction means (2 in 3.10)
};

std::span<const Layout* const> all_layouts();

// Null: no file for this release line.
const Layout* tabled_layout(int major, int minor);

}  // namespace sigwhy::python
