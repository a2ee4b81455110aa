#include "diagnose/phrases.h"

#include <fmt/format.h>

#include <array>

#include "diagnose/function_names.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::size_t name_columns = 48;

std::string access_verb(const MemoryFault& m) {
  if (!m.access) return "touched";
  switch (*m.access) {
    case Access::read: return "read";
    case Access::write: return "wrote";
    case Access::read_write: return "changed";
    case Access::execute: return "ran";
  }
  return "touched";
}

// "__memmove_avx512_unaligned_erms" is memmove, for a reader.
std::string plain_copy_name(std::string_view name) {
  const auto from = name.find_first_not_of('_');
  if (from == std::string_view::npos) return std::string(name);
  return std::string(name.substr(from, name.find('_', from) - from));
}

// "_multiarray_umath.cpython-311-x86_64-linux-gnu.so" -> "_multiarray_umath.so"
std::string without_python_tag(std::string name) {
  const auto tag = name.find(".cpython-");
  if (tag != std::string::npos && name.ends_with(".so")) name.erase(tag, name.size() - 3 - tag);
  return name;
}

std::string named_region(const Region& r) {
  if (r.path.empty() || r.path.starts_with('[')) return {};
  return file_name(r.path);
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
  if (bytes == 1) return "1 byte";
  if (bytes < 10'000) return count_text(bytes) + " bytes";
  constexpr std::array units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) value /= 1024, ++unit;
  return fmt::format("{:.{}f} {}", value, value < 10 ? 1 : 0, units[unit]);
}

std::string list_text(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string signed_text(std::int64_t count) {
  if (count >= 0) return count_text(static_cast<std::uint64_t>(count));
  return "-" + count_text(0 - static_cast<std::uint64_t>(count));
}

std::string offset_text(std::int64_t offset) {
  if (offset >= 0) return fmt::format("{:#x}", offset);
  return fmt::format("-{:#x}", 0 - static_cast<std::uint64_t>(offset));
}

std::string one_line(std::string_view text, std::size_t columns) {
  std::string out;
  for (const char c : text) {
    const bool blank = static_cast<unsigned char>(c) <= ' ';
    if (!blank) out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  if (out.size() <= columns) return out;
  auto end = columns > 3 ? columns - 3 : 0;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80) --end;  // never inside a character
  return out.substr(0, end) + "...";
}

std::string file_name(std::string_view path) {
  constexpr std::string_view gone = " (deleted)";
  if (path.ends_with(gone)) path.remove_suffix(gone.size());
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string module_text(const Facts& f, std::size_t frame) {
  const auto& module = f.dying->frames[frame].module;
  if (!module || *module >= f.snapshot.modules.size()) return {};
  return one_line(without_python_tag(file_name(f.snapshot.modules[*module].path)), name_columns);
}

std::string function_text(const Facts& f, std::size_t frame) {
  const auto& name = f.frames[frame].function;
  if (f.frames[frame].role == Role::bulk_copy) return plain_copy_name(name) + "()";
  if (!name.empty()) return shown_name(name, name_columns);
  const auto module = module_text(f, frame);
  return module.empty() ? "code at a place without a name" : "a function without a name";
}

std::string frame_text(const Facts& f, std::size_t frame) {
  if (f.frames[frame].family == Family::bridge) return "Python code through ctypes";
  const auto module = module_text(f, frame);
  return module.empty() ? function_text(f, frame) : function_text(f, frame) + " in " + module;
}

std::string culprit_text(const Facts& f) {
  if (!f.culprit) return "the program";
  const bool nameless = f.frames[*f.culprit].function.empty() && f.frames[*f.culprit].role != Role::bulk_copy;
  return function_text(f, nameless && !f.frames[0].function.empty() ? 0 : *f.culprit);
}

std::string program_text(const Facts& f) {
  const auto& p = f.snapshot.process;
  if (!p.executable.empty()) return one_line(file_name(p.executable), name_columns);
  return p.command.empty() ? "the program" : one_line(p.command, name_columns);
}

// " (op embedding_bag)" where the function's own name does not say it.
static std::string op_text(const Facts& f) {
  const auto shown = function_text(f, f.culprit.value_or(0));
  if (!f.op || shown.find(f.op->name) != std::string::npos) return {};
  return fmt::format(" (op {})", one_line(f.op->name, name_columns));
}

std::string subject(const Facts& f) {
  if (f.frames.empty()) return program_text(f);
  if (!f.culprit || *f.culprit == 0) return frame_text(f, 0) + op_text(f);
  if (f.frames[0].function.empty())
    return (f.frames[0].family == Family::libc ? "the C library, called by " : "code without a name, called by ") +
           frame_text(f, *f.culprit) + op_text(f) + ",";
  return function_text(f, 0) + ", called by " + frame_text(f, *f.culprit) + op_text(f) + ",";
}

std::string did(const MemoryFault& m) {
  const auto verb = access_verb(m);
  return m.width_bytes && *m.width_bytes ? verb + " " + bytes_text(*m.width_bytes) : verb + " memory";
}

std::string region_text(const Facts& f, std::size_t index) {
  const Region& r = f.snapshot.regions[index];
  const auto name = one_line(named_region(r), name_columns);
  switch (r.kind) {
    case RegionKind::heap: return "the heap";
    case RegionKind::stack: return "the main thread's stack";
    case RegionKind::thread_stack: return "a thread's stack";
    case RegionKind::guard: return "a guard page";
    case RegionKind::shared_memory: return name.empty() || r.path.starts_with("/dev/zero") ? "shared memory" : "the shared memory " + name;
    case RegionKind::device: return "a device mapping";
    default: break;
  }
  if (!name.empty() && !is_executable(r) && !is_writable(r)) return "the read-only part of " + name;
  const bool of_its_own = r.permissions.ends_with('p');
  if (!name.empty())
    return (is_executable(r) ? "the code of " : of_its_own ? "the data of " : "the mapping of ") + name;
  return "a mapping of " + bytes_text(static_cast<std::uint64_t>(r.end - r.start));
}

std::string sender_text(const Sender& s) {
  std::string who = s.command ? one_line(*s.command, name_columns) + fmt::format(" (process {})", s.pid)
                              : fmt::format("process {}", s.pid);
  if (s.relation == SenderRelation::parent) return "its parent " + who;
  if (s.relation == SenderRelation::child) return "its child " + who;
  return who;
}

Finding finding(Cause cause, Strength strength, std::string_view claim) {
  Finding f;
  f.cause = cause;
  f.strength = strength;
  f.claim = one_line(claim, longest_claim);
  if (f.claim.ends_with('.') && !f.claim.ends_with("...")) f.claim.pop_back();  // other people's sentences
  return f;
}

EvidenceRef ref(std::string path) { return {std::move(path)}; }
EvidenceRef frame_ref(const Facts& f, std::size_t frame) {
  return {fmt::format("/threads/{}/frames/{}", f.thread, frame)};
}
EvidenceRef region_ref(std::size_t region) { return {fmt::format("/regions/{}", region)}; }
EvidenceRef text_ref(std::size_t text) { return {fmt::format("/texts/{}", text)}; }
EvidenceRef exception_ref(std::size_t exception) { return {fmt::format("/exceptions/{}", exception)}; }

EvidenceRef operand_ref(const MemoryFault& m) {
  if (!m.operand) return {"/fault"};
  return {fmt::format("/fault/instruction/operands/{}", m.operand_index)};
}

EvidenceRef register_ref(const Facts& f, std::string_view name) {
  return {fmt::format("/threads/{}/registers/{}", f.thread, name)};
}

EvidenceRef signal_ref(const Facts& f) {
  const Termination& t = f.snapshot.termination;
  if (t.code_name) return {"/termination/code_name"};
  return {t.code ? "/termination/code" : "/termination"};
}

EvidenceRef place_ref(const Place& place) {
  if (place.pointer) return {fmt::format("/pointers/{}", *place.pointer)};
  if (place.region) return region_ref(*place.region);
  return {"/regions"};
}

Fact fact(std::string id, std::string sentence, std::vector<EvidenceRef> evidence) {
  return {std::move(id), std::move(sentence), std::move(evidence)};
}

Fact access_fact(const Facts& f) {
  const auto& m = *f.memory;
  std::string sentence = fmt::format("{} {}", subject(f), did(m));
  std::vector<EvidenceRef> evidence{ref("/fault/address")};
  if (f.instruction) {
    sentence += fmt::format(" with `{}`", one_line(f.instruction->text, 60));
    evidence.push_back(ref("/fault/instruction"));
  }
  if (!f.frames.empty()) evidence.push_back(frame_ref(f, 0));
  return fact("access", sentence, std::move(evidence));
}

Fact frame_fact(const Facts& f, std::size_t frame, std::string sentence) {
  return fact("frame", std::move(sentence), {frame_ref(f, frame)});
}

}  // namespace sigwhy::diagnose
