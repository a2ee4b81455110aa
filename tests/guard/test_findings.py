"""What the guard finds by itself: damage, wrong frees, and pairs of calls that do not belong together."""
import signal

import pytest

from runs import ALL_MODES, built, run, stopped


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize("what, stop", (("free-twice", "double_free"), ("free-inside", "invalid_free"),
                                        ("realloc-freed", "double_free")))
def test_wrong_frees(mode, what, stop):
    with stopped([built("wrong.c"), what], mode) as found:
        assert found.signal == signal.SIGABRT
        assert (found.tables.stop, found.tables.header.stopped) == (stop, 1)
        assert found.tables.stop_block.bytes == 48
        assert found.tables.context(found.tables.header.stop_context)


@pytest.mark.parametrize("what, size, offset", (("write-slack", 5, 5), ("write-slack", 4090, 4090),
                                                ("write-slack-in-front", 40, -3)))
def test_damage_is_found_at_free(what, size, offset):
    with stopped([built("wrong.c"), what, str(size)], "all") as found:
        assert found.signal == signal.SIGABRT and found.tables.stop == "damaged_block"
        block = found.tables.stop_block
        assert (block.bytes, block.damage_offset, block.damage_bytes, block.damage[0]) == (size, offset, 1, 0x55)


def test_damage_behind_in_mode_before():
    with stopped([built("wrong.c"), "write-slack", "5"], "before") as found:
        assert found.tables.stop == "damaged_block" and found.tables.stop_block.damage_offset == 5


@pytest.mark.parametrize("pair", ("malloc-delete", "new-free", "array-delete"))
def test_pairs_that_do_not_belong_together(pair):
    with stopped([built("wrong.cpp"), pair], "all") as found:
        assert found.signal == signal.SIGABRT and found.tables.stop == "mismatched_free"
    assert run([built("wrong.cpp"), pair], "sampled").stdout == "went on\n"


@pytest.mark.parametrize("pair", ("new-delete", "array-array", "realloc-free", "aligned", "aligned-new",
                                  "aligned-array", "nothrow"))
def test_pairs_that_do(pair):
    for mode in ALL_MODES:
        assert run([built("wrong.cpp"), pair], mode).stdout == "went on\n"


def test_a_pair_across_libraries_may_be_right():
    library = built("hides.cpp", "-DLIBRARY", "-shared", "-fPIC")
    assert run(built("hides.cpp", str(library), f"-Wl,-rpath,{library.parent}"), "all").stdout == "7\n"


@pytest.mark.parametrize("mode", ALL_MODES)
def test_damage_of_a_block_that_is_never_freed_is_noted(mode):
    with stopped([built("wrong.c"), "write-slack-kept", "5"], mode) as found:
        assert (found.signal, found.tables.stop, found.tables.header.stopped) == (None, "damaged_block", 0)
        assert found.tables.stop_block.damage_offset == 5


@pytest.mark.parametrize("mode", ALL_MODES)
def test_nothing_is_noted_of_a_right_program(mode):
    with stopped(built("forms.cpp"), mode) as found:
        assert (found.signal, found.tables.stop) == (None, "none")
        assert found.tables.header.allocations > 1000
