# expect: resource-limit proven
# not: python-exception disk-full
# ends: exit 1
# limit: nofile=64
# says: all 64 files
#
# Every shard stays open until the process may open no more.
shards = []
for _ in range(100):
    shards.append(open("/dev/null"))
