# cython: boundscheck=False, wraparound=False, language_level=3
def edges(const unsigned char[:, ::1] image, int[:, ::1] out, Py_ssize_t first):
    cdef Py_ssize_t y, x
    for y in range(first, image.shape[0]):
        for x in range(image.shape[1]):
            out[y, x] = image[y, x] - image[y - 1, x]
