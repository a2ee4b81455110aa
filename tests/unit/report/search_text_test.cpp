// The answers of searches as a reader sees them.
#include "report/search_text.h"

#include "../../golden/golden.h"

namespace sigwhy::report {

static Search batches() {
  Search search{.over = "batch",
                .said = "batch 384 survives, 385 is killed at 8 GiB; 18.9 MiB each",
                .answered = true,
                .survives = "384",
                .dies = "385",
                .limit_bytes = 8ull << 30,
                .bytes_per_value = 19'818'086,
                .notes = {"flaky: 400 died 1 of 2 times"},
                .runs = 9,
                .seconds = 187};
  search.death = SearchDeath{"killed for memory", Cause::out_of_memory_killed, Strength::proven,
                             "by the kernel, at the 8.0 GiB of control group /job_17"};
  search.tried = {{.value = "1", .runs = 1, .peak_bytes = 700'000'000},
                  {.value = "4096", .runs = 1, .died = 1, .death = search.death},
                  {.value = "384", .runs = 3, .peak_bytes = 8'500'000'000},
                  {.value = "385", .runs = 3, .died = 3, .death = search.death}};
  return search;
}

TEST(SearchText, At80Columns) { golden::expect("report/search.80.txt", search_text(batches(), {})); }
TEST(SearchText, At40Columns) { golden::expect("report/search.40.txt", search_text(batches(), {.columns = 40})); }

TEST(SearchText, ALongTableIsCutInTheMiddle) {
  auto search = batches();
  search.tried.clear();
  for (int i = 0; i < 100; ++i) search.tried.push_back({.value = "line " + std::to_string(i), .runs = 1});
  const auto text = search_text(search, {});
  EXPECT_NE(text.find("line 0 "), text.npos);
  EXPECT_NE(text.find("line 99 "), text.npos);
  EXPECT_EQ(text.find("line 50 "), text.npos);
  EXPECT_NE(text.find("..."), text.npos);
}

TEST(SearchText, ItSaysWhenFilesWereNotSafe) {
  auto search = batches();
  search.in_layer = false;
  EXPECT_NE(search_text(search, {}).find("stays written"), std::string::npos);
}

}  // namespace sigwhy::report
