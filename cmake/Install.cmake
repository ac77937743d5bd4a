# cmake --install: libraries, headers, CMake package, program and its helpers, man pages, completions, examples,
# licence and documents. The target weft_installed builds all of these that are compiled, and nothing else.
add_custom_target(weft_installed)
add_dependencies(weft_installed weft weft_helpers weft_all_rooms)

include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

install(TARGETS ${WEFT_ROOM_TARGETS} EXPORT weft ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS weft RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

install(EXPORT weft NAMESPACE weft:: FILE weftTargets.cmake DESTINATION ${package})
configure_package_config_file(cmake/weftConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/weftConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/weftConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weftConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/weftConfigVersion.cmake
              cmake/FindNauty.cmake cmake/FindMETIS.cmake cmake/FindCLP.cmake cmake/FindCBC.cmake
        DESTINATION ${package})

install(FILES share/completions/weft.bash RENAME weft
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES share/completions/weft.zsh RENAME _weft
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

install(FILES share/completions/weft.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Man pages, made from the program's own help.
set(man ${CMAKE_BINARY_DIR}/man)
add_custom_command(OUTPUT ${man}/weft.1
  COMMAND ${WEFT_PYTHON} ${PROJECT_SOURCE_DIR}/tools/make_man.py $<TARGET_FILE:weft> ${man}
  DEPENDS weft ${PROJECT_SOURCE_DIR}/tools/make_man.py VERBATIM)
add_custom_target(weft_man ALL DEPENDS ${man}/weft.1)
add_dependencies(weft_installed weft_man)
install(DIRECTORY ${man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")

# Networks to try, and a project that uses the libraries.
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/examples PATTERN demo.sh EXCLUDE)
install(PROGRAMS examples/demo.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/examples)
install(DIRECTORY tests/consumer DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/examples)

# Experiments of papers, for those who ask for them: cmake --install BUILD --component reproduction.
install(DIRECTORY reproduction/experiments/ DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/experiments
        COMPONENT reproduction EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.toml")

install(DIRECTORY share/catalogue/ DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/catalogue
        FILES_MATCHING PATTERN "*.csv")

install(DIRECTORY share/networks/ DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/networks
        FILES_MATCHING PATTERN "*.toml")

install(DIRECTORY share/measurements/ DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/measurements
  FILES_MATCHING PATTERN "*.toml")
install(DIRECTORY share/prices/ DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/prices
        FILES_MATCHING PATTERN "*.toml")

install(DIRECTORY share/models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/models
        FILES_MATCHING PATTERN "*.toml")

install(DIRECTORY share/machines/ DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/machines
        FILES_MATCHING PATTERN "*.toml")
install(DIRECTORY share/published/ DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/published
        FILES_MATCHING PATTERN "*.csv")

install(DIRECTORY share/devices/ DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/devices
        FILES_MATCHING PATTERN "*.toml")

install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
