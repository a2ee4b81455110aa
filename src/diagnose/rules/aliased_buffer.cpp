// Two names for one memory, and an operation that would pull it from under the other: a buffer that is lent out cannot be
// resized or closed (Python's BufferError, NumPy's resize), a tensor that autograd still needs was written over in place,
// an expanded tensor has one element in many places. What shares memory silently is no exception and is not told here.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnose/array_error.h"
#include "diagnose/array_words.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

struct Refusal {
  std::string_view words, claim, fix;
};

// Python's class is its own; the libraries raise ValueError and RuntimeError for everything.
constexpr std::array refusals = {
    Refusal{"modified by an inplace operation", "a tensor that the gradient still needs was written over in place",
            "Do not write in place to what the forward pass has used: y = y + 1 instead of y += 1, .clone() before it."},
    Refusal{"refers to a single memory location", "a tensor is written to that has several elements in one place (expand, broadcast)",
            "Give it memory of its own first: .clone() or .contiguous()."},
    Refusal{"leaf Variable that requires grad", "a tensor that is to be learned is written over in place while its gradient is recorded",
            "Write to it inside torch.no_grad(), or to a .clone() of it."},
    Refusal{"references or is referenced", "the array's memory is shared with another array, so that it cannot be resized",
            "Make a copy of the new size (np.resize, np.concatenate), or delete the views first."},
};

// What the line asks it of: `samples.resize(200)`.
std::optional<NamedValue> asked(const Facts& f) {
  const auto line = own_line(f);
  for (auto& value : values_on_line(f))
    if (line.find(value.name + ".") != std::string::npos || line.find(value.name + " +=") != std::string::npos) return value;
  return std::nullopt;
}

std::optional<Finding> from(const Facts& f, std::string_view claim, std::string_view fix) {
  const auto value = asked(f);
  Finding out = finding(Cause::aliased_buffer, Strength::strong,
                        value ? fmt::format("at `{}`: {}", value->name, claim) : std::string(claim));
  if (value && array_of(f, *value)) out.evidence_for.push_back(value_fact(f, *value));
  out.evidence_for.push_back(error_fact(f));
  out.rival = "another object than the one on this line, which has the same memory";
  out.fix.emplace_back(fix);
  out.whose = whose_line(f);
  out.retryable = Retryable::no;
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (!f.failure || raised_by_user(f)) return std::nullopt;
  const auto& words = f.failure->words;
  if (is_a(root_of(f.snapshot, *f.failure), {"BufferError"}) && has_any(words, {"export"}))
    return from(f, "a buffer is resized or closed while something else still uses its memory",
                "Release what looks at it first (del the array or memoryview, memoryview.release()), or work on a copy.");
  const auto found = std::ranges::find_if(refusals, [&](const Refusal& r) { return words.find(r.words) != std::string::npos; });
  if (found == refusals.end() || !raising_library(f)) return std::nullopt;
  return from(f, found->claim, found->fix);
}

}  // namespace

extern const Rule aliased_buffer{.title = "aliased buffer", .check = check};

}  // namespace sigwhy::diagnose::rules
