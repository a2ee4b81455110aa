#include <stdexcept>
#include <string>
extern "C" int make_optimiser(const char *name) {
    if (std::string(name) != "sgd")
        throw std::invalid_argument(std::string("unknown optimiser ") + name);
    return 1;
}
