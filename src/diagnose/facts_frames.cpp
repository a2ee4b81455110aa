// Frames by role and family, and the two that a reader looks for: the first in the user's own code, and the
// first that is not merely the messenger (C library, abort machinery).
#include <algorithm>
#include <array>

#include "diagnose/facts_parts.h"
#include "diagnose/function_names.h"

namespace sigwhy::diagnose {

namespace {

// Wrappers say nothing of their own: what they call does.
bool is_wrapper(std::string_view name) {
  constexpr std::array endings = {
      "_Function_handler::_M_invoke", "function_ref::callback_fn", "std::__invoke_impl", "std::__invoke", "std::invoke",
      "__policy_invoker::__call_impl"};
  return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string function_of(std::string_view symbol) {
  auto name = bare_name(symbol);
  return is_wrapper(name) ? inner_name(symbol) : name;
}

FrameFact fact_of(const Snapshot& s, const Frame& frame) {
  FrameFact fact;
  if (frame.module && *frame.module < s.modules.size()) fact.family = family_of(s.modules[*frame.module]);
  if (frame.symbol) fact.function = function_of(*frame.symbol);
  else if (!frame.inlined.empty()) fact.function = bare_name(frame.inlined.back().symbol);
  fact.role = role_of(fact.function, fact.family);
  // Inlined at this pc and telling more than the function around it ("_PyInterpreterState_GET" in "PyDict_New").
  for (const auto& inlined : frame.inlined) {
    if (fact.role != Role::other) break;
    fact.role = role_of(bare_name(inlined.symbol), fact.family);
  }
  return fact;
}

bool is_own(Family family) {
  return family == Family::program || family == Family::user || family == Family::extension;
}

bool is_messenger(const FrameFact& frame) {
  switch (frame.role) {
    case Role::heap:
    case Role::bulk_copy:
    case Role::giving_up:
    case Role::cpp_terminate:
    case Role::assertion:
    case Role::stack_check:
    case Role::fortify:
    case Role::thread_start: return true;
    default: return is_runtime(frame.family);
  }
}

// The allocator's own functions are mostly nameless in a stripped C library; the entry point above them is not.
void find_heap(Facts& f) {
  const bool gave_up = !f.frames.empty() && f.frames[0].role == Role::giving_up;
  for (std::size_t i = 0; i < f.frames.size(); ++i) {
    const auto& frame = f.frames[i];
    if (frame.role == Role::heap) {
      f.inside_heap = true;
      f.heap_call = i;
    } else if (frame.family != Family::libc && !(gave_up && frame.role == Role::giving_up)) {
      break;
    } else if (f.inside_heap) {
      break;  // an ordinary C library function that called malloc
    }
  }
}

bool is_libc_report(const FrameFact& frame) {
  switch (frame.role) {
    case Role::heap:
    case Role::assertion:
    case Role::stack_check:
    case Role::fortify:
    case Role::giving_up: return true;
    default: return frame.family == Family::libc;
  }
}

void find_abort_caller(Facts& f) {
  std::optional<std::size_t> last;
  for (std::size_t i = 0; i < f.frames.size(); ++i) {
    const auto& name = f.frames[i].function;
    if (name == "abort" || name == "__GI_abort") last = i;
    else if (!last && (name == "raise" || name == "__GI_raise" || name == "gsignal")) last = i;
    else if (f.frames[i].family != Family::libc && f.frames[i].role != Role::giving_up) break;
  }
  if (!last || *last + 1 >= f.frames.size()) return;
  f.abort_caller = *last + 1;
  f.libc_gave_up = is_libc_report(f.frames[*last + 1]);
}

// Calls go both ways over the bridge. In a stripped one only the caller tells: C code that calls it wants Python.
void find_callbacks(Facts& f) {
  for (std::size_t i = f.frames.size(); i-- > 1;) {
    const auto family = f.frames[i].family;
    const bool from_c = is_own(family) || family == Family::libc || family == Family::framework || f.frames[i].role == Role::callback;
    FrameFact& inner = f.frames[i - 1];
    if (from_c && inner.family == Family::bridge && inner.role == Role::other) inner.role = Role::callback;
  }
}

template <class Test> std::optional<std::size_t> first_where(const Facts& f, Test test) {
  for (std::size_t i = 0; i < f.frames.size(); ++i)
    if (test(i)) return i;
  return std::nullopt;
}

}  // namespace

void add_frames(Facts& f) {
  const auto& frames = f.dying->frames;
  for (const auto& frame : frames) f.frames.push_back(fact_of(f.snapshot, frame));
  find_callbacks(f);
  f.own = first_where(f, [&](std::size_t i) {
    return is_own(f.frames[i].family) && !is_messenger(f.frames[i]) && frames[i].trust != Trust::scan;
  });
  f.culprit = first_where(
      f, [&](std::size_t i) { return frames[i].module && !is_messenger(f.frames[i]) && !frames[i].signal_frame; });
  find_heap(f);
  find_abort_caller(f);
  f.runs_python =
      std::ranges::any_of(f.snapshot.modules, [](const Module& m) { return family_of(m) == Family::python; });
}

bool has_role(const Facts& f, Role role) { return first_with(f, role).has_value(); }

std::optional<std::size_t> first_with(const Facts& f, Role role) {
  return first_where(f, [&](std::size_t i) { return f.frames[i].role == role; });
}

std::optional<std::size_t> frame_named(const Facts& f, std::string_view function) {
  return first_where(f, [&](std::size_t i) { return f.frames[i].function == function; });
}

std::optional<std::size_t> caller_of_family(const Facts& f, Family family) {
  for (std::size_t i = 0; i < f.frames.size(); ++i) {
    if (f.frames[i].role == Role::python_eval) return std::nullopt;
    if (f.frames[i].family != family) return f.frames[i].family == Family::unknown ? std::nullopt : std::optional(i);
  }
  return std::nullopt;
}

Whose whose_of_frame(const Facts& f, std::optional<std::size_t> frame) {
  return frame && *frame < f.frames.size() ? whose_of(f.frames[*frame].family) : Whose::unknown;
}

Whose responsible(const Facts& f) {
  const auto culprit = whose_of_frame(f, f.culprit);
  return culprit == Whose::unknown ? whose_of_frame(f, f.own) : culprit;
}

}  // namespace sigwhy::diagnose
