#include <algorithm>

#include "python/tensors/identity.h"
#include "python/tensors/tensor.h"

namespace sigwhy::python {

namespace {

// The file whose build stands for the framework's. Debian adds the release to the name.
std::optional<TensorKind> framework_of(std::string_view name) {
  if (name.starts_with("libtorch_python.so")) return TensorKind::torch;
  if (name.starts_with("libtensorflow_framework.so")) return TensorKind::tensorflow;
  return std::nullopt;
}

const TensorLayout* with_identity(std::span<const TensorLayout> layouts, TensorKind kind, std::uint64_t identity) {
  for (const TensorLayout& layout : layouts)
    if (layout.kind == kind && std::ranges::find(layout.identities, identity) != layout.identities.end()) return &layout;
  return nullptr;
}

bool alike(const TensorFacts& a, const TensorFacts& b) {
  return a.dtype == b.dtype && a.data == b.data && a.dims.size == b.dims.size && std::ranges::equal(a.dims, b.dims);
}

// A scalar's numbers are all 1: too little to settle which layout this build has.
bool telling(const TensorFacts& facts) { return facts.dims.size >= 2 && facts.bytes > facts.item_bytes; }

// From then on empty tensors, and those without memory, are believed too.
constexpr int enough_proofs = 3;

}  // namespace

void TensorLayouts::look_at(const Memory& memory, const LoadedFile& file) {
  const auto kind = framework_of(file.name);
  if (!kind) return;
  Framework& framework = frameworks_[static_cast<std::size_t>(*kind)];
  if (framework.loaded) return;
  framework.loaded = true;
  const auto identity = identity_of(memory, file.base);
  if (!identity) return;
  // what this user's interpreter was asked for says more than what we brought along
  framework.known = with_identity(learned_, *kind, *identity);
  if (!framework.known) framework.known = with_identity(shipped_tensor_layouts(), *kind, *identity);
}

std::optional<TensorFacts> TensorLayouts::read(const Memory& memory, TensorKind kind, Address object) {
  Framework& framework = frameworks_[static_cast<std::size_t>(kind)];
  if (!framework.loaded) return std::nullopt;
  const auto trust = framework.known || framework.proofs >= enough_proofs ? LayoutTrust::known : LayoutTrust::guessed;
  const TensorLayout* layout = framework.known ? framework.known : framework.adopted;
  auto facts = layout ? read_tensor(memory, *layout, object, trust) : guess(memory, kind, object);
  // layouts that are alike in tensors may differ in variables
  if (facts && !framework.known && facts->dtype == "resource")
    if (const auto value = guess(memory, kind, object)) facts = value;
  if (facts && telling(*facts) && trust == LayoutTrust::guessed) ++framework.proofs;
  framework.failed |= !facts;
  return facts;
}

// All layouts of the framework are asked; those that find something must find the same.
std::optional<TensorFacts> TensorLayouts::guess(const Memory& memory, TensorKind kind, Address object) {
  std::optional<TensorFacts> found;
  const TensorLayout* by = nullptr;
  for (const auto& layouts : {learned_, shipped_tensor_layouts()})
    for (const TensorLayout& layout : layouts) {
      if (layout.kind != kind) continue;
      const auto facts = read_tensor(memory, layout, object, LayoutTrust::guessed);
      if (!facts) continue;
      if (found && !alike(*found, *facts)) return std::nullopt;
      if (!found) by = &layout;
      found = facts;
    }
  if (found && telling(*found)) frameworks_[static_cast<std::size_t>(kind)].adopted = by;
  return found;
}

}  // namespace sigwhy::python
