"""Runs a command in a room like a container's that refuses namespaces: clone and unshare with such flags give EPERM."""
import ctypes
import os
import struct
import sys

LOAD, JUMP_EQUAL, JUMP_SET, RETURN = 0x20, 0x15, 0x45, 0x06
NAMESPACES = 0x7E020000 | 0x00000080
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 1
CLONE, UNSHARE = 56, 272

program = [
    (LOAD, 0, 0, 0),
    (JUMP_EQUAL, 1, 0, CLONE),
    (JUMP_EQUAL, 0, 3, UNSHARE),
    (LOAD, 0, 0, 16),
    (JUMP_SET, 0, 1, NAMESPACES),
    (RETURN, 0, 0, REFUSE),
    (RETURN, 0, 0, ALLOW),
]
code = b"".join(struct.pack("<HBBI", *one) for one in program)
room = ctypes.create_string_buffer(code, len(code))
head = struct.pack("<HxxxxxxQ", len(program), ctypes.addressof(room))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.create_string_buffer(head, len(head)), 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])
