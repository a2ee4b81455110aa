"""Of many blocks a few are recorded, and each stands for others of its place."""
from runs import built, stopped

LIVE = 1
LOST, USED = 3 << 20, 2500000
ROUNDS = 4000


def live_of(tables, size):
    return [b for b in tables.blocks() if b.state == LIVE and b.bytes == size]


def test_what_is_lost_is_counted_to_the_end():
    with stopped([built("leaks.c"), str(ROUNDS)], "sampled") as found:
        lost = live_of(found.tables, LOST)
        assert 4 <= len(lost) < ROUNDS  # or nothing was left to estimate
        assert sum(b.stands_for for b in lost) == ROUNDS
        # The place that gives back what it made is not taken for another leak by the one block that is kept.
        assert sum(b.stands_for for b in live_of(found.tables, USED)) < ROUNDS / 2


def test_where_all_are_recorded_each_stands_for_itself():
    with stopped([built("leaks.c"), "5"], "all") as found:
        assert [b.stands_for for b in live_of(found.tables, LOST)] == [1] * 5
