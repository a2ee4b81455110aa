// Which Python line a death belongs to. A framework computes in threads of its own that run no Python; the line that
// asked for it stands in another thread, whose native stack is inside a call of the same library. And the op: the
// kernel's class (TensorFlow) or the operator's name (PyTorch), as the frames spell it.
#include <algorithm>
#include <set>

#include "diagnose/facts_parts.h"
#include "diagnose/function_names.h"
#include "evidence/python_source.h"

namespace sigwhy::diagnose {

namespace {

std::size_t own_frame(const Thread& thread) {
  const auto own =
      std::ranges::find_if(thread.python, [](const PythonFrame& frame) { return !is_library_file(frame.file); });
  return own == thread.python.end() ? 0 : static_cast<std::size_t>(own - thread.python.begin());
}

bool computes(Family family) {
  return family == Family::user || family == Family::extension || family == Family::framework;
}

// A package's name, else the file's.
std::set<std::string> libraries_of(const Facts& f, const Thread& thread) {
  std::set<std::string> found;
  for (const auto& frame : thread.frames) {
    if (!frame.module || *frame.module >= f.snapshot.modules.size()) continue;
    const Module& module = f.snapshot.modules[*frame.module];
    const auto family = family_of(module);
    if (family == Family::python) break;  // further out it is no longer the call
    if (computes(family)) found.insert(module.package.value_or(module.path));
  }
  return found;
}

// The one thread with Python lines that is inside a call of a library the dying thread ran. Two of them: nobody knows.
std::optional<std::size_t> waiting_thread(const Facts& f) {
  const auto wanted = libraries_of(f, *f.dying);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < f.snapshot.threads.size(); ++i) {
    const Thread& thread = f.snapshot.threads[i];
    if (i == f.thread || thread.python.empty()) continue;
    const auto own = libraries_of(f, thread);
    if (std::ranges::none_of(own, [&](const std::string& name) { return wanted.contains(name); })) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::string last_part(std::string_view name) { return std::string(name.substr(name.rfind(':') + 1)); }

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
    auto name = last_part(function);
    // What runs every kernel is none itself.
    if (name.empty() || name.ends_with("Device") || name == "OpKernel") return std::nullopt;
    return name;
  }
  return std::nullopt;
}

std::optional<std::string> op_of(const Facts& f) {
  for (std::size_t i = 0; i < f.frames.size(); ++i) {
    if (f.frames[i].role == Role::python_eval) return std::nullopt;
    if (auto op = torch_op(f.frames[i].function)) return op;
    if (auto op = kernel_class(f.dying->frames[i], f.frames[i].function)) return op;
  }
  return std::nullopt;
}

}  // namespace

void add_python(Facts& f) {
  f.op = op_of(f);
  if (!f.dying->python.empty()) {
    f.python = PythonPlace{.thread = f.thread, .frame = own_frame(*f.dying)};
  } else if (const auto waiting = waiting_thread(f)) {
    f.python = PythonPlace{.thread = *waiting, .frame = own_frame(f.snapshot.threads[*waiting]), .waits = true};
  }
}

}  // namespace sigwhy::diagnose
