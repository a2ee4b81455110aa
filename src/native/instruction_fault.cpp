// Which of the instruction's operands the kernel's fault belongs to.
#include <algorithm>
#include <array>

#include "native/call_site.h"
#include "native/elf_file.h"
#include "native/file_backed_memory.h"
#include "native/instruction.h"
#include "native/instruction_decoder.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t longest_instruction = 15;

bool raised_by_instruction(const siginfo_t& signal) {
  const int number = signal.si_signo;
  const bool can_be =
      number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP;
  return can_be && signal.si_code > 0;  // codes of kill, tgkill and sigqueue are not positive
}

bool is_memory_signal(const siginfo_t& signal) { return signal.si_signo == SIGSEGV || signal.si_signo == SIGBUS; }

struct Reading {
  const Target& target;
  const siginfo_t& signal;
  user_regs_struct registers;  // rip is where the instruction starts
  FileBackedMemory memory;
  std::array<std::byte, longest_instruction> code_storage{};
  std::span<const std::byte> code;
  std::optional<Decoded> decoded;

  Reading(const Target& t, const siginfo_t& s, const user_regs_struct& r)
      : target(t), signal(s), registers(r), memory(t) {
    step_back_over_int3();
    const auto got = is_executable(t, pc()) ? memory.read(pc(), code_storage) : 0;
    code = std::span(code_storage).first(got);
    if (got > 0) decoded = decode(code);
  }

  Address pc() const { return {registers.rip}; }
  Address kernel_address() const { return {reinterpret_cast<std::uint64_t>(signal.si_addr)}; }

 private:
  // int3 is reported with the instruction pointer already behind it.
  void step_back_over_int3() {
    if (signal.si_signo != SIGTRAP) return;
    if (memory.read_value<std::uint8_t>(pc() - 1) == 0xcc) registers.rip -= 1;
    else if (memory.read_value<std::uint16_t>(pc() - 2) == 0x03cd) registers.rip -= 2;
  }
};

// All bytes an operand may touch: a repeated string instruction goes on from where its registers stand.
bool touches(const MemoryOperand& o, const Reading& r, Address a) {
  if (!o.address) return false;
  const auto width = std::max<std::uint64_t>(o.width_bytes, 1);
  if (a.value - o.address->value < width) return true;
  if (!r.decoded->repeats()) return false;
  constexpr std::uint64_t direction_flag = 0x400;
  const bool down = r.registers.eflags & direction_flag;
  const auto distance = down ? o.address->value + width - 1 - a.value : a.value - o.address->value;
  return distance / width < r.registers.rcx;
}

bool is_near(const MemoryOperand& o, Address a) {
  if (!o.address) return false;
  const auto distance = a - *o.address;
  return static_cast<std::uint64_t>(distance < 0 ? -distance : distance) <= o.width_bytes;
}

template <class Test> std::optional<std::uint64_t> first_operand(const Instruction& instruction, Test test) {
  const auto found = std::ranges::find_if(instruction.operands, test);
  if (found == instruction.operands.end()) return std::nullopt;
  return static_cast<std::uint64_t>(found - instruction.operands.begin());
}

bool is_non_canonical(const MemoryOperand& o) {
  return o.address &&
         (!o.address->canonical() || !(*o.address + (std::max<std::uint64_t>(o.width_bytes, 1) - 1)).canonical());
}

// movaps and its kin fault on addresses that are no multiple of their width, without telling the address; so does
// every 16-byte operand of an SSE instruction in its old encoding, except of those made for it.
bool requires_alignment(const ZydisDecodedInstruction& i) {
  switch (i.mnemonic) {
    case ZYDIS_MNEMONIC_MOVUPS:
    case ZYDIS_MNEMONIC_MOVUPD:
    case ZYDIS_MNEMONIC_MOVDQU:
    case ZYDIS_MNEMONIC_LDDQU: return false;
    default: break;
  }
  const std::string_view name = ZydisMnemonicGetString(i.mnemonic);
  return i.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY || name.starts_with("vmovap") || name.starts_with("vmovdqa") ||
         name.starts_with("vmovnt");
}

bool is_misaligned(const MemoryOperand& o) {
  return o.address && o.width_bytes >= 16 && o.width_bytes <= 64 && o.address->value % o.width_bytes != 0;
}

void set_operand(Fault& fault, std::uint64_t index, const Target& target) {
  const auto& operand = fault.instruction->operands[index];
  fault.operand = index;
  fault.access = operand.access;
  fault.width_bytes = operand.width_bytes;
  if (!fault.address) fault.address = operand.address;
  // a read-modify-write of a page that may be read can only have failed as a write
  const auto mapping = fault.address ? mapping_at(target.mappings, *fault.address) : std::nullopt;
  if (operand.access == Access::read_write && mapping && target.mappings[*mapping].readable &&
      !target.mappings[*mapping].writable)
    fault.access = Access::write;
}

void set_execute(Fault& fault, Address address, bool computed) {
  fault.access = Access::execute;
  fault.address = address;
  fault.address_computed = computed;
}

// The kernel told the address: find the operand it belongs to.
void match_address(Fault& fault, const Reading& r) {
  fault.address = r.kernel_address();
  const auto address = *fault.address;
  const bool fetch = address.value - r.pc().value < longest_instruction;
  if (fetch && (!fault.instruction || fault.instruction->operands.empty() || address == r.pc()))
    return set_execute(fault, address, false);
  if (!fault.instruction) return;
  auto index = first_operand(*fault.instruction, [&](const auto& o) { return touches(o, r, address); });
  if (!index) index = first_operand(*fault.instruction, [&](const auto& o) { return is_near(o, address); });
  if (!index) index = first_operand(*fault.instruction, [](const auto& o) { return !o.address; });
  if (index) set_operand(fault, *index, r.target);
}

// A general protection fault: the kernel knows no address, only the operands do.
void compute_address(Fault& fault, const Reading& r) {
  if (!fault.instruction) return;
  auto index = first_operand(*fault.instruction, is_non_canonical);
  if (!index) {
    const auto target = branch_target(*r.decoded, r.registers, r.memory);
    if (target && !target->canonical()) return set_execute(fault, *target, true);
    if (requires_alignment(r.decoded->instruction)) index = first_operand(*fault.instruction, is_misaligned);
  }
  if (!index) return;
  set_operand(fault, *index, r.target);
  fault.address_computed = true;
}

Instruction undecodable(std::span<const std::byte> code) {
  Instruction result;
  result.text = "(no instruction known to the decoder)";
  result.bytes = hex(code);
  return result;
}

}  // namespace

std::optional<Fault> fault_of(const Target& target, const Host& host) {
  if (target.threads.empty() || !target.signal || !raised_by_instruction(*target.signal)) return std::nullopt;
  const auto& thread = target.threads.front();
  if (!thread.died || !thread.registers) return std::nullopt;
  const Reading r(target, *target.signal, *thread.registers);
  Fault fault{.thread = 0, .pc = r.pc()};
  if (!is_executable(target, r.pc())) {
    set_execute(fault, r.pc(), false);
    return fault;
  }
  if (r.decoded) fault.instruction = decode_instruction(r.code, r.registers, host.cpu_features, &r.memory);
  if (is_memory_signal(r.signal)) {
    if (r.signal.si_code == SI_KERNEL) compute_address(fault, r);
    else match_address(fault, r);
  }
  if (!fault.instruction && r.code.size() == longest_instruction) fault.instruction = undecodable(r.code);
  return fault;
}

}  // namespace sigwhy::native
