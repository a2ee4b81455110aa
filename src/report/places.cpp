#include "report/places.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <utility>

#include "evidence/python_place.h"
#include "report/python_places.h"
#include "report/symbols.h"
#include "report/value_rows.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t most_own = 3;
constexpr std::size_t most_library = 4;
constexpr std::size_t longest_module = 28;
constexpr const char* no_lines = "no source lines: build with -g";

bool is_own(const Call& call) {
  if (!call.module || (call.module->origin != Origin::program && call.module->origin != Origin::user)) return false;
  // A header of the standard library compiled into the user's program is not the user's code.
  if (call.source)
    for (const std::string_view prefix : {"/usr/include/", "/usr/lib/", "/usr/local/include/"})
      if (call.source->file.starts_with(prefix)) return false;
  if (!call.source)
    for (const std::string_view prefix : {"std::", "__gnu_cxx::", "_start", "__libc_start"})
      if (call.symbol.starts_with(prefix)) return false;
  return true;
}

// How a program ends itself, whoever asked for it: true of every abort and news to nobody.
bool ends_the_program(std::string_view symbol) {
  constexpr std::array names = {
      "abort",  "raise", "gsignal",        "__pthread_kill", "pthread_kill",       "__GI_",
      "tgkill", "kill",  "__libc_message", "__libc_fatal",   "__assert_fail_base", "malloc_printerr"};
  return std::ranges::any_of(names, [&](std::string_view name) { return symbol.starts_with(name); }) ||
         symbol.find("log_internal::LogMessage") != std::string_view::npos;
}

std::string line_text(const Source& source, const std::string& directory) {
  std::string_view file = source.file;
  while (file.starts_with("./")) file.remove_prefix(2);
  return fmt::format("{}:{}", short_source(file, directory), source.line);
}

std::string function_text(const Call& call) {
  if (call.symbol.empty()) return call.module ? "(no name)" : "";
  auto name = short_symbol(call.symbol);
  if (!call.source && call.frame->symbol_offset && !call.inlined)
    name += fmt::format(" + {:#x}", *call.frame->symbol_offset);
  return name;
}

std::string repetition_text(const Thread& thread, const Call& call) {
  const auto& r = thread.repetition;
  if (!r || call.index < r->first || call.index >= r->first + r->period || call.inlined) return {};
  if (r->estimated_times) return fmt::format("repeats about {} times", count_text(*r->estimated_times));
  return fmt::format("repeats at least {} times", count_text(r->times));
}

std::string module_text(const Call& call) {
  if (!call.module) return "(no file)";
  return call.module->origin == Origin::kernel ? call.module->path : short_module(base_name(call.module->path));
}

bool in_own_module(const Call& call) {
  return call.module && (call.module->origin == Origin::program || call.module->origin == Origin::user);
}

// The program as it was started, "./solver", other files of the user's by their path from the working directory.
std::string own_module_text(const Snapshot& s, const Module& module) {
  const auto& argv = s.process.argv;
  const bool started =
      module.origin == Origin::program && !argv.empty() && base_name(argv[0]) == base_name(module.path);
  return short_source(started && argv[0].size() <= longest_module ? argv[0] : module.path, s.process.directory);
}

std::string place_text(const Snapshot& s, const Call& call) {
  if (!in_own_module(call)) return module_text(call);
  return call.source ? line_text(*call.source, s.process.directory) : own_module_text(s, *call.module);
}

// Our own allocator: whoever called it is the news.
bool is_guard(const Call& call) { return call.module && base_name(call.module->path) == "libsigwhy_guard.so"; }

// The innermost of the user's functions, and from them inwards the library they called and the one it died in.
std::vector<const Call*> worth_showing(const std::vector<Call>& calls) {
  std::vector<const Call*> own, library;
  for (const auto& call : calls) {
    if (call.frame->signal_frame) continue;
    if (call.own && own.size() < most_own) own.push_back(&call);
    if (!call.own && own.empty() && !ends_the_program(call.symbol) && !is_guard(call)) library.push_back(&call);
  }
  // where it died is shown in any case; between there and the user's code a function without a name tells nothing
  std::erase_if(library, [&](const Call* call) { return call->symbol.empty() && call != &calls.front(); });
  if (!own.empty() && library.size() > 2) library = {library.front(), library.back()};
  if (library.size() > most_library) library.resize(most_library);
  own.insert(own.end(), library.begin(), library.end());
  return own;
}

// Saying the same remedy on each line would be noise.
void say_once(std::vector<Row>& rows, std::string_view remedy) {
  bool said = false;
  for (auto& row : rows) {
    const auto at = row.cells.back().find(remedy);
    if (at == std::string::npos) continue;
    if (said) row.cells.back().erase(at, remedy.size());
    said = true;
  }
}

}  // namespace

const Thread* dying_thread(const Snapshot& s) {
  const auto index = dying_index(s);
  return index ? &s.threads[*index] : nullptr;
}

std::vector<Call> calls_of(const Snapshot& s, const Thread& thread) {
  std::vector<Call> calls;
  for (std::size_t i = 0; i < thread.frames.size(); ++i) {
    const auto& frame = thread.frames[i];
    const Module* module = frame.module && *frame.module < s.modules.size() ? &s.modules[*frame.module] : nullptr;
    for (const auto& call : frame.inlined)
      calls.push_back({&frame, module, call.symbol, call.source ? &*call.source : nullptr, true, false, i});
    calls.push_back(
        {&frame, module, frame.symbol.value_or(""), frame.source ? &*frame.source : nullptr, false, false, i});
  }
  for (auto& call : calls) call.own = is_own(call);
  return calls;
}

static Row thread_row(const Snapshot& s, const Thread& thread, bool waited_for) {
  auto text = fmt::format("{}, one of {}", thread.name.empty() ? std::to_string(thread.tid) : thread.name,
                          count_text(s.threads.size()));
  return {{"in thread", text + (waited_for ? "; the Python line above waits for it" : "")}};
}

Row place_of(const Snapshot& s, const Thread& thread, const Call& call) {
  std::vector<std::string> notes;
  if (call.source && !in_own_module(call)) notes.push_back(line_text(*call.source, s.process.directory));
  if (!call.module) notes.push_back("code that belongs to no file");
  Row row{.cells = {place_text(s, call), function_text(call)}};
  if (call.source && call.source->text) {
    row.source = *call.source->text;
    row.cells.push_back(fmt::format("{}", fmt::join(std::exchange(notes, {}), "   ")));
  }
  if (auto again = repetition_text(thread, call); !again.empty()) notes.push_back(std::move(again));
  if (call.own && !call.source) notes.push_back(no_lines);
  if (call.frame->trust == Trust::scan) notes.push_back("a guess: found by scanning the stack");
  auto text = fmt::format("{}", fmt::join(notes, "   "));
  if (row.source.empty()) row.cells.push_back(std::move(text));
  else row.note = std::move(text);
  return row;
}

std::vector<Row> make_places(const Snapshot& s, const std::vector<const Finding*>& told) {
  const Thread* thread = dying_thread(s);
  if (!thread) return {};
  const auto python = python_place(s);
  std::vector<Row> rows = python_places(s, python ? s.threads[python->thread] : *thread);
  auto calls = calls_of(s, *thread);
  // Where Python lines are told, what lies behind the innermost of them says nothing more.
  if (!rows.empty() && !calls.empty())
    calls.erase(std::find_if(calls.begin() + 1, calls.end(),
                             [](const Call& call) { return call.module && call.module->origin == Origin::interpreter; }),
                calls.end());
  // A kill takes all threads at once: where a helper thread slept is no place.
  // Nor is where it was killed before it had any code.
  if (s.termination.signal == SIGKILL && std::ranges::none_of(calls, [](const Call& c) { return c.module != nullptr; })) calls.clear();
  const bool slept = s.termination.signal == SIGKILL && thread->tid != s.process.pid && std::ranges::none_of(calls, &Call::own);
  if (slept) calls.clear();
  for (const Call* call : worth_showing(calls)) {
    auto row = place_of(s, *thread, *call);
    if (rows.empty() || rows.back() != row) rows.push_back(std::move(row));
  }
  say_once(rows, no_lines);
  if (!rows.empty() && !slept && thread->tid != s.process.pid)
    rows.push_back(thread_row(s, *thread, python && python->waits));
  for (auto& row : value_rows(s, told)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace sigwhy::report
