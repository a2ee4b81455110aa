# expect: none
# looks-like: gpu-illegal-access gpu-assert
# ends: exit 1
#
# An emulator has memory of its own and words for it that a GPU's driver uses.
memory = bytearray(4096)


def load(address):
    if address >= len(memory):
        raise RuntimeError("an illegal memory access was encountered: "
                           "device-side assert triggered")
    return memory[address]


load(70_000)
