#!/usr/bin/env bash
# Tests the completions that fish offers for the start of a line (complete -C).
set -euo pipefail
: "${WEFT_SOURCE_DIR:?}" "${WEFT_PROGRAM:?}"
if ! command -v fish >/dev/null; then
  echo "no fish here; tools/setup.sh installs it"
  exit 0
fi
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
ln -s "$WEFT_PROGRAM" "$box/weft"
cd "$box"
touch one.weft two.toml

offered() { # line: the names, without what is said of them, sorted, in one line
  env HOME="$box" XDG_CONFIG_HOME="$box" XDG_DATA_HOME="$box" PATH="$box:$PATH" fish --no-config -c \
    "source '$WEFT_SOURCE_DIR/share/completions/weft.fish'; complete -C '$1'" 2>/dev/null | cut -f1 | sort | xargs
}

failures=0
expect() { # expected names, line
  local got
  got=$(offered "$2")
  if [ "$got" != "$1" ]; then
    printf 'for "%s": expected "%s", got "%s"\n' "$2" "$1" "$got"
    failures=$((failures + 1))
  fi
}

expect "compare cost" "weft co"
expect "torus:" "weft topology to"
expect "torus:" "weft compare allreduce -t to"
expect "allgather allgatherv allreduce alltoall alltoallv" "weft compare al"
expect "lockstep" "weft simulate one.weft --sync l"
expect "any phase" "weft load-curve --ejection "
expect "" "weft compare allreduce --alpha 1"
expect "one.weft" "weft verify o"
expect "--rank-times --ranks" "weft simulate one.weft --rank"
exit $((failures > 0))
