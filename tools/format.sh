#!/usr/bin/env bash
# Formats every C++ file under version control with clang-format; --check only prints the files that differ.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' | sort)
for i in "${!files[@]}"; do
  [ -f "${files[$i]}" ] || unset "files[$i]" # deleted, not yet committed
done

case "${1:-}" in
  --check)
    printf '%s\n' "${files[@]}" | xargs -P 2 -n 40 clang-format --dry-run -Werror
    echo "format: ${#files[@]} files are laid out as .clang-format says"
    ;;
  "") printf '%s\n' "${files[@]}" | xargs -P 2 -n 40 clang-format -i ;;
  *) echo "format: unknown argument $1; use --check or nothing" >&2 && exit 2 ;;
esac
