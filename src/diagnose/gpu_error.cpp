#include "diagnose/gpu_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/array_words.h"
#include "diagnose/line_values.h"
#include "diagnose/phrases.h"
#include "diagnose/refused_resource.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::int64_t no_memory = 2, illegal_address = 700, assertion = 710, wrong_address_space = 717;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

bool is_class_of_gpu(const PyException& e) {
  const auto type = lower(e.type);
  return has_any(type, {"cuda", "cupy"}) || (type.starts_with("torch.") && is_a(e, {"OutOfMemoryError"}));
}

// torch calls the driver's number error_code, CuPy status.
std::optional<std::int64_t> driver_number(const PyException& e) {
  if (!is_class_of_gpu(e) && !is_a(e, {"AcceleratorError"})) return std::nullopt;
  for (const auto* name : {"error_code", "status"}) {
    const auto* value = attribute(e, name);
    if (!value || !value->text) continue;
    const auto numbers = numbers_in(*value->text);
    if (!numbers.empty()) return static_cast<std::int64_t>(numbers.front());
  }
  return std::nullopt;
}

// TensorFlow: "... on /job:localhost/.../device:GPU:0 by allocator GPU_0_bfc", JAX: "... with allocator GPU_0_bfc on
// device 0". Of one that is named, the name decides. gpu_host_bfc gives out the host's memory.
std::optional<bool> by_named_allocator(std::string_view words) {
  if (has_any(words, {"DefaultCPUAllocator"})) return false;
  constexpr std::string_view lead = " allocator ";
  const auto at = words.find(lead);
  if (at == std::string_view::npos || !(words.substr(0, at).ends_with(" by") || words.substr(0, at).ends_with(" with"))) return std::nullopt;
  const auto name = words.substr(at + lead.size());
  const auto allocator = lower(name.substr(0, name.find_first_of(" \n\t")));
  const auto device = words.substr(0, at).rfind("device:");
  const bool on_gpu = device == std::string_view::npos ? allocator.starts_with("gpu_") : words.substr(device).starts_with("device:GPU");
  return on_gpu && !has_any(allocator, {"host", "cpu"});
}

// Pinned memory is the host's, and the driver's words for it are the same. An allocator of the GPU's own tells a size.
bool is_pinned(const PyException& e) {
  if (is_a(e, {"OutOfMemoryError"}) || has_any(e.message, {"ried to allocate", "rying to allocate"})) return false;
  if (has_any(e.message, {"pin memory thread", "cudaHostAlloc", "cudaHostRegister"})) return true;
  return std::ranges::any_of(e.traceback, [](const PythonFrame& frame) {
    return has_any(frame.function, {"pin_memory"}) || has_any(frame.text.value_or(""), {"pin_memory", "pinned"});
  });
}

bool says_exhausted(std::string_view words) {
  return has_any(lower(words), {"out of memory", "out_of_memory", "cudaerrormemoryallocation", "oom when allocating",
                                "failed to allocate memory", "dst tensor is not initialized"});
}

// Raised by code that runs on either, and the words do not tell where.
bool is_of_either(const PyException& e) {
  if (is_a(e, {"XlaRuntimeError", "JaxRuntimeError", "ResourceExhaustedError"})) return true;
  return is_a(e, {"RuntimeError"}) && has_any(lower(e.message), {"resource_exhausted:", "resource exhausted:"});
}

bool refuses_gpu_memory(const Facts& f, const PyException& e) {
  if (const auto named = by_named_allocator(e.message)) return *named && says_exhausted(e.message);
  if (is_pinned(e)) return false;
  if (driver_number(e) == no_memory) return true;
  return says_exhausted(e.message) && (names_gpu(e) || (is_of_either(e) && has_gpu_open(f)));
}

bool is_one(const Facts& f, const PyException& e, GpuError kind) {
  if (kind == GpuError::memory) return refuses_gpu_memory(f, e);
  const auto number = driver_number(e);
  const auto words = names_gpu(e) ? lower(e.message) : std::string();
  if (kind == GpuError::failed_check)
    return number == assertion ||
           has_any(words, {"device-side assert triggered", "cudaerrorassert", "cuda_error_assert"});
  return number == illegal_address || number == wrong_address_space ||
         has_any(words, {"illegal memory access was encountered", "cudaerrorillegaladdress",
                         "cuda_error_illegal_address", "operation not supported on global/shared address space"});
}

}  // namespace

std::optional<std::size_t> gpu_error(const Facts& f, GpuError kind) {
  if (!f.failure || raised_by_user(f)) return std::nullopt;
  return refused_resource(f, [&](const PyException& e) { return is_one(f, e, kind); });
}

bool names_gpu(const PyException& e) {
  if (const auto named = by_named_allocator(e.message)) return *named;
  return is_class_of_gpu(e) || has_any(e.message, {"CUDA", "cuda", "HIP out", "HIP error", "hipError", "device:GPU"});
}

bool has_gpu_open(const Facts& f) {
  return std::ranges::any_of(f.snapshot.regions, [](const Region& r) {
    constexpr std::string_view nvidia = "/dev/nvidia";
    const std::string_view path = r.path;
    const bool numbered = path.starts_with(nvidia) && path.size() > nvidia.size() && path[nvidia.size()] >= '0' &&
                          path[nvidia.size()] <= '9';
    return numbered || path == "/dev/kfd";
  });
}

bool launches_block(const Facts& f) {
  const auto found = f.snapshot.process.switches.find("CUDA_LAUNCH_BLOCKING");
  return found != f.snapshot.process.switches.end() && found->second == "1";
}

std::string reporting_line(const Facts& f) {
  if (!f.failure->own) return "the call";
  const auto& frame = frame_of(f.snapshot, *f.failure->own);
  return fmt::format("{}:{}", one_line(file_name(frame.file), 40), frame.line.value_or(0));
}

Fact launch_fact(const Facts& f, std::size_t exception) {
  if (launches_block(f))
    return fact("launch", "CUDA_LAUNCH_BLOCKING is 1: the kernel was launched by the line that reports it",
                {ref("/process/switches/CUDA_LAUNCH_BLOCKING")});
  return fact(
      "launch",
      "a kernel's launch returns before it runs: this line reports the error, an earlier one may have launched it",
      {ref(fmt::format("/python_exceptions/{}", exception))});
}

bool is_on_gpu(const Array& array) {
  return array.device && !array.device->empty() && !has_any(lower(*array.device), {"cpu", "meta"});
}

}  // namespace sigwhy::diagnose
