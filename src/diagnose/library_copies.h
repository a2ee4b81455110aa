// Two copies of one library family in a process are a suspect, no more: most live beside each other unharmed. What
// joins them to a death is a call that crosses: code that was linked with one copy runs on the stack inside another.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

// Copies of one part of one family: indices into Snapshot.inventory's libraries.
struct Copies {
  std::string family;
  std::vector<std::size_t> libraries;
};

std::vector<Copies> doubled_families(const Snapshot& snapshot);

// A frame in one copy that was called by code which belongs to another.
struct CrossedCall {
  std::size_t thread = 0;
  std::size_t frame = 0;     // the function called, in the other copy; its caller is the next frame
  std::size_t called = 0;    // library: the copy it lies in
  std::size_t expected = 0;  // library: the copy that the caller was linked with
  std::optional<std::size_t> binding;  // index into crossings, where the linker's choice was computed
};

// Only a crossing below which nothing but copies and runtime libraries run: what happens in there, happens in the
// other copy's hands.
std::optional<CrossedCall> crossed_call(const Snapshot& snapshot, std::size_t thread, std::string_view family);

// A class whose functions the dying code gets from two copies: one runs on the stack, another was bound elsewhere. What
// they leave in each other's objects is a suspect, no more: the call that did it has returned.
struct SplitClass {
  std::string name;
  std::size_t thread = 0, frame = 0;
  std::size_t called = 0, expected = 0;  // libraries, as in CrossedCall
  std::size_t binding = 0;
};
std::optional<SplitClass> split_class(const Snapshot& snapshot, std::size_t thread, std::string_view family);

// "libprotobuf 3.21.12 (libprotobuf.so.32, needed by libtrain.so, train.py:3)"
std::string copy_text(const Snapshot& snapshot, std::size_t library);
Fact copy_fact(const Snapshot& snapshot, std::size_t library);
Fact crossed_fact(const Snapshot& snapshot, const CrossedCall& call);
inline constexpr const char* crossing_fact = "crossing";

// A fault or an abort, not a signal that somebody sent.
bool died_by_its_own_doing(const Facts& facts);

// The copies differ in version, or may.
bool may_differ(const Snapshot& snapshot, const CrossedCall& call);

// Where Python lines brought both in: "train.py:3 and train.py:7"; what to try with them.
std::optional<std::string> other_order_text(const Snapshot& snapshot, std::size_t first, std::size_t second);

}  // namespace sigwhy::diagnose
