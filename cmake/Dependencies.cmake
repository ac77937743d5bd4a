# What comes from the distribution; tools/setup.sh names the packages.
find_package(fmt REQUIRED)
find_package(TBB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(pugixml REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost REQUIRED)

# nauty and METIS ship no CMake package in Debian 12.
find_path(NAUTY_INCLUDE_DIR nauty/nauty.h REQUIRED)
find_library(NAUTY_LIBRARY nauty REQUIRED)
add_library(weft_nauty INTERFACE)
target_include_directories(weft_nauty SYSTEM INTERFACE ${NAUTY_INCLUDE_DIR})
target_link_libraries(weft_nauty INTERFACE ${NAUTY_LIBRARY})

find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
add_library(weft_metis INTERFACE)
target_include_directories(weft_metis SYSTEM INTERFACE ${METIS_INCLUDE_DIR})
target_link_libraries(weft_metis INTERFACE ${METIS_LIBRARY})

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
