"""TensorFlow: an EagerTensor holds a TensorHandle, in which lies a Tensor: shape, dtype and a buffer."""


def dlpack_address(tf, tensor):
    """Where its elements are, as it tells other libraries."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = tf.experimental.dlpack.to_dlpack(tensor)
    managed = get(capsule, b"dltensor")
    return number(managed) + number(managed + 40)


def tensorflow_tensors(tf):
    """As users make them: from Python, by an operation, as a slice of another."""
    made = []
    for n, shape in enumerate(shapes()):
        dtype = [tf.float32, tf.float64, tf.int32, tf.int64][n % 4]
        whole = tf.fill(shape, tf.constant(n, dtype))
        slices = tf.unstack(tf.fill((3,) + shape, tf.constant(n, dtype)))
        made.append([whole, tf.constant(whole.numpy()), slices[1]][n % 3])
    return made


def small_tags(layout, tf, blocks, tensors):
    """Dimensions are kept as u16, u32 or elsewhere; a byte of the block tells which."""
    wide = [tf.zeros((70001, 3), tf.uint8), tf.zeros((3, 80001), tf.uint8), tf.zeros((70001, 0, 90001))]
    far = [tf.zeros((5 << 32, 0)), tf.zeros((3, 0, 7 << 32))]
    many = [t for t in tensors if t.shape.rank > 7]
    kinds = [[t for t in tensors if 0 < t.shape.rank < 5], wide, far, many]
    places = [[layout.block(id(t)) for t in kind] for kind in kinds]
    for offset in range(64):
        tags = [{number(p + offset, "u8") for p in place} for place in places]
        alone = all(len(t) == 1 for t in tags) and tags[2] == tags[3] and len(tags[0] | tags[1] | tags[2]) == 3
        if alone and tags[0] == {0}:
            break
    else:
        raise NotFound("nothing in it tells how its dimensions are kept")
    layout.add("tag", "u8", (offset,))
    for kind, place, tag, width, ranks in zip(kinds, places, tags, ("u16", "u32", "u64", "u64"),
                                              ((0, 254), (0, 254), (0, 4), (5, 254))):
        wanted = [packed(tuple(t.shape), width) for t in kind]
        path = first(find(place, wanted, 2, 128, BYTES[width]), "the dimensions of large tensors")
        layout.add_dims(width, path, ranks, tag.pop())


def tensorflow_fields(layout, tf, tensors, way):
    layout.lines, layout.dims = [], []
    layout.add("block", "at", way)
    blocks = [layout.block(id(t)) for t in tensors]
    layout.add("rank", *field(blocks, [t.shape.rank for t in tensors], "its rank", 0, 64, ("u8",)))
    layout.add("numel", *field(blocks, [int(tf.size(t)) for t in tensors], "its number of elements", 0, 64))
    layout.add("dtype", *field(blocks, [t.dtype.as_datatype_enum for t in tensors], "its dtype", 0, 64, ("u16", "u8")))
    layout.add("data", *field(blocks, [dlpack_address(tf, t) for t in tensors], "its data address", 1, 64))
    small_tags(layout, tf, blocks, tensors)
    return blocks


def tensorflow_room(layout, tf, blocks, tensors):
    """The buffer's own idea of its size: in items or in bytes, by who made it. A check, so it may be missing."""
    buffer = layout.fields["data"][1][:-1]
    counts = [int(tf.size(t)) for t in tensors]
    for name, sizes in (("room-items", counts), ("room-bytes", [c * t.dtype.size for c, t in zip(counts, tensors)])):
        offsets = [{p for p in range(0, 64, 8) if number(follow(b, buffer + (p,))) == size}
                   for b, size in zip(blocks, sizes) if size > 1]
        for offset in range(0, 64, 8):
            if sum(offset in o for o in offsets) > len(offsets) // 5:
                layout.add(name, "u64", buffer + (offset,))


def tensorflow_dtypes(layout, tf):
    names = list(vars(tf.dtypes).values()) + list(vars(getattr(tf.dtypes, "experimental", tf.dtypes)).values())
    for dtype in sorted({v for v in names if isinstance(v, tf.DType)}, key=lambda d: d.as_datatype_enum):
        size = 0 if dtype.name in ("string", "variant", "resource") else dtype.size
        layout.dtypes[dtype.as_datatype_enum] = dtype.name
        layout.lines.append("dtype-name %d %s %d" % (dtype.as_datatype_enum, dtype.name, size))


def tensorflow_device(layout, tf):
    """A handle without a device is the CPU's; the others have one, which has a name."""
    name = "/job:localhost/replica:0/task:0/device:CPU:1"
    with tf.device("CPU:1"):
        there = [tf.constant([1.0, 2.0]) + n for n in range(3)]
    here = [tf.constant([1.0, 2.0]) + n for n in range(3)]
    steps = len(layout.fields["block"][1])
    for way, blocks in nodes([id(t) for t in there], steps - 1, 400):
        for offset in range(0, min(map(len, blocks)) - 7, 8):
            path = way + (offset,)
            devices = [number(follow(id(t), path)) for t in there]
            if len(way) != steps - 1 or any(number(follow(id(t), path)) for t in here) or len(set(devices)) != 1:
                continue
            for inner in range(0, 512, 8):
                string = (number(devices[0] + inner) or 0) & ~3  # protobuf marks its strings in the lowest bits
                if read(number(string) or 0, len(name) + 1) == name.encode() + b"\0":
                    layout.lines += ["device-object at " + written(path), "device-text at %d>0" % inner]
                    return


def tensorflow_variable(layout, tf):
    """A variable's handle is a tensor of one resource, which keeps the variable, which keeps the tensor."""
    variables = [tf.Variable(tf.ones(s) * 3) for s in ((7, 11, 13), (17, 5, 19), (3, 23, 29))]
    blocks = [layout.block(id(v.handle)) for v in variables]
    path = layout.fields["data"][1]
    resources = [number(follow(b, path)) for b in blocks]
    for way in find(resources, [packed(v.shape, "u16") for v in variables], 1, 400, 8):
        tensors = [follow(r, way) for r in resources]
        data = [number(follow(t, path)) for t in tensors]
        if data == [dlpack_address(tf, v.read_value()) for v in variables]:
            layout.lines.append("variable at " + written(path + way))
            return


def learn_tensorflow():
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    import tensorflow as tf
    layout = Layout("tensorflow", tf.__version__, identity("libtensorflow_framework.so"))
    one = tf.config.LogicalDeviceConfiguration()
    tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], [one, one])
    tensors = tensorflow_tensors(tf)
    three = [t for t in tensors if t.shape.rank == 3]
    problem = NotFound("nothing in it looks like its dimensions")
    for way in find([id(t) for t in three], [packed(tuple(t.shape), "u16") for t in three], 1, 400, 8):
        try:
            blocks = tensorflow_fields(layout, tf, tensors, way)
            break
        except NotFound as error:
            problem = error
    else:
        raise problem
    tensorflow_room(layout, tf, blocks, tensors)
    tensorflow_device(layout, tf)
    tensorflow_variable(layout, tf)
    tensorflow_dtypes(layout, tf)
    for shape in shapes():
        other = tf.ones(tuple(s + 3 for s in shape[:6]) + (1,))
        check(layout, id(other), tuple(other.shape), "float32", dlpack_address(tf, other))
    return layout
