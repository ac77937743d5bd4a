# weft_catalogue(TARGET): compiles share/catalogue/allgather.txt in, so that nothing is looked up
# when the program runs.
function(weft_catalogue target)
  set(table ${PROJECT_SOURCE_DIR}/share/catalogue/allgather.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  file(READ ${table} CATALOGUE)
  set(generated ${PROJECT_BINARY_DIR}/catalogue/allgather.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/allgather.cpp.in ${generated} @ONLY)
  target_sources(${target} PRIVATE ${generated})
endfunction()
