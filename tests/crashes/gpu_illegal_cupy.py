# expect: gpu-illegal-access proven
# not: python-exception out-of-bounds
# ends: exit 1
# says: gpu_illegal_cupy.py:2\d\s+reports\s+it
# says: CUDA_LAUNCH_BLOCKING=1
#
# CuPy does not say that the line which reports it may be innocent. There is no
# GPU here: the exception has CuPy's class, words and number.
import ctypes


class CUDARuntimeError(RuntimeError):
    __module__ = "cupy_backends.cuda.api.runtime"


set_error = ctypes.pythonapi.PyErr_SetObject
set_error.argtypes, set_error.restype = [ctypes.py_object] * 2, None
error = CUDARuntimeError(
    "cudaErrorIllegalAddress: an illegal memory access was encountered")
error.status = 700
print(set_error(CUDARuntimeError, error))
