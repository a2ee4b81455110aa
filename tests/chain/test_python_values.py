"""Values and arrays of a dead Python program, read from outside, against what the program itself knew of them."""
import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "lab"))
from stage.environments import environment  # noqa: E402
from test_python_frames import interpreters  # noqa: E402

# Runs on 2.7 too. What it says of itself goes to truth.json; then it dies in C.
PROGRAM = '''\
import array, ctypes, json, mmap, sys

class Holder(object):
    def __init__(self):
        self.rows = [array.array("d", [1, 2, 3]), array.array("i", [4])]
        self.by_name = {"image": array.array("f", [0] * 12)}
        self.count = 7

class Plain:
    def __init__(self):
        self.inside = array.array("d", [5, 6])

class Layered(object):  # as torch keeps its layers
    def __init__(self, layers, weights):
        self._modules, self._parameters = layers, weights

def told(a):
    address, length = a.buffer_info()
    return {"bytes": length * a.itemsize, "data": address, "shape": [length]}

def hold(number, negative, half, text, path, nothing, *rest, **named):
    yes = True
    big = 2 ** 70
    far = -(2 ** 40)
    shared = [1] * 100
    mixed = (1, "two", 3.0, None)
    ragged = [[1, 2, 3]] * 4 + [[1, 2]]
    mapping = {"image": [1, 2], 3: "x"}
    members = set([1, 2, 3])
    view = memoryview(bytearray(b"12345678"))
    raw = bytearray(b"abc")
    numbers = array.array("d", [1.5, 2.5])
    five = (ctypes.c_int * 5)()
    to_five = ctypes.pointer(five)
    page = mmap.mmap(-1, 8192)
    holder = Holder()
    plain = Plain()
    bias = [array.array("f", [1, 2, 3])]
    net = Layered({"fc": Layered({}, {"weight": array.array("f", [0] * 6)}),
                   "seq": Layered({"0": Layered({}, {"bias": bias.pop()})}, {})}, {})
    closure = lambda: shared
    truth = {"numbers": told(numbers), "holder.rows[0]": told(holder.rows[0]), "holder.rows[1]": told(holder.rows[1]),
             "holder.by_name['image']": told(holder.by_name["image"]), "plain.inside": told(plain.inside),
             "net.fc.weight": told(net._modules["fc"]._parameters["weight"]),
             "net.seq[0].bias": told(net._modules["seq"]._modules["0"]._parameters["bias"]),
             "five": {"bytes": 20, "data": ctypes.addressof(five), "shape": [5]},
             "raw": {"bytes": 3, "shape": [3]}, "view": {"bytes": 8, "shape": [8]},
             "page": {"bytes": 8192, "data": ctypes.addressof(ctypes.c_char.from_buffer(page)), "shape": [8192]}}
    with open("truth.json", "w") as out:
        json.dump(truth, out)
    ctypes.string_at(0)

hold(41, -5, 0.5, " ".join(["not", "for", "eyes"]), "/data/set.npy", None, 1, 2, key=3)
'''

SHOWN = {"number": "41", "negative": "-5", "half": "0.5", "path": "'/data/set.npy'", "nothing": "None", "yes": "True",
         "far": "-1099511627776"}
LENGTHS = {"text": 12, "rest": 2, "named": 1, "shared": 100, "mixed": 4, "ragged": 5, "mapping": 2, "members": 3, "raw": 3}


def dying(case):
    return [t for t in case["snapshot"]["threads"] if t["died"]][0]


def frame_of(case, function):
    return [f for f in dying(case)["python"] if f["function"].split(".")[-1] == function][0]


def check_arrays(run, truth):
    arrays = {a["name"]: a for a in run.case["snapshot"]["arrays"]}
    for name, known in truth.items():
        seen = arrays[name]
        assert seen["bytes"] == known["bytes"] and seen["shape"] == known["shape"], name
        if "data" in known:
            assert int(seen["data"], 16) == known["data"], name
        for field in ("dtype", "strides", "owns_memory", "writable"):
            if field in known:
                assert seen[field] == known[field], (name, field)
    return arrays


@pytest.mark.parametrize("python", interpreters(), ids=lambda p: p.split("/")[-3])
def test_every_interpreter(bench, python):
    (bench.folder / "train.py").write_text(PROGRAM)
    run = bench.run(python, "train.py")
    assert run.status == -11
    values = {v["name"]: v for v in frame_of(run.case, "hold")["values"]}
    for name, text in SHOWN.items():
        assert values[name]["text"] == text
    for name, length in LENGTHS.items():
        assert values[name]["length"] == length
    # Strings stay in the process unless asked for, a number too large for a register is not guessed.
    assert "text" not in values["text"] and "not for eyes" not in json.dumps(run.case)
    assert "text" not in values["big"]
    assert [v["name"] for v in values.values() if v["argument"]] == ["number", "negative", "half", "text", "path", "nothing"]
    assert [(g["length"], g["count"], g["first"]) for g in values["ragged"]["elements"]] == [(3, 4, 0), (2, 1, 4)]
    assert {i["name"]: i.get("text") for i in values["holder"]["items"]}[".count"] == "7"
    arrays = check_arrays(run, json.loads((bench.folder / "truth.json").read_text()))
    assert arrays["to_five"]["points_to"] == arrays["five"]["data"]


def test_policies(bench):
    (bench.folder / "train.py").write_text(PROGRAM)
    all_values = bench.run("/usr/bin/python3", "train.py", options=["--values"])
    values = {v["name"]: v for v in frame_of(all_values.case, "hold")["values"]}
    assert values["text"]["text"] == "'not for eyes'"
    none = bench.run("/usr/bin/python3", "train.py", options=["--no-values"])
    values = {v["name"]: v for v in frame_of(none.case, "hold")["values"]}
    assert all("text" not in v for v in values.values()) and values["text"]["type"] == "str"


NUMPY = '''\
import ctypes, json
import numpy as np

class Model(object):
    def __init__(self):
        self.weights = {"dense": [np.ones((784, 128), np.float32), np.zeros(128, np.float32)]}

def truth_of(**arrays):
    out = {}
    for name, a in arrays.items():
        out[name] = {"bytes": a.nbytes, "shape": list(a.shape), "strides": list(a.strides), "data": a.ctypes.data,
                     "owns_memory": bool(a.flags.owndata), "writable": bool(a.flags.writeable)}
        if a.dtype.names is None and a.dtype.kind not in "SUMm" and a.dtype.isnative:
            out[name]["dtype"] = a.dtype.name
    return out

def hold():
    floats = np.arange(24, dtype=np.float64).reshape(2, 3, 4)
    halves = floats.astype(np.float16)
    turned = floats.transpose(2, 0, 1)[::-1, :, 1:]
    fortran = np.asfortranarray(floats)
    labels = np.zeros(60000, np.int64)
    bits = np.array([True, False])
    nothing = np.zeros((0, 28, 28), np.float32)
    scalar = np.array(3.5)
    waves = np.zeros(4, np.complex64)
    words = np.array(["abc", "de"])
    octets = np.array([b"abcd"])
    foreign = np.zeros(3, ">i4")
    records = np.zeros(5, [("x", "<f4"), ("y", "<i8"), ("name", "S3")])
    days = np.zeros(2, "datetime64[D]")
    lists = np.empty(4, object)
    lists[:] = [[1, 2], [1, 2], [3], None]
    frozen = np.ones(3)
    frozen.flags.writeable = False
    mapped = np.memmap("mapped.bin", np.uint8, "w+", shape=(100, 10))
    wrapped = np.frombuffer(bytearray(64), np.uint16)
    deep = np.zeros([1] * 20)
    single, many = np.float32(2.5), np.uint8(200)
    model = Model()
    json.dump(truth_of(floats=floats, halves=halves, turned=turned, fortran=fortran, labels=labels, bits=bits,
                       nothing=nothing, scalar=scalar, waves=waves, words=words, octets=octets, foreign=foreign,
                       records=records, days=days, lists=lists, frozen=frozen, mapped=mapped, wrapped=wrapped, deep=deep,
                       **{"model.weights['dense'][0]": model.weights["dense"][0]}), open("truth.json", "w"))
    ctypes.string_at(0)

hold()
'''


def check_numpy(bench, python):
    (bench.folder / "train.py").write_text(NUMPY)
    run = bench.run(python, "train.py")
    arrays = check_arrays(run, json.loads((bench.folder / "truth.json").read_text()))
    assert arrays["records"]["dtype"] == "[('x', '<f4'), ('y', '<i8'), ('name', '|S3')]"
    assert arrays["words"]["dtype"] == "<U3" and arrays["foreign"]["dtype"] == ">i4"
    assert [(g["type"], g.get("length"), g["count"]) for g in arrays["lists"]["elements"]] == [
        ("list", 2, 2), ("list", 1, 1), ("NoneType", None, 1)]
    assert [b["type"] for b in arrays["turned"]["base"]] == ["ndarray", "ndarray"][:len(arrays["turned"]["base"])]
    assert arrays["turned"]["memory_bytes"] == 192 and "mmap" in [b["type"] for b in arrays["mapped"]["base"]]
    assert arrays["wrapped"]["base"][0]["type"] in ("bytearray", "memoryview") and arrays["wrapped"]["memory_bytes"] == 64
    values = {v["name"]: v for v in frame_of(run.case, "hold")["values"]}
    assert values["single"]["text"] == "2.5" and values["many"]["text"] == "200"


def test_numpy_1(bench):
    check_numpy(bench, "/usr/bin/python3")


def test_numpy_2(bench):
    python = environment("numpy-2", ["numpy>=2"], ["numpy"])
    if not python:
        pytest.skip("pip cannot get NumPy 2")
    check_numpy(bench, python)


def test_other_threads_show_names_and_types_only(bench):
    (bench.folder / "train.py").write_text('''\
import ctypes, threading
ready, stay = threading.Event(), threading.Event()
def wait(secret_number):
    ready.set()
    stay.wait()
threading.Thread(target=wait, args=(4711,), daemon=True).start()
ready.wait()
ctypes.string_at(0)
''')
    run = bench.run("/usr/bin/python3", "train.py")
    frames = [f for t in run.case["snapshot"]["threads"] if not t["died"] for f in t["python"] if f["function"] == "wait"]
    assert [(v["name"], v["type"], v.get("text")) for v in frames[0]["values"]] == [("secret_number", "int", None)]
