// Round trip: what is written is read back the same, absent stays absent, hostile input is refused.
#include "evidence/json.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "evidence/names.h"

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
