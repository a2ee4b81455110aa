// guard_layouts   prints what the preloaded guard needs of the layouts in src/python, one line a release line.
//
// The guard cannot use that code (it has no standard library), and offsets written twice would differ one day. For
// lines that describe themselves the place of each word in their table is wanted: described_layout() is shown a table
// whose every word says which one it is.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "python/layout.h"
#include "python/self_described.h"
#include "target/memory.h"

namespace {

using namespace sigwhy;
using python::Layout;
using python::MaybeOffset;

constexpr std::uint64_t table_top = 1 << 20;

class NumberedWords : public Memory {
 public:
  explicit NumberedWords(int minor) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = table_top - 8 * i;
    std::memcpy(words_.data(), "xdebugpy", 8);
    words_[1] = 0x030000f0u | static_cast<std::uint64_t>(minor) << 16;
    words_[2] = 0;
  }
  std::size_t read(Address from, std::span<std::byte> into) const override {
    if (from.value != 0 || into.size() > sizeof words_) return 0;
    std::memcpy(into.data(), words_.data(), into.size());
    return into.size();
  }

 private:
  std::array<std::uint64_t, 128> words_;
};

int offset(MaybeOffset value) { return value ? static_cast<int>(*value) : -1; }
int word(MaybeOffset value) { return value ? static_cast<int>((table_top - *value) / 8) : -1; }

template <typename Of>
void print(const char* name, const Layout& l, Of of) {
  const auto& t = l.thread;
  const auto& f = l.frame;
  fmt::print("{}({}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})\n", name, l.major, l.minor, of(t.frame), of(t.cframe),
             of(t.cframe_frame), of(t.thread_id), of(f.previous), of(f.code), of(f.last_instruction), of(f.instruction),
             of(f.owner), f.shim_owner, f.tag_mask);
}

}  // namespace

int main() {
  for (const Layout* layout : python::all_layouts())
    if (layout->interpreter.threads_head) print("SIGWHY_TABLED", *layout, offset);
  for (const Layout* layout : python::all_layouts()) {
    const auto described = python::described_layout(NumberedWords(layout->minor), Address{0});
    if (layout->major == 3 && described) print("SIGWHY_DESCRIBED", *described, word);
  }
}
