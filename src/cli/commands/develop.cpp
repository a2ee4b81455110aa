// `sigwhy develop`: internal. The supervisor starts it for a death, with the arena, the dead process's root folder
// and a gate on fixed descriptors. Everything slow happens before the gate tells how it ended; then the report is
// printed, the case written, and the supervisor told, which lets the caller see the end.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/clock.h"
#include "capture/companion.h"
#include "capture/develop.h"
#include "capture/guard_preload.h"
#include "capture/termination_log.h"
#include "cli/command.h"
#include "cli/error_line.h"
#include "cli/terminal.h"
#include "cli/values_policy.h"
#include "diagnose/diagnose.h"
#include "diagnose/speak.h"
#include "diagnose/worker_death.h"
#include "evidence/json.h"
#include "evidence/recipe.h"
#include "evidence/redact.h"
#include "report/render.h"
#include "store/folder.h"
#include "store/store.h"
#include "target/saved.h"

namespace sigwhy::cli::commands {

namespace {

constexpr Option options[] = {
    {.name = "colour", .value = "WHEN", .help = "as for run"},
    {.name = "json", .value = "FILE", .help = "also write the case there"},
    {.name = "termination-log", .value = "FILE", .help = "also write the report there"},
    {.name = "full", .help = "print everything"},
    {.name = "values", .help = "as for run"},
    {.name = "no-values", .help = "as for run"},
    {.name = "id", .value = "ID", .help = "the id of the case"},
    {.name = "cases", .value = "FOLDER", .help = "where cases are kept"},
};

std::int64_t unix_ms() {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1'000'000;
}

Recipe recipe_of(const Target& target) {
  const auto words = [&](const char* name) {
    std::vector<std::string> list;
    const auto found = target.files.find(name);
    if (found == target.files.end()) return list;
    for (std::size_t at = 0; at < found->second.size();) {
      list.emplace_back(found->second.c_str() + at);
      at += list.back().size() + 1;
    }
    return list;
  };
  const auto link = [&](const char* name) {
    const auto found = target.files.find(name);
    return found == target.files.end() ? std::string() : found->second;
  };
  // A re-run starts what the user started, not the worker that died of it.
  auto argv = words("root_cmdline");
  if (argv.empty()) argv = words("cmdline");
  const bool asked = !argv.empty() && target.files.contains("environ");
  if (!asked) argv = words("start/cmdline");
  auto input = link(asked ? "fd/0" : "start/fd/0");
  if (!input.starts_with('/') || input.starts_with("/dev/")) input.clear();  // a pipe, a terminal
  return {std::move(argv), capture::without_guard(words(asked ? "environ" : "start/environ")),
          link(asked ? "cwd" : "start/cwd"), std::move(input)};
}

void print(const Case& c, const Arguments& arguments) {
  const auto look = look_for(2, colour_of(arguments));
  const auto text = report::render(c, arguments.has("full") ? "full" : "terminal", look);
  const std::string bytes = fresh_line(2, look) + (text ? *text : error_line(text.error()) + "\n");
  for (std::size_t done = 0; done < bytes.size();) {
    const auto wrote = ::write(2, bytes.data() + done, bytes.size() - done);
    if (wrote <= 0) return;
    done += static_cast<std::size_t>(wrote);
  }
}

std::string problems(const std::vector<Result<void>>& results) {
  std::string lines;
  for (const auto& result : results)
    if (!result) lines += error_line(result.error()) + "\n";
  return lines;
}

// The raw memory beside the case.
Result<void> keep_memory(const store::Store& store, const std::string& id) {
  struct stat status {};
  if (fstat(capture::developer_arena_fd, &status) != 0) return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  void* at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, capture::developer_arena_fd, 0);
  if (at == MAP_FAILED) return {};
  const auto packed = compressed_arena(used_part({static_cast<const std::byte*>(at), size}));
  munmap(at, size);
  if (!packed) return std::unexpected(packed.error());
  return store.save_memory(id, *packed);
}

// Before the report is drawn, which promises that the case can be shown again. False: it cannot be.
bool keep(const store::Store& store, const Case& c, std::vector<Result<void>>& results) {
  if (c.diagnosis.verdict == Cause::clean_exit) return false;
  const auto saved = store.save(c);
  if (!saved)
    results.push_back(failure("the case is not kept", saved.error().what + ": " + saved.error().cause, saved.error().remedy));
  return saved.has_value();
}

Case without_id(Case c) {
  c.id.clear();
  return c;
}

void keep_beside(const store::Store& store, const Case& c, const Target& target, std::vector<Result<void>>& results) {
  results.push_back(store.save_recipe(c.id, to_json(recipe_of(target))));
  results.push_back(keep_memory(store, c.id));
}

// Where memory is short, this process goes before the program's others do.
void be_the_first_to_go() {
  const OwnedFd file(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (file) [[maybe_unused]] const auto wrote = ::write(file.get(), "1000", 4);
}

int answer(double printed_at_s) {
  [[maybe_unused]] const auto told = ::write(capture::developer_gate_fd, &printed_at_s, sizeof printed_at_s);
  return 0;
}

Result<int> run(const Arguments& arguments, Output& output) {
  be_the_first_to_go();
  auto target = target_from_arena_fd(capture::developer_arena_fd);
  if (!target) return std::unexpected(target.error());
  if (fcntl(capture::developer_root_fd, F_GETFD) >= 0) target->root = OwnedFd(capture::developer_root_fd);
  const store::Store store(arguments.value("cases").value_or(store::case_folder()));
  Case c{.id = arguments.value("id").value_or(store.new_id()), .sigwhy_version = SIGWHY_VERSION, .made_unix_ms = unix_ms()};
  c.snapshot = capture::develop(*target, values_policy(arguments));

  capture::EndMessage end{};
  if (::read(capture::developer_gate_fd, &end, sizeof end) != sizeof end) return 0;  // the supervisor is gone
  capture::set_end(c.snapshot, end, *target);
  if (end.yields && diagnose::tells_of_child(c.snapshot)) return answer(capture::child_answers);
  c.diagnosis = diagnose::diagnose(c.snapshot);
  c = redact(std::move(c), {.values = arguments.has("values"), .hide_texts = arguments.has("no-values")});
  // beyond this point nothing secret exists, the private recipe apart

  // A traceback that needs no word of ours does where a child had died before: it tells nobody of that.
  const bool speaks = end.print > 1 || (end.print == 1 && (end.yields || diagnose::worth_saying(c)));
  std::vector<Result<void>> results;
  const bool kept = keep(store, c, results);
  const auto nameless = kept ? std::nullopt : std::optional(without_id(c));
  const Case& told = nameless ? *nameless : c;
  if (speaks) print(told, arguments);
  const double printed_at_s = capture::monotonic_s();
  if (const auto file = arguments.value("json"); file && end.answers)
    results.push_back(store::write_whole(*file, to_json(c)));
  if (const auto file = arguments.value("termination-log"); file && end.answers)
    if (const auto text = report::render(told, "terminal", {.columns = 80, .unicode = false}))
      if (const int error = capture::write_termination_log(*file, *text))
        results.push_back(std::unexpected(errno_error("cannot write " + *file, error)));
  if (kept) keep_beside(store, c, *target, results);
  if (speaks) output.err = problems(results);
  // Only now is the caller let go: whoever sees the program's end finds the case complete and us gone.
  return answer(printed_at_s);
}

}  // namespace

extern const Command develop;
const Command develop = {.summary = "work out a death (internal)", .options = options, .run = run};

}  // namespace sigwhy::cli::commands
