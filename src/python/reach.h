// Who holds an array: a bounded walk over what names reach (a frame's locals, a module's variables, attributes,
// elements, entries), so that an address finds its owner: self.buffers[3], batch['image']. Depth first, at most
// four steps from a name; what was seen once in a round is not entered again. Allocates nothing.
#pragma once
#include <cstdint>
#include <string_view>

#include "python/arrays.h"
#include "python/objects.h"

namespace sigwhy::python {

class ReachSink {
 public:
  virtual ~ReachSink() = default;
  virtual void reached(std::string_view path, std::string_view type, const ArrayFacts& array) = 0;
};

struct ReachLimits {
  int steps = 4;
  std::uint32_t objects = 50'000;
  double seconds = 0.05;
};

// One walk over one or more roots: the limits are for all of them together.
class Reach {
 public:
  Reach(const Objects& objects, ReachSink& sink, const ReachLimits& limits);

  // Forgets what was seen, for a longer walk from the same names: then the shortest way to an array comes first.
  void begin_round();
  // At most `steps` away from the name.
  void from(std::string_view name, Address object, int steps);
  bool exhausted() const { return exhausted_; }

 private:
  struct Path;
  void enter(Path& path, Address object, const TypeInfo& type, int steps_left);
  void child(Path& path, Address object, int steps_left);
  bool first_visit(Address object);
  bool may_go_on();

  const Objects& o_;
  ReachSink& sink_;
  ReachLimits limits_;
  double started_s_;
  std::uint32_t visited_ = 0;
  bool exhausted_ = false;
};

}  // namespace sigwhy::python
