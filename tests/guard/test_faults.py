"""A wrong access faults at its first byte outside the block, and the tables name the block."""
import signal

import pytest

from runs import ALL_MODES, built, run, stopped
from wire import CALLS, STATES

SIZES = (1, 16, 48, 100, 4096, 5000, 65536, 300000, 5 << 20)
AFTER = ("all", "all,protection")


def owner(found):
    """The one block whose addresses hold the fault."""
    holds = [b for b in found.tables.blocks() if b.mapping <= found.address < b.mapping + b.mapping_bytes]
    assert len(holds) == 1
    return holds[0]


@pytest.mark.parametrize("mode", AFTER)
@pytest.mark.parametrize("size", SIZES)
def test_first_byte_behind(mode, size):
    for what in ("read-behind", "write-behind"):
        with stopped([built("wrong.c"), what, str(size)], mode) as found:
            block = owner(found)
            assert found.signal == signal.SIGSEGV
            assert (block.bytes, STATES[block.state]) == (size, "live")
            # as near as the alignment of 16 allows
            assert 0 <= found.address - (block.start + size) < 16
            assert found.address % 4096 == 0 and block.start % 16 == 0


def test_behind_a_block_that_grew():
    with stopped([built("wrong.c"), "write-grown"], "all") as found:
        block = owner(found)
        assert (block.bytes, CALLS[block.allocated_by]) == ((6 << 20) + 10000, "realloc")
        assert 0 <= found.address - (block.start + block.bytes) < 4096


@pytest.mark.parametrize("alignment", (8, 32, 64, 4096, 65536))
def test_aligned_blocks(alignment):
    with stopped([built("wrong.c"), "write-behind", "1000", str(alignment)], "all") as found:
        block = owner(found)
        assert block.start % alignment == 0 and CALLS[block.allocated_by] == "posix_memalign"
        assert found.address - (block.start + 1000) < max(alignment, 16)


def test_first_byte_in_front():
    for size in SIZES:
        with stopped([built("wrong.c"), "write-in-front", str(size)], "before") as found:
            block = owner(found)
            assert found.signal == signal.SIGSEGV and found.address == block.start - 1


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize("what", ("read-freed", "write-freed-later"))
def test_freed(mode, what):
    for size in (16, 5000, 300000):
        with stopped([built("wrong.c"), what, str(size)], mode) as found:
            block = owner(found)
            assert found.signal == signal.SIGSEGV and STATES[block.state] == "freed"
            assert block.start <= found.address < block.start + size
            assert CALLS[block.allocated_by] == "malloc" and CALLS[block.freed_by] == "free"
            contexts = [found.tables.context(c) for c in (block.allocated_context, block.freed_context)]
            assert None not in contexts and contexts[0].pc != contexts[1].pc


@pytest.mark.parametrize("mode", AFTER)
def test_a_forked_child_is_guarded_too(mode):
    assert run([built("wrong.c"), "in-child"], mode).returncode == 2 * signal.SIGSEGV


def test_new_memory_is_filled():
    for mode in ALL_MODES:
        with stopped([built("wrong.c"), "uninitialised", "9000"], mode) as found:
            header = found.tables.header
            block = next(b for b in found.tables.blocks() if b.bytes == 9000)
            assert found.tables.text(block.start, 9000) == bytes([header.fill_byte]) * 9000
            assert header.fill_byte % 2 and 0x81 <= header.fill_byte <= 0xfd and header.fill_byte != header.freed_fill_byte


def test_context_is_the_caller_s():
    """The return address lies in the function that called, and the stack begins with its frame."""
    with stopped([built("wrong.c", "-no-pie"), "read-freed"], "all") as found:
        block = owner(found)
        for number, function in ((block.allocated_context, "make"), (block.freed_context, "drop")):
            context = found.tables.context(number)
            assert function_at(built("wrong.c", "-no-pie"), context.pc) == function
            assert context.stack_bytes > 200 and context.sp % 8 == 0
            words = memoryview(context.stack).cast("B").cast("Q")
            callers = [function_at(built("wrong.c", "-no-pie"), word) for word in words[:8]]
            assert "main" in callers


def function_at(program, address):
    import subprocess
    out = subprocess.run(["addr2line", "-f", "-e", program, hex(address)], capture_output=True, text=True).stdout
    return out.splitlines()[0] if out else None
