#include "inputs/flatbuffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "inputs/verdict.h"

namespace sigwhy::inputs::flatbuffer {

namespace {

// What flatbuffers' own verifier follows at most.
constexpr std::uint64_t most_tables = 1'000'000;
constexpr int deepest = 64;

// The way from the root to a field, kept on the stack of the walk.
struct Step {
  const Step* up = nullptr;
  std::string_view name;
  std::optional<std::uint64_t> index;
};

std::string path_of(const Step* step) {
  std::string path;
  for (; step && !step->name.empty(); step = step->up) {
    auto part = std::string(step->name);
    if (step->index) part += fmt::format("[{}]", *step->index);
    path = path.empty() ? part : part + "." + path;
  }
  return path;
}

class Walk {
 public:
  Walk(PagedBytes& bytes, Schema schema) : bytes_(bytes) {
    for (const Field& f : schema) (f.kind == Kind::member ? members_ : fields_)[f.table].push_back(&f);
  }

  Verified run(std::string_view root) {
    const Step top;
    if (const auto at = follow(0, top)) table(*at, 0, root, top);
    return {.fault = std::move(fault_), .unknown_kinds = unknown_kinds_};
  }

 private:
  using Rows = std::unordered_map<std::string_view, std::vector<const Field*>>;

  bool bad(std::uint64_t offset, const Step& step, std::string what) {
    if (!fault_) fault_ = broken(offset, path_of(&step), std::move(what));
    return false;
  }
  std::string end_words() const { return fmt::format("the file's end at {}", bytes_.bytes()); }

  bool counted_in(const Step& step) {
    if (++visits_ <= most_tables) return true;
    if (!fault_)
      fault_ = not_checked(
          fmt::format("it has more than {} tables and texts; the walk ended at {}", most_tables, path_of(&step)));
    return false;
  }

  // Where the offset at `place` leads; absent: nowhere.
  std::optional<std::uint64_t> follow(std::uint64_t place, const Step& step) {
    if (!bytes_.holds(place, 4)) return bad(bytes_.bytes(), step, "the file ends here"), std::nullopt;
    const auto distance = bytes_.number(place, 4);
    const auto to = place + distance;
    if (distance == 0) return bad(place, step, "the offset is 0: it points to itself"), std::nullopt;
    if (!bytes_.holds(to, 4))
      return bad(place, step, fmt::format("it points to byte {}, past {}", to, end_words())), std::nullopt;
    if (to % 4 != 0)
      return bad(place, step, fmt::format("it points to byte {}, which is no multiple of 4", to)), std::nullopt;
    return to;
  }

  bool table(std::uint64_t at, int depth, std::string_view name, const Step& step);
  bool field(const Field& f, std::uint64_t at, std::uint64_t place, int depth, const Step& up);
  bool any_of(const Field& f, std::uint64_t at, std::uint64_t place, int depth, const Step& step);
  bool text(std::uint64_t place, const Step& step);
  std::optional<Vector> vector(std::uint64_t place, unsigned width, const Step& step);

  PagedBytes& bytes_;
  Rows fields_, members_;
  std::uint64_t visits_ = 0, unknown_kinds_ = 0;
  std::optional<Checked> fault_;
};

bool Walk::table(std::uint64_t at, int depth, std::string_view name, const Step& step) {
  if (depth > deepest) return bad(at, step, fmt::format("tables lie in tables more than {} deep", deepest));
  if (!counted_in(step)) return false;
  const auto back = static_cast<std::int32_t>(bytes_.number(at, 4));
  const auto vtable_signed = static_cast<std::int64_t>(at) - back;
  const auto vtable = static_cast<std::uint64_t>(vtable_signed);
  if (vtable_signed < 0 || !bytes_.holds(vtable, 4) || vtable % 2 != 0)
    return bad(at, step,
               fmt::format("its vtable would lie at byte {}, the file has {}", vtable_signed, bytes_.bytes()));
  const auto vtable_bytes = bytes_.number(vtable, 2), table_bytes = bytes_.number(vtable + 2, 2);
  if (vtable_bytes < 4 || vtable_bytes % 2 != 0)
    return bad(vtable, step, fmt::format("its vtable has {} bytes", vtable_bytes));
  if (!bytes_.holds(vtable, vtable_bytes))
    return bad(vtable, step, fmt::format("its vtable has {} bytes and so reaches past {}", vtable_bytes, end_words()));
  if (table_bytes < 4 || !bytes_.holds(at, table_bytes))
    return bad(vtable + 2, step,
               fmt::format("{} bytes for the table at {} cannot be, with {}", table_bytes, at, end_words()));
  const auto rows = fields_.find(name);
  if (rows == fields_.end()) return true;  // a table without fields
  for (const Field* f : rows->second) {
    const auto slot = vtable + 4 + 2 * f->slot;
    const auto inside = slot + 2 <= vtable + vtable_bytes ? bytes_.number(slot, 2) : 0;
    if (inside == 0) continue;
    const Step here{.up = &step, .name = f->name, .index = {}};
    if (inside < 4 || inside + f->width > table_bytes)
      return bad(slot, here, fmt::format("it would lie at byte {} of a table of {} bytes", inside, table_bytes));
    if ((at + inside) % f->width != 0)
      return bad(slot, here,
                 fmt::format("its {} bytes lie at byte {}, which is no multiple of that", f->width, at + inside));
    if (!field(*f, at, at + inside, depth, here)) return false;
  }
  return true;
}

bool Walk::field(const Field& f, std::uint64_t at, std::uint64_t place, int depth, const Step& step) {
  if (f.kind == Kind::number || f.kind == Kind::member) return true;
  if (f.kind == Kind::numbers) return vector(place, f.width, step).has_value();
  if (f.kind == Kind::text) return text(place, step);
  if (f.kind == Kind::any_of) return any_of(f, at, place, depth, step);
  if (f.kind == Kind::table) {
    const auto to = follow(place, step);
    return to && table(*to, depth + 1, f.of, step);
  }
  const auto all = vector(place, 4, step);
  if (!all) return false;
  for (std::uint64_t i = 0; i < all->count; ++i) {
    const Step one{.up = step.up, .name = step.name, .index = i};
    if (f.kind == Kind::texts) {
      if (!text(all->place(i, 4), one)) return false;
      continue;
    }
    const auto to = follow(all->place(i, 4), one);
    if (!to || !table(*to, depth + 1, f.of, one)) return false;
  }
  return true;
}

bool Walk::any_of(const Field& f, std::uint64_t at, std::uint64_t place, int depth, const Step& step) {
  const auto vtable = at - static_cast<std::uint64_t>(static_cast<std::int32_t>(bytes_.number(at, 4)));
  const auto kind_at =
      bytes_.number(vtable + 4 + 2 * (f.slot - 1), 2);  // the slot before: it is in the vtable, as ours is
  const auto kind = kind_at ? bytes_.number(at + kind_at, 1) : 0;
  if (kind == 0) return true;  // none: readers do not follow it
  const auto to = follow(place, step);
  if (!to) return false;
  for (const Field* member : members_[f.of])
    if (member->slot == kind) return table(*to, depth + 1, member->of, step);
  ++unknown_kinds_;
  return true;
}

bool Walk::text(std::uint64_t place, const Step& step) {
  if (!counted_in(step)) return false;
  const auto found = vector(place, 1, step);
  if (!found) return false;
  const auto end = found->place(found->count, 1);
  if (!bytes_.holds(end, 1)) return bad(bytes_.bytes(), step, "the file ends before the text's closing zero byte");
  if (bytes_.byte(end) != 0)
    return bad(end, step, fmt::format("a zero byte must close the text of {} bytes", found->count));
  return true;
}

std::optional<Vector> Walk::vector(std::uint64_t place, unsigned width, const Step& step) {
  const auto to = follow(place, step);
  if (!to) return std::nullopt;
  const Vector found{.at = *to, .count = bytes_.number(*to, 4)};
  if (!bytes_.holds(found.place(0, width), found.count * width)) {
    bad(*to, step,
        fmt::format("{} of {} bytes each reach past {}", counted(found.count, "element"), width, end_words()));
    return std::nullopt;
  }
  if (found.count && found.place(0, width) % width != 0) {
    bad(place, step,
        fmt::format("its elements lie at byte {}, which is no multiple of {}", found.place(0, width), width));
    return std::nullopt;
  }
  return found;
}

}  // namespace

Verified verify(PagedBytes& bytes, Schema schema, std::string_view root) { return Walk(bytes, schema).run(root); }

const Field* Table::row(std::string_view field) const {
  for (const Field& f : std::ranges::equal_range(schema_, name_, {}, &Field::table))
    if (f.name == field) return &f;
  return nullptr;
}

std::optional<std::uint64_t> Table::place(std::string_view field) const {
  const Field* f = row(field);
  if (!f) return std::nullopt;
  const auto vtable = at_ - static_cast<std::uint64_t>(static_cast<std::int32_t>(bytes_->number(at_, 4)));
  const auto slot = 4 + 2 * f->slot;
  const auto inside = slot + 2 <= bytes_->number(vtable, 2) ? bytes_->number(vtable + slot, 2) : 0;
  return inside ? std::optional(at_ + inside) : std::nullopt;
}

std::uint64_t Table::number(std::string_view field) const {
  const auto at = place(field);
  return at ? bytes_->number(*at, row(field)->width) : 0;
}

Vector Table::vector(std::string_view field) const {
  const auto at = place(field);
  if (!at) return {};
  const auto to = *at + bytes_->number(*at, 4);
  return {.at = to, .count = bytes_->number(to, 4)};
}

Table Table::table_in(std::string_view field, std::uint64_t i) const {
  const auto place = vector(field).place(i, 4);
  return {*bytes_, schema_, row(field)->of, place + bytes_->number(place, 4)};
}

}  // namespace sigwhy::inputs::flatbuffer
