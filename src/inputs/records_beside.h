// How many records a TFRecord file should have, as far as something beside it says: the dataset_info.json of TensorFlow
// Datasets (a length for each shard), or an index as DALI's tfrecord2idx writes it (a line for each record). And whether
// the other shards of its set ("-00003-of-00010") are there.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sigwhy::inputs {

struct RecordsBeside {
  std::optional<std::uint64_t> records;
  std::string source;  // the file's name
  std::vector<std::string> remarks;
};

RecordsBeside records_beside(const std::string& path);

}  // namespace sigwhy::inputs
