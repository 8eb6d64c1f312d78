# prehend_embed(TARGET files...): makes the text files part of the library, by their path below data/.
function(prehend_embed TARGET)
  get_target_property(imported ${TARGET} IMPORTED)  # taken from another build, which has it already
  if(imported)
    return()
  endif()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_data.cpp)
  set(body "")
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/data ${file})
    file(READ ${file} text)
    string(APPEND body "    {\"${name}\", R\"PREHEND(${text})PREHEND\"sv},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${out} CONTENT [[
// Generated from data/; do not edit.
#include <prehend/model/embedded_data.h>

namespace prehend::model {
namespace {
using namespace std::literals;  // lengths as the compiler knows them, not counted at compile time
constexpr EmbeddedFile kFiles[] = {
@body@};
}  // namespace

std::span<const EmbeddedFile> embedded_files() { return kFiles; }

}  // namespace prehend::model
]] @ONLY)
  target_sources(${TARGET} PRIVATE ${out})
endfunction()
