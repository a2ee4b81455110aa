#include "diagnose/broken_input.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/input_file.h"
#include "diagnose/memory_kill.h"
#include "diagnose/phrases.h"
#include "evidence/native_reader.h"
#include "evidence/own_code.h"
#include "evidence/path_text.h"

namespace sigwhy::diagnose {

namespace {

bool is_broken(const Input& input) { return input.checked.soundness == Soundness::broken && input.checked.flaw; }

bool is_same_flaw(const Flaw& a, const Flaw& b) {
  return a.offset == b.offset && a.where == b.where && a.what == b.what;
}

std::string name_of(const Input& input) { return one_line(file_name(input.path), 60); }

// "is broken at byte 12 (record 3): ..."; of what is wrong from the start only what it is.
std::string broken_text(const Flaw& flaw) {
  const bool all_of_it = flaw.offset == 0 && flaw.where.empty() && flaw.inside.empty();
  return one_line(all_of_it ? "is broken: " + flaw.what : "is broken " + flaw_text(flaw), 170);
}

std::string claim_of(const Input& input) {
  return fmt::format("{} {}", name_of(input), broken_text(*input.checked.flaw));
}

std::string fix_of(const Input& input) {
  if (input.checked.flaw->what.find("git lfs pull") != std::string::npos)
    return fmt::format("Fetch {} with `git lfs pull`.", name_of(input));
  return fmt::format(
      "Get {} again and compare its size; write such files under another name and rename them when whole.",
      name_of(input));
}

Fact walk_fact(const Facts& f, std::size_t at) {
  const Input& input = f.snapshot.inputs[at];
  if (input.bytes == 0) return fact("walk", "the file has no bytes", {input_ref(at)});
  const auto size = input.bytes ? fmt::format("; it has {} bytes", count_text(*input.bytes)) : std::string();
  const auto& format = input.checked.format;
  const auto how =
      format.empty() ? "its first bytes show it" : fmt::format("read as {}, the file contradicts itself there", format);
  return fact("walk", how + size, {input_ref(at)});
}

// The frame that reads such a file, between the fault and the line that called it.
std::optional<std::size_t> reader_frame(const Facts& f, std::string_view format, bool only_reads) {
  for (std::size_t i = 0; i < f.frames.size() && f.frames[i].role != Role::python_eval; ++i)
    for (const auto& reader : native_readers)
      if (reader.format == format && !(only_reads && reader.does_all_else) && reader.is(f.frames[i].function)) return i;
  return std::nullopt;
}

// The refused access began in the mapping of the file.
bool read_from_it(const Facts& f, const Input& input) {
  if (!f.memory || !f.memory->base) return false;
  const auto* region = region_at(f, f.memory->base->place);
  return region && region->path == input.path;
}

Cause how_it_ended(const Facts& f) {
  if (f.signal == SIGKILL) return Cause::out_of_memory_killed;
  if (f.signal == SIGFPE) return Cause::division_by_zero;
  if (f.signal == SIGABRT) return Cause::failed_check;
  const bool from_null = f.memory && f.memory->base && f.memory->base->value == 0;
  return from_null ? Cause::null_pointer : f.jump ? Cause::bad_jump : Cause::out_of_bounds;
}

// The error rose in a library's function that had been given this file.
bool rose_reading_it(const Facts& f, std::size_t at) {
  const auto exception = f.failure->told.back();
  const auto& frames = f.snapshot.python_exceptions[exception].traceback;
  if (frames.empty() || is_own_code(frames[0])) return false;
  return std::ranges::any_of(frames[0].values, [&](const PyValue& value) {
    const auto path = value.argument ? path_in(value.text) : std::nullopt;
    return path && input_at(f, *path) == at;
  });
}

Finding made(const Facts& f, std::size_t at, Strength strength) {
  const Input& input = f.snapshot.inputs[at];
  Finding out = finding(Cause::corrupt_input, strength, claim_of(input));
  out.evidence_for.push_back(walk_fact(f, at));
  out.evidence_for.push_back(fact("file", fmt::format("{}: {}", name_of(input), input.seen), {input_ref(at)}));
  out.fix.push_back(fix_of(input));
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  return out;
}

}  // namespace

// A checkpoint's flaw is found from its index and from the shard it lies in: one flaw of one file.
std::optional<std::size_t> only_broken_input(const Facts& f) {
  const auto& inputs = f.snapshot.inputs;
  std::optional<std::size_t> only;
  for (std::size_t at = 0; at < inputs.size(); ++at) {
    if (!is_broken(inputs[at])) continue;
    if (only && !is_same_flaw(*inputs[at].checked.flaw, *inputs[*only].checked.flaw)) return std::nullopt;
    if (!only || inputs[at].checked.flaw->inside.empty()) only = at;
  }
  return only;
}

void add_walk(const Facts& f, std::size_t at, bool named, Finding& out) {
  const Input& input = f.snapshot.inputs[at];
  if (!is_broken(input)) return;
  out.claim = claim_of(input);
  out.fix = {fix_of(input)};
  // That some input is damaged may be certain; that it is this one is not, unless somebody says so.
  out.strength = named ? Strength::proven : Strength::strong;
  if (out.strength == Strength::proven) out.rival.reset();
  else out.rival = "another file that was not looked at";
  out.evidence_for.push_back(walk_fact(f, at));
}

std::optional<Finding> died_reading(const Facts& f) {
  const bool filled_memory = killed_for_memory(f);
  if (f.raised != Raised::by_instruction && f.raised != Raised::by_itself && !filled_memory) return std::nullopt;
  for (std::size_t at = 0; at < f.snapshot.inputs.size(); ++at) {
    const Input& input = f.snapshot.inputs[at];
    if (!is_broken(input)) continue;
    const auto frame = reader_frame(f, input.checked.format, filled_memory);
    const bool mapped = !filled_memory && read_from_it(f, input);
    if (!frame && !mapped) continue;
    Finding out = made(f, at, frame && mapped ? Strength::proven : Strength::strong);
    out.explains = how_it_ended(f);
    if (frame)
      out.evidence_for.push_back(fact("reader",
                                      fmt::format("it died in {}(), which reads such files", f.frames[*frame].function),
                                      {frame_ref(f, *frame)}));
    if (filled_memory) out.rival = "a reader that needs as much memory for a sound file";
    else if (out.strength != Strength::proven)
      out.rival = "a fault of the reader's own that a sound file would have met as well";
    return out;
  }
  return std::nullopt;
}

std::optional<Finding> failed_after_reading(const Facts& f) {
  for (std::size_t at = 0; at < f.snapshot.inputs.size(); ++at) {
    const Input& input = f.snapshot.inputs[at];
    const bool given = input.seen.starts_with("named by") || input.seen.starts_with("a value of");
    if (!is_broken(input) || !given) continue;
    const bool inside = rose_reading_it(f, at);
    Finding out = made(f, at, inside ? Strength::strong : Strength::plausible);
    out.rival = "an error that has nothing to do with this file";
    if (inside) return out;
    out.claim = fmt::format("{} may be why: it {}", name_of(input), broken_text(*input.checked.flaw));
    return out;
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose
