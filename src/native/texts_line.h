// One line of a dying program's last words: where in the bytes it begins and ends, and what kind of words it is.
// Logging libraries put a prefix in front ("F0512 10:00:00.1 77 tensor.cc:733] ", "2021-05-12 10:00:00.1: F
// tensor.cc:733] ", "[F socket.cpp:12] ", "[libprotobuf FATAL common.cc:86] "); kept of it is file and line.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/text.h"

namespace sigwhy::native {

struct FoundLine {
  TextKind kind = TextKind::other;
  std::size_t start = 0;  // in the bytes that were searched
  std::size_t end = 0;    // one past the line's last byte
};

// Every line in `bytes` that says why a program stops itself.
std::vector<FoundLine> lines_that_explain(std::string_view bytes);

// "file.cc:12: message" from a line with or without a logger's prefix; nothing where it explains no end after all.
std::optional<std::string> explanation(TextKind kind, std::string_view line);

// Is this how a source file's name ends?
bool names_source(std::string_view path);

}  // namespace sigwhy::native
