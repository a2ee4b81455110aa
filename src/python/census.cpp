#include "python/census.h"

#include "evidence/own_code.h"
#include "python/census_holders.h"
#include "python/frames.h"
#include "python/locals.h"
#include "target/scratch_cache.h"

namespace sigwhy::python {

namespace {

constexpr std::size_t most_frames = 256;
constexpr std::uint64_t most_modules = 8192, most_globals = 4096;

struct KnownFrame {
  Address at;
  std::int32_t offset = 0;
  bool own = false;
};

// All frames of all threads, innermost first, and the interpreters they belong to.
class Frames final : public FrameSink {
 public:
  Frames(const Memory& memory, const Layout& layout) : memory_(memory), layout_(layout) {}

  void thread(const WalkedThread& t) override {
    const Address of{memory_.read_value<std::uint64_t>(t.at + layout_.thread.interpreter).value_or(0)};
    if (interpreter_count_ && interpreters_[interpreter_count_ - 1] == of) return;
    if (interpreter_count_ < interpreters_.size()) interpreters_[interpreter_count_++] = of;
  }
  void frame(const WalkedFrame& f) override {
    if (count_ < frames_.size()) frames_[count_++] = {f.at, f.offset, is_own_file(f.file)};
  }
  std::span<const KnownFrame> all() const { return std::span(frames_).first(count_); }
  std::span<const Address> interpreters() const { return std::span(interpreters_).first(interpreter_count_); }

 private:
  const Memory& memory_;
  const Layout& layout_;
  std::array<KnownFrame, most_frames> frames_;
  std::size_t count_ = 0;
  std::array<Address, 8> interpreters_;
  std::size_t interpreter_count_ = 0;
};

enum class Whose { user, library, standard };

class Census {
 public:
  Census(const Objects& objects, CensusRoom& room, CensusWalk& walk, const Frames& frames)
      : o_(objects), room_(room), walk_(walk), frames_(frames) {}

  void take() {
    // The user's own names together, so that among them the shortest wins.
    for (const KnownFrame& f : frames_.all())
      if (f.own) locals(f);
    modules(Whose::user);
    walk_.run();
    walk_.libraries_come();
    // Libraries one by one: most hold nothing, and leave the room as they found it.
    for (const KnownFrame& f : frames_.all())
      if (!f.own) alone([&] { locals(f); });
    modules(Whose::library);
  }

 private:
  template <class Roots> void alone(Roots roots) {
    if (!walk_.may_go_on()) return;
    const auto mark = room_.mark();
    roots();
    walk_.run();
    bool holds = false;
    for (NodeIndex i = mark.nodes; i < room_.nodes(); ++i) holds |= room_.node(i).arrays != 0 || room_.node(i).graph_tensor;
    if (!holds) room_.rewind(mark);
  }

  void locals(const KnownFrame& f) {
    const auto place = room_.add_place({.frame = f.at, .offset = f.offset, .own = f.own});
    if (!place) return;
    locals_of(o_, f.at, [&](const Local& local) {
      walk_.root(local.name, local.object, *place);
      return walk_.may_go_on();
    });
  }

  void globals(Address dict, bool own) {
    const auto place = room_.add_place({.module = dict, .own = own});
    if (!place) return;
    o_.entries(dict, most_globals, [&](Address key, Address value) {
      if (!own || !is_private(key)) walk_.global(key, value, *place);
      return walk_.may_go_on();
    });
  }

  // What every module has: __builtins__, __spec__.
  bool is_private(Address key) const {
    TextBuffer<8> name;
    return !read_text(o_.memory(), o_.layout(), key, name) || name.view().starts_with("__");
  }

  // All modules share the strings that are their keys.
  Address file_of(Address dict) {
    Address found;
    o_.entries(dict, most_globals, [&](Address key, Address value) {
      const bool is_file = file_key_.value ? key == file_key_ : o_.text_is(key, "__file__");
      if (is_file) file_key_ = key, found = value;
      return !is_file;
    });
    return found;
  }

  Whose whose(Address dict) {
    TextBuffer<256> file;
    const Address at = file_of(dict);
    if (!at.value) return o_.text_is(o_.entry(dict, "__name__"), "__main__") ? Whose::user : Whose::standard;
    if (!read_text(o_.memory(), o_.layout(), at, file)) return Whose::standard;
    if (is_own_file(file.view())) return Whose::user;
    const bool installed = file.view().find("-packages/") != std::string_view::npos;
    return installed ? Whose::library : Whose::standard;
  }

  void modules(Whose wanted) {
    for (const Address interpreter : frames_.interpreters()) {
      const Address modules = o_.pointer(interpreter + o_.layout().interpreter.modules);
      const auto* type = o_.type_of(modules);
      if (!type || type->kind != Kind::dict) continue;
      o_.entries(modules, most_modules, [&](Address, Address module) {
        const auto* kind = o_.type_of(module);
        if (!kind || kind->kind != Kind::module) return true;
        const Address dict = o_.pointer(module + 16);
        if (whose(dict) != wanted) return true;
        if (wanted == Whose::user) globals(dict, true);
        else alone([&] { globals(dict, false); });
        return walk_.may_go_on();
      });
    }
  }

  const Objects& o_;
  CensusRoom& room_;
  CensusWalk& walk_;
  const Frames& frames_;
  Address file_key_;
};

}  // namespace

std::size_t take_census(const Memory& memory, const Interpreter& interpreter, const CensusRequest& request,
                        std::span<std::byte> into) {
  if (!interpreter.layout.knows_objects() || request.scratch.size() < least_census_scratch) return 0;
  CensusRoom room(request.scratch);
  if (!room.fits()) return 0;
  const ScratchCache cached(memory, room.cache());
  const Objects objects(cached, interpreter.layout, request.tensors);
  Frames frames(cached, interpreter.layout);
  walk(cached, interpreter, frames);
  CensusWalk walk(objects, cached, room, request);
  Census(objects, room, walk, frames).take();
  return write_census(objects, room, walk, into);
}

}  // namespace sigwhy::python
