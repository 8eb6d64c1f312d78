# cmake --install, and the package config for find_package(prehend COMPONENTS ...).
include(CMakePackageConfigHelpers)
get_property(_rooms GLOBAL PROPERTY PREHEND_ROOMS)
set(_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/prehend)
foreach(_room ${_rooms})
  install(TARGETS prehend_${_room} EXPORT prehendTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  # Doors alone: headers at the top of a room, and the folders that are doors of their own. Inner rooms stay here.
  set(_dir ${PROJECT_SOURCE_DIR}/prehend/${_room})
  foreach(_folder "" /pages /simulated /markers)
    file(GLOB _doors CONFIGURE_DEPENDS ${_dir}${_folder}/*.h)
    install(FILES ${_doors} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/prehend/${_room}${_folder})
  endforeach()
endforeach()
install(EXPORT prehendTargets NAMESPACE prehend:: DESTINATION ${_config_dir})
configure_package_config_file(cmake/prehendConfig.cmake.in ${CMAKE_BINARY_DIR}/prehendConfig.cmake
  INSTALL_DESTINATION ${_config_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/prehendConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/prehendConfig.cmake ${CMAKE_BINARY_DIR}/prehendConfigVersion.cmake
  cmake/FindMuJoCo.cmake cmake/FindClp.cmake DESTINATION ${_config_dir})
install(FILES package.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/prehend)
