#include "native/file_system.h"

#include <sys/vfs.h>

#include <cstdio>

namespace sigwhy::native {

namespace {

struct FileSystemName {
  unsigned long magic;
  const char* name;
};
constexpr FileSystemName file_system_names[] = {
    {0x01021994, "tmpfs"},   {0xef53, "ext4"},         {0x58465342, "xfs"},      {0x9123683e, "btrfs"},
    {0x794c7630, "overlay"}, {0x6969, "nfs"},          {0x65735546, "fuse"},     {0x01021997, "9p"},
    {0x2fc12fc1, "zfs"},     {0x858458f6, "ramfs"},    {0x73717368, "squashfs"}, {0xff534d42, "cifs"},
    {0xfe534d42, "smb2"},    {0x00c36400, "ceph"},     {0x0bd00bd0, "lustre"},   {0x47504653, "gpfs"},
    {0xf2f52010, "f2fs"},    {0x6a656a63, "virtiofs"}, {0x4d44, "vfat"},         {0x958458f6, "hugetlbfs"},
    {0x2011bab0, "exfat"},   {0xca451a4e, "bcachefs"}, {0x9660, "iso9660"},      {0x19830326, "beegfs"},
};

}  // namespace

std::string file_system_name(unsigned long magic) {
  for (const auto& known : file_system_names)
    if (known.magic == magic) return known.name;
  char text[32];
  std::snprintf(text, sizeof text, "0x%lx", magic);
  return text;
}

std::optional<FileSystem> file_system_of(int fd) {
  struct statfs system {};
  if (fstatfs(fd, &system) != 0) return std::nullopt;
  const auto block = static_cast<std::uint64_t>(system.f_bsize);
  return FileSystem{file_system_name(static_cast<unsigned long>(system.f_type)), system.f_blocks * block,
                    system.f_bavail * block};
}

}  // namespace sigwhy::native
