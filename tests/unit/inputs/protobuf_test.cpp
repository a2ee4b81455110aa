// Messages written by hand, byte for byte, so that the offset expected is known.
#include <gtest/gtest.h>

#include "damage.h"

namespace sigwhy::inputs {

namespace {

std::string length_field(char tag, const std::string& content) {
  return std::string{tag, static_cast<char>(content.size())} + content;
}

constexpr char node_tag = 0x0a, name_tag = 0x0a, op_tag = 0x12, attr_tag = 0x2a, key_tag = 0x0a, value_tag = 0x12,
               tensor_tag = 0x42;

std::string graph_of(const std::string& node) { return length_field(node_tag, node); }

Checked check(const std::string& bytes) { return check_bytes("graph-def", bytes); }

void expect_flaw(const std::string& bytes, std::uint64_t offset, const std::string& where) {
  const auto checked = check(bytes);
  ASSERT_TRUE(checked.flaw) << where;
  EXPECT_EQ(checked.flaw->offset, offset) << checked.flaw->what;
  EXPECT_EQ(checked.flaw->where, where);
}

const std::string good = length_field(name_tag, "x") + length_field(op_tag, "Const");

TEST(ProtobufWalk, EmptyIsLegal) {
  const auto checked = check("");
  EXPECT_EQ(checked.soundness, Soundness::sound);
  ASSERT_FALSE(checked.remarks.empty());
  EXPECT_NE(checked.remarks[0].find("empty"), std::string::npos);
}

TEST(ProtobufWalk, ImpossibleFieldsAreNamedWithPathAndOffset) {
  const auto one = graph_of(good);
  expect_flaw(one + graph_of(std::string("\x08\x05", 2)), one.size() + 2, "node[1].name");        // a number for a text
  expect_flaw(graph_of(good + length_field(name_tag, "\xff")), 2 + good.size(), "node[0].name");  // no UTF-8
  expect_flaw(graph_of(good + std::string("\x00\x00", 2)), 2 + good.size(), "node[0]");           // field number 0
  expect_flaw(graph_of(good + std::string("\x0a\x40x", 3)), 2 + good.size(), "node[0].name");  // longer than the node
  expect_flaw(graph_of(good + std::string(12, '\xff')), 2 + good.size(), "node[0]");           // a tag without end
  expect_flaw(graph_of(good + "\x0c"), 2 + good.size(), "node[0]");                            // ends no group
  expect_flaw(graph_of(good + "\x0e"), 2 + good.size(), "node[0]");                            // no such wire type
}

TEST(ProtobufWalk, ATensorsContentMustFitItsShape) {
  const auto shape = length_field(0x12, length_field(0x12, "\x08\x03"));  // (3,)
  const auto tensor = std::string("\x08\x01", 2) + shape + length_field(0x22, std::string(8, 'v'));
  const auto value = length_field(tensor_tag, tensor);
  const auto entry = length_field(key_tag, "value") + length_field(value_tag, value);
  const auto bytes = graph_of(good + length_field(attr_tag, entry));
  expect_flaw(bytes, bytes.size() - 10, "node[0].attr[\"value\"].tensor");
}

TEST(ProtobufWalk, ACutFileSaysWhatIsMissing) {
  const auto bytes = graph_of(good) + graph_of(good);
  expect_flaw(bytes.substr(0, bytes.size() - 2), bytes.size() - 2, "node[1].op");
}

TEST(ProtobufWalk, UnknownFieldsAreCounted) {
  const auto checked =
      check(graph_of(good + std::string("\xf8\x3f\x01\xfb\x3f\x08\x01\xfc\x3f", 9)));  // a number, and a group
  EXPECT_EQ(checked.soundness, Soundness::sound);
  ASSERT_FALSE(checked.remarks.empty());
  EXPECT_TRUE(checked.remarks[0].starts_with("2 fields")) << checked.remarks[0];
}

TEST(ProtobufWalk, DeepMessagesEnd) {
  std::string value;  // attr.list.func.attr...: AttrValue in NameAttrList in AttrValue
  for (int i = 0; i < 40; ++i) {
    const auto entry = std::string("\x0a\x01k", 3) + "\x12" + static_cast<char>(0x80 | (value.size() & 0x7f)) +
                       static_cast<char>(value.size() >> 7) + value;
    const auto list = std::string("\x12") + static_cast<char>(0x80 | (entry.size() & 0x7f)) +
                      static_cast<char>(entry.size() >> 7) + entry;
    value = std::string("\x52") + static_cast<char>(0x80 | (list.size() & 0x7f)) + static_cast<char>(list.size() >> 7) +
            list;
  }
  const auto entry = std::string("\x0a\x01k\x12", 4) + static_cast<char>(0x80 | (value.size() & 0x7f)) +
                     static_cast<char>(value.size() >> 7) + value;
  const auto attr = std::string("\x2a") + static_cast<char>(0x80 | (entry.size() & 0x7f)) +
                    static_cast<char>(entry.size() >> 7) + entry;
  const auto bytes =
      std::string("\x0a") + static_cast<char>(0x80 | (attr.size() & 0x7f)) + static_cast<char>(attr.size() >> 7) + attr;
  const auto checked = check(bytes);
  ASSERT_TRUE(checked.flaw);
  EXPECT_NE(checked.flaw->what.find("100 deep"), std::string::npos) << checked.flaw->what;
}

}  // namespace

}  // namespace sigwhy::inputs
