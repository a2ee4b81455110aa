// Everything a user sees is compared with a file under tests/golden/. `tools/bless` rewrites them; the diff is
// what a reviewer reads.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace sigwhy::golden {

inline std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// `path` is relative to the repository.
inline void expect_file(const std::string& path, const std::string& actual) {
  const auto full = std::string(SOURCE_DIR "/") + path;
  if (std::getenv("SIGWHY_BLESS")) {
    std::ofstream(full) << actual;
    return;
  }
  EXPECT_EQ(read(full), actual) << path << " is not what is written now; if the new text is right: tools/bless";
}

inline void expect(const std::string& name, const std::string& actual) { expect_file("tests/golden/" + name, actual); }

}  // namespace sigwhy::golden
