// A request for more memory than any machine has: a negative count turned unsigned, a product that overflowed, a length
// read from the wrong bytes of a file. The containers of the C++ library refuse it with std::length_error, new[] with
// std::bad_array_new_length; in Python it is a MemoryError like any other, and the size tells.
#include <fmt/format.h>

#include <array>

#include "diagnose/array_error.h"
#include "diagnose/memory_request.h"
#include "diagnose/phrases.h"
#include "diagnose/python_state.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

// std::length_error is also thrown by programs; the library's own texts name the container's function.
bool is_library_text(const std::optional<std::string>& what) {
  constexpr std::array starts = {
      "vector::", "basic_string::", "cannot create std::vector", "cannot create std::deque", "deque::",
      "list::",   "string::"};
  for (const std::string_view start : starts)
    if (what && what->starts_with(start)) return true;
  return false;
}

std::optional<Finding> by_cpp(const Facts& f) {
  const auto escaped = escaped_exception(f);
  if (!escaped) return std::nullopt;
  const CppException& e = f.snapshot.exceptions[*escaped];
  const bool too_long = e.type == "std::length_error" && is_library_text(e.what);
  const bool bad_length = e.type == "std::bad_array_new_length";
  if (!too_long && !bad_length) return std::nullopt;
  Finding out =
      finding(Cause::impossible_allocation, Strength::strong,
              fmt::format("a container was asked for more elements than can exist{}; a count may have been negative",
                          too_long ? " (" + one_line(*e.what, 60) + ")" : ""));
  out.explains = Cause::uncaught_cpp_exception;
  out.evidence_for.push_back(fact("exception",
                                  fmt::format("{} is alive: the C++ library's answer to an impossible size", e.type),
                                  {exception_ref(*escaped)}));
  out.rival = "the program threw this exception itself, for a reason of its own";
  out.fix.push_back("Check the counts and sizes passed in: a negative one, taken as unsigned, is enormous.");
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  return out;
}

std::optional<Finding> by_python(const Facts& f) {
  const auto request = memory_request(f);
  if (!request || !is_impossible(f, *request)) return std::nullopt;
  const bool overflowed = *request->bytes == ~0ull;
  const auto size = overflowed ? std::string("more bytes than 64 bits can count") : bytes_text(*request->bytes);
  const auto machine =
      f.snapshot.host.memory_bytes ? fmt::format("; the machine has {}", bytes_text(f.snapshot.host.memory_bytes)) : "";
  const auto claim = request->from_line      ? "more memory was asked for than any machine has: " + request->what
                     : request->what.empty() ? size + " were asked for"
                                             : request->what + " needs " + size;
  const bool certain = !request->from_line && !request->handled;
  Finding out = finding(Cause::impossible_allocation, certain ? Strength::proven : Strength::strong, claim + machine);
  add_request_facts(f, *request, out);
  if (request->from_line) out.rival = "a smaller request on the same line, refused for lack of memory";
  else if (request->handled) out.rival = rival_error;
  out.fix.push_back(
      "Check the numbers this size comes from: a wrong axis, a length read from the wrong place of a file.");
  out.whose = whose_line(f);
  out.retryable = Retryable::no;
  return out;
}

std::optional<Finding> check(const Facts& f) { return f.failure ? by_python(f) : by_cpp(f); }

}  // namespace

extern const Rule impossible_allocation{.title = "impossible allocation", .check = check};

}  // namespace sigwhy::diagnose::rules
