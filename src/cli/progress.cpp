#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "capture/clock.h"

namespace sigwhy::cli {

namespace {

std::size_t columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10 ? size.ws_col : 80u;
}

std::string text_of(const experiment::Progress& progress, double seconds) {
  auto text = fmt::format("sigwhy: {}: as it was {} of {} died", progress.what, progress.as_it_was.died,
                          progress.as_it_was.runs);
  if (progress.changed.runs) text += fmt::format(", {} {} of {}", progress.words, progress.changed.died, progress.changed.runs);
  return text + fmt::format(" · {:.0f} s", seconds);
}

}  // namespace

ProgressLine::ProgressLine(bool verbose)
    : terminal_(::isatty(STDERR_FILENO) == 1), verbose_(verbose), started_s_(capture::monotonic_s()) {}

double ProgressLine::seconds() const { return capture::monotonic_s() - started_s_; }

void ProgressLine::show(const experiment::Progress& progress) {
  if (!terminal_ && !verbose_) return;
  auto text = text_of(progress, seconds());
  if (terminal_ && !verbose_) {
    if (text.size() >= columns()) text = text.substr(0, columns() - 1);
    fmt::print(stderr, "\r\033[K{}", text);
    shown_ = true;
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace sigwhy::cli
