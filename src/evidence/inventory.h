// The libraries that a process had loaded, told apart by family, and the Python packages they belong to. Two copies of
// one family are a fact, never a cause by themselves: what joins them to the death is in `crossings` and on the stack.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sigwhy {

// needed: an entry of another module's DT_NEEDED; opened: by dlopen, as Python does with extension modules; built_in:
// linked statically into a module of another name.
enum class CameIn { program, needed, opened, preloaded, built_in, unknown };

// A line of Python at which a module was imported, as far as frames or sources show it.
struct ImportLine {
  std::string file;
  std::int64_t line = 0;
  std::string text;
};

struct Library {
  std::string family;                  // file name in src/inventory/families, dashes for underscores: "protobuf"
  std::string name;                    // "libiomp5 (Intel)", "libgomp (GNU)": which of the family
  std::string part;                    // of the family, where it comes in several; two of one part are two copies
  std::optional<std::string> version;  // "3.21.12"
  std::string version_from;            // how it is known: "symbol version", "text in the file", "package metadata"
  std::uint64_t module = 0;            // index into Snapshot.modules: the file that holds it
  CameIn came_in = CameIn::unknown;
  std::optional<std::uint64_t> brought_by;  // index into Snapshot.modules: who needs it
  std::optional<ImportLine> imported;
};

// A symbol that one module calls and the dynamic linker binds to a definition in another copy than the one it was
// linked with; or a call of free() that went past the allocator which serves the rest of the program.
struct Crossing {
  std::string symbol;
  std::uint64_t user = 0;      // index into Snapshot.modules: who calls it
  std::uint64_t bound_to = 0;  // whose definition it gets
  std::uint64_t expected = 0;  // whose it was linked with; of free(): whose everybody else gets
};

struct BrokenRequirement {
  std::string wants;                 // "protobuf<5,>=3.20.3", as the package states it
  std::optional<std::string> found;  // the installed version; absent: not installed
};

struct Package {
  std::string name;  // as its metadata spells it
  std::string version;
  std::string origin;  // "wheel", "conda", "system", "source", or "unknown"
  std::string folder;  // where it lies: .../site-packages
  std::vector<BrokenRequirement> broken;
};

struct Inventory {
  std::vector<Library> libraries;
  std::vector<Crossing> crossings;
  std::vector<Package> packages;  // those that the death or the question touches, not all that are installed
};

}  // namespace sigwhy
