#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
namespace py = pybind11;

static py::array_t<double> transposed(py::array_t<double, py::array::c_style> in) {
    const py::ssize_t rows = in.shape(0), columns = in.shape(1);
    py::array_t<double> out({columns, rows});
    const double *from = in.data();
    double *to = out.mutable_data();
    for (py::ssize_t i = 0; i < rows; i++)
        for (py::ssize_t j = 0; j < columns; j++)
#ifdef REPAIRED
            to[j * rows + i] = from[i * columns + j];
#else
            to[j * columns + i] = from[i * columns + j];
#endif
    return out;
}

PYBIND11_MODULE(shuffle, module) { module.def("transposed", &transposed); }
