// What NumPy 1.24 and 2.0, TensorFlow 2.5, 2.10 and 2.16, Keras 2 and 3, torch 1.12, 2.0 and 2.6 really said, each
// raised from inside the library below one line of the user's. Words of different versions stand side by side.
#include <gtest/gtest.h>

#include "exception_builder.h"

namespace sigwhy::diagnose {

namespace {

struct Said {
  const char* library;
  const char* type;
  const char* message;
  const char* verdict;
};

const Said said[] = {
    {"numpy", "ValueError", "shapes (64,784) and (748,10) not aligned: 784 (dim 1) != 748 (dim 0)", "shape-mismatch"},
    {"numpy", "ValueError",
     "all the input arrays must have same number of dimensions, but the array at index 0 has 2 dimension(s) and the "
     "array at index 1 has 1 dimension(s)",
     "shape-mismatch"},
    {"numpy", "ValueError", "could not broadcast input array from shape (5,) into shape (3,)", "shape-mismatch"},
    {"numpy", "IndexError",
     "boolean index did not match indexed array along dimension 0; dimension is 5 but corresponding boolean dimension "
     "is 6",
     "shape-mismatch"},
    {"numpy", "IndexError",
     "boolean index did not match indexed array along axis 0; size of axis is 5 but size of corresponding boolean axis "
     "is 6",
     "shape-mismatch"},
    {"numpy", "IndexError", "arrays used as indices must be of integer (or boolean) type", "dtype-mismatch"},
    {"numpy", "TypeError",
     "ufunc 'isnan' not supported for the input types, and the inputs could not be safely coerced to any supported "
     "types according to the casting rule ''safe''",
     "dtype-mismatch"},
    {"numpy", "ValueError",
     "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.",
     "impossible-allocation"},
    {"numpy", "ValueError", "negative dimensions are not allowed", "python-exception"},
    {"numpy", "ValueError", "Cannot take a larger sample than population when 'replace=False'", "python-exception"},
    {"tensorflow", "tensorflow.python.framework.errors_impl.InvalidArgumentError",
     "In[0] mismatch In[1] shape: 4 vs. 5: [3,4] [5,6] 0 0 [Op:MatMul]", "shape-mismatch"},
    {"tensorflow", "tensorflow.python.framework.errors_impl.InvalidArgumentError",
     "{{function_node __wrapped____MklMatMul_device_/job:localhost/replica:0/task:0/device:CPU:0}} Matrix "
     "size-incompatible: In[0]: [3,4], In[1]: [5,6] [Op:MatMul] name: ",
     "shape-mismatch"},
    {"tensorflow", "tensorflow.python.framework.errors_impl.InvalidArgumentError",
     "Graph execution error:\n\nDetected at node 'MatMul' defined at (most recent call last):\n    File \"fit.py\", "
     "line 3, in <module>\n    File \"fit.py\", line 2, in f\nNode: 'MatMul'\nMatrix size-incompatible: In[0]: [3,4], "
     "In[1]: [5,6]\n\t [[{{node MatMul}}]] [Op:__inference_f_2602]",
     "shape-mismatch"},
    {"tensorflow", "tensorflow.python.framework.errors_impl.InvalidArgumentError",
     "Input to reshape is a tensor with 10000 values, but the requested shape has 11000 [Op:Reshape]",
     "shape-mismatch"},
    {"tensorflow", "tensorflow.python.framework.errors_impl.InvalidArgumentError",
     "cannot compute Mul as input #1(zero-based) was expected to be a float tensor but is a int32 tensor [Op:Mul] "
     "name: ",
     "dtype-mismatch"},
    {"tensorflow", "tensorflow.python.framework.errors_impl.InvalidArgumentError",
     "{{function_node __wrapped__IteratorGetNext_output_types_1_device_/job:localhost/replica:0/task:0/device:CPU:0}} "
     "Cannot batch tensors with different shapes in component 0. First element had shape [4,3] and element 1 had shape "
     "[5,3]. [Op:IteratorGetNext] name: ",
     "ragged-batch"},
    {"tensorflow", "tensorflow.python.framework.errors_impl.InvalidArgumentError",
     "Graph execution error:\n\nDetected at node IteratorGetNext defined at (most recent call last):\n"
     "Cannot add tensor to the batch: number of elements does not match. Shapes are: [tensor]: [28,28,1], [batch]: "
     "[32,32,1]\n\t [[{{node IteratorGetNext}}]] [Op:__inference_multi_step_on_iterator_874]",
     "ragged-batch"},
    {"tensorflow", "tensorflow.python.framework.errors_impl.InvalidArgumentError",
     " Received a label value of 109 which is outside the valid range of [0, 10).  Label values: 100 108 109 101\n\t "
     "[[node sparse_categorical_crossentropy/x (defined at fit.py:1) ]] "
     "[Op:__inference_train_function_759]\n\nFunction call stack:\ntrain_function\n",
     "python-exception"},
    {"tensorflow", "tensorflow.python.framework.errors_impl.InvalidArgumentError",
     "indices[0] = 7 is not in [0, 3) [Op:GatherV2]", "python-exception"},
    {"tensorflow", "tensorflow.python.framework.errors_impl.UnimplementedError",
     " Cast string to float is not supported\n\t [[node sequential_11/Cast (defined at fit.py:1) ]] "
     "[Op:__inference_train_function_1732]",
     "dtype-mismatch"},
    {"tensorflow", "tensorflow.python.framework.errors_impl.UnknownError",
     "{{function_node __wrapped__IteratorGetNext}} KeyError: 'boom'\nTraceback (most recent call last):\n\n  File "
     "\"a.py\", line 247, in __call__\n    return func(device, token, args)\n\nKeyError: 'boom'\n\n\n\t [[{{node "
     "EagerPyFunc}}]] [Op:IteratorGetNext] name: ",
     "python-exception"},
    {"tensorflow", "ValueError", "Can't convert non-rectangular Python sequence to Tensor.", "ragged-batch"},
    {"tensorflow", "ValueError",
     "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor.", "not-an-array"},
    {"tensorflow", "ValueError", "Can't convert Python sequence with mixed types to Tensor.", "dtype-mismatch"},
    {"tensorflow", "ValueError",
     "Cannot assign to variable dense_21/kernel:0 due to variable shape (784, 11) and value shape (784, 10) are "
     "incompatible",
     "shape-mismatch"},
    {"keras", "ValueError",
     "Exception encountered when calling Sequential.call().\n\n\x1b[1mInput 0 with name 'None' of layer 'dense_1' is "
     "incompatible with the layer: expected axis -1 of input shape to have value 784, but received input with shape "
     "(32, 756)\x1b[0m\n\nArguments received by Sequential.call():\n  • inputs=tf.Tensor(shape=(32, 27, 28), "
     "dtype=uint8)",
     "shape-mismatch"},
    {"keras", "ValueError",
     "in user code:\n\n    /v/lib/python3.9/site-packages/tensorflow/python/keras/engine/training.py:855 "
     "train_function  *\n        return step_function(self, iterator)\n\n    ValueError: Shapes (None, 5) and (None, "
     "3) are incompatible\n",
     "shape-mismatch"},
    {"keras", "ValueError",
     "Data cardinality is ambiguous:\n  x sizes: 64\n  y sizes: 60\nMake sure all arrays contain the same number of "
     "samples.",
     "shape-mismatch"},
    {"keras", "ValueError",
     "Data cardinality is ambiguous. Make sure all arrays contain the same number of samples.'x' sizes: 64\n'y' sizes: "
     "60\n",
     "shape-mismatch"},
    {"keras", "ValueError",
     "Layer \"sequential\" expects 1 input(s), but it received 32 input tensors. Inputs received: [<tf.Tensor: "
     "shape=(28, 28), dtype=float32",
     "not-an-array"},
    {"keras", "ValueError",
     "Failed to find data adapter that can handle input: <class 'NoneType'>, <class 'numpy.ndarray'>", "not-an-array"},
    {"keras", "ValueError",
     "Shapes used to initialize variables must be fully-defined (no `None` dimensions). Received: shape=(None, 1) for "
     "variable path='sequential_16/dense_15/kernel'",
     "python-exception"},
    {"keras", "ValueError",
     "File not found: filepath=m.keras. Please ensure the file is an accessible `.keras` zip file.",
     "python-exception"},
    {"torch", "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (64x748 and 784x10)", "shape-mismatch"},
    {"torch", "RuntimeError",
     "The size of tensor a (4) must match the size of tensor b (5) at non-singleton dimension 1", "shape-mismatch"},
    {"torch", "RuntimeError", "shape '[1000, 11]' is invalid for input of size 10000", "shape-mismatch"},
    {"torch", "RuntimeError",
     "Given groups=1, weight of size [8, 3, 3, 3], expected input[1, 1, 8, 8] to have 3 channels, but got 1 channels "
     "instead",
     "shape-mismatch"},
    {"torch", "ValueError", "Expected input batch_size (4) to match target batch_size (5).", "shape-mismatch"},
    {"torch", "RuntimeError", "running_mean should contain 5 elements not 4", "shape-mismatch"},
    {"torch", "RuntimeError", "expected scalar type Float but found Double", "dtype-mismatch"},
    {"torch", "RuntimeError", "mat1 and mat2 must have the same dtype, but got Double and Float", "dtype-mismatch"},
    {"torch", "RuntimeError", "expected m1 and m2 to have the same dtype, but got: float != double", "dtype-mismatch"},
    {"torch", "RuntimeError", "Input type (unsigned char) and bias type (float) should be the same", "dtype-mismatch"},
    {"torch", "RuntimeError", "result type Float can't be cast to the desired output type Byte", "dtype-mismatch"},
    {"torch", "TypeError",
     "can't convert np.ndarray of type numpy.uint16. The only supported types are: float64, float32, float16, "
     "complex64, complex128, int64, int32, int16, int8, uint8, and bool.",
     "dtype-mismatch"},
    {"torch", "ValueError", "expected sequence of length 2 at dim 1 (got 1)", "ragged-batch"},
    {"torch", "RuntimeError", "each element in list of batch should be of equal size", "ragged-batch"},
    {"torch", "RuntimeError",
     "Caught RuntimeError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\n  File "
     "\"worker.py\", line 349, in _worker_loop\n    data = fetcher.fetch(index)\nRuntimeError: stack expects each "
     "tensor to be equal size, but got [3] at entry 0 and [4] at entry 1\n",
     "ragged-batch"},
    {"torch", "TypeError",
     "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'NoneType'>",
     "not-an-array"},
    {"torch", "RuntimeError", "Could not infer dtype of NoneType", "not-an-array"},
    {"torch", "IndexError", "index out of range in self", "python-exception"},
    {"torch", "IndexError", "Target 7 is out of bounds.", "python-exception"},
    {"torch", "RuntimeError", "grad can be implicitly created only for scalar outputs", "python-exception"},
    {"torch", "RuntimeError",
     "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver",
     "python-exception"},
    {"torch", "RuntimeError",
     "Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: \"weight\", \"bias\". \n\tUnexpected "
     "key(s) in state_dict: \"foo\". ",
     "python-exception"},
};

Thrown thrown(const Said& s) {
  Thrown t(s.type, s.message);
  t.at(site + s.library + "/inner.py", "inner", 5).at("/home/u/fit.py", "main", 9, "run()");
  return t;
}

}  // namespace

TEST(ExceptionWords, OfRealLibraries) {
  for (const auto& s : said) EXPECT_EQ(to_name(thrown(s).diagnosis().verdict), s.verdict) << s.message;
}

// All there is to say stands in the message: no report, whatever the verdict.
TEST(ExceptionWords, AreNotSaidAgain) {
  for (const auto& s : said)
    EXPECT_EQ(thrown(s).speaks(), std::string_view(s.verdict) == "impossible-allocation") << s.message;
}

// The same words from code that has nothing to do with arrays.
TEST(ExceptionWords, OfOtherCodeAreItsOwn) {
  for (const auto& s : said) {
    if (std::string_view(s.type).starts_with("tensorflow") || std::string_view(s.verdict) == "impossible-allocation")
      continue;
    Thrown t(s.type, s.message);
    t.at("/home/u/fit.py", "main", 9, "plan.check(parts)").rows("parts", {lists(3, 2, 0)});
    EXPECT_EQ(to_name(t.diagnosis().verdict), "python-exception") << s.message;
  }
}

}  // namespace sigwhy::diagnose
