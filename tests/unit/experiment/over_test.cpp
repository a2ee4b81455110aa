#include "experiment/over.h"

#include <gtest/gtest.h>

namespace sigwhy::experiment {
namespace {

TEST(Over, Range) {
  const auto over = parse_over("batch=1..4096");
  ASSERT_TRUE(over);
  EXPECT_EQ(over->kind, Over::range);
  EXPECT_EQ(over->name, "batch");
  EXPECT_EQ(over->first, 1);
  EXPECT_EQ(over->last, 4096);
  EXPECT_EQ(parse_over("n=-5..5")->first, -5);
}

TEST(Over, ListAndLines) {
  EXPECT_EQ(parse_over("v=2.10,2.11")->values, (std::vector<std::string>{"2.10", "2.11"}));
  EXPECT_EQ(parse_over("v=2..1,3")->kind, Over::list);
  EXPECT_EQ(parse_over("line=@a=b.txt")->file, "a=b.txt");
}

TEST(Over, WhatMakesNoSenseIsAnError) {
  for (const char* text : {"", "N", "N=", "=1..2", "N=5..1", "N=1..", "N=..9", "N=1..x", "N=@", "v=one", "a b=1..2", "N=3..3"})
    EXPECT_FALSE(parse_over(text)) << text;
}

TEST(Over, TheNameIsReplacedEverywhere) {
  const std::vector<std::string> command = {"python", "train.py", "--batch={n}", "{n},{n}"};
  EXPECT_TRUE(mentions(command, "n"));
  EXPECT_FALSE(mentions(command, "m"));
  EXPECT_EQ(with_value(command, "n", "{n}7"), (std::vector<std::string>{"python", "train.py", "--batch={n}7", "{n}7,{n}7"}));
}

TEST(Over, SizesAndTimes) {
  EXPECT_EQ(parse_size("300M").value(), 300u << 20);
  EXPECT_EQ(parse_size("1.5GiB").value(), 3ull << 29);
  EXPECT_EQ(parse_size("4096").value(), 4096u);
  EXPECT_EQ(parse_size("64k").value(), 65536u);
  for (const char* text : {"", "M", "-1", "3X", "3MM"}) EXPECT_FALSE(parse_size(text)) << text;
  EXPECT_EQ(parse_time("90").value(), 90);
  EXPECT_EQ(parse_time("15m").value(), 900);
  EXPECT_FALSE(parse_time("5 apples"));
}

}  // namespace
}  // namespace sigwhy::experiment
