#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/ndarrayobject.h>
#include <numpy/ufuncobject.h>

static void scaled(char **args, const npy_intp *sizes, const npy_intp *steps, void *data) {
    char *x = args[0], *scale = args[1], *out = args[2];
    for (npy_intp i = 0; i < sizes[0]; i++) {
        *(double *)out = *(double *)x * *(double *)scale;
#ifdef REPAIRED
        x += steps[0];
#else
        x += sizeof(double);
#endif
        scale += steps[1];
        out += steps[2];
    }
}

static PyUFuncGenericFunction loops[] = {scaled};
static const char types[] = {NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "rows", NULL, -1};

PyMODINIT_FUNC PyInit_rows(void) {
    import_array();
    import_umath();
    PyObject *made = PyModule_Create(&module);
    PyModule_AddObject(made, "scaled", PyUFunc_FromFuncAndData(
        loops, NULL, types, 1, 2, 1, PyUFunc_None, "scaled", NULL, 0));
    return made;
}
