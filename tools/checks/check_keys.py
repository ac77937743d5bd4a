#!/usr/bin/env python3
"""Finds keys of answers that several source files describe.

A key with its meaning is written once: in the table of parts of its file, or in include/weft/answer/keys.hpp if several
files have it. The script reads the calls of part(...) with a key, a label, a unit and a meaning, and those of
part.object(...), part.list(...) and part.map(...) with a key and a meaning, in include/ and src/. It reports a key with
the same meaning in two files.

Usage: tools/checks/check_keys.py [TREE]. The script prints one line per key; exit code 1 if there is any.
"""

import re
import sys
from pathlib import Path

SOURCES = {".hpp", ".cpp"}
TEXT = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
CALL = re.compile(r'\b\w+(?:(\.(?:object|list|map))\(|\()\s*"(\w+)",\s*(?:"[^"]*",\s*(?:answer::)?Unit::(\w+),\s*)?(' + TEXT + r'),')
SHARED = re.compile(r'\bKey\s+k\w+\{\s*"(\w+)",\s*(?:answer::)?Unit::\w+,\s*(' + TEXT + r')\}')
COMMENT = re.compile(r"//[^\n]*")

# Keys that stay in several files: {(key, meaning): reason}.
KEPT = {}


def joined(text):
    """Returns the text of adjacent literals: '"a " "b"' is "a b"."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text))


def keys_of(code):
    """Yields (key, meaning) of each part that the code describes."""
    code = COMMENT.sub("", code)
    for dotted, key, unit, text in CALL.findall(code):
        if (dotted or unit) and joined(text):
            yield key, joined(text)
    for key, text in SHARED.findall(code):
        yield key, joined(text)


def check_keys(root):
    """Returns one line per key that two files describe with the same words."""
    files = {}
    for top in ("include", "src"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SOURCES:
                for each in keys_of(path.read_text(errors="replace")):
                    files.setdefault(each, set()).add(str(path.relative_to(root)))
    return [f'{key}: "{meaning}" stands in {", ".join(sorted(paths))}; use or add a key of weft/answer/keys.hpp'
            for (key, meaning), paths in sorted(files.items()) if len(paths) > 1 and (key, meaning) not in KEPT]


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2]
    faults = check_keys(root)
    for fault in faults:
        print(fault)
    print(f"check_keys: {len(faults)} violations")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
