// A file that a program read, or that the user asks about: is it sound, and if not, where does it break?
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/memory.h"

namespace sigwhy {

// unknown_format: none of the formats claims it. not_checked: it could not be read or judged whole; `why` says why.
enum class Soundness { sound, broken, unknown_format, not_checked };

// The first place at which the file contradicts its format.
struct Flaw {
  std::uint64_t offset = 0;  // in the file as it lies on disk, unless `inside` says in what else
  std::string inside;        // "the data after gunzip", "weights.npy in the archive"; empty: the file itself
  std::string where;         // in the format's own terms: "record 17", "graph_def.node[3].attr"; empty: none
  std::string what;          // "the length's checksum is 0x1a2b3c4d, the bytes give 0x5e6f7081"
};

struct Checked {
  std::string format;  // file name in src/inputs/formats, dashes for underscores; empty: none claims it
  Soundness soundness = Soundness::unknown_format;
  std::optional<Flaw> flaw;          // for broken
  std::string why;                   // for not_checked
  std::string holds;                 // what a sound one holds, in a few words: "200 records", "float32 (60000, 28, 28)"
  std::vector<std::string> remarks;  // what a sound file still leaves to say
};

// Another process that has the file open.
struct FileHolder {
  std::int64_t pid = 0;
  std::string command;
  bool writes = false;
  bool locks = false;
};

struct Input {
  std::string path;
  std::string seen;  // how it is known: "open as descriptor 5", "mapped at 0x7f...", "named by the exception"
  std::optional<std::uint64_t> bytes;
  std::optional<bool> changed_during_run;
  std::optional<FileSystem> file_system;  // of a file that the program wrote, where nearly nothing is left of it
  std::vector<FileHolder> holders;
  Checked checked;
};

// What `sigwhy verify --json` writes.
struct Verification {
  int schema = 1;
  std::vector<Input> files;
};

std::string to_json(const Checked& checked);
Result<Checked> checked_from_json(std::string_view text);
std::string to_json(const Verification& verification);

}  // namespace sigwhy
