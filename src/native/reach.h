// What the dying thread could touch with one step: its registers, its stack, and the writable memory that either
// points to. Words that explain a death (a failed check's text, an exception in flight) are nearly always there,
// and a search that stays inside it does not dig up what some other part of the program once logged.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "target/target.h"

namespace sigwhy::native {

struct Piece {
  Address start;
  std::vector<std::byte> bytes;

  // The eight bytes at `offset`, which lies at least eight before the end.
  std::uint64_t word(std::size_t offset) const;
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

// rax .. r15 without rsp and rip; empty where the dying thread's registers are unknown.
std::vector<std::pair<std::string, std::uint64_t>> general_registers(const Target& target);

// The dying thread's stack words from rsp upwards, innermost first.
std::vector<std::uint64_t> stack_words(const Target& target, std::size_t most_bytes);

// The stack first, then what registers and stack words point to, nearest to the stack's top first. Disjoint.
std::vector<Piece> within_reach(const Target& target);

// What could be copied of [from, to): one piece per run without a hole.
std::vector<Piece> readable_pieces(const Memory& memory, Address from, Address to);

const Mapping* mapping_of(const Target& target, Address a);
bool is_writable(const Target& target, Address a);

// Is this file glibc's libc?
bool names_libc(std::string_view path);

// glibc's own writable data: .data and .bss of libc, or of the program itself where it is linked statically.
std::vector<Piece> libc_data(const Target& target);

}  // namespace sigwhy::native
