# expect: none
# looks-like: aliased-buffer
# not: aliased-buffer
# ends: exit 1
#
# A BufferError that is about the layout of a buffer, not about who else has it.
view = memoryview(bytes(64))[::2]
try:
    raise RuntimeError("the table was modified by an inplace operation")
except RuntimeError:
    view.cast("I")
