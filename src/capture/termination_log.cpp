#include "capture/termination_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/owned_fd.h"
#include "capture/develop_timeline.h"
#include "capture/forecast.h"
#include "capture/plain_words.h"
#include "evidence/redact.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_command_bytes = 200;

int overwrite(const std::string& path, const std::string& text) {
  const OwnedFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!fd) return errno;
  // Blanks up to what was there: at no moment is there half of one text and half of another.
  struct stat status {};
  std::string padded = text;
  if (::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode))
    padded.resize(std::max(text.size(), std::min<std::size_t>(static_cast<std::size_t>(status.st_size), most_log_bytes)), ' ');
  if (::pwrite(fd.get(), padded.data(), padded.size(), 0) != static_cast<ssize_t>(padded.size())) return errno ? errno : EIO;
  return ::ftruncate(fd.get(), static_cast<off_t>(text.size())) == 0 || !S_ISREG(status.st_mode) ? 0 : errno;
}

int replace(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".sigwhy-" + std::to_string(getpid());
  {
    const OwnedFd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (!fd) return errno;
    if (::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
      ::unlink(temporary.c_str());
      return EIO;
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) == 0) return 0;
  const int error = errno;
  ::unlink(temporary.c_str());
  return error;
}

// What may simply be replaced: a plain file or none. Not a device, not a link that leads elsewhere, not a mount.
bool replaceable(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT;
  return S_ISREG(status.st_mode);
}

std::string command_words(const RecordedIdentity& who) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < who.arguments_bytes; at += words.back().size() + 1)
    words.emplace_back(who.arguments + at, strnlen(who.arguments + at, who.arguments_bytes - at));
  std::string text;
  for (const auto& word : redact_arguments(words)) text += (text.empty() ? "" : " ") + word;
  return text.size() > most_command_bytes ? text.substr(0, most_command_bytes) + "..." : text;
}

}  // namespace

int write_termination_log(const std::string& path, std::string text) {
  if (text.size() > most_log_bytes) {
    text.resize(most_log_bytes);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  }
  if (replaceable(path) && replace(path, text) == 0) return 0;
  return overwrite(path, text);
}

std::string standing_words(const RunRecord& r) {
  const auto timeline = timeline_of(r);
  std::string text = "sigwhy: " + command_words(r.identity) + " was running, " + time_words(r.last_s) + " so far\n";
  const bool limited = r.group.version && r.group.limit_bytes;
  const double used = static_cast<double>(r.group.used_bytes);
  if (r.group.version)
    text += "  memory  " + size_words(used) +
            (limited ? " of the " + size_words(static_cast<double>(r.group.limit_bytes)) + " of " : " in ") + r.group.path + "\n";
  for (const auto& p : timeline.processes)
    if (!p.anonymous_bytes.empty() && &p < timeline.processes.data() + 4)
      text += "          " + size_words(static_cast<double>(p.anonymous_bytes.back())) + "  " + p.command + " (pid " +
              std::to_string(p.pid) + ")\n";
  if (const auto forecast = forecast_of(r, timeline)) text += "  " + words_of(*forecast, timeline) + "\n";
  if (timeline.last_line)
    text += "  at  " + timeline.last_line->file + ":" + std::to_string(timeline.last_line->line) + "  " +
            timeline.last_line->function + "\n";
  return text + "If the program is gone and nothing newer stands here, it was killed together with\nsigwhy; `sigwhy show` "
                "tells the rest where the case folder is still there.\n";
}

}  // namespace sigwhy::capture
