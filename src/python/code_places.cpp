#include "python/code_places.h"

#include "python/find_interpreter.h"
#include "python/frames.h"
#include "python/lines.h"

namespace sigwhy::python {

namespace {

class OneFrame final : public FrameSink {
 public:
  explicit OneFrame(LineTable lines) : lines_(lines) {}
  void thread(const WalkedThread&) override {}
  void frame(const WalkedFrame& f) override {
    found = PythonFrame{.file = std::string(f.file), .function = std::string(f.function)};
    const auto at = location_of(lines_, f.line_table, f.first_line, f.offset);
    if (!at) return;
    found->line = at->line;
    found->column = at->column;
  }
  std::optional<PythonFrame> found;

 private:
  LineTable lines_;
};

}  // namespace

CodePlaces::CodePlaces(const Target& target) : memory_(target) {
  std::vector<Gap> said_elsewhere;
  interpreter_ = find_interpreter(target, memory_, said_elsewhere);
}

std::optional<PythonFrame> CodePlaces::at(Address code, std::uint64_t instruction) const {
  if (!interpreter_) return std::nullopt;
  OneFrame sink(interpreter_->layout.lines);
  walk_code(memory_, interpreter_->layout, code, instruction, sink);
  return sink.found;
}

}  // namespace sigwhy::python
