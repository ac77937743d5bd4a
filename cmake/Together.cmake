# Faster compilation: sources in groups, and headers compiled in advance.
#
# weft_together(TARGET) compiles TARGET's sources in groups of up to WEFT_GROUP_LINES lines, which
# tools/together.py chooses. Sources with compile options or definitions of their own compile alone: set
# these before the call. Generated sources that are added later compile alone too.
#
# weft_precompile(TARGET NAME) gives TARGET's sources one of the precompiled headers below: "rooms",
# "command_line" or "tests".
#
# weft_compile_quickly(TARGET) takes a sixth off the time of a release build, for sources that wait for rooms.
#
# The first two hide missing includes. tools/check_includes.py finds these: it compiles each file by itself.
option(WEFT_TOGETHER "Compile sources in groups; OFF for daily work on few sources" ON)
option(WEFT_PRECOMPILE "Compile the headers that most sources include in advance" ON)
set(WEFT_GROUP_LINES 1000 CACHE STRING "Most lines of sources that one compiler run takes")

if(WEFT_TOGETHER)
  # The groups include sources by their path below an include folder, which the compiler completes with the
  # clone's own path: without this, __FILE__ would name it and clones could not share compiled objects.
  add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

function(weft_together target)
  if(NOT WEFT_TOGETHER)
    return()
  endif()
  get_target_property(listed ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  list(TRANSFORM listed PREPEND ${folder}/ REGEX "^[^/]")
  set(sources "")
  foreach(source ${listed})
    get_source_file_property(options ${source} DIRECTORY ${folder} COMPILE_OPTIONS)
    get_source_file_property(definitions ${source} DIRECTORY ${folder} COMPILE_DEFINITIONS)
    if(NOT options AND NOT definitions)
      list(APPEND sources ${source})
    endif()
  endforeach()
  execute_process(
    COMMAND ${WEFT_PYTHON} ${PROJECT_SOURCE_DIR}/tools/together.py --lines ${WEFT_GROUP_LINES}
            ${PROJECT_BINARY_DIR}/groups/${target} ${sources}
    OUTPUT_VARIABLE groups COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "\n$" "" groups "${groups}")
  string(REPLACE "\n" ";" groups "${groups}")
  foreach(source group IN ZIP_LISTS sources groups)
    if(NOT group STREQUAL "alone")
      set_source_files_properties(${source} DIRECTORY ${folder} PROPERTIES HEADER_FILE_ONLY ON)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES groups)
  list(REMOVE_ITEM groups alone)
  target_sources(${target} PRIVATE ${groups})
endfunction()

# Standard headers that a tenth of the sources or more include. None of weft's own: a change to one would
# compile everything anew.
set(WEFT_PRECOMPILED_rooms
  <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <cstdint> <cstdlib> <cstring> <deque>
  <filesystem> <fstream> <functional> <iterator> <limits> <map> <memory> <mutex> <numeric> <optional> <queue>
  <random> <set> <span> <sstream> <stdexcept> <string> <string_view> <tuple> <unordered_map> <utility>
  <variant> <vector> <fmt/format.h> <fmt/ranges.h> <boost/multiprecision/cpp_int.hpp>)
set(WEFT_PRECOMPILED_command_line ${WEFT_PRECOMPILED_rooms} <nlohmann/json.hpp>)
set(WEFT_PRECOMPILED_tests ${WEFT_PRECOMPILED_rooms} <gtest/gtest.h>)

function(weft_precompile target name)
  if(NOT WEFT_PRECOMPILE)
    return()
  endif()
  set(header weft_precompiled_${name})
  # The compiler takes a precompiled header only with the options that it was made with. Tests are programs
  # and rooms libraries: the one would compile with -fPIE, the other with -fPIC. Tests do without.
  set(independent ON)
  if(name STREQUAL "tests")
    set(independent OFF)
  endif()
  if(NOT TARGET ${header})
    set(source ${PROJECT_BINARY_DIR}/precompiled/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "" @ONLY)
    add_library(${header} OBJECT EXCLUDE_FROM_ALL ${source})
    target_compile_features(${header} PRIVATE cxx_std_20)
    set_target_properties(${header} PROPERTIES POSITION_INDEPENDENT_CODE ${independent})
    target_link_libraries(${header} PRIVATE fmt::fmt Boost::headers nlohmann_json::nlohmann_json)
    if(name STREQUAL "tests")
      target_link_libraries(${header} PRIVATE GTest::gtest)
    endif()
    weft_warnings(${header})  # -Wpedantic defines other macros
    target_precompile_headers(${header} PRIVATE ${WEFT_PRECOMPILED_${name}})
  endif()
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ${independent})
  target_compile_definitions(${target} PRIVATE BOOST_ALL_NO_LIB)  # as in the header, also for who links no Boost
  # GCC 12 reports faults inside the standard library, such as in std::string's operator+, where its headers were
  # compiled in advance.
  target_compile_options(${target} PRIVATE
    -Wno-null-dereference -Wno-array-bounds -Wno-stringop-overread -Wno-restrict)
  target_precompile_headers(${target} REUSE_FROM ${header})
endfunction()

function(weft_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
