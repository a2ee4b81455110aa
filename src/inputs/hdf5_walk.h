// HDF5: a superblock with the file's length, then objects (groups and datasets) that point to each other by address. An
// object is a header of messages; a group's members lie in a B-tree with a heap of names (old) or in link messages
// (new); a dataset's layout message says where its numbers lie. Old structures have signatures only, new ones (version
// 2 headers, the 2 and 3 of superblocks) a checksum each; numbers have none unless a filter gives them one.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "evidence/input.h"
#include "inputs/paged_bytes.h"

namespace sigwhy::inputs {

// Bob Jenkins' lookup3, as HDF5 guards its metadata with.
std::uint32_t hdf5_checksum(std::string_view bytes);

class Hdf5Walk {
 public:
  explicit Hdf5Walk(PagedBytes& bytes) : bytes_(bytes) {}
  Checked run(std::uint64_t superblock);

 private:
  struct Object {
    std::uint64_t at;
    std::string name;  // "/model_weights/dense"
  };
  struct Message {
    unsigned type;
    std::uint64_t at, begin, bytes;  // of its head, of its data
  };
  struct Block {
    std::uint64_t begin, end;  // of messages
  };
  // What one header's messages say together.
  struct Dataset {
    std::optional<std::uint64_t> elements;
    std::uint64_t element_bytes = 0;
    std::uint64_t contiguous_at = 0, contiguous_bytes = 0;  // where its layout says the size, and the size
  };

  bool bad(std::uint64_t offset, std::string where, std::string what);
  bool outside(std::uint64_t said_at, const std::string& where, std::uint64_t at, std::uint64_t bytes);
  bool signature(std::uint64_t said_at, std::uint64_t at, std::string_view wanted, const std::string& where);
  bool checksum(std::uint64_t at, std::uint64_t bytes, const std::string& where);
  std::uint64_t address_at(std::uint64_t at);  // from the file's start; `nowhere` where undefined
  std::uint64_t length_at(std::uint64_t at) { return bytes_.number(at, length_bytes_); }

  bool superblock(std::uint64_t at);
  bool old_superblock(std::uint64_t at);
  bool ending(std::uint64_t said_at, std::uint64_t end);
  void add(std::uint64_t said_at, std::uint64_t at, std::string name);

  bool object(const Object& object);
  bool old_messages(const Object& object, Dataset& dataset);
  bool new_messages(const Object& object, Dataset& dataset);
  std::optional<Message> next_message(const Object& object, std::uint64_t& at, std::uint64_t end, unsigned head,
                                      bool old);
  bool message(const Object& object, const Message& message, std::deque<Block>& more, Dataset& dataset);
  bool continuation(const Object& object, const Message& message, std::deque<Block>& more);
  bool link(const Object& object, const Message& message);
  bool link_info(const Object& object, const Message& message, unsigned index_bytes);
  bool layout(const Object& object, const Message& message, Dataset& dataset);
  bool chunk_index(const Object& object, const Message& message, std::uint64_t at);
  bool attribute(const Object& object, const Message& message);
  bool text_references(const Object& object, std::uint64_t at, std::uint64_t end);
  void dataspace(const Message& message, Dataset& dataset);

  bool old_group(const Object& object, std::uint64_t said_at);
  bool tree(const std::string& where, std::uint64_t said_at, std::uint64_t at, unsigned kind, unsigned key_bytes,
            std::optional<unsigned> level, const Object& group, std::uint64_t names, std::uint64_t names_bytes);
  bool symbols(const Object& group, std::uint64_t said_at, std::uint64_t at, std::uint64_t names,
               std::uint64_t names_bytes);
  bool chunk(const std::string& where, std::uint64_t key_at, std::uint64_t child_at);
  bool global_heap(const std::string& where, std::uint64_t said_at, std::uint64_t at);
  bool header_with_checksum(const std::string& where, std::uint64_t said_at, std::uint64_t at, std::string_view name,
                            std::uint64_t bytes);

  PagedBytes& bytes_;
  std::uint64_t base_ = 0;
  unsigned address_bytes_ = 8, length_bytes_ = 8;
  std::deque<Object> todo_;
  std::set<std::uint64_t> seen_;
  std::uint64_t objects_ = 0, datasets_ = 0;
  bool dense_ = false, indexed_ = false, open_ = false;
  std::optional<Checked> fault_;
};

}  // namespace sigwhy::inputs
