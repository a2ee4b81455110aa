// Every bit of files that have checksums, turned one at a time: the flaw is found at the first byte of the field that
// the bit lies in.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/count_text.h"
#include "damage.h"
#include "inputs/little_endian.h"
#include "inputs/zip_archive.h"

namespace sigwhy::inputs {

namespace {

struct Field {
  std::uint64_t at, bytes;
  std::string where;
};

std::vector<Field> fields_of_records(const std::string& whole) {
  std::vector<Field> fields;
  std::uint64_t at = 0;
  for (int record = 0; at < whole.size(); ++record) {
    const auto length = little_endian(std::string_view(whole).substr(at, 8));
    const auto named = [&](const char* field) { return fmt::format("record {}, {}", record, field); };
    fields.push_back({at, 8, named("length")});
    fields.push_back({at + 8, 4, named("length checksum")});
    fields.push_back({at + 12, length, named("data")});
    fields.push_back({at + 12 + length, 4, named("data checksum")});
    at += 16 + length;
  }
  return fields;
}

TEST(ExactOffsets, EveryBitOfATfrecord) {
  const auto whole = sample("digits.tfrecord");
  for (const auto& field : fields_of_records(whole)) {
    for (auto at = field.at; at < field.at + field.bytes; ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        const auto checked = check_bytes("tfrecord", with_bit_turned(whole, at, bit));
        ASSERT_TRUE(checked.flaw) << at;
        ASSERT_EQ(checked.flaw->offset, field.at) << at << " " << bit;
        ASSERT_EQ(checked.flaw->where, field.where) << at;
        const auto named = "bit in byte " + grouped_digits(at) + " explains it";
        ASSERT_TRUE(field.bytes == 4 || checked.flaw->what.ends_with(named)) << checked.flaw->what;
      }
    }
  }
}

TEST(ExactOffsets, DamageToACompressedFileIsPlacedInTheFile) {
  const auto whole = sample("digits.tfrecord.gz");
  const auto padded = whole.size() - 9;  // deflate's last byte: bits behind its end mean nothing
  for (std::size_t at = 10; at < whole.size(); ++at) {
    if (at == padded) continue;
    const auto checked = check_bytes("tfrecord", with_bit_turned(whole, at, static_cast<int>(at % 8)));
    ASSERT_TRUE(checked.flaw) << at;
    ASSERT_EQ(checked.flaw->inside, "");
    ASSERT_GE(checked.flaw->offset + (at >= whole.size() - 8 ? 4 : 0), at);
  }
}

TEST(ExactOffsets, GzipTrailer) {
  const auto whole = sample("text.gz");
  for (std::size_t at = whole.size() - 8; at < whole.size(); ++at) {
    const auto checked = check_bytes("gzip", with_bit_turned(whole, at, 3));
    ASSERT_TRUE(checked.flaw);
    EXPECT_EQ(checked.flaw->offset, at < whole.size() - 4 ? whole.size() - 8 : whole.size() - 4);
  }
}

class ExactZip : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  void SetUp() override {
    const auto file = FileBytes::of(whole_);
    archive_ = read_zip(*file);
    ASSERT_FALSE(archive_.flaw);
    ASSERT_FALSE(archive_.members.empty());
  }
  void expect_at(std::uint64_t field, std::uint64_t bytes) {
    for (auto at = field; at < field + bytes; ++at)
      for (int bit = 0; bit < 8; ++bit) {
        const auto checked = check_bytes(GetParam().first, with_bit_turned(whole_, at, bit));
        ASSERT_TRUE(checked.flaw) << at << " " << bit;
        ASSERT_EQ(checked.flaw->offset, field) << at << " " << bit << " " << checked.flaw->where << ": " << checked.flaw->what;
        ASSERT_EQ(checked.flaw->inside, "");
      }
  }
  const std::string whole_ = sample(GetParam().second);
  ZipArchive archive_;
};

TEST_P(ExactZip, FieldsOfBothHeaders) {
  for (const auto& member : archive_.members) {
    const bool sizes_follow = member.local.flags & 8;
    for (const auto* fields : {&member.local, &member.entry}) {
      expect_at(fields->method_at, 2);
      if (fields == &member.local && sizes_follow) continue;
      expect_at(fields->crc_at, 4);
      expect_at(fields->packed_at, 4);
      expect_at(fields->bytes_at, 4);
    }
    expect_at(member.header_at_at, 4);
  }
}

TEST_P(ExactZip, StoredDataNameTheByte) {
  for (const auto& member : archive_.members) {
    if (member.entry.method != 0) continue;
    for (auto at = member.local.end; at < member.local.end + member.entry.bytes; at += 1 + member.entry.bytes / 200) {
      const auto checked = check_bytes(GetParam().first, with_bit_turned(whole_, at, 5));
      ASSERT_TRUE(checked.flaw);
      ASSERT_EQ(checked.flaw->offset, member.local.end);
      ASSERT_TRUE(checked.flaw->what.ends_with("bit in byte " + grouped_digits(at) + " explains it")) << checked.flaw->what;
    }
  }
}

TEST_P(ExactZip, EndRecord) {
  const auto end = whole_.size() - 22;
  for (const std::uint64_t field : {0, 4, 6, 8, 20}) expect_at(end + field, field == 0 ? 4 : 2);
  expect_at(end + 12, 4);
  expect_at(end + 16, 4);
}

INSTANTIATE_TEST_SUITE_P(Archives, ExactZip,
                         testing::Values(std::pair{"npz", "stored.npz"}, std::pair{"npz", "deflated.npz"}, std::pair{"keras", "dense.keras"}));

}  // namespace

}  // namespace sigwhy::inputs
