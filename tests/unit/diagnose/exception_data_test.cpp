// Exceptions about arrays: what the values on the line add to what the library says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "exception_builder.h"

namespace sigwhy::diagnose {

// ---- shape-mismatch

TEST(ShapeMismatch, BothArraysOnTheLine) {
  Thrown t("ValueError",
           "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
           "(n?,k),(k,m?)->(n?,m?) (size 748 is different from 784)");
  t.at("/home/u/fit.py", "<module>", 3, "print((x @ w).shape)");
  t.array("x", "float64", {64, 784}).array("w", "float64", {748, 10}).array("other", "float64", {748, 3});
  EXPECT_EQ(verdict(t), "shape-mismatch proven");
  EXPECT_EQ(t.claim(), "`x` is (64, 784) and `w` is (748, 10): 784 and 748 do not fit");
  EXPECT_TRUE(t.speaks());
}

TEST(ShapeMismatch, NothingToAddToItsOwnWords) {
  Thrown t("ValueError", "operands could not be broadcast together with shapes (3,4) (5,) ");
  t.at("/home/u/fit.py", "<module>", 3, "c = a + b").array("a", "float64", {3, 4}).array("b", "float64", {5});
  EXPECT_EQ(verdict(t), "shape-mismatch proven");
  EXPECT_FALSE(t.speaks());
}

TEST(ShapeMismatch, MembersOfOneContainerAreNoOperands) {
  Thrown t("RuntimeError",
           "Error(s) in loading state_dict for Linear:\n\tsize mismatch for weight: copying a param with shape "
           "torch.Size([2, 4]) from checkpoint, the shape in current model is torch.Size([2, 3]).");
  t.at(site + "torch/nn/modules/module.py", "load_state_dict", 2581);
  t.at("/home/u/fit.py", "main", 9, "model.load_state_dict(weights)");
  t.s.arrays = {{.name = "w", .dtype = "float32", .shape = {2, 4}}, {.name = "b", .dtype = "float32", .shape = {2}}};
  t.value({.name = "weights",
           .type = "dict",
           .items = {{.name = "['weight']", .type = "Tensor", .array = 0},
                     {.name = "['bias']", .type = "Tensor", .array = 1}}});
  EXPECT_EQ(verdict(t), "shape-mismatch strong");
}

// x and y differ, by chance in the two numbers of the message; the layer speaks of something else.
TEST(ShapeMismatch, ArgumentsOfALibraryCallAreNoOperands) {
  Thrown t(
      "ValueError",
      "Input 0 of layer \"dense_10\" is incompatible with the layer: expected axis -1 of input shape to have value "
      "4, but received input with shape (2, 5)");
  t.at(site + "keras/engine/input_spec.py", "assert_input_compatibility", 277);
  t.at("/home/u/fit.py", "main", 9, "model.fit(x, y)").array("x", "float32", {8, 5}).array("y", "float32", {8, 4});
  EXPECT_EQ(verdict(t), "shape-mismatch strong");
  EXPECT_TRUE(t.claim().starts_with("`x` is (8, 5): Input 0 of layer"));
}

TEST(ShapeMismatch, TheLayersExpectationIsNotTheArraysShape) {
  Thrown t("ValueError",
           "Input 0 of layer \"sequential_1\" is incompatible with the layer: expected shape=(None, 28, 28), found "
           "shape=(32, 27, 28)");
  t.at(site + "keras/engine/input_spec.py", "assert_input_compatibility", 295);
  t.at("/home/u/fit.py", "main", 9, "model.fit(x[:, :27], y)").array("x", "uint8", {64, 28, 28});
  EXPECT_EQ(verdict(t), "shape-mismatch strong");
  EXPECT_FALSE(t.speaks());
}

TEST(ShapeMismatch, AReshapeSaysWhoseElementsTheyAre) {
  Thrown t("InvalidArgumentError",
           "Input to reshape is a tensor with 784000 values, but the requested shape has 782000 [Op:Reshape]");
  t.at(site + "tensorflow/python/eager/execute.py", "quick_execute", 59);
  t.at("/home/ada/nets/train.py", "<module>", 16, "flat = tf.reshape(images, (1000, 782))")
      .array("images", "float32", {1000, 28, 28})
      .array("weights", "float32", {784, 10});
  EXPECT_EQ(verdict(t), "shape-mismatch proven");
  EXPECT_TRUE(t.claim().starts_with("`images` (1000, 28, 28) has 784,000 elements"));
}

TEST(ShapeMismatch, WhatAReshapeCanDo) {
  const auto fix = [](const char* words, const char* line, std::vector<std::int64_t> shape) {
    Thrown t("ValueError", words);
    t.at("/home/ada/nets/train.py", "<module>", 16, line).array("x", "float32", std::move(shape));
    return t.diagnosis().findings.at(0).fix.at(0);
  };
  EXPECT_EQ(fix("cannot reshape array of size 784 into shape (28,27)", "x.reshape(28, 27)", {784}),
            "Put -1 in place of 27: it becomes 28.");
  EXPECT_EQ(fix("cannot reshape array of size 10 into shape (3,4)", "x.reshape(3, 4)", {10}),
            "Choose sizes whose product is 10.");
  // NumPy leaves a leading -1 out
  EXPECT_TRUE(fix("cannot reshape array of size 10 into shape (3)", "x.reshape(n, 3)", {10})
                  .starts_with("10 elements cannot be split into rows of 3, 1 would be left over"));
  EXPECT_EQ(fix("cannot reshape array of size 10 into shape (5,4)", "x.reshape(shape)", {10}),
            "Choose sizes whose product is 10.");
  EXPECT_EQ(fix("shape '[-1, 30]' is invalid for input of size 10", "x.view(-1, 30)", {10}),
            "10 elements are fewer than the 30 of one row: choose smaller sizes.");
  EXPECT_TRUE(fix("Input to reshape is a tensor with 100 values, but the requested shape requires a multiple of 30",
                  "tf.reshape(x, (-1, 30))", {10, 10})
                  .starts_with("100 elements cannot be split into rows of 30, 10 would be left over"));
}

TEST(ShapeMismatch, ADifferentNumberOfDimensionsIsNoPairOfSizes) {
  const auto claim = [](const char* words, const char* line, std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
    Thrown t("tensorflow.python.framework.errors_impl.InvalidArgumentError", words);
    t.at("/home/u/fit.py", "<module>", 3, line).array("a", "float32", std::move(a)).array("b", "float32", std::move(b));
    return t.claim();
  };
  const std::string ranks = "`a` is (2, 3) and `b` is (2, 3, 1): 2 and 3 dimensions do not fit";
  EXPECT_EQ(claim("ConcatOp : Ranks of all input tensors should match: shape[0] = [2,3] vs. shape[1] = [2,3,1]",
                  "tf.concat([a, b], 0)", {2, 3}, {2, 3, 1}), ranks);
  EXPECT_EQ(claim("Shapes of all inputs must match: values[0].shape = [2,3] != values[1].shape = [2,3,1]",
                  "tf.stack([a, b])", {2, 3}, {2, 3, 1}), ranks);
  EXPECT_EQ(claim("In[0] and In[1] has different ndims: [2,3] vs. [2,3,4]", "tf.raw_ops.BatchMatMul(x=a, y=b)", {2, 3},
                  {2, 3, 4}),
            "`a` is (2, 3) and `b` is (2, 3, 4): 2 and 3 dimensions do not fit");
  EXPECT_EQ(claim("Shapes of all inputs must match: values[0].shape = [2,3] != values[1].shape = [2,1]",
                  "tf.stack([a, b])", {2, 3}, {2, 1}),
            "`a` is (2, 3) and `b` is (2, 1): 3 and 1 do not fit");
  EXPECT_EQ(claim("Shape mismatch. The variable shape (4, 3) and the assigned value shape (3, 4) are incompatible.",
                  "a.assign(b)", {4, 3}, {3, 4}),
            "`a` is (4, 3) and `b` is (3, 4): these do not fit");
  EXPECT_EQ(claim("Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5] [Op:MatMul]",
                  "tf.matmul(a, b, transpose_b=True)", {2, 3}, {4, 5}),
            "`a` is (2, 3) and `b` is (4, 5): these do not fit");
}

TEST(ShapeMismatch, NotForAttributesThatDoNotMatch) {
  Thrown t("tensorflow.python.framework.errors_impl.InvalidArgumentError",
           "No registered '_Arg' OpKernel for XLA_CPU_JIT devices compatible with node {{node x}}\n\t (OpKernel was "
           "found, but attributes didn't match) Requested Attributes: T=DT_STRING, _output_shapes=[[]], index=0");
  t.at("/home/u/fit.py", "<module>", 6, "f(tf.constant('a'))");
  EXPECT_EQ(verdict(t), "python-exception proven");
}

TEST(ShapeMismatch, NotForEqualShapesOfTwoTypes) {
  const auto thrown = [](const char* given, const char* shape) {
    Thrown t("ValueError", fmt::format("Python inputs incompatible with input_signature:\n  inputs: (\n    tf.Tensor([[0. 1.]\n"
                                       " [2. 3.]], shape={}, dtype={}))\n  input_signature: (\n    TensorSpec(shape=(None, "
                                       "2), dtype=tf.float32, name=None))", shape, given));
    t.at(site + "tensorflow/python/eager/function.py", "f", 6).at("/home/u/fit.py", "<module>", 6, "f(v)");
    return verdict(t);
  };
  EXPECT_EQ(thrown("int32", "(2, 2)"), "dtype-mismatch strong");
  EXPECT_EQ(thrown("float32", "(2, 4)"), "shape-mismatch strong");
  EXPECT_EQ(thrown("int32", "(2, 4)"), "shape-mismatch strong");
}

TEST(ShapeMismatch, NotWhoseWhereTwoArraysHaveAsMany) {
  Thrown t("ValueError", "cannot reshape array of size 784 into shape (28,27)");
  t.at("/home/ada/nets/train.py", "<module>", 16, "pair = a.reshape(28, 27), b.reshape(28, 27)")
      .array("a", "float32", {784})
      .array("b", "float32", {784});
  t.at(site + "numpy/core/fromnumeric.py", "reshape", 285);
  EXPECT_EQ(verdict(t), "shape-mismatch strong");
}

TEST(ShapeMismatch, NotForAnotherKindOfShape) {
  Thrown t("ValueError", "unknown shape: expected a circle, size mismatch 3 4");
  t.at("/home/u/draw.py", "area", 4, "return areas.lookup(shape)").number("shape", "3");
  EXPECT_EQ(verdict(t), "python-exception proven");
  EXPECT_FALSE(t.speaks());
}

TEST(ShapeMismatch, NotForTheUsersOwnWords) {
  Thrown t("ValueError", "shape mismatch: expected 5 columns, got (3, 4)");
  t.at("/home/u/fit.py", "<module>", 3, "raise ValueError(\"shape mismatch: ...\")").array("x", "float64", {3, 4});
  EXPECT_EQ(verdict(t), "python-exception proven");
}

TEST(ShapeMismatch, NotForAnIndex) {
  Thrown t("IndexError", "index 7 is out of bounds for axis 0 with size 5", {"LookupError", "Exception"});
  t.at("/home/u/fit.py", "<module>", 3, "x[i]").array("x", "float64", {5}).number("i", "7");
  EXPECT_EQ(verdict(t), "python-exception proven");
}

// ---- dtype-mismatch

TEST(DtypeMismatch, TwoArraysOfTheMessage) {
  Thrown t("numpy.core._exceptions._UFuncOutputCastingError",
           "Cannot cast ufunc 'subtract' output from dtype('float64') to dtype('uint8') with casting rule 'same_kind'",
           {"numpy.core._exceptions._UFuncCastingError", "numpy.core._exceptions.UFuncTypeError", "TypeError"});
  t.at("/home/u/fit.py", "<module>", 3, "img -= mean").array("img", "uint8", {32, 32, 3}).array("mean", "float64", {3});
  EXPECT_EQ(verdict(t), "dtype-mismatch proven");
}

TEST(DtypeMismatch, TheClassAloneWithoutAMessage) {
  Thrown t("numpy.core._exceptions._UFuncNoLoopError", "", {"numpy.core._exceptions.UFuncTypeError", "TypeError"});
  t.at("/home/u/fit.py", "<module>", 3, "names + 1").array("names", "<U1", {3});
  EXPECT_EQ(verdict(t), "dtype-mismatch proven");
  EXPECT_EQ(t.claim(), "`names` has dtype str, which is no type of numbers");
}

TEST(DtypeMismatch, NotForASingleValue) {
  Thrown t("TypeError", "float() argument must be a string or a real number, not 'dict'");
  t.at("/home/u/fit.py", "<module>", 3, "x[0] = float(cfg)").array("x", "float64", {3});
  EXPECT_EQ(verdict(t), "python-exception proven");
}

// ---- ragged-batch

TEST(RaggedBatch, TheRowThatIsShort) {
  Thrown t("ValueError", "Invalid dtype: object");
  t.at(site + "optree/ops.py", "tree_map", 798).at(site + "keras/src/utils/traceback_utils.py", "error_handler", 122);
  t.at("/home/u/fit.py", "main", 40, "model.fit(batch, y)");
  t.array("batch", "object", {32}, {lists(28, 31, 0), lists(27, 1, 17)}).array("y", "int64", {32});
  EXPECT_EQ(verdict(t), "ragged-batch proven");
  EXPECT_EQ(t.claim(), "batch[17] has 27 values, the other 31 rows have 28");
  EXPECT_EQ(t.diagnosis().findings[0].fix[0], "Pad row 17 to 28 values, or drop it.");
  EXPECT_TRUE(t.speaks());
}

TEST(RaggedBatch, NumPysOwnRefusal) {
  Thrown t(
      "ValueError",
      "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. "
      "The detected shape was (32,) + inhomogeneous part.");
  t.at("/home/u/fit.py", "load", 22, "batch = np.array(rows, dtype=np.float32)");
  t.rows("rows", {lists(28, 31, 0), lists(27, 1, 17)});
  EXPECT_EQ(verdict(t), "ragged-batch proven");
  EXPECT_EQ(t.claim(), "rows[17] has 27 values, the other 31 rows have 28");
}

TEST(RaggedBatch, ImagesOfOtherSizesInACollate) {
  Thrown t("RuntimeError",
           "stack expects each tensor to be equal size, but got [3, 4] at entry 0 and [3, 5] at entry 1");
  t.at(site + "torch/utils/data/_utils/collate.py", "collate_tensor_fn", 272, "return torch.stack(batch, 0, out=out)");
  t.rows("batch", {{.type = "Tensor", .shape = {{3, 4}}, .count = 7, .first = 0},
                   {.type = "Tensor", .shape = {{3, 5}}, .count = 1, .first = 1}});
  t.at("/home/u/fit.py", "main", 40, "for images in loader:");
  EXPECT_EQ(verdict(t), "ragged-batch proven");
  EXPECT_EQ(t.claim(), "row 1 is (3, 5), the other 7 rows are (3, 4)");
}

TEST(RaggedBatch, NotForObjectsOfOneLength) {
  Thrown t("ValueError", "Invalid dtype: object");
  t.at(site + "keras/src/utils/traceback_utils.py", "error_handler", 122);
  t.at("/home/u/fit.py", "main", 40, "model.fit(batch, y)").array("batch", "object", {32}, {lists(28, 32, 0)});
  EXPECT_EQ(verdict(t), "dtype-mismatch proven");
}

// The pair of x and y that a framework passes on is no batch of unequal rows.
TEST(RaggedBatch, NotForATupleInsideTheFramework) {
  Thrown t("ValueError", "Invalid dtype: object");
  t.at(site + "optree/ops.py", "tree_map", 798);
  t.rows("args",
         {{.type = "ndarray", .shape = {{8, 4}}, .count = 1, .first = 0},
          {.type = "ndarray", .shape = {{8}}, .count = 1, .first = 1}},
         "tuple");
  t.at(site + "keras/src/utils/traceback_utils.py", "error_handler", 122);
  t.at("/home/u/fit.py", "main", 40, "model.fit(x, y)").array("x", "float32", {8, 4});
  t.array("y", "object", {8}, {{.type = "int", .count = 6, .first = 0}, {.type = "NoneType", .count = 2, .first = 2}});
  EXPECT_EQ(verdict(t), "not-an-array proven");
  EXPECT_EQ(t.claim(), "2 of the 8 elements of y are None, the first is y[2]");
  EXPECT_TRUE(t.speaks());
}

// ---- not-an-array

TEST(NotAnArray, AListOfImagesIsSaidWhereTheMessageTellsOnlyTheirShape) {
  Thrown t("ValueError",
           "Exception encountered when calling Sequential.call().\n\nInvalid input shape for input [[0.45 0.23]] with "
           "name 'keras_tensor' and path ''. Expected shape (None, 28, 28), but input has incompatible shape (28, 28)");
  t.at(site + "keras/src/models/functional.py", "Functional._adjust_input_rank", 321, "raise ValueError(");
  t.at("/home/ada/nets/train.py", "train_step", 29, "predictions = model(batch)")
      .rows("batch", {{.type = "ndarray", .shape = std::vector<std::int64_t>{28, 28}, .count = 32, .first = 0}});
  t.at("/home/ada/nets/train.py", "<module>", 37, "train_step(train_data[i:i + 32], y_train[i:i + 32])");
  EXPECT_EQ(verdict(t), "not-an-array proven");
  EXPECT_TRUE(t.speaks());
}

TEST(NotAnArray, AListForATorchLayer) {
  Thrown t("TypeError", "linear(): argument 'input' (position 1) must be Tensor, not list");
  t.at(site + "torch/nn/modules/linear.py", "forward", 125, "return F.linear(input, self.weight, self.bias)");
  t.at("/home/u/fit.py", "main", 40, "out = layer(batch)").rows("batch", {lists(3, 4, 0)});
  EXPECT_EQ(verdict(t), "not-an-array proven");
  EXPECT_EQ(t.claim(), "`batch` is a list where torch needs a tensor");
}

TEST(NotAnArray, AnImageThatWasNotRead) {
  Thrown t("AttributeError", "'NoneType' object has no attribute 'shape'");
  t.at("/home/u/fit.py", "main", 40, "h, w = img.shape[:2]").value({.name = "img", .type = "NoneType", .text = "None"});
  EXPECT_EQ(verdict(t), "not-an-array proven");
  EXPECT_FALSE(t.speaks());
}

TEST(NotAnArray, NotForAnyNone) {
  Thrown t("AttributeError", "'NoneType' object has no attribute 'connect'");
  t.at("/home/u/fit.py", "main", 40, "db.connect()").value({.name = "db", .type = "NoneType", .text = "None"});
  EXPECT_EQ(verdict(t), "python-exception proven");
  Thrown u("TypeError", "'NoneType' object is not subscriptable");
  u.at("/home/u/fit.py", "main", 40, "cfg['a']").value({.name = "cfg", .type = "NoneType", .text = "None"});
  EXPECT_EQ(verdict(u), "python-exception proven");
}

TEST(NotAnArray, AListIsScaled) {
  Thrown t("TypeError", "unsupported operand type(s) for /: 'list' and 'float'");
  t.at("/home/u/fit.py", "main", 40, "images = images / 255.0").rows("images", {lists(3, 4, 0)});
  EXPECT_EQ(verdict(t), "not-an-array proven");
  Thrown names("TypeError", "unsupported operand type(s) for /: 'list' and 'int'");
  names.at("/home/u/fit.py", "main", 40, "half = names / 2").rows("names", {{.type = "str", .count = 2}});
  EXPECT_EQ(verdict(names), "python-exception proven");
}

TEST(NotAnArray, AGenerator) {
  Thrown t("ValueError",
           "Attempt to convert a value (<generator object>) with an unsupported type (<class 'generator'>) to a Tensor.");
  t.at(site + "tensorflow/python/framework/constant_op.py", "convert_to_eager_tensor", 108);
  t.at("/home/u/fit.py", "main", 40, "x = tf.constant(rows)").value({.name = "rows", .type = "generator"});
  EXPECT_EQ(verdict(t), "not-an-array proven");
}

// ---- aliased-buffer

TEST(AliasedBuffer, WhatIsLentOutIsResized) {
  Thrown t("BufferError", "Existing exports of data: object cannot be re-sized");
  t.at("/home/u/fit.py", "main", 40, "pixels.extend(row)").value({.name = "pixels", .type = "bytearray"});
  EXPECT_EQ(verdict(t), "aliased-buffer strong");
  EXPECT_NE(t.claim().find("`pixels`"), std::string::npos);
  Thrown layout("BufferError", "memoryview: underlying buffer is not C-contiguous");
  layout.at("/home/u/fit.py", "main", 40, "view.cast('I')");
  EXPECT_EQ(verdict(layout), "python-exception proven");
}

TEST(AliasedBuffer, WhatTheGradientNeedsIsOverwritten) {
  const auto words = "one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [3]]";
  Thrown t("RuntimeError", words);
  t.at(site + "torch/autograd/graph.py", "_engine_run_backward", 823);
  t.at("/home/u/fit.py", "main", 40, "loss.backward()");
  EXPECT_EQ(verdict(t), "aliased-buffer strong");
  Thrown own("RuntimeError", words);
  own.at("/home/u/fit.py", "main", 40, "raise RuntimeError(text)");
  EXPECT_EQ(verdict(own), "python-exception proven");
}

// ---- others that only their words tell

TEST(DtypeMismatch, AColumnOfWords) {
  Thrown t("ValueError", "could not convert string to float: 'red'");
  t.at(site + "sklearn/utils/validation.py", "check_array", 997).at("/home/u/fit.py", "main", 40, "model.fit(rows, y)");
  EXPECT_EQ(verdict(t), "dtype-mismatch strong");
  Thrown setting("ValueError", "could not convert string to float: 'fast'");
  setting.at("/home/u/fit.py", "main", 40, "rate = float(text)");
  EXPECT_EQ(verdict(setting), "python-exception proven");
}

TEST(DtypeMismatch, NotOfClassesThatTorchScriptExpects) {
  Thrown t("RuntimeError", "quantized::embedding_bag_byte() Expected a value of type '__torch__.torch.classes.quantized.EmbeddingPackedParamsBase' "
                           "for argument 'weight' but instead found type 'Tensor'.");
  t.at(site + "torch/_ops.py", "__call__", 1116).at("/home/u/fit.py", "main", 40, "op(w)");
  EXPECT_EQ(verdict(t), "python-exception proven");
}

TEST(FileContention, AProgramThatIsStillWritten) {
  Thrown t("OSError", "[Errno 26] Text file busy: './tool'");
  t.attribute("errno", "26").at("/home/u/fit.py", "main", 40, "subprocess.run(['./tool'])");
  EXPECT_EQ(verdict(t), "file-contention proven");
}

}  // namespace sigwhy::diagnose
