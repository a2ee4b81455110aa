# expect: python-exception proven
# not: stack-overflow
# ends: exit 1
# says: (walk|visit).. and (walk|visit).. called each other
#
# Two functions call each other until Python's own limit.
def visit(node):
    return walk(node)


def walk(node):
    return visit(node)


walk(1)
