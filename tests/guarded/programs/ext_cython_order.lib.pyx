# cython: boundscheck=False, wraparound=False, language_level=3
from libc.stdlib cimport free, malloc

def picked(const double[::1] values, Py_ssize_t sorted_count):
    cdef Py_ssize_t i, n = values.shape[0]
    cdef int *order = <int *>malloc(n * sizeof(int))
    cdef double total = 0
    for i in range(sorted_count):
        order[i] = <int>(n - 1 - i)
    for i in range(n):
        total += values[order[i]]
    free(order)
    return total
