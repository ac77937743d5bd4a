#!/usr/bin/env bash
# Installs what weft needs from Debian 12's packages; when nothing is missing it only looks, which
# takes a fraction of a second. Called by every make target.
#
#   tools/setup.sh            install what is missing (sudo when not root)
#   tools/setup.sh --list     print the packages and what each is for
#   tools/setup.sh --missing  print the missing packages, install nothing
#
# WEFT_SKIP_SETUP=1 skips the whole step, for machines where the libraries come from elsewhere.
set -euo pipefail

packages() {
  cat <<'LIST'
g++                 the compiler (C++20)
make                the short commands of the Makefile
cmake               the build's description
ninja-build         the build's executor
ccache              keeps compiled objects between builds
dpkg-dev            finds the dependencies of the Debian package (make package)
file                finds the programs in the Debian package (make package)
git                 version control; lint looks at the changed files
clang-format        the code's layout
clang-tidy          lint
libfmt-dev          text formatting
libcli11-dev        the command line's options
nlohmann-json3-dev  JSON
libtomlplusplus-dev TOML: experiment files
libpugixml-dev      XML: GraphML, machines, platforms
libyaml-cpp-dev     YAML: topologies of Slurm
libprotobuf-dev     messages: execution traces of Chakra
protobuf-compiler   makes the code that reads them
zlib1g-dev          traces that gzip packed
libboost-dev        exact integers and rationals
libtbb-dev          threads
libnauty2-dev       graph automorphisms
libmetis-dev        graph partitioning: bisection
coinor-libclp-dev   linear programs
coinor-libcoinutils-dev  what CLP stands on
coinor-libcbc-dev   integer programs: synthesis
coinor-libcgl-dev   what CBC stands on
coinor-libosi-dev   what CBC stands on
libsqlite3-dev      the store of results
libssl-dev          digests of results that are kept
libopenmpi-dev      sweeps over processes (optional: --mpi)
openmpi-bin         mpirun
libmpich-dev        the other MPI that plans run in; mpicc stays Open MPI's (optional)
mpich               mpiexec.mpich
iproute2            testbeds in network namespaces (optional)
libgtest-dev        tests
librapidcheck-dev   property tests
libbenchmark-dev    benchmarks
libsimgrid-dev      judge of the fluid simulator (tests only)
python3             tools and judges
python3-networkx    judge of the graph metrics (tests only)
python3-scipy       judge of the bounds (tests only)
gnuplot-nox         charts
graphviz            pictures of networks without coordinates
fish                judge of the fish completion (tests only)
chromium            judge of the pages (tests only)
hwloc               judge of imported machines (tests only)
ibsim-utils         InfiniBand fabrics that are not there (tests only)
libumad2sim0        their hardware, for the tools below (tests only)
infiniband-diags    judge of imported fabrics (tests only)
opensm              judge of forwarding tables (tests only)
LIST
}

missing_packages() {
  # One line per package that dpkg has heard of; it fails on names that it has not.
  # shellcheck disable=SC2046  # package names hold no blanks
  { dpkg-query -W -f='${db:Status-Status} ${Package}\n' $(package_names) 2>/dev/null || true; } |
    awk '$1 == "installed" {print $2}' | sort |
    comm -13 - <(package_names | sort)
}

package_names() { packages | awk '{print $1}'; }

# Prints the word before apt-get that makes it run as root, or fails when there is none.
root_prefix() {
  if [ "$(id -u)" -eq 0 ]; then
    echo env
  elif ! command -v sudo >/dev/null 2>&1; then
    return 1
  elif sudo -n true 2>/dev/null; then
    echo "sudo -n"
  elif [ -t 0 ]; then
    echo sudo # asks for the password once
  else
    return 1
  fi
}

give_up() { # why, packages
  printf 'setup: %s. Missing packages:\n' "$1" >&2
  printf '  %s\n' $2 >&2
  printf 'Install them as root: apt-get install %s\n' "$(echo $2)" >&2
  exit 1
}

install_packages() { # packages
  local as_root apt
  as_root=$(root_prefix) || give_up "neither root nor sudo is at hand" "$1"
  apt="$as_root DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300"
  echo "setup: installing" $1 >&2
  $apt update >&2 || echo "setup: apt-get update failed; trying the lists at hand" >&2
  $apt install --no-install-recommends $1 </dev/null >&2 ||
    give_up "apt-get could not install everything" "$(missing_packages)"
}

main() {
  case "${1:-}" in
    --list) packages && exit 0 ;;
    --missing) missing_packages && exit 0 ;;
    "") ;;
    *) echo "setup: unknown argument $1; use --list or --missing" >&2 && exit 2 ;;
  esac
  [ "${WEFT_SKIP_SETUP:-0}" = 1 ] && exit 0
  command -v dpkg-query >/dev/null 2>&1 ||
    give_up "this is no Debian machine (set WEFT_SKIP_SETUP=1 once you have their counterparts)" \
      "$(package_names)"
  local missing
  missing=$(missing_packages)
  [ -z "$missing" ] || install_packages "$missing"
}

main "$@"
