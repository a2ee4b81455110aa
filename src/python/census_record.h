// What a census brings home: one block of bytes, { header, places, holders, types, copies }, written where nothing
// may be allocated and read later, distrustfully, by somebody else. Texts are cut to their room and end with a zero.
#pragma once
#include <cstdint>

namespace sigwhy::python {

inline constexpr char census_magic[8] = {'S', 'W', 'C', 'E', 'N', 'S', 'U', 'S'};
inline constexpr std::uint32_t census_version = 1;

inline constexpr std::size_t most_census_places = 24, most_census_holders = 24, most_census_types = 40,
                             most_census_copies = 16, most_census_groups = 4, most_census_dimensions = 6;

// Why it is not the whole truth.
enum CensusCut : std::uint32_t { cut_by_time = 1, cut_by_objects = 2, cut_by_room = 4, cut_in_libraries = 8 };

struct CensusHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t cut;  // CensusCut
  std::uint32_t places, holders, types, copies;
  std::uint64_t objects, object_bytes;  // Python objects, without the memory of arrays
  std::uint64_t arrays, array_bytes;
  std::uint64_t bytes_by_kind[16];  // of arrays, by ArrayKind
  double seconds;                   // that it took
};
static_assert(sizeof(CensusHeader) == 200);

// Where a name lives: a frame, or a module (no line).
struct CensusPlace {
  char file[192];
  char function[64];
  char module[64];
  std::int32_t line;  // 0: not known
  std::uint32_t own;  // the user's own code
};
static_assert(sizeof(CensusPlace) == 328);

// Arrays that are alike.
struct CensusGroup {
  char type[32];
  char dtype[24];
  std::int64_t shape[most_census_dimensions];
  std::uint32_t dimensions;  // more than there is room for: the shape is not told
  std::uint32_t reserved;
  std::uint64_t count, bytes;
};
static_assert(sizeof(CensusGroup) == 128);

struct CensusHolder {
  char name[128];
  char type[40];
  std::uint32_t place;        // index; most_census_places: not known
  std::uint32_t keeps_graph;  // a torch tensor below it has a gradient function ...
  std::uint64_t graph_nodes;  // ... behind which so many were counted; 0: not counted
  std::uint64_t arrays, bytes;
  std::uint64_t objects, object_bytes;
  std::uint64_t length;  // of the container; all ones: it has none
  std::uint64_t capacity;  // of one that drops its oldest when full; all ones: it has none
  std::uint64_t groups;
  CensusGroup group[most_census_groups];
};
static_assert(sizeof(CensusHolder) == 752);

struct CensusType {
  char name[56];
  std::uint64_t count, bytes;
};
static_assert(sizeof(CensusType) == 72);

struct CensusCopy {
  char name[128];
  char copy_of[128];
  std::uint64_t bytes;
};
static_assert(sizeof(CensusCopy) == 264);

inline constexpr std::size_t most_census_bytes =
    sizeof(CensusHeader) + most_census_places * sizeof(CensusPlace) + most_census_holders * sizeof(CensusHolder) +
    most_census_types * sizeof(CensusType) + most_census_copies * sizeof(CensusCopy);

}  // namespace sigwhy::python
