"""Whose layout it is: the same as src/python/tensors/identity.cpp."""


def module_base(name):
    with open("/proc/self/maps") as maps:
        for line in maps:
            words = line.split(None, 5)
            if len(words) == 6 and words[2].strip("0") == "" and os.path.basename(words[5].strip()).startswith(name):
                return int(words[0].split("-")[0], 16)
    raise NotFound("no file " + name + " is loaded")


def segments(base):
    table, count = number(base + 32), number(base + 56, "u16")
    for i in range(min(count, 64)):
        yield struct.unpack("<IIQQQQQQ", read(base + table + 56 * i, 56))


def identity(name):
    base = module_base(name)
    headers = list(segments(base))
    bias = base - (min(h[3] for h in headers if h[0] == 1) & ~4095)
    for header in headers:
        if header[0] == 4:
            build_id = build_id_in(read(bias + header[3], min(header[5], 4096)))
            if build_id:
                return "build-id:" + build_id
    return "fingerprint:%016x" % fingerprint(base, bias, headers)


def build_id_in(notes):
    while len(notes) >= 12:
        name, size, kind = struct.unpack_from("<III", notes)
        start = 12 + (name + 3 & ~3)
        if kind == 3 and notes[12:16] == b"GNU\0":
            return "".join("%02x" % b for b in bytearray(notes[start:start + size]))
        notes = notes[start + (size + 3 & ~3):]
    return ""


def fingerprint(base, bias, headers):
    """The first page, and the beginnings of the tables of exported names: mapped, and never written to."""
    tables = {}
    for header in headers:
        if header[0] == 2:
            for at in range(bias + header[3], bias + header[3] + 96 * 16, 16):
                tag, value = number(at), number(at + 8)
                if tag in (0x6ffffef5, 6):
                    tables[tag] = value if value >= bias else bias + value
                if not tag:
                    break
    value = 0xcbf29ce484222325
    for place in (base, tables.get(0x6ffffef5, 0), tables.get(6, 0)):
        for byte in bytearray(read(place, 4096)):
            value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value
