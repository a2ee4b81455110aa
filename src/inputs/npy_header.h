// What a .npy file says of itself, apart from where its bytes lie: as a file, or as a member of an .npz archive.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "evidence/input.h"

namespace sigwhy::inputs {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

// All that is asked for: magic, version, length and header.
inline constexpr std::uint64_t npy_start_bytes = 1 << 20;

using ReadAt = std::function<std::string(std::uint64_t offset, std::uint64_t bytes)>;

// `bytes`: of the whole array file.
Checked check_npy(std::uint64_t bytes, const ReadAt& read);

}  // namespace sigwhy::inputs
