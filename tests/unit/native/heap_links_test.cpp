// The block that a bad pointer was read from: freed and still read, or in use again and never filled.
#include "native/heap_links.h"

#include <gtest/gtest.h>

#include "dead_child.h"
#include "native/instruction.h"
#include "native/pointers.h"
#include "native/regions.h"

namespace sigwhy::native {
namespace {

using test::Copied;

constexpr const char* program = R"(
#include <stdlib.h>
#include <string.h>
struct Node { struct Node *next; long value; };
struct Node *volatile kept[8];
__attribute__((noinline)) long follow(struct Node *node) { return node->next->value; }
long freed(void) { kept[0] = malloc(sizeof(struct Node)); free(kept[0]); return follow(kept[0]); }
long unfilled(void) {
  for (int i = 0; i < 3; ++i) kept[i] = malloc(sizeof(struct Node));
  for (int i = 0; i < 3; ++i) free(kept[i]);
  kept[0] = malloc(sizeof(struct Node));
  return follow(kept[0]);
}
long made_up(void) {
  kept[0] = malloc(sizeof(struct Node));
  kept[0]->next = (struct Node *)0x123456789000;
  return follow(kept[0]);
}
int main(int argc, char **argv) {
  return (int)(!strcmp(argv[1], "freed") ? freed() : !strcmp(argv[1], "unfilled") ? unfilled() : made_up());
}
)";

std::optional<Pointer> holder_in(const std::string& way, Copied copied) {
  static const std::string path = test::built("heap_links", "cc -O1 -fno-builtin", program);
  const auto target = test::dead({path, way}, copied);
  for (auto& pointer : pointers_that_matter(target, fault_of(target, {}), regions_of(target)))
    if (pointer.role == "read from") return pointer;
  return std::nullopt;
}

TEST(LinkHolder, tells_a_freed_block_from_an_unfilled_one) {
  for (const auto copied : {Copied::everything, Copied::budget}) {
    const auto freed = holder_in("freed", copied);
    ASSERT_TRUE(freed && freed->block);
    EXPECT_EQ(freed->block->state, BlockState::freed) << freed->block->detail;
    const auto unfilled = holder_in("unfilled", copied);
    ASSERT_TRUE(unfilled && unfilled->block);
    EXPECT_EQ(unfilled->block->state, BlockState::in_use) << unfilled->block->detail;
  }
}

TEST(LinkHolder, is_silent_about_a_pointer_that_is_no_link) { EXPECT_FALSE(holder_in("made_up", Copied::everything)); }

TEST(LinkHolder, survives_random_targets) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const auto target = test::random_target(seed);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 20; ++i) link_holder(target, test::random_address(target, random).value);
  }
}

}  // namespace
}  // namespace sigwhy::native
