#include "evidence/array_words.h"

namespace sigwhy {

namespace {

std::string kind_text(const Array& a) {
  switch (a.kind) {
    case ArrayKind::numpy: return a.type == "ndarray" || a.type.empty() ? "NumPy" : "NumPy " + a.type;
    case ArrayKind::torch: return "torch";
    case ArrayKind::tensorflow: return "TensorFlow";
    case ArrayKind::array: return "array.array";
    case ArrayKind::ctypes: return "ctypes";
    case ArrayKind::memoryview: return "memoryview";
    case ArrayKind::bytes: return "bytes";
    case ArrayKind::bytearray: return "bytearray";
    case ArrayKind::mmap: return "mmap";
  }
  return "array";
}

}  // namespace

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string array_text(const Array& a) {
  if (a.points_to) return "ctypes pointer " + a.type;
  auto text = kind_text(a);
  if (a.kind == ArrayKind::bytes || a.kind == ArrayKind::bytearray || a.kind == ArrayKind::mmap)
    return text + ", " + std::to_string(a.bytes) + " bytes";
  if (!a.dtype.empty()) text += " " + a.dtype;
  text += " " + shape_text(a.shape);
  if (a.device && *a.device != "cpu") text += " on " + *a.device;
  return text;
}

}  // namespace sigwhy
