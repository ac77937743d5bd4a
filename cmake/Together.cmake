# weft_together(TARGET): with WEFT_TOGETHER, TARGET's sources are compiled many at a time, which spares
# most of the time that a build takes when nothing is cached; tools/together.py says which ones may share
# a compiler run. Sources with options of their own, and generated ones, stay alone.
option(WEFT_TOGETHER "Compile many sources at a time: for builds that are made once" OFF)
option(WEFT_TESTS_TOGETHER "Compile many tests at a time; OFF where one test is worked on" ON)
if(WEFT_TOGETHER OR WEFT_TESTS_TOGETHER)
  find_program(WEFT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
  find_program(WEFT_PYTHON python3 REQUIRED)
endif()
if(WEFT_TOGETHER)
  # The files that CMake writes for groups name sources by their whole paths: without this __FILE__ would
  # hold the clone's folder, and clones would not share what they compiled.
  add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

function(weft_together target)
  if(NOT WEFT_TOGETHER)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  list(TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/]")
  execute_process(COMMAND ${WEFT_PYTHON} ${PROJECT_SOURCE_DIR}/tools/together.py ${sources}
    OUTPUT_VARIABLE groups COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "\n$" "" groups "${groups}")
  string(REPLACE "\n" ";" groups "${groups}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source group IN ZIP_LISTS sources groups)
    set_source_files_properties(${source} DIRECTORY ${folder} PROPERTIES UNITY_GROUP ${target}_${group})
  endforeach()
endfunction()
