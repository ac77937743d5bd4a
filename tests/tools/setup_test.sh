#!/usr/bin/env bash
# Tests tools/setup.sh with stand-ins for dpkg-query, id, sudo and apt-get. Nothing is installed.
set -euo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
setup=$source_dir/tools/setup.sh
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
mkdir "$box/bin"
for tool in bash env awk sort comm cat; do ln -s "$(command -v $tool)" "$box/bin/$tool"; done

stand_in() { # name, body
  printf '#!/bin/bash\n%s\n' "$2" >"$box/bin/$1"
  chmod +x "$box/bin/$1"
}

fail() { echo "setup_test: $1" && exit 1; }

# Everything is installed but what $box/missing names; like dpkg-query, that makes it fail.
stand_in dpkg-query 'shift 2
status=0
for name; do
  if grep -qx -- "$name" '"$box"'/missing; then status=1; else echo "installed $name"; fi
done
exit $status'
ln -s "$(command -v grep)" "$box/bin/grep"
stand_in id 'cat '"$box"'/uid'
stand_in apt-get 'echo "$@" >>'"$box"'/apt.log; case " $* " in *" install "*) : >'"$box"'/missing ;; esac'

run() { # prints the output; leaves the exit code in $status
  status=0
  output=$(PATH=$box/bin "$setup" "$@" 2>&1 </dev/null) || status=$?
}

: >"$box/missing"
echo 1000 >"$box/uid"
run
[ $status -eq 0 ] && [ -z "$output" ] || fail "nothing missing: expected silence, got $status: $output"
[ ! -e "$box/apt.log" ] || fail "nothing missing: apt-get was called"

printf 'libfmt-dev\ngnuplot-nox\n' >"$box/missing"
run
[ $status -eq 1 ] || fail "no root, no sudo: exit code $status"
case "$output" in *"run as root: apt-get install gnuplot-nox libfmt-dev"*) ;; *) fail "not named: $output" ;; esac
[ "$(wc -l <<<"$output")" -eq 1 ] || fail "no root, no sudo: expected one line, got $output"
[ ! -e "$box/apt.log" ] || fail "no root, no sudo: apt-get was called"

stand_in sudo 'exit 1' # asks for a password that nobody types
run
[ $status -eq 1 ] || fail "sudo without a password at hand: exit code $status"

stand_in sudo '[ "$1" = -n ] && shift; exec env "$@"'
[ "$(cat "$box/missing")" != "" ] || fail "the list of missing packages is gone"
stand_in true ''
run
[ $status -eq 0 ] || fail "with sudo: exit code $status: $output"
grep -q 'install.*gnuplot-nox libfmt-dev' "$box/apt.log" || fail "with sudo: not installed"

echo 0 >"$box/uid"
echo cmake >"$box/missing"
rm "$box/bin/sudo" "$box/apt.log"
run
[ $status -eq 0 ] || fail "as root: exit code $status: $output"
grep -q '^-q -y .*install.* cmake$' "$box/apt.log" || fail "as root: not installed"

echo cmake >"$box/missing"
WEFT_SKIP_SETUP=1 run
[ $status -eq 1 ] || fail "skipped without cmake: exit code $status"
case "$output" in "setup: the command cmake is missing; install it"*) ;; *) fail "skipped without cmake: $output" ;; esac
for tool in cmake ninja c++; do stand_in $tool ''; done
WEFT_SKIP_SETUP=1 run
[ $status -eq 0 ] && [ -z "$output" ] || fail "skipped: expected silence, got $status: $output"
run --missing
[ "$output" = cmake ] || fail "--missing printed '$output'"

run site --missing
[ $status -eq 0 ] && [ -z "$output" ] || fail "site --missing with all there: $status: $output"
printf 'mkdocs\ncmake\n' >"$box/missing"
run site --missing
[ "$output" = mkdocs ] || fail "site --missing printed '$output'"
rm -f "$box/apt.log"
run site
grep -q '^-q -y .*install.* mkdocs$' "$box/apt.log" || fail "site: not installed"
run sites
[ $status -eq 2 ] || fail "unknown argument: exit code $status"
echo cmake >"$box/missing"

stand_in apt-get 'echo "E: Unable to locate package cmake"; exit 100'
run
[ $status -eq 1 ] || fail "apt-get failed: exit code $status"
case "$output" in *"E: Unable"*"could not install all packages"*"apt-get install cmake "*) ;; *) fail "apt-get failed: $output" ;; esac

rm "$box/bin/dpkg-query"
run
[ $status -eq 1 ] || fail "no Debian: exit code $status"
case "$output" in *"no Debian packages"*WEFT_SKIP_SETUP=1*) ;; *) fail "no Debian: $output" ;; esac
echo "setup_test: passed"
