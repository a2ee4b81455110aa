// The child writes what it found as JSON. How far its walk came lies in memory that both share: it is known even of a
// child that was killed.
#include "inputs/check.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <exception>
#include <memory>
#include <new>

#include "base/count_text.h"
#include "evidence/json.h"
#include "inputs/file_bytes.h"
#include "inputs/format.h"
#include "inputs/stand_in.h"
#include "inputs/verdict.h"
#include "native/disposable_child.h"

namespace sigwhy::inputs {

namespace {

using Reached = std::atomic<std::uint64_t>;

struct Unmap {
  void operator()(Reached* shared) const { ::munmap(shared, sizeof(Reached)); }
};

std::unique_ptr<Reached, Unmap> shared_with_child() {
  void* page = ::mmap(nullptr, sizeof(Reached), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return std::unique_ptr<Reached, Unmap>(page == MAP_FAILED ? nullptr : new (page) Reached(0));
}

// What a file shows of having been written to. An edit within the clock's grain that keeps the size is not seen.
struct Stamp {
  std::int64_t bytes = 0, modified_s = 0, modified_ns = 0;
  std::uint64_t device = 0, inode = 0;
  bool regular = false, exists = false;
  bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_dev, status.st_ino, S_ISREG(status.st_mode), true};
}

struct Choice {
  const Format* format = nullptr;
  std::string name;
  Likeness likeness = Likeness::none;
};

template <class Ask>
Choice best_format(const Ask& ask) {
  Choice best;
  for (std::size_t i = 0; i < all_formats().size(); ++i) {
    const auto likeness = ask(*all_formats()[i]);
    if (likeness > best.likeness) best = {all_formats()[i], names_of_formats()[i], likeness};
  }
  return best;
}

// Of a file whose name promises nothing a page may be all that is wanted, and a pointer is worth a remark.
std::optional<Checked> stands_in(std::string_view first, bool claimed) {
  const auto pointer = pointer_text(first);
  if (!claimed && !pointer.empty()) return Checked{.remarks = {pointer}};
  const auto text = pointer.empty() ? page_text(first) : pointer;
  return claimed && !text.empty() ? std::optional(broken(0, "", text)) : std::nullopt;
}

Checked walk_file(const std::string& path, Reached* reached) {
  auto file = FileBytes::open(path);
  if (!file) return not_checked(file.error().cause);
  file->tell(reached);
  const auto first = file->text(0, first_bytes_seen);
  const auto choice = best_format([&](const Format& format) { return format.likeness(path, first); });
  if (auto instead = stands_in(first, choice.format || is_named_as_data(path))) {
    instead->format = choice.name;
    return *instead;
  }
  if (!choice.format && !first.empty()) return Checked{};
  if (!choice.format) return is_named_as_binary(path) ? broken(0, "", "the file is empty") : not_checked("it is empty");
  auto checked = first.empty() && !choice.format->empty_is_legal ? broken(0, "", "the file is empty") : choice.format->check(*file);
  checked.format = choice.name;
  return checked;
}

Checked walk_place(const std::string& path) {
  const auto choice = best_format([&](const Format& format) {
    return format.likeness_of_place ? format.likeness_of_place(path) : Likeness::none;
  });
  if (!choice.format) return ::access(path.c_str(), F_OK) == 0 ? Checked{} : not_checked("there is no such file");
  auto checked = choice.format->check_place(path);
  checked.format = choice.name;
  return checked;
}

void write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto done = ::write(to, bytes.data(), bytes.size());
    if (done <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

std::string how_far(const Reached* reached, const Stamp& stamp) {
  const auto at = reached ? reached->load() : 0;
  if (!stamp.regular || at == 0) return "";
  return fmt::format(" at byte {} of {}", grouped_digits(at), grouped_digits(static_cast<std::uint64_t>(stamp.bytes)));
}

Checked changed_meanwhile(Checked checked, const Stamp& before, const Stamp& after) {
  const auto bytes = [](const Stamp& s) { return counted(static_cast<std::uint64_t>(s.bytes), "byte"); };
  std::string why = "it was changed while it was read";
  if (!after.exists) why = "it was removed while it was read";
  else if (before.bytes != after.bytes) why += fmt::format(": {} before, {} after", bytes(before), bytes(after));
  auto instead = not_checked(why);
  instead.format = checked.format;
  if (checked.flaw) instead.remarks.push_back("meanwhile it looked broken: " + checked.flaw->what);
  return instead;
}

}  // namespace

const Format* find_format(std::string_view name) {
  for (std::size_t i = 0; i < all_formats().size(); ++i)
    if (name == names_of_formats()[i]) return all_formats()[i];
  return nullptr;
}

Checked check(const std::string& path, std::chrono::milliseconds limit) {
  const auto before = stamp_of(path);
  const auto reached = shared_with_child();
  const auto walk = [&](int out) {
    try {
      write_all(out, to_json(before.regular ? walk_file(path, reached.get()) : walk_place(path)));
    } catch (const std::exception&) {
      ::_exit(1);  // most likely memory; said by the parent
    }
  };
  const auto output = native::in_disposable_child(limit, walk);
  if (output.timed_out)
    return not_checked(fmt::format("its walk did not end within {} s and was stopped{}",
                                   grouped_digits(static_cast<std::uint64_t>(limit.count() / 1000)), how_far(reached.get(), before)));
  auto checked = checked_from_json(output.bytes);
  if (!output.finished || !checked) return not_checked("the check itself failed on it" + how_far(reached.get(), before));
  const auto after = stamp_of(path);
  return before.regular && !(before == after) ? changed_meanwhile(*checked, before, after) : *checked;
}

}  // namespace sigwhy::inputs
