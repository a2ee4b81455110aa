// The op a framework was running: the kernel's class (TensorFlow) or the operator's name (PyTorch), as the frames
// between the fault and the interpreter spell it.
#include "diagnose/facts_parts.h"

namespace sigwhy::diagnose {

namespace {

// "at::_ops::embedding_bag::call" -> "embedding_bag"
std::optional<std::string> torch_op(std::string_view function) {
  constexpr std::string_view prefix = "at::_ops::";
  if (!function.starts_with(prefix)) return std::nullopt;
  function.remove_prefix(prefix.size());
  const auto end = function.find("::");
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  return std::string(function.substr(0, end));
}

// "tensorflow::QuantizedReluOp<...>::Compute(tensorflow::OpKernelContext*)" -> "QuantizedReluOp"
std::optional<std::string> kernel_class(const Frame& frame, std::string_view function) {
  if (!frame.symbol || frame.symbol->find("OpKernelContext*") == std::string::npos) return std::nullopt;
  for (const std::string_view call : {"::Compute", "::ComputeAsync"}) {
    if (!function.ends_with(call)) continue;
    function.remove_suffix(call.size());
    const auto name = function.substr(function.rfind(':') + 1);
    // What runs every kernel is none itself.
    if (name.empty() || name.ends_with("Device") || name == "OpKernel") return std::nullopt;
    return std::string(name);
  }
  return std::nullopt;
}

}  // namespace

void add_python(Facts& f) {
  f.python = python_place(f.snapshot);
  for (std::size_t i = 0; i < f.frames.size() && f.frames[i].role != Role::python_eval; ++i) {
    auto name = torch_op(f.frames[i].function);
    if (!name) name = kernel_class(f.dying->frames[i], f.frames[i].function);
    if (!name) continue;
    f.op = Op{*name, i};
    return;
  }
}

}  // namespace sigwhy::diagnose
