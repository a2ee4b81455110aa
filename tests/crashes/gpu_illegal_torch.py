# expect: gpu-illegal-access proven
# not: python-exception out-of-bounds gpu-assert
# ends: exit 2
# says: gpu_illegal_torch.py:\d\d\s+reports\s+it
#
# A kernel stored far outside its tensor, and a later line waits for the GPU.
# There is no GPU here: the exception has the class, words and number of PyTorch
# 2.11; the program leaves without a word.
import ctypes
import sys


class AcceleratorError(RuntimeError):
    __module__ = "torch"


set_error = ctypes.pythonapi.PyErr_SetObject
set_error.argtypes, set_error.restype = [ctypes.py_object] * 2, None
error = AcceleratorError(
    "CUDA error: an illegal memory access was encountered\n"
    "For debugging consider passing CUDA_LAUNCH_BLOCKING=1")
error.error_code = 700


def item(total):
    set_error(AcceleratorError, error)


try:
    item(1.0)
except RuntimeError:
    sys.exit(2)
