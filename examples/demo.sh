#!/usr/bin/env bash
# Four networks that exist, two collectives: which algorithm is best at which size, and how far from the limit.
# Charts go to build/demo/. Every schedule is proved right before it is timed.
set -euo pipefail
cd "$(dirname "$0")/.."
weft=${WEFT_PROGRAM:-build/release/bin/weft}
charts=build/demo
mkdir -p "$charts"
began=$(date +%s)

study() { # name, title, file
  printf '\n== %s\n\n' "$2"
  "$weft" topology "file:$3" --measure distances | grep -E '^(nodes|links|degree|diameter)'
  for collective in allreduce alltoall; do
    local sizes=1KiB:64MiB
    [ "$collective" = allreduce ] || sizes=64:1MiB
    printf '\n'
    "$weft" compare "$collective" --topology "file:$3" --sizes "$sizes" --winners --quiet \
      --chart "$charts/$1-$collective.svg"
  done
}

study aries "A group of a Cray Aries: 16 x 6 routers, all linked in rows and in columns" examples/aries-group.json
study torus "A 3x3x3x2 torus, 25 Gb/s a link" examples/torus-3x3x3x2.json
study dgx1 "The NVLink mesh of a DGX-1: eight GPUs, unequal links" examples/dgx1.edges
study cluster "A cluster of 64 switches wired at random, four hosts on each" examples/random-cluster.json

printf '\nCharts: %s/*.svg (%d s in all)\n' "$charts" $(($(date +%s) - began))
