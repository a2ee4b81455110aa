#include "native/file_backed_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace sigwhy::native {

const FileBackedMemory::File& FileBackedMemory::file_of(const Mapping& mapping) const {
  const auto [entry, is_new] = files_.try_emplace(mapping.path);
  auto& file = entry->second;
  if (!is_new) return file;
  file.fd = open_mapped_file(target_, mapping).fd;
  if (!file.fd) return file;
  if (const auto elf = ElfFile::open(OwnedFd(fcntl(file.fd.get(), F_DUPFD_CLOEXEC, 0))))
    file.relocated = elf->relocated_ranges();
  return file;
}

std::size_t FileBackedMemory::read_file(Address from, std::span<std::byte> into) const {
  const auto index = mapping_at(target_.mappings, from);
  if (!index) return 0;
  const auto& m = target_.mappings[*index];
  if (m.writable || !m.readable || !m.path.starts_with('/')) return 0;
  const auto& file = file_of(m);
  if (!file.fd) return 0;
  const auto offset = from.value - m.start.value + m.offset;
  auto most = std::min<std::uint64_t>(into.size(), m.end.value - from.value);
  for (const auto& range : file.relocated) {
    if (offset >= range.begin && offset < range.end) return 0;
    if (offset < range.begin) most = std::min(most, range.begin - offset);
  }
  const auto got = pread(file.fd.get(), into.data(), most, static_cast<off_t>(offset));
  return got > 0 ? static_cast<std::size_t>(got) : 0;
}

std::size_t FileBackedMemory::read(Address from, std::span<std::byte> into) const {
  std::size_t done = 0;
  while (done < into.size()) {
    const auto rest = into.subspan(done);
    auto got = target_.memory->read(from + done, rest);
    if (got == 0) got = read_file(from + done, rest);
    if (got == 0) break;
    done += got;
  }
  return done;
}

}  // namespace sigwhy::native
