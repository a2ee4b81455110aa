# One folder, one library; one variant, one file.
#
# sigwhy_folder(name)               src/name/*.cpp and its sub-folders become sigwhy_name
# sigwhy_registry(name sub Type)    src/name/sub/*.cpp each define `extern const Type <file name>` in
#                                   namespace sigwhy::name::sub; all_<sub>() lists them in name order and
#                                   names_of_<sub>() gives their names, underscores written as dashes.
# A file that does not define its object is a link error, never a variant that silently does not run.

function(sigwhy_folder name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(sigwhy_${name} STATIC ${sources})
  target_include_directories(sigwhy_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  sigwhy_quick(sigwhy_${name})
endfunction()

# The standard headers, most of what the compiler reads, are read once for each target.
function(sigwhy_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <charconv> <chrono> <expected> <filesystem>
    <functional> <map> <optional> <span> <string> <string_view> <unordered_map> <vector> ${ARGN})
endfunction()

# The sanitized build is made once for each `make test`. The build that is shipped does without, so that a missing
# include is found there.
function(sigwhy_quick target)
  if(SIGWHY_SANITIZE)
    sigwhy_precompile(${target})
  endif()
endfunction()

function(sigwhy_registry name sub type)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/${sub}/*.cpp)
  set(declarations "")
  set(entries "")
  set(names "")
  foreach(file ${files})
    get_filename_component(id ${file} NAME_WE)
    string(APPEND declarations "extern const ${type} ${id};\n")
    string(APPEND entries "    &${sub}::${id},\n")
    string(REPLACE "_" "-" dashed ${id})
    string(APPEND names "    \"${dashed}\",\n")
  endforeach()
  string(TOLOWER ${type} header)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/all_${name}_${sub}.cpp CONTENT
"#include \"${name}/${header}.h\"
namespace sigwhy::${name}::${sub} {
${declarations}}
namespace sigwhy::${name} {
static const ${type}* const everything[] = {
${entries}};
std::span<const ${type}* const> all_${sub}() { return everything; }
static const char* const names[] = {
${names}};
std::span<const char* const> names_of_${sub}() { return names; }
}
")
  target_sources(sigwhy_${name} PRIVATE ${CMAKE_BINARY_DIR}/generated/all_${name}_${sub}.cpp)
endfunction()
