// One sentence out of what frameworks print around it. The wrappings met: a traceback as text with the real error in
// its last line (multiprocessing, DataLoader, Keras 2's "in user code:"), "Graph execution error:" with the error in
// front of "[[{{node", Keras 3's bold sentence followed by "Arguments received by", and TensorFlow's node and op names.
#include <array>

#include "diagnose/python_failure.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// "ValueError: words" and "torch.cuda.OutOfMemoryError: words": where the words start.
std::optional<std::size_t> behind_class(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && is_word(line[end])) ++end;
  const auto name = line.substr(0, end);
  if (!line.substr(end).starts_with(": ")) return std::nullopt;
  for (const std::string_view kind : {"Error", "Exception", "Warning", "Interrupt"})
    if (name.ends_with(kind)) return end + 2;
  return std::nullopt;
}

// The last line of a printed traceback, its class included, and what follows it up to an empty line.
std::string_view last_error(std::string_view text) {
  for (auto end = text.size(); end > 0;) {
    const auto newline = text.rfind('\n', end - 1);
    const auto start = newline == std::string_view::npos ? 0 : newline + 1;
    const auto line = text.substr(start);
    const auto shown = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    if (behind_class(shown)) return trimmed(shown.substr(0, shown.find("\n\n")));
    if (start == 0) break;
    end = start - 1;
  }
  return {};
}

bool holds_traceback(std::string_view text) {
  return text.find("Traceback (most recent call last)") != std::string_view::npos ||
         text.starts_with("in user code:") || text.find("\nin user code:") != std::string_view::npos;
}

// Keras 2: "Exception encountered when calling layer "dense" (type Dense).\n\nthe error itself"
std::string_view behind_layer(std::string_view text) {
  if (!text.starts_with("Exception encountered when calling ")) return text;
  const auto rest = trimmed(text.substr(std::min(text.find('\n'), text.size())));
  return rest.empty() ? text : rest;
}

// "...\nMatrix size-incompatible: In[0]: [3,4], In[1]: [5,6]\n\t [[{{node MatMul}}]]"
std::string_view before_node(std::string_view text) {
  const auto node = text.find("\n\t [[");
  if (node == std::string_view::npos) return text;
  const auto head = trimmed(text.substr(0, node));
  const auto line = head.rfind('\n');
  return line == std::string_view::npos ? head : trimmed(head.substr(line + 1));
}

std::string_view without_names(std::string_view text) {
  if (text.starts_with("{{"))
    if (const auto end = text.find("}} "); end != std::string_view::npos) text.remove_prefix(end + 3);
  if (const auto op = text.rfind(" [Op:"); op != std::string_view::npos) text = text.substr(0, op);
  return trimmed(text);
}

std::string_view bold_part(std::string_view text) {
  constexpr std::string_view on = "\x1b[1m", off = "\x1b[0m";
  const auto start = text.find(on);
  if (start == std::string_view::npos) return text;
  const auto from = start + on.size();
  return text.substr(from, text.find(off, from) - from);
}

}  // namespace

CoreError core_error(std::string_view message) {
  auto text = bold_part(trimmed(message));
  if (const auto tail = text.find("\nArguments received by"); tail != std::string_view::npos)
    text = trimmed(text.substr(0, tail));
  if (const auto tail = text.find("\n\nCall arguments received by"); tail != std::string_view::npos)
    text = trimmed(text.substr(0, tail));
  if (holds_traceback(text))
    if (const auto inner = last_error(text); !inner.empty()) text = inner;
  text = without_names(before_node(text));
  const auto words = behind_class(text);
  if (!words) return {"", std::string(behind_layer(trimmed(text)))};
  // inside a class of its own there may be wrapping again: a generator's error in a node's
  const auto type = text.substr(0, *words - 2);
  return {std::string(class_name(type)),
          std::string(behind_layer(without_names(before_node(bold_part(text.substr(*words))))))};
}

std::string core_message(std::string_view message) { return core_error(message).words; }

std::string_view class_name(std::string_view type) { return type.substr(type.rfind('.') + 1); }

}  // namespace sigwhy::diagnose
