#include "experiment/bisect_lines.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/owned_fd.h"
#include "capture/plain_words.h"
#include "experiment/culprit_lines.h"

namespace sigwhy::experiment {

namespace {

constexpr std::size_t most_bytes = 64u << 20;

Result<std::vector<std::string>> lines_of(const std::string& path) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return std::unexpected(errno_error("cannot open " + path, errno));
  std::string text;
  char part[65536];
  for (ssize_t got = 0; (got = ::read(fd.get(), part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(got));
    if (text.size() > most_bytes) return failure("cannot search " + path, "it is larger than 64 MiB");
  }
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size() - 1);
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  if (lines.empty()) return failure("cannot search " + path, "it has no lines");
  return lines;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

class LineSearch {
 public:
  LineSearch(const SearchWish& wish, const Over& over, std::vector<std::string> lines)
      : wish_(wish), over_(over), lines_(std::move(lines)), runs_(wish) {}

  Result<Search> go() {
    Search search{.over = over_.name};
    Lines all(lines_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto whole = vote(all, "all lines");
    if (whole.died == 0) search.said = "with all " + counted(lines_.size()) + " it survives";
    else search_below(search, whole);
    search.answered = search.answered && !stopped_;
    if (error_) return std::unexpected(*error_);
    runs_.conclude(search);
    return search;
  }

 private:
  struct Vote {
    int runs = 0, died = 0;
  };

  static std::string counted(std::size_t n) {
    return capture::number_words(static_cast<std::int64_t>(n)) + (n == 1 ? " line" : " lines");
  }

  // As often as the wish says; all that die must die alike, another death counts as none.
  Vote vote(const Lines& part, const std::string& name) {
    Vote vote;
    while (vote.runs < wish_.votes) {
      const auto died = once(part, name);
      if (!died) break;
      ++vote.runs;
      vote.died += *died;
    }
    return vote;
  }

  std::optional<bool> once(const Lines& part, const std::string& name) {
    std::string text;
    for (const auto number : part) text += lines_[number];
    Change change = wish_.change;
    const std::string file = base_name(over_.file);
    change.files.emplace_back(file, std::move(text));
    const auto end = runs_.run(name, with_value(wish_.recipe.argv, over_.name, "{file:" + file + "}"), change);
    if (!end) error_ = end.error();
    if (!end || !*end) {
      stopped_ = true;
      return std::nullopt;
    }
    if (!(*end)->died) return false;
    if (!death_) death_ = (*end)->death;
    return (*end)->death.how == death_->how && (*end)->death.cause == death_->cause;
  }

  void search_below(Search& search, const Vote& whole) {
    search.death = death_;
    if (const auto none = once({}, "no line"); none && *none) {
      search.answered = true;
      search.said = "it dies without any line too: the file's lines are not the cause";
      return;
    }
    // Where it dies only sometimes, a part has survived only after as many runs as leave a doubt of one in twenty.
    const double rate = std::min(static_cast<double>(whole.died) / whole.runs, 0.95);
    const int tries = whole.died == whole.runs ? 1 : std::min(10, static_cast<int>(std::ceil(std::log(0.05) / std::log(1 - rate))));
    const auto culprits = find_culprits(lines_.size(), [&](const Lines& part) -> std::optional<bool> {
      for (int i = 0; i < tries; ++i) {
        const auto died = once(part, name_of(part));
        if (!died || *died) return died;
      }
      return false;
    });
    for (const auto number : culprits.lines) search.lines.push_back(number + 1);
    say(search, culprits);
  }

  static std::string name_of(const Lines& part) {
    if (part.empty()) return "no line";
    const std::string first = std::to_string(part.front() + 1), last = std::to_string(part.back() + 1);
    if (part.size() == 1) return "line " + first;
    if (part.back() - part.front() + 1 == part.size()) return "lines " + first + " to " + last;
    return std::to_string(part.size()) + " lines from " + first + " to " + last;
  }

  void say(Search& search, const Culprits& culprits) {
    search.answered = culprits.smallest;
    const std::string file = " of " + over_.file;
    if (!culprits.smallest) {
      search.said = "among " + name_of(culprits.lines) + file + " is what kills it";
      return;
    }
    if (culprits.lines.size() > 1) {
      std::string list;
      for (std::size_t i = 0; i < culprits.lines.size() && i < 8; ++i)
        list += (i ? ", " : "") + std::to_string(culprits.lines[i] + 1);
      if (culprits.lines.size() > 8) list += ", ...";
      search.said = "no single line kills it: it takes these " + std::to_string(culprits.lines.size()) + " together, " + list + file;
      return;
    }
    search.said = "line " + std::to_string(culprits.lines[0] + 1) + file + " kills it";
    Lines rest(lines_.size());
    std::iota(rest.begin(), rest.end(), std::size_t{0});
    std::erase(rest, culprits.lines[0]);
    if (rest.empty()) return;
    const auto without = once(rest, "all but line " + std::to_string(culprits.lines[0] + 1));
    if (without) search.said += *without ? "; without it others still do" : "; without it the program survives";
  }

  const SearchWish& wish_;
  const Over& over_;
  std::vector<std::string> lines_;
  SearchRuns runs_;
  std::optional<SearchDeath> death_;
  std::optional<Error> error_;
  bool stopped_ = false;
};

}  // namespace

Result<Search> bisect_lines(const SearchWish& wish, const Over& over) {
  auto lines = lines_of(over.file);
  if (!lines) return std::unexpected(lines.error());
  return LineSearch(wish, over, std::move(*lines)).go();
}

}  // namespace sigwhy::experiment
