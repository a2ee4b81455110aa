// Round trip: what is written is read back the same, absent stays absent, hostile input is refused.
#include "evidence/json.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "base/utf8.h"
#include "evidence/names.h"
#include "evidence/recipe.h"

namespace sigwhy {

static Case sample() {
  Case c;
  c.id = "4f1c27a9";
  c.sigwhy_version = "0.1.0";
  c.made_unix_ms = 1'800'000'000'123;
  c.snapshot.termination = {.kind = TerminationKind::signalled, .signal = 11, .signal_name = "SIGSEGV", .code = 1,
                            .address = Address{0xffffffffffffffd0}, .core_dumped = true, .after_seconds = 1.25};
  c.snapshot.process = {.pid = 7, .argv = {"python", "train \"x\".py"}, .switches = {{"OMP_NUM_THREADS", "2"}}};
  c.snapshot.process.limits.push_back({.name = "stack", .soft = 8u << 20, .unit = "bytes"});
  Thread t{.tid = 7, .name = "main", .died = true, .registers = {{"rax", Address{0}}, {"rip", Address{~0ull}}}};
  t.frames.push_back({.pc = Address{0x401000}, .trust = Trust::cfi, .symbol = "f(int)",
                      .source = Source{"a.cc", 3, std::nullopt}, .inlined = {{"g", std::nullopt}}});
  c.snapshot.threads.push_back(t);
  c.snapshot.fault = Fault{.pc = Address{0x401000}, .instruction = Instruction{.text = "mov eax,[rax]"},
                           .access = Access::read, .address = Address{0}};
  c.snapshot.gaps.push_back({"a", "b", "c"});
  c.diagnosis.verdict = Cause::null_pointer;
  c.diagnosis.findings.push_back({.cause = Cause::null_pointer, .claim = "x", .strength = Strength::proven,
                                  .explains = Cause::gil_not_held, .rival = "none", .whose = Whose::your_code});
  return c;
}

TEST(Json, RoundTripKeepsEverything) {
  const auto text = to_json(sample());
  const auto again = case_from_json(text);
  ASSERT_TRUE(again) << again.error().cause;
  EXPECT_EQ(to_json(*again), text);
  EXPECT_EQ(again->snapshot.termination.address, Address{0xffffffffffffffd0});
  EXPECT_FALSE(again->snapshot.root);
  EXPECT_FALSE(again->snapshot.process.limits[0].hard);
  EXPECT_EQ(again->diagnosis.findings[0].explains, Cause::gil_not_held);
}

static bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

TEST(Json, BytesThatAreNoUtf8AreWrittenAsReportsDrawThem) {
  auto c = sample();
  c.snapshot.process.argv = {"d\xff/x.py", "\xed\xb2\x80", "Gr\xc3\xb6\xc3\x9f" "e", "cut \xe2\x82"};
  c.snapshot.process.switches = {{"A\xfe", "b"}, {std::string("N\0L", 3), "c"}};
  const auto text = to_json(c);
  EXPECT_TRUE(is_utf8(text)) << text;
  const auto again = case_from_json(text);
  ASSERT_TRUE(again) << again.error().cause;
  const std::vector<std::string> argv{R"(d\xff/x.py)", R"(\xed\xb2\x80)", "Gr\xc3\xb6\xc3\x9f" "e", R"(cut \xe2\x82)"};
  EXPECT_EQ(again->snapshot.process.argv, argv);
  EXPECT_EQ(again->snapshot.process.switches.count(R"(A\xfe)"), 1u);
  EXPECT_EQ(again->snapshot.process.switches.count(std::string("N\0L", 3)), 1u);
  EXPECT_EQ(to_json(*again), text);
}

TEST(Json, AnyBytesMakeACaseThatCanBeReadBack) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::string bytes(random() % 40, '\0');
    for (auto& b : bytes) b = static_cast<char>(random());
    auto c = sample();
    c.snapshot.process.argv = {bytes};
    c.snapshot.process.switches = {{bytes, bytes}};
    c.snapshot.gaps = {{bytes, bytes, bytes}};
    const auto text = to_json(c);
    ASSERT_TRUE(is_utf8(text)) << round;
    const auto again = case_from_json(text);
    ASSERT_TRUE(again) << round << ": " << again.error().cause;
    ASSERT_EQ(to_json(*again), text) << round;
  }
}

TEST(Json, ARecipeKeepsTheVeryBytes) {
  const Recipe recipe{.argv = {"d\xff/x.py"}, .environment = {"A=\xfe"}, .directory = "/\x80", .input = ""};
  const auto again = recipe_from_json(to_json(recipe));
  ASSERT_TRUE(again) << again.error().cause;
  EXPECT_EQ(again->argv, recipe.argv);
  EXPECT_EQ(again->environment, recipe.environment);
  EXPECT_EQ(again->directory, recipe.directory);
}

TEST(Json, ToleratesUnknownFieldsAndNames) {
  const auto c = case_from_json(R"({"later":1,"snapshot":{"new":[]},"diagnosis":{"verdict":"moon-phase"}})");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->diagnosis.verdict, Cause::unknown);
}

TEST(Json, RefusesWhatIsNoCase) {
  for (const char* text : {"", "[]", "{}", "{\"snapshot\":3}", "{\"snapshot\":{\"threads\":{}}}", "{"})
    EXPECT_FALSE(case_from_json(text)) << text;
  EXPECT_FALSE(case_from_json(std::string(1'000'000, '[')));
}

TEST(Names, EveryEnumeratorHasOneSpelling) {
  EXPECT_EQ(to_name(Cause::gil_not_held), "gil-not-held");
  EXPECT_EQ(names(Cause{}).size(), static_cast<std::size_t>(Cause::unknown) + 1);
  EXPECT_EQ(from_name<Strength>("proven"), Strength::proven);
}

TEST(Schema, TheCommittedOneIsCurrent) {
  std::ifstream file(SOURCE_DIR "/docs/case.schema.json");
  std::stringstream committed;
  committed << file.rdbuf();
  EXPECT_EQ(committed.str(), case_schema()) << "write it with: build/sigwhy schema > docs/case.schema.json";
}

}  // namespace sigwhy
