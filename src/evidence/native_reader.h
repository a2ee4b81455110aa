// Whose native code reads a file format, by the beginning of its functions' names.
#pragma once
#include <array>
#include <string_view>

namespace sigwhy {

struct NativeReader {
  std::string_view format, function;
  bool is(std::string_view name) const { return name.starts_with(function); }
};

inline constexpr std::array native_readers = {
    NativeReader{"tflite", "tflite::"}, NativeReader{"hdf5", "H5"}, NativeReader{"saved-model", "tensorflow::"},
    NativeReader{"graph-def", "tensorflow::"}, NativeReader{"checkpoint", "tensorflow::"}};

}  // namespace sigwhy
