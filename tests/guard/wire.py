"""The guard's tables as another process sees them (src/guard/wire.h)."""
import ctypes
import re

MAGIC = b"SIGWHYG1"
CALLS = ("none malloc calloc realloc reallocarray memalign aligned_alloc posix_memalign valloc pvalloc "
         "new new[] free delete delete[]").split()
STOPS = "none damaged_block double_free invalid_free mismatched_free".split()
STATES = "unused live freed".split()

u8, u16, u32, u64, i64 = (ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int64)


class Block(ctypes.Structure):
    _fields_ = [("start", u64), ("bytes", u64), ("mapping", u64), ("mapping_bytes", u64),
                ("allocated_context", u64), ("freed_context", u64), ("allocated_tid", u32), ("freed_tid", u32),
                ("allocated_ms", u32), ("freed_ms", u32), ("state", u8), ("allocated_by", u8), ("freed_by", u8),
                ("alignment_log2", u8), ("stands_for", u32), ("damage_offset", i64), ("damage_bytes", u64),
                ("tenants", u64), ("damage", u8 * 16)]


class PythonFrame(ctypes.Structure):
    _fields_ = [("code", u64), ("instruction", u64)]


class Context(ctypes.Structure):
    _fields_ = [(name, u64) for name in "id pc sp bp bx r12 r13 r14 r15 unloaded_count".split()] + [
        ("tid", u32), ("python_count", u16), ("stack_bytes", u16), ("python", PythonFrame * 12), ("stack", u8 * 4096)]


class Unloaded(ctypes.Structure):
    _fields_ = [("start", u64), ("end", u64), ("number", u64)]


class Header(ctypes.Structure):
    _fields_ = [("magic", ctypes.c_char * 8), ("version", u32), ("bytes", u32), ("pid", u32), ("mode", u8),
                ("stop", u8), ("stopped", u8), ("reserved", u8), ("limits", u32), ("block_capacity", u32)] + [
        (name, u64) for name in ("blocks blocks_used contexts context_capacity stop_address stop_block stop_context "
                                 "started_ns allocations allocated_bytes guarded_allocations guarded_bytes "
                                 "live_guarded quarantined_bytes seed").split()] + [
        ("fill_byte", u8), ("freed_fill_byte", u8), ("reserved_too", u8 * 6), ("freed_filled", u64),
        ("unloaded_count", u64), ("unloaded", Unloaded * 32)]


class Tables:
    """A stopped process's header, blocks and contexts."""

    def __init__(self, pid):
        self.memory = open(f"/proc/{pid}/mem", "rb", buffering=0)
        self.header = self._find(pid)

    def _find(self, pid):
        for line in open(f"/proc/{pid}/maps"):
            where = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw.*libsigwhy_guard\.so", line)
            if not where:
                continue
            for page in range(int(where[1], 16), int(where[2], 16), 4096):
                header = self.read(Header, page)
                if header.magic == MAGIC:
                    assert header.version == 5 and header.bytes == ctypes.sizeof(Header)
                    return header
        raise LookupError("no guard in this process")

    def read(self, kind, address):
        self.memory.seek(address)
        return kind.from_buffer_copy(self.memory.read(ctypes.sizeof(kind)))

    def text(self, address, size):
        self.memory.seek(address)
        return self.memory.read(size)

    def blocks(self):
        return [b for b in self.read(Block * self.header.blocks_used, self.header.blocks) if b.start]

    def context(self, number):
        if not number:
            return None
        slot = number % self.header.context_capacity
        found = self.read(Context, self.header.contexts + slot * ctypes.sizeof(Context))
        return found if found.id == number else None

    @property
    def stop(self):
        return STOPS[self.header.stop]

    @property
    def stop_block(self):
        number = self.header.stop_block
        return self.read(Block, self.header.blocks + (number - 1) * ctypes.sizeof(Block)) if number else None
