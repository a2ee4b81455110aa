#include "native/debuginfod.h"

#include <dlfcn.h>

namespace sigwhy::native {

OwnedFd ask_debuginfod(const std::string& build_id) {
  static void* const library = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!library || build_id.empty()) return {};
  using Begin = void* (*)();
  using Find = int (*)(void* client, const unsigned char* id, int id_bytes, char** path);
  using End = void (*)(void* client);
  const auto begin = reinterpret_cast<Begin>(dlsym(library, "debuginfod_begin"));
  const auto find = reinterpret_cast<Find>(dlsym(library, "debuginfod_find_debuginfo"));
  const auto end = reinterpret_cast<End>(dlsym(library, "debuginfod_end"));
  void* client = begin && find && end ? begin() : nullptr;
  if (!client) return {};
  // a length of zero says that the id is already hex text
  const int fd = find(client, reinterpret_cast<const unsigned char*>(build_id.c_str()), 0, nullptr);
  end(client);
  return OwnedFd(fd >= 0 ? fd : -1);
}

}  // namespace sigwhy::native
