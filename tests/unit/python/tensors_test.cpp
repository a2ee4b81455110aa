// Tensors in made memory: what must be read, and what must be refused when the memory lies.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "python/tensors/layout_text.h"
#include "python/tensors/learned.h"
#include "python/tensors/tensor.h"

namespace sigwhy::python {

namespace {

// One stretch of memory at a fixed address.
class Made final : public Memory {
 public:
  static constexpr std::uint64_t start = 0x10000;

  Made() : bytes_(0x2000) {}
  template <class T>
  void put(std::uint64_t at, T value) {
    std::memcpy(bytes_.data() + at - start, &value, sizeof value);
  }
  void damage(std::mt19937& random) { bytes_[random() % bytes_.size()] = static_cast<std::byte>(random()); }
  std::size_t read(Address from, std::span<std::byte> into) const override {
    if (from.value < start || from.value >= start + bytes_.size()) return 0;
    const auto got = std::min<std::size_t>(into.size(), start + bytes_.size() - from.value);
    std::memcpy(into.data(), bytes_.data() + (from.value - start), got);
    return got;
  }

 private:
  std::vector<std::byte> bytes_;
};

constexpr std::string_view torch_text =
    "layout 1\nframework torch\nrelease 9.1 build-id:aa\nblock at 24>0\nrank u64 64\nnumel u64 160\noffset u64 152\n"
    "dtype u16 168\ndata u64 16>16\nroom-bytes u64 16>48\ndims u64 72 rank 0..5\nstrides u64 112 rank 0..5\n"
    "dims u64 72>0 rank 6..64\nstrides u64 72>0 rank 6..64 behind\ndevice u8 170\ndevice-index u8 171\n"
    "device-name 0 cpu\ndevice-name 1 cuda\ndtype-name 6 float32 4\nend\n";
constexpr std::string_view tensorflow_text =
    "layout 1\nframework tensorflow\nblock at 80>272\nrank u8 14\nnumel u64 16\ndtype u8 13\ndata u64 24>16\ntag u8 15\n"
    "dims u16 0 rank 0..254 tag 0\ndims u32 0 rank 0..254 tag 1\ndims u64 0>8>0 rank 5..254 tag 2\nroom-items u64 24>32\n"
    "room-bytes u64 24>24\ndevice-object at 80>24\ndevice-text at 88>0\nvariable at 24>16>192>40\n"
    "dtype-name 1 float32 4\ndtype-name 20 resource 0\nend\n";

constexpr TensorLayout torch_layout = tensor_layout_of(torch_text).value();
constexpr TensorLayout tensorflow_layout = tensor_layout_of(tensorflow_text).value();

constexpr Address object{0x10100};
constexpr std::uint64_t block = 0x10200, storage = 0x10400, elements = 0x10800;

// A float32 view (2, 3) with strides (10, 2) items, 5 items into a storage of 400 bytes.
Made torch_view() {
  Made m;
  m.put(object.value + 24, block);
  m.put(block + 16, storage);
  m.put<std::uint64_t>(block + 64, 2);
  m.put<std::int64_t>(block + 72, 2);
  m.put<std::int64_t>(block + 80, 3);
  m.put<std::int64_t>(block + 112, 10);
  m.put<std::int64_t>(block + 120, 2);
  m.put<std::int64_t>(block + 152, 5);
  m.put<std::int64_t>(block + 160, 6);
  m.put<std::uint16_t>(block + 168, 6);
  m.put<std::uint8_t>(block + 171, 0xff);
  m.put(storage + 16, elements);
  m.put<std::uint64_t>(storage + 48, 400);
  return m;
}

constexpr std::uint64_t handle = 0x10300, shape = handle + 272, buffer = 0x10600;

// A float32 EagerTensor (7, 11).
Made eager_tensor() {
  Made m;
  m.put(object.value + 80, handle);
  m.put<std::uint16_t>(shape, 7);
  m.put<std::uint16_t>(shape + 2, 11);
  m.put<std::uint8_t>(shape + 13, 1);
  m.put<std::uint8_t>(shape + 14, 2);
  m.put<std::uint64_t>(shape + 16, 77);
  m.put(shape + 24, buffer);
  m.put(buffer + 16, elements);
  m.put<std::uint64_t>(buffer + 32, 77);
  return m;
}

std::vector<std::int64_t> list(const ShortList<std::int64_t, most_tensor_dims>& values) { return {values.begin(), values.end()}; }

}  // namespace

TEST(Tensors, TorchView) {
  for (const auto trust : {LayoutTrust::known, LayoutTrust::guessed}) {
    const auto facts = read_tensor(torch_view(), torch_layout, object, trust);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->dtype, "float32");
    EXPECT_EQ(list(facts->dims), (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(list(*facts->strides), (std::vector<std::int64_t>{40, 8}));
    EXPECT_EQ(facts->data, Address{elements + 20});
    EXPECT_EQ(facts->bytes, 24u);
    EXPECT_EQ(facts->memory_start, Address{elements});
    EXPECT_EQ(facts->memory_bytes, 400u);
    EXPECT_EQ(facts->device_name(), "cpu");
  }
}

TEST(Tensors, TorchOfManyDimensionsKeepsThemElsewhere) {
  auto m = torch_view();
  constexpr std::uint64_t sizes = 0x11000;
  m.put<std::uint64_t>(block + 64, 7);
  m.put(block + 72, sizes);
  std::uint64_t count = 1;
  for (std::uint64_t i = 0; i < 7; ++i) {
    m.put<std::int64_t>(sizes + i * 8, 1 + i % 2);
    m.put<std::int64_t>(sizes + (7 + i) * 8, i);
    count *= 1 + i % 2;
  }
  m.put(block + 160, count);
  const auto facts = read_tensor(m, torch_layout, object);
  ASSERT_TRUE(facts);
  EXPECT_EQ(list(facts->dims), (std::vector<std::int64_t>{1, 2, 1, 2, 1, 2, 1}));
  EXPECT_EQ(list(*facts->strides), (std::vector<std::int64_t>{0, 4, 8, 12, 16, 20, 24}));
}

TEST(Tensors, AnotherDeviceHasNoDataHere) {
  auto m = torch_view();
  m.put<std::uint8_t>(block + 170, 1);
  m.put<std::uint8_t>(block + 171, 3);
  const auto facts = read_tensor(m, torch_layout, object);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->device_name(), "cuda:3");
  EXPECT_FALSE(facts->data);
  EXPECT_FALSE(read_tensor(m, torch_layout, object, LayoutTrust::guessed));
}

TEST(Tensors, EagerTensor) {
  for (const auto trust : {LayoutTrust::known, LayoutTrust::guessed}) {
    const auto facts = read_tensor(eager_tensor(), tensorflow_layout, object, trust);
    ASSERT_TRUE(facts);
    EXPECT_EQ(list(facts->dims), (std::vector<std::int64_t>{7, 11}));
    EXPECT_EQ(facts->data, Address{elements});
    EXPECT_FALSE(facts->strides);
    EXPECT_EQ(facts->device_name(), "cpu");
  }
}

TEST(Tensors, EagerTensorOnAnotherDevice) {
  auto m = eager_tensor();
  constexpr std::uint64_t device = 0x11000, string = 0x11200, text = 0x11300;
  m.put(handle + 24, device);
  m.put(device + 88, string | 2);
  m.put(string, text);
  const char name[] = "/job:localhost/replica:0/task:0/device:GPU:0";
  for (std::size_t i = 0; i < sizeof name; ++i) m.put(text + i, name[i]);
  const auto facts = read_tensor(m, tensorflow_layout, object);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->device_name(), "GPU:0");
  EXPECT_FALSE(facts->data);
}

TEST(Tensors, VariableByItsHandle) {
  auto m = eager_tensor();
  constexpr std::uint64_t resource = 0x11400, variable = 0x11600, value = variable + 40;
  m.put<std::uint8_t>(shape + 13, 20);
  m.put<std::uint8_t>(shape + 14, 0);
  m.put<std::uint64_t>(shape + 16, 1);
  m.put(buffer + 16, resource);
  m.put(resource + 192, variable);
  m.put<std::uint32_t>(value, 70001);
  m.put<std::uint8_t>(value + 13, 1);
  m.put<std::uint8_t>(value + 14, 1);
  m.put<std::uint8_t>(value + 15, 1);
  m.put<std::uint64_t>(value + 16, 70001);
  m.put<std::uint64_t>(value + 24, 0x11800);
  m.put(std::uint64_t{0x11800} + 16, elements);
  m.put<std::uint64_t>(std::uint64_t{0x11800} + 24, 4 * 70001);
  const auto facts = read_tensor(m, tensorflow_layout, object);
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->variable);
  EXPECT_EQ(list(facts->dims), (std::vector<std::int64_t>{70001}));
  m.put<std::uint64_t>(resource + 192, 0);  // a handle that keeps no variable is still a handle
  EXPECT_EQ(read_tensor(m, tensorflow_layout, object)->dtype, "resource");
}

TEST(Tensors, NumbersThatDisagreeAreRefused) {
  const auto spoiled = [](std::uint64_t at, std::uint64_t value, LayoutTrust trust) {
    auto m = torch_view();
    m.put(at, value);
    return !read_tensor(m, torch_layout, object, trust);
  };
  EXPECT_TRUE(spoiled(block + 160, 7, LayoutTrust::known));             // not the product of its sizes
  EXPECT_TRUE(spoiled(block + 64, 17, LayoutTrust::known));             // more dimensions than anybody has
  EXPECT_TRUE(spoiled(block + 72, ~std::uint64_t{0}, LayoutTrust::known));
  EXPECT_TRUE(spoiled(block + 72, std::uint64_t{1} << 63, LayoutTrust::known));
  EXPECT_TRUE(spoiled(block + 168, 99, LayoutTrust::known));            // no such dtype
  EXPECT_TRUE(spoiled(object.value + 24, 0, LayoutTrust::known));
  EXPECT_TRUE(spoiled(object.value + 24, 0xfffffff8, LayoutTrust::known));
  EXPECT_TRUE(spoiled(storage + 48, 79, LayoutTrust::guessed));         // it would leave its storage
  EXPECT_FALSE(spoiled(storage + 48, 80, LayoutTrust::guessed));
  EXPECT_TRUE(spoiled(storage + 16, 0x90000, LayoutTrust::guessed));    // elements that are not there
  EXPECT_FALSE(spoiled(storage + 16, 0x90000, LayoutTrust::known));     // ... are evidence, if the build is known
  auto eager = eager_tensor();
  eager.put<std::uint64_t>(buffer + 32, 78);
  EXPECT_FALSE(read_tensor(eager, tensorflow_layout, object, LayoutTrust::guessed));
}

TEST(Tensors, DamagedMemoryNeverHurts) {
  std::mt19937 random(7);
  for (int turn = 0; turn < 20000; ++turn) {
    auto a = torch_view();
    auto b = eager_tensor();
    for (int i = 0; i < 40; ++i) a.damage(random), b.damage(random);
    const auto t = read_tensor(a, torch_layout, object);
    const auto e = read_tensor(b, tensorflow_layout, object);
    ASSERT_TRUE(!t || t->dims.size <= most_tensor_dims);
    ASSERT_TRUE(!e || e->dims.size <= most_tensor_dims);
  }
}

TEST(Tensors, UnknownBuildsAreGuessedOrNeedLearning) {
  // no ELF header at that base: the build cannot be told
  TensorLayouts none;
  EXPECT_FALSE(none.read(torch_view(), TensorKind::torch, object));  // no torch in that process
  EXPECT_FALSE(none.needs_learning(TensorKind::torch));
  const TensorLayout learned[] = {torch_layout};
  TensorLayouts guessing(learned);
  guessing.look_at(torch_view(), {Address{0x10000}, "libtorch_python.so.1.13"});
  EXPECT_TRUE(guessing.read(torch_view(), TensorKind::torch, object));
  EXPECT_FALSE(guessing.needs_learning(TensorKind::torch));
  TensorLayouts lost(learned);
  lost.look_at(torch_view(), {Address{0x10000}, "libtorch_python.so"});
  auto other = torch_view();
  other.put<std::uint64_t>(block + 160, 7);
  EXPECT_FALSE(lost.read(other, TensorKind::torch, object));
  EXPECT_TRUE(lost.needs_learning(TensorKind::torch));
}

TEST(TensorLayoutText, AllOrNothing) {
  EXPECT_EQ(torch_layout.identities.size, 1u);
  EXPECT_EQ(torch_layout.identities[0], identity_hash("build-id:aa"));
  const auto broken = [](std::string text, std::string_view part, std::string_view other) {
    return !tensor_layout_of(text.replace(text.find(part), part.size(), other));
  };
  const std::string text(torch_text);
  EXPECT_TRUE(broken(text, "layout 1", "layout 2"));
  EXPECT_TRUE(broken(text, "rank u64", "rank u63"));
  EXPECT_TRUE(broken(text, "64\n", "65536\n"));
  EXPECT_TRUE(broken(text, "24>0", "24>"));
  EXPECT_TRUE(broken(text, "24>0", "1>2>3>4>5>6>7"));
  EXPECT_TRUE(broken(text, "0..5", "5..0"));
  EXPECT_TRUE(broken(text, "float32", "a_name_of_more_than_nineteen_letters"));
  EXPECT_TRUE(broken(text, "torch", "caffe"));
  EXPECT_TRUE(broken(text, "numel", "unheard"));
  EXPECT_TRUE(broken(text, "numel u64 160\n", ""));
  EXPECT_TRUE(broken(text, "end\n", ""));
  EXPECT_FALSE(broken(text, "numel", "# a remark\nnumel"));
}

TEST(TensorLayoutText, ShippedOnesAreReadAndDiffer) {
  const auto all = shipped_tensor_layouts();
  ASSERT_FALSE(all.empty());
  std::vector<std::uint64_t> identities;
  for (const TensorLayout& layout : all) {
    EXPECT_FALSE(layout.identities.empty());
    identities.insert(identities.end(), layout.identities.begin(), layout.identities.end());
  }
  std::ranges::sort(identities);
  EXPECT_EQ(std::ranges::adjacent_find(identities), identities.end()) << "two layouts claim the same build";
}

TEST(TensorLayoutText, TheCacheMayHoldAnything) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("layouts-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "folder.layout");
  std::ofstream(folder / "good.layout") << torch_text;
  std::ofstream(folder / "bad.layout") << "layout 1\nrank";
  std::ofstream(folder / "other.txt") << torch_text;
  EXPECT_EQ(load_learned_layouts(folder).size(), 1u);
  for (int i = 0; i < 40; ++i) std::ofstream(folder / (std::to_string(i) + ".layout")) << tensorflow_text;
  EXPECT_EQ(load_learned_layouts(folder).size(), 16u);
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(load_learned_layouts(folder).empty());
  EXPECT_TRUE(load_learned_layouts("").empty());
}

TEST(Tensors, NativeTypes) {
  EXPECT_EQ(tensor_kind("torch._C.TensorBase"), TensorKind::torch);
  EXPECT_EQ(tensor_kind("tensorflow.python.framework.ops.EagerTensor"), TensorKind::tensorflow);
  EXPECT_FALSE(tensor_kind("Tensor"));
}

}  // namespace sigwhy::python
