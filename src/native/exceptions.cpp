#include "native/exceptions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "native/exceptions_type.h"
#include "native/exceptions_what.h"
#include "native/file_backed_memory.h"
#include "native/reach.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t primary_mark = 0x474e5543432b2b00;    // "GNUCC++\0", thrown here
constexpr std::uint64_t dependent_mark = 0x474e5543432b2b01;  // rethrown from a std::exception_ptr
constexpr std::size_t most_exceptions = 8;
constexpr std::size_t most_candidates = 64;
constexpr std::size_t searched_stack_bytes = 64u << 10;
constexpr std::uint64_t most_references = 4096;
constexpr std::int32_t most_handlers = 256;
constexpr std::uint64_t header_bytes = 96;
constexpr std::uint64_t object_after_mark = 32;

bool is_alive(const Memory& memory, Address mark) {
  const auto counts = memory.read_value<std::array<std::uint64_t, 2>>(mark - header_bytes);
  const auto handlers = memory.read_value<std::int32_t>(mark - 40);
  return counts && (*counts)[0] >= 1 && (*counts)[0] <= most_references && (*counts)[1] == 0 && handlers &&
         *handlers >= -most_handlers && *handlers <= most_handlers;
}

std::optional<CppException> exception_at(const Memory& memory, Address mark) {
  if (mark.value < header_bytes || mark.value % 16 != 0) return std::nullopt;
  const auto value = memory.read_value<std::uint64_t>(mark);
  if (value == dependent_mark) {
    // The first field is the object of the exception it shares.
    const auto object = memory.read_value<std::uint64_t>(mark - 80);
    if (!object || memory.read_value<std::uint64_t>(Address{*object} - object_after_mark) != primary_mark)
      return std::nullopt;
    return exception_at(memory, Address{*object} - object_after_mark);
  }
  const auto type_at = memory.read_value<std::uint64_t>(mark - 80);
  if (value != primary_mark || !type_at || !is_alive(memory, mark)) return std::nullopt;
  const auto type = type_info_at(memory, {*type_at});
  if (!type) return std::nullopt;
  const Address object = mark + object_after_mark;
  CppException found{.type = demangled_type(type->mangled).value_or(type->mangled),
                     .what = what_of(memory, *type, object),
                     .object = object};
  for (const auto& base : type->bases) found.bases.push_back(demangled_type(base.mangled).value_or(base.mangled));
  return found;
}

// How soon the stack (or a register) names this exception: by its header, its unwinder's part or its object.
std::size_t nearness(const std::vector<std::uint64_t>& words, const CppException& exception) {
  const std::uint64_t object = exception.object->value;
  const auto names_it = [&](std::uint64_t word) {
    return word == object || word == object - 32 || word == object - 112 || word == object - 128;
  };
  return static_cast<std::size_t>(std::ranges::find_if(words, names_it) - words.begin());
}

void add_from(const Piece& piece, const Memory& memory, std::vector<CppException>& found) {
  for (std::size_t at = (8 - piece.start.value % 8) % 8; at + 8 <= piece.bytes.size(); at += 8) {
    const auto word = piece.word(at);
    if ((word != primary_mark && word != dependent_mark) || found.size() >= most_candidates) continue;
    auto exception = exception_at(memory, piece.start + at);
    if (!exception || std::ranges::find(found, exception->object, &CppException::object) != found.end()) continue;
    found.push_back(std::move(*exception));
  }
}

}  // namespace

std::vector<CppException> exceptions_of(const Target& target) {
  const FileBackedMemory memory(target);
  std::vector<CppException> found;
  for (const auto& piece : within_reach(target)) add_from(piece, memory, found);
  std::vector<std::uint64_t> words;
  for (const auto& [name, value] : general_registers(target)) words.push_back(value);
  std::ranges::copy(stack_words(target, searched_stack_bytes), std::back_inserter(words));
  std::ranges::stable_sort(found, {}, [&](const auto& exception) { return nearness(words, exception); });
  if (found.size() > most_exceptions) found.resize(most_exceptions);
  return found;
}

}  // namespace sigwhy::native
