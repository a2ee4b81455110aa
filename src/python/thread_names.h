// The names of threads as the program gave them: threading keeps its living threads in a dictionary, by the number
// that pthread_self() gives.
#pragma once
#include <cstdint>
#include <string_view>

#include "python/objects.h"

namespace sigwhy::python {

using VisitThreadName = FunctionRef<void(std::uint64_t thread_id, std::string_view name)>;

void walk_thread_names(const Objects& objects, Address interpreter, VisitThreadName visit);

}  // namespace sigwhy::python
