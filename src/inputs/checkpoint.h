// A TensorFlow checkpoint, which is several files with one prefix: PREFIX.index, a LevelDB table from a tensor's name
// to where its bytes lie and their checksum, and the shards PREFIX.data-00000-of-00002 that hold nothing but the bytes.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "evidence/input.h"

namespace sigwhy::inputs {

// "model" for "model.index" and "model.data-00000-of-00001"; absent: another name.
std::optional<std::string> checkpoint_prefix(std::string_view path);

// `index_inside`: how a flaw in the index is to be called; flaws in shards are called by the shard's name.
Checked check_checkpoint(const std::string& prefix, const std::string& index_inside);

}  // namespace sigwhy::inputs
