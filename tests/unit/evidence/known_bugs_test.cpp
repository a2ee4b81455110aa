// The table of public bugs as it is shipped: what it says of a release, and that every line of it can be read.
#include "evidence/known_bugs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sigwhy {

static bool has(std::string_view package, std::string_view version, std::string_view id) {
  const auto bugs = public_bugs_of(package, version);
  return std::ranges::any_of(bugs, [&](const PublicBug& b) { return b.id == id || b.also == id; });
}

TEST(KnownBugs, AnAffectedReleaseHasIt) {
  EXPECT_TRUE(has("tensorflow", "2.5.0", "CVE-2021-37644"));
  EXPECT_TRUE(has("tensorflow-cpu", "2.4.2", "TFSA-2021-117"));
  EXPECT_TRUE(has("Tensorflow_GPU", "2.2.0", "TFSA-2021-117"));
  EXPECT_TRUE(has("numpy", "2.2.0", "numpy#27993"));
  EXPECT_TRUE(has("torch", "2.6.0+cu124", "pytorch#145066"));
}

TEST(KnownBugs, AFixedReleaseHasItNot) {
  for (const auto* version : {"2.3.4", "2.4.3", "2.5.1", "2.6.0", "2.16.1"})
    EXPECT_FALSE(has("tensorflow", version, "TFSA-2021-117")) << version;
  EXPECT_FALSE(has("numpy", "2.2.1", "numpy#27993"));
}

TEST(KnownBugs, OfAPreReleaseNothingIsKnown) {
  for (const auto* version : {"2.5.0rc1", "2.6.0.dev20210601", "2.5.0a0+git32f585d", "unknown", ""})
    EXPECT_TRUE(public_bugs_of("tensorflow", version).empty()) << version;
}

TEST(KnownBugs, NorOfAnotherPackage) {
  EXPECT_TRUE(public_bugs_of("tensorflow-datasets", "2.5.0").empty());
  EXPECT_TRUE(public_bugs_of("", "2.5.0").empty());
}

// Announced for 2.9.1, but named by 2.9.2's release notes only.
TEST(KnownBugs, WhatCameAPatchLater) {
  EXPECT_TRUE(has("tensorflow", "2.9.1", "CVE-2022-35979"));
  EXPECT_FALSE(has("tensorflow", "2.9.2", "CVE-2022-35979"));
}

TEST(KnownBugs, InOurWords) {
  const auto bugs = public_bugs_of("tensorflow", "2.5.0");
  const auto found = std::ranges::find(bugs, "CVE-2021-37653", &PublicBug::also);
  ASSERT_NE(found, bugs.end());
  EXPECT_EQ(in_words(*found), "a division by zero in ResourceGather");
  EXPECT_EQ(fixes_after(*found, "2.5.0"), (std::vector<std::string>{"2.5.1", "2.6.0"}));
}

TEST(KnownBugs, EveryLineIsWhole) {
  const std::set<std::string_view> kinds = {"division-by-zero",
                                            "failed-check",
                                            "abort",
                                            "null-pointer",
                                            "out-of-bounds",
                                            "use-after-free",
                                            "integer-overflow",
                                            "segfault",
                                            "stack-overflow",
                                            "out-of-memory",
                                            "hang",
                                            "crash",
                                            "-"};
  const std::set<std::string_view> ways = {"op", "tflite", "aten", "symbol", "function"};
  std::set<std::string_view> seen;
  for (const auto* package : {"tensorflow", "numpy", "torch"})
    for (int major = 1; major < 3; ++major)
      for (int minor = 0; minor < 30; ++minor)
        for (const auto& bug : public_bugs_of(package, std::to_string(major) + "." + std::to_string(minor) + ".0")) {
          seen.insert(bug.id);
          EXPECT_TRUE(kinds.contains(bug.kind)) << bug.id;
          for (const auto operation : bug.operations)
            EXPECT_TRUE(ways.contains(operation.substr(0, operation.find(':')))) << bug.id;
        }
  EXPECT_GT(seen.size(), 400u);
}

}  // namespace sigwhy
