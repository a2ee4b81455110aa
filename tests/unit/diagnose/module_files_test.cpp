// What lay on the disk where an import failed: a build for another Python, a file that hides an installed module.
#include <gtest/gtest.h>

#include "evidence/module_file.h"
#include "exception_builder.h"

namespace sigwhy::diagnose {

namespace {

const std::string built = "/v/lib/python3.11/site-packages/numpy/core/_multiarray_umath.cpython-";

void lies(Thrown& t, std::string path, std::string_view seen) {
  t.s.inputs.push_back({.path = std::move(path), .seen = std::string(seen)});
}

Thrown not_found(const char* runs) {
  Thrown t("ModuleNotFoundError", "No module named 'numpy.core._multiarray_umath'", {"ImportError", "Exception"});
  t.at(site + "numpy/core/overrides.py", "<module>", 8, "from numpy.core._multiarray_umath import (");
  t.at("/home/ada/nets/train.py", "<module>", 1, "import numpy");
  t.s.interpreters.push_back({.version = runs});
  return t;
}

Thrown lacks_attribute() {
  Thrown t("AttributeError", "module 'numpy' has no attribute 'ndarray'");
  t.at(site + "torch/utils/data/_utils/collate.py", "<module>", 327, "default_collate_fn_map[np.ndarray] = f");
  t.at("/home/ada/nets/train.py", "<module>", 1, "import torch");
  return t;
}

}  // namespace

TEST(OtherPython, OnlyABuildForAnotherLiesThere) {
  auto t = not_found("3.9");
  EXPECT_EQ(verdict(t), "python-exception proven");
  lies(t, built + "311-x86_64-linux-gnu.so", lies_where_asked);
  EXPECT_EQ(verdict(t), "abi-mismatch strong");
  EXPECT_EQ(t.claim(),
            "_multiarray_umath.cpython-311-x86_64-linux-gnu.so was built for Python 3.11, and this is Python 3.9");
  EXPECT_TRUE(t.speaks());
}

TEST(OtherPython, NotWhereOneMayFit) {
  for (const char* fits : {"_multiarray_umath.abi3.so", "_multiarray_umath.so", "_multiarray_umath.cpython-39-x86_64-linux-gnu.so"}) {
    auto t = not_found("3.9");
    lies(t, built + "311-x86_64-linux-gnu.so", lies_where_asked);
    lies(t, site + "numpy/core/" + fits, lies_where_asked);
    EXPECT_EQ(verdict(t), "python-exception proven") << fits;
  }
}

TEST(OtherPython, NotForAnotherModuleOrInput) {
  auto t = not_found("3.9");
  lies(t, site + "numpy/core/_multiarray_tests.cpython-311-x86_64-linux-gnu.so", lies_where_asked);
  lies(t, built + "311-x86_64-linux-gnu.so", "mapped");
  EXPECT_EQ(verdict(t), "python-exception proven");
}

TEST(OtherPython, NotWhereAnotherErrorAnsweredIt) {
  Thrown t("ValueError", "no backend was chosen");
  t.at("/home/ada/nets/train.py", "<module>", 4, "choose()");
  t.behind(ExceptionLink::context, "ModuleNotFoundError", "No module named 'numpy.core._multiarray_umath'",
           {"ImportError", "Exception"});
  t.at("/home/ada/nets/train.py", "<module>", 2, "import numpy.core._multiarray_umath");
  t.s.interpreters.push_back({.version = "3.9"});
  lies(t, built + "311-x86_64-linux-gnu.so", lies_where_asked);
  EXPECT_NE(t.diagnosis().verdict, Cause::abi_mismatch);
}

TEST(HiddenModule, TheProgramsOwnFileIsTakenForIt) {
  auto t = lacks_attribute();
  lies(t, "/home/ada/nets/numpy.py", found_first);
  lies(t, site + "numpy/__init__.py", installed_too);
  EXPECT_EQ(verdict(t), "python-exception strong");
  EXPECT_EQ(t.claim(),
            "`import numpy` takes your numpy.py for the installed module: module 'numpy' has no attribute 'ndarray'");
  EXPECT_TRUE(t.speaks());
}

TEST(HiddenModule, NotWhereTheInstalledOneRuns) {
  auto t = lacks_attribute();
  lies(t, "/home/ada/nets/numpy.py", found_first);
  lies(t, site + "numpy/__init__.py", installed_too);
  t.s.modules.push_back({.path = site + "numpy/core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so"});
  EXPECT_EQ(verdict(t), "python-exception proven");
  EXPECT_EQ(t.claim().find("your numpy.py"), std::string::npos);
}

TEST(HiddenModule, NotWithoutBothFiles) {
  auto t = lacks_attribute();
  lies(t, site + "numpy/__init__.py", installed_too);
  EXPECT_EQ(t.claim(), "nothing caught AttributeError: module 'numpy' has no attribute 'ndarray'");
}

}  // namespace sigwhy::diagnose
