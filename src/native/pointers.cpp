#include "native/pointers.h"

#include <algorithm>

#include "native/heap.h"
#include "native/heap_given.h"
#include "native/heap_glibc.h"
#include "native/heap_links.h"
#include "native/heap_strangers.h"
#include "native/pointers_looks.h"
#include "native/reach.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_pointers = 24;
constexpr std::uint64_t near_null_bytes = 64u << 10;

void add_neighbours(Pointer& pointer, const std::vector<Region>& regions) {
  const auto above = std::ranges::upper_bound(regions, pointer.value, {}, &Region::start);
  const auto index = static_cast<std::uint64_t>(above - regions.begin());
  if (above != regions.end()) pointer.before = Distance{index, above->start.value - pointer.value.value};
  if (above == regions.begin()) return;
  const auto& below = *std::prev(above);
  pointer.behind = Distance{index - 1, pointer.value.value - below.end.value};
}

class Collection {
 public:
  Collection(const Target& target, const std::vector<Region>& regions) : target_(target), regions_(regions) {}

  void add(const std::string& role, Address value) {
    const auto known = [&](const Pointer& p) { return p.role == role; };
    if (pointers_.size() < most_pointers && std::ranges::none_of(pointers_, known))
      pointers_.push_back(describe_pointer(role, value, target_, regions_));
  }
  void add(Pointer pointer) { pointers_.push_back(std::move(pointer)); }
  std::vector<Pointer> take() && { return std::move(pointers_); }

 private:
  const Target& target_;
  const std::vector<Region>& regions_;
  std::vector<Pointer> pointers_;
};

void add_operand(const Fault& fault, Collection& into) {
  if (!fault.instruction || !fault.operand || *fault.operand >= fault.instruction->operands.size()) return;
  const auto& operand = fault.instruction->operands[*fault.operand];
  if (operand.base && operand.base_value && *operand.base != "rip") into.add(*operand.base, *operand.base_value);
  if (operand.index && operand.index_value) into.add(*operand.index, *operand.index_value);
}

// What the bad pointer was read from: by the code, or where it is a link or a mark of the heap's.
void add_holder(const Target& target, const Fault& fault, const std::vector<Frame>& dying, Collection& into) {
  std::optional<Address> value = fault.address;
  const auto* operand = fault.instruction && fault.operand && *fault.operand < fault.instruction->operands.size()
                            ? &fault.instruction->operands[*fault.operand]
                            : nullptr;
  if (operand) value = operand->base_value;
  if (!value || value->value < near_null_bytes || mapping_of(target, *value)) return;
  std::optional<Pointer> holder;
  if (operand && operand->base && !dying.empty()) holder = loaded_holder(target, dying[0], *operand->base, value->value);
  if (!holder) holder = value->canonical() ? link_holder(target, value->value) : mark_holder(target, value->value);
  if (holder) into.add(std::move(*holder));
}

bool is_executable(const Target& target, Address a) {
  const Mapping* m = mapping_of(target, a);
  return m && m->executable;
}

}  // namespace

Pointer describe_pointer(std::string role, Address value, const Target& target, const std::vector<Region>& regions) {
  Pointer pointer{.role = std::move(role), .value = value};
  const auto above = std::ranges::upper_bound(regions, value, {}, &Region::start);
  if (above != regions.begin() && value < std::prev(above)->end)
    pointer.region = static_cast<std::uint64_t>(above - regions.begin()) - 1;
  if (pointer.region) {
    pointer.block = block_at(target, value);
    return pointer;
  }
  if (value.canonical()) add_neighbours(pointer, regions);
  if (value.value >= near_null_bytes) pointer.looks_like = looks_like(value.value, target, regions);
  return pointer;
}

namespace {

bool is_no_block(const Pointer& p, bool certain, const std::vector<Region>& regions) {
  if (p.block && p.block->state == BlockState::in_use && p.block->start < p.value) return true;
  const auto kind = p.region ? regions[*p.region].kind : RegionKind::heap;
  return certain && (kind == RegionKind::stack || kind == RegionKind::thread_stack || kind == RegionKind::file);
}

// What lies in plain memory, but in no block that the heap's headers lead to: too little of a heap was copied, or the
// memory is somebody else's.
std::optional<Pointer> without_block(const Target& target, Address value, const std::vector<Region>& regions) {
  auto pointer = describe_pointer("freed", value, target, regions);
  const auto kind = pointer.region ? regions[*pointer.region].kind : RegionKind::unknown;
  const bool plain = kind == RegionKind::heap || kind == RegionKind::anonymous;
  if (!pointer.block && plain) pointer.block = overwritten_block(target, value);
  const bool told = !pointer.block || pointer.block->state == BlockState::corrupted;
  return plain && told ? std::optional(std::move(pointer)) : std::nullopt;
}

std::optional<Pointer> freed_pointer(const Target& target, int signal, const std::vector<Region>& regions,
                                     const std::vector<Frame>& dying, const std::vector<Module>& modules) {
  const auto given = given_to_free(target, dying, modules);
  if (given) {
    auto pointer = describe_pointer("freed", given->pointer, target, regions);
    if (is_no_block(pointer, given->by_caller, regions)) return pointer;
  }
  std::optional<Pointer> freed;
  if (signal == SIGABRT && given)
    freed = freed_block(target, {given->pointer.value, given->pointer.value - chunk_header_bytes});
  if (signal == SIGABRT && !freed) freed = freed_block(target);
  if (!freed) freed = stranger_given_to_free(target, dying, modules, regions);
  return !freed && given ? without_block(target, given->pointer, regions) : freed;
}

}  // namespace

std::vector<Pointer> pointers_that_matter(const Target& target, const std::optional<Fault>& fault,
                                          const std::vector<Region>& regions, const std::vector<Frame>& dying,
                                          const std::vector<Module>& modules) {
  Collection all(target, regions);
  if (fault) {
    if (fault->address) all.add("fault", *fault->address);
    add_operand(*fault, all);
    if (!is_executable(target, fault->pc)) all.add("pc", fault->pc);
    add_holder(target, *fault, dying, all);
  }
  const int signal = target.signal ? target.signal->si_signo : 0;
  if (signal == SIGSEGV || signal == SIGBUS)
    for (const auto& [name, value] : general_registers(target))
      if (!Address{value}.canonical()) all.add(name, {value});
  if (auto freed = freed_pointer(target, signal, regions, dying, modules)) all.add(std::move(*freed));
  if (signal == SIGABRT)
    if (auto damaged = damaged_block(target)) all.add(std::move(*damaged));
  return std::move(all).take();
}

}  // namespace sigwhy::native
