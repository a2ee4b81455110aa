# expect: out-of-memory-refused strong
# looks-like: gpu-out-of-memory
# ends: exit 1
#
# The same class and words as for a GPU, of pinned memory for one: the
# allocator's name says that it is the host's. There is no GPU here: the
# exception has TensorFlow's class and words.
import ctypes
from functools import partial


class ResourceExhaustedError(Exception):
    __module__ = "tensorflow.python.framework.errors_impl"


set_error = ctypes.pythonapi.PyErr_SetObject
set_error.argtypes, set_error.restype = [ctypes.py_object] * 2, None
copy = partial(
    set_error, ResourceExhaustedError,
    "OOM when allocating tensor with shape[1024,1024,512] and type float on "
    "/job:localhost/replica:0/task:0/device:GPU:0 by allocator gpu_host_bfc")

copy()
