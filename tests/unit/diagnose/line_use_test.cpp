// Who may be accused: a value that stands on the failing line is often not the one that failed. Each of these programs
// once got a proven finding that was wrong.
#include "diagnose/line_use.h"

#include <gtest/gtest.h>

#include "exception_builder.h"

namespace sigwhy::diagnose {

TEST(LineUse, GivenWhole) {
  EXPECT_TRUE(is_given_whole("x = np.array(rows, dtype=float)", "rows"));
  EXPECT_TRUE(is_given_whole("np.stack(self.frames)", "self.frames"));
  EXPECT_TRUE(is_given_whole("m.fit(x, y=labels)", "labels"));
  EXPECT_TRUE(is_given_whole("t = torch.cat([a, b], dim=1)", "b"));
  EXPECT_FALSE(is_given_whole("np.array([f(r) for r in rows])", "rows"));
  EXPECT_FALSE(is_given_whole("np.array(list(map(f, rows)))", "rows"));
  EXPECT_FALSE(is_given_whole("np.array(rows_of[i])", "rows"));
  EXPECT_FALSE(is_given_whole("", "rows"));
}

TEST(LineUse, OperandsMembersElements) {
  EXPECT_TRUE(is_operand("y = x * weight", "weight"));
  EXPECT_FALSE(is_operand("y = crit(x, weight) + reg", "weight"));
  EXPECT_TRUE(has_member_read("n = image.shape[0]", "image", "shape"));
  EXPECT_FALSE(has_member_read("n = block(image).shape[0]", "image", "shape"));
  EXPECT_FALSE(has_member_read("n = image.shapes", "image", "shape"));
  EXPECT_TRUE(sets_element("best[i] = [1, 2]"));
  EXPECT_FALSE(sets_element("x = np.array(rows)"));
  EXPECT_FALSE(sets_element("f(x[0], axis=1)"));
}

TEST(LineUse, WhatMeets) {
  EXPECT_TRUE(may_meet("return x @ self.weight + self.bias", "x", "self.weight"));
  EXPECT_TRUE(may_meet("img -= mean", "img", "mean"));
  EXPECT_TRUE(may_meet("c = a.dot(b)", "a", "b"));
  EXPECT_TRUE(may_meet("np.matmul(a, b)", "a", "b"));
  EXPECT_TRUE(may_meet("train(", "a", "b"));
  EXPECT_FALSE(may_meet("return x @ w + b", "x", "b"));
  EXPECT_FALSE(may_meet("loss = crit(model(ids), y)", "ids", "y"));
  EXPECT_FALSE(may_meet("loss = crit(logits, y.float())", "logits", "y"));
}

// y.float() was refused, not y.
TEST(Accused, NotAnArrayThatIsConvertedOnTheLine) {
  Thrown t("RuntimeError", "expected scalar type Long but found Float");
  t.at(site + "torch/nn/functional.py", "cross_entropy", 3479);
  t.at("/home/u/fit.py", "step", 5, "loss = crit(logits, y.float())");
  t.array("logits", "float32", {8, 10}, {}, ArrayKind::torch).array("y", "int64", {8}, {}, ArrayKind::torch);
  EXPECT_EQ(verdict(t), "dtype-mismatch strong");
}

TEST(Accused, NotTheMaskOfAnotherType) {
  Thrown t("numpy.core._exceptions._UFuncOutputCastingError",
           "(<ufunc>, 'same_kind', dtype('float64'), dtype('int64'), 2)",
           {"numpy.core._exceptions.UFuncTypeError", "TypeError"});
  t.at("/home/u/fit.py", "<module>", 3, "acc[labels == \"cat\"] += 0.5");
  t.array("acc", "int64", {4}).array("labels", "<U4", {4});
  EXPECT_EQ(verdict(t), "dtype-mismatch strong");
  EXPECT_EQ(t.claim(), "the operation does not take float64 and int64 together");
}

// 64 and 32 are sizes of three pairs on this line; the operands are a result in between and w2.
TEST(Accused, NotAPairThatOnlySharesTheSizes) {
  Thrown t("ValueError",
           "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
           "(n?,k),(k,m?)->(n?,m?) (size 64 is different from 32)");
  t.at("/home/u/fit.py", "forward", 3, "return np.maximum(x @ w1 + b1, 0) @ w2");
  t.array("x", "float64", {16, 64}).array("b1", "float64", {32});
  t.array("w1", "float64", {64, 32}).array("w2", "float64", {64, 10});
  EXPECT_EQ(verdict(t), "shape-mismatch strong");
}

TEST(Accused, NotTheFactorsOfAProductThatIsSubtracted) {
  Thrown t("ValueError", "operands could not be broadcast together with shapes (16,) (16,10) ");
  t.at("/home/u/fit.py", "<module>", 3, "err = y - x @ w");
  t.array("x", "float64", {16, 64}).array("w", "float64", {64, 10}).array("y", "float64", {16});
  EXPECT_EQ(verdict(t), "shape-mismatch strong");
  EXPECT_TRUE(t.claim().starts_with("`y` is (16,): operands"));
}

TEST(Accused, TheLeftSideOfAProductIsToldFirst) {
  Thrown t("ValueError", "shapes (5,8) and (10,4) not aligned: 8 (dim 1) != 10 (dim 0)");
  t.at("/home/u/fit.py", "run", 4, "return x.dot(w) + bias");
  t.array("w", "float64", {10, 4}).array("x", "float64", {5, 8}).array("bias", "float64", {4});
  EXPECT_EQ(t.claim(), "`x` is (5, 8) and `w` is (10, 4): 8 and 10 do not fit");
}

TEST(Accused, NotTheNoneThatIsAllowed) {
  Thrown t("AttributeError", "'NoneType' object has no attribute 'reshape'");
  t.at("/home/u/fit.py", "forward", 5, "return block(x, mask=mask).reshape(-1)");
  t.array("x", "float32", {3, 4}).value({.name = "mask", .type = "NoneType", .text = "None"});
  t.s.modules.push_back({.path = site + "torch/lib/libtorch.so"});
  EXPECT_EQ(verdict(t), "not-an-array strong");
  EXPECT_EQ(t.claim().find("mask"), std::string::npos);
}

TEST(Accused, NotRowsThatAreOnlyWalkedOver) {
  Thrown t("TypeError", "'NoneType' object is not subscriptable");
  t.at("/home/u/fit.py", "<module>", 7, "scores[i] = np.mean(model(rows[i])[\"acc\"])");
  t.array("scores", "float64", {3}).rows("rows", {lists(2, 2, 0), {.type = "NoneType", .count = 1, .first = 1}});
  t.s.modules.push_back({.path = site + "numpy/core/_multiarray_umath.so"});
  EXPECT_EQ(verdict(t), "python-exception proven");

  Thrown set("ValueError", "setting an array element with a sequence.");
  set.at("/home/u/fit.py", "note", 5, "best[i] = [float(np.mean(h)) for h in history]");
  set.array("best", "float64", {5}).rows("history", {lists(1, 1, 0), lists(2, 1, 1)});
  EXPECT_EQ(verdict(set), "python-exception proven");

  Thrown made("ValueError",
              "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 "
              "dimensions. The detected shape was (2,) + inhomogeneous part.");
  made.at("/home/u/fit.py", "note", 5, "np.array([encode(s) for s in sentences])");
  made.rows("sentences", {lists(7, 1, 0), lists(9, 1, 1)});
  made.s.modules.push_back({.path = site + "numpy/core/_multiarray_umath.so"});
  EXPECT_EQ(verdict(made), "ragged-batch strong");
}

TEST(Accused, NotTheFileOnALineThatReadsText) {
  Thrown t("json.decoder.JSONDecodeError", "Expecting value: line 1 column 1 (char 0)", {"ValueError"});
  t.at("/usr/lib/python3.12/json/decoder.py", "raw_decode", 355).at("/usr/lib/python3.12/json/__init__.py", "loads", 9);
  t.at("/home/u/get.py", "store", 5, "save(json.loads(body), out_path)").path("out_path", "/tmp/out.json");
  EXPECT_NE(verdict(t), "corrupt-input strong");
}

TEST(Accused, TheElementByItsIndices) {
  Thrown t("ValueError", "Invalid dtype: object");
  t.at(site + "keras/src/utils/traceback_utils.py", "error_handler", 122);
  t.at("/home/u/fit.py", "main", 40, "model.fit(table, y)");
  t.array("table", "object", {2, 3}, {{.type = "int", .count = 5}, {.type = "NoneType", .count = 1, .first = 4}});
  EXPECT_EQ(t.claim(), "table[1, 1] is None; an array of numbers cannot hold it");
}

Thrown after_refused_memory(const char* type, const char* base) {
  Thrown t(type, "'fallback'", {base, "Exception"});
  t.at("/home/u/fit.py", "load", 7, "return np.zeros(cfg['fallback'])");
  t.behind(ExceptionLink::context, "numpy.core._exceptions._ArrayMemoryError", "((3000000, 3000000), dtype('float64'))",
           {"MemoryError"});
  t.at("/home/u/fit.py", "load", 5, "return np.zeros((n, n))");
  return t;
}

TEST(Accused, AnErrorThatWasHandledIsNotCertain) {
  auto t = after_refused_memory("RuntimeError", "Exception");
  EXPECT_EQ(verdict(t), "impossible-allocation strong");
  ASSERT_TRUE(t.diagnosis().findings[0].rival);
}

TEST(Accused, AMistakeInTheAnswerIsWhatEndedIt) {
  auto t = after_refused_memory("KeyError", "LookupError");
  EXPECT_EQ(verdict(t), "python-exception proven");
}

}  // namespace sigwhy::diagnose
