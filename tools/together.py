#!/usr/bin/env python3
"""Groups sources that one compiler run can compile: tools/together.py [--lines N] FOLDER SOURCE...

Sources of one room include the same headers and instantiate the same templates, so compiling several in one
run saves much of the time. Two sources may share a group if neither uses a name that the other declares in
an unnamed namespace, but for the same alias in both, and overloads of functions for other classes.
Concatenating them then changes the meaning of neither. The files are read as text; a wrong guess shows as a
compiler error.

Writes one file per group into FOLDER, which includes the group's sources, and leaves files that are up to
date untouched. Prints one line per source: the file that includes it, or "alone". A group has at most N lines.
"""
import argparse
import collections
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
FUNCTION = re.compile(r"^[^({=]*?(\w+)\((?:const (?:(?!std::)\w+::)*((?!Json)[A-Z]\w+)&)?")
ALIAS = re.compile(r"^using (?:[\w:]*::)?(?P<name>[A-Z]\w*)(?: = (?:[\w:]*::)?(?P=name))?;"
                   r"|^namespace (?P<space>\w+) = [\w:]+;|^__extension__ using (?P<wide>\w+) = \w+;")
TEMPLATE = re.compile(r"^template <[^<>]*>")
SPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
CONSTANT = re.compile(r"^[^({=]*?(\w+)(?:\[\w*\])?(?: =|\{|;)")
ENUMERATORS = re.compile(r"^using enum ", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def code_of(path):
    return NOT_CODE.sub('""', path.read_text())


class Kept:
    """What sources declare in namespaces without a name, and the words that they use."""

    def __init__(self):
        self.functions = collections.defaultdict(set)  # name -> classes of weft that overloads take first, or ""
        self.aliases = collections.defaultdict(set)  # name -> what of the same name it stands for
        self.others = set()  # types and constants
        self.calls, self.words = set(), set()
        self.lines = 0
        self.compiles_alone = False

    def declare(self, line):
        line = TEMPLATE.sub("", line)
        if alias := ALIAS.match(line):
            self.aliases[alias["name"] or alias["space"] or alias["wide"]].add(alias[0])
            return
        self.others.update(filter(None, itertools.chain(*TYPE.findall(line))))
        self.others.update(CONSTANT.findall(line))
        if function := FUNCTION.match(line):
            self.functions[function[1]].add(function[2] or "")

    def bears(self, other):
        """Whether all names of `other` mean the same if the declarations kept here stand before it."""
        if not self.others.isdisjoint(other.words):
            return False
        for name, targets in self.aliases.items():
            if name in other.others or name in other.aliases and other.aliases[name] != targets:
                return False
        for name in self.functions.keys() & other.calls:
            # Overloads for classes of weft stand side by side; of others, conversions could choose a new one.
            if "" in self.functions[name] or not self.functions[name].isdisjoint(other.functions.get(name, ())):
                return False
        return True

    def takes(self, source, most_lines):
        if self.compiles_alone or source.compiles_alone or self.lines + source.lines > most_lines:
            return False
        return self.bears(source) and source.bears(self)

    def add(self, source):
        self.lines += source.lines
        self.compiles_alone |= source.compiles_alone
        for name in ("others", "calls", "words"):
            getattr(self, name).update(getattr(source, name))
        for name in ("functions", "aliases"):
            for key, values in getattr(source, name).items():
                getattr(self, name)[key] |= values


def kept_in(path):
    kept, code = Kept(), code_of(path)
    # `using enum` declares names that could hide functions of other sources.
    kept.compiles_alone = ENUMERATORS.search(code) is not None
    kept.lines = code.count("\n")
    kept.calls = set(CALL.findall(code))
    kept.words = set(WORD.findall(code))
    # A name in an unnamed namespace is seen in the namespace around it and in those inside that, nowhere else.
    own = spaces(path)
    for header in headers_of(path):
        if not spaces(header) or any(f"{space}::".startswith(f"{mine}::") for space in spaces(header) for mine in own):
            kept.words |= own_words(header)
    for body in UNNAMED.findall(code):
        for line in body.splitlines():
            if line[:1].strip() and not line.startswith(("}", "#", "TEST", "INSTANTIATE")):
                kept.declare(line)
    return kept


@functools.cache
def headers_of(path):
    """The headers that a file includes, and those that these include."""
    waiting, seen = [path], set()
    while waiting:
        for header in included(waiting.pop()):
            if header not in seen:
                seen.add(header)
                waiting.append(header)
    return seen


@functools.cache
def own_words(path):
    return frozenset(WORD.findall(code_of(path)))


@functools.cache
def spaces(path):
    return frozenset(SPACE.findall(path.read_text()))


@functools.cache
def included(path):
    places = (path.parent, *INCLUDE_FOLDERS)
    names = INCLUDE.findall(path.read_text())
    return tuple(next((place / name for place in places if (place / name).exists()), None) or path
                 for name in names)


def numbers_of(paths, most=1000, most_lines=MOST_LINES):
    """The group number of each source; a group has at most `most` sources and `most_lines` lines."""
    groups, numbers = [], []
    for path in paths:
        source = kept_in(pathlib.Path(path).resolve())
        number = next((number for number, group in enumerate(groups)
                       if numbers.count(number) < most and group.takes(source, most_lines)), len(groups))
        if number == len(groups):
            groups.append(Kept())
        groups[number].add(source)
        numbers.append(number)
    return numbers


def include_line(path):
    """An #include without the clone's folder, so that clones share what a compiler cache holds."""
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
