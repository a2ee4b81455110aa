// Source lines of code objects, for places that were noted while the program ran and are named when it is dead. Only as
// good as the object: one that was thrown away since names nothing.
#pragma once
#include <cstdint>
#include <optional>

#include "evidence/python.h"
#include "native/file_backed_memory.h"
#include "python/interpreter.h"
#include "target/target.h"

namespace sigwhy::python {

class CodePlaces {
 public:
  explicit CodePlaces(const Target& target);
  // Without values; nothing where no code object with a file lies there.
  std::optional<PythonFrame> at(Address code, std::uint64_t instruction) const;

 private:
  native::FileBackedMemory memory_;
  std::optional<Interpreter> interpreter_;
};

}  // namespace sigwhy::python
