#include "diagnose/python_failure.h"

#include <signal.h>

#include <algorithm>
#include <charconv>

#include "evidence/own_code.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::size_t most_links = 64;

bool names(std::string_view type, std::string_view wanted) {
  return type == wanted ||
         (type.ends_with(wanted) && type.size() > wanted.size() && type[type.size() - wanted.size() - 1] == '.');
}

// Python 3.8 and later answer Ctrl-C with a traceback and then die of SIGINT by their own hand.
bool ended_by_exception(const Snapshot& s) {
  const auto& t = s.termination;
  if (s.python_exceptions.empty()) return false;
  if (t.kind == TerminationKind::exited) return t.exit_code != 0 && !t.handled_first;
  return t.kind == TerminationKind::signalled && t.signal == SIGINT && t.sender &&
         t.sender->relation == SenderRelation::itself && is_a(s.python_exceptions[0], {"KeyboardInterrupt"});
}

bool left_by_own_hand(const PyException& e) { return !e.traceback.empty() && is_own_code(e.traceback.front()); }

bool repeats(const PyException& outer, const PyException& inner) {
  const auto words = core_message(inner.message);
  return words.size() > 8 && outer.message.find(words) != std::string::npos;
}

// multiprocessing hangs the worker's traceback under the exception as a text: the same error once more.
bool is_only_text(const PyException& e) {
  return names(e.type, "RemoteTraceback") || names(e.type, "_RemoteTraceback");
}

bool belongs(const Snapshot& s, std::size_t outer, std::size_t inner) {
  const auto& e = s.python_exceptions[inner];
  // C code chains its own inner error, which was never raised anywhere: the outer one is the one with a place
  if (is_only_text(e) || (e.traceback.empty() && e.link != ExceptionLink::remote)) return false;
  if (e.link == ExceptionLink::cause || e.link == ExceptionLink::remote) return true;
  if (e.link != ExceptionLink::context) return false;
  return is_a(s.python_exceptions[outer], {"SystemExit"}) || repeats(s.python_exceptions[outer], e);
}

std::vector<std::size_t> told_of(const Snapshot& s) {
  std::vector<std::size_t> told{0};
  for (std::size_t i = 1; i < std::min(s.python_exceptions.size(), most_links); ++i) {
    if (!belongs(s, told.back(), i)) break;
    told.push_back(i);
  }
  if (is_a(s.python_exceptions[0], {"SystemExit"})) told.erase(told.begin());
  return told;
}

std::optional<FrameAt> own_frame(const Snapshot& s, const std::vector<std::size_t>& told) {
  for (auto at = told.rbegin(); at != told.rend(); ++at) {
    if (const auto own = first_own(s.python_exceptions[*at].traceback)) return FrameAt{*at, *own};
  }
  return std::nullopt;
}

bool is_deliberate(const Snapshot& s) {
  if (s.python_exceptions.empty() || !is_a(s.python_exceptions[0], {"SystemExit"})) return false;
  return s.python_exceptions.size() < 2 || !left_by_own_hand(s.python_exceptions[0]) ||
         is_a(s.python_exceptions[1], {"SystemExit", "GeneratorExit", "StopIteration"});
}

}  // namespace

bool is_bare_arguments(std::string_view message) {
  if (message.empty()) return true;
  if (!message.starts_with('(')) return false;
  int depth = 0;
  for (std::size_t at = 0; at < message.size(); ++at) {
    if (message[at] == '(') ++depth;
    if (message[at] == ')' && --depth == 0) return at + 1 == message.size();
  }
  return false;
}

std::optional<PythonFailure> python_failure_of(const Snapshot& s) {
  if (!ended_by_exception(s) || is_deliberate(s)) return std::nullopt;
  PythonFailure failure{.told = told_of(s)};
  if (failure.told.empty()) return std::nullopt;
  failure.own = own_frame(s, failure.told);
  const auto& root = root_of(s, failure);
  auto core = core_error(root.message);
  failure.words = std::move(core.words);
  failure.type = core.type.empty() ? std::string(class_name(root.type)) : std::move(core.type);
  if (failure.type.empty()) failure.type = "an exception";
  return failure;
}

std::optional<std::string> deliberate_exit(const Snapshot& s) {
  if (!ended_by_exception(s) || !is_deliberate(s)) return std::nullopt;
  const auto& e = s.python_exceptions[0];
  if (const auto* code = attribute(e, "code"); code && code->text) return *code->text;
  return e.message;
}

bool ended_it(const PythonFailure& failure, std::size_t exception) {
  return std::ranges::find(failure.told, exception) != failure.told.end();
}

const PyException& root_of(const Snapshot& s, const PythonFailure& failure) {
  return s.python_exceptions[failure.told.back()];
}

const PythonFrame& frame_of(const Snapshot& s, FrameAt at) {
  return s.python_exceptions[at.exception].traceback[at.frame];
}

bool is_a(const PyException& e, std::initializer_list<std::string_view> classes) {
  return std::ranges::any_of(classes, [&](std::string_view wanted) {
    return names(e.type, wanted) ||
           std::ranges::any_of(e.bases, [&](std::string_view base) { return names(base, wanted); });
  });
}

std::optional<std::size_t> any_is_a(const Snapshot& s, std::initializer_list<std::string_view> classes) {
  for (std::size_t i = 0; i < s.python_exceptions.size(); ++i)
    if (is_a(s.python_exceptions[i], classes)) return i;
  return std::nullopt;
}

const PyValue* attribute(const PyException& e, std::string_view name) {
  const auto found = std::ranges::find(e.attributes, name, &PyValue::name);
  return found == e.attributes.end() ? nullptr : &*found;
}

std::optional<std::int64_t> errno_of(const PyException& e) {
  std::string_view text;
  if (const auto* value = attribute(e, "errno"); value && value->text) text = *value->text;
  else if (e.message.starts_with("[Errno ")) text = std::string_view(e.message).substr(7);
  std::int64_t number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc()) return std::nullopt;
  return number;
}

}  // namespace sigwhy::diagnose
