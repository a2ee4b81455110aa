#include "report/living_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "evidence/own_code.h"
#include "report/places.h"
#include "report/python_places.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t shown_whole = 12;
constexpr std::size_t shown_inner = 3;
constexpr std::size_t shown_own = 6;

bool is_runtime(const Call& call) {
  if (!call.module) return false;
  const auto name = base_name(call.module->path);
  constexpr std::array starts = {"libc.so", "libc-2.", "libpthread", "ld-linux", "ld-musl", "libc.musl", "libstdc++"};
  return std::ranges::any_of(starts, [&](std::string_view start) { return name.starts_with(start); }) ||
         call.module->origin == Origin::kernel;
}

bool starts_a_thread(const Call& call) {
  constexpr std::array names = {"_start", "__libc_start_main", "__libc_start_call_main", "start_thread", "clone",
                                "clone3"};
  return std::ranges::find(names, call.symbol) != names.end();
}

bool of_interpreter(const Call& call) { return call.module && call.module->origin == Origin::interpreter; }

// The standard library's own three calls at the outer end of every Python thread.
bool starts_a_thread(const PythonFrame& frame) {
  if (!frame.file.ends_with("/threading.py")) return false;
  const auto name = std::string_view(frame.function).substr(frame.function.rfind('.') + 1);
  return name == "_bootstrap" || name == "_bootstrap_inner" || name == "run" || name.ends_with("__bootstrap") ||
         name.ends_with("__bootstrap_inner");
}

class Merge {
 public:
  Merge(const Snapshot& s, const Thread& thread) : s_(s), thread_(thread), python_end_(thread.python.size()) {
    merged_ = std::ranges::any_of(thread.frames, [](const Frame& f) { return f.python.has_value(); });
    while (python_end_ > 1 && starts_a_thread(thread.python[python_end_ - 1])) --python_end_;
  }

  std::vector<StackRow> rows() {
    const bool asleep = thread_.on_cpu == false;
    for (const Call& call : calls_of(s_, thread_)) {
      if (call.frame->python && !call.inlined) python_up_to(call.frame->python->first + call.frame->python->count);
      // Where nobody knows which loop runs which lines, all of them stand at the innermost of its frames.
      if (!merged_ && of_interpreter(call)) python_up_to(thread_.python.size());
      const bool waiting = asleep && rows_.empty() && is_runtime(call);
      if (!waiting && !starts_a_thread(call) && !(of_interpreter(call) && !thread_.python.empty())) native(call);
    }
    python_up_to(thread_.python.size());
    return std::move(rows_);
  }

 private:
  void python_up_to(std::size_t end) {
    for (; shown_ < std::min(end, python_end_); ++shown_)
      rows_.push_back({python_row(s_, thread_.python[shown_]), is_own_code(thread_.python, shown_)});
  }
  void native(const Call& call) {
    StackRow row{place_of(s_, thread_, call), call.own};
    // How far into a function its call lies tells nothing while it waits there, and threads of one pool differ in it.
    auto& function = row.row.cells[1];
    function.erase(std::min(function.find(" + 0x"), function.size()));
    if (rows_.empty() || rows_.back().row != row.row) rows_.push_back(std::move(row));
  }

  const Snapshot& s_;
  const Thread& thread_;
  std::size_t python_end_;
  bool merged_ = false;
  std::size_t shown_ = 0;
  std::vector<StackRow> rows_;
};

}  // namespace

std::vector<StackRow> merged_stack(const Snapshot& s, const Thread& thread) { return Merge(s, thread).rows(); }

std::vector<Row> shortened(const std::vector<StackRow>& stack) {
  std::vector<Row> rows;
  std::size_t own = 0, left_out = 0;
  const auto say_left_out = [&] {
    if (left_out) rows.push_back({{"...", counted(left_out, "call")}});
    left_out = 0;
  };
  for (std::size_t i = 0; i < stack.size(); ++i) {
    const bool ends = i < shown_inner || i + 1 == stack.size();
    const bool shown = stack.size() <= shown_whole || ends || (stack[i].own && ++own <= shown_own);
    if (!shown) {
      ++left_out;
      continue;
    }
    say_left_out();
    rows.push_back(stack[i].row);
  }
  return rows;
}

}  // namespace sigwhy::report
