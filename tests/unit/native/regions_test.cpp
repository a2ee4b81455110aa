// What each mapping is used for, on a map as the kernel writes it and on real processes.
#include "native/regions.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "dead_child.h"
#include "target/saved.h"

namespace sigwhy::native {
namespace {

Target with_maps(std::string_view maps, std::vector<std::uint64_t> stack_pointers = {}) {
  Target target;
  target.memory = std::make_unique<BlockMemory>(std::vector<BlockMemory::Block>{});
  target.mappings = parse_maps(maps);
  for (const auto pointer : stack_pointers) {
    RawThread thread{.registers = user_regs_struct{}};
    thread.registers->rsp = pointer;
    target.threads.push_back(thread);
  }
  return target;
}

RegionKind kind_of(std::string_view line, std::vector<std::uint64_t> stack_pointers = {}) {
  return regions_of(with_maps(line, std::move(stack_pointers))).at(0).kind;
}

TEST(Regions, are_named_by_the_kernel) {
  EXPECT_EQ(kind_of("5000-6000 rw-p 00000000 00:00 0 [heap]\n"), RegionKind::heap);
  EXPECT_EQ(kind_of("5000-6000 rw-p 00000000 00:00 0 [stack]\n"), RegionKind::stack);
  EXPECT_EQ(kind_of("5000-6000 r-xp 00000000 00:00 0 [vdso]\n"), RegionKind::vdso);
  EXPECT_EQ(kind_of("5000-6000 r--p 00000000 00:00 0 [vvar]\n"), RegionKind::vdso);
  EXPECT_EQ(kind_of("5000-6000 r-xp 00000000 fe:00 12 /usr/bin/x\n"), RegionKind::file);
  EXPECT_EQ(kind_of("5000-6000 ---p 00000000 fe:00 12 /usr/bin/x\n"), RegionKind::file);
  EXPECT_EQ(kind_of("5000-6000 rw-s 00000000 00:19 12 /dev/shm/a b\n"), RegionKind::shared_memory);
  EXPECT_EQ(kind_of("5000-6000 rw-s 00000000 00:01 12 /memfd:x (deleted)\n"), RegionKind::shared_memory);
  EXPECT_EQ(kind_of("5000-6000 rw-s 00000000 00:01 12 /SYSV00000000 (deleted)\n"), RegionKind::shared_memory);
  EXPECT_EQ(kind_of("5000-6000 rw-s 00000000 00:01 12 /dev/zero (deleted)\n"), RegionKind::shared_memory);
  EXPECT_EQ(kind_of("5000-6000 rw-s 00000000 00:05 12 /dev/nvidia0\n"), RegionKind::device);
  EXPECT_EQ(kind_of("5000-6000 rw-p 00000000 00:00 0\n"), RegionKind::anonymous);
  EXPECT_EQ(kind_of("5000-6000 ---p 00000000 00:00 0\n"), RegionKind::guard);
}

TEST(Regions, thread_stacks_are_where_stack_pointers_are) {
  constexpr auto maps =
      "7000-8000 ---p 00000000 00:00 0\n"
      "8000-9000 rw-p 00000000 00:00 0\n"
      "a000-b000 rw-p 00000000 00:00 0\n";
  EXPECT_EQ(regions_of(with_maps(maps, {0x8800}))[1].kind, RegionKind::thread_stack);
  EXPECT_EQ(regions_of(with_maps(maps, {0x7ff8}))[1].kind, RegionKind::thread_stack) << "overflowed into its guard";
  EXPECT_EQ(regions_of(with_maps(maps, {0x7ff8}))[0].kind, RegionKind::guard);
  EXPECT_EQ(regions_of(with_maps(maps, {0x8800}))[2].kind, RegionKind::anonymous);
}

TEST(Regions, thread_heaps_begin_at_64_mib_and_reserve_the_rest) {
  const auto regions =
      regions_of(with_maps("7f0000000000-7f0000021000 rw-p 00000000 00:00 0\n"
                           "7f0000021000-7f0004000000 ---p 00000000 00:00 0\n"
                           "7f0008000000-7f0008021000 rw-p 00000000 00:00 0\n"));
  EXPECT_EQ(regions[0].kind, RegionKind::heap);
  EXPECT_EQ(regions[1].kind, RegionKind::guard);
  EXPECT_EQ(regions[2].kind, RegionKind::anonymous);
}

TEST(Regions, of_a_real_process) {
  const auto path = test::built("thread_dies", "cc", R"(
    #include <pthread.h>
    #include <stdlib.h>
    void *body(void *p) { abort(); }
    int main(void) { pthread_t t; free(malloc(10)); pthread_create(&t, 0, body, 0); pthread_join(t, 0); }
  )");
  const auto target = test::dead({path}, test::Copied::budget);
  ASSERT_EQ(target.threads.size(), 2u);
  const auto regions = regions_of(target);
  const auto kind_at = [&](std::uint64_t a) { return regions.at(mapping_at(target.mappings, {a}).value()).kind; };
  EXPECT_EQ(kind_at(target.threads[0].registers->rsp), RegionKind::thread_stack);
  EXPECT_EQ(kind_at(target.threads[1].registers->rsp), RegionKind::stack);
  EXPECT_EQ(kind_at(target.threads[0].registers->rip), RegionKind::file);
}

TEST(Regions, file_size_and_file_system_are_asked_from_the_disk) {
  const auto path = std::filesystem::temp_directory_path() / ("regions_test." + std::to_string(getpid()));
  std::ofstream(path) << std::string(5000, 'x');
  Target target = with_maps("5000-9000 rw-s 00000000 ff:00 12 " + path.string() + "\n");
  auto region = regions_of(target).at(0);
  look_at_file(target, region);
  EXPECT_EQ(region.file_bytes, 5000u);
  ASSERT_TRUE(region.file_system);
  EXPECT_FALSE(region.file_system->type.empty());
  EXPECT_GT(region.file_system->total_bytes, 0u);
  std::filesystem::remove(path);
  auto gone = regions_of(target).at(0);
  look_at_file(target, gone);
  EXPECT_FALSE(gone.file_bytes);
}

TEST(Regions, deleted_shared_memory_still_has_its_file_system) {
  const Target target = with_maps("5000-6000 rw-s 00000000 00:19 12 /dev/shm/x (deleted)\n");
  auto region = regions_of(target).at(0);
  look_at_file(target, region);
  EXPECT_FALSE(region.file_bytes);
  EXPECT_EQ(region.file_system.has_value(), std::filesystem::is_directory("/dev/shm"));
}

TEST(Regions, survive_random_targets) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto target = test::random_target(seed);
    auto regions = regions_of(target);
    for (auto& region : regions) look_at_file(target, region);
  }
}

}  // namespace
}  // namespace sigwhy::native
