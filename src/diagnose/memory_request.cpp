#include "diagnose/memory_request.h"

#include <errno.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "diagnose/array_words.h"
#include "diagnose/gpu_error.h"
#include "diagnose/line_values.h"
#include "diagnose/phrases.h"
#include "diagnose/refused_resource.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t tebibyte = 1ull << 40;
constexpr std::uint64_t beyond_machine = 4;  // so many times its memory is no matter of swap or a larger node

bool about_disk(std::string_view words) { return has_any(words, {"No space left", "quota"}); }

bool refuses_memory(const PyException& e) {
  if (names_gpu(e) || about_disk(e.message)) return false;
  if (is_a(e, {"MemoryError"})) return true;
  if (is_a(e, {"OSError"})) return errno_of(e) == ENOMEM;
  if (is_a(e, {"ResourceExhaustedError"})) return has_any(e.message, {"OOM", "allocat"});
  if (is_a(e, {"RuntimeError"}))
    return has_any(e.message, {"DefaultCPUAllocator", "Storage size calculation overflowed"});
  return is_a(e, {"ValueError"}) && has_any(e.message, {"array is too big", "Maximum allowed dimension exceeded"});
}

std::uint64_t product(const Dimensions& shape, std::uint64_t item_bytes) {
  std::uint64_t bytes = item_bytes;
  for (const auto n : shape)
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(std::max<std::int64_t>(n, 0)), &bytes)) return most;
  return bytes;
}

bool from_shape(const Dimensions& shape, std::string_view dtype, MemoryRequest& out) {
  const auto item = dtype_bytes(dtype);
  if (shape.empty() || !item) return false;
  out.bytes = product(shape, *item);
  out.what = fmt::format("a {} array {}", dtype, shape_text(shape));
  return true;
}

// "you tried to allocate 400000000000000 bytes"
void add_told_bytes(const PyException& e, MemoryRequest& out) {
  constexpr std::string_view lead = "tried to allocate ";
  const auto at = e.message.find(lead);
  if (at == std::string::npos) return;
  const auto numbers = numbers_in(std::string_view(e.message).substr(at));
  if (!numbers.empty()) out.bytes = numbers.front();
}

std::optional<std::uint64_t> whole_number(const NamedValue& value) {
  if (value.type != "int" && value.type != "long" && class_name(value.type) != "int64") return std::nullopt;
  const std::string_view text = value.text ? std::string_view(*value.text) : std::string_view();
  std::uint64_t number = 0;
  const auto done = std::from_chars(text.data(), text.data() + text.size(), number);
  if (done.ec == std::errc::result_out_of_range) return most;
  return done.ec == std::errc() && done.ptr != text.data() ? std::optional(number) : std::nullopt;
}

// f.read(n): a count on the line that alone is more than the machine has.
void add_count_on_line(const Facts& f, MemoryRequest& out) {
  const auto memory = f.snapshot.host.memory_bytes;
  if (memory == 0) return;
  for (const auto& value : values_on_line(f)) {
    const auto number = whole_number(value);
    if (!number || *number <= memory || *number <= out.bytes.value_or(0)) continue;
    out.bytes = number;
    out.what = fmt::format("`{}` on that line is {}", value.name, count_text(*number));
    out.from_line = true;
    out.evidence.push_back(ref(value.path));
  }
}

}  // namespace

// NumPy keeps shape and dtype on the exception and writes them into its message.
void add_told_array(const PyException& e, MemoryRequest& out) {
  const auto dtypes = dtypes_in(e.message);
  const auto shapes = shapes_in(e.message);
  if (!shapes.empty() && !dtypes.empty() && from_shape(shapes.front(), dtypes.front(), out)) return;
  const auto *shape = attribute(e, "shape"), *dtype = attribute(e, "dtype");
  if (!shape || !shape->text || !dtype || !dtype->text) return;
  const auto told = shapes_in(*shape->text);
  const auto types = dtypes_in(*dtype->text);
  if (!told.empty() && !types.empty()) from_shape(told.front(), types.front(), out);
}

std::optional<MemoryRequest> memory_request(const Facts& f) {
  if (!f.failure || raised_by_user(f)) return std::nullopt;
  const auto refused = refused_resource(f, [](const PyException& e) { return refuses_memory(e); });
  if (!refused) return std::nullopt;
  const auto* found = &f.snapshot.python_exceptions[*refused];
  MemoryRequest out{.exception = *refused};
  out.handled = !ended_it(*f.failure, out.exception);
  out.evidence.push_back(ref(fmt::format("/python_exceptions/{}", out.exception)));
  if (has_any(found->message, {"overflowed", "array is too big", "Maximum allowed dimension"})) out.bytes = most;
  if (!out.bytes) add_told_bytes(*found, out);
  if (!out.bytes) add_told_array(*found, out);
  if (!out.bytes) add_count_on_line(f, out);
  return out;
}

void add_request_facts(const Facts& f, const MemoryRequest& request, Finding& finding) {
  finding.evidence_for.push_back(fact("exception",
                                      fmt::format("{} means that an allocation was refused",
                                                  class_name(f.snapshot.python_exceptions[request.exception].type)),
                                      request.evidence));
  if (!f.snapshot.host.memory_bytes) return;
  finding.evidence_for.push_back(fact("machine",
                                      fmt::format("the machine has {}", bytes_text(f.snapshot.host.memory_bytes)),
                                      {ref("/host/memory_bytes")}));
}

bool is_impossible(const Facts& f, const MemoryRequest& r) {
  if (!r.bytes) return false;
  const auto memory = f.snapshot.host.memory_bytes;
  return *r.bytes >= tebibyte && (memory == 0 ? *r.bytes >= 64 * tebibyte : *r.bytes / beyond_machine > memory);
}

std::uint64_t mapped_bytes(const Facts& f) {
  std::uint64_t sum = 0;
  for (const auto& region : f.snapshot.regions)
    if (region.kind != RegionKind::vdso && region.start < region.end)
      sum += static_cast<std::uint64_t>(region.end - region.start);
  return sum;
}

}  // namespace sigwhy::diagnose
