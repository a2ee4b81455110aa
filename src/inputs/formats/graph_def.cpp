// A frozen graph: one GraphDef message in a .pb file. Its nodes are the message's own fields, one after another, so a
// file cut between two of them is a legal message; only the `versions` that TensorFlow writes behind them are then
// missing. An empty file is a legal message too, of an empty graph.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "inputs/format.h"
#include "inputs/tensorflow_file.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs::formats {

namespace {

constexpr unsigned char text_tag_1 = 0x0a, text_tag_2 = 0x12;

// A first node begins with its name and its op, "MatMul" or "ns>Op".
bool begins_with_node(std::string_view first) {
  const auto byte = [&](std::size_t i) { return i < first.size() ? static_cast<unsigned char>(first[i]) : 0u; };
  std::size_t at = 1;
  if (byte(0) != text_tag_1) return false;
  while (byte(at) & 0x80) ++at;  // the node's length
  ++at;
  if (byte(at) != text_tag_1 || byte(at + 1) & 0x80) return false;
  at += 2 + byte(at + 1);
  const auto length = byte(at + 1);
  if (byte(at) != text_tag_2 || length == 0 || length & 0x80 || at + 2 + length > first.size()) return false;
  return std::ranges::all_of(first.substr(at + 2, length),
                             [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '>'; });
}

Likeness likeness(std::string_view path, std::string_view first) {
  if (!path.ends_with(".pb")) return Likeness::none;
  if (begins_with_node(first)) return Likeness::by_content;
  const auto name = path.substr(path.rfind('/') + 1);
  const bool said = name.find("graph") != std::string_view::npos || name.find("frozen") != std::string_view::npos;
  return said ? Likeness::by_name : Likeness::none;  // many other messages lie in .pb files
}

Checked check(const FileBytes& file) {
  auto [checked, messages] = check_message_file(file, "GraphDef");
  if (checked.soundness != Soundness::sound) return checked;
  const auto nodes = messages.contains("NodeDef") ? messages["NodeDef"] : 0;
  checked.holds = counted(nodes, "node");
  if (file.bytes() == 0) checked.remarks.push_back("the file is empty, which is a legal GraphDef: an empty graph");
  else if (!messages.contains("VersionDef"))
    checked.remarks.push_back(
        "it has no `versions`, which TensorFlow writes behind the nodes: it may be cut between two nodes");
  return checked;
}

}  // namespace

extern const Format graph_def{
    .title = "TensorFlow graph (GraphDef)", .likeness = likeness, .check = check, .empty_is_legal = true};

}  // namespace sigwhy::inputs::formats
