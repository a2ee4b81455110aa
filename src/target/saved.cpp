#include "target/saved.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/byte_reader.h"
#include "target/arena.h"

namespace sigwhy {

namespace {

constexpr std::size_t most_arena_bytes = 256u << 20;

using Bytes = std::vector<std::byte>;

struct Loading {
  Target target;
  std::vector<BlockMemory::Block> blocks;
};

void load_thread(ByteReader& in, Loading& into) {
  const auto r = in.read<ThreadRecord>();
  if (in.failed()) return;
  RawThread thread{.tid = r.tid, .inner_tid = r.tid, .name = std::string(r.name, strnlen(r.name, sizeof r.name)), .died = r.died != 0};
  if (r.has_registers) thread.registers = r.registers;
  thread.partial = r.partial != 0;
  if (r.doing > 0) thread.on_cpu = r.doing == 1;
  if (r.doing > 1) thread.system_call = r.doing - 2;
  into.target.threads.push_back(std::move(thread));
}

void load_file(ByteReader& in, Loading& into) {
  const auto r = in.read<FileRecord>();
  const auto text = in.take_text(in.left());
  if (in.failed()) return;
  const std::string name(r.name, strnlen(r.name, sizeof r.name));
  if (name == "maps") into.target.mappings = parse_maps(text);
  if (name == "stopped_at") into.target.stopped_at = text;
  into.target.files[name] = text;
}

// "4711 17" a line, for a process that lives in a container and calls itself 17.
void set_inner_tids(Target& target) {
  const auto found = target.files.find("inner_tids");
  if (found == target.files.end()) return;
  std::istringstream lines(found->second);
  for (pid_t tid = 0, inner = 0; lines >> tid >> inner;)
    for (RawThread& thread : target.threads)
      if (thread.tid == tid) thread.inner_tid = inner;
}

void load_gap(ByteReader& in, Loading& into) {
  std::string_view text = in.take_text(in.left());
  std::string parts[3];
  for (auto& part : parts) {
    part = text.substr(0, text.find('\0'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  into.target.gaps.push_back({parts[0], parts[1], parts[2]});
}

void load_record(RecordType type, std::span<const std::byte> payload, Loading& into) {
  ByteReader in(payload);
  switch (type) {
    case RecordType::process: {
      const auto r = in.read<ProcessRecord>();
      into.target.pid = r.pid;
      into.target.handled_first = r.handled_first != 0;
      into.target.living = r.living != 0;
      into.target.started_unix_s = r.started_unix_s;
      into.target.after_seconds = r.after_seconds;
      return;
    }
    case RecordType::signal: {
      const auto info = in.read<siginfo_t>();
      if (!in.failed()) into.target.signal = info;
      return;
    }
    case RecordType::thread: return load_thread(in, into);
    case RecordType::memory: {
      const auto r = in.read<MemoryRecord>();
      if (!in.failed()) into.blocks.push_back({Address{r.address}, in.take(in.left())});
      return;
    }
    case RecordType::file: return load_file(in, into);
    case RecordType::gap: return load_gap(in, into);
  }
}

}  // namespace

BlockMemory::BlockMemory(std::vector<Block> blocks, std::shared_ptr<const void> keeps_alive)
    : keeps_alive_(std::move(keeps_alive)) {
  std::ranges::stable_sort(blocks, {}, &Block::start);
  Address covered;
  for (auto block : blocks) {
    const std::uint64_t clip = block.start < covered ? covered.value - block.start.value : 0;
    if (clip >= block.bytes.size()) continue;
    block = {block.start + clip, block.bytes.subspan(clip)};
    covered = block.start + block.bytes.size();
    blocks_.push_back(block);
  }
}

std::size_t BlockMemory::read(Address from, std::span<std::byte> into) const {
  std::size_t done = 0;
  auto at = std::ranges::upper_bound(blocks_, from, {}, &Block::start);
  if (at == blocks_.begin()) return 0;
  for (--at; at != blocks_.end() && done < into.size(); ++at) {
    const Address wanted = from + done;
    const auto skip = static_cast<std::uint64_t>(wanted - at->start);
    if (wanted < at->start || skip >= at->bytes.size()) break;
    const auto size = std::min(into.size() - done, at->bytes.size() - skip);
    std::memcpy(into.data() + done, at->bytes.data() + skip, size);
    done += size;
  }
  return done;
}

Result<Target> target_from_arena(std::span<const std::byte> bytes, std::shared_ptr<const void> keeps_alive) {
  ByteReader in(bytes);
  const auto header = in.read<ArenaHeader>();
  if (in.failed() || std::memcmp(header.magic, arena_magic, sizeof arena_magic) != 0)
    return failure("this is no memory file of a case", "its first bytes are something else");
  if (header.version != arena_version)
    return failure("this memory file was written by another version of sigwhy", {}, "open it with that version");
  Loading loading;
  const auto end = std::min<std::uint64_t>(header.used, bytes.size());
  while (in.position() + sizeof(RecordHeader) <= end) {
    const auto record = in.read<RecordHeader>();
    const auto payload = in.take(record.bytes);
    if (in.failed()) {
      loading.target.gaps.push_back({"the end of the memory file", "it is cut off", "keep the whole file"});
      break;
    }
    load_record(static_cast<RecordType>(record.type), payload, loading);
    in.seek(std::min<std::size_t>((in.position() + 7) & ~std::size_t{7}, bytes.size()));
  }
  if (header.full)
    loading.target.gaps.push_back({"the rest of what was to be copied", "the memory kept for it was full", ""});
  std::ranges::stable_partition(loading.target.threads, &RawThread::died);
  set_inner_tids(loading.target);
  loading.target.memory = std::make_unique<BlockMemory>(std::move(loading.blocks), std::move(keeps_alive));
  return std::move(loading.target);
}

Result<Target> target_from_arena_fd(int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) return std::unexpected(errno_error("cannot read the grabbed memory", errno));
  const auto size = static_cast<std::size_t>(status.st_size);
  void* at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) return std::unexpected(errno_error("cannot map the grabbed memory", errno));
  std::shared_ptr<const void> mapping(at, [size](const void* p) { munmap(const_cast<void*>(p), size); });
  return target_from_arena({static_cast<const std::byte*>(at), size}, mapping);
}

Result<Target> target_from_side_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::unexpected(errno_error("cannot open " + path, errno));
  const std::string packed(std::istreambuf_iterator<char>(file), {});
  const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > most_arena_bytes)
    return failure("cannot read " + path, "it is no memory file of a case", "unpack it first if it is a core file: zstd -d");
  auto bytes = std::make_shared<Bytes>(size);
  const auto got = ZSTD_decompress(bytes->data(), bytes->size(), packed.data(), packed.size());
  if (ZSTD_isError(got)) return failure("cannot read " + path, ZSTD_getErrorName(got));
  return target_from_arena(*bytes, bytes);
}

std::span<const std::byte> used_part(std::span<const std::byte> arena) {
  ByteReader in(arena);
  const auto header = in.read<ArenaHeader>();
  return arena.first(std::min<std::uint64_t>(header.used, arena.size()));
}

Result<std::string> compressed_arena(std::span<const std::byte> bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const auto size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1);
  if (ZSTD_isError(size)) return failure("cannot compress the memory of the case", ZSTD_getErrorName(size));
  packed.resize(size);
  return packed;
}

}  // namespace sigwhy
