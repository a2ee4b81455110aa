// Tensors as arrays. A tf.Variable is a Python object whose handle leads to its tensor, from TensorFlow 2.8 on.
#include <algorithm>

#include "python/arrays.h"
#include "python/tensors/tensor.h"

namespace sigwhy::python {

namespace {

void take(const TensorFacts& tensor, ArrayFacts& a) {
  put(a.dtype, tensor.dtype);
  a.item_bytes = tensor.item_bytes;
  a.bytes = tensor.bytes;
  a.dimensions = tensor.dims.size;
  std::ranges::copy(tensor.dims, a.shape.begin());
  a.has_strides = tensor.strides.has_value();
  if (tensor.strides) std::ranges::copy(*tensor.strides, a.strides.begin());
  a.data = tensor.data;
  a.memory_start = tensor.memory_start;
  a.memory_bytes = tensor.memory_bytes;
  for (const char c : tensor.device_name())
    if (a.device.size < a.device.bytes.size()) a.device.bytes[a.device.size++] = c;
}

}  // namespace

bool read_tensor_array(const Objects& objects, Address object, const TypeInfo& type, ArrayFacts& a) {
  if (!objects.tensors()) return false;
  const bool is_torch = type.kind == Kind::torch_tensor, is_variable = type.kind == Kind::tensor_variable;
  const Address tensor = is_variable ? objects.attribute(object, "_handle") : object;
  if (!tensor.value) return false;
  const auto facts = objects.tensors()->read(objects.memory(), is_torch ? TensorKind::torch : TensorKind::tensorflow, tensor);
  if (!facts || facts->variable != is_variable) return false;
  a.kind = is_torch ? ArrayKind::torch : ArrayKind::tensorflow;
  a.object = object;
  take(*facts, a);
  if (is_variable) read_text(objects.memory(), objects.layout(), objects.attribute(object, "_handle_name"), a.label);
  return true;
}

}  // namespace sigwhy::python
