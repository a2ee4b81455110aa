# expect: corrupt-input strong
# looks-like: memory-leak
# says: counted.tflite
# ends: SIGKILL
# memory: 1500
# needs: tensorflow long
#
# A bit of a .tflite file flipped: it counts millions of tensors, and its
# reader makes room for all of them before it looks at the first. The kernel's
# kill is true, but neither a higher limit nor fewer samples would help.
import struct

import numpy as np
import tensorflow as tf


def number(blob, at):
    return struct.unpack_from("<I", blob, at)[0]


def field(blob, table, index):
    """Where the value of a flatbuffer table's field lies."""
    layout = table - struct.unpack_from("<i", blob, table)[0]
    at = table + struct.unpack_from("<H", blob, layout + 4 + 2 * index)[0]
    return at + number(blob, at)


model = tf.keras.Sequential([tf.keras.layers.Input((28, 28)),
                             tf.keras.layers.Flatten(),
                             tf.keras.layers.Dense(10)])
images = np.zeros((512, 28, 28), np.float32)
blob = bytearray(tf.lite.TFLiteConverter.from_keras_model(model).convert())
subgraphs = field(blob, number(blob, 0), 2)
first = subgraphs + 4
tensors = field(blob, first + number(blob, first), 0)
struct.pack_into("<I", blob, tensors, number(blob, tensors) + (1 << 24))
with open("counted.tflite", "wb") as file:
    file.write(blob)

interpreter = tf.lite.Interpreter("counted.tflite")
interpreter.allocate_tensors()
