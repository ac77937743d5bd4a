#!/usr/bin/env bash
# Tests the bash completion with the words that readline would pass, first with a stub in place of the program and
# then with the program itself.
set -euo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
source "$source_dir/share/completions/weft.bash"

weft() {
  case "$*" in
    --help) printf 'Options:\n  -h,--help  Print\nSubcommands:\n  topology  Show one\n  compare   All\n  cost      One\n\nExamples:\n  weft cost\n' ;;
    "compare --help-all") printf 'Options:\n  -t,--topology TEXT  Network\n  --sizes TEXT\n  --ranks N  How many\n  --json\n' ;;
    "list topologies") printf 'name            parameters  example\nkautz  d,k  kautz:4,2\nring  n  ring:4\nrandom-regular  N,d\nhosts  k, X  hosts(4, ring:4)\n' ;;
    "list algorithms") printf 'name  summary\nring      around\nbruck     any radix\nbinomial  tree\n' ;;
    "list collectives") printf 'name\nallreduce\nalltoall\n' ;;
    "list experiments") printf 'name   groups         title\ntorus                 Rings on it\nbase   thesis papers  Base lines\n' ;;
    "list models") printf 'name\nalpha-beta\nfluid\n' ;;
  esac
}
compopt() { :; } # has no meaning outside a real completion

failures=0
expect() { # expected replies, words of the line...
  local expected=$1
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _weft
  local got
  got=$(printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} | sort | xargs)
  if [ "$got" != "$expected" ]; then
    printf 'for "%s": expected "%s", got "%s"\n' "$*" "$expected" "$got"
    failures=$((failures + 1))
  fi
}

expect "compare cost topology" weft ""
expect "compare cost" weft co
expect "--sizes" weft compare --s
expect "allreduce alltoall" weft compare all
expect "random-regular: ring:" weft compare allreduce --topology r
expect "kautz:" weft topology k
expect "file:" weft topology fi
expect "binomial bruck" weft compare allreduce --algorithms b
expect "ring,binomial ring,bruck" weft compare allreduce --algorithms ring,b
expect "random-regular: ring:" weft compare allreduce -t r
expect "" weft topology h
expect "" weft compare allreduce --sizes a
expect "" weft compare allreduce --ranks a
expect "allreduce alltoall" weft compare --json a
expect "fluid" weft simulate x.weft --model f
expect "delivered" weft simulate x.weft --release d
expect "lockstep" weft simulate x.weft --sync l
expect "algorithms" weft list a
expect "experiments" weft list e
expect "groups" weft list g
expect "libraries" weft list l
expect "devices" weft list d
expect "workloads" weft list w

cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
touch one.weft two.edges
expect "one.weft two.edges" weft verify ""
expect "two.edges" weft topology file : t
expect "base one.weft papers thesis torus two.edges" weft reproduce ""
expect "thesis torus two.edges" weft reproduce base t
expect "merge" weft results m
expect "one.weft two.edges" weft topology file :

if [ -n "${WEFT_PROGRAM:-}" ]; then
  weft() { "$WEFT_PROGRAM" "$@"; }
  expect "calibrate compare cost degrade design draw economics export find fit help import list load-curve optimum order plan profile reproduce results schedule schema simulate sweep synthesize testbed throughput topology train verify version where" weft ""
  expect "torus:" weft topology to
  expect "allgather allgatherv allreduce alltoall alltoallv" weft compare al
  expect "alpha-beta flit fluid packet" weft simulate x.weft --model ""
  expect "shortest shortest-random shortest-split shortest-table" weft compare allreduce --routing sho
  expect "ring" weft compare allreduce -a ri
  expect "gpt-2-large gpt-2-medium gpt-2-small" weft train gpt
  expect "a100" weft train vgg-16 --device a
  expect "--rank-times --ranks" weft simulate one.weft --rank
  expect "" weft compare allreduce --alpha 1
  # What is offered for an option is what the program takes.
  accepts() { # option, completion of
    COMP_WORDS=(weft compare allreduce "$1" "")
    COMP_CWORD=4
    _weft
    local value
    for value in "${COMPREPLY[@]}"; do
      if "$WEFT_PROGRAM" compare allreduce -t 2dfc:3x3 --sizes 1KiB --model alpha-beta "$1" "$value" 2>&1 | grep unknown >/dev/null; then
        printf 'the program knows no %s %s\n' "$1" "$value"
        failures=$((failures + 1))
      fi
    done
  }
  for option in --sync --release --sharing --routing --algorithms --model; do accepts "$option"; done
fi
exit $((failures > 0))
