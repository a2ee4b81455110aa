// PYTHONMALLOC=debug puts known bytes around every block of Python's own allocators and checks them at each free. It
// ends the program with "bad trailing pad byte" where an extension wrote past an object's memory, and with "bad ID"
// where memory of one kind was freed as another. It says which block was spoilt, not by whom.
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

namespace {

// What the debug allocator prints, whatever kept it: a text in memory or the program's output.
std::string complaint(const Trial& trial) {
  const auto in = [](std::string_view text) -> std::string {
    if (text.find("Debug memory block at address") == text.npos && text.find("_PyMem_Debug") == text.npos &&
        text.find("bad trailing pad byte") == text.npos && text.find("bad leading pad byte") == text.npos &&
        text.find("bad ID: Allocated using API") == text.npos)
      return {};
    if (text.find("bad ID") != text.npos) return "Python found a block freed by the wrong allocator, or its head written over";
    if (text.find("leading pad") != text.npos) return "Python found bytes before a block of its memory written over";
    return "Python found bytes behind a block of its memory written over";
  };
  for (const auto& text : trial.result.snapshot.texts)
    if (auto words = in(text.text); !words.empty()) return words;
  return in(trial.output_tail);
}

Plan plan(const Subject& subject) {
  if (!runs_python(subject)) return std::unexpected("it runs no Python");
  if (has_death(subject) && !may_be_memory_fault(subject))
    return std::unexpected("the death is no bad access to memory");
  if (variable(subject.recipe, "PYTHONMALLOC")) return std::unexpected("PYTHONMALLOC was set already");
  Planned planned{.words = "with PYTHONMALLOC=debug",
                  .cause = Cause::heap_corruption,
                  .prediction = "Python's debug allocator finds the block that was written over",
                  .effect = Effect::caught,
                  .claim = "the memory of a Python object was written over",
                  .rival = "another mistake than the one it died of",
                  .rank = 45,
                  .why = "it checks the memory of Python's own objects",
                  .catches = complaint};
  planned.change.set = {{"PYTHONMALLOC", "debug"}};
  return planned;
}

}  // namespace

extern const Variation python_malloc;
const Variation python_malloc = {.title = "PYTHONMALLOC=debug", .plan = plan};

}  // namespace sigwhy::experiment::variations
