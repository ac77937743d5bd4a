#!/usr/bin/env python3
"""Finds calls that hostile input turns into wrong answers or into faults of weft.

The script checks two rules in include/ and src/:

- No call of std::stoi, atoi, strtol, sscanf or similar functions. They take "4x" as 4, throw exceptions that nobody
  catches, or clamp large numbers. Use number_in() of weft/base/text.hpp, which reads the whole text or rejects it.
- No call of std::filesystem that throws. A loop of links, a name of 300 letters or a folder without permission would
  end the program as a fault of its own. Pass a std::error_code, or use is_there(), is_regular_file(), is_folder() and
  names_in() of weft/base/file.hpp. A range-for over a folder throws while it advances, with any iterator.

Usage: tools/check_calls.py [TREE]. The script prints one line per violation; exit code 1 if there is any.
"""

import re
import sys
from pathlib import Path

from check_rooms import NOT_CODE, SOURCES

NUMBERS = re.compile(r"(?<![\w.>])(?:std::)?(sto(?:i|l|ll|ul|ull|f|d|ld)|ato(?:i|l|ll|f)|"
                     r"strto(?:l|ll|ul|ull|f|d|ld|imax|umax)|v?f?s?scanf)\s*\(")
# How many arguments a call has that takes a std::error_code, at least.
ARGUMENTS = {"temp_directory_path": 1, "current_path": 1, "rename": 3, "copy_file": 3, "copy": 3, "equivalent": 3,
             "create_symlink": 3, "create_directory_symlink": 3, "create_hard_link": 3, "copy_symlink": 3,
             "permissions": 3, "resize_file": 3, "last_write_time": 2}
ARGUMENTS.update(dict.fromkeys(
    ("exists", "is_regular_file", "is_directory", "is_symlink", "is_empty", "is_other", "is_fifo", "is_socket",
     "is_block_file", "is_character_file", "file_size", "status", "symlink_status", "remove", "remove_all",
     "create_directory", "create_directories", "canonical", "weakly_canonical", "absolute", "relative", "proximate",
     "read_symlink", "space", "hard_link_count", "directory_iterator", "recursive_directory_iterator"), 2))
FILES = re.compile(r"\b(?:filesystem|fs)::(" + "|".join(ARGUMENTS) + r")\b\s*(?:\w+\s*)?\(")
OVER_A_FOLDER = re.compile(r"\bfor\s*\([^;()]*(?<!:):(?!:)\s*(?:std::)?(?:filesystem|fs)::(?:recursive_)?directory_iterator\b")


def blanked(text):
    """Returns the text with strings, characters and comments blanked out, and lines unchanged."""
    return NOT_CODE.sub(lambda match: re.sub(r"[^\n]", "0" if match[0][0] in "\"'R" else " ", match[0]), text)


def arguments_behind(code, at):
    """Returns the number of arguments of the call whose bracket is open before `at`."""
    depth, count, some = 1, 1, False
    for letter in code[at:]:
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if depth == 0:
                return count if some else 0
        elif letter == "," and depth == 1:
            count += 1
        some = some or not letter.isspace()
    return count


def faults_of(code):
    """Yields (position, fault)."""
    for match in NUMBERS.finditer(code):
        yield match.start(), f"calls {match[1]}, which takes parts of texts or throws; use number_in()"
    for match in FILES.finditer(code):
        if arguments_behind(code, match.end()) < ARGUMENTS[match[1]]:
            yield match.start(), (f"calls std::filesystem's {match[1]} without a std::error_code, so that it throws; "
                                  "give one, or use weft/base/file.hpp")
    for match in OVER_A_FOLDER.finditer(code):
        yield match.start(), "walks through a folder by range-for, which throws; use names_in()"


def check_calls(root):
    """Returns one line per call."""
    faults = []
    for top in ("include", "src"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            code = blanked(path.read_text(errors="replace"))
            for at, why in sorted(faults_of(code)):
                faults.append(f"{path.relative_to(root)}:{code.count(chr(10), 0, at) + 1}: {why}")
    return faults


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    faults = check_calls(root)
    for fault in faults:
        print(fault)
    print(f"check_calls: {len(faults)} violations")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
