# expect: none
# looks-like: gpu-illegal-access gpu-assert gpu-out-of-memory
# ends: exit 1
#
# 700 is an illegal address where CUDA says it, and here an answer of a server.
import ctypes


class ServiceError(RuntimeError):
    __module__ = "storage"


set_error = ctypes.pythonapi.PyErr_SetObject
set_error.argtypes, set_error.restype = [ctypes.py_object] * 2, None
error = ServiceError(
    "illegal request: 700")
error.status = 700
set_error(ServiceError, error)
