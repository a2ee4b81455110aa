// How two shapes that an error names do not fit. That depends on the operation: arithmetic lines dimensions up from the
// last one, a product joins an inner pair, stacking wants them alike, and of the others nothing is known. A pair of
// dimensions is named only where the operation is known to compare just these.
#pragma once
#include <string_view>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

enum class Operation { arithmetic, product, stacking, other };

// By the error's words and by the line; `a` and `b` are the operands' names.
Operation operation_of(std::string_view words, std::string_view line, std::string_view a, std::string_view b);

struct Clash {
  enum class Of { dimensions, ranks, shapes } of = Of::shapes;
  std::size_t dimension_a = 0, dimension_b = 0;  // for dimensions
};

// Nothing: they fit, as far as can be told.
std::optional<Clash> clash_of(const Array& a, const Array& b, Operation operation, std::string_view words,
                              std::string_view line);

}  // namespace sigwhy::diagnose
