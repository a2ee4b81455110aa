// What we conclude, and how firmly. The cause ids are the product's vocabulary: rules, reports, tests and the
// scored cases use these and no others.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace sigwhy {

enum class Cause {
  null_pointer, out_of_bounds, use_after_free, invalid_free, heap_corruption, stack_overflow, stack_smashed,
  wild_pointer, write_to_read_only, bad_jump, uninitialised_read, mapped_file_truncated, shared_memory_full,
  bit_flip,
  division_by_zero, unsupported_instruction, deliberate_trap,
  failed_check, uncaught_cpp_exception, gil_not_held, python_fatal_error,
  out_of_memory_killed, out_of_memory_refused, impossible_allocation, memory_leak, gpu_out_of_memory,
  resource_limit, disk_full, time_limit,
  killed_by_process, killed_by_user,
  protobuf_conflict, openmp_conflict, abi_mismatch, mixed_libraries,
  fork_after_threads, deadlock, data_race,
  dtype_mismatch, shape_mismatch, ragged_batch, not_an_array, corrupt_input, file_contention, aliased_buffer,
  python_exception,
  gpu_illegal_access, gpu_assert, gpu_lost,
  clean_exit, unknown,
};

// Ordinal, defined by the kind of evidence, never a percentage. Proven: the captured state can have no other
// cause. Strong: direct evidence while a named rival remains possible. Plausible: consistent, circumstantial.
enum class Strength { weak, plausible, strong, proven };

enum class Whose { your_code, extension, framework, environment, machine, somebody, unknown };
enum class Retryable { yes, no, unknown };

// A path into the snapshot's JSON ("/threads/0/frames/2"). No sentence in a report without one.
struct EvidenceRef {
  std::string path;
};

struct Fact {
  std::string id;
  std::string sentence;
  std::vector<EvidenceRef> evidence;
};

struct Finding {
  Cause cause = Cause::unknown;
  std::string rule;   // the file that says so
  std::string claim;  // one sentence, no trailing full stop
  Strength strength = Strength::weak;
  std::optional<Cause> explains;  // this is the deeper cause of that finding
  std::vector<Fact> evidence_for;
  std::vector<Fact> evidence_against;
  std::optional<std::string> rival;  // what could not be excluded; every strong finding has one
  std::vector<std::string> fix;
  Whose whose = Whose::unknown;
  Retryable retryable = Retryable::unknown;
  std::optional<std::string> prediction;  // what a re-run with one thing changed would show if this is right
};

// A bug that is public, of a package and version that ran and an operation that was seen. Said beside the verdict, which
// never depends on it.
struct KnownBug {
  std::string id;  // "CVE-2021-37639", "TFSA-2021-117", "numpy#12345"
  std::string package;
  std::string version;
  std::vector<std::string> fixed_in;
  std::string summary;
  std::string matched;
};

struct Diagnosis {
  Cause verdict = Cause::unknown;
  std::vector<Finding> findings;  // the verdict's first
  std::vector<std::string> certain;      // what is certain even where the verdict is unknown
  std::vector<std::string> unexplained;  // seen, and explained by no finding
  std::vector<KnownBug> known;
};

}  // namespace sigwhy
