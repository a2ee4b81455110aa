// The same eyes on a file: a case as JSON, the kept memory of a case, or an ELF core.
#include <chrono>

#include "capture/open.h"
#include "cli/chosen.h"
#include "diagnose/diagnose.h"
#include "evidence/json.h"
#include "evidence/redact.h"
#include "report/words.h"
#include "store/folder.h"

namespace sigwhy::cli::commands {

namespace {

constexpr std::uint64_t most_case_bytes = 64 << 20;

// A case begins with a brace, whatever the file is called.
bool is_json(const std::string& path) {
  const auto start = store::read_start(path, 64);
  const auto first = start ? start->find_first_not_of(" \t\r\n") : std::string::npos;
  return first != std::string::npos && (*start)[first] == '{';
}

Result<Case> case_in(const std::string& path) {
  const auto text = store::read_whole(path, most_case_bytes);
  if (!text) return std::unexpected(text.error());
  auto c = case_from_json(*text);
  if (!c) return failure("cannot open " + path, c.error().what + ": " + c.error().cause);
  return redact(std::move(*c));
}

// What was never judged before is judged now and kept.
Result<Case> case_from(const std::string& path, Output& output) {
  auto snapshot = capture::open_file(path);
  if (!snapshot) return std::unexpected(snapshot.error());
  const auto cases = open_store();
  Case c{.id = cases.new_id(), .sigwhy_version = SIGWHY_VERSION, .snapshot = std::move(*snapshot)};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  c.made_unix_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  c.diagnosis = diagnose::diagnose(c.snapshot);
  c = redact(std::move(c));
  if (auto saved = cases.save(c); !saved) {
    output.err += "sigwhy: the case is not kept: " + saved.error().what + ": " + saved.error().cause + "\n";
    c.id.clear();
  }
  return c;
}

Result<int> run_open(const Arguments& arguments, Output& output) {
  const auto& path = arguments.operands[0];
  if (auto file = capture::can_be_opened(path); !file) return std::unexpected(file.error());
  const bool json = is_json(path);
  const auto c = json ? case_in(path) : case_from(path, output);
  if (!c) return std::unexpected(c.error());
  auto text = shown(*c, arguments, json || c->id.empty() ? "sigwhy open " + report::command_text({path}) : "");
  if (!text) return std::unexpected(text.error());
  output.out = std::move(*text);
  return 0;
}

constexpr Example examples[] = {
    {"sigwhy open case.json", "what `sigwhy run --json case.json` wrote"},
    {"sigwhy open core.4711 --full", "everything in a core file"},
};

}  // namespace

extern const Command open;
const Command open = {.place = 10,
                      .summary = "Explain a core file or a case that was written to a file",
                      .operands = "FILE",
                      .description = "FILE is a case as JSON, the kept memory of a case (.mem.zst) or an ELF core. A core is judged and kept "
                                     "as a case.",
                      .takes = Operands::one,
                      .options = showing_options(),
                      .examples = examples,
                      .run = run_open};

}  // namespace sigwhy::cli::commands
