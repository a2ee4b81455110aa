// A value that the user names: `--param batch=64` makes `--batch 512` (or `--batch=512`, `batch=512`, `{batch}`) say
// 64, else it sets the environment variable of that name. It is the user's own question; whether it survives is the
// whole answer.
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

namespace {

// Underscores and dashes in an option's name are the same to most programs.
std::string plain(std::string text) {
  text.erase(0, std::min(text.find_first_not_of('-'), text.size()));
  for (char& c : text) c = c == '_' ? '-' : c;
  return text;
}

bool replace_in(std::vector<std::string>& argv, const Parameter& parameter) {
  bool found = false;
  const auto braces = "{" + parameter.name + "}";
  for (std::size_t i = 1; i < argv.size(); ++i) {
    auto& word = argv[i];
    const auto equals = word.find('=');
    if (const auto at = word.find(braces); at != word.npos) word.replace(at, braces.size(), parameter.value), found = true;
    else if (equals != word.npos && plain(word.substr(0, equals)) == plain(parameter.name))
      word = word.substr(0, equals + 1) + parameter.value, found = true;
    else if (word.starts_with('-') && plain(word) == plain(parameter.name) && i + 1 < argv.size())
      argv[++i] = parameter.value, found = true;
  }
  return found;
}

Plan plan(const Subject& subject) {
  if (subject.wishes.parameters.empty()) return std::unexpected("no --param was given");
  const auto& parameter = subject.wishes.parameters.front();
  const auto text = parameter.name + "=" + parameter.value;
  Planned planned{.words = "with " + text,
                  .prediction = "with " + text + " it does not die",
                  .fix = text,
                  .rank = 99,
                  .why = "--param " + text};
  auto argv = subject.recipe.argv;
  if (replace_in(argv, parameter)) planned.change.argv = std::move(argv);
  else if (variable(subject.recipe, parameter.name)) planned.change.set = {{parameter.name, parameter.value}};
  else return std::unexpected("the command has no parameter " + parameter.name);
  return planned;
}

}  // namespace

extern const Variation parameter;
const Variation parameter = {.title = "another parameter", .plan = plan};

}  // namespace sigwhy::experiment::variations
