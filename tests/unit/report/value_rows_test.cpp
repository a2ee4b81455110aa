// Which names stand below the lines of a report: those the verdict rests on, then those of the line itself.
#include "report/value_rows.h"

#include <gtest/gtest.h>

namespace sigwhy::report {

static Snapshot at_line(const char* text) {
  Snapshot s;
  s.threads.push_back({.tid = 1, .died = true});
  s.threads[0].python = {{.file = "/home/ada/train.py", .function = "step", .line = 57, .text = text}};
  const auto array = [&](const char* name, const char* dtype, std::vector<std::int64_t> shape) {
    Array a{.name = name, .holders = {{.name = name, .thread = 0, .frame = 0}}, .type = "ndarray", .dtype = dtype};
    a.shape = std::move(shape);
    s.threads[0].python[0].values.push_back({.name = name, .type = "ndarray", .array = s.arrays.size()});
    s.arrays.push_back(std::move(a));
  };
  array("images", "float32", {32, 28, 28});
  array("labels", "int64", {60000});
  array("unused", "int64", {5});
  s.threads[0].python[0].values.push_back({.name = "n", .type = "int", .text = "60001"});
  s.threads[0].python[0].values.push_back({.name = "path", .type = "str", .text = "'/data/x.npy'"});
  return s;
}

static Finding about(const char* path) {
  Finding f;
  f.evidence_for = {{"array", "it is", {{path}}}};
  return f;
}

using Cells = std::vector<std::string>;

TEST(ValueRows, WhatTheFindingNamesComesFirst) {
  const auto s = at_line("crop(images, labels, n)");
  const auto finding = about("/arrays/1");
  const auto rows = value_rows(s, {&finding});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].cells, (Cells{"labels", "NumPy int64 (60000,)"}));
  EXPECT_EQ(rows[1].cells, (Cells{"images", "NumPy float32 (32, 28, 28)"}));
  EXPECT_EQ(rows[2].cells, (Cells{"with", "n = 60001"}));
}

TEST(ValueRows, OnlyNamesThatTheLineUses) {
  EXPECT_TRUE(value_rows(at_line("crop(self.labels, other.n)"), {}).empty());
  EXPECT_TRUE(value_rows(at_line("crop()  # labels, n"), {}).empty());
  EXPECT_TRUE(value_rows(at_line("crop(labels=3, nn=4)"), {}).empty());
  EXPECT_EQ(value_rows(at_line("crop(labels[3:].sum())"), {}).size(), 1u);
}

TEST(ValueRows, AtMostFour) {
  auto s = at_line("f(images, labels, unused, n, a, b, c)");
  for (const char* name : {"a", "b", "c"}) {
    s.threads[0].python[0].values.push_back({.name = name, .type = "ndarray", .array = s.arrays.size()});
    s.arrays.push_back({.name = name, .holders = {{.name = name, .thread = 0, .frame = 0}}});
  }
  EXPECT_EQ(value_rows(s, {}).size(), 4u);
}

TEST(ValueRows, ALyingCaseNamesNothing) {
  auto s = at_line("crop(labels)");
  s.threads[0].python[0].values[1].array = 77;
  const auto finding = about("/arrays/99999999999999999999999");
  EXPECT_TRUE(value_rows(s, {&finding}).empty());
}

TEST(ValueRows, EverythingForTheFullReport) {
  const auto sections = value_details(at_line("crop(labels)"));
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_EQ(sections[0].title, "Values in step (train.py:57)");
  EXPECT_EQ(sections[0].rows.size(), 5u);
  EXPECT_EQ(sections[1].title, "Arrays");
  EXPECT_EQ(sections[1].rows.size(), 3u);
}

}  // namespace sigwhy::report
