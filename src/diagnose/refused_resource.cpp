#include "diagnose/refused_resource.h"

#include "diagnose/python_failure.h"
#include "evidence/own_code.h"

namespace sigwhy::diagnose {

namespace {

bool is_plain_mistake(const PyException& e) {
  return is_a(e, {"LookupError", "KeyError", "IndexError", "NameError", "UnboundLocalError", "ZeroDivisionError"}) &&
         !e.traceback.empty() && is_own_code(e.traceback.front());
}

}  // namespace

std::optional<std::size_t> refused_resource(const Facts& f, FunctionRef<bool(const PyException&)> is_one) {
  const auto& all = f.snapshot.python_exceptions;
  const bool answered = is_plain_mistake(root_of(f.snapshot, *f.failure));
  for (std::size_t i = 0; i < all.size(); ++i)
    if (is_one(all[i]) && (!answered || ended_it(*f.failure, i))) return i;
  return std::nullopt;
}

}  // namespace sigwhy::diagnose
