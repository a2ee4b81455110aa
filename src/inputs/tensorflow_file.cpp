#include "inputs/tensorflow_file.h"

#include <fmt/format.h>

#include "inputs/protobuf_walk.h"
#include "inputs/tensor_facts.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs {

MessageFile check_message_file(const FileBytes& file, std::string_view message) {
  MessageFile result;
  if (file.bytes() > protobuf::most_bytes) {
    result.checked =
        broken(protobuf::most_bytes, "",
               fmt::format("protobuf reads no message over {} bytes; this has {}", protobuf::most_bytes, file.bytes()));
    return result;
  }
  PagedBytes bytes(file);
  const auto judge = [&](std::string_view kind, std::uint64_t begin,
                         std::uint64_t end) -> std::optional<protobuf::Wrong> {
    const auto known = result.messages.find(kind);
    if (known != result.messages.end()) ++known->second;
    else result.messages.emplace(kind, 1);
    return kind == "TensorProto" ? judge_tensor(bytes, begin, end) : std::nullopt;
  };
  auto walked = protobuf::walk(bytes, message, 0, file.bytes(), judge);
  if (bytes.shrank()) result.checked = not_checked("it was cut while it was read");
  else result.checked = walked.fault ? *walked.fault : sound("");
  if (walked.unknown_fields)
    result.checked.remarks.push_back(
        counted(walked.unknown_fields, "field") +
        " that this program's schema does not know: a newer TensorFlow's, or changed bytes");
  return result;
}

}  // namespace sigwhy::inputs
