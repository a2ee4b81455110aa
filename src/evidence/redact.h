// The one place where secrets leave a case. Beyond it nothing secret exists: what is stored, printed or served
// has passed through here. Structure stays (indices, lengths of lists, names), so that evidence references still
// resolve; file paths and numbers stay.
//
// Blanked everywhere: tokens of known shapes (AKIA..., ghp_..., sk-..., JWTs, private keys), user:password in
// URLs, values whose name says that they are secret (--password X, api_key=X, "token": "X"; variables, members and
// keys too, whatever values are wanted). In what the program itself said or was given (arguments, environment, texts,
// sentences that quote them) also long words that look random.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "evidence/case.h"

namespace sigwhy {

struct Redaction {
  // Words that only look random are shown; what is known to be secret stays blanked.
  bool values = false;
  // Texts that the program made are replaced by their lengths, literals of source lines by ***.
  bool hide_texts = false;
};

Case redact(Case c, const Redaction& redaction = {});

// The parts, for whoever handles arguments or lines outside of a case.
std::string redact_text(std::string_view text, const Redaction& redaction = {});
std::vector<std::string> redact_arguments(std::vector<std::string> argv, const Redaction& redaction = {});

}  // namespace sigwhy
