# weft_messages(TARGET FILE.proto): adds to TARGET the code that protobuf's compiler makes of the file, which
# <FILE.pb.h> declares. It is another's code: compiled without our warnings.
function(weft_messages target file)
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(folder ${file} DIRECTORY)
  set(made ${PROJECT_BINARY_DIR}/messages/${target})
  file(MAKE_DIRECTORY ${made})
  add_custom_command(OUTPUT ${made}/${name}.pb.cc ${made}/${name}.pb.h
    COMMAND protobuf::protoc --cpp_out ${made} -I ${folder} ${file}
    DEPENDS ${file} protobuf::protoc VERBATIM)
  set_source_files_properties(${made}/${name}.pb.cc PROPERTIES
    COMPILE_OPTIONS -w SKIP_PRECOMPILE_HEADERS ON GENERATED ON)
  # For checks that read sources without building them.
  add_custom_target(${target}_messages DEPENDS ${made}/${name}.pb.h)
  target_sources(${target} PRIVATE ${made}/${name}.pb.cc ${made}/${name}.pb.h)
  target_include_directories(${target} SYSTEM PRIVATE ${made})
endfunction()
