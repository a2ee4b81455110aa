// A SavedModel: a folder with saved_model.pb, one protobuf message with graphs, signatures and the tree of Python
// objects, and variables/variables.*, a checkpoint. Checked as a whole, given by the folder or by saved_model.pb.
#include <fmt/format.h>
#include <unistd.h>

#include "inputs/checkpoint.h"
#include "inputs/format.h"
#include "inputs/tensorflow_file.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs::formats {

namespace {

constexpr std::string_view file_name = "saved_model.pb";
constexpr std::string_view beginning{"\x08\x01\x12", 3};  // schema version 1, then a meta graph

bool there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

Likeness likeness(std::string_view path, std::string_view first) {
  if (path.ends_with(".pb") && first.starts_with(beginning)) return Likeness::by_content;
  return path.ends_with(file_name) ? Likeness::by_name : Likeness::none;
}

Checked check(const FileBytes& file) {
  auto message = check_message_file(file, "SavedModel");
  auto& checked = message.checked;
  if (checked.soundness != Soundness::sound) return checked;
  if (message.count("MetaGraphDef") == 0)
    return broken(file.bytes(), "meta_graphs",
                  file.bytes() == 0 ? "the file is empty" : "there is none: the file ends before it");
  checked.holds = fmt::format("{}, {}", counted(message.count("MetaGraphDef"), "meta graph"),
                              counted(message.count("NodeDef"), "node"));
  const auto prefix = folder_of(file.path()) + "/variables/variables";
  if (!there(prefix + ".index")) {
    if (const auto variables = message.count("SavedVariable"))
      checked.remarks.push_back(
          fmt::format("it has {}, but variables/variables.index is not beside it", counted(variables, "variable")));
    return checked;
  }
  auto variables = check_checkpoint(prefix, "variables.index");
  if (variables.flaw) variables.flaw->inside = "variables/" + variables.flaw->inside;
  if (variables.soundness != Soundness::sound) return variables;
  checked.holds += ", variables: " + variables.holds;
  checked.remarks.insert(checked.remarks.end(), variables.remarks.begin(), variables.remarks.end());
  return checked;
}

Likeness likeness_of_place(const std::string& path) {
  return there(fmt::format("{}/{}", path, file_name)) ? Likeness::by_content : Likeness::none;
}

Checked check_place(const std::string& path) {
  const auto file = FileBytes::open(fmt::format("{}/{}", path, file_name));
  if (!file) return not_checked(fmt::format("its {} cannot be read: {}", file_name, file.error().cause));
  auto checked = check(*file);
  if (checked.flaw && checked.flaw->inside.empty()) checked.flaw->inside = file_name;
  return checked;
}

}  // namespace

extern const Format saved_model{.title = "SavedModel",
                                .likeness = likeness,
                                .check = check,
                                .likeness_of_place = likeness_of_place,
                                .check_place = check_place};

}  // namespace sigwhy::inputs::formats
