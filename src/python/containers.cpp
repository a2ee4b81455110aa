// Elements of lists, tuples and sets; entries of dictionaries; attributes of instances.
//
// A dictionary since 3.6 is a table of indices followed by its entries in order of insertion. Instances of one class
// may share the keys and keep only values ("split"). Since 3.11 instances often have no dictionary at all: their
// values lie before the object (3.11, 3.12) or right behind it (3.13), in the order of the keys their class keeps.
#include <algorithm>

#include "python/objects.h"
#include "python/texts.h"

namespace sigwhy::python {

namespace {

constexpr std::uint64_t chunk = 64;
constexpr std::uint64_t most_slots = 1u << 22;
constexpr std::uint64_t has_managed_dict = 1u << 4, has_inline_values = 1u << 2;
constexpr std::uint8_t general_keys = 0;

}  // namespace

void Objects::elements(Address object, Kind kind, std::uint64_t most, Visit visit) const {
  if (kind == Kind::set) return set_elements(object, most, visit);
  const auto count = std::min(length(object, kind).value_or(0), most);
  const Address first = kind == Kind::list ? pointer(object + layout_.objects.list.items)
                                           : object + layout_.objects.tuple.items;
  std::array<std::uint64_t, chunk> words;
  for (std::uint64_t done = 0; done < count;) {
    const auto size = std::min(chunk, count - done);
    const auto bytes = std::as_writable_bytes(std::span(words).first(size));
    const auto got = memory_.read(first + done * 8, bytes) / 8;
    for (std::uint64_t i = 0; i < got; ++i)
      if (!visit(done + i, Address{words[i]})) return;
    if (got < size) return;
    done += size;
  }
}

void Objects::set_elements(Address set, std::uint64_t most, Visit visit) const {
  const auto& at = layout_.objects.set;
  const auto slots = std::min(memory_.read_value<std::uint64_t>(set + at.mask).value_or(0) + 1, most_slots);
  const Address table = pointer(set + at.table);
  const auto used = std::min(length(set, Kind::set).value_or(0), most);
  struct Entry {
    std::uint64_t key, hash;
  };
  // 2.7 keeps the hash first.
  const bool hash_first = layout_.major == 2;
  for (std::uint64_t i = 0, seen = 0; i < slots && seen < used; ++i) {
    const auto entry = memory_.read_value<Entry>(table + i * sizeof(Entry));
    if (!entry) return;
    const Address key{hash_first ? entry->hash : entry->key};
    // The mark of a removed entry is an object too, with hash -1.
    if (!key.value || (hash_first ? entry->key : entry->hash) == ~std::uint64_t{0}) continue;
    if (!visit(seen++, key)) return;
  }
}

void Objects::entries(Address dict, std::uint64_t most, VisitEntry visit) const {
  const auto& at = layout_.objects.dict;
  if (!at.keys) return old_entries(dict, most, visit);
  const Address values = pointer(dict + *at.values);
  key_entries(pointer(dict + *at.keys), values.value ? values + layout_.objects.first_value : Address{}, most, visit);
}

// `values`: of a split dictionary, in the order of the keys.
void Objects::key_entries(Address keys, Address values, std::uint64_t most, VisitEntry visit) const {
  const auto& at = layout_.objects.keys;
  std::uint64_t index_bytes = 0, entry_bytes = 24;
  if (at.log2_index_bytes) {
    const auto log = memory_.read_value<std::uint8_t>(keys + *at.log2_index_bytes).value_or(255);
    if (log > 40) return;
    index_bytes = std::uint64_t{1} << log;
    if (memory_.read_value<std::uint8_t>(keys + *at.kind).value_or(general_keys) != general_keys) entry_bytes = 16;
  } else if (at.size) {
    const auto slots = memory_.read_value<std::uint64_t>(keys + *at.size).value_or(0);
    if (slots > std::uint64_t{1} << 40) return;
    index_bytes = slots * (slots <= 0xff ? 1 : slots <= 0xffff ? 2 : slots <= 0xffffffff ? 4 : 8);
  } else {
    return;
  }
  const auto count = std::min(memory_.read_value<std::uint64_t>(keys + at.entry_count).value_or(0), most_slots);
  const Address first = keys + at.indices + index_bytes;
  const Offset key_offset = entry_bytes == 24 ? 8 : 0;
  for (std::uint64_t i = 0, seen = 0; i < count && seen < most; ++i) {
    const Address entry = first + i * entry_bytes;
    const auto key = memory_.read_value<std::uint64_t>(entry + key_offset);
    if (!key) return;
    const Address value = pointer(values.value ? values + i * 8 : entry + key_offset + 8);
    if (!*key || !value.value) continue;  // removed, or not set in this instance
    ++seen;
    if (!visit(Address{*key}, value)) return;
  }
}

// 2.7: an open table of (hash, key, value).
void Objects::old_entries(Address dict, std::uint64_t most, VisitEntry visit) const {
  const auto& at = layout_.objects.dict;
  if (!at.mask || !at.table) return;
  const auto slots = std::min(memory_.read_value<std::uint64_t>(dict + *at.mask).value_or(0) + 1, most_slots);
  const Address table = pointer(dict + *at.table);
  struct Entry {
    std::uint64_t hash, key, value;
  };
  for (std::uint64_t i = 0, seen = 0; i < slots && seen < most; ++i) {
    const auto entry = memory_.read_value<Entry>(table + i * sizeof(Entry));
    if (!entry) return;
    if (!entry->value) continue;
    ++seen;
    if (!visit(Address{entry->key}, Address{entry->value})) return;
  }
}

void Objects::attributes(Address object, const TypeInfo& type, std::uint64_t most, VisitEntry visit) const {
  const auto& at = layout_.objects;
  const auto dictionary = [&](Address dict) {
    const auto* kind = type_of(dict);
    if (kind && kind->kind == Kind::dict) entries(dict, most, visit);
  };
  const auto shared = [&](Address values) {
    if (at.type.cached_keys) key_entries(pointer(type.at + *at.type.cached_keys), values, most, visit);
  };
  // 2.7's `class A:` without a base: all instances have one type, and keep a dictionary behind their class.
  if (layout_.major == 2 && type.name() == "instance") return dictionary(pointer(object + 24));
  const bool managed = at.attributes != ManagedAttributes::none && type.flags & has_managed_dict;
  if (!managed) {
    if (type.dict_offset > 0 && type.dict_offset < type.basic_size)
      dictionary(pointer(object + static_cast<std::uint64_t>(type.dict_offset)));
    return;
  }
  const Address word = pointer(object - 24);
  if (at.attributes == ManagedAttributes::values_before) {
    const Address values = pointer(object - 32);
    return values.value ? shared(values + at.first_value) : dictionary(word);
  }
  if (at.attributes == ManagedAttributes::tagged)
    return word.value & 1 ? shared(word + 1 + at.first_value) : dictionary(word);
  if (word.value) return dictionary(word);
  if (type.flags & has_inline_values) shared(object + static_cast<std::uint64_t>(type.basic_size) + at.first_value);
}

Address Objects::entry(Address dict, std::string_view key) const {
  Address found;
  entries(dict, 100'000, [&](Address k, Address value) {
    if (!text_is(k, key)) return true;
    found = value;
    return false;
  });
  return found;
}

Address Objects::attribute(Address object, std::string_view name) const {
  const auto* type = type_of(object);
  if (!type) return {};
  const TypeInfo copy = *type;
  Address found;
  attributes(object, copy, 10'000, [&](Address k, Address value) {
    if (!text_is(k, name)) return true;
    found = value;
    return false;
  });
  return found;
}

}  // namespace sigwhy::python
