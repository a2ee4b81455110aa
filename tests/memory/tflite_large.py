# expect: out-of-memory-killed proven
# looks-like: corrupt-input memory-leak
# ends: SIGKILL
# memory: 1500
# needs: tensorflow long
#
# The reader of tflite_count with a sound file, asked for too many rows.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input((28, 28)),
                             tf.keras.layers.Flatten(),
                             tf.keras.layers.Dense(784)])
with open("sound.tflite", "wb") as file:
    file.write(tf.lite.TFLiteConverter.from_keras_model(model).convert())

interpreter = tf.lite.Interpreter("sound.tflite")
given = interpreter.get_input_details()[0]["index"]
interpreter.resize_tensor_input(given, (800_000, 28, 28))
interpreter.allocate_tensors()
interpreter.invoke()
