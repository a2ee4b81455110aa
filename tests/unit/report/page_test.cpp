// Lines of source on a page: cut to the room there is, never wrapped, as wide as the terminal.
#include "report/page.h"

#include <gtest/gtest.h>

namespace sigwhy::report {

namespace {

const std::string long_line = "const double miss = weight - static_cast<double>(labels[index]) * scale_of(order, epoch);";

std::string drawn(const Look& look, Cell last) {
  Page page(look);
  const std::vector<std::vector<Cell>> rows = {{{"at"}, {"a.cpp:40"}, {"sum_loss"}, std::move(last)}};
  page.rows(rows, 2);
  return page.take();
}

}  // namespace

TEST(Page, ASourceLineIsCutAndNotWrapped) {
  EXPECT_EQ(drawn({.columns = 80}, {.text = "", .source = long_line}),
            "  at  a.cpp:40  sum_loss  const double miss = weight - static_cast<double>(labe…\n");
  EXPECT_EQ(drawn({.columns = 80, .unicode = false}, {.text = "", .source = long_line}),
            "  at  a.cpp:40  sum_loss  const double miss = weight - static_cast<double>(la...\n");
}

TEST(Page, ASourceLineIsAsWideAsTheTerminal) {
  EXPECT_EQ(drawn({.columns = 100, .source_columns = 200}, {.text = "", .source = long_line}),
            "  at  a.cpp:40  sum_loss  " + long_line + "\n");
}

TEST(Page, ANoteStandsBehindTheLineWhereThereIsRoom) {
  EXPECT_EQ(drawn({.columns = 80}, {.text = "", .source = long_line, .note = "9 times"}),
            "  at  a.cpp:40  sum_loss  const double miss = weight - static_cast<do…   9 times\n");
  EXPECT_EQ(drawn({.columns = 80}, {.text = "", .source = long_line, .note = "repeats about 174,631 times"}),
            "  at  a.cpp:40  sum_loss  const double miss = weight - static_cast<double>(labe…\n"
            "                          repeats about 174,631 times\n");
  EXPECT_EQ(drawn({.columns = 80}, {.text = "op.cc:7", .source = "s += 1;", .note = "9 times"}),
            "  at  a.cpp:40  sum_loss  op.cc:7   s += 1;   9 times\n");
}

TEST(Page, NothingIsWiderThanThePage) {
  for (int columns = 40; columns < 130; ++columns) {
    const auto text = drawn({.columns = columns}, {.text = "kernel.cc:1234", .source = long_line, .note = "9 times"});
    for (std::size_t at = 0; at < text.size();) {
      const auto end = text.find('\n', at);
      EXPECT_LE(width_of(text.substr(at, end - at)), columns) << text;
      at = end + 1;
    }
  }
}

}  // namespace sigwhy::report
