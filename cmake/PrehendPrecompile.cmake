# prehend_precompile(TARGET [TEST] [SANITIZED]): Eigen and the standard library (TEST: and GoogleTest) are read once for
# all targets.
#
# Reading the same headers is 1.3 of the 3.3 seconds that a file takes on average. Libraries, programs, tests and
# instrumented libraries have their own copy each, since they are compiled with different flags. Files must still include
# what they use: -DPREHEND_PRECOMPILE=OFF builds without.
option(PREHEND_PRECOMPILE "Read the headers that most files include once" ON)
if(NOT PREHEND_PRECOMPILE)
  function(prehend_precompile)
  endfunction()
  return()
endif()

# Up to a gigabyte g++ need not look for memory to reuse: a seventh of the time of a file full of Eigen.
target_compile_options(prehend_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>)
set(_headers <Eigen/Dense> <algorithm> <array> <cmath> <cstdint> <cstdio> <functional> <limits> <map> <memory> <numbers>
  <optional> <span> <sstream> <stdexcept> <string> <string_view> <utility> <vector>
  ${PROJECT_SOURCE_DIR}/prehend/math/solvers/decompositions.h ${PROJECT_SOURCE_DIR}/cmake/common_templates.h)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "int main() { return 0; }\n" @ONLY)
# Lets ccache look into files that use a precompiled header.
set(_cacheable $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")

function(_prehend_header_owner NAME LINK)
  target_compile_features(${NAME} PUBLIC cxx_std_20)
  target_link_libraries(${NAME} PRIVATE Eigen3::Eigen prehend_options ${LINK})
  target_compile_options(${NAME} PRIVATE ${_cacheable})
  target_precompile_headers(${NAME} PRIVATE ${_headers} ${ARGN})
endfunction()
add_library(prehend_library_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
_prehend_header_owner(prehend_library_headers "")
add_executable(prehend_program_headers ${CMAKE_BINARY_DIR}/precompiled.cpp)
_prehend_header_owner(prehend_program_headers prehend_sanitize)
if(PREHEND_BUILD_TESTS)
  add_executable(prehend_test_headers ${CMAKE_BINARY_DIR}/precompiled.cpp)
  _prehend_header_owner(prehend_test_headers "GTest::gtest;prehend_sanitize" <gtest/gtest.h>)
endif()
if(PREHEND_SANITIZE)
  add_library(prehend_sanitized_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
  _prehend_header_owner(prehend_sanitized_headers prehend_sanitize)
endif()

function(prehend_precompile TARGET)
  get_target_property(type ${TARGET} TYPE)
  if("TEST" IN_LIST ARGN)
    set(owner prehend_test_headers)
  elseif(PREHEND_SANITIZE AND "SANITIZED" IN_LIST ARGN)
    set(owner prehend_sanitized_headers)
  elseif(type STREQUAL EXECUTABLE)
    set(owner prehend_program_headers)
  else()
    set(owner prehend_library_headers)
  endif()
  target_precompile_headers(${TARGET} REUSE_FROM ${owner})
  target_compile_options(${TARGET} PRIVATE ${_cacheable})
endfunction()
