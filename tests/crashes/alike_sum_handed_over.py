# expect: wild-pointer|unknown weak
# looks-like: out-of-bounds
# not: null-pointer use-after-free gil-not-held
# ends: SIGSEGV
#
# An address of another process, as far from everything here as a wrong index
# would lead: but a name of the program holds exactly this number, and nothing
# was added to it.
import ctypes

remote_address = (id(object()) >> 40 << 40) - (1 << 40) + 0x3A51C20
print(ctypes.string_at(remote_address, 8))
