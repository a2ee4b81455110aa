// Commands over a case folder, and everything they say compared with golden files.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "../../golden/golden.h"
#include "../../golden/samples.h"
#include "cli/dispatch.h"
#include "cli/help.h"
#include "evidence/json.h"
#include "evidence/schema_table.h"
#include "store/store.h"

namespace sigwhy::cli {

class Commands : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = (std::filesystem::temp_directory_path() / "cases-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    setenv("SIGWHY_DIR", folder_.c_str(), 1);
    setenv("TZ", "UTC", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    for (const char* name : {"SIGWHY_OPTIONS", "XDG_CONFIG_HOME", "HOME"}) unsetenv(name);
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    unsetenv("SIGWHY_DIR");
  }

  int run(std::vector<std::string> words) {
    output_ = {};
    words.push_back("--no-colour");
    return dispatch(words, output_);
  }
  int run_plain(const std::vector<std::string>& words) {
    output_ = {};
    return dispatch(words, output_);
  }
  void keep(Case c, std::int64_t minutes_later = 0, const char* id = nullptr) {
    c.made_unix_ms += minutes_later * 60'000;
    if (id) c.id = id;
    ASSERT_TRUE(store::Store(folder_).save(c));
  }

  std::string folder_;
  Output output_;
};

TEST_F(Commands, ListGroupsWhatDiedAlike) {
  keep(samples::unknown(), 0);
  keep(samples::strong(), 10);
  keep(samples::recursion(), 20);
  for (int i = 0; i < 7; ++i) keep(samples::strong(), 30 + i, ("0000000" + std::to_string(i)).c_str());
  std::ofstream(folder_ + "/deadbeef.json") << "{";
  EXPECT_EQ(run({"list"}), 0);
  golden::expect("cli/list.txt", output_.out);
  EXPECT_EQ(run_plain({"list", "--ids"}), 0);
  EXPECT_TRUE(output_.out.starts_with("00000006\n00000005\n")) << output_.out;
}

TEST_F(Commands, ListOfNothing) {
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_EQ(output_.out, "no cases\n");
}

TEST_F(Commands, ShowTheNewestOrOneByItsId) {
  keep(samples::unknown(), 0);
  keep(samples::strong(), 10);
  EXPECT_EQ(run({"show"}), 0);
  EXPECT_EQ(output_.out, golden::read(SOURCE_DIR "/tests/golden/report/strong.80.txt"));
  EXPECT_EQ(run({"show", "77aa"}), 0);
  EXPECT_EQ(output_.out, golden::read(SOURCE_DIR "/tests/golden/report/unknown.80.txt"));
  EXPECT_EQ(run({"show", "77aa", "--json"}), 0);
  EXPECT_EQ(output_.out, to_json(samples::unknown()) + "\n");
  EXPECT_EQ(run({"show", "--format", "poem"}), 1);
  EXPECT_EQ(output_.err, "sigwhy: no format is called poem (there are: full, terminal)\n");
  EXPECT_EQ(run({"show", "99"}), 1);
}

TEST_F(Commands, OpenACaseThatWasWrittenToAFile) {
  const auto file = folder_ + "/my case.json";
  std::ofstream(file) << to_json(samples::strong());
  EXPECT_EQ(run({"open", file}), 0);
  EXPECT_NE(output_.out.find("more: sigwhy open '"), std::string::npos) << output_.out;
  EXPECT_EQ(run({"open", folder_ + "/missing"}), 1);
  EXPECT_TRUE(output_.err.starts_with("sigwhy: ")) << output_.err;
}

TEST_F(Commands, RejudgeSaysWhatChangedAndIsStable) {
  auto c = samples::unknown();
  c.diagnosis = {.verdict = Cause::data_race, .findings = {{.cause = Cause::data_race, .strength = Strength::weak}}};
  keep(c);
  EXPECT_EQ(run_plain({"rejudge"}), 0);
  EXPECT_TRUE(output_.out.starts_with("77aa03fe  weak data-race -> ")) << output_.out;
  EXPECT_TRUE(output_.out.ends_with("1 judged again, 1 changed\n")) << output_.out;
  EXPECT_EQ(run_plain({"rejudge", "77aa03fe"}), 0);
  EXPECT_EQ(output_.out, "1 judged again, 0 changed\n");
}

TEST_F(Commands, ReleaseExplainsWhyNot) {
  EXPECT_EQ(run_plain({"release", "x"}), 1);
  EXPECT_EQ(output_.err, "sigwhy: \"x\" is no process id\n");
  EXPECT_EQ(run_plain({"release", "4999999"}), 1);
  EXPECT_EQ(output_.err, "sigwhy: there is no process 4999999\n");
}

TEST_F(Commands, WrongCalls) {
  EXPECT_EQ(run_plain({}), 2);
  EXPECT_EQ(run_plain({"explode"}), 2);
  EXPECT_EQ(output_.err, "sigwhy: no command is called explode (sigwhy --help lists them)\n");
  EXPECT_EQ(run_plain({"rn"}), 2);
  EXPECT_EQ(output_.err, "sigwhy: no command is called rn (did you mean run?)\n");
  EXPECT_EQ(run_plain({"help", "lsit"}), 2);
  EXPECT_EQ(output_.err, "sigwhy: no command is called lsit (did you mean list?)\n");
  EXPECT_EQ(run_plain({"./c1", "a b"}), 2);
  EXPECT_EQ(output_.err, "sigwhy: no command is called ./c1 (did you mean sigwhy run -- ./c1 'a b'?)\n");
  EXPECT_EQ(run_plain({"--", "true"}), 2);
  EXPECT_EQ(output_.err, "sigwhy: no command is called -- (did you mean sigwhy run -- true?)\n");
  EXPECT_EQ(run_plain({"sleep", "1"}), 2);
  EXPECT_EQ(output_.err, "sigwhy: no command is called sleep (did you mean sigwhy run -- sleep 1?)\n");
  EXPECT_EQ(run_plain({"show", "--bogus"}), 2);
  EXPECT_EQ(run_plain({"release"}), 2);
  EXPECT_EQ(output_.err, "sigwhy: an argument is missing (--help shows the options)\n");
  EXPECT_EQ(run_plain({"help", "develop"}), 2) << "internal";
}

TEST_F(Commands, Version) {
  EXPECT_EQ(run_plain({"--version"}), 0);
  EXPECT_EQ(output_.out, "sigwhy " SIGWHY_VERSION "\n");
}

TEST(Help, Overview) { golden::expect("cli/help.txt", overview_text()); }

TEST(Help, OfEveryCommand) {
  for (const auto& named : shown_commands()) {
    const auto text = help_text(named);
    golden::expect("cli/help." + std::string(named.name) + ".txt", text);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
    Output output;
    EXPECT_EQ(dispatch({std::string(named.name), "--help"}, output), 0);
    EXPECT_EQ(output.out, text);
  }
}

TEST(Help, OnANarrowTerminal) {
  golden::expect("cli/help.narrow.txt", overview_text(40));
  for (const auto& named : shown_commands()) {
    std::istringstream lines(help_text(named, 40));
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(line.size() <= 40u || line.find(' ', line.find_first_not_of(' ')) == std::string::npos) << line;
  }
}

TEST(Help, ManPageAndCompletionAreCurrent) {
  golden::expect_file("docs/man/sigwhy.1", man_page());
  golden::expect_file("completions/sigwhy.bash", bash_completion());
}

// The prose of docs/schema.md is written by hand, the table behind the marker is not.
TEST(Docs, FieldTableIsCurrent) {
  const std::string marker = "<!-- fields: made by sigwhy schema --table -->\n";
  const auto page = golden::read(SOURCE_DIR "/docs/schema.md");
  const auto at = page.find(marker);
  ASSERT_NE(at, std::string::npos);
  golden::expect_file("docs/schema.md", page.substr(0, at) + marker + "\n" + schema_table(case_schema()));
}

}  // namespace sigwhy::cli
