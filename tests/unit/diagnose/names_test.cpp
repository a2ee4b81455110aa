// Names and phrases that a reader sees.
#include <gtest/gtest.h>

#include "diagnose/frame_roles.h"
#include "diagnose/function_names.h"
#include "diagnose/phrases.h"
#include "diagnose/precedence.h"

namespace sigwhy::diagnose {

TEST(FunctionNames, Bare) {
  EXPECT_EQ(bare_name("crop"), "crop");
  EXPECT_EQ(bare_name("crop(int, std::vector<int>)"), "crop");
  EXPECT_EQ(bare_name("void at::native::f<int, std::pair<a, b> >(at::Tensor const&)"), "at::native::f");
  EXPECT_EQ(bare_name("tensorflow::(anonymous namespace)::Op<float>::Compute(int) const"),
            "tensorflow::Op::Compute");
  EXPECT_EQ(bare_name("f(int)::{lambda(int)#1}::operator()(int) const"), "f::{lambda}::operator()");
  EXPECT_EQ(bare_name("std::ostream& operator<< <char>(std::ostream&, char)"), "operator<<");
  EXPECT_EQ(bare_name("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(bare_name("operator delete[](void*)"), "operator delete");
  EXPECT_EQ(bare_name("free@@GLIBC_2.2.5"), "free");
  EXPECT_EQ(bare_name("unlink_chunk.constprop.0"), "unlink_chunk");
  EXPECT_EQ(bare_name("text::{anonymous}::Op::Compute"), "text::Op::Compute");
  EXPECT_EQ(bare_name("(anonymous namespace)::sum_loss(double)"), "sum_loss");
  EXPECT_EQ(bare_name("f(int) const::{lambda(char*)#2}::operator()(char*) const"), "f::{lambda}::operator()");
  EXPECT_EQ(inner_name("void c10::function_ref<void (char**, long)>::callback_fn<at::native::unpack<int>(int, "
                       "long)::{lambda(char**)#1}>(long)"),
            "at::native::unpack::{lambda}");
  EXPECT_EQ(bare_name(""), "");
  EXPECT_EQ(bare_name("<<<((({{{"), "");
}

TEST(FunctionNames, ShownFits) {
  EXPECT_EQ(shown_name("crop(int)"), "crop()");
  const std::string deep = "one::two::three::four::five::six::seven::eight::nine::ten::eleven::Compute";
  EXPECT_LE(shown_name(deep, 40).size(), 40u);
  EXPECT_TRUE(shown_name(deep, 40).ends_with("Compute()"));
  EXPECT_LE(shown_name(std::string(500, 'x')).size(), 60u);
}

TEST(Roles, BelongToTheirFiles) {
  EXPECT_EQ(role_of("collect", Family::python), Role::python_heap);
  EXPECT_EQ(role_of("collect", Family::user), Role::other);
  EXPECT_EQ(role_of("memcpy_rows", Family::user), Role::other);
  EXPECT_EQ(role_of("__memcpy_avx_unaligned_erms", Family::libc), Role::bulk_copy);
  EXPECT_EQ(role_of("PyErr_Occurred", Family::python), Role::thread_state);
  EXPECT_EQ(role_of("absl::lts_20230802::log_internal::LogMessageFatal::~LogMessageFatal", Family::framework),
            Role::assertion);
  EXPECT_EQ(role_of("absl::lts_20250814::log_internal::LogMessage::FailWithoutStackTrace", Family::framework),
            Role::assertion);
  EXPECT_EQ(role_of("absl::log_internal::LogMessage::Die", Family::framework), Role::assertion);
  EXPECT_EQ(role_of("absl::lts_20250814::log_internal::LogMessage::Flush", Family::framework), Role::giving_up);
}

TEST(Phrases, Sizes) {
  EXPECT_EQ(bytes_text(1), "1 byte");
  EXPECT_EQ(bytes_text(16), "16 bytes");
  EXPECT_EQ(bytes_text(4096), "4,096 bytes");
  EXPECT_EQ(bytes_text(2'200'000), "2.1 MiB");
  EXPECT_EQ(bytes_text(~0ull), "16 EiB");
  EXPECT_EQ(count_text(60000), "60,000");
  EXPECT_EQ(signed_text(INT64_MIN), "-9,223,372,036,854,775,808");
  EXPECT_EQ(offset_text(-48), "-0x30");
  EXPECT_EQ(one_line(" a\n\tb ", 10), "a b");
  EXPECT_EQ(one_line("abcdefgh", 6), "abc...");
}

TEST(Precedence, AFindingNeverDropsWhatItExplains) {
  std::vector<Finding> all(2);
  all[0] = {.cause = Cause::use_after_free, .strength = Strength::strong, .explains = Cause::wild_pointer};
  all[1] = {.cause = Cause::wild_pointer, .strength = Strength::plausible};
  drop_superseded(all);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(verdict_of(all)->cause, Cause::use_after_free);
  all[0].strength = Strength::plausible;
  EXPECT_EQ(verdict_of(all)->cause, Cause::wild_pointer);
}

TEST(Precedence, WeakIsNoVerdictAndCirclesEnd) {
  std::vector<Finding> all(1);
  all[0] = {.cause = Cause::wild_pointer, .strength = Strength::weak};
  EXPECT_EQ(verdict_of(all), all.end());
  std::vector<Finding> circle(2);
  circle[0] = {.cause = Cause::null_pointer, .strength = Strength::strong, .explains = Cause::bad_jump};
  circle[1] = {.cause = Cause::bad_jump, .strength = Strength::strong, .explains = Cause::null_pointer};
  EXPECT_EQ(depth_of(circle[0], circle), 0);
  EXPECT_NE(verdict_of(circle), circle.end());
}

}  // namespace sigwhy::diagnose
