# prehend_room(NAME [DIR folder] [BATCH kilobytes] [TEST_BATCH kilobytes] [ALONE files...] PUBLIC targets... PRIVATE targets... TEST targets...)
#
# One folder prehend/NAME with its inner rooms becomes the library prehend::NAME, its tests one program NAME_test, and each
# fuzz/X_fuzz.cpp the fuzzer X_fuzz. PRIVATE dependencies stay inside .cpp files; TEST ones are second opinions. BATCH: files are
# compiled together, those in ALONE (paths inside the room, without .cpp) by themselves: see prehend_batch.
#
# What a program must share with the library, whatever it is compiled for: prehend/math/eigen_memory.h says why. Every room
# hands it on, so that a user's own -mavx2 or -march=native changes nothing about types and memory that both see.
add_library(prehend_abi INTERFACE)
add_library(prehend::abi ALIAS prehend_abi)
set_target_properties(prehend_abi PROPERTIES EXPORT_NAME abi)
target_compile_definitions(prehend_abi INTERFACE EIGEN_MAX_ALIGN_BYTES=16 EIGEN_MALLOC_ALREADY_ALIGNED=1)
target_compile_options(prehend_abi INTERFACE
  "$<INSTALL_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include prehend/math/eigen_memory.h>>")
target_include_directories(prehend_abi INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(prehend_abi INTERFACE Eigen3::Eigen)

add_library(prehend_options INTERFACE)
target_link_libraries(prehend_options INTERFACE prehend_abi)
target_compile_options(prehend_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor
  # g++ 12 warns falsely about std::string concatenation.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)
# Some dependencies ask for large files and some do not: all alike, or precompiled headers are good for a part only.
target_compile_definitions(prehend_options INTERFACE _FILE_OFFSET_BITS=64)

# Tests, their tools and the examples: a seventh less to compile. The rooms that they call are optimised in full.
add_library(prehend_quickly_compiled INTERFACE)
target_compile_options(prehend_quickly_compiled INTERFACE $<$<CONFIG:Release>:-O1>)

# Sanitizers stand apart from the other options, so that a build may instrument some rooms only: instrumented linear
# algebra takes minutes to compile and tells a fuzzer of file readers nothing.
add_library(prehend_sanitize INTERFACE)
if(PREHEND_SANITIZE)
  target_compile_options(prehend_sanitize INTERFACE -fsanitize=${PREHEND_SANITIZE} -fno-omit-frame-pointer)
  if(PREHEND_SANITIZE MATCHES undefined)
    target_compile_options(prehend_sanitize INTERFACE -fno-sanitize-recover=undefined)
    # Checks of every pointer take a quarter of the compiler's time; the address sanitizer sees most of it, and the `asan` build has all.
    if(PREHEND_BUILD_FUZZERS)
      target_compile_options(prehend_sanitize INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
    endif()
  endif()
  string(REPLACE "fuzzer-no-link," "" _prehend_sanitize_link "${PREHEND_SANITIZE}")
  target_link_options(prehend_options INTERFACE -fsanitize=${_prehend_sanitize_link})
endif()

# Programs test/X_tool.cpp that no test script names: long sweeps, built when they are asked for.
add_custom_target(sweeps)
file(GLOB _scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/prehend/*/test/*.py ${PROJECT_SOURCE_DIR}/tests/*.py
  ${PROJECT_SOURCE_DIR}/python/test/*.py ${PROJECT_SOURCE_DIR}/viewer/test/*/*.ts)
set(PREHEND_TEST_SCRIPTS "")
foreach(_script ${_scripts})
  file(READ ${_script} _text)
  string(APPEND PREHEND_TEST_SCRIPTS "${_text}")
endforeach()

if(PREHEND_BUILD_FUZZERS)
  add_custom_target(fuzzers)  # all of them, and nothing that they do not need
endif()

# prehend_batch(TARGET kilobytes [files that stay alone...]): the target's files are compiled together up to so many kilobytes of text, which saves
# a third of a clean build: the same templates are instantiated once for all of them. The size keeps a batch below some ten seconds. Names in
# anonymous namespaces of one target must therefore differ. -DPREHEND_BATCHES=OFF compiles every file by itself: quicker after a small
# change, and it shows that each file includes what it uses (the presets release-gcc and debug do so).
option(PREHEND_BATCHES "Compile several files of a room together" ON)
function(prehend_batch TARGET KILOBYTES)
  if(NOT PREHEND_BATCHES)
    return()
  endif()
  get_target_property(sources ${TARGET} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(REMOVE_ITEM sources "" ${ARGN})
  set(batch 0)
  set(filled 0)
  foreach(source ${sources})
    file(SIZE ${source} size)
    math(EXPR after "${filled} + ${size}")
    if(filled GREATER 0 AND after GREATER ${KILOBYTES}000)
      math(EXPR batch "${batch} + 1")
      set(after ${size})
    endif()
    set(filled ${after})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP batch_${batch})
  endforeach()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# Each fuzz/X_fuzz.cpp of a room becomes the fuzzer X_fuzz. Where the room itself comes from another build, not instrumented, the files of the reader
# that the fuzzer's line `// Instrumented: a.cpp b.cpp` names are compiled with it, and stand before the room's own.
function(prehend_fuzzers NAME DIR)
  if(NOT PREHEND_BUILD_FUZZERS)
    return()
  endif()
  get_target_property(imported prehend_${NAME} IMPORTED)
  file(GLOB fuzzers CONFIGURE_DEPENDS ${DIR}/fuzz/*_fuzz.cpp)
  foreach(fuzzer ${fuzzers})
    get_filename_component(fuzzer_name ${fuzzer} NAME_WE)
    add_executable(${fuzzer_name} ${fuzzer})
    target_link_libraries(${fuzzer_name} PRIVATE prehend_${NAME} prehend_options prehend_sanitize ${ARGN})
    target_link_options(${fuzzer_name} PRIVATE -fsanitize=fuzzer)
    # As a library's files are, so that it can share their precompiled headers.
    set_target_properties(${fuzzer_name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${fuzzer_name} PRIVATE -fPIC)
    prehend_precompile(${fuzzer_name} SANITIZED)
    if(imported)
      file(STRINGS ${fuzzer} line REGEX "^// Instrumented: ")
      string(REGEX MATCHALL "[a-z0-9_/]+[.]cpp" files "${line}")
      if(NOT files)
        message(FATAL_ERROR "${fuzzer} does not say which files of its room to instrument (// Instrumented: a.cpp)")
      endif()
      list(TRANSFORM files PREPEND ${DIR}/)
      target_sources(${fuzzer_name} PRIVATE ${files})
      target_link_options(${fuzzer_name} PRIVATE -Wl,--allow-multiple-definition)
      # Files of a batch are linked together: pages may come along with what is asked for.
      target_link_libraries(${fuzzer_name} PRIVATE ${PREHEND_PLAIN_ROOMS_FROM}/prehend/libprehend_report.a prehend_model)
    endif()
    add_dependencies(fuzzers ${fuzzer_name})
  endforeach()
endfunction()

function(prehend_room NAME)
  cmake_parse_arguments(ROOM "" "DIR;BATCH;TEST_BATCH" "PUBLIC;PRIVATE;TEST;ALONE" ${ARGN})
  if(PREHEND_PLAIN_ROOMS_FROM AND NOT NAME IN_LIST PREHEND_SANITIZE_ROOMS)
    # Built already, by the other build; both compilers use the same standard library.
    add_library(prehend_${NAME} STATIC IMPORTED GLOBAL)
    add_library(prehend::${NAME} ALIAS prehend_${NAME})
    set_target_properties(prehend_${NAME} PROPERTIES
      IMPORTED_LOCATION ${PREHEND_PLAIN_ROOMS_FROM}/prehend/libprehend_${NAME}.a)
    target_include_directories(prehend_${NAME} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(prehend_${NAME} INTERFACE prehend_abi ${ROOM_PUBLIC} ${ROOM_PRIVATE})
    prehend_fuzzers(${NAME} ${CMAKE_CURRENT_SOURCE_DIR}/${NAME} ${ROOM_PRIVATE})
    return()
  endif()
  if(NOT ROOM_DIR)
    set(ROOM_DIR ${NAME})
  endif()
  set(dir ${CMAKE_CURRENT_SOURCE_DIR}/${ROOM_DIR})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp ${dir}/*/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${dir}/*.h ${dir}/*/*.h)
  list(FILTER sources EXCLUDE REGEX "${dir}/(test|fuzz|markers|module)/")
  list(FILTER headers EXCLUDE REGEX "${dir}/(test|fuzz|markers|module)/")
  if(NOT PREHEND_BUILD_REPORT)
    list(FILTER sources EXCLUDE REGEX "_page\\.cpp$")  # a capability's page needs the report room
  endif()
  add_library(prehend_${NAME} ${sources} ${headers})
  add_library(prehend::${NAME} ALIAS prehend_${NAME})
  set_target_properties(prehend_${NAME} PROPERTIES EXPORT_NAME ${NAME})
  target_compile_features(prehend_${NAME} PUBLIC cxx_std_20)
  target_include_directories(prehend_${NAME} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(prehend_${NAME} PUBLIC prehend_abi ${ROOM_PUBLIC} PRIVATE $<BUILD_INTERFACE:prehend_options>)
  foreach(dependency ${ROOM_PRIVATE})
    prehend_installed_dependency(${dependency} installed)
    target_link_libraries(prehend_${NAME} PRIVATE $<BUILD_INTERFACE:${dependency}>)
    if(installed)
      target_link_libraries(prehend_${NAME} PRIVATE $<INSTALL_INTERFACE:${installed}>)
    endif()
  endforeach()
  if(ROOM_BATCH)
    list(TRANSFORM ROOM_ALONE REPLACE "(.+)" "${dir}/\\1.cpp")
    prehend_batch(prehend_${NAME} ${ROOM_BATCH} ${ROOM_ALONE})
  endif()
  set_property(GLOBAL APPEND PROPERTY PREHEND_ROOMS ${NAME})
  set_property(GLOBAL PROPERTY PREHEND_USES_${NAME} ${ROOM_PUBLIC} ${ROOM_PRIVATE})  # for the installed package
  if(PREHEND_SANITIZE AND (NOT PREHEND_SANITIZE_ROOMS OR NAME IN_LIST PREHEND_SANITIZE_ROOMS))
    target_link_libraries(prehend_${NAME} PRIVATE $<BUILD_INTERFACE:prehend_sanitize>)
    prehend_precompile(prehend_${NAME} SANITIZED)
  else()
    prehend_precompile(prehend_${NAME})
  endif()

  file(GLOB tests CONFIGURE_DEPENDS ${dir}/test/*_test.cpp)
  if(NOT PREHEND_BUILD_REPORT)
    list(FILTER tests EXCLUDE REGEX "_page_test\\.cpp$")
  endif()
  if(PREHEND_BUILD_TESTS AND tests)
    include(GoogleTest)
    add_executable(${NAME}_test ${tests})
    target_link_libraries(${NAME}_test PRIVATE prehend_${NAME} prehend_options prehend_quickly_compiled prehend_sanitize ${ROOM_PRIVATE}
      ${ROOM_TEST} GTest::gtest_main)
    prehend_precompile(${NAME}_test TEST)
    if(ROOM_TEST_BATCH)
      prehend_batch(${NAME}_test ${ROOM_TEST_BATCH})
    endif()
    gtest_discover_tests(${NAME}_test TEST_PREFIX ${NAME}. DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT 1200 ENVIRONMENT PREHEND_SOURCE=${PROJECT_SOURCE_DIR})  # tests/places.h reads it
  endif()

  # Small test-only programs, test/X_tool.cpp: a Python test drives them over standard input, or they run a sweep (target `sweeps`).
  file(GLOB tools CONFIGURE_DEPENDS ${dir}/test/*_tool.cpp)
  if(PREHEND_BUILD_TESTS)
    foreach(tool ${tools})
      get_filename_component(tool_name ${tool} NAME_WE)
      add_executable(${tool_name} ${tool})
      string(FIND "${PREHEND_TEST_SCRIPTS}" ${tool_name} tool_is_run)
      if(tool_is_run EQUAL -1)
        set_target_properties(${tool_name} PROPERTIES EXCLUDE_FROM_ALL ON)
      endif()
      add_dependencies(sweeps ${tool_name})
      target_link_libraries(${tool_name} PRIVATE prehend_${NAME} ${ROOM_TEST} prehend_options prehend_quickly_compiled prehend_sanitize
        nlohmann_json::nlohmann_json)
      prehend_precompile(${tool_name})
    endforeach()
    file(GLOB oracles CONFIGURE_DEPENDS ${dir}/test/*_test.py)
    foreach(oracle ${oracles})
      get_filename_component(oracle_name ${oracle} NAME_WE)
      prehend_python_test(${NAME}.${oracle_name} ${oracle})
    endforeach()
  endif()

  prehend_fuzzers(${NAME} ${dir})
endfunction()

# A pytest file as one ctest test; PREHEND_BIN names the folder of the built programs. What takes long begins first, so that nothing is waited for
# at the end: install_test compiles, and Python tests take seconds where the others take tenths.
function(prehend_python_test NAME FILE)
  if(NAME STREQUAL "install_test")
    set(cost 100)
  else()
    set(cost 10)
  endif()
  if(PREHEND_VENV)
    set(python ${PREHEND_VENV}/bin/python)
  else()
    find_package(Python 3.11 REQUIRED COMPONENTS Interpreter)
    set(python ${Python_EXECUTABLE})
  endif()
  add_test(NAME ${NAME} COMMAND ${python} -m pytest -q -rs -p no:cacheprovider ${FILE})
  set_tests_properties(${NAME} PROPERTIES TIMEOUT 3000 COST ${cost} ENVIRONMENT
    "PREHEND_BIN=${CMAKE_BINARY_DIR}/bin;PREHEND_BUILD=${CMAKE_BINARY_DIR};PREHEND_SOURCE=${PROJECT_SOURCE_DIR};PREHEND_SHARED_DATA=${PROJECT_SOURCE_DIR}/../shared/data;PREHEND_SITE=${PREHEND_SITE};PYTHONDONTWRITEBYTECODE=1")
endfunction()
