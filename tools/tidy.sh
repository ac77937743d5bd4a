#!/usr/bin/env bash
# clang-tidy on the sources that differ from a base: tools/tidy.sh BUILD [BASE | --all].
#
# A source takes a second or more, so the base is the upstream branch by default and, on
# the branch itself, the last commit. A changed header is seen through the sources that changed with it.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${1:?usage: tools/tidy.sh BUILD [BASE | --all]}
base=${2:-${TIDY_BASE:-}}

default_base() {
  local merge
  merge=$(git merge-base HEAD '@{upstream}' 2>/dev/null || true)
  if [ -n "$merge" ] && [ "$merge" != "$(git rev-parse HEAD)" ]; then
    echo "$merge"
  else
    git rev-parse --verify -q HEAD~1 || git hash-object -t tree /dev/null
  fi
}

sources() {
  if [ "$base" = --all ]; then
    git ls-files 'src/*.cpp'
  else
    { git diff --name-only --diff-filter=d "${base:-$(default_base)}" -- 'src/*.cpp'
      git ls-files --others --exclude-standard 'src/*.cpp'; } | sort -u
  fi
}

mapfile -t files < <(sources)
if [ ${#files[@]} -eq 0 ]; then
  echo "tidy: no source changed"
  exit 0
fi
echo "tidy: ${#files[@]} changed sources"
status=0
printf '%s\n' "${files[@]}" |
  xargs -P 2 -n 4 clang-tidy --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option \
    >"$build/tidy.log" 2>&1 || status=1
grep -vE '^[0-9]+ warnings? (generated|treated)' "$build/tidy.log" || true # counts the system headers
exit $status
