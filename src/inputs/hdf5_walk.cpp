#include "inputs/hdf5_walk.h"

#include <fmt/format.h>

#include "inputs/verdict.h"

namespace sigwhy::inputs {

namespace {

constexpr std::uint64_t nowhere = ~std::uint64_t{0};
constexpr std::size_t most_places = 2'000'000, longest_path = 1000;

constexpr std::uint32_t turned(std::uint32_t value, int by) { return value << by | value >> (32 - by); }

}  // namespace

std::uint32_t hdf5_checksum(std::string_view bytes) {
  const auto start = 0xdeadbeefu + static_cast<std::uint32_t>(bytes.size());
  std::uint32_t a = start, b = start, c = start;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4 && at + i < bytes.size(); ++i)
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return value;
  };
  std::size_t at = 0;
  for (; bytes.size() - at > 12; at += 12) {
    a += word(at), b += word(at + 4), c += word(at + 8);
    a -= c, a ^= turned(c, 4), c += b;
    b -= a, b ^= turned(a, 6), a += c;
    c -= b, c ^= turned(b, 8), b += a;
    a -= c, a ^= turned(c, 16), c += b;
    b -= a, b ^= turned(a, 19), a += c;
    c -= b, c ^= turned(b, 4), b += a;
  }
  if (bytes.empty()) return c;
  a += word(at), b += word(at + 4), c += word(at + 8);
  c ^= b, c -= turned(b, 14);
  a ^= c, a -= turned(c, 11);
  b ^= a, b -= turned(a, 25);
  c ^= b, c -= turned(b, 16);
  a ^= c, a -= turned(c, 4);
  b ^= a, b -= turned(a, 14);
  c ^= b, c -= turned(b, 24);
  return c;
}

bool Hdf5Walk::bad(std::uint64_t offset, std::string where, std::string what) {
  if (!fault_) fault_ = broken(offset, std::move(where), std::move(what));
  return false;
}

bool Hdf5Walk::outside(std::uint64_t said_at, const std::string& where, std::uint64_t at, std::uint64_t bytes) {
  if (bytes_.holds(at, bytes)) return false;
  bad(said_at, where,
      at == nowhere
          ? std::string("it has no address")
          : fmt::format("{} bytes from byte {} on reach past the file's end at {}", bytes, at, bytes_.bytes()));
  return true;
}

bool Hdf5Walk::signature(std::uint64_t said_at, std::uint64_t at, std::string_view wanted, const std::string& where) {
  if (outside(said_at, where, at, wanted.size() + 4)) return false;
  const auto found = bytes_.text(at, wanted.size());
  return found == wanted || bad(at, where, fmt::format("it begins with \"{}\", not {}", shown(found), wanted));
}

bool Hdf5Walk::checksum(std::uint64_t at, std::uint64_t bytes, const std::string& where) {
  if (outside(at, where, at, bytes + 4)) return false;
  if (bytes > longest_buffer) return bad(at, where, fmt::format("{} bytes are too many for it", bytes));
  const auto stored = static_cast<std::uint32_t>(bytes_.number(at + bytes, 4));
  const auto given = hdf5_checksum(bytes_.text(at, bytes));
  if (stored == given) return true;
  return bad(at, where,
             fmt::format("the checksum of its {} bytes is {:#010x}, the bytes give {:#010x}", bytes, stored, given));
}

std::uint64_t Hdf5Walk::address_at(std::uint64_t at) {
  const auto value = bytes_.number(at, address_bytes_);
  if (value == nowhere >> (64 - 8 * address_bytes_)) return nowhere;
  return value > bytes_.bytes() ? value : base_ + value;
}

void Hdf5Walk::add(std::uint64_t said_at, std::uint64_t at, std::string name) {
  if (fault_ || !seen_.insert(at).second) return;  // a hard link to what was walked already
  if (seen_.size() > most_places) fault_ = not_checked(fmt::format("it has more than {} parts", most_places));
  if (name.size() > longest_path) name = "..." + name.substr(name.size() - longest_path / 2);
  if (!fault_ && !outside(said_at, name, at, 16)) todo_.push_back({at, std::move(name)});
}

// Counted from the file's start, unlike every other address: a user's block before the superblock is in it.
bool Hdf5Walk::ending(std::uint64_t said_at, std::uint64_t end) {
  if (end <= bytes_.bytes()) return true;
  return bad(bytes_.bytes(), "superblock, end of file",
             fmt::format("the file ends here; by its superblock (byte {}) it has {} bytes, so {} are missing", said_at,
                         end, end - bytes_.bytes()));
}

bool Hdf5Walk::old_superblock(std::uint64_t at) {
  const auto version = bytes_.byte(at + 8);
  const auto fields = at + (version == 0 ? 24 : 28);
  const auto root = fields + 4 * address_bytes_;
  if (!bytes_.holds(at, root - at + 2 * address_bytes_ + 24))
    return bad(bytes_.bytes(), "superblock", "the file ends here");
  base_ = bytes_.number(fields, address_bytes_);
  if (base_ != at && base_ != 0)
    return bad(fields, "superblock, base address", fmt::format("it is {}, the superblock lies at {}", base_, at));
  if (!ending(fields + 2 * address_bytes_, bytes_.number(fields + 2 * address_bytes_, address_bytes_))) return false;
  add(root + address_bytes_, address_at(root + address_bytes_), "/");
  return !fault_;
}

bool Hdf5Walk::superblock(std::uint64_t at) {
  if (!bytes_.holds(at, 16)) return bad(bytes_.bytes(), "superblock", "the file ends here");
  const auto version = bytes_.byte(at + 8);
  if (version > 3) return bad(at + 8, "superblock, version", fmt::format("version {} does not exist", version));
  const auto sizes_at = at + (version < 2 ? 13 : 9);
  address_bytes_ = bytes_.byte(sizes_at), length_bytes_ = bytes_.byte(sizes_at + 1);
  for (unsigned i = 0; i < 2; ++i)
    if (const auto size = bytes_.byte(sizes_at + i); size != 2 && size != 4 && size != 8)
      return bad(sizes_at + i, "superblock", fmt::format("addresses and lengths of {} bytes do not exist", size));
  if (version < 2) return old_superblock(at);
  if (!bytes_.holds(at, 12 + 4 * address_bytes_ + 4)) return bad(bytes_.bytes(), "superblock", "the file ends here");
  if (!checksum(at, 12 + 4 * address_bytes_, "superblock")) return false;
  open_ = version == 3 && bytes_.byte(at + 11) & 1;
  base_ = bytes_.number(at + 12, address_bytes_);
  if (base_ != at && base_ != 0)
    return bad(at + 12, "superblock, base address", fmt::format("it is {}, the superblock lies at {}", base_, at));
  if (!ending(at + 12 + 2 * address_bytes_, bytes_.number(at + 12 + 2 * address_bytes_, address_bytes_))) return false;
  add(at + 12 + 3 * address_bytes_, address_at(at + 12 + 3 * address_bytes_), "/");
  return !fault_;
}

Checked Hdf5Walk::run(std::uint64_t at) {
  if (superblock(at)) {
    while (!fault_ && !todo_.empty()) {
      const auto next = todo_.front();
      todo_.pop_front();
      ++objects_;
      if (!object(next)) break;
    }
  }
  if (bytes_.shrank()) return not_checked("it was cut while it was read");
  if (fault_) return *fault_;
  auto result = sound(fmt::format("{}, {}", counted(objects_ - datasets_, "group"), counted(datasets_, "dataset")));
  if (datasets_) result.remarks.push_back("numbers have no checksum that was compared: changed ones cannot be told");
  if (dense_) result.remarks.push_back("it has groups or attributes in a fractal heap; those were not followed");
  if (indexed_) result.remarks.push_back("it has chunks by a newer index, of which only the header was checked");
  if (open_) result.remarks.push_back("it says that a program has it open for writing: that one died, or still writes");
  return result;
}

}  // namespace sigwhy::inputs
