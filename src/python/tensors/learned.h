// The layouts that `sigwhy learn` found on this machine: one file each in $XDG_CACHE_HOME/sigwhy/layouts, else in
// ~/.cache/sigwhy/layouts. Opens files: for the start of a program, never for the grab.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "python/tensors/tensor_layout.h"

namespace sigwhy::python {

// Empty where there is no home.
std::string learned_layout_folder();

// The newest files first, a bounded number of them; what is no layout is passed over.
std::vector<TensorLayout> load_learned_layouts(const std::string& folder);

// For the whole process: loaded once, at its start; until then there are none.
void remember_learned_layouts();
std::span<const TensorLayout> learned_layouts();

}  // namespace sigwhy::python
