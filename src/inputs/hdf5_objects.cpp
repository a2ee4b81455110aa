// Object headers, of version 1 and 2, and the messages in them that lead elsewhere.
#include <fmt/format.h>

#include <algorithm>

#include "inputs/hdf5_walk.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs {

namespace {

enum MessageType : unsigned {
  m_dataspace = 0x01,
  m_link_info = 0x02,
  m_datatype = 0x03,
  m_link = 0x06,
  m_layout = 0x08,
  m_attribute = 0x0c,
  m_continuation = 0x10,
  m_symbol_table = 0x11,
  m_attribute_info = 0x15
};
constexpr std::uint64_t nowhere = ~std::uint64_t{0};
constexpr unsigned class_of_texts = 9;    // variable length: the bytes lie in a global heap
constexpr unsigned shared_elsewhere = 2;  // a message's flag: its data are a pointer

}  // namespace

bool Hdf5Walk::object(const Object& object) {
  Dataset dataset;
  const bool is_new = bytes_.text(object.at, 4) == "OHDR";
  if (!(is_new ? new_messages(object, dataset) : old_messages(object, dataset))) return false;
  std::uint64_t wanted = 0;
  if (dataset.contiguous_at && dataset.elements &&
      !__builtin_mul_overflow(*dataset.elements, dataset.element_bytes, &wanted) && dataset.contiguous_bytes < wanted)
    return bad(dataset.contiguous_at, object.name + ", layout",
               fmt::format("it has {} bytes, its type and shape need {}", dataset.contiguous_bytes, wanted));
  return true;
}

std::optional<Hdf5Walk::Message> Hdf5Walk::next_message(const Object& object, std::uint64_t& at, std::uint64_t end,
                                                        unsigned head, bool old) {
  if (at > end || end - at < head) return std::nullopt;  // a gap
  Message m{.type = static_cast<unsigned>(bytes_.number(at, old ? 2 : 1)),
            .at = at,
            .begin = at + head,
            .bytes = bytes_.number(at + (old ? 2 : 1), 2)};
  if (m.bytes > end - m.begin) {
    bad(m.at, object.name + ", object header",
        fmt::format("a message of type {} has {} bytes, {} are left", m.type, m.bytes, end - m.begin));
    return std::nullopt;
  }
  if (bytes_.byte(at + (old ? 4 : 3)) & shared_elsewhere) m.type = 0;
  at = m.begin + m.bytes;
  return m;
}

bool Hdf5Walk::old_messages(const Object& object, Dataset& dataset) {
  const auto where = object.name + ", object header";
  constexpr unsigned start = 16, head = 8;
  if (outside(object.at, where, object.at, start)) return false;
  if (bytes_.byte(object.at) != 1)
    return bad(object.at, where,
               fmt::format("its version is {}; 1 or a 2 behind OHDR could be", bytes_.byte(object.at)));
  const auto size = bytes_.number(object.at + 8, 4);
  if (outside(object.at + 8, where, object.at + start, size)) return false;
  std::deque<Block> blocks{{object.at + start, object.at + start + size}};
  auto left = bytes_.number(object.at + 2, 2);
  for (; !blocks.empty(); blocks.pop_front()) {
    auto at = blocks.front().begin;
    const auto end = blocks.front().end;
    while (left > 0) {
      const auto m = next_message(object, at, end, head, true);
      if (!m) break;
      --left;
      if (!message(object, *m, blocks, dataset)) return false;
    }
    if (fault_) return false;
  }
  return left == 0 || bad(object.at + 2, where, fmt::format("{} of its messages are not there", left));
}

bool Hdf5Walk::new_messages(const Object& object, Dataset& dataset) {
  const auto where = object.name + ", object header";
  if (bytes_.byte(object.at + 4) != 2)
    return bad(object.at + 4, where, fmt::format("version {} does not exist", bytes_.byte(object.at + 4)));
  const unsigned flags = bytes_.byte(object.at + 5), width = 1u << (flags & 3);
  const auto size_at = object.at + 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
  if (outside(object.at, where, size_at, width)) return false;
  const auto size = bytes_.number(size_at, width), start = size_at + width;
  if (outside(size_at, where, start, size) || outside(size_at, where, start + size, 4)) return false;
  if (!checksum(object.at, start + size - object.at, where)) return false;
  std::deque<Block> blocks{{start, start + size}};
  const unsigned head = flags & 4 ? 6 : 4;
  constexpr unsigned signature_bytes = 4, checksum_bytes = 4;
  for (bool first = true; !blocks.empty(); blocks.pop_front(), first = false) {
    auto [at, end] = blocks.front();
    if (!first) {
      if (!signature(at, at, "OCHK", where) || end - at < signature_bytes + checksum_bytes)
        return bad(at, where, "its continuation is too short");
      if (!checksum(at, end - at - checksum_bytes, where + ", continuation")) return false;
      at += signature_bytes, end -= checksum_bytes;
    }
    while (const auto m = next_message(object, at, end, head, false))
      if (!message(object, *m, blocks, dataset)) return false;
    if (fault_) return false;
  }
  return true;
}

bool Hdf5Walk::continuation(const Object& object, const Message& m, std::deque<Block>& more) {
  const auto at = address_at(m.begin), size = length_at(m.begin + address_bytes_);
  const auto where = object.name + ", object header, continuation";
  if (outside(m.begin, where, at, size)) return false;
  if (!seen_.insert(at).second) return bad(m.begin, where, fmt::format("the block at {} belongs to two places", at));
  more.push_back({at, at + size});
  return true;
}

bool Hdf5Walk::message(const Object& object, const Message& m, std::deque<Block>& more, Dataset& dataset) {
  const auto needs = [&](std::uint64_t bytes) {
    return m.bytes >= bytes || bad(m.at, object.name + ", object header",
                                   fmt::format("{} bytes are too few for a message of type {}", m.bytes, m.type));
  };
  switch (m.type) {
    case m_continuation: return needs(address_bytes_ + length_bytes_) && continuation(object, m, more);
    case m_symbol_table: return needs(2 * address_bytes_) && old_group(object, m.begin);
    case m_link: return needs(4) && link(object, m);
    case m_link_info: return needs(2 + 2 * address_bytes_) && link_info(object, m, 8);
    case m_attribute_info: return needs(2 + 2 * address_bytes_) && link_info(object, m, 2);
    case m_layout: return needs(4) && layout(object, m, dataset);
    case m_attribute: return needs(8) && attribute(object, m);
    case m_dataspace: return needs(4) && (dataspace(m, dataset), true);
    case m_datatype: return needs(8) && (dataset.element_bytes = bytes_.number(m.begin + 4, 4), true);
    default: return true;
  }
}

void Hdf5Walk::dataspace(const Message& m, Dataset& dataset) {
  const unsigned version = bytes_.byte(m.begin), rank = bytes_.byte(m.begin + 1);
  const auto sizes = m.begin + (version == 1 ? 8 : 4);
  constexpr unsigned no_space = 2;
  if (version < 1 || version > 2 || (version == 2 && bytes_.byte(m.begin + 3) == no_space)) return;
  if (sizes + std::uint64_t{rank} * length_bytes_ > m.begin + m.bytes) return;
  std::uint64_t count = 1;
  for (unsigned i = 0; i < rank; ++i)
    if (__builtin_mul_overflow(count, length_at(sizes + i * length_bytes_), &count)) return;
  dataset.elements = count;
}

bool Hdf5Walk::link(const Object& object, const Message& m) {
  const unsigned flags = bytes_.byte(m.begin + 1), width = 1u << (flags & 3);
  auto at = m.begin + 2;
  const auto end = m.begin + m.bytes;
  const unsigned kind = flags & 8 ? bytes_.byte(at++) : 0;
  at += (flags & 4 ? 8 : 0) + (flags & 16 ? 1 : 0);
  const auto where = object.name + ", link";
  if (at + width > end) return bad(m.at, where, "it ends before its name");
  const auto length = bytes_.number(at, width);
  if (length > end - at - width)
    return bad(at, where, fmt::format("its name has {} bytes, more than the message", length));
  const auto name = (object.name == "/" ? "/" : object.name + "/") + shown(bytes_.text(at + width, length));
  at += width + length;
  if (kind != 0) return true;  // soft or external: a name, no address
  if (address_bytes_ > end - at) return bad(m.at, where, "it ends before its address");
  add(at, address_at(at), name);
  return !fault_;
}

bool Hdf5Walk::link_info(const Object& object, const Message& m, unsigned index_bytes) {
  const unsigned flags = bytes_.byte(m.begin + 1);
  const auto at = m.begin + 2 + (flags & 1 ? index_bytes : 0);
  if (at + 2 * address_bytes_ > m.begin + m.bytes)
    return bad(m.at, object.name + ", link info", "it ends before its addresses");
  const auto heap = address_at(at), tree = address_at(at + address_bytes_);
  if (heap == nowhere) return true;
  dense_ = true;
  const std::uint64_t heap_bytes = 22 + 12 * length_bytes_ + 3 * address_bytes_;
  if (bytes_.holds(heap, 10) && bytes_.number(heap + 7, 2) == 0 &&
      !header_with_checksum(object.name + ", fractal heap", at, heap, "FRHP", heap_bytes))
    return false;
  if (tree == nowhere) return true;
  return header_with_checksum(object.name + ", B-tree", at + address_bytes_, tree, "BTHD",
                              16 + address_bytes_ + 2 + length_bytes_);
}

bool Hdf5Walk::attribute(const Object& object, const Message& m) {
  const unsigned version = bytes_.byte(m.begin);
  if (version < 1 || version > 3)
    return bad(m.begin, object.name + ", attribute", fmt::format("version {} does not exist", version));
  const auto padded = [&](std::uint64_t n) { return version == 1 ? (n + 7) / 8 * 8 : n; };
  const auto name = bytes_.number(m.begin + 2, 2), type = bytes_.number(m.begin + 4, 2),
             space = bytes_.number(m.begin + 6, 2);
  const auto name_at = m.begin + (version == 3 ? 9 : 8), type_at = name_at + padded(name);
  const auto data = type_at + padded(type) + padded(space), end = m.begin + m.bytes;
  if (data > end)
    return bad(m.begin, object.name + ", attribute",
               fmt::format("its parts need {} bytes, it has {}", data - m.begin, m.bytes));
  const bool shared = version > 1 && bytes_.byte(m.begin + 1) & 1;
  const bool texts = type >= 8 && !shared && (bytes_.byte(type_at) & 0x0f) == class_of_texts;
  return !texts || text_references(object, data, end);
}

// Each: a length of 4 bytes, a heap's address, a number in that heap.
bool Hdf5Walk::text_references(const Object& object, std::uint64_t at, std::uint64_t end) {
  for (const std::uint64_t each = 8 + address_bytes_; end - at >= each; at += each) {
    const auto heap = address_at(at + 4);
    if (bytes_.number(at, 4) == 0 || heap == nowhere || heap == base_) continue;
    if (!global_heap(object.name + ", attribute's text", at + 4, heap)) return false;
  }
  return true;
}

}  // namespace sigwhy::inputs
