// Two processes and one file. A lock that another holds is refused at once (errno 11 or 35; HDF5 locks what it opens);
// a reader without locks finds half of what the writer has not finished, and takes that for damage. What was seen after
// the death is who has the file now: a writer that is still at it, or one whose lock still stands.
#include <errno.h>
#include <fmt/format.h>

#include "diagnose/array_words.h"
#include "diagnose/input_file.h"
#include "diagnose/line_values.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/tree_wait.h"

namespace sigwhy::diagnose::rules {

namespace {

// A socket that has nothing to say gives the same error: words, or the line, must speak of a lock.
bool is_refused_lock(const Facts& f, const PyException& e) {
  const auto number = errno_of(e);
  const bool refused = number == EAGAIN || number == EACCES || number == EDEADLK;
  return has_any(e.message, {"unable to lock file", "database is locked"}) ||
         (refused && (has_any(e.message, {"lock file"}) || has_any(failing_line(f), {"flock(", "lockf("})));
}

// Readers' words for half a file. What they mean is for corrupt_input; here they only say that reading failed.
bool is_failed_reading(const PyException& e) {
  return is_a(e, {"DataLossError", "BadZipFile", "BadGzipFile", "EOFError", "UnpicklingError", "OutOfRangeError",
                  "SafetensorError"}) ||
         has_any(e.message,
                 {"truncated", "Truncated", "corrupt", "Unable to open file", "Unable to synchronously open file",
                  "cannot reshape array of size", "EOF: reading", "bad object header", "wrong B-tree signature",
                  "Can't read data", "Can't synchronously read data"});
}

struct About {
  std::size_t exception, input;
};

template <class Test> std::optional<About> about(const Facts& f, const Test& test) {
  for (const auto at : f.failure->told) {
    if (!test(f.snapshot.python_exceptions[at])) continue;
    const auto file = file_of(f, at);
    if (const auto input = file ? input_at(f, file->path) : std::nullopt) return About{at, *input};
    // A reader in C tells no path: then the file must be the only one that another process has in its hands.
    std::optional<std::size_t> held;
    for (std::size_t i = 0; i < f.snapshot.inputs.size(); ++i)
      if (!f.snapshot.inputs[i].holders.empty()) {
        if (held) return std::nullopt;
        held = i;
      }
    if (held) return About{at, *held};
  }
  return std::nullopt;
}

Finding made(const Facts& f, const About& a, Strength strength, std::string claim) {
  const Input& input = f.snapshot.inputs[a.input];
  const auto& e = f.snapshot.python_exceptions[a.exception];
  Finding out = finding(Cause::file_contention, strength, std::move(claim));
  out.evidence_for.push_back(
      fact("holder", fmt::format("the file is {}", one_line(input.path, 100)), {input_ref(a.input)}));
  out.evidence_for.push_back(fact("exception",
                                  fmt::format("{}: {}", class_name(e.type), one_line(core_message(e.message), 120)),
                                  {ref(fmt::format("/python_exceptions/{}", a.exception))}));
  if (input.changed_during_run == true)
    out.evidence_for.push_back(
        fact("changed", "it was written to after this program had started", {input_ref(a.input)}));
  out.whose = Whose::somebody;
  out.retryable = Retryable::yes;
  return out;
}

std::string name_of(const Facts& f, const About& a) { return one_line(file_name(f.snapshot.inputs[a.input].path), 60); }

std::optional<Finding> check_lock(const Facts& f) {
  const auto a = about(f, [&](const PyException& e) { return is_refused_lock(f, e); });
  const auto* holder = a ? locker_of(f.snapshot.inputs[a->input]) : nullptr;
  if (!holder) return std::nullopt;
  Finding out =
      made(f, *a, Strength::proven, fmt::format("{} holds a lock on {}", holder_text(*holder), name_of(f, *a)));
  out.fix.push_back(fmt::format("Let {} close the file first, or read a copy of it.", holder_text(*holder)));
  return out;
}

std::optional<Finding> check_writer(const Facts& f) {
  const auto a = about(f, is_failed_reading);
  const auto* holder = a ? writer_of(f.snapshot.inputs[a->input]) : nullptr;
  if (!holder) return std::nullopt;
  const Input& input = f.snapshot.inputs[a->input];
  const bool before = input.changed_during_run == false;
  Finding out = made(f, *a, before ? Strength::plausible : Strength::strong,
                     fmt::format("{} has {} open for writing", holder_text(*holder), name_of(f, *a)));
  out.explains = Cause::corrupt_input;
  out.rival = "a file that was damaged before";
  out.fix.push_back("Let the writer make its file under another name and rename it when whole; read it only then.");
  return out;
}

// A program that runs cannot be written to, and one that is being written cannot be run.
std::optional<Finding> check_busy(const Facts& f) {
  for (const auto at : f.failure->told) {
    const auto& e = f.snapshot.python_exceptions[at];
    if (errno_of(e) != ETXTBSY || !is_a(e, {"OSError", "IOError"})) continue;
    const auto file = file_of(f, at);
    Finding out = finding(Cause::file_contention, Strength::proven,
                          fmt::format("{} is run by one process and open for writing in another",
                                      file ? one_line(file->path, 80) : std::string("a program")));
    out.evidence_for.push_back(fact("exception", "ETXTBSY is the kernel's answer to just that", {ref(fmt::format("/python_exceptions/{}", at))}));
    out.fix.push_back("Close the file before it is run; write a new version under another name and rename it.");
    out.whose = Whose::your_code;
    out.retryable = Retryable::yes;
    return out;
  }
  return std::nullopt;
}

std::optional<Finding> check(const Facts& f) {
  if (auto waits = waiting_for_a_stranger(f)) return waits;
  if (!f.failure || raised_by_user(f)) return std::nullopt;
  if (auto lock = check_lock(f)) return lock;
  if (auto busy = check_busy(f)) return busy;
  return check_writer(f);
}

}  // namespace

extern const Rule file_contention{.title = "file contention", .check = check};

}  // namespace sigwhy::diagnose::rules
