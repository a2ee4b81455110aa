# Whole examples.
import numpy as np
import tensorflow as tf


def serialised(image, label):
    return tf.train.Example(features=tf.train.Features(feature={
        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image.tobytes()])),
        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
    })).SerializeToString()


path = "train.tfrecord"
with tf.io.TFRecordWriter(path) as records:
    for i in range(64):
        records.write(serialised(np.random.rand(784).astype(np.float32), i % 10))

SHAPE = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(record):
    example = tf.io.parse_single_example(record, SHAPE)
    return tf.reshape(tf.io.decode_raw(example["image"], tf.float32), [784]), example["label"]


model = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="softmax", input_shape=(784,))])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(tf.data.TFRecordDataset(path).map(parse).batch(16), epochs=1, verbose=0)
