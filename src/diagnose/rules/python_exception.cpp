// An exception that nothing caught, and no rule knows more about it than its own words. Some have more to tell than
// their traceback: endless recursion (the functions that call each other, how deep), the death of a worker process,
// which the parent's exception only reports, a protobuf message over 2 GiB, and a file of the program's own that an
// import takes for an installed module.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/array_error.h"
#include "diagnose/input_file.h"
#include "diagnose/large_message.h"
#include "diagnose/module_files.h"
#include "diagnose/phrases.h"
#include "diagnose/repeating_calls.h"
#include "diagnose/rule.h"
#include "diagnose/worker_death.h"

namespace sigwhy::diagnose::rules {

namespace {

std::string error_text(std::string_view type, std::string_view words, std::size_t columns) {
  return is_bare_arguments(words) ? std::string(type) : fmt::format("{}: {}", type, one_line(words, columns));
}

// What was caught and answered with sys.exit(), or with another error, was not uncaught.
std::string plain_words(const Facts& f) {
  const auto& all = f.snapshot.python_exceptions;
  const auto& told = f.failure->told;
  const auto& last = all[told.front()];
  if (told.front() != 0)
    return "the program ended itself while it handled " + error_text(f.failure->type, f.failure->words, 140);
  if (told.size() == 1 || class_name(last.type) == f.failure->type)
    return "nothing caught " + error_text(f.failure->type, f.failure->words, 140);
  return fmt::format("nothing caught {}, which came from {}",
                     error_text(class_name(last.type), core_message(last.message), 70),
                     error_text(f.failure->type, f.failure->words, 70));
}

Finding plain(const Facts& f) {
  Finding out = finding(Cause::python_exception, Strength::proven, plain_words(f));
  out.fix.push_back(fmt::format("Prevent what {} reports, or handle it where it can be expected.", f.failure->type));
  return out;
}

// numpy.py, or the folder numpy/.
std::string own_name(const std::string& path, const std::string& module) {
  return path.ends_with("/__init__.py") ? fmt::format("folder {}/", module) : file_name(path);
}

Finding recursion(const Facts& f, const RepeatingCalls& calls) {
  const auto& interpreters = f.snapshot.interpreters;
  const auto limit = interpreters.empty() ? std::nullopt : interpreters[0].recursion_limit;
  const auto& exception = f.snapshot.python_exceptions[calls.exception];
  const auto depth = exception.traceback_length.value_or(exception.traceback.size());
  // Of a very deep traceback not every frame is counted.
  const auto number = limit && *limit > 0 ? fmt::format(" of {}", count_text(static_cast<std::uint64_t>(*limit)))
                                          : fmt::format(", at least {} calls deep", count_text(depth));
  Finding out = finding(Cause::python_exception, Strength::proven,
                        fmt::format("{} called {} until Python's recursion limit{}", calls.names,
                                    calls.period == 1 ? "itself" : "each other", number));
  const auto last = count_text(calls.times * calls.period);
  out.evidence_for.push_back(
      fact("cycle",
           calls.period == 1 ? fmt::format("the last {} calls are all of {}", last, calls.names)
                             : fmt::format("the last {} calls are the same {} again and again", last, calls.period),
           {ref(fmt::format("/python_exceptions/{}/traceback", calls.exception))}));
  out.fix.push_back("Give the recursion a condition that ends it, or use a loop with a list of its own.");
  return out;
}

Finding worker(const WorkerDeath& death) {
  Finding out = finding(Cause::python_exception, death.node ? Strength::proven : Strength::strong, death.words);
  if (death.node)
    out.evidence_for.push_back(fact("worker", death.words, {ref(fmt::format("/process/tree/{}", *death.node))}));
  else out.rival = "a worker that ended by itself, without a signal";
  out.fix.push_back(death.fix);
  return out;
}

Finding too_large(const LargeMessage& message) {
  Finding out = finding(Cause::python_exception, Strength::proven,
                        fmt::format("a protobuf message holds at most 2 GiB, and {}", message.words));
  out.evidence_for.push_back(fact("size", message.words, message.evidence));
  out.fix.push_back("Split it into several messages, or keep the arrays in files of their own and only their names in the message.");
  return out;
}

Finding hidden(const Facts& f, const HiddenModule& module) {
  const auto &own = f.snapshot.inputs[module.own].path, &installed = f.snapshot.inputs[module.installed].path;
  Finding out = finding(Cause::python_exception, module.told ? Strength::proven : Strength::strong,
                        fmt::format("`import {}` takes your {} for the installed module: {}", module.name,
                                    own_name(own, module.name), one_line(f.failure->words, 110)));
  out.evidence_for.push_back(
      fact("own", fmt::format("{} lies beside the script", one_line(own, 100)), {input_ref(module.own)}));
  out.evidence_for.push_back(fact("hidden-module",
                                  fmt::format("{} is the module that it hides", one_line(installed, 100)),
                                  {input_ref(module.installed)}));
  if (!module.told) out.rival = fmt::format("an installed {} of another version than the code is for", module.name);
  out.fix.push_back(fmt::format("Give your {} another name.", own_name(own, module.name)));
  return out;
}

Finding judged(const Facts& f) {
  if (const auto module = hidden_module(f)) return hidden(f, *module);
  if (const auto death = worker_death(f)) return worker(*death);
  if (const auto calls = repeating_calls(f)) return recursion(f, *calls);
  if (const auto message = large_message(f)) return too_large(*message);
  return plain(f);
}

std::optional<Finding> check(const Facts& f) {
  if (!f.failure) return std::nullopt;
  if (const auto death = worker_death(f); death && death->killed) return std::nullopt;
  Finding out = judged(f);
  out.evidence_for.push_back(error_fact(f));
  out.whose = whose_line(f);
  out.retryable = Retryable::unknown;
  return out;
}

}  // namespace

extern const Rule python_exception{.title = "Python exception", .check = check};

}  // namespace sigwhy::diagnose::rules
