#!/usr/bin/env bash
# Compares the algorithms of two collectives on four networks: which is fastest at which size, and how far each is
# from the lower bound. weft proves every schedule correct before it simulates it. The networks come in order of the
# time that they take: the first three about a second each, the last one a minute or two.
#
#   examples/demo.sh   charts go to build/demo; in an installed weft to weft-demo in the current folder
set -euo pipefail
cd "$(dirname "$0")/.."
weft=${WEFT_PROGRAM:-build/release/bin/weft}
charts=$PWD/build/demo
if [ ! -e CMakeLists.txt ]; then # installed: <prefix>/share/weft/examples/demo.sh
  weft=${WEFT_PROGRAM:-../../bin/weft}
  charts=$OLDPWD/weft-demo
elif [ ! -x "$weft" ]; then
  echo "demo: $weft does not exist; run: make demo" >&2
  exit 1
fi
mkdir -p "$charts"
began=$SECONDS

study() { # name, title, file
  local collective sizes
  printf '\n== %s\n\n' "$2"
  "$weft" topology "file:$3" --measure distances | grep -E '^(nodes|links|degree|diameter)'
  for collective in allreduce alltoall; do
    sizes=1KiB:64MiB
    [ "$collective" = allreduce ] || sizes=64:1MiB
    printf '\nFastest %s for each size:\n' "$collective"
    "$weft" compare "$collective" --topology "file:$3" --sizes "$sizes" --winners \
      --chart "$charts/$1-$collective.svg"
  done
}

study dgx1 "NVLink mesh of a DGX-1: eight GPUs, unequal links" examples/dgx1.edges
study torus "3x3x3x2 torus, 25 Gb/s a link" examples/torus-3x3x3x2.json
study aries "Group of a Cray Aries: 16 x 6 routers, all linked in rows and in columns" examples/aries-group.json
printf '\nThe last network has 320 nodes and takes a minute or two.\n'
study cluster "Cluster of 64 switches wired at random, four hosts on each" examples/random-cluster.json

printf '\nDone in %d s. Charts of these comparisons: %s/*.svg\n' $((SECONDS - began)) "$charts"
