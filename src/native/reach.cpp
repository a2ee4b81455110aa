#include "native/reach.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace sigwhy::native {

namespace {

constexpr std::size_t most_stack_bytes = 512u << 10;
constexpr std::size_t pointing_stack_bytes = 64u << 10;
constexpr std::uint64_t around_bytes = 4096;
constexpr std::size_t most_pointee_bytes = 4u << 20;
constexpr std::size_t most_pieces = 1024;
constexpr std::uint64_t most_data_bytes = 1u << 20;
// Copies begin wherever some pointer minus a distance lay, so holes are probed in steps much smaller than a page.
constexpr std::uint64_t probe_bytes = 64;

// Ranges already taken, so that a hundred pointers into one block are read once.
class Taken {
 public:
  // The part of [from, to) around `at` that is new; empty when `at` itself was taken before.
  std::pair<Address, Address> clip(Address at, Address from, Address to) const {
    const auto above = ranges_.upper_bound(at);
    if (above != ranges_.end()) to = std::min(to, above->first);
    if (above == ranges_.begin()) return {from, to};
    const Address below_end = std::prev(above)->second;
    if (below_end > at) return {at, at};
    return {std::max(from, below_end), to};
  }
  void add(Address from, Address to) { ranges_[from] = to; }

 private:
  std::map<Address, Address> ranges_;
};

void take_stack(const Target& target, Address pointer, std::vector<Piece>& pieces, Taken& taken) {
  const Mapping* m = mapping_of(target, pointer);
  const Address end = m ? m->end : pointer + most_stack_bytes;
  Piece piece{pointer, std::vector<std::byte>(std::min<std::uint64_t>(end.value - pointer.value, most_stack_bytes))};
  piece.bytes.resize(target.memory->read(pointer, piece.bytes));
  if (piece.bytes.empty()) return;
  taken.add(piece.start, piece.start + piece.bytes.size());
  pieces.push_back(std::move(piece));
}

// Returns how many bytes it took.
std::size_t take_around(const Target& target, Address at, std::vector<Piece>& pieces, Taken& taken) {
  const Mapping* m = mapping_of(target, at);
  if (!m || !m->writable) return 0;
  const Address low = std::max(m->start, at - std::min(around_bytes, at.value)),
                high = std::min(m->end, at + around_bytes);
  const auto [from, to] = taken.clip(at, low, high);
  if (from >= to) return 0;
  taken.add(from, to);
  std::size_t took = 0;
  for (auto& piece : readable_pieces(*target.memory, from, to)) {
    took += piece.bytes.size();
    pieces.push_back(std::move(piece));
  }
  return took;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

void take_data(const Target& target, std::size_t index, std::vector<Piece>& pieces) {
  // .bss continues in an anonymous mapping directly behind the file's own.
  for (auto i = index; i < target.mappings.size() && i < index + 3; ++i) {
    const auto& m = target.mappings[i];
    const bool follows = i == index || (m.path.empty() && m.start == target.mappings[i - 1].end);
    if (!follows || !m.writable) return;
    const auto end = std::min(m.end, m.start + most_data_bytes);
    for (auto& piece : readable_pieces(*target.memory, m.start, end)) pieces.push_back(std::move(piece));
  }
}

}  // namespace

std::uint64_t Piece::word(std::size_t offset) const {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::vector<std::pair<std::string, std::uint64_t>> general_registers(const Target& target) {
  if (target.threads.empty() || !target.threads[0].registers) return {};
  const auto& r = *target.threads[0].registers;
  return {{"rax", r.rax}, {"rbx", r.rbx}, {"rcx", r.rcx}, {"rdx", r.rdx}, {"rsi", r.rsi},
          {"rdi", r.rdi}, {"rbp", r.rbp}, {"r8", r.r8},   {"r9", r.r9},   {"r10", r.r10},
          {"r11", r.r11}, {"r12", r.r12}, {"r13", r.r13}, {"r14", r.r14}, {"r15", r.r15}};
}

std::vector<std::uint64_t> stack_words(const Target& target, std::size_t most_bytes) {
  if (target.threads.empty() || !target.threads[0].registers) return {};
  std::vector<std::uint64_t> words(most_bytes / 8);
  const Address pointer{target.threads[0].registers->rsp & ~std::uint64_t{7}};
  words.resize(target.memory->read(pointer, std::as_writable_bytes(std::span(words))) / 8);
  return words;
}

std::vector<Piece> readable_pieces(const Memory& memory, Address from, Address to) {
  std::vector<Piece> pieces;
  if (to <= from) return pieces;
  std::vector<std::byte> buffer(to.value - from.value);
  for (Address at = from; at < to;) {
    const auto room = std::span(buffer).first(to.value - at.value);
    const auto got = memory.read(at, room);
    if (got > 0) pieces.push_back({at, {room.begin(), room.begin() + static_cast<std::ptrdiff_t>(got)}});
    const std::uint64_t next = (at.value + got + probe_bytes) & ~(probe_bytes - 1);
    if (next <= at.value) break;
    at = {next};
  }
  return pieces;
}

std::vector<Piece> within_reach(const Target& target) {
  std::vector<Piece> pieces;
  if (target.threads.empty() || !target.threads[0].registers) return pieces;
  Taken taken;
  take_stack(target, {target.threads[0].registers->rsp}, pieces, taken);
  std::size_t left = most_pointee_bytes;
  const auto follow = [&](std::uint64_t word) {
    if (left == 0 || pieces.size() >= most_pieces) return;
    left -= std::min(left, take_around(target, {word}, pieces, taken));
  };
  for (const auto& [name, value] : general_registers(target)) follow(value);
  for (const auto word : stack_words(target, pointing_stack_bytes)) follow(word);
  return pieces;
}

const Mapping* mapping_of(const Target& target, Address a) {
  const auto index = mapping_at(target.mappings, a);
  return index ? &target.mappings[*index] : nullptr;
}

bool is_writable(const Target& target, Address a) {
  const Mapping* m = mapping_of(target, a);
  return m && m->writable;
}

bool names_libc(std::string_view path) {
  const auto name = file_name(path);
  return name.starts_with("libc.so.6") || name.starts_with("libc-2.");
}

std::vector<Piece> libc_data(const Target& target) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < target.mappings.size(); ++i)
    if (target.mappings[i].writable && names_libc(target.mappings[i].path)) take_data(target, i, pieces);
  if (!pieces.empty()) return pieces;
  const auto exe = target.files.find("exe");
  if (exe == target.files.end()) return pieces;
  for (std::size_t i = 0; i < target.mappings.size(); ++i)
    if (target.mappings[i].writable && target.mappings[i].path == exe->second) take_data(target, i, pieces);
  return pieces;
}

}  // namespace sigwhy::native
