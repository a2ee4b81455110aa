# expect: gpu-assert proven
# not: python-exception failed-check
# ends: exit 2
# says: gpu_assert_torch.py:\d\d\s+reports\s+it
#
# An index beyond a table. The line that reports it only asked for the sum: the
# kernel was launched before. There is no GPU here: the exception has the class,
# words and number of PyTorch 2.11; the program leaves without a word.
import ctypes
import sys


class AcceleratorError(RuntimeError):
    __module__ = "torch"


set_error = ctypes.pythonapi.PyErr_SetObject
set_error.argtypes, set_error.restype = [ctypes.py_object] * 2, None
error = AcceleratorError(
    "CUDA error: device-side assert triggered\nSearch for `cudaErrorAssert' in "
    "https://docs.nvidia.com/cuda for more information.\n"
    "CUDA kernel errors might be asynchronously reported at some other API "
    "call, so the stacktrace below might be incorrect.")
error.error_code = 710


def total(rows):
    set_error(AcceleratorError, error)


try:
    total(20)
except RuntimeError:
    sys.exit(2)
