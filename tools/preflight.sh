#!/usr/bin/env bash
# Checks before the first compilation that the target of make can succeed. Each problem is reported as one line with
# its remedy; the exit code is then 1. The targets of the Makefile call this script.
#
#   tools/preflight.sh           check that build/ can be written, that JOBS is a number, and the memory
#   tools/preflight.sh install   check also that the files can be installed below $DESTDIR$PREFIX
set -euo pipefail
export LC_ALL=C # the system's reasons in English
cd "$(dirname "$0")/.."
caller=$OLDPWD # a relative PREFIX or DESTDIR starts there

give_up() {
  printf 'make: %s\n' "$1" >&2
  exit 1
}

# Prints the folder itself, or the nearest one above it that exists.
nearest_existing() { # absolute path
  local path=$1
  while [ ! -e "$path" ] && [ ! -L "$path" ]; do path=$(dirname "$path"); done
  printf '%s\n' "$path"
}

check_build_folder() {
  local path cache configured
  for path in build build/*/ build/*/.ninja_log; do
    [ ! -e "$path" ] || [ -w "$path" ] || give_up "cannot write $path here ($(why_not "$path")); $(another_checkout)"
  done
  [ -e build ] || [ -w . ] || give_up "cannot create build/ here ($(why_not .)); $(another_checkout)"
  [ ! -e build ] || [ -d build ] || give_up "build is not a folder; move it away: mv build build.old"
  for cache in build/*/CMakeCache.txt; do
    configured=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache" 2>/dev/null || true)
    [ -z "$configured" ] || [ "$configured" -ef . ] ||
      give_up "$(dirname "$cache") was configured for the checkout in '$configured'; run: make clean"
  done
}

# Prints the system's reason why the path cannot be written, such as "Permission denied".
why_not() { # existing path
  local reason
  if [ ! -d "$1" ]; then
    reason=$({ : >>"$1"; } 2>&1) && return
  else
    reason=$(mktemp "$1/.weft-XXXXXX" 2>&1) && rm -f "$reason" && return
  fi
  echo "${reason##*: }"
}

# git refuses to clone what belongs to another user; cp would copy the permissions of a folder that is read-only.
another_checkout() {
  local copy="cp -r '$PWD' DIR"
  [ ! -e build ] || copy="$copy && rm -rf DIR/build"
  [ ! -O .git ] || copy="git clone '$PWD' DIR"
  echo "build in a copy: $copy && cd DIR"
}

# "make JOBS=N" puts JOBS into the environment.
check_jobs() {
  case ${JOBS-1} in
    "" | *[!0-9]* | 0*) give_up "invalid JOBS value '$JOBS' (expected a number of compilers, 1 or more)" ;;
  esac
}

check_part_and_base() {
  case ${PART-} in
    "" | every_run | long | part[0-7]) ;;
    *) give_up "invalid PART value '$PART' (expected part0 to part7, or every_run)" ;;
  esac
  [ -z "${BASE-}" ] || git rev-parse -q --verify "$BASE^{commit}" >/dev/null ||
    give_up "invalid BASE value '$BASE' (expected a commit)"
}

# Only a warning: one compiler usually needs less.
check_memory() {
  local memory_mb
  memory_mb=$(tools/jobs.sh --memory)
  [ "$memory_mb" -ge 1500 ] ||
    printf 'make: only %s MB of memory are available, a compiler may need 1500 MB; %s\n' "$memory_mb" \
      "if it is killed, close other programs or add swap" >&2
}

# Every folder that receives files must be writable, or the nearest one above it that exists.
check_prefix() {
  local prefix=${PREFIX-/usr/local} root=${DESTDIR-} folder existing
  [ -n "$prefix" ] || give_up "PREFIX is empty (expected a folder, such as PREFIX=\$HOME/.local)"
  case $prefix$root in
    "~"*) give_up "the shell did not replace ~ in '$prefix$root'; write \$HOME instead" ;;
  esac
  cd "$caller"
  prefix=$(realpath -ms -- "$prefix")
  [ -z "$root" ] || root=$(realpath -ms -- "$root")
  for folder in "" /bin /include /lib /share; do
    existing=$(nearest_existing "$root$prefix$folder")
    [ -d "$existing" ] && [ -w "$existing" ] ||
      give_up "cannot install into $root$prefix ($existing: $(why_not "$existing")); $(another_prefix)"
  done
}

another_prefix() {
  echo "choose a folder that you can write, such as: make install PREFIX=\"\$HOME/.local\""
}

case "${1:-}" in
  "" | install) ;;
  *) echo "preflight: unknown argument $1 (expected install or nothing)" >&2 && exit 2 ;;
esac
check_build_folder
check_jobs
check_part_and_base
[ "${1:-}" != install ] || (check_prefix)
check_memory
