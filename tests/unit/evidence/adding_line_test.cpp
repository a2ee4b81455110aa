#include "evidence/adding_line.h"

#include <gtest/gtest.h>

namespace sigwhy {
namespace {

std::string found(std::string_view source, std::string_view name) {
  const auto line = line_adding_to(source, name);
  return line ? std::to_string(line->line) + (line->repeats ? " again" : " once") : "none";
}

TEST(AddingLine, InALoop) {
  EXPECT_EQ(found("history = []\nfor step in range(9):\n    x = make()\n    history.append(x)\n", "history"), "4 again");
  EXPECT_EQ(found("for p in paths: data.append(np.load(p))\n", "data"), "1 again");
  EXPECT_EQ(found("while True:\n  if a:\n    cache[key] = x\n", "cache"), "3 again");
  EXPECT_EQ(found("while True:\n  groups[key].append(x)\n", "groups"), "2 again");
}

TEST(AddingLine, TheLoopMakesItAnew) {
  EXPECT_EQ(found("for epoch in range(9):\n    losses = []\n    losses.append(x)\n", "losses"), "3 once");
  EXPECT_EQ(found("for step in range(9):\n    acc.append(g)\n    if step % 4 == 3: acc.clear()\n", "acc"), "2 once");
  EXPECT_EQ(found("for step in range(9):\n    acc.append(g)\n    del acc[:-4]\n", "acc"), "2 once");
}

TEST(AddingLine, ACommentDoesNothing) {
  EXPECT_EQ(found("for step in r:\n    acc.append(g)\n    use(acc)  # forgot acc.clear()\n", "acc"), "2 again");
  EXPECT_EQ(found("for step in r:\n    acc.append('#')\n    log('#'); acc.clear()\n", "acc"), "2 once");
}

TEST(AddingLine, ASumOfTensors) {
  EXPECT_EQ(found("total = 0\nfor s in r:\n    total = total + loss\n", "total"), "3 again");
  EXPECT_EQ(found("total = 0\nfor s in r:\n    total += loss\n", "total"), "3 again");
  EXPECT_EQ(found("for s in r:\n    loss = f(x)\n    loss = loss + 0.1 * reg\n", "loss"), "3 once");
  EXPECT_EQ(found("for s in r:\n    loss = f(x)\n", "loss"), "none");
}

TEST(AddingLine, AnArrayThatIsJoinedToItself) {
  EXPECT_EQ(found("for s in r:\n    table = np.concatenate([table, rows])\n", "table"), "2 again");
  EXPECT_EQ(found("for s in r:\n    seen = torch.cat((seen, batch))\n", "seen"), "2 again");
  EXPECT_EQ(found("for s in r:\n    table = np.concatenate([first, rows])\n", "table"), "none");
  EXPECT_EQ(found("for s in r:\n    table = np.sort(table)\n", "table"), "none");
}

bool fills(std::string_view source, std::string_view name) {
  const auto line = line_adding_to(source, name);
  return line && line->only_fills;
}

TEST(AddingLine, ALoopThatOnlyFills) {
  EXPECT_TRUE(fills("for i in range(n):\n    word = make(i)\n    words[word] = i\nuse(words)\n", "words"));
  EXPECT_TRUE(fills("for i in range(n): images.append(draw(i))\n", "images"));
  EXPECT_TRUE(fills("def f(n):\n  parts = []\n  for i in range(n):\n    parts.append(draw(i))\n  return join(parts)\n", "parts"));
}

TEST(AddingLine, ALoopThatWorks) {
  EXPECT_FALSE(fills("for i in range(n):\n    seen.append(x)\n    weights = step(weights, x)\n", "seen"));
  EXPECT_FALSE(fills("for i in range(n):\n    seen.append(x)\n    optimizer.step()\n", "seen"));
  EXPECT_FALSE(fills("for i in range(n):\n    with tape():\n        y = f(x)\n    seen.append(y)\n", "seen"));
  EXPECT_FALSE(fills("while True:\n    seen.append(make())\n", "seen"));
  EXPECT_FALSE(fills("def call(x):\n    seen.append(x)\n", "seen"));
}

TEST(AddingLine, AnAttributeInAMethod) {
  const auto source = "class Probe(Layer):\n  def __init__(self):\n    self.history = []\n"
                      "  def call(self, x):\n    self.history.append(x)\n    return x\n";
  EXPECT_EQ(found(source, "layer.history"), "5 again");
  EXPECT_EQ(found(source, "history"), "none");
}

TEST(AddingLine, OutsideOfLoopsItHappensOnce) {
  EXPECT_EQ(found("parts = []\nparts.append(first)\n", "parts"), "2 once");
  EXPECT_EQ(found("def f():\n  parts = []\n  parts.append(first)\n", "parts"), "3 once");
  EXPECT_EQ(found("cache = {}\ndef f(k):\n  cache[k] = make(k)\n", "cache"), "3 again");
}

TEST(AddingLine, NotOfAnotherName) {
  EXPECT_EQ(found("for s in r:\n  old_history.append(x)\n  # history.append(x)\n  self.history.append(x)\n", "history"),
            "none");
  EXPECT_EQ(found("for s in r:\n  if cache[k] == 3: pass\n", "cache"), "none");
  EXPECT_EQ(found("", "x"), "none");
  EXPECT_EQ(found("x.append(1)", ""), "none");
}

TEST(LineAt, ALoopAroundIt) {
  const auto says = [](std::string_view source, int number) -> std::string {
    const auto line = line_at(source, number);
    return !line ? "none" : !line->repeats ? "once" : line->only_fills ? "fills" : "again";
  };
  EXPECT_EQ(says("while True:\n    decode(n)\n    work()\n", 2), "again");
  EXPECT_EQ(says("for x in xs:\n    if x:\n        decode(x)\n    work()\n", 3), "again");
  EXPECT_EQ(says("for x in xs:\n    table.add(x)\n", 2), "fills");
  EXPECT_EQ(says("for x in xs:\n    row = parse(x)\n    if row:\n        table.add(row)\n", 4), "fills");
  EXPECT_EQ(says("for x in xs: table.add(x)\n", 1), "fills");
  EXPECT_EQ(says("for x in xs:\n    def f():\n        decode(x)\n    work()\n", 3), "once");
  EXPECT_EQ(says("load(path)\n", 1), "once");
  EXPECT_EQ(says("load(path)\n", 7), "none");
  EXPECT_EQ(says("load(path)\n", 0), "none");
}

}  // namespace
}  // namespace sigwhy
