# MuJoCo from the wheel mujoco-core, which carries no CMake config.
# Hints: PREHEND_SITE (site-packages), MUJOCO_ROOT. Gives mujoco::mujoco.
set(_mujoco_version 4.0.0)
find_path(MuJoCo_INCLUDE_DIR mujoco/mujoco.h HINTS ${PREHEND_SITE}/mujoco ${MUJOCO_ROOT} PATH_SUFFIXES include)
find_library(MuJoCo_LIBRARY NAMES libmujoco.so.${_mujoco_version} mujoco
             HINTS ${PREHEND_SITE}/mujoco ${MUJOCO_ROOT} PATH_SUFFIXES lib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MuJoCo REQUIRED_VARS MuJoCo_LIBRARY MuJoCo_INCLUDE_DIR)
if(MuJoCo_FOUND AND NOT TARGET mujoco::mujoco)
  add_library(mujoco::mujoco SHARED IMPORTED)
  set_target_properties(mujoco::mujoco PROPERTIES
    IMPORTED_LOCATION ${MuJoCo_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${MuJoCo_INCLUDE_DIR})
endif()
mark_as_advanced(MuJoCo_INCLUDE_DIR MuJoCo_LIBRARY)
