#include "python/locals.h"

#include <algorithm>

#include "python/texts.h"

namespace sigwhy::python {

namespace {

constexpr std::uint64_t most_locals = 256;
constexpr std::uint64_t most_variables = 512;

Address untagged(const Objects& o, Address reference) {
  return {reference.value & ~std::uint64_t{o.layout().frame.tag_mask}};
}

Address code_of(const Objects& o, Address frame) { return untagged(o, o.pointer(frame + o.layout().frame.code)); }

// A cell holds one reference, right behind its head.
Address behind_cell(const Objects& o, Address object) {
  const auto* type = o.type_of(object);
  return type && type->kind == Kind::cell ? o.pointer(object + 16) : object;
}

// Visits the slots that `names` (a tuple) names, from slot `first` on; returns how many slots that were.
std::uint64_t slots(const Objects& o, Address frame, Address names, std::uint64_t first, std::uint64_t arguments,
                    VisitLocal visit) {
  std::uint64_t count = 0;
  o.elements(names, Kind::tuple, most_locals, [&](std::uint64_t i, Address name) {
    count = i + 1;
    const Address slot = frame + o.layout().frame.locals + (first + i) * 8;
    const Address object = behind_cell(o, untagged(o, o.pointer(slot)));
    TextBuffer<96> text;
    if (!object.value || !read_text(o.memory(), o.layout(), name, text) || text.size == 0) return true;
    if (text.view().front() == '.') return true;  // the iterator of a comprehension
    return visit({text.view(), object, first + i < arguments});
  });
  return count;
}

bool is_data(const Objects& o, Address object) {
  const auto* type = o.type_of(object);
  if (!type) return false;
  return type->kind != Kind::module && type->kind != Kind::callable && type->kind != Kind::type;
}

}  // namespace

void variables_in(const Objects& o, Address dict, std::uint64_t most, VisitLocal visit) {
  std::uint64_t seen = 0;
  o.entries(dict, most_variables, [&](Address key, Address value) {
    TextBuffer<96> name;
    if (!read_text(o.memory(), o.layout(), key, name) || name.view().starts_with("__") || !is_data(o, value))
      return true;
    return visit({name.view(), value, false}) && ++seen < most;
  });
}

Address globals_of(const Objects& o, Address frame) { return o.pointer(frame + o.layout().frame.globals); }

void locals_of(const Objects& o, Address frame, VisitLocal visit) {
  const auto& at = o.layout();
  const Address code = code_of(o, frame);
  const auto count = [&](Offset offset) {
    return offset ? static_cast<std::uint64_t>(std::clamp(o.memory().read_value<std::int32_t>(code + offset).value_or(0), 0, 255))
                  : 0;
  };
  const auto arguments = count(at.code.argument_count) + count(at.code.keyword_only_count);
  const auto plain = slots(o, frame, o.pointer(code + at.code.local_names), 0, arguments, visit);
  if (at.code.cell_names && at.code.free_names) {
    const auto cells = slots(o, frame, o.pointer(code + *at.code.cell_names), plain, 0, visit);
    slots(o, frame, o.pointer(code + *at.code.free_names), plain + cells, 0, visit);
  }
  if (plain) return;
  const Address own = o.pointer(frame + at.frame.own_locals);
  const auto* type = own.value ? o.type_of(own) : nullptr;
  if (type && type->kind == Kind::dict) variables_in(o, own, most_locals, visit);
}

}  // namespace sigwhy::python
