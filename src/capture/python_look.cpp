#include "capture/python_look.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "capture/thread_look.h"
#include "evidence/own_code.h"
#include "python/frames.h"
#include "python/lines.h"
#include "python/locals.h"
#include "target/target.h"

namespace sigwhy::capture {

namespace {

constexpr double first_pause_s = 0.5, longest_pause_s = 60;
constexpr int most_integers = 6;
constexpr std::size_t most_maps_bytes = 4u << 20;

void copy_text(std::span<char> into, std::string_view text) {
  const auto size = std::min(text.size(), into.size() - 1);
  std::memcpy(into.data(), text.data(), size);
  std::memset(into.data() + size, 0, into.size() - size);
}

// A path that is too long keeps its end: that is where the file's name is.
void copy_path(std::span<char> into, std::string_view path) {
  copy_text(into, path.size() < into.size() ? path : path.substr(path.size() - into.size() + 1));
}

std::string maps_text(pid_t pid) {
  const OwnedFd fd(::open(("/proc/" + std::to_string(pid) + "/maps").c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char buffer[16384];
  for (ssize_t got = 0; fd && text.size() < most_maps_bytes && (got = ::read(fd.get(), buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

// The innermost frame of the user's own code in the main thread.
class OwnFrame final : public python::FrameSink {
 public:
  OwnFrame(pid_t pid, const python::Layout& layout) : pid_(pid), layout_(layout) {}

  bool wants(const python::WalkedThread& t) const override {
    if (t.native_thread_id) return t.native_thread_id == static_cast<std::uint64_t>(pid_);
    return t.thread_id == thread_pointer_;
  }
  void thread(const python::WalkedThread&) override {}
  void frame(const python::WalkedFrame& f) override {
    if (at.value || !is_own_file(f.file)) return;
    at = f.at;
    copy_path(line.file, f.file);
    copy_text(line.function, f.function);
    const auto place = python::location_of(layout_.lines, f.line_table, f.first_line, f.offset);
    line.line = place ? place->line : f.first_line;
  }
  bool enough() const override { return at.value != 0; }
  void set_thread_pointer(std::uint64_t value) { thread_pointer_ = value; }

  Address at;
  RecordedLine line{};

 private:
  pid_t pid_;
  const python::Layout& layout_;
  std::uint64_t thread_pointer_ = 0;
};

}  // namespace

bool PythonLook::find_interpreter(pid_t pid) {
  interpreter_.reset();
  memory_ = LiveMemory(pid);
  const auto mappings = parse_maps(maps_text(pid));
  bool first = true;
  for (const Mapping& m : mappings) {
    if (m.offset != 0 || !m.path.starts_with('/')) continue;
    const auto name = std::string_view(m.path).substr(m.path.rfind('/') + 1);
    const bool program = std::exchange(first, false);
    if (!program && !python::may_hold_interpreter(name)) continue;
    if (!pages_) pages_ = std::make_unique<PageCache>(memory_), pages_->touch();
    pages_->forget();
    interpreter_ = python::interpreter_in(*pages_, {m.start, name});
    if (interpreter_) return true;
  }
  return false;
}

void PythonLook::look(pid_t pid, std::uint32_t execs, double at_s) {
  if (pid != pid_ || execs != execs_) {
    pid_ = pid;
    execs_ = execs;
    interpreter_.reset();
    next_search_s_ = 0;
    search_pause_s_ = first_pause_s;
  }
  if (!interpreter_) {
    if (at_s < next_search_s_) return;
    next_search_s_ = at_s + search_pause_s_;
    search_pause_s_ = std::min(2 * search_pause_s_, longest_pause_s);
    if (!find_interpreter(pid)) return;
  }
  note(at_s);
}

void PythonLook::note(double at_s) {
  const auto& layout = interpreter_->layout;
  pages_->forget();
  OwnFrame own(pid_, layout);
  if (!layout.thread.native_thread_id) own.set_thread_pointer(thread_pointer(pid_, pid_));
  python::walk(*pages_, *interpreter_, own);
  if (!own.at.value) return;
  const auto code_at = own.at + layout.frame.code;
  const auto code = pages_->read_value<std::uint64_t>(code_at);
  if (!code || memory_.read_value<std::uint64_t>(code_at) != code) return;
  own.line.at_s = at_s;
  record_.line = own.line;
  if (!layout.knows_objects()) return;
  const python::Objects objects(*pages_, layout), now(memory_, layout);
  int found = 0;
  python::locals_of(objects, own.at, [&](const python::Local& local) {
    const auto* type = objects.type_of(local.object);
    if (!type || type->kind != python::Kind::integer) return true;
    const auto value = objects.integer(local.object);
    // Still an integer, still this one: not freed and used again while we looked.
    if (value && now.integer(local.object) == value && memory_.read_value<std::uint64_t>(code_at) == code)
      note_integer(local.name, *value, at_s);
    return ++found < most_integers;
  });
}

void PythonLook::note_integer(std::string_view name, std::int64_t value, double at_s) {
  if (name.size() >= sizeof RecordedStep{}.name) return;
  RecordedStep& step = step_for(name);
  if (step.looks++ % step.stride != 0) return;
  if (step.count == record_step_values) {
    for (std::size_t i = 0; i < record_step_values / 2; ++i) step.values[i] = step.values[2 * i];
    step.count = record_step_values / 2;
    step.stride *= 2;
    if ((step.looks - 1) % step.stride != 0) return;
  }
  step.values[step.count++] = {at_s, value};
}

// The variable's own place, else a free one, else that of the variable which was not seen for longest.
RecordedStep& PythonLook::step_for(std::string_view name) {
  const auto end = record_.steps + record_.step_count;
  const auto known = std::find_if(record_.steps, end, [&](const RecordedStep& s) {
    return name == s.name && std::strncmp(s.function, record_.line.function, sizeof s.function - 1) == 0;
  });
  if (known != end) return *known;
  RecordedStep* place = record_.steps;
  if (record_.step_count < record_steps) place = record_.steps + record_.step_count++;
  else
    for (auto& s : record_.steps)
      if (s.values[s.count - 1].at_s < place->values[place->count - 1].at_s) place = &s;
  *place = {};
  place->stride = 1;
  copy_text(place->name, name);
  copy_text(place->function, record_.line.function);
  copy_path(place->file, record_.line.file);
  return *place;
}

}  // namespace sigwhy::capture
