"""Finds out how this interpreter's torch and TensorFlow keep a tensor in memory.

Nobody publishes these structures and they change with releases. So: make
tensors whose shape, dtype, data address and device are known, read this
process's own memory from each Python object on, and look for a way (a chain of
offsets through pointers) that leads to the known value in every one of them.
What was found is tried on other tensors before it is believed, and printed as
the text that sigwhy keeps: see tensor_layout.h for its words.

The files of this folder are one program: the build joins them (search, identity,
torch, tensorflow, main) into sigwhy-develop, so that `sigwhy learn -- python`
needs nothing but the interpreter. Python 3.6 on.
"""

import ctypes
import os
import struct
import sys

FORMATS = {"u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q"}
BYTES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}


class NotFound(Exception):
    pass


# --- this process's memory -------------------------------------------------

MEMORY = os.open("/proc/self/mem", os.O_RDONLY)


def read(address, size):
    """What is readable there, perhaps less than asked for."""
    if not 4096 <= address < 1 << 47:
        return b""
    try:
        return os.pread(MEMORY, size, address)
    except OSError:
        end = (address + size - 1) & ~4095  # up to the last page, which may be missing
        return read(address, end - address) if end > address else b""


def number(address, width="u64"):
    got = read(address, BYTES[width])
    return struct.unpack(FORMATS[width], got)[0] if len(got) == BYTES[width] else None


def follow(address, path):
    """The place a path leads to: through a pointer at each offset but the last."""
    for offset in path[:-1]:
        address = number(address + offset)
        if address is None:
            return None
    return address + path[-1]


# --- the search ------------------------------------------------------------

def nodes(addresses, depth, span):
    """Paths that lead to memory from every one of `addresses`, shortest first."""
    level, seen = [((), tuple(addresses))], set()
    for step in range(depth + 1):
        following = []
        for path, places in level:
            if places in seen:
                continue
            seen.add(places)
            blocks = [read(place, span) for place in places]
            yield path, blocks
            if step < depth:
                following += children(path, blocks)
        level = following


def children(path, blocks):
    for offset in range(0, min(map(len, blocks)) - 7, 8):
        values = tuple(struct.unpack_from("<Q", b, offset)[0] for b in blocks)
        # what all share (a type, a table of functions) holds nothing of its own
        if len(set(values)) > 1 and all(v % 8 == 0 and len(read(v, 16)) == 16 for v in values):
            yield path + (offset,), values


def find(addresses, wanted, depth=0, span=256, align=1):
    """Paths at which each address has its own `wanted` bytes."""
    for path, blocks in nodes(addresses, depth, span):
        for offset in range(0, min(map(len, blocks)), align):
            if all(b[offset:offset + len(w)] == w for b, w in zip(blocks, wanted)):
                yield path + (offset,)


def first(found, what):
    for one in found:
        return one
    raise NotFound("nothing in it looks like " + what)


def field(blocks, values, what, depth=0, span=256, widths=("u64", "u32", "u16", "u8")):
    """(width, path) of a number; the widest reading that holds in all."""
    for width in widths:
        if max(values) >> 8 * BYTES[width] and min(values) >= 0:
            continue
        wanted = [struct.pack(FORMATS[width], v) for v in values]
        for path in find(blocks, wanted, depth, span, BYTES[width]):
            return width, path
    raise NotFound("nothing in it looks like " + what)


def packed(numbers, width="u64"):
    return b"".join(struct.pack(FORMATS[width].lower() if n < 0 else FORMATS[width], n) for n in numbers)


# --- a layout: what is printed, and used here to try it ----------------------

class Layout:
    def __init__(self, framework, release, identity):
        self.framework, self.release, self.identity = framework, release, identity
        self.lines = []   # the words, in order
        self.fields = {}  # name -> (width, path)
        self.dims = []    # (width, path, tag or None, lowest rank, highest rank)
        self.dtypes = {}  # code -> name

    def add(self, name, width, path, *more):
        self.fields[name] = (width, path)
        self.lines.append(" ".join([name, width, written(path)] + list(more)))

    def add_dims(self, width, path, ranks, tag=None):
        self.dims.append((width, path, tag, ranks[0], ranks[1]))
        self.lines.append("dims %s %s rank %d..%d" % (width, written(path), ranks[0], ranks[1])
                          + ("" if tag is None else " tag %d" % tag))

    def block(self, address):
        return follow(address, self.fields["block"][1])

    def value(self, name, address):
        width, path = self.fields[name]
        return number(follow(self.block(address), path), width)

    def shape(self, address):
        rank = self.value("rank", address)
        tag = self.value("tag", address) if "tag" in self.fields else None
        for width, path, its_tag, low, high in self.dims:
            if its_tag == tag and low <= rank <= high:
                at = follow(self.block(address), path)
                return tuple(number(at + i * BYTES[width], width) for i in range(rank))
        raise NotFound("rank %d has no place for its dimensions" % rank)

    def text(self):
        head = ["framework " + self.framework, "release %s %s" % (self.release, self.identity)]
        return "\n".join(["layout 1"] + head + self.lines + ["end"])


def written(path):
    return ">".join(map(str, path))


def ranges(by_rank, highest):
    """{rank: candidate places} -> [(place, (lowest, highest rank))], each place as long as it holds."""
    found, possible, low = [], None, 0
    for rank in sorted(by_rank):
        both = by_rank[rank] if possible is None else [p for p in possible if p in by_rank[rank]]
        if not both:
            found.append((possible[0], (low, rank - 1)))
            low, both = rank, by_rank[rank]
        if not both:
            raise NotFound("the dimensions of rank %d are nowhere" % rank)
        possible = both
    return found + [(possible[0], (low, highest))]


def shapes():
    """Shapes of every rank, no two numbers alike in one."""
    return [tuple(2 + (7 * i + 3 * rank + turn) % 13 for i in range(rank)) if rank < 5 else
            tuple(1 + (i + turn + rank) % 3 for i in range(rank - 2)) + (4 + turn, 7) for rank in range(10)
            for turn in (0, 1, 2)]


def check(layout, address, shape, dtype, data):
    """A layout must hold for tensors that it was not learned from."""
    got = (layout.shape(address), layout.dtypes.get(layout.value("dtype", address)), layout.value("data", address))
    if got != (shape, dtype, data):
        raise NotFound("what was found does not hold for other tensors")
