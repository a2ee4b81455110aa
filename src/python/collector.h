// Listens to the walk over the copies and writes down what it hears in the snapshot's nouns.
#pragma once
#include <map>
#include <vector>

#include "evidence/python.h"
#include "evidence/thread.h"
#include "python/everything.h"
#include "python/merge.h"

namespace sigwhy::python {

// Which values may leave the process: by default numbers, lengths and file paths; all strings only on request.
enum class ValuesPolicy { types_only, plain, all };

struct PythonStack {
  WalkedThread thread;
  std::vector<PythonFrame> frames;
  Runs runs;
};

class Collector final : public Listener {
 public:
  Collector(LineTable lines, ValuesPolicy policy) : lines_(lines), policy_(policy) {}

  void thread(const WalkedThread& thread) override;
  void thread_name(std::uint64_t thread_id, std::string_view name) override { names[thread_id] = name; }
  void frame(const WalkedFrame& frame) override;
  void run_ends(std::optional<Address> on_stack) override { stacks.back().runs.end(on_stack); }
  void left_out(const LeftOut& what) override { stacks.back().runs.leave_out(what); }
  void value(const SeenValue& value) override;
  void item(const SeenValue& item) override;
  void exception(const SeenException& exception) override;
  void base(std::string_view name) override;
  void attribute(const SeenValue& value) override;
  void attribute_item(const SeenValue& item) override;
  void traceback_length(std::uint64_t frames) override { exceptions.back().traceback_length = frames; }
  void reached(std::string_view path, std::string_view type, const ArrayFacts& array) override;
  void focus() override;
  void holder(const HeldBy& by) override;
  void cut_short() override { holders_cut_short = true; }
  void recursion_limit(std::int32_t calls) override { most_calls = calls; }

  // Tracebacks were heard outermost first.
  void finish();

  std::vector<PythonStack> stacks;
  std::map<std::uint64_t, std::string> names;  // by pthread_self()
  std::vector<PyException> exceptions;
  std::vector<Array> arrays;
  bool holders_cut_short = false;
  bool values_cut_short() const;
  std::optional<std::int32_t> most_calls;

 private:
  std::uint64_t array(std::string_view name, std::string_view type, const ArrayFacts& facts, Holder holder);
  std::optional<Holder> here() const;
  std::optional<std::string> written(const Scalar& scalar) const;
  template <class Value> Value noun(const SeenValue& seen);

  LineTable lines_;
  ValuesPolicy policy_;
  PythonFrame* frame_ = nullptr;
  std::size_t nouns_ = 0;  // values, members and groups so far
  Holder reaching_;
  std::optional<std::uint64_t> focus_;  // index into stacks
  std::map<std::uint64_t, std::uint64_t> array_of_object_;
};

}  // namespace sigwhy::python
