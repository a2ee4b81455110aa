"""torch: a Python object holds a TensorImpl, which holds sizes and a StorageImpl, which holds the data."""


def torch_tensors(torch):
    """Views into storages, shuffled, so that sizes, strides, offset and item size all differ."""
    made = []
    for n, shape in enumerate(shapes()):
        dtype = [torch.float32, torch.float64, torch.int16, torch.uint8][n % 4]
        order = list(range(len(shape)))[::-1]
        room = 1
        for size in shape:
            room *= size
        flat = torch.zeros(room + 40 + n, dtype=dtype)
        made.append(flat[n + 1:n + 1 + room].reshape([shape[i] for i in order]).permute(order))
    # memory that is not torch's own: its address and its owner's are two things
    made.append(torch.frombuffer(bytearray(4096), dtype=torch.float32, offset=64)[3:90].reshape(3, 29))
    return made


def storage_bytes(tensor):
    storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()
    return storage.nbytes()


def torch_dims(layout, blocks, tensors):
    """Sizes and strides: in the block for small ranks, behind a pointer for larger ones."""
    sizes, strides, behind = {}, {}, {}
    for rank in range(1, 10):
        chosen = [(b, t) for b, t in zip(blocks, tensors) if t.dim() == rank]
        places = [b for b, _ in chosen]
        sizes[rank] = list(find(places, [packed(t.shape) for _, t in chosen], 1, 256, 8))
        strides[rank] = list(find(places, [packed(t.stride()) for _, t in chosen], 1, 256, 8))
        behind[rank] = list(find(places, [packed(tuple(t.shape) + t.stride()) for _, t in chosen], 1, 256, 8))
    for path, ranks in ranges(sizes, 64):
        layout.add_dims("u64", path, ranks)
        after = all(path in behind[r] for r in behind if ranks[0] <= r <= ranks[1])
        if after:
            layout.lines.append("strides u64 %s rank %d..%d behind" % ((written(path),) + ranks))
        else:
            (place, _), = ranges({r: p for r, p in strides.items() if ranks[0] <= r <= ranks[1]}, ranks[1])
            layout.lines.append("strides u64 %s rank %d..%d" % ((written(place),) + ranks))


def torch_devices(torch, layout, blocks):
    """A device is (type, index), one byte each, in a tensor as in a torch.device."""
    inside = first(find([id(torch.device("cuda", i)) for i in (3, 5)], [b"\x03", b"\x05"], 0, 32), "a device's index")[0]
    meta = [torch.empty(2, 3, device="meta"), torch.empty(7, device="meta")]
    places = [layout.block(id(t)) for t in meta]
    wanted = [read(id(t.device) + inside - 1, 2) for t in meta] + [b"\0\xff"] * len(blocks)
    offset, = first(find(places + blocks, wanted, 0, 256), "a device")
    layout.lines += ["device u8 %d" % offset, "device-index u8 %d" % (offset + 1)]
    names = "cpu cuda hip xla vulkan xpu mps meta hpu ve lazy ipu mtia privateuseone"
    for name in names.split():
        try:
            device = torch.device(name, 3)
            layout.lines.append("device-name %d %s" % (number(id(device) + inside - 1, "u8"), name))
        except RuntimeError:
            pass  # this release has no such device


def torch_dtypes(torch, layout):
    sizes = {}
    for dtype in sorted({v for v in vars(torch).values() if isinstance(v, torch.dtype)}, key=str):
        try:
            tensor = torch.empty(3, dtype=dtype)
        except (RuntimeError, TypeError, NotImplementedError):
            continue  # quantised and sub-byte types are made otherwise
        name = str(dtype).split(".")[-1]
        sizes[layout.value("dtype", id(tensor))] = (name, tensor.element_size())
    for code, (name, size) in sorted(sizes.items()):
        layout.dtypes[code] = name
        layout.lines.append("dtype-name %d %s %d" % (code, name, size))


def learn_torch():
    import torch
    layout = Layout("torch", torch.__version__.split("+")[0], identity("libtorch_python.so"))
    tensors = torch_tensors(torch)
    three = [t for t in tensors if t.dim() == 3]
    way = first(find([id(t) for t in three], [packed(t.shape) for t in three], 1, 256, 8), "its sizes")
    layout.add("block", "at", way[:-1] + (0,))
    blocks = [layout.block(id(t)) for t in tensors]
    layout.add("rank", *field(blocks, [t.dim() for t in tensors], "its rank"))
    layout.add("numel", *field(blocks, [t.numel() for t in tensors], "its number of elements"))
    layout.add("offset", *field(blocks, [t.storage_offset() for t in tensors], "its storage offset"))
    codes = [number(id(t.dtype) + 16, "u8") for t in tensors]
    layout.add("dtype", *field(blocks, codes, "its dtype", widths=("u16", "u8")))
    starts = [t.data_ptr() - t.storage_offset() * t.element_size() for t in tensors]
    layout.add("data", *field(blocks, starts, "its data address", 1))
    layout.add("room-bytes", *field(blocks, [storage_bytes(t) for t in tensors], "its storage's size", 1))
    torch_dims(layout, blocks, tensors)
    torch_devices(torch, layout, blocks)
    torch_dtypes(torch, layout)
    for shape in shapes():
        other = torch.nn.Parameter(torch.ones(tuple(s + 3 for s in shape[:6]))[..., None])
        check(layout, id(other), tuple(other.shape), "float32", other.data_ptr())
    return layout
