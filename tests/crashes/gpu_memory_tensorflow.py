# expect: gpu-out-of-memory strong
# at-most: strong
# not: python-exception out-of-memory-refused impossible-allocation
# ends: exit 1
# says: no room for 2.0 GiB, a\s+float32\s+array\s+.1024,\s+1024,\s+512.
#
# TensorFlow tells shape and device, not the size. A limit of its own could
# have refused it as well. There is no GPU here: the exception has TensorFlow's
# class and words.
import ctypes
from functools import partial


class OpError(Exception):
    __module__ = "tensorflow.python.framework.errors_impl"


class ResourceExhaustedError(OpError):
    __module__ = "tensorflow.python.framework.errors_impl"


set_error = ctypes.pythonapi.PyErr_SetObject
set_error.argtypes, set_error.restype = [ctypes.py_object] * 2, None
zeros = partial(
    set_error, ResourceExhaustedError,
    "{{function_node __wrapped__Fill}} OOM when allocating tensor with "
    "shape[1024,1024,512] and type float on /job:localhost/replica:0/task:0/"
    "device:GPU:0 by allocator GPU_0_bfc [Op:Fill]")

zeros()
