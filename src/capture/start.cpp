#include "capture/start.h"

#include <string.h>
#include <unistd.h>

#include <span>

#include "capture/read_again.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_words_bytes = 128u << 10;

// Words as /proc has them. Words that do not all fit are none at all: half a command is another command.
template <class Words, class Text> void write_words(ArenaWriter& arena, const char* name, const Words& words, Text text) {
  std::size_t bytes = 0;
  for (const auto& word : words) bytes += strlen(text(word)) + 1;
  if (bytes > most_words_bytes || bytes + 4096 > arena.left()) return;
  TextRecord out(arena, name, most_words_bytes);
  for (const auto& word : words) out.bytes({text(word), strlen(text(word)) + 1});
}

std::span<char* const> own_environment() {
  std::size_t count = 0;
  while (environ[count]) ++count;
  return {environ, count};
}

}  // namespace

void write_start(const Plan& plan, ArenaWriter& arena) {
  write_words(arena, "start/cmdline", plan.command, [](const std::string& word) { return word.c_str(); });
  write_words(arena, "start/environ", own_environment(), [](const char* entry) { return entry; });
  arena.file("start/cwd", plan.directory.data(), plan.directory.size());
  arena.file("start/fd/0", plan.input.data(), plan.input.size());
}

}  // namespace sigwhy::capture
