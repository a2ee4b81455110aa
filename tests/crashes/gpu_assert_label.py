# expect: gpu-assert proven
# not: python-exception failed-check
# ends: exit 3
# env: CUDA_LAUNCH_BLOCKING=1
# says: gpu_assert_label.py:\d\d\s+launched\s+it
#
# A label beyond the classes, on PyTorch 1.x, whose exception has no class and
# no number of its own; the program says half of it and leaves. There is no GPU
# here: the exception has PyTorch's words.
import ctypes
import sys

set_error = ctypes.pythonapi.PyErr_SetString
set_error.argtypes = [ctypes.py_object, ctypes.c_char_p]
set_error.restype = None


def cross_entropy(logits, labels):
    set_error(RuntimeError, b"CUDA error: device-side assert triggered")


try:
    cross_entropy([0.1] * 10, [10])
except RuntimeError:
    print("training failed", file=sys.stderr)
    sys.exit(3)
