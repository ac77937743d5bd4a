# nauty::nauty, graph automorphisms. Debian ships the library without a CMake package.
find_path(NAUTY_INCLUDE_DIR nauty/nauty.h)
find_library(NAUTY_LIBRARY nauty)
mark_as_advanced(NAUTY_INCLUDE_DIR NAUTY_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nauty REQUIRED_VARS NAUTY_LIBRARY NAUTY_INCLUDE_DIR)
if(Nauty_FOUND AND NOT TARGET nauty::nauty)
  add_library(nauty::nauty UNKNOWN IMPORTED)
  set_target_properties(nauty::nauty PROPERTIES
    IMPORTED_LOCATION ${NAUTY_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${NAUTY_INCLUDE_DIR})
endif()
