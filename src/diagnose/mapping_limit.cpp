#include "diagnose/mapping_limit.h"

#include <fmt/format.h>
#include <signal.h>

#include <bit>

#include "diagnose/array_error.h"
#include "diagnose/array_words.h"
#include "diagnose/memory_request.h"
#include "diagnose/phrases.h"
#include "diagnose/python_state.h"

namespace sigwhy::diagnose {

namespace {

// Whoever is refused gives back what it had mapped for the same purpose: the segments of a library, a stack.
constexpr std::uint64_t given_back = 16;

constexpr const char* enomem = "Cannot allocate memory";  // as the C library words it for all who pass it on
constexpr const char* rival_size = "a size so large that no machine could serve it (a wrong or overflowed number)";

struct Refusal {
  Fact fact;
  std::optional<Cause> explains;
  bool small = false;  // what was asked for is known, and no matter of memory
  const char* rival = rival_size;
};

std::optional<Refusal> python_refusal(const Facts& f) {
  if (const auto request = memory_request(f)) {
    const auto memory = f.snapshot.host.memory_bytes;
    const bool told = request->bytes && !request->from_line;
    if (request->bytes && (memory == 0 || *request->bytes > memory)) return std::nullopt;
    const auto type = class_name(f.snapshot.python_exceptions[request->exception].type);
    return Refusal{.fact = fact("refused", fmt::format("{} means that an allocation was refused", type), request->evidence),
                   .explains = Cause::out_of_memory_refused,
                   .small = told && !request->handled,
                   .rival = request->handled ? rival_error : rival_size};
  }
  if (raised_by_user(f) || !has_any(f.failure->words, {enomem})) return std::nullopt;
  return Refusal{.fact = error_fact(f)};
}

std::optional<Refusal> native_refusal(const Facts& f) {
  if (f.signal != SIGABRT) return std::nullopt;
  const auto escaped = escaped_exception(f);
  if (escaped && exception_with(f, {"std::bad_alloc"}) == escaped)
    return Refusal{.fact = fact("refused", "std::bad_alloc is alive: an allocation was refused", {exception_ref(*escaped)}),
                   .explains = Cause::out_of_memory_refused};
  if (escaped && has_any(f.snapshot.exceptions[*escaped].what.value_or(""), {enomem}))
    return Refusal{.fact = fact("refused", "the exception says that an allocation was refused", {exception_ref(*escaped)}),
                   .explains = Cause::uncaught_cpp_exception};
  const auto text = any_text_with(f, {enomem});
  if (!text) return std::nullopt;
  return Refusal{.fact = fact("refused", "its last words say that an allocation was refused", {text_ref(*text)}),
                 .explains = Cause::failed_check};
}

}  // namespace

std::optional<MappingLimit> reached_mapping_limit(const Facts& f) {
  const auto limit = soft_limit(f, "mappings");
  const auto count = f.snapshot.process.mapping_count;
  if (!limit || !count || *count + given_back < *limit) return std::nullopt;
  return MappingLimit{*count, *limit};
}

Finding mapping_finding(const Facts& f, const MappingLimit& l, Strength strength, const char* refused) {
  Finding out = finding(Cause::resource_limit, strength,
                        fmt::format("{}: the process has {} mappings, and vm.max_map_count allows {}", refused,
                                    count_text(l.count), count_text(l.limit)));
  out.evidence_for.push_back(
      fact("count", fmt::format("{} mappings were there", count_text(l.count)), {ref("/process/mapping_count")}));
  out.evidence_for.push_back(fact("limit", fmt::format("a process may have {} on this machine", count_text(l.limit)),
                                  {ref(fmt::format("/process/limits/{}", *limit_index(f, "mappings")))}));
  if (const auto& bounds = f.snapshot.memory_bounds; bounds && bounds->available_bytes)
    out.evidence_for.push_back(fact("free", fmt::format("{} of the machine's memory were free", bytes_text(*bounds->available_bytes)),
                                    {ref("/memory_bounds/available_bytes")}));
  out.fix.push_back("Map fewer and larger pieces (one file or tensor instead of thousands), and let go of those that are "
                    "done with.");
  out.fix.push_back(fmt::format("Or raise the limit, as root and outside of a container: sysctl vm.max_map_count={}", std::bit_ceil(4 * l.limit)));
  return out;
}

std::optional<Finding> refused_mapping(const Facts& f) {
  const auto full = reached_mapping_limit(f);
  const auto refusal = !full ? std::nullopt : f.failure ? python_refusal(f) : native_refusal(f);
  if (!refusal) return std::nullopt;
  const bool proven = refusal->small && full->count >= full->limit;
  Finding out = mapping_finding(f, *full, proven ? Strength::proven : Strength::strong, "nothing more could be mapped");
  out.explains = refusal->explains;
  out.evidence_for.insert(out.evidence_for.begin(), refusal->fact);
  if (!proven) out.rival = refusal->rival;
  return out;
}

}  // namespace sigwhy::diagnose
