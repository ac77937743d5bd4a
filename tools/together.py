#!/usr/bin/env python3
"""Groups sources that one compiler run can compile: tools/together.py [--lines N] FOLDER SOURCE...

Sources of one room include the same headers and instantiate the same templates, so compiling several in one
run saves much of the time. Two sources may share a group if neither uses a name that the other declares in
an unnamed namespace. Concatenating them then changes the meaning of neither. The files are read as text;
a wrong guess shows as a compiler error.

Writes one file per group into FOLDER, which includes the group's sources, and leaves files that are up to
date untouched. Prints one line per source: the file that includes it, or "alone". A group has at most N lines.
"""
import argparse
import functools
import itertools
import pathlib
import re
import sys

MOST_LINES = 3000  # More lines need over 2 GB of memory under a sanitizer.
ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE_FOLDERS = tuple(ROOT / name for name in ("include", "src", "tests"))
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
FREE = r"(?<![\w.>:])"  # not a member, nor of a named namespace
WORD = re.compile(FREE + r"[A-Za-z_]\w*")
CALL = re.compile(FREE + r"([A-Za-z_]\w*)(?:<[^;()]*?>)?\(")
UNNAMED = re.compile(r'^namespace \{$(.*?)^\}  ""', re.DOTALL | re.MULTILINE)
TYPE = re.compile(r"^(?:(?:struct|class|enum(?: class)?)\s+(\w+)|using\s+(\w+) =)")
FUNCTION = re.compile(r"^[^({=]*?(\w+)\(")
CONSTANT = re.compile(r"^[^({=]*?(\w+)(?:\[\w*\])?(?: =|\{|;)")
ENUMERATORS = re.compile(r"^using enum ", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def code_of(path):
    return NOT_CODE.sub('""', path.read_text())


def kept_names(code):
    """Returns the functions, and the types and constants, that a source declares in namespaces without a name."""
    functions, others = set(), set()
    for body in UNNAMED.findall(code):
        for line in body.splitlines():
            if line[:1].strip() and not line.startswith(("}", "#", "TEST", "INSTANTIATE")):
                others.update(filter(None, itertools.chain(*TYPE.findall(line))))
                functions.update(FUNCTION.findall(line))
                others.update(CONSTANT.findall(line))
    return functions, others


@functools.cache
def header_words(path):
    """Returns all words of a header and of the headers that it includes."""
    words, waiting, seen = set(), [path], {path}
    while waiting:
        header = waiting.pop()
        words |= own_words(header)
        for header in included(header):
            if header not in seen:
                seen.add(header)
                waiting.append(header)
    return words


@functools.cache
def own_words(path):
    return frozenset(WORD.findall(code_of(path)))


@functools.cache
def included(path):
    places = (path.parent, *INCLUDE_FOLDERS)
    names = INCLUDE.findall(path.read_text())
    return tuple(next((place / name for place in places if (place / name).exists()), None) or path
                 for name in names)


class Source:
    def __init__(self, path):
        code = code_of(path)
        # `using enum` declares names that could hide functions of other sources.
        self.compiles_alone = ENUMERATORS.search(code) is not None
        self.lines = code.count("\n")
        self.functions, self.others = kept_names(code)
        self.calls = set(CALL.findall(code))
        self.words = set(WORD.findall(code)).union(*(header_words(header) for header in included(path)))


class Group(Source):
    def __init__(self):
        self.lines, self.functions, self.others, self.calls, self.words = 0, set(), set(), set(), set()
        self.compiles_alone = False

    def takes(self, source, most_lines):
        if self.compiles_alone or source.compiles_alone or self.lines + source.lines > most_lines:
            return False
        return all(
            one.functions.isdisjoint(other.calls) and one.others.isdisjoint(other.words)
            for one, other in ((self, source), (source, self)))

    def add(self, source):
        self.lines += source.lines
        self.compiles_alone |= source.compiles_alone
        for name in ("functions", "others", "calls", "words"):
            getattr(self, name).update(getattr(source, name))


def numbers_of(paths, most=1000, most_lines=MOST_LINES):
    """Returns the group number of each source; a group has at most `most` sources and `most_lines` lines."""
    groups, numbers = [], []
    for path in paths:
        source = Source(pathlib.Path(path).resolve())
        number = next((number for number, group in enumerate(groups)
                       if numbers.count(number) < most and group.takes(source, most_lines)), len(groups))
        if number == len(groups):
            groups.append(Group())
        groups[number].add(source)
        numbers.append(number)
    return numbers


def include_line(path):
    """Writes an #include without the folder of the clone, so that clones share a compiler cache."""
    folder = next(folder for folder in INCLUDE_FOLDERS if path.is_relative_to(folder))
    return f'#include "{path.relative_to(folder)}"\n'


def write_groups(folder, sources, most_lines):
    """Writes the group files and returns, for each source, its group file or "alone"."""
    numbers = numbers_of(sources, most_lines=most_lines)
    members = {}
    for source, number in zip(sources, numbers):
        members.setdefault(number, []).append(pathlib.Path(source).resolve())
    files = {number: folder / f"group_{number}.cpp" for number, paths in members.items() if len(paths) > 1}
    folder.mkdir(parents=True, exist_ok=True)
    for number, file in files.items():
        text = "".join(map(include_line, members[number]))
        if not file.exists() or file.read_text() != text:
            file.write_text(text)
    return [files.get(number, "alone") for number in numbers]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lines", type=int, default=MOST_LINES)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    print(*write_groups(options.folder, options.sources, options.lines), sep="\n")


if __name__ == "__main__":
    main()
