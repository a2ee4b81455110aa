// The record on disk: one file of fixed size in the case folder, there only while the run goes on. It is mapped,
// so what was written survives the SIGKILL of everybody, and its blocks are allocated beforehand, so a full disk
// cannot refuse them later. Where it does all the same (a copy-on-write file system), the write is given up and the
// file with it. A lock tells readers that somebody still writes; the kernel lets go of it with the last of us.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "base/owned_fd.h"
#include "capture/run_record.h"

namespace sigwhy::capture {

class RecordFile {
 public:
  RecordFile() = default;
  RecordFile(RecordFile&& other) noexcept;
  RecordFile& operator=(RecordFile&& other) noexcept;
  ~RecordFile();  // leaves the file where it is

  // errno of the refusal, or 0. `folder` is there.
  // `named` is called with the number before there is a file of it, for those who must remove it if we cannot.
  int make(const std::string& folder, const std::function<void(std::uint32_t)>& named = {});
  explicit operator bool() const { return image_ != nullptr; }

  // False: the disk could not take it; the file is gone.
  bool write(const RunRecord& record);
  bool write(const RecordedHolders& holders);
  // To the disk itself, so that a power failure leaves it too. May take long.
  void sync();
  void remove();

 private:
  OwnedFd fd_;
  std::string path_;
  template <class Part>
  bool write_part(const Part& part);

  std::uint32_t number_ = 0;
  RecordImage* image_ = nullptr;
};

inline constexpr const char* record_suffix = ".run";

std::string record_path(const std::string& folder, std::uint32_t number);

}  // namespace sigwhy::capture
