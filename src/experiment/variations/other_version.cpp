// Another version of one package, got with the program's own pip into a folder that stands in front of everything
// else; nothing is installed. Which: what the user names (`--version "numpy<2"`), else what the fix of a finding says
// ("pip install ..."). Only that package is changed, so its dependencies stay as they are.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

namespace {

// Goes with the last copy of the plan.
struct Folder {
  std::string path;
  ~Folder() {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove_all(path, ignored);
  }
};

// The word behind "pip install", without its quotes.
std::string requirement_in(const std::string& text) {
  constexpr std::string_view command = "pip install ";
  const auto at = text.find(command);
  if (at == text.npos) return {};
  auto rest = std::string_view(text).substr(at + command.size());
  const bool in_quotes = rest.starts_with('"') || rest.starts_with('\'');
  if (in_quotes) return std::string(rest.substr(1, rest.find(rest[0], 1) - 1));
  rest = rest.substr(0, rest.find_first_of(" ,;"));
  while (rest.ends_with('.')) rest.remove_suffix(1);
  return rest.starts_with('-') ? "" : std::string(rest);
}

std::string requirement_of(const Subject& subject) {
  if (!subject.wishes.version.empty()) return subject.wishes.version;
  for (const auto& finding : subject.before.diagnosis.findings)
    for (const auto& fix : finding.fix)
      if (auto found = requirement_in(fix); !found.empty()) return found;
  return {};
}

int run_quietly(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return -1;
  if (child == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) ::dup2(nothing, fd);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

Result<void> get(const std::string& python, const std::string& requirement, Folder& folder, Change& change) {
  const char* temporary = ::getenv("TMPDIR");
  std::string path = std::string(temporary && *temporary ? temporary : "/tmp") + "/sigwhy-version-XXXXXX";
  if (!::mkdtemp(path.data())) return std::unexpected(errno_error("cannot make " + path, errno));
  folder.path = path;
  if (run_quietly({python, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check", "--no-input",
                   "--target", path, requirement}) != 0)
    return failure("pip could not get " + requirement);
  change.python_path = {path};
  return {};
}

Plan plan(const Subject& subject) {
  if (!runs_python(subject)) return std::unexpected("it runs no Python");
  if (!has_death(subject)) return std::unexpected("it did not die");
  const auto requirement = requirement_of(subject);
  if (requirement.empty()) return std::unexpected("no version is named: by a fix or with --version");
  const auto verdict = verdict_of(subject);
  const bool about_versions = verdict == Cause::abi_mismatch || verdict == Cause::protobuf_conflict ||
                              verdict == Cause::mixed_libraries || verdict == Cause::openmp_conflict;
  const auto python = subject.recipe.argv[0];  // as it was called: an environment's python is a link elsewhere
  const auto folder = std::make_shared<Folder>();
  return Planned{.words = "with " + requirement,
                 .cause = about_versions ? verdict : Cause::abi_mismatch,
                 .prediction = "with " + requirement + " it does not die",
                 .claim = "it depends on the version of a package: " + requirement + " does not die",
                 .rival = "another version also takes other paths around the same mistake",
                 .fix = "pip install \"" + requirement + "\"",
                 .rank = 87,
                 .why = "a fix or --version names " + requirement,
                 .prepare = [=](Change& change) { return get(python, requirement, *folder, change); }};
}

}  // namespace

extern const Variation other_version;
const Variation other_version = {.title = "another version", .plan = plan};

}  // namespace sigwhy::experiment::variations
