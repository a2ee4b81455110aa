// Flags win over SIGWHY_OPTIONS, that over the user's file, that over the machine's; no mistake is fatal.
#include "cli/settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/run_options.h"

namespace sigwhy::cli {

TEST(Settings, ATableOfOptions) {
  const auto s = settings_from_toml("always = true\nfull = false\ncolour = \"never\"\nhang = 60\n", "x.toml");
  EXPECT_TRUE(s.problems.empty());
  EXPECT_TRUE(s.values.has("always"));
  EXPECT_FALSE(s.values.has("full"));
  EXPECT_EQ(s.values.value("colour"), "never");
  EXPECT_EQ(s.values.value("hang"), "60");
}

TEST(Settings, MistakesAreLinesWithTheFileAndTheLine) {
  const auto s =
      settings_from_toml("always = true\nalwyas = true\nquiet = 3\ncolour = \"purple\"\n", "/etc/sigwhy.toml");
  EXPECT_TRUE(s.values.has("always")) << "the rest holds";
  ASSERT_EQ(s.problems.size(), 3u);
  EXPECT_EQ(s.problems[0], "sigwhy: /etc/sigwhy.toml, line 2: unknown setting \"alwyas\" (sigwhy help run lists them)");
  EXPECT_EQ(s.problems[1], "sigwhy: /etc/sigwhy.toml, line 4: \"colour\" must be auto, always or never");
  EXPECT_EQ(s.problems[2], "sigwhy: /etc/sigwhy.toml, line 3: \"quiet\" must be true or false");
}

TEST(Settings, AFileThatIsNoTomlIsIgnoredAloud) {
  const auto s = settings_from_toml("always = = true", "x.toml");
  EXPECT_TRUE(s.values.options.empty());
  ASSERT_EQ(s.problems.size(), 1u);
  EXPECT_TRUE(s.problems[0].starts_with("sigwhy: x.toml, line 1: ")) << s.problems[0];
}

TEST(Settings, SigwhyOptionsIsACommandLine) {
  EXPECT_EQ(settings_from_words("--always --json 'my case.json'").values.value("json"), "my case.json");
  const auto wrong = settings_from_words("--alwyas");
  ASSERT_EQ(wrong.problems.size(), 1u);
  EXPECT_EQ(wrong.problems[0], "sigwhy: SIGWHY_OPTIONS: unknown option --alwyas (ignored)");
}

TEST(Settings, WordsAreSplitAsAShellDoes) {
  EXPECT_EQ(split_words(R"(  a 'b c'  "d \"e" f\ g '')"), (std::vector<std::string>{"a", "b c", "d \"e", "f g", ""}));
}

TEST(Settings, LayersInOrder) {
  std::string folder = (std::filesystem::temp_directory_path() / "settings-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/sigwhy.toml") << "always = true\nfull = true\ncolour = \"always\"\n";
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  setenv("SIGWHY_OPTIONS", "--quiet", 1);
  std::string flag = "--no-colour", program = "x";
  char* argv[] = {flag.data(), program.data()};
  const auto o = parse_run(2, argv);
  ASSERT_TRUE(o);
  EXPECT_TRUE(o->full) << "from the file";
  EXPECT_TRUE(o->quiet && !o->always) << "SIGWHY_OPTIONS undoes what the file says";
  EXPECT_EQ(o->colour, Colour::never) << "flags win";
  unsetenv("XDG_CONFIG_HOME");
  unsetenv("SIGWHY_OPTIONS");
  std::filesystem::remove_all(folder);
}

}  // namespace sigwhy::cli
