// The thread ran out of stack. Proven by where the stack pointer stands: at or below the lowest address of its own
// stack, with the refused access right there. Mostly endless or very deep recursion, whose frames repeat; else one
// function that asked for more than the whole stack (alloca, a variable-length array, a large local).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

constexpr std::uint64_t usual_stack_bytes = 1u << 20;
constexpr std::int64_t big_step_bytes = 64 << 10;

// "f()" or "f(), g() and 2 more".
std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names[0];
  const auto more = names.size() - 2;
  return names[0] + (more ? fmt::format(", {} and {} more", names[1], more) : " and " + names[1]);
}

// The frames of one repetition, each name once.
std::string circle(const Facts& f, const Repetition& r) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (std::uint64_t i = r.first; i < r.first + r.period && i < f.frames.size(); ++i) {
    const auto name = function_text(f, i);
    if (known.insert(name).second) names.push_back(name);
  }
  return names.empty() ? "the same functions" : listed(names);
}

constexpr std::size_t longest_cycle = 8;

// How many Python functions, innermost first, come again and again in the same order. 0: they do not.
std::size_t python_cycle(const Thread& t, std::size_t& first) {
  const auto same = [&](std::size_t a, std::size_t b) {
    return t.python[a].function == t.python[b].function && t.python[a].file == t.python[b].file;
  };
  for (first = 0; first < longest_cycle; ++first)
    for (std::size_t period = 1; period <= longest_cycle; ++period) {
      const auto end = first + 4 * period;
      if (end > t.python.size()) break;
      std::size_t i = first;
      while (i + period < end && same(i, i + period)) ++i;
      if (i + period == end) return period;
    }
  return 0;
}

// "visit()", "deepcopy(), _deepcopy_dict() and 2 more": each name once.
std::string python_circle(const Thread& t) {
  std::size_t first = 0;
  const auto period = python_cycle(t, first);
  std::vector<std::string> names;
  for (auto i = first; i < first + period; ++i) {
    const auto name = one_line(t.python[i].function, 40) + "()";
    if (std::ranges::count(names, name) == 0) names.push_back(name);
  }
  return listed(names);
}

// At least one Python call for every run of the interpreter's loop in the repetition.
std::uint64_t python_depth(const Facts& f, const Repetition& r) {
  std::uint64_t loops = 0;
  for (auto i = r.first; i < r.first + r.period && i < f.frames.size(); ++i)
    loops += f.frames[i].function.ends_with("PyEval_EvalFrameDefault") || f.frames[i].function.ends_with("PyEval_EvalFrameEx");
  return loops * r.estimated_times.value_or(r.times);
}

std::string times(const Repetition& r) {
  if (r.estimated_times && *r.estimated_times > r.times) return "about " + count_text(*r.estimated_times);
  return count_text(r.times);
}

bool in_python(const Facts& f) { return has_role(f, Role::python_eval); }

const Repetition* repetition(const Facts& f) {
  const auto& r = f.dying->repetition;
  return r && r->period > 0 && r->times > 2 ? &*r : nullptr;
}

// The main thread's stack stopped growing long before its limit: something else refused.
bool was_refused(const StackEnd& end) {
  return end.pointer_below_bytes <= big_step_bytes && end.used_bytes + end.size_bytes / 4 < end.size_bytes;
}

std::string words(const Facts& f, const StackEnd& end) {
  if (was_refused(end))
    return fmt::format("the stack could not grow beyond {}, though {} are allowed", bytes_text(end.used_bytes),
                       bytes_text(end.size_bytes));
  const auto size = bytes_text(end.size_bytes);
  const auto depth = repetition(f) ? python_depth(f, *repetition(f)) : 0;
  if (const auto lines = python_circle(*f.dying); depth > 0 && !lines.empty())
    return fmt::format("{} called {}, at least {} Python calls deep, until the thread's stack of {} was used up", lines,
                       lines.find(' ') == std::string::npos ? "itself" : "each other", count_text(depth), size);
  if (const auto* r = repetition(f))
    return fmt::format("{} called {} {} times, until the thread's stack of {} was used up", circle(f, *r),
                       r->period == 1 ? "itself" : "each other", times(*r), size);
  const auto who = f.culprit ? frame_text(f, *f.culprit) : program_text(f);
  if (end.pointer_below_bytes > big_step_bytes)
    return fmt::format("{} needed {} of stack; the thread has {}", who, bytes_text(end.used_bytes), size);
  return fmt::format("the thread's stack of {} was used up, last in {}", size, who);
}

void add_fix(const Facts& f, const StackEnd& end, Finding& out) {
  if (repetition(f)) {
    out.fix.push_back("Bound the recursion (a condition that ends it, or a loop with a list of its own).");
    if (in_python(f))
      out.fix.push_back("sys.setrecursionlimit only moves Python's own counter: keep it low enough for the C stack.");
  } else if (end.pointer_below_bytes > big_step_bytes) {
    out.fix.push_back("Take large buffers from the heap instead of the stack.");
  }
  out.fix.push_back(fmt::format(
      "A larger stack only helps if the depth is bounded: {}.",
      f.dying->tid == f.snapshot.process.pid
          ? "ulimit -s"
          : "the stack size given when the thread was made (threading.stack_size, pthread_attr_setstacksize)"));
}

std::optional<std::size_t> stack_limit(const Facts& f) {
  const auto index = limit_index(f, "stack-size");
  return index ? index : limit_index(f, "stack");
}

std::optional<Finding> check(const Facts& f) {
  if (!f.stack_end) return std::nullopt;
  const StackEnd& end = *f.stack_end;
  Finding out = finding(Cause::stack_overflow, was_refused(end) ? Strength::strong : Strength::proven, words(f, end));
  if (was_refused(end)) out.rival = "a limit on memory, or another mapping in the way, kept a small stack from growing";
  const auto pointer = end.pointer_below_bytes >= 0
                           ? fmt::format("{} below", bytes_text(static_cast<std::uint64_t>(end.pointer_below_bytes)))
                           : fmt::format("{} above", bytes_text(static_cast<std::uint64_t>(-end.pointer_below_bytes)));
  out.evidence_for.push_back(
      fact("stack-pointer", fmt::format("the stack pointer stands {} the lowest address of the stack", pointer),
           {f.dying->stack ? ref(fmt::format("/threads/{}/stack", f.thread)) : register_ref(f, "rsp")}));
  out.evidence_for.push_back(fact("access",
                                  fmt::format("the access was refused {} below it", bytes_text(end.access_below_bytes)),
                                  {ref("/fault/address")}));
  if (repetition(f))
    out.evidence_for.push_back(fact(
        "repetition", fmt::format("{} repeat {} times on the stack", circle(f, *repetition(f)), times(*repetition(f))),
        {ref(fmt::format("/threads/{}/repetition", f.thread))}));
  if (const auto limit = stack_limit(f);
      limit && f.snapshot.process.limits[*limit].soft.value_or(~0ull) < usual_stack_bytes)
    out.evidence_for.push_back(fact(
        "stack-limit", fmt::format("the stack limit is only {}", bytes_text(*f.snapshot.process.limits[*limit].soft)),
        {ref(fmt::format("/process/limits/{}", *limit))}));
  add_fix(f, end, out);
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  out.prediction = "with a stack ten times as large it dies ten times as deep, or not at all";
  return out;
}

}  // namespace

extern const Rule stack_overflow{.title = "stack overflow", .check = check};

}  // namespace sigwhy::diagnose::rules
