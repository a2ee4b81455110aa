# expect: none|python-exception strong
# looks-like: resource-limit
# ends: exit 1
# limit: nofile=64
#
# The limit was reached and answered; the program ends by a key that is missing.
places = {}
shards = []
try:
    while True:
        shards.append(open("/dev/null"))
except OSError:
    for shard in shards:
        shard.close()
    print(places["shards"])
