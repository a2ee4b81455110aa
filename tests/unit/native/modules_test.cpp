#include "native/modules.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>

#include "native/file_backed_memory.h"
#include "target/saved.h"

namespace sigwhy::test {
namespace {

Target made(std::string_view maps, const std::string& exe = "/opt/app/solver") {
  Target target;
  target.memory = std::make_unique<BlockMemory>(std::vector<BlockMemory::Block>{});
  target.mappings = parse_maps(maps);
  target.files["exe"] = exe;
  return target;
}

TEST(Modules, OneFileIsOneModule) {
  const auto modules = native::modules_of(made(R"(
555555554000-555555555000 r--p 00000000 fe:00 10 /opt/app/solver
555555555000-555555556000 r-xp 00001000 fe:00 10 /opt/app/solver
555555556000-555555557000 r--p 00002000 fe:00 10 /opt/app/solver
555555557000-555555558000 r--p 00002000 fe:00 10 /opt/app/solver
555555558000-555555559000 rw-p 00003000 fe:00 10 /opt/app/solver
555555559000-55555557a000 rw-p 00000000 00:00 0 [heap]
7ffff7a00000-7ffff7b00000 r--p 00000000 fe:00 11 /data/weights.bin
7ffff7dd0000-7ffff7df0000 r-xp 00000000 fe:00 12 /usr/lib/x86_64-linux-gnu/libm.so.6
7ffff7df0000-7ffff7fef000 ---p 00020000 fe:00 12 /usr/lib/x86_64-linux-gnu/libm.so.6
7ffff7fef000-7ffff7ff0000 rw-p 0001f000 fe:00 12 /usr/lib/x86_64-linux-gnu/libm.so.6
7ffff7ff8000-7ffff7ffc000 r--p 00000000 00:00 0 [vvar]
7ffff7ffc000-7ffff7ffe000 r-xp 00000000 00:00 0 [vdso]
)"));
  ASSERT_EQ(modules.size(), 3u);
  EXPECT_EQ(modules[0].path, "/opt/app/solver");
  EXPECT_EQ(modules[0].start.value, 0x555555554000u);
  EXPECT_EQ(modules[0].end.value, 0x555555559000u);
  EXPECT_EQ(modules[0].origin, Origin::program);
  EXPECT_EQ(modules[1].origin, Origin::system);
  EXPECT_EQ(modules[2].path, "[vdso]");
  EXPECT_EQ(modules[2].origin, Origin::kernel);
  EXPECT_EQ(native::module_at(modules, Address{0x555555555010}), 0u);
  EXPECT_FALSE(native::module_at(modules, Address{0x555555559000}));
  EXPECT_FALSE(native::module_at(modules, Address{0x1000}));
}

TEST(Modules, AFileLoadedTwiceIsTwoModules) {
  const auto modules = native::modules_of(made(R"(
7f0000000000-7f0000001000 r--p 00000000 fe:00 7 /opt/lib/a.so
7f0000001000-7f0000002000 r-xp 00001000 fe:00 7 /opt/lib/a.so
7f0000002000-7f0000003000 r--p 00000000 fe:00 7 /opt/lib/a.so
7f0000003000-7f0000004000 r-xp 00001000 fe:00 7 /opt/lib/a.so
)"));
  ASSERT_EQ(modules.size(), 2u);
  EXPECT_EQ(modules[1].start.value, 0x7f0000002000u);
}

TEST(Modules, TextMovedToHugePagesStaysInItsModule) {
  const auto modules = native::modules_of(made(R"(
7f0000000000-7f0000200000 r--p 00000000 fe:00 7 /opt/lib/a.so
7f0000200000-7f0000400000 r-xp 00000000 00:00 0
7f0000400000-7f0000401000 rw-p 00400000 fe:00 7 /opt/lib/a.so
)"));
  ASSERT_EQ(modules.size(), 1u);
  EXPECT_EQ(modules[0].end.value, 0x7f0000401000u);
}

TEST(Modules, OriginIsReadOffThePath) {
  struct Expected {
    Origin origin;
    std::optional<std::string> package;
  };
  const std::map<std::string, Expected> cases{
      {"/home/u/.pyenv/versions/3.11.7/bin/python3.11", {Origin::interpreter, {}}},
      {"/home/u/.pyenv/versions/3.11.7/lib/libpython3.11.so.1.0", {Origin::interpreter, {}}},
      {"/home/u/.pyenv/lib/python3.11/lib-dynload/math.cpython-311-x86_64-linux-gnu.so", {Origin::interpreter, {}}},
      {"/v/lib/python3.11/site-packages/numpy/core/_multiarray_umath.so", {Origin::package, "numpy"}},
      {"/v/lib/python3.11/site-packages/numpy.libs/libopenblas64.so", {Origin::package, "numpy"}},
      {"/v/lib/python3.11/site-packages/_cffi_backend.cpython-311-x86_64.so", {Origin::package, "_cffi_backend"}},
      {"/usr/lib/python3/dist-packages/torch/lib/libtorch.so", {Origin::package, "torch"}},
      {"/usr/lib/x86_64-linux-gnu/libc.so.6", {Origin::system, {}}},
      {"/lib64/ld-linux-x86-64.so.2", {Origin::system, {}}},
      {"/home/u/ops/libcrop.so", {Origin::user, {}}},
      {"/home/u/ops/libcrop.so (deleted)", {Origin::user, {}}},
  };
  for (const auto& [path, expected] : cases) {
    const auto modules = native::modules_of(made("7f0000000000-7f0000001000 r-xp 00000000 fe:00 7 " + path + "\n",
                                                 "/home/u/.pyenv/versions/3.11.7/bin/python3.11"));
    ASSERT_EQ(modules.size(), 1u) << path;
    EXPECT_EQ(modules[0].origin, expected.origin) << path;
    EXPECT_EQ(modules[0].package, expected.package) << path;
    EXPECT_EQ(modules[0].file_changed, path.ends_with("(deleted)")) << path;
  }
}

TEST(Modules, ThousandsOfMappingsCostNothing) {
  std::string maps;
  for (std::uint64_t i = 0; i < 400; ++i)
    for (std::uint64_t part = 0; part < 5; ++part) {
      const auto start = 0x7f0000000000 + i * 0x10000 + part * 0x1000;
      char line[160];
      std::snprintf(line, sizeof line, "%llx-%llx r%c%cp %08llx fe:00 %llu /opt/lib/lib%llu.so\n",
                    static_cast<unsigned long long>(start), static_cast<unsigned long long>(start + 0x1000),
                    part == 4 ? 'w' : '-', part == 1 ? 'x' : '-', static_cast<unsigned long long>(part * 0x1000),
                    static_cast<unsigned long long>(i + 1), static_cast<unsigned long long>(i));
      maps += line;
    }
  const auto target = made(maps);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(native::modules_of(target).size(), 400u);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(50));
}

// A folder that plays the process's root, with one file in it.
struct MadeRoot {
  std::filesystem::path folder = std::filesystem::path(BINARY_DIR) / "made_root";
  Target target;

  MadeRoot() {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "data");
    std::ofstream(folder / "data/file") << std::string(5000, 'x');
    target = made("1000-3000 r--p 00000000 fe:00 1 /data/file\n");
    target.root = OwnedFd(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
};

TEST(MappedFile, IsOpenedBelowTheProcesssRoot) {
  MadeRoot root;
  EXPECT_TRUE(native::open_in_root(root.target, "/data/file"));
  EXPECT_FALSE(native::open_in_root(root.target, "/data/other"));
  std::filesystem::create_symlink("/data/file", root.folder / "link");
  EXPECT_TRUE(native::open_in_root(root.target, "/link")) << "an absolute link stays inside";
  EXPECT_FALSE(native::open_in_root(root.target, "/data")) << "no regular file";
}

TEST(MappedFile, AnotherInodeIsAnotherFileUnlessMemoryAgrees) {
  MadeRoot root;
  EXPECT_EQ(native::open_mapped_file(root.target, root.target.mappings[0]).match, native::FileMatch::changed);
  const std::string same(4096, 'x'), other(4096, 'y');
  const auto holding = [](const std::string& text) {
    return std::make_unique<BlockMemory>(
        std::vector<BlockMemory::Block>{{Address{0x1000}, std::as_bytes(std::span(text))}});
  };
  root.target.memory = holding(same);
  EXPECT_EQ(native::open_mapped_file(root.target, root.target.mappings[0]).match, native::FileMatch::same);
  root.target.memory = holding(other);
  EXPECT_EQ(native::open_mapped_file(root.target, root.target.mappings[0]).match, native::FileMatch::changed);
  std::filesystem::remove(root.folder / "data/file");
  EXPECT_EQ(native::open_mapped_file(root.target, root.target.mappings[0]).match, native::FileMatch::gone);
}

TEST(FileBackedMemory, AnswersFromTheFileWhatWasNotCopied) {
  MadeRoot root;
  const std::string same(4096, 'x');
  root.target.memory =
      std::make_unique<BlockMemory>(std::vector<BlockMemory::Block>{{Address{0x1000}, std::as_bytes(std::span(same))}});
  const native::FileBackedMemory memory(root.target);
  EXPECT_EQ(memory.read_value<char>(Address{0x1000 + 4500}), 'x');
  EXPECT_FALSE(memory.read_value<char>(Address{0x1000 + 5000})) << "behind the file's end";
  EXPECT_FALSE(memory.read_value<char>(Address{0x4000}));
  root.target.mappings[0].writable = true;
  EXPECT_FALSE(native::FileBackedMemory(root.target).read_value<char>(Address{0x1000 + 4500}));
}

}  // namespace
}  // namespace sigwhy::test
