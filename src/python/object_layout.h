// Where CPython's objects keep what a value needs: type, length, elements, attributes, an exception's parts. Unlike
// frames these are tabled for every release line (layouts/*.cpp): the table that 3.13 and later publish about
// themselves leaves most of them out. A field that a line does not have is absent.
#pragma once
#include <cstdint>
#include <optional>

namespace sigwhy::python {

using Offset = std::uint32_t;
using MaybeOffset = std::optional<Offset>;

// How an instance keeps its attributes when its type manages them (type flag "managed dict").
enum class ManagedAttributes {
  none,           // up to 3.10: a dictionary at the type's dictoffset, always
  values_before,  // 3.11: values at -32, dictionary at -24
  tagged,         // 3.12: one word at -24, odd where it stands for values
  inline_values,  // 3.13 on: dictionary at -24; values behind the object's fixed part
};

struct ObjectLayout {
  struct {
    Offset name = 0;
    Offset basic_size = 0;
    Offset flags = 0;
    Offset base = 0;
    Offset dict_offset = 0;
    MaybeOffset cached_keys;  // of a heap type: the keys its instances share
  } type;
  struct {
    Offset size = 0;
    Offset items = 0;  // -> the elements
  } list;
  struct {
    Offset size = 0;
    Offset items = 0;  // the elements themselves
  } tuple;
  struct {
    Offset used = 0;
    MaybeOffset keys;  // 3.6 on
    MaybeOffset values;
    MaybeOffset mask;  // 2.7: a plain table
    MaybeOffset table;
  } dict;
  // The keys of a dictionary, 3.6 on. 3.11 keeps logarithms and a kind; before, the table's size.
  struct {
    MaybeOffset size;
    MaybeOffset log2_index_bytes;
    MaybeOffset kind;
    Offset entry_count = 0;
    Offset indices = 0;
  } keys;
  Offset first_value = 0;  // in the values of a split dictionary
  ManagedAttributes attributes = ManagedAttributes::none;
  struct {
    Offset used = 0;
    Offset mask = 0;
    Offset table = 0;
  } set;
  struct {
    MaybeOffset small;  // 2.7's int
    MaybeOffset tag;    // 3.12 on: sign and count of digits
    Offset size = 0;
    Offset digits = 0;
  } integer;
  Offset float_value = 0;
  struct {
    Offset args = 0;
    MaybeOffset traceback;
    MaybeOffset context;
    MaybeOffset cause;
    MaybeOffset suppress_context;  // bool: `raise ... from`
    // Parts that only some classes have: SystemExit, OSError, ImportError.
    Offset exit_code = 0;
    Offset errno_ = 0;
    Offset filename = 0;
    MaybeOffset import_name;
    MaybeOffset import_path;
  } exception;
  struct {
    Offset next = 0;
    Offset frame = 0;
    Offset last_instruction = 0;
    Offset line = 0;
  } traceback;
  MaybeOffset frame_object_frame;  // 3.11 on: the frame behind a frame object
  struct {
    Offset view = 0;  // a Py_buffer
  } memoryview;
  Offset bytearray_start = 0;
};

}  // namespace sigwhy::python
