// Reads tensors of a living process with the code that sigwhy reads them with.
//
//     tensor_reader PID known|guessed|learned < "torch 0x7f…" lines
//
// answers each line with one: "float32 4 (2,3) strides (12,4) data 0x7f… bytes 24 device cpu memory 0x7f… 24", or
// "nothing". `guessed` forgets which build it is, as if no layout were known for it; `learned` knows the user's cache
// alone.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "python/tensors/learned.h"
#include "python/tensors/tensor.h"
#include "target/live.h"

using namespace sigwhy;
using namespace sigwhy::python;

namespace {

// A base at which no ELF header is: the framework is there, its build is not told.
constexpr Address nowhere{4096};

void look_at_files(const Memory& memory, const std::string& pid, bool guessed, TensorLayouts& layouts) {
  std::ifstream maps("/proc/" + pid + "/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range, rights, offset, device, inode, path;
    words >> range >> rights >> offset >> device >> inode >> path;
    if (offset.find_first_not_of('0') != offset.npos || path.empty()) continue;
    const Address base{std::strtoull(range.c_str(), nullptr, 16)};
    layouts.look_at(memory, {guessed ? nowhere : base, std::string_view(path).substr(path.rfind('/') + 1)});
  }
}

void print_list(const char* name, const ShortList<std::int64_t, most_tensor_dims>& list) {
  std::printf("%s(", name);
  for (std::size_t i = 0; i < list.size; ++i) std::printf("%s%lld", i ? "," : "", static_cast<long long>(list[i]));
  std::printf(")");
}

void print(const std::optional<TensorFacts>& facts) {
  if (!facts) {
    std::puts("nothing");
    return;
  }
  std::printf("%.*s %u", static_cast<int>(facts->dtype.size()), facts->dtype.data(), facts->item_bytes);
  print_list(" ", facts->dims);
  if (facts->strides) print_list(" strides ", *facts->strides);
  if (facts->data) std::printf(" data %#llx", static_cast<unsigned long long>(facts->data->value));
  std::printf(" bytes %llu", static_cast<unsigned long long>(facts->bytes));
  const auto device = facts->device_name();
  std::printf(" device %.*s", static_cast<int>(device.size()), device.data());
  if (facts->memory_start)
    std::printf(" memory %#llx %llu", static_cast<unsigned long long>(facts->memory_start->value),
                static_cast<unsigned long long>(*facts->memory_bytes));
  std::puts(facts->variable ? " variable" : "");
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const bool learned_only = std::strcmp(words[2], "learned") == 0;
  const auto learned = load_learned_layouts(learned_only ? learned_layout_folder() : "");
  const LiveMemory memory(std::atoi(words[1]));
  TensorLayouts layouts(learned);
  look_at_files(memory, words[1], std::strcmp(words[2], "guessed") == 0, layouts);
  std::string kind;
  std::string address;
  while (std::cin >> kind >> address)
    print(layouts.read(memory, kind == "torch" ? TensorKind::torch : TensorKind::tensorflow, {std::strtoull(address.c_str(), nullptr, 16)}));
}
