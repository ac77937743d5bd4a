#!/usr/bin/env bash
# Installs the Debian 12 packages that weft needs. If none is missing, this takes a fraction of a second.
# Every make target calls this script.
#
#   tools/setup.sh            install the missing packages (with sudo, unless run as root)
#   tools/setup.sh --list     print the packages and the purpose of each
#   tools/setup.sh --missing  print the missing packages, install nothing
#   tools/setup.sh site       install the generator of the web site (make site); also takes --list or --missing
#
# WEFT_SKIP_SETUP=1 skips the installation, for machines that have the libraries from another source.
set -euo pipefail

packages() {
  cat <<'LIST'
g++                 compiler (C++20)
make                the short commands in the Makefile
cmake               build configuration
ninja-build         runs the build
ccache              caches compiled objects between builds
dpkg-dev            finds the dependencies of the Debian package (make package)
file                finds the programs in the Debian package (make package)
git                 version control; lint looks at the changed files
clang-format        code layout
clang-tidy          lint
libfmt-dev          text formatting
libcli11-dev        command line options
nlohmann-json3-dev  JSON
libtomlplusplus-dev TOML: experiment files
libpugixml-dev      XML: GraphML, machines, platforms
libyaml-cpp-dev     YAML: Slurm topologies
libprotobuf-dev     Protocol Buffers: Chakra execution traces
protobuf-compiler   generates the code that reads the traces
zlib1g-dev          traces compressed with gzip
libboost-dev        exact integers and rationals
libtbb-dev          threads
libnauty2-dev       graph automorphisms
libmetis-dev        graph partitioning: bisection
coinor-libclp-dev   linear programs
coinor-libcoinutils-dev  required by CLP
coinor-libcbc-dev   integer programs: synthesis
coinor-libcgl-dev   required by CBC
coinor-libosi-dev   required by CBC
libsqlite3-dev      store of results
libssl-dev          digests of stored results
libopenmpi-dev      sweeps over processes (optional: --mpi)
openmpi-bin         mpirun
libmpich-dev        a second MPI to run plans in; mpicc remains Open MPI's (optional)
mpich               mpiexec.mpich
iproute2            testbeds in network namespaces (optional)
libgtest-dev        tests
librapidcheck-dev   property tests
libbenchmark-dev    benchmarks
libsimgrid-dev      reference for the fluid simulator (tests only)
python3             tools and tests
python3-networkx    reference for graph metrics (tests only)
python3-scipy       reference for bounds (tests only)
gnuplot-nox         charts
graphviz            pictures of networks without coordinates
fish                checks the fish completion (tests only)
chromium            checks the HTML pages (tests only)
hwloc               checks imported machines (tests only)
ibsim-utils         simulated InfiniBand fabrics (tests only)
libumad2sim0        connects the tools below to the simulated fabrics (tests only)
infiniband-diags    checks imported fabrics (tests only)
opensm              checks forwarding tables (tests only)
LIST
}

site_packages() {
  cat <<'LIST'
mkdocs              generates the web site from the documents
mkdocs-material     its theme: search, dark mode, phones
libjs-katex         formulas
LIST
}

missing_packages() {
  # One line per package that dpkg knows. It fails if there is a name that it does not know.
  # shellcheck disable=SC2046  # package names have no blanks
  { dpkg-query -W -f='${db:Status-Status} ${Package}\n' $(package_names) 2>/dev/null || true; } |
    awk '$1 == "installed" {print $2}' | sort |
    comm -13 - <(package_names | sort)
}

listed=packages
package_names() { $listed | awk '{print $1}'; }

# Prints the command that runs apt-get as root. Fails if the user cannot become root.
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

give_up() { # message
  printf 'setup: %s\n' "$1" >&2
  exit 1
}

as_root_run() { # packages
  echo "run as root: apt-get install $(echo $1)   (or set WEFT_SKIP_SETUP=1 to build without them)"
}

# Without these commands nothing can be built; their absence would show as an error of make's shell.
check_commands() {
  local command
  for command in cmake ninja c++; do
    command -v "$command" >/dev/null 2>&1 ||
      give_up "the command $command is missing; install it, or unset WEFT_SKIP_SETUP to install all packages"
  done
}

install_packages() { # packages
  local as_root apt
  as_root=$(root_prefix) ||
    give_up "packages are missing and this user cannot install them without root or sudo; $(as_root_run "$1")"
  apt="$as_root DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300"
  echo "setup: installing" $1 >&2
  $apt update >&2 || echo "setup: apt-get update failed; using the package lists from the last update" >&2
  $apt install --no-install-recommends $1 </dev/null >&2 ||
    give_up "apt-get could not install all packages (its reason is above); $(as_root_run "$(missing_packages)")"
}

main() {
  if [ "${1:-}" = site ]; then
    listed=site_packages
    shift
  fi
  case "${1:-}" in
    --list) $listed && exit 0 ;;
    --missing) missing_packages; exit ;;
    "") ;;
    *) echo "setup: unknown argument $1 (expected site, --list or --missing)" >&2 && exit 2 ;;
  esac
  if [ "${WEFT_SKIP_SETUP:-0}" = 1 ]; then
    check_commands
    exit 0
  fi
  command -v dpkg-query >/dev/null 2>&1 ||
    give_up "this system has no Debian packages; install what tools/setup.sh --list prints, then set WEFT_SKIP_SETUP=1"
  local missing
  missing=$(missing_packages)
  [ -z "$missing" ] || install_packages "$missing"
}

main "$@"
