#!/usr/bin/env bash
# weft-bench under each MPI that is installed: its tables are what weft calibrate reads, and bad input is
# one line and code 2. No root is needed; whoever is root tells Open MPI that it may be.
set -euo pipefail
weft=$WEFT_PROGRAM
bin=$(dirname "$weft")
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $*" >&2; exit 1; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
cd "$folder"

expect_refused() { # what the line says, command...
  local part=$1 code=0; shift
  "${run[@]}" "$@" >out 2>err || code=$?
  [ $code = 2 ] || fail "'$*' has code $code, not 2"
  [ "$(grep -c '^weft-bench: ' err)" = 1 ] || fail "'$*' says: $(cat err)"
  grep -q "^weft-bench: .*$part" err || fail "'$*' says: $(cat err)"
}

tested=
for mpi in openmpi mpich; do
  bench=$bin/weft-bench.$mpi
  launcher=mpirun.openmpi; [ $mpi = openmpi ] || launcher=mpiexec.mpich
  command -v $launcher >/dev/null && [ -x "$bench" ] || continue
  tested=yes
  run=(timeout 120 $launcher -n 3 "$bench")

  for collective in allreduce reduce broadcast reduce-scatter allgather gather scatter alltoall; do
    "${run[@]}" $collective --sizes 12,24 --seconds 0 --fewest 3 -o $collective.csv
    [ "$(grep -c "^$collective,,,,\(12\|24\),3," $collective.csv)" = 2 ] || fail "$(cat $collective.csv)"
  done
  "${run[@]}" barrier --seconds 0 -o barrier.csv

  "${run[@]}" links --topology ring:3 --sizes 1B:64KiB --seconds 0 --fewest 9 -o links.csv
  grep -q '^# Topology: ring:3' links.csv || fail "no topology: $(head -8 links.csv)"
  "$weft" calibrate links.csv -o machine.toml --quiet >/dev/null
  "$weft" compare allreduce -t ring:3 --machine machine.toml --quiet >/dev/null
  "$weft" calibrate --pairs -t ring:3 -o pairs.txt
  "${run[@]}" links --pairs pairs.txt --sizes 1KiB --seconds 0 -o again.csv
  [ "$(grep -c ^message again.csv)" = "$(grep -c ^measure pairs.txt)" ] || fail "pairs: $(cat again.csv)"

  # Two ranks swap what they have; then one gets what it should not.
  cat >good <<'RUN'
weft-run 1
collective allgather
name swap
ranks 3
bytes 24
size 8
rank 0
send 0 1 0+8
send 0 2 0+8
receive 0 1 8+8
receive 0 2 16+8
rank 1
send 0 0 8+8
send 0 2 8+8
receive 0 0 0+8
receive 0 2 16+8
rank 2
send 0 0 16+8
send 0 1 16+8
receive 0 0 0+8
receive 0 1 8+4,12+4
RUN
  "${run[@]}" run good --seconds 0 -o swap.csv
  grep -q '^swap,,,,8,5,' swap.csv || fail "$(cat swap.csv)"
  sed 's/^receive 0 1 8+8/receive 0 1 16+8/; s/^receive 0 2 16+8/receive 0 2 8+8/' good >wrong
  expect_refused "wrong: the result is not the result of the collective" run wrong
  sed 's/0+8/2+8/' good >odd
  expect_refused "odd:8: 'send 0 1 2+8' is not a line of a schedule" run odd
  head -5 good >short
  expect_refused "short: the schedule is truncated" run short
  expect_refused "cannot read 'nothing'" run nothing

  expect_refused "unknown test 'alreduce'" alreduce
  expect_refused "is not a list of sizes" allreduce --sizes 4KiB:1
  expect_refused "unknown option '--size_B'" allreduce --size_B 3
  expect_refused "links needs the network" links
  expect_refused "weft calibrate --pairs names no pairs of ring:2" links --topology ring:2
  "$weft" calibrate --pairs -t ring:4 -o of4.txt
  expect_refused "the pairs need 4 ranks, but there are 3" links --pairs of4.txt
done
[ -n "$tested" ] || skip "no MPI"
echo ok
