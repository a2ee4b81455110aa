#include "inventory/import_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <unordered_set>

namespace sigwhy::inventory {

namespace {

constexpr std::size_t most_own_files = 300;
constexpr int deepest_own = 30;
constexpr std::size_t most_files = 12'000;
constexpr std::uint64_t most_source_bytes = 4 << 20;
constexpr std::size_t most_code_bytes = 4 << 20;
constexpr std::chrono::seconds slowest_disk(10);

class Walk {
 public:
  Walk(ModuleFinder& finder, const std::vector<std::string>& own_folders, const Budget& budget)
      : finder_(finder), own_folders_(own_folders), budget_(budget) {}

  ImportGraph read(const std::vector<Source>& programs) {
    for (const auto& program : programs) {
      const std::string text = program.file.empty() ? program.text : read_text(program.file, most_source_bytes).value_or("");
      if (!program.file.empty() && !program.installed) graph_.sources.push_back(program.file);
      own_files_.insert(program.file);
      read_own(text, program);
    }
    // Certain ones first: what is loaded for sure must not hide behind what is only tried.
    while (!open_.empty() || !doubtful_.empty()) {
      auto& queue = open_.empty() ? doubtful_ : open_;
      const Wanted wanted = std::move(queue.front());
      queue.pop_front();
      load(wanted);
      if (graph_.loaded.size() >= most_files || budget_.spent() || std::chrono::steady_clock::now() > until_) {
        graph_.gaps.push_back({"what the packages import in turn", fmt::format("stopped after {} modules", graph_.loaded.size()), ""});
        break;
      }
    }
    return std::move(graph_);
  }

 private:
  struct Wanted {
    std::string module;
    bool certain;
    ImportLine line;
  };

  // The absolute name of what a statement in a file of `package` means; empty: it leads out of the package.
  static std::string absolute(const ImportStatement& statement, std::string package) {
    for (int i = 1; i < statement.dots; ++i) {
      const auto dot = package.rfind('.');
      if (dot == package.npos) return {};
      package.resize(dot);
    }
    if (statement.dots == 0) return statement.module;
    if (package.empty()) return {};
    return statement.module.empty() ? package : package + "." + statement.module;
  }

  // The modules that a statement names: "from a import b" is a.b where that is a module.
  std::vector<std::string> modules_of(const ImportStatement& statement, const std::string& package) {
    const auto base = absolute(statement, package);
    if (base.empty()) return {};
    std::vector<std::string> modules = {base};
    for (const auto& name : statement.names)
      if (name != "*" && finder_.find(base) && finder_.find(base + "." + name)) modules.push_back(base + "." + name);
    return modules;
  }

  bool is_own(const FoundModule& found) const {
    if (found.standard || found.file.empty()) return false;
    return std::ranges::count(own_folders_, found.root) > 0;
  }

  void read_own(const std::string& text, const Source& source) {
    const auto code = source.installed ? std::string() : without_texts(text);
    for (const std::string_view sign : {"sys.path", "sys.meta_path", "sys.modules", "addsitedir", "path_hooks", "pkgutil.extend_path"})
      graph_.changes_path = graph_.changes_path || code.find(sign) != code.npos;
    if (graph_.code.size() + code.size() < most_code_bytes) graph_.code += code;
    const auto lines = lines_of(text);
    for (const auto& statement : import_statements(text)) {
      const auto at = static_cast<std::size_t>(statement.line) - 1;
      const ImportLine line{source.file, statement.line, at < lines.size() ? std::string(stripped(lines[at])) : ""};
      auto reached = statement.reached;
      if (reached == Reached::main_only) reached = source.is_program ? Reached::certain : Reached::later;
      if (!source.certain && reached == Reached::certain) reached = Reached::tried;
      auto modules = modules_of(statement, source.package);
      if (modules.empty()) continue;
      for (const auto& module : modules) note_own(module, reached, line);
    }
  }

  void note_own(const std::string& module, Reached reached, const ImportLine& line) {
    const auto* found = finder_.find(module);
    const auto* top = found ? found : finder_.find(module.substr(0, module.find('.')));
    OwnImport import{.module = module, .found = found != nullptr, .reached = reached, .line = line};
    import.own = top && is_own(*top);
    import.standard = top && top->standard;
    graph_.own.push_back(import);
    if (import.own && found && found->kind == FoundModule::Kind::source) read_own_module(module, *found, reached);
    else if (found && !import.own && reached != Reached::later && reached != Reached::perhaps)
      (reached == Reached::certain ? open_ : doubtful_).push_back({module, reached == Reached::certain, line});
  }

  void read_own_module(const std::string& name, const FoundModule& found, Reached reached) {
    if (own_files_.size() >= most_own_files || !own_files_.insert(found.file).second) return;
    graph_.sources.push_back(found.file);
    const auto text = read_text(found.file, most_source_bytes);
    if (!text || depth_ >= deepest_own) return;
    ++depth_;
    const auto dot = name.rfind('.');
    const auto package = !found.folders.empty() ? name : dot == name.npos ? "" : name.substr(0, dot);
    read_own(*text, {.file = found.file, .package = package, .certain = reached == Reached::certain});
    --depth_;
  }

  // Loads a module with the packages it lies in, and puts what these import behind it.
  void load(const Wanted& wanted) {
    for (std::size_t dot = wanted.module.find('.');; dot = wanted.module.find('.', dot + 1)) {
      load_one(wanted.module.substr(0, dot), wanted);
      if (dot == wanted.module.npos) return;
    }
  }

  void load_one(const std::string& name, const Wanted& wanted) {
    if (!seen_.insert(name).second) return;
    const auto* found = finder_.find(name);
    if (!found || found->standard) return;
    graph_.loaded.push_back({name, found->file, found->kind == FoundModule::Kind::extension, wanted.certain, wanted.line});
    if (found->kind != FoundModule::Kind::source) return;
    const auto text = read_text(found->file, most_source_bytes);
    if (!text) return;
    const auto dot = name.rfind('.');
    const auto package = !found->folders.empty() ? name : dot == name.npos ? "" : name.substr(0, dot);
    for (const auto& statement : import_statements(*text)) {
      if (statement.reached != Reached::certain && statement.reached != Reached::tried) continue;
      const bool certain = wanted.certain && statement.reached == Reached::certain;
      for (auto& module : modules_of(statement, package))
        if (!seen_.contains(module)) (certain ? open_ : doubtful_).push_back({std::move(module), certain, wanted.line});
    }
  }

  ModuleFinder& finder_;
  const std::vector<std::string>& own_folders_;
  const Budget& budget_;
  const std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + slowest_disk;
  ImportGraph graph_;
  std::unordered_set<std::string> own_files_, seen_;
  std::deque<Wanted> open_, doubtful_;
  int depth_ = 0;
};

}  // namespace

ImportGraph read_imports(const std::vector<Source>& programs, const std::vector<std::string>& own_folders, ModuleFinder& finder,
                         const Budget& budget) {
  return Walk(finder, own_folders, budget).read(programs);
}

}  // namespace sigwhy::inventory
