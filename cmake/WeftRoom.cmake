# weft_room(NAME [APART] [COLD] [ROOMS room...] [EXTERNAL target...] [EXTERNAL_PRIVATE target...] [HEADERS target...])
#
# Makes the library target weft_NAME (weft::NAME) from src/weft/NAME/**.cpp. ROOMS are the rooms it may
# use; they come with everything that they use themselves. An include of any other room does not link.
# EXTERNAL libraries show in public headers. EXTERNAL_PRIVATE ones do not, but whoever links the static
# library needs them. HEADERS are header-only and used in sources alone, so users never see them.
# APART: the sources compile one by one, so that who links a few of the room's functions, as the MPI runtime
# does, does not link all and the libraries that these need.
# COLD: no loop of the room's own takes long, so it is compiled quickly rather than for speed.
# Adds to WEFT_ROOMS (names) and WEFT_ROOM_TARGETS, lowest first.
function(weft_room name)
  cmake_parse_arguments(ROOM "APART;COLD" "" "ROOMS;EXTERNAL;EXTERNAL_PRIVATE;HEADERS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/weft/${name}/*.cpp)
  set(target weft_${name})
  if(NOT sources)
    message(FATAL_ERROR "room ${name} has no sources")
  endif()
  add_library(${target} STATIC ${sources})
  add_library(weft::${name} ALIAS ${target})
  if(NOT ROOM_APART)
    weft_together(${target})
  endif()
  weft_warnings(${target})
  weft_precompile(${target} rooms)
  if(ROOM_COLD)
    weft_compile_quickly(${target})
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  foreach(room ${ROOM_ROOMS})
    target_link_libraries(${target} PUBLIC weft_${room})
  endforeach()
  target_link_libraries(${target} PUBLIC ${ROOM_EXTERNAL} PRIVATE ${ROOM_EXTERNAL_PRIVATE})
  foreach(external ${ROOM_HEADERS})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${external}>)
  endforeach()
  list(APPEND WEFT_ROOMS ${name})
  list(APPEND WEFT_ROOM_TARGETS ${target})
  set(WEFT_ROOMS ${WEFT_ROOMS} PARENT_SCOPE)
  set(WEFT_ROOM_TARGETS ${WEFT_ROOM_TARGETS} PARENT_SCOPE)
endfunction()

# weft_room_never_reaches(NAME target...): configuring fails where the room links one of these rooms or
# libraries, directly or through others: what runs in a user's process carries no solver.
function(weft_room_never_reaches name)
  set(reached weft_${name})
  set(waiting weft_${name})
  while(waiting)
    list(POP_FRONT waiting target)
    get_target_property(links ${target} LINK_LIBRARIES)
    foreach(link ${links})
      string(REGEX REPLACE "^\\$<(LINK_ONLY|BUILD_INTERFACE):(.*)>$" "\\2" link "${link}")
      if(TARGET "${link}" AND NOT link IN_LIST reached)
        list(APPEND reached ${link})
        if(link MATCHES "^weft_")
          list(APPEND waiting ${link})
        endif()
      endif()
    endforeach()
  endwhile()
  foreach(forbidden ${ARGN})
    if(forbidden IN_LIST reached OR weft_${forbidden} IN_LIST reached)
      message(FATAL_ERROR "room ${name} reaches ${forbidden}; move the code")
    endif()
  endforeach()
endfunction()

function(weft_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
    -Woverloaded-virtual -Wnull-dereference $<$<BOOL:${WEFT_WERROR}>:-Werror>)
  if(WEFT_ASSERTS)
    target_compile_definitions(${target} PRIVATE WEFT_ASSERTS=1)
  endif()
endfunction()
