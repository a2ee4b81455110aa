// The text an exception carries, found by the layout of its class: what() itself cannot be called in a dead
// process. The library's own classes keep a reference-counted string behind the vtable pointer; others are only
// answered where a whole std::string can be seen in the object.
#pragma once
#include <optional>
#include <string>

#include "native/exceptions_type.h"

namespace sigwhy::native {

std::optional<std::string> what_of(const Memory& memory, const TypeInfo& type, Address object);

}  // namespace sigwhy::native
