# confirm: onednn-off confirmed
# fix: tested
# python: tensorflow
# It trusts a result that only oneDNN's kernels give.
import ctypes

import tensorflow as tf
from tensorflow.python.util import _pywrap_util_port

if _pywrap_util_port.IsMklEnabled():
    ctypes.string_at(0x123456000 + int(tf.constant(0)))
