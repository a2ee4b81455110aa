// Whole reports, drawn in every way a terminal can ask for.
#include "../../golden/golden.h"

#include "../../golden/samples.h"
#include "../../golden/samples_experiments.h"
#include "../../golden/samples_guard.h"
#include "../../golden/samples_memory.h"
#include "report/render.h"

namespace sigwhy::report {

static std::string drawn(const Case& c, const Look& look, const char* format = "terminal") {
  const auto text = render(c, format, look);
  return text ? *text : text.error().what;
}

struct Sample {
  const char* name;
  Case (*make)();
};

class Report : public testing::TestWithParam<Sample> {
 protected:
  void SetUp() override { setenv("TZ", "UTC", 1); }
};

TEST_P(Report, At80Columns) {
  golden::expect(std::string("report/") + GetParam().name + ".80.txt", drawn(GetParam().make(), {}));
}

TEST_P(Report, At40Columns) {
  golden::expect(std::string("report/") + GetParam().name + ".40.txt", drawn(GetParam().make(), {.columns = 40}));
}

TEST_P(Report, Everything) {
  golden::expect(std::string("report/") + GetParam().name + ".full.txt", drawn(GetParam().make(), {}, "full"));
}

TEST_P(Report, NoLineIsWiderThanThePage) {
  for (const int columns : {40, 57, 80, 100}) {
    std::istringstream lines(drawn(GetParam().make(), {.columns = columns, .unicode = false}));
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), static_cast<std::size_t>(columns)) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, Report,
                         testing::Values(Sample{"unknown", samples::unknown}, Sample{"strong", samples::strong},
                                         Sample{"chain", samples::chain}, Sample{"plausible", samples::plausible},
                                         Sample{"worker", samples::worker}, Sample{"recursion", samples::recursion},
                                         Sample{"living", samples::living}, Sample{"exception", samples::exception},
                                         Sample{"memory", samples::killed_for_memory},
                                         Sample{"separated", samples::separated}, Sample{"caught", samples::caught},
                                         Sample{"guarded", samples::guarded}, Sample{"known", samples::known}),
                         [](const auto& sample) { return sample.param.name; });

TEST(ReportLook, InColour) { golden::expect("report/strong.colour.txt", drawn(samples::strong(), {.colour = true})); }
TEST(ReportLook, InAscii) {
  golden::expect("report/recursion.ascii.txt", drawn(samples::recursion(), {.unicode = false}));
}

TEST(ReportLook, MemoryInAscii) {
  golden::expect("report/memory.ascii.txt", drawn(samples::killed_for_memory(), {.unicode = false}));
}

}  // namespace sigwhy::report
