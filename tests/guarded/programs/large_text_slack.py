# expect: heap-corruption proven
# block: 100002 large_text_slack.py:19
# ends: exit 0
# needs: numpy
# run: {lib}
# lib-build: -O1
#
# The final zero of a text lies one byte behind its buffer. The buffer's size is
# rounded up, so that byte is in the slack, and only a canary can tell.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.join.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_long, ctypes.c_long]

spare = 1 if sys.argv[-1] == "repaired" else 0
text = np.zeros(6 * 16667 + spare, dtype=np.uint8)
lib.join(text.ctypes.data, b"tensor", 16667, 6)
print(bytes(text[:6]))
del text
