// What `sigwhy check` says, as a reader sees it.
#include "report/check_text.h"

#include "../../golden/golden.h"

namespace sigwhy::report {

static CheckUp healthy() {
  CheckUp found{.interpreter = "/home/ada/env/bin/python", .python_version = "3.11.7", .script = "/home/ada/nets/train.py", .imports = {"numpy", "tensorflow"}};
  found.checked = {"cpu", "disk", "interpreter", "limits", "missing-import", "requirements"};
  found.packages.resize(32);
  return found;
}

static CheckUp broken() {
  auto found = healthy();
  found.concerns = {
      {"missing-import", Cause::python_exception, Severity::ends, "no module is called wandb, which /home/ada/nets/train.py:4 imports",
       {"the line is: import wandb", "none of the folders of /home/ada/env/bin/python has it"},
       {"/home/ada/env/bin/python -m pip install wandb, if its package is called so", "or run the Python in which it is installed"}},
      {"requirements", Cause::protobuf_conflict, Severity::may_end, "tensorflow 2.21.0 requires protobuf<8.0.0,>=6.31.1, but 5.29.5 is installed",
       {"its metadata says so; it lies in /home/ada/env/lib/python3.11/site-packages"}, {"/home/ada/env/bin/python -m pip install \"protobuf<8.0.0,>=6.31.1\""}},
      {"missing-libraries", Cause::python_exception, Severity::worth_knowing, "the library libsndfile.so.1 is nowhere to be found",
       {"/home/ada/env/lib/python3.11/site-packages/_soundfile.so needs it"}, {"install the system package that has libsndfile.so.1, or add its folder to LD_LIBRARY_PATH"}},
  };
  found.gaps = {{"what the packages import in turn", "stopped after 9000 modules", ""}};
  return found;
}

static const std::vector<std::string> command = {"python", "train.py", "--epochs", "3"};

TEST(CheckText, NothingFound) { golden::expect("report/check.healthy.txt", check_text(healthy(), command, {})); }
TEST(CheckText, At80Columns) { golden::expect("report/check.80.txt", check_text(broken(), command, {})); }
TEST(CheckText, At40Columns) { golden::expect("report/check.40.txt", check_text(broken(), command, {.columns = 40})); }
TEST(CheckText, TheMachineAlone) { EXPECT_EQ(check_text({}, {}, {}).find("sigwhy: this machine: nothing found"), 0u); }

}  // namespace sigwhy::report
