// The walk of a census: from roots, breadth first, adding up in the room's tree of names.
#pragma once
#include "python/arrays.h"
#include "python/census.h"
#include "python/census_room.h"
#include "python/objects.h"
#include "target/scratch_cache.h"

namespace sigwhy::python {

struct CensusTotals {
  std::uint64_t objects = 0, object_bytes = 0, arrays = 0, array_bytes = 0;
  std::uint64_t bytes_by_kind[16] = {};
  std::uint32_t cut = 0;  // CensusCut
};

// What a thing is reached through, where that is no name: a word inside another object, or inside a function.
enum class Through : std::uint8_t { name, word, function };

// How a thing is reached from the object that is being entered.
struct Way {
  NodeIndex from = no_node;
  Step step = Step::attribute;
  Through through = Through::name;
  std::uint16_t place = 0;  // of a root
  std::uint64_t key = 0;
  bool named = true;        // false: through something that has no name in the program
  std::uint32_t stands_for = 1;  // things like it that are not looked at
};

// A long row of numbers or strings: after so many without anything else, only every so-manieth is looked at.
class Interest {
 public:
  // 0: not to be looked at.
  std::uint32_t stands_for(std::uint64_t index) const {
    if (boring_ < boring_run) return 1;
    return index % boring_step == 0 ? boring_step : 0;
  }
  void seen(bool interesting) { boring_ = interesting ? 0 : boring_ + 1; }
  static constexpr std::uint64_t boring_run = 256;

 private:
  static constexpr std::uint32_t boring_step = 16;
  std::uint64_t boring_ = 0;
};

class CensusWalk {
 public:
  // `memory` is what `objects` reads through.
  CensusWalk(const Objects& objects, const ScratchCache& memory, CensusRoom& room, const CensusRequest& request);

  // A local variable.
  void root(std::string_view name, Address object, std::uint16_t place);
  // A module's variable, whose name is a string in the process.
  void global(Address name, Address object, std::uint16_t place);
  // Enters everything that was reached; nothing is left afterwards.
  void run();
  bool may_go_on();
  double seconds() const;
  // From here on only names of libraries come: they get less time, and are not missed so much.
  void libraries_come();
  CensusTotals totals;

 private:
  // To be looked at with others, some dozens at once: their memory is asked for together.
  void later(Address object, const Way& way, Interest* interest = nullptr);
  void look_at_those();
  // True where it is something that may hold arrays, or is one.
  bool offer(Address object, const Way& way);
  bool look_at(Address object, const Way& way);
  void enter_some();
  void cut(std::uint32_t why) { totals.cut |= own_ ? why : cut_in_libraries; }
  void add_array(Address object, const TypeInfo& type, NodeIndex node, const Way& way);
  void add_object(Address object, const TypeInfo& type, NodeIndex node, std::uint32_t stands_for);
  NodeIndex node_for(Address object, const TypeInfo& type, const Way& way, bool array);

  void enter(Address object, NodeIndex node);
  void enter_elements(Address object, Kind kind, NodeIndex node);
  void enter_entries(Address dict, NodeIndex node);
  void enter_attributes(Address object, const TypeInfo& type, NodeIndex node);
  void enter_words(Address object, const TypeInfo& type, NodeIndex node);
  void enter_deque(Address object, NodeIndex node);
  void enter_generator(Address object, const TypeInfo& type, NodeIndex node);
  void enter_traceback(Address exception, NodeIndex node);
  void enter_class(Address object, NodeIndex node);
  bool is_registry(Address key) const;
  bool is_wanted(const TypeInfo& type, const Way& way) const;

  struct Waiting {
    Address object;
    Way way;
    Interest* interest;
  };
  static constexpr std::size_t batch = ScratchCache::most_prefetched;

  const Objects& o_;
  const ScratchCache& memory_;
  CensusRoom& room_;
  const CensusRequest& request_;
  std::array<Waiting, batch> waiting_;
  std::size_t waiting_count_ = 0;
  double started_s_, started_cpu_s_, allowed_s_;
  bool stopped_ = false, own_ = true;
  std::uint32_t steps_ = 0;
  int inside_ = 0;  // depth of things entered at once because the queue was full
};

// The size of an object itself, with the tables it owns, which are said to `places`.
std::uint64_t shallow_bytes(const Objects& objects, Address object, const TypeInfo& type, MemoryPlaces* places);

// torch: whether the tensor keeps what it was computed from.
bool keeps_graph(const Memory& memory, Address tensor);
// And of how many operations that is, as far as they were not met before.
std::uint64_t graph_nodes(const Memory& memory, Address tensor, std::uint64_t most,
                          FunctionRef<bool(std::uint64_t)> first_visit);

}  // namespace sigwhy::python
