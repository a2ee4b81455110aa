# confirm: eager refuted
# python: tensorflow
import ctypes

import tensorflow as tf

ctypes.string_at(0x123456000 + int(tf.constant(0)))
