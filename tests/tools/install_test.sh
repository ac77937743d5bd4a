#!/usr/bin/env bash
# Installs the build into an empty folder, checks for every part, and builds and runs a program that uses it.
set -euo pipefail
: "${WEFT_SOURCE_DIR:?}" "${WEFT_BUILD_DIR:?}"
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
prefix="$box/a prefix" # with a blank

# One build at a time: package_test.sh builds the same target in the same folder.
flock "$WEFT_BUILD_DIR/CMakeCache.txt" cmake --build "$WEFT_BUILD_DIR" --target weft_installed >"$box/build.log" ||
  { cat "$box/build.log" && exit 1; }
cmake --install "$WEFT_BUILD_DIR" --prefix "$prefix" >"$box/install.log"

missing=0
for part in bin/weft include/weft/topology/topology.hpp share/doc/weft/LICENSE share/doc/weft/README.md \
  share/doc/weft/CHANGELOG.md share/doc/weft/docs/README.md share/doc/weft/docs/images/compare-dgx-h100.svg \
  include/weft/weft.hpp share/man/man1/weft.1 share/man/man1/weft-compare.1 share/doc/weft/docs/how-to/use-the-library.md \
  share/weft/examples/demo.sh share/weft/examples/dgx1.edges share/weft/examples/consumer/own_network.cpp \
  share/fish/vendor_completions.d/weft.fish \
  share/bash-completion/completions/weft share/zsh/site-functions/_weft share/weft/prices/infiniband-2025.toml share/weft/networks/dgx-h100.toml \
  share/weft/models/gpt-2-small.toml share/weft/devices/v100.toml; do
  [ -s "$prefix/$part" ] || { echo "not installed: $part" && missing=1; }
done
[ $missing -eq 0 ]
# Experiments of papers are installed for those who ask for them; the program says how.
[ ! -e "$prefix/share/weft/experiments" ] || { echo "installed unasked: share/weft/experiments" && exit 1; }
status=0
(cd "$box" && env -u WEFT_EXPERIMENTS "$prefix/bin/weft" reproduce --quick) 2>"$box/none.txt" || status=$?
[ $status -eq 2 ] && grep -q -- "cmake --install BUILD --component reproduction" "$box/none.txt" ||
  { cat "$box/none.txt" && exit 1; }
cmake --install "$WEFT_BUILD_DIR" --prefix "$prefix" --component reproduction >>"$box/install.log"
[ -s "$prefix/share/weft/experiments/full/ft-figure-5b.toml" ]
(cd "$box" && env -u WEFT_EXPERIMENTS "$prefix/bin/weft" list experiments >"$box/experiments.txt")
grep -q "^kautz-moore " "$box/experiments.txt"
bash -n "$prefix/share/bash-completion/completions/weft"
"$prefix/bin/weft" --help >"$box/help.txt"

# The installed files stand alone: neither this source tree nor this build is named in them.
if grep -rlIF -e "$WEFT_SOURCE_DIR" -e "$WEFT_BUILD_DIR" "$prefix"; then
  echo "the files above name the source or build folder"
  exit 1
fi

# A user's project, as installed: one room by its headers, and everything by the umbrella. Libraries built
# for a sanitizer ask the same of it.
flags=$(sed -n 's/^CMAKE_CXX_FLAGS:STRING=//p' "$WEFT_BUILD_DIR/CMakeCache.txt")
cmake -S "$prefix/share/weft/examples/consumer" -B "$box/consumer" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="$flags" >"$box/configure.log" || { cat "$box/configure.log" && exit 1; }
cmake --build "$box/consumer" >"$box/build.log" || { cat "$box/build.log" && exit 1; }
# A room that does not exist is named, beside those that do.
mkdir "$box/wrong"
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(wrong LANGUAGES CXX)' \
  'find_package(weft REQUIRED COMPONENTS analysis topologie)' >"$box/wrong/CMakeLists.txt"
! cmake -S "$box/wrong" -B "$box/wrong/build" -DCMAKE_PREFIX_PATH="$prefix" >"$box/wrong.log" 2>&1
tr -s '\n ' ' ' <"$box/wrong.log" | grep -q "no component 'topologie'; it has .*analysis.* topology" ||
  { cat "$box/wrong.log" && exit 1; }
"$box/consumer/consumer"
cd "$box"
"$box/consumer/own_network" | tee own_network.txt
# docs/how-to/use-the-library.md must show this output.
python3 - "$WEFT_SOURCE_DIR/docs/how-to/use-the-library.md" own_network.txt <<'PYTHON'
import sys
document, output = (open(name).read() for name in sys.argv[1:])
shown = "".join("    " + line for line in output.splitlines(keepends=True))
sys.exit(0 if shown in document else f"docs/how-to/use-the-library.md does not show this output:\n{output}")
PYTHON
"$prefix/bin/weft" verify wagner.weft
"$prefix/bin/weft" simulate wagner.weft -t file:wagner.edges --size 1MiB
