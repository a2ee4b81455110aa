// One run in the throw-away layer, for tests/experiment: says on stdout what the trial showed, a line each.
//   one_trial SIGWHY [option=value]... -- COMMAND...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "evidence/json.h"
#include "evidence/names.h"
#include "experiment/trial.h"

using namespace sigwhy;
using namespace sigwhy::experiment;

static std::string whole(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

static void take(const char* word, Change& change, Bounds& bounds) {
  const std::string text = word;
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const char* value = word + (equals == text.npos ? text.size() : equals + 1);
  if (name == "seconds") bounds.seconds = atof(value);
  if (name == "bytes") bounds.layer_bytes = strtoull(value, nullptr, 10);
  if (name == "network") bounds.network = true;
  if (name == "layers") bounds.layers_folder = value;
  if (name == "without_layer") bounds.without_layer = true;
  if (name == "memory") change.memory_bytes = strtoull(value, nullptr, 10);
  if (name == "start_up") change.start_up = whole(value);
}

int main(int argc, char** argv) {
  Change change;
  Bounds bounds;
  Recipe recipe;
  bounds.sigwhy = argv[1];
  int at = 2;
  for (; at < argc && strcmp(argv[at], "--") != 0; ++at) take(argv[at], change, bounds);
  for (++at; at < argc; ++at) recipe.argv.push_back(argv[at]);
  for (char** variable = environ; *variable; ++variable) recipe.environment.push_back(*variable);
  char directory[4096];
  recipe.directory = getcwd(directory, sizeof directory);
  const auto trial = run_trial(recipe, change, bounds);
  if (!trial) {
    printf("refused: %s: %s\nremedy: %s\n", trial.error().what.c_str(), trial.error().cause.c_str(),
           trial.error().remedy.c_str());
    return 125;
  }
  if (!trial->wait_status) printf("status: none\n");
  else if (WIFSIGNALED(*trial->wait_status)) printf("status: signal %d\n", WTERMSIG(*trial->wait_status));
  else printf("status: exit %d\n", WEXITSTATUS(*trial->wait_status));
  printf("timed_out: %d\ninterrupted: %d\nlayer_full: %d\n", trial->timed_out, trial->interrupted, trial->layer_full);
  printf("peak_bytes: %llu\n", static_cast<unsigned long long>(trial->peak_bytes.value_or(0)));
  printf("wrote: %llu files %llu bytes\n", static_cast<unsigned long long>(trial->wrote.files),
         static_cast<unsigned long long>(trial->wrote.bytes));
  printf("read_only: %s\n", trial->read_only.c_str());
  printf("took_effect: %s\n", !trial->took_effect ? "unknown" : *trial->took_effect ? "yes" : trial->why_no_effect.c_str());
  if (const char* path = getenv("ONE_TRIAL_CASE")) std::ofstream(path) << to_json(trial->result);
  printf("case: %d\n", !trial->result.id.empty());
  printf("verdict: %s\n", std::string(to_name(trial->result.diagnosis.verdict)).c_str());
  printf("output:\n%s", trial->output_tail.c_str());
  return 0;
}
