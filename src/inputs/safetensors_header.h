// The JSON header of a safetensors file, read with the place of every value.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/input.h"

namespace sigwhy::inputs {

struct SafeTensor {
  std::string name;
  std::uint64_t begin = 0, end = 0;  // of its data, behind the header
  std::uint64_t offsets_at = 0;      // in the file
};

struct SafeTensorsHeader {
  std::vector<SafeTensor> tensors;  // by the place of their data
  std::uint64_t data_bytes = 0;
  std::optional<Flaw> flaw;

  std::string tensor_at(std::uint64_t data_offset) const;
};

// `header_at`: of the text, in the file.
SafeTensorsHeader read_safetensors_header(const std::string& text, std::uint64_t header_at);

}  // namespace sigwhy::inputs
