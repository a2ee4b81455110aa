// The tag of a wheel: "cp311-cp311-manylinux_2_17_x86_64", python-abi-platform, each a list with dots.
#pragma once
#include <string_view>

namespace sigwhy::inventory {

// Whether a CPython of this version on x86-64 Linux may use it.
bool fits(std::string_view tag, int major, int minor);

}  // namespace sigwhy::inventory
