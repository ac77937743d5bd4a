#!/usr/bin/env python3
"""Runs clang-tidy on sources: tools/tidy.py BUILD [BASE | --all] [--part N] [--jobs N] [--seconds N].

Without --all the script checks only sources that differ from BASE: by default the upstream branch, or the previous
commit if this is the upstream branch. A changed header is checked through the sources that changed with it.

A source takes seconds, so the script caches clean results in ${XDG_CACHE_HOME:-~/.cache}/weft-tidy. Each result is an
empty file, named by a hash of everything that decides the answer: the version of clang-tidy, its settings, the options
of the compiler, and the source with its headers and comments (NOLINT is a comment). The path of the folder is left
out, so clones share the cache. Findings are never cached.

With --seconds no source begins after that time, because a machine with an empty cache needs longer than a run of CI
may take. The last changes come first. The script prints how many sources remain, and the next run continues.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

import together

SOURCE = pathlib.Path(__file__).resolve().parents[1]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "weft-tidy"
MOST_REMEMBERED = 10_000  # some twenty versions of the whole tree
PARTS = 8                 # of the rotation (tests/CMakeLists.txt)
TOGETHER = 10             # sources; more need above 2 GB


def output_of(*command):
    return subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=True).stdout


def git_or_nothing(*arguments):
    run = subprocess.run(["git", *arguments], cwd=SOURCE, capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else ""


def default_base():
    merge = git_or_nothing("merge-base", "HEAD", "@{upstream}")
    if merge and merge != git_or_nothing("rev-parse", "HEAD"):
        return merge
    return git_or_nothing("rev-parse", "--verify", "-q", "HEAD~1") or git_or_nothing(
        "hash-object", "-t", "tree", "/dev/null")


def changed_files(base, *patterns):
    """Returns files of these patterns that differ from a commit, including uncommitted and new ones."""
    changed = output_of("git", "diff", "--name-only", "--diff-filter=d", base or default_base(), "--", *patterns)
    new = output_of("git", "ls-files", "--others", "--exclude-standard", *patterns)
    return sorted({*changed.split(), *new.split()})


def share_of(files, part):
    """Returns each eighth file, from the one with the number of the part on; none without a part."""
    return [] if part is None else files[part % PARTS::PARTS]


def wanted_sources(base, everything, part):
    every = output_of("git", "ls-files", "src/*.cpp").split()
    return every if everything else list(dict.fromkeys(changed_files(base, "src/*.cpp") + share_of(every, part)))


def without_precompiled_header(options):
    kept, words = [], iter(options)
    for word in words:
        if word == "-include":
            next(words)
        elif word not in ("-Winvalid-pch", "-fpch-preprocess"):
            kept.append(word)
    return kept


def compiler_options(build):
    """Returns the options that each source is compiled with, by its path from the root, without precompiled headers."""
    options = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        words = shlex.split(entry["command"])[1:]
        words = words[:words.index("-o")] if "-o" in words else words
        if path.is_relative_to(SOURCE):
            options[str(path.relative_to(SOURCE))] = without_precompiled_header(words)
    return options


class Memory:
    """Stores the keys of clean sources, and forgets the least recently used keys."""

    def __init__(self):
        CACHE.mkdir(parents=True, exist_ok=True)
        # Both see the same language; only the driver writes headers in.
        version = output_of("clang-tidy", "--version") + output_of("clang++", "--version")
        self.settings = version.encode() + (SOURCE / ".clang-tidy").read_bytes()

    def key(self, source, options):
        """Returns None if the preprocessor rejects the source."""
        run = subprocess.run(["clang++", "-w", "-E", "-frewrite-includes", *options, source], cwd=SOURCE,
                             capture_output=True)
        if run.returncode != 0:
            return None
        text = b"\0".join([self.settings, shlex.join(options).encode(), run.stdout])
        return hashlib.sha256(text.replace(str(SOURCE).encode(), b".")).hexdigest()

    @staticmethod
    def knows(key):
        if key is None or not (CACHE / key).exists():
            return False
        os.utime(CACHE / key)
        return True

    @staticmethod
    def remember(key):
        if key is not None:
            (CACHE / key).touch()

    @staticmethod
    def forget_the_oldest():
        def used(path):
            try:
                return path.stat().st_mtime
            except FileNotFoundError:  # another run forgot it
                return 0

        for path in sorted(CACHE.iterdir(), key=used, reverse=True)[MOST_REMEMBERED:]:
            path.unlink(missing_ok=True)


def findings(sources, options):
    """Returns the output of clang-tidy without its counts (of system headers), or None if all sources are clean."""
    if len(sources) == 1:
        return tidied(sources[0], options)
    with tempfile.TemporaryDirectory() as folder:
        group = pathlib.Path(folder, "group.cpp")
        group.write_text("".join(f'#include "{SOURCE / source}"\n' for source in sources))
        found = tidied(group, options, "--checks=-bugprone-suspicious-include")
    if found is None or "[clang-diagnostic-" not in found:
        return found
    half = len(sources) // 2
    parts = [findings(part, options) for part in (sources[:half], sources[half:])]
    return "\n".join(part for part in parts if part) or None


def tidied(path, options, *more):
    # A group lies elsewhere, where clang-tidy would look for settings.
    settings = f"--config-file={SOURCE / '.clang-tidy'}"
    run = subprocess.run(["clang-tidy", "--quiet", settings, *more, str(path), "--", *options,
                          "-Wno-unknown-warning-option"], cwd=SOURCE, capture_output=True, text=True)
    lines = [line for line in (run.stdout + run.stderr).splitlines()
             if not line.endswith((" generated.", " treated as errors"))]
    return None if run.returncode == 0 else "\n".join(lines)


def groups_of(sources, options):
    """Groups sources with the same options whose names do not clash."""
    by_options = {}
    for source in sources:
        by_options.setdefault(tuple(options[source]), []).append(source)
    for alike in by_options.values():
        groups = {}
        for source, number in zip(alike, together.numbers_of([SOURCE / source for source in alike], TOGETHER)):
            groups.setdefault(number, []).append(source)
        yield from groups.values()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("base", nargs="?", help="commit that the sources are compared with")
    parser.add_argument("--all", action="store_true", help="all sources")
    parser.add_argument("--part", type=int, help="also an eighth of all sources: number of the part, 0 to 7")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    asked = parser.parse_args()
    end = time.monotonic() + asked.seconds
    options = compiler_options(asked.build)
    newest = wanted_sources(asked.base, False, asked.part)
    sources = [source for source in dict.fromkeys(newest + wanted_sources(asked.base, asked.all, None))
               if source in options]
    memory = Memory()
    seen, bad, left = set(), 0, []

    def look_at(group):
        if time.monotonic() > end:
            left.extend(group)
            return None
        found = findings(group, options[group[0]])
        if found is None:
            for source in group:
                memory.remember(keys[source])
        return found

    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        keys = dict(zip(sources, pool.map(lambda source: memory.key(source, options[source]), sources)))
        unknown = [source for source in sources if not memory.knows(keys[source])]
        for found in pool.map(look_at, groups_of(unknown, options)):
            bad += found is not None
            if found and found not in seen:
                print(found, flush=True)
                seen.add(found)
    memory.forget_the_oldest()
    print(f"tidy: {len(sources)} sources, {len(sources) - len(unknown)} known to be clean"
          + (f", {len(left)} not checked (time limit)" if left else "")
          + (f", findings in {bad} groups of {TOGETHER}" if bad else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
