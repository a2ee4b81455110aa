# expect: resource-limit strong
# at-most: strong
# not: python-exception disk-full
# ends: exit 1
# limit: nofile=64
# says: may\s+have\s+64\s+open
#
# The list goes with the expression that made it: when the error is printed, all
# of these files are closed again, and nobody can count them.
shards = [open("/dev/null") for _ in range(100)]
