// Pointers described: where they point, how far off they are, what else their bytes could be. A look that is claimed
// too easily misleads, so each has a counterpart that must not be claimed.
#include "native/pointers.h"

#include <gtest/gtest.h>

#include <bit>

#include "dead_child.h"
#include "native/pointers_looks.h"
#include "native/regions.h"
#include "target/saved.h"

namespace sigwhy::native {
namespace {

constexpr auto small_process =
    "555555554000-555555556000 r-xp 00000000 fe:00 12 /usr/bin/program\n"
    "555555600000-555555621000 rw-p 00000000 00:00 0 [heap]\n"
    "7f1234000000-7f1234800000 r-xp 00000000 fe:00 13 /usr/lib/libbig.so\n"
    "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0 [stack]\n";

Target with_maps(std::string_view maps) {
  Target target;
  target.memory = std::make_unique<BlockMemory>(std::vector<BlockMemory::Block>{});
  target.mappings = parse_maps(maps);
  return target;
}

std::vector<std::string> looks(std::uint64_t value, std::string_view maps = small_process) {
  const auto target = with_maps(maps);
  return describe_pointer("x", {value}, target, regions_of(target)).looks_like;
}

using Looks = std::vector<std::string>;

std::uint64_t floats(float low, float high) {
  return std::bit_cast<std::uint32_t>(low) | std::uint64_t{std::bit_cast<std::uint32_t>(high)} << 32;
}

TEST(Pointers, region_and_distances) {
  const auto target = with_maps(small_process);
  const auto regions = regions_of(target);
  const auto inside = describe_pointer("rax", {0x555555600010}, target, regions);
  EXPECT_EQ(inside.role, "rax");
  EXPECT_EQ(inside.region, 1u);
  EXPECT_FALSE(inside.behind || inside.before);
  EXPECT_TRUE(inside.looks_like.empty());
  const auto past = describe_pointer("fault", {0x555555621000}, target, regions);
  EXPECT_FALSE(past.region);
  ASSERT_TRUE(past.behind && past.before);
  EXPECT_EQ(past.behind->region, 1u);
  EXPECT_EQ(past.behind->bytes, 0u);
  EXPECT_EQ(past.before->region, 2u);
  EXPECT_TRUE(past.looks_like.empty());
  const auto null = describe_pointer("fault", {0x10}, target, regions);
  EXPECT_FALSE(null.behind);
  EXPECT_EQ(null.before->bytes, 0x555555554000u - 0x10u);
  EXPECT_TRUE(null.looks_like.empty());
}

TEST(Pointers, bytes_that_are_numbers) {
  EXPECT_EQ(looks(floats(-1.5f, -1.5f)).front(), "two floats: -1.5, -1.5");
  EXPECT_EQ(looks(floats(0.25f, 1000.f)).front(), "two floats: 0.25, 1000");
  EXPECT_EQ(looks(std::bit_cast<std::uint64_t>(2.5)), Looks{"a double: 2.5"});
  EXPECT_EQ(looks(std::bit_cast<std::uint64_t>(0.1)).front(), "a double: 0.1");
  EXPECT_EQ(looks(0x0000000700000003), Looks{"two 32-bit numbers: 3, 7"});
  EXPECT_EQ(looks(0xffffffffffffffd0), Looks{"the number -48"});
  EXPECT_EQ(looks(~std::uint64_t{0}), Looks{"the number -1"});
}

TEST(Pointers, bytes_that_are_text_or_filling) {
  EXPECT_EQ(looks(0x6f77206f6c6c6548).front(), "text: \"Hello wo\"");
  EXPECT_EQ(looks(0x00006c6c65486148).front(), "text: \"HaHell\"");
  EXPECT_TRUE(looks(0x000000006c6c6548).empty()) << "four characters may be anything";
  EXPECT_TRUE(looks(0xdddddddddddddddd).front().starts_with("0xdd in every byte (Python"));
  EXPECT_TRUE(looks(0x5a5a5a5a5a5a5a72).front().starts_with("0x5a in every byte, plus 24"));
  EXPECT_EQ(looks(0xe3e3e3e3e3e3e3e3).front(), "0xe3 in every byte");
}

TEST(Pointers, that_were_valid_once) {
  EXPECT_EQ(looks(0x555556007800 << 8 | 0x12), Looks{});
  EXPECT_EQ(looks(0x555555607800 << 8 | 0x12).front(), "an address in the heap, shifted by 1 byte");
  EXPECT_EQ(looks(0x7f1234007800 << 16 | 0x1234).front(), "an address in libbig.so, shifted by 2 bytes");
  EXPECT_EQ(looks(0x55607800), Looks{"the lower 32 bits of an address in the heap"});
  EXPECT_EQ(looks(0xffffffffffffe000), Looks{"the number -8192"});
  EXPECT_EQ(looks(0x0000000355607800), Looks{"an address in the heap whose upper half was overwritten with 3"});
  EXPECT_EQ(looks(0x0000555500000007), Looks{"an address in the heap whose lower half was overwritten with 7"});
  EXPECT_EQ(looks(0x555555607800 ^ 1ull << 41), Looks{"one bit (bit 41) away from an address in the heap"});
  EXPECT_EQ(looks(0x555555607800 ^ 1ull << 55), Looks{"one bit (bit 55) away from an address in the heap"});
  EXPECT_TRUE(looks(0x555555621010).empty()) << "just behind the heap is an overrun, not a flipped bit";
}

TEST(Pointers, halves_are_not_claimed_where_most_values_would_fit) {
  constexpr auto huge = "555500000000-5555f0000000 rw-p 00000000 00:00 0 [heap]\n";
  EXPECT_TRUE(looks(0x15607800, huge).empty());
}

TEST(Pointers, links_of_freed_blocks) {
  const std::uint64_t own = 0x555555600300, next = 0x555555601240;
  EXPECT_EQ(looks(own >> 12 ^ next).front(), "glibc's encoded link from one freed block to the next");
  EXPECT_EQ(looks(own >> 12).front(), "the end mark of glibc's list of freed blocks (a heap page's number)");
  EXPECT_TRUE(looks(0x555655600300).empty());
}

Fault fault_at(std::uint64_t address, std::uint64_t base, std::uint64_t index) {
  Fault fault{.pc = {0x555555554010}, .address = Address{address}, .operand = 0};
  fault.instruction = Instruction{};
  fault.instruction->operands.push_back(
      {.base = "rax", .base_value = Address{base}, .index = "rdx", .index_value = Address{index}});
  return fault;
}

std::vector<std::string> roles(const std::vector<Pointer>& pointers) {
  std::vector<std::string> all;
  for (const auto& pointer : pointers) all.push_back(pointer.role);
  return all;
}

TEST(Pointers, that_matter_are_the_fault_and_what_it_was_made_of) {
  auto target = with_maps(small_process);
  target.signal = siginfo_t{.si_signo = SIGSEGV};
  RawThread thread{.died = true, .registers = user_regs_struct{}};
  thread.registers->r12 = 0xbfc00000bfc00000;
  target.threads.push_back(thread);
  const auto pointers =
      pointers_that_matter(target, fault_at(0x555555621000, 0x555555600010, 0x20ff0), regions_of(target));
  EXPECT_EQ(roles(pointers), (std::vector<std::string>{"fault", "rax", "rdx", "r12"}));
  EXPECT_EQ(pointers[1].region, 1u);
}

TEST(Pointers, a_pc_without_code_matters) {
  const auto target = with_maps(small_process);
  Fault fault{.pc = {0x555555600010}};
  EXPECT_EQ(roles(pointers_that_matter(target, fault, regions_of(target))), std::vector<std::string>{"pc"});
}

TEST(Pointers, survive_random_targets) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto target = test::random_target(seed);
    const auto regions = regions_of(target);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 50; ++i) describe_pointer("x", {random() >> random() % 64}, target, regions);
    pointers_that_matter(target, fault_at(random(), random(), random()), regions);
  }
}

}  // namespace
}  // namespace sigwhy::native
