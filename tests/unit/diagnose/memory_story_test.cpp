// Where the memory went when it is no leak: each story on what tells it, and silent on its neighbour.
#include <gtest/gtest.h>

#include <array>

#include "diagnose/memory_story.h"
#include "memory_builder.h"

namespace sigwhy::diagnose {

namespace {

std::string why(const MemoryRun& run) {
  const auto story = memory_story(facts_of(run.s));
  return story ? story->why : "none";
}

std::string fixes(const MemoryRun& run) {
  const auto story = memory_story(facts_of(run.s));
  std::string all;
  for (const auto& line : story ? story->fix : std::vector<std::string>{}) all += line + "\n";
  return all;
}

MemoryRun full(std::uint64_t limit) {
  MemoryRun run;
  run.limit(limit).climbs(limit / 8, limit);
  return run;
}

Array& array(MemoryRun& run, const char* name, const char* dtype, std::vector<std::int64_t> shape, std::uint64_t bytes) {
  run.s.arrays.push_back({.name = name, .type = "ndarray", .dtype = dtype, .item_bytes = 8, .shape = std::move(shape),
                          .data = Address{0x7f0000000000}, .bytes = bytes});
  run.s.arrays.back().holders.push_back({.name = name, .thread = 0, .frame = 0});
  return run.s.arrays.back();
}

}  // namespace

TEST(MemoryStory, PredictKeepsItsResults) {
  auto run = full(1500 * mib);
  auto& h = run.holds("outputs", "list", 250, 1200 * mib);
  h.own_code = false, h.function = "predict", h.file = "/v/site-packages/keras/trainer.py";
  run.stands("/v/site-packages/keras/trainer.py", "predict", 500, nullptr);
  run.stands("/home/ada/infer.py", "main", 7, "y = model.predict(x)");
  EXPECT_EQ(why(run), "predict() keeps every result until it returns, called at infer.py:7");
  EXPECT_NE(fixes(run).find("A smaller batch will not help"), std::string::npos);
}

TEST(MemoryStory, NotWhatAnObjectKeepsThatALibraryWorksOn) {
  auto run = full(1500 * mib);
  auto& h = run.holds("self.dataset.cache", "dict", 250, 1200 * mib);
  h.own_code = false;
  h.function = "Fetcher.fetch";
  EXPECT_EQ(why(run), "none");
}

TEST(MemoryStory, OneNameThatHoldsMostOfIt) {
  MemoryRun run;
  run.limit(1500 * mib).curve(5, [](double at) { return at * 3e9; });
  run.holds("images", "list", 250, run.s.memory_use->judged_bytes * 9 / 10);
  run.adds("images", "images.append(draw(i))");
  EXPECT_EQ(why(run), "`images` holds most of it: 250 float32 arrays (1024, 784), added at train.py:12");
  run.climbs(100 * mib, 1500 * mib);
  EXPECT_EQ(why(run), "none");
}

TEST(MemoryStory, AnArrayThatIsJoinedToItself) {
  auto run = full(400 * mib);
  array(run, "table", "float64", {23000, 1024}, 180 * mib);
  run.adds("table", "table = np.concatenate([table, rows])");
  EXPECT_NE(fixes(run).find("joining needs room for both"), std::string::npos) << fixes(run);
  EXPECT_EQ(fixes(run).find("would have fitted"), std::string::npos) << fixes(run);
  run.s.memory_use->added[0].text = "table += 1.0";
  EXPECT_EQ(fixes(run).find("joining"), std::string::npos) << fixes(run);
}

TEST(MemoryStory, OneArrayLargerThanTheLimit) {
  auto run = full(gib);
  run.stands("/home/ada/train.py", "<module>", 3, "table[i] = x");
  array(run, "table", "float64", {1 << 15, 1 << 14}, 4 * gib);
  EXPECT_EQ(why(run), "`table` alone is larger than the limit of 1.0 GiB: NumPy float64 (32768, 16384), 4.0 GiB");
  EXPECT_NE(fixes(run).find("float32 alone would not do"), std::string::npos);
}

// It was killed on the way: how much it would have gone on to ask for is not known.
TEST(MemoryStory, OneArrayThatNeedsHalfAsFloat32) {
  auto run = full(gib);
  run.stands("/home/ada/train.py", "<module>", 3, "y = x * 2");
  array(run, "x", "float64", {1 << 13, 1 << 13}, 512 * mib);
  EXPECT_NE(why(run).find("one array takes most of it: `x`"), std::string::npos) << why(run);
  EXPECT_NE(fixes(run).find("As float32 it needs half, 256 MiB"), std::string::npos) << fixes(run);
  EXPECT_EQ(fixes(run).find("fitted"), std::string::npos) << fixes(run);
}

TEST(MemoryStory, NotABroadcastView) {
  auto run = full(gib);
  run.stands("/home/ada/train.py", "<module>", 3, "y = x * 2");
  array(run, "x", "float64", {1 << 13, 1 << 13}, 512 * mib).memory_bytes = 8;
  EXPECT_EQ(why(run), "none");
}

TEST(MemoryStory, DataLoadedWhole) {
  auto run = full(gib);
  run.holds("rows", "list", 120, 700 * mib);
  EXPECT_EQ(why(run), "none");
  run.adds("rows", "rows.append(np.load(path))");
  EXPECT_EQ(why(run), "`rows` takes in the whole data set: 120 float32 arrays (1024, 784) so far");
}

TEST(MemoryStory, ACapacityThatIsTooLarge) {
  auto run = full(gib);
  run.holds("buffer", "deque", 1000, 800 * mib).capacity = 4000;
  EXPECT_EQ(why(run), "`buffer` was 1,000 of 4,000 full; full it needs 3.1 GiB");
}

TEST(MemoryStory, Copies) {
  auto run = full(gib);
  run.s.memory_use->copies.push_back({"x_tensor", "x_train", 400 * mib});
  EXPECT_EQ(why(run), "`x_train` and `x_tensor` hold the same data: 400 MiB each");
  EXPECT_NE(fixes(run).find("without copies it needs 400 MiB less"), std::string::npos);
  EXPECT_EQ(fixes(run).find("fitted"), std::string::npos);
  run.s.memory_use->copies[0].bytes = 50 * mib;
  EXPECT_EQ(why(run), "none");
}

TEST(MemoryStory, AModelThatIsTooLarge) {
  auto run = full(gib);
  run.holds("optimizer", "Adam", 40, 500 * mib).elements[0].type = "ResourceVariable";
  run.holds("model", "Sequential", 20, 250 * mib).elements[0].type = "ResourceVariable";
  EXPECT_NE(why(run).find("whatever the batch"), std::string::npos);
  EXPECT_NE(fixes(run).find("A smaller batch will not help"), std::string::npos);
}

TEST(MemoryStory, ABatchThatIsTooLarge) {
  MemoryRun run;
  run.limit(2 * gib).curve(60, [](double at) { return at < 5.8 ? 500.0 * mib : 2000.0 * mib; });
  run.part(MemoryKind::unnamed_arrays, 1400 * mib);
  run.stands("/home/ada/train.py", "<module>", 3, "loss = f(x)");
  array(run, "x", "float32", {20000, 28, 28, 1}, 60 * mib);
  EXPECT_EQ(why(run), "one step on all 20,000 samples of `x` at once may be too large");
  array(run, "kernel", "float32", {40000, 10}, 2 * mib).label = "dense/kernel";  // weights have no samples
  EXPECT_EQ(why(run), "one step on all 20,000 samples of `x` at once may be too large");
  run.climbs(500 * mib, 2000 * mib);
  EXPECT_EQ(why(run), "none");
}

TEST(MemoryStory, ABatchThatFillsTheMemorySlowlyOnABusyMachine) {
  MemoryRun run;
  run.limit(2 * gib).curve(260, [](double at) { return at < 22 ? 500.0 * mib : (500 + 375 * (at - 22)) * mib; });
  run.part(MemoryKind::heap_in_use, 1400 * mib);
  run.stands("/home/ada/train.py", "<module>", 3, "loss = f(batch)");
  array(run, "x", "float32", {60000, 28, 28, 1}, 160 * mib);
  array(run, "batch", "float32", {20000, 28, 28, 1}, 60 * mib);
  EXPECT_EQ(why(run), "one step on all 20,000 samples of `batch` at once may be too large");
}

TEST(MemoryStory, ABatchThatStaysAtTheLimitForAWhile) {
  MemoryRun run;
  run.limit(700 * mib).curve(13, [](double at) { return (at < 0.75 ? 180 : std::min(700.0, 180 + 2000 * (at - 0.75))) * mib; });
  run.s.timeline->limit_bytes = 700 * mib;
  run.s.timeline->group_used_bytes = run.s.timeline->processes[0].anonymous_bytes;
  run.part(MemoryKind::heap_in_use, 600 * mib);
  run.stands("/home/ada/train.py", "<module>", 3, "loss = f(x)");
  array(run, "x", "float32", {6000, 28, 28, 1}, 18 * mib);
  EXPECT_EQ(why(run), "one step on all 6,000 samples of `x` at once may be too large");
}

TEST(MemoryStory, ABatchRightAfterTheStart) {
  MemoryRun run;
  constexpr std::array used = {60,  60,  60,  60,  60,  60,  60,  60,  60,  80,  110, 140, 160, 170, 180, 190, 210,
                               230, 260, 300, 350, 430, 530, 620, 700, 760, 810, 850, 880, 905, 925, 940, 950, 960};
  run.limit(1000 * mib).curve(used.size(), [&](double at) { return used[static_cast<std::size_t>(at * 10 + 0.5)] * double{mib}; });
  run.part(MemoryKind::heap_in_use, 815 * mib);
  run.stands("/home/ada/train.py", "<module>", 3, "loss = f(x)");
  array(run, "x", "float32", {6000, 28, 28, 1}, 18 * mib);
  EXPECT_EQ(why(run), "one step on all 6,000 samples of `x` at once may be too large");
}

TEST(MemoryStory, WorkersOfOneGroup) {
  auto run = full(gib);
  run.s.memory_use->of_group = true;
  run.s.memory_use->resident_bytes = 250 * mib;
  run.part(MemoryKind::other_processes, 700 * mib);
  EXPECT_EQ(why(run), "other processes held most of the memory");
  auto& all = run.s.timeline->processes;
  all.push_back({.pid = 101, .command = "python3", .anonymous_bytes = {900 * mib}});
  all.push_back({.pid = 102, .command = "python3", .anonymous_bytes = {1100 * mib}});
  EXPECT_EQ(why(run), "3 processes held about 1005 MiB each");
}

TEST(MemoryStory, SharedMemory) {
  auto run = full(gib);
  run.part(MemoryKind::shared_memory, 600 * mib);
  EXPECT_NE(why(run).find("shared memory"), std::string::npos);
  EXPECT_EQ(why(full(gib)), "none");
}

TEST(MemoryStory, IsToldInTheFinding) {
  Finding kill{.cause = Cause::out_of_memory_killed, .strength = Strength::proven, .fix = {"Give it more memory."}};
  auto run = full(gib);
  run.holds("buffer", "deque", 1000, 800 * mib).capacity = 4000;
  tell(*memory_story(facts_of(run.s)), kill);
  ASSERT_EQ(kill.evidence_for.size(), 2u);
  EXPECT_FALSE(kill.evidence_for[0].evidence.empty());
  EXPECT_NE(kill.fix[0].find("fewer"), std::string::npos);
}

}  // namespace sigwhy::diagnose
