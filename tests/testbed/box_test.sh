#!/usr/bin/env bash
# A testbed on this machine: each host reaches the others, ranks have names of their own, and nothing
# is left, whether a run ends by itself, by an interrupt, or is killed.
set -euo pipefail
weft=$WEFT_PROGRAM
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || skip "no root"
for program in ip tc unshare; do command -v $program >/dev/null || skip "no $program"; done
command -v mpirun.openmpi >/dev/null || command -v mpiexec.mpich >/dev/null || skip "no MPI"
probe=weft-probe-$$
ip netns add "$probe" 2>/dev/null || skip "no network namespaces here"
ip netns del "$probe"

run() { timeout 60 "$weft" testbed run --topology ring:4 --rate 50Mbit --time-limit 50s -- "$@"; }
spaces_of() { ip netns list | grep -c "^weft-$1-" || :; }
# What a testbed of that process has left, once it had some seconds to go.
expect_nothing_of() {
  for _ in $(seq 100); do
    [ "$(spaces_of "$1")" = 0 ] && [ ! -e "/run/weft-testbed/$1" ] && return
    sleep 0.1
  done
  fail "$2 left $(spaces_of "$1") namespaces of testbed $1"
}
begin() {  # a run that would take long; waits until it is under way
  "$weft" testbed run --topology ring:4 --rate 50Mbit --quiet --time-limit 50s -- sleep 40 &
  pid=$!
  for _ in $(seq 200); do
    [ "$(spaces_of $pid)" = 4 ] && pgrep -P $pid >/dev/null && ip netns pids "weft-$pid-3" | grep -q . && return
    sleep 0.1
  done
  fail "the run did not begin"
}

# A port where nobody listens refuses; a host that cannot be reached says nothing.
reach='for i in 1 2 3 4; do
  LC_ALL=C timeout 10 bash -c "exec 3<>/dev/tcp/10.77.0.$i/9" 2>&1 | grep -q refused && echo "$(hostname) reaches $i"
done; :'
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
out=$(run bash -c "$reach" 2>"$folder/err") || { cat "$folder/err" >&2; fail "the run"; }
id=$(sed -n 's/^testbed \([0-9]*\):.*/\1/p' "$folder/err")
[ "$(grep -c reaches <<<"$out")" = 16 ] || fail "not all hosts reach all: $out"
[ "$(sort -u <<<"$out" | wc -l)" = 16 ] || fail "hosts share a name: $out"
expect_nothing_of "$id" "a run that ended"

code=0; "$weft" testbed run -t ring:3 --rate 50Mbit --quiet -- false >/dev/null 2>&1 || code=$?
[ $code = 1 ] || fail "a program's failure has code $code, not 1"

# weft's own schedules, whose results weft-bench checks; one-way links too.
if [ -x "$(dirname "$weft")/weft-bench.openmpi" ] && command -v mpirun.openmpi >/dev/null; then
  for network in ring:4 uniring:3; do
    timeout 100 "$weft" testbed compare allreduce -t $network --rate 50Mbit -a ring --sizes 12KiB --json \
      >"$folder/compare.json" 2>"$folder/err" || { cat "$folder/err" >&2; fail "compare on $network"; }
    [ "$(grep -c '"measured_time": [0-9.e-]*[1-9]' "$folder/compare.json")" = 2 ] || fail "$(cat "$folder/compare.json")"
  done
  # What an experiment asks for is measured once; the second time it is known.
  cat >"$folder/box.toml" <<'EXPERIMENT'
[experiment]
title = "two hosts"
kind = "testbed"
[grid]
measurements = "box"
collective = "allreduce"
topology = "complete:2"
algorithm = "ring"
size = "1KiB"
alpha = "1ms"
library = ["weft", "mpi"]
EXPERIMENT
  for pass in 1 2; do
    timeout 100 "$weft" reproduce "$folder/box.toml" >"$folder/out" 2>"$folder/err" || { cat "$folder/err" >&2; fail "reproduce"; }
    grep -q '^measured here: ' "$folder/out" || fail "$(cat "$folder/out" "$folder/err")"
    [ "$(grep -c '^measuring ' "$folder/err")" = $((pass == 1 ? 2 : 0)) ] || fail "pass $pass: $(cat "$folder/err")"
  done
  [ "$(grep -c ' calls = ' "$folder/box.measured")" = 2 ] || fail "$(cat "$folder/box.measured")"
  # Blocks of a reduce-scatter need not be equal, but where the MPI makes its own choice.
  sed -i 's/allreduce/reduce-scatter/; s/1KiB/1020B/; s/"weft", "mpi"/"weft"/; s/"box"/"blocks"/' "$folder/box.toml"
  timeout 100 "$weft" reproduce "$folder/box.toml" >"$folder/out" 2>"$folder/err" || { cat "$folder/err" >&2; fail "blocks"; }
  grep -q 'size = "1020", .* calls = ' "$folder/blocks.measured" || fail "$(cat "$folder/blocks.measured")"
  sed -i 's/\["weft"\]/"mpi"/' "$folder/box.toml"
  code=0; timeout 100 "$weft" reproduce "$folder/box.toml" >"$folder/out" 2>"$folder/err" || code=$?
  [ $code = 2 ] && grep -q 'for each of 2 ranks' "$folder/err" || fail "unequal blocks of the MPI's own: $code, $(cat "$folder/err")"
fi

begin
code=0; kill -INT $pid; wait $pid 2>/dev/null || code=$?
[ $code = 130 ] || fail "an interrupted run has code $code, not 130"
expect_nothing_of $pid "an interrupted run"

begin
kill -KILL $pid; wait $pid 2>/dev/null || :
expect_nothing_of $pid "a killed run"  # by its guard

# Killed while it is being made, at one moment after another.
for signal in KILL TERM; do
  for tenths in 0 1 2 3 4 5 6 8; do
    "$weft" testbed run --topology torus:4x4 --rate 37Mbit --quiet --time-limit 50s -- sleep 40 &
    pid=$!
    sleep "0.$tenths"
    kill -$signal $pid 2>/dev/null || :
    wait $pid 2>/dev/null || :
    expect_nothing_of $pid "a run that got SIG$signal after 0.$tenths s"
    for _ in $(seq 50); do pgrep -f "rate 37Mbit|/weft-testbed/$pid/" >/dev/null || break; sleep 0.1; done
    pgrep -f "rate 37Mbit|/weft-testbed/$pid/" >/dev/null && fail "a run that got SIG$signal left processes"
  done
done

# Namespaces that a machine kept when both were killed.
ip netns add weft-99999999-0
"$weft" testbed list | grep -q "99999999.*left over" || fail "list does not name what is left over"
"$weft" testbed clean | grep -q "removed testbed 99999999" || fail "clean does not say what it removed"
[ "$(spaces_of 99999999)" = 0 ] || fail "clean left a namespace"
echo ok
