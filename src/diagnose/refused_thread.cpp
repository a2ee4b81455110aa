#include "diagnose/refused_thread.h"

#include <errno.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/array_error.h"
#include "diagnose/array_words.h"
#include "diagnose/mapping_limit.h"
#include "diagnose/memory_request.h"
#include "diagnose/phrases.h"
#include "diagnose/python_state.h"

namespace sigwhy::diagnose {

namespace {

constexpr const char* eagain = "Resource temporarily unavailable";  // as the C library words it for all who pass it on

struct Refusal {
  Fact fact;
  std::optional<Cause> explains;
  bool words_only = false;  // on standard error
};

bool starts_process(const PythonFrame& frame) {
  return frame.function == "_execute_child" || frame.function == "_launch" ||
         has_any(frame.text.value_or(""), {"fork(", "forkpty(", "fork_exec(", "posix_spawn"});
}

// Python says the same words of a thread that is begun while the interpreter is taken apart.
bool could_not_start(const PyException& e) {
  if (is_a(e, {"RuntimeError", "error"}))
    return has_any(e.message, {"can't start new thread"}) && !has_any(e.message, {"shutdown"});
  return errno_of(e) == EAGAIN && is_a(e, {"OSError"}) && !e.traceback.empty() && starts_process(e.traceback.front());
}

std::optional<Refusal> native_refusal(const Facts& f) {
  const auto text = any_text_with(f, {"pthread_create() failed", "pthread_create failed"});
  const auto exception = escaped_exception(f);
  const bool refused = exception && exception_with(f, {"std::system_error"}) == exception &&
                       has_any(f.snapshot.exceptions[*exception].what.value_or(""), {eagain});
  if (!text && !refused) return std::nullopt;
  return Refusal{.fact = fact("refused", "the kernel refused a new thread", {text ? text_ref(*text) : exception_ref(*exception)}),
                 .explains = text ? Cause::failed_check : Cause::uncaught_cpp_exception};
}

std::string_view last_line(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \n") + 1);
  return text.substr(text.rfind('\n') + 1);
}

// OpenMP's runtime and shells say so and exit. Others say so and go on (OpenBLAS, with the threads it has): then there are
// other words behind.
std::optional<Refusal> told_refusal(const Facts& f) {
  const auto& end = f.snapshot.termination;
  const auto text = text_with(f, TextKind::stderr_tail, {eagain});
  if (end.kind != TerminationKind::exited || end.exit_code.value_or(0) == 0 || !text) return std::nullopt;
  if (!has_any(last_line(f.snapshot.texts[*text].text), {eagain})) return std::nullopt;
  return Refusal{.fact = fact("refused", "its last words say that a thread or process was refused", {text_ref(*text)}),
                 .words_only = true};
}

std::optional<Refusal> refusal_of(const Facts& f) {
  if (!f.failure) return f.signal == SIGABRT ? native_refusal(f) : told_refusal(f);
  if (raised_by_user(f) || !could_not_start(root_of(f.snapshot, *f.failure))) return std::nullopt;
  return Refusal{.fact = error_fact(f)};
}

// ---- the control group

struct FullGroup {
  std::size_t group = 0;
  bool full = false;            // when the process was stopped; else it was before
  std::uint64_t refusals = 0;  // during this run
};

std::uint64_t refusals_in(const std::vector<TaskGroup>& groups) {
  std::uint64_t sum = 0;
  for (const auto& g : groups)
    if (g.refusals && g.refusals_before && *g.refusals > *g.refusals_before) sum += *g.refusals - *g.refusals_before;
  return sum;
}

std::optional<FullGroup> full_group(const Facts& f) {
  const auto& groups = f.snapshot.process.task_groups;
  std::optional<FullGroup> found;
  std::uint64_t least_room = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto &limit = groups[i].limit, &count = groups[i].task_count;
    if (!limit || !count) continue;
    const auto room = *limit - std::min(*limit, *count);
    if (found && room >= least_room) continue;
    least_room = room;
    found = {.group = i, .full = room == 0, .refusals = refusals_in(groups)};
  }
  return found && (found->full || found->refusals) ? found : std::nullopt;
}

void add_group_facts(const TaskGroup& g, const FullGroup& found, Finding& out) {
  const auto place = fmt::format("/process/task_groups/{}", found.group);
  out.evidence_for.push_back(fact("limit", fmt::format("{} is {}", g.limit_file, count_text(*g.limit)), {ref(place + "/limit")}));
  out.evidence_for.push_back(fact("count", fmt::format("{} threads of all processes in it were there", count_text(*g.task_count)),
                                  {ref(place + "/task_count")}));
  if (found.refusals)
    out.evidence_for.push_back(fact("counted",
                                    found.refusals == 1 ? "the kernel counted one refusal there during this run"
                                                        : fmt::format("the kernel counted {} refusals there during this run",
                                                                      count_text(found.refusals)),
                                    {ref("/process/task_groups")}));
}

std::optional<Finding> by_group(const Facts& f, const Refusal& refusal) {
  const auto found = full_group(f);
  if (!found || (refusal.words_only && !found->refusals)) return std::nullopt;
  const TaskGroup& g = f.snapshot.process.task_groups[found->group];
  const bool proven = found->full && found->refusals && !refusal.words_only;
  const auto whose = found->group == 0 ? "its control group" : fmt::format("the control group {} around it", g.path);
  Finding out = finding(Cause::resource_limit, proven ? Strength::proven : Strength::strong,
                        fmt::format("a thread or process could not be made: {} may have {} of them (pids.max){}", whose,
                                    count_text(*g.limit),
                                    found->full ? fmt::format(" and has {}", count_text(*g.task_count))
                                                : ", and was full during this run"));
  add_group_facts(g, *found, out);
  if (!proven) out.rival = "another limit that is answered in the same way (ulimit -u, kernel.threads-max)";
  out.fix.push_back("Start fewer threads and processes (OMP_NUM_THREADS=1, fewer workers).");
  out.fix.push_back("Or raise the limit: docker run --pids-limit, TasksMax= of a service, podPidsLimit of Kubernetes.");
  return out;
}

// ---- the process's own limits

// A new thread's stack is mapped before anything else is done for it; by default it is as large as the main one may be.
constexpr std::uint64_t usual_stack = 8u << 20;
// Beside it a guard, and with its first allocation a heap of its own; a library may ask for larger stacks.
constexpr std::uint64_t stacks_of_room = 8;

EvidenceRef limit_ref(const Facts& f, std::string_view name) {
  return ref(fmt::format("/process/limits/{}", *limit_index(f, name)));
}

std::string rival_of_stack(const Facts& f) {
  return f.snapshot.process.task_groups.empty()
             ? "the limit on processes and threads of this user or container (ulimit -u, pids.max)"
             : "the limit on processes and threads of this user (ulimit -u)";
}

// Nothing where the case has not all of the map.
std::optional<std::uint64_t> address_space_in_use(const Facts& f) {
  const auto& s = f.snapshot;
  if (s.regions.empty() || s.process.mapping_count.value_or(0) > s.regions.size()) return std::nullopt;
  return mapped_bytes(f);
}

std::optional<Finding> by_address_space(const Facts& f) {
  const auto limit = soft_limit(f, "address-space");
  const auto stack = soft_limit(f, "stack-size").value_or(usual_stack);
  const auto used = address_space_in_use(f);
  if (!limit || (used && *used + stacks_of_room * stack <= *limit)) return std::nullopt;
  const bool none = used && *used + stack > *limit;
  Finding out = finding(Cause::resource_limit, Strength::strong,
                        fmt::format("a thread could not be made: the address space is limited to {}{}", bytes_text(*limit),
                                    none ? fmt::format(", and {} are in use", bytes_text(*used)) : ""));
  out.evidence_for.push_back(fact("limit", fmt::format("the address space is limited to {}", bytes_text(*limit)),
                                  {limit_ref(f, "address-space")}));
  if (none)
    out.evidence_for.push_back(fact("use", fmt::format("{} of it are mapped; a thread's stack takes {}", bytes_text(*used), bytes_text(stack)),
                                    {ref("/regions")}));
  out.rival = rival_of_stack(f);
  out.fix.push_back("Use fewer threads, or raise the limit (ulimit -v).");
  return out;
}

// Of what the user has, only what is in this process can be seen.
constexpr std::uint64_t elsewhere = 64;

std::optional<Finding> by_user(const Facts& f) {
  const auto limit = soft_limit(f, "processes");
  const auto threads = f.snapshot.process.thread_count.value_or(f.snapshot.threads.size());
  if (!limit || threads + elsewhere <= *limit) return std::nullopt;
  Finding out = finding(Cause::resource_limit, Strength::strong,
                        fmt::format("a thread or process could not be made: the limit is {}, this process has {}",
                                    count_text(*limit), count_text(threads)));
  out.evidence_for.push_back(
      fact("limit", fmt::format("this user may have {} threads and processes in all", count_text(*limit)), {limit_ref(f, "processes")}));
  out.rival = f.snapshot.process.task_groups.empty() ? "the limit of the container (pids.max)"
                                                     : "a limit of the machine (kernel.threads-max, kernel.pid_max)";
  out.fix.push_back("Use fewer threads, or raise the limit (ulimit -u).");
  return out;
}

Finding by_something(const Facts& f) {
  Finding out = finding(Cause::resource_limit, Strength::plausible,
                        "a thread could not be made: a limit on threads or memory may have been reached");
  out.rival = rival_of_stack(f);
  out.fix.push_back(
      "Use fewer threads, or raise the limit that is reached (ulimit -v, ulimit -u, the container's pids limit).");
  return out;
}

Finding by_limit_of_process(const Facts& f) {
  if (const auto full = reached_mapping_limit(f))
    return mapping_finding(f, *full, Strength::strong, "the stack of a new thread could not be mapped");
  if (auto found = by_address_space(f)) return *found;
  if (auto found = by_user(f)) return *found;
  return by_something(f);
}

}  // namespace

std::optional<Finding> refused_thread(const Facts& f) {
  const auto refusal = refusal_of(f);
  if (!refusal) return std::nullopt;
  auto out = by_group(f, *refusal);
  if (!out && refusal->words_only) return std::nullopt;
  if (!out) out = by_limit_of_process(f);
  out->explains = refusal->explains;
  out->evidence_for.insert(out->evidence_for.begin(), refusal->fact);
  return out;
}

}  // namespace sigwhy::diagnose
