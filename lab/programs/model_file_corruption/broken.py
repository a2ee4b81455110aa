# question: 5
# claim: a corrupt model file segfaults
# really: of all formats only .tflite does: its reader believes the offsets in the file, exit 139 or, rarely, all memory
# expect: corrupt-input strong
# ends: SIGSEGV|SIGKILL|exit 1
# memory: 3000
# says: mnist\.tflite
# fix: mnist\.tflite
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# A model that was copied to its device, only not to the end.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28)),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
blob = tf.lite.TFLiteConverter.from_keras_model(model).convert()
with open("mnist.tflite", "wb") as file:
    file.write(blob[:len(blob) // 2])

interpreter = tf.lite.Interpreter("mnist.tflite")  # here
interpreter.allocate_tensors()
interpreter.set_tensor(interpreter.get_input_details()[0]["index"], np.zeros((1, 28, 28), np.float32))
interpreter.invoke()
