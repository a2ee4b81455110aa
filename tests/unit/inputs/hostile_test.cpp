// Files that were made to hurt: they are called broken, at the field that lies, without the memory or the time that they
// ask for.
#include <gtest/gtest.h>
#include <zlib.h>

#include "base/crc32c.h"
#include "damage.h"
#include "inputs/check.h"

namespace sigwhy::inputs {

namespace {

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i, value >>= 8) text += static_cast<char>(value);
  return text;
}

std::string record_head(std::uint64_t length) {
  const auto bytes = little(length, 8);
  return bytes + little(masked_crc32c(crc32c(std::as_bytes(std::span(bytes)))), 4);
}

std::string deflated(const std::string& plain) {
  z_stream z{};
  deflateInit2(&z, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&z, plain.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  z.avail_in = static_cast<uInt>(plain.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<uInt>(packed.size());
  deflate(&z, Z_FINISH);
  packed.resize(z.total_out);
  deflateEnd(&z);
  return packed;
}

struct Member {
  std::string name, data;
  int method = 0;
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
};

Member stored(std::string name, const std::string& data) {
  return {std::move(name), data, 0, data.size(),
          static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())))};
}

std::string fields(const Member& m) {
  return little(20, 2) + little(0, 2) + little(static_cast<std::uint64_t>(m.method), 2) + little(0, 4) + little(m.crc, 4) +
         little(m.data.size(), 4) + little(m.bytes, 4) + little(m.name.size(), 2) + little(0, 2);
}

// `entries`: how often the directory lists each member.
std::string zip_of(const std::vector<Member>& members, int entries = 1) {
  std::string file, directory;
  for (const auto& m : members) {
    for (int i = 0; i < entries; ++i)
      directory += "PK\x01\x02" + little(20, 2) + fields(m) + little(0, 10) + little(file.size(), 4) + m.name;
    file += "PK\x03\x04" + fields(m) + m.name + m.data;
  }
  const auto count = members.size() * static_cast<std::size_t>(entries);
  return file + directory + "PK\x05\x06" + little(0, 4) + little(count, 2) + little(count, 2) + little(directory.size(), 4) +
         little(file.size(), 4) + little(0, 2);
}

TEST(Hostile, RecordThatClaimsAllMemory) {
  const auto checked = check_bytes("tfrecord", record_head(~0ull) + "abc");
  ASSERT_TRUE(checked.flaw);
  EXPECT_EQ(checked.flaw->offset, 15);
  EXPECT_EQ(checked.flaw->where, "record 0, data");
}

TEST(Hostile, ZerosBehindTheRecords) {
  const auto whole = sample("digits.tfrecord");
  const auto checked = check_bytes("tfrecord", whole + std::string(4096, '\0'));
  ASSERT_TRUE(checked.flaw);
  EXPECT_EQ(checked.flaw->offset, whole.size());
  EXPECT_EQ(checked.flaw->where, "record 20, length");
}

TEST(Hostile, SoundArchiveOfOurOwnIsSound) {
  EXPECT_EQ(check_bytes("zip", zip_of({stored("a", "x"), stored("b", "")})).soundness, Soundness::sound);
  EXPECT_EQ(check_bytes("zip", zip_of({})).soundness, Soundness::sound);
}

TEST(Hostile, BombAdmitsLessThanComesOut) {
  Member bomb{"x.npy", deflated(std::string(32 << 20, '\0')), 8, 1000, 0};
  const auto checked = check_bytes("npz", zip_of({bomb}));
  ASSERT_TRUE(checked.flaw);
  EXPECT_NE(checked.flaw->what.find("it says 1,000, more come out"), std::string::npos) << checked.flaw->what;
}

TEST(Hostile, MembersThatShareTheirBytes) {
  const auto checked = check_bytes("zip", zip_of({stored("a", std::string(100, 'x'))}, 50));
  ASSERT_TRUE(checked.flaw);
  EXPECT_NE(checked.flaw->what.find("its bytes are those of a too"), std::string::npos) << checked.flaw->what;
}

TEST(Hostile, NamesAreShownHarmless) {
  auto member = stored("a\x1b[31m\nb\xff.npy", "no array");
  const auto checked = check_bytes("npz", zip_of({member}));
  ASSERT_TRUE(checked.flaw);
  EXPECT_EQ(checked.flaw->inside, "a\\x1b[31m\\x0ab\\xff.npy in the archive");
}

TEST(Hostile, NestingWithoutEnd) {
  const std::string deep(900'000, '(');
  const auto npy = check_bytes("npy", "\x93NUMPY\x02" + std::string(1, '\0') + little(deep.size(), 4) + deep);
  ASSERT_TRUE(npy.flaw);
  EXPECT_EQ(npy.flaw->where, "header");
  const auto json = std::string(900'000, '[');
  const auto tensors = check_bytes("safetensors", little(json.size(), 8) + json);
  ASSERT_TRUE(tensors.flaw);
  EXPECT_EQ(tensors.flaw->offset, 8);
  const auto keras = check_bytes("keras", zip_of({stored("config.json", "{\"a\":" + json)}));
  ASSERT_TRUE(keras.flaw);
  EXPECT_EQ(keras.flaw->inside, "config.json in the archive");
}

TEST(Hostile, TensorsThatOverlapOrLeaveHoles) {
  const auto with = [](const std::string& a, const std::string& b) {
    const std::string json = R"({"a":{"dtype":"U8","shape":[4],"data_offsets":)" + a + R"(},"b":{"dtype":"U8","shape":[4],"data_offsets":)" + b + "}}";
    return check_bytes("safetensors", little(json.size(), 8) + json + "12345678");
  };
  EXPECT_EQ(with("[0,4]", "[4,8]").soundness, Soundness::sound);
  EXPECT_EQ(with("[4,8]", "[0,4]").soundness, Soundness::sound);
  for (const auto& [a, b, at] : {std::tuple{"[0,4]", "[2,6]", 106}, {"[0,4]", "[5,9]", 106}, {"[0,3]", "[4,8]", 54}, {"[4,0]", "[4,8]", 54}}) {
    const auto checked = with(a, b);
    ASSERT_TRUE(checked.flaw) << a << b;
    EXPECT_EQ(checked.flaw->offset, at) << a << b << checked.flaw->what;
  }
}

TEST(Hostile, ShapesThatOverflow) {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }";
  const auto checked = check_bytes("npy", "\x93NUMPY\x01" + std::string(1, '\0') + little(header.size(), 2) + header);
  ASSERT_TRUE(checked.flaw);
  EXPECT_EQ(checked.flaw->offset, 10 + header.find('('));
}

TEST(Check, ChoosesByContentBeforeName) {
  const Folder folder;
  EXPECT_EQ(check(folder.put("wrong.npy", sample("stored.npz")), std::chrono::seconds(60)).format, "npz");
  EXPECT_EQ(check(folder.put("model.zip", sample("dense.keras")), std::chrono::seconds(60)).format, "keras");
  EXPECT_EQ(check(folder.put("records", sample("digits.tfrecord.gz")), std::chrono::seconds(60)).format, "tfrecord");
  EXPECT_EQ(check(folder.put("other.gz", sample("text.gz")), std::chrono::seconds(60)).format, "gzip");
  EXPECT_EQ(check(folder.put("notes.txt", "hello"), std::chrono::seconds(60)).soundness, Soundness::unknown_format);
  const auto empty = check(folder.put("empty.npy", ""), std::chrono::seconds(60));
  EXPECT_EQ(empty.soundness, Soundness::broken);
  EXPECT_EQ(check(folder.path("absent"), std::chrono::seconds(60)).soundness, Soundness::not_checked);
}

TEST(Check, CountsBesideTheFileShowACutAtARecordsEdge) {
  const Folder folder;
  const auto whole = sample("digits.tfrecord");
  const auto record = whole.size() / 20;
  const auto cut = folder.put("digits-train.tfrecord-00001-of-00002", whole.substr(0, 8 * record));
  auto checked = check(cut, std::chrono::seconds(60));
  EXPECT_EQ(checked.soundness, Soundness::sound);
  ASSERT_EQ(checked.remarks.size(), 1);
  EXPECT_NE(checked.remarks[0].find("digits-train.tfrecord-00000-of-00002"), std::string::npos);
  folder.put("dataset_info.json", R"({"splits":[{"name":"train","shardLengths":["20","20"]},{"name":"test","shardLengths":["1"]}]})");
  checked = check(cut, std::chrono::seconds(60));
  ASSERT_TRUE(checked.flaw);
  EXPECT_EQ(checked.flaw->offset, 8 * record);
  EXPECT_EQ(checked.flaw->where, "record 8");
  const auto indexed = folder.put("a.tfrecord", whole.substr(0, 8 * record));
  std::string index;
  for (std::size_t i = 0; i < 9; ++i) index += std::to_string(i * record) + " " + std::to_string(record) + "\n";
  folder.put("a.tfrecord.idx", index);
  EXPECT_EQ(check(indexed, std::chrono::seconds(60)).soundness, Soundness::broken);
}

}  // namespace

// A reader that trusts the length of a character reads on behind the header.
TEST(Hostile, HeaderThatBreaksOffWithinACharacter) {
  for (const std::string_view character : {"\xc3", "\xe2\x82", "\xf0", "\xf0\x9f", "\xf0\x9f\x98"}) {
    const auto json = "{\"a name that is too long for a short string: " + std::string(character);
    const auto checked = check_bytes("safetensors", little(json.size(), 8) + json);
    EXPECT_EQ(checked.soundness, Soundness::broken);
  }
}

}  // namespace sigwhy::inputs
