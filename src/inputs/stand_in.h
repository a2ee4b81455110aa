// What lies in a file's place after a clone or a download that went wrong. It is told by its text, whatever the format.
#pragma once
#include <string>
#include <string_view>

namespace sigwhy::inputs {

// "it is a Git LFS pointer, ...", with what fetches the file. Empty: no such thing.
std::string pointer_text(std::string_view first_bytes);
// "it is an HTML page, ...".
std::string page_text(std::string_view first_bytes);
// A name whose ending promises data: a page or a pointer in such a file is never what is wanted.
bool is_named_as_data(std::string_view path);
// The same where no bytes at all are wrong too; a table may have no rows.
bool is_named_as_binary(std::string_view path);

}  // namespace sigwhy::inputs
