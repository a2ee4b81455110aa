// What the names on the failing line stood for. A traceback shows `model.fit(batch, y)`; here `batch` is an object
// array of 32 lists. A call that spans several lines shows only the first: then the called function's arguments tell.
#pragma once
#include <string>
#include <vector>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

// A value by the name a reader sees: a local, or a member of one (`self.weight`, `batch['image']`).
struct NamedValue {
  std::string name;
  std::string type;
  std::optional<std::string> text;
  std::optional<std::uint64_t> length;
  std::optional<std::uint64_t> array;
  const std::vector<ElementGroup>* elements = nullptr;  // its own, or its array's
  std::string path;                                     // evidence
};

// On the line of the user's frame; else the arguments of the function called there; all of the frame's where the line
// itself is not known.
std::vector<NamedValue> values_on_line(const Facts& facts);
// All values of one frame, members included.
std::vector<NamedValue> values_of_frame(const Facts& facts, FrameAt at);

// Identifiers of a source line, without those behind a dot and without text in quotes.
std::vector<std::string> names_in(std::string_view line);
// Texts in quotes on a source line.
std::vector<std::string> strings_in(std::string_view line);
std::string own_line(const Facts& facts);  // of the user's frame, empty where it is not known
// The line on which the root error rose, empty where it is not known.
std::string failing_line(const Facts& facts);
// The user's code says `raise` or `assert` there: the words are the user's own.
bool raised_by_user(const Facts& facts);

const Array* array_of(const Facts& facts, const NamedValue& value);
std::vector<EvidenceRef> evidence_of(const NamedValue& value);
bool is_sequence(std::string_view type);  // list, tuple, deque: rows that can be counted

}  // namespace sigwhy::diagnose
