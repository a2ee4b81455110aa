#include "python/thread_names.h"

#include "python/texts.h"

namespace sigwhy::python {

namespace {

constexpr std::uint64_t most_names = 256;

}  // namespace

void walk_thread_names(const Objects& o, Address interpreter, VisitThreadName visit) {
  const Address modules = o.pointer(interpreter + o.layout().interpreter.modules);
  const Address threading = modules.value ? o.entry(modules, "threading") : Address{};
  const Address active = threading.value ? o.attribute(threading, "_active") : Address{};
  if (!active.value) return;
  o.entries(active, most_names, [&](Address key, Address thread) {
    const auto id = o.integer(key);
    Address name = o.attribute(thread, "_name");
    if (!name.value) name = o.attribute(thread, "_Thread__name");  // 2.7
    TextBuffer<64> text;
    if (id && name.value && read_text(o.memory(), o.layout(), name, text) && text.size)
      visit(static_cast<std::uint64_t>(*id), text.view());
    return true;
  });
}

}  // namespace sigwhy::python
