// What the memory of a process was used for. `parts` add up to `judged_bytes`: to what its control group counted
// where that is what it was judged by, else to its resident memory.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/python.h"

namespace sigwhy {

enum class MemoryKind {
  arrays,          // NumPy arrays and tensors that Python names reach
  unnamed_arrays,  // the same, held by native code or by nothing that could be followed
  python_objects,
  heap_in_use,  // the C heap, what is none of the above
  heap_free,    // free, but not given back to the system
  thread_stacks,
  code_and_files,  // mapped files, libraries
  shared_memory,
  other_processes,  // of the same control group
  page_cache,
  kernel,
  unknown,
};

struct MemoryPart {
  MemoryKind kind = MemoryKind::unknown;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;  // of things, where they can be counted
};

// A Python name and all arrays that can be reached through it and through no shorter name.
struct MemoryHolder {
  std::string name;  // "history", "layer.history"
  std::string type;  // of what the name stands for: "list"
  std::optional<std::string> file;  // where the name lives: a frame's file and the line it stands at, or a module
  std::optional<std::string> function;
  std::optional<int> line;
  std::optional<std::string> module;
  bool own_code = false;  // the user's own, not a library's
  std::uint64_t count = 0;  // arrays
  std::uint64_t bytes = 0;
  std::uint64_t objects = 0;  // other Python objects below it, and their own size
  std::uint64_t object_bytes = 0;
  std::optional<std::uint64_t> length;  // of the container
  std::optional<std::uint64_t> capacity;  // of one that drops its oldest when full: deque(maxlen=)
  std::vector<ElementGroup> elements;   // alike in type, dtype and shape; the largest first
  bool keeps_graph = false;  // a torch tensor with a gradient function: it keeps what it was computed from
  std::optional<std::uint64_t> graph_nodes;  // operations in that graph, as far as they were counted
};

// Two arrays with the same contents.
struct MemoryCopy {
  std::string name;
  std::string copy_of;
  std::uint64_t bytes = 0;
};

struct TypeCount {
  std::string type;  // "Tensor", "ConcreteFunction", "dict"
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  // of the objects themselves
};

// A line of the user's own source that adds to what a name holds: `history.append(batch)`, `total = total + loss`.
struct AddingLine {
  std::string name;  // as the line writes it: `self.history`
  std::string file;
  int line = 0;
  std::string text;
  bool repeats = false;  // inside a loop that does not make it anew, or in a function of its own
  bool only_fills = false;  // that loop ends by itself and does nothing but fill it, as one that makes a data set does
};

struct MemoryUse {
  bool of_group = false;  // else of this process alone
  std::uint64_t judged_bytes = 0;
  std::uint64_t resident_bytes = 0;
  bool before_the_end = false;  // looked at while it still ran, see at_s
  double at_s = 0;
  std::optional<double> took_s;  // that look
  std::vector<MemoryPart> parts;  // the largest first
  std::vector<MemoryHolder> holders;
  std::vector<MemoryCopy> copies;
  std::vector<TypeCount> types;  // the most frequent and the largest Python types
  std::uint64_t objects_seen = 0;
  std::vector<AddingLine> added;  // to the holders and to large containers
};

}  // namespace sigwhy
