// The refused access: where the address lies, which register held the pointer and which the index, and whether
// it was an access at all or a jump out of the code.
#include <signal.h>

#include <algorithm>

#include "diagnose/facts_parts.h"

namespace sigwhy::diagnose {

namespace {

// Above this no program of today has an index; below it no position-independent program has a pointer.
constexpr std::uint64_t lowest_likely_pointer = 1ull << 40;

bool is_mapped(const Place& place) { return place.region.has_value(); }

// With scale 1 either register may hold the pointer: the mapped one does, else the one that looks like one.
bool index_holds_pointer(const OperandPart& base, const OperandPart& index, std::uint64_t scale) {
  if (scale != 1 || is_mapped(base.place)) return false;
  if (is_mapped(index.place)) return true;
  if (base.value == 0 && !Address{index.value}.canonical()) return true;  // no element of anything is that far off
  const auto likely = [](std::uint64_t v) { return v >= lowest_likely_pointer && v < (1ull << 47); };
  return likely(index.value) && !likely(base.value);
}

std::optional<OperandPart> part(const Snapshot& s, const std::optional<std::string>& name,
                                const std::optional<Address>& value) {
  if (!name || !value || *name == "rip" || *name == "eip") return std::nullopt;
  return OperandPart{*name, value->value, place_of(s, *value)};
}

void split_operand(MemoryFault& m, const Snapshot& s) {
  const MemoryOperand& op = *m.operand;
  if (op.segment) return;  // thread-local: the base is no pointer of the program's
  m.base = part(s, op.base, op.base_value);
  m.index = part(s, op.index, op.index_value);
  if (m.base && m.index && index_holds_pointer(*m.base, *m.index, op.scale)) std::swap(m.base, m.index);
  if (m.index) m.index_bytes = static_cast<std::int64_t>(m.index->value * op.scale);
  // "[rdi*8+table]": the constant is the pointer, the register counts.
  if (!m.base && m.index && op.scale == 1) std::swap(m.base, m.index);
}

const MemoryOperand* used_operand(const Fault& fault, std::size_t& index) {
  if (!fault.instruction) return nullptr;
  const auto& operands = fault.instruction->operands;
  if (fault.operand && *fault.operand < operands.size()) {
    index = *fault.operand;
    return &operands[index];
  }
  if (operands.size() != 1) return nullptr;
  index = 0;
  return &operands[0];
}

// Codes beyond these speak of tags, shadow stacks and the like, and their address is not that of an access.
bool code_tells_address(const Facts& f) {
  return f.signal == SIGSEGV ? f.code <= SEGV_PKUERR : f.code == BUS_ADRERR || f.code == BUS_OBJERR;
}

// A kernel that gives no address had a non-canonical one or none: with SI_KERNEL only the operands tell.
bool address_is_to_blame(const Facts& f, const Fault& fault) {
  if (!fault.address || (f.code != si_kernel && !code_tells_address(f))) return false;
  if (f.code != si_kernel) return true;
  return fault.address_computed && !fault.address->canonical();
}

bool is_at_code(const Facts& f, Address pc) {
  const auto place = place_of(f.snapshot, pc);
  return place.region && is_executable(f.snapshot.regions[*place.region]);
}

bool left_the_code(const Facts& f, const Fault& fault) {
  if (fault.access == Access::execute) return true;
  return !f.snapshot.regions.empty() && !is_at_code(f, fault.pc);
}

// At a target without code there is no function of its own: frame 1 is whoever called it. A branch to a
// non-canonical address is refused at the branch itself.
void add_jump(Facts& f, const Fault& fault) {
  const bool at_branch = is_at_code(f, fault.pc);
  const Address target = at_branch ? fault.address.value_or(fault.pc) : fault.pc;
  f.jump = Jump{.target = target, .place = place_of(f.snapshot, target)};
  f.jump->by_return = at_branch && f.instruction && f.instruction->mnemonic.starts_with("ret");
  const std::size_t caller = at_branch ? 0 : 1;
  const bool seen = caller < f.frames.size() && f.dying->frames[caller].trust != Trust::scan;
  if (seen) f.jump->caller = caller;
  f.jump->left_no_return = !at_branch && !seen && !f.frames.empty();
}

void add_memory(Facts& f, const Fault& fault) {
  MemoryFault m{.address = *fault.address,
                .computed = fault.address_computed,
                .access = fault.access,
                .width_bytes = fault.width_bytes,
                .place = place_of(f.snapshot, *fault.address)};
  m.operand = used_operand(fault, m.operand_index);
  if (m.operand) {
    split_operand(m, f.snapshot);
    if (!m.access) m.access = m.operand->access;
    if (!m.width_bytes && m.operand->width_bytes) m.width_bytes = m.operand->width_bytes;
  }
  f.memory = std::move(m);
}

}  // namespace

void add_fault(Facts& f) {
  const Fault& fault = *f.snapshot.fault;
  if (fault.instruction) f.instruction = &*fault.instruction;
  const bool memory_signal = f.signal == SIGSEGV || f.signal == SIGBUS;
  if (left_the_code(f, fault)) return add_jump(f, fault);
  if (!memory_signal) return;
  if (!address_is_to_blame(f, fault)) {
    f.general_protection = f.code == si_kernel;
    return;
  }
  add_memory(f, fault);
  add_stack(f);
}

Place place_of(const Snapshot& s, Address a) {
  Place place{.address = a};
  for (std::size_t i = 0; i < s.regions.size(); ++i) {
    const Region& r = s.regions[i];
    if (r.start <= a && a < r.end) place.region = i;
    if (r.end <= a && (!place.lower || s.regions[*place.lower].end < r.end)) place.lower = i;
    if (r.start > a && (!place.upper || r.start < s.regions[*place.upper].start)) place.upper = i;
  }
  if (place.lower) place.behind_bytes = a.value - s.regions[*place.lower].end.value;
  if (place.upper) place.before_bytes = s.regions[*place.upper].start.value - a.value;
  const auto known = std::ranges::find(s.pointers, a, &Pointer::value);
  if (known != s.pointers.end()) place.pointer = static_cast<std::size_t>(known - s.pointers.begin());
  return place;
}

const Region* region_at(const Facts& f, const Place& place) {
  return place.region ? &f.snapshot.regions[*place.region] : nullptr;
}

bool is_readable(const Region& r) { return r.permissions.starts_with('r'); }
bool is_writable(const Region& r) { return r.permissions.size() > 1 && r.permissions[1] == 'w'; }
bool is_executable(const Region& r) { return r.permissions.size() > 2 && r.permissions[2] == 'x'; }
bool is_closed(const Region& r) { return r.permissions.starts_with("---"); }

bool is_data(const Region& r) {
  if (!is_readable(r)) return false;
  switch (r.kind) {
    case RegionKind::guard:
    case RegionKind::vdso:
    case RegionKind::device: return false;
    default: return true;
  }
}

std::optional<std::size_t> touching_below(const Snapshot& s, std::size_t region) {
  const Address start = s.regions[region].start;
  const auto found = std::ranges::find(s.regions, start, &Region::end);
  if (found == s.regions.end()) return std::nullopt;
  return static_cast<std::size_t>(found - s.regions.begin());
}

std::optional<std::uint64_t> register_value(const Facts& f, std::string_view name) {
  if (!f.dying) return std::nullopt;
  const auto found = f.dying->registers.find(std::string(name));
  if (found == f.dying->registers.end()) return std::nullopt;
  return found->second.value;
}

}  // namespace sigwhy::diagnose
