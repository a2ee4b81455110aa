# expect: memory-leak strong
# ends: SIGKILL
# memory: 300
# needs: numpy long
# says: STRONG memory-leak list `[\w.]*seen` keeps growing
# says: grow_class_attribute\.py:17
#
# A list in the class, shared by all its objects: each object goes, the list
# stays.
import numpy as np


class Augment:
    seen = []

    def __call__(self, image):
        self.seen.append(image * 2)
        return np.tanh(np.sort(image))


rng = np.random.default_rng(7)
for step in range(100000):
    image = rng.random((512, 512), dtype=np.float32)
    for _ in range(2):
        image = Augment()(image)
