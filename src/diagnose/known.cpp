#include "diagnose/known.h"

#include <signal.h>

#include <algorithm>
#include <array>

#include "diagnose/phrases.h"
#include "evidence/known_bugs.h"
#include "evidence/own_code.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::size_t most_told = 3;

// Something that was running, in the table's spelling of its kind: "op:conv2d", and where it was read.
struct Running {
  std::string_view kind;
  std::string name;
  std::string where;
  std::string_view file;  // of the code: a package's bugs are in its own files
};

// Conv2D, conv2d and conv_2d are one operation: generated Python functions are in snake case, kernels in camel case.
std::string flat(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '_') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

std::string_view last_part(std::string_view name) {
  const auto at = name.rfind("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

// TensorFlow writes one Python function per operation into gen_*_ops.py; the slow path has a function of its own.
std::optional<std::string> generated_op(const PythonFrame& frame) {
  const auto name = file_name(frame.file);
  if (!name.starts_with("gen_") || !name.ends_with("_ops.py")) return std::nullopt;
  if (frame.file.find("/tensorflow/python/ops/") == std::string::npos &&
      frame.file.find("/tensorflow_core/python/ops/") == std::string::npos)
    return std::nullopt;
  std::string_view function = frame.function;
  for (const std::string_view tail : {"_eager_fallback", "_ctx"})
    if (function.ends_with(tail)) function.remove_suffix(tail.size());
  return flat(function);
}

void add_python_side(const Facts& f, std::vector<Running>& running) {
  if (!f.python) return;
  for (const auto& frame : f.snapshot.threads[f.python->thread].python) {
    if (is_own_code(frame)) return;
    const auto where = file_name(frame.file) + " " + frame.function;
    if (auto op = generated_op(frame)) running.push_back({"op", *op, where, frame.file});
    running.push_back({"function", frame.function, where, frame.file});
  }
}

// "tflite::ops::builtin::split::Prepare" -> "split"
std::optional<std::string> lite_operation(std::string_view function) {
  constexpr std::string_view prefix = "tflite::ops::builtin::";
  if (!function.starts_with(prefix)) return std::nullopt;
  function.remove_prefix(prefix.size());
  const auto end = function.find("::");
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(function.substr(0, end));
}

// "at::_ops::lu_unpack::call", "at::native::lu_unpack", "at::(...)::wrapper_CPU__lu_unpack" -> "lu_unpack"
std::optional<std::string> aten_operation(std::string_view function) {
  if (!function.starts_with("at::")) return std::nullopt;
  constexpr std::string_view calls = "at::_ops::", wrapper = "wrapper_";
  if (function.starts_with(calls)) {
    function.remove_prefix(calls.size());
    return std::string(function.substr(0, function.find("::")));
  }
  const auto name = last_part(function);
  if (name.starts_with(wrapper)) {
    const auto end = name.find("__", wrapper.size());
    if (end == std::string_view::npos) return std::nullopt;
    return std::string(name.substr(end + 2));
  }
  if (function.starts_with("at::native::")) return std::string(name);
  return std::nullopt;
}

std::string_view file_of_frame(const Facts& f, std::size_t frame) {
  const auto& module = f.dying->frames[frame].module;
  return module && *module < f.snapshot.modules.size() ? std::string_view(f.snapshot.modules[*module].path) : "";
}

void add_native_side(const Facts& f, std::vector<Running>& running) {
  if (f.op) {
    const auto& name = f.op->name;
    const bool kernel = name.ends_with("Op");
    if (kernel) running.push_back({"op", flat(name.substr(0, name.size() - 2)), name, file_of_frame(f, f.op->frame)});
  }
  for (std::size_t i = 0; i < f.frames.size() && f.frames[i].role != Role::python_eval; ++i) {
    const auto& function = f.frames[i].function;
    if (function.empty()) continue;
    const auto name = std::string(last_part(function));
    if (auto aten = aten_operation(function)) running.push_back({"aten", *aten, function, file_of_frame(f, i)});
    if (auto lite = lite_operation(function)) running.push_back({"tflite", flat(*lite), function, file_of_frame(f, i)});
    running.push_back({"symbol", name, name + "()", file_of_frame(f, i)});
  }
}

std::string_view without_number(std::string_view op) {
  const auto digits = op.find_last_not_of("0123456789");
  const bool numbered = digits != std::string_view::npos && digits + 1 < op.size() && op[digits] == 'V';
  return numbered ? op.substr(0, digits) : op;
}

// Kernels of MatrixDiagPartV2 and V3 are one class, MatrixDiagPartOp.
bool is_same(std::string_view operation, const Running& running) {
  const auto colon = operation.find(':');
  if (colon == std::string_view::npos || operation.substr(0, colon) != running.kind) return false;
  const auto name = operation.substr(colon + 1);
  if (running.kind == "op")
    return flat(name) == running.name || (running.where.ends_with("Op") && flat(without_number(name)) == running.name);
  if (running.kind == "tflite") return flat(name) == running.name;
  if (name.ends_with('*')) return running.name.starts_with(name.substr(0, name.size() - 1));
  return name == running.name;
}

// What ended it came from outside, or has a cause of its own that no bug of an operation explains.
bool is_something_else(Cause verdict) {
  constexpr std::array others = {Cause::mapped_file_truncated,
                                 Cause::shared_memory_full,
                                 Cause::bit_flip,
                                 Cause::unsupported_instruction,
                                 Cause::out_of_memory_killed,
                                 Cause::out_of_memory_refused,
                                 Cause::memory_leak,
                                 Cause::gpu_out_of_memory,
                                 Cause::resource_limit,
                                 Cause::disk_full,
                                 Cause::time_limit,
                                 Cause::killed_by_process,
                                 Cause::killed_by_user,
                                 Cause::protobuf_conflict,
                                 Cause::openmp_conflict,
                                 Cause::abi_mismatch,
                                 Cause::mixed_libraries,
                                 Cause::fork_after_threads,
                                 Cause::deadlock,
                                 Cause::corrupt_input,
                                 Cause::file_contention};
  return std::ranges::find(others, verdict) != others.end();
}

bool fits(std::string_view kind, const Facts& f, Cause verdict) {
  const bool heap_broke = verdict == Cause::heap_corruption || verdict == Cause::invalid_free;
  const bool threw = verdict == Cause::gil_not_held || verdict == Cause::uncaught_cpp_exception ||
                     verdict == Cause::impossible_allocation;
  const bool overflowed = verdict == Cause::stack_overflow;
  if (kind == "stack-overflow") return overflowed;
  if (overflowed) return false;
  if (kind == "division-by-zero") return f.signal == SIGFPE;
  if (kind == "failed-check") return f.signal == SIGABRT && !heap_broke && !threw;
  if (kind == "abort") return threw || (f.signal == SIGABRT && !heap_broke);
  if (kind == "null-pointer" || kind == "segfault") return f.signal == SIGSEGV;
  if (kind == "out-of-bounds" || kind == "use-after-free")
    return f.signal == SIGSEGV || f.signal == SIGBUS || (f.signal == SIGABRT && heap_broke);
  if (kind == "crash" || kind == "integer-overflow")
    return f.signal == SIGSEGV || f.signal == SIGABRT || f.signal == SIGFPE;
  return false;
}

// Two packages that bring the same modules, in two versions: nobody can say which of them ran.
bool is_ambiguous(const std::vector<Package>& packages, const Package& mine, const PublicBug& bug) {
  return std::ranges::any_of(packages, [&](const Package& other) {
    const auto bugs = std::ranges::find(bug.packages, std::string_view(other.name)) != bug.packages.end();
    return bugs && other.version != mine.version;
  });
}

const Running* running_of(const PublicBug& bug, const Package& package, const std::vector<Running>& running) {
  for (const auto& one : running)
    for (const auto operation : bug.operations)
      if (is_same(operation, one) && one.file.starts_with(package.folder)) return &one;
  return nullptr;
}

}  // namespace

std::vector<KnownBug> known_bugs(const Facts& f, Cause verdict) {
  std::vector<KnownBug> known;
  if (!f.snapshot.inventory || !f.signal || is_something_else(verdict)) return known;
  if (f.raised != Raised::by_instruction && f.raised != Raised::by_itself) return known;
  std::vector<Running> running;
  add_python_side(f, running);
  add_native_side(f, running);
  const auto& packages = f.snapshot.inventory->packages;
  for (const auto& package : packages)
    for (const auto& bug : public_bugs_of(package.name, package.version)) {
      const Running* seen = fits(bug.kind, f, verdict) ? running_of(bug, package, running) : nullptr;
      if (!seen || is_ambiguous(packages, package, bug)) continue;
      // One CVE may have had two advisories, the later one for what the first fix had left.
      std::erase_if(known, [&](const KnownBug& told) { return told.id == public_name(bug); });
      known.push_back({std::string(public_name(bug)), package.name, package.version, fixes_after(bug, package.version),
                       in_words(bug), seen->where});
    }
  if (known.size() > most_told) known.resize(most_told);
  return known;
}

}  // namespace sigwhy::diagnose
