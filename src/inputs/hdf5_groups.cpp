// B-trees of version 1 (a group's members, a dataset's chunks), the symbol nodes and heaps they lead to.
#include <fmt/format.h>

#include <utility>

#include "inputs/hdf5_walk.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs {

namespace {

enum TreeKind : unsigned { t_group = 0, t_chunks = 1 };
constexpr std::uint64_t usual_name = 256, longest_name = 1 << 16;

}  // namespace

// A symbol table message: the B-tree's address, then that of the heap with the names.
bool Hdf5Walk::old_group(const Object& object, std::uint64_t said_at) {
  const auto heap = address_at(said_at + address_bytes_);
  const auto where = object.name + ", local heap";
  if (!signature(said_at + address_bytes_, heap, "HEAP", where)) return false;
  if (outside(said_at + address_bytes_, where, heap, 8 + 2 * length_bytes_ + address_bytes_)) return false;
  if (bytes_.byte(heap + 4) != 0)
    return bad(heap + 4, where, fmt::format("version {} does not exist", bytes_.byte(heap + 4)));
  const auto names_bytes = length_at(heap + 8), names = address_at(heap + 8 + 2 * length_bytes_);
  if (outside(heap + 8, where, names, names_bytes)) return false;
  return tree(object.name + ", B-tree", said_at, address_at(said_at), t_group, length_bytes_, {}, object, names,
              names_bytes);
}

bool Hdf5Walk::tree(const std::string& where, std::uint64_t said_at, std::uint64_t at, unsigned kind,
                    unsigned key_bytes, std::optional<unsigned> level, const Object& group, std::uint64_t names,
                    std::uint64_t names_bytes) {
  if (!seen_.insert(at).second) return bad(said_at, where, fmt::format("the node at {} belongs to two places", at));
  if (!signature(said_at, at, "TREE", where)) return false;
  const auto head = 8 + 2 * address_bytes_;
  if (outside(said_at, where, at, head)) return false;
  if (bytes_.byte(at + 4) != kind)
    return bad(at + 4, where, fmt::format("its nodes are of kind {}, not {}", bytes_.byte(at + 4), kind));
  const unsigned here = bytes_.byte(at + 5);
  if (level && here != *level)
    return bad(at + 5, where, fmt::format("it is at level {}, where its parent has {}", here, *level));
  const auto used = bytes_.number(at + 6, 2);
  if (outside(at + 6, where, at, head + used * (key_bytes + address_bytes_) + key_bytes)) return false;
  for (std::uint64_t i = 0; i < used; ++i) {
    const auto key = at + head + i * (key_bytes + address_bytes_), child = key + key_bytes;
    const auto key_name = kind == t_group ? length_at(key) : 0,
               last_name = kind == t_group ? length_at(child + address_bytes_) : 0;
    for (const auto& [name, name_at] : {std::pair(key_name, key), std::pair(last_name, child + address_bytes_)})
      if (kind == t_group && name >= names_bytes)
        return bad(name_at, where, fmt::format("a key's name lies at {} of a heap of {} bytes", name, names_bytes));
    bool good = true;
    if (here > 0) good = tree(where, child, address_at(child), kind, key_bytes, here - 1, group, names, names_bytes);
    else if (kind == t_group) good = symbols(group, child, address_at(child), names, names_bytes);
    else good = chunk(where, key, child);
    if (!good) return false;
  }
  return true;
}

bool Hdf5Walk::symbols(const Object& group, std::uint64_t said_at, std::uint64_t at, std::uint64_t names,
                       std::uint64_t names_bytes) {
  const auto where = group.name + ", symbol node";
  if (!seen_.insert(at).second) return bad(said_at, where, fmt::format("the node at {} belongs to two places", at));
  if (!signature(said_at, at, "SNOD", where)) return false;
  if (bytes_.byte(at + 4) != 1)
    return bad(at + 4, where, fmt::format("version {} does not exist", bytes_.byte(at + 4)));
  const auto count = bytes_.number(at + 6, 2), each = std::uint64_t{2} * address_bytes_ + 24;
  if (outside(at + 6, where, at, 8 + count * each)) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto entry = at + 8 + i * each;
    const auto name_at = bytes_.number(entry, address_bytes_);
    if (name_at >= names_bytes)
      return bad(entry, where,
                 fmt::format("the name of entry {} lies at {} of a heap of {} bytes", i, name_at, names_bytes));
    auto text = bytes_.text(names + name_at, std::min(names_bytes - name_at, usual_name));
    if (text.find('\0') == std::string::npos)
      text = bytes_.text(names + name_at, std::min(names_bytes - name_at, longest_name));
    const auto end = text.find('\0');
    if (end == std::string::npos)
      return bad(names + name_at, where, fmt::format("the name of entry {} does not end", i));
    constexpr unsigned soft_link = 2;
    if (bytes_.number(entry + 2 * address_bytes_, 4) == soft_link) continue;
    const auto name = (group.name == "/" ? "/" : group.name + "/") + shown(std::string_view(text).substr(0, end));
    add(entry + address_bytes_, address_at(entry + address_bytes_), name);
    if (fault_) return false;
  }
  return true;
}

bool Hdf5Walk::chunk(const std::string& where, std::uint64_t key_at, std::uint64_t child_at) {
  return !outside(child_at, where + ", chunk", address_at(child_at), bytes_.number(key_at, 4));
}

bool Hdf5Walk::global_heap(const std::string& where, std::uint64_t said_at, std::uint64_t at) {
  if (seen_.contains(at)) return true;
  if (!signature(said_at, at, "GCOL", where)) return false;
  seen_.insert(at);
  if (bytes_.byte(at + 4) != 1)
    return bad(at + 4, where, fmt::format("version {} does not exist", bytes_.byte(at + 4)));
  if (outside(said_at, where, at, 8 + length_bytes_)) return false;
  const auto size = length_at(at + 8), head = std::uint64_t{8} + length_bytes_;
  if (outside(at + 8, where, at, size)) return false;
  for (auto one = at + head; one + head <= at + size;) {
    const auto index = bytes_.number(one, 2), bytes = length_at(one + 8);
    if (index == 0) break;  // what is left is free
    if (bytes > at + size - one - head)
      return bad(one + 8, where, fmt::format("object {} has {} bytes, more than the heap", index, bytes));
    one += head + (bytes + 7) / 8 * 8;
  }
  return true;
}

bool Hdf5Walk::header_with_checksum(const std::string& where, std::uint64_t said_at, std::uint64_t at,
                                    std::string_view name, std::uint64_t bytes) {
  return signature(said_at, at, name, where) && checksum(at, bytes, where);
}

}  // namespace sigwhy::inputs
