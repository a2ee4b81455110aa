# expect: none
# looks-like: failed-check
# ends: exit 1
#
# Python's assert is an exception: traceback, exit 1, nothing to add.
def check(rows):
    assert len(rows) == 2, "two rows wanted"


check([1])
