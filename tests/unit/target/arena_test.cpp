// What the supervisor writes is what the developing process reads; what is damaged on the way is refused or cut,
// never believed.
#include "target/arena.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "target/saved.h"

namespace sigwhy {

namespace {

std::vector<std::byte> sample_arena() {
  std::vector<std::byte> storage(64 << 10);
  ArenaWriter arena(storage);
  const ProcessRecord process{42, 1, 0, 1'800'000'000, 2.5};
  arena.append(RecordType::process, &process, sizeof process);
  siginfo_t info{};
  info.si_signo = SIGSEGV;
  arena.append(RecordType::signal, &info, sizeof info);
  for (const bool died : {false, true}) {
    ThreadRecord thread{.tid = died ? 42 : 43, .died = died, .has_registers = 1, .name = "worker"};
    thread.registers.rip = 0x401000;
    arena.append(RecordType::thread, &thread, sizeof thread);
  }
  arena.file("maps", "00400000-00401000 r-xp 00000000 fe:00 12   /bin/x y\n", 51);
  arena.gap("a", "b", "c");
  for (const std::uint64_t at : {0x1000u, 0x1004u, 0x100cu}) {
    std::byte payload[sizeof(MemoryRecord) + 8];
    std::memcpy(payload, &at, 8);
    for (int i = 0; i < 8; ++i) payload[8 + i] = std::byte(at - 0x1000 + i);
    arena.append(RecordType::memory, payload, sizeof payload);
  }
  return storage;
}

}  // namespace

TEST(Arena, RoundTrip) {
  const auto storage = sample_arena();
  const auto target = target_from_arena(used_part(storage), nullptr);
  ASSERT_TRUE(target);
  EXPECT_EQ(target->pid, 42);
  EXPECT_TRUE(target->handled_first);
  ASSERT_EQ(target->threads.size(), 2u);
  EXPECT_TRUE(target->threads[0].died) << "the dying thread comes first";
  EXPECT_EQ(target->threads[0].registers->rip, 0x401000u);
  EXPECT_EQ(target->mappings.at(0).path, "/bin/x y");
  EXPECT_EQ(target->gaps.at(0).remedy, "c");
}

TEST(Arena, OverlappingBlocksReadAsOne) {
  const auto storage = sample_arena();
  const auto target = target_from_arena(used_part(storage), nullptr);
  std::array<std::byte, 32> bytes{};
  EXPECT_EQ(target->memory->read(Address{0x1000}, bytes), 20u);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(bytes[i], std::byte(i));
  EXPECT_EQ(target->memory->read(Address{0x0fff}, bytes), 0u);
  EXPECT_EQ(target->memory->read(Address{0x1014}, bytes), 0u);
  EXPECT_EQ(target->memory->read_value<std::uint16_t>(Address{0x1013}), std::nullopt);
}

TEST(Arena, FullArenaRefusesAndStaysWhole) {
  std::vector<std::byte> storage(200);
  const std::vector<std::byte> bytes(190);
  ArenaWriter arena(storage);
  EXPECT_FALSE(arena.append(RecordType::memory, bytes.data(), 190));
  EXPECT_TRUE(arena.append(RecordType::memory, bytes.data(), 160));
  arena.gap("no room", "", "");
  const auto target = target_from_arena(used_part(storage), nullptr);
  ASSERT_TRUE(target);
  ASSERT_EQ(target->gaps.size(), 1u);
  EXPECT_EQ(target->gaps[0].why, "the memory kept for it was full");
}

TEST(Arena, AnotherWriterGoesOnBehindTheFirst) {
  std::vector<std::byte> storage(4096);
  ArenaWriter first(storage);
  first.file("stopped_at", "PyErr_PrintEx", 13);
  first.file("stderr_tail", "early", 5);
  ArenaWriter second = ArenaWriter::behind_what_is_in(storage);
  EXPECT_EQ(second.used(), first.used());
  second.file("stderr_tail", "late", 4);
  const auto target = target_from_arena(used_part(storage), nullptr);
  ASSERT_TRUE(target);
  EXPECT_EQ(target->stopped_at, "PyErr_PrintEx");
  EXPECT_EQ(target->files.at("stderr_tail"), "late");
}

TEST(Arena, CompressedSideFileReadsBack) {
  const auto storage = sample_arena();
  const auto packed = compressed_arena(used_part(storage));
  ASSERT_TRUE(packed);
  const std::string path = testing::TempDir() + "/case.mem.zst";
  FILE* file = fopen(path.c_str(), "w");
  fwrite(packed->data(), 1, packed->size(), file);
  fclose(file);
  const auto target = target_from_side_file(path);
  ASSERT_TRUE(target);
  EXPECT_EQ(target->pid, 42);
  unlink(path.c_str());
}

TEST(Arena, DamageIsSurvived) {
  const auto whole = sample_arena();
  const auto used = used_part(whole);
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes(used.begin(), used.begin() + 24 + random() % (used.size() - 24));
    for (int i = 0; i < 4; ++i) bytes[8 + random() % (bytes.size() - 8)] = std::byte(random());
    const auto target = target_from_arena(bytes, nullptr);
    std::array<std::byte, 64> into;
    if (target) target->memory->read(Address{0x1000}, into);
  }
}

}  // namespace sigwhy
