// The Python side of a process: what a user knows as train.py:57, `labels` and ValueError.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "evidence/memory.h"

namespace sigwhy {

// Elements of a container or of an object array that are alike: "31 lists of length 28, the first at 0".
struct ElementGroup {
  std::string type;
  std::optional<std::uint64_t> length;             // of each, where they have one
  std::optional<std::vector<std::int64_t>> shape;  // of each, where they are arrays
  std::optional<std::string> dtype;
  std::uint64_t count = 0;
  std::uint64_t first = 0;  // index of the first such element
};

// A member of a value: an element, an attribute, a dictionary's entry. Its own members are not kept.
struct PyItem {
  std::string name;  // "[3]", "['image']", ".weight"
  std::string type;
  std::optional<std::string> text;
  std::optional<std::uint64_t> length;
  std::optional<std::uint64_t> array;
  std::vector<ElementGroup> elements;
};

// What a name in a frame stood for. Strings are kept only where the values policy allows it: numbers, lengths and
// file paths by default.
struct PyValue {
  std::string name;  // `labels`
  std::string type;  // "int", "ndarray", "Dataset"
  bool argument = false;
  std::optional<std::string> text;  // as Python writes it: 3.5, True, None, '/data/x.npy'
  std::optional<std::uint64_t> length;
  std::optional<std::uint64_t> array;  // index into Snapshot.arrays
  std::vector<ElementGroup> elements;  // of a container; the first few thousand are looked at
  std::vector<PyItem> items;           // a few of its members
};

struct PythonFrame {
  std::string file;
  std::string function;
  std::optional<int> line;
  std::optional<int> column;
  std::optional<std::string> text;  // the line itself, where the file is unchanged since the program started
  bool entry = false;               // called from C: the frames further out belong to another native frame
  std::vector<PyValue> values;      // arguments first, then locals
};

enum class GilState { unknown, holds, waits, released };

struct PyInterpreter {
  std::string version;
  std::uint64_t threads = 0;
  std::optional<std::int64_t> recursion_limit;  // sys.getrecursionlimit()
  std::optional<std::int64_t> gil_holder;  // thread id; absent: nobody, or it could not be told
};

enum class ArrayKind { numpy, torch, tensorflow, memoryview, bytes, bytearray, array, ctypes, mmap };

// One step of an array's base chain: the object that keeps the memory alive.
struct ArrayBase {
  std::string type;
  Address object;
  std::optional<Address> data;
  std::optional<std::uint64_t> bytes;
};

// A name and its place in the program: a local of a frame, or a global of a module.
struct Holder {
  std::string name;                     // "labels", "self.buffers[3]"
  std::optional<std::uint64_t> thread;  // index into Snapshot.threads
  std::optional<std::uint64_t> frame;   // index into its python frames
  std::optional<std::uint64_t> exception;  // index into Snapshot.python_exceptions; frame is in its traceback
  std::optional<std::string> module;    // a global of this module
};

// What a Python name really points to: a block of memory with a type and a shape.
struct Array {
  std::string name;             // its shortest, innermost name: "labels", "self.buffers[3]", "batch['image']"
  std::vector<Holder> holders;  // all names it goes by, the innermost first
  ArrayKind kind = ArrayKind::numpy;
  std::string type;   // "ndarray", "EagerTensor", "c_int_Array_5"
  std::string dtype;  // "float32", "object", "[('x', '<f4')]"; empty where it has none
  std::uint64_t item_bytes = 0;
  std::vector<std::int64_t> shape;
  std::optional<std::vector<std::int64_t>> strides;  // in bytes
  Address object;
  std::optional<Address> data;  // of the first element; absent: not in this process's memory, or not readable
  std::uint64_t bytes = 0;      // all elements together
  // The memory it may touch: its own block or what the base chain ends in.
  std::optional<Address> memory_start;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<bool> owns_memory;
  std::optional<bool> writable;
  std::vector<ArrayBase> base;
  std::optional<HeapBlock> block;    // the heap block its data lies in
  std::optional<Address> points_to;   // of a ctypes pointer: where it leads
  std::optional<std::string> label;   // what its framework calls it: "dense/kernel"
  std::optional<std::string> device;  // "cpu", "cuda:0"
  std::optional<std::string> path;    // the file behind it (memmap, mmap)
  std::vector<ElementGroup> elements;  // of an object array
};

// How an exception came to stand in the chain.
enum class ExceptionLink { ended_it, cause, context, remote };

// A Python exception that ended the program, or one behind it, with its frames while they were still alive.
struct PyException {
  ExceptionLink link = ExceptionLink::ended_it;
  std::string type;                // "ValueError", "tensorflow.python.framework.errors_impl.InvalidArgumentError"
  std::vector<std::string> bases;  // its base classes, nearest first
  std::string message;             // what str() of it gives, as far as it can be read
  std::vector<PyValue> attributes;  // args, errno, filename, name, path, ...
  std::vector<PythonFrame> traceback;  // innermost first; of a deep one the innermost and a few of the outermost
  std::optional<std::uint64_t> traceback_length;  // where frames were left out of it
};

}  // namespace sigwhy
