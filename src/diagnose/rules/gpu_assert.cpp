// A kernel on the GPU stopped at a check of its own: an index into a table, a label among the classes. The driver only
// says that one did, later, to whoever calls it next; the condition is printed on stderr by the GPU's side.
#include <fmt/format.h>

#include "diagnose/array_error.h"
#include "diagnose/array_words.h"
#include "diagnose/gpu_error.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

constexpr std::size_t most_named = 3;

// "Loss.cu:245: nll_loss_forward: block: [0,0,0], thread: [10,0,0] Assertion `t >= 0 && t < n_classes` failed."
struct PrintedCheck {
  std::size_t text = 0;
  std::string kernel, condition;
};

// A log that is appended to holds earlier runs as well: between this run's check and the end lies its own traceback
// and nothing more.
bool is_of_this_run(std::string_view behind) {
  constexpr std::string_view traceback = "Traceback (most recent call last)";
  const auto first = behind.find(traceback);
  return behind.find("\nsigwhy: ") == std::string_view::npos &&
         (first == std::string_view::npos || behind.find(traceback, first + 1) == std::string_view::npos);
}

std::optional<PrintedCheck> printed_check(const Facts& f) {
  const auto index = text_with(f, TextKind::stderr_tail, {"Assertion `"});
  if (!index) return std::nullopt;
  const std::string_view text = f.snapshot.texts[*index].text;
  constexpr std::string_view lead = "] Assertion `", thread = ": block: [";
  const auto at = text.rfind(lead);
  if (at == std::string_view::npos || !is_of_this_run(text.substr(at))) return std::nullopt;
  const auto start = text.rfind('\n', at);
  const auto line = text.substr(start == std::string_view::npos ? 0 : start + 1);
  const auto block = line.find(thread), check = line.find(lead), end = line.find("` failed");
  if (block > check || end == std::string_view::npos || end < check) return std::nullopt;
  const auto before = line.substr(0, block).rfind(": ");
  if (before == std::string_view::npos) return std::nullopt;
  const auto from = check + lead.size();
  return PrintedCheck{*index, one_line(line.substr(before + 2, block - before - 2), 50),
                      one_line(line.substr(from, end - from), 90)};
}

// What can be an index or a label. Where launches do not block, the line that reports tells nothing about which.
std::vector<NamedValue> integer_tensors(const Facts& f) {
  std::vector<NamedValue> found;
  if (!f.failure->own) return found;
  for (auto& value : launches_block(f) ? values_on_line(f) : values_of_frame(f, *f.failure->own)) {
    const auto* array = array_of(f, value);
    if (array && is_on_gpu(*array) && has_any(array->dtype, {"int"}) && found.size() < most_named)
      found.push_back(std::move(value));
  }
  return found;
}

std::string names_of(const std::vector<NamedValue>& values) {
  std::vector<std::string> names;
  for (const auto& value : values) names.push_back(fmt::format("`{}`", value.name));
  return list_text(names);
}

std::string shapes_of(const Facts& f, const std::vector<NamedValue>& values) {
  std::vector<std::string> words;
  for (const auto& value : values) {
    const auto* array = array_of(f, value);
    words.push_back(fmt::format("`{}` {} {}", value.name, array->dtype, shape_text(array->shape)));
  }
  return list_text(words);
}

std::string claim_of(const Facts& f, const std::optional<PrintedCheck>& check, const std::vector<NamedValue>& values) {
  auto claim = check ? fmt::format("the GPU kernel {} stopped at its own check: {}", check->kernel, check->condition)
                     : fmt::format("a GPU kernel stopped at a check of its own; {} {} it", reporting_line(f),
                                   launches_block(f) ? "launched" : "reports");
  if (!values.empty()) claim += fmt::format("; integer tensors there: {}", shapes_of(f, values));
  return claim;
}

std::optional<Finding> check(const Facts& f) {
  const auto found = gpu_error(f, GpuError::failed_check);
  if (!found) return std::nullopt;
  const auto printed = printed_check(f);
  const auto values = integer_tensors(f);
  const bool handled = !ended_it(*f.failure, *found);
  Finding out = finding(Cause::gpu_assert, handled ? Strength::strong : Strength::proven, claim_of(f, printed, values));
  out.evidence_for.push_back(fact("exception", "the driver reports a failed assertion in a kernel",
                                  {ref(fmt::format("/python_exceptions/{}", *found))}));
  if (printed)
    out.evidence_for.push_back(
        fact("check", fmt::format("{} printed its condition on stderr", printed->kernel), {text_ref(printed->text)}));
  for (const auto& value : values) out.evidence_for.push_back(value_fact(f, value));
  out.evidence_for.push_back(launch_fact(f, *found));
  if (handled) out.rival = rival_error;
  out.fix.push_back(
      values.empty() ? "Check that every index and label is at least 0 and below the size it is used with; on the "
                       "CPU the same call names the one that is not."
                     : fmt::format("Check that every index and label ({}) is at least 0 and below the size it is used "
                                   "with; on the CPU the same call names the one that is not.",
                                   names_of(values)));
  if (!launches_block(f)) out.fix.push_back(block_launches);
  out.whose = whose_line(f);
  out.retryable = Retryable::unknown;
  return out;
}

}  // namespace

extern const Rule gpu_assert{.title = "GPU assertion", .check = check};

}  // namespace sigwhy::diagnose::rules
