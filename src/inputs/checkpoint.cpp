#include "inputs/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/crc32c.h"
#include "inputs/leveldb_table.h"
#include "inputs/protobuf_walk.h"
#include "inputs/tensor_facts.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs {

namespace {

using Fault = std::optional<Checked>;

// Field numbers of protobuf/tensor_bundle.proto.
enum HeaderField : unsigned { h_shards = 1 };
enum EntryField : unsigned { e_dtype = 1, e_shape = 2, e_shard = 3, e_offset = 4, e_size = 5, e_crc = 6, e_slices = 7 };

constexpr std::size_t most_tensors = 1'000'000;
constexpr std::uint64_t most_shards = 99'999;  // five digits
constexpr std::uint64_t dt_variant = 21;

struct Tensor {
  std::string name;
  std::uint64_t shard = 0, offset = 0, bytes = 0, dtype = 0;
  std::optional<std::uint64_t> elements;
  std::uint32_t checksum = 0;
};

Checked inside(Checked checked, const std::string& name) {
  if (checked.flaw && checked.flaw->inside.empty()) checked.flaw->inside = name;
  return checked;
}

class Bundle {
 public:
  explicit Bundle(PagedBytes& index) : index_(index) {}

  Fault add(const leveldb::Entry& entry) {
    const std::string_view message = entry.key.empty() ? "BundleHeaderProto" : "BundleEntryProto";
    const auto end = entry.value_at + entry.value_bytes;
    const auto walked =
        protobuf::walk(index_, message, entry.value_at, end, [](auto, auto, auto) { return std::nullopt; });
    const auto name = entry.key.empty() ? std::string("header") : shown(entry.key);
    if (walked.fault) {
      auto fault = *walked.fault;
      if (fault.flaw) fault.flaw->where = name + (fault.flaw->where.empty() ? "" : ", " + fault.flaw->where);
      return fault;
    }
    if (entry.key.empty()) return header(entry.value_at, end);
    if (shards == 0) return broken(entry.at, name, "it comes before the header, the entry without a name");
    if (tensors.size() == most_tensors) return not_checked(fmt::format("it has more than {} tensors", most_tensors));
    return tensor(name, entry.value_at, end);
  }

  std::vector<Tensor> tensors;
  std::uint64_t shards = 0;

 private:
  Fault header(std::uint64_t begin, std::uint64_t end) {
    protobuf::Fields fields(index_, begin, end);
    while (const auto field = fields.next())
      if (field->number == h_shards) shards = field->value;
    if (shards == 0 || shards > most_shards) return broken(begin, "header", fmt::format("{} shards cannot be", shards));
    return {};
  }

  Fault tensor(const std::string& name, std::uint64_t begin, std::uint64_t end) {
    Tensor t{.name = name, .elements = 1};
    bool sliced = false, open = false;
    std::uint64_t shard_at = begin, size_at = begin;
    protobuf::Fields fields(index_, begin, end);
    while (const auto field = fields.next()) {
      switch (field->number) {
        case e_dtype: t.dtype = field->value; break;
        case e_shape: {
          const auto elements = elements_of_shape(index_, field->begin, field->end);
          t.elements = elements.count;
          open = !elements.known;
          break;
        }
        case e_shard: t.shard = field->value, shard_at = field->at; break;
        case e_offset: t.offset = field->value; break;
        case e_size: t.bytes = field->value, size_at = field->at; break;
        case e_crc: t.checksum = static_cast<std::uint32_t>(field->value); break;
        case e_slices: sliced = true; break;
        default: break;
      }
    }
    if (t.shard >= shards) return broken(shard_at, name, fmt::format("shard {} of {} cannot be", t.shard, shards));
    if (sliced) return {};  // its slices have entries of their own
    std::uint64_t wanted = 0;
    const auto each = tensorflow_item_bytes(t.dtype);
    const bool counts = t.elements && !__builtin_mul_overflow(*t.elements, each, &wanted);
    if (open || !counts) return broken(begin, name, "its shape is no shape of a tensor that has values");
    if (each && wanted != t.bytes)
      return broken(size_at, name, fmt::format("it has {} bytes, its type and shape need {}", t.bytes, wanted));
    tensors.push_back(std::move(t));
    return {};
  }

  PagedBytes& index_;
};

std::uint32_t crc_of(const FileBytes& file, std::uint64_t offset, std::uint64_t bytes, std::uint32_t crc) {
  std::vector<char> buffer(std::min<std::uint64_t>(bytes, 1 << 20));
  while (bytes > 0) {
    const auto got = file.read(offset, std::span(buffer).first(std::min<std::uint64_t>(bytes, buffer.size())));
    if (got == 0) break;
    crc = crc32c(crc, std::as_bytes(std::span(buffer).first(got)));
    offset += got;
    bytes -= got;
  }
  return crc;
}

template <class Number> std::uint32_t crc_of_number(Number number, std::uint32_t crc) {
  return crc32c(crc, std::as_bytes(std::span(&number, 1)));
}

// Texts: each length in 7-bit groups, a checksum of the lengths, the texts. The checksum is of the lengths as numbers.
std::optional<std::uint32_t> crc_of_texts(const FileBytes& shard, const Tensor& t) {
  PagedBytes bytes(shard);
  std::uint32_t crc = 0;
  auto at = t.offset;
  const auto end = t.offset + t.bytes;
  if (*t.elements > t.bytes) return std::nullopt;
  for (std::uint64_t i = 0; i < *t.elements; ++i) {
    std::uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (at >= end || shift > 63) return std::nullopt;
      const auto byte = bytes.byte(at++);
      length |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (!(byte & 0x80)) break;
    }
    crc = length >> 32 ? crc_of_number(length, crc) : crc_of_number(static_cast<std::uint32_t>(length), crc);
  }
  return crc_of(shard, at, end - at, crc);
}

class Shards {
 public:
  Shards(std::string prefix, std::uint64_t count) : prefix_(std::move(prefix)), count_(count) {}

  Fault fault_of(const Tensor& t) {
    const auto name = fmt::format("{}.data-{:05}-of-{:05}", prefix_, t.shard, count_);
    const auto base = name.substr(name.rfind('/') + 1);
    if (!file_ || file_->path() != name) {
      auto opened = FileBytes::open(name);
      if (!opened) return inside(broken(0, shown(t.name), "this file is missing: " + opened.error().cause), base);
      file_.emplace(std::move(*opened));
      budget_ += 2 * file_->bytes();
    }
    if (t.offset > file_->bytes() || t.bytes > file_->bytes() - t.offset)
      return inside(broken(file_->bytes(), t.name,
                           fmt::format("the file ends here; {} bytes from byte {} on belong to it", t.bytes, t.offset)),
                    base);
    if (t.bytes > budget_) return not_checked("its tensors share bytes: reading them all would not end");
    budget_ -= t.bytes;
    if (t.dtype == dt_variant) return {};
    const auto crc = t.dtype == dt_string ? crc_of_texts(*file_, t) : crc_of(*file_, t.offset, t.bytes, 0);
    if (!crc) return inside(broken(t.offset, t.name, "the lengths of its texts do not fit into it"), base);
    if (masked_crc32c(*crc) == t.checksum) return {};
    return inside(broken(t.offset, t.name,
                         fmt::format("the index has the checksum {:#010x} for its {} bytes, the bytes give {:#010x}",
                                     t.checksum, t.bytes, masked_crc32c(*crc))),
                  base);
  }

 private:
  std::string prefix_;
  std::uint64_t count_, budget_ = 0;
  std::optional<FileBytes> file_;
};

}  // namespace

std::optional<std::string> checkpoint_prefix(std::string_view path) {
  constexpr std::string_view index = ".index", data = ".data-";
  constexpr std::size_t numbers = 14;  // 00000-of-00001
  if (path.ends_with(index)) return std::string(path.substr(0, path.size() - index.size()));
  const auto at = path.rfind(data);
  if (at == std::string_view::npos || path.size() - at != data.size() + numbers) return std::nullopt;
  return path.substr(at + data.size() + 5, 4) == "-of-" ? std::optional(std::string(path.substr(0, at))) : std::nullopt;
}

Checked check_checkpoint(const std::string& prefix, const std::string& index_inside) {
  const auto file = FileBytes::open(prefix + ".index");
  if (!file) return not_checked(fmt::format("its index cannot be read: {}", file.error().cause));
  PagedBytes index(*file);
  Bundle bundle(index);
  if (auto fault = leveldb::walk_table(index, [&](const leveldb::Entry& entry) { return bundle.add(entry); }))
    return inside(*fault, index_inside);
  if (index.shrank()) return not_checked("it was cut while it was read");
  if (bundle.shards == 0)
    return inside(broken(0, "header", "the table has no header, the entry without a name"), index_inside);
  std::ranges::sort(bundle.tensors, {}, [](const Tensor& t) { return std::pair(t.shard, t.offset); });
  Shards shards(prefix, bundle.shards);
  std::uint64_t variants = 0;
  for (const Tensor& t : bundle.tensors) {
    if (auto fault = shards.fault_of(t)) return *fault;
    variants += t.dtype == dt_variant;
  }
  auto result = sound(fmt::format("{}, {}", counted(bundle.tensors.size(), "tensor"), counted(bundle.shards, "shard")));
  if (variants)
    result.remarks.push_back(counted(variants, "tensor") + " of type variant: the checksum was not compared");
  return result;
}

}  // namespace sigwhy::inputs
