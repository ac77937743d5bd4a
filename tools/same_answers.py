#!/usr/bin/env python3
"""Runs the same command lines with two builds of weft and prints where their answers differ.

    tools/same_answers.py BEFORE AFTER                  run all of tools/corpus.txt, documents and help
    tools/same_answers.py BEFORE AFTER --only 'order '  run lines that contain this text
    tools/same_answers.py BEFORE AFTER --intended FILE  accept the differences that FILE explains

BEFORE and AFTER are programs (build/release/bin/weft) of two commits. The script compares standard
output, standard error, exit code and every written file byte for byte. Of SQLite stores it compares
the rows without their run times. Lines of a group share a folder, so later lines can read files of
earlier ones. Groups are independent and run in parallel (--jobs). Lines of documents and of the help
come from this checkout.

A file of intended differences has two kinds of lines. `CAUSE: ~ REGULAR EXPRESSION` removes matching
text from both answers. `CAUSE: $ TEXT` accepts any difference of command lines with this text. Other
differences end with exit code 1.
"""
import argparse
import concurrent.futures
import difflib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# What no two runs agree on.
UNSTABLE = [
    (re.compile(r"\b\d+(\.\d+)? ?(s|ms|us|min) of (wall|CPU) time"), "TIME"),
    (re.compile(r"^weft: still working.*\n?", re.M), ""),  # on a slow machine
    (re.compile(r"\bin \d+(\.\d+)? ?(s|ms|min)\b"), "in TIME"),
    (re.compile(r"\"(build|verify|cost|simulate|seconds|elapsed|wall)\": [0-9.e+-]+"), r'"\1": TIME'),
]
UNSTABLE_COLUMNS = {"wall_s", "finished_at"}
NAMING_COLUMNS = {"key", "kind", "parameters"}


def groups_of(text):
    """Reads lists of command lines by name, from `== name` headings; # begins a comment."""
    groups, name = {}, "lines"
    for line in text.split("\n"):
        if line.startswith("== "):
            name = line[3:].strip()
        elif line.strip() and not line.startswith("#"):
            groups.setdefault(name, []).append(line.strip())
    return groups


def groups_of_documents(program):
    """Returns the commands of the documents and of the help that their test runs too."""
    spec = importlib.util.spec_from_file_location("documents_test", ROOT / "tests/tools/documents_test.py")
    documents = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(documents)

    def whole(command):
        text = command.text.split("#")[0]
        words = [word for word in text.split()[2:] if not word.startswith("-")]
        return words and not documents.PLACEHOLDER.search(text) and not command.is_slow()

    groups = {}
    for name in documents.DOCUMENTS:
        commands = documents.commands_of((ROOT / name).read_text())
        groups[name] = [command.text for command in commands if whole(command)]
    listing = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    for name in re.findall(r"^  ([a-z][a-z-]+) {2,}", listing, re.M):
        help_text = subprocess.run([program, name, "--help"], capture_output=True, text=True).stdout
        lines = [line.strip() for line in help_text.partition("Examples:")[2].split("\n")]
        groups[f"weft {name} --help"] = [f"weft {name} --help"] + [
            command.text for command in documents.block_commands(1, lines) if whole(command)]
    return groups


def steady(text, folder):
    text = text.replace(str(folder), "FOLDER")
    for pattern, replacement in UNSTABLE:
        text = pattern.sub(replacement, text)
    return text


def store_text(path):
    """Returns the values of a store, one per line, sorted, without values that differ from run to run.

    A row is named by its parameters: its key is a hash of them and of the version of the models.
    """
    lines = []
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as store:
        tables = [name for (name,) in store.execute("select name from sqlite_master where type='table'")]
        for table in sorted(tables):
            rows = store.execute(f"select * from {table}")
            columns = [column[0] for column in rows.description]
            for row in rows:
                values = dict(zip(columns, row))
                name = f"{table}: {values.get('kind', '')} {values.get('parameters', '')}"
                for column in [c for c in columns if c not in NAMING_COLUMNS | UNSTABLE_COLUMNS]:
                    text = str(values[column])
                    parts = json.loads(text) if text.startswith("{") else {"": text}
                    lines += [f"{name} {column}.{part} = {value!r}" for part, value in parts.items()]
    return "\n".join(sorted(lines))


class Intended:
    """Reads the intended differences, by cause."""

    def __init__(self, text):
        rows = [row.split(": ", 1) for row in text.split("\n") if ": " in row and not row.startswith("#")]
        self.taken_out = [(cause, re.compile(sign[2:], re.M)) for cause, sign in rows if sign.startswith("~ ")]
        self.commands = [(cause, sign[2:]) for cause, sign in rows if sign.startswith("$ ")]

    def judge(self, line, before, after):
        """Returns the causes of a difference, and the rest that they do not explain."""
        for cause, text in self.commands:
            if text in line:
                return {cause}, ""
        causes, sides = set(), [dict(before), dict(after)]
        for cause, pattern in self.taken_out:
            for side in sides:
                for part, text in side.items():
                    side[part], count = pattern.subn("", text)
                    if count and before.get(part) != after.get(part):
                        causes.add(cause)
        return causes, difference(*sides)


def files_of(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


class Side:
    """Runs one program in its own folder with its own caches."""

    def __init__(self, program, timeout_s):
        self.scratch = tempfile.TemporaryDirectory(prefix="weft-same-")
        root = pathlib.Path(self.scratch.name)
        self.folder, binaries = root / "folder", root / "bin"
        self.folder.mkdir()
        binaries.mkdir()
        (binaries / "weft").symlink_to(pathlib.Path(program).resolve())
        for name in ("reproduction", "examples", "share"):
            shutil.copytree(ROOT / name, self.folder / name, ignore=shutil.ignore_patterns("*.sqlite*"))
        shutil.copy(ROOT / "reproduction/experiments/torus-allreduce.toml", self.folder / "study.toml")
        self.environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1",
                            "XDG_CACHE_HOME": str(root / "cache"), "HOME": str(root),
                            "PATH": f"{binaries}:{os.environ['PATH']}"}
        self.timeout_s = timeout_s

    def answer(self, line):
        """Returns everything that the line prints and writes, by name."""
        before = files_of(self.folder)
        try:
            run = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=self.folder,
                                 env=self.environment, capture_output=True, stdin=subprocess.DEVNULL,
                                 timeout=self.timeout_s)
        except subprocess.TimeoutExpired:
            return {"exit code": f"none within {self.timeout_s} s"}
        root = pathlib.Path(self.scratch.name)
        parts = {"exit code": str(run.returncode),
                 "output": steady(run.stdout.decode(errors="replace"), root),
                 "errors": steady(run.stderr.decode(errors="replace"), root)}
        for path, changed in files_of(self.folder).items():
            if before.get(path) == changed or path.suffix in (".sqlite-wal", ".sqlite-shm"):
                continue
            name = str(path.relative_to(self.folder))
            parts[name] = (store_text(path) if path.suffix == ".sqlite" else
                           steady(path.read_bytes().decode(errors="backslashreplace"), root))
        return parts


def difference(before, after):
    """Returns the parts that differ, each with its first differing lines."""
    texts = []
    for part in sorted(before.keys() | after.keys()):
        a, b = before.get(part), after.get(part)
        if a == b:
            continue
        if a is None or b is None:
            texts.append(f"{part}: only {'after' if a is None else 'before'}")
            continue
        changed = [row for row in difflib.unified_diff(a.split("\n"), b.split("\n"), lineterm="", n=0)
                   if row[:1] in "+-" and not row.startswith(("+++", "---"))]
        texts.append(f"{part}:\n" + "\n".join("    " + row[:300] for row in changed[:8]))
    return "\n".join(texts)


def run_group(name, lines, programs, timeout_s, only, intended):
    sides = [Side(program, timeout_s) for program in programs]
    found = []
    for line in lines:
        answers = [side.answer(line) for side in sides]
        if answers[0] != answers[1] and only in line:
            found.append((name, line, *intended.judge(line, *answers)))
    for side in sides:
        side.scratch.cleanup()
    return len(lines), found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--corpus", type=pathlib.Path, default=ROOT / "tools/corpus.txt")
    parser.add_argument("--intended", type=pathlib.Path, help="lines `CAUSE: ~ regex` or `CAUSE: $ command` of what is meant")
    parser.add_argument("--only", default="", help="show lines that hold this text; groups without one are skipped, others run whole")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=300, help="seconds a line")
    parser.add_argument("--list", action="store_true", help="print the lines, run nothing")
    options = parser.parse_args()
    groups = groups_of(options.corpus.read_text()) | groups_of_documents(options.after)
    groups = {name: lines for name, lines in groups.items() if any(options.only in line for line in lines)}
    if options.list:
        print("\n".join(line for lines in groups.values() for line in lines))
        return 0
    intended = Intended(options.intended.read_text() if options.intended else "")
    total, meant, left = 0, {}, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(run_group, name, lines, (options.before, options.after), options.timeout, options.only,
                            intended)
                for name, lines in groups.items()]
        for run in runs:
            count, found = run.result()
            total += count
            for name, line, causes, text in found:
                for cause in causes:
                    meant.setdefault(cause, []).append(line)
                if text:
                    left.append(line)
                    print(f"{name}: {line}\n  {text}\n", flush=True)
    for cause, lines in meant.items():
        print(f"intended, {cause}: {len(lines)} lines")
    print(f"{total} lines, {len(left)} differ beyond what is intended")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
