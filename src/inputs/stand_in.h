// What lies in a file's place after a clone or a download that went wrong. It is told by its text, whatever the format.
#pragma once
#include <string>
#include <string_view>

namespace sigwhy::inputs {

// "it is a Git LFS pointer, ...", with what fetches the file. Empty: no such thing.
std::string pointer_text(std::string_view first_bytes);
// "it is an HTML page, ...".
std::string page_text(std::string_view first_bytes);

}  // namespace sigwhy::inputs
