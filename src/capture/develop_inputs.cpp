#include "capture/develop_inputs.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <set>
#include <sstream>

#include "base/owned_fd.h"
#include "capture/file_holders.h"
#include "evidence/native_reader.h"
#include "evidence/own_code.h"
#include "evidence/path_text.h"
#include "evidence/source_literals.h"
#include "inputs/check.h"
#include "native/file_system.h"

namespace sigwhy::capture {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_files = 8, most_script_lines = 2000;
constexpr auto longest_check = 150ms, longest_checks = 300ms, longest_search = 100ms;

// Where this process finds the program's files: below the program's own root, whose mounts may be others than ours.
std::string prefix_of(const Target& target) {
  return target.root ? "/proc/self/fd/" + std::to_string(target.root.get()) : std::string();
}

struct Candidates {
  const Target& target;
  std::string directory, prefix;
  std::vector<Input> inputs;
  std::vector<std::string> own_work;  // it was writing these itself: half done is no flaw

  void add(std::string path, std::string seen) {
    if (!path.starts_with('/')) path = directory + "/" + path;
    if (inputs.size() == most_files || is_of_a_program(path)) return;
    if (std::ranges::find(inputs, path, &Input::path) != inputs.end()) return;
    struct stat status {};
    if (::stat((prefix + path).c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    Input input{.path = std::move(path), .seen = std::move(seen), .bytes = static_cast<std::uint64_t>(status.st_size)};
    input.changed_during_run = changed(status.st_mtim.tv_sec);
    inputs.push_back(std::move(input));
  }

 private:
  // Code, and what comes with it: not what a program was given to work on.
  static bool is_of_a_program(std::string_view path) {
    if (!is_own_file(path) || path.ends_with(".py") || path.ends_with(".pyc")) return true;
    if (path.find(".so") != path.npos && (path.ends_with(".so") || path.find(".so.") != path.npos)) return true;
    for (const std::string_view folder :
         {"/usr/", "/lib/", "/lib64/", "/bin/", "/sbin/", "/etc/", "/proc/", "/dev/", "/sys/"})
      if (path.starts_with(folder)) return true;
    return false;
  }

  // The start is known to the second.
  std::optional<bool> changed(std::int64_t modified_unix_s) const {
    if (!target.started_unix_s || modified_unix_s == target.started_unix_s) return std::nullopt;
    return modified_unix_s > target.started_unix_s;
  }
};

void add_values(Candidates& candidates, const std::vector<PyValue>& values, const std::string& seen) {
  for (const auto& value : values) {
    if (auto path = path_in(value.text)) candidates.add(*path, seen);
    else if (auto prefix = text_in(value.text)) candidates.add(*prefix + ".index", seen);  // of a checkpoint's files
    for (const auto& item : value.items)
      if (auto path = path_in(item.text)) candidates.add(*path, seen);
  }
}

// np.load('train.npz'): no value of any frame has it.
void add_literals(Candidates& candidates, const PythonFrame& frame) {
  std::set<std::string> literals;
  without_literals(frame.text.value_or(""), literals);
  for (const auto& text : literals)
    if (looks_like_path(text)) candidates.add(text, "named on the line of " + frame.function);
}

// From the innermost frame to the first that is the user's own: further out the paths are those of other work.
void add_frames(Candidates& candidates, const std::vector<PythonFrame>& frames) {
  for (const auto& frame : frames) {
    add_values(candidates, frame.values, "a value of " + frame.function + "()");
    if (!is_own_code(frame)) continue;
    add_literals(candidates, frame);
    return;
  }
}

// dataset = tf.data.TFRecordDataset("train.tfrecord"), and it fails lines later, in a loop over the dataset.
void add_script(Candidates& candidates, const std::vector<PythonFrame>& frames) {
  const auto own = std::ranges::find_if(frames, [](const PythonFrame& frame) { return is_own_code(frame); });
  if (own == frames.end()) return;
  std::ifstream script(candidates.prefix + (own->file.starts_with('/') ? own->file : candidates.directory + "/" + own->file));
  std::set<std::string> literals;
  std::string line;
  for (std::size_t n = 0; n < most_script_lines && std::getline(script, line); ++n) without_literals(line, literals);
  for (const auto& text : literals)
    if (looks_like_path(text)) candidates.add(text, "named in " + own->file.substr(own->file.rfind('/') + 1));
}

// "train.tfrecord", "--data=train.tfrecord": a reader in C++ keeps the path where no frame shows it.
void add_arguments(Candidates& candidates, const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto value = words[i].starts_with('-') ? words[i].find('=') + 1 : 0;
    const auto path = words[i].starts_with('-') && value == 0 ? std::string() : words[i].substr(value);
    if (looks_like_path(path)) candidates.add(path, "named on the command line");
  }
}

void add_mapped(Candidates& candidates, const Snapshot& s) {
  for (const auto& region : s.regions)
    if (region.kind == RegionKind::file && region.path.starts_with('/') &&
        region.permissions.find('x') == std::string::npos)
      candidates.add(region.path, "mapped");
}

// "5 8192 100000 /data/train.npy"
void add_descriptors(Candidates& candidates, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    int number = 0;
    long long offset = 0;
    unsigned long flags = 0;
    std::string path;
    if (!(fields >> number >> offset >> std::oct >> flags) || !std::getline(fields >> std::ws, path)) continue;
    const bool reads = (flags & O_ACCMODE) == O_RDONLY;
    if (number <= 2) continue;
    if (!reads) candidates.own_work.push_back(path);
    const auto seen = "open as descriptor " + std::to_string(number);
    candidates.add(path, reads ? seen + ", read up to " + std::to_string(offset) : seen + " for writing");
  }
}

bool was_given(const Input& input) { return !input.seen.starts_with("mapped") && !input.seen.starts_with("open as"); }

void check_them(Snapshot& s, const std::vector<std::string>& own_work, const std::string& prefix) {
  const auto until = Clock::now() + longest_checks;
  for (auto& input : s.inputs) {
    if (std::ranges::find(own_work, input.path) != own_work.end()) continue;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left > 0ms) input.checked = inputs::check(prefix + input.path, std::min<std::chrono::milliseconds>(longest_check, left));
    else input.checked = {.soundness = Soundness::not_checked, .why = "there was no time left for it"};
    if (input.checked.soundness == Soundness::not_checked && was_given(input))
      s.gaps.push_back({"whether " + input.path + " is sound", input.checked.why, "run: sigwhy verify " + input.path});
  }
}

// Of what it wrote: a library that tells a refused write in words of its own does not say that the disk is full.
// Where the start is known, a file that is not known to be older or newer was written in the same second.
void ask_for_room(const Target& target, std::vector<Input>& inputs, const std::vector<std::string>& own_work, const std::string& prefix) {
  for (auto& input : inputs) {
    const bool is_open = std::ranges::find(own_work, input.path) != own_work.end();
    if (!is_open && !input.changed_during_run.value_or(target.started_unix_s != 0)) continue;
    const OwnedFd file(::open((prefix + input.path).c_str(), O_PATH | O_CLOEXEC));
    auto system = file ? native::file_system_of(file.get()) : std::nullopt;
    if (system && system->free_bytes < nearly_nothing_bytes) input.file_system = std::move(system);
  }
}

// A file of no known format that nobody else touches says nothing, unless there was no room for it.
bool says_nothing(const Input& input) {
  return input.checked.soundness == Soundness::unknown_format && input.holders.empty() && !input.file_system;
}

// A count in a broken file may make its reader fill the memory; to look at all files after each kill would take long.
bool died_in_reader(const Snapshot& s) {
  const auto reads = [](const Frame& frame) {
    return frame.symbol && std::ranges::any_of(native_readers, [&](const NativeReader& r) {
             return !r.does_all_else && r.is(*frame.symbol);
           });
  };
  return std::ranges::any_of(s.threads, [&](const Thread& t) { return t.died && std::ranges::any_of(t.frames, reads); });
}

// A signal that somebody sent has nothing to do with what was read.
bool ended_by_itself(const Target& target) {
  if (!target.signal) return true;
  constexpr std::array own = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  return std::ranges::find(own, target.signal->si_signo) != own.end();
}

}  // namespace

void add_inputs(const Target& target, Snapshot& s) {
  const auto descriptors = target.files.find("descriptors");
  const bool listed = descriptors != target.files.end();
  // Only of a process that was seen to die here and now: of a core the files may long be others. A kill leaves no core,
  // and where it was for memory no list of descriptors either.
  const bool killed = s.termination.signal == SIGKILL;
  if (killed ? !died_in_reader(s) : !listed || !ended_by_itself(target)) return;
  Candidates candidates{target, s.process.directory, prefix_of(target), {}, {}};
  for (const auto& exception : s.python_exceptions)
    add_values(candidates, exception.attributes, "named by the exception");
  for (const auto& exception : s.python_exceptions) add_frames(candidates, exception.traceback);
  for (const auto& thread : s.threads)
    if (thread.died) add_frames(candidates, thread.python);
  add_arguments(candidates, s.process.argv);
  add_mapped(candidates, s);
  if (listed) add_descriptors(candidates, descriptors->second);
  for (const auto& exception : s.python_exceptions) add_script(candidates, exception.traceback);
  s.inputs = std::move(candidates.inputs);
  if (s.inputs.empty()) return;
  if (!add_holders(s.inputs, candidates.prefix, static_cast<pid_t>(target.pid), longest_search))
    s.gaps.push_back({"which other processes have its files open", "there are too many processes to look at", ""});
  check_them(s, candidates.own_work, candidates.prefix);
  ask_for_room(target, s.inputs, candidates.own_work, candidates.prefix);
  std::erase_if(s.inputs, says_nothing);
}

}  // namespace sigwhy::capture
