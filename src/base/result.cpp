#include "base/result.h"

#include <cstring>

namespace sigwhy {

Error errno_error(std::string what, int error_number, std::string remedy) {
  return {std::move(what), std::strerror(error_number), std::move(remedy)};
}

}  // namespace sigwhy
