#!/usr/bin/env bash
# Feeds damaged input to all readers and commands for some time, with new seeds in each round.
#
#   tools/fuzz.sh PROGRAM SECONDS [JOBS]    JOBS rounds at once; exit code 1 if one failed
#
# WEFT_FUZZ_SEED=N in the environment of PROGRAM repeats round N. A round that takes over ten minutes has failed:
# some input makes a command run for ever.
set -uo pipefail
[[ $# -ge 2 && -x $1 && $2 =~ ^[1-9][0-9]*$ ]] ||
  { echo 'usage: tools/fuzz.sh PROGRAM SECONDS [JOBS]' >&2 && exit 2; }
program=$1 end=$((SECONDS + $2)) jobs=${3:-1}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
first=$(date +%s)

rounds() { # number of the job
  local seed=$((first * jobs + $1)) done=0
  while [ $SECONDS -lt $end ]; do
    WEFT_FUZZ_SEED=$seed timeout -k 10 600 "$program" >"$logs/$1" 2>&1 </dev/null
    local code=$?
    if [ $code -ne 0 ]; then
      tail -n 200 "$logs/$1"
      [ $code -ne 124 ] && [ $code -ne 137 ] || echo "stopped after 600 s"
      echo "failed: WEFT_FUZZ_SEED=$seed $program"
      return 1
    fi
    seed=$((seed + jobs)) done=$((done + 1))
  done
  echo "$done rounds from WEFT_FUZZ_SEED=$((first * jobs + $1)) on"
}

pids=() status=0
for ((job = 0; job < jobs; ++job)); do
  rounds "$job" &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || status=1; done
exit $status
