#include "evidence/names.h"

#include <array>

namespace sigwhy {

namespace {

template <class E>
using Name = std::pair<E, std::string_view>;

constexpr std::array termination_kind_names = {
    Name<TerminationKind>{TerminationKind::exited, "exited"},
    Name<TerminationKind>{TerminationKind::signalled, "signalled"},
    Name<TerminationKind>{TerminationKind::killed_for_memory, "killed-for-memory"},
    Name<TerminationKind>{TerminationKind::hung, "hung"},
    Name<TerminationKind>{TerminationKind::running, "running"},
    Name<TerminationKind>{TerminationKind::lost, "lost"},
    Name<TerminationKind>{TerminationKind::unknown, "unknown"},
};

constexpr std::array sender_relation_names = {
    Name<SenderRelation>{SenderRelation::itself, "itself"},
    Name<SenderRelation>{SenderRelation::parent, "parent"},
    Name<SenderRelation>{SenderRelation::child, "child"},
    Name<SenderRelation>{SenderRelation::relative, "relative"},
    Name<SenderRelation>{SenderRelation::kernel, "kernel"},
    Name<SenderRelation>{SenderRelation::terminal, "terminal"},
    Name<SenderRelation>{SenderRelation::other, "other"},
    Name<SenderRelation>{SenderRelation::unknown, "unknown"},
};

constexpr std::array awaited_thing_names = {
    Name<AwaitedThing>{AwaitedThing::lock, "lock"},
    Name<AwaitedThing>{AwaitedThing::shared_lock, "shared-lock"},
    Name<AwaitedThing>{AwaitedThing::child, "child"},
    Name<AwaitedThing>{AwaitedThing::pipe_data, "pipe-data"},
    Name<AwaitedThing>{AwaitedThing::pipe_room, "pipe-room"},
    Name<AwaitedThing>{AwaitedThing::file_lock, "file-lock"},
    Name<AwaitedThing>{AwaitedThing::other, "other"},
};

constexpr std::array origin_names = {
    Name<Origin>{Origin::program, "program"},
    Name<Origin>{Origin::interpreter, "interpreter"},
    Name<Origin>{Origin::system, "system"},
    Name<Origin>{Origin::package, "package"},
    Name<Origin>{Origin::user, "user"},
    Name<Origin>{Origin::kernel, "kernel"},
    Name<Origin>{Origin::unknown, "unknown"},
};

constexpr std::array region_kind_names = {
    Name<RegionKind>{RegionKind::file, "file"},
    Name<RegionKind>{RegionKind::heap, "heap"},
    Name<RegionKind>{RegionKind::stack, "stack"},
    Name<RegionKind>{RegionKind::thread_stack, "thread-stack"},
    Name<RegionKind>{RegionKind::guard, "guard"},
    Name<RegionKind>{RegionKind::anonymous, "anonymous"},
    Name<RegionKind>{RegionKind::shared_memory, "shared-memory"},
    Name<RegionKind>{RegionKind::vdso, "vdso"},
    Name<RegionKind>{RegionKind::device, "device"},
    Name<RegionKind>{RegionKind::unknown, "unknown"},
};

constexpr std::array block_state_names = {
    Name<BlockState>{BlockState::in_use, "in-use"},
    Name<BlockState>{BlockState::freed, "freed"},
    Name<BlockState>{BlockState::top, "top"},
    Name<BlockState>{BlockState::unmapped, "unmapped"},
    Name<BlockState>{BlockState::corrupted, "corrupted"},
    Name<BlockState>{BlockState::unknown, "unknown"},
};

constexpr std::array trust_names = {
    Name<Trust>{Trust::instruction_pointer, "instruction-pointer"},
    Name<Trust>{Trust::return_slot, "return-slot"},
    Name<Trust>{Trust::cfi, "cfi"},
    Name<Trust>{Trust::frame_pointer, "frame-pointer"},
    Name<Trust>{Trust::scan, "scan"},
};

constexpr std::array gil_state_names = {
    Name<GilState>{GilState::unknown, "unknown"},
    Name<GilState>{GilState::holds, "holds"},
    Name<GilState>{GilState::waits, "waits"},
    Name<GilState>{GilState::released, "released"},
};

constexpr std::array array_kind_names = {
    Name<ArrayKind>{ArrayKind::numpy, "numpy"},
    Name<ArrayKind>{ArrayKind::torch, "torch"},
    Name<ArrayKind>{ArrayKind::tensorflow, "tensorflow"},
    Name<ArrayKind>{ArrayKind::memoryview, "memoryview"},
    Name<ArrayKind>{ArrayKind::bytes, "bytes"},
    Name<ArrayKind>{ArrayKind::bytearray, "bytearray"},
    Name<ArrayKind>{ArrayKind::array, "array"},
    Name<ArrayKind>{ArrayKind::ctypes, "ctypes"},
    Name<ArrayKind>{ArrayKind::mmap, "mmap"},
};

constexpr std::array memory_kind_names = {
    Name<MemoryKind>{MemoryKind::arrays, "arrays"},
    Name<MemoryKind>{MemoryKind::unnamed_arrays, "unnamed-arrays"},
    Name<MemoryKind>{MemoryKind::python_objects, "python-objects"},
    Name<MemoryKind>{MemoryKind::heap_in_use, "heap-in-use"},
    Name<MemoryKind>{MemoryKind::heap_free, "heap-free"},
    Name<MemoryKind>{MemoryKind::thread_stacks, "thread-stacks"},
    Name<MemoryKind>{MemoryKind::code_and_files, "code-and-files"},
    Name<MemoryKind>{MemoryKind::shared_memory, "shared-memory"},
    Name<MemoryKind>{MemoryKind::other_processes, "other-processes"},
    Name<MemoryKind>{MemoryKind::page_cache, "page-cache"},
    Name<MemoryKind>{MemoryKind::kernel, "kernel"},
    Name<MemoryKind>{MemoryKind::unknown, "unknown"},
};

constexpr std::array exception_link_names = {
    Name<ExceptionLink>{ExceptionLink::ended_it, "ended-it"},
    Name<ExceptionLink>{ExceptionLink::cause, "cause"},
    Name<ExceptionLink>{ExceptionLink::context, "context"},
    Name<ExceptionLink>{ExceptionLink::remote, "remote"},
};

constexpr std::array access_names = {
    Name<Access>{Access::read, "read"},
    Name<Access>{Access::write, "write"},
    Name<Access>{Access::read_write, "read-write"},
    Name<Access>{Access::execute, "execute"},
};

constexpr std::array text_kind_names = {
    Name<TextKind>{TextKind::abort_message, "abort-message"},
    Name<TextKind>{TextKind::failed_check, "failed-check"},
    Name<TextKind>{TextKind::terminate, "terminate"},
    Name<TextKind>{TextKind::python_fatal, "python-fatal"},
    Name<TextKind>{TextKind::protobuf_fatal, "protobuf-fatal"},
    Name<TextKind>{TextKind::openmp_error, "openmp-error"},
    Name<TextKind>{TextKind::stderr_tail, "stderr-tail"},
    Name<TextKind>{TextKind::other, "other"},
};

constexpr std::array cause_names = {
    Name<Cause>{Cause::null_pointer, "null-pointer"},
    Name<Cause>{Cause::out_of_bounds, "out-of-bounds"},
    Name<Cause>{Cause::use_after_free, "use-after-free"},
    Name<Cause>{Cause::invalid_free, "invalid-free"},
    Name<Cause>{Cause::heap_corruption, "heap-corruption"},
    Name<Cause>{Cause::stack_overflow, "stack-overflow"},
    Name<Cause>{Cause::stack_smashed, "stack-smashed"},
    Name<Cause>{Cause::wild_pointer, "wild-pointer"},
    Name<Cause>{Cause::write_to_read_only, "write-to-read-only"},
    Name<Cause>{Cause::bad_jump, "bad-jump"},
    Name<Cause>{Cause::uninitialised_read, "uninitialised-read"},
    Name<Cause>{Cause::mapped_file_truncated, "mapped-file-truncated"},
    Name<Cause>{Cause::shared_memory_full, "shared-memory-full"},
    Name<Cause>{Cause::bit_flip, "bit-flip"},
    Name<Cause>{Cause::division_by_zero, "division-by-zero"},
    Name<Cause>{Cause::unsupported_instruction, "unsupported-instruction"},
    Name<Cause>{Cause::deliberate_trap, "deliberate-trap"},
    Name<Cause>{Cause::failed_check, "failed-check"},
    Name<Cause>{Cause::uncaught_cpp_exception, "uncaught-cpp-exception"},
    Name<Cause>{Cause::gil_not_held, "gil-not-held"},
    Name<Cause>{Cause::python_fatal_error, "python-fatal-error"},
    Name<Cause>{Cause::out_of_memory_killed, "out-of-memory-killed"},
    Name<Cause>{Cause::out_of_memory_refused, "out-of-memory-refused"},
    Name<Cause>{Cause::impossible_allocation, "impossible-allocation"},
    Name<Cause>{Cause::memory_leak, "memory-leak"},
    Name<Cause>{Cause::gpu_out_of_memory, "gpu-out-of-memory"},
    Name<Cause>{Cause::resource_limit, "resource-limit"},
    Name<Cause>{Cause::disk_full, "disk-full"},
    Name<Cause>{Cause::time_limit, "time-limit"},
    Name<Cause>{Cause::killed_by_process, "killed-by-process"},
    Name<Cause>{Cause::killed_by_user, "killed-by-user"},
    Name<Cause>{Cause::protobuf_conflict, "protobuf-conflict"},
    Name<Cause>{Cause::openmp_conflict, "openmp-conflict"},
    Name<Cause>{Cause::abi_mismatch, "abi-mismatch"},
    Name<Cause>{Cause::mixed_libraries, "mixed-libraries"},
    Name<Cause>{Cause::fork_after_threads, "fork-after-threads"},
    Name<Cause>{Cause::deadlock, "deadlock"},
    Name<Cause>{Cause::data_race, "data-race"},
    Name<Cause>{Cause::dtype_mismatch, "dtype-mismatch"},
    Name<Cause>{Cause::shape_mismatch, "shape-mismatch"},
    Name<Cause>{Cause::ragged_batch, "ragged-batch"},
    Name<Cause>{Cause::not_an_array, "not-an-array"},
    Name<Cause>{Cause::corrupt_input, "corrupt-input"},
    Name<Cause>{Cause::file_contention, "file-contention"},
    Name<Cause>{Cause::aliased_buffer, "aliased-buffer"},
    Name<Cause>{Cause::python_exception, "python-exception"},
    Name<Cause>{Cause::gpu_illegal_access, "gpu-illegal-access"},
    Name<Cause>{Cause::gpu_assert, "gpu-assert"},
    Name<Cause>{Cause::gpu_lost, "gpu-lost"},
    Name<Cause>{Cause::clean_exit, "clean-exit"},
    Name<Cause>{Cause::unknown, "unknown"},
};

constexpr std::array strength_names = {
    Name<Strength>{Strength::weak, "weak"},
    Name<Strength>{Strength::plausible, "plausible"},
    Name<Strength>{Strength::strong, "strong"},
    Name<Strength>{Strength::proven, "proven"},
};

constexpr std::array whose_names = {
    Name<Whose>{Whose::your_code, "your-code"},
    Name<Whose>{Whose::extension, "extension"},
    Name<Whose>{Whose::framework, "framework"},
    Name<Whose>{Whose::environment, "environment"},
    Name<Whose>{Whose::machine, "machine"},
    Name<Whose>{Whose::somebody, "somebody"},
    Name<Whose>{Whose::unknown, "unknown"},
};

constexpr std::array retryable_names = {
    Name<Retryable>{Retryable::yes, "yes"},
    Name<Retryable>{Retryable::no, "no"},
    Name<Retryable>{Retryable::unknown, "unknown"},
};

constexpr std::array guard_mode_names = {
    Name<GuardMode>{GuardMode::sampled, "sampled"},
    Name<GuardMode>{GuardMode::all, "all"},
    Name<GuardMode>{GuardMode::before, "before"},
};

constexpr std::array guard_stop_names = {
    Name<GuardStop>{GuardStop::damaged_block, "damaged-block"},
    Name<GuardStop>{GuardStop::double_free, "double-free"},
    Name<GuardStop>{GuardStop::invalid_free, "invalid-free"},
    Name<GuardStop>{GuardStop::mismatched_free, "mismatched-free"},
};

constexpr std::array settled_names = {
    Name<Settled>{Settled::confirmed, "confirmed"},
    Name<Settled>{Settled::refuted, "refuted"},
    Name<Settled>{Settled::inconclusive, "inconclusive"},
};

constexpr std::array came_in_names = {
    Name<CameIn>{CameIn::program, "program"},
    Name<CameIn>{CameIn::needed, "needed"},
    Name<CameIn>{CameIn::opened, "opened"},
    Name<CameIn>{CameIn::preloaded, "preloaded"},
    Name<CameIn>{CameIn::built_in, "built-in"},
    Name<CameIn>{CameIn::unknown, "unknown"},
};

constexpr std::array soundness_names = {
    Name<Soundness>{Soundness::sound, "sound"},
    Name<Soundness>{Soundness::broken, "broken"},
    Name<Soundness>{Soundness::unknown_format, "unknown-format"},
    Name<Soundness>{Soundness::not_checked, "not-checked"},
};

constexpr std::array severity_names = {
    Name<Severity>{Severity::ends, "ends"},
    Name<Severity>{Severity::may_end, "may-end"},
    Name<Severity>{Severity::worth_knowing, "worth-knowing"},
};

}  // namespace

NameTable<TerminationKind> names(TerminationKind) { return termination_kind_names; }
NameTable<SenderRelation> names(SenderRelation) { return sender_relation_names; }
NameTable<AwaitedThing> names(AwaitedThing) { return awaited_thing_names; }
NameTable<Origin> names(Origin) { return origin_names; }
NameTable<RegionKind> names(RegionKind) { return region_kind_names; }
NameTable<BlockState> names(BlockState) { return block_state_names; }
NameTable<Trust> names(Trust) { return trust_names; }
NameTable<GilState> names(GilState) { return gil_state_names; }
NameTable<ArrayKind> names(ArrayKind) { return array_kind_names; }
NameTable<MemoryKind> names(MemoryKind) { return memory_kind_names; }
NameTable<ExceptionLink> names(ExceptionLink) { return exception_link_names; }
NameTable<Access> names(Access) { return access_names; }
NameTable<TextKind> names(TextKind) { return text_kind_names; }
NameTable<Cause> names(Cause) { return cause_names; }
NameTable<Strength> names(Strength) { return strength_names; }
NameTable<Whose> names(Whose) { return whose_names; }
NameTable<Retryable> names(Retryable) { return retryable_names; }
NameTable<GuardMode> names(GuardMode) { return guard_mode_names; }
NameTable<GuardStop> names(GuardStop) { return guard_stop_names; }
NameTable<Settled> names(Settled) { return settled_names; }
NameTable<CameIn> names(CameIn) { return came_in_names; }
NameTable<Soundness> names(Soundness) { return soundness_names; }
NameTable<Severity> names(Severity) { return severity_names; }

}  // namespace sigwhy
