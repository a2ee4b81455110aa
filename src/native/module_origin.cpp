#include "native/module_origin.h"

#include <array>
#include <optional>
#include <string>

#include "guard/wire.h"
#include "native/mapped_file.h"
#include "native/modules.h"

namespace sigwhy::native {

namespace {

// .../site-packages/numpy/core/x.so, .../numpy.libs/libopenblas.so and .../_cffi.cpython-311-x86_64.so, each
// named by its first component behind the packages folder.
std::optional<std::string> package_of(std::string_view path) {
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    const auto at = path.rfind(folder);
    if (at == std::string_view::npos) continue;
    const auto below = path.substr(at + folder.size());
    const auto slash = below.find('/');
    auto name = below.substr(0, slash);
    if (slash == std::string_view::npos) name = name.substr(0, name.find('.'));
    else if (name.ends_with(".libs")) name.remove_suffix(5);
    if (!name.empty()) return std::string(name);
  }
  return std::nullopt;
}

bool is_system(std::string_view path) {
  constexpr std::array<std::string_view, 8> folders{"/lib/",     "/lib64/",     "/lib32/",     "/libx32/",
                                                    "/usr/lib/", "/usr/lib64/", "/usr/lib32/", "/usr/libexec/"};
  for (const auto folder : folders)
    if (path.starts_with(folder)) return true;
  return false;
}

}  // namespace

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

void set_origin(Module& module, std::string_view executable) {
  const auto path = without_deleted(module.path);
  const auto name = base_name(path);
  if (path == vdso_path) {
    module.origin = Origin::kernel;
  } else if (path == executable) {
    module.origin = name.starts_with("python") ? Origin::interpreter : Origin::program;
  } else if (name.starts_with("libpython") || path.find("/lib-dynload/") != std::string_view::npos) {
    module.origin = Origin::interpreter;
  } else if ((module.package = package_of(path))) {
    module.origin = Origin::package;
  } else {
    // Our own preloaded library stands where the C library's allocator would.
    module.origin = is_system(path) || name == guard::library_name ? Origin::system : Origin::user;
  }
}

}  // namespace sigwhy::native
