#!/usr/bin/env bash
# Prints how many compilers this machine can run at once: one per core, and 1.5 GB of memory for each.
set -euo pipefail
cores=$(nproc 2>/dev/null || echo 1)
memory_kb=$(sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo 2>/dev/null || true)
by_memory=$(( ${memory_kb:-100000000} / 1500000 ))
jobs=$(( by_memory < cores ? by_memory : cores ))
echo $(( jobs < 1 ? 1 : jobs ))
