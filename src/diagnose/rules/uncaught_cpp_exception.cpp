// An exception that nobody caught ends in std::terminate and abort. One that leaves native code called from Python
// while the GIL is released never gets that far: the attempt to translate it kills the process (gil-not-held), and
// the exception is the deeper cause.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/phrases.h"
#include "diagnose/python_state.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

struct Said {
  std::string type, what;
};

// "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no such file"
Said from_text(const std::string& text) {
  Said said;
  const auto open = text.find('\'');
  const auto close = open == std::string::npos ? open : text.find('\'', open + 1);
  if (close != std::string::npos) said.type = text.substr(open + 1, close - open - 1);
  if (const auto what = text.find("what():"); what != std::string::npos)
    said.what = one_line(text.substr(what + 7), 120);
  return said;
}

Said said_of(const Facts& f, std::optional<std::size_t> exception, std::optional<std::size_t> text) {
  Said said = text ? from_text(f.snapshot.texts[*text].text) : Said{};
  if (exception) {
    const auto& e = f.snapshot.exceptions[*exception];
    if (said.type.empty()) said.type = e.type;
    if (said.what.empty() && e.what) said.what = one_line(*e.what, 120);
  }
  if (said.type.empty()) said.type = "unknown";
  said.type = one_line(said.type, 60);
  return said;
}

// The first function of the program's own above the runtime: where it was thrown, or where it stopped.
std::string origin(const Facts& f) { return f.culprit ? ", thrown in " + frame_text(f, *f.culprit) : std::string(); }

void add_evidence(const Facts& f, std::optional<std::size_t> exception, std::optional<std::size_t> text, Finding& out) {
  if (text)
    out.evidence_for.push_back(fact(
        "text", fmt::format("libstdc++ says: {}", one_line(f.snapshot.texts[*text].text, 120)), {text_ref(*text)}));
  if (exception)
    out.evidence_for.push_back(
        fact("exception",
             fmt::format("an exception of type {} is alive", one_line(f.snapshot.exceptions[*exception].type, 60)),
             {exception_ref(*exception)}));
  if (const auto frame = first_with(f, Role::cpp_terminate))
    out.evidence_for.push_back(frame_fact(f, *frame, fmt::format("{} is on the stack", function_text(f, *frame))));
}

// A framework that calls the program's own code does not expect it to throw: the last own frame before it.
std::optional<std::size_t> called_by_framework(const Facts& f) {
  for (std::size_t i = f.own.value_or(f.frames.size()); i + 1 < f.frames.size(); ++i)
    if (f.frames[i + 1].family == Family::framework)
      return whose_of_frame(f, i) == Whose::your_code ? std::optional(i) : std::nullopt;
  return std::nullopt;
}

std::string fix_text(const Facts& f, const std::string& type) {
  if (type == "std::bad_alloc")
    return "Check the sizes and counts that were passed in: more memory was asked for than could be had.";
  const auto edge = called_by_framework(f);
  const auto place = edge ? fmt::format("before it leaves {}", function_text(f, *edge)) : "where it can be handled";
  return fmt::format("Catch {} {}, or prevent what it reports.", type, place);
}

std::optional<Finding> check(const Facts& f) {
  const auto state = null_thread_state(f);
  const bool translating = state && state->translating;
  const bool terminated = f.signal == SIGABRT && has_role(f, Role::cpp_terminate);
  const auto exception = escaped_exception(f);
  const auto text = f.signal == SIGABRT ? terminate_text(f) : std::nullopt;
  if (translating ? !exception : !(text || (terminated && exception))) return std::nullopt;
  const auto said = said_of(f, exception, text);
  const auto what = said.what.empty() ? std::string() : fmt::format(" (\"{}\")", said.what);
  // __cxa_throw goes on to std::terminate only where it finds no handler.
  const bool thrown = frame_named(f, "__cxa_throw") || frame_named(f, "__cxa_rethrow");
  const bool certain = terminated && (text || (thrown && exception));
  Finding out = finding(
      Cause::uncaught_cpp_exception, certain ? Strength::proven : Strength::strong,
      translating ? fmt::format("{}{} left C++ code that Python had called", said.type, what)
                  : fmt::format("nothing caught {} {}{}{}",
                                said.type.find("::") == std::string::npos ? "an exception of type" : "the exception",
                                said.type, what, origin(f)));
  if (translating) out.explains = Cause::gil_not_held;
  add_evidence(f, exception, text, out);
  if (!certain)
    out.rival = translating ? "an exception object that was left over from an earlier call"
                            : "std::terminate called for another reason while this exception was alive";
  out.fix.push_back(fix_text(f, said.type));
  out.whose = responsible(f);
  out.retryable = Retryable::unknown;
  return out;
}

}  // namespace

extern const Rule uncaught_cpp_exception{.title = "uncaught C++ exception", .check = check};

}  // namespace sigwhy::diagnose::rules
