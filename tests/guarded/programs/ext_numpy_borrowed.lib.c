#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/ndarrayobject.h>

static PyObject *window(PyObject *self, PyObject *args) {
    long size;
    if (!PyArg_ParseTuple(args, "l", &size)) return NULL;
    double *values = malloc(size * sizeof *values);
    for (long i = 0; i < size; i++) values[i] = 1.0 - (double)i / size;
    npy_intp shape[] = {size};
    PyObject *array = PyArray_SimpleNewFromData(1, shape, NPY_DOUBLE, values);
#ifdef REPAIRED
    PyArray_ENABLEFLAGS((PyArrayObject *)array, NPY_ARRAY_OWNDATA);
#else
    free(values);
#endif
    return array;
}

static PyMethodDef methods[] = {{"window", window, METH_VARARGS, ""}, {0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "windows", NULL, -1, methods};

PyMODINIT_FUNC PyInit_windows(void) {
    import_array();
    return PyModule_Create(&module);
}
