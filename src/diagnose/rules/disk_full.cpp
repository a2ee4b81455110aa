// A mapped file with holes takes its room on the disk only when a page is first written. No room: SIGBUS, though
// the file is long enough. A plain write is refused with ENOSPC, or EDQUOT for a quota: in Python an OSError, often
// hidden behind the error of the close that follows it.
//
// Libraries with writers of their own lose that answer: torch.save says "unexpected pos 448 vs 378" and up to 1.13 dies
// of SIGABRT, because the destructor of its writer throws; NumPy says "250000 requested and 131056 written". What tells
// them is the file they were writing and the room that was left for it.
#include <errno.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>

#include "diagnose/array_error.h"
#include "diagnose/array_phrases.h"
#include "diagnose/input_file.h"
#include "diagnose/mapped_file.h"
#include "diagnose/phrases.h"
#include "diagnose/python_state.h"
#include "diagnose/refused_resource.h"
#include "diagnose/rule.h"
#include "evidence/own_code.h"
#include "evidence/path_text.h"

namespace sigwhy::diagnose::rules {

namespace {

std::optional<Finding> by_page(const Facts& f) {
  const auto a = file_access(f);
  if (!a || a->behind_end || a->is_shared_memory || !a->is_nearly_full || !f.snapshot.regions[a->region].file_bytes)
    return std::nullopt;
  const Region& r = f.snapshot.regions[a->region];
  const auto name = one_line(file_name(r.path), 60);
  Finding out =
      finding(Cause::disk_full, a->is_full ? Strength::proven : Strength::strong,
              fmt::format("{} {} of {} at offset {}, and its file system has {} free", subject(f), did(*f.memory), name,
                          count_text(a->offset), bytes_text(r.file_system->free_bytes)));
  out.evidence_for.push_back(access_fact(f));
  for (auto& fact : array_access_facts(f)) out.evidence_for.push_back(std::move(fact));
  out.evidence_for.push_back(fact(
      "file",
      fmt::format("{} is long enough ({} bytes): the page itself could not be made", name, count_text(a->file_bytes)),
      {ref(fmt::format("/regions/{}/file_bytes", a->region))}));
  out.evidence_for.push_back(
      fact("room",
           fmt::format("its file system ({}) has {} in all and {} free", r.file_system->type,
                       bytes_text(r.file_system->total_bytes), bytes_text(r.file_system->free_bytes)),
           {ref(fmt::format("/regions/{}/file_system", a->region))}));
  if (!a->is_full) out.rival = "an error of the disk itself: a little room was left when we asked";
  out.fix.push_back(fmt::format("Make room on the file system that holds {}, or put the file elsewhere.", name));
  out.fix.push_back(
      "Reserve the whole file when it is made (posix_fallocate): then a full disk is an error, not a death.");
  out.whose = Whose::environment;
  out.retryable = Retryable::unknown;
  out.prediction = "with room on that file system it does not die here";
  return out;
}

// The third is NumPy's for ENOSPC, which it gets when it reserves the room (posix_fallocate) before it writes.
constexpr std::array refusals = {"No space left on device", "Disk quota exceeded", "Not enough free space to write"};

// SQLite's for a write that found no room, and for its own limit of pages, which hardly anybody sets.
bool is_full_database(const PyException& e) {
  return is_a(e, {"OperationalError"}) && e.message.find("database or disk is full") != std::string::npos;
}

bool is_refused_write(const PyException& e) {
  const auto number = errno_of(e);
  if (number == ENOSPC || number == EDQUOT) return is_a(e, {"OSError", "IOError"});
  if (is_full_database(e)) return true;
  return is_a(e, {"OSError", "IOError", "RuntimeError", "OpError"}) &&
         std::ranges::any_of(refusals, [&](const char* text) { return e.message.find(text) != std::string::npos; });
}

// ENOSPC is also what inotify says when it has no watch left, and /dev/shm when it is full.
bool is_other_space(const PyException& e, const std::string& file) {
  if (file.starts_with("/dev/shm/")) return true;
  for (const auto& frame : e.traceback)
    for (const char* part : {"inotify", "multiprocessing/synchronize.py", "multiprocessing/shared_memory.py"})
      if (frame.file.find(part) != std::string::npos) return true;
  return false;
}

void advise(Finding& out) {
  out.fix.push_back("Make room on that file system (df -h, df -i), or write elsewhere.");
  out.whose = Whose::environment;
  out.retryable = Retryable::unknown;
}

// HDF5: "filename = 'a.h5'"; TensorFlow: "out/a.tfrecord; No space left on device".
std::optional<std::string> file_in(const std::string& message) {
  if (const auto at = message.find("filename = '"); at != std::string::npos) {
    const auto start = at + 12, end = message.find('\'', start);
    if (end != std::string::npos) return message.substr(start, end - start);
  }
  const auto end = message.find("; ");
  if (end == std::string::npos || end == 0) return std::nullopt;
  const auto space = message.rfind(' ', end - 1);
  const auto word = message.substr(space == std::string::npos ? 0 : space + 1, end - (space + 1));
  return looks_like_path(word) ? std::optional(word) : std::nullopt;
}

std::optional<InputFile> named_by(const Facts& f, std::size_t exception) {
  if (auto file = file_of(f, exception)) return file;
  const auto path = file_in(f.snapshot.python_exceptions[exception].message);
  if (!path) return std::nullopt;
  return InputFile{*path, true, {ref(fmt::format("/python_exceptions/{}/message", exception))}};
}

std::optional<Finding> by_python(const Facts& f) {
  if (raised_by_user(f)) return std::nullopt;
  const auto found = refused_resource(f, [](const PyException& e) { return is_refused_write(e); });
  if (!found) return std::nullopt;
  const auto index = *found;
  const auto* e = &f.snapshot.python_exceptions[index];
  const auto file = named_by(f, index);
  if (is_other_space(*e, file ? file->path : "")) return std::nullopt;
  const bool quota = errno_of(*e) == EDQUOT || e->message.find("quota") != std::string::npos;
  const std::string where = file ? one_line(file->path, 80) : std::string("a file");
  const bool handled = !ended_it(*f.failure, index);
  const bool database = is_full_database(*e);
  Finding out = finding(Cause::disk_full, file && !handled && !database ? Strength::proven : Strength::strong,
                        quota ? fmt::format("the quota is used up: {} could not be written", where)
                              : fmt::format("the file system is full: {} could not be written", where));
  out.evidence_for.push_back(fact("refused",
                                  database ? "it is what SQLite says of a write that found no room"
                                           : fmt::format("{} is the kernel's answer to the write", quota ? "EDQUOT" : "ENOSPC"),
                                  {ref(fmt::format("/python_exceptions/{}", index))}));
  if (handled) out.rival = rival_error;
  else if (database) out.rival = "a limit of the database's own (max_page_count)";
  else if (!file) out.rival = "another space that is full: the file system's inodes, or shared memory";
  advise(out);
  return out;
}

bool says_write(std::string_view text) {
  constexpr std::array words = {"write", "Write", "save", "Save", "dump", "flush", "tofile", "export", "ios_failure"};
  return std::ranges::any_of(words, [&](const char* word) { return text.find(word) != text.npos; });
}

// One of the calls from the user's line to the error is a write.
bool is_in_write(const PyException& e) {
  for (const auto& frame : e.traceback) {
    if (says_write(frame.function) || says_write(frame.text.value_or(""))) return true;
    if (is_own_code(frame)) break;
  }
  return false;
}

struct Unwritten {
  std::size_t input = 0;
  Fact error;
};

// A file that the error is about, written during the run, with no room left where it lies.
std::optional<Unwritten> unwritten_by_python(const Facts& f) {
  const auto& all = f.snapshot.python_exceptions;
  std::optional<std::size_t> input;
  const auto found = refused_resource(f, [&](const PyException& e) {
    if (!is_a(e, {"OSError", "IOError", "RuntimeError"}) || errno_of(e) || !is_in_write(e)) return false;
    const auto file = file_of(f, static_cast<std::size_t>(&e - all.data()));
    input = file && file->named ? input_at(f, file->path) : std::nullopt;
    return input && f.snapshot.inputs[*input].file_system;
  });
  if (!found) return std::nullopt;
  return Unwritten{*input, fact("error",
                                fmt::format("{} came out of a write: {}", class_name(all[*found].type),
                                            one_line(all[*found].message, 120)),
                                {ref(fmt::format("/python_exceptions/{}", *found))})};
}

// An exception that nothing caught, thrown by a writer whose file is still open.
std::optional<Unwritten> unwritten_by_terminate(const Facts& f) {
  const auto exception = escaped_exception(f);
  if (f.signal != SIGABRT || !exception || !has_role(f, Role::cpp_terminate)) return std::nullopt;
  const auto full = std::ranges::find_if(f.snapshot.inputs, [](const Input& i) { return i.file_system.has_value(); });
  if (full == f.snapshot.inputs.end()) return std::nullopt;
  for (std::size_t i = 0; i < f.frames.size() && f.frames[i].role != Role::python_eval; ++i)
    if (says_write(f.dying->frames[i].symbol.value_or(""))) {
      const auto& e = f.snapshot.exceptions[*exception];
      return Unwritten{static_cast<std::size_t>(full - f.snapshot.inputs.begin()),
                       fact("error",
                            fmt::format("nothing caught {} from {}: {}", e.type, function_text(f, i),
                                        one_line(e.what.value_or("it has no words"), 120)),
                            {exception_ref(*exception)})};
    }
  return std::nullopt;
}

std::optional<Finding> by_room(const Facts& f) {
  if (f.failure && raised_by_user(f)) return std::nullopt;
  auto unwritten = f.failure ? unwritten_by_python(f) : unwritten_by_terminate(f);
  if (!unwritten) return std::nullopt;
  const Input& input = f.snapshot.inputs[unwritten->input];
  if (input.path.starts_with("/dev/shm/")) return std::nullopt;
  Finding out =
      finding(Cause::disk_full, Strength::strong,
              fmt::format("the file system is full: {} could not be written whole, and {} of {} are left for it",
                          one_line(input.path, 80), bytes_text(input.file_system->free_bytes),
                          bytes_text(input.file_system->total_bytes)));
  out.evidence_for.push_back(
      fact("room",
           fmt::format("{} was written since the run began, to the second, and its file system ({}) has {} free", file_name(input.path),
                       input.file_system->type, bytes_text(input.file_system->free_bytes)),
           {input_ref(unwritten->input)}));
  out.evidence_for.push_back(std::move(unwritten->error));
  out.rival = "an error of the disk or of the writer itself: the library does not say why the write failed";
  advise(out);
  out.prediction = "with room on that file system it does not die here";
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (f.failure)
    if (auto refused = by_python(f)) return refused;
  if (auto page = f.failure ? std::nullopt : by_page(f)) return page;
  return by_room(f);
}

}  // namespace

extern const Rule disk_full{.title = "disk full", .check = check};

}  // namespace sigwhy::diagnose::rules
