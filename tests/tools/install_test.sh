#!/usr/bin/env bash
# Installs the build into an empty folder, looks for every part, and builds and runs a consumer of it.
set -euo pipefail
: "${WEFT_SOURCE_DIR:?}" "${WEFT_BUILD_DIR:?}"
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
prefix=$box/prefix

cmake --install "$WEFT_BUILD_DIR" --prefix "$prefix" >"$box/install.log"

missing=0
for part in bin/weft include/weft/topology/topology.hpp share/doc/weft/LICENSE share/doc/weft/README.md \
  share/doc/weft/CHANGELOG.md share/doc/weft/architecture.md \
  share/bash-completion/completions/weft share/zsh/site-functions/_weft share/weft/prices/infiniband-2025.toml; do
  [ -s "$prefix/$part" ] || { echo "not installed: $part" && missing=1; }
done
[ $missing -eq 0 ]
bash -n "$prefix/share/bash-completion/completions/weft"
"$prefix/bin/weft" --help >"$box/help.txt"

# The installed files stand alone: neither this source tree nor this build is named in them.
if grep -rlIF -e "$WEFT_SOURCE_DIR" -e "$WEFT_BUILD_DIR" "$prefix"; then
  echo "the files above name the source or build folder"
  exit 1
fi

cmake -S "$WEFT_SOURCE_DIR/tests/consumer" -B "$box/consumer" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_BUILD_TYPE=Release >"$box/configure.log" || { cat "$box/configure.log" && exit 1; }
cmake --build "$box/consumer" >"$box/build.log" || { cat "$box/build.log" && exit 1; }
"$box/consumer/consumer"
