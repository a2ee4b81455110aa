#include "native/symbols.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "native/modules.h"
#include "native/symbol_table.h"
#include "unwind_child.h"

namespace sigwhy::test {
namespace {

namespace fs = std::filesystem;

const char* const dies = R"(
__attribute__((noinline)) int visible(int* p) { *(volatile int*)p = 1; return 2; }
__attribute__((noinline)) static int hidden(int* p) { return visible(p) + 3; }
int main(int argc, char** argv) { return hidden(argc > 9 ? &argc : 0) + 1; }
)";

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

const Module& program_of(const Stacks& stacks) {
  return *std::ranges::find(stacks.modules, Origin::program, &Module::origin);
}

TEST(Symbols, AStrippedProgramHasAGapAndItsLibrariesNames) {
  StoppedChild child({compiled("stripped.c", dies, "-O1 -s -fno-optimize-sibling-calls")});
  const auto stacks = stacks_of(child.target);
  EXPECT_EQ(stacks.names().at(0), "?");
  EXPECT_TRUE(has(stacks.names(), "__libc_start_main"));
  ASSERT_FALSE(stacks.gaps.empty());
  EXPECT_EQ(stacks.gaps[0].what, "some function names in stripped");
  EXPECT_TRUE(program_of(stacks).build_id);
}

TEST(Symbols, ExportedNamesSurviveStripping) {
  StoppedChild child({compiled("exported.c", dies, "-O1 -s -rdynamic -fno-optimize-sibling-calls")});
  const auto names = stacks_of(child.target).names();
  EXPECT_EQ(names.at(0), "visible");
  EXPECT_EQ(names.at(1), "?") << "between exported functions there is no name, rather than a wrong one";
  EXPECT_EQ(names.at(2), "main");
}

TEST(Symbols, ANamelessFunctionHasTheNameItWasCalledBy) {
  const std::string library = R"(
    __attribute__((noinline)) static int hidden(int* p) { *(volatile int*)p = 1; return 2; }
    static int (*choose(void))(int*) { return hidden; }
    int copy_chosen_at_load(int*) __attribute__((ifunc("choose")));)";
  const auto path = compiled("libchosen.c", library, "-O1 -s -shared -fPIC");
  for (const auto* options : {"-O1", "-O1 -fno-plt", "-O1 -fcf-protection=full -z ibtplt"}) {
    StoppedChild child({compiled("calls_chosen.c", R"(
      int copy_chosen_at_load(int*);
      int main(int argc, char** argv) { return copy_chosen_at_load(argc > 9 ? &argc : 0) + 1; })",
                                 options + (" -Wl,--no-as-needed " + path))});
    const auto stacks = stacks_of(child.target);
    EXPECT_EQ(stacks.names().at(0), "copy_chosen_at_load") << options;
    EXPECT_FALSE(stacks.threads[0].frames[0].symbol_offset);
    EXPECT_EQ(stacks.names().at(1), "main");
  }
}

TEST(Symbols, NamesAreDemangled) {
  StoppedChild child({compiled("mangled.cpp", R"(
    namespace ops {
    template <class T> struct Crop {
      __attribute__((noinline)) T at(T* p) { *(volatile T*)p = 1; return 2; }
    };
    }
    int main(int argc, char** argv) { return ops::Crop<int>().at(argc > 9 ? &argc : 0) + 1; })",
                               "-O1")});
  EXPECT_EQ(stacks_of(child.target).names().at(0), "ops::Crop<int>::at(int*)");
  EXPECT_EQ(native::demangled("_ZTSinvalid..."), "_ZTSinvalid...");
  EXPECT_EQ(native::demangled("malloc"), "malloc");
}

TEST(Symbols, AReplacedFileGivesNoNames) {
  const auto original = compiled("replaced.c", dies, "-O1 -fno-optimize-sibling-calls");
  const auto copy = original + ".copy";
  fs::copy_file(original, copy, fs::copy_options::overwrite_existing);
  StoppedChild child({copy});
  fs::copy_file(compiled("replacing.c", dies, "-O0 -g"), copy + ".new", fs::copy_options::overwrite_existing);
  fs::rename(copy + ".new", copy);
  const auto stacks = stacks_of(child.target);
  EXPECT_EQ(stacks.names().at(0), "?");
  EXPECT_TRUE(program_of(stacks).file_changed);
  ASSERT_FALSE(stacks.gaps.empty());
  EXPECT_TRUE(std::ranges::any_of(stacks.gaps, [](const Gap& gap) {
    return gap.what == "function names in replaced.copy" && gap.why.find("no longer") != std::string::npos;
  }));
}

TEST(Symbols, ARemovedFileIsAGap) {
  const auto copy = compiled("removed.c", dies, "-O1") + ".copy";
  fs::copy_file(compiled("removed.c", dies, "-O1"), copy, fs::copy_options::overwrite_existing);
  StoppedChild child({copy});
  fs::remove(copy);
  const auto stacks = stacks_of(child.target);
  EXPECT_TRUE(program_of(stacks).file_changed);
  EXPECT_TRUE(std::ranges::any_of(stacks.gaps, [](const Gap& gap) { return gap.why == "the file is gone"; }));
}

// The process's root as a folder of our own: the program under its own path, its debug file where Debian puts it.
TEST(Symbols, ADebugFileByBuildIdNamesWhatWasStripped) {
  const auto program = compiled("separate.c", dies, "-O1 -g -fno-optimize-sibling-calls");
  const fs::path root = fs::path(BINARY_DIR) / "debug_root";
  fs::remove_all(root);
  fs::create_directories(root / fs::path(program).parent_path().relative_path());
  const auto stripped = program + ".stripped";
  ASSERT_EQ(std::system(("strip -o " + stripped + " " + program).c_str()), 0);
  const auto inside = root / fs::path(stripped).relative_path();
  fs::copy_file(stripped, inside);
  const auto id = *native::ElfFile::open(OwnedFd(open(program.c_str(), O_RDONLY)))->build_id();
  const auto debug = root / fs::path(native::debug_file_path(id)).relative_path();
  fs::create_directories(debug.parent_path());
  ASSERT_EQ(std::system(("objcopy --only-keep-debug " + program + " " + debug.string()).c_str()), 0);

  StoppedChild child({stripped});
  child.target.root = OwnedFd(open(root.c_str(), O_PATH | O_DIRECTORY));
  const auto stacks = stacks_of(child.target, true);
  EXPECT_EQ(stacks.names().at(0), "visible");
  EXPECT_EQ(stacks.names().at(1), "hidden");
  ASSERT_TRUE(stacks.threads[0].frames[0].source);
  EXPECT_EQ(stacks.threads[0].frames[0].source->line, 2);
}

TEST(Symbols, OfSeveralNamesTheUsualOneWins) {
  const auto library = compiled("aliases.c", R"(
    int __internal_work(int n) { return n + 1; }
    int work(int n) __attribute__((alias("__internal_work")));
    int weakling(int n) __attribute__((weak, alias("__internal_work")));
    static int local(int n) __attribute__((used, alias("__internal_work")));
    __asm__(".text\n.globl label\nlabel:\n nop\n nop\n nop\n");)",
                                "-O1 -shared -fPIC");
  const auto elf = native::ElfFile::open(OwnedFd(open(library.c_str(), O_RDONLY)));
  ASSERT_TRUE(elf);
  const auto* table = elf->section_of_type(SHT_SYMTAB);
  ASSERT_TRUE(table);
  // find where they are by asking for every address of .text
  const auto* text = elf->section_named(".text");
  std::vector<std::uint64_t> addresses(text->bytes);
  for (std::size_t i = 0; i < addresses.size(); ++i) addresses[i] = text->address + i;
  const auto found = native::find_symbols(*elf, *table, addresses);
  std::vector<std::string> names;
  for (const auto& symbol : found)
    if (symbol) names.push_back(symbol->name + "+" + std::to_string(symbol->offset));
  EXPECT_TRUE(has(names, "work+0"));
  EXPECT_TRUE(has(names, "work+1"));
  EXPECT_FALSE(has(names, "weakling+0") || has(names, "local+0") || has(names, "__internal_work+0"));
  EXPECT_TRUE(has(names, "label+2")) << "a label without a size names what follows it";
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void read_all(const std::string& path, const std::vector<std::uint64_t>& addresses) {
  const auto elf = native::ElfFile::open(OwnedFd(open(path.c_str(), O_RDONLY)));
  if (!elf) return;
  elf->build_id();
  elf->relocated_ranges();
  elf->address_of_offset(0x1000);
  for (const auto type : {SHT_SYMTAB, SHT_DYNSYM})
    if (const auto* table = elf->section_of_type(static_cast<std::uint32_t>(type)))
      native::find_symbols(*elf, *table, addresses);
}

TEST(Symbols, DamagedFilesDoNoHarm) {
  const auto whole = contents(compiled("undamaged.c", "int work(int n) { return n; }", "-O1 -shared -fPIC"));
  const auto path = std::string(BINARY_DIR) + "/unwound/damaged.so";
  std::mt19937 random(11);
  std::vector<std::uint64_t> addresses{0, 0x1000, 0x1020, 0x10f9, 0x4000, ~std::uint64_t{0}};
  for (int round = 0; round < 600; ++round) {
    auto bytes = whole;
    if (round % 3 == 0) bytes.resize(random() % bytes.size());
    // the headers at both ends and the tables are where damage hurts
    const auto flips = 1 + random() % 24;
    for (unsigned i = 0; i < flips && !bytes.empty(); ++i) {
      const auto at = i % 3 == 0   ? random() % std::min<std::size_t>(bytes.size(), 1024)
                      : i % 3 == 1 ? bytes.size() - 1 - random() % std::min<std::size_t>(bytes.size(), 2048)
                                   : random() % bytes.size();
      bytes[at] = static_cast<char>(random());
    }
    std::ofstream(path, std::ios::binary) << bytes;
    read_all(path, addresses);
  }
}

}  // namespace
}  // namespace sigwhy::test
