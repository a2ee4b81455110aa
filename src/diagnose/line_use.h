// How a name is used on a source line. That a list of unequal rows or a None stands on the failing line proves little:
// `f(x, mask).reshape(-1)` fails for what f() returned, not for `mask`. Only a name that is itself given to the call,
// stands beside the operator, or has the member asked of it can be accused.
#pragma once
#include <string_view>

namespace sigwhy::diagnose {

// A whole argument or element: `np.array(rows)`, `fit(x, y=labels)`; not `[f(r) for r in rows]` nor `map(f, rows)`.
bool is_given_whole(std::string_view line, std::string_view name);
// Beside an operator: `x * weight`, `out - target`.
bool is_operand(std::string_view line, std::string_view name);
bool has_member_read(std::string_view line, std::string_view name, std::string_view member);  // `image.shape`
// The two meet in one operation, `a` on the left: `a @ b`, `f(a, b)`, `a.dot(b)`; not `f(g(a), b)` nor `f(a, b.T)`. A
// line that does not show both names tells nothing against it: they are arguments of the function called there.
bool may_meet(std::string_view line, std::string_view a, std::string_view b);
// `best[i] = ...`: an element is set.
bool sets_element(std::string_view line);

}  // namespace sigwhy::diagnose
