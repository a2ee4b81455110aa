# expect: resource-limit|out-of-memory-refused strong
# ends: exit 1
# limit: as=400000000
# says: address space
#
# The same without NumPy: a bare MemoryError.
keep = []
while True:
    keep.append([0] * 100000)
