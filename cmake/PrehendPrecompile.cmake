# prehend_precompile(TARGET [TEST]): Eigen and the standard library (TEST: and GoogleTest) are read once for all targets.
#
# A third of a build from nothing goes into reading the same headers. Libraries, programs and tests have their own
# copy each, since they are compiled with different flags. Files must still include what they use: the builds with
# sanitizers and fuzzers go without.
option(PREHEND_PRECOMPILE "Read the headers that most files include once" OFF)
if(NOT PREHEND_PRECOMPILE OR PREHEND_SANITIZE)
  function(prehend_precompile)
  endfunction()
  return()
endif()

# Up to a gigabyte g++ need not look for memory to reuse: a seventh of the time of a file full of Eigen.
target_compile_options(prehend_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>)
set(_headers <Eigen/Dense> <algorithm> <array> <cmath> <cstdint> <cstdio> <functional> <limits> <map> <memory> <numbers>
  <optional> <span> <sstream> <stdexcept> <string> <string_view> <utility> <vector>)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "int main() { return 0; }\n" @ONLY)
add_library(prehend_library_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
add_executable(prehend_program_headers ${CMAKE_BINARY_DIR}/precompiled.cpp)
target_precompile_headers(prehend_library_headers PRIVATE ${_headers})
target_precompile_headers(prehend_program_headers PRIVATE ${_headers})
set(_owners prehend_library_headers prehend_program_headers)
if(PREHEND_BUILD_TESTS)
  add_executable(prehend_test_headers ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_precompile_headers(prehend_test_headers PRIVATE ${_headers} <gtest/gtest.h>)
  target_link_libraries(prehend_test_headers PRIVATE GTest::gtest)
  list(APPEND _owners prehend_test_headers)
endif()
foreach(_owner ${_owners})
  target_compile_features(${_owner} PUBLIC cxx_std_20)
  target_link_libraries(${_owner} PRIVATE Eigen3::Eigen prehend_options)
endforeach()

function(prehend_precompile TARGET)
  get_target_property(type ${TARGET} TYPE)
  if("TEST" IN_LIST ARGN)
    set(owner prehend_test_headers)
  elseif(type STREQUAL EXECUTABLE)
    set(owner prehend_program_headers)
  else()
    set(owner prehend_library_headers)
  endif()
  target_precompile_headers(${TARGET} REUSE_FROM ${owner})
  # Lets ccache look into files that use a precompiled header.
  target_compile_options(${TARGET} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
