// The command line, by tables.
#include "cli/parse.h"

#include <gtest/gtest.h>

#include "cli/error_line.h"
#include "cli/run_options.h"

namespace sigwhy::cli {

namespace {

Result<RunOptions> parsed(std::vector<std::string> words) {
  for (const char* name : {"SIGWHY_OPTIONS", "XDG_CONFIG_HOME", "HOME"}) unsetenv(name);
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  return parse_run(static_cast<int>(argv.size()), argv.data());
}

using Words = std::vector<std::string>;

}  // namespace

TEST(RunOptions, EverythingBehindTheDashesIsTheCommand) {
  EXPECT_EQ(parsed({"--full", "--", "python", "-c", "x", "--", "--json"})->command,
            (Words{"python", "-c", "x", "--", "--json"}));
  EXPECT_EQ(parsed({"--", "--weird"})->command, Words{"--weird"});
}

TEST(RunOptions, WithoutDashesTheFirstOperandBeginsIt) {
  const auto o = parsed({"-q", "./solver", "--full", "--", "--json", "x"});
  ASSERT_TRUE(o);
  EXPECT_EQ(o->command, (Words{"./solver", "--full", "--", "--json", "x"}));
  EXPECT_FALSE(o->full) << "that one is the program's";
  EXPECT_TRUE(o->quiet);
}

TEST(RunOptions, AValueThatNeedsTheEqualsSignIsNotTakenForTheProgram) {
  for (const Words& words :
       {Words{"--guard", "all", "--", "./c1"}, Words{"-q", "--guard", "all", "./c1"}, Words{"--guard", "all"}})
    EXPECT_EQ(error_line(parsed(words).error()),
              "sigwhy: --guard all: the value stands behind a = (write --guard=all)");
  EXPECT_EQ(parsed({"--guard=all", "--", "./c1"})->guard, "all");
  EXPECT_EQ(parsed({"--guard", "--", "all"})->command, Words{"all"}) << "a program may be called so";
  EXPECT_EQ(parsed({"--guard", "./all"})->guard, "sampled");
  EXPECT_EQ(parsed({"--full", "all"})->command, Words{"all"});
}

TEST(RunOptions, ValuesComeInBothSpellings) {
  EXPECT_EQ(parsed({"--json", "a.json", "--", "x"})->json_file, "a.json");
  EXPECT_EQ(parsed({"--json=a.json", "--", "x"})->json_file, "a.json");
  EXPECT_EQ(parsed({"--color", "always", "x"})->colour, Colour::always);
  EXPECT_EQ(parsed({"--no-colour", "x"})->colour, Colour::never);
  EXPECT_EQ(parsed({"--no-color", "x"})->colour, Colour::never);
  EXPECT_EQ(parsed({"--values", "x"})->values, Values::shown);
}

TEST(RunOptions, TheLaterOfTwoThatUndoEachOtherHolds) {
  EXPECT_TRUE(parsed({"--quiet", "--always", "x"})->always);
  EXPECT_FALSE(parsed({"--quiet", "--always", "x"})->quiet);
  EXPECT_TRUE(parsed({"--always", "--quiet", "x"})->quiet);
  EXPECT_EQ(parsed({"--no-colour", "--colour=always", "x"})->colour, Colour::always);
}

TEST(RunOptions, MistakesAreOneClearLine) {
  const auto line = [](Words words) { return error_line(parsed(std::move(words)).error()); };
  EXPECT_EQ(line({"--bogus", "x"}), "sigwhy: unknown option --bogus (--help shows the options)");
  EXPECT_EQ(line({"-z", "x"}), "sigwhy: unknown option -z (--help shows the options)");
  EXPECT_EQ(line({"--colour", "purple", "x"}),
            "sigwhy: --colour: \"purple\" is not auto, always or never (--help shows the options)");
  EXPECT_EQ(line({}), "sigwhy: run: no command is given (sigwhy run -- COMMAND...)");
  EXPECT_EQ(line({"--full", "--"}), "sigwhy: run: no command is given (sigwhy run -- COMMAND...)");
  EXPECT_EQ(line({"--hang", "soon", "x"}), "sigwhy: --hang: \"soon\" is no number of seconds (--hang 60)");
  EXPECT_EQ(line({"--json"}), "sigwhy: --json needs a value (--help shows the options)");
}

TEST(RunOptions, Hangs) {
  const auto o = parsed({"--hang", "1.5", "--on-hang", "kill", "x"});
  ASSERT_TRUE(o);
  EXPECT_EQ(o->hang_s, 1.5);
  EXPECT_TRUE(o->kill_hung);
  EXPECT_TRUE(o->notes.empty());
  EXPECT_EQ(parsed({"--on-hang", "kill", "x"})->notes.size(), 1u);
}

TEST(RunOptions, HelpNeedsNoCommand) { EXPECT_TRUE(parsed({"--help"})->help); }

TEST(Parse, OperandsAreCounted) {
  const Words two = {"a", "b"};
  EXPECT_FALSE(parse({}, Operands::none, two));
  EXPECT_FALSE(parse({}, Operands::at_most_one, two));
  EXPECT_FALSE(parse({}, Operands::one, {}));
  EXPECT_EQ(parse({}, Operands::any, two)->operands, two);
  const Words dashed = {"--", "-x"};
  EXPECT_EQ(parse({}, Operands::one, dashed)->operands, Words{"-x"});
}

}  // namespace sigwhy::cli
