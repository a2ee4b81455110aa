// What is read off sources, wheels and CPUs, where a made-up environment would be too much.
#include <gtest/gtest.h>

#include "inventory/cpu_needs.h"
#include "inventory/import_statements.h"
#include "inventory/library_search.h"
#include "inventory/wheel_tag.h"

namespace sigwhy::inventory {

static std::string told(std::string_view source) {
  std::string text;
  for (const auto& s : import_statements(source)) {
    text += std::to_string(s.line) + " " + std::string(static_cast<std::size_t>(s.dots), '.') + s.module;
    for (const auto& name : s.names) text += " " + name;
    static constexpr const char* marks[] = {"", " tried", " perhaps", " later", " main"};
    text += std::string(marks[static_cast<int>(s.reached)]) + "\n";
  }
  return text;
}

TEST(ImportStatements, AllShapes) {
  EXPECT_EQ(told("import a, b.c as d\nfrom e.f import g as h, i\nfrom . import j\nfrom ..k import (l,\n  m)\nfrom n import *\n"),
            "1 a\n1 b.c\n2 e.f g i\n3 . j\n4 ..k l m\n6 n *\n");
}

TEST(ImportStatements, StringsCommentsAndContinuedLines) {
  EXPECT_EQ(told("'''\nimport a\n'''\n# import b\nx = 'it\\'s' ; import c\nimport \\\n  d\ny = r'\\'; import e'\n"), "5 c\n6 d\n");
  EXPECT_EQ(told("f'{x}'; import a\nb\"\"\"x\"\"\" ; import b\n"), "1 a\n2 b\n");
}

TEST(ImportStatements, ManyLinesBeforeAnImportDoNotHideIt) {
  std::string source;
  for (int i = 0; i < 1000; ++i) source += "value_" + std::to_string(i) + " = [1, (2, 'x')]\n";
  EXPECT_EQ(told(source + "import a\n"), "1001 a\n");
}

TEST(ImportStatements, WhetherItIsReached) {
  EXPECT_EQ(told("try:\n  import a\nexcept ImportError:\n  import b\nelse:\n  import c\nimport d\n"), "2 a tried\n4 b perhaps\n6 c perhaps\n7 d\n");
  EXPECT_EQ(told("class C:\n  import a\n  def f(self):\n    import b\n"), "2 a\n4 b later\n");
  EXPECT_EQ(told("if __name__ == '__main__':\n\timport a\n"), "2 a main\n");
}

TEST(ImportStatements, BytesThatAreNoPython) {
  EXPECT_EQ(told("import"), "");
  EXPECT_EQ(told("from"), "");
  EXPECT_EQ(told("from x"), "");
  EXPECT_EQ(told("'"), "");
  EXPECT_EQ(told("((((\nimport a\n"), "");
  EXPECT_EQ(told(std::string_view("\0import a\xff\n\\", 12)), "");
}

TEST(WheelTag, FitsThisPython) {
  EXPECT_TRUE(fits("cp311-cp311-manylinux_2_17_x86_64", 3, 11));
  EXPECT_TRUE(fits("py2.py3-none-any", 3, 11));
  EXPECT_TRUE(fits("cp36-abi3-manylinux2014_x86_64", 3, 13));
  EXPECT_TRUE(fits("cp27-cp27mu-manylinux1_x86_64", 2, 7));
  EXPECT_FALSE(fits("cp311-cp311-manylinux_2_17_x86_64", 3, 12));
  EXPECT_FALSE(fits("cp312-abi3-manylinux_2_17_x86_64", 3, 11));
  EXPECT_FALSE(fits("py2-none-any", 3, 11));
  EXPECT_FALSE(fits("cp311-cp311-macosx_11_0_arm64", 3, 11));
  EXPECT_FALSE(fits("cp311-cp311-manylinux_2_17_aarch64", 3, 11));
}

TEST(CpuNeeds, InWhateverWords) {
  const std::vector<std::string> old = {"sse", "sse2", "pni", "ssse3", "cx16", "lahf_lm"};
  EXPECT_TRUE(missing_features("SSE SSE2 SSE3", old).empty());
  EXPECT_EQ(missing_features("X86_V2", old), std::vector<std::string>{"X86_V2"});
  EXPECT_EQ(missing_features("+sse3,+avx,+something-new", old), std::vector<std::string>{"avx"});
  EXPECT_EQ(missing_features(isa_words(4), old), std::vector<std::string>{"x86-64-v3"});
  EXPECT_TRUE(missing_features("AVX", {}).empty());
}

TEST(LibraryCache, LyingNumbersAreReadToNothing) {
  std::string bytes = "glibc-ld.so.cache1.1";
  bytes += std::string("\xff\xff\xff\xff", 4) + std::string(24, '\0') + std::string("\x03\x03\0\0\xff\xff\xff\x7f\xff\xff\xff\x7f", 12);
  EXPECT_LE(library_cache(bytes).size(), 1u);
  EXPECT_TRUE(library_cache("").empty());
}

}  // namespace sigwhy::inventory
