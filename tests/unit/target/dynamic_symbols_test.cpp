// Our own process is the patient: every exported name must be found where the loader put it.
#include "target/dynamic_symbols.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "target/live.h"

namespace sigwhy {

namespace {

// By its own handle: a sanitizer stands in front of the C library's names.
void* libc_handle() { return dlopen("libc.so.6", RTLD_NOLOAD | RTLD_NOW); }

Address libc_base() {
  Dl_info info{};
  dladdr(dlsym(libc_handle(), "puts"), &info);
  return Address{reinterpret_cast<std::uint64_t>(info.dli_fbase)};
}

// Answers from our own memory with some bytes changed.
class Damaged final : public Memory {
 public:
  explicit Damaged(unsigned seed) : random_(seed) {}
  std::size_t read(Address from, std::span<std::byte> into) const override {
    const auto got = LiveMemory(getpid()).read(from, into);
    if (got && random_() % 3 == 0) into[random_() % got] = std::byte(random_());
    return got;
  }

 private:
  mutable std::mt19937 random_;
};

}  // namespace

TEST(DynamicSymbols, FindsWhatTheLoaderFinds) {
  const LiveMemory memory(getpid());
  const Address libc = libc_base();
  for (const char* name : {"puts", "malloc", "environ", "__libc_start_main"})
    EXPECT_EQ(dynamic_symbol(memory, libc, name)->value, reinterpret_cast<std::uint64_t>(dlsym(libc_handle(), name))) << name;
  EXPECT_TRUE(dynamic_symbol(memory, libc, "__abort_msg"));
  EXPECT_FALSE(dynamic_symbol(memory, libc, "no_such_symbol"));
  EXPECT_FALSE(dynamic_symbol(memory, Address{16}, "puts"));
}

TEST(DynamicSymbols, LyingMemoryIsSurvived) {
  const Address libc = libc_base();
  for (unsigned seed = 0; seed < 3000; ++seed) dynamic_symbol(Damaged(seed), libc, "puts");
}

}  // namespace sigwhy
