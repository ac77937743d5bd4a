#!/usr/bin/env python3
"""Runs all command lines of the documents and of the help, compares their outputs, and checks links.

- In a code block, the lines after `$ weft ...` are the expected output. Words must be equal, and times with a unit
  must agree within 2 %. A line of dots matches any lines, and dots at the end of a line match any rest.
- A block of plain `weft ...` lines shows no output. Each line must end with exit code 0, or with the code of a comment
  `# exit 1`.
- Commands in running text, `weft ...` between backticks, run if they are complete. If a command has a placeholder or
  lacks a required argument, its name and options must exist.
- Links must lead to an existing file, and to an existing heading of a document.
- The commands of a document run in order, in one folder with the examples and experiments. A line
  `export NAME=VALUE` of a block applies to all commands of its document.

Commands that take minutes are in SLOW and run with `--slow` (make test-slow). With WEFT_TEST_SAMPLES=0.2 (fast tests)
a fifth of the commands and all commands that write files run, without those in LONG. `--part K` runs one of eight
shares of the documents; all shares take about the same time.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import unittest

SOURCE = pathlib.Path(os.environ.get("WEFT_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
sys.path.insert(0, str(SOURCE / "tools"))
from page_links import anchors_of, broken_links  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get("WEFT_PROGRAM", SOURCE / "build/release/bin/weft")).resolve()
DOCUMENTS = ["README.md", "CONTRIBUTING.md"] + sorted(
    str(path.relative_to(SOURCE)) for folder in ("docs", "reproduction") for path in (SOURCE / folder).rglob("*.md"))
RUN_SLOW = "--slow" in sys.argv
PARTS = 8  # of the rotation (tests/CMakeLists.txt)
PART = int(sys.argv[sys.argv.index("--part") + 1]) if "--part" in sys.argv else None
SAMPLES = float(os.environ.get("WEFT_TEST_SAMPLES", "1"))
TIMEOUT_S = 3600 if RUN_SLOW or os.environ.get("ASAN_OPTIONS") else 120
WRITES = re.compile(r" (-o|--output|--csv|--store|--catalogue|--write-[a-z]+|>) | weft sweep |^weft sweep ")

# Beginnings of commands that take a minute or more on two cores, or gigabytes.
SLOW = [
    "weft design --build switches --radix 64 --nodes 1000",
    "weft find --build-catalogue",
    "weft load-curve --topology dragonfly:a=4,p=2,h=2 --traffic next-group",
    "weft reproduce direct-connect",
    "weft reproduce dragonfly",
    "weft reproduce fat-tree",
    "weft reproduce kautz",
    "weft reproduce reality",
    "weft reproduce two-opt",
    "weft schedule allgather -t torus:1000x1000 -a packing",
    "weft simulate mesh.weft",
    "weft simulate alltoall -t \"xgft:4;8,8,4,2;1,8,8,2\"",
    "weft synthesize allgather --topology circulant:18,1,5,6",
    "weft synthesize allgather --topology mesh:5x5",
    "weft sweep reproduction/experiments/dragonfly-figure-8.toml --full",
]

# Beginnings of commands that take over two seconds, and of those that need their files.
LONG = [
    "weft design --nodes 64",
    "weft design --nodes 8",
    "weft find --nodes 2..2000",
    "weft order allreduce --topology \"xgft:2;16,8;1,8\"",
    "weft order broadcast --topology \"hosts(1, random-regular:512",
    "weft reproduce reproduction/experiments/torus-allreduce.toml",
    "weft results diff before.sqlite",
    "weft results reproduction/experiments/2dfc-baselines.toml",
    "weft results reproduction/experiments/torus-allreduce.toml",
    "weft results merge before.sqlite",
    "weft sweep reproduction/experiments/2dfc-baselines.toml",
    "weft sweep reproduction/experiments/torus-allreduce.toml",
    "weft synthesize allgather --topology kautz:4,2 --chunks 4",
    "weft train dense-8b -t \"boxes(4, network:dgx-h100)\" --device h100 --global-batch 32 --parallel tensor=8",
    "weft train gpt-2-large -t leaf-spine",
]

# Needs root and an MPI: its command and options are checked like those of running text.
PRIVILEGED = ("weft testbed run", "weft testbed compare", "weft reproduce measured")

TIME = re.compile(r"(\d+(?:\.\d+)?)(ps|ns|us|ms|s|min|h)(\*?)$")
SECONDS = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}
PLACEHOLDER = re.compile(r"\.\.\.|\[|(^|[ =:/])[A-Z]{3,}\b|\b[A-Z]\b|[{}<>]")


class Command:
    """A command line, its expected output (None: not shown), and its line number."""

    def __init__(self, text, expected, line, in_prose=False):
        self.text, self.expected, self.line, self.in_prose = text, expected, line, in_prose

    def exit_code(self):
        remark = re.search(r"#.*\bexit (\d)\b", self.text)
        return int(remark.group(1)) if remark else 0

    def is_slow(self):
        return any(self.text.startswith(beginning) for beginning in SLOW)


def code_blocks(text):
    """Returns (number of the first line, lines without indentation) of each fenced or indented block."""
    lines, blocks, number = text.split("\n"), [], 0
    while number < len(lines):
        fence = re.match(r"\s*```", lines[number])
        indented = lines[number].startswith("    ") and not lines[number - 1].strip()
        first = number + 1 if fence else number
        if not fence and not indented:
            number += 1
            continue
        number = first
        while number < len(lines) and (not lines[number].strip().startswith("```") if fence else
                                       lines[number].startswith("    ") or not lines[number].strip()):
            number += 1
        block = lines[first:number]
        blocks.append((first + 1, block if fence else [line[4:] for line in block]))
        number += 1 if fence else 0
    return blocks


def block_commands(first, block):
    commands, number = [], 0
    while number < len(block):
        # "weft schedule 1" is the first line of a schedule's text.
        start = re.match(r"(\$ )?(weft (?!schedule \d).*)", block[number])
        number += 1
        if not start:
            continue
        line, text = first + number - 1, start.group(2)
        while text.endswith("\\") and number < len(block):
            text = text[:-1].rstrip() + " " + block[number].strip()
            number += 1
        if not start.group(1):
            commands.append(Command(text, None, line))
            continue
        expected = []
        while number < len(block) and not block[number].startswith("$ "):
            expected.append(block[number])
            number += 1
        commands.append(Command(text, [row for row in expected if row.strip()], line))
    return commands


def commands_of(text):
    """Returns all commands of a document in order: those of its blocks and the complete ones of its running text."""
    found, inside = [], set()
    for first, block in code_blocks(text):
        found += block_commands(first, block)
        inside |= set(range(first, first + len(block)))
    for number, line in enumerate(text.split("\n"), 1):
        if number not in inside:
            found += [Command(match.group(1), None, number, in_prose=True)
                      for match in re.finditer(r"`(weft [^`]+)`", line)]
    return sorted(found, key=lambda command: command.line)


def words(line):
    return line.replace("\u00a0", " ").split()


def same_word(expected, got):
    a, b = TIME.match(expected), TIME.match(got)
    if not a or not b:
        return expected == got
    first, second = (float(m.group(1)) * SECONDS[m.group(2)] for m in (a, b))
    return a.group(3) == b.group(3) and abs(first - second) <= 0.02 * max(first, second)


def same_line(expected, got):
    wanted, have = words(expected), words(got)
    if wanted and wanted[-1] == "...":
        wanted.pop()
        have = have[:len(wanted)]
    return len(wanted) == len(have) and all(map(same_word, wanted, have))


def first_difference(expected, got):
    """Returns the first expected line that is missing, or None. A line of dots skips any number of lines."""
    at, skip = 0, False
    for line in expected:
        if line.strip() == "...":
            skip = True
            continue
        match = next((i for i in range(at, len(got)) if same_line(line, got[i])), None)
        if match is None or (match > at and not skip):
            return line
        at, skip = match + 1, False
    return None if skip or at == len(got) else f"(nothing more, but there is) {got[at]}"


class Shell:
    """Runs commands in a folder as a reader would run them."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="weft-documents-")
        root = pathlib.Path(self.folder.name)
        for name in ("reproduction", "examples", "share"):
            shutil.copytree(SOURCE / name, root / name, ignore=shutil.ignore_patterns("*.sqlite*"))
        (root / "study.toml").write_text(
            '[experiment]\ntitle = "Mine"\n[grid]\ntopology = "torus:4x4"\n'
            'collective = "allreduce"\nalgorithm = ["ring", "bfb"]\nsize = "1KiB,1MiB"\n')
        self.environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1",
                            "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}

    def run(self, text):
        return subprocess.run(["bash", "-o", "pipefail", "-c", text], cwd=self.folder.name,
                              env=self.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=TIMEOUT_S)

    def close(self):
        self.folder.cleanup()


class Help:
    """Reads the help texts of commands and finds commands and options that do not exist."""

    def __init__(self):
        self.texts = {}

    def of(self, command):
        if command not in self.texts:
            run = subprocess.run([PROGRAM, command, "--help-all"], capture_output=True, text=True)
            self.texts[command] = run.stdout if run.returncode == 0 else None
        return self.texts[command]

    def examples(self):
        """Returns the example commands in the help of each command."""
        listing = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout
        texts = {name: self.of(name).partition("Examples:")[2]
                 for name in re.findall(r"^  ([a-z][a-z-]+) {2,}", listing, re.M)}
        return {name: block_commands(1, [line.strip() for line in text.split("\n")]) for name, text in texts.items()}

    def fault(self, text):
        """Returns the command or option of a command line that does not exist, or None."""
        parts = text.split("|")[0].split()
        if len(parts) < 2 or not re.match(r"[a-z-]+$", parts[1]):
            return None
        help_text = self.of(parts[1])
        if help_text is None:
            return f"there is no command {parts[1]}"
        missing = [option for option in re.findall(r"(?<=[ \[])(--?[a-zA-Z][a-z-]*)", text.split("#")[0])
                   if not re.search(rf"(^|[\s,]){re.escape(option)}\b", help_text)]
        return f"{parts[1]} has no option {missing[0]}" if missing else None


HELP = Help()


def check(command, shell):
    """Returns the fault of a command of a document, or None."""
    arguments = [word for word in command.text.split("#")[0].split()[2:] if not word.startswith("-")]
    whole = arguments and not PLACEHOLDER.search(command.text.split("#")[0])
    slow = command.is_slow()
    if (not whole and command.expected is None) or slow != RUN_SLOW or command.text.startswith(PRIVILEGED):
        return HELP.fault(command.text)
    try:
        run = shell.run(command.text)
    except subprocess.TimeoutExpired as expired:
        return f"takes more than {expired.timeout} s; if it should, name it in SLOW"
    if command.in_prose and run.returncode == 2 and " is required; see" in run.stderr:
        return HELP.fault(command.text)
    if run.returncode != command.exit_code():
        return f"exit code {run.returncode}: {(run.stderr or run.stdout).strip()[-300:]}"
    if command.expected is None:
        return None
    got = [line for line in (run.stdout + run.stderr).split("\n") if line.strip()
           and not line.startswith("weft: still working")]  # on a slow machine
    line = first_difference(command.expected, got)
    return None if line is None else f"prints no such line: {line}\n" + "\n".join(got[:60])


def exports_of(name):
    """Returns the variables that a document sets in lines `export NAME=VALUE`; none for a help text."""
    path = SOURCE / name
    return dict(re.findall(r"^ *export (\w+)=(\S+)$", path.read_text(), re.M)) if path.is_file() else {}


def is_in_sample(number, command):
    """Returns true if the command of this number is in the evenly spread sample or writes a file."""
    if SAMPLES < 1 and command.text.startswith(tuple(LONG)):
        return False
    return int((number + 1) * SAMPLES) > int(number * SAMPLES) or bool(WRITES.search(command.text))


class Documents(unittest.TestCase):
    def run_document(self, name, commands, shell=None):
        shell = shell or Shell()
        shell.environment |= exports_of(name)
        self.addCleanup(shell.close)
        faults = []
        for number, command in enumerate(commands):
            began = time.monotonic()
            fault = check(command, shell) if is_in_sample(number, command) else HELP.fault(command.text)
            if os.environ.get("WEFT_DOCUMENTS_TIMES"):
                print(f"{time.monotonic() - began:6.1f} s  {name}:{command.line}: {command.text}")
            if fault:
                faults.append(f"{name}:{command.line}: {command.text}\n    {fault}")
        self.assertFalse(faults, "\n" + "\n".join(faults))

    def make_readers_files(self, shell):
        """Creates the files that the examples of the help use as files of the reader."""
        root = pathlib.Path(shell.folder.name)
        shutil.copy(root / "study.toml", root / "my.toml")
        (root / "measured.csv").write_text("steps,bandwidth_factor,size,time\n14,15/8,1KB,208us\n"
                                        "8,15/8,1KB,128us\n14,15/8,1GB,0.19\n8,15/8,1GB,0.16\n")
        shutil.copy(root / "examples/counts.txt", root / "counts.txt")
        for kind in ("ibnet", "lfts"):
            shutil.copy(root / f"examples/leaf-spine.{kind}", root / f"net.{kind}")
        run = shell.run("weft import net.ibnet --routes net.lfts -o fabric.json && "
                        "cp fabric.json plan.json && "
                        "weft schedule broadcast -t dragonfly:a=4,p=2,h=2 -a forest -o forest.weft && "
                        "weft sweep my.toml && "
                        "for f in old new part0 part1; do cp my.sqlite $f.sqlite; done")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_help_examples(self):
        shell = Shell()
        self.make_readers_files(shell)
        examples = HELP.examples()
        self.assertGreater(len(examples), 10)
        for name, commands in examples.items():
            with self.subTest(command=name):
                self.run_document(f"weft {name} --help", commands, shell)

    def test_links_lead_somewhere(self):
        names = [*DOCUMENTS, "CHANGELOG.md"]
        broken = [each for name in names for each in broken_links(SOURCE / name, name)]
        self.assertFalse(broken, "\n" + "\n".join(broken))

    def test_anchors_are_those_of_github(self):
        text = "# A: b, c.d!\n```\n# no heading\n```\n## RANK.et `x_y` (2)\n## Twice\n## Twice\n"
        self.assertEqual(anchors_of(text), {"a-b-cd", "ranket-x_y-2", "twice", "twice-1"})

    def test_slow_commands_stand_in_a_document(self):
        texts = [c.text for name in DOCUMENTS for c in commands_of((SOURCE / name).read_text())]
        texts += [c.text for commands in HELP.examples().values() for c in commands]
        for beginning in SLOW + LONG:
            self.assertTrue(any(text.startswith(beginning) for text in texts), beginning)

    def test_a_shown_experiment_is_the_one_that_ships(self):
        page = (SOURCE / "docs/tutorials/study.md").read_text()
        shown = tomllib.loads(re.search(r"```toml\n(.*?)```", page, re.S).group(1))
        shipped = tomllib.loads((SOURCE / "reproduction/experiments/torus-allreduce.toml").read_text())
        self.assertEqual(shown["grid"], shipped["grid"])
        self.assertEqual(shown["derive"], shipped["derive"])


def add_document_tests():
    documents = {name: commands_of((SOURCE / name).read_text()) for name in DOCUMENTS}
    longest_first = sorted((name for name in documents if documents[name]), key=lambda name: -len(documents[name]))
    for name in longest_first if PART is None else longest_first[PART::PARTS]:
        setattr(Documents, "test_" + re.sub(r"\W", "_", name),
                lambda self, name=name: self.run_document(name, documents[name]))


if __name__ == "__main__":
    add_document_tests()
    if PART:  # Only the first part runs the tests that belong to no document.
        for name in [name for name in vars(Documents) if name.startswith("test_")]:
            if not any(name == "test_" + re.sub(r"\W", "_", document) for document in DOCUMENTS):
                delattr(Documents, name)
    unittest.main(argv=sys.argv[:1])
