#!/usr/bin/env bash
# Runs a simulated InfiniBand fabric. ibsim replaces the hardware, OpenSM is the subnet manager, and ibnetdiscover and
# dump_fts write the files that an administrator would get.
#
#   tools/virtual_fabric.sh tree.net ftree      writes tree.ibnet and tree.lfts
#   tools/virtual_fabric.sh tree.net updn out   writes out.ibnet and out.lfts
#
# ENGINE is a routing of OpenSM: minhop, updn, dnup, ftree, dfsssp, sssp, lash, dor, torus-2QoS.
#   tools/virtual_fabric.sh tree.net updn out cut    gives ibsim's console the lines of file cut before
#                                                    OpenSM starts: Unlink "leaf1"[5]
#
# dump_fts of infiniband-diags 44.0 omits the last lid of a fabric if it is a multiple of 64. In that case, use one host
# less.
# Packages: ibsim-utils libumad2sim0 infiniband-diags opensm.
set -euo pipefail

die() {
  printf 'virtual_fabric: %s\n' "$1" >&2
  exit 2
}

[[ $# -ge 2 && $# -le 4 ]] || die 'usage: tools/virtual_fabric.sh FILE.net ENGINE [OUTPUT [CONSOLE]]'
net=$1 engine=$2 output=${3:-${1%.net}} console=${4:-}
[[ $net == /* ]] || net=./$net
case $engine in
  minhop | updn | dnup | ftree | dfsssp | sssp | lash | dor | torus-2QoS) ;;
  *) die "$engine is no routing of OpenSM; use minhop, updn, dnup, ftree, dfsssp, sssp, lash, dor or torus-2QoS" ;;
esac
[[ -f $net && -r $net ]] || die "$net cannot be read"
[[ -z $console || -r $console ]] || die "$console cannot be read"
[[ -d $(dirname -- "$output") ]] || die "the folder of $output is not there"
PATH=$PATH:/usr/sbin
for tool in ibsim opensm ibnetdiscover dump_fts timeout; do
  command -v "$tool" >/dev/null ||
    die "$tool is missing; install ibsim-utils, libumad2sim0, infiniband-diags and opensm"
done
library=
for path in /usr/lib/*/umad2sim/libumad2sim.so /usr/lib/umad2sim/libumad2sim.so; do
  if [[ -e $path ]]; then library=$path; fi
done
[[ -n $library ]] || die 'libumad2sim.so is missing; install libumad2sim0'

nodes=$(grep -c '^[[:space:]]*\(Switch\|Hca\|Ca\)' "$net" || true)
switches=$(grep -c '^[[:space:]]*Switch' "$net" || true)
ports=$(awk '/^[[:space:]]*(Switch|Hca|Ca)/ {ports += $2 + 1} END {print ports + 16}' "$net")
[[ $nodes -gt 0 ]] || die "$net has no devices (lines Switch or Hca, as weft export --to ibsim writes)"

work=$(mktemp -d)
simulator=
cleanup() {
  if [[ -n $simulator ]]; then
    kill "$simulator" 2>/dev/null || true
    wait "$simulator" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap cleanup EXIT

export IBSIM_SOCKNAME=weft-$$  # one fabric does not meet another's simulator

mkfifo "$work/console"
ibsim -s -N "$((nodes + 16))" -S "$((switches + 16))" -P "$ports" "$net" \
  <"$work/console" >"$work/ibsim.log" 2>&1 &
simulator=$!
exec 8>"$work/console"  # the simulator ends where its console does
[[ -z $console ]] || cat -- "$console" >&8

simulated() { # seconds, command...
  env LD_PRELOAD="$library" OSM_TMP_DIR="$work" OSM_CACHE_DIR="$work" \
    timeout -k 5 "$@" 8>&- </dev/null
}

# Until the simulator listens.
listens=
for _ in $(seq 50); do
  if simulated 20 ibnetdiscover >"$work/plain.ibnet" 2>/dev/null; then
    listens=yes
    break
  fi
  kill -0 "$simulator" 2>/dev/null || die "ibsim ended: $(tail -n 3 "$work/ibsim.log")"
  sleep 0.1
done
[[ -n $listens ]] || die "ibsim does not answer: $(tail -n 3 "$work/ibsim.log")"
simulated 600 opensm -o -R "$engine" -f "$work/opensm.log" >"$work/opensm.out" 2>&1 ||
  die "opensm ended: $(tail -n 3 "$work/opensm.out")"
if grep -q "ucast_mgr_route: $engine: cannot" "$work/opensm.log"; then
  printf 'virtual_fabric: OpenSM could not route by %s and took minhop\n' "$engine" >&2
fi
simulated 300 ibnetdiscover >"$work/fabric.ibnet" 2>"$work/errors" ||
  die "ibnetdiscover: $(tail -n 3 "$work/errors")"
simulated 600 dump_fts >"$work/fabric.lfts" 2>"$work/errors" ||
  die "dump_fts: $(tail -n 3 "$work/errors")"
mv -- "$work/fabric.ibnet" "$output.ibnet"
mv -- "$work/fabric.lfts" "$output.lfts"
printf 'wrote %s.ibnet and %s.lfts\n' "$output" "$output" >&2
