// A file that is one protobuf message of TensorFlow's: what SavedModel and GraphDef files have in common.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "evidence/input.h"
#include "inputs/paged_bytes.h"

namespace sigwhy::inputs {

struct MessageFile {
  Checked checked;                                             // sound: `holds` is left to the caller
  std::map<std::string, std::uint64_t, std::less<>> messages;  // how many of each kind it has
  std::uint64_t count(std::string_view kind) const {
    const auto found = messages.find(kind);
    return found == messages.end() ? 0 : found->second;
  }
};

MessageFile check_message_file(const FileBytes& file, std::string_view message);

}  // namespace sigwhy::inputs
