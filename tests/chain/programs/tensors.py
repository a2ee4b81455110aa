"""Makes tensors of many kinds and says what is true of each, as tensor_reader would:
KIND ADDRESS WEIGHT FACTS, then waits until its stdin ends. WEIGHT is `firm` where a
reader who does not know the build must succeed too. `?` in the facts is not known."""
import ctypes
import os
import sys

KEPT = []


def say(kind, tensor, facts, weight="firm", address=None):
    KEPT.append(tensor)
    print(kind, hex(address or id(tensor)), weight, facts)


def listed(numbers):
    return "(%s)" % ",".join(str(n) for n in numbers)


# --- torch

def torch_facts(t):
    item = t.element_size()
    text = "%s %d %s" % (str(t.dtype).split(".")[-1], item, listed(t.shape))
    if t.layout is not sys.modules["torch"].strided:
        return text + " strides ? bytes %d device cpu" % (t.numel() * item)
    text += " strides " + listed(s * item for s in t.stride())
    if t.device.type != "cpu":
        return text + " bytes %d device %s" % (t.numel() * item, t.device)
    storage = t.untyped_storage() if hasattr(t, "untyped_storage") else t.storage()
    if storage.nbytes() == 0:
        return text + " ? bytes 0 device cpu ?"
    return text + " data %#x bytes %d device cpu memory %#x %d" % (
        t.data_ptr() or storage.data_ptr() + t.storage_offset() * item, t.numel() * item, storage.data_ptr(),
        storage.nbytes())


def torch_tensors(torch):
    for rank in range(17):
        shape = [2 + (i % 2) for i in range(rank)]
        yield torch.ones(shape), "firm"
        yield torch.zeros(shape, dtype=torch.int64).transpose(0, -1) if rank else torch.tensor(7), "firm"
    for name in ("bool uint8 int8 int16 int32 float16 bfloat16 float64 complex64 complex128 "
                 "float8_e4m3fn uint16 uint64").split():
        if hasattr(torch, name):
            yield torch.empty((5, 70000), dtype=getattr(torch, name)), "firm"
    base = torch.arange(1000.0).reshape(10, 100)
    views = [base[3:7, 10:90:2], base.t(), base[2].expand(6, 100), base.view(torch.int32), base.detach()[..., 5]]
    for view in views:
        yield view, "firm"
    yield torch.nn.Parameter(torch.ones(4, 3, 2)), "firm"
    yield torch.nn.Linear(13, 7).weight, "firm"
    yield torch.ones(5, 5, requires_grad=True) * 2, "firm"
    yield torch.frombuffer(bytearray(4000), dtype=torch.float32, offset=400).reshape(9, 100), "firm"
    yield torch.empty(0, 4), "light"
    yield torch.empty(3, 4, device="meta"), "light"
    yield torch.eye(5).to_sparse(), "light"


def say_torch():
    import torch

    class Named(torch.Tensor):
        pass

    for tensor, weight in torch_tensors(torch):
        say("torch", tensor, torch_facts(tensor), weight)
    named = torch.ones(3, 4).as_subclass(Named)
    say("torch", named, torch_facts(named))
    say("torch", torch.ones([1] * 17), "nothing")


# --- TensorFlow

def data_address(tf, tensor):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    try:
        capsule = tf.experimental.dlpack.to_dlpack(tensor)
    except Exception:  # it has no name for this dtype, or the tensor is not on its first CPU
        return "?"
    KEPT.append(capsule)
    managed = get(capsule, b"dltensor")
    return hex(ctypes.c_uint64.from_address(managed).value + ctypes.c_uint64.from_address(managed + 40).value)


def tensorflow_facts(tf, t):
    item = t.dtype.size
    count = 1
    for size in t.shape:
        count *= size
    data = " ?" if count == 0 else " data " + data_address(tf, t)
    return "%s %d %s%s bytes %d device cpu" % (t.dtype.name, item, listed(t.shape), data, count * item)


def tensorflow_tensors(tf):
    for rank in range(9):
        shape = [2 + (i % 2) for i in range(rank)]
        yield tf.ones(shape), "firm"
        yield tf.constant(tf.zeros(shape, tf.int64).numpy()), "firm"
    for name in "bool uint8 int8 uint16 int16 int32 uint32 uint64 float16 bfloat16 float64 complex64 complex128".split():
        yield tf.zeros((5, 70000), getattr(tf, name)), "firm"
    big = tf.reshape(tf.range(4000.0), (4, 10, 100))
    for part in list(tf.unstack(big)) + [big[1:3], tf.reshape(big, (40, 100)), tf.transpose(big)]:
        yield part, "firm"
    yield tf.identity(big), "firm"
    yield tf.zeros((0, 5)), "light"
    yield tf.zeros((5 << 32, 0)), "light"
    with tf.device("CPU:1"):
        yield tf.ones((3, 4)) + 1, "light"  # layouts that are alike else may name devices elsewhere


def say_tensorflow():
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf
    one = tf.config.LogicalDeviceConfiguration()
    tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], [one, one])
    for tensor, weight in tensorflow_tensors(tf):
        say("tensorflow", tensor, tensorflow_facts(tf, tensor), weight)
    say("tensorflow", tf.constant(["a", "b"]), "string 0 (2) bytes 0 device cpu", "light")
    for shape in ((), (7,), (3, 4, 5), (2, 1, 2, 1, 2, 1, 2)):
        variable = tf.Variable(tf.ones(shape) * 2)
        say("tensorflow", variable, tensorflow_facts(tf, variable.read_value()) + " variable", "variable",
            id(variable.handle))


def main():
    for name, tell in (("torch", say_torch), ("tensorflow", say_tensorflow)):
        try:
            __import__(name)
        except ImportError:
            continue
        tell()
    print("end")
    sys.stdout.flush()
    sys.stdin.read()


main()
