// Texts that are names of files, as far as their looks tell.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace sigwhy {

bool looks_like_path(std::string_view text);

// What a Python text holds: train of 'train', b'train' and PosixPath('train').
std::optional<std::string> text_in(const std::optional<std::string>& text);

// 'train.npz', b'train.npz' or PosixPath('train.npz') as Python writes them.
std::optional<std::string> path_in(const std::optional<std::string>& text);

}  // namespace sigwhy
