// Samples, and what can befall them: cut, a bit turned, bytes overwritten.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>

#include "inputs/format.h"

namespace sigwhy::inputs {

inline std::string sample_path(const std::string& name) {
  return std::string(SOURCE_DIR) + "/tests/inputs/samples/" + name;
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("no " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string sample(const std::string& name) { return bytes_of(sample_path(name)); }

// A file in memory, for formats that look at no file beside it.
inline Checked check_bytes(const char* format, const std::string& bytes) {
  static const int fd = ::memfd_create("sample", MFD_CLOEXEC);
  if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("no memory file");
  const auto file = FileBytes::open("/proc/self/fd/" + std::to_string(fd));
  return find_format(format)->check(*file);
}

// A folder that goes with the test.
class Folder {
 public:
  Folder() {
    const std::filesystem::path memory = "/dev/shm";  // thousands of small files
    std::string name = (exists(memory) ? memory : std::filesystem::temp_directory_path()) / "sigwhy-inputs-XXXXXX";
    if (!::mkdtemp(name.data())) throw std::runtime_error("no folder");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string put(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  std::string path(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string with_bit_turned(std::string bytes, std::size_t at, int bit) {
  bytes[at] = static_cast<char>(bytes[at] ^ 1 << bit);
  return bytes;
}

inline std::string mutant(const std::string& whole, std::mt19937_64& random) {
  std::string bytes = whole;
  for (auto changes = 1 + random() % 8; changes > 0; --changes) {
    const auto at = random() % bytes.size();
    switch (random() % 4) {
      case 0: bytes[at] = static_cast<char>(random()); break;
      case 1: bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8); break;
      case 2: bytes[at] = '\xff'; break;
      default: {
        const auto from = random() % whole.size(), size = std::min(random() % 16, whole.size() - std::max(from, at));
        bytes.replace(at, size, whole.substr(from, size));
      }
    }
  }
  if (random() % 10 == 0) bytes.resize(random() % bytes.size());
  return bytes;
}

}  // namespace sigwhy::inputs
