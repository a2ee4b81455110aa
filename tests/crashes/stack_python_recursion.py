# expect: stack-overflow strong
# not: null-pointer wild-pointer python-fatal-error gil-not-held
# ends: SIGSEGV
#
# The recursion limit is raised and each level goes through C (sorted with a
# key function): the C stack ends long before Python's own counter does.
import sys

sys.setrecursionlimit(10_000_000)


def rank(item):
    return len(sorted([item], key=rank))


rank(1)
