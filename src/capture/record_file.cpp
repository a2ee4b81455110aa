#include "capture/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <type_traits>
#include <utility>

namespace sigwhy::capture {

namespace {

constexpr int most_names = 16;
constexpr std::size_t file_bytes = (sizeof(RecordImage) + 4095) & ~std::size_t{4095};
static_assert(file_bytes <= 256u << 10);

// A page of the mapping that the disk cannot give arrives as SIGBUS.
thread_local sigjmp_buf refused;
thread_local volatile sig_atomic_t writing = 0;

void on_bus_error(int signal) {
  if (writing) siglongjmp(refused, 1);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

int allocate(int fd) {
  if (fallocate(fd, 0, 0, file_bytes) == 0) return 0;
  if (errno != EOPNOTSUPP && errno != ENOSYS) return errno;
  return posix_fallocate(fd, 0, file_bytes);
}

}  // namespace

std::string record_path(const std::string& folder, std::uint32_t number) {
  char name[16];
  snprintf(name, sizeof name, "%08x", number);
  return folder + "/" + name + record_suffix;
}

RecordFile::RecordFile(RecordFile&& other) noexcept
    : fd_(std::move(other.fd_)),
      path_(std::move(other.path_)),
      number_(other.number_),
      image_(std::exchange(other.image_, nullptr)) {}

RecordFile& RecordFile::operator=(RecordFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(number_, other.number_);
  std::swap(image_, other.image_);
  return *this;
}

RecordFile::~RecordFile() {
  if (image_) munmap(image_, file_bytes);
}

int RecordFile::make(const std::string& folder, const std::function<void(std::uint32_t)>& named) {
  for (int tries = 0; tries < most_names && !fd_; ++tries) {
    if (getrandom(&number_, sizeof number_, GRND_NONBLOCK) != sizeof number_)
      number_ = static_cast<std::uint32_t>(getpid() + tries);
    path_ = record_path(folder, number_);
    if (named) named(number_);
    fd_ = OwnedFd(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd_ && errno != EEXIST) return errno;
  }
  if (!fd_) return EEXIST;
  int error = flock(fd_.get(), LOCK_EX | LOCK_NB) == 0 ? allocate(fd_.get()) : errno;
  void* at = MAP_FAILED;
  if (!error) at = mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
  if (!error && at == MAP_FAILED) error = errno;
  if (error) {
    remove();
    return error;
  }
  mlock(at, file_bytes);  // under pressure its pages would be the first to go, and to be asked for again
  struct sigaction action {};
  action.sa_handler = on_bus_error;
  action.sa_flags = SA_NODEFER;
  sigaction(SIGBUS, &action, nullptr);
  image_ = static_cast<RecordImage*>(at);
  return 0;
}

template <class Part>
bool RecordFile::write_part(const Part& part) {
  if (sigsetjmp(refused, 0) != 0) {
    writing = 0;
    remove();
    return false;
  }
  writing = 1;
  if constexpr (std::is_same_v<Part, RunRecord>) publish(image_->slots, part, true);
  else publish(part, image_->holders);
  writing = 0;
  return true;
}

bool RecordFile::write(const RunRecord& record) { return write_part(record); }

bool RecordFile::write(const RecordedHolders& holders) { return write_part(holders); }

void RecordFile::sync() { fdatasync(fd_.get()); }

void RecordFile::remove() {
  if (fd_) ::unlink(path_.c_str());
  if (image_) munmap(image_, file_bytes);
  image_ = nullptr;
  fd_ = OwnedFd();
}

}  // namespace sigwhy::capture
