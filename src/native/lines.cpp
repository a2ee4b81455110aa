#include "native/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "native/disposable_child.h"
#include "native/lines_job.h"
#include "native/module_origin.h"
#include "native/modules.h"
#include "native/symbols.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t inner_frames_of_others = 3;
constexpr std::chrono::milliseconds budget_with_server{20'000};
// Unpacking libc's debug package would use up the time, and its lines help nobody much.
constexpr std::uint64_t most_system_bytes = 2 << 20;
constexpr std::uint64_t compression = 4;  // as a rule of thumb, for ordering jobs only

bool is_own_code(const Module& module) { return module.origin == Origin::program || module.origin == Origin::user; }

// Nobody misses the lines of libc or of the interpreter.
bool is_of_interest(const Module& module) { return is_own_code(module) || module.origin == Origin::package; }

// Frames whose lines are wanted.
template <class Use> void for_each_wanted(std::vector<Thread>& threads, Use use) {
  for (auto& thread : threads) {
    const auto count = thread.died ? thread.frames.size() : std::min(thread.frames.size(), inner_frames_of_others);
    for (auto& frame : std::span(thread.frames).first(count))
      if (frame.module) use(thread, frame);
  }
}

std::uint64_t debug_bytes(const ElfFile& elf) {
  std::uint64_t bytes = 0;
  for (const auto& s : elf.sections())
    if (s.name == ".debug_info" && s.type != SHT_NOBITS)
      bytes = s.flags & SHF_COMPRESSED ? s.bytes * compression : s.bytes;
    else if (s.name == ".zdebug_info") bytes = s.bytes * compression;
  return bytes;
}

struct Plan {
  std::vector<LineJob> jobs;
  std::vector<std::uint64_t> without;  // modules of the thread that died that have no debug information
};

// The file with a module's debug information; nothing where there is none to be had.
std::optional<LineJob> job_for(const Target& target, const Module& module, ElfFile elf, bool ask_debuginfod) {
  LineJob job{.build_id = module.build_id.value_or(elf.build_id().value_or(""))};
  if ((job.cost_bytes = debug_bytes(elf)) > 0) {
    job.file = std::move(elf);
    return job;
  }
  job.file = job.build_id.empty() ? std::nullopt : open_debug_file(target, job.build_id);
  if (job.file && (job.cost_bytes = debug_bytes(*job.file)) > 0) return job;
  job.file.reset();
  job.cost_bytes = ~std::uint64_t{0};  // a server is asked last
  return ask_debuginfod && !job.build_id.empty() ? std::optional(std::move(job)) : std::nullopt;
}

Plan plan_for(const Target& target, const std::vector<Module>& modules, std::vector<Thread>& threads,
              const LineOptions& options) {
  std::map<std::uint64_t, std::pair<bool, std::vector<Address>>> wanted;  // module -> dying, pcs
  for_each_wanted(threads, [&](const Thread& thread, const Frame& frame) {
    auto& [dying, pcs] = wanted[*frame.module];
    dying |= thread.died;
    if (std::ranges::find(pcs, frame.pc) == pcs.end()) pcs.push_back(frame.pc);
  });
  Plan plan;
  for (const auto& [index, share] : wanted) {
    const auto& module = modules[index];
    auto opened = open_module(target, module);
    if (!opened.elf || module.path == vdso_path) continue;
    std::vector<std::pair<Address, std::uint64_t>> addresses;
    for (const auto pc : share.second)
      if (const auto address = address_in_file(target, module, *opened.elf, pc)) addresses.push_back({pc, *address});
    auto job = job_for(target, module, std::move(*opened.elf), options.ask_debuginfod);
    if (!job) {
      if (share.first) plan.without.push_back(index);
      continue;
    }
    if (module.origin == Origin::system && job->cost_bytes > most_system_bytes && !options.ask_debuginfod) continue;
    job->module = index;
    job->dying = share.first;
    job->addresses = std::move(addresses);
    plan.jobs.push_back(std::move(*job));
  }
  // cheap ones first: a small library's lines must not wait for a big one's
  std::ranges::sort(plan.jobs, {}, [&](const LineJob& job) {
    return std::tuple(modules[job.module].origin == Origin::system, !job.dying, job.cost_bytes);
  });
  return plan;
}

void apply(const std::map<Address, LineAnswer>& answers, std::vector<Thread>& threads) {
  for_each_wanted(threads, [&](const Thread&, Frame& frame) {
    const auto found = answers.find(frame.pc);
    if (found == answers.end()) return;
    frame.source = found->second.source;
    frame.inlined = found->second.inlined;
    if (!frame.symbol) frame.symbol = found->second.function;
  });
}

Gap out_of_time(const std::vector<LineJob>& jobs, std::size_t job, const std::vector<Module>& modules,
                std::chrono::milliseconds budget) {
  const auto& late = jobs[job];
  const auto& path = modules[late.module].path;
  return {fmt::format("some source lines in {}", base_name(path)),
          fmt::format("reading its debug information took longer than {} ms", budget.count()),
          fmt::format("eu-addr2line -ie {} {:#x}", path, late.addresses.empty() ? 0 : late.addresses[0].second)};
}

// Does all jobs, each in a child; a job whose bytes kill the child is left out and the rest done in another one.
void run_jobs(std::vector<LineJob> jobs, const std::vector<Module>& modules, std::vector<Thread>& threads,
              std::vector<Gap>& gaps, std::chrono::milliseconds budget) {
  const auto deadline = std::chrono::steady_clock::now() + budget;
  while (!jobs.empty()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const auto output =
        in_disposable_child(std::max(left, std::chrono::milliseconds(0)), [&](int out) { do_jobs(jobs, out); });
    const auto answers = parse_answers(output.bytes);
    apply(answers.by_pc, threads);
    if (output.finished) return;
    const auto at = std::min(answers.last_job.value_or(0), jobs.size() - 1);
    if (output.timed_out) {
      if (is_of_interest(modules[jobs[at].module])) gaps.push_back(out_of_time(jobs, at, modules, budget));
      return;
    }
    gaps.push_back({fmt::format("source lines in {}", base_name(modules[jobs[at].module].path)),
                    "its debug information cannot be read", ""});
    jobs.erase(jobs.begin(), jobs.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
}

}  // namespace

void add_lines(const Target& target, const std::vector<Module>& modules, std::vector<Thread>& threads,
               std::vector<Gap>& gaps, const LineOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  auto plan = plan_for(target, modules, threads, options);
  for (const auto index : plan.without)
    if (is_own_code(modules[index]))
      gaps.push_back({fmt::format("source lines in {}", base_name(modules[index].path)), "it has no debug information",
                      "build it with -g"});
  std::vector<LineJob> own, others;
  for (auto& job : plan.jobs) (is_own_code(modules[job.module]) ? own : others).push_back(std::move(job));
  run_jobs(std::move(own), modules, threads, gaps, options.own_code_budget);
  const auto spent = std::chrono::floor<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  run_jobs(std::move(others), modules, threads, gaps, std::max(options.budget - spent, options.budget / 4));
}

void add_lines(const Target& target, const std::vector<Module>& modules, std::vector<Thread>& threads,
               std::vector<Gap>& gaps) {
  const char* servers = std::getenv("DEBUGINFOD_URLS");
  LineOptions options;
  options.ask_debuginfod = servers && *servers;
  if (options.ask_debuginfod) options.budget = options.own_code_budget = budget_with_server;
  add_lines(target, modules, threads, gaps, options);
}

}  // namespace sigwhy::native
