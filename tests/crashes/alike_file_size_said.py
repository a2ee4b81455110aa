# expect: none
# looks-like: resource-limit disk-full
# ends: exit 1
# limit: fsize=100000
#
# Python ignores SIGXFSZ: the limit becomes OSError "File too large", the
# traceback says it, and there is nothing to add.
with open("big.bin", "wb", buffering=0) as file:
    while True:
        if file.write(b"x" * 65536) < 65536:
            file.write(b"x")
