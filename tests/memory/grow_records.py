# expect: memory-leak strong
# ends: SIGKILL
# memory: 300
# says: STRONG memory-leak list `records` keeps growing
# says: grow_records\.py:15
#
# Very many small objects below one global name, each of them a few more: there
# are more than can be looked at, and who holds them has to be seen before the
# values of the frames fill the room.
records = []
total = 0


def handle(number):
    records.append({"id": number, "text": "x" * 50 + str(number), "scores": [number, -number]})
    return len(records[-1])


number = 0
while True:
    total += handle(number)
    number += 1
