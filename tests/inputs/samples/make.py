#!/usr/bin/env python3
"""Makes the sound samples of this folder with the real libraries.

    VENV/bin/python tests/inputs/samples/make.py     TensorFlow, Keras and h5py: all but the .pt
    VENV/bin/python tests/inputs/samples/make.py pt  PyTorch and safetensors: the .pt and the .safetensors

They are committed, so that the unit tests need none of these. Each is small:
the smallest model that has every part of its format that the tests break.
"""
import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    os.chdir(HERE)
    if sys.argv[1:] == ["pt"]:
        make_torch()
    else:
        make_tensorflow()
        make_hdf5()
        make_records()
        make_arrays()


def make_torch():
    import torch
    torch.save({"weight": torch.arange(12.0).reshape(3, 4), "step": 7}, "state.pt")
    from safetensors.torch import save_file
    save_file({"weight": torch.arange(12.0).reshape(3, 4), "bias": torch.zeros(3, dtype=torch.bfloat16), "steps": torch.tensor(7)},
              "weights.safetensors", metadata={"format": "pt"})


def make_tensorflow():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import keras
    import numpy as np
    import tensorflow as tf
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    dense = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(3, activation="relu"), keras.layers.Dense(2)])
    Path("dense.tflite").write_bytes(tf.lite.TFLiteConverter.from_keras_model(dense).convert())
    dense.save("dense.h5")
    dense.save("dense.keras")

    class Affine(tf.Module):
        def __init__(self):
            self.weight = tf.Variable(np.arange(6, dtype=np.float32).reshape(2, 3))
            self.labels = tf.Variable(["cat", "dog", ""])

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        def apply(self, x):
            return x @ self.weight + tf.constant(np.arange(3, dtype=np.float32))

    affine = Affine()
    shutil.rmtree("affine", ignore_errors=True)
    tf.saved_model.save(affine, "affine")
    tf.train.Checkpoint(model=affine).write("state")
    frozen = convert_variables_to_constants_v2(affine.apply.get_concrete_function())
    Path("frozen_graph.pb").write_bytes(frozen.graph.as_graph_def().SerializeToString(deterministic=True))


def make_records():
    """The same 20 records three times; those compressed are one stream each."""
    import tensorflow as tf
    for name, compression in ("digits.tfrecord", ""), ("digits.tfrecord.gz", "GZIP"), ("digits.tfrecord.zlib", "ZLIB"):
        with tf.io.TFRecordWriter(name, tf.io.TFRecordOptions(compression_type=compression)) as writer:
            for i in range(20):
                feature = {"label": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
                           "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[bytes(range(i, i + 40))]))}
                writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString(deterministic=True))


def make_arrays():
    import gzip
    import numpy as np
    np.save("floats.npy", np.arange(60, dtype=np.float32).reshape(3, 4, 5))
    np.save("fields.npy", np.zeros(4, [("id", "<i8"), ("at", "<f4", (3,)), ("name", "<U5"), ("box", [("x", "i2"), ("y", "i2")])]))
    np.savez("stored.npz", x=np.arange(100, dtype=np.float64), y=np.arange(10, dtype=np.int16))
    np.savez_compressed("deflated.npz", x=np.arange(100, dtype=np.float64), y=np.arange(10, dtype=np.int16))
    with gzip.GzipFile("text.gz", "wb", mtime=0) as file:
        file.write(b"".join(b"line %d of the text\n" % i for i in range(200)))


def make_hdf5():
    import h5py
    import numpy as np
    with h5py.File("latest.h5", "w", libver="latest") as file:
        for name in ("kernel", "bias"):
            data = file.create_dataset(f"layer/{name}", data=np.arange(12, dtype=np.float32).reshape(3, 4))
            data.attrs["trainable"] = True
        file.create_dataset("chunked", data=np.arange(200, dtype=np.int16), chunks=(50,), compression="gzip")
    with h5py.File("chunked.h5", "w") as file:
        file.create_dataset("x", data=np.arange(400, dtype=np.int32).reshape(20, 20), chunks=(5, 20), compression="gzip")
        file.create_dataset("checked", data=np.arange(100, dtype=np.float64), chunks=(50,), fletcher32=True)
        file.attrs["names"] = ["kernel", "bias"]


if __name__ == "__main__":
    main()
