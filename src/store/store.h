// Cases at rest: one JSON file a case, <id>.json, with <id>.mem.zst (memory) and <id>.recipe (what a re-run
// needs, private) beside it. The file's time is the time the case was made, so that the newest is found and the
// oldest are dropped without reading any of them.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/case.h"

namespace sigwhy::store {

constexpr std::size_t cases_kept = 200;
// Behind so many of the newest, what has no memory of a death (a plain exit, a Ctrl-C) goes before what has.
constexpr std::size_t cases_kept_first = 100;

class Store {
 public:
  explicit Store(std::string folder) : folder_(std::move(folder)) {}

  // Eight hex digits that no stored case has.
  std::string new_id() const;

  // Makes the folder if need be, writes the case, drops what exceeds 200.
  Result<void> save(const Case& c) const;
  // Files beside the case; the case itself need not be there yet.
  Result<void> save_memory(std::string_view id, std::string_view bytes) const;
  Result<void> save_recipe(std::string_view id, std::string_view bytes) const;
  Result<std::string> load_memory(std::string_view id) const;
  Result<std::string> load_recipe(std::string_view id) const;

  // By id, or by the start of one where only one case begins so.
  Result<Case> load(std::string_view id_or_start) const;
  Result<Case> newest() const;

  // Ids, newest first.
  Result<std::vector<std::string>> ids() const;

  // Every readable case, newest first; returns how many files could not be read as one.
  Result<std::size_t> each(const std::function<void(const Case&)>& visit) const;

  Result<void> prune(std::size_t keep = cases_kept) const;

  const std::string& folder() const { return folder_; }

 private:
  std::string file(std::string_view id, std::string_view kind) const;
  std::vector<std::string> to_drop(std::vector<std::string> newest_first, std::size_t keep) const;
  std::string folder_;
};

}  // namespace sigwhy::store
