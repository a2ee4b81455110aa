# expect: resource-limit strong
# ends: exit 1
# needs: map-limit
# says: vm\.max_map_count allows
# says: sysctl vm\.max_map_count=
#
# Shared memory in small pieces, as a loader makes them for each tensor it hands on:
# ENOMEM with gigabytes free, because of how many there are. Tens of thousands of
# mappings must not crowd out the rest of what is copied.
import mmap

shared = []


def hand_on(batches):
    for batch in range(batches):
        shared.append(mmap.mmap(-1, 4096))


hand_on(100_000)
