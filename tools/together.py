#!/usr/bin/env python3
"""Which sources one compiler run can take together: tools/together.py SOURCE... prints a group's number each.

Sources that include each other's headers spend most of their compile time on those. Two sources go into one
group where neither uses a name that the other keeps to itself (in a namespace without a name), so that
putting them behind one another changes the meaning of neither. Files are read as text; a mistake here shows
as an error of the compiler.
"""
import functools
import itertools
import pathlib
import re
import sys

MOST_LINES = 3000  # in a group: more takes above 2 GB under a sanitizer
ROOT = pathlib.Path(__file__).resolve().parents[1]
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
    """The functions, and the types and constants, that a source declares in namespaces without a name."""
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
    """All words of a header and of the headers that it includes."""
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
    places = (path.parent, ROOT / "include", ROOT / "src", ROOT / "tests")
    names = INCLUDE.findall(path.read_text())
    return tuple(next((place / name for place in places if (place / name).exists()), None) or path
                 for name in names)


class Source:
    def __init__(self, path):
        code = code_of(path)
        # Enumerators as free names would meet functions of those names: such a source stays alone.
        self.lines = MOST_LINES + 1 if ENUMERATORS.search(code) else code.count("\n")
        self.functions, self.others = kept_names(code)
        self.calls = set(CALL.findall(code))
        self.words = set(WORD.findall(code)).union(*(header_words(header) for header in included(path)))


class Group(Source):
    def __init__(self):
        self.lines, self.functions, self.others, self.calls, self.words = 0, set(), set(), set(), set()

    def takes(self, source):
        return self.lines + source.lines <= MOST_LINES and all(
            one.functions.isdisjoint(other.calls) and one.others.isdisjoint(other.words)
            for one, other in ((self, source), (source, self)))

    def add(self, source):
        self.lines += source.lines
        for name in ("functions", "others", "calls", "words"):
            getattr(self, name).update(getattr(source, name))


def numbers_of(paths, most=1000):
    """The number of each source's group, in which there are `most` sources at most."""
    groups, numbers = [], []
    for path in paths:
        source = Source(pathlib.Path(path).resolve())
        number = next((number for number, group in enumerate(groups)
                       if numbers.count(number) < most and group.takes(source)), len(groups))
        if number == len(groups):
            groups.append(Group())
        groups[number].add(source)
        numbers.append(number)
    return numbers


if __name__ == "__main__":
    print(*numbers_of(sys.argv[1:]), sep="\n")
