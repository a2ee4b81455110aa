// Errors are values: what failed, why, and what the user can do about it. They cross folders as Result<T>
// and are printed once, in cli.
#pragma once
#include <expected>
#include <string>

namespace sigwhy {

struct Error {
  std::string what;
  std::string cause;
  std::string remedy;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> failure(std::string what, std::string cause = {}, std::string remedy = {}) {
  return std::unexpected(Error{std::move(what), std::move(cause), std::move(remedy)});
}

// "cannot open x: No such file" from errno, in the form the rest of the program prints.
Error errno_error(std::string what, int error_number, std::string remedy = {});

}  // namespace sigwhy
