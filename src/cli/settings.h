// Settings that hold without flags: SIGWHY_OPTIONS, then $XDG_CONFIG_HOME/sigwhy.toml (else ~/.config/sigwhy.toml),
// then /etc/sigwhy.toml. A setting is an option of `sigwhy run` under its long name:
//
//     always = true
//     colour = "never"
//
// A mistake in them never stops the user's program: it becomes a line to print. Needs base only.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/parse.h"

namespace sigwhy::cli {

struct Settings {
  Arguments values;
  std::vector<std::string> problems;  // whole lines, "sigwhy: ..."
};

// From the environment and the files that exist.
Settings load_settings();

// The two sources by themselves. `name` is the file's, for the lines.
Settings settings_from_toml(std::string_view text, const std::string& name);
Settings settings_from_words(std::string_view words);

// Options of `upper` win over those of `lower`, undone ones included; the operands are those of `upper`.
Arguments overlaid(const Arguments& lower, const Arguments& upper);

// A command line split as a shell does: blanks separate, quotes and backslashes keep.
std::vector<std::string> split_words(std::string_view text);

}  // namespace sigwhy::cli
