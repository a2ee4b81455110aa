# expect: gpu-out-of-memory proven
# not: python-exception out-of-memory-refused
# ends: exit 1
# says: no room for 4.00 GiB
# says: 20 GiB are\s+held outside\s+this\s+process
# says: nvidia-smi
#
# Another process sits on the GPU. PyTorch lists what it knows and leaves the
# sum to the reader. There is no GPU here: the exception has PyTorch's class and
# words and is raised from C, as PyTorch does.
import ctypes
from functools import partial


class OutOfMemoryError(RuntimeError):
    __module__ = "torch"


set_error = ctypes.pythonapi.PyErr_SetObject
set_error.argtypes, set_error.restype = [ctypes.py_object] * 2, None
to_gpu = partial(
    set_error, OutOfMemoryError,
    "CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total "
    "capacity of 24.00 GiB of which 1.50 GiB is free. Including non-PyTorch "
    "memory, this process has 2.00 GiB memory in use. Of the allocated memory "
    "1.25 GiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but "
    "unallocated.")


def load(rows):
    to_gpu()


load(4096)
