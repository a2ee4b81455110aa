// A NumPy type as .npy files spell it: '<f4', or a list of fields [('x', '<f4'), ('y', '<i8', (3,))].
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "inputs/python_literal.h"

namespace sigwhy::inputs {

struct NpyType {
  std::uint64_t bytes = 0;  // of one item
  bool holds_objects = false;
  std::string name;         // "'<f4'", "3 fields"
};

struct NpyTypeRead {
  std::optional<NpyType> type;
  std::size_t at = 0;  // of what is no type, in the header
  std::string what;
};

NpyTypeRead read_npy_type(const Literal& descr);

}  // namespace sigwhy::inputs
