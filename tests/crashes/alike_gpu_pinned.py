# expect: none
# looks-like: gpu-out-of-memory out-of-memory-refused
# ends: exit 1
#
# CUDA's driver also gives out pinned memory of the host and refuses it in the
# same words; seen so with PyTorch 2.11. Nobody can tell how much was asked
# for. There is no GPU here: the exception has PyTorch's class and words.
import ctypes


class AcceleratorError(RuntimeError):
    __module__ = "torch"


set_error = ctypes.pythonapi.PyErr_SetObject
set_error.argtypes, set_error.restype = [ctypes.py_object] * 2, None
error = AcceleratorError(
    "CUDA error: out of memory\nSearch for `cudaErrorMemoryAllocation' in "
    "https://docs.nvidia.com/cuda for more information.")
error.error_code = 2


def empty(size, pin_memory):
    set_error(AcceleratorError, error)


batch = empty(1 << 41, pin_memory=True)
