// The parts of facts_of, one per file.
#pragma once
#include "diagnose/facts.h"

namespace sigwhy::diagnose {

void add_frames(Facts& facts);  // facts_frames.cpp
void add_fault(Facts& facts);   // facts_fault.cpp
void add_stack(Facts& facts);   // facts_stack.cpp
void add_python(Facts& facts);  // facts_python.cpp
void add_arrays(Facts& facts);  // facts_arrays.cpp
void add_array_access(Facts& facts);  // facts_array_access.cpp
void add_guard(Facts& facts);  // facts_guard.cpp

}  // namespace sigwhy::diagnose
