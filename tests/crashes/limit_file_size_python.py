# expect: resource-limit strong
# not: disk-full python-exception
# ends: exit 1
# limit: fsize=100000
#
# Python ignores SIGXFSZ: the limit becomes OSError "File too large", which does
# not say whose limit it was.
with open("big.bin", "wb", buffering=0) as file:
    while True:
        if file.write(b"x" * 65536) < 65536:
            file.write(b"x")
