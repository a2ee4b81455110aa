# expect: use-after-free strong
# at-most: strong
# not: null-pointer out-of-bounds gil-not-held
# ends: SIGSEGV
# says: address in `address`
#
# Only the address of a ctypes buffer is kept, as a number; the buffer goes with
# the function that made it.
import ctypes


def address_of_batch(size):
    buffer = ctypes.create_string_buffer(size)
    return ctypes.addressof(buffer)


address = address_of_batch(16 << 20)
print(ctypes.string_at(address, 16 << 20)[:4])
