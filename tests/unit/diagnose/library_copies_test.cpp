// Two copies of one family: a suspect until a call on the stack crosses from one into the other.
#include <gtest/gtest.h>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

namespace {

Library copy(const char* family, std::uint64_t module, const char* version, CameIn came_in = CameIn::needed) {
  return {.family = family, .name = family, .version = version, .module = module, .came_in = came_in};
}

// `mine` and `torch` stand for the two copies, `app` for their user.
Build two(const char* family, CameIn came_in = CameIn::needed) {
  Build b;
  b.s.inventory = Inventory{.libraries = {copy(family, mine, "3.6", came_in), copy(family, torch, "3.21", came_in)}};
  return b;
}

}  // namespace

TEST(Copies, TheLinkersChoiceOnTheStack) {
  auto b = two("protobuf");
  b.frames({{"google::protobuf::Message::Set(char const*)", mine}, {"fill", app}, {"main", app}});
  b.reads(8, 0).base("rax", 0);
  b.s.inventory->crossings = {{"google::protobuf::Message::Set(char const*)", app, mine, torch}};
  EXPECT_EQ(verdict(b), "protobuf-conflict strong");
  EXPECT_EQ(b.diagnosis().findings[0].explains, Cause::null_pointer);
}

TEST(Copies, ABindingThatIsNotOnTheStack) {
  auto b = two("protobuf");
  b.frames({{"google::protobuf::Arena::Alloc()", mine}, {"fill", app}, {"main", app}});
  b.reads(8, 0).base("rax", 0);
  b.s.inventory->crossings = {{"google::protobuf::Message::Set(char const*)", app, mine, torch}};
  EXPECT_EQ(verdict(b), "null-pointer proven");
}

TEST(Copies, AClassThatIsSplitBetweenThem) {
  auto b = two("protobuf");
  b.frames({{"google::protobuf::Message::Grow(int)", mine}, {"fill", app}, {"main", app}}).reads(8, 0).base("rax", 0);
  b.s.inventory->crossings = {{"google::protobuf::Message::Reserve(int)", mine, torch, mine}};
  EXPECT_EQ(verdict(b), "null-pointer proven");
  const auto diagnosis = b.diagnosis();
  const auto* conflict = found(diagnosis, Cause::protobuf_conflict);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->strength, Strength::plausible);
  EXPECT_EQ(conflict->explains, Cause::null_pointer);
  b.s.inventory->crossings[0].symbol = "google::protobuf::Arena::Alloc()";
  EXPECT_FALSE(found(b.diagnosis(), Cause::protobuf_conflict));
}

TEST(Copies, AJumpOutOfTheOtherCopy) {
  auto b = two("protobuf");
  b.frames({{"", nowhere}, {"google::protobuf::Message::GetMetadata()", mine}, {"google::protobuf::Message::Print()", torch}, {"main", app}});
  b.s.threads[0].frames[0].pc = {at::heap + 0x40};
  b.jump(at::heap + 0x40, SEGV_ACCERR);
  EXPECT_EQ(verdict(b), "protobuf-conflict strong");
  EXPECT_EQ(b.diagnosis().findings[0].explains, Cause::bad_jump);
}

TEST(Copies, OneCopyCallsTheOther) {
  auto b = two("hdf5");
  b.frames({{"memcpy", libc}, {"H5Fclose", mine}, {"H5close", torch}, {"main", app}}).reads(8, 0).base("rax", 0);
  EXPECT_EQ(verdict(b), "mixed-libraries strong");
  b.s.inventory->libraries[0].version = b.s.inventory->libraries[1].version;
  EXPECT_NE(verdict(b).substr(0, 15), "mixed-libraries");
}

TEST(Copies, ForeignCodeBelowTheCrossingIsToBlameItself) {
  auto b = two("hdf5");
  b.frames({{"on_close", app}, {"H5Fclose", mine}, {"H5close", torch}, {"main", app}}).reads(8, 0).base("rax", 0);
  EXPECT_EQ(verdict(b), "null-pointer proven");
}

TEST(Copies, BuiltIntoFilesThatCallEachOther) {
  auto b = two("abseil", CameIn::built_in);
  b.frames({{"compute", mine}, {"run", torch}, {"main", app}}).reads(8, 0).base("rax", 0);
  EXPECT_EQ(verdict(b), "null-pointer proven");
}

TEST(Copies, TheCppRuntimeIsMadeForIt) {
  auto b = two("cpp-runtime");
  b.frames({{"std::string::append(char const*)", mine}, {"std::getline", torch}, {"main", app}}).reads(8, 0);
  b.base("rax", 0);
  EXPECT_EQ(verdict(b), "null-pointer proven");
}

TEST(Copies, ASignalThatSomebodySentIsNoFault) {
  auto b = two("openmp");
  b.frames({{"__kmp_acquire_ticket_lock", mine}, {"__kmp_middle_initialize", torch}, {"main", app}});
  b.sent(SIGTERM, 7, SenderRelation::other);
  EXPECT_NE(verdict(b).substr(0, 15), "openmp-conflict");
}

TEST(Copies, SpinningWhereItCrossed) {
  auto b = two("openmp");
  b.frames({{"__kmp_acquire_ticket_lock", mine}, {"__kmp_middle_initialize", torch}, {"main", app}});
  b.s.termination.kind = TerminationKind::running;
  b.s.threads[0].died = false;
  EXPECT_EQ(verdict(b), "unknown");
  b.s.threads[0].on_cpu = true;
  EXPECT_EQ(verdict(b), "openmp-conflict strong");
}

TEST(Copies, IndicesThatPointNowhere) {
  auto b = two("protobuf");
  b.frames({{"f", mine}, {"main", app}}).reads(8, 0).base("rax", 0);
  b.s.inventory->libraries[0].module = 4711;
  b.s.inventory->libraries[1].brought_by = 4711;
  b.s.inventory->crossings = {{"f", app, 4711, 4712}};
  EXPECT_EQ(verdict(b), "null-pointer proven");
}

}  // namespace sigwhy::diagnose
