# What goes into the wheel: the extension, its stubs and Python files, and Debian's shared libraries that it needs.
#
# The wheel must import on a machine that has neither the build tree nor Debian's packages. Libraries that PyPI
# carries (Qhull, tinyxml2, MuJoCo) are pinned requirements of the wheel and found beside it in site-packages;
# the rest (Clp, CoinUtils, LAPACK, yaml-cpp, TBB) is copied into prehend/libs. The C and C++ runtimes are the machine's own.
# DT_RPATH instead of DT_RUNPATH: it also serves the libraries that the copied libraries need among themselves.
set(_folder prehend)
set_target_properties(prehend_python PROPERTIES
  INSTALL_RPATH "$ORIGIN/libs:$ORIGIN/../cmeel.prefix/lib:$ORIGIN/../mujoco" INSTALL_RPATH_USE_LINK_PATH OFF)
if(SKBUILD)
  target_link_options(prehend_python PRIVATE -Wl,--disable-new-dtags)
endif()
install(TARGETS prehend_python LIBRARY DESTINATION ${_folder} COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${_copied} DESTINATION ${_folder} COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${_stubs} DESTINATION ${_folder}/_core COMPONENT python EXCLUDE_FROM_ALL)
install(CODE [[
  file(GET_RUNTIME_DEPENDENCIES
    MODULES "$<TARGET_FILE:prehend_python>"
    RESOLVED_DEPENDENCIES_VAR resolved
    UNRESOLVED_DEPENDENCIES_VAR unresolved
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|gcc_s)\\.so" "^libstdc\\+\\+\\.so"
    POST_EXCLUDE_REGEXES "/cmeel\\.prefix/" "/mujoco/")
  if(unresolved)
    message(FATAL_ERROR "the Python extension needs libraries that were not found: ${unresolved}")
  endif()
  foreach(library ${resolved})
    get_filename_component(name "${library}" NAME)
    file(REAL_PATH "${library}" file)
    file(INSTALL "${file}" DESTINATION "${CMAKE_INSTALL_PREFIX}/prehend/libs" RENAME "${name}")
    # Its licence travels with it: the copyright file of the Debian package it came from. Packages from before the
    # merge of / and /usr list their files without /usr.
    string(REGEX REPLACE "^/usr" "" old_name "${file}")
    execute_process(COMMAND dpkg-query --search "${file}" "${old_name}" OUTPUT_VARIABLE owner ERROR_QUIET)
    string(REGEX MATCH "^[^:,]+" owner "${owner}")
    if(NOT EXISTS "/usr/share/doc/${owner}/copyright")
      message(FATAL_ERROR "no copyright file found for ${file}; a wheel may not carry it without its licence")
    endif()
    file(INSTALL "/usr/share/doc/${owner}/copyright" DESTINATION "${CMAKE_INSTALL_PREFIX}/prehend/libs" RENAME "${owner}.copyright")
  endforeach()
]] COMPONENT python EXCLUDE_FROM_ALL)
