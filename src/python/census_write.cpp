// Writes the record of a census: texts, shapes and types are read again from the few objects that made it.
#include <algorithm>
#include <charconv>
#include <cstring>

#include "evidence/own_code.h"
#include "python/census_copies.h"
#include "python/census_holders.h"
#include "python/frames.h"
#include "python/lines.h"

namespace sigwhy::python {

namespace {

constexpr std::uint64_t most_graph_nodes = 50'000;
constexpr std::size_t longest_path = 12;
constexpr std::size_t graph_holders = 4;
constexpr std::uint64_t least_told_bytes = 64u << 10;

// Says where a frame stands.
class PlaceOfFrame final : public FrameSink {
 public:
  PlaceOfFrame(const Layout& layout, CensusPlace& place) : layout_(layout), place_(place) {}
  void thread(const WalkedThread&) override {}
  void frame(const WalkedFrame& f) override {
    // The end of a long path says more than its beginning.
    put_text(place_.file, f.file.substr(f.file.size() - std::min(f.file.size(), sizeof place_.file - 1)));
    put_text(place_.function, f.function);
    if (const auto at = location_of(layout_.lines, f.line_table, f.first_line, f.offset)) place_.line = at->line;
  }

 private:
  const Layout& layout_;
  CensusPlace& place_;
};

class Writer {
 public:
  Writer(const Objects& objects, CensusRoom& room, std::span<std::byte> into) : o_(objects), room_(room), into_(into) {}

  std::size_t write(const CensusWalk& walk) {
    if (into_.size() < most_census_bytes) return 0;
    CensusHeader header{.version = census_version,
                        .cut = walk.totals.cut | (room_.turned_away() ? cut_in_libraries : 0u),
                        .objects = walk.totals.objects,
                        .object_bytes = walk.totals.object_bytes,
                        .arrays = walk.totals.arrays,
                        .array_bytes = walk.totals.array_bytes};
    std::memcpy(header.magic, census_magic, sizeof census_magic);
    std::ranges::copy(walk.totals.bytes_by_kind, header.bytes_by_kind);
    choose();
    used_ = sizeof header;
    header.places = write_places();
    header.holders = write_holders();
    header.types = write_types();
    header.copies = write_copies();
    header.seconds = walk.seconds();
    std::memcpy(into_.data(), &header, sizeof header);
    return used_;
  }

 private:
  template <class T> void append(const T& value) {
    std::memcpy(into_.data() + used_, &value, sizeof value);
    used_ += sizeof value;
  }

  static std::uint64_t weight(const Node& n) { return n.bytes + n.object_bytes; }

  // The largest holders, and some that keep graphs, whose memory is not theirs.
  void choose() {
    choose_holders(room_);
    const auto best = [&](auto value, std::size_t most) {
      while (chosen_ < most) {
        NodeIndex found = no_node;
        for (NodeIndex i = 0; i < room_.nodes(); ++i)
          if (room_.node(i).is_holder && value(room_.node(i)) && !is_chosen(i) &&
              (found == no_node || value(room_.node(i)) > value(room_.node(found))))
            found = i;
        if (found == no_node) return;
        holders_[chosen_++] = found;
      }
    };
    best([](const Node& n) { return weight(n) >= least_told_bytes ? weight(n) : 0; }, most_census_holders - graph_holders);
    best([](const Node& n) { return n.graph_tensor; }, chosen_ + graph_holders);
  }

  bool is_chosen(NodeIndex i) const { return std::find(holders_, holders_ + chosen_, i) != holders_ + chosen_; }

  std::uint32_t write_places() {
    for (std::size_t i = 0; i < chosen_; ++i) {
      const auto place = room_.node(holders_[i]).place;
      if (std::find(places_, places_ + place_count_, place) != places_ + place_count_) continue;
      places_[place_count_++] = place;
      append(place_at(room_.place(place)));
    }
    return static_cast<std::uint32_t>(place_count_);
  }

  CensusPlace place_at(const RootPlace& root) const {
    CensusPlace place{.own = root.own};
    if (root.frame.value) {
      PlaceOfFrame sink(o_.layout(), place);
      walk_frame(o_.memory(), o_.layout(), root.frame, root.offset, sink);
      return place;
    }
    TextBuffer<192> text;
    if (read_text(o_.memory(), o_.layout(), o_.entry(root.module, "__name__"), text)) put_text(place.module, text.view());
    if (read_text(o_.memory(), o_.layout(), o_.entry(root.module, "__file__"), text)) put_text(place.file, text.view());
    return place;
  }

  std::uint32_t write_holders() {
    for (std::size_t i = 0; i < chosen_; ++i) append(holder_at(holders_[i]));
    return static_cast<std::uint32_t>(chosen_);
  }

  CensusHolder holder_at(NodeIndex index) {
    const Node& n = room_.node(index);
    CensusHolder h{.arrays = n.arrays, .bytes = n.bytes, .objects = n.objects, .object_bytes = n.object_bytes};
    PathText path(o_, room_);
    put_text(h.name, path.of(index));
    h.place = static_cast<std::uint32_t>(std::find(places_, places_ + place_count_, n.place) - places_);
    h.length = h.capacity = ~std::uint64_t{0};
    if (const auto* type = o_.type_of(n.object)) {
      put_text(h.type, type->name());
      const bool deque = type->name() == "deque" && o_.layout().major == 3;
      if (const auto length = o_.length(n.object, deque ? Kind::tuple : type->kind)) h.length = *length;
      // { ..., right index, state, maxlen }; -1: none
      if (deque && o_.layout().major == 3)
        h.capacity = o_.memory().read_value<std::uint64_t>(n.object + 64).value_or(h.capacity);
    }
    if (n.graph_tensor) {
      h.keeps_graph = 1;
      h.graph_nodes = graph_nodes(o_.memory(), Address{n.graph_tensor}, most_graph_nodes, [&](std::uint64_t node) {
        return room_.first_visit(node | std::uint64_t{1} << 62);
      });
    }
    add_groups(index, h);
    return h;
  }

  NodeIndex holder_of(NodeIndex i) const {
    while (i != no_node && !room_.node(i).is_holder) i = room_.node(i).parent;
    return i;
  }

  void add_groups(NodeIndex holder, CensusHolder& into) {
    GroupCount merged[64];
    std::size_t count = 0;
    for (const GroupCount& g : room_.groups()) {
      if (g.node == no_node || holder_of(g.node) != holder) continue;
      GroupCount* const same = std::find_if(merged, merged + count, [&](const auto& m) { return m.signature == g.signature; });
      if (same == merged + std::size(merged)) continue;
      if (same == merged + count) {
        *same = g;
        ++count;
        continue;
      }
      same->count += g.count;
      same->bytes += g.bytes;
    }
    std::sort(merged, merged + count, [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    for (std::size_t i = 0; i < std::min(count, most_census_groups); ++i) add_group(merged[i], into);
  }

  void add_group(const GroupCount& g, CensusHolder& into) const {
    const auto* found = o_.type_of(Address{g.sample});
    if (!found) return;
    const TypeInfo type = *found;
    ArrayFacts a;
    if (!read_array(o_, Address{g.sample}, type, a) && !read_buffer(o_, Address{g.sample}, type, a)) return;
    CensusGroup& group = into.group[into.groups++];
    put_text(group.type, type.name());
    put_text(group.dtype, a.dtype.view());
    group.dimensions = static_cast<std::uint32_t>(a.dimensions);
    std::copy_n(a.shape.begin(), std::min(a.dimensions, most_census_dimensions), group.shape);
    group.count = g.count;
    group.bytes = g.bytes;
  }

  // By number and by size, in turns.
  std::uint32_t write_types() {
    std::uint32_t count = 0;
    const auto best = [&](auto member) {
      TypeTotal* const found = &*std::ranges::max_element(room_.types(), {}, member);
      if (found->type == 0 || (*found).*member == 0) return false;
      const auto* type = o_.type_at(Address{found->type});
      CensusType t{.count = found->count, .bytes = found->bytes};
      *found = {};
      if (!type) return true;
      put_text(t.name, type->name());
      append(t);
      ++count;
      return true;
    };
    while (count < most_census_types)
      if (!(count % 2 ? best(&TypeTotal::count) : best(&TypeTotal::bytes))) break;
    return count;
  }

  std::uint32_t write_copies() {
    std::uint32_t count = 0;
    find_copies(o_.memory(), room_, [&](const LargeBlock& a, const LargeBlock& b) {
      CensusCopy copy{.bytes = b.bytes};
      PathText first(o_, room_), second(o_, room_);
      put_text(copy.copy_of, first.of(a.node));
      put_text(copy.name, second.of(b.node));
      if (std::strcmp(copy.copy_of, copy.name) == 0) return true;
      append(copy);
      return ++count < most_census_copies;
    });
    return count;
  }

  const Objects& o_;
  CensusRoom& room_;
  std::span<std::byte> into_;
  std::size_t used_ = 0;
  NodeIndex holders_[most_census_holders];
  std::size_t chosen_ = 0;
  std::uint16_t places_[most_census_places];
  std::size_t place_count_ = 0;
};

}  // namespace

std::string_view PathText::of(NodeIndex index) {
  NodeIndex path[longest_path];
  std::size_t count = 0;
  for (; index != no_node && count < longest_path; index = room_.node(index).parent) path[count++] = index;
  size_ = 0;
  while (count-- > 0) put(room_.node(path[count]));
  return {bytes_, size_};
}

void PathText::put(const Node& n) {
  if (n.step == Step::root) return put(room_.name(n.key));
  if (n.step == Step::index) return put_index(static_cast<std::int64_t>(n.key));
  TextBuffer<64> text;
  const auto* key = o_.type_of(Address{n.key});
  if (key && key->kind == Kind::integer) return put_index(o_.integer(Address{n.key}).value_or(0));
  if (!key || key->kind != Kind::text || !read_text(o_.memory(), o_.layout(), Address{n.key}, text) || text.size == 0)
    return put("[...]");
  if (n.step == Step::global) return put(text.view());
  // Layers of a torch.nn.Sequential are named "0", "1", ... and reached by index.
  const bool digits = std::ranges::all_of(text.view(), [](char c) { return c >= '0' && c <= '9'; });
  const bool attribute = n.step == Step::attribute;
  put(attribute && digits ? "[" : attribute ? "." : "['");
  put(text.view());
  if (!attribute || digits) put(attribute ? "]" : "']");
}

void PathText::put_index(std::int64_t index) {
  char digits[24];
  put("[");
  put({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, index).ptr - digits)});
  put("]");
}

void PathText::put(std::string_view text) {
  for (const char c : text)
    if (size_ < sizeof bytes_) bytes_[size_++] = c;
}

std::size_t write_census(const Objects& objects, CensusRoom& room, const CensusWalk& walk, std::span<std::byte> into) {
  return Writer(objects, room, into).write(walk);
}

}  // namespace sigwhy::python
