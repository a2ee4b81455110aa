// One loaded file while it is looked at: its tables, its name taken apart. Wheels rename the libraries that they carry
// ("libgomp-a34b3233.so.1.0.0", "libopenblas64_p-r0-15028c96.3.21.so"), so the stem is what identifies it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "evidence/memory.h"
#include "native/dynamic_table.h"

namespace sigwhy::inventory {

struct LibraryName {
  std::string stem;     // "libgomp"
  std::string version;  // "1.0.0", what stands behind .so
};
LibraryName library_name(std::string_view path);

struct LoadedFile {
  const Module& module;
  const native::ElfFile& elf;
  const native::DynamicTable& table;
  LibraryName name;

  bool defines(std::string_view symbol) const { return table.defines(symbol); }
};

// The highest version of symbols with this prefix that the file offers: "3.4.30" for "GLIBCXX_".
std::optional<std::string> highest_version(const LoadedFile& file, std::string_view prefix);

// "0.3.21 DYNAMIC_ARCH" -> "0.3.21": digits, dots and what is glued to them.
std::string first_word(std::string_view text);

}  // namespace sigwhy::inventory
