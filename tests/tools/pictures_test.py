#!/usr/bin/env python3
"""Tests that a document shows every picture in docs/images, next to the command that makes exactly this picture.

A document shows a picture with ![text](path). The maker of NAME.svg is the last command of that document that names
NAME.svg as its output. Commands that write files for the maker run first.
"""
import pathlib
import re
import shlex
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import documents_test as documents  # noqa: E402
from page_links import without_code  # noqa: E402

SOURCE = documents.SOURCE
PICTURES = SOURCE / "docs/images"
WRITTEN = re.compile(r"(?:-o|--output|--chart|--plot|--steps-chart|--series-chart|--timeline) (\S+)")


def shown_in(name):
    """Yields the pictures of docs/images that a document shows, with the line of each."""
    text = without_code((SOURCE / name).read_text())
    for number, line in enumerate(text.split("\n"), 1):
        for target in re.findall(r"!\[[^]]*\]\(([^)\s]+)\)", line):
            path = ((SOURCE / name).parent / target).resolve()
            if path.parent == PICTURES.resolve():
                yield path.name, number


def makers(commands, picture):
    """Returns the commands to run, in order, so that the last writes the picture; empty if none does."""
    last = [number for number, command in enumerate(commands) if picture in WRITTEN.findall(command.text)]
    if not last:
        return []
    maker = commands[last[-1]]
    reads = shlex.split(maker.text)
    before = [command for command in commands[:last[-1]]
              if set(WRITTEN.findall(command.text)) & set(reads) - {picture}]
    return [*before, maker]


def without_version(svg):
    """Returns an SVG without the line in which gnuplot names its own version."""
    return [line for line in svg.splitlines() if not line.startswith("<desc>Produced by GNUPLOT")]


def difference(expected, got):
    """Returns the number of the first line that differs, or None."""
    for number, (a, b) in enumerate(zip(expected, got), 1):
        if a != b:
            return number
    return None if len(expected) == len(got) else min(len(expected), len(got)) + 1


class Pictures(unittest.TestCase):
    def remade(self, name, picture, commands):
        shell = documents.Shell()
        self.addCleanup(shell.close)
        shell.environment |= documents.exports_of(name)
        for command in commands:
            run = shell.run(command.text)
            self.assertEqual(run.returncode, 0, f"{name}:{command.line}: {command.text}\n{run.stderr}")
        return (pathlib.Path(shell.folder.name) / picture).read_text()

    def test_commands_make_the_pictures(self):
        made = set()
        for name in documents.DOCUMENTS:
            commands = documents.commands_of((SOURCE / name).read_text())
            for picture, line in shown_in(name):
                steps = makers(commands, picture)
                if not steps or picture in made:
                    continue
                stored, fresh = ((without_version(text)) for text in (
                    (PICTURES / picture).read_text(), self.remade(name, picture, steps)))
                at = difference(stored, fresh)
                self.assertIsNone(at, f"{name}:{line}: docs/images/{picture}:{at} is stale; run: {steps[-1].text}")
                made.add(picture)
        self.assertEqual(made, {path.name for path in PICTURES.iterdir()}, "pictures that no document makes and shows")

    def test_makers_include_the_files_that_they_read(self):
        commands = documents.commands_of("    weft schedule allreduce -t ring:4 -a ring -o r.weft\n    weft list models\n"
                                         "    weft draw --schedule r.weft -t ring:4 -o r.svg\n")
        self.assertEqual([command.line for command in makers(commands, "r.svg")], [1, 3])
        self.assertEqual(makers(commands, "s.svg"), [])

    def test_differences_have_a_line(self):
        self.assertIsNone(difference(["a"], ["a"]))
        self.assertEqual(difference(["a", "b"], ["a", "c"]), 2)
        self.assertEqual(difference(["a"], ["a", "b"]), 2)


if __name__ == "__main__":
    unittest.main()
