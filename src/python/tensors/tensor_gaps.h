// What could not be read of a process's tensors, said with what would help.
#pragma once
#include <vector>

#include "evidence/gap.h"
#include "python/tensors/tensor.h"

namespace sigwhy::python {

// Ask after the walk: only a tensor that was met and not read is a gap.
inline void add_tensor_gaps(const TensorLayouts& layouts, std::vector<Gap>& gaps) {
  constexpr const char* remedy = "sigwhy learn -- python";
  constexpr const char* why = "it is not known how this build lays them out in memory";
  if (layouts.needs_learning(TensorKind::torch)) gaps.push_back({"torch's tensors", why, remedy});
  if (layouts.needs_learning(TensorKind::tensorflow)) gaps.push_back({"TensorFlow's tensors", why, remedy});
}

}  // namespace sigwhy::python
