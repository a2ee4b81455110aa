// Python's C API used without holding the GIL. It seldom says so: the thread state is NULL, and the first function
// that looks at it dies a few bytes above null. The classic way there: a C++ exception leaves code that had released
// the GIL, and pybind11's translator calls PyErr_SetString. Or a thread made in C calls back into Python.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/phrases.h"
#include "diagnose/python_state.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

const std::initializer_list<std::string_view> words_of_it = {"must be called with the GIL held",
                                                             "without holding the GIL",
                                                             "GIL is not locked",
                                                             "no current thread",
                                                             "NULL tstate",
                                                             "GIL is released",
                                                             "PyGILState_Check() failure",
                                                             "while the GIL is either not held"};

std::size_t caller(const Facts& f) { return caller_of_family(f, Family::python).value_or(0); }

Strength strength_of(const NullThreadState& s) {
  if (s.translating) return s.reads_it ? Strength::proven : Strength::strong;
  return s.reads_it ? Strength::strong : Strength::plausible;
}

std::string words(const Facts& f, const NullThreadState& s) {
  const auto callee = function_text(f, 0);
  if (s.translating)
    return fmt::format("a C++ exception was turned into a Python one without the GIL: {} found no thread state",
                       callee);
  const auto who = caller(f) ? frame_text(f, caller(f)) + " called" : std::string("the program called");
  if (s.without_python) return fmt::format("{} {} in a thread that does not hold the GIL", who, callee);
  return fmt::format("{} {} without holding the GIL", who, callee);
}

void add_fix(const NullThreadState& s, Finding& out) {
  if (s.translating)
    out.fix.push_back(
        "Catch exceptions inside the code that runs without the GIL, or take the GIL back before they leave it.");
  else if (s.foreign_call)
    out.fix.push_back(
        "ctypes.CDLL releases the GIL around each call: load a library that uses Python's C API with ctypes.PyDLL.");
  else
    out.fix.push_back(
        "Surround every use of Python's C API in this thread with PyGILState_Ensure and PyGILState_Release (pybind11: "
        "gil_scoped_acquire).");
}

Finding by_state(const Facts& f, const NullThreadState& s) {
  Finding out = finding(Cause::gil_not_held, strength_of(s), words(f, s));
  out.evidence_for.push_back(access_fact(f));
  out.evidence_for.push_back(fact(
      "thread-state",
      fmt::format("{} {} at {} above null", function_text(f, 0),
                  s.reads_it ? "reads the thread state, which is NULL," : "died", bytes_text(f.memory->address.value)),
      {ref("/fault/address"), frame_ref(f, 0)}));
  if (s.translating) {
    const auto frame = *first_with(f, Role::translator);
    out.evidence_for.push_back(
        frame_fact(f, frame, fmt::format("{} was translating a C++ exception", function_text(f, frame))));
  }
  if (s.without_python)
    out.evidence_for.push_back(
        fact("thread", "no Python code is on this thread's stack", {ref(fmt::format("/threads/{}/frames", f.thread))}));
  if (s.foreign_call)
    out.evidence_for.push_back(frame_fact(f, *first_with(f, Role::foreign_call),
                                          "the library was called through ctypes, which releases the GIL"));
  if (out.strength != Strength::proven)
    out.rival = "a null pointer that was passed to the C API, or an interpreter that was never started";
  add_fix(s, out);
  out.whose = whose_of_frame(f, caller(f) ? std::optional(caller(f)) : f.own);
  out.retryable = s.translating ? Retryable::no : Retryable::unknown;
  return out;
}

std::optional<Finding> by_words(const Facts& f) {
  if (f.signal != SIGABRT) return std::nullopt;
  const auto text = any_text_with(f, words_of_it);
  std::optional<std::size_t> exception;
  for (std::size_t i = 0; i < f.snapshot.exceptions.size() && !text; ++i)
    for (const auto word : words_of_it)
      if (f.snapshot.exceptions[i].what.value_or("").find(word) != std::string::npos) exception = i;
  if (!text && !exception) return std::nullopt;
  const bool fatal = has_role(f, Role::python_fatal) || has_role(f, Role::cpp_terminate);
  if (!fatal && f.abort_caller) return std::nullopt;  // something else aborted: the words are somebody's log
  const auto said = text ? f.snapshot.texts[*text].text : *f.snapshot.exceptions[*exception].what;
  Finding out = finding(Cause::gil_not_held, fatal ? Strength::proven : Strength::strong,
                        fmt::format("Python's C API was used without holding the GIL: {}", one_line(said, 130)));
  out.evidence_for.push_back(fact("text", fmt::format("the last words: {}", one_line(said, 160)),
                                  {text ? text_ref(*text) : exception_ref(*exception)}));
  if (!fatal) out.rival = "a message left from an earlier failure";
  add_fix({}, out);
  out.whose = whose_of_frame(f, f.own);
  out.retryable = Retryable::unknown;
  return out;
}

// What Python calls to give up when a function of its API finds no thread state.
std::optional<Finding> by_refusal(const Facts& f) {
  const auto refusal = frame_named(f, "_Py_FatalError_TstateNULL");
  if (!refusal || f.signal != SIGABRT) return std::nullopt;
  const auto who = caller(f) ? frame_text(f, caller(f)) : program_text(f);
  Finding out = finding(Cause::gil_not_held, Strength::strong,
                        fmt::format("{} used Python's C API without holding the GIL: there is no thread state", who));
  out.evidence_for.push_back(frame_fact(f, *refusal, "Python gave up because the thread state is NULL"));
  out.rival = "an interpreter that has ended already, or was never started";
  add_fix({}, out);
  out.whose = whose_of_frame(f, caller(f) ? std::optional(caller(f)) : f.own);
  out.retryable = Retryable::unknown;
  return out;
}

// Without the GIL two threads change the same object or Python's own lists at once; what is seen of that is a damaged
// heap, a block freed twice, an object that is gone.
std::optional<Finding> by_unknown_thread(const Facts& f) {
  const auto api = api_of_unknown_thread(f);
  if (!api || f.signal == 0 || f.raised == Raised::by_process) return std::nullopt;
  const auto who = *api + 1 < f.frames.size() ? frame_text(f, *api + 1) : program_text(f);
  Finding out = finding(Cause::gil_not_held, Strength::strong,
                        fmt::format("{} called {} in a thread that does not hold the GIL", who, function_text(f, *api)));
  out.evidence_for.push_back(frame_fact(f, *api, fmt::format("{} may only be called by who holds the GIL", function_text(f, *api))));
  out.evidence_for.push_back(fact("states", "Python knows of other threads only: this one has no thread state of its own",
                                  {ref("/interpreters/0/threads"), ref(fmt::format("/threads/{}", f.thread))}));
  out.rival = "something else that damaged the same memory before";
  add_fix({}, out);
  out.whose = whose_of_frame(f, *api + 1 < f.frames.size() ? std::optional(*api + 1) : f.own);
  out.retryable = Retryable::unknown;
  return out;
}

std::optional<Finding> check(const Facts& f) {
  const auto state = null_thread_state(f);
  if (state && strength_of(*state) >= Strength::strong) return by_state(f, *state);
  if (auto found = by_words(f)) return found;
  if (auto found = by_refusal(f)) return found;
  if (auto found = by_unknown_thread(f)) return found;
  return state ? std::optional(by_state(f, *state)) : std::nullopt;
}

}  // namespace

extern const Rule gil_not_held{.title = "GIL not held", .check = check};

}  // namespace sigwhy::diagnose::rules
