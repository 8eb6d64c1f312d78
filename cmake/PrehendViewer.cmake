# The viewer of the reports: viewer/ (TypeScript) becomes one bundle, which is compiled into a library as string
# literals. Needs Node 18 or newer and viewer/node_modules, both made by `make setup`.
find_program(NODE_PROGRAM NAMES node nodejs REQUIRED)
set(PREHEND_VIEWER_DIR ${PROJECT_SOURCE_DIR}/viewer)
if(NOT EXISTS ${PREHEND_VIEWER_DIR}/node_modules/vite/bin/vite.js)
  message(FATAL_ERROR "viewer/node_modules is missing or incomplete; run 'make setup' (or 'npm ci' in viewer/) first")
endif()

# prehend_embed_viewer(TARGET): builds the bundle when a source of the viewer changed, and adds it to TARGET.
function(prehend_embed_viewer TARGET)
  get_target_property(imported ${TARGET} IMPORTED)  # taken from another build, which has it already
  if(imported)
    return()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PREHEND_VIEWER_DIR}/src/*)
  set(bundle ${CMAKE_BINARY_DIR}/viewer)
  set(embedded ${CMAKE_BINARY_DIR}/viewer_bundle.cpp)
  add_custom_command(OUTPUT ${embedded}
    COMMAND ${NODE_PROGRAM} node_modules/vite/bin/vite.js build --logLevel warn --outDir ${bundle}
    COMMAND ${NODE_PROGRAM} embed.mjs ${bundle} ${embedded}
    WORKING_DIRECTORY ${PREHEND_VIEWER_DIR}
    DEPENDS ${sources} ${PREHEND_VIEWER_DIR}/vite.config.ts ${PREHEND_VIEWER_DIR}/embed.mjs
            ${PREHEND_VIEWER_DIR}/package-lock.json
    COMMENT "Bundling the viewer"
    VERBATIM)
  target_sources(${TARGET} PRIVATE ${embedded})
endfunction()

# Types, unit tests and real Chromium, each one ctest test.
function(prehend_viewer_tests)
  add_test(NAME viewer.types COMMAND ${NODE_PROGRAM} node_modules/typescript/bin/tsc --noEmit
           WORKING_DIRECTORY ${PREHEND_VIEWER_DIR})
  foreach(project unit chromium)
    add_test(NAME viewer.${project} COMMAND ${NODE_PROGRAM} node_modules/vitest/vitest.mjs run --project ${project}
             WORKING_DIRECTORY ${PREHEND_VIEWER_DIR})
    set_tests_properties(viewer.${project} PROPERTIES TIMEOUT 600 COST 50 ENVIRONMENT "PREHEND_BIN=${CMAKE_BINARY_DIR}/bin")
  endforeach()
endfunction()
