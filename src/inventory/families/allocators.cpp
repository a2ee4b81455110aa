// Allocators besides the C library's, which is in every process and is not listed. What one gave out another cannot
// take back.
#include "inventory/family.h"
#include "native/module_origin.h"

namespace sigwhy::inventory::families {

namespace {

struct Known {
  const char* stem;
  const char* symbol;
  const char* name;
};
constexpr Known known[] = {{"libjemalloc", "mallctl", "jemalloc"},
                           {"libtcmalloc", "tc_malloc", "tcmalloc"},
                           {"libmimalloc", "mi_malloc", "mimalloc"},
                           {"libtbbmalloc_proxy", "__TBB_malloc_proxy", "TBB malloc"}};

std::optional<Copy> recognise(const LoadedFile& file) {
  if (file.module.origin == Origin::kernel || file.name.stem == "libc" || file.name.stem.starts_with("ld-") ||
      native::base_name(file.module.path).starts_with("libsigwhy"))
    return std::nullopt;
  for (const auto& each : known) {
    const bool own_file = file.name.stem.starts_with(each.stem);
    if (own_file || file.defines(each.symbol))
      return Copy{.name = each.name,
                  .part = each.name,
                  .built_in = !own_file,
                  .serves_all = file.defines("malloc") && file.defines("free")};
  }
  if (file.defines("malloc") && file.defines("free") && file.defines("calloc"))
    return Copy{.name = "malloc of " + file.name.stem, .part = file.name.stem};
  return std::nullopt;
}

}  // namespace

extern const Family allocators{.title = "allocator", .recognise = recognise};

}  // namespace sigwhy::inventory::families
