// The join of a bad access with an array: what ties them, and what does not.
#include <gtest/gtest.h>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

namespace {

// A Python line that calls into libcrop.so, and arrays that its frame holds.
class Line : public Build {
 public:
  explicit Line(const char* text, const char* function = "crop", In in = mine) {
    frames({{function, in}, {"ffi_call", ffi}, {"_ctypes_callproc", ctypes}, {"_PyEval_EvalFrameDefault", python}});
    s.threads[0].python = {{.file = "/home/u/train.py", .function = "step", .line = 57, .text = text}};
  }
  Array& holds(const char* name, std::uint64_t data, std::vector<std::int64_t> shape, std::uint64_t item = 8) {
    Array a{.name = name, .holders = {{.name = name, .thread = 0, .frame = 0}}, .type = "ndarray", .dtype = "float64"};
    a.item_bytes = item;
    if (item == 4) a.dtype = "float32";
    a.shape = std::move(shape);
    a.strides = std::vector<std::int64_t>(a.shape.size());
    a.bytes = item;
    for (std::size_t i = a.shape.size(); i-- > 0;) {
      (*a.strides)[i] = static_cast<std::int64_t>(a.bytes);
      a.bytes *= static_cast<std::uint64_t>(a.shape[i]);
    }
    a.data = a.memory_start = Address{data};
    a.memory_bytes = a.bytes;
    a.owns_memory = true;
    a.object = Address{at::heap + 0x100 + s.arrays.size() * 0x100};
    s.arrays.push_back(std::move(a));
    return s.arrays.back();
  }
  std::string claim() const {
    const auto d = diagnosis();
    return d.findings.empty() ? "" : d.findings[0].claim;
  }
};

bool says(const Finding& f, std::string_view words) {
  for (const auto& fact : f.evidence_for)
    if (fact.sentence.find(words) != std::string::npos) return true;
  return false;
}

constexpr std::uint64_t data = at::map + 0x10;

}  // namespace

TEST(ArrayJoin, IndexFromTheStartOfAnArray) {
  Line b("crop(labels, n)");
  b.holds("labels", data, {60'000});
  b.reads(8, data + 400'000'000).base("rdi", data).index("rsi", 50'000'000, 8).reg("rdi", data);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
  EXPECT_EQ(b.claim(),
            "crop() in libcrop.so read element 50,000,000 of `labels`; it has 60,000 elements, the last is 59,999");
}

TEST(ArrayJoin, NegativeIndex) {
  Line b("crop(labels, n)");
  b.holds("labels", data, {60'000});
  b.writes(8, data - 0x400000).base("rdi", data).index("rsi", 0 - (0x400000ull / 8), 8).reg("rdi", data);
  EXPECT_EQ(b.claim(),
            "crop() in libcrop.so wrote element -524,288 of `labels`; it has 60,000 elements, the last is 59,999");
}

TEST(ArrayJoin, WalkWithItsStartStillInARegister) {
  Line b("crop(labels, n)");
  b.holds("labels", data, {60'000});
  b.reads(8, at::map_end).base("rax", at::map_end).reg("rdi", data);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
  EXPECT_NE(b.claim().find("read element 131,070 of `labels`"), std::string::npos) << b.claim();
}

TEST(ArrayJoin, WalkOverMemoryOfItsOwn) {
  Line b("crop(labels, n)");
  b.holds("labels", data, {60'000});
  b.reads(8, at::map_end).base("rax", at::map_end);
  EXPECT_NE(b.claim().find("of `labels`"), std::string::npos) << b.claim();
  b.s.threads[0].python[0].text = "crop(n)  # labels";
  EXPECT_EQ(b.claim().find("of `labels`"), std::string::npos) << "the line does not hand it over";
}

TEST(ArrayJoin, TwoArraysAndNoRegisterNameNone) {
  Line b("crop(labels, images)");
  b.holds("labels", data, {60'000});
  b.holds("images", data + 500'000, {60'000});
  b.reads(8, at::map_end).base("rax", at::map_end);
  EXPECT_EQ(b.claim().find('`'), std::string::npos) << b.claim();
}

TEST(ArrayJoin, TheNearerOfTwoThatAreTied) {
  Line b("crop(labels, images)");
  b.holds("labels", data, {1'000});
  b.holds("images", data + 500'000, {1'000});
  b.reads(8, at::map_end).base("rax", at::map_end).reg("rdi", data).reg("rsi", data + 500'000);
  EXPECT_NE(b.claim().find("of `images`"), std::string::npos) << b.claim();
  EXPECT_NE(b.diagnosis().findings[0].rival->find("`labels`"), std::string::npos);
}

TEST(ArrayJoin, AnArrayThatMerelyLiesBelowIsNotBlamed) {
  Line b("crop(7)");
  b.holds("labels", data, {60'000});
  b.reads(8, at::map_end).base("rax", at::map_end).reg("rdi", data);
  EXPECT_EQ(b.claim().find("labels"), std::string::npos) << b.claim();
}

TEST(ArrayJoin, NotThroughAHoleInTheMap) {
  Line b("crop(labels)");
  b.holds("labels", at::heap + 0x1000, {100});
  b.reads(8, at::map_end).base("rax", at::map_end).reg("rdi", at::heap + 0x1000);
  EXPECT_EQ(b.claim().find("labels"), std::string::npos) << b.claim();
}

TEST(ArrayJoin, AnotherTypesStep) {
  Line b("crop(labels, n)");
  b.holds("labels", data, {60'000'000}, 4);
  b.reads(8, data + 59'999'999ull * 8).base("rdi", data).index("rsi", 59'999'999, 8).reg("rdi", data);
  const auto d = b.diagnosis();
  EXPECT_TRUE(says(d.findings[0], "takes 8 bytes each; float32 elements have 4 bytes"));
  b.s.arrays[0].dtype = "complex64";
  EXPECT_FALSE(says(b.diagnosis().findings[0], "takes 8 bytes each"));
}

TEST(ArrayJoin, ViewThatLeavesItsMemoryIsProvenWhereNumpyWalksIt) {
  Line b("w.sum()", "DOUBLE_add", torch);
  b.s.modules[torch].package = "numpy";
  auto& w = b.holds("w", at::heap + 0x1000, {4'000'000, 8});
  w.strides = std::vector<std::int64_t>{80, 8};
  w.memory_bytes = 8'000;
  w.owns_memory = false;
  b.reads(8, at::heap_end).base("rax", at::heap_end);
  EXPECT_EQ(verdict(b), "out-of-bounds proven");
  EXPECT_NE(b.claim().find("of `w`"), std::string::npos) << b.claim();
}

TEST(ArrayJoin, InForeignCodeTheViewIsOnlyStrongAndOnlyAlone) {
  Line b("crop(w)");
  auto& w = b.holds("w", at::heap + 0x1000, {4'000'000, 8});
  w.strides = std::vector<std::int64_t>{80, 8};
  w.memory_bytes = 8'000;
  b.reads(8, at::heap_end).base("rax", at::heap_end);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
  EXPECT_NE(b.claim().find("of `w`"), std::string::npos) << b.claim();
  b.s.threads[0].python[0].text = "crop(w, x)";
  b.holds("x", at::heap + 0x8000, {100});
  EXPECT_EQ(b.claim().find("`w`"), std::string::npos) << b.claim();
}

TEST(ArrayJoin, MemoryThatIsGone) {
  Line b("img.sum()", "UBYTE_add", torch);
  auto& img = b.holds("img", 0x7fff00000010, {1 << 21});
  img.owns_memory = false;
  b.reads(16, 0x7fff00000010).base("rsi", 0x7fff00000010);
  EXPECT_EQ(verdict(b), "use-after-free strong");
  EXPECT_NE(b.claim().find("read element 0 of `img`, whose memory was given back"), std::string::npos) << b.claim();
}

TEST(ArrayJoin, AnIntegerThatHoldsTheAddress) {
  Line b("ctypes.string_at(addr, 9)");
  b.s.threads[0].python[0].values = {{.name = "addr", .type = "int", .text = std::to_string(0x7fff00000010)}};
  b.reads(16, 0x7fff00000010).base("rsi", 0x7fff00000010);
  EXPECT_EQ(verdict(b), "use-after-free strong");
  EXPECT_NE(b.claim().find("address in `addr`"), std::string::npos) << b.claim();
}

TEST(ArrayJoin, TruncatedFileNamesTheElement) {
  Line b("feats.sum()");
  b.holds("feats", at::file + 0x80, {10, 512});
  b.signal(SIGBUS, BUS_ADRERR);
  b.reads(8, at::file + 0x80 + 2 * 4096 + 24, BUS_ADRERR);
  b.region(at::file).file_bytes = 4096;
  EXPECT_EQ(verdict(b), "mapped-file-truncated proven");
  EXPECT_NE(b.claim().find("element (2, 3) of `feats`"), std::string::npos) << b.claim();
}

TEST(ArrayJoin, NullBecauseTheArrayIsEmpty) {
  Line b("crop(labels)");
  auto& a = b.holds("labels", at::heap + 0x1000, {0, 4});
  a.bytes = 0;
  b.reads(8, 0).base("rdi", 0);
  const auto d = b.diagnosis();
  EXPECT_EQ(verdict(b), "null-pointer proven");
  EXPECT_TRUE(says(d.findings[0], "`labels` is NumPy float64 (0, 4): it has no elements"));
}

TEST(ArrayJoin, TheDamageBeginsWhereAnArrayEnds) {
  Line b("out = np.empty(n)", "malloc", libc);
  b.aborts().text(TextKind::abort_message, "malloc(): invalid size (unsorted)");
  b.holds("out", at::heap + 0x1000, {75});
  const std::uint64_t next = at::heap + 0x1000 + 600 + 8;
  b.pointer("damaged", next, HeapBlock{{next}, 0, BlockState::corrupted, "its size field holds 7, which is no size"});
  EXPECT_EQ(verdict(b), "heap-corruption strong");
  EXPECT_NE(b.claim().find("damaged right behind `out`"), std::string::npos) << b.claim();
  b.s.arrays[0].memory_bytes = 100;
  EXPECT_EQ(b.claim().find("`out`"), std::string::npos) << b.claim();
}

TEST(ArrayJoin, AThreadOfTheLibraryIsWaitedFor) {
  Line b("crop(labels, n)");
  b.holds("labels", data, {60'000});
  Thread worker{.tid = 101, .name = "pool", .died = true};
  worker.frames = {{.pc = {at::mine_text + 0x40}, .trust = Trust::cfi, .module = mine, .symbol = "compute"}};
  worker.registers = {{"rsp", {at::thread_stack_end - 0x100}}, {"rdi", {data}}};
  b.reads(8, data + 400'000'000).base("rdi", data).index("rsi", 50'000'000, 8);
  b.s.threads[0].died = false;
  b.s.threads.push_back(worker);
  b.s.fault->thread = 1;
  const auto d = b.diagnosis();
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
  EXPECT_NE(b.claim().find("compute() in libcrop.so read element 50,000,000 of `labels`"), std::string::npos) << b.claim();
  EXPECT_TRUE(says(d.findings[0], "train.py:57 called into the same library and waits"));
}

TEST(ArrayJoin, OpsByTheNameInTheFrames) {
  Line b("f(x)", "Eigen::internal::run", torch);
  b.s.threads[0].frames.insert(b.s.threads[0].frames.begin() + 1,
                               {.pc = {at::torch_text + 0x60},
                                .trust = Trust::cfi,
                                .module = torch,
                                .symbol = "at::_ops::embedding_bag::call(at::Tensor const&)"});
  b.reads(8, 0).base("rdi", 0);
  EXPECT_NE(b.claim().find("(op embedding_bag)"), std::string::npos) << b.claim();
}

}  // namespace sigwhy::diagnose
