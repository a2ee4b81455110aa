# The whole file.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28)),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
blob = tf.lite.TFLiteConverter.from_keras_model(model).convert()
with open("mnist.tflite", "wb") as file:
    file.write(blob)

interpreter = tf.lite.Interpreter("mnist.tflite")
interpreter.allocate_tensors()
interpreter.set_tensor(interpreter.get_input_details()[0]["index"], np.zeros((1, 28, 28), np.float32))
interpreter.invoke()
