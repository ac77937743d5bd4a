# CBC::CBC, integer programs (COIN-OR), on top of CLP::CLP. Debian ships it without a CMake package.
find_path(CBC_INCLUDE_DIR Cbc_C_Interface.h PATH_SUFFIXES coin)
set(CBC_LIBRARIES)
foreach(part CbcSolver Cbc Cgl OsiClp ClpSolver Osi)
  find_library(CBC_${part}_LIBRARY ${part})
  mark_as_advanced(CBC_${part}_LIBRARY)
  list(APPEND CBC_LIBRARIES ${CBC_${part}_LIBRARY})
endforeach()
mark_as_advanced(CBC_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CBC REQUIRED_VARS
  CBC_CbcSolver_LIBRARY CBC_Cbc_LIBRARY CBC_Cgl_LIBRARY CBC_OsiClp_LIBRARY CBC_ClpSolver_LIBRARY
  CBC_Osi_LIBRARY CBC_INCLUDE_DIR)
if(CBC_FOUND AND NOT TARGET CBC::CBC)
  add_library(CBC::CBC INTERFACE IMPORTED)
  set_target_properties(CBC::CBC PROPERTIES
    INTERFACE_LINK_LIBRARIES "${CBC_LIBRARIES};CLP::CLP"
    INTERFACE_INCLUDE_DIRECTORIES ${CBC_INCLUDE_DIR})
endif()
