# Files that become part of a program.
#
# sigwhy_tensor_layouts()             src/python/tensors/layouts/*.layout, read by the compiler into one table
# sigwhy_embed(target name files...)  the files' text, joined in this order, as `const std::string_view name`
#                                     in namespace sigwhy

function(sigwhy_read_files into)
  set(text "")
  foreach(file ${ARGN})
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} content)
    string(APPEND text "${content}")
  endforeach()
  set(${into} "${text}" PARENT_SCOPE)
endfunction()

function(sigwhy_write_source path content)
  if(EXISTS ${path})
    file(READ ${path} before)
  endif()
  if(NOT "${before}" STREQUAL "${content}")
    file(WRITE ${path} "${content}")
  endif()
endfunction()

function(sigwhy_embed target name)
  sigwhy_read_files(text ${ARGN})
  set(source ${CMAKE_BINARY_DIR}/generated/${name}.cpp)
  sigwhy_write_source(${source}
"#include <string_view>
namespace sigwhy {
extern const std::string_view ${name};
const std::string_view ${name} = R\"embedded(${text})embedded\";
}
")
  target_sources(${target} PRIVATE ${source})
endfunction()

function(sigwhy_tensor_layouts)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/python/tensors/layouts/*.layout)
  set(entries "")
  foreach(file ${files})
    sigwhy_read_files(text ${file})
    string(APPEND entries "    tensor_layout_of(R\"layout(${text})layout\").value(),  // a mistake in it does not compile\n")
  endforeach()
  set(source ${CMAKE_BINARY_DIR}/generated/shipped_tensor_layouts.cpp)
  sigwhy_write_source(${source}
"#include \"python/tensors/layout_text.h\"
namespace sigwhy::python {
static constexpr TensorLayout layouts[] = {
${entries}};
std::span<const TensorLayout> shipped_tensor_layouts() { return layouts; }
}
")
  target_sources(sigwhy_python PRIVATE ${source})
endfunction()
