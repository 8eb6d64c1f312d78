# cmake --install, and the package config for find_package(prehend COMPONENTS ...).
include(CMakePackageConfigHelpers)
get_property(_rooms GLOBAL PROPERTY PREHEND_ROOMS)
set(_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/prehend)
foreach(_room ${_rooms})
  install(TARGETS prehend_${_room} EXPORT prehendTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  if(NOT IS_DIRECTORY ${PROJECT_SOURCE_DIR}/prehend/${_room})
    continue()  # a part of another room, whose headers come with that room
  endif()
  install(DIRECTORY prehend/${_room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/prehend
    FILES_MATCHING PATTERN "*.h" PATTERN test EXCLUDE PATTERN fuzz EXCLUDE)
endforeach()
install(EXPORT prehendTargets NAMESPACE prehend:: DESTINATION ${_config_dir})
configure_package_config_file(cmake/prehendConfig.cmake.in ${CMAKE_BINARY_DIR}/prehendConfig.cmake
  INSTALL_DESTINATION ${_config_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/prehendConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/prehendConfig.cmake ${CMAKE_BINARY_DIR}/prehendConfigVersion.cmake
  cmake/FindMuJoCo.cmake cmake/FindClp.cmake DESTINATION ${_config_dir})
install(FILES package.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/prehend)
