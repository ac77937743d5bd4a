#!/usr/bin/env bash
# The bash completion, fed a stand-in for the program and the words that readline would hand over.
set -euo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
source "$source_dir/share/completions/weft.bash"

weft() {
  case "$*" in
    --help) printf 'Options:\n  -h,--help  Print\nSubcommands:\n  topology  Show one\n  compare   All\n  cost      One\n' ;;
    "compare --help") printf 'Options:\n  --topology TEXT  Network\n  --sizes TEXT\n  --json\n' ;;
    "list topologies") printf 'kautz:d,k  K(d, k)\nring:N     a ring\nrandom-regular:N,d\n' ;;
    "list algorithms") printf 'ring      around\nbruck     any radix\nbinomial  tree\n' ;;
    "list collectives") printf 'allreduce\nalltoall\n' ;;
    "list models") printf 'alpha-beta\nfluid\n' ;;
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
expect "fluid" weft simulate x.weft --model f
expect "lockstep" weft simulate x.weft --sync l
expect "algorithms" weft list a

cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
touch one.weft two.edges
expect "one.weft two.edges" weft verify ""
expect "two.edges" weft topology file : t
expect "one.weft two.edges" weft topology file :
exit $((failures > 0))
