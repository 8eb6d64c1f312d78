# cmake --install, and the package config for find_package(prehend COMPONENTS ...). The prefix may be moved: nothing in it
# names the build folder or the virtual environment.
include(CMakePackageConfigHelpers)
get_property(_rooms GLOBAL PROPERTY PREHEND_ROOMS)
set(_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/prehend)
install(TARGETS prehend_abi EXPORT prehend_abi)
install(EXPORT prehend_abi NAMESPACE prehend:: FILE prehend_abi.cmake DESTINATION ${_config_dir})
set(_prehend_table "")
foreach(_room ${_rooms})
  # One export per room: who asks for math alone gets math alone.
  install(TARGETS prehend_${_room} EXPORT prehend_${_room}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT prehend_${_room} NAMESPACE prehend:: FILE prehend_${_room}.cmake DESTINATION ${_config_dir})
  # Doors alone: headers at the top of a room, and the folders that are doors of their own. Inner rooms stay here.
  set(_dir ${PROJECT_SOURCE_DIR}/prehend/${_room})
  foreach(_folder "" /simulated /markers)
    file(GLOB _doors CONFIGURE_DEPENDS ${_dir}${_folder}/*.h)
    install(FILES ${_doors} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/prehend/${_room}${_folder})
  endforeach()
  # Which rooms and which packages it needs, for prehendConfig.cmake.
  get_property(_uses GLOBAL PROPERTY PREHEND_USES_${_room})
  set(_below "")
  set(_packages "")
  foreach(_used ${_uses})
    if(_used MATCHES "^prehend_(.*)$")
      list(APPEND _below ${CMAKE_MATCH_1})
    elseif(_used MATCHES "^opencv_")
      list(APPEND _packages OpenCV)
    else()
      prehend_installed_dependency(${_used} _installed)
      string(REGEX REPLACE "^prehend::" "" _installed "${_installed}")
      string(REGEX REPLACE "::.*$" "" _installed "${_installed}")
      list(APPEND _packages ${_installed})
    endif()
  endforeach()
  list(REMOVE_ITEM _packages ${CMAKE_DL_LIBS})
  list(REMOVE_DUPLICATES _packages)
  string(APPEND _prehend_table "set(_prehend_below_${_room} ${_below})\nset(_prehend_packages_${_room} ${_packages})\n")
endforeach()

# Functions of Eigen in the installed archives get names of their own (own_eigen.cmake says why).
if(CMAKE_OBJCOPY AND CMAKE_NM AND NOT PREHEND_SANITIZE AND NOT BUILD_SHARED_LIBS)
  foreach(_room ${_rooms})
    install(CODE "set(archive \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libprehend_${_room}.a\")
set(nm \"${CMAKE_NM}\")
set(objcopy \"${CMAKE_OBJCOPY}\")
include(\"${PROJECT_SOURCE_DIR}/cmake/own_eigen.cmake\")")
  endforeach()
endif()

configure_package_config_file(cmake/prehendConfig.cmake.in ${CMAKE_BINARY_DIR}/prehendConfig.cmake
  INSTALL_DESTINATION ${_config_dir} PATH_VARS PREHEND_BUNDLE_DIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/prehendConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/prehendConfig.cmake ${CMAKE_BINARY_DIR}/prehendConfigVersion.cmake
  cmake/FindMuJoCo.cmake cmake/FindClp.cmake DESTINATION ${_config_dir})

# Data, so that the examples of every --help run in share/prehend; completions of the shells.
install(DIRECTORY data DESTINATION ${CMAKE_INSTALL_DATADIR}/prehend PATTERN "*.py" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/prehend)
if(TARGET prehend_cli AND NOT CMAKE_CROSSCOMPILING)
  foreach(_shell bash=bash-completion/completions/prehend zsh=zsh/site-functions/_prehend
          fish=fish/vendor_completions.d/prehend.fish)
    string(REGEX MATCH "^([a-z]+)=(.*)$" _ ${_shell})
    install(CODE "set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/${CMAKE_MATCH_2}\")
get_filename_component(folder \"\${file}\" DIRECTORY)
file(MAKE_DIRECTORY \"\${folder}\")
message(STATUS \"Installing: \${file}\")
execute_process(COMMAND \"$<TARGET_FILE:prehend_cli>\" completion ${CMAKE_MATCH_1} OUTPUT_FILE \"\${file}\" COMMAND_ERROR_IS_FATAL ANY)")
  endforeach()
endif()
