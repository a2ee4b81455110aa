#include "native/lines.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "native/disposable_child.h"
#include "native/lines_dwarf.h"
#include "native/lines_job.h"
#include "native/modules.h"
#include "unwind_child.h"

namespace sigwhy::test {
namespace {

const char* const inlines = R"(
namespace ops {
inline __attribute__((always_inline)) void store(int* p, int n) {
  *(volatile int*)p = n;  // 4
}
inline __attribute__((always_inline)) void fill(int* p, int n) {
  store(p, n + 1);  // 7
}
__attribute__((noinline)) int crop(int* p, int n) {
  fill(p, n);  // 10
  return n;
}
}
int main(int argc, char** argv) {
  return ops::crop(argc > 9 ? &argc : 0, argc) + 1;  // 15
}
)";

void expect_inlined(const Stacks& stacks) {
  const auto& frame = stacks.threads.at(0).frames.at(0);
  ASSERT_EQ(frame.inlined.size(), 2u);
  EXPECT_EQ(frame.inlined[0].symbol, "ops::store(int*, int)");
  EXPECT_EQ(frame.inlined[1].symbol, "ops::fill(int*, int)");
  ASSERT_TRUE(frame.inlined[0].source && frame.inlined[1].source && frame.source);
  EXPECT_EQ(frame.inlined[0].source->line, 4);
  EXPECT_EQ(frame.inlined[1].source->line, 7);
  EXPECT_EQ(frame.source->line, 10);
  EXPECT_TRUE(frame.source->file.starts_with('/') && frame.source->file.ends_with(".cpp")) << frame.source->file;
  EXPECT_EQ(frame.symbol, "ops::crop(int*, int)");
  const auto& caller = stacks.threads[0].frames.at(1);
  ASSERT_TRUE(caller.source);
  EXPECT_EQ(caller.source->line, 15) << "the call, not the line behind it";
}

TEST(Lines, InlinedCallsInnermostFirst) {
  StoppedChild child({compiled("inlines.cpp", inlines, "-O2 -g")});
  const auto stacks = stacks_of(child.target, true);
  expect_inlined(stacks);
}

TEST(Lines, OldDwarfAndCompressedSections) {
  StoppedChild old({compiled("inlines4.cpp", inlines, "-O2 -gdwarf-4")});
  expect_inlined(stacks_of(old.target, true));
  StoppedChild compressed({compiled("inlinesz.cpp", inlines, "-O2 -g -gz")});
  expect_inlined(stacks_of(compressed.target, true));
}

TEST(Lines, UnitsAreFoundWithoutAranges) {
  const auto program = compiled("inlines_bare.cpp", inlines, "-O2 -g");
  const auto bare = program + ".bare";
  ASSERT_EQ(std::system(("objcopy -R .debug_aranges " + program + " " + bare).c_str()), 0);
  StoppedChild child({bare});
  expect_inlined(stacks_of(child.target, true));
}

TEST(Lines, WithoutDebugInformationAGapSaysHowToGetIt) {
  StoppedChild child({compiled("inlines_none.cpp", inlines, "-O2")});
  const auto stacks = stacks_of(child.target, true);
  EXPECT_FALSE(stacks.threads.at(0).frames.at(0).source);
  EXPECT_TRUE(std::ranges::any_of(stacks.gaps, [](const Gap& gap) {
    return gap.what == "source lines in inlines_none" && gap.remedy == "build it with -g";
  }));
}

TEST(Lines, NoTimeIsAGapAndNotAWait) {
  StoppedChild child({compiled("inlines.cpp", inlines, "-O2 -g")});
  auto stacks = stacks_of(child.target);
  native::add_lines(child.target, stacks.modules, stacks.threads, stacks.gaps,
                    {.budget = std::chrono::milliseconds(0), .own_code_budget = std::chrono::milliseconds(0)});
  // A busy machine may add gaps of its own.
  const auto gap = std::ranges::find(stacks.gaps, "some source lines in inlines", &Gap::what);
  if (gap == stacks.gaps.end()) {  // the child was done before anybody looked
    EXPECT_TRUE(stacks.threads.at(0).frames.at(0).source);
    return;
  }
  EXPECT_NE(gap->remedy.find("eu-addr2line"), std::string::npos);
}

TEST(DisposableChild, KeepsWhatWasSaidBeforeACrash) {
  const auto output = native::in_disposable_child(std::chrono::seconds(10), [](int out) {
    if (write(out, "half", 4) == 4) raise(SIGSEGV);
  });
  EXPECT_EQ(output.bytes, "half");
  EXPECT_FALSE(output.finished || output.timed_out);
}

TEST(DisposableChild, EndsWhatNeverEnds) {
  const auto began = std::chrono::steady_clock::now();
  const auto output = native::in_disposable_child(std::chrono::milliseconds(30), [](int) {
    for (;;) pause();
  });
  EXPECT_TRUE(output.timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

TEST(Lines, DamagedAnswersAreLeftOut) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 200, '\0');
    for (auto& b : bytes) b = static_cast<char>(random() % 4 == 0 ? random() : 0);
    if (bytes.size() > 8) bytes[0] = 2;
    native::parse_answers(bytes);
  }
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Damage inside the debug sections only: elsewhere the file would hardly get this far.
std::string damaged(std::string bytes, const native::ElfFile& elf, std::mt19937& random) {
  for (const auto& section : elf.sections()) {
    if (!section.name.starts_with(".debug") || section.bytes == 0) continue;
    for (auto flips = random() % 8; flips > 0; --flips)
      bytes[section.offset + random() % section.bytes] = static_cast<char>(random());
  }
  return bytes;
}

TEST(Lines, DamagedDebugInformationHarmsOnlyTheChild) {
  const auto program = compiled("inlines.cpp", inlines, "-O2 -g");
  const auto whole = contents(program);
  const auto elf = native::ElfFile::open(OwnedFd(open(program.c_str(), O_RDONLY)));
  const auto* text = elf->section_named(".text");
  const auto path = program + ".damaged";
  std::mt19937 random(3);
  for (int round = 0; round < 150; ++round) {
    std::ofstream(path, std::ios::binary) << damaged(whole, *elf, random);
    std::vector<native::LineJob> jobs(1);
    jobs[0].file = native::ElfFile::open(OwnedFd(open(path.c_str(), O_RDONLY)));
    ASSERT_TRUE(jobs[0].file);
    for (std::uint64_t i = 0; i < text->bytes; i += 16) jobs[0].addresses.push_back({Address{i}, text->address + i});
    const auto output =
        native::in_disposable_child(std::chrono::seconds(10), [&](int out) { native::do_jobs(jobs, out); });
    native::parse_answers(output.bytes);
  }
}

}  // namespace
}  // namespace sigwhy::test
