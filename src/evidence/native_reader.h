// Whose native code reads a file format, by the beginning of its functions' names.
#pragma once
#include <array>
#include <string_view>

namespace sigwhy {

struct NativeReader {
  std::string_view format, function;
  bool does_all_else = false;  // the same names stand on every stack of a training step: to be in one says little
  bool is(std::string_view name) const { return name.starts_with(function); }
};

inline constexpr std::array native_readers = {
    NativeReader{"tflite", "tflite::"}, NativeReader{"hdf5", "H5"}, NativeReader{"saved-model", "tensorflow::", true},
    NativeReader{"graph-def", "tensorflow::", true}, NativeReader{"checkpoint", "tensorflow::", true}};

}  // namespace sigwhy
