# cpack -G DEB: the Debian package weft_<version>_<architecture>.deb, for the Debian release that builds it.
#
# It has everything that `cmake --install` installs, below /usr; build weft_installed first. The generator writes
# the archives itself, so neither root nor fakeroot is needed. dpkg-shlibdeps finds the shared libraries that the
# programs need. Users of the static libraries need the libraries' development packages too: these are suggested.
set(WEFT_MAINTAINER "weft maintainers <maintainers@weft.example>" CACHE STRING
  "Maintainer of the Debian package: Name <address>")
set(CPACK_GENERATOR DEB)
set(CPACK_SOURCE_GENERATOR "")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_CONTACT "${WEFT_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "design, compare and run collective communication on networks")
set(CPACK_PACKAGE_DESCRIPTION "weft predicts how long collective operations, such as allreduce and all-to-all, take
on a network, and finds networks and schedules that are fast. It proves every schedule
correct, simulates it and runs it under MPI. This package has the program with its manual
pages and data, the MPI helper programs, and static libraries with headers for CMake's
find_package(weft). The suggested -dev packages are what these libraries need.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
# Whatever the umask of the user who builds the package is.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_THREADS 0)  # as many as there are cores
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Charts and pictures of networks without coordinates.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, graphviz")
set(suggested cmake g++ libfmt-dev libboost-dev libtbb-dev libpugixml-dev libyaml-cpp-dev libprotobuf-dev zlib1g-dev
  libnauty2-dev libmetis-dev coinor-libclp-dev coinor-libcoinutils-dev coinor-libcbc-dev coinor-libcgl-dev
  coinor-libosi-dev libsqlite3-dev libssl-dev libtomlplusplus-dev openmpi-bin mpich iproute2)
list(JOIN suggested ", " CPACK_DEBIAN_PACKAGE_SUGGESTS)
include(CPack)
