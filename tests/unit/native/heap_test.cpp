// glibc's heap as a dead program left it: blocks around addresses, and what can be said about a block that free
// refused. Every program here really dies, of glibc's own checks.
#include "native/heap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "dead_child.h"
#include "native/heap_glibc.h"
#include "native/pointers.h"
#include "native/regions.h"

namespace sigwhy::native {
namespace {

using test::Copied;

// Before it dies, each program leaves the address in question in `subject`, which lies first in its data.
constexpr const char* program = R"(
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
struct { char mark[16]; void *volatile subject; } note = {"the subject is:", 0};
void *volatile keep[64];
char table[256];
__attribute__((noinline)) void release(void *p) { note.subject = p; free(p); }
void cached(void) { char *p = malloc(40); release(p); release(p); }
void fast(void) {
  for (int i = 0; i < 9; ++i) keep[i] = malloc(40);
  for (int i = 0; i < 8; ++i) release(keep[i]);
  release(keep[7]);
}
void top(void) { keep[0] = malloc(2000); release(keep[0]); release(keep[0]); }
void unsorted(void) { keep[0] = malloc(2000); keep[1] = malloc(40); release(keep[0]); release(keep[0]); }
void *body(void *f) { ((void (*)(void))f)(); return 0; }
void run_in_thread(void (*f)(void)) { pthread_t t; pthread_create(&t, 0, body, f); pthread_join(t, 0); }
void thread_unsorted(void) { run_in_thread(unsorted); }
void thread_cached(void) { run_in_thread(cached); }
void overrun_fast(void) {
  for (int i = 0; i < 7; ++i) keep[i] = malloc(40);
  char *p = malloc(40);
  keep[8] = malloc(40);
  for (int i = 0; i < 7; ++i) release(keep[i]);
  memset(p, 'A', 56);
  release(p);
}
void overrun_floats(void) {
  float *p = malloc(2000);
  keep[0] = malloc(2000), keep[1] = malloc(20);
  for (int i = 0; i < 504; ++i) p[i] = 1.5f;
  release(p);
}
void inside(void) { keep[0] = malloc(400); memset(keep[0], 0, 400); release((char *)keep[0] + 32); }
void own_header(void) { char *p = malloc(24); keep[0] = malloc(24); memset(p, 'A', 32); release(keep[0]); }
void wrong_own_size(void) {
  long *p = keep[0] = malloc(0x500), *q = keep[1] = malloc(0x500);
  keep[2] = malloc(0x500);
  memset(q, 0, 0x500);
  p[-1] = 0x621;
  q[0x21] = 0x40;
  release(keep[0]);
}
void joined(void) {
  for (int i = 0; i < 4; ++i) keep[i] = malloc(0x500);
  free(keep[0]), free(keep[1]);
  release(keep[1]);
}
void broken_top(void) { char *p = keep[0] = malloc(24); memset(p, 'A', 32); keep[1] = malloc(1 << 16); }
void broken_unsorted(void) {
  double *p = keep[0] = malloc(0x500);
  keep[1] = malloc(0x500), keep[2] = malloc(24);
  free(keep[1]);
  p[0xa1] = 2.5;
  keep[3] = malloc(0x600);
}
void not_a_block(void) { release(table + 64); }
void odd(void) { keep[0] = malloc(400); release((char *)keep[0] + 4); }
void on_stack(void) { char array[64]; memset(array, 0, sizeof array); keep[0] = array; release(array + 16); }
void in_use(void) { keep[0] = note.subject = malloc(3000); keep[1] = malloc(3000); strcpy(keep[0], "x"); abort(); }
void in_use_small(void) { keep[0] = note.subject = malloc(30); keep[1] = malloc(300); strcpy(keep[0], "x"); abort(); }
void freed_small(void) { keep[0] = note.subject = malloc(30); keep[1] = malloc(30); free(keep[0]); abort(); }
void freed_large(void) { keep[0] = note.subject = malloc(3000); keep[1] = malloc(30); free(keep[0]); abort(); }
void mapped(void) { keep[0] = note.subject = malloc(1 << 20); strcpy(keep[0], "x"); abort(); }
void mapped_in_parts(void) {
  char *p = keep[0] = malloc(8 << 20), *middle = (char *)(((long)p + 4096) & -4096);
  madvise(middle, 4 << 20, MADV_HUGEPAGE);
  note.subject = p;
  *(volatile long *)p;
  abort();
}
void thread_in_use(void) { run_in_thread(in_use); }
struct { const char *name; void (*run)(void); } ways[] = {
#define W(x) {#x, x}
  W(cached), W(fast), W(top), W(unsorted), W(thread_unsorted), W(thread_cached), W(overrun_fast), W(overrun_floats),
  W(inside), W(own_header), W(not_a_block), W(wrong_own_size), W(joined), W(broken_top), W(broken_unsorted),
  W(odd), W(on_stack), W(in_use), W(in_use_small), W(freed_small), W(freed_large), W(mapped), W(mapped_in_parts),
  W(thread_in_use)};
int main(int argc, char **argv) {
  for (unsigned i = 0; i < sizeof ways / sizeof *ways; ++i)
    if (!strcmp(argv[1], ways[i].name)) ways[i].run();
  return 0;
}
)";

struct Death {
  Target target;
  Address subject;
};

Address noted_subject(const Target& target) {
  constexpr std::string_view mark("the subject is:\0", 16);
  const auto& data = target.files.at("program data");
  std::uint64_t value = 0;
  if (const auto at = data.find(mark); at != std::string::npos && at + 24 <= data.size())
    std::memcpy(&value, data.data() + at + mark.size(), sizeof value);
  return {value};
}

Death death(const std::string& way, Copied copied) {
  static const std::string path = test::built("heap_ways", "cc -fno-builtin", program);
  Death death{test::dead({path, way}, copied), {}};
  if (!death.target.threads.empty()) death.subject = noted_subject(death.target);
  return death;
}

struct Expected {
  const char* way;
  BlockState state;
  const char* words;
  std::uint64_t least_bytes;
};

class Freed : public testing::TestWithParam<Expected> {
 protected:
  void expect_block(Copied copied);
};

void Freed::expect_block(Copied copied) {
  const auto [target, subject] = death(GetParam().way, copied);
  ASSERT_FALSE(target.threads.empty());
  const auto freed = freed_block(target);
  ASSERT_TRUE(freed);
  EXPECT_EQ(freed->role, "freed");
  EXPECT_EQ(freed->value, subject);
  ASSERT_TRUE(freed->block);
  EXPECT_EQ(freed->block->state, GetParam().state) << freed->block->detail;
  EXPECT_NE(freed->block->detail.find(GetParam().words), std::string::npos) << freed->block->detail;
  EXPECT_GE(freed->block->bytes, GetParam().least_bytes);
}

TEST_P(Freed, block_is_found_and_its_bytes_say_what_happened) { expect_block(Copied::everything); }
TEST_P(Freed, block_is_found_in_what_a_grab_copies) { expect_block(Copied::budget); }

INSTANTIATE_TEST_SUITE_P(
    ways, Freed,
    testing::Values(
        Expected{"cached", BlockState::freed, "tcache", 40}, Expected{"thread_cached", BlockState::freed, "tcache", 40},
        Expected{"fast", BlockState::freed, "fast bin", 40}, Expected{"top", BlockState::top, "unused rest", 0},
        Expected{"unsorted", BlockState::freed, "unsorted bin", 2000},
        Expected{"thread_unsorted", BlockState::freed, "unsorted bin", 2000},
        Expected{"joined", BlockState::freed, "larger freed block", 0x500},
        Expected{"wrong_own_size", BlockState::corrupted, "contradict", 0x600},
        Expected{"overrun_fast", BlockState::corrupted, "text: \"AAAAAAAA\"), which is no size; the data", 40},
        Expected{"overrun_floats", BlockState::corrupted, "two floats: 1.5, 1.5", 2000},
        Expected{"own_header", BlockState::corrupted, "the headers in front of it are sound", 0}),
    [](const auto& way) { return std::string(way.param.way); });

class Block : public testing::TestWithParam<Expected> {};

TEST_P(Block, around_an_address_is_known) {
  const auto [target, subject] = death(GetParam().way, Copied::everything);
  ASSERT_FALSE(target.threads.empty());
  const auto block = block_at(target, subject + 20);
  ASSERT_TRUE(block);
  EXPECT_EQ(block->start, subject);
  EXPECT_EQ(block->state, GetParam().state) << block->detail;
  EXPECT_NE(block->detail.find(GetParam().words), std::string::npos) << block->detail;
  EXPECT_GE(block->bytes, GetParam().least_bytes);
  EXPECT_LT(block->bytes, GetParam().least_bytes + 4096);
}

INSTANTIATE_TEST_SUITE_P(ways, Block,
                         testing::Values(Expected{"in_use", BlockState::in_use, "no list", 3000},
                                         Expected{"in_use_small", BlockState::in_use, "no list", 30},
                                         Expected{"freed_small", BlockState::freed, "tcache", 30},
                                         Expected{"freed_large", BlockState::freed, "unsorted bin", 3000},
                                         Expected{"mapped", BlockState::in_use, "mapped on its own", 1 << 20},
                                         Expected{"mapped_in_parts", BlockState::in_use, "mapped on its own", 8 << 20},
                                         Expected{"thread_in_use", BlockState::in_use, "no list", 3000}),
                         [](const auto& way) { return std::string(way.param.way); });

TEST(Heap, header_that_malloc_found_broken) {
  const auto only = [](const char* way) {
    const auto [target, subject] = death(way, Copied::everything);
    const auto pointers = pointers_that_matter(target, {}, regions_of(target));
    return pointers.size() == 1 && pointers[0].role == "damaged" ? pointers[0].block->detail : "";
  };
  EXPECT_TRUE(only("broken_top").starts_with("its size field holds 0x4141414141414141 (text: \"AAAAAAAA\")"));
  EXPECT_TRUE(only("broken_unsorted").starts_with("its size field holds 0x4004000000000000 (a double: 2.5)"));
}

// Compilers may leave no copy of the pointer behind; then silence is right, another pointer is not.
TEST(Heap, never_names_another_pointer) {
  for (const auto* way : {"inside", "not_a_block", "odd", "on_stack"}) {
    const auto [target, subject] = death(way, Copied::everything);
    ASSERT_FALSE(target.threads.empty()) << way;
    EXPECT_EQ(freed_block(target).value_or(Pointer{.value = subject}).value, subject) << way;
  }
}

TEST(Heap, finds_the_main_state_and_its_top) {
  const auto [target, subject] = death("in_use", Copied::everything);
  const auto state = main_state(target);
  ASSERT_TRUE(state);
  const auto top = chunk_at(*target.memory, state->top);
  ASSERT_TRUE(top);
  const auto mapping = mapping_at(target.mappings, state->top);
  ASSERT_TRUE(mapping);
  EXPECT_EQ(target.mappings[*mapping].path, "[heap]");
  EXPECT_EQ(top->next(), target.mappings[*mapping].end);
}

TEST(Heap, survives_damage) {
  auto [target, subject] = death("overrun_floats", Copied::everything);
  for (unsigned seed = 1; seed < 40; ++seed) {
    test::damage(target, seed);
    block_at(target, subject);
    freed_block(target);
    damaged_block(target);
  }
}

TEST(Heap, survives_random_memory) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto target = test::random_target(seed);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 8; ++i) block_at(target, test::random_address(target, random));
    freed_block(target);
    damaged_block(target);
  }
}

}  // namespace
}  // namespace sigwhy::native
