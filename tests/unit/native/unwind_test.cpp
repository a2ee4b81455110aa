#include "native/unwind.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "native/modules.h"
#include "native/unwind_repetition.h"
#include "target/saved.h"
#include "unwind_child.h"

namespace sigwhy::test {
namespace {

using Names = std::vector<std::string>;

const char* const nested = R"(
#include <stddef.h>
__attribute__((noinline)) int deepest(int* p, int n) { *(volatile int*)p = n; return n + 1; }
__attribute__((noinline)) int middle(int* p, int n) { return deepest(p, n * 3) * 2; }
__attribute__((noinline)) int outer(int* p, int n) { return middle(p, n + 7) + n; }
int main(int argc, char** argv) { return outer((int*)(size_t)(argc - 1), argc); }
)";

bool has(const Names& names, const std::string& name) { return std::ranges::find(names, name) != names.end(); }

Names first(const Names& names, std::size_t count) {
  return {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(count, names.size()))};
}

struct Build {
  const char* name;
  const char* options;
};

class Builds : public testing::TestWithParam<Build> {};

TEST_P(Builds, NamesEveryFrameOfANestedCall) {
  StoppedChild child({compiled(std::string(GetParam().name) + ".c", nested, GetParam().options)});
  ASSERT_EQ(child.target.threads.size(), 1u);
  const auto stacks = stacks_of(child.target);
  EXPECT_EQ(first(stacks.names(), 4), (Names{"deepest", "middle", "outer", "main"}));
  const auto& frames = stacks.threads[0].frames;
  ASSERT_GE(frames.size(), 5u);
  EXPECT_EQ(frames[0].trust, Trust::instruction_pointer);
  for (std::size_t i = 1; i < frames.size(); ++i) EXPECT_EQ(frames[i].trust, Trust::cfi) << i;
  EXPECT_EQ(stacks.names().back(), "_start");
  EXPECT_EQ(stacks.modules[*frames[1].module].origin, Origin::program);
  EXPECT_TRUE(stacks.gaps.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Unwind, Builds,
    testing::Values(Build{"nested_pie", "-O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fno-ipa-ra"},
                    Build{"nested_fixed", "-O2 -no-pie -fno-pie -fno-optimize-sibling-calls"},
                    Build{"nested_debug", "-O0 -g"}, Build{"nested_static", "-O2 -static -fno-optimize-sibling-calls"},
                    Build{"nested_no_id", "-O2 -Wl,--build-id=none -fno-optimize-sibling-calls"},
                    Build{"nested_debug_frame",
                          "-O2 -g -fno-asynchronous-unwind-tables -fno-unwind-tables "
                          "-fno-optimize-sibling-calls -static"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(Unwind, WithoutTablesFollowsFramePointersAndSaysSo) {
  StoppedChild child({compiled("nested_bare.c", nested,
                               "-O1 -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables "
                               "-fno-optimize-sibling-calls")});
  const auto stacks = stacks_of(child.target);
  ASSERT_GE(stacks.threads.at(0).frames.size(), 4u);
  EXPECT_EQ(first(stacks.names(), 4), (Names{"deepest", "middle", "outer", "main"}));
  EXPECT_EQ(stacks.threads[0].frames[1].trust, Trust::return_slot) << "a leaf has no frame";
  EXPECT_EQ(stacks.threads[0].frames[2].trust, Trust::frame_pointer);
}

TEST(Unwind, WithoutTablesAndFramePointersScansAndSaysSo) {
  StoppedChild child({compiled("nested_nothing.c", R"(
    __attribute__((noinline)) long deepest(volatile long* p) { __asm__ volatile("ud2"); return p[3]; }
    __attribute__((noinline)) long middle(long n) { volatile long k[9]; k[3] = n; return deepest(k) + k[2]; }
    int main(int argc, char** argv) { volatile long k[7]; k[3] = argc; return (int)middle(argc) + (int)k[1]; })",
                               "-O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables")});
  const auto stacks = stacks_of(child.target);
  ASSERT_GE(stacks.threads.at(0).frames.size(), 3u);
  EXPECT_EQ(first(stacks.names(), 3), (Names{"deepest", "middle", "main"}));
  EXPECT_EQ(stacks.threads[0].frames[2].trust, Trust::scan);
}

TEST(Unwind, CallThroughNullHasItsCaller) {
  StoppedChild child({compiled("null_call.c", R"(
    void (*volatile nowhere)(void);
    __attribute__((noinline)) int calls(int n) { nowhere(); return n; }
    int main(int argc, char** argv) { return calls(argc) + 1; })",
                               "-O2")});
  const auto stacks = stacks_of(child.target);
  ASSERT_GE(stacks.threads.at(0).frames.size(), 3u);
  EXPECT_EQ(stacks.threads[0].frames[0].pc.value, 0u);
  EXPECT_FALSE(stacks.threads[0].frames[0].module);
  EXPECT_EQ(stacks.threads[0].frames[1].trust, Trust::return_slot);
  EXPECT_EQ(first(stacks.names(), 3), (Names{"?", "calls", "main"}));
}

TEST(Unwind, SmashedReturnAddressIsToldAndTheRestScanned) {
  StoppedChild child({compiled("smashed.c", R"(
    #include <stdlib.h>
    __attribute__((noinline)) void stop(void) { __asm__ volatile("ud2"); }
    __attribute__((noinline)) int smashes(long value) {
      volatile long* slot = __builtin_frame_address(0);
      slot[1] = value; slot[0] = value;
      stop();
      return 3;
    }
    int main(int argc, char** argv) { return smashes(0x4141414141410000 + argc) + 1; })",
                               "-O1 -fno-omit-frame-pointer")});
  const auto stacks = stacks_of(child.target);
  EXPECT_EQ(first(stacks.names(), 2), (Names{"stop", "smashes"}));
  ASSERT_FALSE(stacks.gaps.empty());
  EXPECT_NE(stacks.gaps[0].why.find("0x4141414141410001"), std::string::npos);
  for (std::size_t i = 2; i < stacks.threads[0].frames.size(); ++i)
    EXPECT_NE(stacks.threads[0].frames[i].pc.value, 0x4141414141410000u);
}

TEST(Unwind, AHandlersFrameIsMarkedAndTheInterruptedCodeExact) {
  StoppedChild child({compiled("handler.c", R"(
    #include <signal.h>
    __attribute__((noinline)) void handler(int n) { __builtin_trap(); }
    __attribute__((noinline)) int interrupted(int n) { raise(SIGUSR1); return n; }
    int main(int argc, char** argv) { signal(SIGUSR1, handler); return interrupted(argc) + 1; })",
                               "-O2")});
  const auto stacks = stacks_of(child.target);
  const auto names = stacks.names();
  EXPECT_EQ(names.at(0), "handler");
  ASSERT_GE(names.size(), 4u);
  EXPECT_TRUE(stacks.threads[0].frames[1].signal_frame);
  EXPECT_FALSE(stacks.threads[0].frames[2].signal_frame);
  EXPECT_TRUE(has(names, "interrupted"));
  EXPECT_TRUE(has(names, "main"));
}

TEST(Unwind, AllThreadsAreThere) {
  StoppedChild child({compiled("threads.c", R"(
    #include <pthread.h>
    #include <unistd.h>
    pthread_barrier_t ready;
    __attribute__((noinline)) void waits(void) { for (;;) pause(); }
    void* worker(void* p) { pthread_barrier_wait(&ready); waits(); return p; }
    __attribute__((noinline)) void dies(void) { *(volatile int*)8 = 1; }
    int main(void) {
      pthread_t t[12];
      pthread_barrier_init(&ready, 0, 13);
      for (int i = 0; i < 12; ++i) pthread_create(t + i, 0, worker, 0);
      pthread_barrier_wait(&ready);
      dies();
      return 0;
    })",
                               "-O2 -pthread")});
  const auto stacks = stacks_of(child.target);
  ASSERT_EQ(stacks.threads.size(), 13u);
  EXPECT_TRUE(has(stacks.names(0), "dies"));
  for (std::size_t i = 1; i < stacks.threads.size(); ++i) {
    EXPECT_TRUE(has(stacks.names(i), "worker")) << i;
    EXPECT_FALSE(stacks.threads[i].died);
    ASSERT_TRUE(stacks.threads[i].stack);
    EXPECT_GE(stacks.threads[i].stack->high.value - stacks.threads[i].stack->low.value, 64u << 10);
  }
}

const char* const recursion = R"(
__attribute__((noinline)) long even(long n);
__attribute__((noinline)) long odd(long n) { volatile long k[4]; k[0] = n; return even(n + 1) + k[0]; }
__attribute__((noinline)) long even(long n) { volatile long k = n; return odd(n + 1) + k; }
__attribute__((noinline)) long begins(long n) { return even(n) + 1; }
int main(int argc, char** argv) { return (int)begins(argc); }
)";

TEST(Unwind, AStackOverflowIsFoldedToOneRepetition) {
  StoppedChild child({compiled("overflow.c", recursion, "-O1 -fno-optimize-sibling-calls")});
  const auto began = std::chrono::steady_clock::now();
  const auto stacks = stacks_of(child.target);
  const auto took = std::chrono::steady_clock::now() - began;
  const auto& thread = stacks.threads.at(0);
  ASSERT_TRUE(thread.repetition);
  EXPECT_EQ(thread.repetition->period, 2u);
  const auto total = thread.stack->high.value - thread.stack->low.value;
  EXPECT_GT(thread.repetition->times, total / 256);
  EXPECT_FALSE(thread.repetition->estimated_times) << "the whole stack was there to be counted";
  EXPECT_LE(thread.frames.size(), 32u);
  EXPECT_TRUE(has(stacks.names(), "begins"));
  EXPECT_TRUE(has(stacks.names(), "main"));
  EXPECT_LT(took, std::chrono::seconds(2));
  EXPECT_LE(thread.stack->pointer.value, thread.stack->low.value + 4096);
}

// A grab keeps only the inner part of a deep stack.
class CutMemory final : public Memory {
 public:
  CutMemory(std::unique_ptr<Memory> whole, Address from, Address to) : whole_(std::move(whole)), from_(from), to_(to) {}
  std::size_t read(Address at, std::span<std::byte> into) const override {
    if (at >= from_ && at < to_) return 0;
    if (at < from_ && at + into.size() > from_) into = into.first(from_.value - at.value);
    return whole_->read(at, into);
  }

 private:
  std::unique_ptr<Memory> whole_;
  Address from_, to_;
};

TEST(Unwind, ACutStackIsEstimated) {
  StoppedChild child({compiled("overflow.c", recursion, "-O1 -fno-optimize-sibling-calls")});
  const auto whole = stacks_of(child.target);
  ASSERT_TRUE(whole.threads.at(0).repetition);
  const auto bounds = *whole.threads[0].stack;
  child.target.memory =
      std::make_unique<CutMemory>(std::move(child.target.memory), bounds.pointer + (256 << 10), bounds.high);
  const auto cut = stacks_of(child.target);
  ASSERT_TRUE(cut.threads.at(0).repetition);
  ASSERT_TRUE(cut.threads[0].repetition->estimated_times);
  EXPECT_NEAR(static_cast<double>(*cut.threads[0].repetition->estimated_times),
              static_cast<double>(whole.threads[0].repetition->times),
              static_cast<double>(whole.threads[0].repetition->times) / 20);
  EXPECT_LT(cut.threads[0].repetition->times, whole.threads[0].repetition->times / 4);
}

TEST(Unwind, AHoleInTheCopyIsJumpedOver) {
  StoppedChild child({compiled("overflow.c", recursion, "-O1 -fno-optimize-sibling-calls")});
  const auto whole = stacks_of(child.target);
  const auto bounds = *whole.threads.at(0).stack;
  child.target.memory = std::make_unique<CutMemory>(std::move(child.target.memory), bounds.pointer + (256 << 10),
                                                    bounds.high - (64 << 10));
  const auto holed = stacks_of(child.target);
  ASSERT_TRUE(holed.threads.at(0).repetition);
  EXPECT_EQ(holed.threads[0].repetition->estimated_times, whole.threads[0].repetition->times);
  EXPECT_TRUE(has(holed.names(), "main"));
}

TEST(Unwind, AThreadsOverflowFindsTheStackAboveTheGuard) {
  StoppedChild child({compiled("thread_overflow.c", R"(
    #include <pthread.h>
    __attribute__((noinline)) long deep(long n) { volatile char k[200]; k[0] = n; return deep(n + 1) + k[0]; }
    void* worker(void* p) { return (void*)deep((long)p); }
    int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return 0; })",
                               "-O1 -fno-optimize-sibling-calls -pthread")});
  const auto stacks = stacks_of(child.target);
  const auto& thread = stacks.threads.at(0);
  ASSERT_TRUE(thread.repetition && thread.stack);
  EXPECT_EQ(thread.repetition->period, 1u);
  EXPECT_GT(thread.stack->high.value - thread.stack->low.value, 1u << 20);
  EXPECT_TRUE(has(stacks.names(), "worker"));
}

// What a grab surely has: the stack and nothing else. Code is read from the files.
TEST(Unwind, TheStackAloneIsEnough) {
  StoppedChild child({compiled("null_call.c", R"(
    void (*volatile nowhere)(void);
    __attribute__((noinline)) int calls(int n) { nowhere(); return n; }
    int main(int argc, char** argv) { return calls(argc) + 1; })",
                               "-O2")});
  const Address sp{child.target.threads.at(0).registers->rsp};
  std::vector<std::byte> stack(64 << 10);
  stack.resize(child.target.memory->read(sp, stack));
  child.target.memory = std::make_unique<BlockMemory>(std::vector<BlockMemory::Block>{{sp, stack}});
  const auto stacks = stacks_of(child.target);
  EXPECT_EQ(first(stacks.names(), 3), (Names{"?", "calls", "main"}));
  EXPECT_EQ(stacks.names().back(), "_start");
}

TEST(Unwind, GarbageRegistersComeToAnEnd) {
  StoppedChild child({compiled("nested_pie.c", nested, "-O2 -fomit-frame-pointer -fno-optimize-sibling-calls")});
  auto& registers = *child.target.threads.at(0).registers;
  const auto good = registers;
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    registers = good;
    for (auto* value : {&registers.rip, &registers.rsp, &registers.rbp}) {
      const auto& mapping = child.target.mappings[random() % child.target.mappings.size()];
      const std::uint64_t choices[] = {*value, random(), *value + random() % 4096 - 2048,
                                       mapping.start.value + random() % 4096};
      *value = choices[random() % 4];
    }
    const auto stacks = stacks_of(child.target);
    EXPECT_LE(stacks.threads.at(0).frames.size(), 128u);
  }
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The file is still the mapped one by its first page; only its unwind tables are damaged.
TEST(Unwind, DamagedTablesDoNoHarm) {
  const auto program = compiled("nested_tables.c", nested, "-O2 -fno-optimize-sibling-calls");
  const auto whole = contents(program), path = program + ".damaged";
  std::ofstream(path, std::ios::binary) << whole;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  StoppedChild child({path});
  const auto elf = native::ElfFile::open(OwnedFd(open(program.c_str(), O_RDONLY)));
  std::mt19937 random(17);
  for (int round = 0; round < 300; ++round) {
    auto bytes = whole;
    for (const auto* name : {".eh_frame", ".eh_frame_hdr", ".dynamic"}) {
      const auto* section = elf->section_named(name);
      ASSERT_TRUE(section);
      for (auto flips = random() % 6; flips > 0; --flips)
        bytes[section->offset + random() % section->bytes] = static_cast<char>(random());
    }
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << bytes;
    const auto stacks = stacks_of(child.target);
    EXPECT_EQ(stacks.names().at(0), "deepest");
  }
}

native::WalkedFrame frame(std::uint64_t pc) { return {.pc = Address{pc}}; }

TEST(Repetition, FindsThePeriodAndItsStart) {
  std::vector<native::WalkedFrame> frames{frame(1), frame(2)};
  for (int i = 0; i < 20; ++i)
    for (const auto pc : {10u, 11u, 12u}) frames.push_back(frame(pc));
  frames.push_back(frame(99));
  const auto found = native::find_repetition(frames);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 2u);
  EXPECT_EQ(found->period, 3u);
  EXPECT_EQ(found->times, 20u);
}

TEST(Repetition, SevenTimesIsNone) {
  std::vector<native::WalkedFrame> frames;
  for (int i = 0; i < 7; ++i) frames.push_back(frame(5));
  EXPECT_FALSE(native::find_repetition(frames));
  frames.push_back(frame(5));
  EXPECT_TRUE(native::find_repetition(frames));
}

}  // namespace
}  // namespace sigwhy::test
