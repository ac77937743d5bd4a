# The MPIs that what runs in MPI programs is built for. WEFT_MPIS: each of the table kMpis in
# src/weft/testbed/launch.cpp whose C++ compiler is installed as mpicxx.NAME, as Debian does;
# -DWEFT_MPICXX_NAME=OFF leaves one out.
# MPI::MPI_CXX: the one that CMake finds, whose compiler is the machine's mpicxx.
set(MPI_CXX_SKIP_MPICXX TRUE)
find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  message(STATUS "MPI is not installed: no weft-probe and weft-bench of that name, no weft sweep --mpi")
endif()
set(mpis_table ${PROJECT_SOURCE_DIR}/src/weft/testbed/launch.cpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${mpis_table})
file(STRINGS ${mpis_table} known_mpis REGEX "^ *Mpi{\"")
list(TRANSFORM known_mpis REPLACE "^ *Mpi{\"([^\"]*)\".*" "\\1")
if(NOT known_mpis)
  message(FATAL_ERROR "${mpis_table} has no table of MPIs that cmake/Mpis.cmake can read")
endif()
set(WEFT_MPIS "")
foreach(mpi ${known_mpis})
  find_program(WEFT_MPICXX_${mpi} mpicxx.${mpi})
  if(WEFT_MPICXX_${mpi})
    list(APPEND WEFT_MPIS ${mpi})
  else()
    message(STATUS "mpicxx.${mpi} is not installed: no libweft-pmpi.so, weft-probe and weft-bench for it")
  endif()
endforeach()

# weft_mpi_program(TARGET MPI PROGRAM [COMPILER name] FLAGS flags... SOURCES sources... DEPENDS files...): a
# program that links nothing of weft's, made by the MPI's own compiler.
function(weft_mpi_program target mpi program)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "COMPILER" "FLAGS;SOURCES;DEPENDS")
  if(NOT arg_COMPILER)
    set(arg_COMPILER ${WEFT_MPICXX_${mpi}})
  endif()
  add_custom_command(OUTPUT ${program}
    COMMAND ${arg_COMPILER} ${arg_FLAGS} ${arg_SOURCES} -o ${program}
    DEPENDS ${arg_SOURCES} ${arg_DEPENDS} VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${program})
endfunction()

# Of C++ programs: the standard, without the C++ functions that MPI 3 took away.
set(WEFT_MPI_FLAGS -std=c++20 -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
