// Who held the memory at the end: Python names, the lines that add to them, and the stack that stood there. A container
// of the user's own that lives across steps can leak; a local of a library's function goes when that function returns.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

std::uint64_t part_bytes(const MemoryUse& use, MemoryKind kind);
std::optional<std::size_t> part_index(const MemoryUse& use, MemoryKind kind);
std::uint64_t type_count(const MemoryUse& use, std::string_view class_name);
std::optional<std::size_t> type_index(const MemoryUse& use, std::string_view class_name);

bool is_container(std::string_view type);  // list, dict, deque: holds as much as it is given
// A local of a function that belongs to a library, gone when that function returns.
bool is_library_local(const MemoryHolder& holder);
bool holds_weights(const MemoryHolder& holder);  // Variables, Parameters: a model

// "2,412 float32 arrays (1024, 784)", "30 arrays"
std::string holds_text(const MemoryHolder& holder);
EvidenceRef holder_ref(std::size_t index);

// The source line that adds to this name.
const AddingLine* adding_line(const MemoryUse& use, std::string_view name);
std::string adding_text(const AddingLine& line);  // "train.py:91"
EvidenceRef adding_ref(const MemoryUse& use, const AddingLine& line);

// The thread that ran Python when it ended: the one that died, else the first.
std::optional<std::size_t> python_thread(const Facts& facts);
// Its innermost frame of the user's own.
std::optional<std::size_t> own_frame(const Facts& facts);

// Is the line one that reads files, or did the user's line stand in a library's function that does?
bool reads_files(const AddingLine& line);
// It makes the array anew from itself and more: np.concatenate, torch.cat. A sum (`+=`) does not grow.
bool joins_arrays(const AddingLine& line);
bool stood_reading(const Facts& facts);

}  // namespace sigwhy::diagnose
