#!/usr/bin/env bash
# Tests tools/preflight.sh and tools/jobs.sh on a copy of the two scripts. Each problem must be reported as one
# line that says what to do. If the test runs as root, the scripts run as nobody, whom permissions stop.
set -euo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
box=$(mktemp -d)
trap 'chmod -R u+w "$box"; rm -rf "$box"' EXIT
checkout="$box/a checkout" # with a blank
mkdir -p "$checkout/tools" "$box/home"
cp "$source_dir"/tools/{preflight,jobs}.sh "$checkout/tools"
chmod 755 "$box"
as_user=()
if [ "$(id -u)" -eq 0 ]; then
  chown -R nobody "$box"
  as_user=(setpriv --reuid nobody --clear-groups)
  "${as_user[@]}" true 2>/dev/null || { echo "setpriv cannot become nobody here" && exit 77; }
fi

fail() { echo "preflight_test: $1" && exit 1; }

run() { # VARIABLE=value... [install]; leaves the exit code in $status and what was printed in $output
  local variables=()
  while [[ ${1:-} == *=* ]]; do variables+=("$1") && shift; done
  status=0
  output=$(cd "$checkout" && "${as_user[@]}" env -u JOBS -u PREFIX -u DESTDIR "${variables[@]}" tools/preflight.sh "$@" 2>&1) ||
    status=$?
}

accepts() { # arguments of run
  run "$@"
  [ $status -eq 0 ] && [ -z "$output" ] || fail "expected silence for '$*', got $status: $output"
}

refuses() { # words of the message, arguments of run
  local words=$1 && shift
  run "$@"
  [ $status -eq 1 ] || fail "expected exit code 1 for '$*', got $status: $output"
  [[ $output == *"$words"* ]] || fail "expected '$words' for '$*', got: $output"
  [ "$(wc -l <<<"$output")" -eq 1 ] || fail "expected one line for '$*', got: $output"
}

accepts
chmod a-w "$checkout"
refuses "cannot create build/ here (Permission denied); build in a copy: cp -r '$checkout' DIR && cd DIR"
chmod u+w "$checkout"
"${as_user[@]}" mkdir "$checkout/.git"
chmod a-w "$checkout"
refuses "build in a copy: git clone '$checkout' DIR && cd DIR"
chmod u+w "$checkout"
mkdir -p "$checkout/build/release"
chmod a+rwx "$checkout/build" "$checkout/build/release"
accepts
chmod a-w "$checkout/build/release"
refuses "cannot write build/release"
chmod a+w "$checkout/build/release"
touch "$checkout/build/release/.ninja_log" # left by a build as another user
chmod a-w "$checkout/build/release/.ninja_log"
refuses "cannot write build/release/.ninja_log"
rm -f "$checkout/build/release/.ninja_log"

echo "CMAKE_HOME_DIRECTORY:INTERNAL=$checkout" >"$checkout/build/release/CMakeCache.txt"
accepts
echo "CMAKE_HOME_DIRECTORY:INTERNAL=/somewhere/else" >"$checkout/build/release/CMakeCache.txt"
refuses "was configured for the checkout in '/somewhere/else'; run: make clean"
rm -r "$checkout/build"

accepts JOBS=3
for jobs in "" 0 some -2 1.5; do refuses "invalid JOBS value '$jobs' (expected a number" "JOBS=$jobs"; done

# PREFIX and DESTDIR, relative ones and ones with blanks.
accepts PREFIX=installed install
accepts PREFIX="$box/home/a b/c" install
accepts PREFIX=/usr DESTDIR="$box/home/root" install
refuses "PREFIX is empty" PREFIX= install
refuses "write \$HOME instead" 'PREFIX=~/weft' install
refuses "choose a folder that you can write" PREFIX=/proc/weft install
mkdir -p "$box/locked/share" "$box/locked/lib"
chmod a-w "$box/locked"
refuses "cannot install into $box/locked/weft ($box/locked: Permission denied)" PREFIX="$box/locked/weft" install
refuses "cannot install into $box/locked/usr" DESTDIR="$box/locked" PREFIX=/usr install
chmod a+w "$box/locked" "$box/locked/share" && chmod a-w "$box/locked/lib"
refuses "$box/locked/lib: Permission denied" PREFIX="$box/locked" install
touch "$box/file"
refuses "cannot install into $box/file/weft" PREFIX="$box/file/weft" install
refuses "cannot install into $box/file" PREFIX="$box/file" install

# Memory: a machine's, and a container's limit.
jobs_with() { # MB that the machine has, MB that the container may use or "max"
  echo "MemAvailable:   $(($1 * 1000)) kB" >"$box/meminfo"
  mkdir -p "$box/cgroup"
  if [ "$2" = max ]; then echo max; else echo $(($2 * 1000000)); fi >"$box/cgroup/memory.max"
  WEFT_MEMINFO=$box/meminfo WEFT_CGROUP=$box/cgroup "$source_dir/tools/jobs.sh"
}
cores=$(nproc)
[ "$(jobs_with 1000000 max)" = "$cores" ] || fail "one job per core if memory allows"
[ "$(jobs_with 4000 max)" = $((cores < 2 ? cores : 2)) ] || fail "at most two jobs in 4 GB"
[ "$(jobs_with 1000000 2000)" = 1 ] || fail "one job in a container of 2 GB"
[ "$(jobs_with 900 max)" = 1 ] || fail "at least one job"
run WEFT_MEMINFO="$box/meminfo" WEFT_CGROUP="$box/cgroup"
[ $status -eq 0 ] || fail "little memory is no reason to stop, got $status"
[[ $output == *"only 900 MB of memory are available"*"close other programs or add swap" ]] ||
  fail "little memory: $output"
[ "$(wc -l <<<"$output")" -eq 1 ] || fail "little memory: expected one line, got $output"
[ "$(jobs_with 1000000 max)" = "$cores" ]
accepts WEFT_MEMINFO="$box/meminfo" WEFT_CGROUP="$box/cgroup"
echo "preflight_test: passed"
