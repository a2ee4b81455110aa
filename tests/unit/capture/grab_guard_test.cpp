// The guard's tables are the program's memory, and it can have written there: counts that lie, addresses that lead
// nowhere, contexts that were reused. A grab copies what makes sense and always ends.
#include "capture/grab_guard.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <random>

#include "capture/develop.h"
#include "target/saved.h"

namespace sigwhy::capture {

namespace {

constexpr std::uint64_t library = 0x7f1000000000, blocks_at = 0x7f2000000000, contexts_at = 0x7f3000000000;
constexpr std::uint64_t heap = 0x7f4000000000;

constexpr const char* maps_text =
    "7f1000000000-7f1000001000 r--p 00000000 fe:00 7 /opt/lib/libsigwhy_guard.so\n"
    "7f1000001000-7f1000004000 rw-p 00001000 fe:00 7 /opt/lib/libsigwhy_guard.so\n"
    "7f1000004000-7f1000008000 rw-p 00000000 00:00 0 \n"
    "7f2000000000-7f2000100000 rw-p 00000000 00:00 0 \n";

class Forged {
 public:
  explicit Forged(std::size_t count) : blocks(count), contexts(16) {
    std::memcpy(header.magic, guard::magic, sizeof header.magic);
    header.version = guard::version;
    header.bytes = sizeof header;
    header.mode = guard::Mode::all;
    header.block_capacity = static_cast<std::uint32_t>(count);
    header.blocks = blocks_at;
    header.blocks_used = count;
    header.contexts = contexts_at;
    header.context_capacity = contexts.size();
    for (std::size_t i = 0; i < count; ++i) {
      auto& b = blocks[i];
      b.mapping = heap + i * 0x4000;
      b.mapping_bytes = 0x3000;
      b.bytes = 100;
      b.start = b.mapping + 0x2000 - 112;
      b.state = guard::State::live;
      b.allocated_by = guard::Call::malloc_;
      b.allocated_context = 1 + i % 8;
      b.stands_for = 2;
    }
    for (std::size_t i = 0; i < contexts.size(); ++i) contexts[i] = {.id = i, .pc = 0x1000 + i, .sp = 0x2000};
  }

  // What is copied, as files of the arena.
  std::map<std::string, std::string> copy(const GuardRequest& request) {
    std::vector<BlockMemory::Block> memory{{Address{library + 0x2000}, std::as_bytes(std::span(&header, 1))},
                                           {Address{blocks_at}, std::as_bytes(std::span(blocks))},
                                           {Address{contexts_at}, std::as_bytes(std::span(contexts)).first(
                                                                      contexts.size() * sizeof(guard::Context) - unread_bytes)}};
    const BlockMemory read(std::move(memory));
    const auto maps = std::make_unique<MapTable>();
    maps->parse(maps_text);
    std::vector<std::byte> storage(1u << 20);
    ArenaWriter arena(storage);
    loaded = copy_guard(read, *maps, request, arena).loaded;
    return target_from_arena(storage, {})->files;
  }

  std::vector<KeptBlock> kept(const GuardRequest& request) {
    const auto files = copy(request);
    const auto found = files.find(guard_blocks_file);
    if (found == files.end() || found->second.empty()) return {};
    std::vector<KeptBlock> records(found->second.size() / sizeof(KeptBlock));
    std::memcpy(static_cast<void*>(records.data()), found->second.data(), found->second.size());
    return records;
  }

  guard::Header header{};
  std::vector<guard::Block> blocks;
  std::vector<guard::Context> contexts;
  bool loaded = false;
  std::size_t unread_bytes = 0;  // of the last context
};

}  // namespace

TEST(GrabGuard, KeepsTheBlockAtTheFaultAndThoseThatRegistersPointInto) {
  Forged f(2000);
  const std::uint64_t pointers[] = {f.blocks[7].start + 50, 0, 17};
  const auto kept = f.kept({.fault = f.blocks[1234].mapping + 0x2000, .pointers = pointers});
  ASSERT_GE(kept.size(), 2u);
  EXPECT_EQ(kept[0].index, 1234u);
  EXPECT_EQ(kept[1].index, 7u);
  EXPECT_LE(kept.size(), 4u);
}

TEST(GrabGuard, KeepsDamagedOnesAndWhatWasHandedToFree) {
  Forged f(2000);
  f.blocks[99].damage_bytes = 4;
  f.header.stop = guard::Stop::double_free;
  f.header.stop_block = 1500;
  const auto kept = f.kept({});
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].index, 1499u);
  EXPECT_EQ(kept[1].index, 99u);
}

// Of a process that was killed for memory, pages that were never written are not there.
TEST(GrabGuard, AContextIsThereWhereItsStackIs) {
  Forged f(10);
  f.unread_bytes = 2000;
  f.contexts[15].stack_bytes = guard::stack_bytes_kept - 2000;
  f.blocks[0].allocated_context = 15;
  const std::uint64_t pointers[] = {f.blocks[0].start};
  EXPECT_EQ(f.copy({.pointers = pointers}).at(guard_contexts_file).size(), sizeof(guard::Context));
  f.contexts[15].stack_bytes = guard::stack_bytes_kept - 1999;
  EXPECT_FALSE(f.copy({.pointers = pointers}).contains(guard_contexts_file));
}

TEST(GrabGuard, OnlyContextsThatAreStillThere) {
  Forged f(10);
  f.contexts[3].id = 3 + f.contexts.size();  // reused
  f.blocks[0].allocated_context = 3;
  f.blocks[0].freed_context = 5;
  const std::uint64_t pointers[] = {f.blocks[0].start};
  const auto files = f.copy({.pointers = pointers});
  ASSERT_EQ(files.at(guard_contexts_file).size(), sizeof(guard::Context));
  guard::Context c;
  std::memcpy(&c, files.at(guard_contexts_file).data(), sizeof c);
  EXPECT_EQ(c.id, 5u);
}

TEST(GrabGuard, SitesAreAddedUpAndScaled) {
  Forged f(800);
  const auto files = f.copy({.sites = true});
  std::vector<KeptSite> sites(files.at(guard_sites_file).size() / sizeof(KeptSite));
  std::memcpy(static_cast<void*>(sites.data()), files.at(guard_sites_file).data(), sites.size() * sizeof(KeptSite));
  ASSERT_EQ(sites.size(), 8u);
  EXPECT_EQ(sites[0].blocks, 100u);
  EXPECT_EQ(sites[0].bytes, 10000u);
  EXPECT_EQ(sites[0].estimated_bytes, 20000u);
}

TEST(GrabGuard, HeadersThatMakeNoSense) {
  const auto refused = [](auto change) {
    Forged f(10);
    change(f.header);
    return f.copy({.fault = heap}).count(guard_header_file) == 0 && f.loaded;
  };
  EXPECT_TRUE(refused([](guard::Header& h) { h.version = 99; }));
  EXPECT_TRUE(refused([](guard::Header& h) { h.bytes = 7; }));
  EXPECT_TRUE(refused([](guard::Header& h) { h.blocks_used = 1ull << 40; }));
  EXPECT_TRUE(refused([](guard::Header& h) { h.block_capacity = 0xffffffff; }));
  EXPECT_TRUE(refused([](guard::Header& h) { h.blocks = ~0ull - 100; }));
  EXPECT_TRUE(refused([](guard::Header& h) { h.contexts = 3; }));
  EXPECT_TRUE(refused([](guard::Header& h) { h.context_capacity = ~0ull; }));
  EXPECT_TRUE(refused([](guard::Header& h) { h.mode = static_cast<guard::Mode>(77); }));
}

TEST(GrabGuard, TablesThatLeadNowhereEnd) {
  Forged f(100);
  f.header.block_capacity = 1u << 20;
  f.header.blocks_used = 1u << 20;
  EXPECT_FALSE(f.kept({.fault = f.blocks[5].start}).empty());
  f.header.blocks = 0x7f5000000000;
  EXPECT_TRUE(f.kept({.fault = f.blocks[5].start}).empty());
}

// Every record full of noise: nothing is believed, and what comes out can be developed.
TEST(GrabGuard, NoiseIsSurvived) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    Forged f(200);
    for (auto& b : f.blocks)
      for (std::size_t i = 0; i < sizeof b; i += 8) {
        const auto word = random();
        if (random() % 3 == 0) std::memcpy(reinterpret_cast<char*>(&b) + i, &word, std::min<std::size_t>(8, sizeof b - i));
      }
    for (auto& c : f.contexts) c.python_count = c.stack_bytes = 0xffff;
    const std::uint64_t pointers[] = {f.blocks[7].start + 5, random()};
    Target target;
    target.files = f.copy({.fault = f.blocks[3].start, .pointers = pointers, .sites = true});
    target.memory = std::make_unique<BlockMemory>(std::vector<BlockMemory::Block>{});
    target.threads.push_back({.tid = 1, .died = true, .registers = user_regs_struct{}});
    const auto snapshot = develop(target, python::ValuesPolicy::plain);
    EXPECT_TRUE(snapshot.guarded_heap);
  }
}

}  // namespace sigwhy::capture
