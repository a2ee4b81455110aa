// Every interpreter on this machine compiles the same made source and some modules of its own library, and says for
// each instruction which line (and columns, where it knows them) it gives it; we must read the same off the table.
#include "python/lines.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "interpreters.h"
#include "python/layout.h"

namespace sigwhy::python {

namespace {

// Prints "version X Y", then per code object "code FIRST_LINE TABLE_HEX" (a dash for an empty table) and per
// instruction "OFFSET LINE COLUMN END_COLUMN", -1 for what it does not know.
constexpr const char* script = R"PY(
import binascii, dis, sys
made = '''
def plain(a):
    b = a + 1
    return b
def spread(a, b):
    return (a(1,
              b,
              [a,
               b])
            + b(a
                .c))
def loops(n):
    total = 0
    for i in range(n):
        while i:
            i -= 1
            if i == 7: continue
            if i == 9: break
        else:
            total += 1
    return total
def tries(f):
    try:
        with open(f) as a:
            return a.read()
    except (IOError,
            ValueError) as e:
        raise
    else:
        pass
    finally:
        f = 0
def decorate(
        x=1):
    return lambda f: f
@decorate(
    x=2)
@decorate()
def decorated(a,
              b=[1, 2]):
    return [x
            for x in a
            if x]
class Some(object):
    """text
    of more lines"""
    a = {1: 2,
         3: 4}
    def method(self):
        yield self
        yield (
            self.a)
def gaps(a):
    a = 1%(gap_127)s
    a = 2%(gap_128)s
    a = 3%(gap_255)s
    a = 4%(gap_256)s
    a = 5%(gap_3000)s
    return (%(gap_400)s
        a)
def long_bytes(a):
    while a:
        a = [%(many)s]
        if a: break%(gap_300)s
    for i in (lambda: [%(many)s])():
        a = %(wide)s
    return a
def steps_back(f, x):
    return f(%(gap_200)s
        x,
        y=f(
            x)).z(
     x)
'''
parts = dict(('gap_%d' % n, '\n' * n) for n in (127, 128, 200, 255, 256, 300, 400, 3000))
parts['many'] = ', '.join('a + %d' % i for i in range(400))
parts['wide'] = ' ' * 700 + 'a.b'
def show(code):
    new = sys.version_info >= (3, 10)
    table = bytes(code.co_linetable if new else code.co_lnotab)
    print('code %d %s' % (code.co_firstlineno, binascii.hexlify(table).decode() or '-'))
    if sys.version_info >= (3, 11):
        for i, (line, end_line, column, end) in enumerate(code.co_positions()):
            if end_line != line: end = None
            print('%d %d %d %d' % ((2 * i,) + tuple(-1 if x is None else x for x in (line, column, end))))
    elif new:
        for start, end, line in code.co_lines():
            for offset in range(start, end):
                print('%d %d -1 -1' % (offset, -1 if line is None else line))
    else:
        starts = dict(dis.findlinestarts(code))
        line = code.co_firstlineno
        for offset in range(len(code.co_code)):
            line = starts.get(offset, line)
            print('%d %d -1 -1' % (offset, line))
    for constant in code.co_consts:
        if hasattr(constant, 'co_code'): show(constant)
print('version %d %d' % sys.version_info[:2])
show(compile(made % parts, 'made', 'exec'))
import argparse, difflib, doctest
for module in argparse, difflib, doctest:
    with open(module.__file__.replace('.pyc', '.py'), 'rb') as source:
        show(compile(source.read(), 'library', 'exec'))
)PY";

LineTable table_of(int major, int minor) {
  for (const Layout* layout : all_layouts())
    if (layout->major == major && layout->minor == minor) return layout->lines;
  return LineTable::locations;
}

std::vector<std::byte> from_hex(const std::string& hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; hex != "-" && i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

struct Tally {
  int codes = 0;
  int instructions = 0;
  int with_columns = 0;
};

// Compares all that one interpreter said.
Tally compare(const std::string& said) {
  Tally tally;
  std::istringstream input(said);
  std::string word;
  LineTable kind = LineTable::locations;
  std::vector<std::byte> table;
  int first_line = 0;
  while (input >> word) {
    if (word == "version") {
      int major = 0, minor = 0;
      input >> major >> minor;
      kind = table_of(major, minor);
    } else if (word == "code") {
      std::string hex;
      input >> first_line >> hex;
      table = from_hex(hex);
      ++tally.codes;
    } else {
      int line = 0, column = 0, end_column = 0;
      input >> line >> column >> end_column;
      const auto found = location_of(kind, table, first_line, std::stoi(word));
      EXPECT_EQ(found ? found->line : -1, line) << "code object " << tally.codes << ", offset " << word;
      EXPECT_EQ(found ? found->column.value_or(-1) : -1, column) << "code object " << tally.codes << ", offset " << word;
      EXPECT_EQ(found ? found->end_column.value_or(-1) : -1, end_column) << "code object " << tally.codes;
      if (testing::Test::HasFailure()) return tally;
      ++tally.instructions;
      tally.with_columns += column >= 0;
    }
  }
  return tally;
}

}  // namespace

TEST(Lines, AgreeWithEveryInterpreterHere) {
  const auto file = std::filesystem::temp_directory_path() / ("lines_test_" + std::to_string(getpid()) + ".py");
  FILE* out = fopen(file.c_str(), "w");
  fputs(script, out);
  fclose(out);
  const auto all = interpreters();
  ASSERT_FALSE(all.empty());
  for (const auto& interpreter : all) {
    SCOPED_TRACE(interpreter);
    const auto said = output_of("'" + interpreter + "' '" + file.string() + "'");
    const auto tally = compare(said);
    std::printf("%s: %d code objects, %d offsets, %d with columns\n", interpreter.c_str(), tally.codes,
                tally.instructions, tally.with_columns);
    EXPECT_GT(tally.codes, 100);
    EXPECT_GT(tally.instructions, 10000);
  }
  std::filesystem::remove(file);
}

TEST(Lines, AFrameThatHasNotBegunStandsAtItsFirstLine) {
  for (const auto kind :
       {LineTable::lnotab, LineTable::lnotab_unsigned, LineTable::linetable, LineTable::locations}) {
    EXPECT_EQ(location_of(kind, {}, 7, -1)->line, 7);
    EXPECT_EQ(location_of(kind, {}, 7, -2)->line, 7);
    EXPECT_FALSE(location_of(kind, {}, 7, -3));
    EXPECT_FALSE(location_of(kind, {}, -7, -1));
  }
}

TEST(Lines, ATableCutShortGivesNothing) {
  for (const char* hex : {"f0", "f001", "f0c1c1c1c1c1c1c1", "e8", "d0", "d005", "80", "00", "7f7f", "f07f7f7f7f7f7f7f00"})
    EXPECT_FALSE(location_of(LineTable::locations, from_hex(hex), 1, 0)) << hex;
  EXPECT_FALSE(location_of(LineTable::linetable, from_hex("04"), 1, 0));
  EXPECT_FALSE(location_of(LineTable::linetable, from_hex("0401"), 1, 4));
  EXPECT_FALSE(location_of(LineTable::linetable, from_hex("0480"), 1, 0));
}

TEST(Lines, NonsenseIsSurvived) {
  std::mt19937 random(1);
  for (int round = 0; round < 200000; ++round) {
    std::vector<std::byte> table(random() % 40);
    std::ranges::generate(table, [&] { return static_cast<std::byte>(random() | (random() % 2 ? 0x80 : 0)); });
    const auto kind = static_cast<LineTable>(random() % 4);
    const int first = random() % 4 ? static_cast<int>(random() % 1000) : static_cast<int>(random());
    const int offset = random() % 4 ? static_cast<int>(random() % 100) : static_cast<int>(random());
    if (const auto at = location_of(kind, table, first, offset)) {
      ASSERT_GE(at->line, 0);
      ASSERT_GE(at->column.value_or(0), 0);
      ASSERT_GE(at->end_column.value_or(0), 0);
    }
  }
}

}  // namespace sigwhy::python
