// What variations ask about a program before they change it. Everything comes from the case and its recipe.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "experiment/variation.h"

namespace sigwhy::experiment {

bool runs_python(const Subject& subject);

// A library of this Python package, or one whose file name begins so, was loaded.
bool has_package(const Subject& subject, std::string_view package);
bool has_library(const Subject& subject, std::string_view file_name_start);

// It ended without a failure: there is no death to take away.
bool has_death(const Subject& subject);

// A bad access to memory can be behind it: everything but what is proven to be something else, and what somebody ended.
bool guard_may_tell(const Subject& subject);

// The death is a bad access to memory, damage done by one, or not known.
bool may_be_memory_fault(const Subject& subject);

// A program that died without the guard in it: static, or with privileges of its own.
std::string guard_was_missing(const Trial& trial);

const Finding* finding_of(const Case& c, Cause cause);

// The cause that the case's verdict names.
Cause verdict_of(const Subject& subject);

std::optional<std::string> variable(const Recipe& recipe, std::string_view name);

// The bound of the memory group in which it was killed, or that is nearest to it.
std::optional<std::uint64_t> memory_limit(const Case& c);

std::uint64_t threads_of(const Case& c);

// Processes of its tree that run the same program: workers.
std::size_t workers_of(const Case& c);

}  // namespace sigwhy::experiment
