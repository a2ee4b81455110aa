// A file that its reader refused and that a walk over its bytes found sound: it is of another kind than the reader was
// told, or it changed in between. Such a file is not damaged, and to get it again would help nobody.
#pragma once
#include <string_view>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

// "corrupted record at 0": nothing of the file was understood, so it may be no TFRecord file, or a compressed one.
bool fails_at_first_record(std::string_view message);

bool is_sound(const Facts& facts, std::size_t input);

// Rewords what the reader's complaint alone had made of it.
void say_sound(const Facts& facts, std::size_t input, const PyException& complaint, Finding& finding);

}  // namespace sigwhy::diagnose
