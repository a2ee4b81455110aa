"""A program that has written over its interpreter's own list of frames: fewer frames, said so, and nothing worse."""

# The frame pointer of a thread state of 3.6 to 3.10 is its fourth word; any version's state has it among the first
# sixteen, and all of them are overwritten. The thread then dies in C.
PROGRAM = '''\
import ctypes
state = ctypes.pythonapi.PyThreadState_Get
state.restype = ctypes.c_void_p
end = getattr(ctypes.PyDLL(None), "raise")
def damage(at):
    words = (ctypes.c_uint64 * 16).from_address(at)
    ctypes.memset(ctypes.addressof(words) + 24, 0x41, 8 * 12), end(11)
damage(state())
'''


def test_frames_that_cannot_be_found(bench):
    (bench.folder / "damage.py").write_text(PROGRAM)
    run = bench.run("/usr/bin/python3", "damage.py")
    assert run.status < 0
    thread = [t for t in run.case["snapshot"]["threads"] if t["died"]][0]
    assert not thread["python"]
    assert any("the Python frames" in gap for gap in run.gaps)
