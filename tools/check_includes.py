#!/usr/bin/env python3
"""Compiles files one by one to find missing includes: tools/check_includes.py BUILD [BASE | --all].

Builds compile sources in groups and with precompiled headers, so a source can use an include of another one. This
script checks each public header (read twice in a row) and each source of src/ alone, without precompiled headers and
without code generation. BUILD is a configured folder whose compile_commands.json lists every source by itself
(cmake --preset alone). A header is compiled with the options of its room.

Without --all the script checks the files that differ from BASE (by default as in tools/tidy.py). --part N adds every
eighth file from the Nth on. With --seconds it starts no file after that time and prints how many it did not check.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import time

import tidy


def files_to_check(base, everything, part):
    every = tidy.output_of("git", "ls-files", "include/*.hpp", "src/*.cpp").split()
    if everything:
        return every
    changed = tidy.changed_files(base, "include/*.hpp", "src/*.cpp")
    return list(dict.fromkeys(changed + tidy.share_of(every, part)))


def room_of(path):
    """Returns the group of a file; include/weft/base/error.hpp and src/weft/base/error.cpp both belong to weft/base."""
    return "/".join(pathlib.PurePath(path).parts[1:3])


def compiler_message(path, options):
    """Returns the compiler's message about a file by itself, or None if it is correct."""
    header = path.startswith("include/")
    text = f'#include "{path.removeprefix("include/")}"\n' * 2 if header else None
    run = subprocess.run([os.environ.get("CXX", "g++"), "-fsyntax-only", *options, *(["-x", "c++", "-"] if header else [path])],
                         cwd=tidy.SOURCE, input=text, capture_output=True, text=True)
    return f"{path} does not compile by itself:\n{run.stderr.strip()}" if run.returncode != 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("base", nargs="?", help="commit that the files are compared with")
    parser.add_argument("--all", action="store_true", help="all files")
    parser.add_argument("--part", type=int, help="number of the part of the rotation, 0 to 7")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    asked = parser.parse_args()
    end = time.monotonic() + asked.seconds
    options = tidy.compiler_options(asked.build)
    by_room = {room_of(path): words for path, words in options.items()}

    left = []

    def message_of(path):
        if time.monotonic() > end:
            left.append(path)
            return None
        # weft.hpp includes all rooms, which report may use.
        return compiler_message(path, options.get(path) or by_room.get(room_of(path)) or by_room["weft/report"])

    files = files_to_check(asked.base, asked.all, asked.part)
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        messages = [message for message in pool.map(message_of, files) if message]
    print(*messages, sep="\n", end="\n" if messages else "")
    print(f"includes: {len(files) - len(left)} files compiled by themselves, {len(messages)} failed"
          + (f", {len(left)} not checked (time limit)" if left else ""))
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
