// A tensor read from outside: what a torch.Tensor or an EagerTensor is to the code that crashed on it. Allocates
// nothing; the supervisor reads while the process is stopped, the developing process reads the same way later.
//
//     TensorLayouts layouts(learned);                 // once per process
//     for (file : loaded files) layouts.look_at(memory, file);
//     if (auto kind = tensor_kind(type's tp_name, or that of one of its bases))
//       if (auto facts = layouts.read(memory, *kind, object)) ...
//
// A build that is known is read by its own layout. Any other is tried with all layouts of its framework, and what
// comes out is believed only where several numbers that are kept apart agree; where nothing does, it is a Gap.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "python/interpreter.h"
#include "python/tensors/tensor_layout.h"
#include "target/memory.h"

namespace sigwhy::python {

inline constexpr std::size_t most_tensor_dims = 16;

struct TensorFacts {
  TensorKind kind = TensorKind::torch;
  std::string_view dtype;        // "float32"; lives as long as the layouts
  std::uint32_t item_bytes = 0;  // 0: its elements are objects elsewhere (string, resource)
  ShortList<std::int64_t, most_tensor_dims> dims;
  std::optional<ShortList<std::int64_t, most_tensor_dims>> strides;  // in bytes; absent: dense, the last the fastest
  std::uint64_t bytes = 0;                                           // all elements together
  // Absent: not in this process's memory (another device, sparse, a placeholder), or no plain elements.
  std::optional<Address> data;
  // The memory that it is a part of, where that is known: torch's storage, which views share.
  std::optional<Address> memory_start;
  std::optional<std::uint64_t> memory_bytes;
  ShortList<char, 32> device;  // "cpu", "cuda:0", "GPU:0"; empty: not known
  bool variable = false;       // the value of a variable, reached through its handle

  std::string_view device_name() const { return {device.begin(), device.size}; }
};

// By the native type that all tensors of a framework derive from, "torch._C.TensorBase": ask for a type and its
// bases. A tf.Variable is no tensor itself, but its attribute `_handle` is one, and reads as the variable's value.
std::optional<TensorKind> tensor_kind(std::string_view native_type_name);

// `guessed`: it is not known whether this build has that layout, so everything must fit.
enum class LayoutTrust { known, guessed };
std::optional<TensorFacts> read_tensor(const Memory& memory, const TensorLayout& layout, Address object,
                                       LayoutTrust trust = LayoutTrust::known);

// The layouts that hold in one process.
class TensorLayouts {
 public:
  // `learned` is the user's cache; it must outlive this.
  explicit TensorLayouts(std::span<const TensorLayout> learned = {}) : learned_(learned) {}

  // Notes the frameworks that this file is a part of; other files cost nothing.
  void look_at(const Memory& memory, const LoadedFile& file);

  std::optional<TensorFacts> read(const Memory& memory, TensorKind kind, Address object);

  // A tensor was met and none could be read: `sigwhy learn` would help.
  bool needs_learning(TensorKind kind) const {
    const auto& f = frameworks_[static_cast<std::size_t>(kind)];
    return f.failed && !f.known && !f.adopted;
  }

 private:
  struct Framework {
    bool loaded = false;
    bool failed = false;
    const TensorLayout* known = nullptr;    // by the identity of its files
    const TensorLayout* adopted = nullptr;  // a guess that has proved itself
    int proofs = 0;                         // tensors that it read, everything fitting
  };
  std::optional<TensorFacts> guess(const Memory& memory, TensorKind kind, Address object);

  std::span<const TensorLayout> learned_;
  std::array<Framework, tensor_kinds> frameworks_;
};

}  // namespace sigwhy::python
