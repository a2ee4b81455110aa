// The walk of a census: from roots, breadth first, adding up in the room's tree of names.
#pragma once
#include "python/arrays.h"
#include "python/census.h"
#include "python/census_room.h"
#include "python/objects.h"

namespace sigwhy::python {

struct CensusTotals {
  std::uint64_t objects = 0, object_bytes = 0, arrays = 0, array_bytes = 0;
  std::uint64_t bytes_by_kind[16] = {};
  std::uint32_t cut = 0;
};

// How a thing is reached from the object that is being entered.
struct Way {
  NodeIndex from = no_node;
  Step step = Step::attribute;
  std::uint64_t key = 0;
  bool named = true;        // false: through something that has no name in the program
  std::uint32_t stands_for = 1;  // things like it that are not looked at
};

class CensusWalk {
 public:
  CensusWalk(const Objects& objects, CensusRoom& room, const CensusRequest& request);

  // A name of the program.
  void root(std::string_view name, Address object, std::uint16_t place);
  // Enters everything that was reached; nothing is left afterwards.
  void run();
  bool may_go_on();
  double seconds() const;
  CensusTotals totals;

 private:
  // True where it is something that may hold arrays, or is one.
  bool offer(Address object, const Way& way);
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
  void enter_class(Address object, NodeIndex node);
  bool is_registry(Address key) const;

  const Objects& o_;
  CensusRoom& room_;
  const CensusRequest& request_;
  double started_s_;
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
