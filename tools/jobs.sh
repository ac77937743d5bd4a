#!/usr/bin/env bash
# Prints how many compilers this machine can run at once: one per core, and 1.5 GB of memory for each.
#
#   tools/jobs.sh            print the number of jobs, at least 1
#   tools/jobs.sh --memory   print the available memory in MB
#
# The available memory is what the kernel estimates to be free for new programs, or the limit of the container
# (control group) if that is lower. Where neither is known, memory does not limit the number of jobs.
set -euo pipefail

available_memory_mb() {
  local least=100000000 file kb bytes
  file=${WEFT_MEMINFO:-/proc/meminfo} # tests set WEFT_MEMINFO and WEFT_CGROUP
  kb=$(sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' "$file" 2>/dev/null || true)
  [ -z "$kb" ] || least=$((kb / 1000))
  for file in memory.max memory/memory.limit_in_bytes; do # version 2, version 1
    bytes=$(cat "${WEFT_CGROUP:-/sys/fs/cgroup}/$file" 2>/dev/null || true)
    case $bytes in "" | *[!0-9]*) continue ;; esac # absent, or "max"
    [ ${#bytes} -gt 17 ] || [ $((bytes / 1000000)) -ge $least ] || least=$((bytes / 1000000))
  done
  echo $least
}

case "${1:-}" in
  --memory) available_memory_mb && exit 0 ;;
  "") ;;
  *) echo "jobs: unknown argument $1 (expected --memory or nothing)" >&2 && exit 2 ;;
esac
cores=$(nproc 2>/dev/null || echo 1)
by_memory=$(($(available_memory_mb) / 1500))
jobs=$((by_memory < cores ? by_memory : cores))
echo $((jobs < 1 ? 1 : jobs))
