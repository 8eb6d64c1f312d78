# COIN-OR Clp as Debian packages it. Gives Clp::Clp.
find_path(Clp_INCLUDE_DIR ClpSimplex.hpp PATH_SUFFIXES coin coin-or)
find_library(Clp_LIBRARY Clp)
find_library(CoinUtils_LIBRARY CoinUtils)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Clp REQUIRED_VARS Clp_LIBRARY CoinUtils_LIBRARY Clp_INCLUDE_DIR)
if(Clp_FOUND AND NOT TARGET Clp::Clp)
  add_library(Clp::Clp SHARED IMPORTED)
  set_target_properties(Clp::Clp PROPERTIES
    IMPORTED_LOCATION ${Clp_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${Clp_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES ${CoinUtils_LIBRARY})
endif()
mark_as_advanced(Clp_INCLUDE_DIR Clp_LIBRARY CoinUtils_LIBRARY)
